/* SPDX-License-Identifier: MIT */
/*
 * line - lines typed by a person: editing, history and completion on a terminal, plain reading
 * elsewhere.
 */
#ifndef SHELL_LINE_H
#define SHELL_LINE_H

struct line;

/** What may replace the word before the cursor.  The caller zeroes it, and releases it. */
struct line_completion {
	size_t start;    /* where the replaced text begins, in bytes; it ends at the cursor */
	char *insert;    /* owned; the new text for it, or NULL: nothing to insert */
	bool ended;      /* the last byte of insert is a blank that ends the word */
	char **shown;    /* owned, and each of them: listed when nothing was gained by insert */
	size_t n;
	bool more;       /* there are more than shown */
};

/** Complete the len bytes before the cursor.  *out is zeroed; left so, it completes nothing. */
typedef void line_complete_fn(void *arg, const char *text, size_t len, struct line_completion *out);

/** Free what a completion owns. */
void line_completion_release(struct line_completion *c);

/**
 * Read lines from in, and echo on out.  Lines are edited when both are a
 * terminal that can do so (TERM is neither empty nor "dumb"); else they are read
 * as they come, prompted for only when in is a terminal.  history_path is the file of the
 * history, or NULL; when it can't be used that is told on msg, once.  Streams are
 * borrowed.  Where lines are edited and the locale has only ASCII, it becomes C.UTF-8 if there
 * is one.  SIGINT, SIGTERM and SIGHUP are to be caught (stop_install, stop_be_patient).  Tab
 * completes with fn.
 *
 * Returns an owned line for line_close().
 */
struct line *line_open(FILE *in, FILE *out, FILE *msg, const char *history_path, line_complete_fn *fn, void *arg);

/** Whether lines are edited, not just read. */
bool line_is_edited(const struct line *l);

/**
 * Read a line: any bytes, all that were typed.  The prompt is made harmless for the terminal
 * and cut to half its width.  Lines that were pasted together come one after the other, each
 * shown behind its prompt, once Enter was pressed.  A line that is too long is refused with a
 * word on out, and never cut.
 *
 * Returns 1 with *text (without newline, NUL-terminated; NUL bytes in it are
 * possible; borrowed until the next call) and *len, 0 at the end of
 * input, -1 with *err: ERR_INTERRUPTED when a signal came.  For SIGINT the
 * line was dropped, ^C and a newline were printed, and the signal was
 * forgotten; after others stop_signal() still says which.
 */
int line_read(struct line *l, const char *prompt, const char **text, size_t *len, struct err *err);

/**
 * Drop the lines that were pasted together with the last one and not read yet.  Returns how
 * many.
 */
size_t line_drop_rest(struct line *l);

/**
 * Remember a line, in memory and in the file.  Empty lines, those that begin with a blank, and
 * repeats are not kept.
 */
void line_remember(struct line *l, const char *text);

/** Columns and rows of the terminal now; 80 and 24 when it does not tell. */
void line_size(const struct line *l, int *width, int *height);

/** Give the terminal back as it was and free l.  Accepts NULL. */
void line_close(struct line *l);

#endif
