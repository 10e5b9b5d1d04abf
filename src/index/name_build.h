/* SPDX-License-Identifier: MIT */
/* name_build - put all names of an index in order, and compare that with its rows. */
#ifndef INDEX_NAME_BUILD_H
#define INDEX_NAME_BUILD_H

struct index;

/** Names on their way. */
struct name_build;

/** Begin.  Returns it, owned, for name_build_finish. */
struct name_build *name_build_new(void);
/** Bytes of a record beside the name's, at most: a place, and a NUL. */
#define NAME_BUILD_ROOM 11
/**
 * Write the record of a name, in bytes that a scan gives, to room for len + NAME_BUILD_ROOM
 * bytes; text may lie in these, from the byte NAME_BUILD_ROOM on.  Returns the bytes written.
 */
size_t name_build_record(char *to, const char *text, size_t len, int64_t dir, bool is_dir);
/** Take n records over: they have the names of all rows of files. */
void name_build_adopt(struct name_build *b, struct buf *records, size_t n);
/**
 * Make the tables of all names: of those of files that were adopted or else of all rows of files,
 * and of those of directories.  Free b.  Inside a transaction.  Where a row has a number of
 * a directory, or a name, that no scan gives, there are no such tables: ix->names says so.  With
 * ret -1 it only frees b; NULL is nothing to do.  Returns 0 or -1.
 */
int name_build_finish(struct name_build *b, struct index *ix, int ret, struct err *err);

/** Count the names of rows that ix->names ought to have and has not.  Returns that, or -1. */
int64_t name_build_lacking(struct index *ix, struct err *err);

#endif
