/* SPDX-License-Identifier: MIT */
/* stream - a stdio stream whose bytes go to a function. */
#ifndef SYS_STREAM_H
#define SYS_STREAM_H

/** Take len bytes.  Returns false with errno to make the stream fail. */
typedef bool stream_fn(void *arg, const char *data, size_t len);

struct stream_writer {
	stream_fn *fn;
	void *arg;
};

/**
 * Open a stream to be written to, which the caller closes; w is borrowed until then.
 * Returns it, or NULL with errno.
 */
FILE *stream_open(struct stream_writer *w);

#endif
