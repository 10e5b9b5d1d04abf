/* SPDX-License-Identifier: MIT */
/*
 * JPEG (ITU T.81, annex B): segments FF xx LENGTH; behind each SOS entropy-coded data, in which FF
 * is followed by 00 or by a restart marker.  What lies behind EOI is no tag: the film of a motion
 * photo, for example.
 */
#include "base/base.h"

#include "payload/formats.h"

enum { JPEG_SOI = 0xd8, JPEG_EOI = 0xd9, JPEG_SOS = 0xda, JPEG_APP0 = 0xe0, JPEG_APP14 = 0xee, JPEG_APP15 = 0xef, JPEG_COM = 0xfe };

/* Kinds of parts. */
enum { JPEG_PICTURE = 1, JPEG_BEHIND };

/* Where the entropy-coded data at a position end; -1: the file ends there. */
static int64_t
jpeg_data_end(struct payload *p, int64_t at)
{
	while (true) {
		size_t n;
		const uint8_t *b = payload_some(p, at, &n), *ff;

		if (b == NULL)
			return -1;
		ff = memchr(b, 0xff, n);
		at += ff != NULL ? ff - b : (int64_t)n;
		if (ff == NULL)
			continue;
		b = payload_get(p, at, 2);
		if (b == NULL)
			return -1;
		if (b[1] == 0xff)
			at++;
		else if (b[1] == 0 || (b[1] >= 0xd0 && b[1] <= 0xd7))
			at += 2;
		else
			return at;
	}
}

bool
payload_jpeg(struct payload *p)
{
	bool frame = false, scan = false, is_tag;
	int64_t at = 2;

	while (true) {
		const uint8_t *b = payload_get(p, at, 2);
		int marker, len;

		if (b == NULL || b[0] != 0xff)
			return false;
		if (b[1] == 0xff) {
			at++;
			continue;
		}
		marker = b[1];
		if (marker == JPEG_EOI)
			return scan && payload_add(p, JPEG_BEHIND, at + 2, p->size - at - 2);
		/* Others of these have no length, and no place here. */
		if (marker < 0xc0 || (marker >= 0xd0 && marker <= JPEG_SOI))
			return false;
		b = payload_get(p, at + 2, 2);
		len = b != NULL ? b[0] << 8 | b[1] : 0;
		if (len < 2 || at + 2 + len > p->size)
			return false;
		is_tag = marker == JPEG_COM || (marker >= JPEG_APP0 && marker <= JPEG_APP15 &&
		                                !(marker == JPEG_APP14 && payload_is(p, at + 4, "Adobe", 5)));
		if (!is_tag && !payload_add(p, JPEG_PICTURE, at, 2 + len))
			return false;
		frame |= marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
		at += 2 + len;
		if (marker == JPEG_SOS) {
			const int64_t end = frame ? jpeg_data_end(p, at) : -1;

			if (end < 0 || !payload_add(p, JPEG_PICTURE, at, end - at))
				return false;
			scan = true;
			at = end;
		}
	}
}
