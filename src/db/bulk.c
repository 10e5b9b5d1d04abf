/* SPDX-License-Identifier: MIT */
/*
 * Indexes, and tables without rowids, are trees.  Their entries fill leaves from the left to the right, but
 * one between two leaves goes up: it divides them in the level above, whose
 * pages hold such entries each behind the number of the page to its left.  That level
 * again gives up an entry between two of its pages, until one page is enough.
 *
 * Leaves are full, as they are when SQLite itself is given entries in order.
 * Some are written at a time; the levels above wait in memory for the end: of
 * entries of 60 bytes they have one in 120.
 */
#include <config.h>

#include "db/bulk.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/vec.h"
#include "db/pages.h"

/* Leaves that are written at a time. */
#define BULK_LEAVES 512

/* What a page begins with ("B-tree Pages"): its type, and where its header has what. */
#define BULK_LEAF 10
#define BULK_INTERIOR 2
#define BULK_N_CELLS 3
#define BULK_CELLS_AT 5
#define BULK_RIGHTMOST 8
#define BULK_LEAF_HEADER 8
#define BULK_INTERIOR_HEADER 12
/* The place of a cell, in its page, and the number of the page to its left, in an interior cell. */
#define BULK_PLACE 2
#define BULK_CHILD 4

/* An entry that divides two pages. */
struct bulk_divider {
	size_t at, len;          /* its cell in bulk.cells */
};

/* The pages of one level above the leaves. */
struct bulk_level {
	VEC(size_t) first;       /* the first divider of each page, and one more: that before the next page's first is given up */
	VEC(struct bulk_divider) dividers;
};

struct bulk {
	struct pages pages;
	uint8_t *leaves;         /* that are not written yet; the last one is being filled */
	size_t n_leaves;
	size_t spare;            /* bytes of the last one that stay free */
	VEC(uint32_t) children;  /* numbers of the leaves that are written */
	VEC(struct bulk_divider) dividers;
	struct buf cells;
	uint8_t cell[RECORD_CELL];
};

static void
bulk_put(uint8_t *to, size_t bytes, uint64_t value)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static size_t
bulk_get16(const uint8_t *from)
{
	return (size_t)from[0] << 8 | from[1];
}

static size_t
bulk_header(const uint8_t *page)
{
	return page[0] == BULK_LEAF ? BULK_LEAF_HEADER : BULK_INTERIOR_HEADER;
}

static void
bulk_page_start(const struct bulk *b, uint8_t *page, uint8_t type)
{
	memset(page, 0, b->pages.size);
	page[0] = type;
	bulk_put(page + BULK_CELLS_AT, BULK_PLACE, b->pages.size);
}

/* Room for a cell and its place. */
static size_t
bulk_page_room(const uint8_t *page)
{
	return bulk_get16(page + BULK_CELLS_AT) - bulk_header(page) - BULK_PLACE * bulk_get16(page + BULK_N_CELLS);
}

/* Append a cell to a page that has room for it; in an interior one, behind the number of a child. */
static void
bulk_page_add(uint8_t *page, uint32_t child, const void *cell, size_t len)
{
	const size_t n = bulk_get16(page + BULK_N_CELLS), header = bulk_header(page);
	const size_t all = len + (page[0] == BULK_LEAF ? 0 : BULK_CHILD), at = bulk_get16(page + BULK_CELLS_AT) - all;

	if (page[0] != BULK_LEAF)
		bulk_put(page + at, BULK_CHILD, child);
	memcpy(page + at + all - len, cell, len);
	bulk_put(page + header + BULK_PLACE * n, BULK_PLACE, at);
	bulk_put(page + BULK_N_CELLS, BULK_PLACE, n + 1);
	bulk_put(page + BULK_CELLS_AT, BULK_PLACE, at);
}

static uint8_t *
bulk_leaf(struct bulk *b, size_t i)
{
	return b->leaves + i * b->pages.size;
}

