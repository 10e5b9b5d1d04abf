/* SPDX-License-Identifier: MIT */
/* state - the state of one file: its copies and links, and the proof that it has none. */
#ifndef QUERY_STATE_H
#define QUERY_STATE_H

#include "archive/packed.h"
#include "query/state_search.h"

struct file_answer;
struct file_row;

/** Free what a struct state holds. */
void state_release(struct state *c);

/**
 * Find the state of the file at path, of which the index has this row.  kind
 * is what presence_row or presence_stat said of it.  *a is filled; its pointers are
 * valid until the next call.  Returns 0 or -1 with *err.
 */
int state_of_row(struct state *c, const struct file_row *row, enum presence presence, const char *path,
                  struct file_answer *a, struct err *err);

/**
 * Whether a file that is there is left to the caller (state_query.several), who will look at it.
 */
bool state_is_left(const struct state *c, const struct file_row *row);

/**
 * Find the copies of a file that the index does not have, by its size, and
 * its content as far as the question needs it: the file is read only when the
 * index has its size, and an indexed file that was never read is read now (nothing is written).
 * Returns 0 or -1 with *err.
 */
int state_of_outside(struct state *c, const char *path, struct file_answer *a, struct err *err);

/**
 * Find the copies of a member of an archive, as those of a file outside the index with its content,
 * which was hashed when the archive was read.  path is what it is called.  fleeting are the reasons
 * of the archive's directory.  Returns 0 or -1 with *err.
 */
int state_of_member(struct state *c, const struct packed *p, unsigned fleeting, const char *path, struct file_answer *a, struct err *err);

#endif
