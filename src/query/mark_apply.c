/* SPDX-License-Identifier: MIT */
/*
 * Files are given one by one (mark_apply_items), or list_each delivers all at and below paths.
 * To drop, choose delivers them content by content, and says which of them may be dropped.  Where
 * they are many, no copy is looked for before that of files whose content has other names; the
 * state of one, for the reason, is asked afterwards if no other inode of its content was found.
 *
 * The marks are written together, when all is decided: one path has one content, so that none of
 * them changes what is decided about another content.
 *
 * struct mark_apply  one call: the files, and the marks that they get
 *
 * All in the calling thread and in one transaction, which a failure rolls back.
 */
#include "base/base.h"

#include "query/mark_apply.h"

#include <time.h>

#include "db/db.h"
#include "query/choose.h"
#include "query/list.h"
#include "index/file.h"
#include "index/index.h"
#include "index/marks.h"
#include "sys/content.h"
#include "sys/stop.h"

struct mark_apply {
	struct index *ix;
	const struct mark_apply_query *q;
	struct mark_apply_totals *totals;
	/* Files of whose content no other inode was found, and why else they are refused. */
	VEC(const char *) alone, alone_why;
	size_t next_alone;
	VEC(struct mark) marks;    /* to be written; paths are those of files, or in memory */
	struct arena memory;
	struct choose names;       /* the files, and the names of the content in hand */
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

/* list_fn: note a file, or refuse it. */
static int
mark_apply_note(void *arg, const struct file_answer *a)
{
	struct mark_apply *d = arg;

	if (d->q->decision == MARK_DROP && keep_holds(d->q->keep, &d->ix->backups, a->path))
		return mark_apply_refuse(d, a->path, "in a backup");
	if (d->q->decision == MARK_DROP && !choose_may_go(a))
		return mark_apply_refuse_state(d, a);
	choose_add(&d->names, &(struct choose_item){ a->path, d->q->decision, a->size, a->mtime, a->hash });
	return 0;
}

/* Decide that a file gets its mark. */
static int
mark_apply_mark(struct mark_apply *d, struct choose_file *f, struct err *err)
{
	struct mark old;
	int ret;

	ret = marks_get(&d->names.marks, f->m.has_hash ? f->m.hash : NULL, f->m.path, &old, err);
	if (ret < 0)
		return -1;
	f->marked = true;
	f->already = ret == 1 && mark_same(&old, &f->m);
	d->totals->n_already += f->already;
	d->totals->n_marked += !f->already;
	if (!f->already)
		vec_push(&d->marks, f->m);
	return stop_check(err);
}

/* Report the marked files of one content, once all are decided: what is said to stay does stay. */
static int
mark_apply_tell(struct mark_apply *d, const struct choose_file *v, size_t n)
{
	const struct keep_name *best = d->names.order.n > 0 && d->names.order.v[0]->chosen ? d->names.order.v[0] : NULL;
	size_t number;
	int ret = 0;

	for (size_t i = 0; i < n && ret == 0; i++) {
		const struct choose_file *f = &v[i];
		const char *path = f->m.path;
		const bool drop = f->m.decision == MARK_DROP;
		const struct mark_apply_marked m = { .path = path, .decision = f->m.decision, .already = f->already,
		                                     .stays = drop && best != NULL ? best->facts.path : NULL, .n_stay = drop ? d->names.n_stay : 0 };

		if (f->marked && (d->q->all || pathset_find(&d->names.named, path, strlen(path), &number)))
			ret = d->q->marked(d->q->arg, &m);
	}
	return ret;
}

/* Refuse a file: for its state, later, if no other inode of its content was found. */
static int
mark_apply_refuse_for(struct mark_apply *d, const char *path, const struct choose_name *e, const char *why)
{
	if (!d->names.many || (e != NULL && !choose_are_one(&d->names)))
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
mark_apply_drop(struct mark_apply *d, struct choose_file *f, struct err *err)
{
	const char *path = f->m.path;
	const struct choose_name *e = choose_find(&d->names, path);

	if (e == NULL)
		return mark_apply_refuse_for(d, path, NULL, "it is not there, or has changed");
	if (e->name.fate == KEEP_GOES)
		return mark_apply_mark(d, f, err);
	if (e->name.mark == MARK_KEEP && e->name.wish == KEEP_PINNED)
		return mark_apply_refuse(d, path, "it is marked keep: --force drops it");
	if (d->q->keep->n_in == 0 && d->names.n_stay <= 1 && keep_may_ask(&e->name) && !e->name.spared && e->name.standing != KEEP_ALIAS && e->name.beside == 0)
		return mark_apply_refuse_for(d, path, e, "the last copy: no other one is there that may be relied on, and is not marked drop");
	return mark_apply_refuse_for(d, path, e, keep_why(d->q->keep, &e->name, d->names.n_stay));
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
		const struct file_row *row = &((const struct choose_name *)v[i])->row;
		struct mark *m;

		if (!v[i]->best || v[i]->mark == MARK_KEEP)
			continue;
		m = vec_add(&d->marks);
		*m = (struct mark){ .path = arena_str(&d->memory, v[i]->facts.path), .decision = MARK_KEEP, .size = row->size,
		                    .mtime_ns = fs_time_key(row->mtime), .has_hash = true, .made = (int64_t)time(NULL) };
		memcpy(m->hash, row->hash, HASH_SIZE);
		d->totals->n_must++;
	}
}

/* choose_fn: mark the files of one content. */
static int
mark_apply_content(void *arg, struct choose_file *v, size_t n, struct err *err)
{
	struct mark_apply *d = arg;
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		struct choose_name *e = choose_find(&d->names, v[i].m.path);

		if (e != NULL && v[i].m.decision == MARK_DROP)
			choose_ask(e);
		else if (e != NULL)
			choose_kept(&d->names, e);
	}
	choose_fates(&d->names);
	for (size_t i = 0; ret == 0 && i < n; i++)
		ret = v[i].m.decision == MARK_KEEP ? mark_apply_mark(d, &v[i], err) : mark_apply_drop(d, &v[i], err);
	if (ret != 0)
		return ret;
	mark_apply_keep_must(d);
	return mark_apply_tell(d, v, n);
}

