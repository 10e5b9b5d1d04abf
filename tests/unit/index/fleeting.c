/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <sqlite3.h>

#include "db/db.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "fixture.h"
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

/* Start points of trees, and what lies in them: at each place two levels of all names, and a deep one. */
static const char *const tops[] = {
	"/", "/tmp", "/tmpfs", "/var", "/var/tmp/x", "/home/u/.cache/app", "/home/u/.cache", "/home/u/Trash", "/home/u/Trash/files",
	"/home/u/.Trash-1000/files/deep", "/home/u/.Trashed", "/pool/.zfs", "/pool/.zfs/snapshot/monday", "/run/timeshift",
	"/run/timeshift-btrfs/snapshots", "/mnt/\376/.snapshots/1", "/mnt/\376/Trash", "/mnt/\376.cache", "/mnt/.cache\n", "/mnt/\\xff/.zfs",
};
static const char *const names[] = {
	".cache", ".Cache", ".cache ", ".cache\n", ".cache\377", "\377.cache", "\\.cache", "cache", "*", "?", "[.]cache", ".Trash", ".Trash-",
	".Trash-1000", ".Trash-\376\n", ".Trash1", ".trash", "Trash", "files", "files\n", "tmp", "var", "tmp\377", ".snapshots", ".zfs",
	"snapshot", "timeshift", "timeshift-btrfs", "snapshots", "\\x2ecache", "'; --", "\303\251",
};

/* Tags that make a cache, or are none. */
static const struct {
	const char *name;
	int64_t size;
	bool has_hash;
} tags[] = {
	{ "CACHEDIR.TAG", 43, true }, { "CACHEDIR.TAG", 1024, false }, { "CACHEDIR.TAG", 42, true }, { "CACHEDIR.TAG", 1025, false },
	{ "cachedir.tag", 43, true }, { "CACHEDIR.TAG\377", 100, false },
};

/* Make a directory; a few have a tag, or lie on another volume. */
static int64_t
place_make(int64_t parent, const char *name)
{
	static int64_t last;
	struct err err = { 0 };
	const int64_t id = ++last, tag = id % 37;

	fixture_dir(id, parent, name, id % 29 == 0 ? 1 + id % 6 : 1, id);
	if (tag < N_ROWS(tags)) {
		const struct file_row row = {
			.dir = id, .name = tags[tag].name, .name_len = strlen(tags[tag].name), .size = tags[tag].size, .inode = { 1, id }, .nlink = 1,
			.has_hash = tags[tag].has_hash,
		};

		if (file_put(fixture_ix->db, &row, &err) < 0)
			ck_abort_msg("%s", err.text);
	}
	return id;
}

static int64_t
places_make(void)
{
	int64_t last = 0;

	for (int i = 0; i < N_ROWS(tops); i++) {
		int64_t deep = place_make(0, tops[i]);

		for (int j = 0; j < N_ROWS(names); j++) {
			const int64_t dir = place_make(deep, names[j]);

			for (int k = 0; k < N_ROWS(names); k++)
				last = place_make(dir, names[k]);
		}
		for (int j = 0; j < 40; j++)
			deep = last = place_make(last, names[(i * 7 + j * j * 5) % N_ROWS(names)]);
	}
	return last;
}

/* Read the reasons that the view has of each directory, and return how many rows it has. */
static int64_t
view_read(unsigned *why, int64_t n)
{
	static const char *const reasons[FLEETING_REASONS] = { "trash", "memory", "cache", "temporary", "snapshot", "shared" };
	int64_t rows = 0;
	sqlite3_stmt *s;

	ck_assert_int_eq(sqlite3_db_config(fixture_ix->db->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 1, NULL), SQLITE_OK);
	ck_assert_int_eq(sqlite3_prepare_v2(fixture_ix->db->handle, "SELECT dir_id, why FROM fleeting_view", -1, &s, NULL), SQLITE_OK);
	for (; sqlite3_step(s) == SQLITE_ROW; rows++) {
		const int64_t dir = sqlite3_column_int64(s, 0);
		const char *text = (const char *)sqlite3_column_text(s, 1);
		unsigned bit = 0;

		while (bit < FLEETING_REASONS && strcmp(reasons[bit], text) != 0)
			bit++;
		if (bit == FLEETING_REASONS || dir < 1 || dir > n || (why[dir] & 1U << bit) != 0)
			ck_abort_msg("a row more, or another one: %lld, %s", (long long)dir, text);
		why[dir] |= 1U << bit;
	}
	sqlite3_finalize(s);
	return rows;
}

START_TEST(view_says_the_same)
{
	struct err err = { 0 };
	struct dirs dirs = { .db = fixture_ix->db };
	const struct dirs_prefix *p;
	int64_t n;
	unsigned *why, all = 0;

	unsetenv("TMPDIR");
	ck_assert_int_eq(sqlite3_exec(fixture_ix->db->handle,
	                              "BEGIN; INSERT INTO volume (id, key, type) VALUES (1, 'ext4:1', 'ext4'), (2, 'tmpfs:a /a', 'tmpfs'),"
	                              " (3, 'ramfs:b /b', 'ramfs'), (4, 'ext4:tmpfs', 'ext4'), (5, 'ext4:5', 'ext4'), (6, 'ext4:6', 'ext4');"
	                              " INSERT INTO meta VALUES ('ground.5', 'tmpfs:c /c'), ('ground.6', 'ext4:tmpfs:'),"
	                              " ('shared.7', -1), ('shared.12', -1), ('shared.400', 70000)", NULL, NULL, NULL),
	                 SQLITE_OK);
	n = places_make();
	why = calloc((size_t)n + 1, sizeof(*why));
	ck_assert_int_gt(view_read(why, n), n / 10);
	for (int64_t dir = 1; dir <= n; dir++) {
		p = dirs_prefix(&dirs, dir, &err);
		if (p == NULL || p->fleeting != why[dir])
			ck_abort_msg("%s: %x, and the view says %x", p != NULL ? p->text : err.text, p != NULL ? p->fleeting : 0, why[dir]);
		all |= why[dir];
	}
	ck_assert_uint_eq(all, (1U << FLEETING_REASONS) - 1);
	dirs_release(&dirs);
	free(why);
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
	tc = tcase_create("view");
	tcase_add_checked_fixture(tc, fixture_index_setup, fixture_index_teardown);
	tcase_add_test(tc, view_says_the_same);
	suite_add_tcase(s, tc);
	return s;
}
