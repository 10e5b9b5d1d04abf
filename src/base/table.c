/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <xxhash.h>

/* Slots of the first allocation. */
#define TABLE_FIRST 64

/* Put slots into a table that has room for them, in their order, so that equal tags keep theirs. */
static void
table_refill(struct table *t, const struct table_slot *slots, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		size_t at = slots[i].tag;

		if (slots[i].taken == 0)
			continue;
		while (t->slots[at & (t->cap - 1)].taken != 0)
			at++;
		t->slots[at & (t->cap - 1)] = slots[i];
	}
}

void
table_reserve(struct table *t, size_t n)
{
	struct table_slot *old = t->slots;
	const size_t old_cap = t->cap;
	size_t cap = old_cap != 0 ? old_cap : TABLE_FIRST, first = 0;

	assert(n < UINT32_MAX && t->n < UINT32_MAX);
	while ((t->n + n) * 2 > cap)
		cap *= 2;
	if (cap == old_cap)
		return;
	t->slots = mem_zalloc(cap, sizeof(*t->slots));
	t->cap = cap;
	/* A run of taken slots may wrap around: begin behind a free slot. */
	while (first < old_cap && old[first].taken != 0)
		first++;
	assert(old_cap == 0 || first < old_cap);
	table_refill(t, old, first, old_cap);
	table_refill(t, old, 0, first);
	free(old);
}

void
table_release(struct table *t)
{
	free(t->slots);
	*t = (struct table){ 0 };
}

uint64_t
table_hash_bytes(const void *data, size_t len)
{
	return XXH3_64bits(data, len);
}

uint64_t
table_hash_text(const char *text)
{
	return table_hash_bytes(text, strlen(text));
}
