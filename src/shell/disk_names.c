/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "shell/disk_names.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/fs.h"
#include "sys/resolve.h"
#include "query/prefix.h"

/* Whether an entry is a directory, or a link to one. */
static bool
disk_names_is_dir(int fd, const char *name, enum fs_type type)
{
	struct fs_stat st;

	if (type == FS_LINK || type == FS_UNKNOWN)
		return fs_stat_through(fd, name, &st) == 0 && S_ISDIR(st.mode);
	return type == FS_DIR;
}

/* Whether an entry is a file that we may run. */
static bool
disk_names_is_program(int fd, const char *name, enum fs_type type)
{
	struct fs_stat st;

	if (type == FS_DIR || type == FS_SPECIAL || faccessat(fd, name, X_OK, 0) < 0)
		return false;
	return type == FS_FILE || (fs_stat_through(fd, name, &st) == 0 && S_ISREG(st.mode));
}

/* Add the names in a directory that the query asks for, or only the programs among them. */
static void
disk_names_add(struct prefix *names, const struct prefix_query *q, bool programs)
{
	const int fd = fs_open_dir(AT_FDCWD, q->path);
	struct fs_list list = { 0 };
	size_t n = 0;

	if (fd < 0)
		return;
	(void)fs_list_read(&list, fd);
	for (size_t i = 0; i < list.n; i++) {
		const struct fs_entry *e = &list.v[i];
		const char *name = fs_list_name(&list, e);

		if (prefix_fits(q, name, e->len) && (programs ? disk_names_is_program(fd, name, e->type)
		                                              : !q->dirs_only || disk_names_is_dir(fd, name, e->type)))
			list.v[n++] = *e;
	}
	list.n = n;
	/* Of more than max the first ones and the last are enough. */
	if (list.n > q->max)
		fs_list_sort(&list);
	for (size_t i = 0; i < list.n; i++) {
		const struct fs_entry *e = i < q->max ? &list.v[i] : &list.v[list.n - 1];
		const char *name = fs_list_name(&list, e);

		vec_push(names, ((struct name_found){ mem_dup(name, e->len), !programs && disk_names_is_dir(fd, name, e->type), NULL }));
		if (i == q->max)
			break;
	}
	fs_list_release(&list);
	close(fd);
}

void
disk_names_load(struct prefix *names, const struct prefix_query *q)
{
	disk_names_add(names, q, false);
	prefix_tidy(names, q->max);
}

void
disk_names_load_programs(struct prefix *names, const char *dirs, const struct prefix_query *q)
{
	struct buf typed = { 0 }, path = { 0 };

	for (const char *at = dirs; at != NULL; at = strchr(at, ':') != NULL ? strchr(at, ':') + 1 : NULL) {
		struct prefix_query in = *q;
		struct err ignored = { 0 };

		buf_cut(&typed, 0);
		buf_cut(&path, 0);
		buf_add(&typed, at, strcspn(at, ":"));
		if (resolve_path(&path, typed.len > 0 ? typed.data : ".", q->path, &ignored) == 0) {
			in.path = path.data;
			disk_names_add(names, &in, true);
		}
	}
	prefix_tidy(names, q->max);
	buf_release(&typed);
	buf_release(&path);
}
