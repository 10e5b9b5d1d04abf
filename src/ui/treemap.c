/* SPDX-License-Identifier: MIT */
/*
 * After Bruls, Huizing and van Wijk, "Squarified Treemaps": amounts fill a row along the shorter
 * side of what is left of the box, as long as that makes the worst of them more of a square.
 */
#include "base/base.h"

#include "ui/treemap.h"

/* How much longer than wide is the worst of a row's boxes: its areas from least to most. */
static double
treemap_worst(double least, double most, double row, double side)
{
	const double wide = side * side * most / (row * row), narrow = row * row / (side * side * least);

	return wide > narrow ? wide : narrow;
}

/* How many of n areas make the best row along a side; *row is their sum. */
static size_t
treemap_row(const double *amounts, size_t n, double scale, double side, double *row)
{
	double worst = 0;
	size_t i;

	*row = 0;
	for (i = 0; i < n; i++) {
		const double area = amounts[i] * scale, next = treemap_worst(area, amounts[0] * scale, *row + area, side);

		if (i > 0 && next > worst)
			break;
		worst = next;
		*row += area;
	}
	return i;
}

void
treemap_divide(const double *amounts, size_t n, struct treemap_box in, struct treemap_box *out)
{
	double all = 0, scale;

	for (size_t i = 0; i < n; i++)
		all += amounts[i];
	scale = in.w * in.h / all;
	while (n > 0) {
		/* The row stands at the left, else it lies at the top. */
		const int beside = in.w > in.h;
		const double side = beside ? in.h : in.w;
		double row, at = 0;
		const size_t m = treemap_row(amounts, n, scale, side, &row);
		const double thick = m == n ? (beside ? in.w : in.h) : row / side;

		for (size_t i = 0; i < m; i++) {
			const double length = side * (amounts[i] * scale / row);

			out[i] = beside ? (struct treemap_box){ in.x, in.y + at, thick, length }
			                : (struct treemap_box){ in.x + at, in.y, length, thick };
			at += length;
		}
		if (beside) {
			in.x += thick;
			in.w -= thick;
		} else {
			in.y += thick;
			in.h -= thick;
		}
		amounts += m;
		out += m;
		n -= m;
	}
}
