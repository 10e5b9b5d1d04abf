/* SPDX-License-Identifier: MIT */
/* contents_map - in which directories the names of every content lie, all in memory. */
#ifndef TREES_CONTENTS_MAP_H
#define TREES_CONTENTS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dirtree;
struct err;
struct index;

/** The content of one or more files of at least one byte. */
struct contents_map_content {
	int64_t size;
	uint32_t first, n;       /* its names, in contents_map.names; n is 1 or more */
	uint32_t copies;         /* inodes among them: 1 or more */
	/**
	 * Where all inodes lie: the number that the index gives a file system, or
	 * CONTENTS_MAP_VOLUMES: on several.
	 */
	uint32_t volume;
	bool outside;            /* an inode of it has names outside of the index */
	/** A file of its size could not be read, or is not read yet: it may be one copy more. */
	bool unproven;
};

/** In contents_map_content.volume. */
#define CONTENTS_MAP_VOLUMES UINT32_MAX

/** A name of a content. */
struct contents_map_name {
	uint32_t dir;            /* the number in the tree of the directory that it is in */
	uint32_t copy;           /* which of the content's inodes: 0 .. copies - 1 */
};

/** The files directly in a directory that no content stands for. */
struct contents_map_dir {
	uint32_t empty;          /* files without bytes */
	uint32_t unread;         /* files that could not be read: nobody knows what they hold */
	bool incomplete;         /* the directory itself could not be read by the last scan */
};

/** Contents, names and directories of an index.  Zero it, contents_map_load() it. */
struct contents_map {
	struct dirtree *dirs;            /* owned; its numbers are those of names */
	struct contents_map_content *v;  /* contents, in no order */
	size_t n, cap;
	struct contents_map_name *names; /* of a content together, in the order of dir, then copy */
	size_t n_names;
	struct contents_map_dir *in;     /* by the number of the directory */
	/** private */
	size_t cap_names;
};

/**
 * Load a map in one pass over the files, as if n directories (absolute paths) and all below them
 * did not exist; a link there counts as known to the index, not as outside of it.  A file that no
 * other has the content of is a content, too, read or not.  It costs 8 bytes a name and 32 a
 * content, and the tree of directories.
 *
 * Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int contents_map_load(struct contents_map *m, struct index *ix, const char *const *exclude, size_t n, struct err *err);

/** Free what it owns. */
void contents_map_release(struct contents_map *m);

#endif
