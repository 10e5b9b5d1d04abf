/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "act/settle.h"

#include <stdlib.h>
#include <string.h>

#include "act/act.h"
#include "base/arena.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/before.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/mark.h"
#include "index/names.h"
#include "sys/fs.h"

/*
 * Write the rows of all names of an inode that the index has: its content was compared just now,
 * so that they hold whatever ctime they had.  They are collected first, for the iteration reads
 * the table that is written.
 */
static int
settle_links(struct index *ix, const struct act_file *f, const struct fs_stat *after, struct err *err)
{
	struct names names = names_of_content(ix->db, f->row.size, f->row.hash, err);
	VEC(struct file_row) links = { 0 };
	struct arena texts = { 0 };
	struct file_row row;
	int ret;

	while ((ret = names_next(&names, &row)) == 1) {
		if (!file_linked(&row, &f->row))
			continue;
		row.name = arena_dup(&texts, row.name, row.name_len);
		row.nlink = (int64_t)after->nlink;
		row.ctime = after->ctime;
		vec_push(&links, row);
	}
	for (size_t i = 0; ret == 0 && i < links.n; i++)
		ret = dirs_forget_digest(ix->db, links.v[i].dir, err);
	if (ret == 0)
		ret = file_put_many(ix->db, links.v, links.n, err);
	vec_release(&links);
	arena_release(&texts);
	return ret;
}

int
settle_removed(struct index *ix, const struct act_file *f, const struct fs_stat *after, struct err *err)
{
	if (before_file(ix, f->row.dir, f->row.name, f->row.name_len, err) < 0 || file_delete(ix->db, f->row.dir, f->row.name, f->row.name_len, err) < 0 ||
	    dirs_forget_digest(ix->db, f->row.dir, err) < 0 || journal_forget_totals(ix->db, err) < 0 ||
	    (ix->marks && mark_forget(ix, f->path, err) < 0))
		return -1;
	return after != NULL && after->nlink > 0 && f->row.has_hash ? settle_links(ix, f, after, err) : 0;
}

int
settle_linked(struct index *ix, const struct act_file *f, const struct fs_stat *after, const struct act_file *keeper,
              const struct fs_stat *now, struct err *err)
{
	struct file_row row = keeper->row;

	row.dir = f->row.dir;
	row.name = f->row.name;
	row.name_len = f->row.name_len;
	row.nlink = (int64_t)now->nlink;
	row.ctime = now->ctime;
	return settle_removed(ix, f, after, err) < 0 ? -1 : file_put(ix->db, &row, err);
}

int
settle_shared(struct index *ix, const struct act_file *f, const struct fs_stat *now, struct err *err)
{
	if (ix->marks && mark_forget(ix, f->path, err) < 0)
		return -1;
	return settle_kept(ix, f, now, err);
}

int
settle_kept(struct index *ix, const struct act_file *f, const struct fs_stat *now, struct err *err)
{
	return f->row.has_hash ? settle_links(ix, f, now, err) : 0;
}

/* Until the next scan the index is unfinished if there is a file that nobody had to read so far. */
static int
settle_unproven(struct index *ix, const struct file_row *row, struct err *err)
{
	struct stmt st = file_unproven(ix->db, row, err);
	const int ret = stmt_step(&st);

	stmt_done(&st);
	return ret == 1 ? index_set_unread(ix, err) : ret;
}

int
settle_restored(struct index *ix, const char *path, struct file_row *row, const struct fs_stat *was, struct err *err)
{
	struct act_file before = { .path = path };
	char *dir = mem_dup(path, path_parent_len(path));
	int ret = dirs_find(ix->db, dir, &row->dir, err);

	free(dir);
	if (ret != 1)
		return ret;
	row->name = path_base(path);
	row->name_len = strlen(row->name);
	ret = file_get(ix->db, row->dir, row->name, row->name_len, &before.row, err);
	if (ret >= 0 && (ret == 1 ? before_file : before_new)(ix, row->dir, row->name, row->name_len, err) < 0)
		return -1;
	if (ret < 0 || file_put(ix->db, row, err) < 0 || dirs_forget_digest(ix->db, row->dir, err) < 0 ||
	    journal_forget_totals(ix->db, err) < 0 || settle_unproven(ix, row, err) < 0)
		return -1;
	if (ret == 1 && was != NULL && before.row.has_hash && settle_links(ix, &before, was, err) < 0)
		return -1;
	return 1;
}

int
settle_doubtful(struct index *ix, const struct act_file *f, struct err *err)
{
	struct file_row row = f->row;

	row.has_hash = row.has_head = false;
	row.verified = 0;
	if (before_file(ix, row.dir, row.name, row.name_len, err) < 0)
		return -1;
	return file_put(ix->db, &row, err) < 0 || dirs_forget_digest(ix->db, row.dir, err) < 0 ||
	       journal_forget_totals(ix->db, err) < 0 ? -1 : index_set_unread(ix, err);
}
