/* SPDX-License-Identifier: MIT */
/*
 * status_signal - a signal asks how far the process is: SIGUSR1, and SIGINFO where there is one.
 */
#ifndef SYS_STATUS_SIGNAL_H
#define SYS_STATUS_SIGNAL_H

/** Catch these signals, unless they are ignored: they end nothing, and break no call off. */
void status_signal_install(void);

/** Whether one has come since the last call. */
bool status_signal_take(void);

#endif
