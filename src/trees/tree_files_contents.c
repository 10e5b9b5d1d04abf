/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "trees/tree_files_contents.h"

#include "index/fleeting.h"
#include "trees/tree_files.h"

bool
tree_files_holds(const struct tree_files_file *f)
{
	return f->presence == PRESENCE_HERE || f->presence == PRESENCE_OFFLINE;
}

bool
tree_files_is_known(const struct tree_files_file *f)
{
	return tree_files_holds(f) && (f->error == 0 || f->size == 0);
}

bool
tree_files_equal(const struct tree_files_file *a, const struct tree_files_file *b)
{
	/* Offline, or on an unknown volume, the inode number may be that of another file now. */
	const bool numbers = a->presence == PRESENCE_HERE && b->presence == PRESENCE_HERE && a->inode.volume >= 0;

	if (a->size != b->size)
		return false;
	return (a->has_hash && b->has_hash && memcmp(a->hash, b->hash, HASH_SIZE) == 0) || (numbers && inode_same(a->inode, b->inode));
}

bool
tree_files_differ(const struct tree_files_file *a, const struct tree_files_file *b)
{
	return a->size != b->size || (a->has_hash && b->has_hash) || (a->has_head && b->has_head && a->head != b->head);
}

static uint64_t
tree_files_contents_hash(const struct tree_files_file *f)
{
	return f->has_hash ? content_key(f->hash) : inode_hash(f->inode);
}

uint32_t
tree_files_contents_find(const struct tree_files *s, const struct tree_files_contents *c, const struct tree_files_file *f, unsigned why)
{
	TABLE_EACH(i, &c->first, tree_files_contents_hash(f)) {
		if (tree_files_equal(&s->files.v[i], f) && fleeting_keeps(s->reasons[s->files.v[i].dir], why))
			return (uint32_t)i;
	}
	return TREE_FILES_NONE;
}

/* Whether nothing proves that a file without a hash differs from others of its size. */
static bool
tree_files_contents_is_suspect(const struct tree_files_file *f)
{
	return tree_files_holds(f) && f->size > 0 && !f->has_hash && (f->error != 0 || f->unproven);
}

bool
tree_files_any_suspect(const struct tree_files *s)
{
	for (size_t i = 0; i < s->files.n; i++) {
		if (tree_files_contents_is_suspect(&s->files.v[i]))
			return true;
	}
	return false;
}

/* By size, those without hash first, of these those without head first, then by head. */
static int
tree_files_contents_cmp(const struct tree_files_file *a, const struct tree_files_file *b)
{
	ORDER_CMP(a->size, b->size);
	ORDER_CMP(a->has_hash, b->has_hash);
	ORDER_CMP(a->has_head, b->has_head);
	ORDER_CMP(a->head, b->head);
	return 0;
}

static int
tree_files_contents_sort(const void *a, const void *b, void *files)
{
	const struct tree_files_file *v = files;

	return tree_files_contents_cmp(&v[*(const uint32_t *)a], &v[*(const uint32_t *)b]);
}

void
tree_files_contents_load(struct tree_files_contents *c, const struct tree_files *s, bool suspects)
{
	table_reserve(&c->first, s->files.n);
	if (suspects)
		c->by_size = mem_alloc((s->files.n + 1) * sizeof(*c->by_size));
	for (size_t i = 0; i < s->files.n; i++) {
		const struct tree_files_file *f = &s->files.v[i];
		const unsigned why = s->reasons[f->dir];

		/* That will be emptied: it is no copy. */
		if ((why & FLEETING_TRASH) != 0)
			continue;
		if (f->size > 0 && tree_files_is_known(f) && tree_files_contents_find(s, c, f, why) == TREE_FILES_NONE)
			table_add(&c->first, tree_files_contents_hash(f), i);
		if (suspects && f->size > 0 && tree_files_holds(f) && (f->has_hash || tree_files_contents_is_suspect(f)))
			c->by_size[c->n++] = (uint32_t)i;
	}
	if (c->n > 0)
		order_sort_by(c->by_size, c->n, sizeof(*c->by_size), tree_files_contents_sort, s->files.v);
}

/* Whether a side has a file between two in the order of tree_files_contents_cmp. */
static bool
tree_files_contents_has(const struct tree_files *s, const struct tree_files_contents *c, struct tree_files_file from, struct tree_files_file to)
{
	size_t at;

	ORDER_FIRST(at, c->n, tree_files_contents_cmp(&s->files.v[c->by_size[at]], &from) < 0);
	return at < c->n && tree_files_contents_cmp(&s->files.v[c->by_size[at]], &to) <= 0;
}

bool
tree_files_contents_maybe(const struct tree_files *s, const struct tree_files_contents *c, const struct tree_files_file *f)
{
	for (int hashed = 0; hashed <= (tree_files_contents_is_suspect(f) ? 1 : 0); hashed++) {
		struct tree_files_file from = { .size = f->size, .has_hash = hashed == 1 }, to = from;

		from.head = INT64_MIN;
		to.head = INT64_MAX;
		to.has_head = !f->has_head;
		if (tree_files_contents_has(s, c, from, to))
			return true;
		from.has_head = to.has_head = true;
		from.head = to.head = f->head;
		if (f->has_head && tree_files_contents_has(s, c, from, to))
			return true;
	}
	return false;
}

void
tree_files_contents_release(struct tree_files_contents *c)
{
	table_release(&c->first);
	free(c->by_size);
	*c = (struct tree_files_contents){ .n = 0 };
}
