/* SPDX-License-Identifier: MIT */
/*
 * screen - the whole terminal: rows of text in, keys out.  The room's only door to curses.
 */
#ifndef BROWSE_SCREEN_H
#define BROWSE_SCREEN_H

struct screen;

/** How text looks; flags. */
enum screen_look {
	SCREEN_PLAIN = 0,
	SCREEN_CURSOR = 1,     /* the line that keys act on */
	SCREEN_FRAME = 2,      /* titles and the bottom line */
	SCREEN_DIM = 4,
	SCREEN_STRONG = 8,
	SCREEN_DROP = 16,      /* colours, where the terminal has them */
	SCREEN_KEEP = 32,
	SCREEN_WARN = 64,
	SCREEN_BAR = 128
};

/** Keys that are no characters, and what else ends a wait; behind all characters. */
enum screen_key {
	SCREEN_NONE = 0x110000,   /* nothing: the other descriptor, a signal, or a new size */
	SCREEN_END,               /* the terminal is gone */
	SCREEN_UP, SCREEN_DOWN, SCREEN_LEFT, SCREEN_RIGHT,
	SCREEN_PAGE_UP, SCREEN_PAGE_DOWN, SCREEN_FIRST, SCREEN_LAST,
	SCREEN_ENTER, SCREEN_BACKSPACE, SCREEN_ESCAPE
};

/**
 * Take over the terminal on standard input and output.  Returns 0 with an owned *s for
 * screen_close, or -1 with ERR_USAGE where it can't be.
 */
int screen_open(struct screen **s, bool color, struct err *err);
/** Give the terminal back as it was.  Accepts NULL. */
void screen_close(struct screen *s);

/** Rows and columns, now. */
int screen_rows(const struct screen *s);
int screen_columns(const struct screen *s);

/** Begin a picture anew, empty, of the size that the terminal has now. */
void screen_clear(struct screen *s);
/**
 * Put text (harmless, as by name_show) at a row and column, cut where it would take more
 * columns; what the locale can't show is escaped.  Returns the columns that it took.
 */
int screen_put(struct screen *s, int row, int column, const char *text, int columns, unsigned look);
/** Give a whole row a look. */
void screen_row(struct screen *s, int row, unsigned look);
/** Put the cursor there; row -1: hide it. */
void screen_cursor(struct screen *s, int row, int column);
/** Show the picture. */
void screen_show(struct screen *s);
/** Ring the bell. */
void screen_bell(struct screen *s);

/** Wait for a key, or until fd can be read.  Returns a character or an enum screen_key. */
unsigned screen_key(struct screen *s, int fd);

#endif
