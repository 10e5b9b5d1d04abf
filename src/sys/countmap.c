/* SPDX-License-Identifier: MIT */
/*
 * Shards by the hash's high bits, each a small open-addressing table behind
 * its own lock: with some threads, two seldom meet in one shard.  Small
 * numbers in maps without values, as sizes mostly are, are counted in an
 * array of bytes without a lock.
 */
#include <config.h>

#include "sys/countmap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define COUNTMAP_SHARDS 64
#define COUNTMAP_SMALL (256 * 1024)
#define COUNTMAP_COUNT 0x0f
#define COUNTMAP_CLAIMED 0x40
#define COUNTMAP_HAS_VALUE 0x80

struct countmap_key {
	uint64_t a, b;
};

struct countmap_shard {
	pthread_mutex_t lock;
	struct countmap_key *keys;
	uint8_t *counts;       /* 0: free; flags beside the count */
	char *values;
	size_t n, cap;
};

struct countmap {
	size_t value_size;
	_Atomic uint8_t *small;    /* counts of (a, 0) with a below COUNTMAP_SMALL; NULL in a map with values */
	struct countmap_shard shards[COUNTMAP_SHARDS];
};

struct countmap *
countmap_new(size_t value_size)
{
	struct countmap *s = mem_zalloc(1, sizeof(*s));

	s->value_size = value_size;
	if (value_size == 0)
		s->small = mem_zalloc(COUNTMAP_SMALL, sizeof(*s->small));
	for (int i = 0; i < COUNTMAP_SHARDS; i++)
		pthread_mutex_init(&s->shards[i].lock, NULL);
	return s;
}

void
countmap_free(struct countmap *s)
{
	if (s == NULL)
		return;
	free(s->small);
	for (int i = 0; i < COUNTMAP_SHARDS; i++) {
		pthread_mutex_destroy(&s->shards[i].lock);
		free(s->shards[i].keys);
		free(s->shards[i].counts);
		free(s->shards[i].values);
	}
	free(s);
}

/* The finaliser of MurmurHash3 (public domain, A. Appleby), over both halves. */
static uint64_t
countmap_mix(uint64_t a, uint64_t b)
{
	uint64_t h = a * 0x9e3779b97f4a7c15u ^ b;

	h ^= h >> 33;
	h *= 0xff51afd7ed558ccdu;
	h ^= h >> 33;
	h *= 0xc4ceb9fe1a85ec53u;
	return h ^ h >> 33;
}

static size_t
countmap_slot(const struct countmap_shard *sh, uint64_t h, uint64_t a, uint64_t b)
{
	size_t at = h & (sh->cap - 1);

	while (sh->counts[at] != 0 && (sh->keys[at].a != a || sh->keys[at].b != b))
		at = (at + 1) & (sh->cap - 1);
	return at;
}

static void
countmap_grow(struct countmap_shard *sh, size_t value_size)
{
	struct countmap_shard old = *sh;

	sh->cap = old.cap != 0 ? old.cap * 2 : 64;
	sh->keys = mem_alloc(sh->cap * sizeof(*sh->keys));
	sh->counts = mem_zalloc(sh->cap, 1);
	sh->values = value_size > 0 ? mem_alloc(sh->cap * value_size) : NULL;
	for (size_t i = 0; i < old.cap; i++) {
		if (old.counts[i] != 0) {
			size_t at = countmap_slot(sh, countmap_mix(old.keys[i].a, old.keys[i].b), old.keys[i].a, old.keys[i].b);

			sh->keys[at] = old.keys[i];
			sh->counts[at] = old.counts[i];
			if (value_size > 0)
				memcpy(sh->values + at * value_size, old.values + i * value_size, value_size);
		}
	}
	free(old.keys);
	free(old.counts);
	free(old.values);
}

static bool
countmap_is_small(const struct countmap *s, uint64_t a, uint64_t b)
{
	return s->small != NULL && b == 0 && a < COUNTMAP_SMALL;
}

static int
countmap_count_small(_Atomic uint8_t *count)
{
	uint8_t before = atomic_load_explicit(count, memory_order_relaxed);

	while (before < 2 && !atomic_compare_exchange_weak_explicit(count, &before, (uint8_t)(before + 1),
	                                                             memory_order_relaxed, memory_order_relaxed))
		;
	return before;
}

int
countmap_count(struct countmap *s, uint64_t a, uint64_t b)
{
	const uint64_t h = countmap_mix(a, b);
	struct countmap_shard *sh = &s->shards[h >> 58];
	size_t at;
	int before;

	if (countmap_is_small(s, a, b))
		return countmap_count_small(&s->small[a]);
	pthread_mutex_lock(&sh->lock);
	if ((sh->n + 1) * 4 > sh->cap * 3)
		countmap_grow(sh, s->value_size);
	at = countmap_slot(sh, h, a, b);
	before = sh->counts[at] & COUNTMAP_COUNT;
	if (before == 0) {
		sh->keys[at] = (struct countmap_key){ a, b };
		sh->n++;
	}
	if (before < 2)
		sh->counts[at]++;
	pthread_mutex_unlock(&sh->lock);
	return before;
}

int
countmap_get(struct countmap *s, uint64_t a, uint64_t b)
{
	const uint64_t h = countmap_mix(a, b);
	struct countmap_shard *sh = &s->shards[h >> 58];
	int count = 0;

	if (countmap_is_small(s, a, b))
		return atomic_load_explicit(&s->small[a], memory_order_relaxed);
	pthread_mutex_lock(&sh->lock);
	if (sh->cap != 0)
		count = sh->counts[countmap_slot(sh, h, a, b)] & COUNTMAP_COUNT;
	pthread_mutex_unlock(&sh->lock);
	return count;
}

bool
countmap_claim(struct countmap *s, uint64_t a, uint64_t b)
{
	const uint64_t h = countmap_mix(a, b);
	struct countmap_shard *sh = &s->shards[h >> 58];
	bool claimed;
	size_t at;

	pthread_mutex_lock(&sh->lock);
	at = countmap_slot(sh, h, a, b);
	claimed = (sh->counts[at] & COUNTMAP_CLAIMED) == 0;
	sh->counts[at] |= COUNTMAP_CLAIMED;
	pthread_mutex_unlock(&sh->lock);
	return claimed;
}

void
countmap_set(struct countmap *s, uint64_t a, uint64_t b, const void *value)
{
	const uint64_t h = countmap_mix(a, b);
	struct countmap_shard *sh = &s->shards[h >> 58];
	size_t at;

	pthread_mutex_lock(&sh->lock);
	at = countmap_slot(sh, h, a, b);
	memcpy(sh->values + at * s->value_size, value, s->value_size);
	sh->counts[at] |= COUNTMAP_HAS_VALUE;
	pthread_mutex_unlock(&sh->lock);
}

bool
countmap_value(struct countmap *s, uint64_t a, uint64_t b, void *value)
{
	const uint64_t h = countmap_mix(a, b);
	struct countmap_shard *sh = &s->shards[h >> 58];
	bool has = false;
	size_t at;

	pthread_mutex_lock(&sh->lock);
	if (sh->cap != 0) {
		at = countmap_slot(sh, h, a, b);
		has = (sh->counts[at] & COUNTMAP_HAS_VALUE) != 0;
		if (has)
			memcpy(value, sh->values + at * s->value_size, s->value_size);
	}
	pthread_mutex_unlock(&sh->lock);
	return has;
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
