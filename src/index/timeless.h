/* SPDX-License-Identifier: MIT */
/*
 * timeless - volumes whose files have no ctime of their own (FAT, exFAT, sshfs): a file that is
 * rewritten there, with its size and mtime restored, keeps its signature.
 */
#ifndef INDEX_TIMELESS_H
#define INDEX_TIMELESS_H

struct db;
struct file_row;
struct index;
struct volumes;

/** How long a read file there is believed, in seconds. */
#define TIMELESS_BELIEVED 3600

/** Volumes whose signatures prove nothing.  Zero it, load it, timeless_release() it. */
struct timeless {
	int64_t *v;   /* their numbers */
	size_t n, cap;
};

/** Load those not completely read within TIMELESS_BELIEVED.  Returns 0 or -1. */
int timeless_load(struct timeless *t, struct db *db, struct err *err);
/** Load all timeless volumes.  Returns 0 or -1. */
int timeless_load_all(struct timeless *t, struct db *db, struct err *err);
void timeless_release(struct timeless *t);
/** Whether a volume is one of them. */
bool timeless_has(const struct timeless *t, int64_t volume);

/** Called when a scan first finds that a volume is timeless. */
typedef void timeless_found_fn(void *arg, int64_t volume);
/** Whether a run has read all indexed files of a volume again. */
typedef bool timeless_read_fn(void *arg, int64_t volume);

/**
 * Find out which of the volumes that are here are timeless: vfat and exfat always; network and FUSE
 * volumes as long as no indexed file has had a ctime other than its mtime.  Volumes that the run
 * has met for the first time, or read again, count as read now.  Inside a transaction.
 * Returns 0 or -1.
 */
int timeless_find(struct db *db, const struct volumes *v, timeless_read_fn *read, timeless_found_fn *found, void *arg, struct err *err);
/** Believe the volumes that validate has read completely since it began.  Inside a transaction. */
int timeless_validated(struct index *ix, struct err *err);

/** Note that an answer relies on the signature of a row's file, at path, on a timeless volume. */
void timeless_doubt(struct index *ix, const struct file_row *row, const char *path);
/** Count the files so noted since the last call; *first becomes one of them, owned, or NULL. */
int64_t timeless_doubts(struct index *ix, char **first);
/** Forget them, before the next answer. */
void timeless_forget(struct index *ix);

#endif
