/* SPDX-License-Identifier: MIT */
/*
 * Hides which archives are opened: files whose name says that they are one, below roots with
 * --archives, unless the index knows their members by the same signature and owes none (one that
 * was not read is owed once a file has its size, and to --hash-all).  It works
 * on rows, after the read phase, when the sizes of all files are known.
 *
 * Where nothing has changed since a run that looked at all of them, nothing is looked at: that run
 * stands in meta.
 *
 * Main thread alone; packed_read has a process for each archive.
 */
#include "base/base.h"

#include "scan/look_inside.h"

#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/libarchive.h"
#include "archive/packed_read.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/archives.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"
#include "index/meta.h"
#include "index/roots.h"
#include "scan/dirmap.h"
#include "scan/stats.h"
#include "sys/racy_window.h"
#include "sys/stop.h"

/* Archives in one archive that are named because not all of their members are known. */
enum { LOOK_INSIDE_RESTS = 8 };

/* A file that may be an archive. */
struct look_inside_file {
	struct file_row row;         /* its name is the end of path */
	const char *path;            /* absolute */
	const struct root *root;
	bool claimed;
};

struct look_inside_work {
	struct arena paths;
	VEC(struct look_inside_file) files;
	VEC(int64_t) owed;           /* archives, ascending */
	VEC(int64_t) unread;         /* archives with unread members, ascending: for --hash-all */
	VEC(int64_t) kept;           /* archives that are still there */
	VEC(int64_t) opened;         /* in this run */
	VEC(int64_t) nested;         /* archives of which a root asks what is in their members */
	VEC(int64_t) sizes;          /* of all files, ascending */
	bool has_sizes;
	/* Of the archive that is open. */
	int64_t members, read, bytes;   /* all members, and those with a hash */
	int64_t rests;               /* archives in it of which not all members are known */
	struct buf names;            /* of the first of these, each ended by a NUL */
	enum packed_why whys[LOOK_INSIDE_RESTS];
	int64_t left;                /* archives that are still to be opened */
	struct archives_writer *writer;
};

void
look_inside_release(struct look_inside *l)
{
	struct look_inside_work *w = l->work;

	vec_release(&l->sizes);
	if (w == NULL)
		return;
	arena_release(&w->paths);
	vec_release(&w->files);
	vec_release(&w->owed);
	vec_release(&w->unread);
	vec_release(&w->kept);
	vec_release(&w->opened);
	vec_release(&w->nested);
	vec_release(&w->sizes);
	buf_release(&w->names);
	free(w);
	l->work = NULL;
}

/* Append the first columns of all rows that a statement gives. */
#define LOOK_INSIDE_NUMBERS(v, st, ret) \
	while (((ret) = stmt_step(st)) == 1) \
		vec_push(v, stmt_col_int(st, 0))

