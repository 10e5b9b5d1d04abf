/* SPDX-License-Identifier: MIT */
#include "base/base.h"

static const char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void
base64_add(struct buf *b, const char *data, size_t len)
{
	const unsigned char *in = (const unsigned char *)data;
	unsigned v;
	char quad[4];
	size_t i;

	for (i = 0; i < len; i += 3) {
		v = (unsigned)in[i] << 16;
		if (i + 1 < len)
			v |= (unsigned)in[i + 1] << 8;
		if (i + 2 < len)
			v |= in[i + 2];
		quad[0] = base64_digits[v >> 18];
		quad[1] = base64_digits[v >> 12 & 63];
		quad[2] = i + 1 < len ? base64_digits[v >> 6 & 63] : '=';
		quad[3] = i + 2 < len ? base64_digits[v & 63] : '=';
		buf_add(b, quad, sizeof(quad));
	}
}

int
base64_take(struct buf *b, const char *text, size_t len)
{
	size_t end = len;

	if (len == 0 || len % 4 != 0)
		return -1;
	while (end > len - 2 && text[end - 1] == '=')
		end--;
	for (size_t i = 0; i < end; i += 4) {
		const size_t n = end - i < 4 ? end - i : 4;
		uint32_t bits = 0;

		for (size_t j = 0; j < 4; j++) {
			const char *digit = j < n && text[i + j] != '\0' ? strchr(base64_digits, text[i + j]) : NULL;

			if (j < n && digit == NULL)
				return -1;
			bits = bits << 6 | (digit != NULL ? (uint32_t)(digit - base64_digits) : 0);
		}
		for (size_t j = 0; j + 1 < n; j++)
			buf_addc(b, (char)(bits >> (16 - 8 * j) & 0xff));
	}
	return 0;
}
