/* SPDX-License-Identifier: MIT */
/*
 * libedit edits the line; what it does not know, or not safely, are functions here that it calls
 * for keys (line_bind): history, search, completion, pastes, and bytes as they are.
 *
 *  - No byte is lost: what is typed or pasted is in the line, or is refused with
 *    a word.  A line with a part refused does not run.
 *  - A paste may hold newlines.  Nothing runs before Enter; then the lines are
 *    returned one by one, as if they had been typed.
 *  - A line of the history that is changed and left keeps its change until the line is run.
 */
#include "base/base.h"

#include "shell/line_edit.h"

#include <signal.h>

#include "shell/line_bind.h"
#include "shell/line_chars.h"
#include "shell/line_screen.h"
#include "ui/width.h"

/* Longest search text in characters: each one typed searches the history anew. */
#define LINE_MAX_SEARCH 64

struct line_edit {
	struct line_screen screen;  /* the first: libedit hands out its address */
	struct buf rest;            /* lines that came with the last one, and wait to be read */
	const char *prompt;         /* borrowed for a read */
	char *const *lines;         /* the history; borrowed */
	size_t n_lines, line;       /* the line shown; n_lines: what is typed anew */
	wchar_t **changed;          /* owned, n_lines + 1: what a line was when left, or NULL */
	line_complete_fn *complete;
	void *complete_arg;
};

static struct line_edit *
line_edit_of(EditLine *el)
{
	return (struct line_edit *)line_screen_of(el);
}

/* Forget all changes: the new line is shown. */
static void
line_edit_forget(struct line_edit *e)
{
	for (size_t i = 0; e->changed != NULL && i <= e->n_lines; i++)
		free(e->changed[i]);
	free(e->changed);
	e->changed = NULL;
}

/* An owned copy of n characters. */
static wchar_t *
line_edit_copy(const wchar_t *chars, size_t n)
{
	return wmemcpy(mem_zalloc(n + 1, sizeof(*chars)), chars, n);
}

/* A line of the history, as it was changed; n_lines: what was typed before.  Owned. */
static wchar_t *
line_edit_text(const struct line_edit *e, size_t line)
{
	const char *text = line < e->n_lines ? e->lines[line] : "";
	size_t n;

	if (e->changed[line] != NULL)
		return line_edit_copy(e->changed[line], wcslen(e->changed[line]));
	return line_chars_decode(text, strlen(text), &n);
}

/*
 * Put another line of the history in place of the text; n_lines: what was typed before.  The
 * cursor goes to at, if it can.
 */
static void
line_edit_show_line(struct line_edit *e, size_t line, size_t at)
{
	const LineInfoW *now = el_wline(e->screen.el);
	wchar_t *text = line_edit_text(e, line);

	assert(line <= e->n_lines && e->line <= e->n_lines);
	if (line != e->line) {
		free(e->changed[e->line]);
		/* What lacks a part is not kept. */
		e->changed[e->line] = line_edit_copy(now->buffer, e->screen.refused ? 0 : (size_t)(now->lastchar - now->buffer));
		e->screen.refused = false;
		e->line = line;
		line_screen_set(&e->screen, text, at);
	} else
		el_cursor(e->screen.el, (int)at - el_cursor(e->screen.el, 0));
	free(text);
}

/*
 * Find the next line of the history from one on, in steps of -1 or 1, that has room and holds
 * chars: anywhere, or at its beginning.  Returns its number, with *at of the first match, or
 * SIZE_MAX: there are no more.
 */
static size_t
line_edit_find(const struct line_edit *e, size_t from, int step, const wchar_t *chars, bool anywhere, size_t *at)
{
	for (size_t i = from; step < 0 ? i > 0 : i < e->n_lines;) {
		wchar_t *text, *found;
		bool fits;

		i = step < 0 ? i - 1 : i + 1;
		text = line_edit_text(e, i);
		fits = line_screen_fits(&e->screen, text, wcslen(text));
		found = anywhere ? wcsstr(text, chars) : i == e->n_lines || wcsncmp(text, chars, wcslen(chars)) == 0 ? text : NULL;
		*at = found != NULL ? (size_t)(found - text) : 0;
		free(text);
		if (found != NULL && fits)
			return i;
	}
	return SIZE_MAX;
}

