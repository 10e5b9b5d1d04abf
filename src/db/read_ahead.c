/* SPDX-License-Identifier: MIT */
/*
 * SQLite asks its file layer for single pages.  A pass over a table asks for thousands of
 * neighbours: here they come from a window of the file that was read as a whole.
 *
 * A window is read only when several reads in turn were neighbours: a lookup by an index reads
 * what it did before.  The pages of a table need not ascend: those from SQLite's free list mostly
 * descend, and a window lies where the reads go.  It begins small, and doubles while half of it
 * or more is asked for.  After a window whose smaller part was, single pages are read for a while.
 *
 * Invariants
 *  1. A window lives no longer than a lock of SQLite's on the file or its log: every call that
 *     takes or gives up one drops it.  Under a lock nobody changes a page of the file that the
 *     reader may ask for: a writer without a log waits, and a checkpoint leaves those pages whose
 *     newer version a reader must not see.
 *  2. What a window does not hold whole, or can't be read as a whole, SQLite reads by itself:
 *     errors and ends of files are the usual file layer's.
 *
 * One thread at a time has a file, as it has the connection.
 */
#include "base/base.h"

#include "db/read_ahead.h"

#include <sqlite3.h>

/* Bytes of the smallest window and of the largest. */
#define READ_AHEAD_LEAST (64 * 1024)
#define READ_AHEAD_MOST (1024 * 1024)
/*
 * The beginning of the file, with the schema and the roots of the tables: its third read under a
 * lock is followed by most of its other pages.
 */
#define READ_AHEAD_HEAD (256 * 1024)
#define READ_AHEAD_HEAD_READS 3
/* The most that SQLite's file layer reads at once: it takes 17 bits of a length, and asserts so. */
#define READ_AHEAD_PIECE (120 * 1024)
/* Number of reads that make a pass, and bytes that each may be away from the last. */
#define READ_AHEAD_READS 4
#define READ_AHEAD_NEAR 65536
/* Number of reads that must be neighbours besides, after a window that was of little use. */
#define READ_AHEAD_REST 32

/* A file of a connection that reads; the usual VFS's own file lies behind it. */
struct read_ahead {
	sqlite3_file base;
	sqlite3_io_methods methods;
	sqlite3_file *file;     /* the usual VFS's */
	char *window;           /* owned; NULL before it was needed */
	sqlite3_int64 from;     /* where it begins in the file */
	int len;                /* bytes in it; 0: it was dropped */
	int size;               /* bytes that the next one has */
	int used;               /* bytes of it that were asked for */
	sqlite3_int64 last;     /* where the last read was */
	int near;               /* reads in turn that were neighbours */
	bool descends;          /* the last one lay before the one before it */
	int head;               /* reads of the file's beginning since the window was dropped */
};

static struct read_ahead *
read_ahead_of(sqlite3_file *f)
{
	return (struct read_ahead *)f;
}

/* Forget the window: from now on others may write to the file. */
static sqlite3_file *
read_ahead_drop(sqlite3_file *f)
{
	struct read_ahead *r = read_ahead_of(f);

	r->len = r->head = 0;
	return r->file;
}

static int
read_ahead_close(sqlite3_file *f)
{
	struct read_ahead *r = read_ahead_of(f);

	free(r->window);
	r->window = NULL;
	return r->file->pMethods->xClose(r->file);
}

/* Whether this read is one of a pass. */
static bool
read_ahead_passes(struct read_ahead *r, sqlite3_int64 at)
{
	const sqlite3_int64 step = at - r->last;

	if (step >= -READ_AHEAD_NEAR && step <= READ_AHEAD_NEAR)
		r->near++;
	else if (r->near > 0)
		r->near = 0;
	r->descends = step < 0;
	r->last = at;
	return r->near >= READ_AHEAD_READS;
}

/* Choose the size of the next window by the use of this one.  Returns whether there is one. */
static bool
read_ahead_size(struct read_ahead *r)
{
	if (r->len == 0)
		r->size = READ_AHEAD_LEAST;
	else if (r->used >= r->len / 2)
		r->size = r->size < READ_AHEAD_MOST ? r->size * 2 : READ_AHEAD_MOST;
	else if (r->used < r->len / 4) {
		r->len = 0;
		r->near = -READ_AHEAD_REST;
		return false;
	}
	return true;
}

