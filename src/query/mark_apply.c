/* SPDX-License-Identifier: MIT */
/*
 * Files are given one by one (mark_apply_items), or list_each delivers all at and below paths.
 * To drop, they are sorted by content; keep_names has all names of a content, looks at each, and
 * chooses which of the files may be dropped.  Where they are many, no copy is looked for before
 * that of files whose content has other names; the state of one, for the reason, is asked
 * afterwards if no other inode of its content was found.
 *
 * The marks are written together, when all is decided: one path has one content, so that none of
 * them changes what is decided about another content.
 *
 * struct mark_apply_file  a file to be marked
 *
 * All in the calling thread and in one transaction, which a failure rolls back.
 */
#include "base/base.h"

#include "query/mark_apply.h"

#include <time.h>

#include "db/db.h"
#include "query/keep_names.h"
#include "query/list.h"
#include "query/has_duplicates.h"
#include "index/file.h"
#include "index/index.h"
#include "index/marks.h"
#include "sys/content.h"
#include "sys/stop.h"

/* A file that is to be marked. */
struct mark_apply_file {
	size_t path;               /* in mark_apply.paths */
	struct mark m;             /* its path is set when it is written */
	bool marked, already;      /* it got its mark; it had it */
};

struct mark_apply {
	struct index *ix;
	const struct mark_apply_query *q;
	struct mark_apply_totals *totals;
	bool drops;                /* some files are to be dropped */
	struct err *err;           /* of the call */
	struct has_duplicates several;    /* of the files that list_each delivers */
	/* Files of whose content no other inode was found, and why else they are refused. */
	VEC(const char *) alone, alone_why;
	size_t next_alone;
	struct buf paths;
	VEC(struct mark_apply_file) files;
	VEC(struct mark) must;     /* of the copies that must stay; their paths are in memory */
	struct arena memory;
	struct keep_names names;   /* of the content in hand */
	struct content_reader reader;
};

static int
mark_apply_refuse(struct mark_apply *d, const char *path, const char *why)
{
	d->totals->n_refused++;
	return d->q->refused(d->q->arg, path, why);
}

/* Refuse a file because of its state. */
static int
mark_apply_refuse_state(struct mark_apply *d, const struct file_answer *a)
{
	struct buf why = { 0 };
	int ret;

	buf_adds(&why, keep_state_why(d->q->keep, a->state));
	if (a->state == STATE_LINKED)
		buf_adds(&why, ", all its names are one copy");
	if (a->why != NULL)
		buf_addf(&why, " (%s)", a->why);
	ret = mark_apply_refuse(d, a->path, buf_str(&why));
	buf_release(&why);
	return ret;
}

/* Note a file that is to be marked for this content; hash may be NULL. */
static void
mark_apply_add(struct mark_apply *d, const struct mark_apply_item *item)
{
	struct mark_apply_file *f = vec_add(&d->files);

	memset(f, 0, sizeof(*f));
	f->path = d->paths.len;
	buf_add(&d->paths, item->path, strlen(item->path) + 1);
	f->m.decision = item->decision;
	f->m.size = item->size;
	f->m.mtime_ns = fs_time_key(item->mtime);
	f->m.has_hash = item->hash != NULL;
	if (item->hash != NULL)
		memcpy(f->m.hash, item->hash, HASH_SIZE);
	f->m.made = (int64_t)time(NULL);
	d->drops |= item->decision == MARK_DROP;
}

/* list_fn: note a file, or refuse it. */
static int
mark_apply_note(void *arg, const struct file_answer *a)
{
	struct mark_apply *d = arg;

	if (d->q->decision == MARK_DROP) {
		if (has_duplicates_met(&d->several, d->err) < 0)
			return -1;
		/* With a reason it can't be looked at now. */
		if (a->hash == NULL || a->why != NULL || (a->state != STATE_DUP && a->state != STATE_UNKNOWN))
			return mark_apply_refuse_state(d, a);
	}
	mark_apply_add(d, &(struct mark_apply_item){ a->path, d->q->decision, a->size, a->mtime, a->hash });
	return 0;
}

