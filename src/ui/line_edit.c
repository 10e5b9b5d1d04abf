/* SPDX-License-Identifier: MIT */
/*
 * What it takes to live with libedit (3.1-20221030 and near):
 *
 *  - A prompt that can't be decoded in the locale ends the process: line.c
 *    makes it harmless.
 *  - With EL_SIGNAL its handlers redraw from within and send signals to the
 *    whole process group; without it nothing is redrawn after a resize or
 *    fg.  We leave it off and handle signals where characters are read.
 *  - It knows no bracketed paste: a pasted newline would run the line, a tab
 *    complete it.  We switch the mode on for each read and bind its key.
 *  - The keys of .editrc come after ours; "bind -v" there throws all of ours
 *    away, so Tab is bound again behind it.
 *  - A line from the history that is longer than the buffer is cut off: the
 *    buffer is made as large as the longest one first.
 *  - Strings given to the narrow EL_ADDFN are never freed: the wide one takes
 *    ours.
 *  - Bytes that the locale can't decode are dropped from what is typed and
 *    refused by el_insertstr: $'..' writes them.
 */
#include <config.h>

#include "ui/line_edit.h"

#include <histedit.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <wchar.h>

#include "base/buf.h"
#include "base/mem.h"
#include "ui/history.h"
#include "ui/line_input.h"
#include "ui/width.h"

/* Pasted characters beyond this many are dropped: nobody edits such a line. */
#define LINE_MAX_PASTE 65536

struct line_edit {
	EditLine *el;
	History *recalled;
	FILE *in, *out;
	struct line_input input;
	struct termios tty;      /* as it was */
	const char *prompt;      /* borrowed for a read */
	int signal;              /* the one that ended a read, or 0 */
	int width;               /* of the terminal when the line was drawn */
	bool pastes;             /* the terminal marks what is pasted */
	line_complete_fn *complete;
	void *complete_arg;
};

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

static struct line_edit *
line_of(EditLine *el)
{
	void *e = NULL;

	el_get(el, EL_CLIENTDATA, &e);
	return e;
}

static char *
line_prompt(EditLine *el)
{
	return (char *)line_of(el)->prompt;
}

static int
line_width(const struct line_edit *e)
{
	int width, height;

	line_terminal_size(e->out, &width, &height);
	return width;
}

/* Columns from the beginning of the prompt to the cursor, and on to the end of the line. */
static void
line_columns(const struct line_edit *e, int *here, int *end)
{
	const LineInfoW *now = el_wline(e->el);
	struct buf before = { 0 }, after = { 0 };

	line_encode(&before, now->buffer, (size_t)(now->cursor - now->buffer));
	line_encode(&after, now->cursor, (size_t)(now->lastchar - now->cursor));
	*here = width_of(e->prompt) + width_of(buf_str(&before));
	*end = *here + width_of(buf_str(&after));
	buf_release(&before);
	buf_release(&after);
}

/* Draw the line anew for the present width, over itself as far as that can be told. */
static void
line_redraw(struct line_edit *e)
{
	const int width = line_width(e);
	int here, end, up;

	if (width == e->width)
		return;
	line_columns(e, &here, &end);
	/* Some terminals wrap lines anew, some don't: rather leave a row of the old line than erase another one. */
	up = here / (width > e->width ? width : e->width);
	if (up > 0)
		fprintf(e->out, "\033[%dA", up);
	fputs("\r\033[J", e->out);
	e->width = width;
	el_resize(e->el);
	el_set(e->el, EL_REFRESH);
}

static void
line_paste_mode(const struct line_edit *e, bool on)
{
	if (e->pastes)
		fputs(on ? "\033[?2004h" : "\033[?2004l", e->out);
	fflush(e->out);
}

/* Ctrl-Z: wait for fg with the terminal as the shell wants it. */
static void
line_stop(struct line_edit *e)
{
	line_paste_mode(e, false);
	el_set(e->el, EL_PREP_TERM, 0);
	line_input_stop(&e->input);
}

