/* SPDX-License-Identifier: MIT */
/* Contents and inodes with many names: every name's answer is that of a plain count, and each is looked at once. */
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

enum { SAME = 40, OTHER = 12, ALONE = 15, LINKED = 11, N = SAME + OTHER + ALONE + LINKED };

/* A name: which content, which inode of it, and what became of it. */
static struct name {
	char path[32];
	int content, inode;
	enum member_kind now;
} names[N];

static char top[PATH_MAX];
static struct index *ix;
static struct presence_view check;

static void
make_name(struct name *n, const char *dir, int i, int content, int inode)
{
	char path[PATH_MAX + 64], first[PATH_MAX + 64];
	FILE *f;

	snprintf(n->path, sizeof(n->path), "%s/%d", dir, i);
	n->content = content;
	n->inode = inode;
	n->now = MEMBER_COPY;
	snprintf(path, sizeof(path), "%s/%s", top, n->path);
	for (const struct name *old = names; old < n; old++) {
		if (old->inode == inode) {
			snprintf(first, sizeof(first), "%s/%.31s", top, old->path);
			if (link(first, path) < 0)
				ck_abort_msg("%s: %s", path, strerror(errno));
			return;
		}
	}
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fprintf(f, "%*d", 10 + content, content);
	fclose(f);
}

/* One that is gone, one that has changed; both without links. */
static void
lose(const char *name, enum member_kind now)
{
	char path[PATH_MAX + 64];
	struct name *n = names;

	while (strcmp(n->path, name) != 0)
		n++;
	n->now = now;
	snprintf(path, sizeof(path), "%s/%s", top, name);
	ck_assert_int_eq(now == MEMBER_GONE ? unlink(path) : truncate(path, 3), 0);
}

/*
 * Content 1: same/0.. of 28 inodes, some of which have links there and in
 * other/, where there are more.  Content 2, which no scan has to read: one
 * inode with many names.  Content 3: two inodes, one with many names.
 */
static void
make_tree(void)
{
	static const char *const dirs[] = { "same", "other", "alone", "linked" };
	char made[128], path[PATH_MAX + 64];
	const char *const paths[] = { top };
	const struct scan_options opts = { .paths = paths, .n_paths = 1, .threads = 2 };
	struct stats_report report;
	struct err err = { 0 };
	struct name *n = names;

	fixture_temp_dir(made, sizeof(made));
	ck_assert_ptr_nonnull(realpath(made, top));
	for (int i = 0; i < N_ROWS(dirs); i++) {
		snprintf(path, sizeof(path), "%s/%s", top, dirs[i]);
		ck_assert_int_eq(mkdir(path, 0700), 0);
	}
	for (int i = 0; i < SAME; i++)
		make_name(n++, "same", i, 1, 100 + (i < 28 ? i : i % 3));
	for (int i = 0; i < OTHER; i++)
		make_name(n++, "other", i, 1, i < 9 ? 200 + i : 104);
	for (int i = 0; i < ALONE; i++)
		make_name(n++, "alone", i, 2, 300);
	for (int i = 0; i < LINKED; i++)
		make_name(n++, "linked", i, 3, 400 + (i == 5));
	snprintf(path, sizeof(path), "%s/index.db", top);
	ck_assert_int_eq(index_open(&ix, path, INDEX_WRITE, NULL, &err), 0);
	ck_assert_int_eq(scan_run(ix, &opts, NULL, &report, &err), 0);
	index_close(ix);
	lose("other/1", MEMBER_GONE);
	lose("other/2", MEMBER_CHANGED);
	if (index_open(&ix, path, INDEX_WRITE | INDEX_EXISTING, NULL, &err) < 0 || presence_open(&check, ix, &err) < 0)
		ck_abort_msg("%s", err.text);
}

static void
remove_tree(void)
{
	presence_release(&check);
	index_close(ix);
	fixture_remove_tree(top);
}

static bool
is_excluded(const struct name *n, const char *exclude)
{
	return exclude != NULL && strncmp(n->path, exclude, strlen(exclude)) == 0 && n->path[strlen(exclude)] == '/';
}

/* What a name is to another one. */
static enum member_kind
kind_of(const struct name *self, const struct name *n, const char *exclude, bool links_are_copies)
{
	if (is_excluded(n, exclude))
		return MEMBER_EXCLUDED;
	return n->now == MEMBER_COPY && n->inode == self->inode && !links_are_copies ? MEMBER_LINK : n->now;
}

