/* SPDX-License-Identifier: MIT */
/* cmd_elsewhere - who else says to have a file: told beside it, and changes no answer. */
#ifndef CMD_CMD_ELSEWHERE_H
#define CMD_CMD_ELSEWHERE_H

#include "index/claims_match.h"
#include "query/answer.h"

struct cmd_call;
struct out;

/** What a place that was imported says of many files. */
struct cmd_elsewhere_source {
	const char *name;
	int64_t by_digest, by_size;  /* files, each counted once */
	size_t last;                 /* private: the file that was counted last, from 1 */
};

/** What was told.  Zero it; cmd_elsewhere_release() it. */
struct cmd_elsewhere {
	int64_t no_digest;   /* files whose digest is not known */
	int64_t no_hash;     /* ... nor their hash, which a claim of their size has */
	/* private: of cmd_elsewhere_note() */
	VEC(struct file_answer) noted;
	VEC(struct cmd_elsewhere_source) sources;
	int64_t nowhere;
	size_t at;
	struct arena memory;
	/* ... and of cmd_elsewhere_file(): */
	VEC(struct file_claim) claims;
	struct arena of_file;
};

/** Refuse to begin where nothing was imported.  Returns 0, or -1 with ERR_USAGE. */
int cmd_elsewhere_check(const struct cmd_call *c, struct err *err);
/** What claims are to be asked about a file, whose row is read into *row.  Returns 0 or -1. */
int cmd_elsewhere_about(const struct cmd_call *c, const struct file_answer *a, struct file_row *row, struct claims_about *about,
                        struct err *err);
/** Print a file with who else has it: as lines below it, or in its JSON.  Returns 0 or -1. */
int cmd_elsewhere_file(struct cmd_elsewhere *e, const struct cmd_call *c, struct out *out, const struct file_answer *a, struct err *err);
/** Note a file for cmd_elsewhere_sum(). */
void cmd_elsewhere_note(struct cmd_elsewhere *e, const struct file_answer *a);
/**
 * Tell by places how many of the files that were noted these say to have; files is a word for
 * them.  Returns 0 or -1.
 */
int cmd_elsewhere_sum(struct cmd_elsewhere *e, const struct cmd_call *c, const char *files, struct err *err);
/** Free what it owns. */
void cmd_elsewhere_release(struct cmd_elsewhere *e);
/** Count what a file lacks to be compared. */
void cmd_elsewhere_lacks(struct cmd_elsewhere *e, const struct claims_matched *m);
/** Tell how more could be known. */
void cmd_elsewhere_end(const struct cmd_elsewhere *e, const struct cmd_call *c);

#endif
