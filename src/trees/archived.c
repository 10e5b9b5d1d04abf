/* SPDX-License-Identifier: MIT */
/*
 * Each member is judged by query/inside, as contained judges it.  Files that are archives by name
 * are found by one pass over all rows; of several names of an archive the first one stands for it.
 */
#include "base/base.h"

#include "trees/archived.h"

#include "db/db.h"
#include "db/stmt.h"
#include "index/index.h"
#include "index/presence.h"
#include "index/roots.h"
#include "index/wholes.h"
#include "query/inside.h"
#include "sys/stop.h"
#include "trees/copy_dirs.h"

/* A content that no file has, and the archive in which it was met last. */
struct archived_content {
	int64_t size;
	uint8_t hash[HASH_SIZE];
	size_t archive;
};

/* An archive, and what only archives have of it. */
struct archived_archive {
	struct inside in;            /* path and name in texts */
	int64_t files, of, bytes;
	int64_t unsure;              /* what was not judged in it */
	bool needed;                 /* with could_go: a member of another one that could go */
	struct copy_dirs copies;     /* with could_go: where its members are */
};

/* With could_go: an archive that is a member of another one. */
struct archived_nested {
	size_t outer, inner;
};

struct archived {
	struct index *ix;
	const struct archived_query *q;
	list_fn *file;
	list_gap_fn *gap;
	void *arg;
	struct tree_totals *totals;
	struct arena texts;
	VEC(struct archived_archive) archives;
	struct table by_id;          /* archives */
	VEC(struct archived_content) contents;
	struct table by_hash;        /* contents; with could_go: archives */
	VEC(struct archived_nested) nested;
	VEC(const char *) roots;     /* what is asked about, where q has no dirs */
	size_t at;                   /* the archive in hand */
	struct wholes wholes;
};

static void
archived_gap(struct archived *o, const char *path, enum gap gap, bool dir, const char *why)
{
	gaps_count(&o->totals->gaps, gap, dir);
	o->gap(o->arg, path, gap, dir, why);
}

/* list_gap_fn: of all that could not be judged, what may be an archive or have one in it. */
static void
archived_gap_in(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	const char *name = path_base(path);
	struct archived *o = arg;

	if ((dir || packed_is_name(name, strlen(name))) &&
	    !path_is_below_any(path, o->q->copies.exclude, o->q->copies.n_exclude))
		archived_gap(o, path, gap, dir, why);
}

/* Whether an archive may go: not if it is protected, hidden or in a whole.  Returns 1, 0 or -1. */
static int
archived_may_go(struct archived *o, const char *path, struct err *err)
{
	const struct archived_query *q = o->q;
	const char *const *tops = q->n_dirs > 0 ? q->dirs : o->roots.v;
	const size_t n = q->n_dirs > 0 ? q->n_dirs : o->roots.n;
	struct whole whole;
	int ret;

	if (path_is_below_any(path, q->protect, q->n_protect))
		return 0;
	for (size_t i = 0; i < n; i++) {
		const char *below = path_below(path, tops[i]);

		if (below == NULL)
			continue;
		if (!q->hidden && (below[0] == '.' || strstr(below, "/.") != NULL))
			return 0;
		ret = q->inside ? 0 : wholes_find(&o->wholes, tops[i], path, &whole, err);
		if (ret != 0)
			return ret < 0 ? -1 : 0;
	}
	return 1;
}

/* Note the archive of a row, if it is there and asked about.  Returns 0 or -1. */
static int
archived_note(struct archived *o, struct presence_view *view, const struct file_row *row, struct err *err)
{
	struct archived_archive a = { .in = { .row = *row } };
	enum presence presence;
	const char *path;
	int ret;

	if (presence_row(view, row, &presence, &path, err) < 0)
		return -1;
	/* What is not there as the index has it was counted as a gap, or is gone. */
	if (presence != PRESENCE_HERE || (o->q->n_dirs > 0 && !path_is_below_any(path, o->q->dirs, o->q->n_dirs)) ||
	    path_is_below_any(path, o->q->copies.exclude, o->q->copies.n_exclude))
		return 0;
	if (o->q->could_go) {
		ret = archived_may_go(o, path, err);
		if (ret != 1)
			return ret;
	}
	ret = o->ix->archives ? archives_find(o->ix, row, &a.in.a, err) : 0;
	if (ret == 0)
		archived_gap(o, path, GAP_UNPROVEN, false, "an archive that was not opened: scan --archives does");
	if (ret != 1 || a.in.a.why == PACKED_NONE)
		return ret < 0 ? -1 : 0;
	TABLE_EACH(i, &o->by_id, table_hash((uint64_t)a.in.a.id, 0)) {
		/* It is a link to one that is among them. */
		if (o->archives.v[i].in.a.id == a.in.a.id)
			return 0;
	}
	a.in.path = arena_str(&o->texts, path);
	a.in.row.name = a.in.path + (strlen(path) - row->name_len);
	vec_push(&o->archives, a);
	table_add(&o->by_id, table_hash((uint64_t)a.in.a.id, 0), o->archives.n - 1);
	return 0;
}

