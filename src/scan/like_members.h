/* SPDX-License-Identifier: MIT */
/* like_members - files that have the size of a member of an archive are read whole. */
#ifndef SCAN_LIKE_MEMBERS_H
#define SCAN_LIKE_MEMBERS_H

struct hash_plan;
struct stats_report;

/**
 * Read the files of n ascending sizes that nothing else has asked for, in the directories that the
 * scan has met (all_met: in all), with the readers, limits and clock of its plan, which has run.
 * In a transaction of its own.  Returns 0, or -1 with *err (ERR_INTERRUPTED: what was read is
 * kept).
 */
int like_members_read(const struct hash_plan *scanned, const int64_t *sizes, size_t n, bool all_met, struct stats_report *report,
                      struct err *err);

#endif
