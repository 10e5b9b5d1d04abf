/* SPDX-License-Identifier: MIT */
/*
 * Hides UTF-8: all functions walk over a name with name_utf8_decode, which tells
 * characters from invalid bytes.
 *
 *	stored   as text in the index: "/xHH" for an invalid byte (name_store)
 *	shown    on a terminal: "\xHH" for what it might act on (name_show)
 *	folded   to compare without case (name_fold)
 *
 * Nearly all names are ASCII: name_is_utf8 tests eight bytes at once.
 */
#include "base/base.h"

#include <wctype.h>

/*
 * Returns the length of the valid UTF-8 sequence at s, with its character, or
 * 0.  The table of Unicode 15, 3-7: only the second byte's range depends on
 * the first one; it excludes overlong forms, surrogates and what lies beyond
 * U+10FFFF.
 */
static size_t
name_utf8_decode(const unsigned char *s, size_t len, uint32_t *c)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t n;

	if (s[0] < 0x80) {
		*c = s[0];
		return 1;
	} else if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		n = 2;
		*c = s[0] & 0x1f;
	} else if (s[0] >= 0xe0 && s[0] <= 0xef) {
		n = 3;
		*c = s[0] & 0x0f;
		if (s[0] == 0xe0)
			low = 0xa0;
		else if (s[0] == 0xed)
			high = 0x9f;
	} else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		n = 4;
		*c = s[0] & 0x07;
		if (s[0] == 0xf0)
			low = 0x90;
		else if (s[0] == 0xf4)
			high = 0x8f;
	} else {
		return 0;
	}
	if (len < n)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if (s[i] < low || s[i] > high)
			return 0;
		*c = *c << 6 | (s[i] & 0x3f);
		low = 0x80;
		high = 0xbf;
	}
	return n;
}

/*
 * Whether a terminal could act on the character, reorder text because of it, or not show it, so
 * that two names look the same.  Joiners (U+200C-D) and variation selectors are not harmful:
 * scripts and emoji need them, and show their effect.
 */
static bool
name_is_harmful(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x061c || c == 0x180e || c == 0x200b || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0x3164 || c == 0xfeff || c == 0xffa0;
}

static void
name_add_escape(struct buf *b, const char *mark, unsigned char byte)
{
	buf_adds(b, mark);
	buf_add_hex(b, &byte, 1);
}

/* Whether eight bytes are ASCII without NUL: neither they nor they less 1 have a high bit. */
static bool
name_is_ascii8(const unsigned char *s)
{
	uint64_t w;

	memcpy(&w, s, sizeof(w));
	return ((w | (w - 0x0101010101010101u)) & 0x8080808080808080u) == 0;
}

bool
name_is_utf8(const char *name, size_t len)
{
	const unsigned char *s = (const unsigned char *)name;
	uint32_t c;

	for (size_t i = 0, n; i < len; i += n) {
		n = 8;
		if (len - i >= n && name_is_ascii8(s + i))
			continue;
		/* The last eight bytes cover the rest. */
		if (len >= n && len - i < n && name_is_ascii8(s + len - n))
			return true;
		n = name_utf8_decode(s + i, len - i, &c);
		if (!n || !c)
			return false;
	}
	return true;
}

bool
name_is_entry(const char *name, size_t len)
{
	return len > 0 && memchr(name, '/', len) == NULL && memchr(name, '\0', len) == NULL &&
	       !(name[0] == '.' && (len == 1 || (len == 2 && name[1] == '.')));
}

void
name_store(struct buf *b, const char *name, size_t len)
{
	const unsigned char *s = (const unsigned char *)name;
	uint32_t c;

	if (name_is_utf8(name, len)) {
		buf_add(b, name, len);
		return;
	}
	for (size_t i = 0, n; i < len; i += n) {
		n = name_utf8_decode(s + i, len - i, &c);
		if (n && c) {
			buf_add(b, s + i, n);
		} else {
			name_add_escape(b, "/x", s[i]);
			n = 1;
		}
	}
}

/* The letter that name_show writes after a backslash for c, or 0 if it has none. */
static char
name_letter_of(uint32_t c)
{
	switch (c) {
	case '\n':
		return 'n';
	case '\t':
		return 't';
	case '\r':
		return 'r';
	default:
		return 0;
	}
}

