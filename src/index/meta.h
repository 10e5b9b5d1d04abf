/* SPDX-License-Identifier: MIT */
/* meta - properties of an index: values by key, in its table meta. */
#ifndef INDEX_META_H
#define INDEX_META_H

struct db;

/** The key of the run that last looked at all archives; 0: they are to be looked at again. */
#define META_ARCHIVES_RUN "archives_run"

/** The only hash algorithm so far. */
#define META_ALGORITHM "xxh3-128"

/**
 * Read a value of exactly size bytes.  Returns 0, or -1:
 * ERR_BAD_INDEX when there is no such value.
 */
int meta_blob(struct db *db, const char *key, void *value, size_t size, struct err *err);
/** Read a number; 0 if it is missing.  Returns 0 or -1. */
int meta_int(struct db *db, const char *key, int64_t *value, struct err *err);
/**
 * Read the name of the hash algorithm.  Returns 0, or -1: ERR_TOO_NEW when it is not
 * META_ALGORITHM, ERR_BAD_INDEX when it is missing.
 */
int meta_check_algorithm(struct db *db, struct err *err);

/** Write a value.  Inside a transaction.  Return 0 or -1. */
int meta_put_blob(struct db *db, const char *key, const void *value, size_t size, struct err *err);
int meta_put_int(struct db *db, const char *key, int64_t value, struct err *err);
/** Drop a value that may be there.  Inside a transaction.  Returns 0 or -1. */
int meta_delete(struct db *db, const char *key, struct err *err);
/** Write META_ALGORITHM.  Inside a transaction.  Returns 0 or -1. */
int meta_put_algorithm(struct db *db, struct err *err);

#endif
