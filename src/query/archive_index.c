/* SPDX-License-Identifier: MIT */
/*
 * Members come in the order of the archive, and name their directories in passing: all are kept
 * until the last one, then written with their directories' numbers.
 */
#include "base/base.h"

#include "query/archive_index.h"

#include "db/stmt.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "query/inside.h"
#include "sys/stop.h"

/* The only volume, and its top. */
enum { ARCHIVE_INDEX_VOLUME = 1, ARCHIVE_INDEX_TOP = 1 };

/* A directory or a file. */
struct archive_index_entry {
	int64_t parent;          /* 0: it is the top */
	const char *name;
	size_t len;
};

struct archive_index_load {
	struct arena names;
	VEC(struct archive_index_entry) dirs;   /* the number of each is its position, and 1 */
	struct table by_dir;
	VEC(struct file_row) files;
	struct table by_file;
	const char *archive;
	list_gap_fn *gap;
	void *arg;
};

void
archive_index_path(const struct inside *in, struct buf *path)
{
	buf_adds(path, in->path);
	buf_add(path, PACKED_MARK, sizeof(PACKED_MARK) - 2);
}

static uint64_t
archive_index_hash(int64_t parent, const char *name, size_t len)
{
	return table_hash((uint64_t)parent, table_hash_bytes(name, len));
}

/* The number of a directory, which is added if it is new. */
static int64_t
archive_index_dir(struct archive_index_load *l, int64_t parent, const char *name, size_t len)
{
	const uint64_t hash = archive_index_hash(parent, name, len);

	TABLE_EACH(i, &l->by_dir, hash) {
		const struct archive_index_entry *d = &l->dirs.v[i];

		if (d->parent == parent && d->len == len && memcmp(d->name, name, len) == 0)
			return (int64_t)i + 1;
	}
	vec_push(&l->dirs, ((struct archive_index_entry){ parent, arena_dup(&l->names, name, len), len }));
	table_add(&l->by_dir, hash, l->dirs.n - 1);
	return (int64_t)l->dirs.n;
}

/* The row of a file, which is added if it is new. */
static struct file_row *
archive_index_file(struct archive_index_load *l, int64_t dir, const char *name, size_t len)
{
	const uint64_t hash = archive_index_hash(dir, name, len);

	TABLE_EACH(i, &l->by_file, hash) {
		struct file_row *row = &l->files.v[i];

		if (row->dir == dir && row->name_len == len && memcmp(row->name, name, len) == 0)
			return row;
	}
	table_add(&l->by_file, hash, l->files.n);
	vec_push(&l->files, ((struct file_row){ .dir = dir, .name = arena_dup(&l->names, name, len), .name_len = len }));
	return &l->files.v[l->files.n - 1];
}

/* Tell of a member that was not judged. */
static void
archive_index_tell(const struct archive_index_load *l, const struct packed *p)
{
	struct buf path = { 0 };

	buf_addf(&path, "%s" PACKED_MARK, l->archive);
	buf_add(&path, p->name, p->name_len);
	l->gap(l->arg, buf_str(&path), GAP_UNPROVEN, false, packed_why_text(p->why));
	buf_release(&path);
}

/*
 * The row of a member, whose directories are added.  A name that leaves the archive by ".." begins
 * behind the last of these, as where GNU tar unpacks it; one in a member stays in that.
 */
static struct file_row *
archive_index_name(struct archive_index_load *l, const struct packed *p)
{
	const char *name = p->name, *const end = name + p->name_len, *last = NULL;
	const char *const inner = p->outer_len > 0 ? name + p->outer_len + PACKED_MARK_LEN : NULL;
	char unnamed[NUM_SHOW_MAX + sizeof("(no name) ")];
	int64_t top = ARCHIVE_INDEX_TOP, dir = top;
	size_t last_len = 0;

	for (size_t len; name < end; name += len + (name + len < end)) {
		const char *slash = memchr(name, '/', (size_t)(end - name));

		if (name == inner) {
			top = dir = archive_index_dir(l, dir, last, last_len);
			last = NULL;
		}
		len = (size_t)((slash != NULL ? slash : end) - name);
		if (name_is_entry(name, len)) {
			dir = last != NULL ? archive_index_dir(l, dir, last, last_len) : dir;
			last = name;
			last_len = len;
		} else if (len == 2) {
			dir = top;
			last = NULL;
		}
	}
	if (last == NULL) {
		last_len = (size_t)snprintf(unnamed, sizeof(unnamed), "(no name) %zu", l->files.n);
		last = unnamed;
	}
	return archive_index_file(l, dir, last, last_len);
}

