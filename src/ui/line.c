/* SPDX-License-Identifier: MIT */
/*
 * libedit, and what it takes to live with it (3.1-20221030 and near):
 *
 *  - A prompt that can't be decoded in the locale ends the process: width_cut.
 *  - EL_SIGNAL makes it redraw after a resize and after being stopped.  Its
 *    handlers hand each signal on to ours, and the read returns.
 *  - It knows no bracketed paste: a pasted newline would run the line, a tab
 *    complete it.  We switch the mode on for each read and bind its key.
 *  - The keys of .editrc come after ours; "bind -v" there throws all of ours
 *    away, so Tab is bound again behind it.
 *  - A line from the history that is longer than the buffer is cut off: the
 *    buffer is made as large as the longest one first.
 *  - Bytes that the locale can't decode are dropped from what is typed and
 *    refused by el_insertstr: $'..' writes them.
 */
#include <config.h>

#include "ui/line.h"

#include <errno.h>
#include <histedit.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/name.h"
#include "base/vec.h"
#include "sys/stop.h"
#include "ui/history.h"
#include "ui/width.h"

/* Pasted characters beyond this many are dropped: nobody edits such a line. */
#define LINE_MAX_PASTE 65536

struct line {
	FILE *in, *out, *msg;
	struct history history;
	struct buf prompt;
	char *plain;             /* owned; getdelim's */
	size_t plain_cap;
	/* Edited: */
	EditLine *el;            /* NULL: not edited */
	History *recalled;       /* libedit's view of history */
	struct buf text;         /* the line that was read */
	struct termios tty;      /* as it was */
	bool pastes;             /* the terminal marks what is pasted */
	line_complete_fn *complete;
	void *complete_arg;
};

void
line_completion_release(struct line_completion *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->shown[i]);
	free(c->shown);
	free(c->insert);
	*c = (struct line_completion){ 0 };
}

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

/* Append n characters in the locale's encoding; those that it lacks are dropped. */
static void
line_encode(struct buf *b, const wchar_t *text, size_t n)
{
	mbstate_t state = { 0 };
	char bytes[MB_LEN_MAX];

	for (size_t i = 0; i < n; i++) {
		size_t len = wcrtomb(bytes, text[i], &state);

		if (len != (size_t)-1)
			buf_add(b, bytes, len);
		else
			state = (mbstate_t){ 0 };
	}
}

/* The wide form of text, owned, or NULL when the locale can't decode it. */
static wchar_t *
line_decode(const char *text)
{
	size_t n = mbstowcs(NULL, text, 0);
	wchar_t *wide;

	if (n == (size_t)-1)
		return NULL;
	wide = mem_zalloc(n + 1, sizeof(*wide));
	mbstowcs(wide, text, n + 1);
	return wide;
}

static struct line *
line_of(EditLine *el)
{
	void *l = NULL;

	el_get(el, EL_CLIENTDATA, &l);
	return l;
}

static char *
line_prompt(EditLine *el)
{
	return (char *)buf_str(&line_of(el)->prompt);
}

/* Print the candidates below the line and the line again below them. */
static void
line_list(struct line *l, const LineInfoW *now, const struct line_completion *c)
{
	struct buf before = { 0 }, after = { 0 }, list = { 0 };
	int width, height, here, end;

	line_size(l, &width, &height);
	line_encode(&before, now->buffer, (size_t)(now->cursor - now->buffer));
	line_encode(&after, now->cursor, (size_t)(now->lastchar - now->cursor));
	/* The cursor may be above the last row of the line. */
	here = width_of(buf_str(&l->prompt)) + width_of(buf_str(&before));
	end = here + width_of(buf_str(&after));
	for (int row = here / width; row <= end / width; row++)
		buf_addc(&list, '\n');
	width_columns(&list, c->shown, c->n, width);
	if (c->more)
		buf_adds(&list, "... and more\n");
	fwrite(list.data, 1, list.len, l->out);
	fflush(l->out);
	/* Not CC_REDISPLAY, which would move up by as many rows as the line has, into the list. */
	el_set(l->el, EL_REFRESH);
	buf_release(&before);
	buf_release(&after);
	buf_release(&list);
}

