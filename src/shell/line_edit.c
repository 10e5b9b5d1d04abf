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
#include "base/num.h"
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

/*
 * What a line of the history (n_lines: the new one) was changed to before another one was shown.
 */
struct line_edit_change {
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
	VEC(struct line_edit_change) changes;
	line_complete_fn *complete;
	void *complete_arg;
};

static void
line_edit_bell(struct line_edit *e)
{
	fputc('\a', e->screen.out);
}

static void __attribute__((format(printf, 2, 3)))
line_edit_refuse(struct line_edit *e, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	line_edit_bell(e);
	line_screen_tell(&e->screen, text);
}

/* Get a key.  Returns -1 at the end, or after a signal. */
static int
line_edit_key(struct line_edit *e)
{
	const int key = e->key_again;

	e->key_again = -1;
	return key >= 0 ? key : line_screen_key(&e->screen);
}

/* Insert what was typed. */
static void
line_edit_insert(struct line_edit *e, const char *text, size_t len)
{
	if (line_text_insert(&e->text, text, len))
		return;
	line_edit_bell(e);
	e->overflows = true;
}

/* The change of a line, or NULL: it is as it was. */
static struct line_edit_change *
line_edit_change_of(const struct line_edit *e, size_t line)
{
	for (size_t i = 0; i < e->changes.n; i++) {
		if (e->changes.v[i].line == line)
			return &e->changes.v[i];
	}
	return NULL;
}

/* The text of a line of the history, as it was changed; n_lines: what was typed before. */
static const char *
line_edit_line_text(const struct line_edit *e, size_t line, size_t *len)
{
	const struct line_edit_change *change = line_edit_change_of(e, line);
	const char *text = change != NULL ? buf_str(&change->text) : line < e->n_lines ? e->lines[line] : "";

	*len = change != NULL ? change->text.len : strlen(text);
	return text;
}

/* Keep what the line that is shown was changed to. */
static void
line_edit_keep(struct line_edit *e)
{
	struct line_edit_change *change = line_edit_change_of(e, e->line);
	size_t len;
	const char *text = line_edit_line_text(e, e->line, &len);

	if (change == NULL && !e->overflows && len == e->text.bytes.len && memcmp(text, buf_str(&e->text.bytes), len) == 0)
		return;
	if (change == NULL) {
		vec_push(&e->changes, ((struct line_edit_change){ .line = e->line }));
		change = &e->changes.v[e->changes.n - 1];
	}
	buf_cut(&change->text, 0);
	buf_add(&change->text, buf_str(&e->text.bytes), e->text.bytes.len);
	change->overflows = e->overflows;
}

/* Forget all changes: the new line is shown. */
static void
line_edit_forget(struct line_edit *e)
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
line_edit_show_line(struct line_edit *e, size_t line, size_t at)
{
	const struct line_edit_change *change;
	const char *text;
	size_t len;

	assert(line <= e->n_lines && e->line <= e->n_lines);
	if (line == e->line)
		return;
	line_edit_keep(e);
	e->line = line;
	change = line_edit_change_of(e, line);
	e->overflows = change != NULL && change->overflows;
	text = line_edit_line_text(e, line, &len);
	line_text_set(&e->text, text, len);
	if (at < e->text.bytes.len)
		e->text.at = at;
}

static void
line_edit_older(struct line_edit *e)
{
	if (e->line > 0)
		line_edit_show_line(e, e->line - 1, SIZE_MAX);
	else
		line_edit_bell(e);
}

static void
line_edit_newer(struct line_edit *e)
{
	if (e->line < e->n_lines)
		line_edit_show_line(e, e->line + 1, SIZE_MAX);
	else
		line_edit_bell(e);
}

/*
 * Go to the next line of the history, in steps of -1 or 1, that begins with what stands before
 * the cursor.
 */
static void
line_edit_same_beginning(struct line_edit *e, int step)
{
	const size_t len = e->text.at;

	for (size_t i = e->line; step < 0 ? i > 0 : i < e->n_lines;) {
		size_t whole;

		i = step < 0 ? i - 1 : i + 1;
		if (i == e->n_lines || strncmp(line_edit_line_text(e, i, &whole), buf_str(&e->text.bytes), len) == 0) {
			line_edit_show_line(e, i, len);
			return;
		}
	}
	line_edit_bell(e);
}

