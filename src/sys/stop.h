/* SPDX-License-Identifier: MIT */
/* stop - signals that ask the process to stop become one flag that loops poll. */
#ifndef SYS_STOP_H
#define SYS_STOP_H

/**
 * Catch SIGINT, SIGTERM and SIGHUP: the first one sets the flag, a second
 * one ends the process at once (the index survives that).  SIGXFSZ is
 * ignored, so that a file size limit shows as a write error.
 */
void stop_install(void);

/**
 * Let SIGINT set the flag as often as it comes, without ever ending the
 * process: who leans on Ctrl-C in an interactive shell wants it to stay.
 */
void stop_be_patient(void);

/** The signal that asked us to stop, or 0.  Cheap; any thread may ask. */
int stop_signal(void);

/** Forget the signal: an interactive shell goes on. */
void stop_clear(void);

/**
 * Set the flag as SIGINT does, unless a signal has: a thread whose answer nobody waits for ends
 * what it does.
 */
void stop_ask(void);

/** Returns 0, or -1 with ERR_INTERRUPTED when a signal has come. */
int stop_check(struct err *err);

/**
 * Call this before a read that may block.  On a terminal it waits until there is a line: a
 * signal that came just before the read would not end it.  A stream is to have nothing in its
 * buffer then, as a terminal's has not between two lines.
 *
 * Returns whether to read: false when a signal has come.
 */
bool stop_await(int fd);

#endif
