/* SPDX-License-Identifier: MIT */
/*
 * Hides how the files of a former state are found: the first entry of a later run says what a name
 * was, and its row what it is.  Names without entries are as they were, but for those in new
 * directories, which are read from the rows.
 *
 * A name is known by its directory's number, so that it stays itself while directories move.
 * Where a directory was replaced by one of the same path, names are found again by their paths;
 * then by inode, size and mtime; then by content, first under the same name.
 *
 * A former tree is made of the rows and of the entries in dir_before: after run N a
 * directory was where the first entry of a later run has it, and where it is now if none does.
 * A directory with the number of a later run's new ones, or a larger one, did not exist.
 */
#include "base/base.h"

#include "query/changes_files.h"

#include "db/db.h"
#include "db/stmt.h"
#include "index/dirs.h"
#include "sys/stop.h"

/* FNV-1a: it goes on from a directory's path to those below. */
#define CHANGES_HASH_START 0xcbf29ce484222325u
#define CHANGES_HASH_PRIME 0x100000001b3u

static uint64_t
changes_hash(uint64_t hash, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * CHANGES_HASH_PRIME;
	return hash;
}

/* Read a place from the columns parent, name, name_raw. */
static int
changes_place_read(struct changes_dirs *d, const struct stmt *st, int col, int64_t id, struct changes_place *p, struct err *err)
{
	const int64_t parent = stmt_col_int(st, col);
	const char *name;
	size_t len;

	*p = (struct changes_place){ .parent = parent };
	/* A run that was cut off has left it without a place. */
	if (parent < 0)
		return 0;
	name = dirs_read_name(st, col + 1, id, parent, &len, err);
	if (name == NULL)
		return -1;
	*p = (struct changes_place){ .parent = parent, .name = arena_dup(&d->names, name, len), .name_len = len, .is = true };
	return 0;
}

/* The directories of the index as they are. */
static int
changes_dirs_now(struct changes_dirs *d, struct db *db, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_TREE, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		struct changes_dir dir = { .id = stmt_col_int(&st, 0) };

		if (stop_check(err) < 0 || changes_place_read(d, &st, 1, dir.id, &dir.at[CHANGES_AFTER], err) < 0) {
			stmt_done(&st);
			return -1;
		}
		dir.at[CHANGES_BEFORE] = dir.at[CHANGES_AFTER];
		vec_push(&d->v, dir);
	}
	return ret;
}

/* Apply the entries: of each directory the first behind a run counts. */
static int
changes_dirs_entries(struct changes_dirs *d, struct db *db, const int64_t runs[CHANGES_TIMES], struct err *err)
{
	struct stmt st = stmt_get(db, SQL_BEFORE_PLACES, err);
	const size_t n_now = d->v.n;
	VEC(struct changes_dir) gone = { 0 };
	int64_t last = 0;
	bool later = false;
	int ret;

	stmt_int(&st, ":run", runs[CHANGES_BEFORE]);
	while ((ret = stmt_step(&st)) == 1) {
		const int64_t id = stmt_col_int(&st, 0), run = stmt_col_int(&st, 1);
		struct changes_place place;
		struct changes_dir *dir;
		size_t at;

		ORDER_FIRST(at, n_now, d->v.v[at].id < id);
		if (changes_place_read(d, &st, 2, id, &place, err) < 0) {
			ret = -1;
			break;
		}
		if (at == n_now || d->v.v[at].id != id) {
			if (id != last)
				vec_push(&gone, ((struct changes_dir){ .id = id }));
			dir = &gone.v[gone.n - 1];
		} else
			dir = &d->v.v[at];
		if (id != last) {
			dir->at[CHANGES_BEFORE] = place;
			later = false;
		}
		if (!later && run > runs[CHANGES_AFTER]) {
			dir->at[CHANGES_AFTER] = place;
			later = true;
		}
		last = id;
	}
	stmt_done(&st);
	for (size_t i = 0; i < gone.n; i++)
		vec_push(&d->v, gone.v[i]);
	vec_release(&gone);
	return ret;
}