/* Find the archives.  Returns 0 or -1. */
static int
archived_find(struct archived *o, struct err *err)
{
	struct presence_view view = { .ix = NULL };
	struct stmt st;
	int ret = presence_open(&view, o->ix, err);

	if (ret == 0) {
		st = stmt_get(o->ix->db, SQL_ARCHIVE_FILES, err);
		while ((ret = stmt_step(&st)) == 1) {
			struct file_row row;
			size_t len;
			const char *name = stmt_col_text(&st, COL_FILE_NAME, &len);

			if (!packed_is_name(name, len))
				continue;
			if (file_read(&st, &row, err) < 0 || archived_note(o, &view, &row, err) < 0 || stop_check(err) < 0) {
				stmt_done(&st);
				ret = -1;
				break;
			}
		}
	}
	presence_release(&view);
	return ret;
}

/* Count a content of the archive in hand.  Returns whether it is another one than those before. */
static bool
archived_count(struct archived *o, int64_t size, const uint8_t *hash)
{
	struct archived_archive *a = &o->archives.v[o->at];

	TABLE_EACH(i, &o->by_hash, content_key(hash)) {
		struct archived_content *c = &o->contents.v[i];

		if (c->size != size || memcmp(c->hash, hash, HASH_SIZE) != 0)
			continue;
		if (c->archive != o->at)
			a->bytes = num_add(a->bytes, size);
		c->archive = o->at;
		return false;
	}
	vec_push(&o->contents, ((struct archived_content){ .size = size, .archive = o->at }));
	memcpy(o->contents.v[o->contents.n - 1].hash, hash, HASH_SIZE);
	table_add(&o->by_hash, content_key(hash), o->contents.n - 1);
	a->bytes = num_add(a->bytes, size);
	return true;
}

/* list_fn: a member. */
static int
archived_member(void *arg, const struct file_answer *f)
{
	struct archived *o = arg;
	struct archived_archive *a = &o->archives.v[o->at];

	if (f->state == STATE_EMPTY || inside_is_rest(f) || (!o->q->could_go && f->size < o->q->min_size))
		return 0;
	/* It is the member in which it is that has no copy. */
	if (o->q->could_go && f->within != NULL)
		return 0;
	a->of++;
	if (o->q->could_go && f->state == STATE_DUP)
		copy_dirs_add(&a->copies, f);
	/* Note which archives are this member of the archive in hand. */
	if (o->q->could_go && f->hash != NULL) {
		TABLE_EACH(i, &o->by_hash, content_key(f->hash)) {
			const struct file_row *row = &o->archives.v[i].in.row;

			if (row->size == f->size && memcmp(row->hash, f->hash, HASH_SIZE) == 0)
				vec_push(&o->nested, ((struct archived_nested){ .outer = o->at, .inner = i }));
		}
	}
	if (f->state != STATE_UNIQUE)
		return 0;
	a->files++;
	if (o->q->could_go)
		return 0;
	o->totals->files++;
	/* Its bytes are among those of the member in which it is. */
	if (f->within != NULL)
		return o->file != NULL ? o->file(o->arg, f) : 0;
	/* One that was not read has a size that no file has; members of that size may be equal. */
	if (f->hash == NULL)
		a->bytes = num_add(a->bytes, f->size);
	if (f->hash == NULL || archived_count(o, f->size, f->hash))
		o->totals->bytes = num_add(o->totals->bytes, f->size);
	return o->file != NULL ? o->file(o->arg, f) : 0;
}

/* list_gap_fn: a gap inside of an archive, which inside_each() has counted. */
static void
archived_gap_member(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct archived *o = arg;

	o->archives.v[o->at].unsure++;
	o->gap(o->arg, path, gap, dir, why);
}

static int
archived_cmp(const void *a, const void *b)
{
	const struct archived_archive *x = a, *y = b;

	ORDER_CMP(y->bytes, x->bytes);
	return strcmp(x->in.path, y->in.path);
}

/* Deliver an archive that could go, if it could.  Returns 0, or what fn returned. */
static int
archived_tell_whole(struct archived *o, struct archived_archive *a, at_risk_fn *fn)
{
	const int64_t size = a->in.row.size;
	const struct tree_answer t = {
		.path = a->in.path, .state = TREE_ARCHIVE, .files = a->of, .bytes = size, .frees = a->in.row.nlink > 1 ? 0 : size,
		.places = a->copies.places.v, .n_places = a->copies.places.n,
	};

	if (a->files > 0 || a->of == 0 || size < o->q->min_size)
		return 0;
	if (a->unsure > 0) {
		o->totals->unproven++;
		return 0;
	}
	if (a->needed)
		return 0;
	o->totals->dirs++;
	o->totals->files += a->of;
	o->totals->bytes = num_add(o->totals->bytes, size);
	o->totals->frees = num_add(o->totals->frees, t.frees);
	return fn(o->arg, &t);
}

