/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/answer_sort.h"

#include "query/answer.h"

const char *const answer_sort_order_names[] = { "name", "size", "redundant", "time", NULL };

struct answer_sort {
	VEC(struct file_answer) answers;
	struct arena kept;        /* what they point to */
	const char *last_why;     /* in kept: files in a row mostly have the same, kept once */
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
	vec_release(&as->answers);
	arena_release(&as->kept);
	free(as);
}

void
answer_sort_copy(struct file_answer *copy, const struct file_answer *a, struct arena *kept)
{
	*copy = *a;
	copy->path = arena_str(kept, a->path);
	if (a->hash != NULL)
		copy->hash = memcpy(arena_alloc(kept, HASH_SIZE), a->hash, HASH_SIZE);
	if (a->told_with != NULL)
		copy->told_with = arena_str(kept, a->told_with);
	if (a->n_members > 0) {
		struct member *members = arena_alloc(kept, a->n_members * sizeof(*members));

		for (size_t i = 0; i < a->n_members; i++) {
			members[i] = a->members[i];
			members[i].path = arena_str(kept, a->members[i].path);
		}
		copy->members = members;
	}
}

void
answer_sort_add(struct answer_sort *as, const struct file_answer *a)
{
	struct file_answer *kept = vec_add(&as->answers);

	answer_sort_copy(kept, a, &as->kept);
	if (a->why != NULL && (as->last_why == NULL || strcmp(as->last_why, a->why) != 0))
		as->last_why = arena_str(&as->kept, a->why);
	if (a->why != NULL)
		kept->why = as->last_why;
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
	const size_t n = as->answers.n;
	struct answer_sort_key *keys = mem_zalloc(n + 1, sizeof(*keys));
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		const struct file_answer *a = &as->answers.v[i];

		keys[i] = (struct answer_sort_key){ answer_sort_value(a, order), order == ANSWER_SORT_TIME ? a->mtime.nsec : 0, a, i };
	}
	if (order != ANSWER_SORT_NAME)
		qsort(keys, n, sizeof(*keys), answer_sort_cmp);
	for (size_t i = 0; ret == 0 && i < n; i++)
		ret = fn(arg, keys[reverse ? n - 1 - i : i].a);
	free(keys);
	return ret;
}