static void
line_edit_older_same(struct line_edit *e)
{
	line_edit_same_beginning(e, -1);
}

static void
line_edit_newer_same(struct line_edit *e)
{
	line_edit_same_beginning(e, 1);
}

/*
 * Show the newest line of the history before end that holds what is searched.  Returns whether
 * there is one.
 */
static bool
line_edit_find(struct line_edit *e, const struct buf *pattern, size_t end)
{
	for (size_t i = end; i > 0; i--) {
		size_t len;
		const char *text = line_edit_line_text(e, i - 1, &len), *found = strstr(text, buf_str(pattern));

		if (found != NULL) {
			line_edit_show_line(e, i - 1, (size_t)(found - text));
			return true;
		}
	}
	return false;
}

/* The prompt of a search. */
static void
line_edit_search_prompt(struct line_edit *e, const struct buf *pattern, bool found)
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
line_edit_search(struct line_edit *e)
{
	struct buf pattern = { 0 };
	const size_t line = e->line, at = e->text.at;
	bool found = true;
	int key;

	for (;;) {
		line_edit_search_prompt(e, &pattern, found);
		key = line_edit_key(e);
		if (key == KEY_CTRL_R)
			found = line_edit_find(e, &pattern, e->line);
		else if (key == KEY_DEL || key == KEY_CTRL_H) {
			buf_cut(&pattern, cell_prev(buf_str(&pattern), pattern.len, pattern.len));
			found = line_edit_find(e, &pattern, e->n_lines);
		} else if (key >= 0x20 && key < KEY_META && pattern.len == LINE_MAX_SEARCH) {
			line_edit_bell(e);
		} else if (key >= 0x20 && key < KEY_META) {
			buf_addc(&pattern, (char)key);
			/* The line that is shown may go on to match. */
			found = line_edit_find(e, &pattern, e->line < e->n_lines ? e->line + 1 : e->line);
		} else
			break;
	}
	if (key == KEY_CTRL_G)
		line_edit_show_line(e, line, at);
	else
		e->key_again = key;
	e->screen.prompt = e->prompt;
	buf_release(&e->search);
	buf_release(&pattern);
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
	int key, rows = 0;

	for (; (list = strchr(list, '\n')) != NULL; list++)
		rows++;
	if (rows < e->screen.height)
		return true;
	buf_addf(&question, "display %s %s? (y/n)\n", c->more ? "the first" : "all", num_show_count((int64_t)c->n, x));
	line_screen_tell(&e->screen, buf_str(&question));
	buf_release(&question);
	key = line_edit_key(e);
	if (key != 'y' && key != 'n')
		e->key_again = key;
	return key == 'y';
}

/* Tab. */
static void
line_edit_complete(struct line_edit *e)
{
	const size_t begin = line_text_begin(&e->text), len = e->text.at - begin;
	struct line_completion c = { 0 };
	char *before = mem_dup(buf_str(&e->text.bytes) + begin, len);
	struct buf list = { 0 };

	if (e->complete != NULL)
		e->complete(e->complete_arg, before, len, &c);
	if (c.insert != NULL && c.start <= len && strcmp(before + c.start, c.insert) != 0) {
		/* The blank that stands there already ends the word. */
		const bool blank = c.ended && e->text.at < e->text.bytes.len && e->text.bytes.data[e->text.at] == ' ';

		line_text_remove(&e->text, begin + c.start, e->text.at);
		if (line_text_insert(&e->text, c.insert, strlen(c.insert) - blank))
			e->text.at += blank;
		else {
			line_text_insert(&e->text, before + c.start, len - c.start);
			line_edit_bell(e);
		}
	} else if (c.n > 0) {
		width_columns(&list, c.shown, c.n, e->screen.width);
		if (c.more)
			buf_adds(&list, "... and more\n");
		/* Keys may have come at once with Tab. */
		line_screen_draw(&e->screen);
		if (line_edit_lists(e, &c, buf_str(&list)))
			line_screen_tell(&e->screen, buf_str(&list));
		buf_release(&list);
	} else
		line_edit_bell(e);
	line_completion_release(&c);
	free(before);
}

