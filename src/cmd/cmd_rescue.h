/* SPDX-License-Identifier: MIT */
/* cmd_rescue - safe --rescue: what exists nowhere else is copied to another directory. */
#ifndef CMD_CMD_RESCUE_H
#define CMD_CMD_RESCUE_H

#include "act/rescue_told.h"
#include "cmd/cmd_progress.h"
#include "index/gaps.h"
#include "index/own_files.h"

struct cmd_call;
struct doc;

/** The options that are typed. */
struct cmd_rescue_args {
	const char *to;          /* NULL: nothing is copied */
	bool dry_run, yes;
};

/** One call; zero it, cmd_rescue_open(), cmd_rescue_release() in any case.  It must not move. */
struct cmd_rescue {
	/* private */
	const struct cmd_call *c;
	const struct cmd_rescue_args *a;
	const char *dir;         /* DIR: copies lie outside of it */
	char *base, *to;         /* owned: DIR, or the directory of a file; TO */
	VEC(struct rescue_file) files;
	struct arena paths;
	struct own_files own;    /* what lies in DIR of the index is not copied */
	struct rescue_sums sums;
	struct cmd_progress progress;
	struct doc *d;           /* or NULL: text */
	bool looking;            /* nothing is copied yet */
	int64_t asked;           /* files that a question has listed */
	int64_t taken;           /* files that were met whose names are taken */
};

/** Check and resolve TO; dir is DIR, absolute, and may be a file.  Returns 0, or -1 with *err. */
int cmd_rescue_open(struct cmd_rescue *r, const struct cmd_call *c, const struct cmd_rescue_args *a, const char *dir, bool is_file,
                    struct err *err);
/**
 * Add a file of DIR, absolute: unsure, it could not be judged.  The last one may be added again.
 * What is empty, or no regular file, holds nothing to be copied.
 */
void cmd_rescue_add(struct cmd_rescue *r, const char *path, bool unsure);
/**
 * Add the files at and below a directory of DIR that no scan has met, for this reason.  What cannot
 * be listed there, or lies on another file system, is a gap of the call's verdict.
 */
void cmd_rescue_add_dir(struct cmd_rescue *r, const char *path, enum gap gap, const char *why);
/** Ask, copy and tell.  Returns CMD_OK: all that was added is in TO; CMD_NO, or -1 with *err. */
int cmd_rescue_run(struct cmd_rescue *r, struct err *err);
/** Free the memory. */
void cmd_rescue_release(struct cmd_rescue *r);

#endif
