/* SPDX-License-Identifier: MIT */
/* ask - a signal asks how far the process is: SIGUSR1, and SIGINFO where there is one. */
#ifndef SYS_ASK_H
#define SYS_ASK_H

/** Catch these signals, unless they are ignored: they end nothing, and break no call off. */
void ask_install(void);

/** Whether one has come since the last call. */
bool ask_take(void);

#endif
