/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "unit.h"

/* Numbers of items: none, few, as many as make the way to sort change, many. */
static const size_t counts[] = { 0, 1, 2, 3, 47, 48, 49, 1000, 70000 };
/* Which bits of the keys may differ. */
static const uint64_t masks[] = { 0, 1, 0xff, 0xff00, 0xff00ff, 0x8000000000000000, UINT64_MAX };

static uint64_t
next(uint64_t *state)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return *state ^ *state >> 29;
}

START_TEST(sorts_and_keeps_the_order_of_equals)
{
	const size_t n = counts[_i];

	for (size_t m = 0; m < sizeof(masks) / sizeof(masks[0]); m++) {
		struct order *v = mem_zalloc(n + 1, sizeof(*v));
		uint64_t state = n * 31 + m, sum = 0;
		size_t positions = 0;

		for (size_t i = 0; i < n; i++) {
			v[i] = (struct order){ next(&state) & masks[m], i };
			sum += v[i].key;
		}
		order_sort(v, n);
		for (size_t i = 0; i < n; i++) {
			if (i > 0 && (v[i - 1].key > v[i].key || (v[i - 1].key == v[i].key && v[i - 1].pos >= v[i].pos)))
				ck_abort_msg("position %zu of %zu is out of order, with mask %zu", i, n, m);
			sum -= v[i].key;
			positions += v[i].pos;
		}
		ck_assert_uint_eq(sum, 0);
		ck_assert_uint_eq(positions, n > 0 ? n * (n - 1) / 2 : 0);
		free(v);
	}
}
END_TEST

START_TEST(finds_the_first_that_is_not_before)
{
	const int sorted[] = { 1, 1, 3, 3, 3, 5, 9 };

	for (size_t n = 0; n <= sizeof(sorted) / sizeof(sorted[0]); n++) {
		for (int key = 0; key < 11; key++) {
			size_t at, expected = 0;

			while (expected < n && sorted[expected] < key)
				expected++;
			ORDER_FIRST(at, n, sorted[at] < key);
			ck_assert_uint_eq(at, expected);
		}
	}
}
END_TEST

/* Positions of which is_before is asked lie within the list, however long it is. */
START_TEST(finds_in_the_longest_list)
{
	size_t at;

	ORDER_FIRST(at, SIZE_MAX, at < SIZE_MAX - 1);
	ck_assert_uint_eq(at, SIZE_MAX - 1);
	ORDER_FIRST(at, SIZE_MAX, at < SIZE_MAX);
	ck_assert_uint_eq(at, SIZE_MAX);
}
END_TEST

Suite *
suite_order(void)
{
	Suite *s = suite_create("order");
	TCase *t = tcase_create("order");

	tcase_add_loop_test(t, sorts_and_keeps_the_order_of_equals, 0, N_ROWS(counts));
	tcase_add_test(t, finds_the_first_that_is_not_before);
	tcase_add_test(t, finds_in_the_longest_list);
	suite_add_tcase(s, t);
	return s;
}
