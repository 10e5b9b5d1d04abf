/* SPDX-License-Identifier: MIT */
/*
 * thrift - structs in Thrift's compact protocol, in which Parquet keeps what it says of a file.
 *
 * Written from the protocol's specification
 * (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md).
 */
#ifndef EXPORT_THRIFT_H
#define EXPORT_THRIFT_H

/** How deep structs may be nested. */
#define THRIFT_DEPTH 8

/** Set out to an empty buffer, the rest to zero; fields are appended in the order of their ids. */
struct thrift {
	struct buf *out;
	/* private */
	int last[THRIFT_DEPTH];   /* id of the last field, by struct */
	int depth;
};

/** What the elements of a list are. */
enum thrift_type { THRIFT_I32 = 5, THRIFT_TEXT = 8, THRIFT_STRUCT = 12 };

/** Fields of the struct in hand. */
void thrift_i32(struct thrift *t, int id, int64_t v);
void thrift_i64(struct thrift *t, int id, int64_t v);
void thrift_bytes(struct thrift *t, int id, const void *data, size_t len);
/** A list of n elements, which come next: thrift_item_* or, for structs, thrift_begin_item(). */
void thrift_list(struct thrift *t, int id, enum thrift_type of, size_t n);
/** Begin a struct that is a field, and end it. */
void thrift_begin(struct thrift *t, int id);
void thrift_end(struct thrift *t);

/** Elements of the list that was begun last. */
void thrift_item_i32(struct thrift *t, int64_t v);
void thrift_item_text(struct thrift *t, const char *text);
/** A struct; thrift_end() ends it. */
void thrift_begin_item(struct thrift *t);

/** End the outermost struct. */
void thrift_finish(struct thrift *t);

#endif
