/* SPDX-License-Identifier: MIT */
/* db - a SQLite connection: opened safely, written in transactions that end in one place. */
#ifndef DB_DB_H
#define DB_DB_H

#include "db/sql.h"

struct bulk_insert;
struct sqlite3;
struct sqlite3_stmt;

/** How to open. */
enum db_flags {
	DB_WRITE = 1,      /* else read-only */
	DB_CREATE = 2,     /* make the file, 0600, if it is missing */
	DB_VIEWS = 4,      /* public views may be used: for SQL that people write */
	DB_NO_WAL = 8,     /* the file system has no shared memory */
	DB_IMMUTABLE = 16, /* to read a file without a log while writers are barred */
	DB_MEMORY = 64,    /* with DB_WRITE and DB_NO_WAL: a new one that no file holds */
	DB_EXCLUSIVE = 32  /* to write: readers of an empty file wait for db_publish */
};

/** What a connection does to the file.  The transitions between these are drawn in db.c. */
enum db_mode {
	DB_MODE_LOOK,      /* nothing: it reads, or db_start is yet to come */
	DB_MODE_JOURNAL,   /* each transaction commits by itself, with a rollback journal */
	DB_MODE_LOG,       /* ... to a write-ahead log; readers go on meanwhile */
	DB_MODE_LOG_EMPTY, /* the same, and the log holds nothing yet */
	DB_MODE_EXCLUSIVE  /* all are parts of one, with a rollback journal; readers wait */
};

/** A connection with its prepared statements.  One thread at a time. */
struct db {
	struct sqlite3 *handle;
	struct sqlite3_stmt *stmts[SQL_COUNT];
	char *path;       /* owned */
	struct bulk_insert *feed; /* bulk_insert_register's; the connection frees it */
	struct filter *filter; /* filter_register's; likewise */
	enum db_flags flags; /* db_open's */
	enum db_mode mode;
	int64_t cache_kib; /* as usual */
	bool in_transaction; /* between db_begin or db_begin_read and db_end */
	int64_t steps;    /* of SQLite's machine since the last stmt_get */
	int64_t most_steps; /* limit of steps; 0: no limit */
	bool endless;     /* a statement reached the limit */
	int64_t began_ns; /* when the transaction began; monotonic */
	int64_t waits_ns; /* since when it waits for another process */
};

/** application_id of an index: "Twdx". */
#define DB_APPLICATION_ID 0x54776478

/**
 * Open the index file at path (absolute, not a link, a regular file; probe_index has found nothing
 * against it).  The connection trusts nothing in the file: no triggers, no views
 * (but for DB_VIEWS), no memory mapping, cell sizes checked.
 * It writes nothing yet: a writer calls db_start.
 *
 * Returns 0 with an owned *db for db_close, or -1: ERR_BAD_INDEX when it is not
 * a database, ERR_SYS, ERR_DB.
 */
int db_open(struct db **db, const char *path, enum db_flags flags, struct err *err);
/**
 * Begin to write, in a file that is an index or empty: it and the files beside it may change now.
 *
 * With DB_EXCLUSIVE (but not with DB_NO_WAL) an empty file belongs to its writer alone until
 * db_publish: it writes no log, and all its transactions are parts of one.  Readers wait.
 *
 * Returns 0, or -1 with *err.
 */
int db_start(struct db *db, struct err *err);
/** Finalise all statements and close.  Accepts NULL. */
void db_close(struct db *db);

/**
 * Shun the file, its log, shared memory and journal as they are
 * now (fs_shun).  Every transaction does so.
 */
void db_shun(const struct db *db);

/**
 * End DB_MODE_EXCLUSIVE: commit everything, and let others read the file.  db_begin calls it after
 * some seconds; a writer calls it at the end, because db_close reports no failure.  Not inside a
 * transaction.  Does nothing in another mode.  Returns 0, or -1 with *err: changes may be lost.
 */
int db_publish(struct db *db, struct err *err);
/** Begin a write transaction.  Returns 0 or -1 with ERR_BUSY or ERR_DB. */
int db_begin(struct db *db, struct err *err);
/** Begin a read transaction: all later reads see one state. */
int db_begin_read(struct db *db, struct err *err);
/**
 * End the transaction: commit when ret is 0 (and roll back if that fails),
 * else roll back.  Returns ret, or -1 with *err when the commit failed.
 */
int db_end(struct db *db, int ret, struct err *err);

/** As db_end, but after an interruption (ret -1, ERR_INTERRUPTED) it commits. */
int db_end_kept(struct db *db, int ret, struct err *err);
/**
 * Whether the transaction is older than five seconds: long work should call db_renew then, so that
 * a power cut loses little.
 */
bool db_is_old(const struct db *db);
/**
 * Commit, and begin the next write transaction.  Returns 0, or
 * -1 with *err: no transaction is open then.
 */
int db_renew(struct db *db, struct err *err);
/**
 * As db_renew, and enter DB_MODE_EXCLUSIVE if no other process has the file open; else the log
 * stays in use.
 */
int db_renew_exclusive(struct db *db, struct err *err);
/** As db_renew, with db_publish between the two transactions. */
int db_renew_published(struct db *db, struct err *err);
/** Whether the database has a table; false, too, where that can't be found out. */
bool db_has_table(struct db *db, const char *table);
/** How many rows the last statement changed. */
int64_t db_changes(struct db *db);

/** Run a block of statements without results. */
int db_exec(struct db *db, enum sql_id id, struct err *err);
/** As db_exec, for a statement that makes a view: a temporary one if the connection only reads. */
int db_exec_temp(struct db *db, enum sql_id id, struct err *err);
/** Run "PRAGMA name = value"; for use with constants only. */
int db_pragma(struct db *db, const char *name, int64_t value, struct err *err);
/**
 * Use a small page cache (true) or the usual one: passes over a whole table are faster within the
 * processor's cache.
 */
int db_small_cache(struct db *db, bool small, struct err *err);
/** Read an integer pragma. */
int db_pragma_get(struct db *db, const char *name, int64_t *value, struct err *err);
/**
 * Reset all statements: one with unread rows keeps its snapshot, so that writers can't move the
 * log.
 */
void db_rest(struct db *db);
/** Move the write-ahead log, if there is one, into the file: the file alone is the index then. */
int db_checkpoint(struct db *db, struct err *err);

/**
 * Report that the index is damaged: ERR_BAD_INDEX with the
 * path and the formatted cause.  Returns -1.
 */
int db_damaged(const struct db *db, struct err *err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/**
 * Report a row that twindex never writes: db_damaged with "row 17 of dir" and the formatted cause
 * ("has an invalid name").  id is the row's number, or 0; name a name in it, or NULL; without
 * either it is "a row".  Returns -1.
 */
int db_corrupt(const struct db *db, struct err *err, const char *table, int64_t id, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));
/**
 * Check whether a failing disk explains what SQLite calls damage.  Returns 0: all reads succeeded;
 * -1 with ERR_DB and the cause.
 */
int db_check_read(struct db *db, const char *what, struct err *err);
/**
 * Fill err from the connection's last failure: ERR_BUSY, ERR_BAD_INDEX for damage, else ERR_DB.
 * what names the action that failed.  Returns -1.
 */
int db_fail(struct db *db, const char *what, struct err *err);
/** As db_fail, for a call that returned code and did not set the connection's. */
int db_fail_code(struct db *db, int code, const char *what, struct err *err);

#endif
