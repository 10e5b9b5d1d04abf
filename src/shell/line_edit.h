/* SPDX-License-Identifier: MIT */
/* line_edit - private to line: libedit and functions of ours edit a line on a terminal. */
#ifndef SHELL_LINE_EDIT_H
#define SHELL_LINE_EDIT_H

#include "shell/line_completion.h"

struct line_edit;

/** Returns an owned editor for the terminal of in and out, or NULL when there can't be one. */
struct line_edit *line_edit_open(FILE *in, FILE *out);
/** Give the terminal back.  Accepts NULL. */
void line_edit_close(struct line_edit *e);

void line_edit_set_completer(struct line_edit *e, line_complete_fn *fn, void *arg);

/**
 * Let the up arrow find these lines, the last one first, and no others.  They are borrowed
 * until the next call.
 */
void line_edit_recall(struct line_edit *e, char *const *lines, size_t n);

/** What line_edit_read returns beside 1 and 0. */
enum { LINE_EDIT_INTERRUPTED = -1 };

/**
 * Edit a line behind a harmless prompt, or show the next one of those that came at once.
 * Returns 1 with the line appended to text, 0 at the end of input, LINE_EDIT_INTERRUPTED after
 * Ctrl-C.  Other signals are raised again before it returns 0.
 */
int line_edit_read(struct line_edit *e, const char *prompt, struct buf *text);

/** Drop the lines that came with the last one and were not read.  Returns how many. */
size_t line_edit_drop(struct line_edit *e);

#endif
