/* SPDX-License-Identifier: MIT */
/* locale - which bytes are characters. */
#ifndef SYS_LOCALE_H
#define SYS_LOCALE_H

/**
 * Where the locale has only ASCII (LC_ALL=C, or one that is not installed), take C.UTF-8 if the
 * system has it, else leave the locale as it is.  For those who type: file names are UTF-8 nearly
 * everywhere, and other bytes are shown escaped in any locale.  Not while threads run.
 */
void locale_want_characters(void);

#endif
