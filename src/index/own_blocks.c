/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "index/own_blocks.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/vec.h"
#include "sys/fs.h"
#include "sys/share.h"
#include "sys/volume.h"

/* A file system that was asked. */
struct own_blocks_volume {
	uint64_t number;
	bool shares;
};

/* Whether the file system of the open file fd shares blocks. */
static bool
own_blocks_ask(struct own_blocks *o, uint64_t volume, int fd)
{
	struct own_blocks_volume v = { .number = volume };
	struct buf disk = { 0 };
	struct fs_stat st;

	v.shares = fs_stat_fd(fd, &st) == 0 && volume_shares_blocks(fd, st.dev, &disk);
	buf_release(&disk);
	vec_push(o, v);
	return v.shares;
}

/* Returns 1: the file system shares blocks, 0: it does not, -1: it was not asked yet. */
static int
own_blocks_known(const struct own_blocks *o, uint64_t volume)
{
	for (size_t i = 0; i < o->n; i++) {
		if (o->v[i].number == volume)
			return o->v[i].shares;
	}
	return -1;
}

int64_t
own_blocks_of(struct own_blocks *o, uint64_t volume, int fd, int64_t blocks)
{
	const int known = own_blocks_known(o, volume);
	int64_t own;

	if (known == 0 || (known < 0 && !own_blocks_ask(o, volume, fd)))
		return blocks;
	own = share_own_bytes(fd, false);
	return own < 0 || own / 512 > blocks ? blocks : own / 512;
}

int64_t
own_blocks_at(struct own_blocks *o, uint64_t volume, const char *path, int64_t blocks)
{
	int fd;

	if (own_blocks_known(o, volume) == 0 || blocks == 0)
		return blocks;
	fd = fs_open_file_below(path, 1);
	if (fd < 0)
		return blocks;
	blocks = own_blocks_of(o, volume, fd, blocks);
	close(fd);
	return blocks;
}

void
own_blocks_release(struct own_blocks *o)
{
	vec_release(o);
}
