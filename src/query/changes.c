/* SPDX-License-Identifier: MIT */
/*
 * Hides which class a difference has, and how files of directories that are new, gone or moved as
 * a whole become one change: changes_files finds what differs, here it is judged.
 *
 * A content is lost where no row of the index that lasts as long can have it: none of its size with
 * its hash, and none that was never read and may be the same.
 */
#include "base/base.h"

#include "query/changes.h"

#include "db/stmt.h"
#include "index/dirs.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "query/changes_files.h"
#include "query/growth.h"
#include "sys/stop.h"

/* Files of one size that are looked at for a content without hash: with more it may be there. */
#define CHANGES_LOOKS 1000

/* Sums of the files that are new or gone together with a directory. */
struct changes_fold {
	struct pairs_sum sum;
	size_t top;              /* highest such directory; CHANGES_NO_DIR: unknown */
};

struct changes {
	const struct changes_query *q; /* while it loads */
	struct dirs dirs;        /* where files are now */
	struct fleeting fleeting;
	struct changes_files files;
	VEC(struct change_answer) lists[CHANGE_CLASSES]; /* by path; the paths are in texts */
	struct changes_totals totals;
	struct changes_fold *folds[CHANGES_TIMES];       /* by position of directories */
	VEC(const struct changes_file *) lost;    /* contents whose bytes are counted */
	struct table lost_table;
	struct arena texts;
};

/* The path of a directory, or of a file in it, in texts. */
static const char *
changes_path(struct changes *c, size_t dir, const struct changes_file *f, int time)
{
	struct buf path = { 0 };
	const char *text;

	changes_dirs_path(&c->files.dirs, dir, time, &path);
	if (f != NULL)
		path_append(&path, f->name, f->name_len);
	text = arena_dup(&c->texts, buf_str(&path), path.len);
	buf_release(&path);
	return text;
}

/* Whether a path is asked about; NULL is not. */
static bool
changes_wanted(const struct changes_query *q, const char *path)
{
	return path != NULL && (q->n_below == 0 || path_is_below_any(path, q->below, q->n_below)) &&
	       !path_is_below_any(path, q->exclude, q->n_exclude);
}

/* Whether a directory's path is asked about. */
static bool
changes_dir_wanted(struct changes *c, size_t dir, int time)
{
	struct buf path = { 0 };
	bool wanted;

	if (c->q->n_below == 0 && c->q->n_exclude == 0)
		return true;
	changes_dirs_path(&c->files.dirs, dir, time, &path);
	wanted = changes_wanted(c->q, buf_str(&path));
	buf_release(&path);
	return wanted;
}

static void
changes_count(struct pairs_sum *sum, int64_t n, int64_t bytes)
{
	pairs_sum_add(sum, n, bytes > 0 ? bytes : 0);
}

/* Add a change to its list and, but for those of CHANGE_LOST, to its sum. */
static void
changes_put(struct changes *c, const struct change_answer *a)
{
	vec_push(&c->lists[a->class], *a);
	if (a->class != CHANGE_LOST)
		changes_count(&c->totals.sums[a->class], a->files, a->size_after >= 0 ? a->size_after : a->size_before);
}

/*
 * The highest directory that is new, or gone, as a whole with this one; CHANGES_NO_DIR if this one
 * is not.
 */
static size_t
changes_top(struct changes *c, size_t dir, int time)
{
	struct changes_fold *fold = &c->folds[time][dir];
	size_t up, top;

	if (c->q->each || !changes_files_whole(&c->files, dir, time) || !changes_dir_wanted(c, dir, time))
		return CHANGES_NO_DIR;
	if (fold->top != CHANGES_NO_DIR)
		return fold->top;
	/* A circle ends here. */
	fold->top = dir;
	up = changes_dirs_up(&c->files.dirs, dir, time);
	top = up != CHANGES_NO_DIR ? changes_top(c, up, time) : CHANGES_NO_DIR;
	if (top != CHANGES_NO_DIR)
		c->folds[time][dir].top = top;
	return c->folds[time][dir].top;
}