static int
look_inside_cmp(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static bool
look_inside_has(const int64_t *v, size_t n, int64_t id)
{
	size_t at;

	ORDER_FIRST(at, n, v[at] < id);
	return at < n && v[at] == id;
}

/* Whether all was looked at, and nothing has changed since.  Returns 1, 0 or -1. */
static int
look_inside_is_done(struct look_inside *l, struct err *err)
{
	const struct stats *c = &l->report->counts;
	int64_t run, racy;
	struct stmt st;
	int since;

	if (l->rehash || !l->ix->archives || atomic_load(&c->added) + atomic_load(&c->changed) + atomic_load(&c->gone) + atomic_load(&c->read) > 0)
		return 0;
	if (meta_int(l->ix->db, META_ARCHIVES_RUN, &run, err) < 0 || stmt_ask(l->ix->db, SQL_ARCHIVE_ANY_RACY, &racy, err) < 0)
		return -1;
	if (run <= 0 || racy != 0)
		return 0;
	st = stmt_get(l->ix->db, SQL_ARCHIVE_RUNS_SINCE, err);
	stmt_int(&st, ":run", run);
	stmt_int(&st, ":now", l->report->id);
	since = stmt_truth(&st);
	return since < 0 ? -1 : !since;
}

/* Note a row whose name is that of an archive, if its root asks for members. */
static int
look_inside_note(struct look_inside *l, struct dirs *dirs, const struct file_row *row, struct err *err)
{
	const struct dirs_prefix *prefix = dirs_prefix(dirs, row->dir, err);
	struct look_inside_work *w = l->work;
	const struct dirmap_dir *d;
	struct look_inside_file f = { .row = *row };
	struct buf path = { 0 };

	if (prefix == NULL)
		return -1;
	buf_add(&path, prefix->text, prefix->len);
	buf_add(&path, row->name, row->name_len);
	f.root = roots_of_file(l->roots, buf_str(&path));
	if (f.root != NULL && f.root->rules.archives) {
		d = dirmap_by_id(l->map, row->dir);
		/* A scan by changes has met what it did not have to walk. */
		f.claimed = l->report->by_changes || (d != NULL && atomic_load(&d->claimed));
		f.path = arena_str(&w->paths, buf_str(&path));
		f.row.name = f.path + prefix->len;
		vec_push(&w->files, f);
	}
	buf_release(&path);
	return 0;
}

/* Find the archives of which members are owed. */
static int
look_inside_load_owed(struct look_inside *l, struct err *err)
{
	struct look_inside_work *w = l->work;
	struct stmt st = stmt_get(l->ix->db, SQL_ARCHIVE_OWED, err);
	int ret;

	stmt_int(&st, ":not_read", PACKED_NOT_READ);
	LOOK_INSIDE_NUMBERS(&w->owed, &st, ret);
	if (w->owed.n > 0)
		qsort(w->owed.v, w->owed.n, sizeof(int64_t), look_inside_cmp);
	if (ret == 0) {
		st = stmt_get(l->ix->db, SQL_ARCHIVE_UNREAD, err);
		stmt_int(&st, ":not_read", PACKED_NOT_READ);
		LOOK_INSIDE_NUMBERS(&w->unread, &st, ret);
	}
	return ret;
}

/* Whether a member of an archive is owed. */
static bool
look_inside_owes(const struct look_inside_work *w, const struct look_inside_file *f, int64_t id)
{
	return look_inside_has(w->owed.v, w->owed.n, id) || (f->root->rules.hash_all && look_inside_has(w->unread.v, w->unread.n, id));
}

/* Find all files that may be archives. */
static int
look_inside_load(struct look_inside *l, struct err *err)
{
	struct stmt st = stmt_get(l->ix->db, SQL_ARCHIVE_FILES, err);
	struct dirs dirs = { .db = l->ix->db, .paths_only = true };
	struct file_row row;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = stmt_col_text(&st, COL_FILE_NAME, &len);

		if (!packed_is_name(name, len))
			continue;
		if (file_read(&st, &row, err) < 0 || look_inside_note(l, &dirs, &row, err) < 0 || stop_check(err) < 0) {
			stmt_done(&st);
			ret = -1;
			break;
		}
	}
	dirs_release(&dirs);
	return ret == 0 && l->ix->archives ? look_inside_load_owed(l, err) : ret;
}

/* packed_fn */
static int
look_inside_member(void *arg, const struct packed *p, struct err *err)
{
	struct look_inside_work *w = ((struct look_inside *)arg)->work;

	/* It stands for those members of an archive in an archive that are not known. */
	if (packed_is_rest(p)) {
		if (w->rests < LOOK_INSIDE_RESTS) {
			buf_add(&w->names, p->name, p->outer_len);
			buf_addc(&w->names, '\0');
			w->whys[w->rests] = p->why;
		}
		w->rests++;
	} else
		w->members++;
	if (p->has_hash) {
		w->read++;
		w->bytes = num_add(w->bytes, p->size);
	}
	return archives_add(w->writer, p, err);
}

/* Read the sizes of all files, once. */
static int
look_inside_sizes(struct look_inside *l, struct err *err)
{
	struct stmt st;
	int ret = 0;

	if (!l->work->has_sizes) {
		st = stmt_get(l->ix->db, SQL_ARCHIVE_FILE_SIZES, err);
		LOOK_INSIDE_NUMBERS(&l->work->sizes, &st, ret);
		l->work->has_sizes = true;
	}
	return ret;
}

/* Tell that not all members are known of an archive, or of one in it. */
static void
look_inside_tell(struct look_inside *l, const struct look_inside_file *f, const char *name, bool some, enum packed_why why)
{
	struct buf path = { 0 }, text = { 0 };

	buf_adds(&path, f->path);
	if (name != NULL)
		buf_addf(&path, PACKED_MARK "%s", name);
	buf_addf(&text, some ? "not all its members are known: %s" : "its members are not known: %s", packed_why_text(why));
	stats_problem(&l->report->counts, NULL, buf_str(&path), buf_str(&text));
	buf_release(&path);
	buf_release(&text);
}

