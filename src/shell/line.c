/* SPDX-License-Identifier: MIT */
/*
 * Three ways to get a line: edited on a terminal, collected by a terminal that cannot be drawn
 * on (TERM is dumb), read from a file or pipe.  A signal drops the line: SIGINT is told to the
 * caller and forgotten, others stay in sys/stop.
 *
 * libedit edits the line.  It calls functions of this file for the keys that it serves badly or
 * unsafely (line_bind): history, search, completion, pastes, quoted bytes.
 *
 *  - No byte is lost: typed or pasted text is in the line, or is refused with
 *    a word.  A line with a part refused does not run.
 *  - A paste may hold newlines.  Nothing runs before Enter; then the lines are
 *    returned one by one, as if they had been typed.
 *  - A line of the history that is changed and left keeps its change until the line is run.
 */
#include "base/base.h"

#include "shell/line.h"

#include <signal.h>
#include <unistd.h>

#include "sys/locale.h"
#include "sys/stop.h"
#include "shell/history.h"
#include "shell/line_bind.h"
#include "shell/line_chars.h"
#include "shell/line_screen.h"
#include "ui/width.h"

/* Longest search text in characters: each one typed searches the history anew. */
#define LINE_MAX_SEARCH 64
/* Of a search: the text may stand anywhere in a line. */
#define LINE_ANYWHERE SIZE_MAX
/*
 * A terminal that collects lines gives at most this many bytes of one, the newline included,
 * and drops others before that.
 */
#define LINE_MAX_COLLECTED 4096

struct line {
	struct line_screen screen;  /* the first: libedit hands out its address */
	FILE *in, *out, *msg;
	struct history history;
	bool edited;                /* false: lines are read as they come, and there is no screen */
	struct buf prompt, text;    /* of the line that was read */
	struct buf rest;            /* lines that came with the last one, and wait to be read */
	size_t shown;               /* the history line that is shown; history.n: a new one */
	wchar_t **texts;            /* owned, history.n + 1: lines as last shown; NULL: not read */
	line_complete_fn *complete;
	void *complete_arg;
	char *plain;                /* owned; getdelim's */
	size_t plain_cap;
};

/* What reading a line returns beside 1 and 0. */
enum { LINE_INTERRUPTED = -1 };

void
line_completion_release(struct line_completion *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->shown[i]);
	free(c->shown);
	free(c->insert);
	*c = (struct line_completion){ 0 };
}

static struct line *
line_of(EditLine *el)
{
	return (struct line *)line_screen_of(el);
}

/* A line of the history as it was left; history.n: the line typed before.  Borrowed. */
static const wchar_t *
line_text(const struct line *l, size_t line)
{
	const char *text = line < l->history.n ? l->history.v[line] : "";

	if (l->texts[line] == NULL)
		l->texts[line] = line_chars_decode(text, strlen(text), &(size_t){ 0 });
	return l->texts[line];
}

/*
 * Put another line of the history in place of the text; history.n: the line typed before.  The
 * cursor goes to at, if it can.
 */
static void
line_show_line(struct line *l, size_t line, size_t at)
{
	const LineInfoW *now = el_wline(l->screen.el);
	/* What lacks a part is not kept. */
	const size_t n = l->screen.refused ? 0 : (size_t)(now->lastchar - now->buffer);

	assert(line <= l->history.n && l->shown <= l->history.n);
	if (line == l->shown) {
		el_cursor(l->screen.el, (int)at - el_cursor(l->screen.el, 0));
		return;
	}
	free(l->texts[l->shown]);
	l->texts[l->shown] = wmemcpy(mem_zalloc(n + 1, sizeof(wchar_t)), now->buffer, n);
	l->screen.refused = false;
	l->shown = line;
	line_screen_set(&l->screen, line_text(l, line), at);
}

/*
 * Find the next line of the history from one on, in steps of -1 or 1, that has room and begins
 * with n characters, or holds the string chars: n is LINE_ANYWHERE.  Returns its number, with *at
 * of the first match, or SIZE_MAX: there are no more.
 */
