/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "scan/moved_dir.h"

#include <stdatomic.h>

#include "index/roots.h"
#include "scan/dirmap.h"
#include "scan/missing_mount.h"
#include "scan/mounted_twice.h"
#include "scan/root_place.h"

/* Claim a directory with this inode: with is_root a root that has moved, else no root. */
static struct dirmap_dir *
moved_dir_claim_inode(const struct dirmap *map, const struct dir_here *here, bool is_root)
{
	struct dirmap_dir *d = NULL;

	while ((d = dirmap_by_inode(map, here->inode, d)) != NULL) {
		/* Directories above the start point are not visited: they stay. */
		if ((d->root != NULL) != is_root || d->pinned || atomic_load(&d->claimed))
			continue;
		if (is_root ? !root_place_has_moved(d->root, d->inode.number) : mounted_twice_at_both(map, d, here))
			continue;
		if (dirmap_claim(d))
			return d;
	}
	return NULL;
}

/* The directory of the root whose path this is, or NULL. */
static struct dirmap_dir *
moved_dir_root_at(const struct dirmap *map, const struct roots *roots, const struct dir_here *here)
{
	struct buf path = { 0 };
	const struct root *root;

	dir_here_path(here, &path);
	root = roots_at(roots, buf_str(&path));
	buf_release(&path);
	return root != NULL ? dirmap_by_id(map, root->dir) : NULL;
}

struct dirmap_dir *
moved_dir_claim(const struct dirmap *map, const struct roots *roots, const struct dir_here *here, bool *unclaimed)
{
	struct dirmap_dir *place = here->place, *d = NULL;

	*unclaimed = false;
	/* For a root that was named start.c has decided. */
	if (here->rel[0] == '\0' && place != NULL && place->root != NULL)
		d = place;
	else if (here->look || (place != NULL && place->root != NULL))
		d = moved_dir_root_at(map, roots, here);
	if (d != NULL && dirmap_claim(d))
		return d;
	/* A root is known by path and inode alone: its place may have moved with its parent. */
	if (place != NULL && place->root != NULL)
		place = NULL;
	if (here->inode.volume != 0) {
		d = moved_dir_claim_inode(map, here, true);
		if (d == NULL && (place == NULL || !inode_same(place->inode, here->inode)))
			d = moved_dir_claim_inode(map, here, false);
		else if (d == NULL && dirmap_claim(place))
			d = place;
		if (d != NULL)
			return d;
	}
	if (place != NULL && here->rel[0] != '\0' && missing_mount_is_bare(map, place, here->inode) &&
	    !atomic_load(&place->claimed)) {
		*unclaimed = true;
		return place;
	}
	return place != NULL && dirmap_claim(place) ? place : NULL;
}
