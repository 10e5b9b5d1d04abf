/* SPDX-License-Identifier: MIT */
/* random - unpredictable bytes. */
#ifndef SYS_RANDOM_H
#define SYS_RANDOM_H

/** Fill len bytes, at most 256.  Returns 0, or -1 with errno: the system has no source. */
int random_fill(void *data, size_t len);

#endif
