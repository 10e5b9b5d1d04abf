/* SPDX-License-Identifier: MIT */
/*
 * Groups of sets: by the places of the copies that can stay, with what could be freed; sets that
 * are decided are in none.
 */
#include "base/base.h"

#include <sqlite3.h>

#include "db/db.h"
#include "index/index.h"
#include "query/decide_groups.h"
#include "fixture.h"
#include "unit.h"

static void
sql(const char *text)
{
	if (sqlite3_exec(fixture_ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", text, sqlite3_errmsg(fixture_ix->db->handle));
}

/* The directories, by their ids. */
static const char *const dirs[] = { NULL, "/r", "/r/a", "/r/a/x", "/r/a/y", "/r/b", "/r/.h", "/r/a/.g", "/s" };

static void
setup(void)
{
	fixture_index_setup();
	fixture_dir(1, 0, "/r", 1, 1);
	fixture_dir(2, 1, "a", 1, 2);
	fixture_dir(3, 2, "x", 1, 3);
	fixture_dir(4, 2, "y", 1, 4);
	fixture_dir(5, 1, "b", 1, 5);
	fixture_dir(6, 1, ".h", 1, 6);
	fixture_dir(7, 2, ".g", 1, 7);
	fixture_dir(8, 0, "/s", 1, 8);
	sql("INSERT INTO root VALUES (1, 1, 1, 0, 0, 0, 1 << 40, 1), (2, 8, 1, 0, 0, 0, 1 << 40, 1)");
	/* So that the statements of marks are used. */
	fixture_ix->marks = true;
}

/*
 * Files by directory, content and inode ("d2 c1 i5"; /3 behind the inode: it has three names
 * anywhere; r behind that: the name is not UTF-8; k or d behind that: marked), what is asked for,
 * and the answer: groups, each with its places and what could be freed, then the sets that are
 * decided, and those that are left out because of hidden directories.
 */
static const struct {
	const char *files, *asked;
	bool within, hidden;
	const char *want;
} rows[] = {
	/* Children of roots; files in a root are a place of their own. */
	{ "2 1 1, 5 1 2", NULL, false, false, "[/r/a /r/b]10 0/0" },
	{ "3 1 1, 5 1 2, 4 2 3, 5 2 4, 1 3 5, 8 3 6", NULL, false, false, "[/r. /s.]30 [/r/a /r/b]30 0/0" },
	{ "1 1 1, 1 1 2", NULL, false, false, "[/r.]10 0/0" },
	/* Children of what was asked for; others by their roots. */
	{ "3 1 1, 4 1 2", "/r/a", false, false, "[/r/a/x /r/a/y]10 0/0" },
	{ "2 1 1, 3 1 2", "/r/a", false, false, "[/r/a. /r/a/x]10 0/0" },
	/* With copies elsewhere it is one place, and comes first. */
	{ "3 1 1, 5 1 2, 4 2 3, 5 2 4", "/r/a", false, false, "[/r/a /r/b]30 0/0" },
	{ "2 1 1, 8 1 2, 3 1 3", "/r/a", false, false, "[/r/a /s.]20 0/0" },
	{ "8 1 1, 5 1 2", "/r/a", false, false, "0/0" },
	{ "8 1 1, 1 1 2", "/s", false, false, "[/s /r.]10 0/0" },
	{ "3 1 1, 5 1 2, 3 2 3, 4 2 4", "/r/a", true, false, "[/r/a/x /r/a/y]20 0/0" },
	/* Most redundant bytes first: three copies of 10, two of 30. */
	{ "2 1 1, 5 1 2, 8 1 3, 2 3 4, 5 3 5", NULL, false, false, "[/r/a /r/b]30 [/r/a /r/b /s.]20 0/0" },
	/*
	 * Names of an inode are one copy, in all of their places; one with a name elsewhere can
	 * only stay.
	 */
	{ "2 1 1/2, 5 1 1/2", NULL, false, false, "0/0" },
	{ "2 1 1/2, 5 1 1/2, 8 1 2", NULL, false, false, "[/r/a /r/b /s.]10 0/0" },
	{ "2 1 1/3, 5 1 1/3, 8 1 2", NULL, false, false, "[/r/a /r/b /s.]10 0/0" },
	{ "2 1 1/2, 8 1 2/2", NULL, false, false, "0/0" },
	/* What is hidden neither goes nor stays. */
	{ "2 1 1, 6 1 2", NULL, false, false, "0/1" },
	{ "2 1 1, 6 1 2, 5 1 3", NULL, false, false, "[/r/a /r/b]10 0/0" },
	{ "2 1 1/2, 6 1 1/2, 5 1 3", NULL, false, false, "[/r/a /r/b]10 0/0" },
	{ "2 1 1, 6 1 2", NULL, false, true, "[/r/.h /r/a]10 0/0" },
	{ "7 1 1, 3 1 2", "/r/a", false, false, "0/1" },
	{ "7 1 1, 7 1 2", "/r/a/.g", false, false, "[/r/a/.g.]10 0/0" },
	/* Decided: one copy is left, or all that are left are kept. */
	{ "2 1 1, 5 1 2d", NULL, false, false, "1/0" },
	{ "2 1 1k, 5 1 2k", NULL, false, false, "1/0" },
	{ "2 1 1k, 5 1 2", NULL, false, false, "[/r/a /r/b]10 0/0" },
	{ "2 1 1, 5 1 2, 8 1 3d", NULL, false, false, "[/r/a /r/b]10 0/0" },
	{ "2 1 1k, 5 1 2d, 8 1 3", NULL, false, false, "[/r/a /s.]10 0/0" },
	/* Of two names of an inode one is marked drop: the inode is still there. */
	{ "2 1 1/2d, 5 1 1/2, 8 1 2", NULL, false, false, "[/r/a /r/b /s.]10 0/0" },
	{ "2 1 1/2d, 5 1 1/2d, 8 1 2", NULL, false, false, "1/0" },
	{ "2 1 1/2k, 5 1 1/2, 8 1 2", NULL, false, false, "[/r/a /r/b /s.]10 0/0" },
	/* Names that are not UTF-8, the first or a later one of a content. */
	{ "2 1 1rd, 5 1 2, 2 2 3, 5 2 4rd", NULL, false, false, "2/0" },
	{ "2 1 1/3r, 5 1 1/3r, 8 1 2, 2 2 3r, 5 2 4r", NULL, false, false, "[/r/a /r/b]20 [/r/a /r/b /s.]10 0/0" },
};

/*
 * How the members are loaded: looked up; by the index on contents; by all rows, for rules that ask
 * for times.
 */
enum way { LOOK_UP, BY_CONTENT, BY_ROW, WAYS };

/* Insert the files of a row. */
static void
insert(const char *files)
{
	int number = 0;

	for (const char *at = files; *at != '\0'; number++) {
		int dir, content, inode, nlink = 1, n = 0;
		bool raw;
		char text[700];

		ck_assert_int_eq(sscanf(at, "%d %d %d%n", &dir, &content, &inode, &n), 3);
		at += n;
		if (*at == '/') {
			ck_assert_int_eq(sscanf(at, "/%d%n", &nlink, &n), 1);
			at += n;
		}
		raw = *at == 'r';
		at += raw;
		snprintf(text, sizeof(text), "INSERT INTO file " FILE_COLUMNS " VALUES (%d, 'f%d%s', CASE WHEN %d THEN cast('f%d' || x'ff' AS BLOB) END, %d, 8, 1, %d, %d,"
		         " 5, 0, 5, 0, NULL, cast(printf('%%016d', %d) AS BLOB), 0, NULL, NULL)", dir, number, raw ? "/xff" : "",
		         raw, number, content * 10, inode, nlink, content);
		sql(text);
		if (*at == 'k' || *at == 'd') {
			snprintf(text, sizeof(text), "INSERT INTO mark VALUES (cast('%s/f%d' || x'%s' AS BLOB), '%s/f%d', '%s', %d,"
			         " 5000000000, cast(printf('%%016d', %d) AS BLOB), 1)", dirs[dir], number, raw ? "ff" : "", dirs[dir], number,
			         *at == 'k' ? "keep" : "drop", content * 10, content);
			sql(text);
			at++;
		}
		at += strspn(at, ", ");
	}
}

START_TEST(groups)
{
	const size_t at = (size_t)_i / WAYS;
	const enum way way = (enum way)(_i % WAYS);
	struct keep newest = { .copies = 1 };
	const struct decide_groups_query q = { .sets = { .dirs = &rows[at].asked, .n_dirs = rows[at].asked != NULL, .min_size = 1 },
	                                 .within = rows[at].within, .hidden = rows[at].hidden, .keep = way == BY_ROW ? &newest : NULL };
	struct decide_groups o = { .redundant = 0 };
	struct err err = { 0 };
	struct buf got = { 0 };
	size_t n = 0;

	insert(rows[at].files);
	/* The files of the last scan: how few are looked up depends on them. */
	if (way != LOOK_UP)
		sql("INSERT INTO scan (id, command, state, pid, started, options, files) VALUES (1, 'scan', 'finished', 1, 1, '', 1)");
	ck_assert_int_eq(keep_rules_parse(&newest.rules, "newest", NULL, NULL, &err), 0);
	if (decide_groups_load(&o, fixture_ix, &q, &err) < 0)
		ck_abort_msg("%s", err.text);
	for (size_t i = 0; i < o.groups.n; i++) {
		const struct decide_groups_group *g = &o.groups.v[i];

		buf_addc(&got, '[');
		for (size_t j = 0; j < g->n_places; j++) {
			const struct place *p = &o.places.v.v[g->places[j]];

			buf_addf(&got, "%s%s%s", j > 0 ? " " : "", p->path, p->own ? "." : "");
		}
		buf_addf(&got, "]%d ", (int)g->redundant);
		ck_assert_uint_eq(g->first, n);
		for (; n < g->first + g->n; n++)
			ck_assert_uint_eq(o.sets.v[n].group, i);
	}
	ck_assert_uint_eq(n, o.sets.n);
	buf_addf(&got, "%d/%d", (int)o.n_decided, (int)o.n_hidden);
	ck_assert_str_eq(buf_str(&got), rows[at].want);
	buf_release(&got);
	keep_rules_release(&newest.rules);
	decide_groups_release(&o);
}
END_TEST

Suite *
suite_decide_groups(void)
{
	Suite *s = suite_create("decide_groups");
	TCase *tc = tcase_create("groups");

	tcase_add_checked_fixture(tc, setup, fixture_index_teardown);
	tcase_add_loop_test(tc, groups, 0, WAYS * N_ROWS(rows));
	suite_add_tcase(s, tc);
	return s;
}
