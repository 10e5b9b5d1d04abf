/* SPDX-License-Identifier: MIT */
/*
 * Three ways to get a line: edited on a terminal (line_edit), collected by a terminal that
 * cannot be drawn on (TERM is dumb), read from a file or pipe.  struct line has the streams, the
 * history and the last line; l->edit is NULL in the second and third way.  A signal drops the
 * line: SIGINT is told to the caller and forgotten, others stay in sys/stop.
 */
#include "base/base.h"

#include "shell/line.h"

#include <signal.h>
#include <unistd.h>

#include "sys/locale.h"
#include "sys/stop.h"
#include "shell/history.h"
#include "shell/line_edit.h"
#include "shell/line_input.h"
#include "shell/line_screen.h"
#include "shell/line_tty.h"
#include "ui/width.h"

/*
 * A terminal that collects lines gives at most this many bytes of one, the newline included,
 * and drops others before that.
 */
#define LINE_MAX_COLLECTED 4096

struct line {
	FILE *in, *out, *msg;
	struct history history;
	struct line_edit *edit;  /* NULL: lines are read as they come */
	struct buf prompt, text; /* of the line that was read */
	char *plain;             /* owned; getdelim's */
	size_t plain_cap;
};

/* Tell what keeps lines from being remembered. */
static void
line_warn(const struct line *l, const struct err *err)
{
	struct buf b = { 0 };

	name_show_message(&b, err->text, strlen(err->text));
	fprintf(l->msg, "twindex: %s; lines are not remembered\n", buf_str(&b));
	fflush(l->msg);
	buf_release(&b);
}

struct line *
line_open(FILE *in, FILE *out, FILE *msg, const char *history_path, struct err *err)
{
	struct line *l = mem_zalloc(1, sizeof(*l));
	struct err why = { 0 };
	int width, height;

	/* Without history or editor lines are read all the same. */
	(void)err;
	*l = (struct line){ .in = in, .out = out, .msg = msg };
	if (history_open(&l->history, history_path, &why) < 0)
		line_warn(l, &why);
	line_size(l, &width, &height);
	if (isatty(fileno(in)) == 1 && isatty(fileno(out)) == 1 && line_tty_moves() && line_screen_is_sane(width, height)) {
		/* libedit asks which keys are characters when it begins. */
		locale_want_characters();
		l->edit = line_edit_open(in, out);
	}
	if (l->edit != NULL)
		line_edit_recall(l->edit, l->history.v, l->history.n);
	return l;
}

bool
line_is_edited(const struct line *l)
{
	return l->edit != NULL;
}

void
line_set_completer(struct line *l, line_complete_fn *fn, void *arg)
{
	if (l->edit != NULL)
		line_edit_set_completer(l->edit, fn, arg);
}

/* A signal came while no line was read. */
static int
line_interrupted(struct line *l, struct err *err)
{
	int ret = stop_check(err);

	line_drop_rest(l);
	if (stop_signal() == SIGINT && isatty(fileno(l->in)) == 1)
		fputs("^C\n", l->out);
	fflush(l->out);
	if (stop_signal() == SIGINT)
		stop_clear();
	return ret;
}

/* Wait for a line on a terminal that collects it.  Returns as line_edit_read. */
static int
line_wait(struct line *l)
{
	struct line_input input;
	int got;

	if (line_input_open(&input, fileno(l->in)) < 0)
		return 1;
	line_input_begin(&input);
	fputs(buf_str(&l->prompt), l->out);
	fflush(l->out);
	while ((got = line_input_wait(&input)) > 0 && got != SIGINT && got != SIGTERM && got != SIGHUP && got != SIGQUIT) {
		if (got == SIGTSTP)
			line_input_stop(&input);
		if (got == SIGCONT)
			fputs(buf_str(&l->prompt), l->out);
		fflush(l->out);
	}
	/* The terminal itself has shown ^C. */
	if (got > 0)
		fputc('\n', l->out);
	fflush(l->out);
	if (got > 0 && got != SIGINT)
		raise(got);
	line_input_end(&input);
	line_input_close(&input);
	return got == SIGINT ? LINE_EDIT_INTERRUPTED : got == LINE_INPUT_CHAR;
}

/* Read a line as it comes.  Returns as line_edit_read. */
static int
line_read_plain(struct line *l)
{
	const bool tty = isatty(fileno(l->in)) == 1;
	ssize_t n;

	for (;;) {
		const int ret = tty ? line_wait(l) : 1;

		if (ret != 1)
			return ret;
		errno = 0;
		n = getdelim(&l->plain, &l->plain_cap, '\n', l->in);
		if (!tty || n < LINE_MAX_COLLECTED)
			break;
		/* The terminal dropped the rest; the part that came may mean something else. */
		fprintf(l->out, "the line is refused: this terminal keeps no more than %d bytes\n", LINE_MAX_COLLECTED - 2);
	}
	if (n > 0)
		buf_add(&l->text, l->plain, (size_t)n);
	else if (errno == EINTR)
		clearerr(l->in);
	return n > 0;
}

int
line_read(struct line *l, const char *prompt, const char **text, size_t *len, struct err *err)
{
	int width, height, ret = 0;
	bool edited;

	line_size(l, &width, &height);
	edited = l->edit != NULL && line_screen_is_sane(width, height);
	buf_cut(&l->prompt, 0);
	width_cut(&l->prompt, prompt, width / 2);
	buf_cut(&l->text, 0);
	if (stop_signal() == 0)
		ret = edited ? line_edit_read(l->edit, buf_str(&l->prompt), &l->text) : line_read_plain(l);
	if (ret == LINE_EDIT_INTERRUPTED)
		return err_set(err, ERR_INTERRUPTED, "interrupted by SIGINT");
	if (stop_signal() != 0 && ret == 0)
		return line_interrupted(l, err);
	if (l->text.len > 0 && l->text.data[l->text.len - 1] == '\n')
		buf_cut(&l->text, l->text.len - 1);
	*text = buf_str(&l->text);
	*len = l->text.len;
	return ret;
}

size_t
line_drop_rest(struct line *l)
{
	return l->edit != NULL ? line_edit_drop(l->edit) : 0;
}

void
line_remember(struct line *l, const char *text)
{
	struct err err = { 0 };
	int kept = history_add(&l->history, text, &err);

	/* The array may have moved. */
	if (l->edit != NULL)
		line_edit_recall(l->edit, l->history.v, l->history.n);
	if (kept < 0)
		line_warn(l, &err);
}

void
line_size(const struct line *l, int *width, int *height)
{
	line_tty_size(fileno(l->out), width, height);
}

void
line_close(struct line *l)
{
	if (l == NULL)
		return;
	line_edit_close(l->edit);
	history_release(&l->history);
	buf_release(&l->prompt);
	buf_release(&l->text);
	free(l->plain);
	free(l);
}
