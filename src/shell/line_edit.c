/* SPDX-License-Identifier: MIT */
/*
 * A line is bytes (line_text), drawn by line_view; this is what happens between
 * a key and that.  It is ours, and not libedit's (3.1), because that draws
 * into arrays of the terminal's size, writes below them where a line is longer
 * than the screen, keeps 1,024 characters of a line that is left by an arrow
 * key, and drops bytes that the locale can't decode.
 *
 *  - No byte is lost: what is typed or pasted is in the line, or is refused with
 *    a word.  A line with a part refused does not run.
 *  - A paste may hold newlines.  Nothing runs before Enter; then the lines are
 *    returned one by one, as if they had been typed.
 */
#include <config.h>

#include "shell/line_edit.h"

#include <assert.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "ui/cell.h"
#include "shell/line_key.h"
#include "shell/line_screen.h"
#include "shell/line_text.h"
#include "ui/width.h"

/* Longest search text in bytes: each byte typed searches the history anew. */
#define LINE_MAX_SEARCH 200

/* What a key led to. */
enum line_end { LINE_GOES_ON, LINE_IS_DONE, LINE_AT_END };

/* What a line of the history (n_lines: the new one) was changed to before another one was shown. */
struct edit_change {
	size_t line;
	struct buf text;
	bool overflows;
};

struct line_edit {
	struct line_screen screen;
	struct line_text text;
	struct buf rest;         /* lines that came with the last one, and wait to be read */
	const char *prompt;      /* borrowed for a read */
	struct buf search;       /* the prompt while the history is searched */
	int key_again;           /* a key to take before others, or -1 */
	bool overflows;          /* part of what was typed into the text was refused: too long */
	char *const *lines;      /* the history; borrowed */
	size_t n_lines, line;    /* the line shown; n_lines: none of them, but what is typed anew */
	VEC(struct edit_change) changes;
	line_complete_fn *complete;
	void *complete_arg;
};

static void
edit_bell(struct line_edit *e)
{
	fputc('\a', e->screen.out);
}

static void __attribute__((format(printf, 2, 3)))
edit_refuse(struct line_edit *e, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	edit_bell(e);
	line_screen_tell(&e->screen, text);
}

/* Get a key.  Returns -1 at the end, or after a signal. */
static int
edit_key(struct line_edit *e)
{
	const int key = e->key_again;

	e->key_again = -1;
	return key >= 0 ? key : line_screen_key(&e->screen);
}

/* Insert what was typed. */
static void
edit_insert(struct line_edit *e, const char *text, size_t len)
{
	if (line_text_insert(&e->text, text, len))
		return;
	edit_bell(e);
	e->overflows = true;
}

/* The change of a line, or NULL: it is as it was. */
static struct edit_change *
edit_change_of(const struct line_edit *e, size_t line)
{
	for (size_t i = 0; i < e->changes.n; i++) {
		if (e->changes.v[i].line == line)
			return &e->changes.v[i];
	}
	return NULL;
}

/* The text of a line of the history, as it was changed; n_lines: what was typed before. */
static const char *
edit_line_text(const struct line_edit *e, size_t line, size_t *len)
{
	const struct edit_change *change = edit_change_of(e, line);
	const char *text = change != NULL ? buf_str(&change->text) : line < e->n_lines ? e->lines[line] : "";

	*len = change != NULL ? change->text.len : strlen(text);
	return text;
}

/* Keep what the line that is shown was changed to. */
static void
edit_keep(struct line_edit *e)
{
	struct edit_change *change = edit_change_of(e, e->line);
	size_t len;
	const char *text = edit_line_text(e, e->line, &len);

	if (change == NULL && !e->overflows && len == e->text.bytes.len && memcmp(text, buf_str(&e->text.bytes), len) == 0)
		return;
	if (change == NULL) {
		vec_push(&e->changes, ((struct edit_change){ .line = e->line }));
		change = &e->changes.v[e->changes.n - 1];
	}
	buf_cut(&change->text, 0);
	buf_add(&change->text, buf_str(&e->text.bytes), e->text.bytes.len);
	change->overflows = e->overflows;
}

