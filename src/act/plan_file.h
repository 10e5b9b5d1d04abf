/* SPDX-License-Identifier: MIT */
/*
 * plan_file - a plan as a document: what is to go, in which state it was, and on which copies it
 * relies.
 */
#ifndef ACT_PLAN_FILE_H
#define ACT_PLAN_FILE_H

#include "act/act.h"
#include "act/plan.h"

struct db;

/** The words of enum act_kind in documents, NULL at the end. */
extern const char *const plan_file_kinds[];

/** Hexadecimal digits of a digest, with the NUL. */
#define PLAN_FILE_DIGEST 33

/** A name of a plan: a file that is to go, or a copy that it relies on. */
struct plan_file_name {
	const char *path;        /* absolute */
	const char *signature;   /* its inode, size, times and hash at the time of the plan */
	size_t first, n;         /* of a file: its copies, in plan_file.keepers */
};

/** What a plan is made for, and by which options, as far as they matter for it. */
struct plan_terms {
	enum act_kind kind;
	bool any_attributes;
	int64_t copies;          /* that stay at least */
	bool backups_count;      /* copies in backups count */
	bool from_backup;        /* files in backups may go: those that the plan names */
};

/** A plan that was read.  Zero it, plan_file_read() it, plan_file_release() it. */
struct plan_file {
	struct plan_terms terms;
	VEC(struct plan_file_name) files, keepers;
	struct pathset by_path;  /* positions in files */
	/* private */
	struct arena memory;
};

/**
 * Read the document in the file of that name, "-" for the standard input, which may come from
 * anywhere: it counts only if it is whole, of this command, has the digest of what it says, and
 * names each file once and none of them as a copy that stays; paths are absolute and normal.  db
 * is only asked to parse it.
 *
 * Returns 0, or -1: ERR_USAGE, ERR_NO_PATH, ERR_SYS, ERR_DB.
 */
int plan_file_read(struct plan_file *f, struct db *db, const char *command, const char *name, struct err *err);
void plan_file_release(struct plan_file *f);

/** The digest of a plan that was made: of its terms, its files and their copies. */
void plan_file_digest(const struct plan *p, const struct plan_terms *terms, char digest[PLAN_FILE_DIGEST]);

/**
 * Of a plan that was made anew, leave what does not hold to a document: a victim that it does not
 * name, or names in another state, is taken out, and so are keepers that it does not name.
 * told is called for each victim that was named and now stays, with the reason.
 */
void plan_file_hold(const struct plan_file *f, struct plan *p, plan_stay_fn *told, void *arg);

#endif
