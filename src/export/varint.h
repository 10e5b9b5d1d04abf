/* SPDX-License-Identifier: MIT */
/* varint - numbers of 7 bits a byte, the lowest first, as Thrift and Parquet have them. */
#ifndef EXPORT_VARINT_H
#define EXPORT_VARINT_H

/** Append a number. */
static inline void
varint_add(struct buf *out, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_addc(out, (char)(v | 0x80));
	buf_addc(out, (char)v);
}

#endif
