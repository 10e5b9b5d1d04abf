/* SPDX-License-Identifier: MIT */
/* visit_place - where a visit stands: on which mount, in which directory of the index, under the rules of which root. */
#ifndef SCAN_VISIT_PLACE_H
#define SCAN_VISIT_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "scan/visit_state.h"

/** Whether the path of a mount still leads to it. */
bool visit_place_holds(const struct visit_mount *m);

/**
 * The mount on which the directory lies is not at its path any more: what the index has of the
 * directory stays as it is.  Returns whether the writer needs to know.
 */
bool visit_place_lose(struct visit_now *s, const struct visit_place *place, const char *name, size_t len);

/** Whether the directory is to be entered at all.  A volume of 0: it can't be, and that is an error. */
bool visit_place_may_enter(struct visit_now *s, const struct visit_place *place, const char *name,
                           const struct fs_stat *st);

/** Find the directory of the index that this one is, and claim it, or take the number of a new one. */
void visit_place_identify(struct visit_now *s, const struct visit_place *place, const char *name, size_t len);

/** Let the rules of a root hold from its directory on, relative to where it is now.  After visit_place_identify. */
void visit_place_govern(struct visit_now *s);

#endif