/* Go to the next line of the history; same: of those that begin as what is before the cursor. */
static unsigned char
line_edit_go(EditLine *el, int step, bool same)
{
	struct line_edit *e = line_edit_of(el);
	const size_t n = same ? (size_t)el_cursor(el, 0) : 0;
	wchar_t *begin = line_edit_copy(el_wline(el)->buffer, n);
	size_t at, line = line_edit_find(e, e->line, step, begin, false, &at);

	free(begin);
	if (line == SIZE_MAX)
		return CC_ERROR;
	line_edit_show_line(e, line, same ? n : SIZE_MAX);
	return CC_REFRESH;
}

static unsigned char
line_edit_older(EditLine *el, wint_t key)
{
	(void)key;
	return line_edit_go(el, -1, false);
}

static unsigned char
line_edit_newer(EditLine *el, wint_t key)
{
	(void)key;
	return line_edit_go(el, 1, false);
}

static unsigned char
line_edit_older_same(EditLine *el, wint_t key)
{
	(void)key;
	return line_edit_go(el, -1, true);
}

static unsigned char
line_edit_newer_same(EditLine *el, wint_t key)
{
	(void)key;
	return line_edit_go(el, 1, true);
}

/* The prompt of a search. */
static void
line_edit_search_prompt(struct line_edit *e, const wchar_t *pattern, bool found)
{
	struct buf text = { 0 }, prompt = { 0 };

	line_chars_encode(&text, pattern, wcslen(pattern));
	buf_adds(&prompt, found ? "search " : "not found ");
	width_cut(&prompt, buf_str(&text), e->screen.width / 3);
	buf_adds(&prompt, ": ");
	line_screen_set_prompt(&e->screen, buf_str(&prompt));
	buf_release(&text);
	buf_release(&prompt);
}

/* Take a key again. */
static void
line_edit_again(EditLine *el, wchar_t key)
{
	if (key != L'\0')
		el_wpush(el, (const wchar_t[]){ key, L'\0' });
}

/* Whether it is the code of a key, which line_chars never makes of bytes. */
static bool
line_edit_is_key(wchar_t c)
{
	return c >= 0x80 && c < 0xa0;
}

/*
 * Take a key of a search into the pattern.  Returns where to search from, backwards, or
 * SIZE_MAX: it is no such key.
 */
static size_t
line_edit_search_key(struct line_edit *e, wchar_t *pattern, wchar_t key)
{
	const size_t n = wcslen(pattern);

	if (key == KEY_CTRL_R)
		return e->line;
	if (key == KEY_DEL || key == KEY_CTRL_H) {
		pattern[n > 0 ? n - 1 : 0] = L'\0';
		return e->n_lines;
	}
	if (key < 0x20 || line_edit_is_key(key))
		return SIZE_MAX;
	if (n < LINE_MAX_SEARCH)
		pattern[n] = key;
	else
		fputc('\a', e->screen.out);
	/* The line that is shown may go on to match. */
	return e->line < e->n_lines ? e->line + 1 : e->line;
}

/*
 * Ctrl-R: search the history for what is typed.  Keys that mean something else end that and
 * then do it.
 */
static unsigned char
line_edit_search(EditLine *el, wint_t first)
{
	struct line_edit *e = line_edit_of(el);
	const size_t line = e->line, at = (size_t)el_cursor(el, 0);
	wchar_t pattern[LINE_MAX_SEARCH + 1] = L"", key = L'\0';
	size_t from, found = line, found_at = at;
	bool ended = false;

	(void)first;
	line_screen_erase(&e->screen);
	while (!ended) {
		line_edit_search_prompt(e, pattern, found != SIZE_MAX);
		if (found != SIZE_MAX)
			line_edit_show_line(e, found, found_at);
		line_screen_draw(&e->screen);
		if (el_wgetc(el, &key) != 1)
			key = L'\0';
		from = line_edit_search_key(e, pattern, key);
		ended = from == SIZE_MAX;
		if (!ended)
			found = line_edit_find(e, from, -1, pattern, true, &found_at);
		line_screen_erase(&e->screen);
	}
	if (key == KEY_CTRL_G)
		line_edit_show_line(e, line, at);
	else
		line_edit_again(el, key);
	line_screen_set_prompt(&e->screen, e->prompt);
	line_screen_draw(&e->screen);
	return e->screen.signal != 0 ? CC_EOF : CC_NORM;
}