/* Deliver an archive that has something alone, if it has.  Returns 0, or what fn returned. */
static int
archived_tell_alone(struct archived *o, struct archived_archive *a, at_risk_fn *fn)
{
	const struct tree_answer t = { .path = a->in.path, .state = TREE_IN_ARCHIVE, .files = a->files, .of = a->of, .bytes = a->bytes, .frees = -1 };

	if (a->files == 0)
		return 0;
	o->totals->dirs++;
	return fn != NULL ? fn(o->arg, &t) : 0;
}

/* Deliver the archives.  Returns 0, or what fn returned. */
static int
archived_tell(struct archived *o, at_risk_fn *fn)
{
	int ret = 0;

	/*
	 * An archive that is a member of one that could go stays: that one relies on it as the
	 * copy.  Where archives nest deeper, some stay that need not: they are shown when the outer
	 * ones go.
	 */
	for (size_t i = 0; i < o->nested.n; i++) {
		const struct archived_archive *a = &o->archives.v[o->nested.v[i].outer];

		if (a->files == 0 && a->of > 0 && a->unsure == 0 && a->in.row.size >= o->q->min_size)
			o->archives.v[o->nested.v[i].inner].needed = true;
	}
	for (size_t i = 0; i < o->archives.n; i++) {
		copy_dirs_close(&o->archives.v[i].copies);
		if (o->q->could_go)
			o->archives.v[i].bytes = o->archives.v[i].in.row.size;
	}
	if (o->archives.n > 1)
		qsort(o->archives.v, o->archives.n, sizeof(*o->archives.v), archived_cmp);
	for (size_t i = 0; ret == 0 && i < o->archives.n; i++)
		ret = (o->q->could_go ? archived_tell_whole : archived_tell_alone)(o, &o->archives.v[i], fn);
	return ret;
}

/* Count the gaps around the archives.  Returns 0 or -1. */
static int
archived_gaps(struct archived *o, struct err *err)
{
	struct gaps all = { .files = { 0 } };
	struct roots roots = { 0 };
	int ret = o->q->n_dirs > 0 ? 0 : roots_load(&roots, o->ix->db, err);

	for (size_t i = 0; i < roots.n; i++) {
		bool inner = false;

		for (size_t j = 0; j < roots.n && !inner; j++)
			inner = j != i && path_is_below(roots.v[i].path, roots.v[j].path);
		if (!inner)
			vec_push(&o->roots, arena_str(&o->texts, roots.v[i].path));
	}
	if (ret == 0)
		ret = list_count_gaps(o->ix, o->q->n_dirs > 0 ? o->q->dirs : o->roots.v, o->q->n_dirs > 0 ? o->q->n_dirs : o->roots.n,
		                      archived_gap_in, o, &all, err);
	roots_release(&roots);
	return ret;
}

int
archived_each(struct index *ix, const struct archived_query *q, at_risk_fn *fn, list_fn *file, list_gap_fn *gap, void *arg,
              struct tree_totals *totals, struct err *err)
{
	struct archived o = {
		.ix = ix, .q = q, .file = file, .gap = gap, .arg = arg, .totals = totals, .wholes = { .db = ix->db, .more = q->wholes, .n_more = q->n_wholes },
	};
	int ret = archived_gaps(&o, err);

	if (ret == 0)
		ret = archived_find(&o, err);
	for (size_t i = 0; ret == 0 && q->could_go && i < o.archives.n; i++) {
		const struct file_row *row = &o.archives.v[i].in.row;

		if (row->has_hash)
			table_add(&o.by_hash, content_key(row->hash), i);
	}
	for (o.at = 0; ret == 0 && o.at < o.archives.n; o.at++) {
		struct archived_archive *a = &o.archives.v[o.at];

		a->copies.asked = a->in.path;
		ret = inside_each(ix, &a->in, &q->copies, false, archived_gap_member, &o, archived_member, &o, &totals->gaps, err);
	}
	totals->asked = (int64_t)o.archives.n;
	if (ret == 0)
		ret = archived_tell(&o, fn);
	for (size_t i = 0; i < o.archives.n; i++)
		copy_dirs_release(&o.archives.v[i].copies);
	vec_release(&o.archives);
	vec_release(&o.contents);
	vec_release(&o.nested);
	vec_release(&o.roots);
	table_release(&o.by_hash);
	table_release(&o.by_id);
	arena_release(&o.texts);
	wholes_release(&o.wholes);
	return ret;
}
