/* SPDX-License-Identifier: MIT */
/*
 * backup_name - which names say that a file is rather a copy in reserve than what it was made of.
 */
#ifndef BASE_BACKUP_NAME_H
#define BASE_BACKUP_NAME_H

/** Whether a name says so: "backup", "old" or the like is a word in it, in capitals or not. */
bool backup_name_name(const char *name);

/**
 * Whether a path says so: a name in it does, or is that of a directory through which files pass:
 * Downloads, Desktop, tmp.
 */
bool backup_name_path(const char *path);

#endif
