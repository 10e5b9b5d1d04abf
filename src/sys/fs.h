/* SPDX-License-Identifier: MIT */
/* fs - open, stat and list relative to a descriptor, never through a link, at any path length. */
#ifndef SYS_FS_H
#define SYS_FS_H

#include <sys/types.h>

/** A point in time as file systems keep it: every value from 1901 to beyond 2446 is exact. */
struct fs_time {
	int64_t sec;    /* since 1970 */
	int32_t nsec;   /* 0 to 999,999,999 */
};

/** The result of stat, with the same widths everywhere. */
struct fs_stat {
	uint64_t dev;       /* valid until the file system is unmounted; never stored */
	uint64_t inode;
	int64_t size;       /* bytes */
	int64_t blocks;     /* allocated, units of 512 bytes */
	struct fs_time mtime, ctime;
	uint32_t nlink;
	mode_t mode;
	uint32_t uid, gid;
};

/**
 * A time as nanoseconds since 1970, modulo 2^64: outside 1677 to 2262 only equality means
 * something.
 */
int64_t fs_time_key(struct fs_time t);
/** -1, 0 or 1 as a is earlier than, equal to, later than b. */
int fs_time_cmp(struct fs_time a, struct fs_time b);
/** The time now, by the clock of file times. */
struct fs_time fs_time_now(void);
/** Nanoseconds of the monotonic clock, to measure durations. */
int64_t fs_clock_ns(void);

/** stat the entry name of the directory at, not following a link.  Returns 0, or -1 with errno. */
int fs_stat_at(int at, const char *name, struct fs_stat *st);
/** The same, following links. */
int fs_stat_through(int at, const char *name, struct fs_stat *st);
/** stat an open file.  Returns 0, or -1 with errno. */
int fs_stat_fd(int fd, struct fs_stat *st);
/**
 * As fs_stat_at, or with name "" of the open file at itself, bypassing the caches of attributes of
 * network file systems and FUSE.
 */
int fs_stat_fresh(int at, const char *name, struct fs_stat *st);
/** Whether an open file's file system is mounted read-only.  Returns 1, 0, or -1 with errno. */
int fs_is_read_only(int fd);
/** Whether two stats are of the same inode with the same size and times. */
bool fs_stat_same(const struct fs_stat *a, const struct fs_stat *b);

/**
 * Open the directory at a relative path below at ("" is at itself), or at an
 * absolute path when at is AT_FDCWD; no component of a relative path may be a link.
 * Paths longer than PATH_MAX are opened piece by piece.  Returns a descriptor, or -1 with errno.
 */
int fs_open_dir(int at, const char *path);

/**
 * Do not open the file with this inode until fs_unshun: it is owner's database, and closing any
 * descriptor of a file drops all POSIX locks of the process on it (fcntl(2)).  Threads with their
 * own descriptor table may open it: their locks are separate.
 */
void fs_shun(const void *owner, uint64_t dev, uint64_t inode);
/** The owner has closed all of its files. */
void fs_unshun(const void *owner);
/** Whether an owner has this file open. */
bool fs_is_shunned(uint64_t dev, uint64_t inode);
/** Note that the calling thread has its own descriptor table. */
void fs_set_apart(void);
/** Whether it has. */
bool fs_is_apart(void);

/**
 * Open a file for reading: never through a link in its last component, never blocking on a FIFO,
 * without touching its access time where we may, and not one that is shunned (EBUSY).  The caller
 * must check with fs_stat_fd that it is a regular file.  Paths longer than PATH_MAX work.
 * Returns a descriptor, or -1 with errno.
 */
int fs_open_file(int at, const char *path);
/**
 * As fs_open_file, but also opens a shunned file, which saves a stat: the caller must check
 * fs_is_shunned by the stat of the descriptor, and then pass it to fs_keep_open.
 */
int fs_open_any_file(int at, const char *path);
/** Take a descriptor of a shunned file, to be closed when no database is open any more. */
void fs_keep_open(int fd);

