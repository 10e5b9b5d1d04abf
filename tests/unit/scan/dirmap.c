/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <unistd.h>

#include "db/db.h"
#include "scan/dirmap.h"
#include "index/contents.h"
#include "index/dirs.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "index/schema.h"
#include "fixture.h"
#include "unit.h"

enum { THREADS = 8 };

static void
sql(const char *text)
{
	if (sqlite3_exec(fixture_ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", text, sqlite3_errmsg(fixture_ix->db->handle));
}

static struct dirmap *
load(void)
{
	struct dirmap *map = NULL;
	struct err err = { 0 };

	if (dirmap_load(&map, fixture_ix->db, &err) < 0)
		ck_abort_msg("%s", err.text);
	return map;
}

/* Tops and what is below them, with names of any bytes; each with its path. */
static const struct {
	int64_t id, parent;
	const char *name;
	int64_t volume, inode;
	const char *path;
} rows[] = {
	{ 1, 0, "/data", 1, 2, "/data" },
	{ 2, 1, "sub", 1, 3, "/data/sub" },
	{ 3, 2, "sub", 1, 4, "/data/sub/sub" },
	{ 4, 1, "new\nline", 1, 5, "/data/new\nline" },
	{ 5, 4, "bad\377", 1, -1, "/data/new\nline/bad\377" },
	{ 6, 5, "\376", 1, INT64_MIN, "/data/new\nline/bad\377/\376" },
	{ 7, 1, "\\xff", 1, 6, "/data/\\xff" },
	{ 8, 1, "\377", 1, 7, "/data/\377" },
	{ 9, 1, " ", 1, 8, "/data/ " },
	{ 10, 1, "...", 1, 9, "/data/..." },
	{ 20, 0, "/", 2, 2, "/" },
	{ 21, 20, "etc", 2, 3, "/etc" },
	{ 22, 20, "data", 2, 4, "/data" },
	{ 30, 0, "/mnt/b\377d/x y", 3, 2, "/mnt/b\377d/x y" },
	{ 31, 30, "sub", 3, 3, "/mnt/b\377d/x y/sub" },
	{ 32, 31, "caf\351", 3, INT64_MAX, "/mnt/b\377d/x y/sub/caf\351" },
	{ INT64_MAX / 2, 30, "far", INT64_MAX, 0, "/mnt/b\377d/x y/far" },
};

static struct inode
on(int64_t volume, int64_t number)
{
	return (struct inode){ volume, number };
}

START_TEST(finds)
{
	struct buf path = { 0 };
	struct dirmap *map;

	for (int i = 0; i < N_ROWS(rows); i++)
		fixture_dir(rows[i].id, rows[i].parent, rows[i].name, rows[i].volume, rows[i].inode);
	map = load();
	ck_assert_uint_eq(dirmap_count(map), N_ROWS(rows));
	for (int i = 0; i < N_ROWS(rows); i++) {
		const size_t len = strlen(rows[i].name);
		struct dirmap_dir *d = dirmap_by_id(map, rows[i].id);

		ck_assert_ptr_nonnull(d);
		ck_assert_int_eq(d->id, rows[i].id);
		ck_assert_int_eq(d->parent, rows[i].parent);
		ck_assert_int_eq(d->inode.volume, rows[i].volume);
		ck_assert_int_eq(d->inode.number, rows[i].inode);
		ck_assert_int_eq(d->error, 0);
		ck_assert(!d->has_digest && !d->pinned && !d->claimed);
		ck_assert_uint_eq(d->name_len, len);
		ck_assert_str_eq(dirmap_name(map, d), rows[i].name);
		ck_assert_ptr_eq(dirmap_by_place(map, rows[i].parent, rows[i].name, len), d);
		ck_assert_ptr_eq(dirmap_by_inode(map, on(rows[i].volume, rows[i].inode), NULL), d);
		/* The name is bytes with a length: what is behind it does not count. */
		ck_assert_ptr_null(dirmap_by_place(map, rows[i].parent, rows[i].name, len + 1));
		ck_assert_ptr_null(dirmap_by_place(map, rows[i].parent + 1000, rows[i].name, len));
		buf_cut(&path, 0);
		dirmap_path(map, rows[i].id, &path);
		ck_assert_str_eq(buf_str(&path), rows[i].path);
	}
	/* It is appended. */
	buf_cut(&path, 0);
	buf_adds(&path, "before ");
	dirmap_path(map, 20, &path);
	ck_assert_str_eq(path.data, "before /");
	/* What is not there. */
	ck_assert_ptr_null(dirmap_by_id(map, 0));
	ck_assert_ptr_null(dirmap_by_id(map, -1));
	ck_assert_ptr_null(dirmap_by_id(map, 11));
	ck_assert_ptr_null(dirmap_by_place(map, 1, "", 0));
	ck_assert_ptr_null(dirmap_by_place(map, 1, "Sub", 3));
	/* The stored forms are no names. */
	ck_assert_ptr_null(dirmap_by_place(map, 4, "bad/xff", 7));
	ck_assert_ptr_null(dirmap_by_place(map, 0, "/mnt/b\\xffd/x y/", 16));
	ck_assert_ptr_null(dirmap_by_inode(map, on(1, 100), NULL));
	ck_assert_ptr_null(dirmap_by_inode(map, on(2, 1), NULL));
	dirmap_free(map);
	dirmap_free(NULL);
	buf_release(&path);
}
END_TEST

START_TEST(empty)
{
	struct dirmap *map = load();
	struct buf path = { 0 };

	ck_assert_uint_eq(dirmap_count(map), 0);
	ck_assert_ptr_null(dirmap_by_id(map, 1));
	ck_assert_ptr_null(dirmap_by_place(map, 0, "/", 1));
	ck_assert_ptr_null(dirmap_by_inode(map, on(0, 0), NULL));
	dirmap_path(map, 1, &path);
	ck_assert_uint_eq(path.len, 0);
	ck_assert_int_eq(dirmap_new_id(map), 1);
	ck_assert_int_eq(dirmap_new_id(map), 2);
	dirmap_free(map);
}
END_TEST

/* Digests of another length are none; errors are kept. */
START_TEST(digests)
{
	struct dirmap *map;
	uint8_t want[DIGEST_SIZE];

	for (int i = 1; i <= 6; i++) {
		char name[16];

		snprintf(name, sizeof(name), "/d%d", i);
		fixture_dir(i, 0, name, 1, i);
	}
	sql("UPDATE dir SET digest = x'000102030405060708090a0b0c0d0e0f' WHERE id = 1; UPDATE dir SET digest = zeroblob(16) WHERE id = 2;"
	    "UPDATE dir SET digest = x'' WHERE id = 3; UPDATE dir SET digest = zeroblob(15) WHERE id = 4;"
	    "UPDATE dir SET digest = zeroblob(100000) WHERE id = 5; UPDATE dir SET error = 13 WHERE id = 6");
	map = load();
	for (int i = 1; i <= 6; i++) {
		const struct dirmap_dir *d = dirmap_by_id(map, i);

		ck_assert_int_eq(d->has_digest, i <= 2);
		ck_assert_int_eq(d->error, i == 6 ? 13 : 0);
		for (int j = 0; j < DIGEST_SIZE; j++)
			want[j] = i == 1 ? (uint8_t)j : 0;
		if (i <= 2)
			ck_assert_mem_eq(d->digest, want, DIGEST_SIZE);
	}
	dirmap_free(map);
}
END_TEST

/* Two directories with one inode: any of them. */
START_TEST(inode_twice)
{
	struct dirmap *map;
	const struct dirmap_dir *d;

	fixture_dir(1, 0, "/a", 1, 5);
	fixture_dir(2, 0, "/b", 1, 5);
	map = load();
	d = dirmap_by_inode(map, on(1, 5), NULL);
	ck_assert_ptr_nonnull(d);
	ck_assert(d->id == 1 || d->id == 2);
	dirmap_free(map);
}
END_TEST

/* Each directory with an inode once, also when it has had another one in between. */
START_TEST(inode_again)
{
	const struct dirmap_dir *d = NULL;
	struct dirmap *map;
	int64_t sum = 0;

	fixture_dir(1, 0, "/a", 1, 5);
	fixture_dir(2, 0, "/b", 1, 5);
	map = load();
	dirmap_put(map, 1, 0, "/a", 2, on(1, 6));
	d = dirmap_by_inode(map, on(1, 5), NULL);
	ck_assert_int_eq(d->id, 2);
	ck_assert_ptr_null(dirmap_by_inode(map, on(1, 5), d));
	dirmap_put(map, 1, 0, "/a", 2, on(1, 5));
	ck_assert_ptr_null(dirmap_by_inode(map, on(1, 6), NULL));
	d = NULL;
	for (int i = 0; i < 2; i++) {
		d = dirmap_by_inode(map, on(1, 5), d);
		ck_assert_ptr_nonnull(d);
		sum += d->id;
	}
	ck_assert_int_eq(sum, 3);
	ck_assert_ptr_null(dirmap_by_inode(map, on(1, 5), d));
	dirmap_free(map);
}
END_TEST

/* New and moved directories. */
START_TEST(moves)
{
	struct dirmap *map;
	struct dirmap_dir *d;
	struct buf path = { 0 };
	int64_t id;

	fixture_dir(1, 0, "/data", 1, 1);
	fixture_dir(2, 1, "a", 1, 2);
	fixture_dir(3, 2, "b", 1, 3);
	fixture_dir(9, 1, "c", 1, 4);
	map = load();
	id = dirmap_new_id(map);
	ck_assert_int_eq(id, 10);
	dirmap_put(map, id, 3, "n\377", 2, on(5, 6));
	d = dirmap_by_id(map, id);
	ck_assert_ptr_nonnull(d);
	ck_assert(d->claimed);
	ck_assert(!dirmap_claim(d));
	ck_assert_ptr_eq(dirmap_by_place(map, 3, "n\377", 2), d);
	ck_assert_ptr_eq(dirmap_by_inode(map, on(5, 6), NULL), d);
	dirmap_path(map, id, &path);
	ck_assert_str_eq(path.data, "/data/a/b/n\377");
	/* Moved, with all that is below it; the new name is longer than the old. */
	dirmap_put(map, 2, 9, "a longer name", 13, on(7, 8));
	ck_assert_uint_eq(dirmap_count(map), 5);
	d = dirmap_by_id(map, 2);
	ck_assert_int_eq(d->parent, 9);
	ck_assert_int_eq(d->inode.volume, 7);
	ck_assert_int_eq(d->inode.number, 8);
	ck_assert(d->claimed);
	ck_assert_ptr_null(dirmap_by_place(map, 1, "a", 1));
	ck_assert_ptr_null(dirmap_by_inode(map, on(1, 2), NULL));
	buf_cut(&path, 0);
	dirmap_path(map, id, &path);
	ck_assert_str_eq(path.data, "/data/c/a longer name/b/n\377");
	/* The same once more changes nothing. */
	dirmap_put(map, 2, 9, "a longer name", 13, on(7, 8));
	ck_assert_uint_eq(dirmap_count(map), 5);
	buf_cut(&path, 0);
	dirmap_path(map, id, &path);
	ck_assert_str_eq(path.data, "/data/c/a longer name/b/n\377");
	ck_assert(!dirmap_by_id(map, 3)->claimed);
	dirmap_free(map);
	buf_release(&path);
}
END_TEST

/* So many that the tables grow several times, loaded and put. */
START_TEST(grows)
{
	enum { LOADED = 3000, PUT = 3000 };
	struct dirmap *map;
	char name[32];
	int len;

	sql("BEGIN");
	fixture_dir(1, 0, "/", 1, 1);
	for (int i = 2; i <= LOADED; i++) {
		snprintf(name, sizeof(name), i % 4 == 0 ? "%d\377" : "%d", i);
		fixture_dir(i, i / 2, name, i % 3, i * 4096);
	}
	sql("COMMIT");
	map = load();
	for (int i = LOADED + 1; i <= LOADED + PUT; i++) {
		ck_assert_int_eq(dirmap_new_id(map), i);
		len = snprintf(name, sizeof(name), i % 4 == 0 ? "%d\377" : "%d", i);
		dirmap_put(map, i, i / 2, name, (size_t)len, on(i % 3, i * 4096));
	}
	ck_assert_uint_eq(dirmap_count(map), LOADED + PUT);
	for (int i = 2; i <= LOADED + PUT; i++) {
		const struct dirmap_dir *d = dirmap_by_id(map, i);

		len = snprintf(name, sizeof(name), i % 4 == 0 ? "%d\377" : "%d", i);
		if (d == NULL || d->id != i || strcmp(dirmap_name(map, d), name) != 0 || d->claimed != (i > LOADED) ||
		    dirmap_by_place(map, i / 2, name, (size_t)len) != d || dirmap_by_inode(map, on(i % 3, i * 4096), NULL) != d ||
		    dirmap_by_place(map, i / 2 + 1, name, (size_t)len) != NULL || dirmap_by_inode(map, on((i + 1) % 3, i * 4096), NULL) != NULL)
			ck_abort_msg("directory %d", i);
	}
	dirmap_free(map);
}
END_TEST

/* Deep trees have paths longer than any system call takes; what hangs on nothing has one, too. */
START_TEST(deep)
{
	enum { DEPTH = 5000 };
	struct buf path = { 0 }, want = { 0 };
	struct dirmap *map;

	sql("BEGIN");
	fixture_dir(1, 0, "/", 1, 1);
	for (int i = 2; i <= DEPTH; i++)
		fixture_dir(i, i - 1, "d\377", 1, i);
	fixture_dir(DEPTH + 1, 999999, "orphan", 2, 4);
	fixture_dir(DEPTH + 2, -1, "/7", 2, 5);
	sql("COMMIT");
	map = load();
	for (int i = 2; i <= DEPTH; i++)
		buf_adds(&want, "/d\377");
	dirmap_path(map, DEPTH, &path);
	ck_assert_str_eq(path.data, want.data);
	ck_assert_ptr_eq(dirmap_by_path(map, want.data, want.len), dirmap_by_id(map, DEPTH));
	for (int i = DEPTH + 1; i <= DEPTH + 2; i++) {
		buf_cut(&path, 0);
		dirmap_path(map, i, &path);
		ck_assert_uint_lt(path.len, 1000000);
	}
	dirmap_free(map);
	buf_release(&path);
	buf_release(&want);
}
END_TEST

/* A circle is damage: nobody goes up or down there without end. */
START_TEST(circles)
{
	struct dirmap *map = NULL;
	struct err err = { 0 };

	fixture_dir(1, 0, "/t", 1, 1);
	fixture_dir(2, 1, "a", 1, 2);
	fixture_dir(3, _i == 0 ? 4 : 3, "x", 2, 1);
	fixture_dir(4, 3, "y", 2, 2);
	fixture_dir(5, 4, "z", 2, 3);
	ck_assert_int_eq(dirmap_load(&map, fixture_ix->db, &err), -1);
	ck_assert_int_eq(err.code, ERR_BAD_INDEX);
	ck_assert_ptr_nonnull(strstr(err.text, "lies in itself"));
}
END_TEST

/* A path is found from the innermost top that has it; several directories may have one inode. */
START_TEST(by_path)
{
	static const struct {
		const char *path;
		int64_t id;
	} asked[] = {
		{ "/t", 1 }, { "/t/a", 2 }, { "/t/a/b", 0 }, { "/t/a/b/c", 3 }, { "/t/a/b/c/d", 4 }, { "/", 0 }, { "/tt", 0 },
		{ "/t/a/bb", 0 }, { "/t/a/b/c/d/e", 0 },
	};
	struct dirmap *map;
	const struct dirmap_dir *d;
	int n = 0;

	fixture_dir(1, 0, "/t", 1, 1);
	fixture_dir(2, 1, "a", 1, 7);
	fixture_dir(3, 0, "/t/a/b/c", 1, 7);
	fixture_dir(4, 3, "d", 1, 7);
	map = load();
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		d = dirmap_by_path(map, asked[i].path, strlen(asked[i].path));
		ck_assert_int_eq(d != NULL ? d->id : 0, asked[i].id);
	}
	for (d = NULL; (d = dirmap_by_inode(map, on(1, 7), d)) != NULL; n++)
		;
	ck_assert_int_eq(n, 3);
	/* One that has moved is found where it is now. */
	dirmap_put(map, 4, 2, "d", 1, on(1, 8));
	ck_assert_int_eq(dirmap_by_path(map, "/t/a/d", 6)->id, 4);
	ck_assert_ptr_null(dirmap_by_path(map, "/t/a/b/c/d", 10));
	ck_assert_int_eq(dirmap_by_inode(map, on(1, 8), NULL)->id, 4);
	for (d = NULL, n = 0; (d = dirmap_by_inode(map, on(1, 7), d)) != NULL; n++)
		;
	ck_assert_int_eq(n, 2);
	dirmap_free(map);
}
END_TEST

struct claims {
	struct dirmap *map;
	_Atomic int claimed[1000];
	_Atomic int ids[THREADS * 1000 + 1];
	_Atomic int turn, wrong;
};

static void *
claim_run(void *arg)
{
	struct claims *c = arg;
	const int start = atomic_fetch_add(&c->turn, 1) * 125;

	for (int i = 0; i < 1000; i++) {
		const int at = (start + i) % 1000;
		struct dirmap_dir *d = dirmap_by_id(c->map, at + 1);
		const int64_t id = dirmap_new_id(c->map) - 1000;

		/* Found while others claim. */
		if (d == NULL || dirmap_by_place(c->map, 0, dirmap_name(c->map, d), d->name_len) != d)
			atomic_fetch_add(&c->wrong, 1);
		else if (dirmap_claim(d))
			atomic_fetch_add(&c->claimed[at], 1);
		if (id < 1 || id > THREADS * 1000)
			atomic_fetch_add(&c->wrong, 1);
		else
			atomic_fetch_add(&c->ids[id], 1);
	}
	return NULL;
}

/* Of several threads one gets each directory, and each new number goes to one. */
START_TEST(claims_once)
{
	struct claims *c = mem_zalloc(1, sizeof(*c));
	pthread_t ids[THREADS];

	sql("BEGIN");
	for (int i = 1; i <= 1000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "/%d", i);
		fixture_dir(i, 0, name, 1, i);
	}
	sql("COMMIT");
	c->map = load();
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&ids[i], NULL, claim_run, c), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	ck_assert_int_eq(c->wrong, 0);
	for (int i = 0; i < 1000; i++) {
		if (c->claimed[i] != 1)
			ck_abort_msg("directory %d was claimed %d times", i, c->claimed[i]);
		if (dirmap_claim(dirmap_by_id(c->map, i + 1)))
			ck_abort_msg("directory %d was claimed again", i);
	}
	for (int i = 1; i <= THREADS * 1000; i++) {
		if (c->ids[i] != 1)
			ck_abort_msg("number %d was taken %d times", i, c->ids[i]);
	}
	dirmap_free(c->map);
	free(c);
}
END_TEST

