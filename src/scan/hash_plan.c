/* SPDX-License-Identifier: MIT */
/*
 * The plan proves (sql/check.sql): of two inodes of one size, either both are hashed or their
 * heads differ.  So in every size with two inodes or more small ones are read whole; of big ones
 * first the heads, then all of those whose head another inode shares.  The rounds end when nothing
 * is wanted any more: each round gives every file that it takes a head or a hash, or gives it up.
 *
 * A first scan notes the unread rows as it writes them (bulk); later scans ask the index for the
 * sizes that they touched.
 *
 * Sizes ascend in p->files.  A class is what stands at its end, of the largest sizes that are left:
 * its rounds go on until none of its groups owes anything, then comes the next class.  Few large
 * files hold most of the bytes that may be redundant, so most of these are known early.
 */
#include "base/base.h"

#include "scan/hash_plan.h"

#include <stdatomic.h>
#include <xxhash.h>

#include "db/db.h"
#include "db/stmt.h"
#include "bulk/bulk.h"
#include "index/index.h"
#include "index/volumes.h"
#include "scan/dirmap.h"
#include "scan/stats.h"
#include "sys/countmap.h"

/*
 * The least that a class has to read, where something smaller is left, and which part of all: each
 * is a pass over the disk, and over the rows.  What a file costs beside its bytes is counted as so
 * many bytes.  FEW is for disks that turn, whose heads have far to go, and for files in memory,
 * which are read in no time.
 */
#define HASH_PLAN_CLASS (INT64_C(64) << 20)
#define HASH_PLAN_CLASSES 5
#define HASH_PLAN_CLASS_FEW (INT64_C(1) << 30)
#define HASH_PLAN_CLASSES_FEW 4
#define HASH_PLAN_FILE_COST (INT64_C(32) << 10)
/* The bounds of classes: each is a quarter of the one above. */
#define HASH_PLAN_CLASS_SHIFT 2

/* Files from which on the walk's free memory is given back before sorting, which takes 30 ms. */
#define HASH_PLAN_MANY 50000

/*
 * Sizes are sorted in portions: by the number of their bits, and as many bits behind the first
 * one; smaller sizes have portions of their own.
 */
#define HASH_PLAN_PORTION_BITS 3
#define HASH_PLAN_PORTIONS (64 << HASH_PLAN_PORTION_BITS)

/* Of one size, the bytes that are redundant if all its inodes have one content. */
struct hash_plan_shared {
	int64_t size, bytes;
};

void
hash_plan_trim(struct hash_plan *p)
{
	vec_release(&p->files);
	vec_release(&p->touched);
	vec_release(&p->gone);
	vec_release(&p->written);
	buf_release(&p->names);
	arena_release(&p->written_names);
}

void
hash_plan_release(struct hash_plan *p)
{
	hash_plan_trim(p);
	vec_release(&p->lost);
	arena_release(&p->lost_names);
	hash_corrupt_release(&p->corrupt);
}

const char *
hash_plan_file_name(const struct hash_plan *p, const struct hash_plan_file *f)
{
	return p->entries != NULL ? bulk_note_name(p->entries, f->name) : p->names.data + f->name;
}

size_t
hash_plan_path(const struct hash_plan *p, const struct hash_plan_file *f, struct buf *path)
{
	const char *name = hash_plan_file_name(p, f);
	size_t base_len;

	buf_cut(path, 0);
	base_len = dirmap_path(p->map, f->dir, path);
	path_append(path, name, strlen(name));
	return base_len;
}

uint64_t
hash_plan_times(struct fs_time mtime, struct fs_time ctime)
{
	const int64_t times[] = { mtime.sec, mtime.nsec, ctime.sec, ctime.nsec };

	return XXH3_64bits(times, sizeof(times));
}

static void
hash_plan_add(struct hash_plan *p, const struct file_row *row, size_t entry)
{
	struct hash_plan_file *f = vec_add(&p->files);

	if (p->volumes != NULL && p->volume != row->inode.volume) {
		p->volume = row->inode.volume;
		p->renumbers = volumes_mirrors(p->volumes, p->volume);
	}
	memset(f, 0, sizeof(*f));
	f->size = row->size;
	f->dir = row->dir;
	f->inode = row->inode;
	f->links = row->nlink > 1;
	f->renumbered = p->renumbers;
	f->has_head = row->has_head;
	f->head = row->head;
	f->has_hash = row->has_hash;
	f->times = hash_plan_times(row->mtime, row->ctime);
	f->whole = p->hash_all != NULL && countmap_get(p->hash_all, (uint64_t)row->dir, 0) > 0;
	if (p->entries != NULL)
		f->name = entry;
	else if (!row->has_hash) {
		f->name = p->names.len;
		buf_add(&p->names, row->name, row->name_len);
		buf_addc(&p->names, '\0');
	}
}

