/* SPDX-License-Identifier: MIT */
/*
 * line_text - private to line: the text of a line that is edited, as bytes, with a cursor and
 * what was cut out last.
 */
#ifndef SHELL_LINE_TEXT_H
#define SHELL_LINE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/** The longest text, in bytes: more is refused as a whole, never cut. */
#define LINE_TEXT_MAX 65536

/** = {0}, then line_text_release(). */
struct line_text {
	struct buf bytes;   /* several lines when they were pasted, '\n' between them */
	size_t at;          /* the cursor, in bytes; between two cells */
	struct buf cut;     /* what line_text_paste inserts */
};

void line_text_release(struct line_text *t);

/** Replace all, with the cursor at the end. */
void line_text_set(struct line_text *t, const char *text, size_t len);

/**
 * Insert at the cursor, which moves behind it.  Returns false, and inserts nothing, when that
 * would be too long.
 */
bool line_text_insert(struct line_text *t, const char *text, size_t len);
/** Insert what was cut out last.  Returns as line_text_insert. */
bool line_text_paste(struct line_text *t);

/** Remove the bytes from a to b, between which or at whose ends the cursor is. */
void line_text_remove(struct line_text *t, size_t a, size_t b);
/** The same, and keep them for line_text_paste. */
void line_text_cut(struct line_text *t, size_t a, size_t b);
/**
 * Exchange the characters around the cursor, at the end those before it.  Returns whether there
 * are two.
 */
bool line_text_swap(struct line_text *t);

/** Positions: of the next and the previous character. */
size_t line_text_next(const struct line_text *t);
size_t line_text_prev(const struct line_text *t);
/**
 * ... of the end of this or the next word, and the beginning of this or the previous one, of
 * letters and digits.
 */
size_t line_text_word_end(const struct line_text *t);
size_t line_text_word_begin(const struct line_text *t);
/** ... of the beginning of the blank-delimited word before the cursor. */
size_t line_text_blank_begin(const struct line_text *t);
/** ... of the beginning and the end of the line with the cursor. */
size_t line_text_begin(const struct line_text *t);
size_t line_text_end(const struct line_text *t);

#endif
