/* SPDX-License-Identifier: MIT */
/* rescue_undo - a copy that a rescue made is removed, while its original is there. */
#ifndef ACT_RESCUE_UNDO_H
#define ACT_RESCUE_UNDO_H

struct acts_line;
struct content_reader;
struct fs_stat;
struct verdict;

/**
 * Remove the copy of an act of ACT_RESCUE, if it has the content that was written and the original
 * has the same bytes, compared now: by the protocol of removals, so that the original is there when
 * the copy has gone.  The last place of a content is never removed.
 *
 * Returns 1 with *left, the stat of the inode without that name; 0: nothing is at its path; or -1
 * with the verdict, ACT_UNSURE.
 */
int rescue_undo(const struct acts_line *l, struct content_reader *reader, struct fs_stat *left, struct verdict *v);

#endif