/* Count an archive, and tell what is not known of it.  none: its members were dropped. */
static void
look_inside_count(struct look_inside *l, const struct look_inside_file *f, const struct packed_result *result, bool none)
{
	struct look_inside_work *w = l->work;
	struct stats *c = &l->report->counts;
	const char *name = buf_str(&w->names);
	struct buf text = { 0 };

	atomic_fetch_add(&c->archives, result->why != PACKED_NONE);
	/* A name promises nothing. */
	if (result->why != PACKED_GOOD && result->why != PACKED_NONE) {
		atomic_fetch_add(&c->archives_partly, 1);
		look_inside_tell(l, f, NULL, result->members > 0, result->why);
	}
	if (none)
		return;
	atomic_fetch_add(&c->members, w->members);
	atomic_fetch_add(&c->members_read, w->read);
	atomic_fetch_add(&c->members_bytes, w->bytes);
	for (int64_t i = 0; i < w->rests && i < LOOK_INSIDE_RESTS; i++) {
		look_inside_tell(l, f, name, true, w->whys[i]);
		name += strlen(name) + 1;
	}
	if (w->rests > LOOK_INSIDE_RESTS) {
		buf_addf(&text, "and of %lld more archives in it not all members are known", (long long)(w->rests - LOOK_INSIDE_RESTS));
		stats_problem(c, NULL, f->path, buf_str(&text));
		buf_release(&text);
	}
}

/* End an archive that was read, of which st was the stat before. */
static int
look_inside_end(struct look_inside *l, const struct look_inside_file *f, int fd, const struct fs_stat *st, struct fs_time start,
                struct packed_result *result, struct err *err)
{
	/* What a process said that died or did not end is no evidence. */
	const bool none = result->why == PACKED_DIED || result->why == PACKED_TIME;
	struct archives_row a;
	struct fs_stat now;

	if (fs_stat_fd(fd, &now) < 0 || !fs_stat_same(st, &now)) {
		l->work->left++;
		return archives_undo(l->work->writer, err);
	}
	if (archives_end(l->work->writer, result, racy_window_has(st, start, l->racy_window), f->root->rules.nested, none, err) < 0)
		return -1;
	look_inside_count(l, f, result, none);
	if (archives_find(l->ix, &f->row, &a, err) != 1)
		return -1;
	vec_push(&l->work->kept, a.id);
	vec_push(&l->work->opened, a.id);
	if (f->root->rules.nested)
		vec_push(&l->work->nested, a.id);
	return 0;
}

/* Read the members of an open file into a new writer, which is NULL after a failure to make one. */
static int
look_inside_try(struct look_inside *l, const struct look_inside_file *f, int fd, const struct unpack_ask *ask, struct packed_result *result,
                struct err *err)
{
	buf_cut(&l->work->names, 0);
	l->work->members = l->work->read = l->work->bytes = l->work->rests = 0;
	l->work->writer = archives_begin(l->ix, &f->row, err);
	return l->work->writer == NULL ? -1 : packed_read(fd, ask, look_inside_member, l, result, err);
}

/* Open a file and read its members. */
static int
look_inside_read(struct look_inside *l, const struct look_inside_file *f, int fd, const struct fs_stat *st, struct err *err)
{
	struct unpack_ask ask = { .secret = l->ix->secret, .sizes = l->work->sizes.v, .n_sizes = l->work->sizes.n,
	                          .all = f->root->rules.hash_all, .packed = st->size, .nested = f->root->rules.nested };
	const struct fs_time start = fs_time_now();
	struct packed_result result;
	struct err ignored = { 0 };
	int ret = look_inside_try(l, f, fd, &ask, &result, err);

	/* An archive in it may be what the process died of: without these, it may be read. */
	if (ret == 0 && ask.nested && (result.why == PACKED_DIED || result.why == PACKED_TIME)) {
		ask.nested_not = (uint8_t)result.why;
		ret = archives_undo(l->work->writer, err);
		l->work->writer = NULL;
		if (ret == 0)
			ret = look_inside_try(l, f, fd, &ask, &result, err);
	}
	if (l->work->writer == NULL)
		return -1;
	if (ret == 0)
		ret = look_inside_end(l, f, fd, st, start, &result, err);
	else
		archives_undo(l->work->writer, &ignored);
	l->work->writer = NULL;
	return ret;
}

/* Open an archive, if it is still as its row says. */
static int
look_inside_open(struct look_inside *l, const struct look_inside_file *f, struct err *err)
{
	const int fd = fs_open_file_below(f->path, strlen(f->root->path));
	struct stats *c = &l->report->counts;
	struct fs_stat st;
	int ret = 0;

	if (fd < 0) {
		l->work->left++;
		if (!fs_is_absent(errno))
			stats_problem(c, stats_error(c, errno), f->path, strerror(errno));
		return 0;
	}
	if (fs_stat_fd(fd, &st) < 0 || !S_ISREG(st.mode) || !file_same(&f->row, &st, false))
		l->work->left++;
	else
		ret = look_inside_sizes(l, err) < 0 ? -1 : look_inside_read(l, f, fd, &st, err);
	close(fd);
	return ret;
}

