/* SPDX-License-Identifier: MIT */
/*
 * Pages that are not what they seem, and an SQLite that refuses a step: whatever was wrong, the indexes hold all rows,
 * for SQLite has made them then, and no page of anything else was overwritten.
 */
#include "base/base.h"

#include <sqlite3.h>

#include "bulk/content_index.h"
#include "bulk/bulk.h"
#include "db/db.h"
#include "fixture.h"
#include "index/file.h"
#include "index/index.h"
#include "unit.h"

/* Rows of the table: their indexes have some ten leaves each. */
#define ROWS 1500
/* The page of SQLite's locks. */
#define PAGES_LOCK_PAGE 131073
/* Names so long that a leaf of rows has room for seven. */
#define LONG_NAME 1000

static sqlite3_vfs vfs, *real_vfs;
static sqlite3_io_methods methods;
static struct err err;

/* Which of the small reads gets which number in the place of a link or a header, and how many there were. */
static int wrong_at, n_small;
static uint32_t wrong;
/* Which step SQLite refuses, and how many there were. */
static int refused_at, n_steps;

/* A file of ours is one of theirs, behind its methods. */
struct disk_file {
	sqlite3_file base;
	sqlite3_file real[];
};

static sqlite3_file *
real(sqlite3_file *f)
{
	return ((struct disk_file *)(void *)f)->real;
}

static int
disk_close(sqlite3_file *f)
{
	return real(f)->pMethods->xClose(real(f));
}

/* SQLite itself reads whole pages, the header of the file, and its counter of changes. */
static int
disk_read(sqlite3_file *f, void *bytes, int n, sqlite3_int64 at)
{
	const int rc = real(f)->pMethods->xRead(real(f), bytes, n, at);
	uint8_t *link = (uint8_t *)bytes + (at % 8192 == 0 ? 0 : n - 4);

	if (rc != SQLITE_OK || n < 4 || n % 8192 == 0 || at < 8192 || n_small++ != wrong_at)
		return rc;
	for (int i = 0; i < 4; i++)
		link[i] = (uint8_t)(wrong >> 8 * (3 - i));
	return rc;
}

static int
disk_write(sqlite3_file *f, const void *bytes, int n, sqlite3_int64 at)
{
	return real(f)->pMethods->xWrite(real(f), bytes, n, at);
}

static int
disk_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	return real(f)->pMethods->xTruncate(real(f), size);
}

static int
disk_sync(sqlite3_file *f, int flags)
{
	(void)f;
	(void)flags;
	return SQLITE_OK;
}

static int
disk_size(sqlite3_file *f, sqlite3_int64 *size)
{
	return real(f)->pMethods->xFileSize(real(f), size);
}

static int
disk_lock(sqlite3_file *f, int level)
{
	return real(f)->pMethods->xLock(real(f), level);
}

static int
disk_unlock(sqlite3_file *f, int level)
{
	return real(f)->pMethods->xUnlock(real(f), level);
}

static int
disk_reserved(sqlite3_file *f, int *out)
{
	return real(f)->pMethods->xCheckReservedLock(real(f), out);
}

static int
disk_control(sqlite3_file *f, int op, void *arg)
{
	return real(f)->pMethods->xFileControl(real(f), op, arg);
}

static int
disk_sector(sqlite3_file *f)
{
	return real(f)->pMethods->xSectorSize(real(f));
}

static int
disk_device(sqlite3_file *f)
{
	return real(f)->pMethods->xDeviceCharacteristics(real(f));
}

static int
disk_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **p)
{
	return real(f)->pMethods->xShmMap(real(f), page, size, extend, p);
}

static int
disk_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
	return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
}

static void
disk_shm_barrier(sqlite3_file *f)
{
	real(f)->pMethods->xShmBarrier(real(f));
}

static int
disk_shm_unmap(sqlite3_file *f, int erase)
{
	return real(f)->pMethods->xShmUnmap(real(f), erase);
}

