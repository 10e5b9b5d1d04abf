/* SPDX-License-Identifier: MIT */
/* name_prefix - names anywhere in the index that begin as typed: for completion by Tab. */
#ifndef QUERY_NAME_PREFIX_H
#define QUERY_NAME_PREFIX_H

#include "query/prefix.h"

struct index;

/**
 * Add up to q->max names of files and directories at and below q->path, by the order of all names:
 * names->more tells that there may be others, before and behind these.  Adds nothing where the
 * index has no such order, or q->prefix is "".  Returns 0 or -1.
 */
int name_prefix_load(struct prefix *names, struct index *ix, const struct prefix_query *q, struct err *err);

#endif
