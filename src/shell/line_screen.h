/* SPDX-License-Identifier: MIT */
/* line_screen - private to line: keys come from the terminal, and the line is drawn on it. */
#ifndef SHELL_LINE_SCREEN_H
#define SHELL_LINE_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "shell/line_input.h"
#include "shell/line_tty.h"
#include "shell/line_view.h"

struct line_text;

/**
 * The line is drawn before a byte is waited for, not while more of them are there: a paste costs
 * one drawing.  Signals are blocked from start to end, and come in their order among the bytes.
 */
struct line_screen {
	FILE *out;                     /* borrowed */
	const struct line_text *text;  /* borrowed; what is drawn */
	const char *prompt;            /* borrowed; may be replaced between keys */
	struct line_input input;
	struct line_tty tty;
	struct line_view view;
	int width, height;             /* of the terminal when the line was drawn */
	int signal;                    /* the one that ended the input, or 0 */
	bool drawn;                    /* as it is */
	bool continues;                /* drawn again after Ctrl-Z, before SIGCONT came */
};

/** Returns 0, or -1 with errno when the terminal can't be used so. */
int line_screen_open(struct line_screen *s, FILE *in, FILE *out, const struct line_text *text);
/** Give the terminal back. */
void line_screen_close(struct line_screen *s);

/** Begin to edit in an empty row, behind a harmless prompt. */
void line_screen_start(struct line_screen *s, const char *prompt);
/**
 * Leave the row below the line, or behind ^C.  Signals have their effects again: the one that
 * ended the input, unless it was SIGINT, is raised.
 */
void line_screen_end(struct line_screen *s);
/** Print prompt and line, and a newline: between end and start. */
void line_screen_show(struct line_screen *s, const char *prompt);

/**
 * Get the next byte; stop, continue and draw anew when signals ask for it.
 * Returns false at the end of input, or with s->signal.
 */
bool line_screen_byte(struct line_screen *s, char *byte);
/** Get the next key, an enum line_key.  Returns -1 as line_screen_byte returns false. */
int line_screen_key(struct line_screen *s);

/** Draw the line as it is now. */
void line_screen_draw(struct line_screen *s);
/** Print text, lines, below the line, which is drawn again below that. */
void line_screen_tell(struct line_screen *s, const char *text);

#endif
