/* SPDX-License-Identifier: MIT */
/*
 * MP4 and MOV (ISO/IEC 14496-12): boxes SIZE TYPE, a size of 1 followed by one of 8 bytes, one of 0
 * up to the end of the file.  Tags lie in moov and udta, samples in mdat.
 */
#include "base/base.h"

#include "payload/formats.h"

/* The size of the box at a position, and of its header; -1: it is broken or cut short. */
static int64_t
mp4_box(struct payload *p, int64_t at, int64_t *header)
{
	const uint8_t *b = payload_get(p, at, 8);
	uint64_t size;

	if (b == NULL)
		return -1;
	size = payload_be32(b);
	*header = 8;
	if (size == 0)
		size = (uint64_t)(p->size - at);
	else if (size == 1) {
		b = payload_get(p, at + 8, 8);
		if (b == NULL)
			return -1;
		size = (uint64_t)payload_be32(b) << 32 | payload_be32(b + 4);
		*header = 16;
	}
	return size < (uint64_t)*header || size > (uint64_t)(p->size - at) ? -1 : (int64_t)size;
}

bool
payload_mp4(struct payload *p)
{
	bool moov = false;
	int64_t at = 0;

	while (at < p->size) {
		int64_t header = 0;
		const int64_t size = mp4_box(p, at, &header);

		if (size < 0)
			return false;
		moov |= payload_is(p, at + 4, "moov", 4);
		if (payload_is(p, at + 4, "mdat", 4) && !payload_add(p, 1, at + header, size - header))
			return false;
		at += size;
	}
	return moov && p->parts.n > 0;
}
