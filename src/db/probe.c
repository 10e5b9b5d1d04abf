/* SPDX-License-Identifier: MIT */
/*
 * Hides the formats of the files that SQLite makes: database, log, journal and shared memory,
 * known by their heads (struct probe_head).  It reads with its own descriptors, which is safe only
 * while SQLite has the file open nowhere in this process: closing one drops SQLite's locks.
 */
#include "base/base.h"

#include "db/probe.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "sys/fs.h"

/*
 * The shared memory of a short log (sqlite.org/walformat.html), of which a longer one has several,
 * and by how many bytes SQLite lets it grow (os_unix.c, unixShmMap).
 */
#define PROBE_SHARED_SIZE 32768
#define PROBE_SHARED_PAGE 4096

/* Bytes at the start of a file that are read: enough to know each of the four kinds. */
#define PROBE_HEAD 108

/* The beginning of a file. */
struct probe_head {
	unsigned char bytes[PROBE_HEAD];  /* zeros behind what there is */
	size_t n;
	int64_t size;
};

static bool
probe_is_zero(const struct probe_head *h, size_t n)
{
	for (size_t i = 0; i < n && i < h->n; i++) {
		if (h->bytes[i] != 0)
			return false;
	}
	return true;
}

static uint32_t
probe_number(const struct probe_head *h, size_t at)
{
	const unsigned char *b = h->bytes + at;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/*
 * Read the head of a regular file without waiting for another
 * process.  Returns 0, or -1 with errno.
 */
static int
probe_read(const char *path, int how, struct probe_head *h)
{
	struct stat st;
	ssize_t n;
	int failed, fd = open(path, how | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -1;
	memset(h, 0, sizeof(*h));
	do {
		n = pread(fd, h->bytes + h->n, sizeof(h->bytes) - h->n, (off_t)h->n);
		h->n += n > 0 ? (size_t)n : 0;
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n == 0 && fstat(fd, &st) == 0)
		h->size = st.st_size;
	else
		n = -1;
	failed = errno;
	/* Closing it is safe: no SQLite connection of this process has the file open yet. */
	close(fd);
	errno = failed;
	return n < 0 ? -1 : 0;
}

/*
 * The forms of what SQLite keeps beside a database (sqlite.org/fileformat2.html, walformat.html).
 * A head of zeros was not written yet, or is not valid any more.
 */
static bool
probe_is_wal(const struct probe_head *h)
{
	return probe_is_zero(h, 32) ||
	       (h->n >= 32 && (probe_number(h, 0) & 0xfffffffe) == 0x377f0682 && probe_number(h, 4) == 3007000);
}

static bool
probe_is_journal(const struct probe_head *h)
{
	static const unsigned char magic[] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };

	return probe_is_zero(h, 12) || (h->n >= 28 && memcmp(h->bytes, magic, sizeof(magic)) == 0);
}

/* Its numbers are in the byte order of the machine that shares it. */
static bool
probe_is_shared(const struct probe_head *h)
{
	const uint32_t version = 3007000;
	const size_t n = h->n < sizeof(version) ? h->n : sizeof(version);

	return (h->size < 4 || h->size % PROBE_SHARED_PAGE == 0) &&
	       (probe_is_zero(h, sizeof(version)) || memcmp(h->bytes, &version, n) == 0);
}

/* Whether the log holds nothing that would be lost without its database. */
static bool
probe_wal_is_void(const struct probe_head *h)
{
	return h->size <= 32 || probe_is_zero(h, 32);
}

/* The journal of an empty database restores nothing: its initial page count, at byte 16, is 0. */
static bool
probe_journal_is_void(const struct probe_head *h)
{
	return probe_is_zero(h, 12) || probe_number(h, 16) == 0;
}

static bool
probe_shared_is_void(const struct probe_head *h)
{
	(void)h;
	return true;
}

/*
 * Whether the file is SQLite's shared memory with other bytes: a power cut leaves what the disk had
 * there before.  Its size is one that SQLite makes, its owner and mode are those of the index.
 * Nothing is lost with it: the first process to open the index truncates it, under a lock that
 * tells whether others have it open, and rebuilds it from the log (os_unix.c,
 * unixLockSharedMemory); beside others a header with a wrong checksum is rebuilt.
 */
static bool
probe_shared_is_torn(const struct stat *st, const struct stat *index)
{
	return st->st_size > 0 && st->st_size % PROBE_SHARED_SIZE == 0 && st->st_uid == index->st_uid && st->st_mode == index->st_mode;
}

static const struct probe_side {
	const char *suffix, *what;
	bool (*is_ours)(const struct probe_head *);
	bool (*is_void)(const struct probe_head *);
	bool (*is_torn)(const struct stat *st, const struct stat *index);  /* or NULL */
} probe_sides[] = {
	{ "-wal", "log", probe_is_wal, probe_wal_is_void, NULL },
	{ "-journal", "journal", probe_is_journal, probe_journal_is_void, NULL },
	{ "-shm", "shared memory", probe_is_shared, probe_shared_is_void, probe_shared_is_torn },
};

/* Check that a file beside an index is what its name says; index NULL: it is missing or empty. */
static int
probe_beside(const char *name, const struct probe_side *side, const struct stat *index, struct err *err)
{
	struct probe_head h;
	struct stat st;

	if (lstat(name, &st) < 0)
		return errno == ENOENT ? 0 : err_sys(err, "'%s'", name);
	/* Open regular files only: a FIFO would block, a device might react. */
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_BAD_INDEX, "'%s' is not the %s of an index: it is not a regular file", name, side->what);
	if (probe_read(name, O_RDONLY, &h) < 0) {
		/* It was removed meanwhile, or SQLite can't read it either. */
		return errno == ENOENT || errno == EACCES ? 0 : err_sys(err, "read '%s'", name);
	}
	if (!side->is_ours(&h) && (index == NULL || side->is_torn == NULL || !side->is_torn(&st, index)))
		return err_set(err, ERR_BAD_INDEX, "'%s' is not the %s of an index: move it away, or use another --db", name, side->what);
	if (index == NULL && !side->is_void(&h))
		return err_set(err, ERR_BAD_INDEX, "'%s' may belong to a database that is missing: move it away, or use another --db", name);
	return 0;
}

