/* SPDX-License-Identifier: MIT */
#include "base/base.h"

/* The first allocation: most paths and lines fit. */
#define BUF_FIRST 64

void
buf_reserve(struct buf *b, size_t more)
{
	size_t need, cap;

	/* A sum that overflows becomes a size that no allocation grants. */
	need = more < SIZE_MAX - b->len ? b->len + more + 1 : SIZE_MAX;
	if (need > b->cap) {
		cap = b->cap < SIZE_MAX / 2 ? b->cap * 2 : SIZE_MAX;
		if (cap < BUF_FIRST)
			cap = BUF_FIRST;
		if (cap < need)
			cap = need;
		b->data = mem_resize(b->data, cap, 1);
		b->cap = cap;
	}
	b->data[b->len] = '\0';
}

void
buf_add(struct buf *b, const void *data, size_t len)
{
	if (!len)
		return;
	buf_reserve(b, len);
	memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void
buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void
buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_add_hex(struct buf *b, const void *data, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *bytes = data;

	buf_reserve(b, 2 * len);
	for (size_t i = 0; i < len; i++) {
		b->data[b->len++] = digits[bytes[i] >> 4];
		b->data[b->len++] = digits[bytes[i] & 15];
	}
	b->data[b->len] = '\0';
}

void
buf_add_uint(struct buf *b, uint64_t n)
{
	char text[20];
	size_t at = sizeof(text);

	do
		text[--at] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	buf_add(b, text + at, sizeof(text) - at);
}

void
buf_add_int(struct buf *b, int64_t n)
{
	if (n < 0)
		buf_addc(b, '-');
	buf_add_uint(b, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

int
buf_add_unhex(struct buf *b, const char *text, size_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i += 2) {
		const char *high = memchr(digits, text[i], 16), *low = i + 1 < len ? memchr(digits, text[i + 1], 16) : NULL;

		if (high == NULL || low == NULL)
			return -1;
		buf_addc(b, (char)((high - digits) << 4 | (low - digits)));
	}
	return 0;
}

void
buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	size_t room;
	int len;

	buf_reserve(b, 0);
	room = b->cap - b->len;
	va_copy(again, ap);
	len = vsnprintf(b->data + b->len, room, fmt, ap);
	assert(len >= 0);
	if ((size_t)len >= room) {
		buf_reserve(b, (size_t)len);
		vsnprintf(b->data + b->len, (size_t)len + 1, fmt, again);
	}
	va_end(again);
	b->len += (size_t)len;
}

void
buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void
buf_cut(struct buf *b, size_t len)
{
	assert(len <= b->len);
	b->len = len;
	if (b->data)
		b->data[len] = '\0';
}

const char *
buf_str(const struct buf *b)
{
	return b->data ? b->data : "";
}

void
buf_fit(struct buf *b)
{
	if (b->data == NULL)
		return;
	b->cap = b->len + 1;
	b->data = mem_resize(b->data, b->cap, 1);
	b->data[b->len] = '\0';
}

char *
buf_take(struct buf *b)
{
	char *s;

	buf_reserve(b, 0);
	s = b->data;
	*b = (struct buf){ 0 };
	return s;
}

void
buf_release(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ 0 };
}