static size_t
line_find(const struct line *l, size_t from, int step, const wchar_t *chars, size_t n, size_t *at)
{
	for (size_t i = from; step < 0 ? i > 0 : i < l->history.n;) {
		const wchar_t *text, *found;

		i = step < 0 ? i - 1 : i + 1;
		text = line_text(l, i);
		if (n == LINE_ANYWHERE)
			found = wcsstr(text, chars);
		else
			found = i == l->history.n || wcsncmp(text, chars, n) == 0 ? text : NULL;
		if (found != NULL && line_screen_fits(&l->screen, text, wcslen(text))) {
			*at = (size_t)(found - text);
			return i;
		}
	}
	return SIZE_MAX;
}

/* Go to the next line of the history; same: that begins with the text before the cursor. */
static unsigned char
line_go(EditLine *el, int step, bool same)
{
	struct line *l = line_of(el);
	const size_t n = same ? (size_t)el_cursor(el, 0) : 0;
	size_t at, line = line_find(l, l->shown, step, el_wline(el)->buffer, n, &at);

	if (line == SIZE_MAX)
		return CC_ERROR;
	line_show_line(l, line, same ? n : SIZE_MAX);
	return CC_REFRESH;
}

static unsigned char
line_older(EditLine *el, wint_t key)
{
	(void)key;
	return line_go(el, -1, false);
}

static unsigned char
line_newer(EditLine *el, wint_t key)
{
	(void)key;
	return line_go(el, 1, false);
}

static unsigned char
line_older_same(EditLine *el, wint_t key)
{
	(void)key;
	return line_go(el, -1, true);
}

static unsigned char
line_newer_same(EditLine *el, wint_t key)
{
	(void)key;
	return line_go(el, 1, true);
}

/* Take a key again. */
static void
line_again(EditLine *el, wchar_t key)
{
	if (key != L'\0')
		el_wpush(el, (const wchar_t[]){ key, L'\0' });
}

/* Whether it is the code of a key, which line_chars never makes of bytes. */
static bool
line_is_key(wchar_t c)
{
	return c >= 0x80 && c < 0xa0;
}

/* Draw what a search has found, behind a prompt with its pattern. */
static void
line_search_draw(struct line *l, const wchar_t *pattern, size_t n, size_t found, size_t at)
{
	struct buf text = { 0 }, prompt = { 0 };

	line_chars_encode(&text, pattern, n);
	buf_adds(&prompt, found != SIZE_MAX ? "search " : "not found ");
	width_cut(&prompt, buf_str(&text), l->screen.width / 3);
	buf_adds(&prompt, ": ");
	line_screen_set_prompt(&l->screen, buf_str(&prompt));
	if (found != SIZE_MAX)
		line_show_line(l, found, at);
	line_screen_draw(&l->screen);
	buf_release(&text);
	buf_release(&prompt);
}

/*
 * Ctrl-R: search the history for what is typed.  Keys that mean something else end that and
 * then do it.
 */
static unsigned char
line_search(EditLine *el, wint_t first)
{
	struct line *l = line_of(el);
	const size_t line = l->shown, at = (size_t)el_cursor(el, 0);
	wchar_t pattern[LINE_MAX_SEARCH + 1] = L"", key = L'\0';
	size_t n = 0, found = line, found_at = at;

	(void)first;
	line_screen_erase(&l->screen);
	for (;;) {
		size_t from = l->shown;

		line_search_draw(l, pattern, n, found, found_at);
		if (el_wgetc(el, &key) != 1)
			key = L'\0';
		line_screen_erase(&l->screen);
		if (key == KEY_DEL || key == KEY_CTRL_H) {
			pattern[n > 0 ? --n : 0] = L'\0';
			from = l->history.n;
		} else if (key != KEY_CTRL_R) {
			if (key < 0x20 || line_is_key(key))
				break;
			if (n < LINE_MAX_SEARCH)
				pattern[n++] = key;
			else
				fputc('\a', l->screen.out);
			/* The line that is shown may go on to match. */
			from += from < l->history.n;
		}
		found = line_find(l, from, -1, pattern, LINE_ANYWHERE, &found_at);
	}
	if (key == KEY_CTRL_G)
		line_show_line(l, line, at);
	else
		line_again(el, key);
	line_screen_set_prompt(&l->screen, buf_str(&l->prompt));
	line_screen_draw(&l->screen);
	return l->screen.signal != 0 ? CC_EOF : CC_NORM;
}