/*
 * Read a window of len bytes with n bytes at a place at its beginning or, when reads descend, at
 * its end.  Returns whether it has these.
 */
static bool
read_ahead_fill(struct read_ahead *r, sqlite3_int64 at, int n, sqlite3_int64 len)
{
	const bool descends = r->len > 0 ? at < r->from : r->descends;
	const sqlite3_int64 from = !descends ? at : at + n > len ? at + n - len : 0;
	sqlite3_int64 size;

	r->len = 0;
	if (r->file->pMethods->xFileSize(r->file, &size) != SQLITE_OK || at + n > size || at + n > from + len)
		return false;
	if (r->window == NULL)
		r->window = mem_alloc(READ_AHEAD_MOST);
	size = size - from < len ? size - from : len;
	for (sqlite3_int64 done = 0, piece; done < size; done += piece) {
		piece = size - done < READ_AHEAD_PIECE ? size - done : READ_AHEAD_PIECE;
		if (r->file->pMethods->xRead(r->file, r->window + done, (int)piece, from + done) != SQLITE_OK)
			return false;
	}
	r->from = from;
	r->len = (int)size;
	r->used = 0;
	return true;
}

/* Read a window at the beginning of the file, which says nothing about the use of others. */
static bool
read_ahead_fill_head(struct read_ahead *r, sqlite3_int64 at, int n)
{
	const bool filled = at + n <= READ_AHEAD_HEAD && read_ahead_fill(r, 0, READ_AHEAD_HEAD, READ_AHEAD_HEAD);

	r->used = r->len;
	return filled;
}

static int
read_ahead_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
	struct read_ahead *r = read_ahead_of(f);
	const bool passes = read_ahead_passes(r, at);
	const bool has = r->len > 0 && at >= r->from && at + n <= r->from + r->len;
	const bool head = at < READ_AHEAD_HEAD && ++r->head == READ_AHEAD_HEAD_READS;

	if (!has && !(head ? read_ahead_fill_head(r, at, n) : passes && read_ahead_size(r) && read_ahead_fill(r, at, n, r->size)))
		return r->file->pMethods->xRead(r->file, to, n, at);
	r->used += n;
	memcpy(to, r->window + (at - r->from), (size_t)n);
	return SQLITE_OK;
}

static int
read_ahead_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
	sqlite3_file *file = read_ahead_drop(f);

	return file->pMethods->xWrite(file, from, n, at);
}

static int
read_ahead_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	sqlite3_file *file = read_ahead_drop(f);

	return file->pMethods->xTruncate(file, size);
}

static int
read_ahead_sync(sqlite3_file *f, int flags)
{
	sqlite3_file *file = read_ahead_of(f)->file;

	return file->pMethods->xSync(file, flags);
}

static int
read_ahead_file_size(sqlite3_file *f, sqlite3_int64 *size)
{
	sqlite3_file *file = read_ahead_of(f)->file;

	return file->pMethods->xFileSize(file, size);
}

static int
read_ahead_lock(sqlite3_file *f, int level)
{
	sqlite3_file *file = read_ahead_drop(f);

	return file->pMethods->xLock(file, level);
}

static int
read_ahead_unlock(sqlite3_file *f, int level)
{
	sqlite3_file *file = read_ahead_drop(f);

	return file->pMethods->xUnlock(file, level);
}

static int
read_ahead_check_lock(sqlite3_file *f, int *locked)
{
	sqlite3_file *file = read_ahead_of(f)->file;

	return file->pMethods->xCheckReservedLock(file, locked);
}

static int
read_ahead_control(sqlite3_file *f, int op, void *arg)
{
	sqlite3_file *file = read_ahead_of(f)->file;

	return file->pMethods->xFileControl(file, op, arg);
}

static int
read_ahead_sector(sqlite3_file *f)
{
	sqlite3_file *file = read_ahead_of(f)->file;

	return file->pMethods->xSectorSize(file);
}

static int
read_ahead_device(sqlite3_file *f)
{
	sqlite3_file *file = read_ahead_of(f)->file;

	return file->pMethods->xDeviceCharacteristics(file);
}

