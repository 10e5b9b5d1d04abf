/* SPDX-License-Identifier: MIT */
/* width - text as wide as a terminal shows it: prompts cut to size, names in columns. */
#ifndef UI_WIDTH_H
#define UI_WIDTH_H

/** The columns that a harmless text takes. */
int width_of(const char *text);

/**
 * The rows that n bytes of any output take on a terminal: lines wrap at its
 * width, colours take no room.  A last line without newline counts, too.
 */
int width_rows(const char *text, size_t n, int width);

/** Append text made harmless and cut to max columns: the end stays, "..." comes before it. */
void width_cut(struct buf *b, const char *text, int max);

/** The same; of a text that is too long the begin and more of its end stay, around "...". */
void width_cut_middle(struct buf *b, const char *text, int max);

/**
 * Append text of harmless lines, broken at blanks so that they, and the line that it goes on with,
 * have fewer than width columns; 0: as it is.  What goes on after a break is indented.  A longer
 * word, what is in '...', and a number with what it counts stay whole.
 */
void width_fold(struct buf *b, const char *text, int indent, int width);

/** The indent of what a sentence or a message goes on with. */
enum { WIDTH_MORE = 2 };
/** Print it so. */
void width_print(FILE *f, const char *text, int indent, int width);

/**
 * Append n names, made harmless, in columns that fit into width, in order downwards; every line
 * ends with a newline.
 */
void width_columns(struct buf *b, char *const *names, size_t n, int width);

#endif
