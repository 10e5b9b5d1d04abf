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
/** The same in seconds, rounded up. */
int64_t racy_window_seconds(int64_t ns);

/**
 * Whether a file with this stat, read from start on, may have changed since with equal times: these
 * lie within the window before start, or later.
 */
bool racy_window_has(const struct fs_stat *st, struct fs_time start, struct fs_time window);

/** Which volume was asked last: zero it, one for a thread. */
struct racy_settle {
	uint64_t dev;
	bool asked, helps;
};

/**
 * Whether a file in the window can't change unseen all the same.  fd is open for reading only, st
 * its stat from before; its bytes are to be read after.
 *
 * Nobody has it open for writing, or has a mapping to write to: the kernel would give no read lease
 * (sys/lease).  So any later change begins with an open, after which a write, and the first store
 * through a mapping, give the file the times of that moment.  They are other ones if those of st
 * lie before this moment, by the clock of file times, and two seconds before where they may be
 * whole seconds.
 *
 * That holds for ext4, xfs and btrfs; memory (tmpfs) never notes stores through mmap, and of others
 * it is not known.  False also where a lease can't be had: of the files of others, unless one is
 * root.
 */
bool racy_window_settles(struct racy_settle *settle, int fd, const struct fs_stat *st);

#endif
