/* SPDX-License-Identifier: MIT */
/* presence - stat a file to tell whether its row still holds. */
#ifndef INDEX_PRESENCE_H
#define INDEX_PRESENCE_H

#include "index/dirs.h"
#include "index/remounted.h"
#include "index/roots.h"
#include "index/timeless.h"

struct db;
struct file_row;
struct index;
struct fs_stat;

/** Whether a file of the index is there now. */
enum presence {
	PRESENCE_HERE,       /* with the signature of its row */
	PRESENCE_GONE,       /* indexed, no longer there */
	PRESENCE_CHANGED,    /* differs now from what was indexed */
	PRESENCE_EXCLUDED,   /* not looked at: the query excludes its place */
	PRESENCE_TRASH,      /* not looked at: it lies in a trash */
	PRESENCE_FLEETING,   /* it may disappear before the file does: index/fleeting */
	PRESENCE_OFFLINE,    /* its root or volume is missing, or another one is mounted there */
	PRESENCE_UNREADABLE, /* stat failed */
	PRESENCE_COUNT
};

/** Where copies of a file count; zeroed: everywhere.  Paths are absolute. */
struct presence_where {
	const char *const *exclude;  /* not at and below these: as if they did not exist */
	size_t n_exclude;
	const char *const *in;       /* only at and below these; none: everywhere */
	size_t n_in;
	bool no_trash;               /* not in a trash, unless a path of meant is or lies in it */
	const char *const *meant;
	size_t n_meant;
	bool lasting;                /* not where a copy may go before the file: index/fleeting */
	unsigned fleeting;           /* reasons to ignore: the file's own, named ones */
};

/**
 * Tell whether a copy at an absolute path counts: PRESENCE_HERE, PRESENCE_EXCLUDED or
 * PRESENCE_TRASH.
 */
enum presence presence_counts(const struct presence_where *where, const char *path);

/** Whether a file counts, wherever it may be now. */
bool presence_is_of(enum presence kind);

/** Directories that are kept open: the names of a content mostly lie in two or three. */
#define PRESENCE_DIRS 3

/** A directory of the index in which something was looked at. */
struct presence_dir {
	int64_t dir;           /* 0: none */
	int fd;                /* -1: it can't be opened */
	int error;             /* why: errno; else 0 */
};

/** A query's view of the file system; zero it, presence_open() it, presence_release() it. */
struct presence_view {
	struct index *ix;
	struct dirs dirs;
	struct roots roots;
	struct timeless timeless; /* where signatures prove nothing */
	struct remounted remounted;    /* what lies elsewhere now */
	struct buf place;      /* of what was missing last: the deepest directory that exists */
	int64_t place_dir;     /* what is missing in this directory is place_kind; 0: none yet */
	enum presence place_kind;
	int place_error;       /* errno, when that is PRESENCE_UNREADABLE; else 0 */
	struct buf key;        /* of the volume with the device number key_dev */
	uint64_t key_dev;
	struct buf path;       /* of the row last asked for */
	size_t dir_len;        /* of its directory's, with a slash behind, at the start */
	int64_t dir;           /* that directory; 0: none yet */
	struct presence_dir kept[PRESENCE_DIRS];   /* the one looked into last comes first */
	int root_fd;           /* "/", from which directories are entered; -1: not open */
	int error;             /* errno, when that one was unreadable; else 0 */
	unsigned fleeting;     /* why, when the last member was PRESENCE_FLEETING; else 0 */
	bool no_look;          /* do not stat: every indexed file counts as present */
	int64_t nlink;         /* of the file last found: as stat-ed, or with no_look as indexed */
	int64_t looks;         /* files looked at by presence_row and presence_member so far */
};

/** Returns 0 or -1 with *err. */
int presence_open(struct presence_view *c, struct index *ix, struct err *err);
void presence_release(struct presence_view *c);

/**
 * Look at the file of a row: PRESENCE_HERE when it is there with its
 * signature, else PRESENCE_GONE, PRESENCE_CHANGED, PRESENCE_UNREADABLE (with c->error) or
 * PRESENCE_OFFLINE (its root or its volume is not there, or another one is mounted in its place).
 * *path, if not NULL, becomes the absolute path, valid until the next call.  Returns 0 or -1 with
 * *err.
 */
int presence_row(struct presence_view *c, const struct file_row *row, enum presence *kind, const char **path, struct err *err);

/**
 * As presence_row, for a copy of another file.  Besides: PRESENCE_EXCLUDED or PRESENCE_TRASH,
 * without a stat, where it does not count; PRESENCE_FLEETING, with c->fleeting, when it exists but
 * may not last as long.
 */
int presence_member(struct presence_view *c, const struct file_row *row, const struct presence_where *where,
                    enum presence *kind, const char **path, struct err *err);

/**
 * Whether the open directory fd lies on the volume on which the index has the directory dir; 0 if
 * that is unknown.  Returns 1, 0, or -1 with *err.
 */
int presence_volume(struct db *db, int64_t dir, int fd, struct err *err);

/**
 * The rule by which root leaves out the directory at path, with stat st, when another file system
 * is mounted there: SKIP_PSEUDO, SKIP_OTHER_FS, else SKIP_NO.
 */
enum skip presence_mounted(const struct root *root, const char *path, const struct fs_stat *st);

/**
 * The absolute path of a row's file, valid until the next call of
 * this or presence_row.  Returns 0 or -1 with *err.
 */
int presence_path(struct presence_view *c, const struct file_row *row, const char **path, struct err *err);

/**
 * Note, for a caller that compares stats itself, that it judges a row's file by its signature.
 * Returns 0 or -1 with *err.
 */
int presence_rely(struct presence_view *c, const struct file_row *row, struct err *err);

/** Whether the file at path, with stat st, still has the signature of its row. */
bool presence_same(const struct presence_view *c, const struct file_row *row, const char *path, const struct fs_stat *st);

/**
 * As presence_row, with the caller's stat of path.  error is its errno, or 0; st NULL with error 0:
 * no regular file is there.  Returns 0 or -1 with *err.
 */
int presence_stat(struct presence_view *c, const struct file_row *row, const char *path, int error, const struct fs_stat *st,
                  enum presence *kind, struct err *err);

/**
 * Tell why the directory dir of the index, or a file in it, is missing at path: PRESENCE_GONE when
 * the existing part of the path lies on its volume, PRESENCE_UNREADABLE (with c->error) when it
 * can't be opened, else PRESENCE_OFFLINE.  fd is dir, open; with -1 path is opened, once for all
 * files missing in dir.  Returns 0 or -1 with *err.
 */
int presence_missing(struct presence_view *c, int64_t dir, int fd, const char *path, enum presence *kind, struct err *err);

#endif
