/* SPDX-License-Identifier: MIT */
/* hash_write - what was read of a plan's files goes to their rows, and into the plan for the next round. */
#ifndef SCAN_HASH_WRITE_H
#define SCAN_HASH_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "index/file.h"
#include "scan/verify_inline.h"
#include "sys/content.h"
#include "sys/fs.h"

struct err;
struct hash_plan;
struct hash_plan_file;

/** What reading a file gave. */
struct hash_plan_result {
	bool known;                    /* read in the walk, under another name */
	struct fs_stat st;
	struct content_result content;
	enum verify_inline_verdict verdict;    /* VERIFY_INLINE_DIFFERS: content has no hash */
	struct lead *lead;             /* that the file has become, or NULL */
};

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

#endif
