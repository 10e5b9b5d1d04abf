/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <check.h>

#include "ui/typo.h"
#include "unit.h"

static const struct { const char *word, *want; } nearest_rows[] = {
	{ "reprot", "report" }, { "raport", "report" }, { "fiel", "file" }, { "scn", "scan" },
	{ "uniqs", "uniques" }, { "files", "file" }, { "lss", "ls" }, { "l", "ls" },
	{ "sl", "ls" }, { "sh", NULL }, { "xy", NULL }, { "dir", NULL }, { "", NULL }, { "completely", NULL }, { "repo", "report" },
	{ "a-word-that-is-far-too-long-to-be-any-name-at-all", NULL },
};

START_TEST(nearest)
{
	/* A NULL may stand anywhere in a table. */
	static const struct { const char *name; int flags; } words[] = {
		{ "scan", 0 }, { "report", 1 }, { NULL, 0 }, { "ls", 2 }, { "file", 3 }, { "uniques", 4 },
	};
	const char *got = typo_nearest(nearest_rows[_i].word, words, (size_t)N_ROWS(words), sizeof(words[0]));

	if (nearest_rows[_i].want == NULL)
		ck_assert_ptr_null(got);
	else
		ck_assert_str_eq(got, nearest_rows[_i].want);
}
END_TEST

Suite *
suite_typo(void)
{
	Suite *s = suite_create("typo");
	TCase *tc = tcase_create("typo");

	tcase_add_loop_test(tc, nearest, 0, N_ROWS(nearest_rows));
	suite_add_tcase(s, tc);
	return s;
}