/* Whether this run has opened the archive by another name. */
static bool
look_inside_was_opened(const struct look_inside *l, const struct look_inside_file *f, int64_t id)
{
	for (size_t i = 0; f->row.nlink > 1 && i < l->work->opened.n; i++) {
		if (l->work->opened.v[i] == id)
			return true;
	}
	return false;
}

/* Open what is to be opened of one file. */
static int
look_inside_file(struct look_inside *l, const struct look_inside_file *f, struct err *err)
{
	struct archives_row a;
	const int known = archives_find(l->ix, &f->row, &a, err);
	bool fresh;

	if (known < 0)
		return -1;
	fresh = known == 1 && ((!a.racy && !l->rehash && !look_inside_owes(l->work, f, a.id)) ||
	                       look_inside_was_opened(l, f, a.id)) && (a.nested || !f->root->rules.nested);
	if (known == 1 && f->root->rules.nested)
		vec_push(&l->work->nested, a.id);
	if (known == 1 && (fresh || !f->claimed)) {
		vec_push(&l->work->kept, a.id);
		l->work->left += !fresh;
		return 0;
	}
	if (!f->claimed || l->report->out_of_time || (l->deadline_ns != 0 && fs_clock_ns() >= l->deadline_ns)) {
		l->report->out_of_time |= f->claimed;
		l->work->left++;
		if (known == 1)
			vec_push(&l->work->kept, a.id);
		return 0;
	}
	return look_inside_open(l, f, err);
}

/* What is done with archives that nobody asks for. */
typedef int look_inside_drop_fn(struct index *ix, int64_t id, struct err *err);

/* Drop something of those archives that a statement gives and that are not among n others. */
static int
look_inside_drop_but(struct look_inside *l, enum sql_id sql, int64_t *but, size_t n, look_inside_drop_fn *drop, struct err *err)
{
	struct stmt st = stmt_get(l->ix->db, sql, err);
	VEC(int64_t) all = { 0 };
	int ret;

	if (n > 0)
		qsort(but, n, sizeof(int64_t), look_inside_cmp);
	LOOK_INSIDE_NUMBERS(&all, &st, ret);
	for (size_t i = 0; ret == 0 && i < all.n; i++) {
		if (!look_inside_has(but, n, all.v[i]))
			ret = drop(l->ix, all.v[i], err);
	}
	vec_release(&all);
	return ret;
}

/* Open all that are to be opened, in a transaction that is renewed between two archives. */
static int
look_inside_all(struct look_inside *l, struct err *err)
{
	struct look_inside_work *w = l->work;
	struct stmt st;
	int ret = look_inside_load(l, err);

	for (size_t i = 0; ret == 0 && i < w->files.n; i++) {
		ret = look_inside_file(l, &w->files.v[i], err);
		if (ret == 0)
			ret = stop_check(err);
		stats_tick(&l->report->counts, STATS_READ);
		if (ret == 0 && db_is_old(l->ix->db))
			ret = db_renew(l->ix->db, err);
	}
	if (ret < 0 || !l->ix->archives)
		return ret;
	/* Drop what belongs to archives that are gone, or that no root asks for any more. */
	if (look_inside_drop_but(l, SQL_ARCHIVE_ALL, w->kept.v, w->kept.n, archives_drop, err) < 0 ||
	    look_inside_drop_but(l, SQL_ARCHIVE_NESTED, w->nested.v, w->nested.n, archives_drop_nested, err) < 0 ||
	    meta_put_int(l->ix->db, META_ARCHIVES_RUN, w->left == 0 ? l->report->id : 0, err) < 0)
		return -1;
	st = stmt_get(l->ix->db, SQL_ARCHIVE_SIZES_UNREAD, err);
	LOOK_INSIDE_NUMBERS(&l->sizes, &st, ret);
	return ret;
}

int
look_inside_run(struct look_inside *l, struct err *err)
{
	const struct root *asks = NULL;
	int done;

	for (size_t i = 0; i < l->roots->n; i++) {
		if (l->roots->v[i].rules.archives)
			asks = &l->roots->v[i];
	}
	if (asks == NULL && !l->ix->archives)
		return 0;
	if (asks != NULL && !libarchive_can()) {
		stats_problem(&l->report->counts, NULL, asks->path, "its archives are not looked into: there is no libarchive");
		return 0;
	}
	done = look_inside_is_done(l, err);
	if (done != 0)
		return done < 0 ? -1 : 0;
	l->work = mem_zalloc(1, sizeof(*l->work));
	if (db_begin(l->ix->db, err) < 0)
		return -1;
	return db_end_kept(l->ix->db, look_inside_all(l, err), err);
}
