/* SPDX-License-Identifier: MIT */
/*
 * Hides how the two indexes on contents are built: entries (struct content_entry, one for each
 * row) are sorted in memory and added to a b-tree in index order.  CREATE INDEX takes five times
 * as long: it reads all rows again, and sorts whole records by comparing them.
 *
 * Entries lie in one buffer, each with its name.  The loop that writes them prefetches the entry
 * CONTENT_INDEX_AHEAD positions ahead: otherwise cache misses take most of its time.
 *
 * Invariants: an entry is read when its row has a hash, and then belongs to file_content,
 * otherwise to file_unread; entries are used only if their number is the number of rows.  One
 * thread, the writer of the scan; no locks.
 */
#include "base/base.h"

#include "bulk/content_index.h"

#include "bulk/btree.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/name_build.h"

/*
 * Most entries for which readers are locked out while indexes are written.  Five million (325
 * MB) on a fast disk took 1.1 s and kept readers waiting for up to 0.84 s; SQLite takes 4.4 s
 * and keeps no reader waiting.  Three million on a disk of a quarter of that speed: 2 s, which
 * is allowed.
 */
#define CONTENT_INDEX_OWN 3000000
/*
 * With fewer entries SQLite builds the indexes: it is done before it has read the schema again,
 * which it must for each index that was written around it.
 */
#define CONTENT_INDEX_FEW 100

/* The columns of both indexes, copied from a row; as small as can be, for each file has one. */
struct content_entry {
	int64_t size, inode;
	uint32_t dir;
	uint16_t volume;
	uint16_t name_len : 14;
	uint16_t read : 1;       /* it has a hash */
	uint16_t raw : 1;        /* its name is not UTF-8 */
	uint8_t hash[HASH_SIZE];
	char name[];             /* as on disk, with a NUL behind */
} __attribute__((packed));

/*
 * Longest name in bytes; with a longer one, which Linux does not allow, SQLite builds the
 * indexes: see btree_fits.
 */
#define CONTENT_INDEX_NAME 1500
/* The lengths that an entry can hold. */
#define CONTENT_INDEX_LENGTHS 0x3fff
/* The row stores a byte that is not UTF-8 in four (name_store). */
#define CONTENT_INDEX_STORED 4

/* Entries between the one that is written and the one that is prefetched. */
#define CONTENT_INDEX_AHEAD 8
/* Bytes of a cache line, which one prefetch fetches.  Most entries lie in two. */
#define CONTENT_INDEX_LINE 64

void
content_index_release(struct content_index *ci)
{
	buf_release(&ci->entries);
	for (int i = 0; i < 2; i++) {
		free(ci->orders[i]);
		ci->orders[i] = NULL;
	}
	ci->n = ci->n_read = 0;
}

static struct content_entry *
content_index_entry(const struct content_index *ci, size_t place)
{
	return (struct content_entry *)(void *)(ci->entries.data + place);
}

/* The bytes of an entry whose name has this length. */
static size_t
content_index_room(size_t name_len)
{
	return offsetof(struct content_entry, name) + name_len + 1;
}

void
content_index_read(struct content_index *ci, size_t place, const uint8_t hash[HASH_SIZE])
{
	struct content_entry *e = content_index_entry(ci, place);

	ci->n_read += !e->read;
	e->read = true;
	memcpy(e->hash, hash, HASH_SIZE);
}

void
content_index_change(struct content_index *ci, size_t place, const struct file_row *row)
{
	struct content_entry *e = content_index_entry(ci, place);

	e->size = row->size;
	e->inode = row->inode.number;
	e->volume = (uint16_t)row->inode.volume;
	ci->n_read += row->has_hash - e->read;
	e->read = row->has_hash;
	memcpy(e->hash, row->hash, HASH_SIZE);
	ci->incomplete |= e->volume != row->inode.volume;
}

size_t
content_index_note(struct content_index *ci, const struct file_row *row)
{
	const size_t place = ci->entries.len, len = row->name_len, room = content_index_room(len);
	struct content_entry *e;

	buf_reserve(&ci->entries, room);
	ci->entries.len += room;
	e = content_index_entry(ci, place);
	e->read = false;
	e->raw = !name_is_utf8(row->name, len);
	e->dir = (uint32_t)row->dir;
	e->name_len = len & CONTENT_INDEX_LENGTHS;
	memcpy(e->name, row->name, e->name_len);
	e->name[e->name_len] = '\0';
	ci->n++;
	ci->incomplete |= e->dir != row->dir || len > CONTENT_INDEX_NAME / (e->raw ? CONTENT_INDEX_STORED : 1);
	content_index_change(ci, place, row);
	return place;
}

