/* SPDX-License-Identifier: MIT */
/*
 * racy_window - files that changed too shortly before they were read.
 *
 * A file's times are coarse, and stores through mmap get theirs only when they are written back.
 * So a file that changed shortly before it was read may change once more and keep its times: git
 * calls such a file racy.  Its hash counts, but its row is marked racy, and the next scan reads it
 * again even where its times are equal.
 */
#ifndef SYS_RACY_WINDOW_H
#define SYS_RACY_WINDOW_H

#include "sys/fs.h"

/** The default window: above the 30 s after which Linux writes back stores through mmap. */
#define RACY_WINDOW_NS 60000000000

/** A window of ns nanoseconds. */
struct fs_time racy_window_of(int64_t ns);

/**
 * Whether a file with this stat, read from start on, may have changed since with equal times: these
 * lie within the window before start, or later.
 */
bool racy_window_has(const struct fs_stat *st, struct fs_time start, struct fs_time window);

#endif