static int
changes_dirs_cmp(const void *a, const void *b)
{
	ORDER_CMP(((const struct changes_dir *)a)->id, ((const struct changes_dir *)b)->id);
	return 0;
}

/*
 * Read the directories as they were after runs; INT64_MAX: as they are.
 * Returns 0, or -1: ERR_BAD_INDEX, ERR_DB, ERR_INTERRUPTED.
 */
static int
changes_dirs_load(struct changes_dirs *d, struct db *db, const int64_t runs[CHANGES_TIMES], struct err *err)
{
	int ret;

	if (changes_dirs_now(d, db, err) < 0 || changes_dirs_entries(d, db, runs, err) < 0)
		return -1;
	if (d->v.n > 1)
		qsort(d->v.v, d->v.n, sizeof(*d->v.v), changes_dirs_cmp);
	for (int t = 0; t < CHANGES_TIMES; t++) {
		struct stmt st = stmt_get(db, SQL_BEFORE_BORN, err);

		/* The smallest number of a directory that is new after the run. */
		stmt_int(&st, ":run", runs[t]);
		ret = stmt_step(&st);
		d->born[t] = ret == 1 && !stmt_col_is_null(&st, 0) ? stmt_col_int(&st, 0) : INT64_MAX;
		stmt_done(&st);
		if (ret < 0)
			return -1;
		for (size_t i = d->v.n; i > 0 && d->v.v[i - 1].id >= d->born[t]; i--)
			d->v.v[i - 1].at[t].is = false;
	}
	return 0;
}

static void
changes_dirs_release(struct changes_dirs *d)
{
	vec_release(&d->v);
	vec_release(&d->chain);
	arena_release(&d->names);
}

size_t
changes_dirs_find(const struct changes_dirs *d, int64_t id)
{
	size_t at;

	ORDER_FIRST(at, d->v.n, d->v.v[at].id < id);
	return at < d->v.n && d->v.v[at].id == id ? at : CHANGES_NO_DIR;
}

size_t
changes_dirs_up(const struct changes_dirs *d, size_t i, int time)
{
	const struct changes_place *p = &d->v.v[i].at[time];

	return p->parent > 0 ? changes_dirs_find(d, p->parent) : CHANGES_NO_DIR;
}

/*
 * Collect the directories from i upwards, until one whose path is hashed if hashed; a damaged
 * index may have a circle of them.
 */
static void
changes_dirs_climb(struct changes_dirs *d, size_t i, int time, bool hashed)
{
	d->chain.n = 0;
	while (i != CHANGES_NO_DIR && d->chain.n <= d->v.n && !(hashed && d->v.v[i].at[time].hashed)) {
		vec_push(&d->chain, i);
		i = changes_dirs_up(d, i, time);
	}
}

void
changes_dirs_path(struct changes_dirs *d, size_t i, int time, struct buf *path)
{
	changes_dirs_climb(d, i, time, false);
	for (size_t n = d->chain.n; n > 0; n--) {
		const struct changes_place *p = &d->v.v[d->chain.v[n - 1]].at[time];

		if (p->parent > 0)
			path_append(path, p->name, p->name_len);
		else if (p->name != NULL)
			buf_add(path, p->name, p->name_len);
	}
}

static uint64_t
changes_dirs_hash_name(uint64_t dir, const char *name, size_t len)
{
	return changes_hash(changes_hash(dir, "/", 1), name, len);
}

