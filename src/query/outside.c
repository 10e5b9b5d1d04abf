/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/outside.h"

#include <sys/stat.h>

#include "index/presence.h"
#include "query/answer.h"
#include "sys/fs.h"
#include "sys/mounted.h"
#include "sys/volume.h"

void
outside_open(struct outside *o)
{
	own_files_find(&o->own, o->view->ix->path);
	o->whole = SKIP_NO;
}

/*
 * Whether the index has a directory by another path that leads there, too.  *gap becomes GAP_NONE
 * where the query is about that path as well, and sees all there.  Returns 1, 0 or -1 with *err.
 */
static int
outside_is_elsewhere(struct outside *o, const char *path, const struct fs_stat *st, enum gap *gap, struct err *err)
{
	struct buf other = { 0 };
	const int found = dirs_elsewhere(&o->view->dirs, path, st, &other, err);

	if (found == 1)
		*gap = path_is_below_any(buf_str(&other), o->paths, o->n_paths) &&
		       !path_is_below_any(buf_str(&other), o->exclude, o->n_exclude) && !mounted_differs(buf_str(&other), path) ? GAP_NONE : (enum gap)SKIP_TWICE;
	buf_release(&other);
	return found;
}

int
outside_begin(struct outside *o, const char *path, const struct fs_stat *st, struct err *err)
{
	const struct root *root = st != NULL ? roots_above(&o->view->roots, path) : NULL;
	struct fs_stat top;
	int elsewhere;
	enum gap gap;

	o->whole = SKIP_NO;
	if (root != NULL && root->rules.one_fs && fs_stat_path(root->path, &top) == 0 && top.dev != st->dev)
		o->whole = SKIP_OTHER_FS;
	else if (root != NULL && st != NULL && !root->rules.network && volume_is_served_from(root->path, path))
		o->whole = SKIP_NETWORK;
	else if (st != NULL && S_ISDIR(st->mode)) {
		elsewhere = outside_is_elsewhere(o, path, st, &gap, err);
		if (elsewhere < 0)
			return -1;
		if (elsewhere == 1)
			o->whole = SKIP_TWICE;
	}
	return 0;
}

/* The rule by which a scan leaves out an entry below root; root is NULL below no root. */
static enum skip
outside_rule(const struct outside *o, const struct root *root, const char *path, const struct fs_stat *st)
{
	const char *below = root != NULL ? path_below(path, root->path) : NULL;
	enum skip skip = SKIP_NO;

	/* They hold no content, however they are named. */
	if (S_ISLNK(st->mode))
		return SKIP_LINK;
	if (!S_ISREG(st->mode) && !S_ISDIR(st->mode))
		return SKIP_SPECIAL;
	if (below != NULL && *below != '\0')
		skip = rules_check_path(&root->rules, below, S_ISDIR(st->mode));
	if (skip == SKIP_NO && root != NULL && S_ISREG(st->mode))
		skip = rules_check_size(&root->rules, st->size);
	if (skip == SKIP_NO && root != NULL && S_ISDIR(st->mode))
		skip = presence_mounted(root, path, st);
	if (skip == SKIP_NO)
		skip = o->whole;
	if (skip == SKIP_NO && own_files_has(&o->own, st->dev, st->inode))
		skip = SKIP_OWN;
	return skip;
}

int
outside_answer(struct outside *o, const char *path, const struct fs_stat *st, struct file_answer *a, enum gap *gap,
               struct err *err)
{
	const struct roots *roots = &o->view->roots;
	const struct root *root = S_ISDIR(st->mode) ? roots_above(roots, path) : roots_of_file(roots, path);
	int elsewhere = 0;

	*gap = (enum gap)outside_rule(o, root, path, st);
	*a = (struct file_answer){ .path = path, .state = STATE_UNKNOWN, .size = -1, .allocated = -1 };
	if (S_ISREG(st->mode)) {
		a->size = st->size;
		a->allocated = st->blocks * 512;
		a->mtime = st->mtime;
		a->inode = (int64_t)st->inode;
		a->nlink = (int64_t)st->nlink;
	}
	if (*gap != GAP_NONE) {
		a->state = STATE_SKIPPED;
		a->why = skip_name((enum skip)*gap);
		return 0;
	}
	if (S_ISDIR(st->mode))
		elsewhere = outside_is_elsewhere(o, path, st, gap, err);
	if (elsewhere < 0)
		return -1;
	if (elsewhere == 1) {
		a->state = STATE_SKIPPED;
		a->why = skip_name(SKIP_TWICE);
		return 0;
	}
	*gap = root == NULL ? GAP_NEVER : GAP_NEW;
	a->why = root == NULL ? "never scanned" : "not in the index: scan again";
	if (root == NULL)
		elsewhere = remounted_find(&o->view->remounted, path, &a->why, err);
	if (elsewhere == 1)
		*gap = GAP_MOVED;
	return elsewhere < 0 ? -1 : 0;
}
