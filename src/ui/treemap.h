/* SPDX-License-Identifier: MIT */
/* treemap - a box divided into one for each of some amounts, which are nearly squares. */
#ifndef UI_TREEMAP_H
#define UI_TREEMAP_H

/** A rectangle: its upper left corner, its width and height. */
struct treemap_box {
	double x, y, w, h;
};

/**
 * Divide in among n amounts, all above 0, the largest first: the areas of out are proportional to
 * them, fill it, and do not overlap.
 */
void treemap_divide(const double *amounts, size_t n, struct treemap_box in, struct treemap_box *out);

#endif
