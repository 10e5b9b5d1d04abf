/* SPDX-License-Identifier: MIT */
/*
 * Hides the ioctls of btrfs and xfs, and what a picture is: four bytes that say how it was made,
 * then numbers of this machine's byte order, since an index that moved to another one finds no
 * volume of its pictures there.
 */
#include "base/base.h"

#include "sys/changes.h"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "sys/content.h"
#include "sys/racy_window.h"
#include "sys/stop.h"
#include "sys/sync.h"

void
changes_release(struct changes *changes)
{
	vec_release(&changes->dirs);
	vec_release(&changes->files);
}

#ifdef LINUX_PATHS

/* Another way to make pictures takes another number. */
#define CHANGES_BTRFS "btr2"
#define CHANGES_XFS "xfs1"
enum { CHANGES_TAG = 4 };

/* Sort, and drop what is there twice. */
static size_t
changes_sort(uint64_t *v, size_t n)
{
	size_t kept = 0;

	if (n > 0)
		qsort(v, n, sizeof(*v), order_cmp_uint64);
	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || v[kept - 1] != v[i])
			v[kept++] = v[i];
	}
	return kept;
}

/* A number of a btrfs item: little-endian. */
static uint64_t
changes_le(const uint8_t *bytes, size_t n)
{
	uint64_t value = 0;

	while (n > 0)
		value = value << 8 | bytes[--n];
	return value;
}

/* btrfs-ioctl(2), linux/btrfs.h: struct btrfs_ioctl_search_args_v2 and _search_header. */
struct changes_key {
	uint64_t tree, min_inode, max_inode, min_offset, max_offset, min_transaction, max_transaction;
	uint32_t min_type, max_type, n_items, unused;
	uint64_t unused_more[4];
};
struct changes_search {
	struct changes_key key;
	uint64_t size;
	uint8_t items[];
};
struct changes_item {
	uint64_t transaction, inode, offset;
	uint32_t type, len;
};
#define CHANGES_TREE_SEARCH _IOWR(0x94, 17, struct changes_search)
#define CHANGES_START_SYNC _IOR(0x94, 24, uint64_t)
#define CHANGES_WAIT_SYNC _IOW(0x94, 22, uint64_t)
/* linux/btrfs_tree.h: types of items, and places in them. */
enum { CHANGES_INODE_ITEM = 1, CHANGES_INODE_REF = 12, CHANGES_INODE_EXTREF = 13 };
enum { CHANGES_INODE_TRANSACTION = 8, CHANGES_INODE_MODE = 52, CHANGES_INODE_SIZE = 160 };
enum { CHANGES_EXTREF_NAME_LEN = 16, CHANGES_EXTREF_NAME = 18 };
#define CHANGES_FIRST_INODE 256
#define CHANGES_LAST_INODE ((uint64_t)-256)
#define CHANGES_ROOM (256 * 1024)

/* Called for each item of a search. */
typedef void changes_item_fn(void *arg, const struct changes_item *item, const uint8_t *data);

/* Deliver the items from min on, in order.  Returns 0, or -1 with errno, EINTR after a signal. */
static int
changes_search(int fd, struct changes_search *s, changes_item_fn *fn, void *arg)
{
	for (;;) {
		struct changes_item item = { .type = 0 };
		size_t at = 0;

		s->key.n_items = UINT32_MAX;
		s->size = CHANGES_ROOM;
		if (stop_signal() != 0)
			errno = EINTR;
		if (stop_signal() != 0 || ioctl(fd, CHANGES_TREE_SEARCH, s) < 0)
			return -1;
		if (s->key.n_items == 0)
			return 0;
		for (uint32_t i = 0; i < s->key.n_items; i++) {
			memcpy(&item, s->items + at, sizeof(item));
			fn(arg, &item, s->items + at + sizeof(item));
			at += sizeof(item) + item.len;
		}
		/* The key behind the last one. */
		s->key.min_inode = item.inode;
		s->key.min_type = item.type;
		s->key.min_offset = item.offset + 1;
		if (s->key.min_offset == 0 && ++s->key.min_type > UINT8_MAX) {
			s->key.min_type = 0;
			s->key.min_inode++;
		}
	}
}

