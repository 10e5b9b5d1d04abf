/* SPDX-License-Identifier: MIT */
/*
 * keys - answers of one key: taken from a terminal as they are pressed, from elsewhere by lines.
 */
#ifndef SHELL_KEYS_H
#define SHELL_KEYS_H

struct keys;

/** An answer: a letter, or 0 and a number. */
struct keys_answer {
	char letter;
	size_t number;
};

/**
 * Take answers from in, and show questions on out.  Both are borrowed.  Keys are taken one by one
 * where both are a terminal; it need not be able to move its cursor.  Returns an owned struct.
 */
struct keys *keys_open(FILE *in, FILE *out);
/** Whether a person presses keys. */
bool keys_are_pressed(const struct keys *k);

/**
 * Ask until the answer is one of letters or a number from 1 to max, and show it.  A number needs
 * Enter only where more digits could follow; what is pasted is no answer.  A line answers by its
 * first word, of which the first letter counts.  Where letters have a newline, Enter or an empty
 * line is an answer, too: but not the Enter that is typed by habit behind a key.
 *
 * Returns 1 with *answer, 0 at the end of the input, -1 when a signal came, which stop_signal()
 * tells.
 */
int keys_ask(struct keys *k, const char *question, const char *letters, size_t max, struct keys_answer *answer);

/** Give the terminal back.  Accepts NULL. */
void keys_close(struct keys *k);

#endif