/* Count files of a directory that is new or gone as a whole.  Returns false if it is not. */
static bool
changes_fold(struct changes *c, size_t dir, int time, int64_t n, int64_t bytes)
{
	const size_t top = changes_top(c, dir, time);

	if (top != CHANGES_NO_DIR)
		changes_count(&c->folds[time][top].sum, n, bytes);
	return top != CHANGES_NO_DIR;
}

/* Whether copies last in the directory of a row, its first column.  Returns 1, 0 or -1. */
static int
changes_row_counts(struct changes *c, const struct stmt *st, unsigned why, struct err *err)
{
	const struct dirs_prefix *dir = dirs_prefix(&c->dirs, stmt_col_int(st, 0), err);

	return dir == NULL ? -1 : dir->trash == 0 && fleeting_keeps(dir->fleeting, why);
}

/*
 * Whether the index has a file that has, or may have, the content of one that was, and that lasts
 * as long as one with the reasons why (index/fleeting).  Returns 1, 0, -1: that is not known, or -2
 * with *err.
 */
static int
changes_is_somewhere(struct changes *c, struct db *db, const struct changes_file *was, unsigned why, struct err *err)
{
	struct changes_file file;
	struct stmt st;
	int ret, same, known = 0, looks = 0;

	if (was->size == 0)
		return 1;
	if (was->has_hash) {
		st = stmt_get(db, SQL_BEFORE_OF_CONTENT, err);
		stmt_int(&st, ":size", was->size);
		stmt_blob(&st, ":hash", was->hash, HASH_SIZE);
		while ((ret = stmt_step(&st)) == 1) {
			ret = changes_row_counts(c, &st, why, err);
			if (ret != 0)
				break;
		}
		stmt_done(&st);
		if (ret != 0)
			return ret < 0 ? -2 : 1;
	}
	st = stmt_get(db, SQL_BEFORE_OF_SIZE, err);
	stmt_int(&st, ":size", was->size);
	while ((ret = stmt_step(&st)) == 1 && known != 1) {
		if (changes_file_read(&st, 1, &file, err) < 0) {
			ret = -1;
			break;
		}
		/* Those with a hash come last: they were asked for. */
		if (was->has_hash && file.has_hash)
			break;
		if (++looks > CHANGES_LOOKS) {
			known = -1;
			break;
		}
		ret = changes_row_counts(c, &st, why, err);
		if (ret < 0)
			break;
		if (ret == 0)
			continue;
		changes_files_learn(&c->files, &file);
		same = changes_file_same(was, &file);
		known = same != 0 ? same : known;
	}
	stmt_done(&st);
	return ret < 0 ? -2 : known;
}

/* Count the bytes of a lost content, once for all its names. */
static void
changes_count_lost(struct changes *c, const struct changes_file *was, bool maybe)
{
	struct pairs_sum *sum = maybe ? &c->totals.maybe : &c->totals.sums[CHANGE_LOST];
	const uint64_t hash = was->has_hash ? content_key(was->hash) : inode_hash(was->inode);

	sum->n++;
	TABLE_EACH(i, &c->lost_table, hash) {
		if (changes_file_same(was, c->lost.v[i]) == 1)
			return;
	}
	vec_push(&c->lost, was);
	table_add(&c->lost_table, hash, c->lost.n - 1);
	sum->bytes = num_add(sum->bytes, was->size);
}

