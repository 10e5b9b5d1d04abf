/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "trees/tree_files.h"

#include <sys/stat.h>

#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "index/rows.h"
#include "query/dirtree.h"
#include "query/indexes.h"
#include "query/stat_batch.h"
#include "sys/fs.h"
#include "sys/stop.h"

/* Add a row, and have its file looked at, unless it is excluded. */
static int
tree_files_add(struct tree_files *s, uint32_t dir, const struct file_row *row, struct stat_batch *looks, struct err *err)
{
	const struct dirs_prefix *prefix = dirs_prefix(&s->view.dirs, row->dir, err);
	struct tree_files_file *f;
	const char *path;

	if (prefix == NULL)
		return -1;
	if (s->n_exclude > 0) {
		if (presence_path(&s->view, row, &path, err) < 0)
			return -1;
		if (path_is_below_any(path, s->exclude, s->n_exclude))
			return 0;
	}
	f = vec_add(&s->files);
	*f = (struct tree_files_file){ .name = arena_dup(&s->names, row->name, row->name_len), .size = row->size, .inode = row->inode,
	                         .head = row->head, .dir = dir, .other = TREE_FILES_NONE, .error = (int16_t)row->error,
	                         .presence = PRESENCE_HERE, .class = TREE_FILES_NO_CLASS, .has_head = row->has_head, .has_hash = row->has_hash,
	                         .linked = row->nlink > 1, .unproven = !index_is_compared(s->view.ix, row->size) };
	if (s->of != NULL)
		f->inode.volume = indexes_ours(s->of, row->inode.volume);
	memcpy(f->hash, row->hash, HASH_SIZE);
	if (s->timed)
		vec_push(&s->times, row->mtime);
	if (s->view.ix->members) {
		/* Of a member that was not judged the size may not be known, either. */
		f->presence = row->error == 0 ? PRESENCE_HERE : PRESENCE_UNREADABLE;
		if (row->error != 0)
			tree_files_tell(s, f, GAP_UNREADABLE, file_error_text(row->error));
		return 0;
	}
	return presence_rely(&s->view, row, err) < 0 ? -1 : stat_batch_add(looks, s->files.n - 1, row, prefix, err);
}

void
tree_files_absolute(const struct tree_files *s, const struct tree_files_file *f, struct buf *path)
{
	dirtree_path(s->dirs, f->dir, path);
	path_append(path, f->name, strlen(f->name));
}

void
tree_files_tell(const struct tree_files *s, const struct tree_files_file *f, enum gap gap, const char *why)
{
	struct buf path = { 0 };

	tree_files_absolute(s, f, &path);
	s->gap(s->arg, buf_str(&path), gap, false, why);
	buf_release(&path);
}

/* stat_batch_fn: a file that is not there with its signature. */
static int
tree_files_differs(void *arg, size_t n, const struct file_row *row, struct err *err)
{
	struct tree_files *s = arg;
	struct tree_files_file *f = &s->files.v[n];
	enum presence presence;

	if (presence_row(&s->view, row, &presence, NULL, err) < 0)
		return -1;
	f->presence = (uint8_t)presence;
	if (presence == PRESENCE_UNREADABLE)
		tree_files_tell(s, f, GAP_UNREADABLE, strerror(s->view.error));
	else if (presence == PRESENCE_OFFLINE)
		tree_files_tell(s, f, GAP_OFFLINE, drawer_say(&s->view.ix->drawer, row->inode.volume, DRAWER_OFFLINE));
	else if (presence == PRESENCE_CHANGED)
		tree_files_tell(s, f, GAP_CHANGED, state_name(STATE_CHANGED));
	return 0;
}

/* Load the files of all directories. */
static int
tree_files_load_dirs(struct tree_files *s, struct stat_batch *looks, struct err *err)
{
	const uint32_t but = s->but != NULL ? dirtree_find(s->dirs, s->but) : DIRTREE_NONE;
	const uint32_t but_end = but != DIRTREE_NONE ? dirtree_end(s->dirs, but) : 0;
	int ret = dirs_load(&s->view.dirs, err);

	s->first = mem_zalloc(s->end - s->top + 1, sizeof(*s->first));
	for (uint32_t dir = s->top; ret == 0 && dir < s->end; dir++) {
		struct rows rows = { 0 };

		s->first[dir - s->top] = (uint32_t)s->files.n;
		if (dirtree_id(s->dirs, dir) == 0 || dirtree_excluded(s->dirs, dir) ||
		    (but != DIRTREE_NONE && dir >= but && dir < but_end))
			continue;
		ret = rows_load(&rows, s->view.ix->db, dirtree_id(s->dirs, dir), err);
		for (size_t i = 0; ret == 0 && i < rows.n; i++)
			ret = tree_files_add(s, dir, &rows.v[i], looks, err);
		rows_release(&rows);
		if (ret == 0)
			ret = stop_check(err);
	}
	s->first[s->end - s->top] = (uint32_t)s->files.n;
	return ret;
}