uint64_t
changes_dirs_hash(struct changes_dirs *d, size_t i, int time)
{
	changes_dirs_climb(d, i, time, true);
	for (size_t n = d->chain.n; n > 0; n--) {
		struct changes_place *p = &d->v.v[d->chain.v[n - 1]].at[time];
		const size_t up = changes_dirs_up(d, d->chain.v[n - 1], time);

		if (up != CHANGES_NO_DIR)
			p->hash = changes_dirs_hash_name(d->v.v[up].at[time].hash, p->name, p->name_len);
		else if (p->name != NULL)
			p->hash = changes_hash(CHANGES_HASH_START, p->name, p->name_len == 1 ? 0 : p->name_len);
		p->hashed = true;
	}
	return d->v.v[i].at[time].hash;
}

/* Columns of a row of before_entries. */
enum { ENTRY_RUN, ENTRY_DIR, ENTRY_NAME, ENTRY_RAW, ENTRY_WAS, ENTRY_LEFT_OUT = ENTRY_WAS + COL_BEFORE_COUNT, ENTRY_IS };
/* Of before_fresh. */
enum { FRESH_DIR, FRESH_NAME, FRESH_RAW, FRESH_IS };

/* Gone files of one content that a new file is compared with; behind that it counts as new. */
#define CHANGES_TRIES 4096

/* Rows between two checks for a signal. */
#define CHANGES_POLL 4096

int
changes_file_read(const struct stmt *st, int col, struct changes_file *file, struct err *err)
{
	const void *hash;
	size_t len;

	file->size = stmt_col_int(st, col + COL_BEFORE_SIZE);
	file->inode.volume = stmt_col_int(st, col + COL_BEFORE_VOLUME);
	file->inode.number = stmt_col_int(st, col + COL_BEFORE_INODE);
	file->mtime = (struct fs_time){ stmt_col_int(st, col + COL_BEFORE_MTIME), (int32_t)stmt_col_int(st, col + COL_BEFORE_MTIME_NSEC) };
	file->has_head = !stmt_col_is_null(st, col + COL_BEFORE_HEAD);
	file->head = stmt_col_int(st, col + COL_BEFORE_HEAD);
	hash = stmt_col_blob(st, col + COL_BEFORE_HASH, &len);
	file->has_hash = hash != NULL;
	if (file->size < 0 || (hash != NULL && len != HASH_SIZE))
		return db_corrupt(st->db, err, "file_before", 0, NULL, "has an invalid %s", file->size < 0 ? "size" : "hash");
	if (hash != NULL)
		memcpy(file->hash, hash, HASH_SIZE);
	return 0;
}

/* Whether two records are of one unchanged file, by inode, size and mtime. */
static bool
changes_file_is(const struct changes_file *a, const struct changes_file *b)
{
	return inode_same(a->inode, b->inode) && a->size == b->size && fs_time_cmp(a->mtime, b->mtime) == 0;
}

int
changes_file_same(const struct changes_file *a, const struct changes_file *b)
{
	if (a->size != b->size)
		return 0;
	if (a->size == 0)
		return 1;
	if (a->has_hash && b->has_hash)
		return memcmp(a->hash, b->hash, HASH_SIZE) == 0;
	if (a->has_head && b->has_head && a->head != b->head)
		return 0;
	return changes_file_is(a, b) ? 1 : -1;
}

bool
changes_file_read_both(const struct changes_file *a, const struct changes_file *b)
{
	return a->size == 0 || (a->has_hash && b->has_hash);
}

/* Add a file with the name in two columns.  Returns its position. */
static uint32_t
changes_add(struct changes_files *f, const struct changes_file *file, size_t dir, const struct stmt *st, int col)
{
	struct changes_file *added;
	const char *name;
	size_t len;

	name = stmt_col_name(st, col, &len);
	added = vec_add(&f->files);
	*added = *file;
	added->dir = (uint32_t)dir;
	added->name = arena_dup(&f->names, name, len);
	added->name_len = (uint32_t)len;
	return (uint32_t)(f->files.n - 1);
}

