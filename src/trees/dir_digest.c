/* SPDX-License-Identifier: MIT */
/*
 * Sums over a subtree are plain sums over the tree if a thing that occurs several times is taken
 * off again where two neighbouring occurrences join (see query/usage.c): so each inode counts
 * once in bytes, and each content once in the digest of contents.
 *
 * The digest of names is a sum of hashes of (name, content) for the files and (name, digest) for
 * the subdirectories of a directory.  Hashes are keyed by the secret of the index: nobody
 * who chooses names and contents can make two sums agree.  Content numbers are those of this run.
 *
 * By name, the names of a content are split: each name that it has somewhere makes a content.
 */
#include "base/base.h"

#include "trees/dir_digest.h"

#include <xxhash.h>

#include "index/index.h"
#include "query/dirtree.h"
#include "sys/stop.h"

/* A name while it is loaded, to be split from its content's other names. */
struct dir_digest_name {
	uint64_t tag;            /* of the name's text */
	uint32_t content;
	struct contents_map_name name;
};

struct dir_digest_load {
	struct dir_digest *h;
	const uint8_t *secret;
	bool by_name;
	VEC(struct dir_digest_name) names;  /* all, by_name */
};

/* Hash text and a number. */
static struct dir_digest_digest
dir_digest_hash(const uint8_t *secret, const char *text, size_t len, struct dir_digest_digest number)
{
	char data[512];
	XXH128_hash_t h;

	/* No name is longer, unless somebody wrote it into the index; then its hash will do. */
	if (len > sizeof(data) - sizeof(number)) {
		h = XXH3_128bits_withSecret(text, len, secret, CONTENT_SECRET_SIZE);
		memcpy(data, &h, sizeof(h));
		len = sizeof(h);
	} else if (len > 0)
		memcpy(data, text, len);
	memcpy(data + len, &number, sizeof(number));
	h = XXH3_128bits_withSecret(data, len + sizeof(number), secret, CONTENT_SECRET_SIZE);
	return (struct dir_digest_digest){ h.low64, h.high64 };
}

static void
dir_digest_sum(struct dir_digest_digest *d, struct dir_digest_digest more)
{
	d->low += more.low;
	d->high += more.high;
}

/* contents_map_name_fn: add a file to the digest of its directory. */
static void
dir_digest_take(void *arg, uint32_t content, const struct contents_map_name *name, const char *text, size_t len)
{
	struct dir_digest_load *l = arg;
	struct dir_digest *h = l->h;
	const uint64_t tag = l->by_name ? XXH3_64bits_withSecret(text, len, l->secret, CONTENT_SECRET_SIZE) : 0;

	if (h->v == NULL) {
		h->n = dirtree_count(h->map.dirs);
		h->v = mem_zalloc(h->n, sizeof(*h->v));
	}
	dir_digest_sum(&h->v[name->dir].names, dir_digest_hash(l->secret, text, len, (struct dir_digest_digest){ content, 1 }));
	if (l->by_name)
		vec_push(&l->names, ((struct dir_digest_name){ tag, content, *name }));
}

static int
dir_digest_cmp_name(const void *a, const void *b)
{
	const struct dir_digest_name *x = a, *y = b;

	ORDER_CMP(x->content, y->content);
	ORDER_CMP(x->tag, y->tag);
	ORDER_CMP(x->name.dir, y->name.dir);
	ORDER_CMP(x->name.copy, y->name.copy);
	return 0;
}

/* Make a content of each name that a content has. */
static void
dir_digest_by_name(struct dir_digest_load *l)
{
	struct contents_map *m = &l->h->map;
	VEC(struct contents_map_content) split = { 0 };
	VEC(uint32_t) seen = { 0 };   /* by copy: one more than the split content that has it */

	if (l->names.n > 1)
		qsort(l->names.v, l->names.n, sizeof(*l->names.v), dir_digest_cmp_name);
	for (size_t i = 0; i < l->names.n; i++) {
		const struct dir_digest_name *n = &l->names.v[i];

		if (i == 0 || n[-1].content != n->content || n[-1].tag != n->tag) {
			struct contents_map_content c = m->v[n->content];

			c.first = (uint32_t)i;
			c.n = c.copies = 0;
			vec_push(&split, c);
		}
		m->names[i] = n->name;
		split.v[split.n - 1].n++;
		while (seen.n <= n->name.copy)
			vec_push(&seen, 0);
		if (seen.v[n->name.copy] != split.n) {
			seen.v[n->name.copy] = (uint32_t)split.n;
			split.v[split.n - 1].copies++;
		}
	}
	free(m->v);
	m->v = split.v;
	m->n = split.n;
	m->cap = split.cap;
	vec_release(&seen);
}

