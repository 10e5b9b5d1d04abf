/* SPDX-License-Identifier: MIT */
/*
 * Hides the form of a b-tree of entries ("B-tree Pages").  An index, or a table without rowids,
 * is a tree in which each entry stands once.  Entries fill leaves from the left to the right, but
 * the one between two leaves is a divider: it goes up to the level above, whose pages hold each
 * divider behind the number of the page to its left.  That level again gives up the divider
 * between two of its pages, until one page is enough: the root.
 *
 * struct btree collects entries: BTREE_LEAVES leaves are written at a time, all dividers wait in
 * memory for the end (one entry of 60 bytes in 120).  struct btree_level is one level above the
 * leaves, laid out when all dividers are known.  Leaves are full, as when SQLite inserts entries
 * in order.
 *
 * Invariants: there is one divider less than leaves; each leaf but a lone one has an entry, each
 * page above has a divider; a written leaf does not change.  One thread uses a tree.
 */
#include "base/base.h"

#include "bulk/btree.h"

#include "bulk/pages.h"
#include "db/db.h"
#include "db/stmt.h"

/* Leaves that are written at a time. */
#define BTREE_LEAVES 128

/* The header of a page ("B-tree Pages"): its type, and the offsets of its fields. */
#define BTREE_LEAF 10
#define BTREE_INTERIOR 2
#define BTREE_N_CELLS 3
#define BTREE_CELLS_AT 5
#define BTREE_RIGHTMOST 8
#define BTREE_LEAF_HEADER 8
#define BTREE_INTERIOR_HEADER 12
/* Bytes of a cell's offset in its page, and of the left page's number in an interior cell. */
#define BTREE_PLACE 2
#define BTREE_CHILD 4
/* Most levels above the leaves of any tree: a page of 8 KiB has more than three children. */
#define BTREE_LEVELS 20

/* An entry that divides two pages. */
struct btree_divider {
	size_t at, len;          /* its cell in btree.cells */
};

/* The pages of one level above the leaves. */
struct btree_level {
	/* The first divider of each page, and one more.  The one before the next page's goes up. */
	VEC(size_t) first;
	VEC(struct btree_divider) dividers;
};

struct btree {
	struct pages pages;
	uint8_t *leaves;         /* not written yet; the last one is being filled */
	size_t n_leaves;
	size_t spare;            /* bytes of the last one that stay free */
	int64_t n;               /* entries that were added */
	VEC(uint32_t) children;  /* numbers of the leaves that are written */
	VEC(struct btree_divider) dividers;
	struct buf cells;
	uint8_t cell[RECORD_CELL];
};

static void
btree_put(uint8_t *to, size_t bytes, uint64_t value)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static size_t
btree_get16(const uint8_t *from)
{
	return (size_t)from[0] << 8 | from[1];
}

/* How long the header of a page is. */
static size_t
btree_header(const uint8_t *page)
{
	return page[0] == BTREE_LEAF ? BTREE_LEAF_HEADER : BTREE_INTERIOR_HEADER;
}

static void
btree_page_start(const struct btree *b, uint8_t *page, uint8_t type)
{
	memset(page, 0, b->pages.size);
	page[0] = type;
	btree_put(page + BTREE_CELLS_AT, BTREE_PLACE, b->pages.size);
}

/*
 * Append a cell to a page that has room for it; in an interior one, behind the number of a child.
 */
static void
btree_page_add(uint8_t *page, uint32_t child, const void *cell, size_t len)
{
	const size_t n = btree_get16(page + BTREE_N_CELLS), header = btree_header(page);
	const size_t all = len + (page[0] == BTREE_LEAF ? 0 : BTREE_CHILD), at = btree_get16(page + BTREE_CELLS_AT) - all;

	if (page[0] != BTREE_LEAF)
		btree_put(page + at, BTREE_CHILD, child);
	memcpy(page + at + all - len, cell, len);
	btree_put(page + header + BTREE_PLACE * n, BTREE_PLACE, at);
	btree_put(page + BTREE_N_CELLS, BTREE_PLACE, n + 1);
	btree_put(page + BTREE_CELLS_AT, BTREE_PLACE, at);
}

static uint8_t *
btree_leaf(struct btree *b, size_t i)
{
	return b->leaves + i * b->pages.size;
}

int
btree_new(struct btree **tree, struct db *db, bool try_out, struct err *err)
{
	struct pages pages;
	struct btree *b;
	const int ret = pages_open(&pages, db, try_out, err);

	if (ret <= 0)
		return ret;
	b = mem_zalloc(1, sizeof(*b));
	b->pages = pages;
	/* One leaf stays in memory: its last entry may have to move to the next. */
	b->leaves = mem_alloc((BTREE_LEAVES + 1) * b->pages.size);
	b->n_leaves = 1;
	btree_page_start(b, b->leaves, BTREE_LEAF);
	*tree = b;
	return 1;
}

void
btree_free(struct btree *b)
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

bool
btree_refused(const struct btree *b)
{
	return b->pages.refused;
}

