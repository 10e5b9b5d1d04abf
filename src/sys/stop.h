/* SPDX-License-Identifier: MIT */
/* stop - SIGINT, SIGTERM and SIGHUP set one flag that loops poll. */
#ifndef SYS_STOP_H
#define SYS_STOP_H

/**
 * Catch SIGINT, SIGTERM and SIGHUP: the first one sets the flag, a second
 * one ends the process at once (the index survives that).  SIGXFSZ is
 * ignored, so that a file size limit shows as a write error.
 */
void stop_install(void);

/**
 * For an interactive shell: SIGINT only sets the flag, and repeated SIGINT never ends the process.
 */
void stop_be_patient(void);

/** The signal that asked us to stop, or 0.  Cheap; any thread may ask. */
int stop_signal(void);

/** Forget the signal: an interactive shell goes on. */
void stop_clear(void);

/**
 * Set the flag as SIGINT does, unless a signal has: stops a thread whose result nobody needs.
 */
void stop_ask(void);

/** Returns 0, or -1 with ERR_INTERRUPTED when a signal has come. */
int stop_check(struct err *err);

/**
 * Call this before a read that may block.  On a terminal it waits for a line, because a signal just
 * before the read would not interrupt it.  The stream's buffer must be empty, as it is between two
 * lines of a terminal.
 *
 * Returns whether to read: false when a signal has come.
 */
bool stop_await(int fd);

#endif
