/* SPDX-License-Identifier: MIT */
/*
 * Hides how the file is opened, written and closed: SQLite's settings, its journals, and whether
 * others may read meanwhile.  db_fail.c says what its errors mean.
 *
 * Settings follow sqlite.org/security.html for files that may be hostile, and
 * sqlite.org/wal.html: WAL with synchronous=NORMAL survives power cuts, at
 * worst without the last transaction.  A rollback journal needs FULL for that
 * (sqlite.org/pragma.html#pragma_synchronous).
 *
 * The modes of a connection (enum db_mode, without DB_MODE_), and what leads from one to another:
 *
 *                             db_open
 *                                |
 *                                v
 *            +---------------- LOOK ---------------+
 *            |                   |                 |
 *      db_start with       db_start with     db_start else
 *        DB_NO_WAL         DB_EXCLUSIVE,           |
 *            |             file is empty           |
 *            |                   |                 |
 *            v                   v                 v
 *         JOURNAL <-(a)--- EXCLUSIVE <-----(d)--- LOG
 *                                |                 ^
 *                               (b)                |
 *                                v                 |
 *                            LOG_EMPTY ----(c)-----+
 *
 *   a  db_end or db_publish, when SQLite has rolled all parts back, or the log can't be used
 *   b  db_publish: COMMIT, then the log instead of the journal; readers go on
 *   c  db_begin: the log may hold something now
 *   d  db_renew_exclusive, unless another process has the file open: the log is moved and left
 *
 * A connection that reads stays in LOOK.  EXCLUSIVE is the only mode in which a transaction is
 * a savepoint, and in which src/bulk may write pages around SQLite.
 */
#include "base/base.h"

#include "db/db.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <time.h>
#include <unistd.h>

#include "db/probe.h"
#include "db/read_ahead.h"
#include "sys/fs.h"
#include "sys/stop.h"

/*
 * How long a statement waits for another process's lock before it is ERR_BUSY.  A reader of a
 * new index waits for its writer, which publishes it soon after DB_TRANSACTION_NS.
 */
#define DB_BUSY_NS 15000000000
/* Poll interval of that wait. */
#define DB_BUSY_POLL_NS 20000000
/* Page cache of a writer and of a reader. */
#define DB_CACHE_WRITE_KIB 16384
#define DB_CACHE_READ_KIB 16384
/* Page cache in DB_MODE_EXCLUSIVE: most pages are written once and not read again. */
#define DB_CACHE_EXCLUSIVE_KIB 4096
/* Page cache for passes over a whole table. */
#define DB_CACHE_SMALL_KIB 4096
/* Steps of SQLite's virtual machine between two checks for a signal and for the limit. */
#define DB_STEPS 10000
/*
 * Limit of steps of one statement, about ten seconds, and for each byte of a large index: no
 * statement of ours comes to a row more than some hundred times.
 */
#define DB_STEPS_MOST INT64_C(2000000000)
#define DB_STEPS_BYTE 1000
#define DB_TEMP_MEMORY 2 /* PRAGMA temp_store: temporary tables in memory */
/* Best of 4, 8 and 16 KiB as measured: smaller ones cost headers, larger ones log per change. */
#define DB_PAGE_SIZE 8192
#define DB_TRANSACTION_NS 5000000000 /* after which a transaction is old */
/* Pages in the log after which SQLite moves it into the file. */
#define DB_CHECKPOINT_PAGES 8192

/* Run SQL without results; what tells what that is. */
static int
db_run(struct db *db, const char *text, const char *what, struct err *err)
{
	return sqlite3_exec(db->handle, text, NULL, NULL, NULL) == SQLITE_OK ? 0 : db_fail(db, what, err);
}