/* Forget all changes: the new line is shown. */
static void
edit_forget(struct line_edit *e)
{
	for (size_t i = 0; i < e->changes.n; i++)
		buf_release(&e->changes.v[i].text);
	e->changes.n = 0;
	e->line = e->n_lines;
	e->overflows = false;
}

/*
 * Put another line of the history in place of the text; n_lines: what was typed before.  The
 * cursor goes to at, if it can.
 */
static void
edit_show_line(struct line_edit *e, size_t line, size_t at)
{
	const struct edit_change *change;
	const char *text;
	size_t len;

	assert(line <= e->n_lines && e->line <= e->n_lines);
	if (line == e->line)
		return;
	edit_keep(e);
	e->line = line;
	change = edit_change_of(e, line);
	e->overflows = change != NULL && change->overflows;
	text = edit_line_text(e, line, &len);
	line_text_set(&e->text, text, len);
	if (at < e->text.bytes.len)
		e->text.at = at;
}

static void
edit_older(struct line_edit *e)
{
	if (e->line > 0)
		edit_show_line(e, e->line - 1, SIZE_MAX);
	else
		edit_bell(e);
}

static void
edit_newer(struct line_edit *e)
{
	if (e->line < e->n_lines)
		edit_show_line(e, e->line + 1, SIZE_MAX);
	else
		edit_bell(e);
}

/*
 * Go to the next line of the history, in steps of -1 or 1, that begins with what stands before
 * the cursor.
 */
static void
edit_same_beginning(struct line_edit *e, int step)
{
	const size_t len = e->text.at;

	for (size_t i = e->line; step < 0 ? i > 0 : i < e->n_lines;) {
		size_t whole;

		i = step < 0 ? i - 1 : i + 1;
		if (i == e->n_lines || strncmp(edit_line_text(e, i, &whole), buf_str(&e->text.bytes), len) == 0) {
			edit_show_line(e, i, len);
			return;
		}
	}
	edit_bell(e);
}

static void
edit_older_same(struct line_edit *e)
{
	edit_same_beginning(e, -1);
}

static void
edit_newer_same(struct line_edit *e)
{
	edit_same_beginning(e, 1);
}

/*
 * Show the newest line of the history before end that holds what is searched.  Returns whether
 * there is one.
 */
static bool
edit_find(struct line_edit *e, const struct buf *pattern, size_t end)
{
	for (size_t i = end; i > 0; i--) {
		size_t len;
		const char *text = edit_line_text(e, i - 1, &len), *found = strstr(text, buf_str(pattern));

		if (found != NULL) {
			edit_show_line(e, i - 1, (size_t)(found - text));
			return true;
		}
	}
	return false;
}

/* The prompt of a search. */
static void
edit_search_prompt(struct line_edit *e, const struct buf *pattern, bool found)
{
	buf_cut(&e->search, 0);
	buf_adds(&e->search, found ? "search " : "not found ");
	width_cut(&e->search, buf_str(pattern), e->screen.width / 2);
	buf_adds(&e->search, ": ");
	e->screen.prompt = buf_str(&e->search);
}

/*
 * Ctrl-R: search the history for what is typed.  Keys that mean something else end that and
 * then do it.
 */
static void
edit_search(struct line_edit *e)
{
	struct buf pattern = { 0 };
	const size_t line = e->line, at = e->text.at;
	bool found = true;
	int key;

	for (;;) {
		edit_search_prompt(e, &pattern, found);
		key = edit_key(e);
		if (key == KEY_CTRL_R)
			found = edit_find(e, &pattern, e->line);
		else if (key == KEY_DEL || key == KEY_CTRL_H) {
			buf_cut(&pattern, cell_prev(buf_str(&pattern), pattern.len, pattern.len));
			found = edit_find(e, &pattern, e->n_lines);
		} else if (key >= 0x20 && key < KEY_META && pattern.len == LINE_MAX_SEARCH) {
			edit_bell(e);
		} else if (key >= 0x20 && key < KEY_META) {
			buf_addc(&pattern, (char)key);
			/* The line that is shown may go on to match. */
			found = edit_find(e, &pattern, e->line < e->n_lines ? e->line + 1 : e->line);
		} else
			break;
	}
	if (key == KEY_CTRL_G)
		edit_show_line(e, line, at);
	else
		e->key_again = key;
	e->screen.prompt = e->prompt;
	buf_release(&e->search);
	buf_release(&pattern);
}

