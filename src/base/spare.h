/* SPDX-License-Identifier: MIT */
/* spare - which names say that a file is rather a copy in reserve than what it was made of. */
#ifndef BASE_SPARE_H
#define BASE_SPARE_H

/** Whether a name says so: "backup", "old" or the like is a word in it, in capitals or not. */
bool spare_name(const char *name);

/**
 * Whether a path says so: a name in it does, or is that of a directory through which files pass:
 * Downloads, Desktop, tmp.
 */
bool spare_path(const char *path);

#endif
