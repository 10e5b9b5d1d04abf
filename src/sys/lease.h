/* SPDX-License-Identifier: MIT */
/* lease - notice when another process opens a file for writing. */
#ifndef SYS_LEASE_H
#define SYS_LEASE_H

/** The state of a lease. */
enum lease {
	LEASE_NONE,    /* not possible on this file system or for this user */
	LEASE_HELD,    /* nobody has the file open for writing; a new writer has to wait */
	LEASE_LOST     /* a process has it open or mapped for writing, or waits to open it so */
};

/**
 * Take a read lease on a file that is open for reading only; it ends when fd is closed.  A process
 * that opens the file for writing then waits, up to the seconds in /proc/sys/fs/lease-break-time;
 * read leases of other processes do not conflict.  Sources: fcntl(2), F_SETLEASE.
 *
 * Returns LEASE_HELD, LEASE_NONE, or LEASE_LOST: the file is in use.
 */
enum lease lease_take(int fd);

/** Give up a lease that was held. */
void lease_give(int fd);

/**
 * Check a lease that was held: LEASE_LOST when a writer waits, or the kernel has broken it.
 */
enum lease lease_look(int fd);

#endif
