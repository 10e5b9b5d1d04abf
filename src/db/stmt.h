/* SPDX-License-Identifier: MIT */
/* stmt - run the named statements: cached, bound by name; errors name the statement. */
#ifndef DB_STMT_H
#define DB_STMT_H

#include "db/db.h"

/** A statement being bound or stepped; lives on the caller's stack. */
struct stmt {
	struct db *db;
	struct sqlite3_stmt *s;   /* NULL once something failed: later calls do nothing */
	struct err *err;
	enum sql_id id;
	int bound;                /* position of the parameter that was bound last */
	bool failed;
};

/**
 * Get the statement with this id, prepared at its first use, reset and without bindings.  It has
 * one user at a time: get it again only after all rows were read or stmt_done was called.  The
 * next stmt_step or stmt_run reports a failure.
 */
struct stmt stmt_get(struct db *db, enum sql_id id, struct err *err);

/**
 * Bind a parameter, named with its colon (":size").  Text and
 * blobs are borrowed until the statement is done.
 */
void stmt_int(struct stmt *st, const char *name, int64_t value);
void stmt_text(struct stmt *st, const char *name, const char *value, size_t len);
/** A NULL value binds NULL. */
void stmt_blob(struct stmt *st, const char *name, const void *value, size_t len);

/**
 * Whether JSON of len bytes (a NUL follows) has a NUL in it, or the escape of one: SQLite would
 * take that for the end of the text.
 */
bool stmt_json_has_nul(const char *json, size_t len);

/**
 * Step to the next row.  Returns 1 with a row, 0 at the end
 * (the statement is reset then), -1 with *err.
 */
int stmt_step(struct stmt *st);
/** Run a statement that returns no rows.  Returns 0 or -1. */
int stmt_run(struct stmt *st);
/** Read the number in the first row, 0 without one, and end the statement.  Returns 0 or -1. */
int stmt_number(struct stmt *st, int64_t *value);
/** Get a statement without parameters, and read its number as stmt_number.  Returns 0 or -1. */
int stmt_ask(struct db *db, enum sql_id id, int64_t *value, struct err *err);
/** As stmt_number.  Returns whether it is not 0: 1 or 0; or -1. */
int stmt_truth(struct stmt *st);
/** Reset a statement with unread rows. */
void stmt_done(struct stmt *st);

/** Columns of the present row, by position.  Pointers are valid until the next step. */
int64_t stmt_col_int(const struct stmt *st, int col);
bool stmt_col_is_null(const struct stmt *st, int col);
/** Never NULL. */
const char *stmt_col_text(const struct stmt *st, int col, size_t *len);
/** The bytes of a name: column col + 1, or the text of col where that is NULL. */
const char *stmt_col_name(const struct stmt *st, int col, size_t *len);
/** NULL for NULL and for an empty blob. */
const void *stmt_col_blob(const struct stmt *st, int col, size_t *len);

#endif
