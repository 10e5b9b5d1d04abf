/* SPDX-License-Identifier: MIT */
/* index_update - the rows of the index after an act. */
#ifndef ACT_INDEX_UPDATE_H
#define ACT_INDEX_UPDATE_H

#include "index/row_history.h"
#include "sys/fs.h"

struct act_file;
struct file_row;
struct index;

/**
 * What follows from the acts of a batch, inside a transaction.  Zero it but for ix,
 * index_update_write() it before the transaction ends, index_update_release() it.  Files of acts
 * stay until then.
 */
struct index_update {
	struct index *ix;
	/* private */
	struct row_history_batch before;
	VEC(struct file_row) rows;    /* to be written */
	VEC(struct file_row) gone;    /* of names that are gone */
	VEC(struct file_row) links;   /* one of each inode: its names get this nlink and ctime */
	int64_t dir;                  /* whose digest was forgotten last */
};

/**
 * A name is gone: its row and its mark go, the other names of its inode get the inode's present
 * number of links and ctime.  after is the stat of the inode after the act; NULL: a later call
 * updates these names.  Returns 0 or -1.
 */
int index_update_removed(struct index_update *s, const struct act_file *f, const struct fs_stat *after, struct err *err);

/**
 * A name leads to another inode of the same content: its row follows, and so do the other names of
 * its old inode, of which after is the stat; now is that of the keeper's.  The keeper's own rows
 * are left to index_update_kept.  Returns 0 or -1.
 */
int index_update_linked(struct index_update *s, const struct act_file *f, const struct fs_stat *after, const struct act_file *keeper,
                  const struct fs_stat *now, struct err *err);

/** A file has other blocks and is the same otherwise: its mark goes.  Returns 0 or -1. */
int index_update_shared(struct index_update *s, const struct act_file *f, const struct fs_stat *now, struct err *err);

/**
 * An act was taken back, or has changed the number of links: the inode of the file, whose bytes
 * nobody can have changed meanwhile, has this stat now, and so have all its names.
 */
void index_update_kept(struct index_update *s, const struct act_file *f, const struct fs_stat *now);

/**
 * The bytes of a file may not be what its row says, under the row's own signature: forget what is
 * known of its content, so that the next scan reads it.  Returns 0 or -1.
 */
int index_update_doubtful(struct index_update *s, const struct act_file *f, struct err *err);

/** Write the rows that were noted.  Returns 0 or -1. */
int index_update_write(struct index_update *s, struct err *err);
void index_update_release(struct index_update *s);

/**
 * A file has come back to path, with this row but dir and name: they are filled
 * in, and the row is written if the index has the directory, or had it until an act since the last
 * scan removed it: its row comes back, too, unless dropped is NULL.  was is the stat of the inode
 * that had the name before, whose other names follow, or NULL.  The index is unfinished then if a
 * file that was not read may equal it.  Inside a transaction.  Returns 1, 0: the index has no such
 * directory; or -1.
 */
int index_update_restored(struct index *ix, const char *path, struct file_row *row, const struct fs_stat *was,
                          struct row_history_dropped *dropped, struct err *err);

/**
 * The directory at path has come back: so does its row, and those of the directories above it, if
 * an act has dropped them since the last scan.  Inside a transaction.  Returns 1 with its number,
 * 0: the index has no such directory; or -1.
 */
int index_update_dir(struct index *ix, struct row_history_dropped *dropped, const char *path, int64_t *dir, struct err *err);

#endif
