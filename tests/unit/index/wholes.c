/* SPDX-License-Identifier: MIT */
/* Which directories are wholes, by rows of the index alone, and by what is on the disk. */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/db.h"
#include "fixture.h"
#include "index/file.h"
#include "index/index.h"
#include "index/wholes.h"
#include "unit.h"

/* A directory in /t with entries, of which those with a slash are directories, and what it is. */
static const struct {
	const char *dir, *entries;
	const char *name;        /* NULL: no whole */
} kinds[] = {
	{ "a", ".git/", "git work tree" },
	{ "a", ".git", "git work tree" },
	{ "a", "HEAD objects/ refs/", "git repository" },
	{ "a", "HEAD objects/", NULL },
	{ "a", "objects/ refs/", NULL },
	{ "a", ".hg/", "Mercurial work tree" },
	{ "a", ".svn/", "Subversion work tree" },
	{ "a", "pyvenv.cfg", "Python environment" },
	{ "a", "pyvenv.cfgs", NULL },
	{ "a", "conda-meta/", "conda environment" },
	{ "node_modules", "", "node_modules" },
	{ "node_modules2", "", NULL },
	{ "a", "cur/ new/ tmp/", "Maildir" },
	{ "a", "cur/ new/", NULL },
	{ "In.mbox", "x", "mailbox of Apple Mail" },
	{ "a.default", "prefs.js compatibility.ini", "Mozilla profile" },
	{ "a.default", "prefs.js", NULL },
	{ "Draw.app", "Contents/", "application" },
	{ "Draw.app", "Content/", NULL },
	{ "Draw", "Contents/", NULL },
	{ ".app", "Contents/", NULL },
	{ "P.photoslibrary", "", "photo library" },
	{ "P.photolibrary", "", "photo library" },
	{ "P.migratedphotolibrary", "", "photo library" },
	{ "P.aplibrary", "", "photo library" },
	{ "P.lrlibrary", "", "photo library" },
	{ "P.lrdata", "", "photo library" },
	{ "P.photoslibrary2", "", NULL },
	{ "a", ".mine", "directory that --whole keeps together" },
	{ "a", "mine/", "directory that --whole keeps together" },
	{ "a", "\377", "directory that --whole keeps together" },
	{ "a.part", "", "directory that --whole keeps together" },
	{ "part", "x", NULL },
};

static const char *const more[] = { ".mine", "mine", "*.part", "\377" };

/* Call make for each entry of a list, without its slash. */
static void
each_entry(const char *list, void (*make)(const char *name, bool dir))
{
	while (*list != '\0') {
		const size_t len = strcspn(list, " ");
		char *name = mem_dup(list, len);
		const bool dir = name[len - 1] == '/';

		name[dir ? len - 1 : len] = '\0';
		make(name, dir);
		free(name);
		list += len + strspn(list + len, " ");
	}
}

static void
make_row(const char *name, bool dir)
{
	static int64_t id = 10;
	const struct file_row row = { .dir = 2, .name = name, .name_len = strlen(name), .size = 5, .inode = { 1, id }, .nlink = 1 };
	struct err err = { 0 };

	if (dir)
		fixture_dir(id, 2, name, 1, id);
	else
		ck_assert_msg(file_put(fixture_ix->db, &row, &err) == 0, "%s", err.text);
	id++;
}

static int made_in = -1;

static void
make_entry(const char *name, bool dir)
{
	int fd;

	if (dir)
		ck_assert_int_eq(mkdirat(made_in, name, 0700), 0);
	else {
		fd = openat(made_in, name, O_CREAT | O_EXCL | O_WRONLY, 0600);
		ck_assert_int_ge(fd, 0);
		close(fd);
	}
}

/* Ask for a file in sub of the directory, and for the directory itself. */
static void
ask(struct wholes *w, const char *base, const char *dir, const char *name)
{
	struct err err = { 0 };
	struct whole whole = { .path = NULL };
	struct buf path = { 0 };

	buf_addf(&path, "%s/%s", base, dir);
	ck_assert_int_eq(wholes_find(w, base, buf_str(&path), &whole, &err), 0);
	buf_adds(&path, "/");
	ck_assert_int_eq(wholes_find(w, base, buf_str(&path), &whole, &err), name != NULL);
	buf_adds(&path, "sub/file");
	ck_assert_int_eq(wholes_find(w, base, buf_str(&path), &whole, &err), name != NULL);
	if (name != NULL) {
		ck_assert_str_eq(wholes_name(whole.kind), name);
		ck_assert_msg(strncmp(whole.path, buf_str(&path), strlen(whole.path)) == 0 && strcmp(path_base(whole.path), dir) == 0,
		              "%s", whole.path);
	}
	buf_release(&path);
}

static void
teardown(void)
{
	if (made_in >= 0)
		close(made_in);
	made_in = -1;
	fixture_index_teardown();
}

