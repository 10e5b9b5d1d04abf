/* SPDX-License-Identifier: MIT */
/*
 * Hides what a file is compared with.  Only the reference copy is read again: the file's bytes are
 * still in the reader that hashed them, unless it is large.  The bytes of small reference copies
 * are kept, up to VERIFY_INLINE_KEEP, so that nothing is opened at all; those of somewhat larger
 * ones once they have been read again, since contents with two copies often have more.  Kept bytes
 * are of the state that the reference copy's row describes.
 *
 * Locks: one a shard, by a byte of the hash that is not in content_key, and under it
 * verify_inline.lock for memory and lists.
 * Reference copies lie in an arena of the worker that met them, until the end.
 *
 * A reference copy that is gone gets no successor, which the earlier files would not have been
 * compared with.  verify_run compares all files of the content.
 */
#include "base/base.h"

#include "scan/verify_inline.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "db/db.h"
#include "db/stmt.h"
#include "index/file.h"
#include "scan/stats.h"
#include "sys/content.h"
#include "sys/content_equal.h"
#include "sys/fs.h"

#define VERIFY_INLINE_SHARDS 64
/*
 * The bytes that are kept of all reference copies.  Those of up to KEEP_SIZE are kept at once, and
 * so are those above CONTENT_WHOLE up to KEEP_TWIN: these are read whole where another file has
 * their head, which mostly has their content, too.  What lies between costs more to keep than to
 * read again, until a copy was met.
 */
#define VERIFY_INLINE_KEEP (64 * 1024 * 1024)
#define VERIFY_INLINE_KEEP_SIZE 1024
#define VERIFY_INLINE_KEEP_TWIN 8192

/*
 * The row must say "verified" once MATCHED and WRITTEN are set: the thread that sets the second
 * one sees to it.
 */
enum reference_state {
	REFERENCE_MATCHED = 1,  /* another file has these bytes */
	REFERENCE_WRITTEN = 2,  /* its row is written */
	REFERENCE_LOST = 4      /* gone or changed: compare no more */
};

struct reference {
	uint8_t hash[HASH_SIZE];
	const struct reference_place *place;
	/* What fs_stat_same asks for, in less memory than all of a stat. */
	uint64_t dev, inode;
	int64_t size, volume, mtime, ctime;
	int32_t mtime_nsec, ctime_nsec;
	const uint8_t *_Atomic bytes;  /* that are kept; or NULL: they must be read again */
	_Atomic unsigned state;  /* enum reference_state */
	uint32_t name_len;
	bool links;
	char name[];             /* with a NUL */
};

/* A directory of reference copies. */
struct reference_place {
	int64_t dir;
	size_t start_len;        /* beginning of path that may have links */
	char path[];
};

struct reference_list {
	struct reference **v;
	size_t n, cap;
};

struct verify_inline_shard {
	pthread_mutex_t lock;
	struct reference_list references;
	struct table by_content;
};

struct verify_inline {
	struct stats *counts;
	struct verify_inline_shard shards[VERIFY_INLINE_SHARDS];
	_Atomic int64_t left, kept;
	pthread_mutex_t lock;            /* of what follows */
	struct reference_list equal;     /* rows to be marked */
	struct reference_list linked;    /* the same, of inodes with several names */
	VEC(struct arena *) rooms;       /* one a worker, for its reference copies */
};

struct verify_inline *
verify_inline_new(struct stats *counts)
{
	struct verify_inline *references = mem_zalloc(1, sizeof(*references));

	references->counts = counts;
	pthread_mutex_init(&references->lock, NULL);
	for (int i = 0; i < VERIFY_INLINE_SHARDS; i++)
		pthread_mutex_init(&references->shards[i].lock, NULL);
	return references;
}

void
verify_inline_free(struct verify_inline *references)
{
	if (references == NULL)
		return;
	for (int i = 0; i < VERIFY_INLINE_SHARDS; i++) {
		pthread_mutex_destroy(&references->shards[i].lock);
		vec_release(&references->shards[i].references);
		table_release(&references->shards[i].by_content);
	}
	for (size_t i = 0; i < references->rooms.n; i++) {
		arena_release(references->rooms.v[i]);
		free(references->rooms.v[i]);
	}
	vec_release(&references->rooms);
	vec_release(&references->equal);
	vec_release(&references->linked);
	pthread_mutex_destroy(&references->lock);
	free(references);
}