/* By content, those to keep first, then by path. */
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
	if (x->m.decision != y->m.decision)
		return x->m.decision == MARK_KEEP ? -1 : 1;
	return strcmp((char *)paths + x->path, (char *)paths + y->path);
}

/* Decide that a file gets its mark. */
static int
mark_apply_mark(struct mark_apply *d, struct mark_apply_file *f, struct err *err)
{
	struct mark old;
	int ret;

	f->m.path = d->paths.data + f->path;
	ret = marks_get(&d->names.marks, f->m.has_hash ? f->m.hash : NULL, f->m.path, &old, err);
	if (ret < 0)
		return -1;
	f->marked = true;
	f->already = ret == 1 && mark_same(&old, &f->m);
	if (f->already)
		d->totals->n_already++;
	else
		d->totals->n_marked++;
	return stop_check(err);
}

/* Report the marked files of one content, once all are decided: what is said to stay does stay. */
static int
mark_apply_tell(struct mark_apply *d, size_t begin, size_t end)
{
	const struct keep_name *best = d->names.order.n > 0 && d->names.order.v[0]->chosen ? d->names.order.v[0] : NULL;
	size_t number;
	int ret = 0;

	for (size_t i = begin; i < end && ret == 0; i++) {
		const struct mark_apply_file *f = &d->files.v[i];
		const char *path = d->paths.data + f->path;
		const bool drop = f->m.decision == MARK_DROP;
		const struct mark_apply_marked m = { .path = path, .decision = f->m.decision, .already = f->already,
		                                     .stays = drop && best != NULL ? best->facts.path : NULL, .n_stay = drop ? d->names.n_stay : 0 };

		if (f->marked && (d->q->all || pathset_find(&d->names.named, path, strlen(path), &number)))
			ret = d->q->marked(d->q->arg, &m);
	}
	return ret;
}

/* Ask for the files of one content to go, and choose. */
static int
mark_apply_choose(struct mark_apply *d, size_t begin, size_t end, struct err *err)
{
	if (keep_names_load(&d->names, d->files.v[begin].m.size, d->files.v[begin].m.hash, err) < 0)
		return -1;
	for (size_t i = begin; i < end; i++) {
		struct keep_entry *e = keep_names_find(&d->names, d->paths.data + d->files.v[i].path);

		if (e != NULL && d->files.v[i].m.decision == MARK_DROP)
			keep_names_ask(e);
		else if (e != NULL)
			keep_names_kept(&d->names, e);
	}
	keep_names_choose(&d->names);
	return 0;
}

/* Refuse a file: for its state, later, if no other inode of its content was found. */
static int
mark_apply_refuse_for(struct mark_apply *d, const char *path, const struct keep_entry *e, const char *why)
{
	if (!d->several.known || (e != NULL && !keep_names_are_one(&d->names)))
		return mark_apply_refuse(d, path, why);
	vec_push(&d->alone, path);
	vec_push(&d->alone_why, why);
	return 0;
}

/* list_fn: refuse the next file without another inode. */
static int
mark_apply_note_alone(void *arg, const struct file_answer *a)
{
	struct mark_apply *d = arg;
	const char *why;

	while (d->next_alone < d->alone.n && strcmp(d->alone.v[d->next_alone], a->path) != 0)
		d->next_alone++;
	assert(d->next_alone < d->alone.n);
	why = d->alone_why.v[d->next_alone];
	/* A copy has come since it was looked for, or does not count. */
	return a->state == STATE_DUP && a->why == NULL ? mark_apply_refuse(d, a->path, why) : mark_apply_refuse_state(d, a);
}

/* Mark one file to be dropped if that was chosen. */
static int
mark_apply_drop(struct mark_apply *d, struct mark_apply_file *f, struct err *err)
{
	const char *path = d->paths.data + f->path;
	const struct keep_entry *e = keep_names_find(&d->names, path);

	if (e == NULL)
		return mark_apply_refuse_for(d, path, NULL, "it is not there, or has changed");
	if (e->name.fate == KEEP_GOES)
		return mark_apply_mark(d, f, err);
	if (e->name.mark == MARK_KEEP && e->name.wish == KEEP_PINNED)
		return mark_apply_refuse(d, path, "it is marked keep: --force drops it");
	if (d->q->keep->n_in == 0 && d->names.n_stay <= 1 && e->name.wish != KEEP_PINNED && e->name.standing != KEEP_ALIAS && e->name.beside == 0)
		return mark_apply_refuse_for(d, path, e, "the last copy: no other one is there that may be relied on, and is not marked drop");
	return mark_apply_refuse_for(d, path, e, keep_why(d->q->keep, &e->name, d->names.n_stay));
}

