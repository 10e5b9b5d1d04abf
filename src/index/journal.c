/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/journal.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "db/db.h"
#include "db/lock.h"
#include "db/stmt.h"
#include "index/index.h"

/* Runs searched for one that was no scan of single paths. */
enum { JOURNAL_LOOK = 64 };

int
journal_begin(struct db *db, const char *command, const char *options, int64_t *id, struct err *err)
{
	struct stmt st;
	int ret = -1;

	if (db_begin(db, err) < 0)
		return -1;
	st = stmt_get(db, SQL_SCAN_KILLED, err);
	/* A running validate holds this lock: it was not killed. */
	stmt_int(&st, ":all", strcmp(command, "validate") == 0 || !lock_is_beside(db->path));
	if (stmt_run(&st) < 0)
		goto out;
	st = stmt_get(db, SQL_SCAN_BEGIN, err);
	stmt_text(&st, ":command", command, strlen(command));
	stmt_text(&st, ":options", options, strlen(options));
	stmt_int(&st, ":pid", (int64_t)getpid());
	stmt_int(&st, ":started", (int64_t)time(NULL));
	if (stmt_step(&st) != 1)
		goto out;
	*id = stmt_col_int(&st, 0);
	stmt_done(&st);
	ret = 0;
out:
	return db_end(db, ret, err);
}

int
journal_end(struct db *db, int64_t id, const struct journal_numbers *n, const char *state, struct err *err)
{
	struct stmt st;

	if (db_begin(db, err) < 0)
		return -1;
	st = stmt_get(db, SQL_SCAN_END, err);
	stmt_int(&st, ":scan", id);
	stmt_text(&st, ":state", state, strlen(state));
	stmt_int(&st, ":finished", (int64_t)time(NULL));
	stmt_int(&st, ":files", n->files);
	stmt_int(&st, ":dirs", n->dirs);
	stmt_int(&st, ":bytes", n->bytes);
	stmt_int(&st, ":files_new", n->added);
	stmt_int(&st, ":files_changed", n->changed);
	stmt_int(&st, ":files_gone", n->gone);
	stmt_int(&st, ":files_reused", n->reused);
	stmt_int(&st, ":files_read", n->read);
	stmt_int(&st, ":bytes_read", n->read_bytes);
	stmt_int(&st, ":files_skipped", n->skipped);
	stmt_int(&st, ":errors", n->errors);
	if (n->sets >= 0) {
		stmt_int(&st, ":sets", n->sets);
		stmt_int(&st, ":redundant", n->redundant);
	}
	return db_end(db, stmt_run(&st), err);
}

int
journal_totals(struct db *db, int64_t *sets, int64_t *redundant, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_SCAN_TOTALS, err);
	int ret = stmt_step(&st);

	if (ret == 1) {
		*sets = stmt_col_int(&st, 0);
		*redundant = stmt_col_int(&st, 1);
	}
	stmt_done(&st);
	return ret;
}

int
journal_forget_totals(struct db *db, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_SCAN_TOTALS_FORGET, err);

	return stmt_run(&st);
}

/* Read the first row of a statement, and end it.  Returns 1, 0 without one, -1. */
static int
journal_read(const struct index *ix, struct stmt *st, struct journal_entry *e)
{
	const int ret = stmt_step(st);
	size_t len;

	if (ret == 1) {
		memset(e, 0, sizeof(*e));
		e->id = stmt_col_int(st, COL_RUN_ID);
		snprintf(e->command, sizeof(e->command), "%s", stmt_col_text(st, COL_RUN_COMMAND, &len));
		snprintf(e->state, sizeof(e->state), "%s", stmt_col_text(st, COL_RUN_STATE, &len));
		if (ix->killed && strcmp(e->state, "running") == 0)
			snprintf(e->state, sizeof(e->state), "killed");
		e->started = stmt_col_int(st, COL_RUN_STARTED);
		e->finished = stmt_col_int(st, COL_RUN_FINISHED);
		e->files = stmt_col_int(st, COL_RUN_FILES);
		e->dirs = stmt_col_int(st, COL_RUN_DIRS);
		e->bytes = stmt_col_int(st, COL_RUN_BYTES);
		e->read = stmt_col_int(st, COL_RUN_FILES_READ);
		e->read_bytes = stmt_col_int(st, COL_RUN_BYTES_READ);
		e->errors = stmt_col_int(st, COL_RUN_ERRORS);
		e->partial = strcmp(stmt_col_text(st, COL_RUN_OPTIONS, &len), JOURNAL_PARTIAL) == 0;
	}
	stmt_done(st);
	return ret;
}

int
journal_recent(const struct index *ix, int skip, struct journal_entry *e, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_SCAN_RECENT, err);

	stmt_int(&st, ":skip", skip);
	return journal_read(ix, &st, e);
}

int64_t
journal_files(const struct index *ix)
{
	struct err ignored = { 0 };
	struct journal_entry last;

	for (int i = 0; i < JOURNAL_LOOK && journal_recent(ix, i, &last, &ignored) == 1; i++) {
		if (!last.partial)
			return last.files;
	}
	return INT64_MAX;
}

int
journal_find(const struct index *ix, int64_t run, struct journal_entry *e, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_SCAN_GET, err);

	stmt_int(&st, ":scan", run);
	return journal_read(ix, &st, e);
}

int
journal_finished(const struct index *ix, int64_t *run, struct err *err)
{
	return stmt_ask(ix->db, SQL_SCAN_FINISHED, run, err);
}

int
journal_ended(const struct index *ix, int64_t time, int64_t *run, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_SCAN_ENDED, err);

	stmt_int(&st, ":time", time);
	return stmt_number(&st, run);
}