/*
 * Whether to show a list: one of more than a screenful only after y.  A key that is no answer is
 * taken as typed.
 */
static bool
line_lists(struct line *l, const struct line_completion *c, const char *list)
{
	struct buf question = { 0 };
	char x[NUM_SHOW_MAX];
	wchar_t key = L'n';
	int rows = 0;

	for (; (list = strchr(list, '\n')) != NULL; list++)
		rows++;
	if (rows < l->screen.height)
		return true;
	buf_addf(&question, "display %s %s? (y/n)\n", c->more ? "the first" : "all", num_show_count((int64_t)c->n, x));
	line_screen_tell(&l->screen, buf_str(&question));
	buf_release(&question);
	if (el_wgetc(l->screen.el, &key) == 1 && key != L'y' && key != L'n')
		line_again(l->screen.el, key);
	return key == L'y';
}

/*
 * Replace the n characters before the cursor, from the line's beginning, by the same with the
 * completion.
 */
static unsigned char
line_insert(struct line *l, const struct line_completion *c, struct buf *before, size_t n)
{
	const LineInfoW *line = el_wline(l->screen.el);
	/* The blank that stands there already ends the word. */
	const bool blank = c->ended && line->cursor < line->lastchar && *line->cursor == L' ';
	wchar_t *chars;

	buf_cut(before, c->start);
	buf_add(before, c->insert, strlen(c->insert) - blank);
	el_deletestr(l->screen.el, (int)n);
	chars = line_chars_decode(buf_str(before), before->len, &n);
	el_winsertstr(l->screen.el, chars);
	if (line_screen_keep(&l->screen))
		el_cursor(l->screen.el, blank);
	free(chars);
	return CC_REFRESH;
}

/* Tab. */
static unsigned char
line_complete(EditLine *el, wint_t key)
{
	struct line *l = line_of(el);
	const LineInfoW *line = el_wline(el);
	const wchar_t *begin = line->cursor;
	struct buf before = { 0 }, list = { 0 };
	struct line_completion c = { 0 };
	unsigned char ret = CC_NORM;

	(void)key;
	/* Of lines that were pasted together it is the one with the cursor. */
	while (begin > line->buffer && !line_chars_is_newline(begin[-1]))
		begin--;
	line_chars_encode(&before, begin, (size_t)(line->cursor - begin));
	l->complete(l->complete_arg, buf_str(&before), before.len, &c);
	if (c.insert != NULL && c.start <= before.len && strcmp(buf_str(&before) + c.start, c.insert) != 0)
		ret = line_insert(l, &c, &before, (size_t)(line->cursor - begin));
	else if (c.n > 0) {
		width_columns(&list, c.shown, c.n, l->screen.width);
		if (c.more)
			buf_adds(&list, "... and more\n");
		if (line_lists(l, &c, buf_str(&list)))
			line_screen_tell(&l->screen, buf_str(&list));
		buf_release(&list);
	} else
		ret = CC_ERROR;
	line_completion_release(&c);
	buf_release(&before);
	return l->screen.signal != 0 ? CC_EOF : ret;
}

/*
 * Insert all of the paste that line_screen_collect_paste() took, or nothing: each line in a row if
 * there are rows for all.
 */
