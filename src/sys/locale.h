/* SPDX-License-Identifier: MIT */
/* locale - choose UTF-8 where the locale has only ASCII. */
#ifndef SYS_LOCALE_H
#define SYS_LOCALE_H

/**
 * If the locale has only ASCII (LC_ALL=C, or one that is not installed), set C.UTF-8 where the
 * system has it: file names are UTF-8 nearly everywhere, and any locale shows other bytes escaped.
 * Not while threads run.
 */
void locale_want_characters(void);

/** Whether it has UTF-8. */
bool locale_is_utf8(void);

#endif
