/* SPDX-License-Identifier: MIT */
/* sets_load - all groups of a source of sets, and where they are many their members. */
#ifndef QUERY_SETS_LOAD_H
#define QUERY_SETS_LOAD_H

struct sets_source;

/** Load the groups of the query and, where they are many, their members.  Returns 0 or -1. */
int sets_load(struct sets_source *s, struct err *err);

#endif
