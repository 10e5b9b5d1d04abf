/* SPDX-License-Identifier: MIT */
/* line_key - private to line: the keys that escape sequences of terminals mean. */
#ifndef SHELL_LINE_KEY_H
#define SHELL_LINE_KEY_H

/** A byte is itself; META added: after ESC, or with Alt; beyond that what sequences mean. */
enum line_key {
	KEY_CTRL_D = 4, KEY_CTRL_G = 7, KEY_CTRL_H = 8, KEY_TAB = 9, KEY_NEWLINE = 10, KEY_RETURN = 13, KEY_CTRL_N = 14,
	KEY_CTRL_P = 16, KEY_CTRL_R = 18, KEY_CTRL_V = 22, KEY_CTRL_W = 23, KEY_ESC = 27, KEY_DEL = 127,
	KEY_META = 0x100,
	KEY_UP = 0x200, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_DELETE,
	KEY_WORD_LEFT, KEY_WORD_RIGHT,
	KEY_PASTE,    /* a paste begins; LINE_KEY_PASTE_END bytes end it */
	KEY_UNKNOWN   /* a sequence that means nothing here */
};

/** Bytes of the sequence that ends a paste. */
#define LINE_KEY_PASTE_END 6

/** A sequence in progress; zero it before its ESC. */
struct line_sequence {
	int len;
	char bytes[32];
};

/**
 * Take the next byte of a sequence, the first one after ESC.  Returns the key, or -1 while it
 * goes on.  A sequence of any length ends, and nothing of it is left over as text.
 */
int line_key_of(struct line_sequence *s, char byte);

/** Take the next byte of a paste; *at begins as 0.  Returns whether the paste ends with it. */
bool line_key_ends_paste(size_t *at, char byte);

#endif
