/* SPDX-License-Identifier: MIT */
/*
 * table - from a hash to the positions of records in an array of the caller: open addressing.
 *
 * The table knows neither keys nor records.  It stores 32 bits of each hash
 * beside a position; the caller compares the few records whose bits agree.
 * One array may have several tables, each by another key.
 *
 *	TABLE_EACH(i, &t, hash) {
 *		if (records.v[i].key == key)
 *			return &records.v[i];
 *	}
 *	vec_push(&records, record);
 *	table_add(&t, hash, records.n - 1);
 *
 * Slots are 8 bytes, at most half of them are taken, their number is a power
 * of two.  Growing doubles it and moves slots by the bits they hold: no
 * record is touched.  Nothing is removed; a record whose key changed is added
 * again, and its old slot no longer compares equal.
 */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

/** What table_next returns behind the last position. */
#define TABLE_END SIZE_MAX

/** Private. */
struct table_slot {
	uint32_t tag;        /* low bits of the hash */
	uint32_t taken;      /* position + 1; 0: free */
};

/** Embed it, zeroed; table_release() returns it to that state. */
struct table {
	/* private */
	struct table_slot *slots;
	size_t n, cap;
};

/** Make room for n more positions: adding these does not grow the table. */
void table_reserve(struct table *t, size_t n);
/** Free the memory; the table may be used again. */
void table_release(struct table *t);

/**
 * Add a position (below 2^32 - 1) under its record's hash, of which the low 32
 * bits count.  Added twice, it is found twice.
 */
static inline void
table_add(struct table *t, uint64_t hash, size_t position)
{
	size_t at = (uint32_t)hash;

	assert(position < UINT32_MAX);
	if ((t->n + 1) * 2 > t->cap)
		table_reserve(t, 1);
	while (t->slots[at & (t->cap - 1)].taken != 0)
		at++;
	t->slots[at & (t->cap - 1)] = (struct table_slot){ (uint32_t)hash, (uint32_t)position + 1 };
	t->n++;
}

/**
 * For TABLE_EACH: go on to the next position with the same 32 bits of hash.
 * *step is 0 at first.  Returns the position, or TABLE_END behind the last.
 */
static inline size_t
table_next(const struct table *t, uint64_t hash, size_t *step)
{
	while (t->cap != 0) {
		const struct table_slot *slot = &t->slots[((uint32_t)hash + (*step)++) & (t->cap - 1)];

		if (slot->taken == 0)
			break;
		if (slot->tag == (uint32_t)hash)
			return slot->taken - 1;
	}
	return TABLE_END;
}

/**
 * Run the statement for each position i, declared here, that was added with
 * this hash, in the order of adding, and for the few whose hash has the same
 * low 32 bits.  t and hash are evaluated again and again.  Nothing may be
 * added while the loop runs on; break or return first.
 */
#define TABLE_EACH(i, t, hash) \
	for (size_t table_step = 0, i; (i = table_next((t), (hash), &table_step)) != TABLE_END;)

/** Fetch the slot of a hash into the cache, for a search that comes soon. */
static inline void
table_prefetch(const struct table *t, uint64_t hash)
{
	if (t->cap != 0)
		__builtin_prefetch(&t->slots[(uint32_t)hash & (t->cap - 1)], 1);
}

/**
 * Hash two numbers: the finaliser of MurmurHash3 (public domain, A. Appleby)
 * over both.  All 64 bits depend on both.
 */
static inline uint64_t
table_hash(uint64_t a, uint64_t b)
{
	uint64_t h = a * 0x9e3779b97f4a7c15u ^ b;

	h ^= h >> 33;
	h *= 0xff51afd7ed558ccdu;
	h ^= h >> 33;
	h *= 0xc4ceb9fe1a85ec53u;
	return h ^ h >> 33;
}

/** Hash len bytes. */
uint64_t table_hash_bytes(const void *data, size_t len);
/** Hash a string. */
uint64_t table_hash_text(const char *text);

#endif