static void
line_continue(struct line_edit *e)
{
	el_set(e->el, EL_PREP_TERM, 1);
	line_paste_mode(e, true);
	e->width = line_width(e);
	el_resize(e->el);
	el_set(e->el, EL_REFRESH);
}

/* libedit's way to get a character: 1, 0 at the end, -1. */
static int
line_getc(EditLine *el, wchar_t *c)
{
	struct line_edit *e = line_of(el);

	for (;;) {
		int got = line_input_get(&e->input, c);

		switch (got) {
		case LINE_INPUT_CHAR:
			return 1;
		case LINE_INPUT_END:
			return 0;
		case LINE_INPUT_FAILED:
			return -1;
		case SIGTSTP:
			line_stop(e);
			break;
		case SIGCONT:
			line_continue(e);
			break;
		case SIGWINCH:
			line_redraw(e);
			break;
		default:
			e->signal = got;
			return -1;
		}
	}
}

/* Print the candidates below the line and the line again below them. */
static void
line_list(struct line_edit *e, const struct line_completion *c)
{
	const int width = line_width(e);
	struct buf list = { 0 };
	int here, end;

	/* The cursor may be above the last row of the line. */
	line_columns(e, &here, &end);
	for (int row = here / width; row <= end / width; row++)
		buf_addc(&list, '\n');
	width_columns(&list, c->shown, c->n, width);
	if (c->more)
		buf_adds(&list, "... and more\n");
	fwrite(list.data, 1, list.len, e->out);
	fflush(e->out);
	/* Not CC_REDISPLAY, which would move up by as many rows as the line has, into the list. */
	el_set(e->el, EL_REFRESH);
	buf_release(&list);
}

/* Replace what stands between start (in the encoded text) and the cursor.  Returns false when nothing changed. */
static bool
line_replace(struct line_edit *e, const char *text, size_t start, const char *insert)
{
	wchar_t *wide = line_decode(insert), *old = line_decode(text + start);
	bool changed = wide != NULL && old != NULL && strcmp(text + start, insert) != 0;

	if (changed) {
		if (wcslen(old) > 0)
			el_deletestr(e->el, (int)wcslen(old));
		el_winsertstr(e->el, wide);
	}
	free(wide);
	free(old);
	return changed;
}

