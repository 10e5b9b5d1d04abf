/* SPDX-License-Identifier: MIT */
/* trash - the freedesktop.org trash of the volume that a file lies on. */
#ifndef ACT_TRASH_H
#define ACT_TRASH_H

struct locked_file;
struct verdict;

/**
 * Move a victim, which was just compared with the keeper, into the trash of its volume, as
 * remove_move does: the trash in the user's home where that is on the same volume, else .Trash/UID
 * (if .Trash is a sticky directory) or .Trash-UID at the top of the volume.  Directories that are
 * missing are made, 0700, and removed again where the act fails.
 * Source: specifications.freedesktop.org/trash-spec, version 1.0.
 *
 * Returns 0 with its path there appended to to, if that can be told, or -1 with the verdict.
 */
int trash_file(struct locked_file *keeper, struct locked_file *victim, struct buf *to, struct verdict *v);

#endif
