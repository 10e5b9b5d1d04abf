/* SPDX-License-Identifier: MIT */
/* sets_unproven - files that could not be read, and may be copies of others of their size. */
#ifndef QUERY_SETS_UNPROVEN_H
#define QUERY_SETS_UNPROVEN_H

#include "query/sets_groups.h"

/**
 * Tell q->gap of each name that could not be read and may be in a set that the query is for, and
 * count them in *n.  What is gone, changed or offline now is in none.  Names of q->names do not
 * matter: nobody knows of which of a size it is a copy.  Returns 0 or -1 with *err.
 */
int sets_unproven(const struct sets_query *q, struct presence_view *view, int64_t *n, struct err *err);

#endif
