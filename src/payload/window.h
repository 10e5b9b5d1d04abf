/* SPDX-License-Identifier: MIT */
/* window - a file that is parsed: its bytes where a parser looks, and the parts that it notes. */
#ifndef PAYLOAD_WINDOW_H
#define PAYLOAD_WINDOW_H

/** A range of the file that is payload, of one kind. */
struct payload_part {
	int64_t at, len;
	uint32_t kind;
};

/** How many bytes a parser can look at together. */
#define PAYLOAD_WINDOW 65536

/** A file that is parsed.  payload_init() it, payload_release() it. */
struct payload {
	/**
	 * Read up to n bytes at a position into buf.  Returns how many, fewer only at the end of a
	 * file, or -1 with errno.
	 */
	int64_t (*read)(void *arg, void *buf, size_t n, int64_t at);
	void *arg;
	int64_t size;                 /* of the file */
	int error;                    /* errno of a read that failed; else 0 */
	VEC(struct payload_part) parts;
	/* private */
	uint8_t *window;
	int64_t window_at;
	size_t window_len;
};

/** Set up, with a function as read. */
void payload_init(struct payload *p, int64_t (*read)(void *arg, void *buf, size_t n, int64_t at), void *arg, int64_t size);
/** Free what it owns. */
void payload_release(struct payload *p);

/**
 * n bytes at a position, n up to PAYLOAD_WINDOW, valid until the next call; NULL where the file
 * has not as many.
 */
const uint8_t *payload_get(struct payload *p, int64_t at, size_t n);
/** As many bytes as are at hand there, at least one, *n of them; NULL at the end. */
const uint8_t *payload_some(struct payload *p, int64_t at, size_t *n);
/** Note a part; one of the kind of the last one adds to it.  False: it does not lie in the file. */
bool payload_add(struct payload *p, uint32_t kind, int64_t at, int64_t len);
/** Whether the bytes at a position are these. */
bool payload_is(struct payload *p, int64_t at, const char *bytes, size_t n);

/** Numbers of 4 bytes, the most significant first or last. */
static inline uint32_t
payload_be32(const uint8_t *b)
{
	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static inline uint32_t
payload_le32(const uint8_t *b)
{
	return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

#endif
