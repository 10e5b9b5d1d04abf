/* SPDX-License-Identifier: MIT */
/*
 * visit_place - where a visit stands: on which mount, in which directory of the index, by which
 * rules.
 */
#ifndef SCAN_VISIT_PLACE_H
#define SCAN_VISIT_PLACE_H

#include "scan/visit_state.h"

/** Whether the path of a mount still leads to it. */
bool visit_place_holds(const struct visit_mount *m);

/**
 * The mount on which the directory lies is not at its path any more: what the index has of the
 * directory stays as it is.  Returns whether the writer needs to know.
 */
bool visit_place_lose(struct visit_now *s, const struct visit_place *place, const char *name, size_t len);

/**
 * Whether to enter the directory.  With a volume of 0 afterwards: it cannot be, and that is an
 * error.
 */
bool visit_place_may_enter(struct visit_now *s, const struct visit_place *place, const char *name,
                           const struct fs_stat *st);

/** Find the directory of the index that this one is and claim it, or number a new one. */
void visit_place_identify(struct visit_now *s, const struct visit_place *place, const char *name, size_t len);

/** In a root: let its rules hold from here on.  After visit_place_identify. */
void visit_place_govern(struct visit_now *s);

#endif
