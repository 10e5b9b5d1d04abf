/* SPDX-License-Identifier: MIT */
/* settle - the rows of the index after an act. */
#ifndef ACT_SETTLE_H
#define ACT_SETTLE_H

struct act_file;
struct err;
struct file_row;
struct fs_stat;
struct index;

/**
 * A name is gone: its row and its mark go, the other names of its inode get the inode's present
 * number of links and ctime.  after is the stat of the inode behind the act; NULL: these names are
 * left to a later call, of which they have many.  Inside a transaction.  Returns 0 or -1.
 */
int settle_removed(struct index *ix, const struct act_file *f, const struct fs_stat *after, struct err *err);

/**
 * A name leads to another inode of the same content: its row follows, and so do the other names of
 * its old inode, of which after is the stat; now is that of the keeper's.  The keeper's own rows
 * are left to settle_kept.  Inside a transaction.  Returns 0 or -1.
 */
int settle_linked(struct index *ix, const struct act_file *f, const struct fs_stat *after, const struct act_file *keeper,
                  const struct fs_stat *now, struct err *err);

/**
 * A file has other blocks and is the same otherwise: its mark goes.  Inside a transaction.  Returns
 * 0 or -1.
 */
int settle_shared(struct index *ix, const struct act_file *f, const struct fs_stat *now, struct err *err);

/**
 * An act was taken back: the inode of the file, whose bytes nobody can have changed meanwhile, has
 * this stat now, and so have all its names.  Inside a transaction.  Returns 0 or -1.
 */
int settle_kept(struct index *ix, const struct act_file *f, const struct fs_stat *now, struct err *err);

/**
 * A file has come back to path, an inode of its own with this row but dir and name: they are filled
 * in, and the row is written if the index has the directory.  was is the stat of the inode that had
 * the name before, whose other names follow, or NULL.  The index is unfinished then if a file that
 * was not read may equal it.  Inside a transaction.  Returns 1, 0: the index has no such directory;
 * or -1.
 */
int settle_restored(struct index *ix, const char *path, struct file_row *row, const struct fs_stat *was, struct err *err);

/**
 * The bytes of a file are not what its row says, under the row's own signature: forget what is
 * known of its content, so that the next scan reads it.  Inside a transaction.  Returns 0 or -1.
 */
int settle_doubtful(struct index *ix, const struct act_file *f, struct err *err);

#endif
