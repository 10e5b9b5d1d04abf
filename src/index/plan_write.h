/* SPDX-License-Identifier: MIT */
/* plan_write - what was read of a plan's files goes to their rows, and into the plan for the next round. */
#ifndef INDEX_PLAN_WRITE_H
#define INDEX_PLAN_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "index/file.h"
#include "index/leads.h"
#include "sys/content.h"
#include "sys/fs.h"

struct err;
struct plan;
struct plan_file;

/** What reading a file gave. */
struct plan_result {
	bool known;                    /* read in the walk, under another name */
	struct fs_stat st;
	struct content_result content;
	enum leads_verdict verdict;    /* LEADS_DIFFERS: content has no hash */
	struct lead *lead;             /* that the file has become, or NULL */
};

/**
 * Files whose content a row that vanished tells are not read: they inherit its
 * hash and are wanted no longer (trust_mtime).  Inside a transaction.
 */
int plan_write_inherit(struct plan *p, struct err *err);

/**
 * Write what was read of f, one of the plan's files, to the rows of all names
 * of its inode, and settle what the plan knows of them.  Inside a transaction.
 */
int plan_write(struct plan *p, struct plan_file *f, const struct plan_result *res, struct err *err);

#endif
