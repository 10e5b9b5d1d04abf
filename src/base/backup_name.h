/* SPDX-License-Identifier: MIT */
/* backup_name - names that suggest a copy made for later rather than the file that is in use. */
#ifndef BASE_BACKUP_NAME_H
#define BASE_BACKUP_NAME_H

/**
 * Whether a component of len bytes suggests a copy: it has a word such as "backup" or "old" in it,
 * in any case, or a number in brackets or a tilde at its end ("setup (1).deb", "notes~"), or is a
 * directory that files only pass through (Downloads, Desktop, tmp).
 */
bool backup_name_is(const char *name, size_t len);

#endif
