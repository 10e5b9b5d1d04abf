/* SPDX-License-Identifier: MIT */
/* lease - as long as a file is leased, nobody else opens it for writing unnoticed. */
#ifndef SYS_LEASE_H
#define SYS_LEASE_H

/** What became of a lease. */
enum lease {
	LEASE_NONE,    /* none for this file system or user: only times tell of a change */
	LEASE_HELD,    /* nobody has the file open for writing; who opens it so has to wait */
	LEASE_LOST     /* somebody has it open for writing or mapped so, or wants to */
};

/**
 * Take a read lease on a file that is open for reading only; it ends when fd is closed.  Who then
 * opens the file for writing waits, up to the seconds in /proc/sys/fs/lease-break-time; leases of
 * other processes for reading are no obstacle.  Sources: fcntl(2), F_SETLEASE.
 *
 * Returns LEASE_HELD, LEASE_NONE, or LEASE_LOST: the file is in use.
 */
enum lease lease_take(int fd);

/**
 * Whether a lease that was held still is: LEASE_LOST when a writer waits for it, or has waited for
 * too long.
 */
enum lease lease_look(int fd);

#endif