void
hash_plan_again(struct hash_plan *p, const struct file_row *row)
{
	struct file_row unread = *row;

	assert(p->entries == NULL);
	if (row->size == 0)
		return;
	unread.has_head = unread.has_hash = false;
	hash_plan_add(p, &unread, 0);
	p->files.v[p->files.n - 1].racy = row->racy;
	p->files.v[p->files.n - 1].again = p->rehash && !row->racy;
	/* A distrusted hash is read again even where no other file has the size. */
	p->files.v[p->files.n - 1].whole |= p->rehash && row->has_hash;
	p->n_again++;
	if (!p->bulk)
		hash_plan_touch(p, row->size);
}

void
hash_plan_touch(struct hash_plan *p, int64_t size)
{
	/* Neighbours often have the same size; hash_plan_load skips other repetitions. */
	if (size > 0 && (p->touched.n == 0 || p->touched.v[p->touched.n - 1] != size))
		vec_push(&p->touched, size);
}

void
hash_plan_row(struct hash_plan *p, const struct file_row *row)
{
	const size_t entry = p->entries != NULL ? bulk_note(p->entries, row) : 0;

	if (row->size == 0)
		return;
	if (p->bulk && !row->has_hash) {
		hash_plan_add(p, row, entry);
		p->files.v[p->files.n - 1].counted = row->has_head;
	}
	else if (!p->bulk)
		hash_plan_touch(p, row->size);
}

void
hash_plan_vanished(struct hash_plan *p, const struct file_row *row, bool remember)
{
	struct hash_plan_gone *g;

	if (p->entries != NULL)
		bulk_note_deleted(p->entries);
	if (!remember || (!row->has_hash && !row->has_head) || row->racy)
		return;
	g = vec_add(&p->gone);
	*g = (struct hash_plan_gone){ row->inode, row->size, row->head, row->mtime,
	                         row->has_head, row->has_hash, { 0 } };
	memcpy(g->hash, row->hash, HASH_SIZE);
}

int
hash_plan_touch_all(struct hash_plan *p, enum sql_id id, struct err *err)
{
	struct stmt st = stmt_get(p->ix->db, id, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1)
		hash_plan_touch(p, stmt_col_int(&st, 0));
	return ret;
}

static bool
hash_plan_asks(const struct hash_plan *p, int64_t size)
{
	size_t at;

	ORDER_FIRST(at, p->n_hash_sizes, p->hash_sizes[at] < size);
	return at < p->n_hash_sizes && p->hash_sizes[at] == size;
}

int
hash_plan_touch_asked(struct hash_plan *p, struct err *err)
{
	struct stmt st = stmt_get(p->ix->db, SQL_FILE_SIZES_UNREAD, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		if (hash_plan_asks(p, stmt_col_int(&st, 0)))
			hash_plan_touch(p, stmt_col_int(&st, 0));
	}
	return ret;
}

static int
hash_plan_cmp_inode(const void *a, const void *b)
{
	const struct hash_plan_file *x = a, *y = b;

	ORDER_CMP(x->size, y->size);
	ORDER_CMP(inode_cmp(x->inode, y->inode), 0);
	ORDER_CMP(x->times, y->times);
	return 0;
}

static int
hash_plan_cmp_head(const void *a, const void *b)
{
	const struct hash_plan_file *x = a, *y = b;

	ORDER_CMP(x->has_head, y->has_head);
	ORDER_CMP(x->head, y->head);
	return hash_plan_cmp_inode(a, b);
}

/* Add the rows that a statement with its parameters bound returns. */
static int
hash_plan_load_rows(struct hash_plan *p, struct stmt *st, struct err *err)
{
	struct file_row row;
	int ret;

	while ((ret = stmt_step(st)) == 1) {
		if (file_read(st, &row, err) < 0) {
			stmt_done(st);
			return -1;
		}
		hash_plan_add(p, &row, 0);
	}
	return ret;
}

