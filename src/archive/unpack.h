/* SPDX-License-Identifier: MIT */
/* unpack - the entries of an archive become records: what runs in a process of its own. */
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

/** What the process needs before it is locked in. */
void unpack_ready(void);
/**
 * Read the archive in, and write struct record for all of it to out.  It runs in a process of its
 * own (sys/jail), and uses nothing but its arguments: what it writes may be anything.
 */
void unpack_run(const struct unpack_ask *ask, int in, int out);

#endif
