/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/hyperlink.h"

#include <unistd.h>

static void
hyperlink_escape(struct buf *b, const char *text)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

	for (; *text != '\0'; text++) {
		if (strchr(plain, *text) != NULL)
			buf_addc(b, *text);
		else
			buf_addf(b, "%%%02X", (unsigned char)*text);
	}
}

void
hyperlink_host(char host[HYPERLINK_HOST])
{
	memset(host, 0, HYPERLINK_HOST);
	if (gethostname(host, HYPERLINK_HOST - 1) < 0)
		host[0] = '\0';
}

void
hyperlink_begin(struct buf *b, const char *host, const char *path)
{
	buf_adds(b, "\033]8;;file://");
	hyperlink_escape(b, host);
	hyperlink_escape(b, path);
	buf_adds(b, "\033\\");
}

void
hyperlink_end(struct buf *b)
{
	buf_adds(b, "\033]8;;\033\\");
}
