/* SPDX-License-Identifier: MIT */
/* shell - a session over the index: where it stands, what it remembers, and the lines that it runs. */
#ifndef CMD_SHELL_H
#define CMD_SHELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "cmd/cmd.h"

struct err;
struct line;

/** A name for the beginning of a line. */
struct shell_alias {
	char *name, *value;        /* owned */
	bool busy;                 /* being expanded: it does not expand itself */
};

/** A session.  shell_open() it, shell_close() it. */
struct shell {
	struct cmd_env env;        /* what commands get */
	struct buf base;           /* the directory it is in; absolute */
	struct buf previous;       /* for cd - */
	struct results *results;   /* of the last listing */
	struct usage *usage;       /* of the open index, once it was asked for; else NULL */
	size_t shown;              /* the item of it that show, next and prev were at last; 0: none */
	VEC(struct shell_alias) aliases;
	struct line *line;         /* interactive: the editor; else NULL */
	bool keep_going;           /* a script goes on after an error */
	bool timing, pager;
	bool leave;
	int status;                /* of the last command */
	/* How the index looked when it was opened. */
	int64_t version;
	uint64_t dev, inode;
};

/** Start a session in the environment of its own command.  base: where it starts. */
void shell_open(struct shell *s, const struct cmd_env *env, const char *base);
void shell_close(struct shell *s);

/** Whether a status ends a script: a negative answer does not. */
bool shell_failed(int status);

/** Run one command, words already split; for built-in commands that use others.  notes: its listing is numbered. */
int shell_execute(struct shell *s, bool notes, int argc, char **argv);

/**
 * Before a command: see the index as it is now, in one state until shell_rest.  Opens it again if somebody
 * changed it, which interactive sessions are told.
 */
void shell_refresh(struct shell *s);
/** After a command: end the read of that state, which would keep writers from tidying up. */
void shell_rest(struct shell *s);

/**
 * Open the directory of the prompt, for what is to run or write there: through
 * no link, and only if it lies on the file system that the index knows there.
 * Returns an owned descriptor, or -1 with *err, ERR_NO_PATH: it is gone,
 * offline or may not be entered.
 */
int shell_enter(const struct shell *s, struct err *err);

/** The path that a number of the last listing means.  Returns 0, or -1 with ERR_USAGE. */
int shell_number(const struct shell *s, size_t item, size_t member, const char **path, struct err *err);

/** Find an alias, or NULL; it stays where it is until the next shell_set_alias. */
struct shell_alias *shell_alias_find(const struct shell *s, const char *name);
/** Set an alias; NULL removes it.  Returns whether there was one. */
bool shell_set_alias(struct shell *s, const char *name, const char *value);

#endif
