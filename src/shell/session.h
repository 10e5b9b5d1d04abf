/* SPDX-License-Identifier: MIT */
/*
 * session - a session over the index: where it stands, what it remembers, and the lines that it
 * runs.
 */
#ifndef SHELL_SESSION_H
#define SHELL_SESSION_H

#include "cmd/cmd.h"
#include "index/index.h"
#include "shell/alias.h"

struct line;
struct numbers_range;
struct source;

/** A session.  session_open() it, session_close() it. */
struct session {
	struct cmd_env env;        /* what commands get */
	struct buf base;           /* the directory it is in; absolute */
	struct buf previous;       /* for cd - */
	struct numbers *results;   /* of the last listing */
	struct usage *usage;       /* of the open index, once it was asked for; else NULL */
	size_t shown;              /* item of it that show, next or prev showed last; 0: none */
	struct aliases aliases;
	struct line *line;         /* interactive: the editor; else NULL */
	const struct source *source; /* the innermost file whose lines are run, or NULL */
	int (*run)(struct session *s, const char *text, size_t len);  /* run_line */
	bool keep_going;           /* a script goes on after an error */
	bool timing, pager;
	bool leave;
	bool steps;                /* the last command was next, and showed something */
	int status;                /* of the last command */
	struct index_state state;  /* of the index when it was opened */
	bool drops_known;
	int64_t n_drops, drop_bytes;  /* if they are: files marked drop, and their sizes */
};

/** Start a session in the environment of its own command.  base: where it starts. */
void session_open(struct session *s, const struct cmd_env *env, const char *base);
void session_close(struct session *s);

/** Whether a status ends a script: a negative answer does not. */
bool session_failed(int status);

/**
 * Run one command, words already split; for built-in commands that use others.  notes: its
 * listing is numbered.
 */
int session_execute(struct session *s, bool notes, int argc, char **argv);

/**
 * Before a command: see the index as it is now, in one state until session_rest.  Opens it again
 * if somebody changed it, which interactive sessions are told.
 */
void session_refresh(struct session *s);
/** After a command: end the read of that state, which would keep writers from tidying up. */
void session_rest(struct session *s);

/**
 * Open the directory of the prompt, for what is to run or write there: through
 * no link, and only if it lies on the file system that the index knows there.
 * Returns an owned descriptor, or -1 with *err, ERR_NO_PATH: it is gone,
 * offline or may not be entered.
 */
int session_enter(const struct session *s, struct err *err);

/** What is marked drop in the open index: counted once, until the index changes. */
void session_drops(struct session *s, int64_t *n, int64_t *bytes);

/** The path that a number of the last listing means.  Returns 0, or -1 with ERR_USAGE. */
int session_number(const struct session *s, size_t item, size_t member, const char **path, struct err *err);

/** Paths of numbers: the array is owned, its strings are those of numbers_path(). */
struct session_paths {
	const char **v;
	size_t n, cap;
};

/**
 * Append the paths that a range of the last listing means; in one of several items, or of
 * directories, a set means all its members.  Returns 0, or -1 with ERR_USAGE: it has not all of
 * them.
 */
int session_range(const struct session *s, const struct numbers_range *r, struct session_paths *paths, struct err *err);


#endif
