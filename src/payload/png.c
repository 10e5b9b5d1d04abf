/* SPDX-License-Identifier: MIT */
/*
 * PNG (third edition): chunks LENGTH TYPE DATA CRC.  Those whose type begins with a capital letter
 * are critical; tRNS, and acTL, fcTL and fdAT of animations, change what is seen, too.  How the
 * data are divided among chunks in a row does not matter.  What lies behind IEND is no tag.
 */
#include "base/base.h"

#include "payload/formats.h"

static uint32_t
png_type(const char type[4])
{
	return payload_be32((const uint8_t *)type);
}

static bool
png_is_payload(uint32_t type)
{
	static const char types[][5] = { "IHDR", "PLTE", "IDAT", "tRNS", "acTL", "fcTL", "fdAT" };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (png_type(types[i]) == type)
			return true;
	}
	return false;
}

bool
payload_png(struct payload *p)
{
	bool data = false;

	for (int64_t at = 8;;) {
		const uint8_t *b = payload_get(p, at, 8);
		uint32_t len, type;

		if (b == NULL)
			return false;
		len = payload_be32(b);
		type = payload_be32(b + 4);
		if ((at == 8) != (type == png_type("IHDR") && len == 13) || (int64_t)len > p->size - at - 12)
			return false;
		if (type == png_type("IEND"))
			return data && payload_add(p, type, at + 12 + len, p->size - at - 12 - len);
		/* A critical chunk that is not known may mean anything. */
		if (!png_is_payload(type) && (b[4] & 0x20) == 0)
			return false;
		if (png_is_payload(type) && !payload_add(p, type, at + 8, len))
			return false;
		data |= type == png_type("IDAT");
		at += 12 + (int64_t)len;
	}
}
