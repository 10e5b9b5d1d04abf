/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/treemap.h"
#include "unit.h"

/* Amounts of 1 to n boxes: the i-th is most / (i + 1) to the power of steep. */
static const struct {
	size_t n;
	int steep;
	struct treemap_box in;
} rows[] = {
	{ 1, 0, { 0, 0, 100, 60 } },
	{ 2, 0, { 0, 0, 100, 60 } },
	{ 7, 1, { 10, 20, 100, 60 } },
	{ 60, 1, { 0, 0, 1000, 600 } },
	{ 60, 4, { 5, 5, 60, 600 } },
	{ 3, 12, { 0, 0, 1000, 1 } },
};

static double
distance(double a, double b)
{
	return a < b ? b - a : a - b;
}

/* How much two spans have in common. */
static double
common(double a, double a_len, double b, double b_len)
{
	const double begin = a > b ? a : b, end = a + a_len < b + b_len ? a + a_len : b + b_len;

	return end > begin ? end - begin : 0;
}

START_TEST(divides)
{
	const struct treemap_box in = rows[_i].in;
	struct treemap_box out[60] = { { 0, 0, 0, 0 } };
	double amounts[60] = { 0 }, all = 0, slack = in.w * in.h * 1e-9;

	for (size_t i = 0; i < rows[_i].n; i++) {
		amounts[i] = 1e12;
		for (int k = 0; k < rows[_i].steep; k++)
			amounts[i] /= (double)(i + 1);
		all += amounts[i];
	}
	treemap_divide(amounts, rows[_i].n, in, out);
	for (size_t i = 0; i < rows[_i].n; i++) {
		const struct treemap_box *a = &out[i];

		if (distance(a->w * a->h, in.w * in.h * (amounts[i] / all)) > slack)
			ck_abort_msg("the area of %zu is %g", i, a->w * a->h);
		if (a->x < in.x || a->y < in.y || a->x + a->w > in.x + in.w + 1e-6 || a->y + a->h > in.y + in.h + 1e-6)
			ck_abort_msg("%zu lies outside", i);
		for (size_t j = 0; j < i; j++) {
			if (common(a->x, a->w, out[j].x, out[j].w) * common(a->y, a->h, out[j].y, out[j].h) > slack)
				ck_abort_msg("%zu and %zu overlap", j, i);
		}
	}
}
END_TEST

/* Nine equal amounts in a square are nine squares. */
START_TEST(makes_squares)
{
	const double amounts[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	struct treemap_box out[9];

	treemap_divide(amounts, 9, (struct treemap_box){ 0, 0, 90, 90 }, out);
	for (int i = 0; i < 9; i++)
		ck_assert(distance(out[i].w, 30) < 1e-6 && distance(out[i].h, 30) < 1e-6);
}
END_TEST

Suite *
suite_treemap(void)
{
	Suite *s = suite_create("treemap");
	TCase *t = tcase_create("treemap");

	tcase_add_loop_test(t, divides, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(t, makes_squares);
	suite_add_tcase(s, t);
	return s;
}