/* Compare the answer for a name with a plain count. */
static void
compare(const struct name *self, const struct file_answer *a, const struct state_query *q, const char *exclude)
{
	int64_t n[MEMBER_COUNT] = { 0 }, listed[MEMBER_COUNT] = { 0 }, copies = 0, inodes = 0;
	enum file_state want;

	for (int i = 0; i < N; i++) {
		enum member_kind kind;

		if (&names[i] == self || names[i].content != self->content)
			continue;
		kind = kind_of(self, &names[i], exclude, q->links_are_copies);
		/* A link that counts is listed as a link. */
		n[kind_of(self, &names[i], exclude, false)]++;
		for (int j = 0; kind == MEMBER_COPY && j < N; j++) {
			if (!q->links_are_copies && j < i && &names[j] != self && names[j].inode == names[i].inode &&
			    kind_of(self, &names[j], exclude, false) == MEMBER_COPY)
				break;
			copies += j == N - 1;
		}
		for (int j = 0; kind_of(self, &names[i], exclude, false) == MEMBER_COPY && j < N; j++) {
			if (j < i && &names[j] != self && names[j].inode == names[i].inode && kind_of(self, &names[j], exclude, false) == MEMBER_COPY)
				break;
			inodes += j == N - 1;
		}
	}
	want = copies > 0 ? STATE_DUP : n[MEMBER_CHANGED] > 0 ? STATE_UNKNOWN : n[MEMBER_LINK] > 0 ? STATE_LINKED : STATE_UNIQUE;
	if (a->state != want)
		ck_abort_msg("%s: %s instead of %s", self->path, state_name(a->state), state_name(want));
	if ((q->members || q->count) && a->n_copies != copies)
		ck_abort_msg("%s: %d copies instead of %d", self->path, (int)a->n_copies, (int)copies);
	if ((q->members || q->count) && a->n_inodes != inodes)
		ck_abort_msg("%s: %d inodes instead of %d", self->path, (int)a->n_inodes, (int)inodes);
	for (size_t i = 0; i < a->n_members; i++)
		listed[a->members[i].kind]++;
	for (int k = 0; q->members && k < MEMBER_COUNT; k++) {
		if (listed[k] != n[k])
			ck_abort_msg("%s: %d of kind %s instead of %d", self->path, (int)listed[k], member_kind_name((enum member_kind)k), (int)n[k]);
	}
}

static void
ask(struct state *c, const char *dir_path, const char *name, struct file_answer *a)
{
	static struct file_row row;
	enum presence kind;
	struct err err = { 0 };
	const char *path;
	int64_t dir;

	if (dirs_find(ix->db, dir_path, &dir, &err) != 1 || file_get(ix->db, dir, name, strlen(name), &row, &err) != 1 ||
	    presence_row(c->check, &row, &kind, &path, &err) < 0 || state_of_row(c, &row, kind, path, a, &err) < 0)
		ck_abort_msg("%s/%s: %s", dir_path, name, err.text);
}

static const struct {
	const char *exclude;
	bool links_are_copies, members, count;
	int looks;        /* at other files than that which is asked about */
} questions[] = {
	/* Each is looked at once, and those of three sets that are found to have many members some times before. */
	{ NULL, false, true, false, N + 24 }, { NULL, false, false, true, N + 24 }, { NULL, false, false, false, 4 * N },
	{ NULL, true, true, false, N + 24 }, { NULL, true, false, true, N + 24 }, { NULL, true, false, false, 4 * N },
	{ "same", false, true, false, N + 24 }, { "same", false, false, true, N + 24 }, { "same", false, false, false, 4 * N },
	{ "other", false, true, false, N + 24 }, { "other", true, false, true, N + 24 }, { "other", false, false, false, 4 * N },
	{ "alone", false, true, false, N + 24 }, { "linked", true, false, true, N + 24 }, { "linked", false, false, false, 4 * N },
	/* What is excluded is not looked at at all. */
	{ "", false, true, false, 0 }, { "", true, false, true, 0 }, { "", false, false, false, 0 },
};

