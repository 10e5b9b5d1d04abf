/* SPDX-License-Identifier: MIT */
/* out_json_put - private to ui/out_json, ui/out_verdict and ui/doc: members of objects. */
#ifndef UI_OUT_JSON_PUT_H
#define UI_OUT_JSON_PUT_H

#include "query/answer.h"

struct out;

/** Append a key of ours with its colon; all but the first of an object follow a comma. */
void out_json_key(struct buf *b, const char *key);

/** Append a member: a word of ours, an integer, null, true or false. */
void out_json_word(struct buf *b, const char *key, const char *word);
void out_json_int(struct buf *b, const char *key, int64_t n);
void out_json_null(struct buf *b, const char *key);
void out_json_bool(struct buf *b, const char *key, bool value);
/** Append a number of bytes, null when it is unknown. */
void out_json_size(struct buf *b, const char *key, int64_t size);

/** Append the member of that name: "inode", "mtime_ns", "hash" (null for NULL). */
void out_json_inode(struct buf *b, int64_t inode);
void out_json_mtime_ns(struct buf *b, struct fs_time t);
/** Append a time in nanoseconds since 1970, as a string. */
void out_json_time(struct buf *b, const char *key, struct fs_time t);
void out_json_hash(struct buf *b, const uint8_t *hash);

/** Append a name under key, and its bytes under bytes where it is not UTF-8; null for NULL. */
void out_json_name(struct out *o, const char *key, const char *bytes, const char *name);
/** The same of a path, less what the style cuts, under "path" and "path_b64". */
void out_json_path(struct out *o, const char *path);
/** Append a reason under "why". */
void out_json_why(struct out *o, const char *why);

#endif