static int
disk_open(sqlite3_vfs *v, sqlite3_filename name, sqlite3_file *f, int flags, int *out)
{
	struct disk_file *d = (struct disk_file *)(void *)f;
	const int rc = real_vfs->xOpen(real_vfs, name, d->real, flags, out);

	(void)v;
	d->base.pMethods = rc == SQLITE_OK ? &methods : NULL;
	return rc;
}

/* Read the index through these, with rows and notes of them. */
static void
setup(void)
{
	methods = (sqlite3_io_methods){
		2, disk_close, disk_read, disk_write, disk_truncate, disk_sync, disk_size, disk_lock, disk_unlock, disk_reserved,
		disk_control, disk_sector, disk_device, disk_shm_map, disk_shm_lock, disk_shm_barrier, disk_shm_unmap, NULL, NULL
	};
	real_vfs = sqlite3_vfs_find(NULL);
	vfs = *real_vfs;
	vfs.zName = "disk";
	vfs.szOsFile += (int)sizeof(struct disk_file);
	vfs.xOpen = disk_open;
	sqlite3_vfs_register(&vfs, 1);
	wrong_at = refused_at = -1;
	fixture_index_setup();
	ck_assert_int_eq(db_begin(fixture_ix->db, &err), 0);
	ck_assert_int_eq(db_renew_exclusive(fixture_ix->db, &err), 0);
	ck_assert_int_eq(fixture_ix->db->mode, DB_MODE_EXCLUSIVE);
}

static void
teardown(void)
{
	ck_assert_int_eq(db_end(fixture_ix->db, 0, &err), 0);
	fixture_index_teardown();
	ck_assert_int_eq(sqlite3_vfs_unregister(&vfs), SQLITE_OK);
}