/* Note whether the content that a file had is nowhere any more. */
static int
changes_judge_lost(struct changes *c, struct db *db, const struct changes_file *was, const struct change_answer *a, struct err *err)
{
	unsigned why = fleeting_of_path(a->before);
	int known;

	/* In a damaged index directories may lie in a circle. */
	for (size_t dir = was->dir, n = 0; dir != CHANGES_NO_DIR && n < c->files.dirs.v.n; dir = changes_dirs_up(&c->files.dirs, dir, CHANGES_BEFORE), n++) {
		const int of_row = fleeting_of_row(&c->fleeting, c->files.dirs.v.v[dir].id, was->inode.volume, err);

		if (of_row < 0)
			return -1;
		why |= (unsigned)of_row;
	}
	known = changes_is_somewhere(c, db, was, why, err);
	if (known == -2)
		return -1;
	if (known != 1) {
		changes_put(c, &(struct change_answer){ .class = CHANGE_LOST, .maybe = known < 0, .before = a->before, .after = a->after,
		                                        .files = 1, .size_before = a->size_before, .size_after = a->size_after });
		changes_count_lost(c, was, known < 0);
	}
	return 0;
}

/* Judge one pair. */
static int
changes_judge(struct changes *c, struct db *db, const struct changes_pair *p, struct err *err)
{
	const struct changes_file *was = p->was != CHANGES_NO_FILE ? &c->files.files.v[p->was] : NULL;
	const struct changes_file *is = p->is != CHANGES_NO_FILE ? &c->files.files.v[p->is] : NULL;
	struct change_answer a = { .files = 1, .size_before = was != NULL ? was->size : -1, .size_after = is != NULL ? is->size : -1 };

	if (was == NULL && is == NULL)
		return 0;
	a.before = was != NULL ? changes_path(c, was->dir, was, CHANGES_BEFORE) : NULL;
	a.after = is != NULL ? changes_path(c, is->dir, is, CHANGES_AFTER) : NULL;
	if (!changes_wanted(c->q, a.before) && !changes_wanted(c->q, a.after))
		return 0;
	if (was == NULL) {
		a.class = CHANGE_NEW;
		if (!changes_fold(c, is->dir, CHANGES_AFTER, 1, is->size))
			changes_put(c, &a);
		return 0;
	}
	if (is == NULL && p->left_out) {
		c->totals.left_out++;
		return 0;
	}
	if (is == NULL) {
		a.class = CHANGE_GONE;
		if (!changes_fold(c, was->dir, CHANGES_BEFORE, 1, was->size))
			changes_put(c, &a);
		return changes_judge_lost(c, db, was, &a, err);
	}
	a.class = p->moved ? CHANGE_MOVED : changes_file_same(was, is) == 1 ? CHANGE_TOUCHED : CHANGE_CHANGED;
	a.maybe = a.class == CHANGE_TOUCHED && !changes_file_read_both(was, is);
	changes_put(c, &a);
	if (a.maybe)
		changes_count(&c->totals.uncompared, 1, is->size);
	a.maybe = false;
	return a.class == CHANGE_CHANGED ? changes_judge_lost(c, db, was, &a, err) : 0;
}

/* Directories that are new or gone as a whole become one change each. */
static void
changes_put_folds(struct changes *c)
{
	for (size_t dir = 0; dir < c->files.dirs.v.n; dir++) {
		if (c->files.fresh.v[dir].n > 0)
			changes_fold(c, dir, CHANGES_AFTER, c->files.fresh.v[dir].n, c->files.fresh.v[dir].bytes);
	}
	for (size_t dir = 0; dir < c->files.dirs.v.n; dir++) {
		const struct pairs_sum is = c->folds[CHANGES_AFTER][dir].sum, was = c->folds[CHANGES_BEFORE][dir].sum;

		if (is.n > 0)
			changes_put(c, &(struct change_answer){ .class = CHANGE_NEW, .dir = true, .after = changes_path(c, dir, NULL, CHANGES_AFTER),
			                                        .files = is.n, .size_before = -1, .size_after = is.bytes });
		if (was.n > 0)
			changes_put(c, &(struct change_answer){ .class = CHANGE_GONE, .dir = true, .before = changes_path(c, dir, NULL, CHANGES_BEFORE),
			                                        .files = was.n, .size_before = was.bytes, .size_after = -1 });
	}
}

