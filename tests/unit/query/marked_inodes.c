/* SPDX-License-Identifier: MIT */
/*
 * Inodes that go when what is marked drop does: all of their names are marked, with the content
 * that was marked.
 */
#include "base/base.h"

#include <sqlite3.h>

#include "db/db.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "query/marked_inodes.h"
#include "fixture.h"
#include "unit.h"

/* The directories, by their ids. */
static const char *const dirs[] = { NULL, "/r", "/r/a", "/r/a/x", "/r/b", "/s" };

static void
setup(void)
{
	fixture_index_setup();
	fixture_dir(1, 0, "/r", 1, 1);
	fixture_dir(2, 1, "a", 1, 2);
	fixture_dir(3, 2, "x", 1, 3);
	fixture_dir(4, 1, "b", 1, 4);
	fixture_dir(5, 0, "/s", 1, 5);
	fixture_ix->marks = true;
}

/*
 * Files by directory, inode and links, with the mark: d: drop; o: drop, as another content; k:
 * keep.  What is excluded, and what goes: the directory that all names are below, with a dot: all
 * are directly in it.
 */
static const struct {
	const char *files, *exclude, *want;
} rows[] = {
	{ "2 1/1 ", NULL, "" },
	{ "2 1/1d", NULL, "/r/a.10 " },
	{ "2 1/1k", NULL, "" },
	{ "2 1/1o", NULL, "" },
	{ "2 1/1d, 2 2/1d", NULL, "/r/a.10 /r/a.20 " },
	/* Links: all names, in one directory or in several. */
	{ "2 1/2d, 2 1/2 ", NULL, "" },
	{ "2 1/2d, 2 1/2k", NULL, "" },
	{ "2 1/2d, 2 1/2o", NULL, "" },
	{ "2 1/2d, 2 1/2d", NULL, "/r/a.10 " },
	{ "2 1/2d, 3 1/2d", NULL, "/r/a10 " },
	{ "3 1/2d, 4 1/2d", NULL, "/r10 " },
	{ "4 1/2d, 5 1/2d", NULL, "/10 " },
	{ "2 1/3d, 3 1/3d, 4 1/3d", NULL, "/r10 " },
	/* One has a name outside of the index. */
	{ "2 1/2d", NULL, "" },
	{ "2 1/3d, 3 1/3d", NULL, "" },
	/*
	 * Rows of one inode that were read at different times: the greatest count of links is
	 * believed.
	 */
	{ "2 1/1d, 3 1/3d", NULL, "" },
	{ "2 1/2d, 3 1/1d", NULL, "/r/a10 " },
	/* A name where nothing is to count stays. */
	{ "2 1/1d, 4 2/1d", "/r/a", "/r/b.20 " },
	{ "2 1/2d, 4 1/2d", "/r/a", "" },
	{ "3 1/1d", "/r/a", "" },
};

static void
sql(const char *text)
{
	if (sqlite3_exec(fixture_ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", text, sqlite3_errmsg(fixture_ix->db->handle));
}

/* Insert the files of a row; a file has ten times as many bytes as the number of its inode. */
static void
insert(const char *files)
{
	for (int number = 0; *files != '\0'; number++) {
		int dir, inode, nlink, n = 0;
		char mark, text[512];

		ck_assert_int_eq(sscanf(files, "%d %d/%d%c%n", &dir, &inode, &nlink, &mark, &n), 4);
		snprintf(text, sizeof(text), "INSERT INTO file " FILE_COLUMNS " VALUES (%d, 'f%d', NULL, %d, 8, 1, %d, %d, 5, 0, 5, 0, NULL,"
		         " cast(printf('%%016d', %d) AS BLOB), 0, NULL, NULL)", dir, number, inode * 10, inode, nlink, inode);
		sql(text);
		snprintf(text, sizeof(text), "INSERT INTO mark VALUES (cast('%s/f%d' AS BLOB), '%s/f%d', '%s', %d, 5000000000,"
		         " cast(printf('%%016d', %d) AS BLOB), 1)", dirs[dir], number, dirs[dir], number, mark == 'k' ? "keep" : "drop",
		         inode * 10, mark == 'o' ? 99 : inode);
		if (mark != ' ')
			sql(text);
		files += n;
		files += strspn(files, ", ");
	}
}

/* What is told. */
struct told {
	const struct dirtree *dirs;
	struct buf text;
};

/* marked_inodes_fn */
static void
tell(void *arg, uint32_t dir, bool within, int64_t size)
{
	struct told *t = arg;

	dirtree_path(t->dirs, dir, &t->text);
	buf_addf(&t->text, "%s%d ", within ? "." : "", (int)size);
}

START_TEST(goes)
{
	struct told told = { .text = { 0 } };
	struct dirtree *tree = NULL;
	struct err err = { 0 };

	insert(rows[_i].files);
	ck_assert_int_eq(dirtree_load(&tree, fixture_ix->db, &err), 0);
	if (rows[_i].exclude != NULL)
		dirtree_exclude(tree, rows[_i].exclude);
	told.dirs = tree;
	if (marked_inodes_each(fixture_ix, tree, tell, &told, &err) < 0)
		ck_abort_msg("%s", err.text);
	ck_assert_str_eq(buf_str(&told.text), rows[_i].want);
	buf_release(&told.text);
	dirtree_free(tree);
}
END_TEST

Suite *
suite_marked_inodes(void)
{
	Suite *s = suite_create("marked_inodes");
	TCase *tc = tcase_create("drops");

	tcase_add_checked_fixture(tc, setup, fixture_index_teardown);
	tcase_add_loop_test(tc, goes, 0, N_ROWS(rows));
	suite_add_tcase(s, tc);
	return s;
}