/*
 * An inode, and the transaction that changed it last when a picture was taken.  A picture has some
 * of the latest: where one of them was changed by an earlier transaction than that, the disk was
 * put back to an earlier state, and transactions have come to their numbers once more.
 */
struct changes_witness {
	uint64_t transaction, inode;
};
/* The most of one transaction, and of all: inodes that change all the time are no proof. */
enum { CHANGES_WITNESSES_EACH = 8, CHANGES_WITNESSES = 512 };
/* The first transactions that are searched for them. */
enum { CHANGES_WITNESS_WINDOW = 64 };

/* Changed inodes of a btrfs, and the transaction after which they count. */
struct changes_btrfs {
	uint64_t since;
	struct changes *changes;
	VEC(struct changes_witness) witnesses;
};

/* changes_item_fn: a changed inode. */
static void
changes_btrfs_inode(void *arg, const struct changes_item *item, const uint8_t *data)
{
	struct changes_btrfs *b = arg;
	const bool is_inode = item->type == CHANGES_INODE_ITEM && item->len >= CHANGES_INODE_SIZE;
	const uint64_t transaction = is_inode ? changes_le(data + CHANGES_INODE_TRANSACTION, 8) : 0;

	if (!is_inode || transaction <= b->since)
		return;
	vec_push(&b->witnesses, ((struct changes_witness){ transaction, item->inode }));
	if (S_ISDIR((mode_t)changes_le(data + CHANGES_INODE_MODE, 4)))
		vec_push(&b->changes->dirs, item->inode);
	else
		vec_push(&b->changes->files, item->inode);
}

/* changes_item_fn: a name of a changed file, by the directory in which it is. */
static void
changes_btrfs_name(void *arg, const struct changes_item *item, const uint8_t *data)
{
	struct changes_btrfs *b = arg;

	if (item->type == CHANGES_INODE_REF)
		vec_push(&b->changes->dirs, item->offset);
	/* Several names whose hashes are equal share an item. */
	for (size_t at = 0; item->type == CHANGES_INODE_EXTREF && at + CHANGES_EXTREF_NAME <= item->len;) {
		vec_push(&b->changes->dirs, changes_le(data + at, 8));
		at += CHANGES_EXTREF_NAME + changes_le(data + at + CHANGES_EXTREF_NAME_LEN, 2);
	}
}

/* changes_item_fn: the transaction of an inode. */
static void
changes_btrfs_transaction(void *arg, const struct changes_item *item, const uint8_t *data)
{
	if (item->type == CHANGES_INODE_ITEM && item->len >= CHANGES_INODE_SIZE)
		*(uint64_t *)arg = changes_le(data + CHANGES_INODE_TRANSACTION, 8);
}

/* Deliver the items of an inode with types from first to last.  Returns 0, or -1 with errno. */
static int
changes_btrfs_items(int fd, struct changes_search *s, uint64_t inode, uint32_t first, uint32_t last, changes_item_fn *fn, void *arg)
{
	s->key = (struct changes_key){
		.min_inode = inode, .max_inode = inode, .max_offset = UINT64_MAX, .max_transaction = UINT64_MAX, .min_type = first, .max_type = last,
	};
	return changes_search(fd, s, fn, arg);
}

/* Collect the inodes that changed after a transaction.  Returns 0, or -1 with errno. */
static int
changes_btrfs_inodes(int fd, struct changes_search *s, struct changes_btrfs *b)
{
	s->key = (struct changes_key){
		.min_inode = CHANGES_FIRST_INODE, .max_inode = CHANGES_LAST_INODE, .max_offset = UINT64_MAX,
		.min_transaction = b->since + 1, .max_transaction = UINT64_MAX, .max_type = UINT8_MAX,
	};
	return changes_search(fd, s, changes_btrfs_inode, b);
}

