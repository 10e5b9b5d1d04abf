/* SPDX-License-Identifier: MIT */
/*
 * list_each delivers all files at and below the paths with their states.  To keep, they are marked
 * in that order.  To drop, they are sorted by content, and of each content all names that the
 * index has are looked at once: a file is marked as long as another inode of its content stays.
 * File by file, those names would be looked at again for each of them.
 *
 * struct mark_apply_file  a file to be marked
 * struct mark_apply_name  a name of the content in hand; its owner is an inode, which counts the
 *                         names that stay; inodes that have some are alive
 *
 * All in the calling thread and in one transaction, which a failure rolls back.
 */
#include <config.h>

#include "query/mark_apply.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/order.h"
#include "base/pathset.h"
#include "base/vec.h"
#include "db/db.h"
#include "query/list.h"
#include "index/presence.h"
#include "index/file.h"
#include "index/index.h"
#include "index/inode.h"
#include "index/mark.h"
#include "index/names.h"
#include "sys/content.h"
#include "sys/stop.h"

/* A file that is to be marked. */
struct mark_apply_file {
	size_t path;               /* in mark_apply.paths */
	struct mark m;             /* its path is set when it is written */
	bool kept;                 /* it was marked to be kept */
	bool marked, already;      /* it got its mark; it had it */
};

/* A name of the content that is being decided. */
struct mark_apply_name {
	size_t path;               /* in mark_apply.name_paths */
	struct inode inode;
	size_t owner;              /* its inode, in mark_apply.owners */
	bool drop;
};

struct mark_apply {
	struct index *ix;
	enum mark_decision decision;
	const struct mark_apply_told *told;
	struct pathset operands;
	struct mark_apply_totals *totals;
	int64_t batch;
	struct buf paths;
	VEC(struct mark_apply_file) files;
	struct presence_view check;
	struct content_reader reader;
	struct buf name_paths;
	VEC(struct mark_apply_name) names;
	VEC(int64_t) owners;       /* names of each inode that are not marked to be dropped */
	int64_t alive;             /* owners that have some */
	const struct mark_apply_name *stays[2];   /* the first to stay, of two inodes */
};

static int
mark_apply_refuse(struct mark_apply *d, const char *path, const char *why)
{
	d->totals->n_refused++;
	return d->told->refused(d->told->arg, path, why);
}

/* Refuse a file because of its state. */
static int
mark_apply_refuse_state(struct mark_apply *d, const struct file_answer *a)
{
	struct buf why = { 0 };
	int ret;

	buf_adds(&why, state_name(a->state));
	if (a->state == STATE_LINKED)
		buf_adds(&why, ", all its names are one copy");
	if (a->why != NULL)
		buf_addf(&why, " (%s)", a->why);
	ret = mark_apply_refuse(d, a->path, buf_str(&why));
	buf_release(&why);
	return ret;
}

/* list_fn: note a file, or refuse it. */
static int
mark_apply_note(void *arg, const struct file_answer *a)
{
	struct mark_apply *d = arg;
	struct mark_apply_file *f;

	/* A dup with a reason is one that can't be looked at now; one without a hash cannot be. */
	if (d->decision == MARK_DROP && (a->state != STATE_DUP || a->why != NULL || a->hash == NULL))
		return mark_apply_refuse_state(d, a);
	f = vec_add(&d->files);
	memset(f, 0, sizeof(*f));
	f->path = d->paths.len;
	buf_add(&d->paths, a->path, strlen(a->path) + 1);
	f->m.decision = d->decision;
	f->m.size = a->size;
	f->m.mtime_ns = fs_time_key(a->mtime);
	f->m.has_hash = a->hash != NULL;
	if (a->hash != NULL)
		memcpy(f->m.hash, a->hash, HASH_SIZE);
	f->m.made = (int64_t)time(NULL);
	f->kept = a->mark == MARK_KEEP;
	return 0;
}

/* By content; of one content as the header says. */
static int
mark_apply_cmp_file(const void *a, const void *b, void *paths)
{
	const struct mark_apply_file *x = a, *y = b;
	int cmp;

	if (x->m.size != y->m.size)
		return x->m.size < y->m.size ? -1 : 1;
	cmp = memcmp(x->m.hash, y->m.hash, HASH_SIZE);
	if (cmp != 0)
		return cmp;
	if (x->kept != y->kept)
		return x->kept ? 1 : -1;
	return strcmp((char *)paths + x->path, (char *)paths + y->path);
}

static int
mark_apply_cmp_inode(const void *a, const void *b)
{
	const struct mark_apply_name *x = a, *y = b;

	return inode_cmp(x->inode, y->inode);
}

