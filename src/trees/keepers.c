/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "trees/keepers.h"

#include "query/dirtree.h"
#include "trees/contents_map.h"

void
keepers_load(struct keepers *k, const struct contents_map *m, const char *const *in, size_t n)
{
	if (n > 0)
		k->counts = mem_zalloc(dirtree_count(m->dirs), sizeof(*k->counts));
	for (size_t i = 0; i < n; i++) {
		const uint32_t dir = dirtree_find(m->dirs, in[i]);

		if (dir != DIRTREE_NONE)
			memset(k->counts + dir, true, dirtree_end(m->dirs, dir) - dir);
	}
	k->why = dirtree_reasons(m->dirs, in, n);
	k->lasting = mem_alloc(m->n + 1);
	for (size_t i = 0; i < m->n; i++) {
		const struct contents_map_content *c = &m->v[i];
		unsigned common = ~0U;

		for (uint32_t at = c->first; at < c->first + c->n; at++)
			common &= dirtree_fleeting(m->dirs, m->names[at].dir);
		k->lasting[i] = (uint8_t)(common & ~(unsigned)FLEETING_TRASH);
	}
}

void
keepers_release(struct keepers *k)
{
	free(k->counts);
	free(k->why);
	free(k->lasting);
}

unsigned
keepers_beside(const struct keepers *k, const struct contents_map *m, size_t content, const bool *asked)
{
	const struct contents_map_content *c = &m->v[content];
	uint32_t copy = UINT32_MAX;
	bool is_asked = asked == NULL;
	unsigned why = 0;

	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		const struct contents_map_name *n = &m->names[i];

		if (!fleeting_keeps(k->why[n->dir], k->lasting[content])) {
			why |= k->why[n->dir] & ~(unsigned)k->lasting[content];
			continue;
		}
		if (copy != UINT32_MAX && copy != n->copy)
			return 0;
		copy = n->copy;
		is_asked = is_asked || asked[n->dir];
	}
	return is_asked && copy != UINT32_MAX ? why : 0;
}
