/* SPDX-License-Identifier: MIT */
/* The states of files of a small tree that was scanned within this process. */
#include "base/base.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/db.h"
#include "fixture.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"
#include "index/presence.h"
#include "query/state.h"
#include "scan/scan.h"
#include "unit.h"

static char top[PATH_MAX];
static struct index *ix;
static struct presence_view check;

static void
write_file(const char *name, char fill, size_t size)
{
	char path[PATH_MAX + 64], block[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		ck_abort_msg("%s: %s", path, strerror(errno));
	memset(block, fill, sizeof(block));
	for (size_t n; n = size < sizeof(block) ? size : sizeof(block), n > 0; size -= n)
		ck_assert_int_eq((int)write(fd, block, n), (int)n);
	close(fd);
}

static void
make_link(const char *from, const char *to)
{
	char a[PATH_MAX + 64], b[PATH_MAX + 64];

	snprintf(a, sizeof(a), "%s/%s", top, from);
	snprintf(b, sizeof(b), "%s/%s", top, to);
	ck_assert_int_eq(link(a, b), 0);
}

static void
sql(const char *text)
{
	if (sqlite3_exec(ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", text, sqlite3_errmsg(ix->db->handle));
}

/*
 * dups: a, b and sub/c; with bad names: x\377 and new\nline; of big files: big1 and big2, and big3 that differs.
 * links: l1 and l2 of one inode; m1, sub/m2 of another, of which n is a copy.
 */
static void
make_tree(void)
{
	static const char *const dirs[] = { "tree", "tree/sub", "tree/sub\376", "stranger" };
	static const struct { const char *name; char fill; size_t size; } files[] = {
		{ "tree/a", 'a', 10 }, { "tree/b", 'a', 10 }, { "tree/sub/c", 'a', 10 }, { "tree/other", 'b', 10 },
		{ "tree/alone", 'a', 77 }, { "tree/empty", 0, 0 }, { "tree/sub/empty", 0, 0 },
		{ "tree/x\377", 'x', 20 }, { "tree/sub\376/new\nline", 'x', 20 },
		{ "tree/big1", '1', 100000 }, { "tree/big2", '1', 100000 }, { "tree/big3", '3', 100000 }, { "tree/big4", '1', 150000 },
		{ "tree/l1", 'l', 30 }, { "tree/m1", 'm', 40 }, { "tree/n", 'm', 40 },
		{ "tree/p1", 'p', 50 }, { "tree/p2", 'p', 50 },
		/* Not in the tree. */
		{ "stranger/a", 'a', 10 }, { "stranger/same size", 'z', 10 }, { "stranger/other size", 'z', 11 }, { "stranger/empty", 0, 0 },
		{ "stranger/alone", 'a', 77 }, { "stranger/not alone", 'b', 77 }, { "stranger/big", '1', 100000 },
		{ "stranger/big3", '3', 100000 }, { "stranger/big4", '4', 150000 }, { "stranger/big5", '1', 150000 },
		{ "stranger/bad\377", 'x', 20 },
	};
	char made[128], path[PATH_MAX + 64];
	const char *const paths[] = { path };
	const struct scan_options opts = { .paths = paths, .n_paths = 1, .threads = 2 };
	struct stats_report report;
	struct err err = { 0 };

	fixture_temp_dir(made, sizeof(made));
	ck_assert_ptr_nonnull(realpath(made, top));
	for (int i = 0; i < N_ROWS(dirs); i++) {
		snprintf(path, sizeof(path), "%s/%s", top, dirs[i]);
		ck_assert_int_eq(mkdir(path, 0700), 0);
	}
	for (int i = 0; i < N_ROWS(files); i++)
		write_file(files[i].name, files[i].fill, files[i].size);
	make_link("tree/l1", "tree/l2");
	make_link("tree/m1", "tree/sub/m2");
	make_link("tree/p1", "stranger/p3");
	make_link("tree/l1", "stranger/l3");
	snprintf(path, sizeof(path), "%s/index.db", top);
	ck_assert_int_eq(index_open(&ix, path, INDEX_WRITE, NULL, &err), 0);
	snprintf(path, sizeof(path), "%s/tree", top);
	ck_assert_int_eq(scan_run(ix, &opts, NULL, &report, &err), 0);
	ck_assert_int_eq(report.n_errors, 0);
	index_close(ix);
}

static void
remove_tree(void)
{
	fixture_remove_tree(top);
}

/* Open the index, in a transaction that is rolled back: the tree and its index are made once where no test changes files. */
static void
setup(void)
{
	struct err err = { 0 };
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/index.db", top);
	if (index_open(&ix, path, INDEX_WRITE | INDEX_EXISTING, NULL, &err) < 0 || presence_open(&check, ix, &err) < 0)
		ck_abort_msg("%s", err.text);
	sql("BEGIN");
}

static void
teardown(void)
{
	presence_release(&check);
	index_close(ix);
}

/* Look up an indexed file by its path below top. */
static void
ask(struct state *c, const char *name, struct file_answer *a)
{
	static char path[PATH_MAX + 256], *slash;
	static struct file_row row;
	enum presence kind;
	struct err err = { 0 };
	int64_t dir;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	slash = strrchr(path, '/');
	*slash = '\0';
	ck_assert_int_eq(dirs_find(ix->db, path, &dir, &err), 1);
	*slash = '/';
	if (file_get(ix->db, dir, slash + 1, strlen(slash + 1), &row, &err) != 1)
		ck_abort_msg("%s is not indexed %s", name, err.text);
	if (presence_row(c->check, &row, &kind, NULL, &err) < 0 || state_of_row(c, &row, kind, path, a, &err) < 0)
		ck_abort_msg("%s: %s", name, err.text);
	ck_assert_ptr_eq(a->path, path);
	ck_assert_int_eq(a->size, row.size);
}

/* How many members of a kind. */
static int
count_kind(const struct file_answer *a, enum member_kind kind)
{
	int n = 0;

	for (size_t i = 0; i < a->n_members; i++)
		n += a->members[i].kind == kind;
	return n;
}

static bool
has_member(const struct file_answer *a, const char *name, enum member_kind kind)
{
	const size_t len = strlen(top);

	for (size_t i = 0; i < a->n_members; i++) {
		const char *path = a->members[i].path;

		if (a->members[i].kind == kind && strncmp(path, top, len) == 0 && strcmp(path + len + 1, name) == 0)
			return true;
	}
	return false;
}

/* As the scan left it. */
static const struct {
	const char *name;
	enum file_state state;
	int64_t copies;
	int links;
	const char *member;
	enum member_kind kind;
} states[] = {
	{ "tree/a", STATE_DUP, 2, 0, "tree/b", MEMBER_COPY },
	{ "tree/b", STATE_DUP, 2, 0, "tree/sub/c", MEMBER_COPY },
	{ "tree/sub/c", STATE_DUP, 2, 0, "tree/a", MEMBER_COPY },
	{ "tree/other", STATE_UNIQUE, 0, 0, NULL, MEMBER_COPY },
	{ "tree/alone", STATE_UNIQUE, 0, 0, NULL, MEMBER_COPY },
	{ "tree/empty", STATE_EMPTY, 0, 0, NULL, MEMBER_COPY },
	{ "tree/x\377", STATE_DUP, 1, 0, "tree/sub\376/new\nline", MEMBER_COPY },
	{ "tree/sub\376/new\nline", STATE_DUP, 1, 0, "tree/x\377", MEMBER_COPY },
	{ "tree/big1", STATE_DUP, 1, 0, "tree/big2", MEMBER_COPY },
	{ "tree/big3", STATE_UNIQUE, 0, 0, NULL, MEMBER_COPY },
	{ "tree/big4", STATE_UNIQUE, 0, 0, NULL, MEMBER_COPY },
	{ "tree/l1", STATE_LINKED, 0, 1, "tree/l2", MEMBER_LINK },
	{ "tree/l2", STATE_LINKED, 0, 1, "tree/l1", MEMBER_LINK },
	{ "tree/m1", STATE_DUP, 1, 1, "tree/n", MEMBER_COPY },
	{ "tree/sub/m2", STATE_DUP, 1, 1, "tree/m1", MEMBER_LINK },
	/* Two names of one inode are one copy, of which both are told. */
	{ "tree/n", STATE_DUP, 1, 0, "tree/sub/m2", MEMBER_COPY },
	/* A link of it lies where nothing was scanned. */
	{ "tree/p1", STATE_DUP, 1, 0, "tree/p2", MEMBER_COPY },
};

START_TEST(scanned)
{
	const struct state_query all = { .members = true }, state = { .count = false }, count = { .count = true };
	struct state c = { .check = &check, .q = &all };
	struct file_answer a;

	ask(&c, states[_i].name, &a);
	ck_assert_int_eq(a.state, states[_i].state);
	ck_assert_int_eq(a.n_copies, states[_i].copies);
	ck_assert_int_eq(count_kind(&a, MEMBER_LINK), states[_i].links);
	ck_assert_uint_eq(a.n_members, (size_t)(count_kind(&a, MEMBER_COPY) + states[_i].links));
	if (states[_i].member != NULL)
		ck_assert(has_member(&a, states[_i].member, states[_i].kind));
	ck_assert(a.hash == NULL || states[_i].state != STATE_EMPTY);
	ck_assert(a.hash != NULL || a.n_copies == 0);
	/* Without members, the state is the same; a count is asked for. */
	for (int i = 0; i < 2; i++) {
		c.q = i == 0 ? &count : &state;
		ask(&c, states[_i].name, &a);
		ck_assert_int_eq(a.state, states[_i].state);
		ck_assert(i != 0 || a.n_copies == states[_i].copies);
		ck_assert_uint_eq(a.n_members, 0);
	}
	state_release(&c);
}
END_TEST

/* Links may count as copies, or as nothing. */
static const struct {
	const char *name;
	bool copies, unique;
	enum file_state state;
	int64_t n_copies;
} linked[] = {
	{ "tree/l1", false, false, STATE_LINKED, 0 }, { "tree/l1", true, false, STATE_DUP, 1 }, { "tree/l1", false, true, STATE_UNIQUE, 0 },
	{ "tree/m1", true, false, STATE_DUP, 2 }, { "tree/n", true, false, STATE_DUP, 2 }, { "tree/m1", false, true, STATE_DUP, 1 },
	{ "tree/alone", true, false, STATE_UNIQUE, 0 }, { "tree/other", false, true, STATE_UNIQUE, 0 },
	{ "tree/p1", true, false, STATE_DUP, 1 },
};

START_TEST(links)
{
	const struct state_query q = { .members = true, .links_are_copies = linked[_i].copies, .links_are_unique = linked[_i].unique };
	struct state c = { .check = &check, .q = &q };
	struct file_answer a;

	ask(&c, linked[_i].name, &a);
	ck_assert_int_eq(a.state, linked[_i].state);
	ck_assert_int_eq(a.n_copies, linked[_i].n_copies);
	state_release(&c);
}
END_TEST

/* What is excluded is as if it were not there, at component boundaries. */
static const struct {
	const char *name, *exclude[3];
	enum file_state state;
	int64_t copies;
	int excluded;
} excluded[] = {
	{ "tree/a", { "tree/sub" }, STATE_DUP, 1, 1 },
	{ "tree/a", { "tree/b" }, STATE_DUP, 1, 1 },
	{ "tree/a", { "tree/b", "tree/sub" }, STATE_UNIQUE, 0, 2 },
	{ "tree/a", { "tree" }, STATE_UNIQUE, 0, 2 },
	{ "tree/a", { "tree/su", "tree/b/x", "tre" }, STATE_DUP, 2, 0 },
	{ "tree/a", { "tree/a" }, STATE_DUP, 2, 0 },
	{ "tree/x\377", { "tree/sub" }, STATE_DUP, 1, 0 },
	{ "tree/x\377", { "tree/sub\376" }, STATE_UNIQUE, 0, 1 },
	{ "tree/m1", { "tree/n" }, STATE_LINKED, 0, 1 },
	{ "tree/m1", { "tree/sub" }, STATE_DUP, 1, 1 },
	{ "tree/m1", { "tree/n", "tree/sub" }, STATE_UNIQUE, 0, 2 },
	{ "tree/n", { "tree/sub" }, STATE_DUP, 1, 1 },
	{ "tree/l1", { "tree/l2" }, STATE_UNIQUE, 0, 1 },
};

START_TEST(excludes)
{
	char path[3][PATH_MAX + 64];
	const char *exclude[3];
	struct state_query q = { .exclude = exclude, .members = true };
	struct state c = { .check = &check, .q = &q };
	struct file_answer a;

	for (; q.n_exclude < 3 && excluded[_i].exclude[q.n_exclude] != NULL; q.n_exclude++) {
		snprintf(path[q.n_exclude], sizeof(path[0]), "%s/%s", top, excluded[_i].exclude[q.n_exclude]);
		exclude[q.n_exclude] = path[q.n_exclude];
	}
	ask(&c, excluded[_i].name, &a);
	ck_assert_int_eq(a.state, excluded[_i].state);
	ck_assert_int_eq(a.n_copies, excluded[_i].copies);
	ck_assert_int_eq(count_kind(&a, MEMBER_EXCLUDED), excluded[_i].excluded);
	state_release(&c);
}
END_TEST

/* What happened since the scan. */
static const struct {
	const char *remove[3], *change, *sql;
	const char *name;
	enum file_state state;
	int64_t copies;
	const char *why;
} later[] = {
	{ { "tree/b" }, NULL, NULL, "tree/a", STATE_DUP, 1, NULL },
	{ { "tree/b", "tree/sub/c" }, NULL, NULL, "tree/a", STATE_UNIQUE, 0, NULL },
	{ { "tree/b" }, NULL, NULL, "tree/b", STATE_GONE, 0, NULL },
	{ { NULL }, "tree/b", NULL, "tree/a", STATE_DUP, 1, NULL },
	{ { "tree/sub/c" }, "tree/b", NULL, "tree/a", STATE_UNKNOWN, 0, "changed" },
	{ { NULL }, "tree/a", NULL, "tree/a", STATE_CHANGED, 0, NULL },
	{ { NULL }, "tree/empty", NULL, "tree/empty", STATE_CHANGED, 0, NULL },
	{ { "tree/l2" }, NULL, NULL, "tree/l1", STATE_CHANGED, 0, NULL },
	{ { NULL }, NULL, "UPDATE file SET error = 13, hash = NULL WHERE name = 'other'", "tree/other", STATE_UNREADABLE, 0, "Permission" },
	{ { NULL }, NULL, "UPDATE file SET error = -1, hash = NULL WHERE name = 'other'", "tree/other", STATE_UNREADABLE, 0, "changed" },
	{ { NULL }, NULL, "UPDATE file SET error = 13, hash = NULL WHERE name = 'a'", "tree/other", STATE_UNKNOWN, 0, "could not be read" },
	{ { NULL }, NULL, "UPDATE file SET error = 13, hash = NULL WHERE name = 'a'", "tree/b", STATE_DUP, 1, NULL },
	{ { NULL }, NULL, "UPDATE file SET error = 13, hash = NULL WHERE name = 'a'", "tree/alone", STATE_UNIQUE, 0, NULL },
	{ { NULL }, NULL, "UPDATE volume SET key = 'elsewhere'", "tree/a", STATE_DUP, 2, NULL },
	{ { "tree/b", "tree/sub/c" }, NULL, "UPDATE volume SET key = 'elsewhere'", "tree/a", STATE_UNKNOWN, 0, "offline" },
	{ { "tree/b" }, NULL, "UPDATE volume SET key = 'elsewhere'", "tree/b", STATE_DUP, 2, "offline" },
	{ { "tree/alone" }, NULL, "UPDATE volume SET key = 'elsewhere'", "tree/alone", STATE_UNIQUE, 0, "offline" },
	/* A number behind the key tells two devices apart. */
	{ { "tree/b" }, NULL, "UPDATE volume SET key = key || '#2'", "tree/b", STATE_GONE, 0, NULL },
};

START_TEST(since_then)
{
	const struct state_query q = { .members = true };
	struct state c = { .check = &check, .q = &q };
	struct file_answer a;
	char path[PATH_MAX + 64];

	for (int i = 0; i < 3 && later[_i].remove[i] != NULL; i++) {
		snprintf(path, sizeof(path), "%s/%s", top, later[_i].remove[i]);
		ck_assert_int_eq(unlink(path), 0);
	}
	if (later[_i].change != NULL)
		write_file(later[_i].change, 'c', 12);
	if (later[_i].sql != NULL)
		sql(later[_i].sql);
	ask(&c, later[_i].name, &a);
	ck_assert_int_eq(a.state, later[_i].state);
	ck_assert_int_eq(a.n_copies, later[_i].copies);
	if (later[_i].why != NULL && (a.why == NULL || strstr(a.why, later[_i].why) == NULL))
		ck_abort_msg("why: %s", a.why != NULL ? a.why : "nothing");
	state_release(&c);
}
END_TEST

/* While a scan is unfinished, nothing is unique that could have a copy among what was not read. */
static const struct {
	const char *sql, *name;
	enum file_state state;
} pending[] = {
	{ "SELECT 1", "tree/other", STATE_UNIQUE },
	{ "UPDATE file SET hash = NULL WHERE name = 'a'", "tree/other", STATE_UNKNOWN },
	{ "UPDATE file SET hash = NULL WHERE name = 'a'", "tree/alone", STATE_UNIQUE },
	{ "UPDATE file SET hash = NULL WHERE name = 'a'", "tree/b", STATE_DUP },
	{ "UPDATE file SET hash = NULL WHERE name = 'alone'", "tree/alone", STATE_UNIQUE },
	/* The other names of its own inode prove nothing against it. */
	{ "UPDATE file SET hash = NULL WHERE name IN ('l1', 'l2')", "tree/l1", STATE_LINKED },
	/* Other heads, other files. */
	{ "UPDATE file SET hash = NULL WHERE name = 'big1'", "tree/big3", STATE_UNIQUE },
	{ "UPDATE file SET hash = NULL, head = NULL WHERE name = 'big1'", "tree/big3", STATE_UNKNOWN },
	{ "UPDATE file SET hash = NULL, head = NULL WHERE name = 'big3'", "tree/big3", STATE_UNKNOWN },
	{ "UPDATE file SET hash = NULL WHERE name IN ('big1', 'big2')", "tree/big1", STATE_UNKNOWN },
};

START_TEST(unfinished)
{
	const struct state_query q = { .members = true };
	struct state c = { .check = &check, .q = &q };
	struct file_answer a;

	sql(pending[_i].sql);
	ix->pending = INDEX_UNREAD;
	ask(&c, pending[_i].name, &a);
	ck_assert_int_eq(a.state, pending[_i].state);
	ck_assert_int_eq(a.why != NULL, a.state == STATE_UNKNOWN);
	state_release(&c);
}
END_TEST

/* Beside a first scan, which has no indexes on contents yet: what would take too long is not said. */
START_TEST(out_of_time)
{
	const struct state_query q = { .members = true };
	struct state c = { .check = &check, .q = &q };
	struct file_answer a;

	ask(&c, "tree/a", &a);
	ck_assert_int_eq(c.passing_ns, 0);
	ix->content_index = false;
	ix->pending = INDEX_UNREAD;
	ask(&c, "tree/a", &a);
	ck_assert_int_eq(a.state, STATE_DUP);
	ck_assert(c.passing_ns > 0 && c.passing_ns < STATE_PASSING_NS);
	c.passing_ns = STATE_PASSING_NS + 1;
	ask(&c, "tree/a", &a);
	ck_assert_int_eq(a.state, STATE_UNKNOWN);
	ck_assert_ptr_nonnull(strstr(a.why, "first scan"));
	/* So the status is that of an unfinished scan. */
	ck_assert(a.unread);
	ck_assert_int_eq(a.n_members, 0);
	/* What needs no search is said all the same. */
	ask(&c, "tree/empty", &a);
	ck_assert_int_eq(a.state, STATE_EMPTY);
	ix->content_index = true;
	state_release(&c);
}
END_TEST

/* Files that the index does not have. */
static const struct {
	const char *name;
	enum file_state state;
	int64_t copies;
	const char *member, *sql;
} strangers[] = {
	{ "stranger/a", STATE_DUP, 3, "tree/a", NULL },
	{ "stranger/same size", STATE_UNIQUE, 0, NULL, NULL },
	{ "stranger/other size", STATE_UNIQUE, 0, NULL, NULL },
	{ "stranger/empty", STATE_EMPTY, 0, NULL, NULL },
	{ "stranger/bad\377", STATE_DUP, 2, "tree/x\377", NULL },
	{ "stranger/big", STATE_DUP, 2, "tree/big2", NULL },
	/* Copies that no scan had to read are read now. */
	{ "stranger/alone", STATE_DUP, 1, "tree/alone", "UPDATE file SET hash = NULL WHERE name = 'alone'" },
	{ "stranger/not alone", STATE_UNIQUE, 0, NULL, "UPDATE file SET hash = NULL WHERE name = 'alone'" },
	{ "stranger/big3", STATE_DUP, 1, "tree/big3", "UPDATE file SET hash = NULL WHERE name = 'big3'" },
	{ "stranger/big4", STATE_UNIQUE, 0, NULL, "UPDATE file SET hash = NULL WHERE name = 'big4'" },
	{ "stranger/big5", STATE_DUP, 1, "tree/big4", "UPDATE file SET hash = NULL WHERE name = 'big4'" },
	{ "stranger/big5", STATE_DUP, 1, "tree/big4", "UPDATE file SET hash = NULL, head = NULL WHERE name = 'big4'" },
	/* One that can't be read leaves it open. */
	{ "stranger/same size", STATE_UNKNOWN, 0, NULL, "UPDATE file SET error = 5, hash = NULL WHERE name = 'other'" },
	/* A link of an indexed inode. */
	{ "stranger/p3", STATE_DUP, 1, "tree/p2", NULL },
	{ "stranger/l3", STATE_LINKED, 0, NULL, NULL },
	{ "tree/sub", STATE_SKIPPED, 0, NULL, NULL },
};

START_TEST(stranger)
{
	const struct state_query all = { .members = true }, state = { .members = false };
	struct state c = { .check = &check, .q = &all };
	struct file_answer a;
	struct err err = { 0 };
	char path[PATH_MAX + 64];

	if (strangers[_i].sql != NULL)
		sql(strangers[_i].sql);
	snprintf(path, sizeof(path), "%s/%s", top, strangers[_i].name);
	ck_assert_int_eq(state_of_outside(&c, path, &a, &err), 0);
	ck_assert_int_eq(a.state, strangers[_i].state);
	ck_assert_int_eq(a.n_copies, strangers[_i].copies);
	ck_assert_ptr_eq(a.path, path);
	if (strangers[_i].member != NULL)
		ck_assert(has_member(&a, strangers[_i].member, MEMBER_COPY));
	c.q = &state;
	ck_assert_int_eq(state_of_outside(&c, path, &a, &err), 0);
	ck_assert_int_eq(a.state, strangers[_i].state);
	state_release(&c);
}
END_TEST

START_TEST(no_stranger)
{
	static const char *const gone[] = { "gone", "gone/x", "tree/a/x" };
	const struct state_query q = { .members = true };
	struct state c = { .check = &check, .q = &q };
	char path[PATH_MAX + 64];
	struct file_answer a;
	struct err err = { 0 };

	for (int i = 0; i < N_ROWS(gone); i++) {
		err = (struct err){ 0 };
		snprintf(path, sizeof(path), "%s/%s", top, gone[i]);
		ck_assert_int_eq(state_of_outside(&c, path, &a, &err), -1);
		ck_assert_int_eq(err.code, ERR_NO_PATH);
	}
	/* Links and FIFOs are neither followed nor opened. */
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/stranger/%s", top, i == 0 ? "fifo" : "link");
		ck_assert_int_eq(i == 0 ? mkfifo(path, 0600) : symlink("a", path), 0);
		ck_assert_int_eq(state_of_outside(&c, path, &a, &err), 0);
		ck_assert_int_eq(a.state, STATE_SKIPPED);
		unlink(path);
	}
	state_release(&c);
}
END_TEST

Suite *
suite_state(void)
{
	Suite *s = suite_create("state");
	TCase *tc = tcase_create("copies");

	tcase_add_unchecked_fixture(tc, make_tree, remove_tree);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, scanned, 0, N_ROWS(states));
	tcase_add_loop_test(tc, links, 0, N_ROWS(linked));
	tcase_add_loop_test(tc, excludes, 0, N_ROWS(excluded));
	tcase_add_loop_test(tc, unfinished, 0, N_ROWS(pending));
	tcase_add_test(tc, out_of_time);
	tcase_add_loop_test(tc, stranger, 0, N_ROWS(strangers));
	tcase_add_test(tc, no_stranger);
	suite_add_tcase(s, tc);
	tc = tcase_create("later");
	tcase_add_checked_fixture(tc, make_tree, remove_tree);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, since_then, 0, N_ROWS(later));
	suite_add_tcase(s, tc);
	return s;
}