const char *
content_index_name(const struct content_index *ci, size_t place)
{
	return content_index_entry(ci, place)->name;
}

/* Clamp n to 32 bits; the order of two numbers is kept or they become equal. */
static uint64_t
content_index_clamp(int64_t n)
{
	return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint64_t)n;
}

/*
 * Sort key: the size, then the first 32 bits of the hash or the inode.  Decides between most
 * entries.
 */
static uint64_t
content_index_key(const struct content_entry *e)
{
	const uint8_t *h = e->hash;
	const uint64_t size = content_index_clamp(e->size) << 32;

	/*
	 * Sizes from UINT32_MAX on share one key: the hash must not come before the rest of the
	 * size.
	 */
	return e->size >= UINT32_MAX ? size : size |
	       (e->read ? (uint64_t)h[0] << 24 | (uint64_t)h[1] << 16 | (uint64_t)h[2] << 8 | h[3] : content_index_clamp(e->inode));
}

/* Compare two entries of one index by its columns, in their order. */
static int
content_index_cmp(const void *a, const void *b, void *arg)
{
	const struct content_entry *e = content_index_entry(arg, ((const struct order *)a)->pos);
	const struct content_entry *f = content_index_entry(arg, ((const struct order *)b)->pos);
	struct buf x = { 0 }, y = { 0 };
	int cmp;

	ORDER_CMP(e->size, f->size);
	cmp = e->read ? memcmp(e->hash, f->hash, HASH_SIZE) : 0;
	if (cmp != 0)
		return cmp;
	ORDER_CMP(e->inode, f->inode);
	ORDER_CMP(e->volume, f->volume);
	ORDER_CMP(e->dir, f->dir);
	/* Names of one inode in one directory: few.  Their order is that of what the row stores. */
	name_store(&x, e->name, e->name_len);
	name_store(&y, f->name, f->name_len);
	cmp = strcmp(buf_str(&x), buf_str(&y));
	buf_release(&x);
	buf_release(&y);
	return cmp;
}

/* Make the record of an entry for its index. */
static void
content_index_record(const struct content_entry *e, struct record *r)
{
	record_start(r);
	record_int(r, e->size);
	if (e->read)
		record_blob(r, e->hash, HASH_SIZE);
	record_int(r, e->inode);
	record_int(r, e->volume);
	record_int(r, e->dir);
	if (e->raw) {
		struct buf text = { 0 };

		name_store(&text, e->name, e->name_len);
		record_text(r, text.data, text.len);
		buf_release(&text);
	} else
		record_text(r, e->name, e->name_len);
}

/* The number of entries with a hash (read), or without. */
static size_t
content_index_count(const struct content_index *ci, bool read)
{
	return read ? ci->n_read : ci->n - ci->n_read;
}

/* Sort the entries with a hash (read), or without.  Returns their places, owned. */
static struct order *
content_index_order(const struct content_index *ci, bool read)
{
	struct order *v = mem_alloc((content_index_count(ci, read) + 1) * sizeof(*v));
	size_t n = 0, end;

	for (size_t at = 0; at < ci->entries.len;) {
		const struct content_entry *e = content_index_entry(ci, at);

		if (e->read == read)
			v[n++] = (struct order){ content_index_key(e), at };
		at += content_index_room(e->name_len);
	}
	order_sort(v, n);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && v[end].key == v[i].key; end++)
			;
		if (end > i + 1)
			order_sort_by(v + i, end - i, sizeof(*v), content_index_cmp, (void *)(uintptr_t)ci);
	}
	return v;
}

/* Write file_content (read) or file_unread.  Returns 0 or -1. */
static int
content_index_write(struct content_index *ci, struct btree *tree, bool read, struct err *err)
{
	const struct order *v = ci->orders[read];
	const size_t n = content_index_count(ci, read);
	struct record r;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < n; i++) {
		const struct content_entry *e = content_index_entry(ci, v[i].pos);

		if (read)
			contents_count_name(&ci->count, e->size, e->hash, e->inode, e->volume, e->dir);
		if (i + CONTENT_INDEX_AHEAD < n) {
			const char *ahead = ci->entries.data + v[i + CONTENT_INDEX_AHEAD].pos;

			__builtin_prefetch(ahead);
			__builtin_prefetch(ahead + CONTENT_INDEX_LINE);
		}
		assert(i == 0 || v[i - 1].key <= v[i].key);
		content_index_record(e, &r);
		ret = btree_add(tree, &r, 0, err);
	}
	if (ret < 0)
		return -1;
	return read ? btree_finish_index(tree, "file_content", SQL_SCHEMA_CONTENT, err) :
	              btree_finish_index(tree, "file_unread", SQL_SCHEMA_UNREAD, err);
}

