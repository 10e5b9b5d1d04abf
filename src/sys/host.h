/* SPDX-License-Identifier: MIT */
/* host - whether a server is this machine. */
#ifndef SYS_HOST_H
#define SYS_HOST_H

/**
 * Whether the server whose name or address is the first len bytes of host may be this machine: by
 * its own name, with a domain or not, and the addresses of its interfaces.  No name is looked up,
 * for a name server may not answer.  An empty one may be.
 */
bool host_is_own(const char *host, size_t len);

#endif
