/* SPDX-License-Identifier: MIT */
/*
 * The one thing that twindex needs and POSIX lacks: fopencookie of glibc and musl, or funopen of
 * the BSDs and macOS.
 */
#define _GNU_SOURCE 1
#include "base/base.h"

#include "sys/stream.h"

#include <sys/types.h>

#ifdef HAVE_FUNOPEN
static int
stream_write(void *cookie, const char *data, int len)
{
	const struct stream_writer *w = cookie;

	return w->fn(w->arg, data, (size_t)len) ? len : -1;
}

FILE *
stream_open(struct stream_writer *w)
{
	return funopen(w, NULL, stream_write, NULL, NULL);
}
#else
/* cookie_write_function_t */
static ssize_t
stream_write(void *cookie, const char *data, size_t len)
{
	const struct stream_writer *w = cookie;

	return w->fn(w->arg, data, len) ? (ssize_t)len : 0;
}

FILE *
stream_open(struct stream_writer *w)
{
	const cookie_io_functions_t io = { .write = stream_write };

	return fopencookie(w, "w", io);
}
#endif
