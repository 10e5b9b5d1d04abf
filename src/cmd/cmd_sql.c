/* SPDX-License-Identifier: MIT */
/* twindex sql - read-only SQL on the public views. */
#include "base/base.h"

#include <math.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/cmd_records.h"
#include "db/user_sql.h"
#include "index/index.h"
#include "ui/sheet.h"
#include "ui/quote.h"

enum cmd_sql_format { SQL_AS_TEXT, SQL_AS_CSV, SQL_AS_JSON, SQL_AS_NDJSON };
static const char *const cmd_sql_formats[] = { "text", "csv", "json", "ndjson", NULL };

struct cmd_sql_args {
	int format;
	bool no_header;
};

static const struct opt cmd_sql_opts[] = {
	OPT_CHOICE_(0, "format", struct cmd_sql_args, format, "NAME", "text (columns; in a pipe between tabs), csv, json or ndjson", cmd_sql_formats),
	OPT_FLAG_(0, "no-header", struct cmd_sql_args, no_header, "text and csv without the line of names"),
	OPT_END
};

/* Integers beyond it are strings in JSON: many readers know only doubles. */
#define SQL_EXACT_MAX ((int64_t)1 << 53)

struct cmd_sql_print {
	const struct cmd_call *c;
	enum cmd_sql_format format;
	bool header;
	int64_t rows;
	struct buf line;
	struct sheet *sheet;       /* on a terminal: text in columns */
};

/* Append a value, for text, a cell of CSV, or JSON. */
static void
cmd_sql_value(struct cmd_sql_print *p, const struct user_sql_value *v)
{
	const bool json = p->format == SQL_AS_JSON || p->format == SQL_AS_NDJSON;
	struct buf *b = &p->line;

	switch (v->type) {
	case USER_SQL_NULL:
		if (json)
			buf_adds(b, "null");
		break;
	case USER_SQL_INT:
		buf_addf(b, json && (v->i > SQL_EXACT_MAX || v->i < -SQL_EXACT_MAX) ? "\"%" PRId64 "\"" : "%" PRId64, v->i);
		break;
	case USER_SQL_REAL:
		/*
		 * JSON has no infinity, only numbers too large for a double: SQLite's own JSON
		 * writes them so, too.  Text is as the sqlite3 shell prints it.
		 */
		if (isinf(v->r))
			buf_addf(b, "%s%s", v->r > 0 ? "" : "-", json ? "9e999" : "Inf");
		else
			buf_addf(b, json ? "%.17g" : "%.15g", v->r);
		break;
	case USER_SQL_TEXT:
		/* An expression of the query may have made bytes that are not UTF-8. */
		if (!json || name_is_utf8(v->data, v->len)) {
			if (json)
				quote_json(b, v->data, v->len);
			else if (p->format == SQL_AS_CSV)
				quote_csv(b, v->data, v->len);
			else if (p->c->tty)
				name_show(b, v->data, v->len);
			else
				buf_add(b, v->data, v->len);
			break;
		}
		/* FALLTHROUGH */
	case USER_SQL_BLOB:
		buf_adds(b, json ? "\"" : "");
		buf_add_hex(b, v->data, v->len);
		buf_adds(b, json ? "\"" : "");
		break;
	}
}

static void
cmd_sql_object(struct cmd_sql_print *p, const char *const *names, const struct user_sql_value *values, size_t n)
{
	if (p->format == SQL_AS_JSON)
		buf_adds(&p->line, p->rows == 0 ? "[\n" : ",\n");
	buf_addc(&p->line, '{');
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_addc(&p->line, ',');
		quote_json(&p->line, names[i], strlen(names[i]));
		buf_addc(&p->line, ':');
		cmd_sql_value(p, &values[i]);
	}
	buf_addc(&p->line, '}');
	if (p->format == SQL_AS_NDJSON)
		buf_addc(&p->line, '\n');
}

static void
cmd_sql_columns(struct cmd_sql_print *p, const char *const *names, const struct user_sql_value *values, size_t n)
{
	const char *const end = p->format == SQL_AS_CSV ? "\r\n" : "\n";
	const char between = p->format == SQL_AS_CSV ? ',' : '\t';

	for (size_t i = 0; values == NULL && p->header && i < n; i++) {
		if (i > 0)
			buf_addc(&p->line, between);
		buf_adds(&p->line, names[i]);
	}
	if (values == NULL && !p->header)
		return;
	for (size_t i = 0; values != NULL && i < n; i++) {
		if (i > 0)
			buf_addc(&p->line, between);
		cmd_sql_value(p, &values[i]);
	}
	buf_adds(&p->line, end);
}

