/* SPDX-License-Identifier: MIT */
/*
 * Reflinked files and snapshots have their bytes on the disk once.  Before a round is read, each
 * file that is to be read whole, on a file system that shares blocks, is asked where its blocks
 * lie (reflink_blocks); of those that agree the first is read, the leader.
 *
 * Its content is the follower's on three conditions: both had these blocks before the leader was
 * read; the leader has the same blocks and times after that (hash_extents_read); so has the
 * follower (hash_extents_give).  All that time the blocks had at least two owners, and the file
 * system never overwrites shared blocks: a write goes elsewhere, and that file's blocks change.
 * Files that may have changed unseen (racy) are read.
 *
 * Threads ask files before and after the round; in it each thread writes to the leaders it reads.
 */
#include "base/base.h"

#include "scan/hash_extents.h"

#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scan/hash_plan.h"
#include "scan/hash_write.h"
#include "scan/stats.h"
#include "sys/content.h"
#include "sys/fs.h"
#include "sys/racy_window.h"
#include "sys/reflink.h"
#include "sys/tasks.h"
#include "sys/volume.h"

/* Asking a smaller file costs more than reading it; the walk reads those in passing. */
#define HASH_EXTENTS_LEAST (128 * 1024)
/*
 * Files asked on a volume before it is judged: if fewer than one in eight share blocks, only large
 * files are asked, for which reading takes a hundred times as long.
 */
#define HASH_EXTENTS_TRIALS 32
#define HASH_EXTENTS_LARGE (8 * 1024 * 1024)

/* Whether the files of a volume of the index may share blocks, and on which disk. */
struct hash_extents_volume {
	int64_t number;
	struct buf disk;
	bool shares;
	atomic_long n_asked, n_shared;
};

struct hash_extents_file {
	size_t pos;              /* in plan.files */
	size_t volume;           /* in volumes */
	bool shares;
	struct fs_stat st;
	uint8_t blocks[REFLINK_DIGEST];
	bool good;               /* of a leader: content holds for the group */
	struct content_result content;
};

struct hash_extents {
	struct hash_plan *plan;
	VEC(struct hash_extents_volume) volumes;
	VEC(struct hash_extents_file) files;     /* those of a group side by side */
	size_t *leaders;         /* by place in the plan: 0, or 1 + place of its leader in files */
	struct order *unread;    /* files that must be read after all, */
	size_t n_unread;         /* ... and their number */
};

/* The answer of one file. */
struct hash_extents_answer {
	bool shares;
	struct fs_stat st;
	uint8_t blocks[REFLINK_DIGEST];
};

void
hash_extents_free(struct hash_extents *x)
{
	if (x == NULL)
		return;
	for (size_t i = 0; i < x->volumes.n; i++)
		buf_release(&x->volumes.v[i].disk);
	vec_release(&x->volumes);
	vec_release(&x->files);
	free(x->leaders);
	free(x);
}

