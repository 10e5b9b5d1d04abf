/* SPDX-License-Identifier: MIT */
/* doc - one JSON document of what a command did, or holds: members, lists and objects in order. */
#ifndef UI_DOC_H
#define UI_DOC_H

#include "ui/out_style.h"

struct fs_time;

struct doc;

/**
 * Begin a document of a command, to be printed on stream, which stays the caller's.  It is put
 * together in memory.  *open (style.open) is set once all but out_verdict() is printed.  Returns an
 * owned document for doc_close.
 */
struct doc *doc_open(FILE *stream, const struct out_style *style, const char *command);

/** Add a member of that key to the object that is open. */
void doc_int(struct doc *d, const char *key, int64_t n);
void doc_bool(struct doc *d, const char *key, bool value);
void doc_null(struct doc *d, const char *key);
/** The same of a size or count that is null when it is below 0. */
void doc_size(struct doc *d, const char *key, int64_t n);
/** Add a word or a text, as a message shows it where it is not UTF-8; NULL: null. */
void doc_text(struct doc *d, const char *key, const char *text);
/**
 * Add a path, and under key_b64 its bytes in base64 where it is not UTF-8; NULL: null.  In a list
 * it is an element, without a key; its bytes are lost there.
 */
void doc_path(struct doc *d, const char *key, const char *path);
/** Add a time in nanoseconds since 1970 as a string. */
void doc_time(struct doc *d, const char *key, struct fs_time t);
/** Add a hash (NULL: null) under "hash", an inode number under "inode". */
void doc_hash(struct doc *d, const uint8_t *hash);
void doc_inode(struct doc *d, int64_t inode);

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

#endif
