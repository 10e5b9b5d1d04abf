/* SPDX-License-Identifier: MIT */
/*
 * line_screen - private to line: what libedit is given: keys from the terminal, its size, and no
 * line that its arrays do not hold.
 */
#ifndef SHELL_LINE_SCREEN_H
#define SHELL_LINE_SCREEN_H

#include <histedit.h>

#include "shell/line_tty.h"

/** Zeroed, then line_screen_open(). */
struct line_screen {
	EditLine *el;                  /* owned */
	FILE *out;                     /* borrowed */
	FILE *complaints;              /* owned; what libedit misses, for nobody */
	struct line_tty tty;
	wchar_t *prompt;               /* owned; as it is drawn */
	int width, height;             /* of the terminal when the line was drawn */
	int limit;                     /* cells that a line may have */
	struct buf waiting;            /* bytes that were read, for the next characters */
	struct buf paste;              /* what the key KEY_PASTE stands for */
	size_t paste_len;              /* the bytes that were pasted */
	wchar_t *kept;                 /* owned; the line when a key was last waited for */
	size_t kept_len, kept_at;
	bool started;                  /* the terminal is as we want it */
	bool quotes;                   /* the next byte is no key */
	bool tall;                     /* what was drawn had more rows than there are */
	bool refused;                  /* the line lacks something that had no room */
	int signal;                    /* the one that ended the input, or 0 */
};

/** Returns 0, or -1 when the terminal can't be used so. */
int line_screen_open(struct line_screen *s, FILE *in, FILE *out);
/** Give the terminal back. */
void line_screen_close(struct line_screen *s);
/** Whether there is memory for a terminal of this size, which line_screen_read will need. */
bool line_screen_is_sane(int width, int height);
/** The screen of an editor: what line_screen_open was given. */
struct line_screen *line_screen_of(EditLine *el);

/**
 * Read a line behind a harmless prompt.  Returns 1 with the line appended to text, 0 at the end
 * of input or with s->signal, which is raised again unless it was SIGINT.
 */
int line_screen_read(struct line_screen *s, const char *prompt, struct buf *text);
/** Print prompt and a line, and a newline: outside of line_screen_read. */
void line_screen_show(struct line_screen *s, const char *prompt, const char *text, size_t len);

/** Whether the line could be these n characters. */
bool line_screen_fits(const struct line_screen *s, const wchar_t *chars, size_t n);
/** Replace the line, with the cursor at a character; beyond the end: there. */
void line_screen_set(struct line_screen *s, const wchar_t *chars, size_t at);

/**
 * Keep the line as it is, or put back the one that was kept last, with a bell, if it became too
 * long.  Returns whether it was kept.  libedit waits for no key without this.
 */
bool line_screen_keep(struct line_screen *s);

/** Take the line off the screen; then it and the prompt may be changed, and drawn. */
void line_screen_erase(struct line_screen *s);
/** Replace the prompt, which is harmless, while nothing is drawn. */
void line_screen_set_prompt(struct line_screen *s, const char *prompt);
void line_screen_draw(struct line_screen *s);
/** Print text, lines, below the line, which is drawn again below that. */
void line_screen_tell(struct line_screen *s, const char *text);

#endif
