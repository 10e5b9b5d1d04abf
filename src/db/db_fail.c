/* SPDX-License-Identifier: MIT */
/*
 * Hides what SQLite's errors mean: which are damage, a full or failing disk, or another process's
 * lock, and where the system's own cause was kept; declared in db.h.
 */
#include "base/base.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "db/db.h"
#include "sys/stop.h"

/* Fill err with the row, if any, and the formatted cause. */
static int __attribute__((format(printf, 4, 0)))
db_report_damage(const struct db *db, struct err *err, struct buf *row, const char *fmt, va_list ap)
{
	char cause[512];

	vsnprintf(cause, sizeof(cause), fmt, ap);
	err_set(err, ERR_BAD_INDEX, "index '%s' is damaged: %s%s", db->path, buf_str(row), cause);
	buf_release(row);
	return -1;
}

int
db_damaged(const struct db *db, struct err *err, const char *fmt, ...)
{
	struct buf row = { 0 };
	va_list ap;

	va_start(ap, fmt);
	db_report_damage(db, err, &row, fmt, ap);
	va_end(ap);
	return -1;
}

int
db_corrupt(const struct db *db, struct err *err, const char *table, int64_t id, const char *name, const char *fmt, ...)
{
	struct buf row = { 0 };
	va_list ap;

	if (id != 0 && name != NULL)
		buf_addf(&row, "row (%lld, '%s') of %s ", (long long)id, name, table);
	else if (id != 0)
		buf_addf(&row, "row %lld of %s ", (long long)id, table);
	else if (name != NULL)
		buf_addf(&row, "row '%s' of %s ", name, table);
	else
		buf_addf(&row, "a row of %s ", table);
	va_start(ap, fmt);
	db_report_damage(db, err, &row, fmt, ap);
	va_end(ap);
	return -1;
}

/* The errno with which the file, its log or its journal could not be read, or 0. */
static int
db_read_errno(struct db *db)
{
	sqlite3_file *beside = NULL;
	int of_file = 0, of_beside = 0;

	if (db->handle == NULL)
		return 0;
	sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_LAST_ERRNO, &of_file);
	sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &beside);
	if (beside != NULL && beside->pMethods != NULL)
		beside->pMethods->xFileControl(beside, SQLITE_FCNTL_LAST_ERRNO, &of_beside);
	if (of_file == EIO || of_file == ENXIO)
		return of_file;
	return of_beside == EIO || of_beside == ENXIO ? of_beside : 0;
}

int
db_check_read(struct db *db, const char *what, struct err *err)
{
	const int failed = db_read_errno(db);

	return failed == 0 ? 0 : err_set(err, ERR_DB, "%s: index '%s' can't be read: %s", what, db->path, strerror(failed));
}

/* Append SQLite's message and, where it kept one, the system's cause. */
static const char *
db_add_cause(struct db *db, const char *message, struct buf *b)
{
	int cause = sqlite3_system_errno(db->handle);

	buf_adds(b, message);
	/*
	 * ENOENT is not the cause: SQLite tries to read what it can't create, and deletes
	 * journals.  The file keeps its own.
	 */
	if (cause == 0 || cause == ENOENT)
		sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_LAST_ERRNO, &cause);
	if (cause != 0 && cause != ENOENT)
		buf_addf(b, ": %s", strerror(cause));
	return buf_str(b);
}

/* As db_add_cause, for a file that can't be written: name the one of a writer's files, and why. */
static const char *
db_add_unwritable(const struct db *db, const char *message, struct buf *b)
{
	static const char *const suffixes[] = { "", "-wal", "-shm", "-journal" };
	struct buf name = { 0 };
	int cause = 0;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]) && cause == 0; i++) {
		buf_cut(&name, 0);
		buf_addf(&name, "%s%s", db->path, suffixes[i]);
		/* The files beside it need not exist; the index must. */
		if (faccessat(AT_FDCWD, buf_str(&name), W_OK, AT_EACCESS) < 0 && (errno != ENOENT || i == 0))
			cause = errno;
	}
	buf_adds(b, message);
	/* SQLite opened the file to read instead, and kept no errno. */
	if (cause != 0)
		buf_addf(b, ": '%s': %s", buf_str(&name), strerror(cause));
	else
		buf_adds(b, ": one of its files, which can be written now, could not be opened for writing");
	buf_release(&name);
	return buf_str(b);
}

/* Fill err from a code and SQLite's message. */
static int
db_fail_as(struct db *db, int rc, const char *message, const char *what, struct err *err)
{
	struct buf b = { 0 };
	struct statvfs fs;
	char text[NUM_SHOW_MAX];

	switch (rc) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		if (stop_check(err) < 0)
			return -1;
		return err_set(err, ERR_BUSY, "index '%s' is locked by another process", db->path);
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		/* SQLite reports a failing disk as damage, too (SQLITE_IOERR_CORRUPTFS). */
		if (db_check_read(db, what, err) < 0)
			return -1;
		return db_damaged(db, err, "%s", message);
	case SQLITE_INTERRUPT:
		if (db->endless)
			return db_damaged(db, err, "%s does not come to an end", what);
		return stop_check(err) < 0 ? -1 : err_set(err, ERR_INTERRUPTED, "interrupted");
	case SQLITE_READONLY:
		/* No file can be made beside the index. */
		if (sqlite3_extended_errcode(db->handle) == SQLITE_READONLY_DIRECTORY)
			return err_set(err, ERR_DB, "%s: no log or journal can be made beside index '%s': %s", what, db->path, strerror(EACCES));
		message = db_add_unwritable(db, message, &b);
		break;
	case SQLITE_CANTOPEN:
		message = db_add_cause(db, message, &b);
		break;
	case SQLITE_IOERR:
		message = db_add_cause(db, message, &b);
		/* fallthrough */
	case SQLITE_FULL:
		if (statvfs(db->path, &fs) == 0)
			buf_addf(&b, "%s (%s free%s)", b.len == 0 ? message : "",
			         num_show_size((int64_t)fs.f_bavail * (int64_t)fs.f_frsize, NUM_IEC, text),
			         rc == SQLITE_FULL || sqlite3_system_errno(db->handle) == ENOSPC ? "; --db or TWINDEX_DB names an index on another disk" : "");
		message = b.len == 0 ? message : buf_str(&b);
		break;
	default:
		break;
	}
	err_set(err, ERR_DB, "%s: index '%s': %s", what, db->path, message);
	buf_release(&b);
	return -1;
}

int
db_fail(struct db *db, const char *what, struct err *err)
{
	return db_fail_as(db, sqlite3_errcode(db->handle), sqlite3_errmsg(db->handle), what, err);
}

int
db_fail_code(struct db *db, int code, const char *what, struct err *err)
{
	/* Extended codes: the kind is in the low byte. */
	return db_fail_as(db, code & 0xff, sqlite3_errstr(code), what, err);
}