static int
dir_digest_cmp_copy(const void *a, const void *b)
{
	const struct contents_map_name *x = a, *y = b;

	ORDER_CMP(x->copy, y->copy);
	ORDER_CMP(x->dir, y->dir);
	return 0;
}

void
dir_digest_split(const struct dir_digest *h, uint32_t content, struct dir_digest_range names, struct dir_digest_parts *parts)
{
	const struct contents_map_content *c = &h->map.v[content];
	const struct contents_map_name *v = &h->map.names[names.from];
	const uint32_t n = names.to - names.from;
	struct contents_map_name *by_copy = NULL;

	parts->n = 0;
	if (c->copies < c->n && n > 1) {
		by_copy = mem_alloc(n * sizeof(*v));
		memcpy(by_copy, v, n * sizeof(*v));
		qsort(by_copy, n, sizeof(*by_copy), dir_digest_cmp_copy);
		v = by_copy;
	}
	for (uint32_t i = 0; i < n; i++) {
		vec_push(parts, ((struct dir_digest_part){ v[i].dir, (uint64_t)c->size }));
		if (by_copy != NULL && i > 0 && v[i - 1].copy == v[i].copy)
			vec_push(parts, ((struct dir_digest_part){ dirtree_common(h->map.dirs, v[i - 1].dir, v[i].dir), -(uint64_t)c->size }));
	}
	free(by_copy);
}

uint64_t
dir_digest_bytes(const struct dir_digest *h, uint32_t content, struct dir_digest_range names)
{
	const struct contents_map_content *c = &h->map.v[content];
	const uint32_t n = names.to - names.from;
	uint64_t copies = 0;
	uint32_t *v;

	if (c->copies == c->n || n < 2 || c->copies == 1)
		return (uint64_t)c->size * (c->copies == 1 && n > 0 ? 1 : n);
	v = mem_alloc(n * sizeof(*v));
	for (uint32_t i = 0; i < n; i++)
		v[i] = h->map.names[names.from + i].copy;
	qsort(v, n, sizeof(*v), order_cmp_uint32);
	for (uint32_t i = 0; i < n; i++)
		copies += i == 0 || v[i - 1] != v[i];
	free(v);
	return copies * (uint64_t)c->size;
}

struct dir_digest_range
dir_digest_below(const struct dir_digest *h, uint32_t content, uint32_t dir)
{
	const struct contents_map_content *c = &h->map.v[content];
	const struct contents_map_name *v = &h->map.names[c->first];
	const uint32_t end = dirtree_end(h->map.dirs, dir);
	uint32_t from, to;

	ORDER_FIRST(from, c->n, v[from].dir < dir);
	ORDER_FIRST(to, c->n, v[to].dir < end);
	return (struct dir_digest_range){ c->first + from, c->first + to };
}

bool
dir_digest_is_below(const struct dir_digest *h, uint32_t dir, uint32_t other)
{
	return dir >= other && dir < dirtree_end(h->map.dirs, other);
}

/* Add a content where it lies. */
static void
dir_digest_add_content(struct dir_digest *h, const uint8_t *secret, uint32_t content, struct dir_digest_parts *parts)
{
	const struct contents_map_content *c = &h->map.v[content];
	const struct contents_map_name *v = &h->map.names[c->first];
	const struct dir_digest_digest digest = dir_digest_hash(secret, "", 0, (struct dir_digest_digest){ content, 2 });

	for (uint32_t i = 0; i < c->n; i++) {
		struct holding *at = &h->v[v[i].dir];

		at->files++;
		at->links += c->copies < c->n;
		if (i > 0 && v[i - 1].dir == v[i].dir)
			continue;
		dir_digest_sum(&at->contents, digest);
		at->n_contents++;
		at->content_bytes += (uint64_t)c->size;
		if (i == 0)
			continue;
		at = &h->v[dirtree_common(h->map.dirs, v[i - 1].dir, v[i].dir)];
		dir_digest_sum(&at->contents, (struct dir_digest_digest){ -digest.low, -digest.high });
		at->n_contents--;
		at->content_bytes -= (uint64_t)c->size;
	}
	dir_digest_split(h, content, (struct dir_digest_range){ c->first, c->first + c->n }, parts);
	for (size_t i = 0; i < parts->n; i++)
		h->v[parts->v[i].dir].bytes += parts->v[i].bytes;
}

