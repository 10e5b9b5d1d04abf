/* SPDX-License-Identifier: MIT */
/*
 * own_files - the files of an index: database, log, shared memory, lock, journal; and the journal
 * of acts.
 */
#ifndef INDEX_OWN_FILES_H
#define INDEX_OWN_FILES_H

/** Most files of an index. */
#define OWN_FILES_MAX 7
/** Suffix of the journal of acts. */
#define OWN_FILES_ACTS "-acts"

/** The existing files by inode, and the directory of later ones. */
struct own_files {
	uint64_t dev[OWN_FILES_MAX], inode[OWN_FILES_MAX];
	int n;
	uint64_t dir_dev, dir_inode; /* of the directory that holds them; 0: not made yet */
	const char *name;            /* of the index in there; borrowed from the path */
};

/** Look for the files of the index at path (absolute), which must outlive own. */
void own_files_find(struct own_files *own, const char *path);
/** Whether dev and inode are those of a file that own_files_find met.  Any thread. */
bool own_files_has(const struct own_files *own, uint64_t dev, uint64_t inode);
/**
 * Whether a name in the directory of the index is that of one
 * of its files, present or not.  Any thread.
 */
bool own_files_has_name(const struct own_files *own, const char *name);

/**
 * Remove the existing files of the index at path, except the journal of acts, which is about other
 * files and outlives an index.  Nobody may have it open.
 */
void own_files_remove(const char *path);

#endif