static void
sql(const char *text)
{
	if (sqlite3_exec(fixture_ix->db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", text, sqlite3_errmsg(fixture_ix->db->handle));
}

/* Row i: a third has a hash. */
static struct file_row
row(int i, char *name, int len)
{
	struct file_row r = { .dir = 1, .name = name, .name_len = (size_t)len, .size = 1 + i / 3, .inode = { 1, i }, .nlink = 1,
	                      .has_hash = i % 3 == 0, .hash = { (uint8_t)i } };

	snprintf(name, LONG_NAME + 1, "%0*d", len, i);
	return r;
}

/* Make the indexes of contents and take them back, with what is to go wrong.  Returns what content_index_make did. */
static int
make(void)
{
	const bool is_first = strcmp(fixture_ask("SELECT count(*) FROM file"), "0") == 0;
	struct content_index ci = { 0 };
	char name[LONG_NAME + 1];
	int ret;

	/* The rows stay for the next time: to put them takes longer than to index them. */
	for (int i = 0; i < ROWS; i++) {
		const struct file_row r = row(i, name, 20);

		if (is_first && file_put(fixture_ix->db, &r, &err) != 0)
			ck_abort_msg("row %d: %s", i, err.text);
		content_index_note(&ci, &r);
	}
	sql("SAVEPOINT try");
	n_small = n_steps = 0;
	ret = content_index_make(&ci, fixture_ix->db, &err);
	if (ret < 0)
		ck_abort_msg("read %d, %u, step %d: %s", wrong_at, wrong, refused_at, err.text);
	wrong_at = refused_at = -1;
	content_index_release(&ci);
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file INDEXED BY file_content WHERE hash IS NOT NULL"), "500");
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file INDEXED BY file_unread WHERE hash IS NULL"), "1000");
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM sqlite_schema WHERE name = 'reserved'"), "0");
	sql("ROLLBACK TO try; RELEASE try");
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
	return ret;
}

/*
 * A link, or a header, reads as another number: none, the first page, pages of tables and of the chain itself, one beyond the
 * end, the largest, the page of locks.
 */
START_TEST(link_is_wrong)
{
	static const uint32_t numbers[] = { 0, 1, 2, 5, 30, 40, 100000, UINT32_MAX, PAGES_LOCK_PAGE };
	int n;

	ck_assert_int_eq(make(), 1);
	n = n_small;
	ck_assert_int_gt(n, 10);
	for (int i = 0; i < n; i++) {
		wrong = numbers[i % N_ROWS(numbers)];
		wrong_at = i;
		make();
	}
}
END_TEST

/* Refuse the step whose turn it is: as an SQLite would that was built without it, or does not allow it. */
static int
refuse(void *arg, int action, const char *a, const char *b, const char *c, const char *d)
{
	(void)arg;
	(void)a;
	(void)b;
	(void)c;
	(void)d;
	/* Savepoints are how each transaction is made here; functions count. */
	if (action == SQLITE_READ || action == SQLITE_SELECT || action == SQLITE_FUNCTION || action == SQLITE_SAVEPOINT)
		return SQLITE_OK;
	return n_steps++ == refused_at ? SQLITE_DENY : SQLITE_OK;
}

START_TEST(step_is_refused)
{
	int n, of_rows = 0;

	ck_assert_int_eq(make(), 1);
	sqlite3_set_authorizer(fixture_ix->db->handle, refuse, NULL);
	ck_assert_int_eq(make(), 1);
	n = n_steps;
	ck_assert_int_gt(n, 10);
	for (int i = 0; i < n; i++) {
		refused_at = i;
		of_rows += make() == 0;
	}
	sqlite3_set_authorizer(fixture_ix->db->handle, NULL, NULL);
	ck_assert_int_gt(of_rows, 10);
}
END_TEST

/* Rows that were on their way when a page was refused: it is told, and the file is as before. */
START_TEST(rows_are_refused)
{
	char name[LONG_NAME + 1];
	int refusals = 0;

	for (int at = 0; at < 900; at += at < 10 ? 9 : 400) {
		struct bulk *rows = bulk_new(0);
		int ret = 1;

		sql("SAVEPOINT try");
		wrong_at = -1;
		n_small = 0;
		ck_assert_int_eq(bulk_begin_rows(rows, fixture_ix->db, &err), 1);
		wrong_at = n_small + at;
		wrong = 3;
		for (int i = 0; ret == 1 && i < 4600; i++) {
			const struct file_row r = row(i, name, LONG_NAME);

			ret = bulk_add_row(rows, &r, &err);
		}
		if (ret == 1)
			ret = bulk_end_rows(rows, &err);
		ck_assert_msg(ret == (n_small > wrong_at ? -1 : 0), "read %d: %d: %s", at, ret, err.text);
		ck_assert(bulk_refused(rows) == (ret < 0));
		refusals += ret < 0;
		bulk_free(rows);
		wrong_at = -1;
		sql("ROLLBACK TO try; RELEASE try");
		ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
		ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file"), "0");
	}
	ck_assert_int_ge(refusals, 3);
}
END_TEST

/* SQLite's locks lie in the middle of a small file: the page there stays empty. */
static void
setup_pending_byte(void)
{
	/* Before any file is open; the page of the row in the table, or of its number. */
	sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, 8192 * 100);
	setup();
}

START_TEST(pending_byte)
{
	struct bulk *rows = bulk_new(0);
	char name[LONG_NAME + 1];

	ck_assert_int_eq(bulk_begin_rows(rows, fixture_ix->db, &err), 1);
	for (int i = 0; i < 4600; i++) {
		const struct file_row r = row(i, name, LONG_NAME);

		if (bulk_add_row(rows, &r, &err) != 1)
			ck_abort_msg("row %d: %s", i, err.text);
	}
	ck_assert_msg(bulk_end_rows(rows, &err) == 0, "%s", err.text);
	bulk_free(rows);
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
	ck_assert_str_eq(fixture_ask("SELECT count(*) FROM file"), "4600");
	sql("DELETE FROM file");
	ck_assert_str_eq(fixture_ask("PRAGMA integrity_check"), "ok");
	ck_assert_int_eq(make(), 1);
}
END_TEST

Suite *
suite_pages(void)
{
	Suite *s = suite_create("pages");
	TCase *tc = tcase_create("pages"), *pending = tcase_create("pending byte");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, link_is_wrong);
	tcase_add_test(tc, step_is_refused);
	tcase_add_test(tc, rows_are_refused);
	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(pending, setup_pending_byte, teardown);
	tcase_add_test(pending, pending_byte);
	suite_add_tcase(s, pending);
	return s;
}
