/* SPDX-License-Identifier: MIT */
/* export_kind - what can be exported; private to export: what the kinds share. */
#ifndef EXPORT_EXPORT_KIND_H
#define EXPORT_EXPORT_KIND_H

#include "export/buckets.h"
#include "export/origin.h"
#include "export/staging.h"
#include "export/table_file.h"
#include "index/index.h"

struct dirtree;

/** What can be exported; the columns are documented in twindex-export(1). */
enum export_kind {
	EXPORT_KEYS,     /* contents by volume, in 256 parts by the top byte of the hash */
	EXPORT_FILES,    /* names, in the same parts, and in one of those that were not read */
	EXPORT_SIZES,    /* how many inodes have which size */
	EXPORT_DIRS,     /* sums of directories */
	EXPORT_KINDS
};

/** Their names. */
extern const char *const export_kind_names[EXPORT_KINDS];

struct export_query {
	const char *out;          /* absolute: the directory that gets one for this export */
	const char *host;         /* its name there; NULL: as the system is called */
	enum table_format format;
	bool kinds[EXPORT_KINDS];
	bool replace;             /* an export of the same host and generation */
	bool unfinished;          /* the last scan did not finish: noted in the manifest */
};

/** A volume of the index. */
struct export_volume {
	int64_t id;
	const char *key;          /* as shown, in the arena */
	size_t len;
};

/** One call of export_run(). */
struct export_work {
	struct index *ix;
	const struct export_query *q;
	struct origin origin;
	struct staging staging;
	struct dirtree *dirs;     /* all directories */
	uint8_t *reasons;         /* by their numbers: why copies there may go (index/fleeting) */
	VEC(struct export_volume) volumes;
	struct arena memory;
	bool left_out;            /* options of roots, or errors, have left out files */
	struct buf path;          /* of the file that is open */
	struct err *err;          /* of export_run() */
};

/** Write all files of a kind.  Return 0 with *size, or -1 with *err. */
typedef int export_kind_fn(struct export_work *w, struct table_size *size);
export_kind_fn export_keys, export_files, export_sizes, export_dirs;

/**
 * Create the file of a kind, or with part not NULL that of a part of it.  One is open at a time.
 * Returns 0, or -1 with *err.
 */
int export_open(struct export_work *w, enum export_kind kind, const char *part, const struct table_column *columns, size_t n,
                struct table_file **t);

/** How many columns a table has. */
#define EXPORT_COUNT(columns) (sizeof(columns) / sizeof((columns)[0]))
/** Columns that all tables end with, in this order. */
#define EXPORT_ORIGIN_COLUMNS \
	{ "hash_id", TABLE_INT64, false, true }, { "host", TABLE_TEXT, false, true }, { "index_id", TABLE_INT64, false, true }, \
	{ "generation", TABLE_INT64, false, true }
/** Their values. */
void export_put_origin(const struct export_work *w, struct table_file *t);
/** The value of a column for the key of a volume. */
void export_put_volume(const struct export_work *w, struct table_file *t, int64_t volume);

/** The value of a column for a name or a path, any bytes, as listings show it. */
void export_put_shown(struct table_file *t, const char *name, size_t len);

/** The halves of a hash, by which rows of a part are ordered. */
void export_halves(const uint8_t hash[HASH_SIZE], uint64_t *hi, uint64_t *lo);

/** Write the file of the part for a bucket, whose records there are.  Returns 0 or -1. */
typedef int export_part_fn(void *arg, const char *part, struct buf *records, struct table_size *size);
/** Call fn for all buckets with records, in order.  Returns 0, or -1 with *err. */
int export_parts(struct export_work *w, struct buckets *buckets, export_part_fn *fn, void *arg, struct table_size *size);

#endif
