/* SPDX-License-Identifier: MIT */
/* refresh - stat indexed files: drop rows of missing ones, read changed ones, find no new ones. */
#ifndef SCAN_REFRESH_H
#define SCAN_REFRESH_H

struct index;
struct stats_hooks;
struct stats_report;

/**
 * Refresh all that lies below the absolute paths (none: everything).  Rows of
 * volumes that are not there, and of directories that can't be read, stay,
 * which hooks->problem is told.  settles is content_reader.settles.
 *
 * Returns 0 with *report (dirs, files, changed, gone, read, errors), or -1:
 * ERR_NO_PATH when the index knows nothing of a path.
 */
int refresh_run(struct index *ix, const char *const *paths, size_t n_paths, int64_t racy_window_ns, bool settles,
                const struct stats_hooks *hooks, struct stats_report *report, struct err *err);

#endif
