/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <stdlib.h>

#include "index/fleeting.h"
#include "unit.h"

static const struct {
	const char *path;
	unsigned why;
} paths[] = {
	{ "/", 0 },
	{ "/home/u/Pictures/", 0 },
	{ "/home/u/.cache/", FLEETING_CACHE },
	{ "/home/u/.cache/thumbs/x/", FLEETING_CACHE },
	{ "/home/u/cache/", 0 },
	{ "/home/u/.cached/", 0 },
	{ "/tmp/", FLEETING_TEMPORARY },
	{ "/tmp/a/", FLEETING_TEMPORARY },
	{ "/tmpfs/", 0 },
	{ "/home/tmp/", 0 },
	{ "/var/tmp/a/", FLEETING_TEMPORARY },
	{ "/scratch/of/me/a/", FLEETING_TEMPORARY },
	{ "/scratch/of/men/", 0 },
	{ "/home/u/.local/share/Trash/files/", FLEETING_TRASH },
	{ "/home/u/.local/share/Trash/", 0 },
	{ "/media/disk/.Trash-1000/files/", FLEETING_TRASH },
	{ "/home/.snapshots/12/snapshot/", FLEETING_SNAPSHOT },
	{ "/home/.snapshot/", 0 },
	{ "/pool/.zfs/snapshot/monday/", FLEETING_SNAPSHOT },
	{ "/pool/zfs/snapshot/", 0 },
	{ "/timeshift/snapshots/2026-01-01/", FLEETING_SNAPSHOT },
	{ "/home/u/snapshots/", 0 },
	{ "/tmp/u/.cache/.snapshots/1/", FLEETING_TEMPORARY | FLEETING_CACHE | FLEETING_SNAPSHOT },
};

START_TEST(path_tells)
{
	setenv("TMPDIR", "/scratch/of/me", 1);
	ck_assert_uint_eq(fleeting_of_path(paths[_i].path), paths[_i].why);
}
END_TEST

static const struct {
	unsigned copy, file;
	bool keeps;
} rule[] = {
	{ 0, 0, true },
	{ 0, FLEETING_CACHE, true },
	{ FLEETING_CACHE, 0, false },
	{ FLEETING_CACHE, FLEETING_CACHE, true },
	{ FLEETING_CACHE, FLEETING_MEMORY, false },
	{ FLEETING_TEMPORARY | FLEETING_CACHE, FLEETING_TEMPORARY, false },
	{ FLEETING_TEMPORARY, FLEETING_TEMPORARY | FLEETING_CACHE, true },
};

START_TEST(keeps_what_lasts_as_long)
{
	ck_assert(fleeting_keeps(rule[_i].copy, rule[_i].file) == rule[_i].keeps);
}
END_TEST

static const struct {
	unsigned why;
	int64_t n;
	const char *text;
} words[] = {
	{ 0, 0, NULL },
	{ FLEETING_CACHE, 1, "its only other copy is in a cache" },
	{ FLEETING_CACHE | FLEETING_MEMORY, 2, "its other copies are in memory" },
	{ FLEETING_TRASH, 1, "its only other copy is in a trash" },
	{ FLEETING_TEMPORARY, 3, "its other copies are in temporary directories" },
	{ FLEETING_SNAPSHOT, 1, "its only other copy is in a rotating snapshot" },
	{ FLEETING_SHARED, 1, "its only other copy is in a directory shared with other users" },
};

START_TEST(says_why)
{
	const char *text = fleeting_only(words[_i].why, words[_i].n);

	if (words[_i].text == NULL)
		ck_assert_ptr_null(text);
	else
		ck_assert_str_eq(text, words[_i].text);
}
END_TEST

Suite *
suite_fleeting(void)
{
	Suite *s = suite_create("fleeting");
	TCase *tc = tcase_create("fleeting");

	tcase_add_loop_test(tc, path_tells, 0, N_ROWS(paths));
	tcase_add_loop_test(tc, keeps_what_lasts_as_long, 0, N_ROWS(rule));
	tcase_add_loop_test(tc, says_why, 0, N_ROWS(words));
	suite_add_tcase(s, tc);
	return s;
}
