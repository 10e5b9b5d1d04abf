/* SPDX-License-Identifier: MIT */
/* jail - a process that reads one file and writes to one pipe, and may do nothing else. */
#ifndef SYS_JAIL_H
#define SYS_JAIL_H

#include <sys/types.h>

/** How much the process may use. */
struct jail_limits {
	int64_t memory;    /* bytes beyond those that it begins with */
	int64_t cpu;       /* seconds of a processor */
};

/** A process, and what it writes.  Zero it, jail_start() it, jail_end() it. */
struct jail {
	pid_t pid;
	int fd;            /* reading end of its pipe */
	size_t at, n;      /* bytes of block that were not taken yet */
	bool closed;       /* it has closed its end */
	uint8_t block[16384];
};

/** Runs in the process; when it returns, the process ends.  in can be read, out be written. */
typedef void jail_fn(void *arg, int in, int out);

/** Runs in the process before it is locked in, while it can still open files. */
typedef void jail_ready_fn(void);

/**
 * Start a process that runs ready, then fn with the open file in.  It has a copy of all memory, and
 * neither other descriptors nor a way to open any, to start programs or to reach a network: limits
 * of its resources see to that everywhere, on Linux a list of allowed system calls, too.
 *
 * Call it while no other thread runs.  Returns 0, or -1 with *err.
 */
int jail_start(struct jail *j, int in, const struct jail_limits *limits, jail_ready_fn *ready, jail_fn *fn, void *arg, struct err *err);

/** What jail_read returns beside -1 with *err, which a stop signal sets. */
enum { JAIL_CLOSED = 0, JAIL_READ = 1, JAIL_SILENT = 2 };

/**
 * Read len bytes that the process writes.  Returns JAIL_READ; JAIL_CLOSED when it ended before;
 * JAIL_SILENT when it wrote nothing for patience_ns; or -1.
 */
int jail_read(struct jail *j, void *data, size_t len, int64_t patience_ns, struct err *err);

/** How a process ended. */
enum jail_end { JAIL_END_WELL, JAIL_END_TIME, JAIL_END_DIED };

/** End it if it still runs, and tell how it ended. */
enum jail_end jail_end(struct jail *j);

/** Whether system calls are limited here, not only resources. */
bool jail_is_tight(void);

#endif
