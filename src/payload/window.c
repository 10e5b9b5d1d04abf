/* SPDX-License-Identifier: MIT */
/*
 * The window is filled from where a parser looks, so what it passes in small steps is read once.
 */
#include "base/base.h"

#include "payload/window.h"

void
payload_init(struct payload *p, int64_t (*read)(void *arg, void *buf, size_t n, int64_t at), void *arg, int64_t size)
{
	memset(p, 0, sizeof(*p));
	p->read = read;
	p->arg = arg;
	p->size = size;
	p->window = mem_alloc(PAYLOAD_WINDOW);
}

void
payload_release(struct payload *p)
{
	vec_release(&p->parts);
	free(p->window);
	p->window = NULL;
}

/* Have n bytes at a position in the window.  Returns how many there are from there on. */
static size_t
payload_fill(struct payload *p, int64_t at, size_t n)
{
	const int64_t behind = p->window_at + (int64_t)p->window_len;
	int64_t got;

	assert(n > 0 && n <= PAYLOAD_WINDOW);
	if (at < 0 || at >= p->size || p->error != 0)
		return 0;
	if (at >= p->window_at && at < behind && ((size_t)(behind - at) >= n || behind == p->size))
		return (size_t)(behind - at);
	p->window_at = at;
	p->window_len = 0;
	got = p->read(p->arg, p->window, PAYLOAD_WINDOW, at);
	if (got < 0)
		p->error = errno;
	else
		/* What the file has got since its size was taken does not count. */
		p->window_len = (size_t)(got > p->size - at ? p->size - at : got);
	return p->window_len;
}

const uint8_t *
payload_get(struct payload *p, int64_t at, size_t n)
{
	return payload_fill(p, at, n) >= n ? p->window + (at - p->window_at) : NULL;
}

const uint8_t *
payload_some(struct payload *p, int64_t at, size_t *n)
{
	*n = payload_fill(p, at, 1);
	return *n > 0 ? p->window + (at - p->window_at) : NULL;
}

bool
payload_is(struct payload *p, int64_t at, const char *bytes, size_t n)
{
	const uint8_t *b = payload_get(p, at, n);

	return b != NULL && memcmp(b, bytes, n) == 0;
}

bool
payload_add(struct payload *p, uint32_t kind, int64_t at, int64_t len)
{
	struct payload_part *last = p->parts.n > 0 ? &p->parts.v[p->parts.n - 1] : NULL;

	assert(at >= 0);
	if (len < 0 || at > p->size || len > p->size - at)
		return false;
	if (last != NULL && last->kind == kind && last->at + last->len == at)
		last->len += len;
	else if (len > 0)
		vec_push(&p->parts, ((struct payload_part){ at, len, kind }));
	return true;
}
