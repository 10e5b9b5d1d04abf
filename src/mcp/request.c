/* SPDX-License-Identifier: MIT */
/* Hides that SQLite parses what clients send, and which of it counts. */
#include "base/base.h"

#include "mcp/request.h"

#include "db/stmt.h"
#include "ui/quote.h"

static void
request_refuse(struct request *r, enum request_code code, const char *why)
{
	r->code = code;
	r->why = why;
	r->answered = true;
}

/* Take in the id in columns 1 to 3, type and value.  Returns whether it is one. */
static bool
request_id(struct request *r, const struct stmt *st)
{
	struct buf b = { 0 };
	const char *type, *text;
	size_t len;
	bool ok;

	type = stmt_col_text(st, 1, &len);
	ok = strcmp(type, "text") == 0 || strcmp(type, "integer") == 0;
	/* A number that no integer holds would come back as another one. */
	ok = ok && strcmp(stmt_col_text(st, 2, &len), type) == 0;
	text = stmt_col_text(st, 3, &len);
	if (ok && *type == 't') {
		ok = name_is_utf8(text, len);
		quote_json(&b, text, len);
	} else
		buf_add(&b, text, len);
	if (ok)
		r->id = arena_str(&r->memory, buf_str(&b));
	buf_release(&b);
	return ok;
}

/* A text of the present row, or other for none. */
static const char *
request_text(struct request *r, const struct stmt *st, int col, const char *other)
{
	size_t len;

	return stmt_col_is_null(st, col) ? other : arena_str(&r->memory, stmt_col_text(st, col, &len));
}

/* Take in an object. */
static int
request_take(struct request *r, struct db *db, const char *line, size_t len, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_MCP_REQUEST, err);
	size_t text;
	int ret;

	stmt_text(&st, ":line", line, len);
	ret = stmt_step(&st);
	if (ret < 0)
		return -1;
	r->method = request_text(r, &st, 4, "");
	r->answered = !stmt_col_is_null(&st, 1);
	r->handshake = request_text(r, &st, 5, "");
	r->version = request_text(r, &st, 6, NULL);
	r->tool = request_text(r, &st, 7, NULL);
	r->arguments = request_text(r, &st, 9, "{}");
	if (r->answered && !request_id(r, &st))
		request_refuse(r, REQUEST_INVALID, "an id is a string or an integer");
	else if (strcmp(stmt_col_text(&st, 0, &text), "2.0") != 0)
		request_refuse(r, REQUEST_INVALID, "jsonrpc is \"2.0\"");
	/* A response, though nothing was requested: ignore it. */
	else if (stmt_col_int(&st, 10) != 0 && *r->method == '\0')
		r->answered = false;
	else if (*r->method == '\0')
		request_refuse(r, REQUEST_INVALID, "there is no method");
	else if (!stmt_col_is_null(&st, 8) && strcmp(stmt_col_text(&st, 8, &text), "object") != 0)
		request_refuse(r, REQUEST_PARAMS, "params and its arguments are objects");
	stmt_done(&st);
	return 0;
}

int
request_read(struct request *r, struct db *db, const char *line, size_t len, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_MCP_KIND, err);
	const char *why = "a line is one JSON object in UTF-8";
	bool is_object;
	int valid = 0;
	size_t text;

	r->id = "null";
	r->method = r->handshake = "";
	r->arguments = "{}";
	if (name_is_utf8(line, len)) {
		stmt_text(&st, ":line", line, len);
		if ((valid = stmt_step(&st)) < 0)
			return -1;
		is_object = valid == 1 && strcmp(stmt_col_text(&st, 0, &text), "object") == 0;
		why = valid == 0 ? why : !is_object ? "a line is one object" : stmt_col_int(&st, 1) != 0 ? "an object has no key twice" :
		      stmt_json_has_nul(line, len) ? "there is no NUL in a text" : NULL;
	}
	stmt_done(&st);
	if (why == NULL)
		return request_take(r, db, line, len, err);
	request_refuse(r, valid == 1 ? REQUEST_INVALID : REQUEST_PARSE, why);
	return 0;
}

void
request_release(struct request *r)
{
	arena_release(&r->memory);
}
