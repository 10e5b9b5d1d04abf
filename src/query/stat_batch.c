/* SPDX-License-Identifier: MIT */
/*
 * Files go to the threads in batches of neighbours, which share an open directory.  A batch
 * belongs to the calling thread until tasks_give, then to one worker until tasks_take returns it;
 * no locks but that of the tasks.  Batches are used again, so memory is bounded by STAT_BATCH_MAX
 * of them.
 */
#include "base/base.h"

#include "query/stat_batch.h"

#include <unistd.h>

#include "index/dirs.h"
#include "index/file.h"
#include "sys/tasks.h"
#include "sys/fs.h"
#include "sys/stop.h"

/* Files that one thread takes at a time. */
#define STAT_BATCH_FILES 64
/* Batches under way before the caller works, too. */
#define STAT_BATCH_MAX 256

/* A file and the signature that it has in the index. */
struct stat_batch_item {
	size_t n;
	size_t dir, name;      /* the path with a slash behind, and the name, in the batch's text */
	size_t name_len;
	int64_t dir_id;
	int64_t size, inode;
	struct fs_time mtime, ctime;
	bool same;             /* the answer: it is there, and nothing of these has changed */
};

struct stat_batch_piece {
	struct tasks_piece piece;   /* first, so that it is the batch */
	struct stat_batch_piece *next;   /* of those that are free */
	struct stat_batch_item v[STAT_BATCH_FILES];
	size_t n;
	struct buf text;
};

struct stat_batch {
	stat_batch_fn *differs;
	void *arg;
	struct tasks *tasks;
	struct stat_batch_piece *batch;      /* being filled, or NULL */
	struct stat_batch_piece *free;
	VEC(struct stat_batch_piece *) all;
};

/* tasks_kind.work: stat the files of a batch, in directories entered through no link. */
static void
stat_batch_work(void *arg, void *state, struct tasks_piece *piece)
{
	struct stat_batch_piece *b = (struct stat_batch_piece *)(void *)piece;
	const int root = fs_enter_dir("/");
	int fd = -1;

	(void)arg, (void)state;
	for (size_t i = 0; i < b->n && stop_signal() == 0; i++) {
		struct stat_batch_item *l = &b->v[i];
		struct fs_stat st;

		if (i == 0 || l->dir != l[-1].dir) {
			if (fd >= 0)
				close(fd);
			fd = root >= 0 ? fs_enter_dir_at(root, b->text.data + l->dir + 1) : -1;
		}
		l->same = fd >= 0 && fs_stat_at(fd, b->text.data + l->name, &st) == 0 && st.size == l->size &&
		          (int64_t)st.inode == l->inode && fs_time_cmp(st.mtime, l->mtime) == 0 &&
		          fs_time_cmp(st.ctime, l->ctime) == 0;
	}
	if (fd >= 0)
		close(fd);
	if (root >= 0)
		close(root);
}

static const struct tasks_kind stat_batch_kind = { .work = stat_batch_work };

struct stat_batch *
stat_batch_new(stat_batch_fn *differs, void *arg)
{
	struct stat_batch *l = mem_zalloc(1, sizeof(*l));

	l->differs = differs;
	l->arg = arg;
	l->tasks = tasks_new(&stat_batch_kind, tasks_threads());
	return l;
}

/* Deliver what differs of a batch that is done, and let it be used again. */
static int
stat_batch_deliver(struct stat_batch *l, struct stat_batch_piece *b, struct err *err)
{
	/* After a signal the answers of the last batches are missing. */
	int ret = stop_check(err);

	for (size_t i = 0; ret == 0 && i < b->n; i++) {
		const struct stat_batch_item *at = &b->v[i];
		const struct file_row row = { .dir = at->dir_id, .name = b->text.data + at->name, .name_len = at->name_len,
		                              .size = at->size, .inode.number = at->inode, .mtime = at->mtime, .ctime = at->ctime };

		if (!at->same)
			ret = l->differs(l->arg, at->n, &row, err);
	}
	b->next = l->free;
	l->free = b;
	return ret;
}

/* Take batches back: those that are done, and more until at most n are under way. */
static int
stat_batch_take(struct stat_batch *l, size_t n, struct err *err)
{
	struct tasks_piece *piece;

	while ((piece = tasks_take(l->tasks, tasks_out(l->tasks) > n ? TASKS_HELP : TASKS_READY)) != NULL) {
		if (stat_batch_deliver(l, (struct stat_batch_piece *)(void *)piece, err) < 0)
			return -1;
	}
	return 0;
}

static void
stat_batch_open_batch(struct stat_batch *l)
{
	l->batch = l->free;
	if (l->batch != NULL) {
		l->free = l->batch->next;
	} else {
		l->batch = mem_zalloc(1, sizeof(*l->batch));
		vec_push(&l->all, l->batch);
	}
	l->batch->n = 0;
	buf_cut(&l->batch->text, 0);
}

int
stat_batch_add(struct stat_batch *l, size_t n, const struct file_row *row, const struct dirs_prefix *dir, struct err *err)
{
	struct stat_batch_piece *b;
	struct stat_batch_item *at;

	if (l->batch == NULL)
		stat_batch_open_batch(l);
	b = l->batch;
	at = &b->v[b->n];
	*at = (struct stat_batch_item){ .n = n, .name_len = row->name_len, .dir_id = row->dir, .size = row->size,
	                     .inode = row->inode.number, .mtime = row->mtime, .ctime = row->ctime };
	if (b->n > 0 && at[-1].dir_id == row->dir) {
		at->dir = at[-1].dir;
	} else {
		at->dir = b->text.len;
		buf_add(&b->text, dir->text, dir->len + 1);
	}
	at->name = b->text.len;
	buf_add(&b->text, row->name, row->name_len);
	buf_addc(&b->text, '\0');
	if (++b->n < STAT_BATCH_FILES)
		return 0;
	l->batch = NULL;
	tasks_give(l->tasks, &b->piece);
	return stat_batch_take(l, STAT_BATCH_MAX, err);
}

int
stat_batch_finish(struct stat_batch *l, struct err *err)
{
	struct stat_batch_piece *b = l->batch;

	/* The last one is the calling thread's, which has nothing else to do any more. */
	if (b != NULL) {
		l->batch = NULL;
		stat_batch_work(NULL, NULL, &b->piece);
		if (stat_batch_deliver(l, b, err) < 0)
			return -1;
	}
	return stat_batch_take(l, 0, err) < 0 ? -1 : stop_check(err);
}

void
stat_batch_free(struct stat_batch *l)
{
	if (l == NULL)
		return;
	tasks_free(l->tasks);
	for (size_t i = 0; i < l->all.n; i++) {
		buf_release(&l->all.v[i]->text);
		free(l->all.v[i]);
	}
	vec_release(&l->all);
	free(l);
}