/* Add files of a directory to the sum of the moved one that it is, or lies in. */
static void
changes_add_moved(struct changes *c, size_t dir, const uint8_t *moved, struct pairs_sum *sums, struct pairs_sum sum)
{
	for (size_t n = 0; dir != CHANGES_NO_DIR && n <= c->files.dirs.v.n && !moved[dir]; n++)
		dir = changes_dirs_up(&c->files.dirs, dir, CHANGES_AFTER);
	if (dir != CHANGES_NO_DIR && moved[dir])
		pairs_sum_add(&sums[dir], sum.n, sum.bytes);
}

/* Count the files that moved along with their directories: all but those that are new there. */
static int
changes_count_moved(struct changes *c, struct db *db, const uint8_t *moved, struct pairs_sum *sums, struct err *err)
{
	const struct changes_dirs *dirs = &c->files.dirs;
	struct stmt st = stmt_get(db, SQL_FILE_SUMS, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const size_t dir = changes_dirs_find(dirs, stmt_col_int(&st, 0));

		if (dir != CHANGES_NO_DIR && dirs->v.v[dir].at[CHANGES_BEFORE].is)
			changes_add_moved(c, dir, moved, sums, (struct pairs_sum){ stmt_col_int(&st, 1), stmt_col_int(&st, 2) });
	}
	for (size_t dir = 0; ret == 0 && dir < dirs->v.n; dir++) {
		if (dirs->v.v[dir].at[CHANGES_BEFORE].is && dirs->v.v[dir].at[CHANGES_AFTER].is)
			changes_add_moved(c, dir, moved, sums, c->files.later.v[dir]);
	}
	for (size_t i = 0; ret == 0 && i < c->files.pairs.n; i++) {
		const struct changes_pair *p = &c->files.pairs.v[i];
		const struct changes_file *is = p->is != CHANGES_NO_FILE ? &c->files.files.v[p->is] : NULL;

		if (is != NULL && dirs->v.v[is->dir].at[CHANGES_BEFORE].is &&
		    (p->was == CHANGES_NO_FILE || p->moved || c->files.files.v[p->was].dir != is->dir))
			changes_add_moved(c, is->dir, moved, sums, (struct pairs_sum){ -1, -is->size });
	}
	return ret;
}

/* Directories that have moved. */
static int
changes_put_moved(struct changes *c, struct db *db, struct err *err)
{
	const size_t n = c->files.dirs.v.n;
	uint8_t *moved = mem_zalloc(n + 1, 1);
	struct pairs_sum *sums = NULL;
	bool any = false;
	int ret = 0;

	for (size_t dir = 0; dir < n; dir++) {
		const struct changes_place *was = &c->files.dirs.v.v[dir].at[CHANGES_BEFORE], *is = &c->files.dirs.v.v[dir].at[CHANGES_AFTER];

		/* By itself, not because one above it has. */
		moved[dir] = was->is && is->is &&
		             (was->parent != is->parent || was->name_len != is->name_len || memcmp(was->name, is->name, is->name_len) != 0) &&
		             changes_dirs_hash(&c->files.dirs, dir, CHANGES_BEFORE) != changes_dirs_hash(&c->files.dirs, dir, CHANGES_AFTER);
		any |= moved[dir];
	}
	if (any) {
		sums = mem_zalloc(n, sizeof(*sums));
		ret = changes_count_moved(c, db, moved, sums, err);
	}
	for (size_t dir = 0; any && ret == 0 && dir < n; dir++) {
		struct change_answer a = { .class = CHANGE_MOVED, .dir = true };

		/* Without files it is empty, or another directory that got the same inode. */
		if (!moved[dir] || sums[dir].n <= 0)
			continue;
		a.before = changes_path(c, dir, NULL, CHANGES_BEFORE);
		a.after = changes_path(c, dir, NULL, CHANGES_AFTER);
		a.files = sums[dir].n;
		a.size_before = a.size_after = sums[dir].bytes;
		if (changes_wanted(c->q, a.before) || changes_wanted(c->q, a.after))
			changes_put(c, &a);
	}
	free(sums);
	free(moved);
	return ret;
}

