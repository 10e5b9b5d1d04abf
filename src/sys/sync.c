/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/sync.h"

#include <fcntl.h>
#include <unistd.h>

int
sync_file(int fd)
{
#ifdef F_FULLFSYNC
	/* On macOS fsync does not flush the cache of the disk. */
	if (fcntl(fd, F_FULLFSYNC) == 0)
		return 0;
#endif
	/* EINVAL: the file system has nothing to sync. */
	return fsync(fd) < 0 && errno != EINVAL ? errno : 0;
}

int
sync_data(int fd)
{
#ifdef F_FULLFSYNC
	return sync_file(fd);
#else
	return fdatasync(fd) < 0 ? errno : 0;
#endif
}

int
sync_volume(int fd)
{
#ifdef HAVE_SYNCFS
	return syncfs(fd) < 0 ? errno : 0;
#else
	(void)fd;
	return ENOSYS;
#endif
}

int
sync_file_failed(int fd)
{
#ifdef HAVE_SYNC_FILE_RANGE
	/* All is written: this call only reports earlier errors. */
	if (sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE) == 0)
		return 0;
	if (errno != ENOSYS && errno != EINVAL && errno != ESPIPE)
		return errno;
#endif
	return sync_file(fd);
}
