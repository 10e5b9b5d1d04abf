/* SPDX-License-Identifier: MIT */
/*
 * The calling thread reads the names of all files in one pass, in the order of the
 * directories' ids, which is the order of the table.  It hands batches of directories with
 * their names to threads, which list the directories and compare.  The names of
 * subdirectories they read in the tree, which does not change meanwhile.
 *
 * A false "differs" costs a closer look; a false "intact" would be a false answer.  So a
 * directory differs, too, where the stored names are in another order than their bytes
 * (names that are not UTF-8), or where a listing tells no types.
 */
#include "base/base.h"

#include "query/dir_unchanged.h"

#include <unistd.h>

#include "db/stmt.h"
#include "query/dirtree.h"
#include "sys/tasks.h"
#include "sys/fs.h"
#include "sys/stop.h"

/* Directories that one thread takes at a time, and bytes of names that fill a batch as well. */
#define DIR_UNCHANGED_BATCH 64
#define DIR_UNCHANGED_NAMES 65536
/* Batches under way before the caller works, too. */
#define DIR_UNCHANGED_BATCHES 256
/* Largest gap of ids within one query: skipping rows costs less than a seek. */
#define DIR_UNCHANGED_GAP 8

struct dir_unchanged_dir {
	uint32_t dir;
	bool differs;
	size_t names, n_names;   /* of its files: where the first begins in the batch's names */
};

struct dir_unchanged_batch {
	struct tasks_piece piece;   /* first, so that it is the batch */
	const struct dirtree *tree;
	struct dir_unchanged_dir v[DIR_UNCHANGED_BATCH];
	size_t n;
	struct buf names;          /* each with a NUL behind */
};

struct dir_unchanged {
	struct db *db;
	const struct dirtree *tree;
	bool *differs;                /* by number */
	struct tasks *tasks;
	struct dir_unchanged_batch *batch;   /* being filled */
};

/* Whether a listing has the files and the subdirectories of a directory, and nothing else. */
static bool
dir_unchanged_fits(const struct dir_unchanged_batch *b, const struct dir_unchanged_dir *d, struct fs_list *list)
{
	const char *file = d->n_names > 0 ? b->names.data + d->names : NULL;
	uint32_t sub = dirtree_first(b->tree, d->dir);
	size_t n = d->n_names;

	fs_list_sort(list);
	for (size_t i = 0; i < list->n; i++) {
		const struct fs_entry *e = &list->v[i];
		const char *name = fs_list_name(list, e);

		if (e->type == FS_FILE && n > 0 && strcmp(name, file) == 0) {
			file += e->len + 1;
			n--;
		} else if (e->type == FS_DIR && sub != DIRTREE_NONE && strcmp(name, dirtree_name(b->tree, sub)) == 0) {
			sub = dirtree_next(b->tree, sub);
		} else
			return false;
	}
	return n == 0 && sub == DIRTREE_NONE;
}

/* tasks_kind.work: list and compare the directories of a batch, entered through no link. */
static void
dir_unchanged_work(void *arg, void *state, struct tasks_piece *piece)
{
	struct dir_unchanged_batch *b = (struct dir_unchanged_batch *)(void *)piece;
	const int top = fs_enter_dir("/");
	struct fs_list list = { 0 };
	struct buf path = { 0 };

	(void)arg, (void)state;
	for (size_t i = 0; i < b->n && stop_signal() == 0; i++) {
		struct dir_unchanged_dir *d = &b->v[i];
		int fd;

		if (d->differs)
			continue;
		buf_cut(&path, 0);
		dirtree_path(b->tree, d->dir, &path);
		fd = top >= 0 ? fs_open_dir(top, buf_str(&path) + 1) : -1;
		d->differs = fd < 0 || fs_list_read(&list, fd) < 0 || !dir_unchanged_fits(b, d, &list);
		if (fd >= 0)
			close(fd);
	}
	if (top >= 0)
		close(top);
	fs_list_release(&list);
	buf_release(&path);
}

static const struct tasks_kind dir_unchanged_kind = { .work = dir_unchanged_work };

static void
dir_unchanged_batch_free(struct dir_unchanged_batch *b)
{
	if (b == NULL)
		return;
	buf_release(&b->names);
	free(b);
}

