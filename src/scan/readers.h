/* SPDX-License-Identifier: MIT */
/* readers - with how many threads to read files that are not in memory. */
#ifndef SCAN_READERS_H
#define SCAN_READERS_H

struct volumes;

/** How many threads are to read the files below an absolute path: fewer where a disk turns. */
int readers_below(struct volumes *volumes, const char *path);

#endif