/* Add what lies below each directory; those below one have greater numbers. */
static void
dir_digest_add_up(struct dir_digest *h, const uint8_t *secret)
{
	for (uint32_t dir = h->n; dir-- > 1;) {
		const struct holding *at = &h->v[dir];
		struct holding *up = &h->v[dirtree_parent(h->map.dirs, dir)];
		const char *name = dirtree_name(h->map.dirs, dir);

		up->files += at->files;
		up->bytes += at->bytes;
		up->n_contents += at->n_contents;
		up->content_bytes += at->content_bytes;
		up->links += at->links;
		up->unjudged += at->unjudged;
		dir_digest_sum(&up->contents, at->contents);
		if (at->files > 0)
			dir_digest_sum(&up->names, dir_digest_hash(secret, name, strlen(name), at->names));
	}
}

/* Find the core of each directory; that of a subdirectory comes first. */
static void
dir_digest_find_cores(struct dir_digest *h)
{
	h->core = mem_alloc(h->n * sizeof(*h->core));
	for (uint32_t dir = 0; dir < h->n; dir++)
		h->core[dir] = dir;
	for (uint32_t dir = h->n; dir-- > 1;) {
		const uint32_t parent = dirtree_parent(h->map.dirs, dir);

		if (h->v[dir].files > 0 && h->v[dir].files == h->v[parent].files)
			h->core[parent] = h->core[dir];
	}
}

/* Find the twins of each directory. */
static void
dir_digest_find_twins(struct dir_digest *h)
{
	VEC(struct order) dirs = { 0 };

	h->twin = mem_alloc(h->n * sizeof(*h->twin));
	h->order = mem_alloc(h->n * sizeof(*h->order));
	h->at = mem_alloc(h->n * sizeof(*h->at));
	for (uint32_t dir = 0; dir < h->n; dir++) {
		h->twin[dir] = DIRTREE_NONE;
		if (h->v[dir].files > 0 && h->core[dir] == dir && dir >= h->root && dir < h->end && dirtree_id(h->map.dirs, dir) != 0)
			vec_push(&dirs, ((struct order){ h->v[dir].names.low, dir }));
	}
	if (dirs.n > 0)
		order_sort(dirs.v, dirs.n);
	for (size_t i = 0; i < dirs.n; i++) {
		const uint32_t dir = (uint32_t)dirs.v[i].pos, before = i > 0 ? h->order[i - 1] : dir;
		const bool same = h->v[dir].names.low == h->v[before].names.low && h->v[dir].names.high == h->v[before].names.high;

		h->order[i] = dir;
		h->at[dir] = (uint32_t)i;
		h->twin[dir] = i > 0 && same ? h->twin[before] : dir;
	}
	h->n_order = (uint32_t)dirs.n;
	vec_release(&dirs);
}

bool
dir_digest_are_twins(const struct dir_digest *h, uint32_t a, uint32_t b)
{
	return h->twin[a] != DIRTREE_NONE && h->twin[a] == h->twin[b];
}

uint32_t
dir_digest_twins(const struct dir_digest *h, uint32_t dir, uint32_t *first)
{
	uint32_t n = 0;

	*first = 0;
	if (h->twin[dir] == DIRTREE_NONE)
		return 0;
	*first = h->at[h->twin[dir]];
	while (*first + n < h->n_order && h->twin[h->order[*first + n]] == h->twin[dir])
		n++;
	return n;
}

int
dir_digest_load(struct dir_digest *h, struct index *ix, const char *const *exclude, size_t n, bool by_name, struct err *err)
{
	struct dir_digest_load l = { .h = h, .secret = ix->secret, .by_name = by_name };
	struct dir_digest_parts parts = { 0 };
	int ret;

	h->map.named = dir_digest_take;
	h->map.named_arg = &l;
	ret = contents_map_load(&h->map, ix, exclude, n, err);
	if (ret == 0 && h->v == NULL) {
		h->n = dirtree_count(h->map.dirs);
		h->v = mem_zalloc(h->n, sizeof(*h->v));
	}
	if (ret == 0 && by_name)
		dir_digest_by_name(&l);
	vec_release(&l.names);
	for (uint32_t c = 0; ret == 0 && c < h->map.n; c++) {
		dir_digest_add_content(h, l.secret, c, &parts);
		ret = stop_check(err);
	}
	vec_release(&parts);
	if (ret < 0)
		return -1;
	h->root = dirtree_find(h->map.dirs, "/");
	h->end = dirtree_end(h->map.dirs, h->root);
	for (uint32_t dir = 0; dir < h->n; dir++)
		h->v[dir].unjudged = h->map.in[dir].unread + (int64_t)h->map.in[dir].incomplete;
	dir_digest_add_up(h, l.secret);
	dir_digest_find_cores(h);
	dir_digest_find_twins(h);
	return 0;
}

void
dir_digest_release(struct dir_digest *h)
{
	contents_map_release(&h->map);
	free(h->v);
	free(h->core);
	free(h->twin);
	free(h->order);
	free(h->at);
	memset(h, 0, sizeof(*h));
}