/* Mark the files, content by content where some are to be dropped. */
static int
mark_apply_all(struct mark_apply *d, struct err *err)
{
	const struct list_query list = { .depth = 0 };
	struct list_totals states = { .n = { 0 } };
	struct choose_file *v = d->names.files.v;
	const size_t n = d->names.files.n;
	bool drops = false;
	int ret = 0;

	if (d->ix->marks && choose_are_many(&d->names, (int64_t)n))
		ret = marks_load(&d->names.marks, err);
	for (size_t i = 0; i < n; i++)
		drops |= v[i].m.decision == MARK_DROP;
	if (ret == 0 && drops)
		ret = choose_each(&d->names, mark_apply_content, d, err);
	for (size_t i = 0; ret == 0 && !drops && i < n; i++) {
		ret = mark_apply_mark(d, &v[i], err);
		if (ret == 0)
			ret = mark_apply_tell(d, &v[i], 1);
	}
	/* Those without another inode are refused for their state. */
	if (ret == 0 && d->alone.n > 0)
		ret = list_each(d->ix, d->alone.v, d->alone.n, &list, mark_apply_note_alone, d, &states, err);
	return ret != 0 ? ret : mark_put(d->ix, d->totals->batch, d->marks.v, d->marks.n, err);
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
	d->names = (struct choose){ .ix = d->ix, .keep = q->keep, .marking = true, .force = q->force, .reader = &d->reader };
	if (mark_begin(d->ix, &d->totals->batch, err) < 0)
		return -1;
	return choose_open(&d->names, q->paths, q->n_paths, err);
}

/* End the transaction, as a failure if ret is not 0, and free the memory. */
static int
mark_apply_end(struct mark_apply *d, int ret, struct err *err)
{
	if (!d->ix->db->in_transaction)
		return -1;
	choose_release(&d->names);
	content_reader_release(&d->reader);
	vec_release(&d->alone);
	vec_release(&d->alone_why);
	vec_release(&d->marks);
	arena_release(&d->memory);
	return db_end(d->ix->db, ret, err);
}

int
mark_apply(struct index *ix, const struct mark_apply_query *q, struct mark_apply_totals *totals, struct err *err)
{
	struct mark_apply d = { .ix = ix, .q = q, .totals = totals };
	const struct list_query list = { .copies = { .any_copy = true } };
	struct list_totals states = { .n = { 0 } };
	int ret = mark_apply_begin(&d, err);

	assert(q->decision == MARK_DROP || q->decision == MARK_KEEP);
	if (ret == 0 && q->decision == MARK_DROP)
		ret = choose_list(&d.names, q->paths, q->n_paths, mark_apply_note, NULL, &d, &states, err);
	else if (ret == 0)
		ret = list_each(ix, q->paths, q->n_paths, &list, mark_apply_note, &d, &states, err);
	if (ret == 0)
		ret = mark_apply_all(&d, err);
	if (ret == 0 && q->keep->n_in > 0 && totals->n_refused > 0)
		ret = list_count_gaps(ix, q->keep->in, q->keep->n_in, NULL, NULL, &totals->gaps, err);
	return mark_apply_end(&d, ret, err);
}

int
mark_apply_items(struct index *ix, const struct mark_apply_query *q, const struct choose_item *items, size_t n,
                 struct mark_apply_totals *totals, struct err *err)
{
	struct mark_apply d = { .ix = ix, .q = q, .totals = totals };
	int ret;

	assert(q->n_paths == 0);
	ret = mark_apply_begin(&d, err);
	for (size_t i = 0; ret == 0 && i < n; i++)
		choose_add(&d.names, &items[i]);
	if (ret == 0)
		ret = mark_apply_all(&d, err);
	return mark_apply_end(&d, ret, err);
}
