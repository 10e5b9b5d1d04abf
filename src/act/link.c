/* SPDX-License-Identifier: MIT */
/*
 * A link is made beside the victim, under an unused name, and both names are exchanged: steps 6 to
 * 9 of the protocol with an exchange in place of the rename, so that the victim's name leads to
 * its content at every moment.  Where a file system can't exchange names there are no links: a
 * rename over the victim would replace unseen what somebody has just put there.
 */
#include "base/base.h"

#include "act/link.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/same_file.h"
#include "act/locked_file.h"
#include "act/remove.h"
#include "act/verdict.h"
#include "sys/attrs.h"
#include "sys/fs.h"
#include "sys/rename.h"
#include "sys/reflink.h"
#include "sys/volume.h"

/* What a link is, once it is made. */
struct link {
	enum act_kind kind;
	char name[RENAME_UNUSED_SIZE];
	uint64_t dev, inode;
};

static int
link_other_volume(const struct locked_file *keeper, struct verdict *v)
{
	return verdict_set(v, ACT_STAYS, "it is on another volume than '%s'", keeper->path);
}

int
link_check(enum act_kind kind, bool any_attributes, const struct locked_file *keeper, const struct locked_file *victim,
           struct verdict *v)
{
	struct buf why = { 0 };
	int same;

	/* A volume with several devices (overlay, btrfs) is tried. */
	if (kind == ACT_HARD && keeper->st.dev != victim->st.dev && locked_file_tells_files(keeper) && locked_file_tells_files(victim))
		return link_other_volume(keeper, v);
	if (kind == ACT_REFLINK || any_attributes)
		return 0;
	same = attrs_same(victim->fd, keeper->fd, &why);
	if (same < 0)
		verdict_errno(v, errno, "its attributes cannot be read");
	else if (same == 0)
		verdict_set(v, ACT_STAYS, "its attributes are not those of '%s': %s", keeper->path, buf_str(&why));
	buf_release(&why);
	return same == 1 ? 0 : -1;
}

/* Why a link can't be made, by an errno. */
static int
link_not_made(const struct locked_file *keeper, int error, struct verdict *v)
{
	switch (error) {
	case EXDEV:
		return link_other_volume(keeper, v);
	case EMLINK:
		return verdict_set(v, ACT_UNSURE, "'%s' has as many hard links as its file system allows", keeper->path);
	case ENOENT:
		return verdict_set(v, ACT_UNSURE, "the copy '%s': it is gone", keeper->path);
	case EOPNOTSUPP:
		return verdict_set(v, ACT_UNSURE, "its file system does not support such links");
	default:
		return verdict_errno(v, error, "no link to the copy can be made");
	}
}

/* Remove a link that is not in its place, the verdict being reached.  Returns -1. */
static int
link_drop(const struct link *l, const struct locked_file *victim, struct verdict *v)
{
	if (unlinkat(victim->dir, l->name, 0) < 0) {
		v->outcome = ACT_UNSURE;
		verdict_add(v, "; the link '%s' is left in the same directory", l->name);
	}
	return -1;
}

/* Make a second name of the keeper beside the victim; the keeper's stat follows. */
static int
link_make_hard(struct link *l, struct locked_file *keeper, const struct locked_file *victim, struct verdict *v)
{
	struct verdict k = { .outcome = ACT_PENDING };
	struct fs_stat st;

	if (locked_file_check(keeper, &k) < 0)
		return verdict_copy(v, keeper->path, &k);
	if (linkat(keeper->dir, keeper->name, victim->dir, l->name, 0) < 0)
		return link_not_made(keeper, errno, v);
	if (fs_stat_fresh(victim->dir, l->name, &st) < 0)
		verdict_errno(v, errno, "the link to the copy cannot be looked at");
	else if (!locked_file_is(keeper, &st))
		verdict_set(v, ACT_UNSURE, "the copy '%s': another file has taken its name", keeper->path);
	else if (locked_file_renew_by(keeper, &st, &k) < 0)
		verdict_copy(v, keeper->path, &k);
	else {
		l->dev = st.dev;
		l->inode = st.inode;
		return 0;
	}
	return link_drop(l, victim, v);
}

/* Whether a symbolic link beside the victim leads to the keeper itself now. */
static bool
link_leads(const struct locked_file *keeper, const struct locked_file *victim, const char *name)
{
	struct fs_stat st;

	return fs_stat_through(victim->dir, name, &st) == 0 && locked_file_is(keeper, &st);
}

/* Make a symbolic link to the keeper, relative to the victim's directory. */
static int
link_make_soft(struct link *l, const struct locked_file *keeper, const struct locked_file *victim, struct verdict *v)
{
	struct buf target = { 0 };
	char *dir = mem_dup(victim->path, path_parent_len(victim->path));
	struct fs_stat st;
	int ret;

	path_relative(&target, dir, keeper->path);
	ret = symlinkat(buf_str(&target), victim->dir, l->name);
	if (ret < 0)
		link_not_made(keeper, errno, v);
	else if (!link_leads(keeper, victim, l->name)) {
		verdict_set(v, ACT_UNSURE, "a link with '%s' does not lead to the copy", buf_str(&target));
		ret = link_drop(l, victim, v);
	} else if (fs_stat_at(victim->dir, l->name, &st) < 0) {
		verdict_errno(v, errno, "the link to the copy cannot be looked at");
		ret = link_drop(l, victim, v);
	} else {
		l->dev = st.dev;
		l->inode = st.inode;
	}
	buf_release(&target);
	free(dir);
	return ret;
}

