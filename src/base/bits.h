/* SPDX-License-Identifier: MIT */
/* bits - sets of small numbers, a bit each. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include "base/mem.h"

/** An empty set of numbers below n; owned, free() it. */
static inline uint8_t *
bits_new(size_t n)
{
	return mem_zalloc(n / 8 + 1, 1);
}

/** Whether it has a number. */
static inline bool
bits_has(const uint8_t *bits, size_t at)
{
	return (bits[at / 8] >> at % 8 & 1) != 0;
}

/** Add a number, or remove it. */
static inline void
bits_set(uint8_t *bits, size_t at, bool value)
{
	if (value)
		bits[at / 8] |= (uint8_t)(1 << at % 8);
	else
		bits[at / 8] &= (uint8_t)~(1 << at % 8);
}

/** A set that grows; zero it, free() v. */
struct bits {
	uint8_t *v;
	size_t n;          /* bytes */
};

/** Whether it has a number. */
static inline bool
bits_contains(const struct bits *b, size_t at)
{
	return at / 8 < b->n && bits_has(b->v, at);
}

/** Add a number. */
static inline void
bits_add(struct bits *b, size_t at)
{
	if (at / 8 >= b->n) {
		const size_t n = (at / 8 + 1024) * 2;

		b->v = mem_resize(b->v, n, 1);
		memset(b->v + b->n, 0, n - b->n);
		b->n = n;
	}
	bits_set(b->v, at, true);
}

#endif
