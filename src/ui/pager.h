/* SPDX-License-Identifier: MIT */
/* pager - long text for a terminal, in the program that the user reads such text with. */
#ifndef UI_PAGER_H
#define UI_PAGER_H

struct buf;

/** Append the command line of the pager, $TWINDEX_PAGER, $PAGER or less, for sh. */
void pager_command(struct buf *command);

/** Show text in it, and wait until it is left.  Returns false if it could not be run. */
bool pager_show(const char *text, size_t len);

#endif
