/* SPDX-License-Identifier: MIT */
/* digest - the sums that other programs know: MD5, SHA-1, SHA-256, SHA-512, BLAKE2b. */
#ifndef SYS_DIGEST_H
#define SYS_DIGEST_H

/** The kinds. */
enum digest_kind {
	/* Computed here; the bytes of several stand in this order. */
	DIGEST_MD5, DIGEST_SHA1, DIGEST_SHA256, DIGEST_SHA512, DIGEST_BLAKE2B,
	DIGEST_KINDS,
	/* Of claims alone: the hash of an index with the same secret (sys/content). */
	DIGEST_TWINDEX = DIGEST_KINDS,
	DIGEST_NONE
};

/** A set of kinds has this bit for each. */
#define DIGEST_BIT(kind) (1u << (kind))
/** The bytes of the longest digest, and of one of every kind. */
#define DIGEST_MOST 64
#define DIGEST_ALL_BYTES (16 + 20 + 32 + 64 + 64)

/** Whether there is libgcrypt: the build has it, and it can be loaded, which is tried once. */
bool digest_can(void);
/** The version of the library; "none" without one. */
const char *digest_library(void);
/** Set err to how one gets the library, after digest_can() has failed: ERR_USAGE.  Returns -1. */
int digest_fail(struct err *err);

/** The name of a kind, as the index has it: "sha256"; blake2b has 512 bits, as b2sum's. */
const char *digest_name(enum digest_kind kind);
/** The bytes of a digest. */
size_t digest_size(enum digest_kind kind);
/** The bytes of a digest of each of these kinds. */
size_t digest_sizes(unsigned kinds);
/** The kind with this name, of len bytes, in any case; DIGEST_NONE if no kind has it. */
enum digest_kind digest_find(const char *name, size_t len);

/** Several digests of one stream of bytes.  It belongs to one thread. */
struct digest;

/**
 * Make one for a set of kinds, which is not empty; owned.  Returns NULL with *err: ERR_USAGE
 * without the library, ERR_SYS where its policy forbids a kind.
 */
struct digest *digest_new(unsigned kinds, struct err *err);
/** Free it; accepts NULL. */
void digest_free(struct digest *d);

/**
 * Whether digest_new() can make one of these kinds: it fails here if it fails at all, and not in a
 * thread.  Returns 0, or -1 with its *err.
 */
int digest_check(unsigned kinds, struct err *err);

/** Begin anew, whatever came before. */
void digest_start(struct digest *d);
void digest_add(struct digest *d, const void *data, size_t len);
/** End: write digest_sizes() bytes, kind after kind. */
void digest_end(struct digest *d, uint8_t *bytes);

#endif
