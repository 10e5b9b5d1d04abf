/* SPDX-License-Identifier: MIT */
/*
 * complete - what may follow on a line of the interactive shell, or on a command line of the
 * program in another shell: commands, options, their arguments, paths of the index and of the
 * disk.
 */
#ifndef SHELL_COMPLETE_H
#define SHELL_COMPLETE_H

struct builtin;
struct cmd;
struct settings;
struct index;
struct line_completion;
struct session;

/** What completion draws upon; all borrowed. */
struct complete_ctx {
	const struct cmd *const *commands; /* NULL at the end */
	struct index *ix;              /* NULL: see open */
	/** Open the index db (NULL: the default), silently.  Returns NULL on any error. */
	struct index *(*open)(void *arg, const char *db);
	void *arg;
	const char *base;              /* of relative paths; absolute, normalised */
	const struct builtin *builtins; /* the shell's own commands, as builtin.h; or NULL */
	/** For set: name, its values with blanks between ("" for any), name, values, ..., NULL. */
	const char *const *settings;
	const struct session *session; /* whose aliases are completed; or NULL: those of config */
	const struct settings *config;   /* or NULL */
	bool outside;                  /* another shell completes a command line of the program */
};

/** Complete the text before the cursor: a line_complete_fn.  ctx is a struct complete_ctx. */
void complete_line(void *ctx, const char *text, size_t len, struct line_completion *out);

/**
 * Take a candidate: a whole word without quotes, borrowed; about tells of it, or is NULL.  A
 * word that ends with a slash or a colon goes on.
 */
typedef void complete_fn(void *arg, const char *word, size_t len, const char *about);

/** Complete the last of n words of a command line, without the program's name. */
void complete_words(const struct complete_ctx *ctx, char *const *words, size_t n, complete_fn *fn, void *arg);

/**
 * Complete a line of sh up to the cursor, the program's name in front.  Candidates begin behind
 * the last byte of breaks in the word, as readline replaces only that part.
 */
void complete_sh_line(const struct complete_ctx *ctx, const char *line, const char *breaks, complete_fn *fn, void *arg);

#endif
