/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "trees/side_contents.h"

#include "index/fleeting.h"
#include "trees/side.h"

bool
side_holds(const struct side_file *f)
{
	return f->presence == PRESENCE_HERE || f->presence == PRESENCE_OFFLINE;
}

bool
side_is_known(const struct side_file *f)
{
	return side_holds(f) && (f->error == 0 || f->size == 0);
}

/*
 * Whether both are one inode: offline, its number may be another file's now, and so may it be on a
 * volume that is not known.
 */
static bool
side_same_inode(const struct side_file *a, const struct side_file *b)
{
	return a->presence == PRESENCE_HERE && b->presence == PRESENCE_HERE && a->inode.volume >= 0 && inode_same(a->inode, b->inode);
}

bool
side_equal(const struct side_file *a, const struct side_file *b)
{
	if (a->size != b->size)
		return false;
	return (a->has_hash && b->has_hash && memcmp(a->hash, b->hash, HASH_SIZE) == 0) || side_same_inode(a, b);
}

bool
side_differ(const struct side_file *a, const struct side_file *b)
{
	return a->size != b->size || (a->has_hash && b->has_hash) || (a->has_head && b->has_head && a->head != b->head);
}

static uint64_t
side_contents_hash(const struct side_file *f)
{
	return f->has_hash ? content_key(f->hash) : inode_hash(f->inode);
}

uint32_t
side_contents_find(const struct side *s, const struct side_contents *c, const struct side_file *f, unsigned why)
{
	TABLE_EACH(i, &c->first, side_contents_hash(f)) {
		if (side_equal(&s->files.v[i], f) && fleeting_keeps(s->reasons[s->files.v[i].dir], why))
			return (uint32_t)i;
	}
	return SIDE_NONE;
}

/* Whether nothing proves that a file without a hash differs from others of its size. */
static bool
side_contents_is_suspect(const struct side_file *f)
{
	return side_holds(f) && f->size > 0 && !f->has_hash && (f->error != 0 || f->unproven);
}

bool
side_any_suspect(const struct side *s)
{
	for (size_t i = 0; i < s->files.n; i++) {
		if (side_contents_is_suspect(&s->files.v[i]))
			return true;
	}
	return false;
}

/* By size, those without hash first, of these those without head first, then by head. */
static int
side_contents_cmp(const struct side_file *a, const struct side_file *b)
{
	ORDER_CMP(a->size, b->size);
	ORDER_CMP(a->has_hash, b->has_hash);
	ORDER_CMP(a->has_head, b->has_head);
	ORDER_CMP(a->head, b->head);
	return 0;
}

static int
side_contents_sort(const void *a, const void *b, void *files)
{
	const struct side_file *v = files;

	return side_contents_cmp(&v[*(const uint32_t *)a], &v[*(const uint32_t *)b]);
}

void
side_contents_load(struct side_contents *c, const struct side *s, bool suspects)
{
	table_reserve(&c->first, s->files.n);
	if (suspects)
		c->by_size = mem_alloc((s->files.n + 1) * sizeof(*c->by_size));
	for (size_t i = 0; i < s->files.n; i++) {
		const struct side_file *f = &s->files.v[i];
		const unsigned why = s->reasons[f->dir];

		/* That will be emptied: it is no copy. */
		if ((why & FLEETING_TRASH) != 0)
			continue;
		if (f->size > 0 && side_is_known(f) && side_contents_find(s, c, f, why) == SIDE_NONE)
			table_add(&c->first, side_contents_hash(f), i);
		if (suspects && f->size > 0 && side_holds(f) && (f->has_hash || side_contents_is_suspect(f)))
			c->by_size[c->n++] = (uint32_t)i;
	}
	if (c->n > 0)
		order_sort_by(c->by_size, c->n, sizeof(*c->by_size), side_contents_sort, s->files.v);
}

/* Whether a side has a file between two in the order of side_contents_cmp. */
static bool
side_contents_has(const struct side *s, const struct side_contents *c, struct side_file from, struct side_file to)
{
	size_t at;

	ORDER_FIRST(at, c->n, side_contents_cmp(&s->files.v[c->by_size[at]], &from) < 0);
	return at < c->n && side_contents_cmp(&s->files.v[c->by_size[at]], &to) <= 0;
}

bool
side_contents_maybe(const struct side *s, const struct side_contents *c, const struct side_file *f)
{
	for (int hashed = 0; hashed <= (side_contents_is_suspect(f) ? 1 : 0); hashed++) {
		struct side_file from = { .size = f->size, .has_hash = hashed == 1 }, to = from;

		from.head = INT64_MIN;
		to.head = INT64_MAX;
		to.has_head = !f->has_head;
		if (side_contents_has(s, c, from, to))
			return true;
		from.has_head = to.has_head = true;
		from.head = to.head = f->head;
		if (f->has_head && side_contents_has(s, c, from, to))
			return true;
	}
	return false;
}

void
side_contents_release(struct side_contents *c)
{
	table_release(&c->first);
	free(c->by_size);
	*c = (struct side_contents){ .n = 0 };
}
