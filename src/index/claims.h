/* SPDX-License-Identifier: MIT */
/* claims - what others say they have, by listing: evidence about copies elsewhere, never a copy. */
#ifndef INDEX_CLAIMS_H
#define INDEX_CLAIMS_H

#include "sys/digest.h"

struct index;

/** A file that somebody says to have.  Borrowed. */
struct claim {
	const char *name;        /* bytes; not empty, no NUL */
	size_t name_len;
	int64_t size;            /* -1: unknown */
	int64_t mtime;           /* seconds since 1970; INT64_MIN: unknown */
	enum digest_kind kind;    /* DIGEST_NONE: no digest */
	uint8_t digest[DIGEST_MOST];
};

/** A listing whose claims the index has. */
struct claim_source {
	int64_t id;
	const char *name, *kind, *file;   /* borrowed from who gives it */
	int64_t imported, made;           /* seconds since 1970; made: -1 is unknown */
	int64_t claims, no_digest, bad;
	int64_t digests[DIGEST_NONE];     /* claims with a digest of each kind */
};

/** Claims on their way into the index. */
struct claims_writer;

/**
 * Begin the transaction in which a source of this name gets its claims; file becomes that
 * of its row.  With replace, the claims of a source of that name go.  Returns an owned writer for
 * claims_end(), or NULL with *err: ERR_USAGE when the name is taken.
 */
struct claims_writer *claims_begin(struct index *ix, const char *name, const char *file, bool replace, struct err *err);
/** Add one.  Returns 0 or -1. */
int claims_add(struct claims_writer *w, const struct claim *claim, struct err *err);
/**
 * End: with ret 0 write the rest, and kind, made and bad of *source, which gets all its counts, and
 * commit; names that are there more than once are counted in *twice.  Else nothing was imported.
 * Frees the writer.  Returns 0, or -1 with *err.
 */
int claims_end(struct claims_writer *w, int ret, struct claim_source *source, int64_t *twice, struct err *err);

/** Drop a source with its claims.  Returns 1, 0 when no source has this name, or -1. */
int claims_drop(struct index *ix, const char *name, struct err *err);

/** Gets a source; its texts live until it returns.  Returns 0 to go on, or -1 with *err. */
typedef int claims_source_fn(void *arg, const struct claim_source *source, struct err *err);
/** List all sources by name.  Returns 0 or -1. */
int claims_sources(struct index *ix, claims_source_fn *fn, void *arg, struct err *err);

#endif
