/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/index_update.h"

#include <unistd.h>

#include "act/act.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/archives.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/row_history.h"
#include "index/index.h"
#include "index/name_added.h"
#include "index/journal.h"
#include "index/mark.h"
#include "sys/fs.h"

void
index_update_kept(struct index_update *s, const struct act_file *f, const struct fs_stat *now)
{
	struct file_row row = f->row;

	if (!row.has_hash)
		return;
	row.nlink = (int64_t)now->nlink;
	row.ctime = now->ctime;
	/* Names of one content come one after another. */
	for (size_t i = s->links.n; i-- > 0 && s->links.v[i].size == row.size && memcmp(s->links.v[i].hash, row.hash, HASH_SIZE) == 0;) {
		if (file_linked(&s->links.v[i], &row)) {
			s->links.v[i] = row;
			return;
		}
	}
	vec_push(&s->links, row);
}

/* The row of a file is about to change: keep it, and forget what was made of it. */
static int
index_update_changes(struct index_update *s, const struct act_file *f, struct err *err)
{
	const bool again = s->dir == f->row.dir;

	s->dir = f->row.dir;
	if (row_history_add(s->ix, &s->before, &f->row, false, err) < 0)
		return -1;
	return again ? 0 : dirs_forget_digest(s->ix->db, f->row.dir, err);
}

/* After a name has lost its inode: forget its mark, update the other names. */
static int
index_update_left(struct index_update *s, const struct act_file *f, const struct fs_stat *after, struct err *err)
{
	if (after != NULL && after->nlink > 0)
		index_update_kept(s, f, after);
	return s->ix->marks ? mark_forget(s->ix, f->path, err) : 0;
}

int
index_update_removed(struct index_update *s, const struct act_file *f, const struct fs_stat *after, struct err *err)
{
	if (index_update_changes(s, f, err) < 0)
		return -1;
	vec_push(&s->gone, f->row);
	return index_update_left(s, f, after, err);
}

int
index_update_linked(struct index_update *s, const struct act_file *f, const struct fs_stat *after, const struct act_file *keeper,
              const struct fs_stat *now, struct err *err)
{
	struct file_row *row;

	if (index_update_changes(s, f, err) < 0)
		return -1;
	row = vec_add(&s->rows);
	*row = keeper->row;
	row->dir = f->row.dir;
	row->name = f->row.name;
	row->name_len = f->row.name_len;
	row->nlink = (int64_t)now->nlink;
	row->ctime = now->ctime;
	return index_update_left(s, f, after, err);
}

int
index_update_shared(struct index_update *s, const struct act_file *f, const struct fs_stat *now, struct err *err)
{
	index_update_kept(s, f, now);
	return s->ix->marks ? mark_forget(s->ix, f->path, err) : 0;
}

int
index_update_doubtful(struct index_update *s, const struct act_file *f, struct err *err)
{
	struct file_row row = f->row;

	row.has_hash = row.has_head = false;
	row.verified = 0;
	if (index_update_changes(s, f, err) < 0)
		return -1;
	vec_push(&s->rows, row);
	return index_set_unread(s->ix, err);
}

int
index_update_write(struct index_update *s, struct err *err)
{
	int ret = row_history_write(s->ix, &s->before, err);

	if (ret == 0 && s->dir != 0)
		ret = journal_forget_totals(s->ix->db, err);
	if (ret == 0 && (file_delete_many(s->ix->db, s->gone.v, s->gone.n, err) < 0 ||
	                 file_put_many(s->ix->db, s->rows.v, s->rows.n, err) < 0))
		ret = -1;
	/*
	 * Links come last: some of their names were written just now.  Their contents were
	 * compared, so their hashes hold under any ctime.
	 */
	if (ret == 0)
		ret = file_set_links(s->ix->db, s->links.v, s->links.n, err);
	return ret == 0 ? archives_touch(s->ix, err) : ret;
}

void
index_update_release(struct index_update *s)
{
	row_history_batch_release(&s->before);
	vec_release(&s->rows);
	vec_release(&s->gone);
	vec_release(&s->links);
}

