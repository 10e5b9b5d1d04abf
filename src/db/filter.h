/* SPDX-License-Identifier: MIT */
/* filter - wanted(number, blob) in SQL calls a function in C: a cheap way to skip rows. */
#ifndef DB_FILTER_H
#define DB_FILTER_H

struct db;

/** Whether a row with these values is wanted; blob is NULL for NULL. */
typedef bool filter_fn(void *arg, int64_t number, const void *blob, size_t len);

/** Register wanted() with a connection, once: false until filter_set.  Returns 0 or -1. */
int filter_register(struct db *db, struct err *err);

/** Let wanted() call fn from now on; with NULL it is false. */
void filter_set(struct db *db, filter_fn *fn, void *arg);

#endif
