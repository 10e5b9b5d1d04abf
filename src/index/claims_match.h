/* SPDX-License-Identifier: MIT */
/* claims_match - who claims to have a file: by its digest, or by its size and name alone. */
#ifndef INDEX_CLAIMS_MATCH_H
#define INDEX_CLAIMS_MATCH_H

#include "index/claims.h"

struct file_row;
struct index;

/** A claim that may be about a file.  Texts are borrowed for the call. */
struct claims_match {
	const char *source, *kind;   /* who, and the listing's kind */
	int64_t when;                /* it is of this time: seconds since 1970 */
	const char *name;            /* there; bytes */
	size_t name_len;
	enum digest_kind digest;      /* equal ones say so; DIGEST_KINDS: size and name */
};

/** What is known of a file beside its matches. */
struct claims_matched {
	int64_t by_digest, by_size;  /* matches; by_size only where none is by digest */
	bool no_digest;              /* the index has no digest of it */
};

/** Gets a match. */
typedef void claims_match_fn(void *arg, const struct claims_match *match);

/**
 * Find the claims about a file of that name and size above 0.  row is its row, if the file is still
 * as the row says, else NULL: it has no digest then.  A claim of its size and name whose digest is
 * known to be another does not count.  Returns 0 or -1.
 */
int claims_match(struct index *ix, const struct file_row *row, const char *name, int64_t size, claims_match_fn *fn, void *arg,
                 struct claims_matched *matched, struct err *err);

#endif