/**
 * Open a directory, or as fs_open_file a file, at an absolute path of which the first base_len
 * bytes are a directory that may be reached through links: no component behind it may be one, so
 * that the owner of files there can't lead us out of it.  Returns a descriptor, or -1 with errno.
 */
int fs_open_dir_below(const char *path, size_t base_len);
int fs_open_file_below(const char *path, size_t base_len);
/**
 * Open such a directory itself, at an absolute path, to open many paths below it by fs_open_dir and
 * fs_open_file: what these take relative to it leads through no link.  Nothing else can be done
 * with the descriptor.  Returns it, or -1 with errno.
 */
int fs_open_base(const char *path);
/**
 * Open a directory at an absolute path without any link, only to stat its entries: execute
 * permission is enough.  Returns a descriptor, or -1 with errno.
 */
int fs_enter_dir(const char *path);
/** As fs_enter_dir, relative to at: a descriptor of "/" serves many calls. */
int fs_enter_dir_at(int at, const char *path);

/**
 * Make room for n open descriptors now, while one thread runs: growing a table that threads share
 * stops all of them for some milliseconds.  Raises the soft limit as far as the hard one allows.
 * Returns how many of the n may be open.
 */
int fs_make_room(int n);

/** Whether an errno of open or stat proves absence: ENOENT, ENOTDIR, ELOOP. */
bool fs_is_absent(int error);

/** lstat an absolute path of any length.  Returns 0, or -1 with errno. */
int fs_stat_path(const char *path, struct fs_stat *st);

/**
 * Write len bytes, in as many calls as it takes; a stop signal ends it.  Returns 0, or -1 with
 * errno.
 */
int fs_write_all(int fd, const char *data, size_t len);
/**
 * Make the directories above path that are missing, for the user alone (0700) whatever the
 * umask.  Lack of permission is no error here: opening path will report it.
 * Returns 0, or -1 with errno.
 */
int fs_make_parents(const char *path);

/**
 * Make the file path, empty, for the user alone (0600) whatever the umask; it must not be there.
 * Returns an owned descriptor, or -1 with errno.
 */
int fs_make_file(const char *path);

/** What a directory entry is; FS_UNKNOWN: it is gone again. */
enum fs_type { FS_UNKNOWN, FS_FILE, FS_DIR, FS_LINK, FS_SPECIAL };

/** The entries of one directory. */
struct fs_entry {
	uint64_t inode;  /* as in the directory: on some file systems not stat's */
	uint32_t name;   /* offset of the NUL-terminated name in names */
	uint32_t len;
	enum fs_type type;
};

/** A directory's listing; zero it once, reuse it for many, release it at the end. */
struct fs_list {
	struct fs_entry *v;
	size_t n, cap;
	struct fs_entry *spare;   /* as many as v, for fs_list_sort */
	struct order *order;      /* likewise */
	char *names;
	size_t names_len, names_cap;
};

/** The name of an entry, valid until the list is used again. */
static inline const char *
fs_list_name(const struct fs_list *l, const struct fs_entry *e)
{
	return l->names + e->name;
}

/**
 * Read all entries but . and .. of an open directory into l, replacing what it held.
 * Returns 0, or -1 with errno, EINTR after a signal to stop: then l holds what was read so far.
 */
int fs_list_read(struct fs_list *l, int fd);
/** Empty a list, to be filled with single names. */
void fs_list_clear(struct fs_list *l);
/** Append a name of an open directory, with its type and inode by stat, unless it is absent. */
void fs_list_look(struct fs_list *l, int fd, const char *name);
/** Append a name as it is told. */
void fs_list_put(struct fs_list *l, const char *name, uint64_t inode, enum fs_type type);
/** Sort the entries by the bytes of their names. */
void fs_list_sort(struct fs_list *l);
/** Free the memory. */
void fs_list_release(struct fs_list *l);

#endif