/* Write the first n leaves, to the reserved pages from first on. */
static int
btree_write_leaves(struct btree *b, size_t first, size_t n, struct err *err)
{
	if (n > 0 && pages_fill(&b->pages, first, n, b->leaves, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		vec_push(&b->children, b->pages.numbers[first + i]);
	b->n_leaves -= n;
	memmove(b->leaves, btree_leaf(b, n), b->n_leaves * b->pages.size);
	return 0;
}

/* Keep a cell as the divider behind the last leaf. */
static void
btree_divide(struct btree *b, const void *cell, size_t len)
{
	vec_push(&b->dividers, ((struct btree_divider){ b->cells.len, len }));
	buf_add(&b->cells, cell, len);
}

bool
btree_fits(const struct btree *b, const struct record *r)
{
	/* A longer entry needs overflow pages ("Cell Payload Overflow Pages"). */
	return !r->too_long && r->head_len + r->body_len <= (b->pages.size - 12) * 64 / 255 - 23;
}

int
btree_add(struct btree *b, const struct record *r, size_t spare, struct err *err)
{
	const size_t len = record_cell(r, b->cell);
	uint8_t *leaf = btree_leaf(b, b->n_leaves - 1);
	const size_t room = btree_get16(leaf + BTREE_CELLS_AT) - btree_header(leaf) - BTREE_PLACE * btree_get16(leaf + BTREE_N_CELLS);

	if (!btree_fits(b, r))
		return err_set(err, ERR_DB, "make an index: an entry of %zu bytes is too long", len);
	b->n++;
	b->spare += spare;
	if (room >= len + BTREE_PLACE + b->spare) {
		btree_page_add(leaf, 0, b->cell, len);
		return 0;
	}
	b->spare = 0;
	assert(btree_get16(leaf + BTREE_N_CELLS) > 0);
	btree_divide(b, b->cell, len);
	if (b->n_leaves == BTREE_LEAVES + 1 &&
	    (pages_reserve(&b->pages, BTREE_LEAVES, err) < 0 || btree_write_leaves(b, 0, BTREE_LEAVES, err) < 0 ||
	     pages_detach(&b->pages, err) < 0))
		return -1;
	btree_page_start(b, btree_leaf(b, b->n_leaves++), BTREE_LEAF);
	return 0;
}

/*
 * Fill a last leaf that is empty: the last divider becomes its entry, and the last entry of the
 * leaf before it becomes the divider.
 */
static void
btree_fill_last(struct btree *b)
{
	uint8_t *last = btree_leaf(b, b->n_leaves - 1), *before = last - b->pages.size;
	struct btree_divider *d = b->dividers.n > 0 ? &b->dividers.v[b->dividers.n - 1] : NULL;
	size_t at, len, n;

	if (d == NULL || btree_get16(last + BTREE_N_CELLS) > 0)
		return;
	btree_page_add(last, 0, b->cells.data + d->at, d->len);
	/* The last cell of a page begins it, and ends where the one before begins. */
	n = btree_get16(before + BTREE_N_CELLS) - 1;
	assert(n > 0);
	at = btree_get16(before + BTREE_CELLS_AT);
	len = btree_get16(before + BTREE_LEAF_HEADER + BTREE_PLACE * (n - 1)) - at;
	b->dividers.n--;
	buf_cut(&b->cells, d->at);
	btree_divide(b, before + at, len);
	btree_put(before + BTREE_N_CELLS, BTREE_PLACE, n);
	btree_put(before + BTREE_CELLS_AT, BTREE_PLACE, at + len);
}

/*
 * Distribute the dividers of a level over pages.  Those between two pages go up to the next level.
 */
static void
btree_lay_out(const struct btree *b, struct btree_level *level, struct btree_level *next)
{
	const size_t n = level->dividers.n;

	for (size_t i = 0; i < n; i++) {
		size_t room = b->pages.size - BTREE_INTERIOR_HEADER, cost;

		vec_push(&level->first, i);
		for (; i < n && (cost = BTREE_PLACE + BTREE_CHILD + level->dividers.v[i].len) <= room; i++)
			room -= cost;
		/* The last one can't go up: the next page would have no divider. */
		if (i == n - 1)
			i--;
		assert(i > level->first.v[level->first.n - 1]);
		if (i < n)
			vec_push(&next->dividers, level->dividers.v[i]);
	}
	vec_push(&level->first, n + 1);
}

/* Write a level's pages, and replace their children's numbers with theirs. */
static int
btree_write_level(struct btree *b, const struct btree_level *level, size_t reserved, struct err *err)
{
	uint8_t *page = mem_alloc(b->pages.size);
	int ret = 0;

	for (size_t i = 0; ret == 0 && i + 1 < level->first.n; i++) {
		const size_t end = level->first.v[i + 1] - 1;

		assert(end < b->children.n);
		btree_page_start(b, page, BTREE_INTERIOR);
		for (size_t j = level->first.v[i]; j < end; j++)
			btree_page_add(page, b->children.v[j], b->cells.data + level->dividers.v[j].at, level->dividers.v[j].len);
		btree_put(page + BTREE_RIGHTMOST, BTREE_CHILD, b->children.v[end]);
		ret = pages_fill(&b->pages, reserved + i, 1, page, err);
		b->children.v[i] = b->pages.numbers[reserved + i];
	}
	free(page);
	return ret;
}

/*
 * Write the remaining leaves and the levels above.  The last page is the root: it gets the first
 * reserved page.
 */
static int
btree_write_rest(struct btree *b, struct btree_level *levels, size_t n_levels, size_t n_pages, struct err *err)
{
	size_t at = 1;

	assert(b->dividers.n == 0 && b->n_leaves > 0);
	if (pages_reserve(&b->pages, n_pages, err) < 0)
		return -1;
	if (n_levels == 0)
		return btree_write_leaves(b, 0, 1, err);
	n_pages = b->n_leaves;
	if (btree_write_leaves(b, at, n_pages, err) < 0)
		return -1;
	for (size_t i = 0; i < n_levels; i++) {
		at += n_pages;
		n_pages = levels[i].first.n - 1;
		if (btree_write_level(b, &levels[i], i + 1 < n_levels ? at : 0, err) < 0)
			return -1;
	}
	return 0;
}

/* Write all that is not written yet. */
static int
btree_finish(struct btree *b, struct err *err)
{
	VEC(struct btree_level) levels = { 0 };
	size_t n_pages;
	int ret;

	btree_fill_last(b);
	assert(b->dividers.n + 1 == b->children.n + b->n_leaves);
	n_pages = b->n_leaves;
	memset(vec_add(&levels), 0, sizeof(*levels.v));
	levels.v[0].dividers.v = b->dividers.v;
	levels.v[0].dividers.n = b->dividers.n;
	memset(&b->dividers, 0, sizeof(b->dividers));
	while (levels.v[levels.n - 1].dividers.n > 0) {
		memset(vec_add(&levels), 0, sizeof(*levels.v));
		btree_lay_out(b, &levels.v[levels.n - 2], &levels.v[levels.n - 1]);
		n_pages += levels.v[levels.n - 2].first.n - 1;
	}
	ret = btree_write_rest(b, levels.v, levels.n - 1, n_pages, err);
	for (size_t i = 0; i < levels.n; i++) {
		vec_release(&levels.v[i].first);
		vec_release(&levels.v[i].dividers);
	}
	vec_release(&levels);
	return ret;
}

/*
 * Add up the entries of a page and of all pages below it, as the file has them.  SQL has no
 * statement for the entries of an index: count(*) looks for the row of each one in the table,
 * which takes a tenth of a scan.
 *
 * Returns 0, or -1 with *err.  The sum of a damaged tree is wrong.
 */
static int
btree_sum(struct btree *b, uint32_t page, int levels, int64_t *sum, struct err *err)
{
	uint8_t header[BTREE_LEAF_HEADER], *image;
	size_t n;
	int ret = pages_read(&b->pages, page, 0, header, sizeof(header), err);

	if (ret < 0)
		return -1;
	n = btree_get16(header + BTREE_N_CELLS);
	*sum += (int64_t)n;
	if (header[0] != BTREE_INTERIOR || levels == 0 || *sum > b->n)
		return 0;
	image = mem_alloc(b->pages.size);
	ret = pages_read(&b->pages, page, 0, image, b->pages.size, err);
	for (size_t i = 0; ret == 0 && i < n && BTREE_INTERIOR_HEADER + BTREE_PLACE * (i + 1) <= b->pages.size; i++) {
		const size_t at = btree_get16(image + BTREE_INTERIOR_HEADER + BTREE_PLACE * i);

		if (at + BTREE_CHILD <= b->pages.size)
			ret = btree_sum(b, pages_number(image + at), levels - 1, sum, err);
	}
	if (ret == 0)
		ret = btree_sum(b, pages_number(image + BTREE_RIGHTMOST), levels - 1, sum, err);
	free(image);
	return ret;
}

int
btree_finish_index(struct btree *b, const char *name, enum sql_id create, struct err *err)
{
	int64_t found = 0;

	if (btree_finish(b, err) < 0 || btree_sum(b, b->pages.numbers[0], BTREE_LEVELS, &found, err) < 0)
		return -1;
	/* It can still be undone, and the rows tell what it should hold. */
	if (found != b->n)
		return pages_refuse(&b->pages, "the pages of an index hold another number of entries than were written", err);
	return pages_become_index(&b->pages, name, create, err);
}

int
btree_finish_file(struct btree *b, struct err *err)
{
	struct db *db = b->pages.db;
	struct stmt st;
	int64_t found;

	if (btree_finish(b, err) < 0 || pages_become_file(&b->pages, err) < 0)
		return -1;
	st = stmt_get(db, SQL_FILE_COUNT, err);
	if (stmt_number(&st, &found) < 0)
		return -1;
	return found == b->n ? 0 :
	       err_set(err, ERR_DB, "write index '%s': file has %lld rows instead of %lld", db->path, (long long)found, (long long)b->n);
}
