/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/undo_unread.h"

#include <sys/stat.h>
#include <unistd.h>

#include "index/dirs.h"
#include "index/file.h"
#include "index/names.h"

/* Read the file at path and note its content, if it has the size. */
static void
undo_unread_file(struct undo_unread *u, int64_t size, const char *path, struct content_reader *reader)
{
	struct undo_unread_file f = { .size = size };
	struct content_result content;
	struct fs_stat st;
	const int fd = fs_open_file_below(path, 1);

	if (fd < 0)
		return;
	if (fs_stat_fd(fd, &st) == 0 && S_ISREG(st.mode) && st.size == size) {
		content_read_open(reader, fd, CONTENT_FULL, &st, &content);
		if (content.error == 0 && content.has_hash) {
			f.path = arena_str(&u->paths, path);
			memcpy(f.hash, content.hash, HASH_SIZE);
			vec_push(&u->files, f);
		}
	}
	close(fd);
}

int
undo_unread_read(struct undo_unread *u, int64_t size, struct dirs *dirs, struct content_reader *reader, struct err *err)
{
	struct names names;
	struct file_row row;
	int ret;

	for (size_t i = 0; i < u->sizes.n; i++) {
		if (u->sizes.v[i] == size)
			return 0;
	}
	vec_push(&u->sizes, size);
	names = names_unread(dirs->db, size, err);
	while ((ret = names_next(&names, &row)) == 1) {
		struct buf path = { 0 };

		ret = dirs_path(dirs, row.dir, &path, err);
		if (ret == 0) {
			path_append(&path, row.name, row.name_len);
			undo_unread_file(u, size, buf_str(&path), reader);
		}
		buf_release(&path);
		if (ret < 0)
			break;
	}
	names_end(&names);
	return ret;
}

void
undo_unread_release(struct undo_unread *u)
{
	vec_release(&u->files);
	vec_release(&u->sizes);
	arena_release(&u->paths);
}
