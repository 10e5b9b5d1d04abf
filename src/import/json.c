/* SPDX-License-Identifier: MIT */
/* json - listings of rclone, restic and borg, a JSON object a file; SQLite parses them. */
#include "base/base.h"

#include "db/stmt.h"
#include "import/entry.h"

/* Columns of import_*. */
enum { JSON_WHAT, JSON_NAME, JSON_SIZE_TYPE, JSON_SIZE, JSON_TIME, JSON_DIGESTS, JSON_FITS = JSON_DIGESTS + DIGEST_KINDS };

/* Take in the present row. */
static enum entry_kind
json_take(struct parser *p, const struct stmt *st, struct claim *claim)
{
	const char *text;
	size_t len;

	if (stmt_col_int(st, JSON_FITS) == 0)
		return entry_bad(p, "it has no path, or is of another program");
	text = stmt_col_text(st, JSON_WHAT, &len);
	if (strcmp(text, "snapshot") == 0) {
		p->made = stmt_col_int(st, JSON_TIME);
		return ENTRY_NOTHING;
	}
	if (strcmp(text, "file") != 0)
		return ENTRY_LEFT_OUT;
	if (strcmp(stmt_col_text(st, JSON_SIZE_TYPE, &len), "integer") != 0)
		return entry_bad(p, "its size is no number of bytes");
	claim->size = stmt_col_int(st, JSON_SIZE);
	/* Clouds do not tell how large their own documents are: rclone says -1. */
	if (claim->size < -1)
		return entry_bad(p, "its size is no number of bytes");
	if (!stmt_col_is_null(st, JSON_TIME))
		claim->mtime = stmt_col_int(st, JSON_TIME);
	for (int kind = 0; kind < DIGEST_KINDS; kind++) {
		text = stmt_col_text(st, JSON_DIGESTS + kind, &len);
		if (len > 0 && !entry_better(claim, (enum digest_kind)kind, text, len))
			return entry_bad(p, "a digest is not as long as its kind");
	}
	text = stmt_col_text(st, JSON_NAME, &len);
	buf_cut(&p->text, 0);
	buf_add(&p->text, text, len);
	claim->name = buf_str(&p->text);
	claim->name_len = len;
	return entry_end(p, claim);
}

/* Parse an object by a statement. */
static enum entry_kind
json_parse(struct parser *p, enum sql_id id, const char *line, size_t len, struct claim *claim, struct err *err)
{
	enum entry_kind kind;
	struct stmt st;
	int ret;

	if (len == 0)
		return ENTRY_NOTHING;
	if (stmt_json_has_nul(line, len))
		return entry_bad(p, "there is a NUL in it");
	st = stmt_get(p->db, id, err);
	stmt_text(&st, ":line", line, len);
	ret = stmt_step(&st);
	if (ret < 0)
		return ENTRY_FAILED;
	kind = ret == 0 ? entry_bad(p, "it is no JSON object") : json_take(p, &st, claim);
	stmt_done(&st);
	return kind;
}

enum entry_kind
lsjson_parse(struct parser *p, char *line, size_t len, struct claim *claim, struct err *err)
{
	return json_parse(p, SQL_IMPORT_LSJSON, line, len, claim, err);
}

enum entry_kind
restic_parse(struct parser *p, char *line, size_t len, struct claim *claim, struct err *err)
{
	return json_parse(p, SQL_IMPORT_RESTIC, line, len, claim, err);
}

enum entry_kind
borg_parse(struct parser *p, char *line, size_t len, struct claim *claim, struct err *err)
{
	return json_parse(p, SQL_IMPORT_BORG, line, len, claim, err);
}
