/* SPDX-License-Identifier: MIT */
/* The first rows of an index: what was taken is in the table, and nothing else. */
#include "base/base.h"

#include <sqlite3.h>

#include "db/db.h"
#include "db/stmt.h"
#include "fixture.h"
#include "index/file.h"
#include "index/index.h"
#include "bulk/bulk.h"
#include "unit.h"

static struct bulk *load;
static struct err err;

static void
setup(void)
{
	fixture_index_setup();
	load = bulk_new(0);
	ck_assert_int_eq(db_begin(fixture_ix->db, &err), 0);
	/* With a log. */
	ck_assert_int_eq(bulk_begin_rows(load, fixture_ix->db, &err), 0);
	ck_assert_int_eq(db_renew_exclusive(fixture_ix->db, &err), 0);
	ck_assert_int_eq(db_end(fixture_ix->db, 0, &err), 0);
	/* What begins now may share the file. */
	ck_assert_int_eq(bulk_begin_rows(load, fixture_ix->db, &err), 0);
	ck_assert_int_eq(db_begin(fixture_ix->db, &err), 0);
	ck_assert_int_eq(bulk_begin_rows(load, fixture_ix->db, &err), 1);
}

static void
teardown(void)
{
	bulk_free(load);
	ck_assert_int_eq(db_end(fixture_ix->db, 0, &err), 0);
	fixture_index_teardown();
}

static struct file_row
row(int64_t dir, const char *name)
{
	return (struct file_row){ .dir = dir, .name = name, .name_len = strlen(name), .size = 5, .nlink = 1 };
}

static int
add(int64_t dir, const char *name)
{
	const struct file_row r = row(dir, name);

	return bulk_add_row(load, &r, &err);
}

/* A name of so many bytes. */
static const char *
longest(size_t len)
{
	static char name[4096];

	memset(name, 'x', len);
	name[len] = '\0';
	return name;
}

/* In the order of directories, then of names' bytes; a name is taken once. */
START_TEST(takes_what_is_next)
{
	struct file_row bad = row(3, "d");

	bad.error = 5;
	ck_assert_int_eq(add(3, "b"), 1);
	ck_assert_int_eq(add(3, "b"), 0);
	ck_assert_int_eq(add(3, "a"), 0);
	ck_assert_int_eq(add(3, "bb"), 1);
	ck_assert_int_eq(add(3, "b"), 0);
	ck_assert_int_eq(add(2, "c"), 0);
	ck_assert_int_eq(add(3, "c\xff"), 0);
	ck_assert_int_eq(add(3, "c"), 1);
	ck_assert_int_eq(add(3, longest(3000)), 0);
	ck_assert_int_eq(add(3, longest(2029)), 0);
	ck_assert_int_eq(bulk_add_row(load, &bad, &err), 0);
	ck_assert_int_eq(add(3, longest(1900)), 1);
	ck_assert_int_eq(add(3, "\xc3\xa9"), 1);
	ck_assert_int_eq(add(4, "a"), 1);
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file"), "0");
	ck_assert_int_eq(bulk_end_rows(load, &err), 0);
	ck_assert_str_eq(fixture_ask("SELECT group_concat(dir || substr(name, 1, 4), ' ') FROM file"), "3b 3bb 3c 3xxxx 3\xc3\xa9 4a");
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
	ck_assert_str_eq(fixture_ask("PRAGMA freelist_count"), "1");
}
END_TEST

START_TEST(nothing)
{
	ck_assert_int_eq(bulk_end_rows(load, &err), 0);
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file"), "0");
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
}
END_TEST

/* Numbers as long as they can be. */
START_TEST(keeps_values)
{
	static const int64_t numbers[] = {
		0, 1, 2, -1, 127, 128, -128, -129, 32767, 32768, -32768, -32769, 8388607, 8388608, -8388608, -8388609,
		INT32_MAX, (int64_t)INT32_MAX + 1, INT32_MIN, (int64_t)INT32_MIN - 1, 140737488355327, 140737488355328,
		-140737488355328, -140737488355329, INT64_MAX, INT64_MIN
	};
	struct file_row put[N_ROWS(numbers)], got;
	char names[N_ROWS(numbers)][16];

	for (int i = 0; i < N_ROWS(numbers); i++) {
		const int64_t n = numbers[i];

		snprintf(names[i], sizeof(names[i]), "%03d", i);
		put[i] = row(7, names[i]);
		put[i].size = n & INT64_MAX;
		put[i].blocks = put[i].inode.volume = put[i].inode.number = put[i].nlink = put[i].head = n;
		put[i].mtime = (struct fs_time){ n, 999999999 };
		put[i].ctime = (struct fs_time){ n, i % 4 == 1 ? 999999999 : i };
		/* Some rows end early. */
		if (i % 6 == 3) {
			put[i].blocks = file_usual_blocks(put[i].size);
			put[i].nlink = 1;
		}
		put[i].has_head = i % 2 == 0;
		put[i].has_hash = i % 3 == 0;
		memset(put[i].hash, i, HASH_SIZE);
		put[i].racy = i % 5 == 0;
		put[i].verified = i % 7 == 0 ? n : 0;
		ck_assert_int_eq(bulk_add_row(load, &put[i], &err), 1);
	}
	ck_assert_int_eq(bulk_end_rows(load, &err), 0);
	for (int i = 0; i < N_ROWS(numbers); i++) {
		const struct file_row *p = &put[i];

		ck_assert_int_eq(file_get(fixture_ix->db, 7, names[i], 3, &got, &err), 1);
		if (got.size != p->size || got.blocks != p->blocks || !inode_same(got.inode, p->inode) ||
		    got.nlink != p->nlink || got.has_head != p->has_head || (p->has_head && got.head != p->head) ||
		    fs_time_cmp(got.mtime, p->mtime) != 0 || fs_time_cmp(got.ctime, p->ctime) != 0 || got.racy != p->racy ||
		    got.has_hash != p->has_hash || (p->has_hash && memcmp(got.hash, p->hash, HASH_SIZE) != 0) ||
		    got.verified != p->verified || got.error != 0)
			ck_abort_msg("row %d", i);
	}
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file WHERE name_raw IS NULL AND typeof(name) = 'text' AND typeof(racy) = 'integer'"), "26");
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
}
END_TEST

