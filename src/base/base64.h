/* SPDX-License-Identifier: MIT */
/* base64 - bytes as text: RFC 4648, section 4, padded. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

struct buf;

/** Append len bytes as text. */
void base64_add(struct buf *b, const char *data, size_t len);

/** Decode len characters of text and append the bytes.  Returns 0, or -1: text is not base64. */
int base64_take(struct buf *b, const char *text, size_t len);

#endif
