/* SPDX-License-Identifier: MIT */
/* same_file - whether two open files with different numbers are one file all the same. */
#ifndef ACT_SAME_FILE_H
#define ACT_SAME_FILE_H

/** The word in the second name that a file has for a moment (rename_unused). */
#define SAME_FILE_WORD "probe"

struct locked_file;
struct verdict;

/**
 * Check that the victim is not the keeper, reached by another way: FUSE, overlay and network file
 * systems show files that are elsewhere as well, under other device and inode numbers.
 *
 * On one local file system the inode numbers tell.  Otherwise the victim gets a second name for a
 * moment: where the keeper's number of links or ctime moves with it, both are one file.  On a file
 * system without hard links, or with another number for each name (then victim->numbers_names is
 * set), this proves nothing, and the caller's check after the rename decides: the keeper must
 * still be there.
 *
 * Returns 0, with the victim's stat renewed, or -1 with the verdict; the keeper's stat is renewed
 * where the probe moved it.
 */
int same_file_check(struct locked_file *keeper, struct locked_file *victim, struct verdict *v);

#endif
