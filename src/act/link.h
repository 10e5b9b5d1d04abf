/* SPDX-License-Identifier: MIT */
/* link - a proven victim becomes a hard or symbolic link to its keeper, or shares its blocks. */
#ifndef ACT_LINK_H
#define ACT_LINK_H

#include "act/act.h"

struct locked_file;
struct verdict;

/** The word in the unused name that a link has for a moment (rename_unused). */
#define LINK_WORD "link"

/**
 * Check that the victim may become a link: not of another volume than the keeper where the kind
 * can't be, and unless any_attributes with the same owner, group, mode and extended attributes,
 * for its name would get those of the keeper.  Returns 0, or -1 with the verdict.
 */
int link_check(enum act_kind kind, bool any_attributes, const struct locked_file *keeper, const struct locked_file *victim,
               struct verdict *v);

/**
 * Let the name of the victim, which was just compared with the keeper, become a link of a kind
 * (ACT_HARD, ACT_SOFT) to it: make the link under an unused name, exchange both names, check that
 * what has the unused name now is the file that was compared and that the keeper is still at its
 * path, then remove that name; otherwise exchange them back.  At no moment does the name not lead
 * to the content.
 *
 * Returns 0, with the keeper's stat renewed, or -1 with the verdict; where going back failed too
 * it says under which name the file is now.
 */
int link_file(enum act_kind kind, struct locked_file *keeper, struct locked_file *victim, struct verdict *v);

/**
 * Let the victim share the keeper's blocks; the kernel compares both once more, and nothing but
 * the place of its bytes changes.  Returns 0 with the bytes that went from the disk, or -1 with
 * the verdict.
 */
int link_share(const struct locked_file *keeper, struct locked_file *victim, int64_t *freed, struct verdict *v);

#endif
