/* SPDX-License-Identifier: MIT */
/* hyperlink - text on a terminal that leads to a file (OSC 8). */
#ifndef UI_HYPERLINK_H
#define UI_HYPERLINK_H

struct buf;

/**
 * Append the start of a link to an absolute path on this host.  Letters, digits and "-._~/" of the
 * path stay, every other byte becomes %HH.
 */
void hyperlink_begin(struct buf *b, const char *path);
/** Append its end. */
void hyperlink_end(struct buf *b);

#endif
