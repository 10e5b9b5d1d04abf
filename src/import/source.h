/* SPDX-License-Identifier: MIT */
/* source - a stream of bytes as records: lines, rows of CSV, or the objects of a JSON array. */
#ifndef IMPORT_SOURCE_H
#define IMPORT_SOURCE_H

/** The longest record, in bytes: paths have 4 KiB. */
#define SOURCE_MOST (1 << 20)

/** A stream.  Zero it but for fd and name, which stay the caller's; source_release() it. */
struct source {
	int fd;
	const char *name;      /* for messages */
	struct buf record;     /* the present one; source_line leaves out its end */
	int64_t line;          /* where it begins, from 1 */
	bool too_long;         /* it is cut at SOURCE_MOST */
	bool unended;          /* the last line has no end */
	/* Private: */
	char *data;
	size_t at, n;
	bool ended, crlf;
	int64_t next_line;
	int state;
};

/** Look at the first bytes, up to *n of them.  Returns 0 or -1. */
int source_peek(struct source *s, const char **data, size_t *n, struct err *err);
/** Read the next line.  Returns 1, 0 at the end, -1 with *err. */
int source_line(struct source *s, struct err *err);
/** Read the next row of CSV: a line, and those behind it within quotes.  Returns as source_line. */
int source_row(struct source *s, struct err *err);
/** Read the next object of the one array that the stream is.  Returns as source_line. */
int source_object(struct source *s, struct err *err);
/** Free the memory. */
void source_release(struct source *s);

#endif