int
bulk_new(struct bulk **bulk, struct db *db, struct err *err)
{
	struct pages pages;
	struct bulk *b;
	int ret = pages_open(&pages, db, err);

	if (ret <= 0)
		return ret;
	b = mem_zalloc(1, sizeof(*b));
	b->pages = pages;
	/* One is kept back: an entry of it may have to move on. */
	b->leaves = mem_alloc((BULK_LEAVES + 1) * b->pages.size);
	b->n_leaves = 1;
	bulk_page_start(b, b->leaves, BULK_LEAF);
	*bulk = b;
	return 1;
}

void
bulk_free(struct bulk *b)
{
	if (b == NULL)
		return;
	pages_release(&b->pages);
	free(b->leaves);
	vec_release(&b->children);
	vec_release(&b->dividers);
	buf_release(&b->cells);
	free(b);
}

/* Write the first n leaves, to the reserved pages from first on. */
static int
bulk_write_leaves(struct bulk *b, size_t first, size_t n, struct err *err)
{
	if (n > 0 && pages_fill(&b->pages, first, n, b->leaves, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		vec_push(&b->children, b->pages.numbers[first + i]);
	b->n_leaves -= n;
	memmove(b->leaves, bulk_leaf(b, n), b->n_leaves * b->pages.size);
	return 0;
}

static void
bulk_divide(struct bulk *b, const void *cell, size_t len)
{
	vec_push(&b->dividers, ((struct bulk_divider){ b->cells.len, len }));
	buf_add(&b->cells, cell, len);
}

bool
bulk_fits(const struct bulk *b, const struct record *r)
{
	/* What is longer does not lie in one piece ("Cell Payload Overflow Pages"). */
	return !r->too_long && r->head_len + r->body_len <= (b->pages.size - 12) * 64 / 255 - 23;
}

int
bulk_add(struct bulk *b, const struct record *r, size_t spare, struct err *err)
{
	const size_t len = record_cell(r, b->cell);
	uint8_t *leaf = bulk_leaf(b, b->n_leaves - 1);

	if (!bulk_fits(b, r))
		return err_set(err, ERR_DB, "make an index: an entry of %zu bytes is too long", len);
	b->spare += spare;
	if (bulk_page_room(leaf) >= len + BULK_PLACE + b->spare) {
		bulk_page_add(leaf, 0, b->cell, len);
		return 0;
	}
	b->spare = 0;
	bulk_divide(b, b->cell, len);
	if (b->n_leaves == BULK_LEAVES + 1 &&
	    (pages_reserve(&b->pages, BULK_LEAVES, err) < 0 || bulk_write_leaves(b, 0, BULK_LEAVES, err) < 0 ||
	     pages_let_go(&b->pages, err) < 0))
		return -1;
	bulk_page_start(b, bulk_leaf(b, b->n_leaves++), BULK_LEAF);
	return 0;
}

/* Behind the last divider there must be a leaf with an entry: it becomes that one, and the last of the leaf before divides. */
static void
bulk_fill_last(struct bulk *b)
{
	uint8_t *last = bulk_leaf(b, b->n_leaves - 1), *before = last - b->pages.size;
	struct bulk_divider *d = b->dividers.n > 0 ? &b->dividers.v[b->dividers.n - 1] : NULL;
	size_t at, len, n;

	if (d == NULL || bulk_get16(last + BULK_N_CELLS) > 0)
		return;
	bulk_page_add(last, 0, b->cells.data + d->at, d->len);
	/* The last cell of a page begins it, and ends where the one before begins. */
	n = bulk_get16(before + BULK_N_CELLS) - 1;
	at = bulk_get16(before + BULK_CELLS_AT);
	len = bulk_get16(before + BULK_LEAF_HEADER + BULK_PLACE * (n - 1)) - at;
	b->dividers.n--;
	buf_cut(&b->cells, d->at);
	bulk_divide(b, before + at, len);
	bulk_put(before + BULK_N_CELLS, BULK_PLACE, n);
	bulk_put(before + BULK_CELLS_AT, BULK_PLACE, at + len);
}

/* Divide a level's entries among pages.  Those that it gives up are the next level's. */
static void
bulk_lay_out(const struct bulk *b, struct bulk_level *level, struct bulk_level *next)
{
	const size_t n = level->dividers.n;

	for (size_t i = 0; i < n; i++) {
		size_t room = b->pages.size - BULK_INTERIOR_HEADER, cost;

		vec_push(&level->first, i);
		for (; i < n && (cost = BULK_PLACE + BULK_CHILD + level->dividers.v[i].len) <= room; i++)
			room -= cost;
		/* Another page must not be empty. */
		if (i == n - 1)
			i--;
		if (i < n)
			vec_push(&next->dividers, level->dividers.v[i]);
	}
	vec_push(&level->first, n + 1);
}

/* Write a level's pages, and put their numbers in the place of those of their children. */
static int
bulk_write_level(struct bulk *b, const struct bulk_level *level, size_t reserved, struct err *err)
{
	uint8_t *page = mem_alloc(b->pages.size);
	int ret = 0;

	for (size_t i = 0; ret == 0 && i + 1 < level->first.n; i++) {
		const size_t end = level->first.v[i + 1] - 1;

		bulk_page_start(b, page, BULK_INTERIOR);
		for (size_t j = level->first.v[i]; j < end; j++)
			bulk_page_add(page, b->children.v[j], b->cells.data + level->dividers.v[j].at, level->dividers.v[j].len);
		bulk_put(page + BULK_RIGHTMOST, BULK_CHILD, b->children.v[end]);
		ret = pages_fill(&b->pages, reserved + i, 1, page, err);
		b->children.v[i] = b->pages.numbers[reserved + i];
	}
	free(page);
	return ret;
}

/* Write what is left of the leaves, and the levels above them: the last page is the root, the first that was reserved. */
static int
bulk_write_rest(struct bulk *b, struct bulk_level *levels, size_t n_levels, size_t n_pages, struct err *err)
{
	size_t at = 1;

	if (pages_reserve(&b->pages, n_pages, err) < 0)
		return -1;
	if (n_levels == 0)
		return bulk_write_leaves(b, 0, 1, err);
	n_pages = b->n_leaves;
	if (bulk_write_leaves(b, at, n_pages, err) < 0)
		return -1;
	for (size_t i = 0; i < n_levels; i++) {
		at += n_pages;
		n_pages = levels[i].first.n - 1;
		if (bulk_write_level(b, &levels[i], i + 1 < n_levels ? at : 0, err) < 0)
			return -1;
	}
	return 0;
}

/* Write all that is not written yet. */
static int
bulk_finish(struct bulk *b, struct err *err)
{
	VEC(struct bulk_level) levels = { 0 };
	size_t n_pages;
	int ret;

	bulk_fill_last(b);
	n_pages = b->n_leaves;
	memset(vec_add(&levels), 0, sizeof(*levels.v));
	levels.v[0].dividers.v = b->dividers.v;
	levels.v[0].dividers.n = b->dividers.n;
	memset(&b->dividers, 0, sizeof(b->dividers));
	while (levels.v[levels.n - 1].dividers.n > 0) {
		memset(vec_add(&levels), 0, sizeof(*levels.v));
		bulk_lay_out(b, &levels.v[levels.n - 2], &levels.v[levels.n - 1]);
		n_pages += levels.v[levels.n - 2].first.n - 1;
	}
	ret = bulk_write_rest(b, levels.v, levels.n - 1, n_pages, err);
	for (size_t i = 0; i < levels.n; i++) {
		vec_release(&levels.v[i].first);
		vec_release(&levels.v[i].dividers);
	}
	vec_release(&levels);
	return ret;
}

int
bulk_finish_index(struct bulk *b, const char *name, enum sql_id create, struct err *err)
{
	return bulk_finish(b, err) < 0 ? -1 : pages_become_index(&b->pages, name, create, err);
}

int
bulk_finish_file(struct bulk *b, struct err *err)
{
	return bulk_finish(b, err) < 0 ? -1 : pages_become_file(&b->pages, err);
}
