/* SPDX-License-Identifier: MIT */
/* recover - what a killed run has left between two names gets its name back. */
#ifndef ACT_RECOVER_H
#define ACT_RECOVER_H

struct index;

/** A name of ours that was found.  Borrowed for the call. */
struct recover_found {
	const char *path;     /* absolute */
	const char *was;      /* the name that the file had; NULL: nobody knows */
	bool second;          /* it is only a second name of the file at was */
	bool part;            /* it is a copy of the file at was that got no name, whole or not */
	bool done;            /* it got its name back; second names and parts were removed */
	const char *why;      /* why not; NULL when done, or when nothing was to be done */
};

/** Called for each. */
typedef void recover_fn(void *arg, const struct recover_found *f);

/**
 * Look for names of ours in all directories in which the journal of acts has an act, and unless
 * dry is set give each file its name back, where nothing has that name now.  A second name, from
 * the moment in which it was asked whether two files are one, is removed if the file has its own
 * name; so is what a killed rescue was still copying, if its original is there, and of a hard link
 * and its copy, which a killed undo was exchanging, the one without the name.  No content goes.
 *
 * The same for names that scripts of rmsh --portable give, which have no journal, in the
 * directories of the index at and below n absolute paths: there a file is the one that the index
 * has in that directory with its content, size and time, and that is missing, if there is one.
 *
 * Returns 0 with the number found and the number done, or -1 with *err.
 */
int recover_run(struct index *ix, const char *const *paths, size_t n, bool dry, recover_fn *fn, void *arg, int64_t *found,
                int64_t *done, struct err *err);

#endif
