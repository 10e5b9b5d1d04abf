/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/rows.h"

#include "db/stmt.h"

static int
rows_cmp(const void *a, const void *b)
{
	return strcmp(((const struct file_row *)a)->name, ((const struct file_row *)b)->name);
}

int
rows_load(struct rows *r, struct db *db, int64_t dir, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_IN_DIR, err);
	struct file_row row;
	bool in_order = true;
	int ret;

	stmt_int(&st, ":dir", dir);
	while ((ret = stmt_step(&st)) == 1) {
		if (file_read(&st, &row, err) < 0) {
			stmt_done(&st);
			return -1;
		}
		row.name = arena_dup(&r->names, row.name, row.name_len);
		in_order = in_order && (r->n == 0 || rows_cmp(&r->v[r->n - 1], &row) < 0);
		vec_push(r, row);
	}
	/* The index sorts by the stored form, which is another order where names are not UTF-8. */
	if (!in_order)
		qsort(r->v, r->n, sizeof(*r->v), rows_cmp);
	return ret;
}

void
rows_release(struct rows *r)
{
	vec_release(r);
	arena_release(&r->names);
}
