/* SPDX-License-Identifier: MIT */
/* entry - what a record of a listing says, and how a parser of its format is called. */
#ifndef IMPORT_ENTRY_H
#define IMPORT_ENTRY_H

#include "index/claims.h"

struct db;

/** What a record turned out to be. */
enum entry_kind {
	ENTRY_FILE,       /* a claim */
	ENTRY_LEFT_OUT,   /* understood, and no file: a directory, a link, a deleted version */
	ENTRY_NOTHING,    /* a comment, a header, an empty line */
	ENTRY_BAD,        /* not understood; parser.why says why */
	ENTRY_FAILED      /* *err tells why the whole listing can't be read */
};

/** Columns of a format with a header. */
enum { ENTRY_COLUMNS = 64 };

/** A parser at work.  Zero it but for what it is told. */
struct parser {
	struct db *db;             /* parses JSON; formats without it work with NULL */
	enum digest_kind digest;    /* of digests that do not say; DIGEST_NONE: by their length */
	bool etag_md5;             /* an ETag is an MD5 where it looks like one */
	int64_t hash_id;           /* of the secret whose hashes can be compared (export/origin) */
	/* Found out: */
	const char *why;           /* with ENTRY_BAD */
	int64_t made;              /* when the listing says it was made: seconds since 1970, or 0 */
	int columns[ENTRY_COLUMNS];
	int n_columns;             /* 0: no header came yet */
	int64_t other_secret;      /* claims without the hash that they came with */
	struct buf header;         /* that line, which may come again */
	struct buf text;           /* names without their escapes */
};

/**
 * Parse a record (without its line end; a NUL follows), which may be changed.  The name of *claim
 * lives until the next call.
 */
typedef enum entry_kind parse_fn(struct parser *p, char *record, size_t len, struct claim *claim, struct err *err);

/** The formats: one file each, but for those of JSON. */
parse_fn sums_parse, hashdeep_parse, efu_parse, s3_parse, lsjson_parse, restic_parse, borg_parse, columns_parse;

/** Whether a line is a header that columns_parse takes.  It is changed. */
bool columns_is_header(char *line, size_t len);

/** Note why a record is bad.  Returns ENTRY_BAD. */
enum entry_kind entry_bad(struct parser *p, const char *why);
/** The value of a hexadecimal digit, or -1. */
int entry_nibble(char c);
/** Give a claim a digest in hexadecimal.  Returns whether it is one of that kind. */
bool entry_digest(struct claim *claim, enum digest_kind kind, const char *hex, size_t len);
/** Give a claim a digest if it is better than the one that it has: SHA-256 is the best. */
bool entry_better(struct claim *claim, enum digest_kind kind, const char *hex, size_t len);
/** Parse a whole text as a number from 0 to INT64_MAX.  Returns 0, or -1. */
int entry_number(const char *text, size_t len, int64_t *n);
/** The end of a record whose name and digest are known: whether it can be a claim. */
enum entry_kind entry_end(struct parser *p, const struct claim *claim);

#endif
