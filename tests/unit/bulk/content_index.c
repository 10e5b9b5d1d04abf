/* SPDX-License-Identifier: MIT */
/* The indexes on contents: those made of notes are what SQLite would have made of the rows. */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/db.h"
#include "db/stmt.h"
#include "fixture.h"
#include "bulk/content_index.h"
#include "index/file.h"
#include "index/index.h"
#include "unit.h"

static struct content_index ci;

static void
setup(void)
{
	struct err err = { 0 };

	fixture_index_setup();
	ck_assert_int_eq(db_begin(fixture_ix->db, &err), 0);
	ck_assert_int_eq(db_renew_exclusive(fixture_ix->db, &err), 0);
}

static void
teardown(void)
{
	struct err err = { 0 };

	content_index_release(&ci);
	memset(&ci, 0, sizeof(ci));
	ck_assert_int_eq(db_end(fixture_ix->db, -1, &err), -1);
	fixture_index_teardown();
}

/* Write a row; the hash is filled with one byte, or there is none (-1). */
static size_t
put(const char *name, int64_t dir, int64_t size, int64_t inode, int64_t volume, int hash)
{
	struct file_row row = { .dir = dir, .name = name, .name_len = strlen(name), .size = size, .inode.number = inode,
	                        .inode.volume = volume, .nlink = 1, .has_hash = hash >= 0 };
	struct err err = { 0 };

	memset(row.hash, hash, HASH_SIZE);
	ck_assert_msg(file_put(fixture_ix->db, &row, &err) == 0, "%s", err.text);
	return content_index_note(&ci, &row);
}

/* Make the indexes: of the notes, or not. */
static void
make(bool of_notes)
{
	struct err err = { 0 };
	const int ret = content_index_make(&ci, fixture_ix->db, &err);

	ck_assert_msg(ret == of_notes, "%d: %s", ret, err.text);
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM sqlite_schema WHERE name = 'reserved'"), "0");
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name IN ('file_content', 'file_unread')"), "2");
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
}

/* Numbers at both ends, equal contents with names in any order, names that are no text. */
START_TEST(is_as_sqlite_makes_it)
{
	static const int64_t numbers[] = { 0, 1, 2, 127, 128, 255, 256, UINT32_MAX - 1, UINT32_MAX, (int64_t)UINT32_MAX + 1, INT64_MAX };
	char name[16];
	int n = 0;

	for (int i = 0; i < N_ROWS(numbers); i++) {
		for (int j = 0; j < N_ROWS(numbers); j++) {
			for (int hash = -1; hash < 256; hash += 64) {
				snprintf(name, sizeof(name), "%d", (n++ * 7919) % 1000000);
				put(name, 1 + n % 3, numbers[i], numbers[j], 1 + n % 2, hash);
			}
		}
	}
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "%c\xff%d", 'a' + i * 7 % 26, i);
		put(name, 5, 1000, -1 - i % 5, 1, i % 2 - 1);
	}
	make(true);
}
END_TEST

START_TEST(is_made_of_nothing)
{
	make(true);
}
END_TEST

/* What the rows became after they were noted. */
START_TEST(notes_what_becomes_of_rows)
{
	static const uint8_t hash[HASH_SIZE] = { 7 };
	struct file_row row = { .dir = 1, .name = "b", .name_len = 1, .size = 77, .inode = { 2, 9 }, .nlink = 1 };
	size_t a = put("a", 1, 5, 1, 1, -1), b = put("b", 1, 5, 2, 1, 3);
	struct err err = { 0 };
	struct stmt st = stmt_get(fixture_ix->db, SQL_FILE_SET_CONTENT, &err);

	stmt_int(&st, ":dir", 1);
	stmt_text(&st, ":name", "a", 1);
	stmt_blob(&st, ":hash", hash, HASH_SIZE);
	stmt_int(&st, ":racy", 0);
	ck_assert_int_eq(stmt_run(&st), 0);
	content_index_read(&ci, a, hash);
	ck_assert_int_eq(file_put(fixture_ix->db, &row, &err), 0);
	content_index_change(&ci, b, &row);
	make(true);
	ck_assert_str_eq(fixture_ask("SELECT group_concat(name) FROM (SELECT name FROM file INDEXED BY file_unread WHERE size = 77 AND hash IS NULL)"), "b");
}
END_TEST

/* Statements that were prepared before, the scan's, keep the new indexes up. */
START_TEST(is_kept_up)
{
	put("a", 1, 5, 1, 1, 3);
	put("b", 1, 6, 2, 1, -1);
	make(true);
	put("c", 1, 5, 3, 1, 3);
	put("a", 1, 9, 1, 1, -1);
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file INDEXED BY file_content WHERE size = 5 AND hash IS NOT NULL"), "1");
}
END_TEST

/* Rows that nobody noted, or that are gone, and numbers that a note has no room for. */
START_TEST(distrusts_notes)
{
	struct file_row row = { .dir = 1, .name = "x", .name_len = 1, .size = 1, .nlink = 1 };
	char name[401] = "";
	struct err err = { 0 };

	put("a", 1, 5, 1, 1, 3);
	switch (_i) {
	case 0:
		ck_assert_int_eq(file_put(fixture_ix->db, &row, &err), 0);
		break;
	case 1:
		ck_assert_int_eq(file_delete(fixture_ix->db, 1, "a", 1, &err), 0);
		break;
	case 2:
		put("a", 1, 6, 1, 1, 3);
		break;
	case 3:
		put("b", (int64_t)1 << 40, 5, 1, 1, 3);
		break;
	case 4:
		put("b", 1, 5, 1, (int64_t)1 << 40, 3);
		break;
	case 5:
		memset(name, '\xff', sizeof(name) - 1);
		put(name, 1, 5, 1, 1, 3);
		break;
	default:
		ci.incomplete = true;
		break;
	}
	make(false);
}
END_TEST