/* Begin anew with rows that wait until there are enough. */
static void
begin_held(size_t enough)
{
	ck_assert_int_eq(bulk_end_rows(load, &err), 0);
	bulk_free(load);
	load = bulk_new(enough);
	ck_assert_int_eq(bulk_begin_rows(load, fixture_ix->db, &err), 1);
}

/* Of fewer rows than are enough SQLite makes the table: its root stays. */
START_TEST(few_go_by_sqlite)
{
	char root[32];

	begin_held(4);
	snprintf(root, sizeof(root), "%s", fixture_ask("SELECT rootpage FROM sqlite_schema WHERE name = 'file'"));
	ck_assert_int_eq(add(3, "b"), 1);
	ck_assert_int_eq(add(3, "a"), 0);
	ck_assert_int_eq(add(3, longest(3000)), 1);
	ck_assert_int_eq(add(4, "a"), 1);
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file"), "0");
	ck_assert_int_eq(bulk_end_rows(load, &err), 0);
	ck_assert_str_eq(fixture_ask("SELECT group_concat(dir || substr(name, 1, 4), ' ') FROM file"), "3b 3xxxx 4a");
	ck_assert_str_eq(fixture_ask("SELECT rootpage FROM sqlite_schema WHERE name = 'file'"), root);
	ck_assert(!bulk_refused(load));
}
END_TEST

/* Those that waited go first, but for one that no page has room for. */
START_TEST(enough_make_a_tree)
{
	char root[32];

	begin_held(3);
	snprintf(root, sizeof(root), "%s", fixture_ask("SELECT rootpage FROM sqlite_schema WHERE name = 'file'"));
	ck_assert_int_eq(add(3, "b"), 1);
	ck_assert_int_eq(add(3, longest(3000)), 1);
	ck_assert_int_eq(add(4, "a"), 1);
	ck_assert_int_eq(add(4, longest(3000)), 0);
	ck_assert_int_eq(add(4, "b"), 1);
	ck_assert_int_eq(bulk_end_rows(load, &err), 0);
	ck_assert_str_eq(fixture_ask("SELECT group_concat(dir || substr(name, 1, 4), ' ') FROM file"), "3b 3xxxx 4a 4b");
	ck_assert_str_ne(fixture_ask("SELECT rootpage FROM sqlite_schema WHERE name = 'file'"), root);
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
}
END_TEST

/* The file can't have a tree after all: what waited is not lost, and no more is taken. */
START_TEST(too_late)
{
	begin_held(2);
	ck_assert_int_eq(add(3, "b"), 1);
	ck_assert_int_eq(db_renew_published(fixture_ix->db, &err), 0);
	ck_assert_int_eq(add(3, "c"), 1);
	ck_assert_int_eq(add(3, "d"), 0);
	ck_assert_int_eq(bulk_end_rows(load, &err), 0);
	ck_assert_str_eq(fixture_ask("SELECT group_concat(name) FROM file"), "b,c");
}
END_TEST

/* What unread rows get later finds room: else every page would be divided in two. */
START_TEST(leaves_room)
{
	char name[16];
	int64_t before, after;

	for (int i = 0; i < 20000; i++) {
		struct file_row r;

		snprintf(name, sizeof(name), "%06d", i);
		r = row(1, name);
		ck_assert_int_eq(bulk_add_row(load, &r, &err), 1);
	}
	ck_assert_int_eq(bulk_end_rows(load, &err), 0);
	before = atoll(fixture_ask("PRAGMA page_count"));
	ck_assert_int_eq(sqlite3_exec(fixture_ix->db->handle, "UPDATE file SET hash = zeroblob(16)", NULL, NULL, NULL), SQLITE_OK);
	after = atoll(fixture_ask("PRAGMA page_count"));
	ck_assert_int_gt(before, 100);
	ck_assert_int_eq(after, before);
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
}
END_TEST

Suite *
suite_bulk(void)
{
	Suite *s = suite_create("bulk");
	TCase *tc = tcase_create("load");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, takes_what_is_next);
	tcase_add_test(tc, nothing);
	tcase_add_test(tc, keeps_values);
	tcase_add_test(tc, few_go_by_sqlite);
	tcase_add_test(tc, enough_make_a_tree);
	tcase_add_test(tc, too_late);
	tcase_add_test(tc, leaves_room);
	suite_add_tcase(s, tc);
	return s;
}
