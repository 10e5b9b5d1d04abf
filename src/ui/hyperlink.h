/* SPDX-License-Identifier: MIT */
/* hyperlink - text on a terminal that leads to a file (OSC 8). */
#ifndef UI_HYPERLINK_H
#define UI_HYPERLINK_H

/** Bytes for the longest name of a host. */
#define HYPERLINK_HOST 256

/** Copy the name of this host, "" if it has none: ask once a listing, not once a path. */
void hyperlink_host(char host[HYPERLINK_HOST]);

/**
 * Append the start of a link to an absolute path on a host.  Letters, digits and "-._~/" of both
 * stay, every other byte becomes %HH.
 */
void hyperlink_begin(struct buf *b, const char *host, const char *path);
/** Append its end. */
void hyperlink_end(struct buf *b);

#endif