/*
 * Whether to show a list: one of more than a screenful only after y.  A key that is no answer is
 * taken as typed.
 */
static bool
line_edit_lists(struct line_edit *e, const struct line_completion *c, const char *list)
{
	struct buf question = { 0 };
	char x[NUM_SHOW_MAX];
	wchar_t key = L'n';
	int rows = 0;

	for (; (list = strchr(list, '\n')) != NULL; list++)
		rows++;
	if (rows < e->screen.height)
		return true;
	buf_addf(&question, "display %s %s? (y/n)\n", c->more ? "the first" : "all", num_show_count((int64_t)c->n, x));
	line_screen_tell(&e->screen, buf_str(&question));
	buf_release(&question);
	if (el_wgetc(e->screen.el, &key) == 1 && key != L'y' && key != L'n')
		line_edit_again(e->screen.el, key);
	return key == L'y';
}

/*
 * Put what a completion inserts in place of what is before the cursor, n characters that begin
 * the line.
 */
static unsigned char
line_edit_insert(struct line_edit *e, const struct line_completion *c, struct buf *before, size_t n)
{
	const LineInfoW *line = el_wline(e->screen.el);
	/* The blank that stands there already ends the word. */
	const bool blank = c->ended && line->cursor < line->lastchar && *line->cursor == L' ';
	wchar_t *chars;

	buf_cut(before, c->start);
	buf_add(before, c->insert, strlen(c->insert) - blank);
	el_deletestr(e->screen.el, (int)n);
	chars = line_chars_decode(buf_str(before), before->len, &n);
	el_winsertstr(e->screen.el, chars);
	if (line_screen_keep(&e->screen))
		el_cursor(e->screen.el, blank);
	free(chars);
	return CC_REFRESH;
}

/* Tab. */
static unsigned char
line_edit_complete(EditLine *el, wint_t key)
{
	struct line_edit *e = line_edit_of(el);
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
	if (e->complete != NULL)
		e->complete(e->complete_arg, buf_str(&before), before.len, &c);
	if (c.insert != NULL && c.start <= before.len && strcmp(buf_str(&before) + c.start, c.insert) != 0)
		ret = line_edit_insert(e, &c, &before, (size_t)(line->cursor - begin));
	else if (c.n > 0) {
		width_columns(&list, c.shown, c.n, e->screen.width);
		if (c.more)
			buf_adds(&list, "... and more\n");
		if (line_edit_lists(e, &c, buf_str(&list)))
			line_screen_tell(&e->screen, buf_str(&list));
		buf_release(&list);
	} else
		ret = CC_ERROR;
	line_completion_release(&c);
	buf_release(&before);
	return e->screen.signal != 0 ? CC_EOF : ret;
}

/* Insert all of a paste or nothing: each line in a row if there are rows for all. */
static unsigned char
line_edit_paste(EditLine *el, wint_t key)
{
	struct line_edit *e = line_edit_of(el);
	struct buf *paste = &e->screen.paste;
	bool kept = paste->len == 0;
	char why[128];

	(void)key;
	for (int rows = 1; rows >= 0 && !kept; rows--) {
		size_t n;
		wchar_t *chars = line_chars_decode(buf_str(paste), paste->len, &n);

		if (rows == 1)
			line_chars_break(chars);
		kept = line_screen_fits(&e->screen, chars, n) && el_winsertstr(el, chars) == 0 && line_screen_keep(&e->screen);
		free(chars);
	}
	buf_cut(paste, 0);
	if (kept)
		return CC_REFRESH;
	snprintf(why, sizeof(why), "the paste of %zu bytes is refused: a line has at most %d cells\n", e->screen.paste_len, e->screen.limit);
	line_screen_tell(&e->screen, why);
	e->screen.refused = true;
	return CC_NORM;
}