/* Names of some contents, and what that makes: a letter for each name, its content; a large one is another name of the inode before. */
static const struct {
	const char *names;
	int64_t size, sets, redundant;
} contents[] = {
	{ "", 1, 0, 0 }, { "a", 10, 0, 0 }, { "aa", 10, 1, 10 }, { "ab", 10, 0, 0 }, { "aaaa", 10, 1, 30 }, { "abab", 7, 2, 14 },
	{ "aabbbcdddd", 3, 3, 18 }, { "abcdefghij", 1, 0, 0 }, { "aa", INT64_MAX, 1, INT64_MAX }, { "aaaa", INT64_MAX, 1, INT64_MAX },
	{ "aA", 10, 0, 0 }, { "aAAaAbB", 10, 1, 10 }, { "aAbBaA", 10, 1, 10 }
};

START_TEST(counts_contents)
{
	char name[16];
	int inode = 0;

	for (int i = 0; contents[_i].names[i] != '\0'; i++) {
		const char c = contents[_i].names[i];

		inode += c >= 'a';
		snprintf(name, sizeof(name), "%d", i);
		put(name, 1, contents[_i].size, inode, 1, c | 0x20);
	}
	/* Nor do these have anything to do with it. */
	put("x", 1, contents[_i].size, 1000, 1, -1);
	put("y", 1, 77, 1000, 1, 'a');
	make(true);
	ck_assert(ci.counted);
	ck_assert_int_eq(ci.count.sets, contents[_i].sets);
	ck_assert_int_eq(ci.count.redundant, contents[_i].redundant);
}
END_TEST

/* An inode of one number on two volumes is two; a hash that differs in its last byte is another. */
START_TEST(contents_differ)
{
	struct file_row row = { .dir = 1, .name = "c", .name_len = 1, .size = 9, .inode = { 1, 1 }, .nlink = 1, .has_hash = true };
	struct err err = { 0 };

	put("a", 1, 5, 1, 1, 3);
	put("b", 1, 5, 1, 2, 3);
	ck_assert_int_eq(file_put(fixture_ix->db, &row, &err), 0);
	content_index_note(&ci, &row);
	row.hash[HASH_SIZE - 1] = 1, row.name = "d", row.inode.number = 2;
	ck_assert_int_eq(file_put(fixture_ix->db, &row, &err), 0);
	content_index_note(&ci, &row);
	make(true);
	ck_assert_int_eq(ci.count.sets, 1);
	ck_assert_int_eq(ci.count.redundant, 5);
}
END_TEST

/* With a log pages lie elsewhere. */
START_TEST(is_made_of_rows_with_a_log)
{
	struct err err = { 0 };

	put("a", 1, 5, 1, 1, 3);
	ck_assert_int_eq(db_end(fixture_ix->db, 0, &err), 0);
	ck_assert_int_eq(db_publish(fixture_ix->db, &err), 0);
	ck_assert_int_eq(db_begin(fixture_ix->db, &err), 0);
	make(false);
}
END_TEST

/* The file of the log, which is another one when the index was taken in between. */
static uint64_t
log_inode(void)
{
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), "%s-wal", fixture_ix->path);
	return stat(path, &st) == 0 ? (uint64_t)st.st_ino : 0;
}

/* An index that others may read is taken only to write pages, and shared again at once. */
START_TEST(takes_the_index_only_for_pages)
{
	struct err err = { 0 };
	char path[128];
	uint64_t before;
	int fd;

	put("a", 1, 5, 1, 1, 3);
	put("b", 1, 6, 2, 1, -1);
	/* Few are left to SQLite. */
	for (int i = 0; i < (_i == 2 ? 97 : 98); i++) {
		char name[16];

		snprintf(name, sizeof(name), "c%02d", i);
		put(name, 1, 7 + i, 3 + i, 1, -1);
	}
	ci.incomplete = _i == 0;
	ck_assert_int_eq(db_end(fixture_ix->db, 0, &err), 0);
	ck_assert_int_eq(db_publish(fixture_ix->db, &err), 0);
	ck_assert_int_eq(db_begin(fixture_ix->db, &err), 0);
	before = log_inode();
	ck_assert_uint_ne(before, 0);
	/* As long as it is open no other file gets its number. */
	snprintf(path, sizeof(path), "%s-wal", fixture_ix->path);
	fd = open(path, O_RDONLY);
	ck_assert_msg(content_index_finish(&ci, fixture_ix, NULL, &err) == 0, "%s", err.text);
	ck_assert_int_ne(fixture_ix->db->mode, DB_MODE_EXCLUSIVE);
	ck_assert(fixture_ix->content_index);
	ck_assert(ci.counted == (_i == 1));
	ck_assert((log_inode() == before) == (_i != 1));
	close(fd);
}
END_TEST

Suite *
suite_content_index(void)
{
	Suite *s = suite_create("content_index");
	TCase *tc = tcase_create("content_index");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, is_as_sqlite_makes_it);
	tcase_add_test(tc, is_made_of_nothing);
	tcase_add_test(tc, notes_what_becomes_of_rows);
	tcase_add_test(tc, is_kept_up);
	tcase_add_loop_test(tc, distrusts_notes, 0, 7);
	tcase_add_loop_test(tc, counts_contents, 0, N_ROWS(contents));
	tcase_add_test(tc, contents_differ);
	tcase_add_test(tc, is_made_of_rows_with_a_log);
	tcase_add_loop_test(tc, takes_the_index_only_for_pages, 0, 3);
	suite_add_tcase(s, tc);
	return s;
}
