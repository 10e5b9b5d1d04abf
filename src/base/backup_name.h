/* SPDX-License-Identifier: MIT */
/* backup_name - names that suggest a backup copy rather than the original. */
#ifndef BASE_BACKUP_NAME_H
#define BASE_BACKUP_NAME_H

/** Whether a word in name suggests a copy: "backup", "old" or the like, in any case. */
bool backup_name_name(const char *name);

/** Whether path has such a word in it, or goes through Downloads, Desktop or tmp. */
bool backup_name_path(const char *path);

#endif
