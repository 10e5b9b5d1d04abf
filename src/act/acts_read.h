/* SPDX-License-Identifier: MIT */
/* acts_read - the journal of acts, read back. */
#ifndef ACT_ACTS_READ_H
#define ACT_ACTS_READ_H

#include "act/act.h"

struct index;

/** An act of the journal. */
struct acts_line {
	enum act_kind kind;
	int64_t run, number;    /* run: nanoseconds since 1970 */
	int64_t size;
	struct fs_time mtime;
	mode_t mode;            /* its permissions */
	uint32_t uid, gid;
	const char *attrs;      /* as of sys/attrs */
	uint8_t hash[HASH_SIZE]; /* of the content; zeros, which no content has: it is invalid */
	const char *victim, *keeper; /* absolute; bytes as on disk */
	const char *to;         /* where the file was moved; or NULL */
	int64_t file;           /* the run's first act on a name of its file; or 0 */
	bool failed;            /* it did not happen, after all */
	bool undone;            /* it was taken back */
	bool ended;             /* its run came to its end; else it may not have happened */
};

/** A directory that was removed, perhaps. */
struct acts_dir {
	int64_t run;            /* of the last act before that; -1: none */
	mode_t mode;
	uint32_t uid, gid;
	const char *attrs, *path;
};

/** A directory that a run was about to make. */
struct acts_made {
	int64_t run;
	const char *path;       /* absolute; bytes as on disk */
};

/** Private: an act that a run takes back. */
struct acts_read_undo {
	int64_t run, of_run, of_number;
	bool failed;
};

/** All acts in their order; zero it, acts_read(), acts_read_release(). */
struct acts_read {
	VEC(struct acts_line) lines;
	VEC(struct acts_dir) dirs;  /* as they were before acts */
	VEC(struct acts_made) made;
	int64_t n_torn;         /* lines that are none of ours, or not whole */
	/* private */
	VEC(struct acts_read_undo) undos;   /* of the run that is being read */
	struct table by_number;             /* of lines, by run and number */
	struct table by_path;               /* of dirs */
	struct arena memory;
};

/** Read the journal of an index; one that is not there has no acts.  Returns 0 or -1 with *err. */
int acts_read(struct acts_read *r, const struct index *ix, struct err *err);
/**
 * Returns 0 when each of n absolute paths is there, or has acts on files, or copies that stayed, at
 * or below it; else -1 with ERR_NO_PATH.
 */
int acts_read_check_paths(const struct acts_read *r, const char *const *paths, size_t n, struct err *err);
/** What the last line of a directory, whose path has len bytes, tells of it, or NULL. */
const struct acts_dir *acts_read_dir(const struct acts_read *r, const char *path, size_t len);
/**
 * Whether the entry name of the directory dir, with stat st, is a link like the one that an act
 * made in the directory of its victim.
 */
bool acts_read_is_link(const struct acts_line *l, int dir, const char *name, const struct fs_stat *st);
/** Free the memory. */
void acts_read_release(struct acts_read *r);

#endif