/* A name while its entries are read. */
struct changes_name {
	size_t dir;
	const char *name;         /* as stored; in the arena */
	struct changes_pair pair; /* as far as its entries tell */
	bool first;               /* no entry of a run between the states was met */
	bool settled;             /* what it is was told by an entry of a later run */
	int64_t size_now;         /* of its row; -1: it has no row */
};

static void
changes_name_end(struct changes_files *f, const struct changes_name *n)
{
	const struct changes_file *is = n->pair.is != CHANGES_NO_FILE ? &f->files.v[n->pair.is] : NULL;

	if (n->dir != CHANGES_NO_DIR && n->settled)
		pairs_sum_add(&f->later.v[n->dir], (is != NULL) - (n->size_now >= 0),
		              num_sub(is != NULL ? is->size : 0, n->size_now >= 0 ? n->size_now : 0));
	if (n->dir != CHANGES_NO_DIR && n->pair.was != n->pair.is)
		vec_push(&f->pairs, n->pair);
}

/* The first entry of a name: what it was, and what its row is. */
static int
changes_name_begin(struct changes_files *f, const struct stmt *st, struct changes_name *n, struct err *err)
{
	struct changes_file file;
	const char *name;
	size_t len;

	*n = (struct changes_name){ .dir = changes_dirs_find(&f->dirs, stmt_col_int(st, ENTRY_DIR)), .pair = { .was = CHANGES_NO_FILE, .is = CHANGES_NO_FILE }, .first = true };
	name = stmt_col_text(st, ENTRY_NAME, &len);
	n->name = arena_dup(&f->names, name, len);
	n->size_now = stmt_col_is_null(st, ENTRY_IS) ? -1 : stmt_col_int(st, ENTRY_IS);
	if (stmt_col_int(st, ENTRY_DIR) >= f->dirs.born[CHANGES_BEFORE])
		vec_push(&f->keys, ((struct changes_key){ stmt_col_int(st, ENTRY_DIR), n->name }));
	if (n->dir == CHANGES_NO_DIR)
		return 0;
	if (!stmt_col_is_null(st, ENTRY_WAS) && f->dirs.v.v[n->dir].at[CHANGES_BEFORE].is) {
		if (changes_file_read(st, ENTRY_WAS, &file, err) < 0)
			return -1;
		n->pair.was = changes_add(f, &file, n->dir, st, ENTRY_NAME);
	}
	if (!stmt_col_is_null(st, ENTRY_IS) && f->dirs.v.v[n->dir].at[CHANGES_AFTER].is) {
		if (changes_file_read(st, ENTRY_IS, &file, err) < 0)
			return -1;
		n->pair.is = changes_add(f, &file, n->dir, st, ENTRY_NAME);
	}
	return 0;
}

/* An entry of a name: of a run behind the later state it says what that had. */
static int
changes_name_entry(struct changes_files *f, const struct stmt *st, struct changes_name *n, int64_t to, struct err *err)
{
	struct changes_file file;

	if (n->dir == CHANGES_NO_DIR || n->settled)
		return 0;
	if (stmt_col_int(st, ENTRY_RUN) <= to) {
		n->pair.left_out = stmt_col_int(st, ENTRY_LEFT_OUT) != 0;
		n->first = false;
		return 0;
	}
	n->settled = true;
	n->pair.is = CHANGES_NO_FILE;
	/* Its first entry: until then it was the same. */
	if (n->first && n->pair.was != CHANGES_NO_FILE) {
		n->pair.is = n->pair.was;
		return 0;
	}
	if (stmt_col_is_null(st, ENTRY_WAS) || !f->dirs.v.v[n->dir].at[CHANGES_AFTER].is)
		return 0;
	if (changes_file_read(st, ENTRY_WAS, &file, err) < 0)
		return -1;
	n->pair.is = changes_add(f, &file, n->dir, st, ENTRY_NAME);
	return 0;
}

