/* SPDX-License-Identifier: MIT */
/*
 * trees/copy_locations answers for directories that could go.  Here no directory goes, and no
 * file is looked at: every name counts as present, except those that are not reliable.
 */
#include "base/base.h"

#include "browse/copies.h"

#include "query/dirtree.h"
#include "trees/contents_map.h"
#include "trees/copy_locations.h"
#include "trees/keepers.h"
#include "trees/stat_results.h"
#include "trees/removal.h"

struct copies {
	struct contents_map map;
	struct stat_results looks;
	struct keepers keepers;
	struct removal removal;
	struct removal_contents contents;   /* of the directory in hand */
	struct copy_locations cover;
};

int
copies_load(struct copies **result, struct index *ix, struct err *err)
{
	struct copies *c = mem_zalloc(1, sizeof(*c));

	if (contents_map_load(&c->map, ix, NULL, 0, err) < 0) {
		contents_map_release(&c->map);
		free(c);
		return -1;
	}
	/* A content with one name has no copy. */
	c->looks.wanted = mem_zalloc(c->map.n + 1, sizeof(*c->looks.wanted));
	for (size_t i = 0; i < c->map.n; i++)
		c->looks.wanted[i] = c->map.v[i].n > 1;
	c->looks.here = bits_new(c->map.n_names);
	memset(c->looks.here, 0xff, c->map.n_names / 8 + 1);
	keepers_load(&c->keepers, &c->map, NULL, 0);
	c->removal = (struct removal){ .m = &c->map, .l = &c->looks, .keepers = &c->keepers };
	removal_open(&c->removal);
	c->cover.r = &c->removal;
	*result = c;
	return 0;
}

void
copies_free(struct copies *c)
{
	if (c == NULL)
		return;
	copy_locations_release(&c->cover);
	vec_release(&c->contents);
	removal_release(&c->removal);
	stat_results_release(&c->looks);
	keepers_release(&c->keepers);
	contents_map_release(&c->map);
	free(c);
}

struct copies_answer *
copies_find(struct copies *c, const char *path)
{
	struct copies_answer *a = mem_zalloc(1, sizeof(*a));
	const uint32_t dir = dirtree_find(c->map.dirs, path);
	struct buf text = { 0 };
	size_t n = 0;

	if (dir == DIRTREE_NONE)
		return a;
	c->contents.n = 0;
	removal_list(&c->removal, dir, &c->contents);
	for (size_t i = 0; i < c->contents.n; i++) {
		if (c->contents.v[i].alone)
			continue;
		a->files += c->contents.v[i].files;
		c->contents.v[n++] = c->contents.v[i];
	}
	c->contents.n = n;
	copy_locations_find(&c->cover, dir, &c->contents);
	a->others = c->cover.elsewhere + c->cover.outside;
	for (size_t i = 0; i < c->cover.found.n; i++) {
		const struct copy_locations_place *found = &c->cover.found.v[i];

		buf_cut(&text, 0);
		dirtree_path(c->map.dirs, found->place / 2, &text);
		vec_push(&a->places, ((struct tree_place){ arena_str(&a->memory, buf_str(&text)), found->files, (found->place & 1) != 0 }));
	}
	buf_release(&text);
	return a;
}

void
copies_answer_free(struct copies_answer *a)
{
	if (a == NULL)
		return;
	vec_release(&a->places);
	arena_release(&a->memory);
	free(a);
}
