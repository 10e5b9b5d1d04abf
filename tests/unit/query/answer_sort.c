/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <check.h>

#include "query/answer.h"
#include "query/answer_sort.h"
#include "unit.h"

/* Every order is another one; b and B are equal in all.  Redundant: a 40, b and B 30, the others nothing. */
static const struct file_answer rows[] = {
	{ .path = "/b", .state = STATE_DUP, .size = 10, .n_copies = 3, .n_inodes = 3, .mtime = { 0, 5 } },
	{ .path = "/x", .state = STATE_UNKNOWN, .why = "no idea", .size = -1 },
	{ .path = "/c", .state = STATE_UNIQUE, .size = 100, .mtime = { 0, 7 } },
	{ .path = "/a", .state = STATE_DUP, .size = 40, .n_copies = 1, .n_inodes = 1, .mtime = { -1, 999999991 } },
	{ .path = "/B", .state = STATE_DUP, .size = 10, .n_copies = 3, .n_inodes = 3, .mtime = { 0, 5 } },
	{ .path = "/e", .state = STATE_EMPTY, .size = 0, .mtime = { 0, 6 } },
};

static const struct { enum answer_sort_order order; bool reverse; const char *want; } orders[] = {
	{ ANSWER_SORT_NAME, false, "/b/x/c/a/B/e" },
	{ ANSWER_SORT_NAME, true, "/e/B/a/c/x/b" },
	{ ANSWER_SORT_SIZE, false, "/c/a/B/b/e/x" },
	{ ANSWER_SORT_SIZE, true, "/x/e/b/B/a/c" },
	{ ANSWER_SORT_REDUNDANT, false, "/a/B/b/c/e/x" },
	{ ANSWER_SORT_TIME, false, "/c/e/B/b/a/x" },
	{ ANSWER_SORT_TIME, true, "/x/a/b/B/e/c" },
};

/* answer_sort_fn: append the path. */
static int
add_path(void *arg, const struct file_answer *a)
{
	buf_adds(arg, a->path);
	return 0;
}

START_TEST(sorts)
{
	struct answer_sort *as = answer_sort_new();
	struct buf got = { 0 };

	for (int i = 0; i < N_ROWS(rows); i++)
		answer_sort_add(as, &rows[i]);
	ck_assert_int_eq(answer_sort_each(as, orders[_i].order, orders[_i].reverse, add_path, &got), 0);
	ck_assert_str_eq(buf_str(&got), orders[_i].want);
	buf_release(&got);
	answer_sort_free(as);
}
END_TEST

/* answer_sort_fn: whether an answer still is what copies_all made of its size. */
static int
check_copy(void *arg, const struct file_answer *a)
{
	char path[32], why[32];
	const int i = (int)a->size;
	bool right;

	snprintf(path, sizeof(path), "/%d", i);
	snprintf(why, sizeof(why), "reason %d", i / 1000);
	right = strcmp(a->path, path) == 0 && a->hash[0] == i % 256 && a->hash[HASH_SIZE - 1] == i % 256 &&
	        (i % 2 == 0 ? a->why != NULL && strcmp(a->why, why) == 0 : a->why == NULL) &&
	        a->n_members == (size_t)i % 3 && (a->n_members < 1 || strcmp(a->members[0].path, path) == 0) &&
	        (a->n_members < 2 || strcmp(a->members[1].path, why) == 0);
	if (!right)
		ck_abort_msg("answer %d is wrong", i);
	buf_addc(arg, '.');
	return 0;
}

/* answer_sort_fn: stop after so many. */
static int
stop_at(void *arg, const struct file_answer *a)
{
	int *left = arg;

	(void)a;
	return --*left == 0 ? -7 : 0;
}

/* Everything an answer points to is copied, members too, also when the memory moves. */
START_TEST(copies_all)
{
	enum { COUNT = 5000 };
	char path[32], why[32];
	uint8_t hash[HASH_SIZE];
	struct member m[2];
	struct file_answer a = { .path = path, .state = STATE_DUP, .why = why, .hash = hash, .members = m, .n_copies = 1, .n_inodes = 1 };
	struct answer_sort *as = answer_sort_new();
	struct buf got = { 0 };

	memset(m, 0, sizeof(m));
	for (int i = 0; i < COUNT; i++) {
		snprintf(path, sizeof(path), "/%d", i);
		snprintf(why, sizeof(why), "reason %d", i / 1000);
		memset(hash, i % 256, sizeof(hash));
		m[0].path = path;
		m[1].path = why;
		a.size = i;
		a.n_members = (size_t)i % 3;
		a.why = i % 2 == 0 ? why : NULL;
		answer_sort_add(as, &a);
	}
	memset(path, 'x', sizeof(path) - 1);
	memset(why, 'x', sizeof(why) - 1);
	memset(hash, 'x', sizeof(hash));
	ck_assert_int_eq(answer_sort_each(as, ANSWER_SORT_SIZE, true, check_copy, &got), 0);
	ck_assert_uint_eq(got.len, COUNT);
	buf_release(&got);
	answer_sort_free(as);
}
END_TEST

START_TEST(stops)
{
	struct answer_sort *as = answer_sort_new();
	int left = 2;

	ck_assert_int_eq(answer_sort_each(as, ANSWER_SORT_SIZE, false, stop_at, &left), 0);
	for (int i = 0; i < N_ROWS(rows); i++)
		answer_sort_add(as, &rows[i]);
	ck_assert_int_eq(answer_sort_each(as, ANSWER_SORT_SIZE, false, stop_at, &left), -7);
	ck_assert_int_eq(left, 0);
	answer_sort_free(as);
	answer_sort_free(NULL);
}
END_TEST

static const struct { int64_t size, n_inodes, want; } redundant[] = {
	{ 10, 3, 30 }, { 10, 0, 0 }, { 0, 3, 0 }, { -1, 3, 0 }, { INT64_MAX, 1, INT64_MAX }, { INT64_MAX, 2, INT64_MAX },
	{ INT64_MAX / 2, 2, INT64_MAX - 1 }, { INT64_MAX / 2 + 1, 2, INT64_MAX },
};

START_TEST(counts_redundant)
{
	const struct file_answer a = { .path = "/", .size = redundant[_i].size, .n_inodes = redundant[_i].n_inodes };

	ck_assert_int_eq(file_redundant(&a), redundant[_i].want);
}
END_TEST

Suite *
suite_answer_sort(void)
{
	Suite *s = suite_create("answer_sort");
	TCase *tc = tcase_create("answers");

	tcase_add_loop_test(tc, sorts, 0, N_ROWS(orders));
	tcase_add_test(tc, copies_all);
	tcase_add_test(tc, stops);
	tcase_add_loop_test(tc, counts_redundant, 0, N_ROWS(redundant));
	suite_add_tcase(s, tc);
	return s;
}
