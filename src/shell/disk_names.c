/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "shell/disk_names.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "sys/fs.h"
#include "query/prefix.h"

/* Whether an entry is a directory, be it by a link. */
static bool
disk_names_is_dir(int fd, const char *name, enum fs_type type)
{
	struct fs_stat st;

	if (type == FS_LINK || type == FS_UNKNOWN)
		return fs_stat_through(fd, name, &st) == 0 && S_ISDIR(st.mode);
	return type == FS_DIR;
}

void
disk_names_load(struct prefix *names, const struct prefix_query *q)
{
	const int fd = fs_open_dir(AT_FDCWD, q->path);
	struct fs_list list = { 0 };

	if (fd < 0)
		return;
	(void)fs_list_read(&list, fd);
	for (size_t i = 0; i < list.n; i++) {
		const char *name = fs_list_name(&list, &list.v[i]);

		if (prefix_fits(q, name, list.v[i].len)) {
			const bool dir = disk_names_is_dir(fd, name, list.v[i].type);

			if (dir || !q->dirs_only)
				vec_push(names, ((struct name_found){ mem_dup(name, list.v[i].len), dir }));
		}
	}
	prefix_tidy(names, q->max);
	fs_list_release(&list);
	close(fd);
}
