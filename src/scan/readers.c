/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "scan/readers.h"

#include <fcntl.h>
#include <unistd.h>

#include "index/volumes.h"
#include "sys/fs.h"
#include "sys/volume.h"

/* Threads that read ahead from an SSD or a network, and from a rotating disk. */
#define READERS 8
#define READERS_ROTATIONAL 2

int
readers_below(struct volumes *volumes, const char *path)
{
	struct volume_facts facts = { .rotational = false };
	struct fs_stat st;
	const int fd = fs_open_dir(AT_FDCWD, path);

	if (fd >= 0 && fs_stat_fd(fd, &st) == 0)
		(void)volumes_number(volumes, fd, st.dev, &facts);
	if (fd >= 0)
		close(fd);
	return facts.rotational ? READERS_ROTATIONAL : READERS;
}
