/* SPDX-License-Identifier: MIT */
/*
 * records - what the records of listings hold: a table of fields each, of which JSON, NDJSON, CSV
 * and the JSON Schema are made.  A new field is a line in a table, and one in a list of columns.
 */
#ifndef UI_RECORDS_H
#define UI_RECORDS_H

#include "ui/out_style.h"

struct record;

/**
 * What lies at the offset of a field, and what is printed.  What is absent is null in JSON, or left
 * out with FIELD_OPTIONAL, and empty in CSV: a NULL, a number below 0 where that is said here.
 */
enum field_type {
	FIELD_INT,       /* int64_t */
	FIELD_SIZE,      /* int64_t; absent below 0 */
	FIELD_SECONDS,   /* int64_t, since 1970; absent at 0 */
	FIELD_INODE,     /* the bits of a uint64_t in an int64_t */
	FIELD_BOOL,      /* bool; in CSV 1 or 0 */
	FIELD_NOT,       /* bool, the other one */
	FIELD_WORD,      /* an enum: its word; absent where that is NULL */
	FIELD_EITHER,    /* bool: the first of two words for false */
	FIELD_CONST,     /* nothing: the first word */
	FIELD_TIME,      /* struct fs_time, in ISO 8601, UTC */
	FIELD_TIME_NS,   /* struct fs_time, in nanoseconds since 1970: in JSON a string */
	FIELD_HASH,      /* const uint8_t *, in hexadecimal digits */
	FIELD_PATH,      /* as FIELD_NAME, less what the style cuts */
	FIELD_NAME,      /* const char *; if it is not UTF-8, its bytes in base64, too */
	FIELD_TEXT,      /* const char *, for people */
	FIELD_FLEETING,  /* unsigned, of index/fleeting: where that is; absent at 0 */
	FIELD_WHY,       /* a struct member: why it does not count; absent if it says none */
	FIELD_SHARE,     /* int64_t: its percentage of the one at .of; absent if that is 0 */
	FIELD_GAPS,      /* struct gaps: how much was not judged */
	FIELD_LINKS,     /* struct gaps: how many symbolic links and special files there are */
	FIELD_NUMBER,    /* nothing: the number of the record, from 1 */
	FIELD_OBJECT,    /* a record */
	FIELD_EACH,      /* an array of .of records, each under a word */
	FIELD_LIST       /* a pointer to records; how many is a size_t at .of.  Absent at 0 */
};

/** Flags of a field. */
enum {
	FIELD_OPTIONAL = 1, /* JSON: left out where it is absent */
	FIELD_NULL = 2,     /* JSON: a name that may be null */
	FIELD_CSV = 4,      /* only CSV has it */
	FIELD_SHARED = 8,   /* CSV: also in the rows of what a list of the record holds */
	FIELD_BARE = 16     /* CSV: a word that was always without quotes */
};

/** One field.  Tables end with one without a key. */
struct field {
	const char *key;
	enum field_type type;
	size_t at;                   /* its offset in the record */
	const char *doc;             /* what it is, for the JSON Schema; NULL: what its name says */
	unsigned flags;
	size_t of;                   /* as the type says: an offset, or a count, also of words */
	size_t known;                /* the offset of an int64_t; below 0: it is absent; 0: none */
	const char *const *words;    /* that enum's, or both */
	const struct record *record; /* of objects and lists */
	const char *column;          /* CSV: its name where that is not the key; "": it has none */
	size_t when;                 /* the offset of a bool of struct out_style: only then; or 0 */
};

/** The fields of a struct of a query. */
struct record {
	const char *name;            /* in the JSON Schema; NULL: it is a part of another */
	const char *type;            /* NDJSON: the first member; NULL: a field is the type */
	const struct field *fields;
	size_t size;                 /* of the struct */
	const char *doc;
};

/** Tables of columns that a listing has at most: of its records, and of what lists in them hold. */
enum { LISTING_TABLES = 3 };

/** What a kind of listing prints. */
struct out_listing {
	const char *key;             /* JSON: of the array of records */
	const struct record *record;
	const struct record *totals; /* or NULL; their key in JSON is their type */
	/**
	 * CSV: names of fields, with "left_x" for x in the object left, and "left" for its path.  A
	 * column without a field of the row's table is empty.
	 */
	const char *columns;
	const struct record *tables[LISTING_TABLES];
};

/** By enum out_kind. */
extern const struct out_listing out_listings[OUT_KINDS];

/** Whether records of a listing with this style have a field. */
bool field_applies(const struct field *f, const struct out_style *style);

#endif
