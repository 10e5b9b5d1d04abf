/* SPDX-License-Identifier: MIT */
/* filter - wanted(number, blob) in SQL is a function of the program: cheap to pass over rows. */
#ifndef DB_FILTER_H
#define DB_FILTER_H

struct db;

/** Whether a row with these is wanted; blob is NULL for NULL. */
typedef bool filter_fn(void *arg, int64_t number, const void *blob, size_t len);

/** Make wanted() known to a connection, once: false until filter_set.  Returns 0 or -1. */
int filter_register(struct db *db, struct err *err);

/** Let wanted() be fn from now on; NULL ends that. */
void filter_set(struct db *db, filter_fn *fn, void *arg);

#endif
