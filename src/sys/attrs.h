/* SPDX-License-Identifier: MIT */
/* attrs - what a file has besides its bytes and times: owner, mode, extended attributes, ACLs. */
#ifndef SYS_ATTRS_H
#define SYS_ATTRS_H

#include <sys/types.h>

/**
 * Compare owner, group, mode and extended attributes, ACLs among them, of two open files.
 *
 * Returns 1: they are equal; 0: they differ, with in what appended to why; -1 with errno.
 */
int attrs_same(int a, int b, struct buf *why);

/**
 * Whether the file at path has extended attributes of users (tags, comments), that the one at than
 * has not, or has with other values.  Not where they can't be read.
 */
bool attrs_has_more(const char *path, const char *than);

/**
 * Append the extended attributes of an open file, and those of chattr(1) that do not keep it from
 * being changed, as text without blanks: NAME=VALUE,NAME=VALUE in hexadecimal digits, "-" if there
 * are none.  Returns 0, or -1 with errno and nothing appended.
 */
int attrs_show(int fd, struct buf *text);

/**
 * Give an open file or directory an owner, a group, a mode and extended attributes as of
 * attrs_show, and take ACLs and attributes of users that it has besides from it.  Returns
 * 0, or -1 with errno: EINVAL for text that is not of attrs_show.
 */
int attrs_set(int fd, uint32_t uid, uint32_t gid, mode_t mode, const char *text);

/**
 * Whether this process may make a file of this owner and group: root may, others only their own, in
 * one of their groups.
 */
bool attrs_may_give(uint32_t uid, uint32_t gid);

#endif