/* A directory of which nothing is there may be offline, or missing. */
static int
tree_files_nothing(struct tree_files *s, struct err *err)
{
	enum presence missing = PRESENCE_GONE;
	struct fs_stat st;
	uint32_t dir = s->top;

	for (size_t i = 0; i < s->files.n; i++) {
		if (s->files.v[i].presence != PRESENCE_GONE)
			return 0;
	}
	if (fs_stat_path(s->path, &st) == 0 || !fs_is_absent(errno))
		return 0;
	while (!s->is_file && dir + 1 < s->end && dirtree_id(s->dirs, dir) == 0)
		dir++;
	if (!s->is_file && dirtree_id(s->dirs, dir) != 0 &&
	    presence_missing(&s->view, dirtree_id(s->dirs, dir), -1, s->path, &missing, err) < 0)
		return -1;
	if (missing != PRESENCE_OFFLINE)
		return err_set(err, ERR_NO_PATH, "'%s' does not exist", s->path);
	s->gap(s->arg, s->path, GAP_OFFLINE, true, "offline");
	return 0;
}

/* Whether the path is a file rather than a directory, which it may have been at another scan. */
static int
tree_files_find(struct tree_files *s, struct file_row *row, struct err *err)
{
	const uint32_t dir = dirtree_find(s->dirs, s->path);
	struct fs_stat st;
	int ret = 0;

	if (dir == DIRTREE_NONE || (fs_stat_path(s->path, &st) == 0 && !S_ISDIR(st.mode)))
		ret = dirs_find_file(s->view.ix->db, s->path, row, err);
	if (ret == 0 && dir == DIRTREE_NONE)
		return err_set(err, ERR_NO_PATH, "'%s' is not in the index: scan it first", s->path);
	s->is_file = ret == 1;
	s->top = s->is_file ? dirtree_by_id(s->dirs, row->dir) : dir;
	s->end = s->is_file ? s->top + 1 : dirtree_end(s->dirs, dir);
	return ret;
}

int
tree_files_load(struct tree_files *s, struct index *ix, struct err *err)
{
	struct stat_batch *looks = stat_batch_new(tree_files_differs, s);
	struct file_row row;
	int ret = presence_open(&s->view, ix, err);

	if (ret == 0)
		ret = tree_files_find(s, &row, err);
	s->reasons = dirtree_reasons(s->dirs, &s->path, 1);
	if (ret == 1)
		ret = tree_files_add(s, s->top, &row, looks, err);
	else if (ret == 0)
		ret = tree_files_load_dirs(s, looks, err);
	if (ret == 0)
		ret = stat_batch_finish(looks, err);
	stat_batch_free(looks);
	if (ret == 0 && !s->view.ix->members)
		ret = tree_files_nothing(s, err);
	for (size_t i = 0; ret == 0 && i < s->files.n; i++) {
		const struct tree_files_file *f = &s->files.v[i];

		if (f->presence == PRESENCE_HERE && f->error != 0 && f->size > 0)
			tree_files_tell(s, f, GAP_UNREADABLE, file_error_text(f->error));
	}
	return ret;
}

bool
tree_files_holds(const struct tree_files_file *f)
{
	return f->presence == PRESENCE_HERE || f->presence == PRESENCE_OFFLINE;
}

bool
tree_files_is_known(const struct tree_files_file *f)
{
	return tree_files_holds(f) && (f->error == 0 || f->size == 0);
}

bool
tree_files_equal(const struct tree_files_file *a, const struct tree_files_file *b)
{
	/* Offline, or on an unknown volume, the inode number may be that of another file now. */
	const bool numbers = a->presence == PRESENCE_HERE && b->presence == PRESENCE_HERE && a->inode.volume >= 0;

	if (a->size != b->size)
		return false;
	return (a->has_hash && b->has_hash && memcmp(a->hash, b->hash, HASH_SIZE) == 0) || (numbers && inode_same(a->inode, b->inode));
}

int
tree_files_cmp_equal(const struct tree_files_file *a, const struct tree_files_file *b)
{
	ORDER_CMP(a->size, b->size);
	ORDER_CMP(a->has_hash, b->has_hash);
	if (a->has_hash)
		return memcmp(a->hash, b->hash, HASH_SIZE);
	return inode_cmp(a->inode, b->inode);
}

uint32_t
tree_files_find_path(const struct tree_files *s, const char *path)
{
	const size_t up = path_parent_len(path);
	const char *name = path_base(path);
	char *parent = mem_dup(path, up);
	const uint32_t dir = dirtree_find(s->dirs, parent);
	uint32_t at = 0, from, end;

	free(parent);
	if (s->is_file || dir == DIRTREE_NONE || dir < s->top || dir >= s->end)
		return TREE_FILES_NONE;
	from = s->first[dir - s->top];
	end = s->first[dir - s->top + 1];
	ORDER_FIRST(at, end - from, strcmp(s->files.v[from + at].name, name) < 0);
	return from + at < end && strcmp(s->files.v[from + at].name, name) == 0 ? from + at : TREE_FILES_NONE;
}

