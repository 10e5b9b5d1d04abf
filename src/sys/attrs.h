/* SPDX-License-Identifier: MIT */
/* attrs - owner, mode, extended attributes and ACLs of a file. */
#ifndef SYS_ATTRS_H
#define SYS_ATTRS_H

#include <sys/types.h>

/**
 * Compare owner, group, mode and extended attributes, ACLs among them, of two open files.
 *
 * Returns 1: equal; 0: they differ, the difference is appended to why; -1 with errno.
 */
int attrs_same(int a, int b, struct buf *why);

/**
 * Whether the file at path has user attributes (tags, comments) that the one at than lacks or has
 * with other values.  False if they can't be read.
 */
bool attrs_has_more(const char *path, const char *than);

/**
 * Append the extended attributes of an open file, and the flags of chattr(1) that do not forbid
 * changes, as text without blanks: NAME=VALUE,NAME=VALUE in hexadecimal digits, "-" if there
 * are none.  Returns 0, or -1 with errno and nothing appended.
 */
int attrs_show(int fd, struct buf *text);

/**
 * Set owner, group, mode and the attributes in text (attrs_show's) of an open file or directory,
 * and remove its other ACLs and user attributes.  Returns 0, or -1 with errno: EINVAL for a text
 * that attrs_show does not write.
 */
int attrs_set(int fd, uint32_t uid, uint32_t gid, mode_t mode, const char *text);

/**
 * As attrs_set, of a new file, but as much of it as this process and the file system can keep.  A
 * file that does not get its owner or group is no set-user-ID or set-group-ID program; one whose
 * ACL cannot be kept is closed to its group, to which the mode would open it.  User attributes and
 * ACLs that are not kept are appended to lacks, with commas between them.
 */
void attrs_set_most(int fd, uint32_t uid, uint32_t gid, mode_t mode, const char *text, struct buf *lacks);

/**
 * Whether this process may make a file of this owner and group: root may, others only their own, in
 * one of their groups.
 */
bool attrs_may_give(uint32_t uid, uint32_t gid);

#endif
