/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/quote.h"

/* Append the escape for a byte or a code point below U+10000. */
static void
add_escape(struct buf *b, unsigned code)
{
	static const char digits[] = "0123456789abcdef";
	char text[6] = { '\\', 'u', digits[code >> 12 & 15], digits[code >> 8 & 15],
	                 digits[code >> 4 & 15], digits[code & 15] };

	switch (code) {
	case '"':
	case '\\':
		buf_addc(b, '\\');
		buf_addc(b, (char)code);
		return;
	case '\n':
		buf_adds(b, "\\n");
		return;
	case '\t':
		buf_adds(b, "\\t");
		return;
	case '\r':
		buf_adds(b, "\\r");
		return;
	default:
		buf_add(b, text, sizeof(text));
	}
}

/*
 * The code point at s if it should be escaped, else 0; *len is its length
 * either way.  s is valid UTF-8 and ends with a NUL.
 */
static unsigned
code_to_escape(const unsigned char *s, size_t *len)
{
	unsigned code;

	if (*s < 0x80) {
		*len = 1;
		return *s < 0x20 || *s == '"' || *s == '\\' || *s == 0x7f ? *s : 0;
	}
	if (*s < 0xe0) {
		*len = 2;
		code = (*s & 0x1fu) << 6 | (s[1] & 0x3fu);
		return code < 0xa0 || code == 0x61c ? code : 0;
	}
	if (*s < 0xf0) {
		*len = 3;
		code = (*s & 0xfu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
		/*
		 * U+2028 and U+2029, legal in JSON, break JavaScript; the others turn text
		 * around.
		 */
		return code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
		       (code >= 0x2066 && code <= 0x2069) || code == 0xfeff ? code : 0;
	}
	*len = 4;
	return 0;
}

void
quote_json(struct buf *b, const char *s, size_t len)
{
	const char *end = s + len, *plain = s;
	unsigned code;
	size_t n;

	assert(*end == '\0');
	buf_addc(b, '"');
	while (s < end) {
		code = code_to_escape((const unsigned char *)s, &n);
		if (code != 0) {
			buf_add(b, plain, (size_t)(s - plain));
			add_escape(b, code);
			plain = s + n;
		}
		s += n;
	}
	buf_add(b, plain, (size_t)(s - plain));
	buf_addc(b, '"');
}

void
quote_csv(struct buf *b, const char *s, size_t len)
{
	const char *quote;
	size_t n;

	buf_addc(b, '"');
	while ((quote = memchr(s, '"', len)) != NULL) {
		n = (size_t)(quote - s) + 1;
		buf_add(b, s, n);
		buf_addc(b, '"');
		s += n;
		len -= n;
	}
	buf_add(b, s, len);
	buf_addc(b, '"');
}

bool
quote_sh_is_plain(const char *s)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._~+,@%:=-";

	return s[strspn(s, plain)] == '\0';
}

void
quote_sh(struct buf *b, const char *s)
{
	buf_addc(b, '\'');
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			buf_adds(b, "'\\''");
		else
			buf_addc(b, *s);
	}
	buf_addc(b, '\'');
}

void
quote_sh_word(struct buf *b, const char *s)
{
	if (*s != '\0' && quote_sh_is_plain(s))
		buf_adds(b, s);
	else
		quote_sh(b, s);
}