static int
mark_apply_cmp_name(const void *a, const void *b, void *paths)
{
	return strcmp((char *)paths + ((const struct mark_apply_name *)a)->path, (char *)paths + ((const struct mark_apply_name *)b)->path);
}

/* Read a racy file again: whether it still has its content, unchanged behind equal times. */
static bool
mark_apply_still(struct mark_apply *d, const struct file_row *row, const char *path)
{
	struct content_result res;
	struct fs_stat st;

	content_read(&d->reader, AT_FDCWD, path, CONTENT_FULL, &st, &res);
	return res.error == 0 && memcmp(res.hash, row->hash, HASH_SIZE) == 0 && presence_same(&d->check, row, path, &st);
}

/* Note a name of the content if it is there. */
static int
mark_apply_add_name(struct mark_apply *d, const struct file_row *row, struct err *err)
{
	enum presence kind;
	struct mark_apply_name *n;
	const char *path;
	struct mark m;
	int ret;

	if (presence_row(&d->check, row, &kind, &path, err) < 0)
		return -1;
	if (kind != PRESENCE_HERE || (row->racy && !mark_apply_still(d, row, path)))
		return 0;
	ret = mark_get(d->ix, path, &m, err);
	if (ret < 0)
		return -1;
	n = vec_add(&d->names);
	*n = (struct mark_apply_name){ d->name_paths.len, row->inode, 0, false };
	n->drop = ret == 1 && m.decision == MARK_DROP && mark_fits(&m, row->size, fs_time_key(row->mtime), row->hash);
	buf_add(&d->name_paths, path, strlen(path) + 1);
	return 0;
}

/* Load the names of a content that are there, by path, and count those of each inode that stay. */
static int
mark_apply_load_names(struct mark_apply *d, const struct mark *content, struct err *err)
{
	struct names names = names_of_content(d->ix->db, content->size, content->hash, err);
	struct file_row row;
	int ret;

	d->names.n = d->owners.n = 0;
	d->alive = 0;
	buf_cut(&d->name_paths, 0);
	while ((ret = names_next(&names, &row)) == 1) {
		if (mark_apply_add_name(d, &row, err) < 0 || stop_check(err) < 0) {
			names_end(&names);
			return -1;
		}
	}
	if (ret < 0 || d->names.n == 0)
		return ret;
	qsort(d->names.v, d->names.n, sizeof(*d->names.v), mark_apply_cmp_inode);
	for (size_t i = 0; i < d->names.n; i++) {
		struct mark_apply_name *n = &d->names.v[i];

		if (i == 0 || mark_apply_cmp_inode(&n[-1], n) != 0)
			vec_push(&d->owners, 0);
		n->owner = d->owners.n - 1;
		if (!n->drop && d->owners.v[n->owner]++ == 0)
			d->alive++;
	}
	qsort_r(d->names.v, d->names.n, sizeof(*d->names.v), mark_apply_cmp_name, d->name_paths.data);
	return 0;
}

static struct mark_apply_name *
mark_apply_find_name(struct mark_apply *d, const char *path)
{
	const char *paths = d->name_paths.data;
	size_t at;

	ORDER_FIRST(at, d->names.n, strcmp(paths + d->names.v[at].path, path) < 0);
	return at < d->names.n && strcmp(paths + d->names.v[at].path, path) == 0 ? &d->names.v[at] : NULL;
}

/* Whether the file is to be told of. */
static bool
mark_apply_tells(const struct mark_apply *d, const char *path)
{
	size_t number;

	return d->told->all || pathset_find(&d->operands, path, strlen(path), &number);
}

/* Find two names that stay, of two inodes: of any file one of them is another inode. */
static void
mark_apply_find_stays(struct mark_apply *d)
{
	d->stays[0] = d->stays[1] = NULL;
	for (size_t i = 0; i < d->names.n && d->stays[1] == NULL; i++) {
		const struct mark_apply_name *n = &d->names.v[i];

		if (!n->drop && (d->stays[0] == NULL || d->stays[0]->owner != n->owner))
			d->stays[d->stays[0] != NULL] = n;
	}
}

/* The first name that stays of another inode than that of a file to be dropped. */
static const char *
mark_apply_stays(const struct mark_apply *d, const struct mark_apply_name *dropped)
{
	const bool own = d->stays[0] != NULL && d->stays[0]->owner == dropped->owner;
	const struct mark_apply_name *n = d->stays[own];

	return n != NULL ? d->name_paths.data + n->path : NULL;
}