/* Load two inodes of small hashed files: enough to know that the size is shared. */
static int
hash_plan_load_two(struct hash_plan *p, int64_t size, struct err *err)
{
	struct inode seen = { -1, -1 };

	for (int i = 0; i < 2; i++) {
		struct stmt st = stmt_get(p->ix->db, SQL_FILE_HASHED_OTHER, err);
		const size_t before = p->files.n;

		stmt_int(&st, ":size", size);
		stmt_int(&st, ":volume", seen.volume);
		stmt_int(&st, ":inode", seen.number);
		if (hash_plan_load_rows(p, &st, err) < 0)
			return -1;
		if (p->files.n == before)
			return 0;
		seen = p->files.v[before].inode;
	}
	return 0;
}

/* Get the rows of one size. */
static int
hash_plan_load_size(struct hash_plan *p, int64_t size, struct err *err)
{
	struct stmt st = stmt_get(p->ix->db, SQL_FILE_UNHASHED, err);
	const size_t before = p->files.n;

	stmt_int(&st, ":size", size);
	if (hash_plan_load_rows(p, &st, err) < 0)
		return -1;
	/* Without an unread file nothing is owed at this size. */
	if (p->files.n == before && p->n_again == 0)
		return 0;
	if (size <= CONTENT_WHOLE)
		return hash_plan_load_two(p, size, err);
	st = stmt_get(p->ix->db, SQL_FILE_HASHED, err);
	stmt_int(&st, ":size", size);
	return hash_plan_load_rows(p, &st, err);
}

static size_t
hash_plan_count_inodes(const struct hash_plan_file *f, size_t n)
{
	size_t inodes = n > 0;

	for (size_t i = 1; i < n; i++)
		inodes += !hash_plan_same_inode(&f[i], &f[i - 1]);
	return inodes;
}

/*
 * Want the head or hash of every inode of f[0..n) that lacks it, by one of its names: the result
 * goes to all its names with the same times.  A row with other times is older, or of an earlier
 * file with this inode: it is wanted by itself.  Returns the number of wanted files.
 */
static size_t
hash_plan_want(struct hash_plan_file *f, size_t n, int want)
{
	bool taken = false;
	size_t wanted = 0;

	for (size_t i = 0; i < n; i++) {
		if (i > 0 && (!hash_plan_same_inode(&f[i], &f[i - 1]) || f[i].times != f[i - 1].times))
			taken = false;
		f[i].want = HASH_PLAN_NOTHING;
		if ((taken && f[i].links) || f[i].given_up || f[i].has_hash ||
		    (!f[i].whole && (want == HASH_PLAN_NOTHING || (want == CONTENT_HEAD && f[i].has_head))))
			continue;
		f[i].want = f[i].whole ? CONTENT_FULL : (uint8_t)want;
		taken |= f[i].links;
		wanted++;
	}
	return wanted;
}

/* Want, of a size that no other inode has, the files that must be read whole. */
static size_t
hash_plan_want_whole(struct hash_plan *p, struct hash_plan_file *f, size_t n)
{
	const size_t wanted = hash_plan_want(f, n, HASH_PLAN_NOTHING);

	for (size_t i = 0; i < n; i++) {
		if (f[i].want == HASH_PLAN_NOTHING || f[i].again)
			continue;
		atomic_fetch_add(f[i].asked ? &p->counts->hash_sizes : &p->counts->hash_all, 1);
		atomic_fetch_add(f[i].asked ? &p->counts->hash_sizes_bytes : &p->counts->hash_all_bytes, f[i].size);
	}
	return wanted;
}

/*
 * Mark the files of one size to be read whole if hash_sizes has it: those in directories that this
 * scan has met.  Other roots may have been left out for being slow.
 */
static void
hash_plan_ask(const struct hash_plan *p, struct hash_plan_file *f, size_t n)
{
	if (!hash_plan_asks(p, f->size))
		return;
	for (size_t i = 0; i < n; i++) {
		struct dirmap_dir *d = dirmap_by_id(p->map, f[i].dir);

		f[i].asked = !f[i].whole && d != NULL && (p->all_met || atomic_load(&d->claimed));
		f[i].whole |= f[i].asked;
	}
}

