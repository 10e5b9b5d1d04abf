/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "archive/links.h"

struct links_member {
	uint8_t name[HASH_SIZE];
	struct links_content content;
};

static void
links_name(const struct links *l, const char *name, uint8_t hash[HASH_SIZE])
{
	struct content_sum *sum = content_sum_new(l->secret);

	content_sum_add(sum, name, strlen(name));
	content_sum_end(sum, hash);
}

/* The position of a name, or SIZE_MAX. */
static size_t
links_at(const struct links *l, const uint8_t name[HASH_SIZE])
{
	TABLE_EACH(i, &l->by_name, content_key(name)) {
		if (memcmp(l->all.v[i].name, name, HASH_SIZE) == 0)
			return i;
	}
	return SIZE_MAX;
}

void
links_add(struct links *l, const char *name, const struct links_content *content)
{
	struct links_member m = { .content = *content };
	size_t at;

	links_name(l, name, m.name);
	at = links_at(l, m.name);
	if (at != SIZE_MAX) {
		l->all.v[at] = m;
		return;
	}
	table_add(&l->by_name, content_key(m.name), l->all.n);
	vec_push(&l->all, m);
}

const struct links_content *
links_find(const struct links *l, const char *name)
{
	uint8_t hash[HASH_SIZE];
	size_t at;

	links_name(l, name, hash);
	at = links_at(l, hash);
	return at != SIZE_MAX ? &l->all.v[at].content : NULL;
}

void
links_release(struct links *l)
{
	vec_release(&l->all);
	table_release(&l->by_name);
}
