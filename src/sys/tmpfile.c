/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/tmpfile.h"

#include <fcntl.h>
#include <unistd.h>

#include "sys/fs.h"

#ifdef O_TMPFILE
/* Room for the path of a descriptor in /proc. */
#define TMPFILE_PROC_SIZE 40

static void
tmpfile_proc(int fd, char path[TMPFILE_PROC_SIZE])
{
	snprintf(path, TMPFILE_PROC_SIZE, "/proc/self/fd/%d", fd);
}

int
tmpfile_make(int dir)
{
	const int fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char proc[TMPFILE_PROC_SIZE];
	struct fs_stat st;

	tmpfile_proc(fd, proc);
	if (fd < 0 || fs_stat_path(proc, &st) == 0)
		return fd;
	close(fd);
	return -1;
}

int
tmpfile_put(int fd, int dir, const char *name)
{
	char proc[TMPFILE_PROC_SIZE];

	tmpfile_proc(fd, proc);
	return linkat(AT_FDCWD, proc, dir, name, AT_SYMLINK_FOLLOW);
}
#else
int
tmpfile_make(int dir)
{
	(void)dir;
	return -1;
}

int
tmpfile_put(int fd, int dir, const char *name)
{
	(void)fd, (void)dir, (void)name;
	errno = ENOTSUP;
	return -1;
}
#endif