/* Decide for the group of one size.  Returns how many are wanted. */
static size_t
hash_plan_group(struct hash_plan *p, struct hash_plan_file *f, size_t n)
{
	bool shared, sorted = true;
	size_t wanted = 0;

	/* By inode; the round before may have sorted it by heads. */
	for (size_t i = 1; i < n && sorted; i++)
		sorted = hash_plan_cmp_inode(&f[i - 1], &f[i]) <= 0;
	if (!sorted)
		qsort(f, n, sizeof(*f), hash_plan_cmp_inode);
	shared = hash_plan_count_inodes(f, n) > 1 || (p->bulk && countmap_get(p->sizes, (uint64_t)f->size, 0) > 1);

	for (size_t i = 0; i < n; i++)
		f[i].want = HASH_PLAN_NOTHING;
	hash_plan_ask(p, f, n);
	if (!shared)
		return p->hash_all != NULL || p->n_hash_sizes > 0 || p->rehash ? hash_plan_want_whole(p, f, n) : 0;
	if (f->size <= CONTENT_WHOLE)
		return hash_plan_want(f, n, CONTENT_FULL);
	wanted = hash_plan_want(f, n, CONTENT_HEAD);
	if (wanted > 0)
		return wanted;
	qsort(f, n, sizeof(*f), hash_plan_cmp_head);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && f[end].has_head == f[i].has_head && f[end].head == f[i].head; end++)
			;
		/* Files that were read whole in passing are not in the plan: heads has theirs. */
		if (f[i].has_head && (hash_plan_count_inodes(f + i, end - i) > 1 ||
		                      (p->bulk && countmap_get(p->heads, (uint64_t)f[i].size, (uint64_t)f[i].head) > 1)))
			wanted += hash_plan_want(f + i, end - i, CONTENT_FULL);
	}
	return wanted;
}

void
hash_plan_names(const struct hash_plan *p, struct hash_plan_file *f, struct hash_plan_file **first, struct hash_plan_file **end)
{
	const struct hash_plan_file *all = p->files.v;

	for (*first = f; *first > all && hash_plan_same_inode(*first - 1, f); (*first)--)
		;
	for (*end = f + 1; *end < all + p->files.n && hash_plan_same_inode(*end, f); (*end)++)
		;
}

bool
hash_plan_means(const struct hash_plan_file *f, const struct hash_plan_file *e)
{
	return e == f || (e->links && f->links && e->times == f->times);
}

void
hash_plan_sort_inodes(const struct hash_plan *p, struct order *order, size_t n)
{
	for (size_t i = 0; i < n; i++)
		order[i].key = (uint64_t)p->files.v[order[i].pos].inode.number;
	order_sort(order, n);
	for (size_t i = 0; i < n; i++)
		order[i].key = (uint64_t)p->files.v[order[i].pos].inode.volume;
	order_sort(order, n);
}

/* Put the files in order, in place: follow each cycle of positions. */
static void
hash_plan_permute(struct hash_plan_file *v, struct order *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct hash_plan_file first = v[i];
		size_t at = i;

		while (order[at].pos != i) {
			const size_t from = order[at].pos;

			v[at] = v[from];
			order[at].pos = at;
			at = from;
		}
		v[at] = first;
		order[at].pos = at;
	}
}

void
hash_plan_sort_keys(struct hash_plan *p, uint64_t *keys)
{
	const size_t n = p->files.n;
	struct order *order = mem_alloc((n + 1) * sizeof(*order));

	for (size_t i = 0; i < n; i++)
		order[i].pos = i;
	hash_plan_sort_inodes(p, order, n);
	for (size_t i = 0; i < n; i++)
		order[i].key = keys[order[i].pos];
	order_sort(order, n);
	for (size_t i = 0; i < n; i++)
		keys[i] = order[i].key;
	hash_plan_permute(p->files.v, order, n);
	free(order);
}

size_t
hash_plan_want_again(struct hash_plan *p, size_t from)
{
	return hash_plan_want(p->files.v + from, p->files.n - from, CONTENT_FULL);
}

