/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/replace.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/fs.h"
#include "sys/rename.h"
#include "sys/sync.h"

/* Write a new file (mode 0: by the umask); remove it after a failure. */
static int
replace_make(int dir, const char *name, mode_t mode, const char *data, size_t len)
{
	const int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode != 0 ? mode : 0666);
	int ret, error;

	if (fd < 0)
		return -1;
	ret = mode != 0 ? fchmod(fd, mode) : 0;
	if (ret == 0)
		ret = fs_write_all(fd, data, len);
	if (ret == 0 && (errno = sync_file(fd)) != 0)
		ret = -1;
	error = errno;
	if (close(fd) < 0 && ret == 0) {
		ret = -1;
		error = errno;
	}
	if (ret < 0) {
		unlinkat(dir, name, 0);
		errno = error;
	}
	return ret;
}

int
replace_file(const char *path, const char *data, size_t len, mode_t mode)
{
	const char *name = path_base(path);
	char made[RENAME_UNUSED_SIZE];
	struct fs_stat st;
	struct buf parent = { 0 };
	int dir, ret = -1, error;
	bool there;

	buf_add(&parent, path, path_parent_len(path));
	dir = fs_open_dir(AT_FDCWD, buf_str(&parent));
	buf_release(&parent);
	if (dir < 0)
		return -1;
	there = fs_stat_at(dir, name, &st) == 0;
	rename_unused("new", made);
	if (there && !S_ISREG(st.mode))
		errno = EEXIST;
	else if (there || errno == ENOENT)
		ret = replace_make(dir, made, mode != 0 || !there ? mode : st.mode & 0777, data, len);
	if (ret == 0 && renameat(dir, made, dir, name) < 0) {
		error = errno;
		unlinkat(dir, made, 0);
		errno = error;
		ret = -1;
	}
	error = errno;
	close(dir);
	errno = error;
	return ret;
}