/* All names that have entries. */
static int
changes_load_entries(struct changes_files *f, struct db *db, const int64_t runs[CHANGES_TIMES], struct err *err)
{
	struct stmt st = stmt_get(db, SQL_BEFORE_ENTRIES, err);
	struct changes_name n = { .dir = CHANGES_NO_DIR };
	int64_t dir = 0, rows = 0;
	int ret;

	stmt_int(&st, ":run", runs[CHANGES_BEFORE]);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = stmt_col_text(&st, ENTRY_NAME, &len);

		if (rows++ % CHANGES_POLL == 0 && stop_check(err) < 0)
			ret = -1;
		else if (n.name == NULL || stmt_col_int(&st, ENTRY_DIR) != dir || strcmp(n.name, name) != 0) {
			changes_name_end(f, &n);
			dir = stmt_col_int(&st, ENTRY_DIR);
			ret = changes_name_begin(f, &st, &n, err);
		}
		if (ret < 0 || changes_name_entry(f, &st, &n, runs[CHANGES_AFTER], err) < 0) {
			ret = -1;
			break;
		}
	}
	stmt_done(&st);
	changes_name_end(f, &n);
	return ret;
}

static uint64_t
changes_path_hash(struct changes_files *f, const struct changes_file *file, int time)
{
	return changes_dirs_hash_name(changes_dirs_hash(&f->dirs, file->dir, time), file->name, file->name_len);
}

/* Make the tables of what is gone. */
static void
changes_index_gone(struct changes_files *f)
{
	for (size_t i = 0; i < f->pairs.n; i++) {
		const struct changes_pair *p = &f->pairs.v[i];
		const struct changes_file *was;

		if (p->was == CHANGES_NO_FILE || p->is != CHANGES_NO_FILE)
			continue;
		was = &f->files.v[p->was];
		table_add(&f->by_path, changes_path_hash(f, was, CHANGES_BEFORE), i);
		table_add(&f->by_inode, inode_hash(was->inode), i);
		if (was->has_hash && was->size > 0)
			table_add(&f->by_content, content_key(was->hash), i);
	}
}

/* How a file that is gone is recognised in one that is new, the surest way first. */
enum changes_way { CHANGES_BY_PATH, CHANGES_BY_INODE, CHANGES_BY_NAME, CHANGES_BY_CONTENT, CHANGES_WAYS };

static bool
changes_same_path(struct changes_files *f, const struct changes_file *was, const struct changes_file *is)
{
	struct buf a = { 0 }, b = { 0 };
	bool same = was->name_len == is->name_len && memcmp(was->name, is->name, was->name_len) == 0;

	if (same) {
		changes_dirs_path(&f->dirs, was->dir, CHANGES_BEFORE, &a);
		changes_dirs_path(&f->dirs, is->dir, CHANGES_AFTER, &b);
		same = strcmp(buf_str(&a), buf_str(&b)) == 0;
	}
	buf_release(&a);
	buf_release(&b);
	return same;
}

/* Whether a file that is gone is this one, by the way that is tried. */
static bool
changes_recognise(struct changes_files *f, const struct changes_pair *p, const struct changes_file *is, enum changes_way way)
{
	const struct changes_file *was = &f->files.v[p->was];

	if (p->is != CHANGES_NO_FILE)
		return false;
	switch (way) {
	case CHANGES_BY_PATH:
		return changes_same_path(f, was, is);
	case CHANGES_BY_INODE:
		return changes_file_is(was, is) && changes_file_same(was, is) != 0;
	case CHANGES_BY_NAME:
		return was->has_hash && is->has_hash && was->size > 0 && changes_file_same(was, is) == 1 &&
		       was->name_len == is->name_len && memcmp(was->name, is->name, was->name_len) == 0;
	case CHANGES_BY_CONTENT:
		return was->has_hash && is->has_hash && was->size > 0 && changes_file_same(was, is) == 1;
	case CHANGES_WAYS:
		break;
	}
	return false;
}

