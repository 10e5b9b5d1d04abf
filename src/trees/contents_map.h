/* SPDX-License-Identifier: MIT */
/* contents_map - in which directories the names of every content lie, all in memory. */
#ifndef TREES_CONTENTS_MAP_H
#define TREES_CONTENTS_MAP_H

#include "query/content_walk.h"

struct dirtree;
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
	/**
	 * An inode of it has more names than links: some are one name, reached by two paths, or
	 * its rows are of different scans.  Its names keep nothing.
	 */
	bool alias;
	/**
	 * Two inodes of it on one disk may be one file (query/alias_volumes), and alias is set.
	 */
	bool mirrored;
	bool has_hash;           /* it was read whole */
	bool late;               /* ... but not under all names of an inode with links */
	uint8_t hash[HASH_SIZE]; /* if it was; else the number of its inode, then zero */
};

/** In contents_map_content.volume. */
#define CONTENTS_MAP_VOLUMES UINT32_MAX

/** A name of a content. */
struct contents_map_name {
	uint32_t dir;            /* the number in the tree of the directory that it is in */
	uint32_t copy : 28;      /* which of the content's inodes: 0 .. copies - 1 */
	uint32_t linked : 1;     /* the inode has several links: it is in contents_map.links */
	uint32_t outside : 1;    /* ... of which some are outside of the index */
	uint32_t excluded : 1;   /* ... of which some are in excluded directories */
	/** ... of which the index has rows of different scans: nobody knows what it holds now. */
	uint32_t overtaken : 1;
};

/** Files directly in a directory that belong to no content. */
struct contents_map_dir {
	uint32_t empty;          /* files without bytes */
	uint32_t unread;         /* files that could not be read: nobody knows what they hold */
	bool incomplete;         /* the directory itself could not be read by the last scan */
};

/** Called for each name of a content, by its position, with its name as the index stores it. */
typedef void contents_map_name_fn(void *arg, uint32_t content, const struct contents_map_name *name, const char *text, size_t len);

/** Contents, names and directories of an index.  Zero it, contents_map_load() it. */
struct contents_map {
	struct dirtree *dirs;            /* owned; its numbers are those of names */
	struct contents_map_content *v;  /* contents, in no order */
	size_t n, cap;
	struct contents_map_name *names; /* of a content together, by dir, linked, copy */
	size_t n_names;
	struct contents_map_dir *in;     /* by the number of the directory */
	/** Set before contents_map_load(): called for names while they are read; or NULL. */
	contents_map_name_fn *named;
	void *named_arg;
	/** Also set before: exclude every trash that no path of meant is, or lies in. */
	bool no_trash;
	const char *const *meant;
	size_t n_meant;
	size_t n_trash;                  /* then: how many these were */
	bool overtaken;                  /* there are names that are */
	VEC(uint32_t) mirrored;          /* positions of the contents that are */
	struct content_walk_links links; /* with their contents and copies, if they have one */
	size_t cap_names;                /* private */
};

/**
 * Load a map in one pass over the files, as if n directories (absolute paths) and all below them
 * did not exist; a link there counts as known to the index, not as outside of it.  A file that no
 * other has the content of is a content, too, read or not.  It costs 8 bytes a name and 48 a
 * content, and the tree of directories.
 *
 * Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int contents_map_load(struct contents_map *m, struct index *ix, const char *const *exclude, size_t n, struct err *err);

/**
 * Whether directories a to below a_end and b to below b_end have inodes of one content that may be
 * one file, shown twice by one disk.
 */
bool contents_map_mirrors(const struct contents_map *m, uint32_t a, uint32_t a_end, uint32_t b, uint32_t b_end);

/** Free what it owns. */
void contents_map_release(struct contents_map *m);

#endif
