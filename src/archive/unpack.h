/* SPDX-License-Identifier: MIT */
/* unpack - the members of an archive by libarchive, which reads formats that strangers wrote. */
#ifndef ARCHIVE_UNPACK_H
#define ARCHIVE_UNPACK_H

#include <stdint.h>

/** What is to be read. */
struct unpack_ask {
	const uint8_t *secret;    /* of the index */
	const int64_t *sizes;     /* ascending: members of other sizes are only listed, where the */
	size_t n_sizes;           /* ... format knows sizes before contents */
	bool all;                 /* all members are read */
	bool nested;              /* members that are archives by name are opened, too */
	uint8_t nested_not;       /* PACKED_GOOD, or why none of these is opened */
	int64_t packed;           /* the archive's bytes */
};

/** Whether archives can be read: there is libarchive, which the first call loads. */
bool unpack_can(void);
/** Set err to how to get it: ERR_USAGE.  Returns -1. */
int unpack_fail(struct err *err);
/** The version of the library; "none" without one. */
const char *unpack_library(void);

/** What the process needs before it is locked in. */
void unpack_ready(void);
/**
 * Read the archive in, and write struct record for all of it to out.  It runs in a process of its
 * own (sys/jail), and uses nothing but its arguments: what it writes may be anything.
 */
void unpack_run(const struct unpack_ask *ask, int in, int out);

#endif