static void
name_add_shown(struct buf *b, const char *text, size_t len, bool escape_backslash)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t c = 0;

	for (size_t i = 0, n; i < len; i += n) {
		/* Most names are plain ASCII. */
		for (n = 0; i + n < len && s[i + n] >= 0x20 && s[i + n] < 0x7f && s[i + n] != '\\';)
			n++;
		if (n > 0) {
			buf_add(b, s + i, n);
			continue;
		}
		n = name_utf8_decode(s + i, len - i, &c);
		if (n && name_letter_of(c)) {
			buf_addc(b, '\\');
			buf_addc(b, name_letter_of(c));
		} else if (!n || name_is_harmful(c)) {
			n = n ? n : 1;
			for (size_t k = 0; k < n; k++)
				name_add_escape(b, "\\x", s[i + k]);
		} else {
			if (c == '\\' && escape_backslash)
				buf_addc(b, '\\');
			buf_add(b, s + i, n);
		}
	}
}

void
name_show(struct buf *b, const char *name, size_t len)
{
	name_add_shown(b, name, len, true);
}

void
name_show_message(struct buf *b, const char *text, size_t len)
{
	name_add_shown(b, text, len, false);
}

bool
name_is_hostile(const char *text, size_t len)
{
	struct buf shown = { 0 };
	bool hostile;

	name_show_message(&shown, text, len);
	hostile = shown.len != len;
	buf_release(&shown);
	return hostile;
}

/* Append a character in UTF-8. */
static void
name_utf8_encode(struct buf *b, uint32_t c)
{
	const char tail[3] = { (char)(0x80 | (c >> 12 & 0x3f)), (char)(0x80 | (c >> 6 & 0x3f)), (char)(0x80 | (c & 0x3f)) };

	if (c < 0x80) {
		buf_addc(b, (char)c);
	} else if (c < 0x800) {
		buf_addc(b, (char)(0xc0 | c >> 6));
		buf_add(b, tail + 2, 1);
	} else if (c < 0x10000) {
		buf_addc(b, (char)(0xe0 | c >> 12));
		buf_add(b, tail + 1, 2);
	} else {
		buf_addc(b, (char)(0xf0 | c >> 18));
		buf_add(b, tail, 3);
	}
}

void
name_fold(struct buf *b, const char *name, size_t len)
{
	const unsigned char *s = (const unsigned char *)name;
	uint32_t c;

	for (size_t i = 0, n; i < len; i += n) {
		n = name_utf8_decode(s + i, len - i, &c);
		if (n == 1) {
			buf_addc(b, (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c));
		} else if (n == 0) {
			buf_addc(b, (char)s[i]);
			n = 1;
		} else {
			name_utf8_encode(b, (uint32_t)towlower((wint_t)c));
		}
	}
}

/* The value of a lower case hexadecimal digit, or -1. */
static int
name_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Read the escape at s, a backslash.  Returns its length, or 0 when name_show
 * writes no such escape: \x41, for example, is not how it shows an A.
 */
static size_t
name_read_escape(const char *s, size_t len, char *byte)
{
	static const char letters[] = "\\ntr", bytes[] = "\\\n\t\r";
	const char *letter;
	int high, low, value;

	if (len < 2)
		return 0;
	letter = memchr(letters, s[1], sizeof(letters) - 1);
	if (letter) {
		*byte = bytes[letter - letters];
		return 2;
	}
	if (s[1] != 'x' || len < 4)
		return 0;
	high = name_digit(s[2]);
	low = name_digit(s[3]);
	if (high < 0 || low < 0)
		return 0;
	value = high << 4 | low;
	if ((value >= 0x20 && value < 0x7f) || name_letter_of((uint32_t)value))
		return 0;
	*byte = (char)value;
	return 4;
}

int
name_unshow(struct buf *b, const char *text, size_t len)
{
	const size_t start = b->len;
	char byte;

	for (size_t i = 0, n; i < len; i += n) {
		n = 1;
		byte = text[i];
		if (byte == '\\')
			n = name_read_escape(text + i, len - i, &byte);
		if (!n) {
			buf_cut(b, start);
			return -1;
		}
		buf_addc(b, byte);
	}
	return 0;
}
