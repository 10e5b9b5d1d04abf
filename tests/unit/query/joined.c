/* SPDX-License-Identifier: MIT */
/* Two indexes joined: what both have is the first one's, volumes are known by their keys, another disk is left out. */
#include "base/base.h"

#include <sqlite3.h>

#include "db/db.h"
#include "index/dirs.h"
#include "index/index.h"
#include "query/indexes.h"
#include "query/joined.h"
#include "fixture.h"
#include "unit.h"

/*
 * Each index by its directories and files in the order of a walk: a path that ends in a slash is a directory, on the
 * disk behind it; the files in it follow.  A directory in none of those before is a top.  What is wanted are the files
 * of both, each with the number of its disk and of its index, then, behind an exclamation mark, what is left out.
 */
static const struct {
	const char *ours, *theirs, *want;
} rows[] = {
	{ "/r/A x", "/s/A y", "/r/x:1:0 /s/y:1:1 " },
	{ "/r/A x", "", "/r/x:1:0 " },
	{ "", "/r/A x", "/r/x:1:1 " },
	/* A directory that both have is that of the first, with its files. */
	{ "/r/A x", "/r/A y z", "/r/x:1:0 " },
	{ "/r/A x", "/r/A y /r/b/A z", "/r/x:1:0 /r/b/z:1:1 " },
	/* Roots within each other, either way. */
	{ "/r/a/A x", "/r/A y /r/a/A z /r/c/A w", "/r/a/x:1:0 /r/y:1:1 /r/c/w:1:1 " },
	{ "/r/A x /r/a/A y", "/r/a/A z /r/a/b/A w", "/r/x:1:0 /r/a/y:1:0 /r/a/b/w:1:1 " },
	{ "/r/A x", "/r/a/A y", "/r/x:1:0 /r/a/y:1:1 " },
	/* Names around the slash. */
	{ "/r/A /r/a/A x /r/a.b/A y", "/r/A /r/a/A /r/a/b/A z /r/a.b/A w /r/a0/A v", "/r/a/x:1:0 /r/a.b/y:1:0 /r/a/b/z:1:1 /r/a0/v:1:1 " },
	/* Disks have other numbers in each index; those of one key are one. */
	{ "/r/A x /s/B y", "/t/B z /u/A w /v/C c", "/r/x:1:0 /s/y:2:0 /t/z:2:1 /u/w:1:1 /v/c:3:1 " },
	/* Another disk at a path of ours. */
	{ "/r/A x", "/r/B y /r/b/B z", "/r/x:1:0 !/r " },
	{ "/r/A x", "/r/A /r/b/B z /r/c/A w", "/r/x:1:0 /r/b/z:2:1 /r/c/w:1:1 " },
	{ "/r/A x /r/b/A y", "/r/A /r/b/B z /r/b/d/B v /r/c/A w", "/r/x:1:0 /r/b/y:1:0 /r/c/w:1:1 !/r/b " },
};

static void
sql(const struct index *ix, const char *text)
{
	if (sqlite3_exec(ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", text, sqlite3_errmsg(ix->db->handle));
}

/* Fill fixture_ix, in which disk A is number first, B first + 1 ... */
static void
fill(const char *spec, int first)
{
	char paths[8][64], word[64], text[450];
	int n = 0, len, number = 0, disk = first;

	for (int i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "INSERT INTO volume (id, key, type) VALUES (%d, 'none:%c', 'none')", first + i, 'A' + i);
		sql(fixture_ix, text);
	}
	for (; sscanf(spec, "%63s%n", word, &len) == 1; spec += len) {
		char *slash = strrchr(word, '/');
		int up = n - 1;

		number++;
		if (slash == NULL) {
			snprintf(text, sizeof(text), "INSERT INTO file " FILE_COLUMNS " VALUES (%d, '%s', NULL, 1, 8, %d, %d, 1, 5, 0, 5, 0, NULL,"
			         " cast('sixteen bytes %02d' AS BLOB), 0, NULL, NULL)", n, word, disk, number, number);
			sql(fixture_ix, text);
			continue;
		}
		while (up >= 0 && strncmp(paths[up], word, strlen(paths[up])) != 0)
			up--;
		snprintf(paths[n], sizeof(paths[n]), "%.*s", (int)(slash + 1 - word), word);
		disk = first + slash[1] - 'A';
		*slash = '\0';
		fixture_dir(n + 1, up + 1, up < 0 ? word : word + strlen(paths[up]), disk, number);
		n++;
	}
}

/* sets_gap_fn: note what is left out. */
static void
left_out(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	ck_assert(gap == GAP_UNPROVEN && dir && why != NULL);
	buf_addf(arg, "!%s ", path);
}

/* What was joined, in the order of indexes and directories. */
static void
describe(const struct joined *j, struct buf *b)
{
	struct dirs dirs = { .db = j->ix->db };
	struct err err = { 0 };
	sqlite3_stmt *s;

	ck_assert_int_eq(sqlite3_prepare_v2(j->ix->db->handle, "SELECT f.dir, f.name, v.id, v.key FROM file f"
	                                    " JOIN volume v ON v.id = f.volume ORDER BY f.dir, f.name", -1, &s, NULL), SQLITE_OK);
	while (sqlite3_step(s) == SQLITE_ROW) {
		ck_assert_int_eq(dirs_path(&dirs, sqlite3_column_int64(s, 0), b, &err), 0);
		buf_addf(b, "/%s:%d:%zu ", (const char *)sqlite3_column_text(s, 1), sqlite3_column_int(s, 2),
		         joined_of(j, sqlite3_column_int64(s, 0)));
		ck_assert_int_eq(sqlite3_column_text(s, 3)[strlen("none:")], 'A' + sqlite3_column_int(s, 2) - 1);
	}
	sqlite3_finalize(s);
	dirs_release(&dirs);
}

START_TEST(joins)
{
	struct index *ours = fixture_ix, *theirs;
	struct buf got = { 0 }, lacks = { 0 };
	struct indexes with = { .ix = NULL };
	struct joined j = { .ix = NULL };
	const struct sets_query q = { .with = &with, .min_size = 1, .no_check = true, .gap = left_out, .gap_arg = &lacks };
	struct err err = { 0 };

	fill(rows[_i].ours, 1);
	ck_assert_int_eq(index_open_memory(&theirs, ours, &err), 0);
	fixture_ix = theirs;
	fill(rows[_i].theirs, 5);
	fixture_ix = ours;
	if (indexes_open(&with, ours, &err) < 0 || indexes_add(&with, theirs, "theirs", &err) < 0 || joined_open(&j, ours, &q, &err) < 0)
		ck_abort_msg("%s", err.text);
	describe(&j, &got);
	buf_adds(&got, lacks.len > 0 ? buf_str(&lacks) : "");
	ck_assert_str_eq(got.len > 0 ? buf_str(&got) : "", rows[_i].want);
	joined_close(&j);
	indexes_close(&with);
	buf_release(&got);
	buf_release(&lacks);
}
END_TEST

Suite *
suite_joined(void)
{
	Suite *s = suite_create("joined");
	TCase *tc = tcase_create("joined");

	tcase_add_checked_fixture(tc, fixture_index_setup, fixture_index_teardown);
	tcase_add_loop_test(tc, joins, 0, N_ROWS(rows));
	suite_add_tcase(s, tc);
	return s;
}