size_t
hash_plan_round(struct hash_plan *p)
{
	struct hash_plan_file *v = p->files.v;
	size_t wanted = 0, kept = p->from;

	for (size_t i = p->from, end; i < p->files.n; i = end) {
		size_t n;

		for (end = i + 1; end < p->files.n && v[end].size == v[i].size; end++)
			;
		n = hash_plan_group(p, &v[i], end - i);
		for (size_t j = i; n == 0 && j < end; j++) {
			if (!v[j].left || v[j].has_hash)
				continue;
			p->n_left++;
			if (v[j].size > p->largest_left)
				p->largest_left = v[j].size;
		}
		if (n > 0) {
			memmove(&v[kept], &v[i], (end - i) * sizeof(*v));
			kept += end - i;
		}
		wanted += n;
	}
	p->files.n = kept;
	return wanted;
}

/* The first file of the group that ends before a position. */
static size_t
hash_plan_group_before(const struct hash_plan *p, size_t end)
{
	const struct hash_plan_file *v = p->files.v;
	size_t at = end - 1;

	while (at > 0 && v[at - 1].size == v[end - 1].size)
		at--;
	return at;
}

/* What a file that this round wants costs at most, in bytes. */
static int64_t
hash_plan_cost(const struct hash_plan_file *f)
{
	return f->want == HASH_PLAN_NOTHING ? 0 : num_add(f->size, HASH_PLAN_FILE_COST);
}

void
hash_plan_divide(struct hash_plan *p)
{
	const bool few = p->rotational || !p->ahead;
	const int64_t least = few ? HASH_PLAN_CLASS_FEW : HASH_PLAN_CLASS;
	int64_t cost = 0;

	p->n_heads = 0;
	for (size_t i = 0; i < p->files.n; i++) {
		cost = num_add(cost, hash_plan_cost(&p->files.v[i]));
		p->n_heads += p->files.v[i].want == CONTENT_HEAD;
	}
	cost /= few ? HASH_PLAN_CLASSES_FEW : HASH_PLAN_CLASSES;
	p->class_cost = cost > least ? cost : least;
	p->from = p->files.n;
}

bool
hash_plan_class(struct hash_plan *p)
{
	const struct hash_plan_file *v = p->files.v;
	int64_t bound = INT64_C(1) << 62, cost = 0;
	bool enough = false;
	size_t at = p->files.n;

	while (at > 0) {
		const int64_t size = v[at - 1].size;
		const bool below = at < p->files.n && size < bound;

		if ((enough && below) || (at < p->files.n && size < p->until_size && v[at].size >= p->until_size))
			break;
		/* Files that are read whole at once are one class. */
		while (size < bound)
			bound = bound >> HASH_PLAN_CLASS_SHIFT >= CONTENT_WHOLE ? bound >> HASH_PLAN_CLASS_SHIFT : 0;
		for (size_t first = hash_plan_group_before(p, at); at > first; at--)
			cost = num_add(cost, hash_plan_cost(&v[at - 1]));
		enough = cost >= p->class_cost;
	}
	p->from = at;
	for (size_t i = at; i < p->files.n && p->n_heads > 0; i++)
		p->n_heads -= v[i].want == CONTENT_HEAD;
	return at < p->files.n;
}

int64_t
hash_plan_compared(const struct hash_plan *p)
{
	int64_t largest = p->largest_left;

	if (p->from > 0 && p->files.v[p->from - 1].size > largest)
		largest = p->files.v[p->from - 1].size;
	/* Files that had another size when they were read. */
	for (size_t i = 0; i < p->touched.n; i++)
		largest = p->touched.v[i] > largest ? p->touched.v[i] : largest;
	return num_add(largest, 1);
}

/*
 * Find the least size from which on the groups must be read so that at most `most` bytes that may
 * be redundant are left, and set *left to these.  Bytes by size are shared[0..n), ascending.
 */
static int64_t
hash_plan_until_size(const struct hash_plan *p, const struct hash_plan_shared *shared, size_t n, int64_t most, int64_t *left)
{
	const struct hash_plan_file *v = p->files.v;
	size_t at = 0;

	*left = 0;
	for (size_t i = 0; i < p->files.n; i++) {
		if (i > 0 && v[i].size == v[i - 1].size)
			continue;
		while (at < n && shared[at].size < v[i].size)
			at++;
		if (at == n || shared[at].size != v[i].size)
			continue;
		if (num_add(*left, shared[at].bytes) > most)
			return v[i].size;
		*left += shared[at].bytes;
	}
	return INT64_MAX;
}

