/* SPDX-License-Identifier: MIT */
/* order - comparing, radix sort of positions, bisection. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

/** Where a record stands, and the number that it is sorted by. */
struct order {
	uint64_t key;
	size_t pos;
};

/** In a function that compares: return if x and y differ. */
#define ORDER_CMP(x, y) do { if ((x) != (y)) return (x) < (y) ? -1 : 1; } while (0)

/** For qsort, of an array of such numbers. */
int order_cmp_uint32(const void *a, const void *b);
int order_cmp_uint64(const void *a, const void *b);
int order_cmp_int64(const void *a, const void *b);

/**
 * Bisection: set at to the first position below n where is_before, an expression in at, is false,
 * or to n if it is true everywhere.  The positions where it is true must come first: "sorts before
 * the key".
 *
 *	ORDER_FIRST(at, names.n, strcmp(names.v[at], name) < 0);
 *	found = at < names.n && strcmp(names.v[at], name) == 0;
 */
#define ORDER_FIRST(at, n, is_before) \
	for (size_t order_low = 0, order_high = (n); \
	     (at) = order_low + (order_high - order_low) / 2, order_low < order_high;) { \
		if (is_before) \
			order_low = (at) + 1; \
		else \
			order_high = (at); \
	}

/**
 * Sort by key, ascending; equal keys keep their order.  So to sort by several
 * numbers, sort by each of them, the least important first.
 */
void order_sort(struct order *v, size_t n);

/** Sort n elements of size bytes as qsort does, with arg for cmp: qsort_r of POSIX 2024. */
void order_sort_by(void *v, size_t n, size_t size, int (*cmp)(const void *a, const void *b, void *arg), void *arg);

#endif
