/* SPDX-License-Identifier: MIT */
/*
 * history - the lines that were typed, in memory and in a plain file that several sessions share.
 */
#ifndef SHELL_HISTORY_H
#define SHELL_HISTORY_H

/** Lines that are kept. */
#define HISTORY_MAX 5000
/** Longer lines are not kept. */
#define HISTORY_MAX_LINE 4096

/** = {0}, then history_release(). */
struct history {
	char **v;       /* owned, and each of them; oldest first, no two equal */
	size_t n, cap;
	char *path;     /* owned; NULL: only in memory */
};

/**
 * Read the file at path, the newest HISTORY_MAX different lines of it; one that is missing is
 * empty.  A file with many more lines than that, or repeats, is rewritten with what was read.
 * path (NULL: only in memory) is kept for history_add.
 *
 * Returns 0, or -1 with ERR_SYS when the file is there and can't be read, or is not a regular
 * file: the history is in memory only from then on.
 */
int history_open(struct history *h, const char *path, struct err *err);

/**
 * Add a line at the end, dropping an older equal one, and append it to the
 * file (mode 0600; its directory is made, 0700).  Other sessions may do so at the same time.  Not
 * kept: empty lines, those that begin with a blank, contain control characters or invalid UTF-8,
 * or are longer than HISTORY_MAX_LINE.
 *
 * Returns 1 when the line was kept, 0 when not, -1 with ERR_SYS when it was kept in
 * memory but can't be written: later lines are kept in memory only.
 */
int history_add(struct history *h, const char *line, struct err *err);

/** Free the memory. */
void history_release(struct history *h);

#endif
