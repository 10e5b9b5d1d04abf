/* SPDX-License-Identifier: MIT */
/*
 * Shards by the hash's high bits, each with its own lock: with some threads,
 * two seldom meet in one shard.  A shard is a table over an array of keys;
 * no function holds more than one lock.  Small numbers in maps without
 * values, as sizes mostly are, are counted in arrays of bytes without a
 * lock.  Each array is made for its first number: a map of other keys has
 * none, and a small tree few.
 */
#include "base/base.h"

#include "sys/countmap.h"

#include <pthread.h>
#include <stdatomic.h>

#define COUNTMAP_SHARDS 64
#define COUNTMAP_SMALL (256 * 1024)
#define COUNTMAP_BLOCK 4096

struct countmap_key {
	uint64_t a, b;
};

/* How often a key was counted: 1, or 2 for more; and whether it was claimed. */
#define COUNTMAP_COUNT 3
#define COUNTMAP_CLAIMED 4

struct countmap_shard {
	pthread_mutex_t lock;  /* of all that follows */
	struct table by_key;
	VEC(struct countmap_key) keys;
	VEC(uint8_t) counts;   /* of keys */
	VEC(void *) found;     /* in a map with values: those of keys, NULL while one has none */
	struct arena values;
};

struct countmap {
	size_t value_size;
	/* Counts of (a, 0), a < COUNTMAP_SMALL; not of a map with values.  Owned. */
	_Atomic(_Atomic uint8_t *) small[COUNTMAP_SMALL / COUNTMAP_BLOCK];
	struct countmap_shard shards[COUNTMAP_SHARDS];
};

struct countmap *
countmap_new(size_t value_size)
{
	struct countmap *s = mem_zalloc(1, sizeof(*s));

	s->value_size = value_size;
	for (int i = 0; i < COUNTMAP_SHARDS; i++)
		pthread_mutex_init(&s->shards[i].lock, NULL);
	return s;
}

void
countmap_free(struct countmap *s)
{
	if (s == NULL)
		return;
	for (int i = 0; i < COUNTMAP_SMALL / COUNTMAP_BLOCK; i++)
		free(atomic_load_explicit(&s->small[i], memory_order_relaxed));
	for (int i = 0; i < COUNTMAP_SHARDS; i++) {
		pthread_mutex_destroy(&s->shards[i].lock);
		table_release(&s->shards[i].by_key);
		vec_release(&s->shards[i].keys);
		vec_release(&s->shards[i].counts);
		vec_release(&s->shards[i].found);
		arena_release(&s->shards[i].values);
	}
	free(s);
}

/* Lock the shard that a key with this hash belongs to. */
static struct countmap_shard *
countmap_lock(struct countmap *s, uint64_t hash)
{
	struct countmap_shard *sh = &s->shards[hash >> 58];

	pthread_mutex_lock(&sh->lock);
	return sh;
}

/* The position of a key in its shard, or TABLE_END when it was not counted. */
static size_t
countmap_find(const struct countmap_shard *sh, uint64_t hash, uint64_t a, uint64_t b)
{
	TABLE_EACH(i, &sh->by_key, hash) {
		if (sh->keys.v[i].a == a && sh->keys.v[i].b == b)
			return i;
	}
	return TABLE_END;
}

static bool
countmap_is_small(const struct countmap *s, uint64_t a, uint64_t b)
{
	return s->value_size == 0 && b == 0 && a < COUNTMAP_SMALL;
}

/* Find the block that counts small numbers of one range; with make, add a missing one. */
static _Atomic uint8_t *
countmap_block(struct countmap *s, uint64_t a, bool make)
{
	_Atomic(_Atomic uint8_t *) *at = &s->small[a / COUNTMAP_BLOCK];
	_Atomic uint8_t *block = atomic_load_explicit(at, memory_order_acquire), *made;

	if (block != NULL || !make)
		return block;
	made = mem_zalloc(COUNTMAP_BLOCK, sizeof(*made));
	if (atomic_compare_exchange_strong_explicit(at, &block, made, memory_order_acq_rel, memory_order_acquire))
		return made;
	/* Another thread was faster. */
	free(made);
	return block;
}

