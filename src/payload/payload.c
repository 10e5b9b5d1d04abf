/* SPDX-License-Identifier: MIT */
/*
 * The hash is of the parts' bytes, each run of one kind followed by 12 bytes: its kind and length.
 */
#include "base/base.h"

#include "payload/payload.h"

#include <strings.h>

#include "payload/formats.h"

const char *
payload_format_name(enum payload_format format)
{
	static const char *const names[PAYLOAD_FORMATS] = { "", "jpeg", "png", "flac", "mp3", "mp4" };

	return names[format];
}

bool
payload_may(const char *name)
{
	static const char *const known[] = { "jpg", "jpeg", "jpe", "png", "apng", "flac", "mp3", "mp4", "m4a", "m4b", "m4v", "mov", "3gp" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot != NULL && i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcasecmp(dot + 1, known[i]) == 0)
			return true;
	}
	return false;
}

/* The format that a file begins as. */
static enum payload_format
payload_guess(struct payload *p)
{
	static const char *const boxes[] = { "ftyp", "moov", "mdat", "wide", "free", "skip", "pnot" };
	const uint8_t *b;

	if (payload_is(p, 0, "\xff\xd8\xff", 3))
		return PAYLOAD_JPEG;
	if (payload_is(p, 0, "\x89PNG\r\n\x1a\n", 8))
		return PAYLOAD_PNG;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		if (payload_is(p, 4, boxes[i], 4))
			return PAYLOAD_MP4;
	}
	if (payload_is(p, payload_tags_before(p), "fLaC", 4))
		return PAYLOAD_FLAC;
	b = payload_get(p, 0, 2);
	return b != NULL && (payload_tags_before(p) > 0 || (b[0] == 0xff && b[1] >= 0xe0)) ? PAYLOAD_MP3 : PAYLOAD_NONE;
}

enum payload_format
payload_parse(struct payload *p)
{
	static bool (*const parsers[PAYLOAD_FORMATS])(struct payload *p) = {
		NULL, payload_jpeg, payload_png, payload_flac, payload_mp3, payload_mp4,
	};
	const enum payload_format format = payload_guess(p);

	p->parts.n = 0;
	if (format == PAYLOAD_NONE || !parsers[format](p) || p->error != 0) {
		p->parts.n = 0;
		return PAYLOAD_NONE;
	}
	return format;
}

/* Add the bytes of a part to a hash. */
static int
payload_hash_part(struct payload *p, struct content_sum *sum, const struct payload_part *part)
{
	int64_t at = part->at;
	size_t n;

	while (at < part->at + part->len) {
		const int64_t left = part->at + part->len - at;
		const uint8_t *b = payload_some(p, at, &n);

		if (b == NULL)
			return -1;
		n = (int64_t)n > left ? (size_t)left : n;
		content_sum_add(sum, b, n);
		at += (int64_t)n;
	}
	return 0;
}

/* Add the end of a run of parts of one kind to a hash. */
static void
payload_hash_end(struct content_sum *sum, uint32_t kind, int64_t len)
{
	uint8_t end[12];

	for (int i = 0; i < 4; i++)
		end[i] = (uint8_t)(kind >> (24 - 8 * i));
	for (int i = 0; i < 8; i++)
		end[4 + i] = (uint8_t)((uint64_t)len >> (56 - 8 * i));
	content_sum_add(sum, end, sizeof(end));
}

int
payload_hash(struct payload *p, enum payload_format format, const uint8_t *secret, uint8_t hash[HASH_SIZE], int64_t *bytes)
{
	struct content_sum *sum = content_sum_new(secret);
	int64_t run = 0;
	int ret = 0;

	*bytes = 0;
	for (size_t i = 0; ret == 0 && i < p->parts.n; i++) {
		const struct payload_part *part = &p->parts.v[i];

		ret = payload_hash_part(p, sum, part);
		run += part->len;
		*bytes += part->len;
		if (i + 1 == p->parts.n || p->parts.v[i + 1].kind != part->kind) {
			payload_hash_end(sum, part->kind, run);
			run = 0;
		}
	}
	payload_hash_end(sum, (uint32_t)format, *bytes);
	content_sum_end(sum, hash);
	return ret;
}
