/* SPDX-License-Identifier: MIT */
/* random - bytes that nobody can foresee. */
#ifndef SYS_RANDOM_H
#define SYS_RANDOM_H

/** Fill len bytes, at most 256.  Returns 0, or -1 with errno: the system has none. */
int random_fill(void *data, size_t len);

#endif
