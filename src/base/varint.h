/* SPDX-License-Identifier: MIT */
/* varint - numbers of 7 bits a byte, the lowest first: for Thrift, Parquet and the names. */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H

/** Append a number. */
static inline void
varint_add(struct buf *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_addc(out, (char)(v | 0x80));
	buf_addc(out, (char)v);
}

/** Write a number to room for 10 bytes.  Returns how many it took. */
static inline size_t
varint_put(char *to, uint64_t v)
{
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		to[n++] = (char)(v | 0x80);
	to[n++] = (char)v;
	return n;
}

/**
 * Read a number that begins at *at and ends before end, and move *at behind it.  Returns whether
 * there is one.
 */
static inline bool
varint_read(const unsigned char **at, const unsigned char *end, uint64_t *v)
{
	unsigned shift = 0;

	*v = 0;
	for (; *at < end && shift < 64; shift += 7) {
		const uint64_t low = **at & 0x7f;

		/* The tenth byte has room for one bit. */
		if (low << shift >> shift != low)
			return false;
		*v |= low << shift;
		if ((*(*at)++ & 0x80) == 0)
			return true;
	}
	return false;
}

#endif
