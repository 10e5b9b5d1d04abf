/* SPDX-License-Identifier: MIT */
/*
 * The terminal is in raw mode only while a question waits: what is printed between two of them
 * needs no care, and a program that is started there finds it as it was.  It is sent text and
 * bells, and unless it is dumb the sequences that switch bracketed paste.
 */
#include "base/base.h"

#include "shell/keys.h"

#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include "shell/line_key.h"
#include "shell/line_tty.h"
#include "sys/stop.h"

struct keys {
	FILE *in, *out;
	bool pressed;              /* the fields below are in use */
	bool by_key;               /* the last answer was one: an Enter behind it belongs to it */
	struct line_tty tty;
	const char *question;      /* shown again when somebody comes back to the terminal */
	char *line;                /* owned; getdelim's */
	size_t cap;
};

/* What keys_key returns beside an enum line_key. */
enum { KEYS_END = -1, KEYS_SIGNAL = -2 };

struct keys *
keys_open(FILE *in, FILE *out)
{
	struct keys *k = mem_zalloc(1, sizeof(*k));

	*k = (struct keys){ .in = in, .out = out };
	k->pressed = isatty(fileno(in)) == 1 && isatty(fileno(out)) == 1 && line_tty_open(&k->tty, fileno(in), fileno(out)) == 0;
	return k;
}

bool
keys_are_pressed(const struct keys *k)
{
	return k->pressed;
}

void
keys_close(struct keys *k)
{
	if (k == NULL)
		return;
	if (k->pressed) {
		fflush(k->out);
		line_tty_close(&k->tty);
	}
	free(k->line);
	free(k);
}

static void
keys_show(struct keys *k, const char *text)
{
	fputs(text, k->out);
	fflush(k->out);
}

/* Get a byte.  Returns it, KEYS_END, or KEYS_SIGNAL after raising the signal again. */
static int
keys_byte(struct keys *k)
{
	for (;;) {
		char byte;
		const int got = line_tty_byte(&k->tty, &byte);

		switch (got) {
		case LINE_TTY_CHAR:
			return (unsigned char)byte;
		case LINE_TTY_END:
		case LINE_TTY_FAILED:
			return KEYS_END;
		case SIGTSTP:
			keys_show(k, "\n");
			line_tty_stop(&k->tty);
			keys_show(k, k->question);
			break;
		case SIGCONT:
		case SIGWINCH:
			break;
		default:
			keys_show(k, got == SIGINT ? "^C\n" : "\n");
			raise(got);
			return KEYS_SIGNAL;
		}
	}
}

/* Get a key, as a small letter if it is one. */
static int
keys_key(struct keys *k)
{
	struct line_sequence sequence = { 0 };
	int key = keys_byte(k), byte;
	size_t at = 0;

	if (key == KEY_ESC) {
		do {
			key = keys_byte(k);
		} while (key >= 0 && (key = line_key_of(&sequence, (char)key)) < 0);
		/* What is pasted is dropped. */
		while (key == KEY_PASTE) {
			byte = keys_byte(k);
			if (byte < 0 || line_key_ends_paste(&at, (char)byte))
				key = byte < 0 ? byte : KEY_UNKNOWN;
		}
		return key;
	}
	return key >= 'A' && key <= 'Z' ? key - 'A' + 'a' : key == KEY_CTRL_D ? KEYS_END : key;
}

/* Read the rest of a number up to max that begins with number.  Returns 1, 0, or as keys_key. */
static int
keys_number(struct keys *k, size_t max, size_t *number)
{
	while (*number * 10 <= max) {
		const int key = keys_key(k);

		if (key < 0)
			return key;
		if (key == KEY_RETURN || key == KEY_NEWLINE)
			return 1;
		if (key >= '0' && key <= '9' && *number * 10 + (size_t)(key - '0') <= max) {
			*number = *number * 10 + (size_t)(key - '0');
			fputc(key, k->out);
			fflush(k->out);
		} else if (key == KEY_DEL || key == KEY_CTRL_H) {
			keys_show(k, "\b \b");
			*number /= 10;
			if (*number == 0)
				return 0;
		} else
			keys_show(k, "\a");
	}
	return 1;
}

/* As keys_ask. */
static int
keys_press(struct keys *k, const char *letters, size_t max, struct keys_answer *answer)
{
	for (;;) {
		const int key = keys_key(k);
		int ret = 1;

		if (key < 0)
			return key == KEYS_END ? 0 : -1;
		*answer = (struct keys_answer){ 0, 0 };
		if (key > ' ' && key < KEY_DEL && strchr(letters, key) != NULL) {
			answer->letter = (char)key;
			fprintf(k->out, "%c", key);
		} else if (key >= '1' && key <= '9' && (size_t)(key - '0') <= max) {
			answer->number = (size_t)(key - '0');
			fprintf(k->out, "%c", key);
			fflush(k->out);
			ret = keys_number(k, max, &answer->number);
		} else if ((key == KEY_RETURN || key == KEY_NEWLINE) && (k->by_key || strchr(letters, '\n') == NULL)) {
			/* It is typed by habit behind a key. */
			k->by_key = false;
			continue;
		} else if (key == KEY_RETURN || key == KEY_NEWLINE)
			answer->letter = '\n';
		else {
			keys_show(k, "\a");
			continue;
		}
		if (ret < 0)
			return ret == KEYS_END ? 0 : -1;
		if (ret == 1) {
			k->by_key = answer->letter != '\n';
			return 1;
		}
	}
}

/* As keys_ask, of a line. */
static int
keys_read(struct keys *k, const char *letters, size_t max, struct keys_answer *answer)
{
	for (;;) {
		int64_t number = 0;
		char *word, letter;
		ssize_t len;

		keys_show(k, k->question);
		if (!stop_await(fileno(k->in)) || (len = getdelim(&k->line, &k->cap, '\n', k->in)) <= 0) {
			clearerr(k->in);
			keys_show(k, "\n");
			return stop_signal() != 0 ? -1 : 0;
		}
		word = k->line + strspn(k->line, " \t");
		word[strcspn(word, " \t\r\n")] = '\0';
		if (*word == '\0' && strchr(letters, '\n') == NULL)
			continue;
		letter = *word >= 'A' && *word <= 'Z' ? (char)(*word - 'A' + 'a') : *word == '\0' ? '\n' : *word;
		*answer = (struct keys_answer){ 0, 0 };
		if (strchr(letters, letter) != NULL)
			answer->letter = letter;
		else if (max > 0 && num_parse_int(word, 1, (int64_t)max, &number) == 0)
			answer->number = (size_t)number;
		else {
			keys_show(k, "?\n");
			continue;
		}
		/* A terminal has shown it already. */
		if (isatty(fileno(k->in)) != 1) {
			if (letter == answer->letter)
				fprintf(k->out, letter == '\n' ? "\n" : "%c\n", letter);
			else
				fprintf(k->out, "%zu\n", answer->number);
		}
		return 1;
	}
}

int
keys_ask(struct keys *k, const char *question, const char *letters, size_t max, struct keys_answer *answer)
{
	int ret;

	k->question = question;
	if (!k->pressed)
		return keys_read(k, letters, max, answer);
	line_tty_begin(&k->tty);
	fflush(k->out);
	line_tty_raw(&k->tty);
	/* Keys that were typed before the question was shown do not answer it. */
	(void)tcflush(fileno(k->in), TCIFLUSH);
	keys_show(k, question);
	ret = keys_press(k, letters, max, answer);
	/* Behind ^C it stands already. */
	if (ret >= 0)
		keys_show(k, "\n");
	line_tty_end(&k->tty);
	return ret;
}
