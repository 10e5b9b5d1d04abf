/* SPDX-License-Identifier: MIT */
/* cmd_act - one call of rm, link or rmsh, and what it tells. */
#ifndef CMD_CMD_ACT_H
#define CMD_CMD_ACT_H

#include "act/act.h"
#include "act/plan.h"
#include "act/plan_file.h"
#include "act/protocol.h"
#include "act/prune.h"
#include "cmd/cmd_keep.h"
#include "cmd/cmd_progress.h"
#include "ui/doc.h"

/** The options. */
struct cmd_act_args {
	bool recursive, dry_run, interactive, yes, marked, hidden;
	bool prune, trash;                         /* of rm */
	bool trust_cache;                          /* of rm and link */
	bool hard, soft, reflink, any_attributes;  /* of link */
	bool portable;                             /* of rmsh, with hard, soft and reflink */
	const char *plan;                          /* of rm and link: the document to act on */
};

/** What a kind of act is called. */
struct cmd_act_words {
	const char *verb, *done;
	const char *line;        /* before the path of a file that was acted on */
	const char *none;        /* after an answer that was no */
};

/** Files that stay for one reason. */
struct cmd_act_reason {
	const char *why;
	int64_t n;
};

/** A volume of victims, and whether its files may share blocks. */
struct cmd_act_volume {
	int64_t number, n_stay;
	bool may_share;
	const char *dir;
};

/** One call: its plan, what came of it so far, and what was pruned. */
struct cmd_act {
	const struct cmd_call *c;
	enum act_kind kind;
	const struct cmd_act_words *words;   /* of kind */
	const struct cmd_act_args *a;
	bool script;                 /* nothing is done: the plan is written as a script */
	bool any_attributes;
	struct cmd_keep keep;
	struct cmd_paths *paths;       /* those of the call */
	struct pathset operands;     /* paths */
	struct plan asked;           /* what a person was asked about; zero otherwise */
	struct plan plan;
	struct prune prune;
	struct cmd_progress progress;
	struct pathset agreed;       /* victims of asked that may go */
	bool again;                  /* the plan is made once more: only these count */
	struct plan_file given;      /* --plan; zero without */
	struct doc *d;               /* or NULL: text */
	bool listed;                 /* its list of files is complete */
	int64_t n_done, n_stay, n_alone, n_read_only, n_backup, n_whole, n_unsure, n_pruned;
	VEC(struct cmd_act_reason) reasons;   /* of files that stay, where they are not listed */
	VEC(struct cmd_act_volume) volumes;   /* of files that are to be reflinks */
	struct arena texts;          /* of these */
	int64_t freed;
	bool at_most;                /* or less: of it, and of what a plan frees */
};

/** Add a file that stays to the open list of files, and why. */
void cmd_act_doc_stays(struct doc *d, const char *path, enum plan_stay stay, const char *why);
/** Add the files of a group that go, with all that act/plan_file reads. */
void cmd_act_doc_group(struct doc *d, const struct act_group *g);
/**
 * End the list of files, and add what a plan is made for: its kind, whether links may have other
 * attributes, how many copies stay at least; its digest; how many files go, and the bytes that this
 * frees on the disk.  plan is NULL once it was done.
 */
void cmd_act_doc_end(const struct cmd_act *r, const struct plan *plan, int64_t n, int64_t frees);

/** Print a file that something is done to, and its copy that stays. */
void cmd_act_pair(struct cmd_act *r, FILE *f, const char *what, const char *path, const char *keeper);
/** Append what a plan would do, file by file. */
void cmd_act_add_files(struct cmd_act *r, struct buf *b, const struct plan *plan);
/** Print what a plan of n files would do: on a terminal, without --verbose, many by directories. */
void cmd_act_tell_plan(struct cmd_act *r, const struct plan *plan, FILE *f, int64_t n);
/** How many files a plan has, and the bytes that they free. */
int64_t cmd_act_count(struct cmd_act *r, const struct plan *plan, int64_t *frees);
/** "at most " where less may be freed, or "". */
const char *cmd_act_at_most(const struct cmd_act *r);
/**
 * Warn about properties of the planned files that neither the remaining copies nor undo preserve.
 */
void cmd_act_tell_loss(const struct cmd_act *r, const struct plan *plan);
/** Print why files stay that were not listed, and forget them. */
void cmd_act_tell_reasons(struct cmd_act *r, FILE *f);

/** Tell what becomes of a file: plan_stay_fn, list_gap_fn, protocol_told_fn, prune_fn. */
void cmd_act_stay(void *arg, const char *path, enum plan_stay stay, const char *why);
void cmd_act_gap(void *arg, const char *path, enum gap gap, bool dir, const char *why);
int cmd_act_told(void *arg, const struct protocol_told *t);
void cmd_act_pruned(void *arg, const char *path);

#endif