/* Newlines as \n: terminals paste them as \r, and other systems write \r\n. */
static size_t
line_edit_newlines(char *text, size_t len)
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
 * line_screen_byte.
 */
static bool
line_edit_paste(struct line_edit *e)
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
		len = line_edit_newlines(text.data, text.len);
		if (total > text.len || !line_text_insert(&e->text, buf_str(&text), len))
			line_edit_refuse(e, "the paste of %zu bytes is refused: a line has at most %d\n", total, LINE_TEXT_MAX);
	}
	buf_release(&text);
	return ended;
}

/* Ctrl-V: insert the next byte, whatever it is. */
static void
line_edit_quote(struct line_edit *e)
{
	char byte;

	if (line_screen_byte(&e->screen, &byte))
		line_edit_insert(e, &byte, 1);
}

static void
line_edit_left(struct line_edit *e)
{
	e->text.at = line_text_prev(&e->text);
}

static void
line_edit_right(struct line_edit *e)
{
	e->text.at = line_text_next(&e->text);
}

static void
line_edit_word_left(struct line_edit *e)
{
	e->text.at = line_text_word_begin(&e->text);
}

static void
line_edit_word_right(struct line_edit *e)
{
	e->text.at = line_text_word_end(&e->text);
}

static void
line_edit_to_begin(struct line_edit *e)
{
	e->text.at = line_text_begin(&e->text);
}

static void
line_edit_to_end(struct line_edit *e)
{
	e->text.at = line_text_end(&e->text);
}

static void
line_edit_erase(struct line_edit *e)
{
	if (e->text.at == 0)
		line_edit_bell(e);
	line_text_remove(&e->text, line_text_prev(&e->text), e->text.at);
}

static void
line_edit_delete(struct line_edit *e)
{
	if (e->text.at == e->text.bytes.len)
		line_edit_bell(e);
	line_text_remove(&e->text, e->text.at, line_text_next(&e->text));
}

static void
line_edit_cut_to_end(struct line_edit *e)
{
	const size_t end = line_text_end(&e->text);

	/* At the end of one of several lines it is the newline. */
	line_text_cut(&e->text, e->text.at, end > e->text.at ? end : line_text_next(&e->text));
}

static void
line_edit_cut_all(struct line_edit *e)
{
	line_text_cut(&e->text, 0, e->text.bytes.len);
}

static void
line_edit_cut_blank(struct line_edit *e)
{
	line_text_cut(&e->text, line_text_blank_begin(&e->text), e->text.at);
}

static void
line_edit_cut_word(struct line_edit *e)
{
	line_text_cut(&e->text, line_text_word_begin(&e->text), e->text.at);
}

static void
line_edit_cut_next_word(struct line_edit *e)
{
	line_text_cut(&e->text, e->text.at, line_text_word_end(&e->text));
}

static void
line_edit_put_back(struct line_edit *e)
{
	if (e->text.cut.len == 0 || !line_text_paste(&e->text))
		line_edit_bell(e);
}

static void
line_edit_swap(struct line_edit *e)
{
	if (!line_text_swap(&e->text))
		line_edit_bell(e);
}

static void
line_edit_clear_screen(struct line_edit *e)
{
	fputs("\033[H\033[2J", e->screen.out);
	e->screen.view = (struct line_view){ 0 };
}