static int
mark_apply_write(struct mark_apply *d, struct mark_apply_file *f, struct err *err)
{
	int ret;

	f->m.path = d->paths.data + f->path;
	ret = mark_put(d->ix, d->batch, &f->m, err);
	if (ret < 0)
		return -1;
	f->marked = true;
	f->already = ret == 0;
	if (f->already)
		d->totals->n_already++;
	else
		d->totals->n_marked++;
	return stop_check(err);
}

/* Tell of the files of one content, all of which are decided: what is said to stay does stay. */
static int
mark_apply_tell(struct mark_apply *d, size_t begin, size_t end)
{
	int ret = 0;

	mark_apply_find_stays(d);
	for (size_t i = begin; i < end && ret == 0; i++) {
		const struct mark_apply_file *f = &d->files.v[i];
		const char *path = d->paths.data + f->path;
		const bool drop = d->decision == MARK_DROP;
		struct mark_apply_marked m = { .path = path, .decision = d->decision, .already = f->already };

		if (!f->marked || !mark_apply_tells(d, path))
			continue;
		if (drop) {
			const struct mark_apply_name *n = mark_apply_find_name(d, path);

			m.stays = mark_apply_stays(d, n);
			m.n_stay = d->alive - (d->owners.v[n->owner] > 0);
		}
		ret = d->told->marked(d->told->arg, &m);
	}
	return ret;
}

/* Mark one file to be dropped if another inode of its content stays. */
static int
mark_apply_drop(struct mark_apply *d, struct mark_apply_file *f, struct err *err)
{
	const char *path = d->paths.data + f->path;
	struct mark_apply_name *n = mark_apply_find_name(d, path);
	int64_t *stay;

	if (n == NULL)
		return mark_apply_refuse(d, path, "it is not there, or has changed");
	stay = &d->owners.v[n->owner];
	if (d->alive - (*stay > 0) < 1)
		return mark_apply_refuse(d, path, "the last copy: no other one is there that is not marked drop");
	if (!n->drop && --*stay == 0)
		d->alive--;
	n->drop = true;
	return mark_apply_write(d, f, err);
}

static bool
mark_apply_is_same(const struct mark_apply_file *a, const struct mark_apply_file *b)
{
	return a->m.size == b->m.size && memcmp(a->m.hash, b->m.hash, HASH_SIZE) == 0;
}

/* Mark the files, content by content where they are to be dropped. */
static int
mark_apply_all(struct mark_apply *d, struct err *err)
{
	const bool drop = d->decision == MARK_DROP;
	int ret = 0;

	if (drop && d->files.n > 1)
		qsort_r(d->files.v, d->files.n, sizeof(*d->files.v), mark_apply_cmp_file, d->paths.data);
	for (size_t begin = 0, end; ret == 0 && begin < d->files.n; begin = end) {
		for (end = begin + 1; drop && end < d->files.n && mark_apply_is_same(&d->files.v[begin], &d->files.v[end]);)
			end++;
		if (drop)
			ret = mark_apply_load_names(d, &d->files.v[begin].m, err);
		for (size_t i = begin; ret == 0 && i < end; i++)
			ret = drop ? mark_apply_drop(d, &d->files.v[i], err) : mark_apply_write(d, &d->files.v[i], err);
		if (ret == 0)
			ret = mark_apply_tell(d, begin, end);
	}
	return ret;
}

int
mark_apply(struct index *ix, const char *const *paths, size_t n, enum mark_decision decision,
       const struct mark_apply_told *told, struct mark_apply_totals *totals, struct err *err)
{
	struct mark_apply d = { .ix = ix, .decision = decision, .told = told, .totals = totals };
	const struct list_query q = { .depth = 0 };
	struct list_totals states;
	int ret;

	assert(decision == MARK_DROP || decision == MARK_KEEP);
	assert(told->refused != NULL && told->marked != NULL);
	memset(totals, 0, sizeof(*totals));
	memset(&states, 0, sizeof(states));
	if (db_begin(ix->db, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		pathset_add(&d.operands, paths[i], i);
	pathset_sort(&d.operands);
	ret = mark_begin(ix, &d.batch, err);
	if (ret == 0)
		ret = list_each(ix, paths, n, &q, mark_apply_note, &d, &states, err);
	if (ret == 0)
		ret = presence_open(&d.check, ix, err);
	content_reader_init(&d.reader, ix->secret, (struct fs_time){ 0, 0 });
	if (ret == 0)
		ret = mark_apply_all(&d, err);
	content_reader_release(&d.reader);
	presence_release(&d.check);
	pathset_release(&d.operands);
	buf_release(&d.paths);
	buf_release(&d.name_paths);
	vec_release(&d.files);
	vec_release(&d.names);
	vec_release(&d.owners);
	return db_end(ix->db, ret, err);
}