START_TEST(rows_tell)
{
	struct wholes w = { .db = fixture_ix->db, .more = more, .n_more = N_ROWS(more) };

	fixture_dir(1, 0, "/no/such/place", 1, 1);
	fixture_dir(2, 1, kinds[_i].dir, 1, 2);
	each_entry(kinds[_i].entries, make_row);
	ask(&w, "/no/such/place", kinds[_i].dir, kinds[_i].name);
	wholes_release(&w);
}
END_TEST

START_TEST(disk_tells)
{
	struct wholes w = { .db = fixture_ix->db, .more = more, .n_more = N_ROWS(more) };

	ck_assert_int_eq(mkdirat(fixture_at, kinds[_i].dir, 0700), 0);
	made_in = openat(fixture_at, kinds[_i].dir, O_RDONLY | O_DIRECTORY);
	each_entry(kinds[_i].entries, make_entry);
	ask(&w, fixture_top, kinds[_i].dir, kinds[_i].name);
	wholes_release(&w);
}
END_TEST

START_TEST(index_alone_is_asked)
{
	struct wholes disk = { .db = fixture_ix->db }, indexed = { .db = fixture_ix->db, .as_indexed = true };

	ck_assert_int_eq(mkdirat(fixture_at, "a", 0700), 0);
	ck_assert_int_eq(mkdirat(fixture_at, "a/.git", 0700), 0);
	ask(&disk, fixture_top, "a", "git work tree");
	ask(&indexed, fixture_top, "a", NULL);
	wholes_release(&disk);
	wholes_release(&indexed);
}
END_TEST

/* From where a path was reached, the outermost counts, and who was named does not. */
static const struct {
	const char *base, *path, *whole;
} nested[] = {
	{ "/", "/no/a.lrdata/b/c.mbox/file", "/no/a.lrdata" },
	{ "/no", "/no/a.lrdata/b/c.mbox/file", "/no/a.lrdata" },
	{ "/no/a.lrdata", "/no/a.lrdata/b/c.mbox/file", "/no/a.lrdata/b/c.mbox" },
	{ "/no/a.lrdata/b", "/no/a.lrdata/b/c.mbox/file", "/no/a.lrdata/b/c.mbox" },
	{ "/no/a.lrdata/b/c.mbox", "/no/a.lrdata/b/c.mbox/file", NULL },
	{ "/no/a.lrdata/b/c.mbox/file", "/no/a.lrdata/b/c.mbox/file", NULL },
	{ "/no/a.lrdata", "/no/a.lrdata2/b/c.mbox/file", NULL },
	{ "/no", "/no/a.lrdata", NULL },
	{ "/", "/", NULL },
};

START_TEST(outermost_counts)
{
	struct wholes w = { .db = fixture_ix->db };
	struct err err = { 0 };
	struct whole whole = { .path = NULL };

	ck_assert_int_eq(wholes_find(&w, nested[_i].base, nested[_i].path, &whole, &err), nested[_i].whole != NULL);
	if (nested[_i].whole != NULL)
		ck_assert_str_eq(whole.path, nested[_i].whole);
	wholes_release(&w);
}
END_TEST

static const struct {
	const char *marker;
	bool valid;
} markers[] = {
	{ ".mine", true }, { "*.x", true }, { "a b", true }, { "", false }, { "*", false }, { ".", false }, { "..", false }, { "a/b", false }, { "/", false },
};

START_TEST(checks_markers)
{
	ck_assert(wholes_marker_is_valid(markers[_i].marker) == markers[_i].valid);
}
END_TEST

START_TEST(shows_kinds)
{
	struct buf b = { 0 };

	wholes_show(&b, 1);
	ck_assert_str_eq(buf_str(&b), "git work trees");
	buf_cut(&b, 0);
	wholes_show(&b, 1 | 1U << 4);
	ck_assert_str_eq(buf_str(&b), "git work trees and Python environments");
	buf_cut(&b, 0);
	wholes_show(&b, 1 | 1U << 4 | 1U << 7);
	ck_assert_str_eq(buf_str(&b), "git work trees, Python environments and Maildirs");
	buf_release(&b);
}
END_TEST

Suite *
suite_wholes(void)
{
	Suite *s = suite_create("wholes");
	TCase *tc = tcase_create("wholes");

	tcase_add_checked_fixture(tc, fixture_index_setup, teardown);
	tcase_add_loop_test(tc, rows_tell, 0, N_ROWS(kinds));
	tcase_add_loop_test(tc, disk_tells, 0, N_ROWS(kinds));
	tcase_add_test(tc, index_alone_is_asked);
	tcase_add_loop_test(tc, outermost_counts, 0, N_ROWS(nested));
	tcase_add_loop_test(tc, checks_markers, 0, N_ROWS(markers));
	tcase_add_test(tc, shows_kinds);
	suite_add_tcase(s, tc);
	return s;
}
