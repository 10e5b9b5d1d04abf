/* SPDX-License-Identifier: MIT */
/* The names of a size, by their heads. */
#include "base/base.h"

#include <sqlite3.h>

#include "db/db.h"
#include "index/file.h"
#include "index/index.h"
#include "query/unhashed_by_size.h"
#include "fixture.h"
#include "unit.h"

/*
 * Files 0 to 9 of size 9000: 0 and 5 have no head, the others the heads -1 to 3; a read one has
 * the head 1.
 */
static const char fill[] =
	"WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 10)"
	"INSERT INTO file " FILE_COLUMNS " SELECT 1, i, NULL, 9000, 8, 1, 100 - i, 1, 0, 0, 0, 0, CASE WHEN i % 5 > 0 THEN i % 5 - 2 END,"
	"  CASE WHEN i = 10 THEN zeroblob(16) END, 0, NULL, NULL FROM n";

static const struct {
	int size, has_head, head, read;
	unsigned want;           /* bits: the names that may be like it */
} rows[] = {
	{ 9000, 0, 0, 0, 0x3ff },
	{ 9000, 1, -1, 0, 0x63 },
	{ 9000, 1, 2, 0, 0x231 },
	{ 9000, 1, 3, 0, 0x21 },
	{ 9000, 1, -7, 0, 0x21 },
	{ 9001, 0, 0, 0, 0x0 },
	{ 9000, 0, 0, 1, 0x400 },
	{ 9000, 1, 1, 1, 0x400 },
};

START_TEST(finds)
{
	const struct file_row row = { .size = rows[_i].size, .has_head = rows[_i].has_head != 0, .head = rows[_i].head };
	const struct file_row *next;
	struct presence_view here = { .ix = fixture_ix };
	struct unhashed_by_size sized = { .here = &here };
	struct unhashed_by_size_names names;
	struct err err = { 0 };

	if (sqlite3_exec(fixture_ix->db->handle, fill, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s", sqlite3_errmsg(fixture_ix->db->handle));
	/* The second time from memory. */
	for (int i = 0; i < 2; i++) {
		unsigned got = 0;

		if (unhashed_by_size_begin(&sized, NULL, rows[_i].read != 0, &row, &names, &err) < 0)
			ck_abort_msg("%s", err.text);
		while ((next = unhashed_by_size_next(&names)) != NULL)
			got |= 1u << (100 - next->inode.number);
		ck_assert_uint_eq(got, rows[_i].want);
	}
	unhashed_by_size_release(&sized);
}
END_TEST

Suite *
suite_unhashed_by_size(void)
{
	Suite *s = suite_create("unhashed_by_size");
	TCase *c = tcase_create("sized");

	tcase_add_checked_fixture(c, fixture_index_setup, fixture_index_teardown);
	tcase_add_loop_test(c, finds, 0, N_ROWS(rows));
	suite_add_tcase(s, c);
	return s;
}