static int
db_use_log(struct db *db, struct err *err)
{
	return db_run(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", "set journal", err) < 0 ||
	       db_pragma(db, "wal_autocheckpoint", DB_CHECKPOINT_PAGES, err) < 0 ? -1 : 0;
}

/*
 * Enter DB_MODE_EXCLUSIVE.  With a log everything new would be written twice; a rollback
 * journal holds only what was there before.
 */
static int
db_enter_exclusive(struct db *db, struct err *err)
{
	assert(db->mode == DB_MODE_LOOK || db->mode == DB_MODE_LOG);
	if (db_pragma(db, "cache_size", -DB_CACHE_EXCLUSIVE_KIB, err) < 0 ||
	    db_run(db, "PRAGMA synchronous = FULL; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", "begin", err) < 0)
		return -1;
	db->mode = DB_MODE_EXCLUSIVE;
	db->began_ns = fs_clock_ns();
	return 0;
}

/* Wait for another process, unless a signal came.  times counts the waits for this lock. */
static int
db_busy(void *arg, int times)
{
	struct db *db = arg;

	if (times == 0)
		db->waits_ns = fs_clock_ns();
	if (stop_signal() != 0 || fs_clock_ns() - db->waits_ns > DB_BUSY_NS)
		return 0;
	nanosleep(&(struct timespec){ 0, DB_BUSY_POLL_NS }, NULL);
	return 1;
}

static int
db_stopped(void *arg)
{
	struct db *db = arg;
	struct fs_stat st;

	db->steps += DB_STEPS;
	db->endless = db->most_steps != 0 && db->steps > db->most_steps &&
	              (fs_stat_path(db->path, &st) < 0 || db->steps / DB_STEPS_BYTE > st.size);
	/* A writer is not interrupted: its statements are short, and it may commit what it has. */
	return db->endless || ((db->flags & DB_WRITE) == 0 && stop_signal() != 0);
}

/* Set what concerns this connection alone, and nothing in the file. */
static int
db_configure(struct db *db, struct err *err)
{
	sqlite3 *h = db->handle;

	sqlite3_extended_result_codes(h, 0);
	sqlite3_busy_handler(h, db_busy, db);
	sqlite3_db_config(h, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_ENABLE_VIEW, (db->flags & DB_VIEWS) != 0, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	/* Only a connection that writes may move the log. */
	sqlite3_db_config(h, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	if (db_pragma(db, "cell_size_check", 1, err) < 0 || db_pragma(db, "mmap_size", 0, err) < 0)
		return -1;
	db->cache_kib = (db->flags & DB_WRITE) != 0 ? DB_CACHE_WRITE_KIB : DB_CACHE_READ_KIB;
	db->most_steps = DB_STEPS_MOST;
	sqlite3_progress_handler(h, DB_STEPS, db_stopped, db);
	if ((db->flags & DB_WRITE) != 0)
		return 0;
	return db_pragma(db, "temp_store", DB_TEMP_MEMORY, err) < 0 || db_pragma(db, "query_only", 1, err) < 0 ||
	       db_small_cache(db, false, err) < 0 ? -1 : 0;
}

int
db_start(struct db *db, struct err *err)
{
	int64_t pages;

	assert(db->mode == DB_MODE_LOOK && (db->flags & DB_WRITE) != 0);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
	if (db_pragma(db, "page_size", DB_PAGE_SIZE, err) < 0 ||
	    db_small_cache(db, false, err) < 0 ||
	    db_pragma(db, "temp_store", DB_TEMP_MEMORY, err) < 0 ||
	    /* CHECKs guard against other programs: twindex writes typed fields. */
	    db_pragma(db, "ignore_check_constraints", 1, err) < 0)
		return -1;
	if ((db->flags & DB_NO_WAL) != 0) {
		db->mode = DB_MODE_JOURNAL;
		return db_run(db, "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL", "set journal", err);
	}
	if (db_pragma_get(db, "page_count", &pages, err) < 0)
		return -1;
	if (pages == 0 && (db->flags & DB_EXCLUSIVE) != 0)
		return db_enter_exclusive(db, err);
	db->mode = DB_MODE_LOG;
	return db_use_log(db, err);
}

/* Make the file, mode 0600, if it is missing. */
static int
db_create(const char *path, struct err *err)
{
	const int fd = fs_make_file(path);

	if (fd < 0 && errno != EEXIST)
		return err_sys(err, "create index '%s'", path);
	/* Closing it is safe: no SQLite connection of this process has the file open yet. */
	if (fd >= 0)
		close(fd);
	return 0;
}

/*
 * Whether the directory is read-only and no log lies beside the file: WAL mode's shared memory
 * can't be made there, and is not needed.
 */
static bool
db_is_immutable(const char *path)
{
	struct buf name = { 0 };
	bool ret;

	buf_adds(&name, path);
	buf_cut(&name, (size_t)(strrchr(path, '/') - path) + 1);
	ret = access(buf_str(&name), W_OK) < 0 && probe_log_is_empty(path);
	buf_release(&name);
	return ret;
}

/*
 * Open the file by a URI with every byte escaped, so that no path can set an option.  Returns
 * SQLite's code; errno is that of the last call that failed, or 0.
 */
static int
db_open_handle(struct db *db, enum db_flags flags)
{
	const int how = (flags & DB_WRITE) != 0 ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
	struct buf uri = { 0 };
	int rc, failed;

	if ((flags & DB_MEMORY) != 0)
		return sqlite3_open_v2(":memory:", &db->handle, how | SQLITE_OPEN_NOMUTEX, NULL);
	buf_adds(&uri, "file://");
	for (const char *c = db->path; *c != '\0'; c++)
		buf_addf(&uri, *c == '/' ? "%c" : "%%%02x", (unsigned char)*c);
	if ((flags & DB_WRITE) == 0 && ((flags & DB_IMMUTABLE) != 0 || db_is_immutable(db->path)))
		buf_adds(&uri, "?immutable=1");
	errno = 0;
	rc = sqlite3_open_v2(buf_str(&uri), &db->handle,
	                     how | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_PRIVATECACHE,
	                     (flags & DB_WRITE) != 0 ? NULL : read_ahead_vfs());
	failed = errno;
	buf_release(&uri);
	errno = failed;
	return rc;
}

/*
 * Play back the journal of a writer that was killed.  Only a connection that may write can.
 */
static void
db_recover(const char *path)
{
	struct db writer = { .path = (char *)(uintptr_t)path };

	if (!probe_journal_is_hot(path))
		return;
	/* Reading plays it back.  A failure is not reported: the reader will fail too. */
	if (db_open_handle(&writer, DB_WRITE) == SQLITE_OK) {
		sqlite3_db_config(writer.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
		sqlite3_exec(writer.handle, "PRAGMA schema_version", NULL, NULL, NULL);
	}
	sqlite3_close(writer.handle);
}

int
db_open(struct db **result, const char *path, enum db_flags flags, struct err *err)
{
	struct db *db;
	int ret = -1;

	if ((flags & DB_CREATE) != 0 && db_create(path, err) < 0)
		return -1;
	db = mem_zalloc(1, sizeof(*db));
	db->path = mem_str(path);
	db->flags = flags;
	/*
	 * No two threads share a connection, and memory statistics are not used: that saves a lock
	 * at every allocation.  Refused, harmlessly, when SQLite runs already.
	 */
	sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	if ((flags & DB_WRITE) == 0)
		db_recover(path);
	if (db_open_handle(db, flags) != SQLITE_OK) {
		if (db->handle == NULL)
			err_set(err, ERR_DB, "open index '%s': out of memory", path);
		else
			db_fail(db, "open", err);
		goto out;
	}
	/* SQLite opens a file to read if it can't open it to write. */
	if ((flags & DB_WRITE) != 0 && sqlite3_db_readonly(db->handle, "main") == 1) {
		errno = errno != 0 ? errno : EACCES;
		err_sys(err, "open index '%s' to write", path);
		goto out;
	}
	if (db_configure(db, err) < 0)
		goto out;
	*result = db;
	db = NULL;
	ret = 0;
out:
	db_close(db);
	return ret;
}

void
db_close(struct db *db)
{
	if (db == NULL)
		return;
	for (size_t i = 0; i < SQL_COUNT; i++)
		sqlite3_finalize(db->stmts[i]);
	sqlite3_close(db->handle);
	fs_unshun(db);
	free(db->path);
	free(db);
}

int
db_publish(struct db *db, struct err *err)
{
	if (db->mode != DB_MODE_EXCLUSIVE)
		return 0;
	assert(!db->in_transaction);
	db->mode = DB_MODE_JOURNAL;
	/* The journal can't be changed while a statement still has rows. */
	db_rest(db);
	if (db_run(db, "COMMIT", "commit", err) < 0) {
		sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
		return -1;
	}
	/*
	 * SQLite keeps the lock until the log is in use: a reader in between could prevent that.
	 */
	if (db_run(db, "PRAGMA locking_mode = NORMAL", "publish", err) < 0 || db_use_log(db, err) < 0)
		return -1;
	db->mode = DB_MODE_LOG_EMPTY;
	return db_pragma(db, "cache_size", -db->cache_kib, err);
}

void
db_shun(const struct db *db)
{
	static const char *const suffixes[] = { "", "-wal", "-shm", "-journal" };
	struct buf name = { 0 };
	struct fs_stat st;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		buf_cut(&name, 0);
		buf_addf(&name, "%s%s", db->path, suffixes[i]);
		if (fs_stat_path(buf_str(&name), &st) == 0)
			fs_shun(db, st.dev, st.inode);
	}
	buf_release(&name);
}

static int
db_begin_as(struct db *db, const char *how, struct err *err)
{
	if (db_run(db, how, "begin", err) < 0)
		return -1;
	db_shun(db);
	db->in_transaction = true;
	if (db->mode == DB_MODE_LOG_EMPTY)
		db->mode = DB_MODE_LOG;
	if (db->mode != DB_MODE_EXCLUSIVE)
		db->began_ns = fs_clock_ns();
	return 0;
}

int
db_begin(struct db *db, struct err *err)
{
	assert(db->mode != DB_MODE_LOOK && !db->in_transaction);
	if (db->mode == DB_MODE_EXCLUSIVE && db_is_old(db) && db_publish(db, err) < 0)
		return -1;
	return db_begin_as(db, db->mode == DB_MODE_EXCLUSIVE ? "SAVEPOINT part" : "BEGIN IMMEDIATE", err);
}

int
db_begin_read(struct db *db, struct err *err)
{
	return db_begin_as(db, "BEGIN", err);
}

int
db_end(struct db *db, int ret, struct err *err)
{
	const bool part = db->mode == DB_MODE_EXCLUSIVE;

	/* A failed db_renew has ended the transaction. */
	if (!db->in_transaction)
		return ret;
	db->in_transaction = false;
	if (ret == 0 && db_run(db, part ? "RELEASE part" : "COMMIT", "commit", err) == 0)
		return 0;
	/* Fails, harmlessly, where SQLite has rolled back by itself. */
	sqlite3_exec(db->handle, part ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK", NULL, NULL, NULL);
	/* SQLite has rolled back all parts: nothing is left to publish. */
	if (part && sqlite3_get_autocommit(db->handle))
		db->mode = DB_MODE_JOURNAL;
	return -1;
}

/*
 * Leave the log for DB_MODE_EXCLUSIVE; only the last connection can, others stay in DB_MODE_LOG.
 */
static int
db_leave_log(struct db *db, struct err *err)
{
	int rc, ret = 0;

	db_rest(db);
	sqlite3_busy_timeout(db->handle, 0);
	rc = sqlite3_exec(db->handle, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	sqlite3_busy_handler(db->handle, db_busy, db);
	if (rc == SQLITE_OK)
		return db_enter_exclusive(db, err);
	if (rc != SQLITE_BUSY && rc != SQLITE_LOCKED && rc != SQLITE_FULL)
		ret = db_fail(db, "set journal", err);
	return db_run(db, "PRAGMA locking_mode = NORMAL", "set locking", err) < 0 ? -1 : ret;
}

int
db_renew_exclusive(struct db *db, struct err *err)
{
	/* db_begin has left DB_MODE_LOG_EMPTY. */
	assert(db->in_transaction && db->mode != DB_MODE_LOG_EMPTY);
	if (db->mode != DB_MODE_LOG)
		return 0;
	/* Move the log first, while others may still read. */
	return db_end(db, 0, err) < 0 || db_checkpoint(db, err) < 0 || db_leave_log(db, err) < 0 ? -1 : db_begin(db, err);
}

int
db_renew_published(struct db *db, struct err *err)
{
	return db_end(db, 0, err) < 0 || db_publish(db, err) < 0 ? -1 : db_begin(db, err);
}

bool
db_has_table(struct db *db, const char *table)
{
	return sqlite3_table_column_metadata(db->handle, "main", table, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

int64_t
db_changes(struct db *db)
{
	return sqlite3_changes(db->handle);
}

int
db_end_kept(struct db *db, int ret, struct err *err)
{
	const struct err stopped = *err;

	if (ret == 0 || err->code != ERR_INTERRUPTED)
		return db_end(db, ret, err);
	if (db_end(db, 0, err) == 0)
		*err = stopped;
	return -1;
}

bool
db_is_old(const struct db *db)
{
	return fs_clock_ns() - db->began_ns > DB_TRANSACTION_NS;
}

int
db_renew(struct db *db, struct err *err)
{
	return db_end(db, 0, err) < 0 ? -1 : db_begin(db, err);
}

int
db_exec(struct db *db, enum sql_id id, struct err *err)
{
	if (sqlite3_exec(db->handle, sql_text[id].text, NULL, NULL, NULL) != SQLITE_OK)
		return db_fail(db, sql_text[id].name, err);
	return 0;
}

int
db_exec_temp(struct db *db, enum sql_id id, struct err *err)
{
	const char *sql = sql_text[id].text, *rest = sql + strcspn(sql, " ");
	struct buf text = { 0 };
	int ret = 0;

	if (db_pragma(db, "query_only", 0, err) < 0)
		return -1;
	buf_add(&text, sql, (size_t)(rest - sql));
	buf_adds(&text, strncmp(rest, " TEMP ", strlen(" TEMP ")) == 0 ? "" : " TEMP");
	buf_adds(&text, rest);
	if (sqlite3_exec(db->handle, buf_str(&text), NULL, NULL, NULL) != SQLITE_OK)
		ret = db_fail(db, sql_text[id].name, err);
	buf_release(&text);
	return ret < 0 ? -1 : db_pragma(db, "query_only", 1, err);
}

int
db_pragma(struct db *db, const char *name, int64_t value, struct err *err)
{
	char text[96];

	snprintf(text, sizeof(text), "PRAGMA %s = %lld", name, (long long)value);
	if (sqlite3_exec(db->handle, text, NULL, NULL, NULL) != SQLITE_OK)
		return db_fail(db, text, err);
	return 0;
}

int
db_small_cache(struct db *db, bool small, struct err *err)
{
	return db_pragma(db, "cache_size", small ? -DB_CACHE_SMALL_KIB : -db->cache_kib, err);
}

int
db_pragma_get(struct db *db, const char *name, int64_t *value, struct err *err)
{
	sqlite3_stmt *s = NULL;
	char text[96];
	int ret = -1;

	snprintf(text, sizeof(text), "PRAGMA %s", name);
	if (sqlite3_prepare_v2(db->handle, text, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW) {
		*value = sqlite3_column_int64(s, 0);
		ret = 0;
	} else
		db_fail(db, text, err);
	sqlite3_finalize(s);
	return ret;
}

void
db_rest(struct db *db)
{
	for (size_t i = 0; i < SQL_COUNT; i++)
		sqlite3_reset(db->stmts[i]);
}

int
db_checkpoint(struct db *db, struct err *err)
{
	int rc;

	if (db->mode != DB_MODE_LOG)
		return 0;
	/* Do not wait for a reader that holds the log: the next scan moves it. */
	sqlite3_busy_timeout(db->handle, 0);
	rc = sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_busy_handler(db->handle, db_busy, db);
	return rc == SQLITE_OK || rc == SQLITE_BUSY || rc == SQLITE_LOCKED ? 0 : db_fail(db, "checkpoint", err);
}
