/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <stdalign.h>

#include "unit.h"

/* Sizes around those of pieces, and beyond the largest. */
static const size_t sizes[] = { 0, 1, 15, 16, 17, 1000, 1007, 1008, 1024, 1025, 5000, 300000, 3 };

/* Whether all bytes of something have the value that was written to them. */
static bool
holds(const unsigned char *p, size_t size, size_t value)
{
	for (size_t i = 0; i < size; i++) {
		if (p[i] != (unsigned char)value)
			return false;
	}
	return true;
}

static void
fill(struct arena *a)
{
	VEC(unsigned char *) all = { 0 };

	for (size_t i = 0; i < 2000; i++) {
		const size_t size = sizes[i % N_ROWS(sizes)];
		char text[20];

		if (i % 3 == 0) {
			memset(text, (int)(i & 0xff), sizeof(text));
			vec_push(&all, (unsigned char *)arena_dup(a, text, size < sizeof(text) ? size : sizeof(text)));
		} else {
			vec_push(&all, arena_alloc(a, size));
			ck_assert_uint_eq((uintptr_t)all.v[i] % alignof(max_align_t), 0);
			memset(all.v[i], (int)(i & 0xff), size);
		}
	}
	for (size_t i = 0; i < all.n; i++) {
		size_t size = sizes[i % N_ROWS(sizes)];

		if (i % 3 == 0) {
			size = size < 20 ? size : 20;
			ck_assert_uint_eq(all.v[i][size], 0);
		}
		ck_assert(holds(all.v[i], size, i));
	}
	vec_release(&all);
}

START_TEST(nothing_moves_nor_overlaps)
{
	struct arena a = { 0 };

	fill(&a);
	arena_release(&a);
	ck_assert_ptr_null(a.pieces);
	fill(&a);
	arena_release(&a);
}
END_TEST

START_TEST(a_cleared_arena_gives_out_the_same_memory_again)
{
	struct arena a = { 0 };
	const char *first;

	arena_clear(&a);
	first = arena_str(&a, "first");
	ck_assert_str_eq(first, "first");
	arena_clear(&a);
	ck_assert_ptr_eq(arena_str(&a, "again"), first);
	fill(&a);
	arena_clear(&a);
	fill(&a);
	arena_release(&a);
	arena_release(&a);
}
END_TEST

START_TEST(nothing_can_be_copied)
{
	struct arena a = { 0 };

	ck_assert_str_eq(arena_dup(&a, NULL, 0), "");
	ck_assert_str_eq(arena_str(&a, ""), "");
	ck_assert_ptr_nonnull(arena_alloc(&a, 0));
	arena_release(&a);
}
END_TEST

Suite *
suite_arena(void)
{
	Suite *s = suite_create("arena");
	TCase *t = tcase_create("arena");

	tcase_add_test(t, nothing_moves_nor_overlaps);
	tcase_add_test(t, a_cleared_arena_gives_out_the_same_memory_again);
	tcase_add_test(t, nothing_can_be_copied);
	suite_add_tcase(s, t);
	return s;
}
