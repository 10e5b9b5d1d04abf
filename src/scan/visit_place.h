/* SPDX-License-Identifier: MIT */
/*
 * visit_place - the place of a visit: its mount, its directory of the index, its rules.
 */
#ifndef SCAN_VISIT_PLACE_H
#define SCAN_VISIT_PLACE_H

#include "scan/visit_state.h"

/** Whether the path of a mount still leads to it. */
bool visit_place_holds(const struct visit_mount *m);

/**
 * The mount of the directory is not at its path any more: the rows of the directory stay as they
 * are.  Returns whether the writer needs to know.
 */
bool visit_place_lose(struct visit_now *s, const struct visit_place *place, const char *name, size_t len);

/** Whether to enter the directory.  A volume of 0 afterwards means that it can't be entered. */
bool visit_place_may_enter(struct visit_now *s, const struct visit_place *place, const char *name,
                           const struct fs_stat *st);

/** Find the directory of the index that this one is and claim it, or number a new one. */
void visit_place_identify(struct visit_now *s, const struct visit_place *place, const char *name, size_t len);

/** Make the rules of a root hold from here on.  After visit_place_identify. */
void visit_place_govern(struct visit_now *s);

#endif