bool
tree_files_differ(const struct tree_files_file *a, const struct tree_files_file *b)
{
	return a->size != b->size || (a->has_hash && b->has_hash) || (a->has_head && b->has_head && a->head != b->head);
}

static uint64_t
tree_files_content_hash(const struct tree_files_file *f)
{
	return f->has_hash ? content_key(f->hash) : inode_hash(f->inode);
}

uint32_t
tree_files_by_content(const struct tree_files *s, const struct tree_files_file *f, unsigned why)
{
	TABLE_EACH(i, &s->by_content, tree_files_content_hash(f)) {
		if (tree_files_equal(&s->files.v[i], f) && fleeting_keeps(s->reasons[s->files.v[i].dir], why))
			return (uint32_t)i;
	}
	return TREE_FILES_NONE;
}

/* Whether nothing proves that a file without a hash differs from others of its size. */
static bool
tree_files_is_suspect(const struct tree_files_file *f)
{
	return tree_files_holds(f) && f->size > 0 && !f->has_hash && (f->error != 0 || f->unproven);
}

bool
tree_files_any_suspect(const struct tree_files *s)
{
	for (size_t i = 0; i < s->files.n; i++) {
		if (tree_files_is_suspect(&s->files.v[i]))
			return true;
	}
	return false;
}

/* By size, those without hash first, of these those without head first, then by head. */
static int
tree_files_cmp_content(const struct tree_files_file *a, const struct tree_files_file *b)
{
	ORDER_CMP(a->size, b->size);
	ORDER_CMP(a->has_hash, b->has_hash);
	ORDER_CMP(a->has_head, b->has_head);
	ORDER_CMP(a->head, b->head);
	return 0;
}

static int
tree_files_sort_by_size(const void *a, const void *b, void *files)
{
	const struct tree_files_file *v = files;

	return tree_files_cmp_content(&v[*(const uint32_t *)a], &v[*(const uint32_t *)b]);
}

static void
tree_files_forget_index(struct tree_files *s)
{
	table_release(&s->by_content);
	free(s->by_size);
	s->by_size = NULL;
	s->n_by_size = 0;
}

void
tree_files_index(struct tree_files *s, bool suspects)
{
	tree_files_forget_index(s);
	table_reserve(&s->by_content, s->files.n);
	if (suspects)
		s->by_size = mem_alloc((s->files.n + 1) * sizeof(*s->by_size));
	for (size_t i = 0; i < s->files.n; i++) {
		const struct tree_files_file *f = &s->files.v[i];
		const unsigned why = s->reasons[f->dir];

		/* That will be emptied: it is no copy. */
		if ((why & FLEETING_TRASH) != 0)
			continue;
		if (f->size > 0 && tree_files_is_known(f) && tree_files_by_content(s, f, why) == TREE_FILES_NONE)
			table_add(&s->by_content, tree_files_content_hash(f), i);
		if (suspects && f->size > 0 && tree_files_holds(f) && (f->has_hash || tree_files_is_suspect(f)))
			s->by_size[s->n_by_size++] = (uint32_t)i;
	}
	if (s->n_by_size > 0)
		order_sort_by(s->by_size, s->n_by_size, sizeof(*s->by_size), tree_files_sort_by_size, s->files.v);
}

/* Whether a side has a file between two in the order of tree_files_cmp_content. */
static bool
tree_files_has(const struct tree_files *s, struct tree_files_file from, struct tree_files_file to)
{
	size_t at;

	ORDER_FIRST(at, s->n_by_size, tree_files_cmp_content(&s->files.v[s->by_size[at]], &from) < 0);
	return at < s->n_by_size && tree_files_cmp_content(&s->files.v[s->by_size[at]], &to) <= 0;
}

bool
tree_files_maybe(const struct tree_files *s, const struct tree_files_file *f)
{
	for (int hashed = 0; hashed <= (tree_files_is_suspect(f) ? 1 : 0); hashed++) {
		struct tree_files_file from = { .size = f->size, .has_hash = hashed == 1 }, to = from;

		from.head = INT64_MIN;
		to.head = INT64_MAX;
		to.has_head = !f->has_head;
		if (tree_files_has(s, from, to))
			return true;
		from.has_head = to.has_head = true;
		from.head = to.head = f->head;
		if (f->has_head && tree_files_has(s, from, to))
			return true;
	}
	return false;
}

void
tree_files_release(struct tree_files *s)
{
	vec_release(&s->files);
	vec_release(&s->times);
	tree_files_forget_index(s);
	free(s->first);
	free(s->reasons);
	arena_release(&s->names);
	presence_release(&s->view);
}