/* Find the pair of a gone file that this one is, by one way, or NULL. */
static struct changes_pair *
changes_find(struct changes_files *f, const struct changes_file *is, enum changes_way way)
{
	const struct table *t = way == CHANGES_BY_PATH ? &f->by_path : way == CHANGES_BY_INODE ? &f->by_inode : &f->by_content;
	const uint64_t hash = way == CHANGES_BY_PATH ? changes_path_hash(f, is, CHANGES_AFTER) :
	                      way == CHANGES_BY_INODE ? inode_hash(is->inode) : content_key(is->hash);
	size_t tried = 0;

	if (t->n == 0 || (way >= CHANGES_BY_NAME && !is->has_hash))
		return NULL;
	TABLE_EACH(i, t, hash) {
		if (changes_recognise(f, &f->pairs.v[i], is, way))
			return &f->pairs.v[i];
		if (++tried == CHANGES_TRIES)
			break;
	}
	return NULL;
}

/* Match new files with gone ones: what these became. */
static void
changes_match(struct changes_files *f)
{
	for (int way = 0; f->by_path.n > 0 && way < CHANGES_WAYS; way++) {
		for (size_t i = 0; i < f->pairs.n; i++) {
			struct changes_pair *p = &f->pairs.v[i], *gone;

			if (p->was != CHANGES_NO_FILE || p->is == CHANGES_NO_FILE)
				continue;
			gone = changes_find(f, &f->files.v[p->is], (enum changes_way)way);
			if (gone == NULL)
				continue;
			gone->is = p->is;
			gone->moved = way != CHANGES_BY_PATH;
			gone->left_out = false;
			p->is = CHANGES_NO_FILE;
		}
	}
}

/* Whether a directory of a state has the path with this hash. */
static bool
changes_has_path(struct changes_files *f, uint64_t hash, int time)
{
	size_t at;

	if (!f->has_paths[time]) {
		f->has_paths[time] = true;
		for (size_t i = 0; i < f->dirs.v.n; i++) {
			if (f->dirs.v.v[i].at[time].is)
				vec_push(&f->paths[time], changes_dirs_hash(&f->dirs, i, time));
		}
		if (f->paths[time].n > 1)
			qsort(f->paths[time].v, f->paths[time].n, sizeof(uint64_t), order_cmp_uint64);
	}
	ORDER_FIRST(at, f->paths[time].n, f->paths[time].v[at] < hash);
	return at < f->paths[time].n && f->paths[time].v[at] == hash;
}

bool
changes_files_whole(struct changes_files *f, size_t dir, int time)
{
	const int other = time == CHANGES_BEFORE ? CHANGES_AFTER : CHANGES_BEFORE;

	return f->dirs.v.v[dir].at[time].is && !f->dirs.v.v[dir].at[other].is &&
	       !changes_has_path(f, changes_dirs_hash(&f->dirs, dir, time), other);
}

/* Whether a new file may be one that is gone. */
static bool
changes_may_match(struct changes_files *f, const struct changes_file *is)
{
	size_t path = 0, inode = 0, content = 0;

	return table_next(&f->by_path, changes_path_hash(f, is, CHANGES_AFTER), &path) != TABLE_END ||
	       table_next(&f->by_inode, inode_hash(is->inode), &inode) != TABLE_END ||
	       (is->has_hash && table_next(&f->by_content, content_key(is->hash), &content) != TABLE_END);
}

/* Whether the name of this row has entries; rows come in the order of those. */
static bool
changes_has_entries(const struct changes_files *f, size_t *at, int64_t dir, const char *name)
{
	while (*at < f->keys.n && (f->keys.v[*at].dir < dir || (f->keys.v[*at].dir == dir && strcmp(f->keys.v[*at].name, name) < 0)))
		++*at;
	return *at < f->keys.n && f->keys.v[*at].dir == dir && strcmp(f->keys.v[*at].name, name) == 0;
}

