/* SPDX-License-Identifier: MIT */
/* worker - what a thread is that works for the one that started it. */
#ifndef SYS_WORKER_H
#define SYS_WORKER_H

/**
 * Make the calling thread a worker, where the system can.  It gets a table of descriptors of its
 * own (threads that share one contend for it), so what it opens from then on no other thread can
 * use (fs_is_apart tells whether it has).  And it steps back a little behind the thread that
 * takes its results, for which in the end all wait.
 */
void worker_begin(void);

/** The last of these alone, in a thread whose descriptors others use. */
void worker_stand_back(void);

#endif
