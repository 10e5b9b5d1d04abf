/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/same_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "act/locked_file.h"
#include "act/verdict.h"
#include "sys/rename.h"

/*
 * Whether a new name of the victim, with stat st, says that its file system gives each name a
 * number of its own (sshfs): it looks like the victim, whose own name still leads there.
 */
static bool
same_file_numbers_names(const struct locked_file *victim, const struct fs_stat *st)
{
	struct fs_stat own;

	return !locked_file_tells_files(victim) && S_ISREG(st->mode) && st->dev == victim->st.dev && st->size == victim->st.size &&
	       fs_time_cmp(st->mtime, victim->st.mtime) == 0 && fs_stat_fresh(victim->dir, victim->name, &own) == 0 && locked_file_is(victim, &own);
}

/*
 * Give the victim a second name for a moment and watch the keeper meanwhile.  The keeper is
 * checked before, so that only the probe can change its number of links; then its stat is renewed
 * for further victims.
 */
static int
same_file_probe(struct locked_file *keeper, struct locked_file *victim, struct verdict *v)
{
	struct verdict k = { .outcome = ACT_PENDING };
	char probe[RENAME_UNUSED_SIZE];
	struct fs_stat st, now;
	bool there, same, moved;

	if (locked_file_check(keeper, &k) < 0)
		return verdict_copy(v, keeper->path, &k);
	rename_unused(SAME_FILE_WORD, probe);
	if (linkat(victim->dir, victim->name, victim->dir, probe, 0) < 0) {
		/* The file system makes no hard links, or no more of this file. */
		if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK || errno == EINVAL)
			return 0;
		return verdict_errno(v, errno, errno == EROFS ? "cannot be changed" : "cannot be distinguished from the copy");
	}
	there = fs_stat_at(victim->dir, probe, &st) == 0;
	same = there && locked_file_is(victim, &st);
	victim->numbers_names = there && !same && same_file_numbers_names(victim, &st);
	/* By descriptor, or by name. */
	moved = fs_stat_fresh(keeper->fd, "", &now) < 0 || now.nlink != keeper->st.nlink ||
	        fs_time_cmp(now.ctime, keeper->st.ctime) != 0 || fs_stat_fresh(keeper->dir, keeper->name, &now) < 0 ||
	        now.nlink != keeper->st.nlink || fs_time_cmp(now.ctime, keeper->st.ctime) != 0;
	if (unlinkat(victim->dir, probe, 0) < 0) {
		verdict_errno(v, errno, "a second name of it could not be removed again");
		verdict_add(v, "; that name is '%s', in the same directory", probe);
		return -1;
	}
	if (!same && !victim->numbers_names)
		return verdict_set(v, ACT_UNSURE, "it has changed meanwhile");
	if (moved) {
		locked_file_renew(keeper, &k);
		verdict_release(&k);
		return verdict_set(v, ACT_STAYS, "it is the same file as '%s', reached by another way", keeper->path);
	}
	return locked_file_renew(victim, v);
}

int
same_file_check(struct locked_file *keeper, struct locked_file *victim, struct verdict *v)
{
	struct statvfs a, b;
	bool twin;

	if (locked_file_same_inode(keeper, victim))
		return verdict_set(v, ACT_STAYS, "it is the same file as '%s'", keeper->path);
	/* Both are on one file system with stable inode numbers. */
	if (keeper->st.dev == victim->st.dev && locked_file_tells_files(victim))
		return 0;
	/*
	 * Two devices of one identity may be one image, and no cache sees the other's probe.  The
	 * ctime is no help: an earlier probe has changed it on one of them.
	 */
	twin = fstatvfs(keeper->fd, &a) == 0 && fstatvfs(victim->fd, &b) == 0 && a.f_fsid == b.f_fsid && keeper->st.inode == victim->st.inode && keeper->st.size == victim->st.size &&
	    fs_time_cmp(keeper->st.mtime, victim->st.mtime) == 0;
	if (same_file_probe(keeper, victim, v) < 0)
		return -1;
	if (twin)
		return verdict_set(v, ACT_STAYS, "it may be the same file as '%s': its number, size and time of change are the same", keeper->path);
	return 0;
}
