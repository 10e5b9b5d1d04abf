/* SPDX-License-Identifier: MIT */
/* buf - a growable byte buffer, always followed by a NUL that its length does not count. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

/** Embed it, zeroed; buf_release() returns it to that state. */
struct buf {
	char *data;   /* NULL until something was added */
	size_t len;
	size_t cap;
};

/** Make room for at least more further bytes (and the NUL). */
void buf_reserve(struct buf *b, size_t more);
/** Append len bytes. */
void buf_add(struct buf *b, const void *data, size_t len);
/** Append one byte. */
void buf_addc(struct buf *b, char c);
/** Append a string. */
void buf_adds(struct buf *b, const char *s);
/** Append a number in decimal digits; much faster than buf_addf. */
void buf_add_int(struct buf *b, int64_t n);
void buf_add_uint(struct buf *b, uint64_t n);
/** Append bytes as pairs of hexadecimal digits, in lower case. */
void buf_add_hex(struct buf *b, const void *data, size_t len);
/** Decode len hexadecimal digits and append the bytes.  Returns 0, or -1: text is not that. */
int buf_add_unhex(struct buf *b, const char *text, size_t len);
/** Append formatted text. */
void buf_addf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vaddf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/** Cut to len bytes, which must not exceed the present length. */
void buf_cut(struct buf *b, size_t len);
/** Give memory back that the content does not need. */
void buf_fit(struct buf *b);
/** The content as a C string, "" while nothing was added.  Borrowed until the next change. */
const char *buf_str(const struct buf *b);
/** Hand the content over as a heap string (never NULL; the caller frees) and leave b empty. */
char *buf_take(struct buf *b);
/** Free the memory; b may be used again. */
void buf_release(struct buf *b);

#endif