START_TEST(many_names)
{
	const bool all = questions[_i].exclude != NULL && questions[_i].exclude[0] == '\0';
	char exclude[PATH_MAX + 64], dir[PATH_MAX + 64];
	const char *const excludes[] = { exclude };
	const struct state_query q = {
		.exclude = excludes, .n_exclude = questions[_i].exclude != NULL, .members = questions[_i].members,
		.count = questions[_i].count, .links_are_copies = questions[_i].links_are_copies,
	};
	struct state c = { .check = &check, .q = &q };
	const int64_t before = check.looks;

	snprintf(exclude, sizeof(exclude), "%s%s%s", top, all ? "" : "/", q.n_exclude > 0 ? questions[_i].exclude : "");
	/* Twice, the second time from what is kept, in the other order. */
	for (int i = 0; i < 2 * N; i++) {
		const struct name *n = &names[i < N ? i : 2 * N - 1 - i];
		const char *slash = strchr(n->path, '/');
		struct file_answer a;

		if (n->now != MEMBER_COPY)
			continue;
		snprintf(dir, sizeof(dir), "%s/%.*s", top, (int)(slash - n->path), n->path);
		ask(&c, dir, slash + 1, &a);
		if (all) {
			ck_assert_int_eq(a.state, STATE_UNIQUE);
			ck_assert_int_eq(a.n_copies, 0);
		} else
			compare(n, &a, &q, questions[_i].exclude);
	}
	/* Two were not asked about. */
	if (check.looks - before - 2 * (N - 2) > questions[_i].looks)
		ck_abort_msg("%d looks", (int)(check.looks - before - 2 * (N - 2)));
	state_release(&c);
}
END_TEST

/* Of sets with more members in all than are kept, the answers are the same. */
START_TEST(dropped)
{
	static const char text[] =
		"BEGIN; INSERT INTO file " FILE_COLUMNS " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 140001)"
		" SELECT (SELECT dir FROM root), 'n' || i, NULL, 4, 8, 1, 1000 + i, 1, 0, 0, 0, 0, NULL,"
		" CASE i % 2 WHEN 0 THEN zeroblob(16) ELSE x'01010101010101010101010101010101' END, 0, NULL, NULL FROM n";
	const struct state_query q = { .count = true };
	struct state c = { .check = &check, .q = &q };
	struct file_answer a;

	if (sqlite3_exec(ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s", sqlite3_errmsg(ix->db->handle));
	check.no_look = true;
	for (int i = 1; i <= 4; i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%d", i);
		ask(&c, top, name, &a);
		ck_assert_int_eq(a.n_copies, i % 2 == 0 ? 69999 : 70000);
	}
	state_release(&c);
}
END_TEST

static int
count_steps(void *arg)
{
	(*(int64_t *)arg)++;
	return 0;
}

/* 4000 files of one size that were read, and as many with two names that need not be: nobody passes over all for each. */
START_TEST(unread_links)
{
	static const char format[] =
		"BEGIN; INSERT INTO file " FILE_COLUMNS " WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d - 1)"
		" SELECT (SELECT dir FROM root), 'n' || i, NULL, 5000, 8, 1, 1000 + i / 3 * 2 + (i %% 3 > 0), 1 + (i %% 3 > 0), 0, 0, 0, 0, i / 3,"
		" CASE i %% 3 WHEN 0 THEN randomblob(16) END, 0, NULL, NULL FROM n";
	const struct state_query q = { .count = true };
	struct state c = { .check = &check, .q = &q };
	struct file_answer a;
	const int links = fixture_every() ? 12000 : 4000;
	char text[sizeof(format) + 16];
	int64_t thousands = 0;

	snprintf(text, sizeof(text), format, links);
	if (sqlite3_exec(ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s", sqlite3_errmsg(ix->db->handle));
	check.no_look = true;
	sqlite3_progress_handler(ix->db->handle, 1000, count_steps, &thousands);
	for (int i = 0; i < links; i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%d", i);
		ask(&c, top, name, &a);
		ck_assert_int_eq(a.state, i % 3 == 0 ? STATE_UNIQUE : STATE_LINKED);
	}
	sqlite3_progress_handler(ix->db->handle, 0, NULL, NULL);
	/* About 300 for each. */
	ck_assert_int_lt(thousands, links);
	state_release(&c);
}
END_TEST

Suite *
suite_members(void)
{
	Suite *s = suite_create("members");
	TCase *tc = tcase_create("members");

	tcase_add_unchecked_fixture(tc, make_tree, remove_tree);
	tcase_add_loop_test(tc, many_names, 0, N_ROWS(questions));
	tcase_add_test(tc, dropped);
	tcase_add_test(tc, unread_links);
	suite_add_tcase(s, tc);
	return s;
}