static int
probe_all_beside(const char *path, const struct stat *index, struct err *err)
{
	struct buf name = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < sizeof(probe_sides) / sizeof(probe_sides[0]); i++) {
		buf_cut(&name, 0);
		buf_addf(&name, "%s%s", path, probe_sides[i].suffix);
		ret = probe_beside(buf_str(&name), &probe_sides[i], index, err);
	}
	buf_release(&name);
	return ret;
}

/*
 * Whether a database without an application id is empty, as a first scan that was cut off may
 * leave it: its only page holds a schema without rows (bytes 103 and 104).
 */
static bool
probe_is_empty(const struct probe_head *h)
{
	/* 1 stands for 65536. */
	const int64_t page = h->bytes[16] == 0 && h->bytes[17] == 1 ? 65536 : h->bytes[16] << 8 | h->bytes[17];

	return h->size <= page && probe_number(h, 60) == 0 && probe_number(h, 68) == 0 && h->bytes[103] == 0 && h->bytes[104] == 0;
}

/*
 * Whether the file is new and its first page not yet written: a journal lies beside it.  Its writer
 * is at work, or was killed.
 */
static bool
probe_is_unfinished(const char *path, const struct probe_head *h)
{
	struct buf journal = { 0 };
	bool ret;

	buf_addf(&journal, "%s-journal", path);
	ret = probe_is_zero(h, PROBE_HEAD) && access(buf_str(&journal), F_OK) == 0;
	buf_release(&journal);
	return ret;
}

int
probe_index(const char *path, bool write, bool create, int64_t *version, struct err *err)
{
	struct probe_head h;
	struct stat st;

	*version = 0;
	if (lstat(path, &st) < 0) {
		if (errno != ENOENT)
			return err_sys(err, "index '%s'", path);
		return create ? probe_all_beside(path, NULL, err) :
		                err_set(err, ERR_NO_INDEX, "no index at '%s': run %s scan first", path, prog_name());
	}
	if (S_ISDIR(st.st_mode))
		return err_set(err, ERR_BAD_INDEX, "'%s' is a directory, not an index: name a file in it", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_BAD_INDEX, "'%s' is not an index: it is not a regular file", path);
	/* This process has it open and has probed it: another close would drop its locks. */
	if (fs_is_shunned(st.st_dev, st.st_ino))
		return 0;
	if (probe_read(path, write ? O_RDWR : O_RDONLY, &h) < 0)
		return err_sys(err, "read index '%s'", path);
	if (h.n == 0)
		return write ? probe_all_beside(path, NULL, err) :
		               err_set(err, ERR_NO_INDEX, "index '%s' is empty: run %s scan first", path, prog_name());
	if (probe_is_unfinished(path, &h))
		return probe_all_beside(path, NULL, err);
	if (h.n < PROBE_HEAD || memcmp(h.bytes, "SQLite format 3", 16) != 0)
		return err_set(err, ERR_BAD_INDEX, "'%s' is not an index", path);
	/*
	 * sqlite.org/fileformat2.html: bytes 60 to 63 are the user
	 * version, 68 to 71 the application id.
	 */
	if (memcmp(h.bytes + 68, "Twdx", 4) == 0) {
		*version = (int32_t)probe_number(&h, 60);
		return probe_all_beside(path, &st, err);
	}
	if (!probe_is_empty(&h))
		return err_set(err, ERR_BAD_INDEX, "'%s' is another program's database", path);
	return probe_all_beside(path, NULL, err);
}

bool
probe_journal_is_hot(const char *path)
{
	struct buf name = { 0 };
	struct probe_head h;
	bool ret;

	buf_addf(&name, "%s-journal", path);
	ret = probe_read(buf_str(&name), O_RDONLY, &h) == 0 && !probe_is_zero(&h, 12);
	buf_release(&name);
	return ret;
}

bool
probe_log_is_empty(const char *path)
{
	static const char *const suffixes[] = { "-wal", "-journal" };
	struct buf name = { 0 };
	struct stat st;
	bool ret = true;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		buf_cut(&name, 0);
		buf_addf(&name, "%s%s", path, suffixes[i]);
		/* A file that can't be stat-ed may hold anything. */
		ret = ret && (stat(buf_str(&name), &st) == 0 ? st.st_size == 0 : errno == ENOENT);
	}
	buf_release(&name);
	return ret;
}

bool
probe_no_room(const char *path)
{
	struct statvfs fs;

	return statvfs(path, &fs) == 0 && (uint64_t)fs.f_bavail * fs.f_frsize < PROBE_SHARED_SIZE;
}