/* Replace what stands between start (in the encoded text) and the cursor.  Returns false when nothing changed. */
static bool
line_replace(struct line *l, const char *text, size_t start, const char *insert)
{
	wchar_t *wide = line_decode(insert), *old = line_decode(text + start);
	bool changed = wide != NULL && old != NULL && strcmp(text + start, insert) != 0;

	if (changed) {
		if (wcslen(old) > 0)
			el_deletestr(l->el, (int)wcslen(old));
		el_winsertstr(l->el, wide);
	}
	free(wide);
	free(old);
	return changed;
}

/* Tab. */
static unsigned char
line_key_complete(EditLine *el, int key)
{
	struct line *l = line_of(el);
	struct line_completion c = { 0 };
	const LineInfoW *now = el_wline(el);
	struct buf text = { 0 };
	unsigned char ret = CC_REFRESH_BEEP;

	(void)key;
	line_encode(&text, now->buffer, (size_t)(now->cursor - now->buffer));
	if (l->complete != NULL)
		l->complete(l->complete_arg, buf_str(&text), text.len, &c);
	if (c.insert != NULL && c.start <= text.len && line_replace(l, buf_str(&text), c.start, c.insert)) {
		ret = CC_REFRESH;
	} else if (c.n > 0) {
		line_list(l, now, &c);
		ret = CC_NORM;
	}
	line_completion_release(&c);
	buf_release(&text);
	return ret;
}

/* Append a pasted character: what would run or complete the line is a blank, other controls are nothing. */
static void
line_paste_add(wchar_t *text, size_t *n, wchar_t c, wchar_t last)
{
	if (c == L'\n' && last == L'\r')
		return;
	if (c == L'\n' || c == L'\r' || c == L'\t')
		c = L' ';
	if (c < 0x20 || c == 0x7f || *n >= LINE_MAX_PASTE)
		return;
	text[(*n)++] = c;
}

/* The terminal says that what follows is pasted, up to ESC [ 201 ~. */
static unsigned char
line_key_paste(EditLine *el, int key)
{
	static const wchar_t end[] = L"\033[201~";
	wchar_t *text = mem_zalloc(LINE_MAX_PASTE + 1, sizeof(*text)), c, last = 0;
	size_t n = 0, matched = 0;
	unsigned char ret = CC_REFRESH;

	(void)key;
	while (end[matched] != L'\0') {
		if (el_wgetc(el, &c) != 1) {
			ret = CC_EOF;
			break;
		}
		if (c == end[matched]) {
			matched++;
			continue;
		}
		/* It was not the end: its first character is dropped, the others count. */
		for (size_t i = 1; i < matched; i++)
			line_paste_add(text, &n, end[i], 0);
		matched = c == end[0];
		if (matched == 0)
			line_paste_add(text, &n, c, last);
		last = c;
	}
	/* The newline that ends what was copied runs nothing and separates nothing. */
	while (n > 0 && text[n - 1] == L' ' && (last == L'\n' || last == L'\r'))
		n--;
	text[n] = L'\0';
	if (ret == CC_REFRESH && n > 0 && el_winsertstr(el, text) < 0)
		ret = CC_REFRESH_BEEP;
	free(text);
	return ret;
}

/* Keys that terminals send and libedit leaves unbound. */
static const struct {
	const char *key, *function;
} line_keys[] = {
	{ "\\e[1~", "ed-move-to-beg" }, { "\\e[7~", "ed-move-to-beg" }, { "\\e[H", "ed-move-to-beg" },
	{ "\\eOH", "ed-move-to-beg" }, { "\\e[4~", "ed-move-to-end" }, { "\\e[8~", "ed-move-to-end" },
	{ "\\e[F", "ed-move-to-end" }, { "\\eOF", "ed-move-to-end" }, { "\\e[3~", "ed-delete-next-char" },
	{ "\\e[1;5C", "em-next-word" }, { "\\e[1;5D", "ed-prev-word" }, { "\\e[1;3C", "em-next-word" },
	{ "\\e[1;3D", "ed-prev-word" }, { "\\e[5~", "ed-search-prev-history" }, { "\\e[6~", "ed-search-next-history" },
	{ "^R", "em-inc-search-prev" }, { "^W", "ed-delete-prev-word" },
};