void
verify_inline_worker_init(struct verify_inline_worker *w, struct verify_inline *references, struct content_reader *reader)
{
	*w = (struct verify_inline_worker){ .references = references, .reader = reader };
	if (references == NULL)
		return;
	w->room = mem_zalloc(1, sizeof(*w->room));
	pthread_mutex_lock(&references->lock);
	vec_push(&references->rooms, w->room);
	pthread_mutex_unlock(&references->lock);
}

void
verify_inline_enter(struct verify_inline_worker *w, int64_t dir, const char *start, const char *path, int start_fd)
{
	w->dir = dir;
	w->start = start;
	w->path = path;
	w->start_fd = start_fd;
	w->place = NULL;
}

/* The worker's directory, shared by all reference copies in it. */
static const struct reference_place *
verify_inline_place(struct verify_inline_worker *w)
{
	if (w->place == NULL) {
		struct reference_place *place;
		struct buf path = { 0 };

		buf_adds(&path, w->start);
		if (w->path[0] != '\0')
			path_append(&path, w->path, strlen(w->path));
		place = arena_alloc(w->room, sizeof(*place) + path.len + 1);
		*place = (struct reference_place){ .dir = w->dir, .start_len = strlen(w->start) };
		memcpy(place->path, buf_str(&path), path.len + 1);
		buf_release(&path);
		w->place = place;
	}
	return w->place;
}

/* Keep the bytes of a reference copy, as its file or an equal one was just hashed. */
static void
verify_inline_keep(struct verify_inline_worker *w, struct reference *l)
{
	const size_t size = (size_t)l->size;
	uint8_t *bytes;

	if (atomic_fetch_add_explicit(&w->references->kept, l->size, memory_order_relaxed) > VERIFY_INLINE_KEEP - l->size)
		return;
	bytes = arena_alloc(w->room, size);
	memcpy(bytes, content_last(w->reader, l->size), size);
	/* Others compare with them at once.  Of two that keep the same bytes, either will do. */
	atomic_store_explicit(&l->bytes, bytes, memory_order_release);
}

/* Record the file that was just hashed. */
static struct reference *
verify_inline_record(struct verify_inline_worker *w, const char *name, const struct fs_stat *st, int64_t volume, bool links,
                     const uint8_t hash[HASH_SIZE])
{
	const size_t len = strlen(name);
	struct reference *l = arena_alloc(w->room, sizeof(*l) + len + 1);

	*l = (struct reference){
		.place = verify_inline_place(w), .dev = st->dev, .inode = st->inode, .size = st->size, .volume = volume,
		.mtime = st->mtime.sec, .mtime_nsec = st->mtime.nsec, .ctime = st->ctime.sec, .ctime_nsec = st->ctime.nsec,
		.name_len = (uint32_t)len, .links = links,
	};
	memcpy(l->hash, hash, HASH_SIZE);
	memcpy(l->name, name, len + 1);
	return l;
}

/* The reference copy of a content, or NULL. */
static struct reference *
verify_inline_known(const struct verify_inline_shard *sh, int64_t size, const uint8_t hash[HASH_SIZE])
{
	TABLE_EACH(i, &sh->by_content, content_key(hash)) {
		struct reference *l = sh->references.v[i];

		if (memcmp(l->hash, hash, HASH_SIZE) == 0 && l->size == size)
			return l;
	}
	return NULL;
}

/* A reference copy equals another file: note its row, now or once it is written. */
static void
verify_inline_match(struct verify_inline *references, struct reference *l)
{
	unsigned before = atomic_fetch_or(&l->state, REFERENCE_MATCHED);

	if ((before & REFERENCE_MATCHED) != 0 || (!l->links && (before & REFERENCE_WRITTEN) == 0))
		return;
	pthread_mutex_lock(&references->lock);
	vec_push(l->links ? &references->linked : &references->equal, l);
	pthread_mutex_unlock(&references->lock);
}

bool
verify_inline_row(struct reference *reference)
{
	return !reference->links && (atomic_fetch_or(&reference->state, REFERENCE_WRITTEN) & REFERENCE_MATCHED) != 0;
}