/* Tab. */
static void
edit_complete(struct line_edit *e)
{
	const size_t begin = line_text_begin(&e->text), len = e->text.at - begin;
	struct line_completion c = { 0 };
	char *before = mem_dup(buf_str(&e->text.bytes) + begin, len);
	struct buf list = { 0 };

	if (e->complete != NULL)
		e->complete(e->complete_arg, before, len, &c);
	if (c.insert != NULL && c.start <= len && strcmp(before + c.start, c.insert) != 0) {
		struct buf rest = { 0 };

		buf_add(&rest, before + c.start, len - c.start);
		line_text_remove(&e->text, begin + c.start, e->text.at);
		if (!line_text_insert(&e->text, c.insert, strlen(c.insert))) {
			line_text_insert(&e->text, buf_str(&rest), rest.len);
			edit_bell(e);
		}
		buf_release(&rest);
	} else if (c.n > 0) {
		width_columns(&list, c.shown, c.n, e->screen.width);
		if (c.more)
			buf_adds(&list, "... and more\n");
		/* Keys may have come at once with Tab. */
		line_screen_draw(&e->screen);
		line_screen_tell(&e->screen, buf_str(&list));
		buf_release(&list);
	} else
		edit_bell(e);
	line_completion_release(&c);
	free(before);
}

/* Newlines as \n: terminals paste them as \r, and other systems write \r\n. */
static size_t
edit_newlines(char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\r' && i + 1 < len && text[i + 1] == '\n')
			continue;
		text[n++] = text[i] == '\r' ? '\n' : text[i];
	}
	return n;
}

/*
 * What follows is pasted: all of it goes into the line, or nothing.  Returns false as
 * edit_byte.
 */
static bool
edit_paste(struct line_edit *e)
{
	static const char end[] = LINE_KEY_PASTE_END;
	const size_t end_len = sizeof(end) - 1;
	struct buf text = { 0 };
	size_t total = 0, len;
	bool got, ended = false;
	char byte;

	while (!ended && (got = line_screen_byte(&e->screen, &byte))) {
		total++;
		buf_addc(&text, byte);
		ended = text.len >= end_len && memcmp(text.data + text.len - end_len, end, end_len) == 0;
		/* The paste is refused: read on to its end only. */
		if (!ended && text.len >= 2 * LINE_TEXT_MAX) {
			memmove(text.data, text.data + text.len - end_len, end_len);
			buf_cut(&text, end_len);
		}
	}
	if (ended) {
		total -= end_len;
		buf_cut(&text, text.len - end_len);
		len = edit_newlines(text.data, text.len);
		if (total > text.len || !line_text_insert(&e->text, buf_str(&text), len))
			edit_refuse(e, "the paste of %zu bytes is refused: a line has at most %d\n", total, LINE_TEXT_MAX);
	}
	buf_release(&text);
	return ended;
}

/* Ctrl-V: insert the next byte, whatever it is. */
static void
edit_quote(struct line_edit *e)
{
	char byte;

	if (line_screen_byte(&e->screen, &byte))
		edit_insert(e, &byte, 1);
}

static void
edit_left(struct line_edit *e)
{
	e->text.at = line_text_prev(&e->text);
}

static void
edit_right(struct line_edit *e)
{
	e->text.at = line_text_next(&e->text);
}

static void
edit_word_left(struct line_edit *e)
{
	e->text.at = line_text_word_begin(&e->text);
}

static void
edit_word_right(struct line_edit *e)
{
	e->text.at = line_text_word_end(&e->text);
}

