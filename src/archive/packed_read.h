/* SPDX-License-Identifier: MIT */
/* packed_read - the members of an archive, read by a process that may do nothing else. */
#ifndef ARCHIVE_PACKED_READ_H
#define ARCHIVE_PACKED_READ_H

#include "archive/packed.h"
#include "archive/unpack.h"

/** Called for each member.  Returns 0 to go on, or -1 with *err. */
typedef int packed_fn(void *arg, const struct packed *p, struct err *err);

/** What came of an archive. */
struct packed_result {
	enum packed_why why;     /* PACKED_GOOD: all were delivered; else why no more were */
	int64_t members;         /* with those in members */
	int64_t others;          /* directories, links, devices, which are not delivered */
	char format[64];         /* printable ASCII; may be "" */
};

/**
 * Read the archive in the open file fd, of which ask->packed is the size.  What the process says is
 * checked, but for whether it is true.  Call it while no other thread runs.
 *
 * Returns 0 with *result, whatever the archive is; or -1: ERR_INTERRUPTED, ERR_SYS, or what fn set.
 */
int packed_read(int fd, const struct unpack_ask *ask, packed_fn *fn, void *arg, struct packed_result *result, struct err *err);

#endif