/* Tops, and three levels of names in each; numbers are far apart, and those of parents come later. */
START_TEST(finds_trash)
{
	static const char *const tops[] = { "/", "/home/u/Trash", "/mnt/\376/Trash/files", "/mnt/.Trash-1/x", "/mnt/.Trashed" };
	static const char *const names[] = { "Trash", "files", ".Trash", ".Trash-\376", ".Trash\n", "files\377", ".trash" };
	enum { N = N_ROWS(names), LEVELS = 3 };
	const int64_t step = SCHEMA_MAX_ID / 4096;
	struct contents_without trash = { 0 };
	struct dirs dirs = { .db = fixture_ix->db };
	struct err err = { 0 };
	struct dirmap *map;
	int64_t id = 4095, up[N_ROWS(tops) * N * N + N_ROWS(tops)];
	size_t n = 0, all, met = 0;

	sql("BEGIN");
	for (int i = 0; i < N_ROWS(tops); i++, id--)
		fixture_dir(up[n++] = id * step, 0, tops[i], 1, id);
	all = n;
	for (int level = 1; level < LEVELS; level++) {
		int64_t below[N_ROWS(up)];
		size_t n_below = 0;

		for (size_t i = 0; i < n; i++) {
			for (int j = 0; j < N; j++, id--)
				fixture_dir(below[n_below++] = id * step, up[i], names[j], 1, id);
		}
		memcpy(up, below, n_below * sizeof(*up));
		all += n = n_below;
	}
	map = load();
	ck_assert_uint_eq(dirmap_count(map), all);
	dirmap_find_trash(map, &trash);
	for (int64_t i = id + 1; i < 4096; i++) {
		const struct dirs_prefix *p = dirs_prefix(&dirs, i * step, &err);
		const bool is = met < trash.dirs.n && trash.dirs.v[met] == i * step;

		if (p == NULL || is != ((p->fleeting & FLEETING_TRASH) != 0))
			ck_abort_msg("%s", p != NULL ? p->text : err.text);
		met += is;
	}
	ck_assert_uint_gt(met, 0);
	ck_assert_uint_eq(met, trash.dirs.n);
	vec_release(&trash.dirs);
	dirs_release(&dirs);
	dirmap_free(map);
}
END_TEST

Suite *
suite_dirmap(void)
{
	Suite *s = suite_create("dirmap");
	TCase *tc = tcase_create("dirmap");

	tcase_add_checked_fixture(tc, fixture_index_setup, fixture_index_teardown);
	tcase_add_test(tc, finds);
	tcase_add_test(tc, empty);
	tcase_add_test(tc, digests);
	tcase_add_test(tc, inode_twice);
	tcase_add_test(tc, inode_again);
	tcase_add_test(tc, moves);
	tcase_add_test(tc, grows);
	tcase_add_test(tc, deep);
	tcase_add_loop_test(tc, circles, 0, 2);
	tcase_add_test(tc, by_path);
	tcase_add_test(tc, claims_once);
	tcase_add_test(tc, finds_trash);
	suite_add_tcase(s, tc);
	return s;
}
