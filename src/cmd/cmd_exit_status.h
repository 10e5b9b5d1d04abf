/* SPDX-License-Identifier: MIT */
/*
 * cmd_exit_status - how a call ends: what its answer lacks is told, its exit status composed.
 */
#ifndef CMD_CMD_EXIT_STATUS_H
#define CMD_CMD_EXIT_STATUS_H

#include "cmd/cmd.h"
#include "query/list.h"

struct index;

/**
 * Tell on msg what an answer lacks, as far as the command has noted it and the scans of its indexes
 * have left it undone; the first call alone does.  Returns 1: the answer is not known of all, 0, or
 * -1 with *err.
 */
int cmd_lacks(const struct cmd_call *c, struct err *err);

/**
 * Tell what an answer lacks, and compose the exit status: of several reasons the gravest counts.
 * A command may call it itself, to show the verdict: then that stays the status.
 * answer: what the files themselves lead to, or -1, which stays.
 *
 *   1. CMD_USAGE: a path that was named does not exist
 *   2. CMD_PARTLY: something was not judged, or a scan is unfinished
 *   3. the answer, CMD_NO
 *   4. CMD_PARTLY: a run did not cover all; or a command by which files may go (CMD_LETS_GO,
 *      CMD_PROVES) trusts files whose signatures prove nothing (index/timeless)
 *   5. the answer, CMD_OK, or CMD_CLAIMED where only others say so
 */
int cmd_exit_status(const struct cmd_call *c, int answer, struct err *err);

/**
 * list_gap_fn of a struct cmd_verdict: name a gap on msg, a directory that could not be read,
 * others with --verbose.
 */
void cmd_gap(void *verdict, const char *path, enum gap gap, bool dir, const char *why);
/** The same, and count it in its gaps. */
void cmd_count_gap(void *verdict, const char *path, enum gap gap, bool dir, const char *why);

/**
 * With --online: tell fn what lies now where an offline disk belongs, at and below n absolute
 * paths, none for all: it is not on that disk, and is not left out with it.  For answers that list
 * nothing below what they leave out.  Returns 0 or -1.
 */
int cmd_gaps_of_offline(const struct cmd_call *c, const char *const *paths, size_t n, list_gap_fn *fn, void *arg, struct err *err);

/**
 * Append which files are compared, "files of 64.0 KiB and more", where the last scan has left
 * others unread.  Returns 1; 0: it has not, or none is compared; -1 with *err.
 */
int cmd_compared_text(const struct index *ix, struct buf *b, struct err *err);

/**
 * What the last scan left undone, for people; and, unless program is NULL, what to do about it
 * with the program that is called so.  Returns 1 with text appended, 0 when nothing is left, or
 * -1 with *err.
 */
int cmd_unfinished_text(const struct index *ix, const char *program, struct buf *b, struct err *err);

/** End the JSON of a call with its exit status, whether or not anything was printed. */
void cmd_end_answer(FILE *out, struct cmd_verdict *v, int status);

/** The JSON format that a command line asks for, even an invalid one; else usual. */
enum out_format cmd_asked_format(enum out_format usual, int argc, char *const *argv);

/** Tell on msg what went wrong, and where in a script (or NULL).  Returns the exit status. */
int cmd_fail(FILE *msg, const char *place, const struct err *err);

/**
 * The same for a call whose output may be JSON: the error becomes a document on out, or the end of
 * what was printed there, where it can.
 */
int cmd_fail_answer(FILE *out, FILE *msg, const char *place, struct cmd_verdict *v, const struct err *err);
/** The same before a command line has become a call. */
int cmd_refuse(const struct cmd_env *env, int argc, char *const *argv, const struct err *err);

#endif
