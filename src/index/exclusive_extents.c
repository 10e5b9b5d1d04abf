/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/exclusive_extents.h"

#include <fcntl.h>
#include <unistd.h>

#include "db/stmt.h"
#include "index/dirs.h"
#include "sys/fs.h"
#include "sys/tasks.h"
#include "sys/reflink.h"
#include "sys/volume.h"

/* A file system, and whether it shares blocks. */
struct exclusive_extents_volume {
	uint64_t number;
	bool shares;
};

/* The work of the threads. */
struct exclusive_extents_work {
	int64_t (*ask)(int fd);  /* below 0: the file system does not tell */
	exclusive_extents_path_fn *path;
	exclusive_extents_take_fn *take;
	void *arg;
};

/* Whether the file system of the open file fd shares blocks. */
static bool
exclusive_extents_ask(struct exclusive_extents *o, uint64_t volume, int fd)
{
	struct exclusive_extents_volume v = { .number = volume };
	struct buf disk = { 0 };
	struct fs_stat st;

	v.shares = fs_stat_fd(fd, &st) == 0 && volume_shares_blocks(fd, st.dev, &disk);
	buf_release(&disk);
	o->layers |= volume_has_layers(fd);
	vec_push(o, v);
	return v.shares;
}

/* Returns 1: the file system shares blocks, 0: it does not, -1: it was not asked yet. */
static int
exclusive_extents_known(const struct exclusive_extents *o, uint64_t volume)
{
	for (size_t i = 0; i < o->n; i++) {
		if (o->v[i].number == volume)
			return o->v[i].shares;
	}
	return -1;
}

int64_t
exclusive_extents_of(struct exclusive_extents *o, uint64_t volume, int fd, int64_t blocks)
{
	const int known = exclusive_extents_known(o, volume);
	int64_t own;

	if (known == 0 || (known < 0 && !exclusive_extents_ask(o, volume, fd)))
		return blocks;
	own = reflink_own_bytes(fd, false);
	return own < 0 || own / 512 > blocks ? blocks : own / 512;
}

int64_t
exclusive_extents_at(struct exclusive_extents *o, uint64_t volume, const char *path, int64_t blocks)
{
	int fd;

	if (exclusive_extents_known(o, volume) == 0 || blocks == 0)
		return blocks;
	fd = fs_open_file_below(path, 1);
	if (fd < 0)
		return blocks;
	blocks = exclusive_extents_of(o, volume, fd, blocks);
	close(fd);
	return blocks;
}

/* Whether the index has a volume of a type that may share blocks.  Returns 1, 0 or -1. */
static int
exclusive_extents_may_share(struct db *db, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_VOLUME_ALL, err);
	bool may = false;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		size_t len;

		may |= volume_type_shares_blocks(stmt_col_text(&st, 2, &len));
	}
	return ret < 0 ? -1 : may;
}

int
exclusive_extents_ask_all(struct exclusive_extents *o, struct db *db, struct err *err)
{
	struct dirs_rows r;
	int ret = exclusive_extents_may_share(db, err);

	/* Without such a volume there is nothing to look for. */
	if (ret <= 0)
		return ret;
	r = dirs_rows(db, SQL_VOLUME_PLACES, err);
	while ((ret = dirs_rows_next(&r)) == 1) {
		const uint64_t volume = (uint64_t)stmt_col_int(&r.st, 1);
		const int fd = exclusive_extents_known(o, volume) < 0 ? fs_open_dir_below(buf_str(&r.path), 1) : -1;

		if (fd < 0)
			continue;
		(void)exclusive_extents_ask(o, volume, fd);
		close(fd);
	}
	return ret;
}

bool
exclusive_extents_shared(const struct exclusive_extents *o, uint64_t volume)
{
	return exclusive_extents_known(o, volume) == 1;
}

bool
exclusive_extents_any(const struct exclusive_extents *o)
{
	bool any = false;

	for (size_t i = 0; i < o->n; i++)
		any |= o->v[i].shares;
	return any;
}

/* A thread's path. */
static void *
exclusive_extents_begin(void *arg)
{
	(void)arg;
	return mem_zalloc(1, sizeof(struct buf));
}

static int64_t
exclusive_extents_ask_own(int fd)
{
	const int64_t bytes = reflink_own_bytes(fd, false);

	return bytes < 0 ? -1 : bytes / 512;
}

static int64_t
exclusive_extents_ask_where(int fd)
{
	uint8_t digest[REFLINK_DIGEST];
	int64_t where = 0;

	if (!reflink_blocks(fd, "", 0, digest))
		return 0;
	memcpy(&where, digest, sizeof(where));
	return where & INT64_MAX;
}

static void
exclusive_extents_run(void *arg, void *state, size_t i, void *result)
{
	const struct exclusive_extents_work *w = arg;
	struct buf *path = state;
	int fd;

	buf_cut(path, 0);
	w->path(w->arg, i, path);
	fd = fs_open_file_below(buf_str(path), 1);
	*(int64_t *)result = fd >= 0 ? w->ask(fd) : -1;
	if (fd >= 0)
		close(fd);
}

static void
exclusive_extents_end(void *arg, void *state)
{
	(void)arg;
	buf_release(state);
	free(state);
}

static int
exclusive_extents_done(void *arg, size_t i, const void *result, struct err *err)
{
	const struct exclusive_extents_work *w = arg;
	const int64_t answer = *(const int64_t *)result;

	(void)err;
	if (answer >= 0)
		w->take(w->arg, i, answer);
	return 0;
}

static int
exclusive_extents_in_threads(size_t n, struct exclusive_extents_work *w, struct err *err)
{
	const struct tasks_map work = { .arg = w, .result_size = sizeof(int64_t), .begin = exclusive_extents_begin,
	                                .run = exclusive_extents_run, .end = exclusive_extents_end, .done = exclusive_extents_done };

	return n > 0 ? tasks_map_run(&work, n, tasks_threads(), err) : 0;
}

int
exclusive_extents_each(size_t n, exclusive_extents_path_fn *path, exclusive_extents_take_fn *take, void *arg, struct err *err)
{
	return exclusive_extents_in_threads(n, &(struct exclusive_extents_work){ exclusive_extents_ask_own, path, take, arg }, err);
}

int
exclusive_extents_where(size_t n, exclusive_extents_path_fn *path, exclusive_extents_take_fn *take, void *arg, struct err *err)
{
	return exclusive_extents_in_threads(n, &(struct exclusive_extents_work){ exclusive_extents_ask_where, path, take, arg }, err);
}

void
exclusive_extents_release(struct exclusive_extents *o)
{
	vec_release(o);
}
