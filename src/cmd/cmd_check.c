/* SPDX-License-Identifier: MIT */
/* twindex check - the index alone: is the file sound, and does it keep its promises? */
#include <config.h>

#include <string.h>

#include "base/buf.h"
#include "base/name.h"
#include "base/num.h"
#include "cmd/cmd.h"
#include "cmd/commands.h"
#include "db/stmt.h"
#include "index/index.h"

/* Broken rows that are shown of each invariant. */
#define CHECK_SHOWN 5

static const enum sql_id check_statements[] = {
	SQL_CHECK_UNPROVEN, SQL_CHECK_UNPROVEN_HEAD, SQL_CHECK_HEAD, SQL_CHECK_LINKS, SQL_CHECK_FILE_DIR,
	SQL_CHECK_DIR_PARENT, SQL_CHECK_DIR_CYCLE, SQL_CHECK_PATH_TWICE,
	SQL_CHECK_OWN_LINK, SQL_CHECK_ASIDE, SQL_CHECK_NAME, SQL_CHECK_RANGE, SQL_CHECK_ROOT, SQL_CHECK_DIGEST,
};

/* Run one invariant and print the rows that break it.  Returns how many, or -1. */
static int64_t
check_invariant(const struct cmd_call *c, enum sql_id id, struct err *err)
{
	struct stmt st = stmt_get(c->ix->db, id, err);
	int64_t n = 0;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		struct buf name = { 0 };
		const char *what, *text;
		size_t len;

		if (n++ >= CHECK_SHOWN)
			continue;
		what = stmt_col_text(&st, 0, &len);
		text = stmt_col_text(&st, 3, &len);
		name_show(&name, text, len);
		fprintf(c->out, "broken: %s: directory %lld, '%s', size %lld\n", what, (long long)stmt_col_int(&st, 2),
		        buf_str(&name), (long long)stmt_col_int(&st, 1));
		buf_release(&name);
	}
	return ret < 0 ? -1 : n;
}

/* SQLite's own check of pages and indexes.  Returns the number of complaints, or -1. */
static int64_t
check_integrity(const struct cmd_call *c, struct err *err)
{
	struct stmt st = stmt_get(c->ix->db, SQL_CHECK_INTEGRITY, err);
	int64_t n = 0;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *text = stmt_col_text(&st, 0, &len);

		if (strcmp(text, "ok") == 0)
			continue;
		n++;
		fprintf(c->out, "damaged: %s\n", text);
	}
	return ret < 0 ? -1 : n;
}

static int
check_run(const struct cmd_call *c, struct err *err)
{
	char x[NUM_SHOW_MAX];
	int64_t bad = check_integrity(c, err), n;

	if (bad < 0)
		return -1;
	if (bad > 0)
		return err_set(err, ERR_BAD_INDEX, "index '%s' is damaged: keep a copy, then scan into a new one", c->ix->path);
	for (size_t i = 0; i < sizeof(check_statements) / sizeof(check_statements[0]); i++) {
		/* What an unfinished scan still owes is no damage. */
		if (c->ix->pending != INDEX_WHOLE && (check_statements[i] == SQL_CHECK_UNPROVEN ||
		                       check_statements[i] == SQL_CHECK_UNPROVEN_HEAD || check_statements[i] == SQL_CHECK_ASIDE))
			continue;
		n = check_invariant(c, check_statements[i], err);
		if (n < 0)
			return -1;
		bad += n;
	}
	if (bad > 0) {
		fprintf(c->out, "%s an invariant: run 'twindex scan --rehash'\n", num_show_things(bad, "row breaks", "rows break", x));
		return CMD_NO;
	}
	if (!c->globals->quiet) {
		struct buf left = { 0 };
		const int ret = cmd_unfinished_text(c->ix, true, &left, err);

		if (ret >= 0)
			fprintf(c->out, ret == 1 ? "ok, but %s\n" : "ok\n", buf_str(&left));
		buf_release(&left);
		return ret < 0 ? -1 : CMD_OK;
	}
	return CMD_OK;
}

const struct cmd cmd_check = {
	.name = "check",
	.operands = "",
	.summary = "check the index itself: the file's integrity, and the proof of every claim",
	.help = "Exit status 1: rows break an invariant; 5: the file is damaged.",
	.flags = CMD_READS | CMD_NO_PATHS,
	.run = check_run,
};