/* archives_member_fn */
static int
archive_index_member(void *arg, const struct packed *p, struct err *err)
{
	struct archive_index_load *l = arg;
	struct file_row *row;

	if (packed_is_rest(p)) {
		if (l->gap != NULL)
			archive_index_tell(l, p);
		return 0;
	}
	row = archive_index_name(l, p);
	row->error = p->has_hash || p->why == PACKED_GOOD || p->why == PACKED_NOT_READ ? 0 : FILE_MEMBER - (int)p->why;
	/* What was not judged is no empty file: its size is unknown, as that of a link. */
	row->size = p->size > 0 || (p->size == 0 && row->error == 0) ? p->size : 1;
	row->mtime = row->ctime = (struct fs_time){ p->mtime != INT64_MIN ? p->mtime : 0, 0 };
	row->inode = (struct inode){ ARCHIVE_INDEX_VOLUME, (int64_t)(row - l->files.v) + 1 };
	row->nlink = 1;
	row->has_hash = p->has_hash;
	memcpy(row->hash, p->hash, HASH_SIZE);
	if (row->error != 0 && l->gap != NULL)
		archive_index_tell(l, p);
	return stop_check(err);
}

static int
archive_index_put_dir(struct db *db, int64_t id, const struct archive_index_entry *d, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_DIR_JOIN, err);
	struct buf stored = { 0 };
	int ret;

	dirs_store_name(&stored, d->name, d->len, d->parent);
	stmt_int(&st, ":id", id);
	stmt_int(&st, ":parent", d->parent);
	stmt_text(&st, ":name", buf_str(&stored), stored.len);
	if (!name_is_utf8(d->name, d->len))
		stmt_blob(&st, ":name_raw", d->name, d->len);
	stmt_int(&st, ":volume", ARCHIVE_INDEX_VOLUME);
	stmt_int(&st, ":inode", id);
	ret = stmt_run(&st);
	buf_release(&stored);
	return ret;
}

/* Write all, in a transaction. */
static int
archive_index_put(struct index *ix, const struct archive_index_load *l, unsigned fleeting, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_VOLUME_JOIN, err);
	struct buf key = { 0 };
	int ret;

	fleeting_archive_key(&key, l->archive, fleeting);
	stmt_int(&st, ":id", ARCHIVE_INDEX_VOLUME);
	stmt_text(&st, ":key", buf_str(&key), key.len);
	stmt_text(&st, ":type", "archive", strlen("archive"));
	ret = stmt_run(&st);
	buf_release(&key);
	for (size_t i = 0; ret == 0 && i < l->dirs.n; i++)
		ret = archive_index_put_dir(ix->db, (int64_t)i + 1, &l->dirs.v[i], err);
	if (ret == 0)
		ret = file_put_many(ix->db, l->files.v, l->files.n, err);
	return ret < 0 ? -1 : index_make_contents(ix, err);
}

int
archive_index_open(struct index **result, struct index *ix, const struct inside *in, bool within, list_gap_fn *gap, void *arg, struct err *err)
{
	struct archive_index_load l = { .archive = in->path, .gap = gap, .arg = arg };
	struct index *made = NULL;
	struct dirs dirs = { .db = ix->db };
	const struct dirs_prefix *prefix = dirs_prefix(&dirs, in->row.dir, err);
	struct buf top = { 0 };
	int ret;

	archive_index_path(in, &top);
	archive_index_dir(&l, 0, top.data, top.len);
	ret = prefix == NULL ? -1 : archives_members(ix, in->a.id, within, archive_index_member, &l, err);
	if (ret == 0)
		ret = index_open_memory(&made, ix, err);
	if (ret == 0)
		ret = db_begin(made->db, err);
	if (ret == 0)
		ret = db_end(made->db, archive_index_put(made, &l, prefix->fleeting, err), err);
	if (ret == 0) {
		made->members = true;
		*result = made;
	} else
		index_close(made);
	dirs_release(&dirs);
	buf_release(&top);
	arena_release(&l.names);
	vec_release(&l.dirs);
	table_release(&l.by_dir);
	vec_release(&l.files);
	table_release(&l.by_file);
	return ret;
}