static void
edit_to_begin(struct line_edit *e)
{
	e->text.at = line_text_begin(&e->text);
}

static void
edit_to_end(struct line_edit *e)
{
	e->text.at = line_text_end(&e->text);
}

static void
edit_erase(struct line_edit *e)
{
	if (e->text.at == 0)
		edit_bell(e);
	line_text_remove(&e->text, line_text_prev(&e->text), e->text.at);
}

static void
edit_delete(struct line_edit *e)
{
	if (e->text.at == e->text.bytes.len)
		edit_bell(e);
	line_text_remove(&e->text, e->text.at, line_text_next(&e->text));
}

static void
edit_cut_to_end(struct line_edit *e)
{
	const size_t end = line_text_end(&e->text);

	/* At the end of one of several lines it is the newline. */
	line_text_cut(&e->text, e->text.at, end > e->text.at ? end : line_text_next(&e->text));
}

static void
edit_cut_all(struct line_edit *e)
{
	line_text_cut(&e->text, 0, e->text.bytes.len);
}

static void
edit_cut_blank(struct line_edit *e)
{
	line_text_cut(&e->text, line_text_blank_begin(&e->text), e->text.at);
}

static void
edit_cut_word(struct line_edit *e)
{
	line_text_cut(&e->text, line_text_word_begin(&e->text), e->text.at);
}

static void
edit_cut_next_word(struct line_edit *e)
{
	line_text_cut(&e->text, e->text.at, line_text_word_end(&e->text));
}

static void
edit_put_back(struct line_edit *e)
{
	if (e->text.cut.len == 0 || !line_text_paste(&e->text))
		edit_bell(e);
}

static void
edit_swap(struct line_edit *e)
{
	if (!line_text_swap(&e->text))
		edit_bell(e);
}

static void
edit_clear_screen(struct line_edit *e)
{
	fputs("\033[H\033[2J", e->screen.out);
	e->screen.view = (struct line_view){ 0 };
}

static const struct {
	int key;
	void (*run)(struct line_edit *e);
} edit_keys[] = {
	{ KEY_CTRL_A, edit_to_begin }, { KEY_HOME, edit_to_begin }, { KEY_CTRL_E, edit_to_end }, { KEY_END, edit_to_end },
	{ KEY_CTRL_B, edit_left }, { KEY_LEFT, edit_left }, { KEY_CTRL_F, edit_right }, { KEY_RIGHT, edit_right },
	{ KEY_META + 'b', edit_word_left }, { KEY_WORD_LEFT, edit_word_left },
	{ KEY_META + 'f', edit_word_right }, { KEY_WORD_RIGHT, edit_word_right },
	{ KEY_CTRL_H, edit_erase }, { KEY_DEL, edit_erase }, { KEY_CTRL_D, edit_delete }, { KEY_DELETE, edit_delete },
	{ KEY_CTRL_K, edit_cut_to_end }, { KEY_CTRL_U, edit_cut_all }, { KEY_CTRL_W, edit_cut_blank },
	{ KEY_META + 'd', edit_cut_next_word }, { KEY_META + KEY_DEL, edit_cut_word }, { KEY_META + KEY_CTRL_H, edit_cut_word },
	{ KEY_CTRL_Y, edit_put_back }, { KEY_CTRL_T, edit_swap }, { KEY_CTRL_V, edit_quote }, { KEY_TAB, edit_complete },
	{ KEY_CTRL_P, edit_older }, { KEY_UP, edit_older }, { KEY_CTRL_N, edit_newer }, { KEY_DOWN, edit_newer },
	{ KEY_META + 'p', edit_older_same }, { KEY_PAGE_UP, edit_older_same },
	{ KEY_META + 'n', edit_newer_same }, { KEY_PAGE_DOWN, edit_newer_same },
	{ KEY_CTRL_R, edit_search }, { KEY_CTRL_L, edit_clear_screen },
};

