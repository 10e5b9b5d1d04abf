/* SPDX-License-Identifier: MIT */
/*
 * A table, and before it a set of bits (a Bloom filter with one hash).  Most
 * files that are asked for have no copies: the bits, which stay in the
 * processor's cache, tell that; table and groups are a cache miss each.
 */
#include <config.h>

#include "query/sets_groups.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/vec.h"
#include "db/stmt.h"
#include "index/file.h"
#include "sys/stop.h"

/* Bits for each group, at least: of files without copies, at most one in 24 gets past them. */
#define SETS_BITS 24

int
sets_groups_cmp(const void *a, const void *b)
{
	const struct sets_group *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return memcmp(x->hash, y->hash, HASH_SIZE);
}

int
sets_groups_load(struct sets_groups *g, struct db *db, int64_t min_size, sets_groups_name_fn *named, void *arg,
                 struct err *err)
{
	/* Both begin with size and hash. */
	struct stmt st = stmt_get(db, named != NULL ? SQL_FILE_CONTENTS : SQL_CONTENT_ALL, err);
	struct sets_group last = { .size = -1 };
	int ret;

	assert(min_size >= 1);
	stmt_int(&st, ":min_size", min_size);
	while ((ret = stmt_step(&st)) == 1) {
		const int64_t size = stmt_col_int(&st, 0);
		uint8_t hash[HASH_SIZE];

		ret = file_read_hash(&st, 1, hash, err);
		if (ret == 0)
			ret = stop_check(err);
		if (ret < 0)
			break;
		if (size != last.size || memcmp(hash, last.hash, HASH_SIZE) != 0) {
			last.size = size;
			last.n = 0;
			memcpy(last.hash, hash, HASH_SIZE);
		}
		if (++last.n == 2)
			vec_push(g, last);
		if (last.n >= 2)
			g->v[g->n - 1].n = last.n;
		if (named != NULL && named(arg, &st, last.n, err) < 0) {
			ret = -1;
			break;
		}
	}
	stmt_done(&st);
	return ret;
}

/* Where a hash is looked for among the bits: not by its bytes that are the table's key. */
static uint64_t
sets_groups_bit(const struct sets_groups *g, const uint8_t hash[HASH_SIZE])
{
	uint64_t bit;

	memcpy(&bit, hash + HASH_SIZE - sizeof(bit), sizeof(bit));
	return bit & g->bits_mask;
}

void
sets_groups_index(struct sets_groups *g)
{
	size_t n_bits = 1024;

	while (n_bits < g->n * SETS_BITS)
		n_bits *= 2;
	g->bits_mask = n_bits - 1;
	g->bits = bits_new(n_bits);
	table_reserve(&g->by_content, g->n);
	for (size_t i = 0; i < g->n; i++) {
		table_add(&g->by_content, content_key(g->v[i].hash), i);
		bits_set(g->bits, sets_groups_bit(g, g->v[i].hash), true);
	}
}

struct sets_group *
sets_groups_find(const struct sets_groups *g, int64_t size, const uint8_t hash[HASH_SIZE])
{
	assert(g->bits != NULL);
	if (!bits_has(g->bits, sets_groups_bit(g, hash)))
		return NULL;
	TABLE_EACH(i, &g->by_content, content_key(hash)) {
		if (g->v[i].size == size && memcmp(g->v[i].hash, hash, HASH_SIZE) == 0)
			return &g->v[i];
	}
	return NULL;
}

void
sets_groups_release(struct sets_groups *g)
{
	free(g->v);
	table_release(&g->by_content);
	free(g->bits);
	memset(g, 0, sizeof(*g));
}
