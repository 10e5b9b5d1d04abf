/* SPDX-License-Identifier: MIT */
/* volume_list - the file systems of the index: what each alone holds, and where it is. */
#ifndef QUERY_VOLUME_LIST_H
#define QUERY_VOLUME_LIST_H

struct index;
struct volume_answer;

/** Called for a volume.  Returns 0 to go on, another value to stop. */
typedef int volume_list_fn(void *arg, const struct volume_answer *a);

/**
 * Deliver the volumes that the index has something on: those that are here first, the largest
 * first.  Subvolumes of one btrfs are one.  What they hold is as of the last scan; a file that was
 * not read, or could not be, counts as held by its volume alone; an image and the disk on which it
 * lies are one (volumes_grounds); a copy in a trash, or on a view of other disks, does not count
 * for one outside of it.  online: only those that are here, as if there were no others.
 *
 * Returns 0, what fn returned, or -1.
 */
int volume_list_each(struct index *ix, bool online, volume_list_fn *fn, void *arg, struct err *err);

#endif