/* Enter. */
static enum line_end
edit_enter(struct line_edit *e)
{
	if (!e->overflows)
		return LINE_IS_DONE;
	/* The text is only the part for which there was room. */
	line_text_set(&e->text, "", 0);
	edit_forget(e);
	edit_refuse(e, "the line is refused: it is longer than %d bytes\n", LINE_TEXT_MAX);
	return LINE_GOES_ON;
}

static enum line_end
edit_do(struct line_edit *e, int key)
{
	if (e->text.bytes.len == 0)
		e->overflows = false;
	if (key == KEY_RETURN || key == KEY_NEWLINE)
		return edit_enter(e);
	if (key == KEY_CTRL_D && e->text.bytes.len == 0)
		return LINE_AT_END;
	if (key == KEY_PASTE)
		return edit_paste(e) || e->screen.signal != 0 ? LINE_GOES_ON : LINE_AT_END;
	for (size_t i = 0; i < sizeof(edit_keys) / sizeof(edit_keys[0]); i++) {
		if (edit_keys[i].key == key) {
			edit_keys[i].run(e);
			return LINE_GOES_ON;
		}
	}
	if (key >= 0x20 && key < KEY_META)
		edit_insert(e, &(char){ (char)key }, 1);
	else
		edit_bell(e);
	return LINE_GOES_ON;
}

/*
 * Move the first of the lines that wait into the text.  Empty ones run nothing.  Returns
 * whether there is one.
 */
static bool
edit_next_line(struct line_edit *e)
{
	size_t skip = 0, len;

	while (skip < e->rest.len && e->rest.data[skip] == '\n')
		skip++;
	len = strcspn(buf_str(&e->rest) + skip, "\n");
	/* A NUL byte does not end a line. */
	while (skip + len < e->rest.len && e->rest.data[skip + len] != '\n')
		len++;
	line_text_set(&e->text, buf_str(&e->rest) + skip, len);
	if (e->rest.len > 0) {
		memmove(e->rest.data, e->rest.data + skip + len, e->rest.len - skip - len);
		buf_cut(&e->rest, e->rest.len - skip - len);
	}
	return len > 0;
}

size_t
line_edit_drop(struct line_edit *e)
{
	size_t n = 0;

	while (edit_next_line(e))
		n++;
	return n;
}

/* Edit until a key ends it. */
static enum line_end
edit_run(struct line_edit *e)
{
	enum line_end end = LINE_GOES_ON;

	while (end == LINE_GOES_ON) {
		const int key = edit_key(e);

		end = key < 0 ? LINE_AT_END : edit_do(e, key);
		if (e->screen.signal != 0)
			end = LINE_AT_END;
	}
	return end;
}

int
line_edit_read(struct line_edit *e, const char *prompt, struct buf *text)
{
	enum line_end end;

	e->prompt = prompt;
	e->key_again = -1;
	edit_forget(e);
	if (edit_next_line(e)) {
		line_screen_show(&e->screen, prompt);
		buf_add(text, e->text.bytes.data, e->text.bytes.len);
		return 1;
	}
	line_screen_start(&e->screen, prompt);
	end = edit_run(e);
	line_screen_end(&e->screen);
	if (end != LINE_IS_DONE)
		return e->screen.signal == SIGINT ? LINE_EDIT_INTERRUPTED : 0;
	buf_add(&e->rest, buf_str(&e->text.bytes), e->text.bytes.len);
	edit_next_line(e);
	buf_add(text, buf_str(&e->text.bytes), e->text.bytes.len);
	return 1;
}

struct line_edit *
line_edit_open(FILE *in, FILE *out)
{
	struct line_edit *e = mem_zalloc(1, sizeof(*e));

	e->prompt = "";
	e->key_again = -1;
	if (line_screen_open(&e->screen, in, out, &e->text) < 0) {
		free(e);
		return NULL;
	}
	return e;
}

void
line_edit_close(struct line_edit *e)
{
	if (e == NULL)
		return;
	line_screen_close(&e->screen);
	line_text_release(&e->text);
	buf_release(&e->rest);
	buf_release(&e->search);
	edit_forget(e);
	vec_release(&e->changes);
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
	edit_forget(e);
}