static const struct {
	int key;
	void (*run)(struct line_edit *e);
} line_edit_keys[] = {
	{ KEY_CTRL_A, line_edit_to_begin }, { KEY_HOME, line_edit_to_begin },
	{ KEY_CTRL_E, line_edit_to_end }, { KEY_END, line_edit_to_end },
	{ KEY_CTRL_B, line_edit_left }, { KEY_LEFT, line_edit_left },
	{ KEY_CTRL_F, line_edit_right }, { KEY_RIGHT, line_edit_right },
	{ KEY_META + 'b', line_edit_word_left }, { KEY_WORD_LEFT, line_edit_word_left },
	{ KEY_META + 'f', line_edit_word_right }, { KEY_WORD_RIGHT, line_edit_word_right },
	{ KEY_CTRL_H, line_edit_erase }, { KEY_DEL, line_edit_erase },
	{ KEY_CTRL_D, line_edit_delete }, { KEY_DELETE, line_edit_delete },
	{ KEY_CTRL_K, line_edit_cut_to_end }, { KEY_CTRL_U, line_edit_cut_all },
	{ KEY_CTRL_W, line_edit_cut_blank }, { KEY_META + 'd', line_edit_cut_next_word },
	{ KEY_META + KEY_DEL, line_edit_cut_word }, { KEY_META + KEY_CTRL_H, line_edit_cut_word },
	{ KEY_CTRL_Y, line_edit_put_back }, { KEY_CTRL_T, line_edit_swap },
	{ KEY_CTRL_V, line_edit_quote }, { KEY_TAB, line_edit_complete },
	{ KEY_CTRL_P, line_edit_older }, { KEY_UP, line_edit_older },
	{ KEY_CTRL_N, line_edit_newer }, { KEY_DOWN, line_edit_newer },
	{ KEY_META + 'p', line_edit_older_same }, { KEY_PAGE_UP, line_edit_older_same },
	{ KEY_META + 'n', line_edit_newer_same }, { KEY_PAGE_DOWN, line_edit_newer_same },
	{ KEY_CTRL_R, line_edit_search }, { KEY_CTRL_L, line_edit_clear_screen },
};

/* Enter. */
static enum line_end
line_edit_enter(struct line_edit *e)
{
	if (!e->overflows)
		return LINE_IS_DONE;
	/* The text is only the part for which there was room. */
	line_text_set(&e->text, "", 0);
	line_edit_forget(e);
	line_edit_refuse(e, "the line is refused: it is longer than %d bytes\n", LINE_TEXT_MAX);
	return LINE_GOES_ON;
}

static enum line_end
line_edit_do(struct line_edit *e, int key)
{
	if (e->text.bytes.len == 0)
		e->overflows = false;
	if (key == KEY_RETURN || key == KEY_NEWLINE)
		return line_edit_enter(e);
	if (key == KEY_CTRL_D && e->text.bytes.len == 0)
		return LINE_AT_END;
	if (key == KEY_PASTE)
		return line_edit_paste(e) || e->screen.signal != 0 ? LINE_GOES_ON : LINE_AT_END;
	for (size_t i = 0; i < sizeof(line_edit_keys) / sizeof(line_edit_keys[0]); i++) {
		if (line_edit_keys[i].key == key) {
			line_edit_keys[i].run(e);
			return LINE_GOES_ON;
		}
	}
	if (key >= 0x20 && key < KEY_META)
		line_edit_insert(e, &(char){ (char)key }, 1);
	else
		line_edit_bell(e);
	return LINE_GOES_ON;
}

/*
 * Move the first of the lines that wait into the text.  Empty ones run nothing.  Returns
 * whether there is one.
 */
static bool
line_edit_next_line(struct line_edit *e)
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

	while (line_edit_next_line(e))
		n++;
	return n;
}

/* Edit until a key ends it. */
static enum line_end
line_edit_run(struct line_edit *e)
{
	enum line_end end = LINE_GOES_ON;

	while (end == LINE_GOES_ON) {
		const int key = line_edit_key(e);

		end = key < 0 ? LINE_AT_END : line_edit_do(e, key);
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
	line_edit_forget(e);
	if (line_edit_next_line(e)) {
		line_screen_show(&e->screen, prompt);
		buf_add(text, e->text.bytes.data, e->text.bytes.len);
		return 1;
	}
	line_screen_start(&e->screen, prompt);
	end = line_edit_run(e);
	line_screen_end(&e->screen);
	if (end != LINE_IS_DONE)
		return e->screen.signal == SIGINT ? LINE_EDIT_INTERRUPTED : 0;
	buf_add(&e->rest, buf_str(&e->text.bytes), e->text.bytes.len);
	line_edit_next_line(e);
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
	line_edit_forget(e);
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
	line_edit_forget(e);
}
