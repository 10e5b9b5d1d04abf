/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/cell.h"

/* The columns of a byte that is shown escaped. */
static int
cell_byte_columns(unsigned char byte)
{
	return byte < 0x20 || byte == 0x7f ? 2 : 4;
}

struct cell
cell_at(const char *text, size_t len, size_t at)
{
	const unsigned char byte = (unsigned char)text[at];
	struct cell c = { .len = 1, .c = byte, .columns = 1, .kind = CELL_PLAIN };
	mbstate_t state = { 0 };
	size_t n;

	assert(at < len);
	if (byte == '\n' || byte == '\t')
		return (struct cell){ .len = 1, .c = byte, .kind = byte == '\n' ? CELL_NEWLINE : CELL_TAB };
	if (byte >= 0x20 && byte < 0x7f)
		return c;
	n = mbrtowc(&c.c, text + at, len - at, &state);
	if (n == 0 || n >= (size_t)-2) {
		c.c = L'\0';
		c.columns = -1;
		n = 1;
	} else
		c.columns = wcwidth(c.c);
	c.len = n;
	/* Those that turn the direction of writing have no columns either. */
	if (c.columns >= 1 || (c.columns == 0 && !name_is_hostile(text + at, n)))
		return c;
	c.kind = CELL_ESCAPED;
	c.columns = 0;
	for (size_t i = 0; i < n; i++)
		c.columns += cell_byte_columns((unsigned char)text[at + i]);
	return c;
}

void
cell_escape(struct buf *b, const char *text, const struct cell *c)
{
	for (size_t i = 0; i < c->len; i++) {
		const unsigned char byte = (unsigned char)text[i];

		if (cell_byte_columns(byte) == 2)
			buf_addf(b, "^%c", byte ^ 0x40);
		else
			buf_addf(b, "\\x%02x", byte);
	}
}
