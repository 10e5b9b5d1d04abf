/* SPDX-License-Identifier: MIT */
/* rescue - files are copied to another directory: whole, read back, never over anything. */
#ifndef ACT_RESCUE_H
#define ACT_RESCUE_H

struct index;

/** A file to be copied. */
struct rescue_file {
	const char *path;          /* absolute, without links; borrowed */
	bool unsure;               /* the caller's: it is not known whether it exists elsewhere */
};

/** What came of a file. */
enum rescue_outcome {
	RESCUE_PLANNED,            /* it would be copied */
	RESCUE_COPIED,
	RESCUE_THERE,              /* a file with its content has the name of the copy already */
	RESCUE_TAKEN,              /* something else has that name, and stays */
	RESCUE_FAILED              /* it cannot be copied */
};

/** A file that was dealt with.  Borrowed for the call. */
struct rescue_told {
	const struct rescue_file *file;
	enum rescue_outcome outcome;
	const char *to;            /* absolute: the copy */
	int64_t size;              /* bytes; -1: not known */
	const char *why;           /* of RESCUE_TAKEN and RESCUE_FAILED; else NULL */
	const char *lacks;         /* of RESCUE_COPIED: attributes that TO does not keep; or NULL */
};

/** Called for each file, in their order. */
typedef void rescue_fn(void *arg, const struct rescue_told *told);

/** Called before each file: files and bytes that are dealt with. */
typedef void rescue_tick_fn(void *arg, int64_t files, int64_t bytes);

/** What is to be copied. */
struct rescue {
	struct index *ix;          /* of rescue_run open for writing, not in a transaction */
	const char *base;          /* absolute: copies lie in `to` as their files lie in base */
	const char *to;            /* absolute, without links; it is made if it is missing */
	const struct rescue_file *files;
	size_t n;
	rescue_fn *fn;
	rescue_tick_fn *tick;
	void *arg;
};

struct rescue_sums {
	int64_t n[RESCUE_FAILED + 1], bytes[RESCUE_FAILED + 1];   /* by outcome */
	int64_t unsure;            /* of those copied or planned: rescue_file.unsure */
	int64_t lacking;           /* copied without some attributes */
	int64_t rows;              /* copies that the index knows already */
};

/**
 * Look at each file and at the name of its copy, and tell what would be done: RESCUE_PLANNED,
 * RESCUE_THERE, whose bytes were compared only if compare is set, RESCUE_TAKEN or RESCUE_FAILED.
 * Returns 0, or -1 with *err: ERR_USAGE when a copy would lie at or below away, ERR_SYS with ENOSPC
 * when TO has no room for all, ERR_INTERRUPTED.
 */
int rescue_look(const struct rescue *r, const char *away, bool compare, struct rescue_sums *sums, struct err *err);

/**
 * Copy the files: content, holes, hard links among them, and as far as TO keeps them owner, mode,
 * attributes, ACLs and times, also of the directories that are made.  Each copy has no name, or an
 * unused one, until it is on the disk, was read back from there and has the hash of its file, which
 * is unchanged; its line in the journal was there before.  Nothing is replaced.
 *
 * Returns 0, or -1 with *err, with the sums in either case: ERR_INTERRUPTED, ERR_SYS when the
 * journal cannot be written, ERR_DB.
 */
int rescue_run(const struct rescue *r, struct rescue_sums *sums, struct err *err);

#endif