/* Collect what changed after a transaction.  Returns 0, or -1 with errno. */
static int
changes_btrfs_since(int fd, struct changes_search *s, struct changes_btrfs *b)
{
	int ret = changes_btrfs_inodes(fd, s, b);

	for (size_t i = 0; ret == 0 && i < b->changes->files.n; i++)
		ret = changes_btrfs_items(fd, s, b->changes->files.v[i], CHANGES_INODE_REF, CHANGES_INODE_EXTREF, changes_btrfs_name, b);
	b->changes->files.n = 0;
	return ret;
}

/*
 * Ask the witnesses of an earlier picture; those that have not changed since are added to the new
 * ones.  Returns 1: nothing was undone; 0: something was, or all have changed since; -1 with errno.
 */
static int
changes_btrfs_ask(int fd, struct changes_search *s, struct changes_btrfs *b, const uint8_t *old, size_t n)
{
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		struct changes_witness w;
		uint64_t now = 0;

		memcpy(&w, old + i * sizeof(w), sizeof(w));
		if (changes_btrfs_items(fd, s, w.inode, CHANGES_INODE_ITEM, CHANGES_INODE_ITEM, changes_btrfs_transaction, &now) < 0)
			return -1;
		/* One that is gone has changed its directory. */
		if (now == 0 || now > b->since)
			continue;
		if (now != w.transaction)
			return 0;
		vec_push(&b->witnesses, w);
		ret = 1;
	}
	return ret;
}

/* Find the first witnesses, in ever more transactions.  Returns 0, or -1 with errno. */
static int
changes_btrfs_find(int fd, struct changes_search *s, struct changes_btrfs *b, uint64_t now)
{
	uint64_t window = CHANGES_WITNESS_WINDOW;
	int ret;

	do {
		b->since = now > window ? now - window : 0;
		b->witnesses.n = b->changes->dirs.n = b->changes->files.n = 0;
		ret = changes_btrfs_inodes(fd, s, b);
		window *= CHANGES_WITNESS_WINDOW;
	} while (ret == 0 && b->since > 0 && b->witnesses.n < CHANGES_WITNESSES_EACH);
	return ret;
}

/* The latest first. */
static int
changes_cmp_witness(const void *a, const void *b)
{
	const struct changes_witness *x = a, *y = b;

	ORDER_CMP(y->transaction, x->transaction);
	ORDER_CMP(x->inode, y->inode);
	return 0;
}

/* Append those that a picture keeps. */
static void
changes_btrfs_keep(struct changes_btrfs *b, struct buf *picture)
{
	const struct changes_witness *v = b->witnesses.v;
	size_t kept = 0;

	if (b->witnesses.n > 1)
		qsort(b->witnesses.v, b->witnesses.n, sizeof(*v), changes_cmp_witness);
	for (size_t i = 0; i < b->witnesses.n && kept < CHANGES_WITNESSES; i++) {
		if (i >= CHANGES_WITNESSES_EACH && v[i - CHANGES_WITNESSES_EACH].transaction == v[i].transaction)
			continue;
		buf_add(picture, &v[i], sizeof(v[i]));
		kept++;
	}
}

/* Compare with an earlier picture, and append witnesses.  Returns 1, 0, or -1 with errno. */
static int
changes_btrfs_compare(int fd, struct changes_search *s, struct changes_btrfs *b, uint64_t now, const uint8_t *old, size_t old_len,
                      struct buf *picture)
{
	const size_t head = CHANGES_TAG + sizeof(now);
	int ret = 0;

	if (old_len >= head && memcmp(old, CHANGES_BTRFS, CHANGES_TAG) == 0)
		memcpy(&b->since, old + CHANGES_TAG, sizeof(b->since));
	else
		b->since = UINT64_MAX;
	if (b->since <= now) {
		ret = changes_btrfs_ask(fd, s, b, old + head, (old_len - head) / sizeof(struct changes_witness));
		if (ret == 1 && changes_btrfs_since(fd, s, b) < 0)
			return -1;
	}
	if (ret == 0)
		ret = changes_btrfs_find(fd, s, b, now);
	if (ret >= 0)
		changes_btrfs_keep(b, picture);
	return ret;
}

