/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/rescue_target.h"

#include <sys/stat.h>
#include <unistd.h>

#include "act/locked_file.h"
#include "act/verdict.h"
#include "index/own_files.h"
#include "sys/content.h"
#include "sys/content_equal.h"
#include "sys/sync.h"

char *
rescue_target_path(const struct rescue *r, const struct rescue_file *f)
{
	const char *below = path_below(f->path, r->base);
	struct buf b = { 0 };

	assert(below != NULL && *below != '\0');
	buf_adds(&b, r->to);
	path_append(&b, below, strlen(below));
	return buf_take(&b);
}

/*
 * Compare the open original with what has the name of its copy.  Returns an outcome, with the
 * verdict unless it is RESCUE_THERE.
 */
static enum rescue_outcome
rescue_target_compare(const struct locked_file *held, const char *to, struct content_reader *reader, struct verdict *v)
{
	struct fs_stat st;
	const bool other = fs_stat_path(to, &st) == 0 && !S_ISREG(st.mode);
	const int fd = other ? -1 : fs_open_file_below(to, 1);
	int same = -1, error = 0;

	if (other)
		same = 0;
	else if (fd < 0)
		error = errno;
	else if (fs_stat_fd(fd, &st) < 0)
		error = errno;
	else if (!S_ISREG(st.mode) || st.size != held->st.size)
		same = 0;
	else if (st.dev == held->st.dev && st.inode == held->st.inode)
		verdict_set(v, ACT_UNSURE, "the name of its copy leads to the file itself");
	else {
		content_from_disk(fd);
		same = content_equal(reader, held->fd, fd, st.size);
		error = same < 0 ? errno : 0;
		/* It counts as a copy: it must be on the disk. */
		if (same == 1 && (error = sync_file(fd)) != 0)
			same = -1;
	}
	if (fd >= 0)
		close(fd);
	if (error != 0)
		verdict_errno(v, error, "the file with the name of its copy cannot be compared");
	if (same == 0)
		verdict_set(v, ACT_STAYS, "something else has the name of its copy");
	return same == 1 && locked_file_check(held, v) == 0 ? RESCUE_THERE : same == 0 ? RESCUE_TAKEN : RESCUE_FAILED;
}

enum rescue_outcome
rescue_target_judge(const struct own_files *own, const struct locked_file *held, const char *to, bool compare,
                    struct content_reader *reader, struct verdict *v)
{
	char *dir = mem_dup(to, path_parent_len(to));
	struct fs_stat st, there;
	const bool is_own = fs_stat_path(dir, &st) == 0 && st.dev == own->dir_dev && st.inode == own->dir_inode &&
	                    own_files_has_name(own, path_base(to));

	free(dir);
	if (is_own)
		verdict_set(v, ACT_UNSURE, "its copy would be taken for a file of the index");
	else if (fs_stat_path(to, &there) == 0)
		return compare || !S_ISREG(there.mode) || there.size != held->st.size ? rescue_target_compare(held, to, reader, v) : RESCUE_THERE;
	else if (fs_is_absent(errno))
		return RESCUE_PLANNED;
	else
		verdict_errno(v, errno, "the name of its copy cannot be looked at");
	return RESCUE_FAILED;
}