/* Open a file of the plan and take its stat.  Returns a descriptor, or -1. */
static int
hash_extents_open(const struct hash_plan *p, size_t pos, struct fs_stat *st)
{
	const struct hash_plan_file *f = &p->files.v[pos];
	struct buf path = { 0 };
	const size_t base_len = hash_plan_path(p, f, &path);
	int fd = fs_open_file_below(buf_str(&path), base_len);

	buf_release(&path);
	if (fd >= 0 && (fs_stat_fd(fd, st) < 0 || !S_ISREG(st->mode) || (int64_t)st->inode != f->inode.number || st->size != f->size)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* The volume that a file of the plan is on, as a position in x->volumes. */
static size_t
hash_extents_volume(struct hash_extents *x, size_t pos)
{
	const int64_t number = x->plan->files.v[pos].inode.volume;
	struct hash_extents_volume *v;
	struct fs_stat st;
	int fd;

	for (size_t i = x->volumes.n; i-- > 0;) {
		if (x->volumes.v[i].number == number)
			return i;
	}
	v = vec_add(&x->volumes);
	memset(v, 0, sizeof(*v));
	v->number = number;
	fd = hash_extents_open(x->plan, pos, &st);
	if (fd >= 0) {
		v->shares = volume_shares_blocks(fd, st.dev, &v->disk);
		close(fd);
	}
	return x->volumes.n - 1;
}

/* Ask one file where its blocks lie. */
static void
hash_extents_ask(const struct hash_extents *x, const struct hash_extents_file *f, struct hash_extents_answer *a)
{
	const struct buf *disk = &x->volumes.v[f->volume].disk;
	const int fd = hash_extents_open(x->plan, f->pos, &a->st);

	if (fd < 0)
		return;
	a->shares = !racy_window_has(&a->st, fs_time_now(), x->plan->racy_window) && reflink_blocks(fd, disk->data, disk->len, a->blocks);
	close(fd);
}

/* tasks_map.run: before the round. */
static void
hash_extents_ask_first(void *arg, void *state, size_t i, void *result)
{
	struct hash_extents *x = arg;
	const struct hash_extents_file *f = &x->files.v[i];
	struct hash_extents_volume *v = &x->volumes.v[f->volume];
	struct hash_extents_answer *a = result;
	const long n = atomic_load_explicit(&v->n_asked, memory_order_relaxed);

	(void)state;
	if (n >= HASH_EXTENTS_TRIALS && atomic_load_explicit(&v->n_shared, memory_order_relaxed) * 8 < n &&
	    x->plan->files.v[f->pos].size < HASH_EXTENTS_LARGE)
		return;
	hash_extents_ask(x, f, a);
	atomic_fetch_add_explicit(&v->n_asked, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&v->n_shared, a->shares, memory_order_relaxed);
}

/* tasks_map.done */
static int
hash_extents_note(void *arg, size_t i, const void *result, struct err *err)
{
	struct hash_extents *x = arg;
	const struct hash_extents_answer *a = result;
	struct hash_extents_file *f = &x->files.v[i];

	(void)err;
	f->st = a->st;
	f->shares = a->shares;
	memcpy(f->blocks, a->blocks, REFLINK_DIGEST);
	return 0;
}

/* Files of one group side by side, in reading order; files that do not share come last. */
static int
hash_extents_cmp(const void *a, const void *b)
{
	const struct hash_extents_file *x = a, *y = b;
	const int cmp = memcmp(x->blocks, y->blocks, REFLINK_DIGEST);

	ORDER_CMP(y->shares, x->shares);
	ORDER_CMP(x->st.size, y->st.size);
	if (cmp != 0)
		return cmp;
	ORDER_CMP(x->pos, y->pos);
	return 0;
}

/* Make groups of the files that answered.  Returns whether there is any. */
static bool
hash_extents_group(struct hash_extents *x)
{
	struct hash_extents_file *v = x->files.v;
	bool any = false;

	x->leaders = mem_zalloc(x->plan->files.n, sizeof(*x->leaders));
	qsort(v, x->files.n, sizeof(*v), hash_extents_cmp);
	for (size_t i = 1, leader = 0; i < x->files.n && v[i].shares; i++) {
		if (v[i].st.size == v[leader].st.size && memcmp(v[i].blocks, v[leader].blocks, REFLINK_DIGEST) == 0) {
			x->leaders[v[leader].pos] = x->leaders[v[i].pos] = leader + 1;
			any = true;
		} else
			leader = i;
	}
	return any;
}

/* The leader of the group of a file of the plan, or NULL. */
static struct hash_extents_file *
hash_extents_leader(const struct hash_extents *x, size_t pos)
{
	return x->leaders[pos] != 0 ? &x->files.v[x->leaders[pos] - 1] : NULL;
}

int
hash_extents_find(struct hash_extents **result, struct hash_plan *p, struct order *order, size_t *n, struct err *err)
{
	struct hash_extents *x = mem_zalloc(1, sizeof(*x));
	const struct tasks_map work = {
		.arg = x, .result_size = sizeof(struct hash_extents_answer), .run = hash_extents_ask_first, .done = hash_extents_note,
	};
	size_t kept = 0;
	bool any = false;
	int ret = 0;

	*result = NULL;
	x->plan = p;
	/* Validation, --rehash and --verify read every file. */
	for (size_t i = 0; p->take == NULL && !p->rehash && p->references == NULL && i < *n; i++) {
		const struct hash_plan_file *f = &p->files.v[order[i].pos];
		size_t volume;

		if (f->want != CONTENT_FULL || f->size < HASH_EXTENTS_LEAST)
			continue;
		volume = hash_extents_volume(x, order[i].pos);
		if (x->volumes.v[volume].shares)
			vec_push(&x->files, ((struct hash_extents_file){ .pos = order[i].pos, .volume = volume }));
	}
	if (x->files.n > 1)
		ret = tasks_map_run(&work, x->files.n, p->n_threads, err);
	if (ret == 0 && x->files.n > 1)
		any = hash_extents_group(x);
	if (!any) {
		hash_extents_free(x);
		return ret;
	}
	for (size_t i = 0; i < *n; i++) {
		const struct hash_extents_file *leader = hash_extents_leader(x, order[i].pos);

		if (leader == NULL || leader->pos == order[i].pos)
			order[kept++] = order[i];
	}
	*n = kept;
	*result = x;
	return 0;
}

void
hash_extents_read(struct hash_extents *x, size_t pos, int fd, const struct hash_plan_result *res)
{
	struct hash_extents_file *f = x != NULL ? hash_extents_leader(x, pos) : NULL;
	uint8_t blocks[REFLINK_DIGEST];
	const struct buf *disk;
	struct fs_stat st;

	if (f == NULL || res->content.error != 0 || !res->content.has_hash || res->content.racy)
		return;
	assert(f->pos == pos);
	disk = &x->volumes.v[f->volume].disk;
	if (fs_stat_fd(fd, &st) < 0 || !fs_stat_same(&st, &f->st) || !fs_stat_same(&res->st, &f->st) ||
	    !reflink_blocks(fd, disk->data, disk->len, blocks) || memcmp(blocks, f->blocks, REFLINK_DIGEST) != 0)
		return;
	f->content = res->content;
	f->good = true;
}

/* The leader of the i-th file if that is a follower, else NULL. */
static const struct hash_extents_file *
hash_extents_followed(const struct hash_extents *x, size_t i)
{
	const struct hash_extents_file *leader = hash_extents_leader(x, x->files.v[i].pos);

	return leader != &x->files.v[i] ? leader : NULL;
}

/* tasks_map.run: behind the round. */
static void
hash_extents_ask_again(void *arg, void *state, size_t i, void *result)
{
	const struct hash_extents *x = arg;

	(void)state;
	if (hash_extents_followed(x, i) != NULL)
		hash_extents_ask(x, &x->files.v[i], result);
}

/* tasks_map.done: write the leader's content for the follower, or have it read. */
static int
hash_extents_take(void *arg, size_t i, const void *result, struct err *err)
{
	struct hash_extents *x = arg;
	const struct hash_extents_answer *a = result;
	const struct hash_extents_file *f = &x->files.v[i], *leader = hash_extents_followed(x, i);
	struct stats *counts = x->plan->counts;
	struct hash_plan_result res = { .known = true, .st = a->st };

	if (leader == NULL)
		return 0;
	if (!leader->good || !a->shares || !fs_stat_same(&a->st, &f->st) || memcmp(a->blocks, f->blocks, REFLINK_DIGEST) != 0) {
		x->unread[x->n_unread++].pos = f->pos;
		return 0;
	}
	res.content = leader->content;
	atomic_fetch_add_explicit(&counts->done, 1, memory_order_relaxed);
	atomic_fetch_sub_explicit(&counts->to_read_bytes, f->st.size, memory_order_relaxed);
	return hash_write(x->plan, &x->plan->files.v[f->pos], &res, err);
}

int
hash_extents_give(struct hash_extents *x, struct order *order, size_t *n, struct err *err)
{
	const struct tasks_map work = {
		.arg = x, .result_size = sizeof(struct hash_extents_answer), .run = hash_extents_ask_again, .done = hash_extents_take,
	};
	int ret;

	x->unread = order;
	ret = tasks_map_run(&work, x->files.n, x->plan->n_threads, err);
	*n = x->n_unread;
	if (ret == 0)
		hash_plan_sort_inodes(x->plan, order, *n);
	return ret;
}