/* Take batches back: those that are done, and more until at most n are under way. */
static int
dir_unchanged_take(struct dir_unchanged *in, size_t n, struct err *err)
{
	struct tasks_piece *piece;

	while ((piece = tasks_take(in->tasks, tasks_out(in->tasks) > n ? TASKS_HELP : TASKS_READY)) != NULL) {
		struct dir_unchanged_batch *b = (struct dir_unchanged_batch *)(void *)piece;

		for (size_t i = 0; i < b->n; i++)
			in->differs[b->v[i].dir] = b->v[i].differs;
		dir_unchanged_batch_free(b);
	}
	/* After a signal the answers of the last batches are missing. */
	return stop_check(err);
}

/* Hand over the batch that was filled. */
static int
dir_unchanged_give(struct dir_unchanged *in, struct err *err)
{
	if (in->batch == NULL)
		return 0;
	tasks_give(in->tasks, &in->batch->piece);
	in->batch = NULL;
	return dir_unchanged_take(in, DIR_UNCHANGED_BATCHES, err);
}

/* Read the names in directories whose ids lie close together, in order, and hand them out. */
static int
dir_unchanged_read(struct dir_unchanged *in, const struct order *dirs, size_t n, struct err *err)
{
	struct stmt st = stmt_get(in->db, SQL_FILE_NAMES_BETWEEN, err);
	int row, ret = 0;

	stmt_int(&st, ":from", (int64_t)dirs[0].key);
	stmt_int(&st, ":to", (int64_t)dirs[n - 1].key);
	row = stmt_step(&st);
	for (size_t i = 0; ret == 0 && row >= 0 && i < n; i++) {
		struct dir_unchanged_dir *d;

		if (in->batch == NULL) {
			in->batch = mem_zalloc(1, sizeof(*in->batch));
			in->batch->tree = in->tree;
		}
		d = &in->batch->v[in->batch->n++];
		*d = (struct dir_unchanged_dir){ .dir = (uint32_t)dirs[i].pos, .names = in->batch->names.len };
		for (; row == 1 && stmt_col_int(&st, 0) <= (int64_t)dirs[i].key; row = stmt_step(&st)) {
			size_t len;
			const char *name = stmt_col_text(&st, 1, &len);

			if (stmt_col_int(&st, 0) != (int64_t)dirs[i].key)
				continue;
			/* The closer look says what is wrong with a row. */
			if (stmt_col_int(&st, 2) != 0 || !name_is_entry(name, len))
				d->differs = true;
			buf_add(&in->batch->names, name, len);
			buf_addc(&in->batch->names, '\0');
			d->n_names++;
		}
		if (in->batch->n == DIR_UNCHANGED_BATCH || in->batch->names.len >= DIR_UNCHANGED_NAMES)
			ret = dir_unchanged_give(in, err);
	}
	stmt_done(&st);
	return row < 0 ? -1 : ret;
}

int
dir_unchanged_compare(struct db *db, const struct dirtree *t, const uint32_t *tops, size_t n, struct dir_unchanged_others *others,
               struct err *err)
{
	struct dir_unchanged in = { .db = db, .tree = t, .differs = mem_zalloc(dirtree_count(t), sizeof(*in.differs)),
	                     .tasks = tasks_new(&dir_unchanged_kind, tasks_threads()) };
	VEC(struct order) dirs = { 0 };
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		for (uint32_t dir = tops[i]; dir < dirtree_end(t, tops[i]); dir++) {
			if (dirtree_excluded(t, dir))
				continue;
			if (dirtree_id(t, dir) == 0)
				in.differs[dir] = true;
			else
				vec_push(&dirs, ((struct order){ (uint64_t)dirtree_id(t, dir), dir }));
		}
	}
	if (dirs.n > 0)
		order_sort(dirs.v, dirs.n);
	/* One query reads directories whose ids lie close together. */
	for (size_t i = 0, end; ret == 0 && i < dirs.n; i = end) {
		for (end = i + 1; end < dirs.n && dirs.v[end].key - dirs.v[end - 1].key <= DIR_UNCHANGED_GAP; end++)
			;
		ret = dir_unchanged_read(&in, &dirs.v[i], end - i, err);
	}
	if (ret == 0)
		ret = dir_unchanged_give(&in, err);
	/* After a failure, too, so that the batches are freed. */
	if (dir_unchanged_take(&in, 0, err) < 0)
		ret = -1;
	dir_unchanged_batch_free(in.batch);
	tasks_free(in.tasks);
	for (size_t i = 0; ret == 0 && i < n; i++) {
		for (uint32_t dir = tops[i]; dir < dirtree_end(t, tops[i]); dir++) {
			if (in.differs[dir])
				vec_push(others, dir);
		}
	}
	free(in.differs);
	vec_release(&dirs);
	return ret;
}
