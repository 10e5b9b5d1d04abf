/* SPDX-License-Identifier: MIT */
/* arena - memory for strings and structs that never move and are freed together. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

struct arena_piece;

/**
 * Embed it, zeroed; arena_release() returns it to that state.  What it gives
 * out stays where it is until then, so pointers may be kept while more is
 * added (a buf's may not).  For one thread at a time.
 */
struct arena {
	/* private */
	struct arena_piece *pieces;   /* the newest first: what is left of it is given out next */
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

/** Take back all that was given out, and keep some memory for what comes next. */
void arena_clear(struct arena *a);
/** Free the memory; the arena may be used again. */
void arena_release(struct arena *a);

#endif