/* One that is another file system now is left to the next scan. */
int
index_update_dir(struct index *ix, struct row_history_dropped *dropped, const char *path, int64_t *dir, struct err *err)
{
	const char *name = path_base(path);
	struct fs_stat st, above;
	struct buf text = { 0 };
	struct stmt get, put;
	char *parent;
	int64_t over;
	int fd, up, ret = dirs_find(ix->db, path, dir, err);

	if (ret != 0 || *name == '\0')
		return ret;
	parent = mem_dup(path, path_parent_len(path));
	fd = fs_open_dir_below(path, 1);
	up = fs_open_dir_below(parent, 1);
	if (fd < 0 || up < 0 || fs_stat_fd(fd, &st) < 0 || fs_stat_fd(up, &above) < 0 || st.dev != above.dev ||
	    (ret = index_update_dir(ix, dropped, parent, &over, err)) <= 0 ||
	    (ret = row_history_dropped_dir(ix, dropped, over, name, dir, err)) <= 0)
		goto out;
	get = stmt_get(ix->db, SQL_DIR_GET, err);
	stmt_int(&get, ":dir", over);
	if ((ret = stmt_step(&get)) == 1) {
		put = stmt_get(ix->db, SQL_DIR_JOIN, err);
		dirs_store_name(&text, name, strlen(name), over);
		stmt_int(&put, ":id", *dir);
		stmt_int(&put, ":parent", over);
		stmt_text(&put, ":name", text.data, text.len);
		if (!name_is_utf8(name, strlen(name)))
			stmt_blob(&put, ":name_raw", name, strlen(name));
		stmt_int(&put, ":volume", stmt_col_int(&get, 3));
		stmt_int(&put, ":inode", st.inode);
		ret = stmt_run(&put) < 0 || name_added_put_dir(ix, *dir, over, name, strlen(name), err) < 0 ? -1 : 1;
	}
	stmt_done(&get);
out:
	if (fd >= 0)
		close(fd);
	if (up >= 0)
		close(up);
	buf_release(&text);
	free(parent);
	return ret;
}

int
index_update_restored(struct index *ix, const char *path, struct file_row *row, const struct fs_stat *was,
                      struct row_history_dropped *dropped, struct err *err)
{
	struct act_file before = { .path = path };
	struct stmt st;
	char *dir = mem_dup(path, path_parent_len(path));
	int ret = dropped != NULL ? index_update_dir(ix, dropped, dir, &row->dir, err) : dirs_find(ix->db, dir, &row->dir, err);
	int unproven;

	free(dir);
	if (ret != 1)
		return ret;
	row->name = path_base(path);
	row->name_len = strlen(row->name);
	ret = file_get(ix->db, row->dir, row->name, row->name_len, &before.row, err);
	if (ret >= 0 && (ret == 1 ? row_history_file : row_history_new)(ix, row->dir, row->name, row->name_len, err) < 0)
		return -1;
	if (ret < 0 || name_added_put(ix, row->dir, row->name, row->name_len, false, err) < 0 || file_put(ix->db, row, err) < 0 || dirs_forget_digest(ix->db, row->dir, err) < 0 ||
	    journal_forget_totals(ix->db, err) < 0)
		return -1;
	/* The index is unfinished until the next scan if an unread file may equal the new one. */
	st = file_unproven(ix->db, row, err);
	unproven = stmt_step(&st);
	stmt_done(&st);
	if (unproven < 0 || (unproven == 1 && index_set_unread(ix, err) < 0))
		return -1;
	/* Names that came back earlier have one more link now. */
	if (row->nlink > 1 && row->has_hash && file_set_links(ix->db, row, 1, err) < 0)
		return -1;
	if (ret == 0 || was == NULL || !before.row.has_hash)
		return 1;
	before.row.nlink = (int64_t)was->nlink;
	before.row.ctime = was->ctime;
	return file_set_links(ix->db, &before.row, 1, err) < 0 ? -1 : 1;
}
