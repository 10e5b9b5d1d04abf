/* SPDX-License-Identifier: MIT */
/* arena - memory for strings and structs that never move and are freed together. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

struct arena_piece;

/**
 * Embed it, zeroed; arena_release() returns it to that state.  Allocations do not move until then,
 * so pointers stay valid while more is added (those into a buf do not).  One thread at a time.
 */
struct arena {
	/* private */
	struct arena_piece *pieces;   /* the newest first: the next allocation comes from it */
	char *at;
	size_t left;
};

/**
 * Allocate size bytes, aligned for any type, uninitialised.  Valid until arena_clear or
 * arena_release.
 */
void *arena_alloc(struct arena *a, size_t size);
/** Copy len bytes of data and append a NUL; not aligned.  Valid as long. */
char *arena_dup(struct arena *a, const void *data, size_t len);
/** Copy a string.  Valid as long. */
char *arena_str(struct arena *a, const char *s);

/** Free all allocations, and keep some memory for the next ones. */
void arena_clear(struct arena *a);
/** Free the memory; the arena may be used again. */
void arena_release(struct arena *a);

#endif