static void
line_bind(struct line *l)
{
	const char *editor = NULL;

	el_set(l->el, EL_ADDFN, "complete", "complete the word before the cursor", line_key_complete);
	el_set(l->el, EL_ADDFN, "paste", "insert what is pasted", line_key_paste);
	for (size_t i = 0; i < sizeof(line_keys) / sizeof(line_keys[0]); i++)
		el_set(l->el, EL_BIND, line_keys[i].key, line_keys[i].function, NULL);
	el_source(l->el, NULL);
	el_set(l->el, EL_BIND, "^I", "complete", NULL);
	/* In vi's insert mode a key that begins with ESC would make ESC itself wait for more. */
	l->pastes = el_get(l->el, EL_EDITOR, &editor) != 0 || editor == NULL || *editor != 'v';
	if (l->pastes)
		el_set(l->el, EL_BIND, "\\e[200~", "paste", NULL);
	else
		el_set(l->el, EL_BIND, "^[", "vi-command-mode", NULL);
}

/* Let the up arrow find the line. */
static void
line_recall(struct line *l, const char *text)
{
	HistEvent ev;
	int rc;

	if (mbstowcs(NULL, text, 0) == (size_t)-1)
		return;
	/* Its own H_SETUNIQUE looks at the last line only. */
	for (rc = history(l->recalled, &ev, H_FIRST); rc == 0; rc = history(l->recalled, &ev, H_NEXT)) {
		if (strcmp(ev.str, text) == 0) {
			history(l->recalled, &ev, H_DEL, ev.num);
			break;
		}
	}
	history(l->recalled, &ev, H_ENTER, text);
}

/* Make libedit's buffer as long as the longest line that may come from the history. */
static void
line_grow_buffer(struct line *l)
{
	wchar_t *text = mem_zalloc(HISTORY_MAX_LINE + 2, sizeof(*text));

	wmemset(text, L' ', HISTORY_MAX_LINE + 1);
	el_winsertstr(l->el, text);
	el_deletestr(l->el, HISTORY_MAX_LINE + 1);
	free(text);
}

static void
line_open_editor(struct line *l)
{
	HistEvent ev;

	if (tcgetattr(fileno(l->in), &l->tty) < 0)
		return;
	l->el = el_init("twindex", l->in, l->out, l->msg);
	if (l->el == NULL)
		return;
	l->recalled = history_init();
	history(l->recalled, &ev, H_SETSIZE, HISTORY_MAX);
	for (size_t i = 0; i < l->history.n; i++) {
		/* They differ already: no search for an equal one. */
		if (mbstowcs(NULL, l->history.v[i], 0) != (size_t)-1)
			history(l->recalled, &ev, H_ENTER, l->history.v[i]);
	}
	el_set(l->el, EL_CLIENTDATA, l);
	el_set(l->el, EL_PROMPT, line_prompt);
	el_set(l->el, EL_SIGNAL, 1);
	el_set(l->el, EL_EDITOR, "emacs");
	el_set(l->el, EL_HIST, history, l->recalled);
	line_bind(l);
	line_grow_buffer(l);
}

struct line *
line_open(FILE *in, FILE *out, FILE *msg, const char *history_path, struct err *err)
{
	const char *term = getenv("TERM");
	struct line *l = mem_zalloc(1, sizeof(*l));
	struct err why = { 0 };

	(void)err;
	*l = (struct line){ .in = in, .out = out, .msg = msg };
	if (history_open(&l->history, history_path, &why) < 0)
		line_warn(l, &why);
	if (isatty(fileno(in)) == 1 && isatty(fileno(out)) == 1 && term != NULL && *term != '\0' &&
	    strcmp(term, "dumb") != 0)
		line_open_editor(l);
	return l;
}