static unsigned char
line_paste(EditLine *el, wint_t key)
{
	struct line *l = line_of(el);
	struct buf *paste = &l->screen.paste;
	bool kept = paste->len == 0;
	char why[128];

	(void)key;
	for (int rows = 1; rows >= 0 && !kept; rows--) {
		size_t n;
		wchar_t *chars = line_chars_decode(buf_str(paste), paste->len, &n);

		if (rows == 1)
			line_chars_break(chars);
		kept = line_screen_fits(&l->screen, chars, n) && el_winsertstr(el, chars) == 0 && line_screen_keep(&l->screen);
		free(chars);
	}
	buf_cut(paste, 0);
	if (kept)
		return CC_REFRESH;
	snprintf(why, sizeof(why), "the paste of %zu bytes is refused: a line has at most %d cells\n", l->screen.paste_len, l->screen.limit);
	line_screen_tell(&l->screen, why);
	l->screen.refused = true;
	return CC_NORM;
}

/* Ctrl-V: insert the next character, whatever it is.  Keys of several bytes do what they do. */
static unsigned char
line_quote(EditLine *el, wint_t key)
{
	struct line *l = line_of(el);
	wchar_t c[2] = L"";
	int got;

	(void)key;
	l->screen.quotes = true;
	got = el_wgetc(el, c);
	l->screen.quotes = false;
	if (line_is_key(c[0]))
		line_again(el, c[0]);
	else
		el_winsertstr(el, c);
	return got == 1 ? CC_REFRESH : CC_EOF;
}

static const struct {
	const wchar_t *name;
	unsigned char (*run)(EditLine *el, wint_t key);
} line_functions[] = {
	{ L"line-older", line_older },
	{ L"line-newer", line_newer },
	{ L"line-older-same", line_older_same },
	{ L"line-newer-same", line_newer_same },
	{ L"line-search", line_search },
	{ L"line-complete", line_complete },
	{ L"line-paste", line_paste },
	{ L"line-quote", line_quote },
};

/*
 * Move the first of the lines that wait to text.  Empty ones run nothing.  Returns whether there
 * is one.
 */
static bool
line_next_line(struct line *l, struct buf *text)
{
	size_t skip = 0, len;

	while (skip < l->rest.len && l->rest.data[skip] == '\n')
		skip++;
	/* A NUL byte does not end a line. */
	for (len = 0; skip + len < l->rest.len && l->rest.data[skip + len] != '\n';)
		len++;
	if (l->rest.len > 0) {
		buf_add(text, l->rest.data + skip, len);
		memmove(l->rest.data, l->rest.data + skip + len, l->rest.len - skip - len);
		buf_cut(&l->rest, l->rest.len - skip - len);
	}
	return len > 0;
}

/*
 * Edit a line, or show the next one of those that came at once.  Returns 1 with the line
 * appended to l->text, 0 at the end of input, LINE_INTERRUPTED after Ctrl-C.  Other signals are
 * raised again before it returns 0.
 */
static int
line_edit(struct line *l)
{
	int ret;

	if (line_next_line(l, &l->text)) {
		line_screen_show(&l->screen, buf_str(&l->prompt), buf_str(&l->text), l->text.len);
		return 1;
	}
	l->shown = l->history.n;
	l->texts = mem_zalloc(l->history.n + 1, sizeof(*l->texts));
	ret = line_screen_read(&l->screen, buf_str(&l->prompt), &l->rest);
	for (size_t i = 0; i <= l->history.n; i++)
		free(l->texts[i]);
	free(l->texts);
	if (ret == 1)
		line_next_line(l, &l->text);
	return l->screen.signal == SIGINT ? LINE_INTERRUPTED : ret;
}

