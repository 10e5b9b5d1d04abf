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
	enum digest_kind digest;      /* equal ones say so; DIGEST_NONE: size and name */
};

/** What is asked about. */
struct claims_about {
	const struct file_row *row;  /* if the file is as it says; else NULL: it has no digest */
	const char *name;            /* without its directory */
	int64_t size;
	const char *source;          /* only the claims of this one; NULL: all */
	unsigned sizeless;           /* what claims_sizeless() found there, for not_compared */
};

/** What is known of a file beside its matches. */
struct claims_matched {
	int64_t by_digest, by_size;  /* matches; by_size only where none is by digest */
	bool no_digest;              /* the index has no digest of it */
	bool no_hash;                /* ... nor a hash, which a claim of its size has */
	bool not_compared;           /* a claim that can't be compared may be about it */
};

/** Gets a match. */
typedef void claims_match_fn(void *arg, const struct claims_match *match);

/**
 * Find the claims about a file whose size is above 0.  A claim of its size and name whose digest is
 * known to be another does not count.  Returns 0 or -1.
 */
int claims_match(struct index *ix, const struct claims_about *about, claims_match_fn *fn, void *arg, struct claims_matched *matched,
                 struct err *err);

/**
 * Find the kinds of digests, a DIGEST_BIT() each, of a source's claims of unknown size; one without
 * a digest has DIGEST_BIT(DIGEST_NONE).  Goes through all its claims.  Returns 0 or -1.
 */
int claims_sizeless(struct index *ix, const char *source, unsigned *kinds, struct err *err);

#endif