/*
 * The transaction that is committed now has all changes before it, also of what lay in memory: the
 * search sees a written file only once its bytes are on their way to the disk.
 */
static int
changes_btrfs(int fd, const void *old, size_t old_len, struct buf *picture, struct changes *changes)
{
	struct changes_search *s = mem_zalloc(1, sizeof(*s) + CHANGES_ROOM);
	struct changes_btrfs b = { .changes = changes };
	uint64_t now;
	int ret = -1;

	/* Whether this user may search at all: the disk is not to be written to for nothing. */
	b.since = UINT64_MAX - 1;
	if (changes_btrfs_inodes(fd, s, &b) == 0 && sync_volume(fd) == 0 && ioctl(fd, CHANGES_START_SYNC, &now) == 0 &&
	    ioctl(fd, CHANGES_WAIT_SYNC, &now) == 0) {
		buf_adds(picture, CHANGES_BTRFS);
		buf_add(picture, &now, sizeof(now));
		ret = changes_btrfs_compare(fd, s, &b, now, old, old_len, picture);
	}
	if (ret < 0)
		buf_cut(picture, 0);
	vec_release(&b.witnesses);
	free(s);
	return ret < 0 && stop_signal() == 0 ? 0 : ret;
}

/* ioctl_xfs_bulkstat(2). */
struct changes_bulkstat {
	uint64_t inode, size, blocks, xflags;
	int64_t atime, mtime, ctime, btime;
	uint32_t generation, uid, gid, project;
	uint32_t atime_nsec, mtime_nsec, ctime_nsec, btime_nsec;
	uint32_t block_size, rdev, cow_hint, extent_hint;
	uint32_t nlink, extents, attr_extents;
	uint16_t version, fork_offset, sick, checked, mode, pad;
	uint64_t extents64, pad_more[6];
};
struct changes_bulk {
	uint64_t inode;
	uint32_t flags, room, n, group;
	uint64_t reserved[5];
	struct changes_bulkstat v[];
};
#define CHANGES_BULKSTAT _IOR('X', 127, struct changes_bulk)
enum { CHANGES_BULK = 4096, CHANGES_SHIFT = 4 };

/* Neighbours: the inodes with these numbers, divided by 16; and the sum, 0 if it equals none. */
struct changes_sum {
	uint64_t neighbours, sum;
};

/* What a sum is over: all that a row takes from stat, in fixed width. */
struct changes_stat {
	uint64_t inode, size, blocks;
	int64_t mtime, ctime;
	uint32_t mtime_nsec, ctime_nsec, generation, nlink, mode, pad;
};

/* The course of a comparison. */
struct changes_xfs {
	const uint8_t *secret;
	struct fs_time now, window;
	const uint8_t *old;             /* sums, ascending; unaligned */
	size_t n_old, at;
	struct buf *picture;
	struct changes *changes;
	struct changes_stat v[1 << CHANGES_SHIFT];
	size_t n;
	bool racy;
};

/* All of the neighbours are there: add their sum, and compare it with the old one. */
static void
changes_xfs_end(struct changes_xfs *x)
{
	struct changes_sum sum = { .sum = 0 }, old = { .sum = 0 };

	if (x->n == 0)
		return;
	sum.neighbours = x->v[0].inode >> CHANGES_SHIFT;
	if (!x->racy)
		sum.sum = XXH3_64bits_withSecret(x->v, x->n * sizeof(*x->v), x->secret, CONTENT_SECRET_SIZE);
	buf_add(x->picture, &sum, sizeof(sum));
	for (; x->at < x->n_old; x->at++) {
		memcpy(&old, x->old + x->at * sizeof(old), sizeof(old));
		if (old.neighbours >= sum.neighbours)
			break;
	}
	if (x->at == x->n_old || old.neighbours != sum.neighbours || old.sum != sum.sum || sum.sum == 0) {
		for (size_t i = 0; i < x->n; i++) {
			if (S_ISDIR(x->v[i].mode))
				vec_push(&x->changes->dirs, x->v[i].inode);
			else if (S_ISREG(x->v[i].mode))
				vec_push(&x->changes->files, x->v[i].inode);
		}
	}
	x->n = 0;
	x->racy = false;
}

