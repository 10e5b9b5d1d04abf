/* SPDX-License-Identifier: MIT */
/* attrs - what a file has besides its bytes and times: owner, mode, extended attributes, ACLs. */
#ifndef SYS_ATTRS_H
#define SYS_ATTRS_H

struct buf;

/**
 * Compare owner, group, mode and extended attributes, ACLs among them, of two open files.
 *
 * Returns 1: they are equal; 0: they differ, with in what appended to why; -1 with errno.
 */
int attrs_same(int a, int b, struct buf *why);

/**
 * Append the extended attributes of an open file as text without blanks: NAME=VALUE,NAME=VALUE in
 * hexadecimal digits, "-" if there are none.  Returns 0, or -1 with errno and nothing appended.
 */
int attrs_show(int fd, struct buf *text);

#endif
