/* SPDX-License-Identifier: MIT */
/* volumes - the file systems of the index by number, and the devices that they are now. */
#ifndef INDEX_VOLUMES_H
#define INDEX_VOLUMES_H

#include "sys/volume.h"

struct db;
struct volumes;

/** Read the index's volumes.  Returns 0 with an owned table, or -1. */
int volumes_load(struct volumes **v, struct db *db, struct err *err);
/** Free.  Accepts NULL. */
void volumes_free(struct volumes *v);

/**
 * Let the volume with this number have the device on which path lies now, if that is still the
 * directory with this inode, on a file system with the volume's key.  Does nothing when it has
 * one already.
 */
void volumes_recognize(struct volumes *v, int64_t number, const char *path, int64_t inode);

/** The same for all volumes, at the places where the index has them.  Returns 0 or -1. */
int volumes_recognize_all(struct volumes *v, struct db *db, struct err *err);

/**
 * Whether two volumes are certainly two file systems, not one whose key has changed.  Any thread.
 */
bool volumes_differ(struct volumes *v, int64_t a, int64_t b);

/** Whether files of a volume may change their numbers: volume_key_mirrors().  Any thread. */
bool volumes_mirrors(struct volumes *v, int64_t number);

/**
 * The number of the volume that the open directory or file fd with device
 * number dev lies on; a new one gets the next number.  Two devices that give
 * the same key at the same time (clones, layers of an overlay) are kept
 * apart: equal inode numbers on them prove nothing.  Which of them has the
 * number that the index knows, volumes_recognize says.  Any thread may call it.
 *
 * facts may be NULL.  Returns the number, or -1 with errno.
 */
int64_t volumes_number(struct volumes *v, int fd, uint64_t dev, struct volume_facts *facts);

/** The number of a device already seen by volumes_number, or 0.  Any thread. */
int64_t volumes_known(struct volumes *v, uint64_t dev);

/**
 * The number of the volume of one file with device number dev, which the index may know by another
 * name, and whether it is a view, as volume_key_is_view; both stay where it can't be opened.
 * Returns 0 or -1.
 */
int volumes_of_file(struct db *db, const char *path, uint64_t dev, int64_t *number, bool *view, struct err *err);

/**
 * Find where each volume is mounted now, also one that no place of the index led to.  After
 * volumes_recognize_all: of volumes with one key the first takes what is left.
 */
void volumes_look(struct volumes *v);
/**
 * Whether the volume is here, as far as was looked; *point becomes where it is mounted, borrowed,
 * or NULL where volumes_look has not found that.
 */
bool volumes_where(struct volumes *v, int64_t number, const char **point);
/** A volume of the index, and its device if it was recognized or found. */
struct volume_now {
	int64_t number;
	const char *key, *type;  /* borrowed */
	bool here;
	bool memory;             /* it lies in memory, or did at its last scan */
	bool met_first;          /* not in the index when it was loaded */
	uint64_t dev;
};

/** Tell of the i-th volume, from 0.  Returns false behind the last. */
bool volumes_nth(const struct volumes *v, size_t i, struct volume_now *now);
/** The first of all volumes that are on the disk of the i-th: that one, if no other is. */
size_t volumes_disk(const struct volumes *v, size_t i);
/**
 * Of each the first of all volumes that are lost with it: besides those of its disk the images in
 * files there, at the last scan of each, and what has its identity, for it may be one image twice.
 * Returns an owned array.
 */
size_t *volumes_grounds(const struct volumes *v);

/**
 * Write of each volume that is here its label, its room and where it is mounted.  Inside a
 * transaction.  Returns 0 or -1.
 */
int volumes_note(struct volumes *v, struct db *db, struct err *err);
/** The same for a caller that has no table of them. */
int volumes_note_all(struct db *db, struct err *err);

/** Write the new volumes.  Inside a transaction, before rows that refer to them. */
int volumes_save(struct volumes *v, struct db *db, struct err *err);

#endif