bool
line_is_edited(const struct line *l)
{
	return l->el != NULL;
}

void
line_set_completer(struct line *l, line_complete_fn *fn, void *arg)
{
	l->complete = fn;
	l->complete_arg = arg;
}

/* A signal came: the line is dropped. */
static int
line_interrupted(struct line *l, struct err *err)
{
	int ret = stop_check(err);

	if (l->el != NULL)
		el_reset(l->el);
	/* Where libedit does not, the terminal itself has shown ^C. */
	if (isatty(fileno(l->in)) == 1)
		fputs(stop_signal() == SIGINT && l->el != NULL ? "^C\n" : "\n", l->out);
	fflush(l->out);
	if (stop_signal() == SIGINT)
		stop_clear();
	return ret;
}

/* Returns 1 with the line in l->text, or 0. */
static int
line_edit(struct line *l)
{
	const wchar_t *wide;
	int n = 0;

	/* libedit shows the prompt and only then takes the terminal over: a Ctrl-D or Ctrl-C between them would be lost. */
	el_set(l->el, EL_PREP_TERM, 1);
	if (l->pastes)
		fputs("\033[?2004h", l->out);
	fflush(l->out);
	wide = el_wgets(l->el, &n);
	if (l->pastes)
		fputs("\033[?2004l", l->out);
	buf_cut(&l->text, 0);
	if (wide == NULL || n <= 0) {
		if (stop_signal() == 0)
			fputc('\n', l->out);
		fflush(l->out);
		return 0;
	}
	fflush(l->out);
	line_encode(&l->text, wide, (size_t)n);
	return 1;
}

/* The same where nothing can be edited. */
static int
line_read_plain(struct line *l, const char *prompt)
{
	ssize_t n;

	if (isatty(fileno(l->in)) == 1) {
		fputs(prompt, l->out);
		fflush(l->out);
	}
	errno = 0;
	n = getdelim(&l->plain, &l->plain_cap, '\n', l->in);
	buf_cut(&l->text, 0);
	if (n > 0)
		buf_add(&l->text, l->plain, (size_t)n);
	else if (errno == EINTR)
		clearerr(l->in);
	return n > 0;
}

int
line_read(struct line *l, const char *prompt, const char **text, size_t *len, struct err *err)
{
	int width, height, ret;

	line_size(l, &width, &height);
	buf_cut(&l->prompt, 0);
	width_cut(&l->prompt, prompt, width / 2);
	ret = stop_signal() != 0 ? 0 : l->el != NULL ? line_edit(l) : line_read_plain(l, buf_str(&l->prompt));
	if (stop_signal() != 0)
		return line_interrupted(l, err);
	if (l->text.len > 0 && l->text.data[l->text.len - 1] == '\n')
		buf_cut(&l->text, l->text.len - 1);
	*text = buf_str(&l->text);
	*len = l->text.len;
	return ret;
}

void
line_remember(struct line *l, const char *text)
{
	struct err err = { 0 };
	int kept = history_add(&l->history, text, &err);

	if (kept != 0 && l->el != NULL)
		line_recall(l, text);
	if (kept < 0)
		line_warn(l, &err);
}

void
line_size(const struct line *l, int *width, int *height)
{
	struct winsize ws = { 0 };

	if (ioctl(fileno(l->out), TIOCGWINSZ, &ws) < 0)
		ws.ws_col = ws.ws_row = 0;
	*width = ws.ws_col > 0 ? ws.ws_col : 80;
	*height = ws.ws_row > 0 ? ws.ws_row : 24;
}

void
line_close(struct line *l)
{
	if (l == NULL)
		return;
	if (l->el != NULL) {
		el_end(l->el);
		history_end(l->recalled);
		tcsetattr(fileno(l->in), TCSADRAIN, &l->tty);
	}
	history_release(&l->history);
	buf_release(&l->prompt);
	buf_release(&l->text);
	free(l->plain);
	free(l);
}