/* Tab. */
static unsigned char
line_key_complete(EditLine *el, int key)
{
	struct line_edit *e = line_of(el);
	struct line_completion c = { 0 };
	const LineInfoW *now = el_wline(el);
	struct buf text = { 0 };
	unsigned char ret = CC_REFRESH_BEEP;

	(void)key;
	line_encode(&text, now->buffer, (size_t)(now->cursor - now->buffer));
	if (e->complete != NULL)
		e->complete(e->complete_arg, buf_str(&text), text.len, &c);
	if (c.insert != NULL && c.start <= text.len && line_replace(e, buf_str(&text), c.start, c.insert)) {
		ret = CC_REFRESH;
	} else if (c.n > 0) {
		line_list(e, &c);
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
	/* The terminal makes a newline of each half of \r\n. */
	if ((c == L'\n' || c == L'\r') && (last == L'\n' || last == L'\r'))
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
	if (ret == CC_REFRESH && ((n > 0 && el_winsertstr(el, text) < 0) || n >= LINE_MAX_PASTE))
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
line_bind(struct line_edit *e)
{
	const char *editor = NULL;

	el_wset(e->el, EL_ADDFN, L"complete", L"complete the word before the cursor", line_key_complete);
	el_wset(e->el, EL_ADDFN, L"paste", L"insert what is pasted", line_key_paste);
	for (size_t i = 0; i < sizeof(line_keys) / sizeof(line_keys[0]); i++)
		el_set(e->el, EL_BIND, line_keys[i].key, line_keys[i].function, NULL);
	el_source(e->el, NULL);
	el_set(e->el, EL_BIND, "^I", "complete", NULL);
	/* In vi's insert mode a key that begins with ESC would make ESC itself wait for more. */
	e->pastes = el_get(e->el, EL_EDITOR, &editor) != 0 || editor == NULL || *editor != 'v';
	if (e->pastes)
		el_set(e->el, EL_BIND, "\\e[200~", "paste", NULL);
	else
		el_set(e->el, EL_BIND, "^[", "vi-command-mode", NULL);
}

void
line_edit_recall(struct line_edit *e, char *const *lines, size_t n)
{
	HistEvent ev;

	/* All anew: H_SETUNIQUE drops adjacent repeats only, and who frees what H_DEL returns is written nowhere. */
	history(e->recalled, &ev, H_CLEAR);
	for (size_t i = 0; i < n; i++) {
		if (mbstowcs(NULL, lines[i], 0) != (size_t)-1)
			history(e->recalled, &ev, H_ENTER, lines[i]);
	}
}

/* Make libedit's buffer as long as the longest line that may come from the history. */
static void
line_grow_buffer(struct line_edit *e)
{
	wchar_t *text = mem_zalloc(HISTORY_MAX_LINE + 2, sizeof(*text));

	wmemset(text, L' ', HISTORY_MAX_LINE + 1);
	el_winsertstr(e->el, text);
	el_deletestr(e->el, HISTORY_MAX_LINE + 1);
	free(text);
}

struct line_edit *
line_edit_open(FILE *in, FILE *out, FILE *msg)
{
	struct line_edit *e = mem_zalloc(1, sizeof(*e));
	HistEvent ev;

	*e = (struct line_edit){ .in = in, .out = out, .prompt = "" };
	if (tcgetattr(fileno(in), &e->tty) < 0 || line_input_open(&e->input, fileno(in)) < 0) {
		free(e);
		return NULL;
	}
	e->el = el_init("twindex", in, out, msg);
	if (e->el == NULL) {
		line_input_close(&e->input);
		free(e);
		return NULL;
	}
	e->recalled = history_init();
	history(e->recalled, &ev, H_SETSIZE, HISTORY_MAX);
	el_set(e->el, EL_CLIENTDATA, e);
	el_set(e->el, EL_PROMPT, line_prompt);
	el_set(e->el, EL_EDITOR, "emacs");
	el_set(e->el, EL_HIST, history, e->recalled);
	el_set(e->el, EL_GETCFN, line_getc);
	line_bind(e);
	line_grow_buffer(e);
	return e;
}

void
line_edit_close(struct line_edit *e)
{
	if (e == NULL)
		return;
	el_end(e->el);
	history_end(e->recalled);
	line_input_close(&e->input);
	tcsetattr(fileno(e->in), TCSADRAIN, &e->tty);
	free(e);
}

void
line_edit_set_completer(struct line_edit *e, line_complete_fn *fn, void *arg)
{
	e->complete = fn;
	e->complete_arg = arg;
}

int
line_edit_read(struct line_edit *e, const char *prompt, struct buf *text)
{
	const wchar_t *wide;
	int n = 0;

	e->prompt = prompt;
	e->signal = 0;
	line_input_begin(&e->input);
	el_resize(e->el);
	e->width = line_width(e);
	/* It would do so after the prompt, and what is typed meanwhile be shown twice. */
	el_set(e->el, EL_PREP_TERM, 1);
	line_paste_mode(e, true);
	wide = el_wgets(e->el, &n);
	line_paste_mode(e, false);
	if (wide != NULL && n > 0 && e->signal == 0)
		line_encode(text, wide, (size_t)n);
	else {
		el_reset(e->el);
		fputs(e->signal == SIGINT ? "^C\n" : "\n", e->out);
		fflush(e->out);
	}
	/* Whoever catches the others sees them now. */
	if (e->signal != 0 && e->signal != SIGINT)
		raise(e->signal);
	line_input_end(&e->input);
	return e->signal == SIGINT ? LINE_EDIT_INTERRUPTED : wide != NULL && n > 0 && e->signal == 0;
}
