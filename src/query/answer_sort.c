/* SPDX-License-Identifier: MIT */
/*
 * Strings and hashes lie in one buffer, members in one array.  Both move
 * while they grow, so answers keep offsets until all are there.
 */
#include <config.h>

#include "query/answer_sort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "query/answer.h"

const char *const answer_sort_order_names[] = { "name", "size", "redundant", "time", NULL };

/* An answer, and where in the memory of all what it points to is; valid where its pointer is not NULL. */
struct answer_sort_item {
	struct file_answer a;
	size_t path, why, hash, members;
};

struct answer_sort {
	VEC(struct answer_sort_item) items;
	VEC(struct member) members;
	VEC(size_t) paths;        /* of the members */
	struct buf bytes;
	size_t last_why;          /* few reasons are given for many files: the last one is kept once */
	bool has_why;
};

/* What orders an answer. */
struct answer_sort_key {
	int64_t value;
	int32_t nsec;        /* and then by this, where value is a time */
	const struct file_answer *a;
	size_t at;
};

struct answer_sort *
answer_sort_new(void)
{
	return mem_zalloc(1, sizeof(struct answer_sort));
}

void
answer_sort_free(struct answer_sort *as)
{
	if (as == NULL)
		return;
	vec_release(&as->items);
	vec_release(&as->members);
	vec_release(&as->paths);
	buf_release(&as->bytes);
	free(as);
}

static size_t
answer_sort_keep(struct answer_sort *as, const void *data, size_t len)
{
	const size_t at = as->bytes.len;

	buf_add(&as->bytes, data, len);
	return at;
}

static size_t
answer_sort_keep_why(struct answer_sort *as, const char *why)
{
	if (!as->has_why || strcmp(as->bytes.data + as->last_why, why) != 0)
		as->last_why = answer_sort_keep(as, why, strlen(why) + 1);
	as->has_why = true;
	return as->last_why;
}

void
answer_sort_add(struct answer_sort *as, const struct file_answer *a)
{
	struct answer_sort_item item = { .a = *a, .members = as->members.n };

	item.path = answer_sort_keep(as, a->path, strlen(a->path) + 1);
	if (a->why != NULL)
		item.why = answer_sort_keep_why(as, a->why);
	if (a->hash != NULL)
		item.hash = answer_sort_keep(as, a->hash, HASH_SIZE);
	for (size_t i = 0; i < a->n_members; i++) {
		vec_push(&as->members, a->members[i]);
		vec_push(&as->paths, answer_sort_keep(as, a->members[i].path, strlen(a->members[i].path) + 1));
	}
	vec_push(&as->items, item);
}

/* Nothing moves any more: let all pointers point to what was kept. */
static void
answer_sort_settle(struct answer_sort *as)
{
	for (size_t i = 0; i < as->members.n; i++)
		as->members.v[i].path = as->bytes.data + as->paths.v[i];
	for (size_t i = 0; i < as->items.n; i++) {
		struct answer_sort_item *item = &as->items.v[i];

		item->a.path = as->bytes.data + item->path;
		if (item->a.why != NULL)
			item->a.why = as->bytes.data + item->why;
		if (item->a.hash != NULL)
			item->a.hash = (const uint8_t *)as->bytes.data + item->hash;
		if (item->a.n_members > 0)
			item->a.members = as->members.v + item->members;
	}
}

static int64_t
answer_sort_value(const struct file_answer *a, enum answer_sort_order order)
{
	switch (order) {
	case ANSWER_SORT_SIZE:
		return a->size;
	case ANSWER_SORT_REDUNDANT:
		return file_redundant(a);
	case ANSWER_SORT_TIME:
		/* Without a size nothing is known but that it is there. */
		return a->size < 0 ? INT64_MIN : a->mtime.sec;
	default:
		return 0;
	}
}

static int
answer_sort_cmp(const void *a, const void *b)
{
	const struct answer_sort_key *x = a, *y = b;
	int cmp;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	if (x->nsec != y->nsec)
		return x->nsec > y->nsec ? -1 : 1;
	cmp = strcmp(x->a->path, y->a->path);
	/* The same path twice, if it was asked for twice. */
	return cmp != 0 ? cmp : x->at < y->at ? -1 : x->at > y->at;
}

int
answer_sort_each(struct answer_sort *as, enum answer_sort_order order, bool reverse, answer_sort_fn *fn, void *arg)
{
	const size_t n = as->items.n;
	struct answer_sort_key *keys = mem_zalloc(n + 1, sizeof(*keys));
	int ret = 0;

	answer_sort_settle(as);
	for (size_t i = 0; i < n; i++)
		keys[i] = (struct answer_sort_key){ answer_sort_value(&as->items.v[i].a, order),
		                                order == ANSWER_SORT_TIME ? as->items.v[i].a.mtime.nsec : 0, &as->items.v[i].a, i };
	if (order != ANSWER_SORT_NAME)
		qsort(keys, n, sizeof(*keys), answer_sort_cmp);
	for (size_t i = 0; ret == 0 && i < n; i++)
		ret = fn(arg, keys[reverse ? n - 1 - i : i].a);
	free(keys);
	return ret;
}
