/* SPDX-License-Identifier: MIT */
/* status_signal - SIGUSR1, and SIGINFO where it exists, request a progress report. */
#ifndef SYS_STATUS_SIGNAL_H
#define SYS_STATUS_SIGNAL_H

/** Catch these signals, unless they are ignored; they interrupt no system call. */
void status_signal_install(void);

/** Whether one has come since the last call. */
bool status_signal_take(void);

#endif