/* Wait for a line on a terminal that collects it.  Returns as line_edit. */
static int
line_wait(struct line *l)
{
	struct line_tty tty;
	int got;

	if (line_tty_open(&tty, fileno(l->in), fileno(l->out)) < 0)
		return 1;
	line_tty_begin(&tty);
	fputs(buf_str(&l->prompt), l->out);
	fflush(l->out);
	while ((got = line_tty_wait(&tty)) > 0 && got != SIGINT && got != SIGTERM && got != SIGHUP && got != SIGQUIT) {
		if (got == SIGTSTP)
			line_tty_stop(&tty);
		if (got == SIGTSTP || got == SIGCONT)
			fputs(buf_str(&l->prompt), l->out);
		fflush(l->out);
	}
	/* The terminal itself has shown ^C. */
	if (got > 0)
		fputc('\n', l->out);
	fflush(l->out);
	if (got > 0 && got != SIGINT)
		raise(got);
	line_tty_end(&tty);
	line_tty_close(&tty);
	return got == SIGINT ? LINE_INTERRUPTED : got == LINE_TTY_CHAR;
}

/* Read a line as it comes.  Returns as line_edit. */
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
		/* The terminal dropped the rest: the beginning alone may mean something else. */
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
	edited = l->edited && line_screen_is_sane(width, height);
	buf_cut(&l->prompt, 0);
	width_cut(&l->prompt, prompt, width / 2);
	buf_cut(&l->text, 0);
	if (stop_signal() == 0)
		ret = edited ? line_edit(l) : line_read_plain(l);
	if (ret == LINE_INTERRUPTED)
		return err_set(err, ERR_INTERRUPTED, "interrupted by SIGINT");
	/* A signal came while no line was read. */
	if (stop_signal() != 0 && ret == 0) {
		ret = stop_check(err);
		line_drop_rest(l);
		if (stop_signal() == SIGINT && isatty(fileno(l->in)) == 1)
			fputs("^C\n", l->out);
		fflush(l->out);
		if (stop_signal() == SIGINT)
			stop_clear();
		return ret;
	}
	if (l->text.len > 0 && l->text.data[l->text.len - 1] == '\n')
		buf_cut(&l->text, l->text.len - 1);
	*text = buf_str(&l->text);
	*len = l->text.len;
	return ret;
}

size_t
line_drop_rest(struct line *l)
{
	struct buf dropped = { 0 };
	size_t n = 0;

	while (line_next_line(l, &dropped))
		n++;
	buf_release(&dropped);
	return n;
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

void
line_remember(struct line *l, const char *text)
{
	struct err err = { 0 };

	if (history_add(&l->history, text, &err) < 0)
		line_warn(l, &err);
}

void
line_size(const struct line *l, int *width, int *height)
{
	line_tty_size(fileno(l->out), width, height);
}

struct line *
line_open(FILE *in, FILE *out, FILE *msg, const char *history_path, line_complete_fn *fn, void *arg)
{
	struct line *l = mem_zalloc(1, sizeof(*l));
	struct err why = { 0 };
	int width, height;

	/* Without history or editor lines are read all the same. */
	*l = (struct line){ .in = in, .out = out, .msg = msg, .complete = fn, .complete_arg = arg };
	if (history_open(&l->history, history_path, &why) < 0)
		line_warn(l, &why);
	line_size(l, &width, &height);
	if (isatty(fileno(in)) != 1 || isatty(fileno(out)) != 1 || !line_tty_moves() || !line_screen_is_sane(width, height))
		return l;
	/* libedit asks which keys are characters when it begins. */
	locale_want_characters();
	l->edited = line_screen_open(&l->screen, in, out) == 0;
	if (!l->edited)
		return l;
	for (size_t i = 0; i < sizeof(line_functions) / sizeof(line_functions[0]); i++)
		el_wset(l->screen.el, EL_ADDFN, line_functions[i].name, L"", line_functions[i].run);
	line_bind_keys(l->screen.el, false);
	line_bind_file(l->screen.el);
	return l;
}

bool
line_is_edited(const struct line *l)
{
	return l->edited;
}

void
line_close(struct line *l)
{
	if (l == NULL)
		return;
	if (l->edited)
		line_screen_close(&l->screen);
	history_release(&l->history);
	buf_release(&l->prompt);
	buf_release(&l->text);
	buf_release(&l->rest);
	free(l->plain);
	free(l);
}
