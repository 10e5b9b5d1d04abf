/* SPDX-License-Identifier: MIT */
/*
 * complete - what may follow in the interactive shell: commands, options, and paths of the index.
 */
#ifndef SHELL_COMPLETE_H
#define SHELL_COMPLETE_H

#include <stddef.h>

struct cmd;
struct index;
struct line_completion;

/** Candidates that are listed at most. */
#define COMPLETE_MAX 200

/** What completion draws upon; all borrowed. */
struct complete_ctx {
	const struct cmd *const *commands; /* NULL at the end */
	struct index *ix;              /* NULL: no paths */
	const char *base;              /* of relative paths; absolute, normalised */
	const char *const *builtins;   /* names of the shell's own commands, NULL at the end */
	/** For set: name, its values with blanks between ("" for any), name, values, ..., NULL. */
	const char *const *settings;
};

/** Complete the text before the cursor: a line_complete_fn.  ctx is a struct complete_ctx. */
void complete_line(void *ctx, const char *text, size_t len, struct line_completion *out);

#endif
