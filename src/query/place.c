/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/place.h"

#include <xxhash.h>

#include "index/index.h"

int
places_open(struct places *p, struct index *ix, const char *const *dirs, size_t n, struct err *err)
{
	p->dirs = dirs;
	for (size_t i = 0; i < n; i++)
		pathset_add(&p->asked, dirs[i], i);
	pathset_sort(&p->asked);
	return roots_load(&p->roots, ix->db, err);
}

void
places_release(struct places *p)
{
	vec_release(&p->v);
	pathset_release(&p->asked);
	roots_release(&p->roots);
	table_release(&p->by_path);
	buf_release(&p->dir);
	arena_release(&p->memory);
}

/* The number of the place that is the first len bytes of path. */
static uint32_t
place_number(struct places *p, const char *path, size_t len, bool own, bool asked)
{
	const uint64_t hash = XXH3_64bits(path, len) ^ own;
	uint32_t number;

	TABLE_EACH(i, &p->by_path, hash) {
		if (p->v.v[i].own == own && strncmp(p->v.v[i].path, path, len) == 0 && p->v.v[i].path[len] == '\0')
			return (uint32_t)i;
	}
	number = (uint32_t)p->v.n;
	vec_push(&p->v, ((struct place){ arena_dup(&p->memory, path, len), own, asked, number }));
	table_add(&p->by_path, hash, number);
	return number;
}

struct place_found
places_of(struct places *p, const char *dir, size_t len)
{
	struct place_found found = { .hidden = false };
	const char *path, *base, *rest, *name;
	size_t path_len, name_len, number;
	const struct root *root;
	bool asked;

	assert(len > 0 && dir[len - 1] == '/');
	buf_cut(&p->dir, 0);
	buf_add(&p->dir, dir, len > 1 ? len - 1 : len);
	path = buf_str(&p->dir);
	path_len = p->dir.len;
	asked = pathset_above(&p->asked, path, &path_len, &number);
	root = asked ? NULL : roots_above(&p->roots, path);
	base = asked ? p->dirs[number] : root != NULL ? root->path : "/";
	rest = path_below(path, base);
	assert(rest != NULL);
	found.place = *rest == '\0' ? place_number(p, base, strlen(base), true, asked) :
	              place_number(p, path, (size_t)(rest - path) + strcspn(rest, "/"), false, asked);
	if (asked) {
		const uint32_t whole = place_number(p, base, strlen(base), false, true);

		p->v.v[found.place].whole = whole;
	}
	while (path_next(&rest, &name, &name_len))
		found.hidden |= name[0] == '.';
	return found;
}