/* Whether a name before the nth in order leads to the inode of that. */
static bool
mark_apply_is_link(const struct mark_apply *d, size_t n)
{
	struct keep_name *const *v = d->names.order.v;

	for (size_t i = 0; i < n; i++) {
		if (inode_same(v[i]->inode, v[n]->inode))
			return true;
	}
	return false;
}

/*
 * Where more than one copy must stay, mark these keep, by the best name of each: what acts on the
 * marks later counts them.  Not where it is still open which of the items stay.
 */
static void
mark_apply_keep_must(struct mark_apply *d)
{
	const struct keep *keep = d->q->keep;
	struct keep_name *const *v = d->names.order.v;
	bool goes = false, kept = d->q->n_paths > 0;

	if (keep->copies <= 1 && !keep->per_volume)
		return;
	for (size_t i = 0; i < d->names.order.n; i++) {
		goes |= v[i]->fate == KEEP_GOES;
		kept |= v[i]->mark == MARK_KEEP;
	}
	for (size_t i = 0; goes && kept && i < d->names.order.n; i++) {
		const struct file_row *row = &((const struct keep_entry *)v[i])->row;
		struct mark *m;

		if (!v[i]->chosen || v[i]->standing != KEEP_COUNTS || v[i]->mark == MARK_KEEP || mark_apply_is_link(d, i))
			continue;
		m = vec_add(&d->must);
		*m = (struct mark){ .path = arena_str(&d->memory, v[i]->facts.path), .decision = MARK_KEEP, .size = row->size,
		                    .mtime_ns = fs_time_key(row->mtime), .has_hash = true, .made = (int64_t)time(NULL) };
		memcpy(m->hash, row->hash, HASH_SIZE);
		d->totals->n_must++;
	}
}

/* Write the marks of all files that got one. */
static int
mark_apply_write(struct mark_apply *d, struct err *err)
{
	VEC(struct mark) marks = { 0 };
	int ret;

	for (size_t i = 0; i < d->files.n; i++) {
		if (d->files.v[i].marked && !d->files.v[i].already)
			vec_push(&marks, d->files.v[i].m);
	}
	for (size_t i = 0; i < d->must.n; i++)
		vec_push(&marks, d->must.v[i]);
	ret = mark_put(d->ix, d->totals->batch, marks.v, marks.n, err);
	vec_release(&marks);
	return ret;
}

/* Mark the files, content by content where some are to be dropped. */
static int
mark_apply_all(struct mark_apply *d, struct err *err)
{
	const struct list_query list = { .depth = 0 };
	struct list_totals states = { .n = { 0 } };
	size_t n = 0;
	int ret = 0;

	if (d->ix->marks && has_duplicates_are_many(&d->several, (int64_t)d->files.n))
		ret = marks_load(&d->names.marks, err);
	if (d->drops && d->files.n > 1) {
		order_sort_by(d->files.v, d->files.n, sizeof(*d->files.v), mark_apply_cmp_file, d->paths.data);
		/* An item may be the copy of several that are kept: it counts once. */
		for (size_t i = 0; i < d->files.n; i++) {
			if (n == 0 || mark_apply_cmp_file(&d->files.v[n - 1], &d->files.v[i], d->paths.data) != 0)
				d->files.v[n++] = d->files.v[i];
		}
		d->files.n = n;
	}
	for (size_t begin = 0, end; ret == 0 && begin < d->files.n; begin = end) {
		const struct mark *m = &d->files.v[begin].m;
		size_t i = begin;

		for (end = begin + 1; d->drops && end < d->files.n && m->size == d->files.v[end].m.size && memcmp(m->hash, d->files.v[end].m.hash, HASH_SIZE) == 0;)
			end++;
		for (; ret == 0 && i < end && d->files.v[i].m.decision == MARK_KEEP; i++)
			ret = mark_apply_mark(d, &d->files.v[i], err);
		if (ret == 0 && i < end)
			ret = mark_apply_choose(d, begin, end, err);
		for (; ret == 0 && i < end; i++)
			ret = mark_apply_drop(d, &d->files.v[i], err);
		if (ret == 0 && d->drops)
			mark_apply_keep_must(d);
		if (ret == 0)
			ret = mark_apply_tell(d, begin, end);
	}
	/* Those without another inode are refused for their state. */
	if (ret == 0 && d->alone.n > 0)
		ret = list_each(d->ix, d->alone.v, d->alone.n, &list, mark_apply_note_alone, d, &states, err);
	return ret != 0 ? ret : mark_apply_write(d, err);
}

