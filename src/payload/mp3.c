/* SPDX-License-Identifier: MIT */
/*
 * MP3: frames of MPEG audio, layer III, with tags before and behind them.  Three frames in a row,
 * or all there are, tell it from other bytes.
 */
#include "base/base.h"

#include "payload/formats.h"

/* Tags of one file, and frames that are looked at. */
enum { MP3_TAGS = 8, MP3_FRAMES = 3 };

int64_t
payload_tags_before(struct payload *p)
{
	int64_t at = 0;

	for (int i = 0; i < MP3_TAGS; i++) {
		const uint8_t *b = payload_get(p, at, 32);

		if (b != NULL && memcmp(b, "ID3", 3) == 0 && ((b[6] | b[7] | b[8] | b[9]) & 0x80) == 0)
			/* 7 bits a byte; a flag says that the header comes again behind. */
			at += 10 + ((int64_t)b[6] << 21 | b[7] << 14 | b[8] << 7 | b[9]) + ((b[5] & 0x10) != 0 ? 10 : 0);
		else if (b != NULL && memcmp(b, "APETAGEX", 8) == 0 && (b[23] & 0x20) != 0)
			at += 32 + (int64_t)payload_le32(b + 12);
		else
			break;
	}
	return at;
}

/* Where a tag begins that ends at a position, or that position. */
static int64_t
mp3_tag_behind(struct payload *p, int64_t end)
{
	const uint8_t *b;
	int64_t len = 0;

	if (payload_is(p, end - 128, "TAG", 3))
		return end - 128;
	b = payload_get(p, end - 32, 32);
	if (b != NULL && memcmp(b, "APETAGEX", 8) == 0)
		return end - (int64_t)payload_le32(b + 12) - ((b[23] & 0x80) != 0 ? 32 : 0);
	b = payload_get(p, end - 15, 15);
	if (b == NULL || memcmp(b + 6, "LYRICS200", 9) != 0)
		return end;
	for (int i = 0; i < 6; i++) {
		if (b[i] < '0' || b[i] > '9')
			return end;
		len = len * 10 + (b[i] - '0');
	}
	return end - len - 15;
}

int64_t
payload_tags_behind(struct payload *p, int64_t begin)
{
	int64_t end = p->size;

	for (int i = 0; i < MP3_TAGS; i++) {
		const int64_t at = mp3_tag_behind(p, end);

		if (at >= end || at < begin)
			break;
		end = at;
	}
	return end;
}

/* The length of the frame with this header; 0: this is no header. */
static int
mp3_frame_len(const uint8_t *b)
{
	static const int rates[] = { 44100, 48000, 32000 };
	static const int kbits[2][15] = {
		{ 0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320 },
		{ 0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160 },
	};
	const int version = b[1] >> 3 & 3, kbit = b[2] >> 4, rate = b[2] >> 2 & 3;

	/* Version 3 is MPEG 1, 2 is MPEG 2, 0 is 2.5; layer 1 is III. */
	if (b[0] != 0xff || (b[1] & 0xe0) != 0xe0 || version == 1 || (b[1] >> 1 & 3) != 1 || kbit == 0 || kbit == 15 || rate == 3)
		return 0;
	return (version == 3 ? 144 : 72) * kbits[version != 3][kbit] * 1000 / (rates[rate] >> (version == 3 ? 0 : version == 2 ? 1 : 2)) + (b[2] >> 1 & 1);
}

bool
payload_mp3(struct payload *p)
{
	int64_t begin = payload_tags_before(p), at;
	const int64_t end = payload_tags_behind(p, begin);
	size_t n = 0;
	const uint8_t *b = payload_some(p, begin, &n);

	/* Some programs fill up behind a tag. */
	for (size_t i = 0; i < n && b[i] == 0; i++)
		begin++;
	at = begin;
	for (int i = 0; i < MP3_FRAMES && (i == 0 || at < end); i++) {
		b = payload_get(p, at, 4);
		if (b == NULL || mp3_frame_len(b) == 0 || at + mp3_frame_len(b) > end)
			return false;
		at += mp3_frame_len(b);
	}
	return payload_add(p, 1, begin, end - begin);
}
