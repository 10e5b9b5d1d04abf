/* SPDX-License-Identifier: MIT */
/* order - positions of records, sorted by numbers: cheaper than moving records while they are compared. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>

/** Where a record stands, and the number that it is sorted by. */
struct order {
	uint64_t key;
	size_t pos;
};

/** In a function that compares: return if x and y differ. */
#define ORDER_CMP(x, y) do { if ((x) != (y)) return (x) < (y) ? -1 : 1; } while (0)

/**
 * Sort by key, ascending; equal keys keep their order.  So to sort by several
 * numbers, sort by each of them, the least important first.
 */
void order_sort(struct order *v, size_t n);

#endif