/* Begin a batch in a transaction of its own. */
static int
mark_apply_begin(struct mark_apply *d, struct err *err)
{
	const struct mark_apply_query *q = d->q;

	assert(q->refused != NULL && q->marked != NULL);
	memset(d->totals, 0, sizeof(*d->totals));
	if (db_begin(d->ix->db, err) < 0)
		return -1;
	content_reader_init(&d->reader, d->ix->secret, (struct fs_time){ 0, 0 });
	d->names = (struct keep_names){ .ix = d->ix, .keep = q->keep, .marking = true, .force = q->force, .reader = &d->reader };
	if (mark_begin(d->ix, &d->totals->batch, err) < 0)
		return -1;
	return keep_names_open(&d->names, q->paths, q->n_paths, err);
}

/* End the transaction, as a failure if ret is not 0, and free the memory. */
static int
mark_apply_end(struct mark_apply *d, int ret, struct err *err)
{
	if (!d->ix->db->in_transaction)
		return -1;
	keep_names_release(&d->names);
	content_reader_release(&d->reader);
	buf_release(&d->paths);
	vec_release(&d->files);
	vec_release(&d->alone);
	has_duplicates_release(&d->several);
	vec_release(&d->alone_why);
	vec_release(&d->must);
	arena_release(&d->memory);
	return db_end(d->ix->db, ret, err);
}

int
mark_apply(struct index *ix, const struct mark_apply_query *q, struct mark_apply_totals *totals, struct err *err)
{
	struct mark_apply d = { .ix = ix, .q = q, .totals = totals, .err = err, .several = { .ix = ix } };
	const bool drop = q->decision == MARK_DROP && q->keep->n_in == 0;
	const struct list_query list = { .copies = { .in = q->keep->in, .n_in = q->keep->n_in, .any_copy = true,
	                                             .several = drop ? has_duplicates_has : NULL, .several_arg = &d.several } };
	struct list_totals states;
	int ret = mark_apply_begin(&d, err);

	assert(q->decision == MARK_DROP || q->decision == MARK_KEEP);
	memset(&states, 0, sizeof(states));
	if (ret == 0)
		ret = list_each(ix, q->paths, q->n_paths, &list, mark_apply_note, &d, &states, err);
	if (ret == 0)
		ret = mark_apply_all(&d, err);
	if (ret == 0 && q->keep->n_in > 0 && totals->n_refused > 0)
		ret = list_count_gaps(ix, q->keep->in, q->keep->n_in, NULL, NULL, &totals->gaps, err);
	return mark_apply_end(&d, ret, err);
}

int
mark_apply_items(struct index *ix, const struct mark_apply_query *q, const struct mark_apply_item *items, size_t n,
                 struct mark_apply_totals *totals, struct err *err)
{
	struct mark_apply d = { .ix = ix, .q = q, .totals = totals, .err = err, .several = { .ix = ix } };
	int ret;

	assert(q->n_paths == 0);
	ret = mark_apply_begin(&d, err);
	for (size_t i = 0; ret == 0 && i < n; i++) {
		assert(items[i].decision == MARK_KEEP || items[i].hash != NULL);
		mark_apply_add(&d, &items[i]);
	}
	if (ret == 0)
		ret = mark_apply_all(&d, err);
	return mark_apply_end(&d, ret, err);
}
