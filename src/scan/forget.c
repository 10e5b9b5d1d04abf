/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "scan/forget.h"

#include "db/db.h"
#include "db/stmt.h"
#include "scan/changed.h"
#include "scan/dirmap.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/row_history.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/mark.h"

static int
forget_run(struct db *db, enum sql_id id, int64_t dir, struct err *err)
{
	struct stmt st = stmt_get(db, id, err);

	stmt_int(&st, ":dir", dir);
	return stmt_run(&st);
}

/* Count the directories at and below a path, and their files; with drop, drop them. */
static int
forget_tree(struct index *ix, const char *path, bool drop, int64_t *files, int64_t *dirs, struct err *err)
{
	struct dirmap *map = NULL;
	struct buf at = { 0 };
	struct stmt st;
	int64_t n;
	int ret = dirmap_load(&map, ix->db, err);

	for (size_t i = 0; ret == 0 && i < dirmap_count(map); i++) {
		const int64_t id = dirmap_at(map, i)->id;

		buf_cut(&at, 0);
		dirmap_path(map, id, &at);
		if (!path_is_below(buf_str(&at), path))
			continue;
		(*dirs)++;
		st = stmt_get(ix->db, SQL_FILE_COUNT_DIR, err);
		stmt_int(&st, ":dir", id);
		ret = stmt_number(&st, &n);
		*files += ret == 0 ? n : 0;
		if (ret == 0 && drop && (forget_run(ix->db, SQL_FILE_DELETE_DIR, id, err) < 0 || forget_run(ix->db, SQL_ROOT_DELETE, id, err) < 0 ||
		                         forget_run(ix->db, SQL_DIR_DELETE, id, err) < 0 || forget_run(ix->db, SQL_BEFORE_FORGET_DIR, id, err) < 0))
			ret = -1;
	}
	if (ret == 0 && drop) {
		st = stmt_get(ix->db, SQL_ROOT_EXCLUDE_ORPHANS, err);
		ret = stmt_run(&st);
	}
	if (ret == 0 && drop && *dirs > 0)
		ret = row_history_forget_dirs(ix, err);
	dirmap_free(map);
	buf_release(&at);
	return ret;
}

/* Count a single file; with drop, drop it and the digest of its directory. */
static int
forget_file(struct index *ix, const char *path, bool drop, int64_t *files, struct err *err)
{
	struct file_row row;
	const int ret = dirs_find_file(ix->db, path, &row, err);

	if (ret != 1)
		return ret;
	++*files;
	if (!drop)
		return 0;
	return file_delete(ix->db, row.dir, row.name, row.name_len, err) < 0 ||
	       row_history_forget_file(ix, row.dir, row.name, row.name_len, err) < 0 ? -1 : dirs_forget_digest(ix->db, row.dir, err);
}

/* Count the directories and files at and below a path; with drop, drop them. */
static int
forget_or_count(struct index *ix, const char *path, bool drop, int64_t *files, int64_t *dirs, struct err *err)
{
	int ret;

	*files = *dirs = 0;
	ret = forget_tree(ix, path, drop, files, dirs, err);
	/* Where a root was there may be a file now, and the index has both. */
	if (ret == 0)
		ret = forget_file(ix, path, drop, files, err);
	if (ret == 0 && *dirs == 0 && *files == 0)
		ret = err_set(err, ERR_NO_PATH, "'%s' is not in the index", path);
	return ret;
}

/* mark_fn: count. */
static int
forget_count_mark(void *arg, const struct mark *m)
{
	(void)m;
	++*(int64_t *)arg;
	return 0;
}

int
forget_count(struct index *ix, const char *path, int64_t *files, int64_t *dirs, int64_t *marks, struct err *err)
{
	*marks = 0;
	if (forget_or_count(ix, path, false, files, dirs, err) < 0)
		return -1;
	return mark_each(ix, path, forget_count_mark, marks, err);
}

int
forget_path(struct index *ix, const char *path, int64_t *files, int64_t *dirs, struct err *err)
{
	int ret;

	if (db_begin(ix->db, err) < 0)
		return -1;
	ret = forget_or_count(ix, path, true, files, dirs, err);
	if (ret == 0)
		ret = mark_forget(ix, path, err);
	if (ret == 0)
		ret = journal_forget_totals(ix->db, err);
	/* The disk has not changed: a scan would not meet again what is forgotten. */
	if (ret == 0)
		ret = changed_forget(ix, err);
	return db_end(ix->db, ret, err);
}
