/* SPDX-License-Identifier: MIT */
/* indexes - other indexes that are asked the same question; which of their volumes are ours. */
#ifndef QUERY_INDEXES_H
#define QUERY_INDEXES_H

#include "index/presence.h"

struct file_row;
struct index;

/** Another index, open for reading. */
struct indexes_other {
	struct index *ix;              /* owned */
	char *name;                    /* owned; as people call it */
	int64_t seen;                  /* end of its last scan, seconds since 1970; 0: not known */
	struct presence_view check;
	/* private */
	VEC(struct indexes_pair) volumes;
	int64_t dir;                   /* its directory that was asked for last; 0: none */
	int64_t dir_here;              /* the same directory in this index, at place; 0: none */
	bool dir_moved;                /* ... and it is not at the other's path */
	struct buf place;
	struct buf path;               /* of indexes_path */
};

/** A file system: its number in another index, the one that it has here, and its device. */
struct indexes_pair {
	int64_t theirs, ours;
	bool here;
	uint64_t dev;                  /* if it is here */
};

/** A file system of any of the indexes. */
struct indexes_volume {
	int64_t number;                /* in this index; above SCHEMA_MAX_ID where it has none */
	char *key;                     /* owned */
	bool here;
	uint64_t dev;                  /* if it is here */
};

/** Zero it, indexes_open() it, indexes_add() to it, indexes_close() it. */
struct indexes {
	struct index *ix;              /* this index, borrowed */
	VEC(struct indexes_other *) others;
	VEC(struct indexes_volume) volumes; /* of all of them, each once */
};

/** Begin with this index alone.  Returns 0 or -1. */
int indexes_open(struct indexes *s, struct index *ix, struct err *err);
/**
 * Add another index, which becomes owned, also after a failure.
 *
 * Returns 0, or -1: ERR_USAGE when it has another secret, so that hashes can't be compared.
 */
int indexes_add(struct indexes *s, struct index *ix, const char *name, struct err *err);
/** Close the others and free everything.  For zeroed ones, too. */
void indexes_close(struct indexes *s);

/** The indexes by number: NULL for 0, which is this one. */
struct indexes_other *indexes_nth(const struct indexes *s, size_t i);
/** How an index sees files; here is the view of this one, which NULL stands for. */
struct presence_view *indexes_view(struct indexes_other *o, struct presence_view *here);
/**
 * Turn a row of another index into one of this: its volume becomes ours, its directory's number
 * negative, which no row of this index has.  A row of this one, for which o is NULL, stays.
 */
void indexes_take_row(const struct indexes_other *o, struct file_row *row);
/** The number here of another index's volume; -1 if that index is damaged, and has none such. */
int64_t indexes_ours(const struct indexes_other *o, int64_t theirs);
/** The number that another index gives a volume, or 0: it has no such volume. */
int64_t indexes_theirs(const struct indexes_other *o, int64_t ours);
/**
 * What is said of a volume, by its number here, whose files are offline: as this index calls it
 * (drawer), or else the other one, o; NULL for none.
 */
const char *indexes_disk(const struct indexes_other *o, const struct index *here, int64_t volume);
/** The position of a volume, by its number here, among those of all the indexes; from 1, or -1. */
int64_t indexes_position(const struct indexes *s, int64_t ours);
/** The number here of the volume with a device number, or 0. */
int64_t indexes_of_device(const struct indexes *s, uint64_t dev);

/**
 * Look at the file of a row that was taken, as presence_member.  One of another index that has
 * changed, or is on a disk that is somewhere else now, is PRESENCE_GONE where this index, of which
 * here is the view, has it as it is now; one whose path as of indexes_path does not count is
 * PRESENCE_EXCLUDED.
 */
int indexes_look(struct indexes_other *o, struct presence_view *here, const struct file_row *taken, const struct presence_where *where,
                 enum presence *kind, const char **path, struct err *err);
/** Whether the index of a view has a file at path that is there as indexed: 1, 0 or -1. */
int indexes_has_here(struct presence_view *view, const char *path, struct err *err);
/**
 * The directory of this index that is the one of a row that was taken, where the other index has
 * it at another path: it is mounted twice, or its disk was somewhere else when the other index met
 * it; then this index has the file, too.  *path becomes the file's path there, else it stays.
 * Returns 0 with *dir, 0 for none, or -1.
 */
int indexes_dir_here(struct indexes_other *o, struct presence_view *here, const struct file_row *taken, int64_t *dir, const char **path,
                     struct err *err);

/** Its path: as presence_path, or that of indexes_dir_here: both are one name. */
int indexes_path(struct indexes_other *o, struct presence_view *here, const struct file_row *taken, const char **path,
                 struct err *err);

#endif