/* The reference copy of a content, or NULL: then this file becomes it. */
static struct reference *
verify_inline_find(struct verify_inline_worker *w, const char *name, const struct fs_stat *st, int64_t volume, bool links,
           const uint8_t hash[HASH_SIZE])
{
	struct verify_inline_shard *sh = &w->references->shards[hash[HASH_SIZE - 1] % VERIFY_INLINE_SHARDS];
	struct reference *l;

	pthread_mutex_lock(&sh->lock);
	l = verify_inline_known(sh, st->size, hash);
	if (l == NULL) {
		l = verify_inline_record(w, name, st, volume, links, hash);
		if (l->size <= VERIFY_INLINE_KEEP_SIZE || (l->size > CONTENT_WHOLE && l->size <= VERIFY_INLINE_KEEP_TWIN))
			verify_inline_keep(w, l);
		vec_push(&sh->references, l);
		table_add(&sh->by_content, content_key(hash), sh->references.n - 1);
		w->reference = l;
		l = NULL;
	}
	pthread_mutex_unlock(&sh->lock);
	return l;
}

/* Open a file below the start point that is open. */
static int
verify_inline_open_below(const struct verify_inline_worker *w, const char *path, const char *name)
{
	struct buf file = { 0 };
	int fd;

	buf_adds(&file, path);
	path_append(&file, name, strlen(name));
	fd = fs_open_file(w->start_fd, buf_str(&file));
	buf_release(&file);
	return fd;
}

/* The path of a place from the start point that is open, or NULL. */
static const char *
verify_inline_below(const struct verify_inline_worker *w, const struct reference_place *place)
{
	if (w->start_fd < 0 || strncmp(place->path, w->start, place->start_len) != 0 || w->start[place->start_len] != '\0')
		return NULL;
	return path_below(place->path, w->start);
}

static int
verify_inline_open(const struct verify_inline_worker *w, const struct reference *l, int at)
{
	const struct reference_place *place = l->place;
	struct buf path = { 0 };
	const char *below;
	int fd;

	if (place->dir == w->dir && at >= 0)
		return fs_open_file(at, l->name);
	below = verify_inline_below(w, place);
	if (below != NULL)
		return verify_inline_open_below(w, below, l->name);
	buf_adds(&path, place->path);
	path_append(&path, l->name, l->name_len);
	fd = fs_open_file_below(path.data, place->start_len);
	buf_release(&path);
	return fd;
}

/* Whether an open reference copy is unchanged, by its times. */
static bool
verify_inline_is_still(const struct reference *l, int fd)
{
	const struct fs_stat then = {
		.dev = l->dev, .inode = l->inode, .size = l->size,
		.mtime = { l->mtime, l->mtime_nsec }, .ctime = { l->ctime, l->ctime_nsec },
	};
	struct fs_stat st;

	return fs_stat_fd(fd, &st) == 0 && fs_stat_same(&st, &then);
}

/*
 * Compare the file with the open reference copy.  Returns 1: equal; 0: not; -1: it could not be
 * done.
 */
static int
verify_inline_compare(struct verify_inline_worker *w, int fd, int at, const char *name, const struct fs_stat *st)
{
	struct fs_stat after;
	int other, equal;

	if (content_last(w->reader, st->size) != NULL)
		return content_equal_last(w->reader, fd, st->size);
	other = at >= 0 ? fs_open_file(at, name) : verify_inline_open_below(w, w->path, name);
	if (other < 0)
		return -1;
	equal = content_equal(w->reader, fd, other, st->size);
	if (fs_stat_fd(other, &after) < 0 || !fs_stat_same(&after, st))
		equal = -1;
	close(other);
	return equal;
}