/* The path that a change is listed by. */
static const char *
changes_key(const struct change_answer *a)
{
	return a->class == CHANGE_MOVED || a->after == NULL ? a->before : a->after;
}

static int
changes_cmp(const void *a, const void *b)
{
	return strcmp(changes_key(a), changes_key(b));
}

static int
changes_judge_all(struct changes *c, struct db *db, struct err *err)
{
	const size_t n = c->files.dirs.v.n;

	for (int t = 0; t < CHANGES_TIMES; t++) {
		c->folds[t] = mem_zalloc(n + 1, sizeof(*c->folds[t]));
		for (size_t i = 0; i < n; i++)
			c->folds[t][i].top = CHANGES_NO_DIR;
	}
	for (size_t i = 0; i < c->files.pairs.n; i++) {
		if ((i % 1024 == 0 && stop_check(err) < 0) || changes_judge(c, db, &c->files.pairs.v[i], err) < 0)
			return -1;
	}
	changes_put_folds(c);
	if (changes_put_moved(c, db, err) < 0)
		return -1;
	for (int class = 0; class < CHANGE_CLASSES; class++) {
		if (c->lists[class].n > 1)
			qsort(c->lists[class].v, c->lists[class].n, sizeof(*c->lists[class].v), changes_cmp);
	}
	return 0;
}

int
changes_load(struct changes **result, struct index *ix, const struct changes_query *q, struct err *err)
{
	struct changes *c = mem_zalloc(1, sizeof(*c));
	const int64_t runs[CHANGES_TIMES] = { q->from, q->to };

	c->q = q;
	c->dirs.db = ix->db;
	if (fleeting_load(&c->fleeting, ix->db, err) < 0 || changes_files_load(&c->files, ix->db, runs, q->each, err) < 0 || changes_judge_all(c, ix->db, err) < 0) {
		changes_free(c);
		return -1;
	}
	c->q = NULL;
	*result = c;
	return 0;
}

const struct changes_totals *
changes_totals(const struct changes *c)
{
	return &c->totals;
}

bool
changes_know(struct changes *c, const char *path)
{
	struct buf dir = { 0 };
	bool known = false;

	for (size_t i = 0; !known && i < c->files.dirs.v.n; i++) {
		for (int t = 0; t < CHANGES_TIMES; t++) {
			buf_cut(&dir, 0);
			if (!c->files.dirs.v.v[i].at[t].is)
				continue;
			changes_dirs_path(&c->files.dirs, i, t, &dir);
			known |= path_is_below(buf_str(&dir), path);
		}
	}
	buf_release(&dir);
	return known;
}

int
changes_growth(struct changes *c, struct index *ix, const struct growth_query *q, struct growth *g, struct err *err)
{
	return growth_count(g, ix, &c->files, q, err);
}

int
changes_each(const struct changes *c, enum change_class class, changes_fn *fn, void *arg)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < c->lists[class].n; i++)
		ret = fn(arg, &c->lists[class].v[i]);
	return ret;
}

void
changes_free(struct changes *c)
{
	if (c == NULL)
		return;
	changes_files_release(&c->files);
	dirs_release(&c->dirs);
	fleeting_release(&c->fleeting);
	for (int class = 0; class < CHANGE_CLASSES; class++)
		vec_release(&c->lists[class]);
	for (int t = 0; t < CHANGES_TIMES; t++)
		free(c->folds[t]);
	vec_release(&c->lost);
	table_release(&c->lost_table);
	arena_release(&c->texts);
	free(c);
}
