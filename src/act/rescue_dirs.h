/* SPDX-License-Identifier: MIT */
/* rescue_dirs - directories that are made for copies, each like the one that it is a copy of. */
#ifndef ACT_RESCUE_DIRS_H
#define ACT_RESCUE_DIRS_H

struct acts;

/** A directory that is missing, or was. */
struct rescue_dir {
	const char *path, *from;   /* absolute: it, and the one whose mode and time it gets */
	bool made;                 /* by this run */
};

/** = { .base = base, .to = to }, then rescue_dirs_release(). */
struct rescue_dirs {
	const char *base, *to;     /* absolute; borrowed.  `to` and below is like base and below */
	/* private */
	VEC(struct rescue_dir) dirs;   /* each behind those above it */
	size_t n_tried;                /* of dirs: rescue_dirs_make() has tried to make them */
	struct table by_path;
	struct arena memory;
};

/** Note the missing directories above a copy, from `to` on, and add them to the journal. */
void rescue_dirs_note(struct rescue_dirs *d, struct acts *acts, const char *copy);
/**
 * Make those noted since the last call, open to their owner alone until rescue_dirs_finish().  What
 * cannot be made is not there when it is opened.
 */
void rescue_dirs_make(struct rescue_dirs *d);
/**
 * Give those that were made owner, mode, attributes and time, as far as the file system keeps them,
 * and see their names to the disk.
 */
void rescue_dirs_finish(const struct rescue_dirs *d);
/** Free the memory. */
void rescue_dirs_release(struct rescue_dirs *d);

#endif