enum verify_inline_verdict
verify_inline_meet(struct verify_inline_worker *w, int at, const char *name, const struct fs_stat *st, int64_t volume, bool links,
           const uint8_t hash[HASH_SIZE])
{
	struct verify_inline *references = w->references;
	const int64_t read = w->reader->bytes;
	const uint8_t *bytes;
	bool still = true;
	int equal = -1;
	struct reference *l;

	w->reference = NULL;
	l = verify_inline_find(w, name, st, volume, links, hash);
	if (l == NULL)
		return VERIFY_INLINE_NONE;
	if (l->volume == volume && l->inode == st->inode) {
		/*
		 * A name of the reference copy itself: verify_inline_write covers it if both have
		 * links.
		 */
		if (!l->links || !links)
			atomic_fetch_add(&references->left, 1);
		return VERIFY_INLINE_NONE;
	}
	bytes = atomic_load_explicit(&l->bytes, memory_order_acquire);
	if (bytes != NULL)
		equal = memcmp(bytes, content_last(w->reader, st->size), (size_t)st->size) == 0;
	else {
		const bool lost = (atomic_load(&l->state) & REFERENCE_LOST) != 0;
		int fd = lost ? -1 : verify_inline_open(w, l, at);

		if (fd >= 0)
			equal = verify_inline_compare(w, fd, at, name, st);
		still = fd >= 0 && verify_inline_is_still(l, fd);
		if (fd >= 0)
			close(fd);
		if (still && equal > 0 && l->size <= VERIFY_INLINE_KEEP_TWIN)
			verify_inline_keep(w, l);
		/* Bytes of the reference copy count only in verified_bytes. */
		w->reader->bytes = read;
	}
	if (equal < 0 || !still) {
		atomic_fetch_add(&references->left, 1);
		if (!still)
			atomic_fetch_or(&l->state, REFERENCE_LOST);
		return VERIFY_INLINE_NONE;
	}
	atomic_fetch_add_explicit(&references->counts->verified_bytes, 2 * st->size, memory_order_relaxed);
	if (equal == 0)
		return VERIFY_INLINE_DIFFERS;
	verify_inline_match(references, l);
	if (!links)
		return VERIFY_INLINE_EQUAL;
	verify_inline_match(references, verify_inline_record(w, name, st, volume, links, hash));
	return VERIFY_INLINE_NONE;
}

void
verify_inline_twin(struct verify_inline_worker *w, struct reference *reference, int64_t size)
{
	atomic_fetch_add_explicit(&w->references->counts->verified_bytes, 2 * size, memory_order_relaxed);
	if (reference != NULL)
		verify_inline_match(w->references, reference);
}

int64_t
verify_inline_left(const struct verify_inline *references)
{
	return atomic_load(&references->left);
}

/* Mark the names of an inode with several as verified. */
static int
verify_inline_write_links(struct db *db, const struct reference *l, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_SET_VERIFIED_LINKS, err);

	stmt_int(&st, ":now", (int64_t)time(NULL));
	stmt_int(&st, ":size", l->size);
	stmt_blob(&st, ":hash", l->hash, HASH_SIZE);
	stmt_int(&st, ":volume", l->volume);
	stmt_int(&st, ":inode", (int64_t)l->inode);
	return stmt_run(&st);
}

/* Mark rows as verified in the order of directories, which is that of the table. */
static int
verify_inline_write_rows(struct verify_inline *references, struct db *db, const struct reference_list *rows, struct err *err)
{
	struct order *order = mem_alloc((rows->n + 1) * sizeof(*order));
	int ret = 0;

	for (size_t i = 0; i < rows->n; i++)
		order[i] = (struct order){ (uint64_t)rows->v[i]->place->dir, i };
	order_sort(order, rows->n);
	for (size_t i = 0; ret == 0 && i < rows->n; i++) {
		const struct reference *l = rows->v[order[i].pos];

		ret = l->links ? verify_inline_write_links(db, l, err) :
		      file_set_verified(db, l->place->dir, l->name, l->name_len, l->hash, err);
		if (ret == 0)
			atomic_fetch_add(&references->counts->verified, db_changes(db));
	}
	free(order);
	return ret;
}

int
verify_inline_write(struct verify_inline *references, struct db *db, bool links, struct err *err)
{
	struct reference_list equal, linked = { 0 };
	int ret;

	pthread_mutex_lock(&references->lock);
	equal = references->equal;
	references->equal = (struct reference_list){ 0 };
	if (links) {
		linked = references->linked;
		references->linked = (struct reference_list){ 0 };
	}
	pthread_mutex_unlock(&references->lock);
	ret = verify_inline_write_rows(references, db, &equal, err);
	if (ret == 0)
		ret = verify_inline_write_rows(references, db, &linked, err);
	vec_release(&equal);
	vec_release(&linked);
	return ret;
}