static int
read_ahead_shm_map(sqlite3_file *f, int region, int size, int extend, void volatile **map)
{
	sqlite3_file *file = read_ahead_of(f)->file;

	return file->pMethods->xShmMap(file, region, size, extend, map);
}

static int
read_ahead_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
	sqlite3_file *file = read_ahead_drop(f);

	return file->pMethods->xShmLock(file, offset, n, flags);
}

static void
read_ahead_shm_barrier(sqlite3_file *f)
{
	sqlite3_file *file = read_ahead_of(f)->file;

	file->pMethods->xShmBarrier(file);
}

static int
read_ahead_shm_unmap(sqlite3_file *f, int delete_it)
{
	sqlite3_file *file = read_ahead_drop(f);

	return file->pMethods->xShmUnmap(file, delete_it);
}

static int
read_ahead_fetch(sqlite3_file *f, sqlite3_int64 at, int n, void **page)
{
	sqlite3_file *file = read_ahead_of(f)->file;

	return file->pMethods->xFetch(file, at, n, page);
}

static int
read_ahead_unfetch(sqlite3_file *f, sqlite3_int64 at, void *page)
{
	sqlite3_file *file = read_ahead_of(f)->file;

	return file->pMethods->xUnfetch(file, at, page);
}

static const sqlite3_io_methods read_ahead_methods = {
	3,
	read_ahead_close, read_ahead_read, read_ahead_write, read_ahead_truncate, read_ahead_sync, read_ahead_file_size,
	read_ahead_lock, read_ahead_unlock, read_ahead_check_lock, read_ahead_control, read_ahead_sector, read_ahead_device,
	read_ahead_shm_map, read_ahead_shm_lock, read_ahead_shm_barrier, read_ahead_shm_unmap,
	read_ahead_fetch, read_ahead_unfetch
};

/* The usual VFS with another way to open files, and room for struct read_ahead before its own. */
static int
read_ahead_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out)
{
	sqlite3_vfs *usual = vfs->pAppData;
	struct read_ahead *r = read_ahead_of(f);
	int rc;

	/* Journals and logs are read once. */
	if ((flags & SQLITE_OPEN_MAIN_DB) == 0 || (flags & SQLITE_OPEN_READONLY) == 0)
		return usual->xOpen(usual, name, f, flags, out);
	*r = (struct read_ahead){ .file = (sqlite3_file *)(r + 1), .last = -READ_AHEAD_NEAR - 1, .size = READ_AHEAD_LEAST };
	rc = usual->xOpen(usual, name, r->file, flags, out);
	/* SQLite closes a file that has methods, also if it could not be opened. */
	if (r->file->pMethods == NULL)
		return rc;
	r->methods = read_ahead_methods;
	if (r->file->pMethods->iVersion < r->methods.iVersion)
		r->methods.iVersion = r->file->pMethods->iVersion;
	/* SQLite asks for shared memory by this one: a file that nobody changes has none. */
	if (r->methods.iVersion < 2 || r->file->pMethods->xShmMap == NULL)
		r->methods.xShmMap = NULL;
	r->base.pMethods = &r->methods;
	return rc;
}

const char *
read_ahead_vfs(void)
{
	static const char name[] = "twindex-read-ahead";
	static sqlite3_vfs vfs;
	sqlite3_mutex *mutex;
	sqlite3_vfs *usual;
	bool made = false;

	if (sqlite3_initialize() != SQLITE_OK || (usual = sqlite3_vfs_find(NULL)) == NULL)
		return NULL;
	mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
	sqlite3_mutex_enter(mutex);
	if (vfs.zName != NULL)
		made = true;
	else if (strcmp(usual->zName, "unix") == 0) {
		vfs = *usual;
		vfs.zName = name;
		vfs.pNext = NULL;
		vfs.pAppData = usual;
		vfs.szOsFile = (int)sizeof(struct read_ahead) + usual->szOsFile;
		vfs.xOpen = read_ahead_open;
		made = sqlite3_vfs_register(&vfs, 0) == SQLITE_OK;
		if (!made)
			vfs.zName = NULL;
	}
	sqlite3_mutex_leave(mutex);
	return made ? name : NULL;
}