int
countmap_count(struct countmap *s, uint64_t a, uint64_t b)
{
	const uint64_t hash = table_hash(a, b);
	struct countmap_shard *sh;
	size_t at;
	int before = 0;

	if (countmap_is_small(s, a, b)) {
		_Atomic uint8_t *count = countmap_block(s, a, true) + a % COUNTMAP_BLOCK;
		uint8_t small = atomic_load_explicit(count, memory_order_relaxed);

		while (small < 2 && !atomic_compare_exchange_weak_explicit(count, &small, (uint8_t)(small + 1),
		                                                            memory_order_relaxed, memory_order_relaxed))
			;
		return small;
	}
	sh = countmap_lock(s, hash);
	at = countmap_find(sh, hash, a, b);
	if (at == TABLE_END) {
		vec_push(&sh->keys, ((struct countmap_key){ a, b }));
		vec_push(&sh->counts, 1);
		if (s->value_size > 0)
			vec_push(&sh->found, NULL);
		table_add(&sh->by_key, hash, sh->keys.n - 1);
	} else {
		before = sh->counts.v[at] & COUNTMAP_COUNT;
		sh->counts.v[at] = (uint8_t)((sh->counts.v[at] & ~COUNTMAP_COUNT) | 2);
	}
	pthread_mutex_unlock(&sh->lock);
	return before;
}

int
countmap_get(struct countmap *s, uint64_t a, uint64_t b)
{
	const uint64_t hash = table_hash(a, b);
	struct countmap_shard *sh;
	size_t at;
	int count;

	if (countmap_is_small(s, a, b)) {
		_Atomic uint8_t *block = countmap_block(s, a, false);

		return block != NULL ? atomic_load_explicit(&block[a % COUNTMAP_BLOCK], memory_order_relaxed) : 0;
	}
	sh = countmap_lock(s, hash);
	at = countmap_find(sh, hash, a, b);
	count = at != TABLE_END ? sh->counts.v[at] & COUNTMAP_COUNT : 0;
	pthread_mutex_unlock(&sh->lock);
	return count;
}

bool
countmap_claim(struct countmap *s, uint64_t a, uint64_t b)
{
	const uint64_t hash = table_hash(a, b);
	struct countmap_shard *sh = countmap_lock(s, hash);
	const size_t at = countmap_find(sh, hash, a, b);
	bool claimed;

	assert(at != TABLE_END);
	claimed = (sh->counts.v[at] & COUNTMAP_CLAIMED) == 0;
	sh->counts.v[at] |= COUNTMAP_CLAIMED;
	pthread_mutex_unlock(&sh->lock);
	return claimed;
}

void
countmap_set(struct countmap *s, uint64_t a, uint64_t b, const void *value)
{
	const uint64_t hash = table_hash(a, b);
	struct countmap_shard *sh = countmap_lock(s, hash);
	const size_t at = countmap_find(sh, hash, a, b);

	assert(at != TABLE_END && s->value_size > 0);
	if (sh->found.v[at] == NULL)
		sh->found.v[at] = arena_alloc(&sh->values, s->value_size);
	memcpy(sh->found.v[at], value, s->value_size);
	pthread_mutex_unlock(&sh->lock);
}

bool
countmap_value(struct countmap *s, uint64_t a, uint64_t b, void *value)
{
	const uint64_t hash = table_hash(a, b);
	struct countmap_shard *sh = countmap_lock(s, hash);
	const size_t at = countmap_find(sh, hash, a, b);
	const bool has = at != TABLE_END && s->value_size > 0 && sh->found.v[at] != NULL;

	if (has)
		memcpy(value, sh->found.v[at], s->value_size);
	pthread_mutex_unlock(&sh->lock);
	return has;
}

bool
countmap_met_head(void *arg, int64_t size, int64_t head)
{
	return countmap_count(arg, (uint64_t)size, (uint64_t)head) > 0;
}

void
countmap_set_content(struct countmap *inodes, const struct fs_stat *st, const struct content_result *content)
{
	const struct countmap_content value = { st->size, st->mtime, st->ctime, *content };

	countmap_set(inodes, st->dev, st->inode, &value);
}

bool
countmap_get_content(struct countmap *inodes, const struct fs_stat *st, struct content_result *content)
{
	struct countmap_content value;

	if (!countmap_value(inodes, st->dev, st->inode, &value) || value.size != st->size ||
	    fs_time_cmp(value.mtime, st->mtime) != 0 || fs_time_cmp(value.ctime, st->ctime) != 0)
		return false;
	*content = value.content;
	return true;
}
