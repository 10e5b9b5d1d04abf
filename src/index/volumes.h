/* SPDX-License-Identifier: MIT */
/* volumes - the file systems of the index by number, and their present devices. */
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
 * Give the volume with this number the device of path, if path is still the directory with this
 * inode, on a file system with the volume's key.  Does nothing if the volume has a device.
 */
void volumes_recognize(struct volumes *v, int64_t number, const char *path, int64_t inode);

/** volumes_recognize() all volumes at their places in the index.  Returns 0 or -1. */
int volumes_recognize_all(struct volumes *v, struct db *db, struct err *err);

/**
 * Whether two volumes are certainly two file systems, not one whose key has changed.  Any thread.
 */
bool volumes_differ(struct volumes *v, int64_t a, int64_t b);

/** Whether files of a volume may change their numbers: volume_key_mirrors().  Any thread. */
bool volumes_mirrors(struct volumes *v, int64_t number);

/**
 * Get the number of the volume of the open directory or file fd with device number dev; a new
 * volume gets the next number.  Two devices with the same key at the same time (clones, layers of
 * an overlay) are two volumes: equal inode numbers on them prove nothing.  volumes_recognize says
 * which of them has the known number.  Any thread.
 *
 * facts may be NULL.  Returns the number, or -1 with errno.
 */
int64_t volumes_number(struct volumes *v, int fd, uint64_t dev, struct volume_facts *facts);

/** The number of a device already seen by volumes_number, or 0.  Any thread. */
int64_t volumes_known(struct volumes *v, uint64_t dev);

/**
 * Get the number of the volume of one file with device number dev, which the index may know by
 * another name, and whether it is a view (volume_key_is_view); both stay unset if it can't be
 * opened.
 * Returns 0 or -1.
 */
int volumes_of_file(struct db *db, const char *path, uint64_t dev, int64_t *number, bool *view, struct err *err);

/**
 * Find where each volume is mounted now, also those that volumes_recognize_all did not find.  Call
 * it after that: of volumes with one key the first takes a remaining mount.
 */
void volumes_look(struct volumes *v);
/**
 * Whether the volume was found; *point becomes its mount point, borrowed, or NULL if volumes_look
 * has not found that.
 */
bool volumes_where(struct volumes *v, int64_t number, const char **point);
/** A volume of the index, and its device if it was found. */
struct volume_now {
	int64_t number;
	const char *key, *type;  /* borrowed */
	bool here;
	bool memory;             /* it lies in memory, or did at its last scan */
	bool met_first;          /* not in the index when it was loaded */
	uint64_t dev;
};

/** Describe the i-th volume, from 0.  Returns false behind the last. */
bool volumes_nth(const struct volumes *v, size_t i, struct volume_now *now);
/** The first volume on the disk of the i-th: i itself, if no other is. */
size_t volumes_disk(const struct volumes *v, size_t i);
/**
 * Find for each volume the first one that is lost with it: those of its disk, images in files there
 * (as of the last scan of each), and volumes of the same identity, which may be one image twice.
 * Returns an owned array.
 */
size_t *volumes_grounds(const struct volumes *v);

/**
 * Write label, room and mount point of each mounted volume.  Inside a transaction.  Returns 0 or
 * -1.
 */
int volumes_note(struct volumes *v, struct db *db, struct err *err);
/** volumes_note(), for a caller without a struct volumes. */
int volumes_note_all(struct db *db, struct err *err);

/** Write the new volumes.  Inside a transaction, before rows that refer to them. */
int volumes_save(struct volumes *v, struct db *db, struct err *err);

#endif
