/* SPDX-License-Identifier: MIT */
/* The four iterations over rows of one size, ended early, at their end, and by a damaged row. */
#include "base/base.h"

#include <sqlite3.h>

#include "db/db.h"
#include "fixture.h"
#include "index/file.h"
#include "index/index.h"
#include "index/names.h"
#include "unit.h"

static const uint8_t content[HASH_SIZE] = { 7 }, other[HASH_SIZE] = { 8 };

/* Which iterations give a file, as a set of bits. */
enum { CONTENT = 1, INODE = 2, LINKED = 4, UNREAD = 8 };

static const struct {
	const char *name;
	int64_t size, volume, inode, nlink;
	const uint8_t *hash;
	int in;
} files[] = {
	{ "a", 10, 1, 1, 1, content, CONTENT },
	{ "b", 10, 1, 2, 2, content, CONTENT | LINKED },
	{ "c", 10, 1, 3, 2, other, LINKED },
	{ "d", 10, 1, 5, 1, NULL, INODE | UNREAD },
	{ "e", 10, 1, 5, 2, NULL, INODE | UNREAD },
	{ "f", 10, 2, 5, 1, NULL, UNREAD },
	{ "g", 10, 1, 5, 1, other, 0 },
	{ "h", 11, 1, 5, 2, NULL, 0 },
	{ "i", 11, 1, 6, 2, content, 0 },
};

static void
setup(void)
{
	struct err err = { 0 };

	fixture_index_setup();
	fixture_dir(1, 0, "/d", 1, 100);
	for (size_t i = 0; i < N_ROWS(files); i++) {
		struct file_row row = { .dir = 1, .name = files[i].name, .name_len = 1, .size = files[i].size,
		                        .inode = { files[i].volume, files[i].inode }, .nlink = files[i].nlink,
		                        .has_hash = files[i].hash != NULL };

		if (row.has_hash)
			memcpy(row.hash, files[i].hash, HASH_SIZE);
		ck_assert_msg(file_put(fixture_ix->db, &row, &err) == 0, "%s", err.text);
	}
}

static struct names
begin(int which, struct err *err)
{
	switch (which) {
	case CONTENT:
		return names_of_content(fixture_ix->db, 10, content, err);
	case INODE:
		return names_of_inode(fixture_ix, 10, (struct inode){ 1, 5 }, err);
	case LINKED:
		return names_linked(fixture_ix->db, 10, err);
	default:
		return names_unread(fixture_ix->db, 10, err);
	}
}

/* How many names an iteration gives, each of which must belong to it. */
static size_t
count(int which)
{
	struct err err = { 0 };
	struct names names = begin(which, &err);
	struct file_row row;
	size_t n = 0;
	int ret;

	while ((ret = names_next(&names, &row)) == 1) {
		ck_assert_uint_eq(row.name_len, 1);
		ck_assert_msg((files[row.name[0] - 'a'].in & which) != 0, "%s in %d", row.name, which);
		n++;
	}
	ck_assert_msg(ret == 0, "%s", err.text);
	return n;
}

START_TEST(each_gives_its_own)
{
	const int which = 1 << _i;
	size_t want = 0;

	for (size_t i = 0; i < N_ROWS(files); i++)
		want += (files[i].in & which) != 0;
	ck_assert_uint_eq(count(which), want);
}
END_TEST

START_TEST(ended_early_begins_anew)
{
	const int which = 1 << _i;
	const size_t want = count(which);
	struct err err = { 0 };
	struct names names = begin(which, &err);
	struct file_row row;

	ck_assert_int_eq(names_next(&names, &row), 1);
	names_end(&names);
	names_end(&names);
	ck_assert_uint_eq(count(which), want);
}
END_TEST

START_TEST(damaged_row_ends_it)
{
	const int which = 1 << _i;
	const size_t want = count(which);
	struct err err = { 0 };
	struct names names;
	struct file_row row;
	size_t n = 0;
	int ret;

	sqlite3_exec(fixture_ix->db->handle, "PRAGMA ignore_check_constraints = 1; SAVEPOINT damage;"
	             "UPDATE file SET name = name || '/' WHERE name IN ('b', 'd')", NULL, NULL, NULL);
	names = begin(which, &err);
	while ((ret = names_next(&names, &row)) == 1)
		n++;
	ck_assert_int_eq(ret, -1);
	ck_assert_int_eq(err.code, ERR_BAD_INDEX);
	ck_assert_uint_lt(n, want);
	/* It holds nothing any more: what it read can be undone, and read again. */
	ck_assert_int_eq(sqlite3_exec(fixture_ix->db->handle, "ROLLBACK TO damage; RELEASE damage", NULL, NULL, NULL), SQLITE_OK);
	ck_assert_uint_eq(count(which), want);
}
END_TEST

Suite *
suite_names(void)
{
	Suite *s = suite_create("names");
	TCase *tc = tcase_create("names");

	tcase_add_checked_fixture(tc, setup, fixture_index_teardown);
	tcase_add_loop_test(tc, each_gives_its_own, 0, 4);
	tcase_add_loop_test(tc, ended_early_begins_anew, 0, 4);
	tcase_add_loop_test(tc, damaged_row_ends_it, 0, 4);
	suite_add_tcase(s, tc);
	return s;
}
