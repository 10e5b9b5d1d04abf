/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/sets_unread.h"

#include "db/stmt.h"
#include "index/index.h"
#include "query/indexes.h"
#include "query/reread.h"
#include "query/unhashed_by_size.h"
#include "sys/stop.h"

/* A pass over the files without a hash of all indexes. */
struct sets_unread_pass {
	struct sets_unread *u;
	const struct sets_query *q;
	struct presence_view *here;
	struct unhashed_by_size sized;
	struct reread reread;
	struct buf path;             /* of the file in hand */
};

static void
sets_unread_tell(const struct sets_unread_pass *p, enum gap gap, const char *why)
{
	if (p->q->gap != NULL)
		p->q->gap(p->q->gap_arg, buf_str(&p->path), gap, false, why);
}

/* Read a file, or tell why that can't be done.  Returns 1, 0 or -1. */
static int
sets_unread_read(struct sets_unread_pass *p, struct presence_view *view, enum presence presence, struct file_row *row,
                 struct err *err)
{
	if (presence == PRESENCE_OFFLINE)
		sets_unread_tell(p, GAP_UNPROVEN, "it is offline, and was not read before");
	else if (presence == PRESENCE_UNREADABLE)
		sets_unread_tell(p, GAP_UNREADABLE, strerror(view->error));
	else if (p->q->no_check)
		sets_unread_tell(p, GAP_UNPROVEN, "it was not read, and another index has its size");
	else if (reread_row(&p->reread, view, buf_str(&p->path), row) == 1)
		return 1;
	else if (stop_check(err) < 0)
		return -1;
	else
		sets_unread_tell(p, GAP_UNREADABLE, "it can't be read now, and another index has its size");
	return 0;
}

/* Read a file of an index if another one may have a copy of it. */
static int
sets_unread_file(struct sets_unread_pass *p, size_t of, const struct file_row *found, struct err *err)
{
	struct indexes_other *o = indexes_nth(p->q->with, of);
	struct sets_unread_file f = { .row = *found, .of = (uint8_t)of };
	enum presence presence;
	const char *path;
	int ret;

	indexes_take_row(o, &f.row);
	if (indexes_look(o, p->here, &f.row, &p->sized.where, &presence, &path, err) < 0)
		return -1;
	/* What has changed is told of members only: nobody knows whether this was one. */
	if (presence == PRESENCE_GONE || presence == PRESENCE_CHANGED || !presence_is_of(presence))
		return 0;
	buf_cut(&p->path, 0);
	buf_adds(&p->path, path);
	ret = unhashed_by_size_elsewhere(&p->sized, p->q->with, o, &f.row, buf_str(&p->path), err);
	if (ret <= 0)
		return ret;
	ret = sets_unread_read(p, indexes_view(o, p->here), presence, &f.row, err);
	if (ret < 0)
		return -1;
	p->u->n_read += ret == 1;
	f.row.dir = found->dir;
	f.row.inode = found->inode;
	f.row.name = arena_dup(&p->u->names, found->name, found->name_len);
	vec_push(&p->u->files, f);
	return stop_check(err);
}

/* The files without a hash of an index. */
static int
sets_unread_index(struct sets_unread_pass *p, size_t of, struct err *err)
{
	struct indexes_other *o = indexes_nth(p->q->with, of);
	struct stmt st = stmt_get(indexes_view(o, p->here)->ix->db, SQL_FILE_UNREAD_SIZES, err);
	int ret;

	stmt_int(&st, ":min_size", p->q->min_size);
	while ((ret = stmt_step(&st)) == 1) {
		const struct file_row any = { .size = stmt_col_int(&st, 0) };
		const struct file_row *row;
		struct unhashed_by_size_names names;

		unhashed_by_size_trim(&p->sized);
		/* Only where another index has files of this size. */
		ret = 0;
		for (size_t i = 0; ret == 0 && i <= p->q->with->others.n; i++) {
			if (i != of)
				ret = file_size_known(indexes_view(indexes_nth(p->q->with, i), p->here)->ix->db, any.size, err);
		}
		if (ret == 0)
			continue;
		if (ret == 1)
			ret = unhashed_by_size_begin(&p->sized, o, false, &any, &names, err);
		while (ret == 0 && (row = unhashed_by_size_next(&names)) != NULL)
			ret = sets_unread_file(p, of, row, err);
		if (ret < 0)
			break;
	}
	stmt_done(&st);
	return ret;
}

static int
sets_unread_cmp(const void *a, const void *b)
{
	const struct sets_unread_file *x = a, *y = b;

	ORDER_CMP(y->row.has_hash, x->row.has_hash);
	ORDER_CMP(x->row.size, y->row.size);
	return memcmp(x->row.hash, y->row.hash, HASH_SIZE);
}

int
sets_unread_load(struct sets_unread *u, const struct sets_query *q, struct presence_view *here, struct err *err)
{
	struct sets_unread_pass p = {
		.u = u, .q = q, .here = here,
		.sized = { .here = here, .where = { .exclude = q->exclude, .n_exclude = q->n_exclude } },
	};
	int ret = 0;

	for (size_t i = 0; ret == 0 && i <= q->with->others.n; i++)
		ret = sets_unread_index(&p, i, err);
	if (u->files.n > 0)
		qsort(u->files.v, u->files.n, sizeof(*u->files.v), sets_unread_cmp);
	unhashed_by_size_release(&p.sized);
	reread_release(&p.reread);
	buf_release(&p.path);
	return ret;
}

void
sets_unread_release(struct sets_unread *u)
{
	vec_release(&u->files);
	arena_release(&u->names);
}