int
hash_plan_find_until(struct hash_plan *p, struct err *err)
{
	struct stmt st = stmt_get(p->ix->db, SQL_FILE_SIZES_SHARED, err);
	VEC(struct hash_plan_shared) shared = { 0 };
	int64_t all = 0, left;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		struct hash_plan_shared *s = vec_add(&shared);

		s->size = stmt_col_int(&st, 0);
		s->bytes = num_mul(s->size, stmt_col_int(&st, 1) - 1);
		all = num_add(all, s->bytes);
	}
	if (ret == 0) {
		/* Rounded down twice: what is read is never too little. */
		const int64_t most = all / 100 * (100 - p->until) + all % 100 * (100 - p->until) / 100;

		p->until_size = hash_plan_until_size(p, shared.v, shared.n, most, &left);
		p->until_share = all == 0 ? 100 : (int)(((double)all - (double)left) * 100 / (double)all);
		if (p->until_share < p->until)
			p->until_share = p->until;
	}
	vec_release(&shared);
	return ret;
}

/* The portion of a size: the number of its bits, and those that follow the first one. */
static size_t
hash_plan_portion(int64_t size)
{
	size_t bits = 0;

	while (size >> bits >= 2 << HASH_PLAN_PORTION_BITS)
		bits++;
	return bits > 0 ? (bits << HASH_PLAN_PORTION_BITS) + (size_t)(size >> bits) : (size_t)size;
}

/* Put the files of each portion together, in the order of these, in place.  Sets where they end. */
static void
hash_plan_divide_portions(struct hash_plan_file *v, size_t n, size_t ends[HASH_PLAN_PORTIONS])
{
	size_t next[HASH_PLAN_PORTIONS], at = 0;

	memset(ends, 0, HASH_PLAN_PORTIONS * sizeof(*ends));
	for (size_t i = 0; i < n; i++)
		ends[hash_plan_portion(v[i].size)]++;
	for (size_t i = 0; i < HASH_PLAN_PORTIONS; i++) {
		next[i] = at;
		at += ends[i];
		ends[i] = at;
	}
	for (size_t i = 0; i < HASH_PLAN_PORTIONS; i++) {
		while (next[i] < ends[i]) {
			const size_t to = hash_plan_portion(v[next[i]].size);
			const struct hash_plan_file f = v[next[i]];

			/* In its place: go on; else it changes places with the next one there. */
			if (to != i) {
				v[next[i]] = v[next[to]];
				v[next[to]] = f;
			}
			next[to]++;
		}
	}
}

/*
 * Sort by size, and those of one size as hash_plan_sort_inodes does: one portion of sizes after the
 * other, for of many files each takes 40 bytes more while it is sorted.
 */
static void
hash_plan_sort(struct hash_plan *p)
{
	size_t ends[HASH_PLAN_PORTIONS], from = 0;
	struct order *order;

	hash_plan_divide_portions(p->files.v, p->files.n, ends);
	for (size_t portion = 0; portion < HASH_PLAN_PORTIONS; from = ends[portion++]) {
		const size_t n = ends[portion] - from;
		struct hash_plan_file *v = p->files.v + from;

		if (n < 2)
			continue;
		order = mem_alloc(n * sizeof(*order));
		for (size_t i = 0; i < n; i++)
			order[i] = (struct order){ (uint64_t)v[i].inode.number, i };
		order_sort(order, n);
		for (size_t i = 0; i < n; i++)
			order[i].key = (uint64_t)v[order[i].pos].inode.volume;
		order_sort(order, n);
		for (size_t i = 0; i < n; i++)
			order[i].key = (uint64_t)v[order[i].pos].size;
		order_sort(order, n);
		hash_plan_permute(v, order, n);
		free(order);
	}
}

int
hash_plan_pass(struct hash_plan *p, struct err *err)
{
	/* Get the rows of the touched sizes from the index. */
	if (!p->bulk) {
		if (p->touched.n > 0)
			qsort(p->touched.v, p->touched.n, sizeof(*p->touched.v), order_cmp_int64);
		for (size_t i = 0; i < p->touched.n; i++) {
			if ((i == 0 || p->touched.v[i - 1] != p->touched.v[i]) && hash_plan_load_size(p, p->touched.v[i], err) < 0)
				return -1;
		}
		p->touched.n = 0;
	}
	if (p->files.n >= HASH_PLAN_MANY)
		mem_trim();
	hash_plan_sort(p);
	return 0;
}
