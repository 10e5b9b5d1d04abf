/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "shell/line_key.h"

/*
 * Behind ESC [ or ESC O: parameters and the last byte.  Those of xterm, VT220, rxvt, Linux and
 * screen.
 */
static const struct {
	const char *sequence;
	enum line_key key;
} line_sequences[] = {
	{ "A", KEY_UP }, { "B", KEY_DOWN }, { "C", KEY_RIGHT }, { "D", KEY_LEFT }, { "H", KEY_HOME }, { "F", KEY_END },
	{ "1~", KEY_HOME }, { "7~", KEY_HOME }, { "4~", KEY_END }, { "8~", KEY_END }, { "3~", KEY_DELETE },
	{ "5~", KEY_PAGE_UP }, { "6~", KEY_PAGE_DOWN }, { "200~", KEY_PASTE },
	{ "1;5C", KEY_WORD_RIGHT }, { "1;5D", KEY_WORD_LEFT }, { "1;3C", KEY_WORD_RIGHT }, { "1;3D", KEY_WORD_LEFT },
	{ "5C", KEY_WORD_RIGHT }, { "5D", KEY_WORD_LEFT }, { "c", KEY_WORD_RIGHT }, { "d", KEY_WORD_LEFT },
};

int
line_key_of(struct line_sequence *s, char byte)
{
	/* ESC within a sequence begins another one; ESC ESC is one with Alt. */
	if (byte == KEY_ESC) {
		s->len = 0;
		return -1;
	}
	if (s->len == 0 && byte != '[' && byte != 'O')
		return KEY_META + (unsigned char)byte;
	if (s->len < (int)sizeof(s->bytes) - 1)
		s->bytes[s->len++] = byte;
	if (s->len == 1)
		return -1;
	/* The function keys of the Linux console: ESC [ [ A. */
	if (s->len == 2 && byte == '[' && s->bytes[0] == '[')
		return -1;
	if (byte >= 0x20 && byte < 0x40)
		return -1;
	s->bytes[s->len] = '\0';
	for (size_t i = 0; i < sizeof(line_sequences) / sizeof(line_sequences[0]); i++) {
		if (strcmp(s->bytes + 1, line_sequences[i].sequence) == 0)
			return line_sequences[i].key;
	}
	return KEY_UNKNOWN;
}

bool
line_key_ends_paste(size_t *at, char byte)
{
	static const char end[LINE_KEY_PASTE_END + 1] = "\033[201~";

	*at = byte == end[*at] ? *at + 1 : byte == end[0];
	return *at == LINE_KEY_PASTE_END;
}
