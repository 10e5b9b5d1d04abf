/* SPDX-License-Identifier: MIT */
/* doc - one JSON document of what a command did, or holds: members, lists and objects in order. */
#ifndef UI_DOC_H
#define UI_DOC_H

#include "ui/records.h"

struct doc;

/**
 * Begin a document of a command, to be printed on stream, which stays the caller's.  It is put
 * together in memory.  *open (style.open) is set once all but out_verdict() is printed.  Returns an
 * owned document for doc_close.
 */
struct doc *doc_open(FILE *stream, const struct out_style *style, const char *command);

/** Add a member of that key and type to the object that is open: what lies at value. */
void doc_field(struct doc *d, const char *key, enum field_type type, const void *value);

/** Add an integer, a boolean, null. */
#define doc_int(d, key, n) doc_field(d, key, FIELD_INT, (const int64_t[]){ n })
#define doc_bool(d, key, value) doc_field(d, key, FIELD_BOOL, (const bool[]){ value })
#define doc_null(d, key) doc_size(d, key, -1)
/** The same of a size or count that is null when it is below 0. */
#define doc_size(d, key, n) doc_field(d, key, FIELD_SIZE, (const int64_t[]){ n })
/** Add a word or a text, as a message shows it where it is not UTF-8; NULL: null. */
#define doc_text(d, key, text) doc_field(d, key, FIELD_TEXT, (const char *const[]){ text })
/** Add a hash (NULL: null) under "hash". */
#define doc_hash(d, hash) doc_field(d, "hash", FIELD_HASH, (const uint8_t *const[]){ hash })
/**
 * Add a path, and under key_b64 its bytes in base64 where it is not UTF-8; NULL: null.  In a list
 * it is an element, without a key; its bytes are lost there.
 */
void doc_path(struct doc *d, const char *key, const char *path);

/** Open a list under a key, and end it. */
void doc_list(struct doc *d, const char *key);
void doc_list_end(struct doc *d);
/** Open an object, under a key, or in a list without one (NULL), and end it. */
void doc_object(struct doc *d, const char *key);
void doc_object_end(struct doc *d);

/**
 * Print the document but for its end, and free it.  With ret below 0, when err tells why, nothing
 * is printed.  Returns ret, or -1 with ERR_OUTPUT.
 */
int doc_close(struct doc *d, int ret, struct err *err);

/** Add an object to a list: a path, and why it could not be covered, or stays. */
void doc_problem(struct doc *d, const char *path, const char *why);

#endif
