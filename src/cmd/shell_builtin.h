/* SPDX-License-Identifier: MIT */
/* shell_builtin - what only a shell can do: move, look at numbered results, set, alias, leave. */
#ifndef CMD_SHELL_BUILTIN_H
#define CMD_SHELL_BUILTIN_H

#include <stdio.h>

struct buf;
struct err;
struct shell;

/** A built-in command; its texts are as those of struct cmd. */
struct shell_builtin {
	const char *name, *operands, *summary, *help;
	/** Print on out.  Returns an enum cmd_status, or -1 with *err. */
	int (*run)(struct shell *s, FILE *out, int argc, char **argv, struct err *err);
};

/** All of them; the last one's name is NULL. */
extern const struct shell_builtin shell_builtins[];

/** Find one, or NULL. */
const struct shell_builtin *shell_builtin_find(const char *name);

/** Fail with ERR_USAGE: neither a command nor a built-in one has that name, perhaps a similar one.  Returns -1. */
int shell_unknown(const char *name, struct err *err);

/** Whether path is a directory of the index, or lies above one.  Returns 0 or -1 with *err. */
int shell_check_dir(const struct shell *s, const char *path, struct err *err);

/** Append the usage and help of one. */
void shell_builtin_usage(struct buf *b, const struct shell_builtin *builtin);

/** The settings and their values, for completion: name, values with blanks between them, ...; NULL at the end. */
extern const char *const shell_settings[];

#endif
