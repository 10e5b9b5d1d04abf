/* SPDX-License-Identifier: MIT */
/* rescue_told - files that are copied elsewhere: which, where to, and what came of it. */
#ifndef ACT_RESCUE_TOLD_H
#define ACT_RESCUE_TOLD_H

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
	int64_t bytes;             /* of rescue_run: those of the files, as far as they are known */
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

/** Count what came of a file, and tell it. */
void rescue_tell(const struct rescue *r, struct rescue_sums *sums, const struct rescue_told *told);

#endif
