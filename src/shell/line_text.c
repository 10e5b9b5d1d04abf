/* SPDX-License-Identifier: MIT */
/*
 * Positions are bytes, and lie between two cells (ui/cell): a character with all that combines
 * with it, or a byte that cannot be decoded.  The text never exceeds LINE_TEXT_MAX bytes; what
 * would is refused as a whole.
 */
#include <config.h>

#include "shell/line_text.h"

#include <assert.h>
#include <string.h>
#include <wctype.h>

#include "ui/cell.h"

void
line_text_release(struct line_text *t)
{
	buf_release(&t->bytes);
	buf_release(&t->cut);
	t->at = 0;
}

void
line_text_set(struct line_text *t, const char *text, size_t len)
{
	buf_cut(&t->bytes, 0);
	buf_add(&t->bytes, text, len);
	t->at = t->bytes.len;
}

bool
line_text_insert(struct line_text *t, const char *text, size_t len)
{
	const size_t behind = t->bytes.len - t->at;

	if (len > LINE_TEXT_MAX || t->bytes.len + len > LINE_TEXT_MAX)
		return false;
	if (len == 0)
		return true;
	buf_reserve(&t->bytes, len);
	/* Whatever it appends is overwritten; the buffer keeps its length and its NUL right. */
	buf_add(&t->bytes, text, len);
	memmove(t->bytes.data + t->at + len, t->bytes.data + t->at, behind);
	memcpy(t->bytes.data + t->at, text, len);
	t->at += len;
	return true;
}

bool
line_text_paste(struct line_text *t)
{
	return line_text_insert(t, buf_str(&t->cut), t->cut.len);
}

void
line_text_remove(struct line_text *t, size_t a, size_t b)
{
	assert(a <= t->at && t->at <= b && b <= t->bytes.len);
	if (a == b)
		return;
	memmove(t->bytes.data + a, t->bytes.data + b, t->bytes.len - b);
	buf_cut(&t->bytes, t->bytes.len - (b - a));
	t->at = a;
}

void
line_text_cut(struct line_text *t, size_t a, size_t b)
{
	if (a == b)
		return;
	buf_cut(&t->cut, 0);
	buf_add(&t->cut, t->bytes.data + a, b - a);
	line_text_remove(t, a, b);
}

bool
line_text_swap(struct line_text *t)
{
	const size_t end = t->at < t->bytes.len ? line_text_next(t) : t->at;
	struct buf first = { 0 };
	size_t middle, begin;

	middle = cell_prev(buf_str(&t->bytes), t->bytes.len, end);
	begin = cell_prev(buf_str(&t->bytes), t->bytes.len, middle);
	if (begin == middle)
		return false;
	buf_add(&first, t->bytes.data + begin, middle - begin);
	memmove(t->bytes.data + begin, t->bytes.data + middle, end - middle);
	memcpy(t->bytes.data + begin + (end - middle), first.data, first.len);
	t->at = end;
	buf_release(&first);
	return true;
}

size_t
line_text_next(const struct line_text *t)
{
	return cell_next(buf_str(&t->bytes), t->bytes.len, t->at);
}

size_t
line_text_prev(const struct line_text *t)
{
	return cell_prev(buf_str(&t->bytes), t->bytes.len, t->at);
}

/*
 * Whether the character at a position belongs to a word; bytes that the locale can't decode do
 * not.
 */
static bool
line_text_is_word(const struct line_text *t, size_t at)
{
	return iswalnum((wint_t)cell_at(t->bytes.data, t->bytes.len, at).c) != 0;
}

static bool
line_text_is_blank(const struct line_text *t, size_t at)
{
	return strchr(" \t\n", t->bytes.data[at]) != NULL && t->bytes.data[at] != '\0';
}

size_t
line_text_word_end(const struct line_text *t)
{
	size_t at = t->at;

	while (at < t->bytes.len && !line_text_is_word(t, at))
		at = cell_next(t->bytes.data, t->bytes.len, at);
	while (at < t->bytes.len && line_text_is_word(t, at))
		at = cell_next(t->bytes.data, t->bytes.len, at);
	return at;
}

/* Go back over what does not belong to a word, and then over what does. */
static size_t
line_text_back(const struct line_text *t, bool (*is_word)(const struct line_text *, size_t), bool wanted)
{
	size_t at = t->at, before;
	bool inside = false;

	while (at > 0) {
		before = cell_prev(t->bytes.data, t->bytes.len, at);
		if (is_word(t, before) == wanted)
			inside = true;
		else if (inside)
			break;
		at = before;
	}
	return at;
}

size_t
line_text_word_begin(const struct line_text *t)
{
	return line_text_back(t, line_text_is_word, true);
}

size_t
line_text_blank_begin(const struct line_text *t)
{
	return line_text_back(t, line_text_is_blank, false);
}

size_t
line_text_begin(const struct line_text *t)
{
	size_t at = t->at;

	while (at > 0 && t->bytes.data[at - 1] != '\n')
		at--;
	return at;
}

size_t
line_text_end(const struct line_text *t)
{
	size_t at = t->at;

	while (at < t->bytes.len && t->bytes.data[at] != '\n')
		at++;
	return at;
}
