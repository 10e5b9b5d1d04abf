/* SPDX-License-Identifier: MIT */
/* mem - allocation that never returns NULL: out of memory ends the process, here alone. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

/** Exit status when memory runs out; an open transaction rolls back by itself. */
#define MEM_EXIT_STATUS 6

/** Allocate size bytes, uninitialised.  The caller frees with free(). */
void *mem_alloc(size_t size) __attribute__((malloc));
/**
 * Allocate n zeroed elements of size bytes.  A product that overflows dies like a failed malloc.
 */
void *mem_zalloc(size_t n, size_t size) __attribute__((malloc));
/** Resize old (may be NULL) to n elements of size bytes. */
void *mem_resize(void *old, size_t n, size_t size);
/** Copy len bytes of data and append a NUL. */
char *mem_dup(const void *data, size_t len) __attribute__((malloc));
/** Copy a string. */
char *mem_str(const char *s) __attribute__((malloc));
/** Returns the last c of len bytes, or NULL. */
const char *mem_last(const char *data, char c, size_t len);
/** End the process like a failed allocation: for libraries that allocate themselves. */
_Noreturn void mem_out(void);
/**
 * Call fn when memory has run out, in the thread that asked for it, before the
 * process ends; NULL: call nothing.  fn may do what a signal handler may.
 * Set it while one thread runs.
 */
void mem_on_death(void (*fn)(void));

/**
 * Have large blocks given back to the system as soon as they are freed.  Call it first in main:
 * else the C library keeps ever larger ones among the small, and memory of a phase stays behind.
 */
void mem_begin(void);
/** Return free memory to the system, after threads that used much have ended. */
void mem_trim(void);

#endif
