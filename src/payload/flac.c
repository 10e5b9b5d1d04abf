/* SPDX-License-Identifier: MIT */
/*
 * FLAC (RFC 9639): "fLaC", then blocks of metadata, of which the first is STREAMINFO, then frames.
 * Its MD5 of all samples would be enough for a file that is whole; one that was cut short has it as
 * well, so the frames are payload, too.
 */
#include "base/base.h"

#include "payload/formats.h"

enum { FLAC_INFO_LEN = 34, FLAC_INFO_RATE = 10 };

bool
payload_flac(struct payload *p)
{
	const int64_t begin = payload_tags_before(p) + 4;
	const uint8_t *b;
	int64_t at = begin, end;
	bool last = false;

	while (!last) {
		uint32_t len;

		b = payload_get(p, at, 4);
		if (b == NULL)
			return false;
		last = (b[0] & 0x80) != 0;
		len = payload_be32(b) & 0xffffff;
		if ((at == begin) != ((b[0] & 0x7f) == 0) || (at == begin && len != FLAC_INFO_LEN) || (b[0] & 0x7f) == 0x7f)
			return false;
		/* Behind the sizes of blocks and frames: the rate of samples and what follows. */
		if (at == begin && !payload_add(p, 1, at + 4 + FLAC_INFO_RATE, FLAC_INFO_LEN - FLAC_INFO_RATE))
			return false;
		at += 4 + (int64_t)len;
	}
	b = payload_get(p, at, 2);
	if (b == NULL || b[0] != 0xff || (b[1] & 0xfe) != 0xf8)
		return false;
	end = payload_tags_behind(p, at);
	return end > at && payload_add(p, 2, at, end - at);
}