static void
changes_xfs_add(struct changes_xfs *x, const struct changes_bulkstat *b)
{
	const struct fs_stat st = { .mtime = { b->mtime, (int32_t)b->mtime_nsec }, .ctime = { b->ctime, (int32_t)b->ctime_nsec } };

	if (x->n > 0 && x->v[0].inode >> CHANGES_SHIFT != b->inode >> CHANGES_SHIFT)
		changes_xfs_end(x);
	x->v[x->n++] = (struct changes_stat){
		.inode = b->inode, .size = b->size, .blocks = b->blocks, .mtime = b->mtime, .ctime = b->ctime, .mtime_nsec = b->mtime_nsec,
		.ctime_nsec = b->ctime_nsec, .generation = b->generation, .nlink = b->nlink, .mode = b->mode,
	};
	x->racy |= racy_window_has(&st, x->now, x->window);
}

static int
changes_xfs(int fd, const uint8_t *secret, struct fs_time window, const void *old, size_t old_len, struct buf *picture,
            struct changes *changes)
{
	const struct fs_time least = { 1, 0 };
	struct changes_xfs x = { .secret = secret, .now = fs_time_now(), .window = fs_time_cmp(window, least) < 0 ? least : window, .picture = picture, .changes = changes };
	const bool has_old = old_len >= CHANGES_TAG && memcmp(old, CHANGES_XFS, CHANGES_TAG) == 0;
	struct changes_bulk *bulk = mem_alloc(sizeof(*bulk) + CHANGES_BULK * sizeof(*bulk->v));
	uint64_t last = 0;
	int ret = 0;

	if (has_old) {
		x.old = (const uint8_t *)old + CHANGES_TAG;
		x.n_old = (old_len - CHANGES_TAG) / sizeof(struct changes_sum);
	}
	buf_adds(picture, CHANGES_XFS);
	memset(bulk, 0, sizeof(*bulk));
	do {
		bulk->room = CHANGES_BULK;
		bulk->n = 0;
		ret = stop_signal() != 0 ? -1 : ioctl(fd, CHANGES_BULKSTAT, bulk);
		for (uint32_t i = 0; ret == 0 && i < bulk->n; i++) {
			if (bulk->v[i].inode <= last)
				ret = -1;
			else
				changes_xfs_add(&x, &bulk->v[i]);
			last = bulk->v[i].inode;
		}
	} while (ret == 0 && bulk->n > 0);
	changes_xfs_end(&x);
	free(bulk);
	if (ret < 0) {
		buf_cut(picture, 0);
		return stop_signal() != 0 ? -1 : 0;
	}
	return has_old ? 1 : 0;
}

int
changes_look(int fd, const char *type, const uint8_t *secret, struct fs_time window, const void *old, size_t old_len,
             struct buf *picture, struct changes *changes)
{
	int ret = 0;

	if (strcmp(type, "btrfs") == 0)
		ret = changes_btrfs(fd, old, old_len, picture, changes);
	else if (strcmp(type, "xfs") == 0)
		ret = changes_xfs(fd, secret, window, old, old_len, picture, changes);
	if (ret != 1)
		changes->dirs.n = changes->files.n = 0;
	changes->dirs.n = changes_sort(changes->dirs.v, changes->dirs.n);
	changes->files.n = changes_sort(changes->files.v, changes->files.n);
	return ret;
}

#else

int
changes_look(int fd, const char *type, const uint8_t *secret, struct fs_time window, const void *old, size_t old_len,
             struct buf *picture, struct changes *changes)
{
	(void)fd, (void)type, (void)secret, (void)window, (void)old, (void)old_len, (void)picture, (void)changes;
	return 0;
}

#endif