/* Take a row, or first the names, for columns on a terminal. */
static void
cmd_sql_sheet(struct cmd_sql_print *p, const char *const *names, const struct user_sql_value *values, size_t n)
{
	static const enum sheet_kind kinds[] = {
		[USER_SQL_NULL] = SHEET_NOTHING, [USER_SQL_INT] = SHEET_NUMBER, [USER_SQL_REAL] = SHEET_NUMBER,
		[USER_SQL_TEXT] = SHEET_TEXT, [USER_SQL_BLOB] = SHEET_TEXT,
	};

	if (values == NULL) {
		p->sheet = sheet_new(names, n, p->header, p->c->env->width);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		buf_cut(&p->line, 0);
		/* No text is shown so: its backslashes are doubled. */
		if (values[i].type == USER_SQL_NULL)
			buf_adds(&p->line, "\\N");
		else
			cmd_sql_value(p, &values[i]);
		sheet_add(p->sheet, buf_str(&p->line), kinds[values[i].type]);
	}
	buf_cut(&p->line, 0);
	if (sheet_is_full(p->sheet))
		sheet_show(p->sheet, &p->line);
}

/* user_sql_fn: print the header, then rows. */
static int
cmd_sql_row(void *arg, const char *const *names, const struct user_sql_value *values, size_t n)
{
	struct cmd_sql_print *p = arg;

	buf_cut(&p->line, 0);
	if ((p->format == SQL_AS_JSON || p->format == SQL_AS_NDJSON) && values == NULL)
		return 0;
	if (p->format == SQL_AS_JSON || p->format == SQL_AS_NDJSON)
		cmd_sql_object(p, names, values, n);
	else if (p->c->tty && p->format == SQL_AS_TEXT)
		cmd_sql_sheet(p, names, values, n);
	else
		cmd_sql_columns(p, names, values, n);
	p->rows++;
	/* The failure itself is reported when the output is flushed at the end. */
	return p->line.len == 0 || fwrite(p->line.data, 1, p->line.len, p->c->out) == p->line.len ? 0 : 1;
}

static int
cmd_sql_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_sql_args *a = c->args;
	struct cmd_sql_print p = { .c = c, .format = (enum cmd_sql_format)a->format, .header = !a->no_header };
	struct buf text = { 0 };
	char block[4096];
	size_t n;
	int ret;

	/* The query: the operands with blanks between them, or standard input. */
	for (int i = 0; i < c->n_operands; i++)
		buf_addf(&text, "%s%s", i > 0 ? " " : "", c->operands[i]);
	while (c->n_operands == 0 && (n = fread(block, 1, sizeof(block), stdin)) > 0)
		buf_add(&text, block, n);
	/* Ctrl-D on a terminal sets the end-of-file flag; later reads must work. */
	clearerr(stdin);
	ret = user_sql_run(c->ix->db, buf_str(&text), cmd_sql_row, &p, err);
	if (ret == 0 && p.format == SQL_AS_JSON)
		fputs(p.rows == 0 ? "[]\n" : "\n]\n", c->out);
	/* Also what came before a failure, or Ctrl-C. */
	if (p.sheet != NULL && ret <= 0) {
		buf_cut(&p.line, 0);
		sheet_show(p.sheet, &p.line);
		fwrite(buf_str(&p.line), 1, p.line.len, c->out);
	}
	sheet_free(p.sheet);
	buf_release(&text);
	buf_release(&p.line);
	return ret < 0 ? -1 : CMD_OK;
}

const struct cmd cmd_sql = {
	.name = "sql",
	.operands = "[QUERY]",
	.summary = "run read-only SQL on the public views",
	.help = "Views: file_view, dup_view, set_view, dir_view, fleeting_view, root_view, scan_view,\n"
	        "volume_view, drawer_view, mark_view, before_view.  Without QUERY, from standard input.  In\n"
	        "the shell a query without quotes is SQL up to the end of its line.",
	.words = "file_view dup_view set_view dir_view fleeting_view root_view scan_view volume_view drawer_view mark_view before_view "
	         "allocated bytes bytes_read capacity changed command copies ctime ctime_nsec decision depth dir_id dirs error errors "
	         "files files_changed files_gone files_new files_read files_reused files_skipped finished free hash head hidden "
	         "inode key label left_out made max_size min_size mtime mtime_ns mtime_nsec name name_raw names nlink note one_fs "
	         "options parent_id path path_raw pid place racy redundant root_id scan_id seen sets size started state "
	         "top_id trust_mtime type verified volume_id why",
	.opts = cmd_sql_opts,
	.args_size = sizeof(struct cmd_sql_args),
	.flags = CMD_READS | CMD_VIEWS | CMD_RAW,
	.run = cmd_sql_run,
};