/*
 * Sort the entries, if they are as many as rows, before readers are locked out: that takes as long
 * as writing them.  Returns 1: sorted; 0: incomplete, SQLite must build the indexes; -1: *err.
 */
static int
content_index_prepare(struct content_index *ci, struct db *db, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_COUNT, err);
	int64_t rows;

	if (ci->incomplete)
		return 0;
	if (stmt_number(&st, &rows) < 0)
		return -1;
	if (rows != (int64_t)ci->n)
		return 0;
	for (int read = 0; read < 2; read++) {
		free(ci->orders[read]);
		ci->orders[read] = content_index_order(ci, read == 1);
	}
	return 1;
}

/*
 * Build both indexes from the entries.  Returns 1: built; 0: rolled back, SQLite must build
 * them; -1: *err.
 */
static int
content_index_of_entries(struct content_index *ci, struct db *db, struct err *err)
{
	int ret = ci == NULL ? 0 : ci->orders[0] != NULL ? 1 : content_index_prepare(ci, db, err);

	if (ret != 1)
		return ret;
	if (db_exec(db, SQL_RESERVE_BEGIN, err) < 0)
		return -1;
	for (int read = 0; ret == 1 && read < 2; read++) {
		struct btree *tree = NULL;

		/*
		 * Pages are not tried out first: after a refusal the savepoint is rolled back and
		 * all rows are in the table.
		 */
		ret = btree_new(&tree, db, false, err);
		if (ret == 1 && content_index_write(ci, tree, read == 1, err) < 0)
			ret = btree_refused(tree) ? 0 : -1;
		btree_free(tree);
	}
	if (ret == 1)
		ret = db_exec(db, SQL_RESERVE_KEEP, err) < 0 ? -1 : 1;
	else if (ret == 0)
		ret = db_exec(db, SQL_RESERVE_UNDO, err);
	ci->counted = ret == 1;
	return ret;
}

/*
 * Give the names of all entries, in place of the entries: a record is shorter than its entry, so
 * they take no memory beside.
 */
static void
content_index_tell(struct content_index *ci, struct name_build *names)
{
	size_t at = 0, to = 0;

	for (int i = 0; i < 2; i++) {
		free(ci->orders[i]);
		ci->orders[i] = NULL;
	}
	static_assert(offsetof(struct content_entry, name) >= NAME_BUILD_ROOM, "a record is shorter than its entry");
	for (size_t i = 0; i < ci->n; i++) {
		const struct content_entry *e = content_index_entry(ci, at);
		const int64_t dir = e->dir;
		const size_t len = e->name_len;

		at += content_index_room(len);
		to += name_build_record(ci->entries.data + to, e->name, len, dir, false);
	}
	ci->entries.len = to;
	buf_fit(&ci->entries);
	name_build_adopt(names, &ci->entries, ci->n);
}

/* As content_index_make; names, unless NULL, get the names of all rows if the entries have them. */
static int
content_index_make_telling(struct content_index *ci, struct db *db, struct name_build *names, struct err *err)
{
	const int ret = content_index_of_entries(ci, db, err);

	if (ret == 1 && names != NULL)
		content_index_tell(ci, names);
	if (ci != NULL)
		content_index_release(ci);
	if (ret == 0)
		return contents_index(db, err);
	return ret;
}

int
content_index_make(struct content_index *ci, struct db *db, struct err *err)
{
	return content_index_make_telling(ci, db, NULL, err);
}

int
content_index_finish(struct content_index *ci, struct index *ix, struct name_build *names, struct err *err)
{
	int ready;
	bool own;

	if (ix->content_index)
		return 0;
	/* Pages can be written only in DB_MODE_EXCLUSIVE, where readers wait. */
	if (ci != NULL && (ci->n < CONTENT_INDEX_FEW || (ci->n > CONTENT_INDEX_OWN && ix->db->mode != DB_MODE_EXCLUSIVE)))
		ci->incomplete = true;
	ready = ci != NULL ? content_index_prepare(ci, ix->db, err) : 0;
	if (ready < 0)
		return -1;
	own = ready == 1 && ix->db->mode != DB_MODE_EXCLUSIVE;
	if ((own && db_renew_exclusive(ix->db, err) < 0) || content_index_make_telling(ci, ix->db, names, err) < 0)
		return -1;
	ix->content_index = true;
	return own && ix->db->mode == DB_MODE_EXCLUSIVE ? db_renew_published(ix->db, err) : 0;
}
