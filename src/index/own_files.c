/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/own_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "sys/fs.h"

/* Suffixes of an index's files. */
static const char *const own_files_suffixes[OWN_FILES_MAX] = { "", "-wal", "-shm", "-lock", "-validate-lock", "-journal", OWN_FILES_ACTS };

void
own_files_find(struct own_files *own, const char *path)
{
	struct buf name = { 0 };
	struct fs_stat st;
	struct stat dir;

	memset(own, 0, sizeof(*own));
	for (size_t i = 0; i < OWN_FILES_MAX; i++) {
		buf_cut(&name, 0);
		buf_addf(&name, "%s%s", path, own_files_suffixes[i]);
		if (fs_stat_path(buf_str(&name), &st) == 0) {
			own->dev[own->n] = st.dev;
			own->inode[own->n++] = st.inode;
		}
	}
	own->name = path_base(path);
	buf_cut(&name, 0);
	buf_add(&name, path, path_parent_len(path));
	if (stat(buf_str(&name), &dir) == 0) {
		own->dir_dev = dir.st_dev;
		own->dir_inode = dir.st_ino;
	}
	buf_release(&name);
}

bool
own_files_has(const struct own_files *own, uint64_t dev, uint64_t inode)
{
	for (int i = 0; i < own->n; i++) {
		if (own->inode[i] == inode && own->dev[i] == dev)
			return true;
	}
	return false;
}

bool
own_files_has_name(const struct own_files *own, const char *name)
{
	const size_t len = strlen(own->name);

	if (strncmp(name, own->name, len) != 0)
		return false;
	for (size_t i = 0; i < OWN_FILES_MAX; i++) {
		if (strcmp(name + len, own_files_suffixes[i]) == 0)
			return true;
	}
	return false;
}

void
own_files_remove(const char *path)
{
	struct buf name = { 0 };

	for (size_t i = 0; i < OWN_FILES_MAX; i++) {
		if (strcmp(own_files_suffixes[i], OWN_FILES_ACTS) == 0)
			continue;
		buf_cut(&name, 0);
		buf_addf(&name, "%s%s", path, own_files_suffixes[i]);
		unlink(buf_str(&name));
	}
	buf_release(&name);
}
