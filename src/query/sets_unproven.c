/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/sets_unproven.h"

#include "db/stmt.h"
#include "index/index.h"
#include "index/presence.h"
#include "sys/stop.h"

/* Whether the query is for files of a size.  Returns 1, 0 or -1. */
static int
sets_unproven_asked(const struct sets_query *q, struct presence_view *view, int64_t size, struct err *err)
{
	struct buf path = { 0 };
	struct stmt st;
	bool asked = false;
	int ret = 0;

	if (q->n_dirs == 0)
		return 1;
	st = stmt_get(view->ix->db, SQL_FILE_DIRS_OF_SIZE, err);
	stmt_int(&st, ":size", size);
	while (!asked && (ret = stmt_step(&st)) == 1) {
		buf_cut(&path, 0);
		if (dirs_path(&view->dirs, stmt_col_int(&st, 0), &path, err) < 0) {
			ret = -1;
			break;
		}
		asked = path_is_below_any(buf_str(&path), q->dirs, q->n_dirs);
	}
	stmt_done(&st);
	buf_release(&path);
	return ret < 0 ? -1 : asked;
}

int
sets_unproven(const struct sets_query *q, struct presence_view *view, int64_t *n, struct err *err)
{
	const struct presence_where where = { .exclude = q->exclude, .n_exclude = q->n_exclude };
	struct stmt st = stmt_get(view->ix->db, SQL_FILE_ERRORS_SHARED, err);
	int64_t size = -1;
	int ret, asked = 0;

	*n = 0;
	stmt_int(&st, ":min_size", q->min_size);
	while ((ret = stmt_step(&st)) == 1) {
		struct file_row row;
		enum presence kind;
		const char *path;

		ret = file_read(&st, &row, err);
		if (ret == 0 && row.size != size) {
			size = row.size;
			ret = asked = sets_unproven_asked(q, view, size, err);
		}
		if (ret < 0 || (asked != 0 && presence_member(view, &row, &where, &kind, &path, err) < 0) || stop_check(err) < 0) {
			ret = -1;
			break;
		}
		if (asked == 0 || (kind != PRESENCE_HERE && kind != PRESENCE_UNREADABLE && kind != PRESENCE_FLEETING))
			continue;
		++*n;
		if (q->gap != NULL)
			q->gap(q->gap_arg, path, GAP_UNREADABLE, false, file_error_text(row.error));
	}
	stmt_done(&st);
	return ret;
}
