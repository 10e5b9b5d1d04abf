/* SPDX-License-Identifier: MIT */
/*
 * Between line_screen_start and line_screen_end signals are blocked, the terminal is in raw
 * mode (line_tty), and signals come as answers of line_input, in their order among the bytes:
 * Ctrl-Z stops the process here, a new size draws anew, the others end the input.  struct
 * line_screen remembers whether the drawing is as the text is; it is made only when no byte is
 * waiting, so a paste costs one drawing.
 */
#include <config.h>

#include "shell/line_screen.h"

#include <errno.h>
#include <signal.h>

#include "base/buf.h"
#include "shell/line_key.h"
#include "shell/line_text.h"

int
line_screen_open(struct line_screen *s, FILE *in, FILE *out, const struct line_text *text)
{
	*s = (struct line_screen){ .out = out, .text = text, .prompt = "" };
	if (line_input_open(&s->input, fileno(in)) < 0)
		return -1;
	if (line_tty_open(&s->tty, fileno(in), fileno(out)) == 0)
		return 0;
	line_input_close(&s->input);
	return -1;
}

void
line_screen_close(struct line_screen *s)
{
	fflush(s->out);
	line_tty_close(&s->tty);
	line_input_close(&s->input);
}

static struct line_shown
line_screen_shown(const struct line_screen *s)
{
	return (struct line_shown){
		.prompt = s->prompt,
		.text = buf_str(&s->text->bytes), .len = s->text->bytes.len, .at = s->text->at,
		.width = s->width, .height = s->height,
	};
}

static void
line_screen_write(struct line_screen *s, struct buf *b)
{
	fwrite(buf_str(b), 1, b->len, s->out);
	fflush(s->out);
	buf_release(b);
}

void
line_screen_draw(struct line_screen *s)
{
	const struct line_shown shown = line_screen_shown(s);
	struct buf b = { 0 };

	line_view_draw(&s->view, &shown, &b);
	line_screen_write(s, &b);
	s->drawn = true;
}

/* Draw all of the line, and leave the cursor behind it. */
static void
line_screen_finish(struct line_screen *s)
{
	const struct line_shown shown = line_screen_shown(s);
	struct buf b = { 0 };

	line_view_finish(&s->view, &shown, &b);
	line_screen_write(s, &b);
}

/*
 * Begin to draw in an empty row.  A program may have left the cursor behind its last words, and
 * the terminal ^C: blanks to the end of the row wrap there, but only then.
 */
static void
line_screen_begin(struct line_screen *s)
{
	s->view = (struct line_view){ 0 };
	line_tty_size(fileno(s->out), &s->width, &s->height);
	fprintf(s->out, "%*s\r", s->width - 1, "");
	s->drawn = false;
}

/* Print text below the line; the line is drawn again below that. */
void
line_screen_tell(struct line_screen *s, const char *text)
{
	struct buf b = { 0 };

	line_view_leave(&s->view, &b);
	buf_adds(&b, text);
	line_screen_write(s, &b);
	s->drawn = false;
}

/* Ctrl-Z: wait for fg with the terminal as the shell wants it. */
static void
line_screen_stop(struct line_screen *s)
{
	line_screen_finish(s);
	line_tty_cooked(&s->tty);
	line_input_stop(&s->input);
	/* Without job control it goes on at once, and no SIGCONT comes. */
	line_tty_raw(&s->tty);
	line_screen_begin(s);
	s->continues = true;
}

/* SIGCONT: a shell has had the terminal. */
static void
line_screen_continue(struct line_screen *s)
{
	line_tty_raw(&s->tty);
	if (!s->continues)
		line_screen_begin(s);
	s->continues = false;
}

static void
line_screen_resize(struct line_screen *s)
{
	struct line_shown shown;
	int width, height;

	line_tty_size(fileno(s->out), &width, &height);
	if (width == s->width && height == s->height)
		return;
	s->width = width;
	s->height = height;
	shown = line_screen_shown(s);
	line_view_resize(&s->view, &shown);
	s->drawn = false;
}

/*
 * Get a byte, and do what signals ask for meanwhile.  Returns false at the end, or with
 * s->signal.
 */
bool
line_screen_byte(struct line_screen *s, char *byte)
{
	for (;;) {
		int got;

		if (!s->drawn && !line_input_is_ready(&s->input))
			line_screen_draw(s);
		got = line_input_byte(&s->input, byte);
		switch (got) {
		case LINE_INPUT_CHAR:
			return true;
		case LINE_INPUT_END:
		case LINE_INPUT_FAILED:
			return false;
		case SIGTSTP:
			line_screen_stop(s);
			break;
		case SIGCONT:
			line_screen_continue(s);
			break;
		case SIGWINCH:
			line_screen_resize(s);
			break;
		default:
			s->signal = got;
			return false;
		}
	}
}

int
line_screen_key(struct line_screen *s)
{
	struct line_sequence sequence = { 0 };
	char byte;
	int key;

	if (!line_screen_byte(s, &byte))
		return -1;
	/* Most keys change the line. */
	s->drawn = false;
	if (byte != KEY_ESC)
		return (unsigned char)byte;
	do {
		if (!line_screen_byte(s, &byte))
			return -1;
	} while ((key = line_key_of(&sequence, byte)) < 0);
	return key;
}

void
line_screen_start(struct line_screen *s, const char *prompt)
{
	s->prompt = prompt;
	s->signal = 0;
	fflush(s->out);
	line_input_begin(&s->input);
	/* First: what is typed after the prompt was shown would be echoed twice. */
	line_tty_raw(&s->tty);
	line_screen_begin(s);
}

void
line_screen_end(struct line_screen *s)
{
	line_screen_finish(s);
	fputs(s->signal == SIGINT ? "^C\n" : "\n", s->out);
	fflush(s->out);
	line_tty_cooked(&s->tty);
	/* Handlers see the others now. */
	if (s->signal != 0 && s->signal != SIGINT)
		raise(s->signal);
	line_input_end(&s->input);
}

void
line_screen_show(struct line_screen *s, const char *prompt)
{
	s->prompt = prompt;
	line_screen_begin(s);
	line_screen_finish(s);
	fputc('\n', s->out);
	fflush(s->out);
}
