/* SPDX-License-Identifier: MIT */
/*
 * After Bruls, Huizing and van Wijk, "Squarified Treemaps": amounts fill a row along the shorter
 * side of what is left of the box, as long as that makes the worst of them more of a square.
 */
#include "base/base.h"

#include "ui/treemap.h"

/* How many of n areas make the best row along a side; *row is their sum. */
static size_t
treemap_row(const double *amounts, size_t n, double scale, double side, double *row)
{
	double worst = 0;
	size_t i;

	*row = 0;
	for (i = 0; i < n; i++) {
		/* Areas go from most to least: the first box or the last is the worst. */
		const double area = amounts[i] * scale, most = amounts[0] * scale, sum = *row + area;
		const double wide = side * side * most / (sum * sum), narrow = sum * sum / (side * side * area);
		const double next = wide > narrow ? wide : narrow;

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
