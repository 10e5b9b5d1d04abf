/* SPDX-License-Identifier: MIT */
/* The layouts of text beside the plain one: with numbers. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "index/answer.h"
#include "ui/out.h"
#include "ui/results.h"
#include "unit.h"

static const uint8_t hash[HASH_SIZE] = { 1 };

static const struct member members[] = {
	{ .path = "/d/b", .kind = MEMBER_COPY, .inode = 12 },
	{ .path = "/d/b2", .kind = MEMBER_LINK, .inode = 12 },
	{ .path = "/d/g", .kind = MEMBER_GONE, .inode = 14 },
};

static const struct file_answer copied = {
	.path = "/d/a", .state = STATE_DUP, .size = 5, .allocated = 4096, .mtime_ns = 1500000000, .inode = 11, .nlink = 1,
	.hash = hash, .n_copies = 1, .members = members, .n_members = 3,
};
static const struct file_answer unread = {
	.path = "/d/u", .state = STATE_UNREADABLE, .why = "Permission denied", .size = 1536, .allocated = -1,
	.mtime_ns = INT64_C(951827696) * 1000000000,
};

static const struct set_answer set = {
	.size = 5, .hash = hash, .n_copies = 2, .redundant = 5, .redundant_disk = 4096, .members = members, .n_members = 3,
};

static const struct set_totals totals = { .n_sets = 2, .n_files = 4, .redundant = 10, .redundant_disk = 8192 };

/* One listing of files or sets, NULL at the end. */
struct listing {
	struct out_style style;
	const struct file_answer *files[4];
	const struct set_answer *sets[3];
	const char *want;
};

static const struct listing listings[] = {
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .numbers = true }, .files = { &copied, &unread },
	  .want = "    1         dup  /d/a\n"
	          "              1.1  copy  /d/b\n"
	          "              1.2  link  /d/b2\n"
	          "              1.3   ---  /d/g (gone)\n"
	          "    2  unreadable  /d/u (Permission denied)\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_PATHS, .numbers = true }, .files = { &unread, &copied },
	  .want = "    1  /d/u\n"
	          "    2  /d/a\n"
	          "              2.1  copy  /d/b\n"
	          "              2.2  link  /d/b2\n"
	          "              2.3   ---  /d/g (gone)\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_SETS, .numbers = true, .color = true }, .sets = { &set, &set },
	  .want = "   1  \033[1m2 copies of 5 B each, 5 B redundant\033[0m\n"
	          "  1.1  /d/b\n"
	          "  1.2  /d/b2 (link)\n"
	          "  1.3  \033[31m---\033[0m /d/g (gone)\n"
	          "\n"
	          "   2  \033[1m2 copies of 5 B each, 5 B redundant\033[0m\n"
	          "  2.1  /d/b\n"
	          "  2.2  /d/b2 (link)\n"
	          "  2.3  \033[31m---\033[0m /d/g (gone)\n"
	          "\n"
	          "2 sets, 4 files, 10 B redundant\n" },
	/* Other formats have no numbers. */
	{ .style = { .format = OUT_FDUPES, .kind = OUT_SETS, .numbers = true }, .sets = { &set }, .want = "/d/b\n\n" },
	{ .style = { .format = OUT_FDUPES, .kind = OUT_PATHS, .numbers = true }, .files = { &unread }, .want = "/d/u\n" },
};

static int
print(FILE *stream, const struct listing *l, struct results *results, struct err *err)
{
	struct out_style style = l->style;
	struct out *o;
	int ret = 0;

	style.results = results;
	o = out_open(stream, &style);
	for (int i = 0; ret == 0 && i < N_ROWS(l->files) && l->files[i] != NULL; i++)
		ret = out_file(o, l->files[i]);
	for (int i = 0; ret == 0 && i < N_ROWS(l->sets) && l->sets[i] != NULL; i++)
		ret = out_set(o, l->sets[i]);
	if (ret == 0 && l->style.kind == OUT_SETS)
		ret = out_totals(o, &totals);
	return out_close(o, ret, err);
}

/* Also: what is listed does not depend on its being noted. */
START_TEST(prints)
{
	struct results *results = _i % 2 == 0 ? results_new() : NULL;
	char *got = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&got, &len);
	struct err err = { 0 };

	ck_assert_ptr_nonnull(stream);
	ck_assert_int_eq(print(stream, &listings[_i / 2], results, &err), 0);
	fclose(stream);
	ck_assert_str_eq(got, listings[_i / 2].want);
	free(got);
	results_free(results);
}
END_TEST

/* Every listing replaces the one before, in every format. */
START_TEST(notes_results)
{
	struct listing l = { .style = { .format = (enum out_format)_i, .kind = OUT_SETS }, .sets = { &set, &set } };
	struct results *r = results_new();
	struct err err = { 0 };
	char *got = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&got, &len);

	ck_assert_int_eq(print(stream, &l, r, &err), 0);
	ck_assert(results_are_sets(r));
	ck_assert_uint_eq(results_count(r), 2);
	ck_assert_uint_eq(results_members(r, 2), 3);
	ck_assert_str_eq(results_path(r, 2, 3), "/d/g");

	l = (struct listing){ .style = { .format = (enum out_format)_i, .kind = OUT_PATHS, .cut = "/d/" }, .files = { &unread, &copied } };
	ck_assert_int_eq(print(stream, &l, r, &err), 0);
	ck_assert(!results_are_sets(r));
	ck_assert_uint_eq(results_count(r), 2);
	ck_assert_str_eq(results_path(r, 1, 0), "/d/u");
	ck_assert_str_eq(results_path(r, 2, 1), "/d/b");

	l = (struct listing){ .style = { .format = (enum out_format)_i, .kind = OUT_STATES } };
	ck_assert_int_eq(print(stream, &l, r, &err), 0);
	ck_assert_uint_eq(results_count(r), 0);
	fclose(stream);
	free(got);
	results_free(r);
}
END_TEST

Suite *
suite_layouts(void)
{
	Suite *s = suite_create("layouts");
	TCase *tc = tcase_create("layouts");

	tcase_add_loop_test(tc, prints, 0, 2 * N_ROWS(listings));
	tcase_add_loop_test(tc, notes_results, 0, OUT_NULL + 1);
	suite_add_tcase(s, tc);
	return s;
}
