/* SPDX-License-Identifier: MIT */
/* views - volumes whose files may be those of other ones: overlays, programs in user space. */
#ifndef QUERY_VIEWS_H
#define QUERY_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct index;
struct indexes;

/** Numbers of such volumes; zero it, views_load() it, vec_release() it. */
struct views {
	int64_t *v;
	size_t n, cap;
};

/** Load those of an index and of the others, or NULL, that are asked with it.  Returns 0 or -1. */
int views_load(struct views *views, struct index *ix, const struct indexes *with, struct err *err);

/** Whether a volume is one of them. */
bool views_has(const struct views *views, int64_t volume);

/** Whether files of two volumes may be one file although their inodes differ. */
bool views_may_be_one(const struct views *views, int64_t a, int64_t b);

#endif
