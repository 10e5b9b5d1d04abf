/* SPDX-License-Identifier: MIT */
/* hash_write - write what was read to the rows, and note it in the plan for the next round. */
#ifndef SCAN_HASH_WRITE_H
#define SCAN_HASH_WRITE_H

struct hash_plan;
struct hash_plan_file;
struct hash_plan_result;

/**
 * Files whose content a row that vanished tells are not read: they inherit its
 * hash and are wanted no longer (trust_mtime).  Inside a transaction.
 */
int hash_write_inherit(struct hash_plan *p, struct err *err);

/**
 * Write what was read of f, one of the plan's files, to the rows of all names
 * of its inode, and settle what the plan knows of them.  Inside a transaction.
 */
int hash_write(struct hash_plan *p, struct hash_plan_file *f, const struct hash_plan_result *res, struct err *err);

/**
 * Drop the rows of files that turned out to be gone when they were to be read.  After
 * bulk_make_indexes, inside a transaction.
 */
int hash_write_drop_lost(struct hash_plan *p, struct err *err);

#endif
