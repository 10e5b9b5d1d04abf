/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <stdalign.h>

/* Bytes of the first piece; each later one has twice as many, up to ARENA_MOST. */
#define ARENA_FIRST 1024
#define ARENA_MOST (256 * 1024)

struct arena_piece {
	struct arena_piece *next;
	size_t size;                              /* of bytes */
	alignas(max_align_t) char bytes[];
};

/* Put a piece with room for size bytes in front. */
static void
arena_grow(struct arena *a, size_t size)
{
	const size_t last = a->pieces != NULL ? a->pieces->size : 0;
	size_t room = last < ARENA_FIRST ? ARENA_FIRST : last < ARENA_MOST ? last * 2 : ARENA_MOST;
	struct arena_piece *p;

	if (room < size)
		room = size;
	/* A sum that overflows becomes a size that no allocation grants. */
	p = mem_alloc(room < SIZE_MAX - sizeof(*p) ? sizeof(*p) + room : SIZE_MAX);
	p->next = a->pieces;
	p->size = room;
	a->pieces = p;
	a->at = p->bytes;
	a->left = room;
}

static char *
arena_take(struct arena *a, size_t size)
{
	char *taken;

	if (size > a->left)
		arena_grow(a, size);
	taken = a->at;
	a->at += size;
	a->left -= size;
	return taken;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	const size_t skip = -(uintptr_t)a->at % alignof(max_align_t);

	if (skip < a->left) {
		a->at += skip;
		a->left -= skip;
	} else
		a->left = 0;
	return arena_take(a, size > 0 ? size : 1);
}

char *
arena_dup(struct arena *a, const void *data, size_t len)
{
	char *copy = arena_take(a, len < SIZE_MAX ? len + 1 : SIZE_MAX);

	if (len > 0)
		memcpy(copy, data, len);
	copy[len] = '\0';
	return copy;
}

char *
arena_str(struct arena *a, const char *s)
{
	return arena_dup(a, s, strlen(s));
}

void
arena_clear(struct arena *a)
{
	if (a->pieces == NULL)
		return;
	while (a->pieces->next != NULL) {
		struct arena_piece *p = a->pieces->next;

		a->pieces->next = p->next;
		free(p);
	}
	a->at = a->pieces->bytes;
	a->left = a->pieces->size;
}

void
arena_release(struct arena *a)
{
	arena_clear(a);
	free(a->pieces);
	*a = (struct arena){ 0 };
}
