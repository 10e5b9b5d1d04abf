/* SPDX-License-Identifier: MIT */
/* cmd_fail - how a call ends: its exit status, a message of what failed, the end of its JSON. */
#ifndef CMD_CMD_FAIL_H
#define CMD_CMD_FAIL_H

#include "index/gaps.h"
#include "ui/out_style.h"

/** Exit statuses; see EXIT STATUS in the manual. */
enum cmd_status {
	CMD_OK = 0,
	CMD_NO = 1,         /* a negative answer */
	CMD_USAGE = 2,      /* usage, or a path that does not exist */
	CMD_PARTLY = 3,     /* done, but something could not be covered */
	CMD_BUSY = 4,
	CMD_NO_INDEX = 5,
	CMD_FATAL = 6,
	CMD_SIGNAL = 128    /* plus the signal's number */
};

/** What is known of a call's answer as a whole. */
struct cmd_answered {
	enum out_format format;       /* asked for, also where the options could not be read */
	struct gaps gaps;             /* told by cmd_gaps() */
	bool unfinished;              /* told by cmd_unfinished(), cmd_with_unfinished() */
	bool begun;                   /* some of a listing is printed */
	bool open;                    /* a JSON document is printed but for its end */
	const char *yes, *no;         /* the words of the command for status 0 and 1 */
};

/** The JSON format that a command line asks for, even an invalid one; else usual. */
enum out_format cmd_asked_format(enum out_format usual, int argc, char *const *argv);

/** Print a line "twindex: text" on msg, behind a place in a script (or NULL). */
void cmd_say(FILE *msg, const char *place, const char *text);

/** Tell on msg what went wrong, and where in a script (or NULL).  Returns the exit status. */
int cmd_fail(FILE *msg, const char *place, const struct err *err);

/**
 * The same for a call whose output may be JSON: the error becomes a document on out, or the end of
 * what was printed there, where it can.
 */
int cmd_fail_answer(FILE *out, FILE *msg, const char *place, const struct cmd_answered *a, const struct err *err);

/** End the JSON of a call with its exit status, whether or not anything was printed. */
void cmd_end_answer(FILE *out, const struct cmd_answered *a, int status);

#endif
