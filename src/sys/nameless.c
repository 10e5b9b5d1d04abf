/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/nameless.h"

#include <fcntl.h>
#include <unistd.h>

#include "sys/fs.h"

#ifdef O_TMPFILE
/* Room for the path of a descriptor in /proc. */
#define NAMELESS_PROC_SIZE 40

static void
nameless_proc(int fd, char path[NAMELESS_PROC_SIZE])
{
	snprintf(path, NAMELESS_PROC_SIZE, "/proc/self/fd/%d", fd);
}

int
nameless_make(int dir)
{
	const int fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char proc[NAMELESS_PROC_SIZE];
	struct fs_stat st;

	nameless_proc(fd, proc);
	if (fd < 0 || fs_stat_path(proc, &st) == 0)
		return fd;
	close(fd);
	return -1;
}

int
nameless_put(int fd, int dir, const char *name)
{
	char proc[NAMELESS_PROC_SIZE];

	nameless_proc(fd, proc);
	return linkat(AT_FDCWD, proc, dir, name, AT_SYMLINK_FOLLOW);
}
#else
int
nameless_make(int dir)
{
	(void)dir;
	return -1;
}

int
nameless_put(int fd, int dir, const char *name)
{
	(void)fd, (void)dir, (void)name;
	errno = ENOTSUP;
	return -1;
}
#endif
