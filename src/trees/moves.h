/* SPDX-License-Identifier: MIT */
/* moves - the renames that give an older copy of a tree the layout of a newer one, in order. */
#ifndef TREES_MOVES_H
#define TREES_MOVES_H

struct pairs;

/** What a step is for. */
enum moves_kind {
	MOVES_RENAME,    /* a file or a directory gets the path that it has in A */
	MOVES_PARK,      /* a file gets a name for a while: its old path is wanted first */
	MOVES_ASIDE,     /* what is in the way, and has no place in A, gets out of it */
	MOVES_KINDS
};

/** The words for kinds ("rename", "park", "aside"). */
extern const char *const moves_kinds[MOVES_KINDS];

/** A step: what lies at from gets the path to, which nothing has then.  Paths below B. */
struct moves_step {
	enum moves_kind kind;
	const char *from, *to;
	int64_t size;             /* bytes of a file; -1: a directory */
	uint64_t inode;           /* of a file that is parked: another one gets its path */
};

/** A file of A that B is to get from A: its path below both. */
struct moves_copy {
	const char *path;
	int64_t size;
};

/** Zero it, moves_plan() it, moves_release() it. */
struct moves {
	VEC(struct moves_step) steps;    /* in the order to be done */
	VEC(const char *) emptied;       /* that A lacks, and files leave; inner ones first */
	VEC(struct moves_copy) copies;   /* in the order of paths */
	/** The directory below B for what is parked or aside; its name follows from the plan. */
	const char *scratch;
	int64_t renamed, renamed_bytes;  /* files that get the path of A */
	int64_t aside;                   /* files and directories */
	int64_t copied_bytes;
	int64_t blocked;                 /* copies that could not be renames */
	/* private */
	struct arena names;
};

/**
 * Plan to give B, the right tree of a comparison of two directories, the layout of A, the left one.
 * No step overwrites anything, and each content that B has it still has afterwards.  Where B is
 * there, the paths are looked at.
 *
 * Returns 0, or -1: ERR_INTERRUPTED.
 */
int moves_plan(struct moves *m, const struct pairs *p, struct err *err);

/** Free what it owns. */
void moves_release(struct moves *m);

#endif