/* A file of a new directory that has no entry. */
static int
changes_fresh(struct changes_files *f, const struct stmt *st, size_t dir, bool whole, struct err *err)
{
	struct changes_file file = { .dir = (uint32_t)dir };
	size_t len;

	if (changes_file_read(st, FRESH_IS, &file, err) < 0)
		return -1;
	file.name = stmt_col_name(st, FRESH_NAME, &len);
	file.name_len = (uint32_t)len;
	if (whole && !changes_may_match(f, &file)) {
		pairs_sum_add(&f->fresh.v[dir], 1, file.size);
		return 0;
	}
	file.name = arena_dup(&f->names, file.name, len);
	vec_push(&f->files, file);
	vec_push(&f->pairs, ((struct changes_pair){ .was = CHANGES_NO_FILE, .is = (uint32_t)(f->files.n - 1) }));
	return 0;
}

/* All files of new directories. */
static int
changes_load_fresh(struct changes_files *f, struct db *db, bool each, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_BEFORE_FRESH, err);
	int64_t dir = 0, rows = 0;
	size_t at = CHANGES_NO_DIR, key = 0;
	bool whole = false;
	int ret;

	stmt_int(&st, ":from", f->dirs.born[CHANGES_BEFORE]);
	stmt_int(&st, ":to", f->dirs.born[CHANGES_AFTER]);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;

		if (rows++ % CHANGES_POLL == 0 && stop_check(err) < 0) {
			ret = -1;
			break;
		}
		if (stmt_col_int(&st, FRESH_DIR) != dir) {
			dir = stmt_col_int(&st, FRESH_DIR);
			at = changes_dirs_find(&f->dirs, dir);
			whole = !each && at != CHANGES_NO_DIR && changes_files_whole(f, at, CHANGES_AFTER);
		}
		if (at == CHANGES_NO_DIR || !f->dirs.v.v[at].at[CHANGES_AFTER].is ||
		    changes_has_entries(f, &key, dir, stmt_col_text(&st, FRESH_NAME, &len)))
			continue;
		if (changes_fresh(f, &st, at, whole, err) < 0) {
			ret = -1;
			break;
		}
	}
	stmt_done(&st);
	return ret;
}

int
changes_files_load(struct changes_files *f, struct db *db, const int64_t runs[CHANGES_TIMES], bool each, struct err *err)
{
	if (changes_dirs_load(&f->dirs, db, runs, err) < 0)
		return -1;
	for (size_t i = 0; i < f->dirs.v.n; i++) {
		vec_push(&f->fresh, ((struct pairs_sum){ .n = 0 }));
		vec_push(&f->later, ((struct pairs_sum){ .n = 0 }));
	}
	if (changes_load_entries(f, db, runs, err) < 0)
		return -1;
	changes_index_gone(f);
	if (changes_load_fresh(f, db, each, err) < 0)
		return -1;
	changes_match(f);
	return 0;
}

void
changes_files_learn(const struct changes_files *f, struct changes_file *file)
{
	const uint64_t hash = inode_hash(file->inode);

	TABLE_EACH(i, &f->by_inode, hash) {
		const struct changes_file *was = &f->files.v[f->pairs.v[i].was];

		if (file->has_hash || !changes_file_is(was, file))
			continue;
		file->has_hash = was->has_hash;
		memcpy(file->hash, was->hash, HASH_SIZE);
	}
}

void
changes_files_release(struct changes_files *f)
{
	changes_dirs_release(&f->dirs);
	vec_release(&f->files);
	vec_release(&f->pairs);
	vec_release(&f->fresh);
	vec_release(&f->later);
	vec_release(&f->keys);
	for (int t = 0; t < CHANGES_TIMES; t++)
		vec_release(&f->paths[t]);
	table_release(&f->by_path);
	table_release(&f->by_inode);
	table_release(&f->by_content);
	arena_release(&f->names);
}