/* Whether a name in the victim's directory is that of our link. */
static bool
link_is_at(const struct link *l, const struct locked_file *victim, const char *name)
{
	struct fs_stat st;

	return fs_stat_at(victim->dir, name, &st) == 0 && st.dev == l->dev && st.inode == l->inode;
}

/*
 * Exchange the names back and remove the link.  Where the link is gone, or somebody else has taken
 * its name since, the victim's own name is not there for an exchange.  The verdict is reached.
 */
static int
link_undo(const struct link *l, const struct locked_file *victim, struct verdict *v)
{
	if (!link_is_at(l, victim, victim->name))
		return remove_undo(victim, victim->dir, l->name, v);
	if (rename_exchange(victim->dir, l->name, victim->name) < 0) {
		v->outcome = ACT_UNSURE;
		verdict_add(v, "; it could not get its name back (%s): it is '%s' in the same directory now", strerror(errno), l->name);
	} else if (!link_is_at(l, victim, l->name) || unlinkat(victim->dir, l->name, 0) < 0) {
		v->outcome = ACT_UNSURE;
		verdict_add(v, "; '%s' is left in the same directory", l->name);
	}
	return -1;
}

/*
 * Renew the keeper's stat: making, renaming or removing a hard link changes its ctime.  Returns 0,
 * or -1 with the verdict.
 */
static int
link_renew_keeper(const struct link *l, struct locked_file *keeper, struct verdict *v)
{
	struct verdict k = { .outcome = ACT_PENDING };

	return l->kind == ACT_HARD && locked_file_renew(keeper, &k) < 0 ? verdict_copy(v, keeper->path, &k) : 0;
}

/* Put the link in the place of the victim.  Returns 0, or -1 with the verdict. */
static int
link_exchange(const struct link *l, struct locked_file *keeper, struct locked_file *victim, struct verdict *v)
{
	if (rename_exchange(victim->dir, l->name, victim->name) < 0) {
		if (errno == EINVAL)
			verdict_set(v, ACT_UNSURE, "its file system cannot exchange names");
		else if (errno == ENOENT)
			verdict_set(v, ACT_UNSURE, "it is gone");
		else
			verdict_errno(v, errno, "cannot be replaced");
		return link_drop(l, victim, v);
	}
	if (link_renew_keeper(l, keeper, v) < 0 || remove_check(keeper, victim, victim->dir, l->name, v) < 0)
		return link_undo(l, victim, v);
	/* The keeper is at its path; the link misses it where the victim's directory was moved. */
	if (l->kind == ACT_SOFT && !link_leads(keeper, victim, victim->name))
		verdict_set(v, ACT_UNSURE, "the link does not lead to '%s' any more", keeper->path);
	else if (unlinkat(victim->dir, l->name, 0) == 0)
		return 0;
	else
		verdict_errno(v, errno, "cannot be replaced");
	return link_undo(l, victim, v);
}

int
link_file(enum act_kind kind, struct locked_file *keeper, struct locked_file *victim, struct verdict *v)
{
	struct link l = { .kind = kind };

	assert(kind == ACT_HARD || kind == ACT_SOFT);
	if (same_file_check(keeper, victim, v) < 0 || locked_file_check(victim, v) < 0)
		return -1;
	if (kind == ACT_HARD && victim->numbers_names)
		return verdict_set(v, ACT_STAYS, "its file system gives every hard link an inode number of its own: the link could not be verified");
	/*
	 * Through a program in user space the copy may be the victim itself: a link in its place
	 * would lead into itself, and opening it would never return.  So its name goes first.
	 */
	if (kind == ACT_SOFT && !(volume_tells_files(keeper->fd) && volume_tells_files(victim->fd)) && remove_try(keeper, victim, v) < 0)
		return -1;
	rename_unused(LINK_WORD, l.name);
	if ((kind == ACT_HARD ? link_make_hard(&l, keeper, victim, v) : link_make_soft(&l, keeper, victim, v)) < 0)
		return -1;
	if (link_exchange(&l, keeper, victim, v) == 0)
		return 0;
	link_renew_keeper(&l, keeper, v);
	return -1;
}

int
link_share(const struct locked_file *keeper, struct locked_file *victim, int64_t *freed, struct verdict *v)
{
	int64_t before, after;

	*freed = 0;
	if (locked_file_check(victim, v) < 0)
		return -1;
	before = reflink_own_bytes(victim->fd, true);
	if (reflink_dedupe(keeper->fd, victim->fd, victim->st.size) < 0) {
		if (errno == EILSEQ)
			return verdict_set(v, ACT_UNSURE, "it has changed meanwhile");
		/*
		 * The kernel checks that a volume can share blocks before it checks that both are
		 * one.
		 */
		if ((errno == EOPNOTSUPP || errno == EINVAL) && keeper->st.dev != victim->st.dev)
			return link_other_volume(keeper, v);
		return link_not_made(keeper, errno == EINVAL ? EOPNOTSUPP : errno, v);
	}
	after = reflink_own_bytes(victim->fd, true);
	if (before >= 0 && after >= 0 && before > after)
		*freed = before - after;
	return locked_file_renew(victim, v);
}