/* Ctrl-V: insert the next character, whatever it is.  Keys of several bytes do what they do. */
static unsigned char
line_edit_quote(EditLine *el, wint_t key)
{
	struct line_edit *e = line_edit_of(el);
	wchar_t c[2] = L"";
	int got;

	(void)key;
	e->screen.quotes = true;
	got = el_wgetc(el, c);
	e->screen.quotes = false;
	if (line_edit_is_key(c[0]))
		line_edit_again(el, c[0]);
	else
		el_winsertstr(el, c);
	return got == 1 ? CC_REFRESH : CC_EOF;
}

/* What was too long is gone. */
static unsigned char
line_edit_redraw(EditLine *el, wint_t key)
{
	(void)el;
	(void)key;
	return CC_REFRESH;
}

static const struct {
	const wchar_t *name, *help;
	unsigned char (*run)(EditLine *el, wint_t key);
} line_edit_functions[] = {
	{ L"line-older", L"Go to the line before in the history", line_edit_older },
	{ L"line-newer", L"Go to the next line of the history", line_edit_newer },
	{ L"line-older-same", L"The same, of those that begin alike", line_edit_older_same },
	{ L"line-newer-same", L"The same, of those that begin alike", line_edit_newer_same },
	{ L"line-search", L"Search the history", line_edit_search },
	{ L"line-complete", L"Complete the word before the cursor", line_edit_complete },
	{ L"line-paste", L"Insert what was pasted", line_edit_paste },
	{ L"line-quote", L"Insert the next character", line_edit_quote },
	{ L"line-redraw", L"Draw what has changed", line_edit_redraw },
};

/*
 * Move the first of the lines that wait to text.  Empty ones run nothing.  Returns whether there
 * is one.
 */
static bool
line_edit_next_line(struct line_edit *e, struct buf *text)
{
	size_t skip = 0, len;

	while (skip < e->rest.len && e->rest.data[skip] == '\n')
		skip++;
	/* A NUL byte does not end a line. */
	for (len = 0; skip + len < e->rest.len && e->rest.data[skip + len] != '\n';)
		len++;
	if (e->rest.len > 0) {
		buf_add(text, e->rest.data + skip, len);
		memmove(e->rest.data, e->rest.data + skip + len, e->rest.len - skip - len);
		buf_cut(&e->rest, e->rest.len - skip - len);
	}
	return len > 0;
}

size_t
line_edit_drop(struct line_edit *e)
{
	struct buf dropped = { 0 };
	size_t n = 0;

	while (line_edit_next_line(e, &dropped))
		n++;
	buf_release(&dropped);
	return n;
}

int
line_edit_read(struct line_edit *e, const char *prompt, struct buf *text)
{
	int ret;

	e->prompt = prompt;
	if (line_edit_next_line(e, text)) {
		line_screen_show(&e->screen, prompt, buf_str(text), text->len);
		return 1;
	}
	e->line = e->n_lines;
	e->changed = mem_zalloc(e->n_lines + 1, sizeof(*e->changed));
	ret = line_screen_read(&e->screen, prompt, &e->rest);
	line_edit_forget(e);
	if (ret == 1)
		line_edit_next_line(e, text);
	return e->screen.signal == SIGINT ? LINE_EDIT_INTERRUPTED : ret;
}

struct line_edit *
line_edit_open(FILE *in, FILE *out)
{
	struct line_edit *e = mem_zalloc(1, sizeof(*e));

	if (line_screen_open(&e->screen, in, out) < 0) {
		free(e);
		return NULL;
	}
	for (size_t i = 0; i < sizeof(line_edit_functions) / sizeof(line_edit_functions[0]); i++)
		el_wset(e->screen.el, EL_ADDFN, line_edit_functions[i].name, line_edit_functions[i].help, line_edit_functions[i].run);
	line_bind_keys(e->screen.el, false);
	line_bind_file(e->screen.el);
	return e;
}

void
line_edit_close(struct line_edit *e)
{
	if (e == NULL)
		return;
	line_screen_close(&e->screen);
	buf_release(&e->rest);
	free(e);
}

void
line_edit_set_completer(struct line_edit *e, line_complete_fn *fn, void *arg)
{
	e->complete = fn;
	e->complete_arg = arg;
}

void
line_edit_recall(struct line_edit *e, char *const *lines, size_t n)
{
	e->lines = lines;
	e->n_lines = n;
}
