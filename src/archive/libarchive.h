/* SPDX-License-Identifier: MIT */
/* libarchive - the library that reads archives, loaded when the first one is opened. */
#ifndef ARCHIVE_LIBARCHIVE_H
#define ARCHIVE_LIBARCHIVE_H

/** Whether archives can be read: the first call loads the library. */
bool libarchive_can(void);
/** Set err to how to get it: ERR_USAGE.  Returns -1. */
int libarchive_fail(struct err *err);
/** Its version; "none" without one. */
const char *libarchive_version(void);

#endif
