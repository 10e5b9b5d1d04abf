/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/html.h"

/* Append text that is UTF-8.  U+FFFE and U+FFFF are no characters of XML. */
static void
html_escape(struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		switch (text[i]) {
		case '&': buf_adds(b, "&amp;"); break;
		case '<': buf_adds(b, "&lt;"); break;
		case '>': buf_adds(b, "&gt;"); break;
		case '"': buf_adds(b, "&quot;"); break;
		case '\'': buf_adds(b, "&#39;"); break;
		case '\xef':
			if (memcmp(text + i, "\xef\xbf\xbe", 3) == 0 || memcmp(text + i, "\xef\xbf\xbf", 3) == 0) {
				buf_addf(b, "\\xef\\xbf\\x%02x", (unsigned char)text[i + 2]);
				i += 2;
				break;
			}
			/* Fall through. */
		default: buf_addc(b, text[i]);
		}
	}
}

/* The bytes of the first n characters of text, of len bytes. */
static size_t
html_chars(const char *text, size_t len, size_t n)
{
	size_t at = 0;

	for (; at < len; at++) {
		if (((unsigned char)text[at] & 0xc0) != 0x80 && n-- == 0)
			break;
	}
	return at;
}

/* Append at most max characters of a text as shown; of a longer one the first and the last ones. */
static void
html_cut(struct buf *b, const char *text, size_t max, size_t last)
{
	struct buf shown = { 0 };
	size_t chars = 0, head, tail;

	name_show(&shown, text, strlen(text));
	for (size_t i = 0; i < shown.len; i++)
		chars += ((unsigned char)shown.data[i] & 0xc0) != 0x80;
	if (chars <= max)
		html_escape(b, buf_str(&shown), shown.len);
	else {
		head = html_chars(shown.data, shown.len, max - last - 1);
		tail = html_chars(shown.data, shown.len, chars - last);
		html_escape(b, shown.data, head);
		buf_adds(b, "…");
		html_escape(b, shown.data + tail, shown.len - tail);
	}
	buf_release(&shown);
}

void
html_add_cut(struct buf *b, const char *text, size_t max)
{
	html_cut(b, text, max, (max - 1) / 2);
}

void
html_add_begin(struct buf *b, const char *text, size_t max)
{
	html_cut(b, text, max, 0);
}

void
html_add(struct buf *b, const char *text)
{
	html_add_cut(b, text, (size_t)-1);
}

bool
html_add_exactly(struct buf *b, const char *text)
{
	const size_t len = strlen(text);

	if (name_is_hostile(text, len) || strstr(text, "\xef\xbf\xbe") != NULL || strstr(text, "\xef\xbf\xbf") != NULL)
		return false;
	html_escape(b, text, len);
	return true;
}
