/* SPDX-License-Identifier: MIT */
/* line_completion - what Tab is answered with. */
#ifndef SHELL_LINE_COMPLETION_H
#define SHELL_LINE_COMPLETION_H

/** What may replace the word before the cursor.  The caller zeroes it, and releases it. */
struct line_completion {
	size_t start;    /* where the replaced text begins, in bytes; it ends at the cursor */
	char *insert;    /* owned; the new text for it, or NULL: nothing to insert */
	bool ended;      /* the last byte of insert is a blank that ends the word */
	char **shown;    /* owned, and each of them: listed when nothing was gained by insert */
	size_t n, cap;
	bool more;       /* there are more than shown */
};

/** Complete the text before the cursor, len bytes.  What is left as it was completes nothing. */
typedef void line_complete_fn(void *arg, const char *text, size_t len, struct line_completion *out);

/** Free what a completion owns. */
void line_completion_release(struct line_completion *c);

#endif
