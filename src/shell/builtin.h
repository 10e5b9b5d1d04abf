/* SPDX-License-Identifier: MIT */
/* builtin - what only a shell can do: move, look at numbered results, set, alias, leave. */
#ifndef SHELL_BUILTIN_H
#define SHELL_BUILTIN_H

struct cmd;
struct session;

/** A built-in command; its texts are as those of struct cmd. */
struct builtin {
	const char *name, *operands, *summary, *help;
	/** Print on s->env.out.  Returns an enum cmd_status, or -1 with *err. */
	int (*run)(struct session *s, int argc, char **argv, struct err *err);
	bool runs;                 /* it runs commands, each with an output of its own */
};

/** All of them; the last one's name is NULL. */
extern const struct builtin builtins[];

/** Find one, or NULL. */
const struct builtin *builtin_find(const char *name);

/** Run one.  Returns its status, or -1 with *err: ERR_USAGE for operands where it takes none. */
int builtin_run(struct session *s, const struct builtin *b, int argc, char **argv, struct err *err);

/**
 * Complete the name of a command, built-in or of commands.  Returns the only name that begins
 * with name; name itself where that is a command, or none or several begin so.
 */
const char *builtin_full_name(const struct cmd *const *commands, const char *name);

/**
 * Fail with ERR_USAGE: there is no such command.  The message names a similar one.  Returns -1.
 */
int builtin_unknown(const struct session *s, const char *name, struct err *err);

/** Whether path is a directory of the index, or lies above one.  Returns 0 or -1 with *err. */
int builtin_check_dir(const struct session *s, const char *path, struct err *err);

/**
 * The settings and their values, for completion: name, values with blanks between them, ...; NULL
 * at the end.
 */
extern const char *const builtin_settings[];

#endif
