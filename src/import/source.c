/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "import/source.h"

#include <unistd.h>

#include "sys/stop.h"

#define SOURCE_BLOCK (64 * 1024)

/* Where source_object stands: before the array, before its first object, behind one, behind all. */
enum { SOURCE_BEFORE, SOURCE_FIRST, SOURCE_BEHIND, SOURCE_NEXT, SOURCE_DONE };

/* Fill the block up behind its unread bytes.  Returns 0 or -1. */
static int
source_fill(struct source *s, struct err *err)
{
	if (s->data == NULL)
		s->data = mem_zalloc(1, SOURCE_BLOCK);
	if (s->at > 0)
		memmove(s->data, s->data + s->at, s->n - s->at);
	s->n -= s->at;
	s->at = 0;
	while (!s->ended && s->n < SOURCE_BLOCK) {
		const ssize_t got = read(s->fd, s->data + s->n, SOURCE_BLOCK - s->n);

		if (stop_check(err) < 0)
			return -1;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(err, "cannot read '%s'", s->name);
		s->ended = got == 0;
		s->n += (size_t)got;
	}
	return 0;
}

int
source_peek(struct source *s, const char **data, size_t *n, struct err *err)
{
	if (source_fill(s, err) < 0)
		return -1;
	/* A mark that text is UTF-8. */
	if (s->next_line == 0 && s->n >= 3 && memcmp(s->data, "\xef\xbb\xbf", 3) == 0)
		s->at = 3;
	*data = s->data + s->at;
	*n = s->n - s->at;
	return 0;
}

/* Add bytes to the record, as many as it may have. */
static void
source_add(struct source *s, const char *bytes, size_t len)
{
	const size_t room = SOURCE_MOST - s->record.len;

	s->too_long |= len > room;
	buf_add(&s->record, bytes, len > room ? room : len);
}

/* Add a line to the record, without its end.  Returns 1, 0 at the end, or -1. */
static int
source_add_line(struct source *s, struct err *err)
{
	const char *end = NULL;
	bool some = false;

	s->next_line++;
	while (end == NULL) {
		const char *from;
		size_t len;

		if (s->at == s->n && source_fill(s, err) < 0)
			return -1;
		if (s->at == s->n)
			break;
		some = true;
		from = s->data + s->at;
		end = memchr(from, '\n', s->n - s->at);
		len = end != NULL ? (size_t)(end - from) : s->n - s->at;
		source_add(s, from, len);
		s->at += len + (end != NULL);
	}
	if (some)
		s->unended = end == NULL;
	return some;
}

/* Begin a record. */
static void
source_begin(struct source *s)
{
	buf_cut(&s->record, 0);
	s->too_long = false;
	s->line = s->next_line + 1;
}

/* End a record of lines. */
static int
source_end(struct source *s)
{
	/* Where the first line ends so, all do: a name may end with a carriage return. */
	if (s->record.len > 0 && s->record.data[s->record.len - 1] == '\r' && (s->line == 1 || s->crlf)) {
		s->crlf = true;
		buf_cut(&s->record, s->record.len - 1);
	}
	buf_adds(&s->record, "");
	return 1;
}

int
source_line(struct source *s, struct err *err)
{
	int ret;

	source_begin(s);
	ret = source_add_line(s, err);
	return ret == 1 ? source_end(s) : ret;
}

int
source_row(struct source *s, struct err *err)
{
	size_t at = 0;
	bool quoted = false;
	int ret;

	source_begin(s);
	while ((ret = source_add_line(s, err)) == 1) {
		for (; at < s->record.len; at++)
			quoted ^= s->record.data[at] == '"';
		if (!quoted || s->unended)
			return source_end(s);
		source_add(s, "\n", 1);
		at++;
	}
	if (ret == 0 && quoted)
		return err_set(err, ERR_USAGE, "'%s':%lld: it ends within quotes: the listing is cut off", s->name, (long long)s->line);
	return ret;
}

/* The next byte: 0 to 255; -1: the end; -2: *err tells. */
static int
source_byte(struct source *s, struct err *err)
{
	int c;

	if (s->at == s->n && source_fill(s, err) < 0)
		return -2;
	if (s->at == s->n)
		return -1;
	c = (unsigned char)s->data[s->at++];
	s->next_line += c == '\n';
	return c;
}

/* Read on to the end of an object whose brace is read.  Returns 1 or -1. */
static int
source_rest(struct source *s, struct err *err)
{
	bool quoted = false, escaped = false;
	int depth = 1, c;

	source_add(s, "{", 1);
	while (depth > 0 && (c = source_byte(s, err)) >= 0) {
		const char byte = (char)c;

		source_add(s, &byte, 1);
		if (escaped)
			escaped = false;
		else if (quoted && c == '\\')
			escaped = true;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted)
			depth += (c == '{' || c == '[') - (c == '}' || c == ']');
	}
	if (depth == 0)
		return 1;
	return c == -2 ? -1 : err_set(err, ERR_USAGE, "'%s':%lld: it ends within an object: the listing is cut off", s->name, (long long)s->line);
}

int
source_object(struct source *s, struct err *err)
{
	int c;

	buf_cut(&s->record, 0);
	s->too_long = false;
	s->next_line += s->next_line == 0;
	while ((c = source_byte(s, err)) >= 0) {
		if (strchr(" \t\r\n", c) != NULL && c != 0)
			continue;
		s->line = s->next_line;
		if (s->state == SOURCE_BEFORE && c == '[')
			s->state = SOURCE_FIRST;
		else if ((s->state == SOURCE_FIRST || s->state == SOURCE_BEHIND) && c == ']')
			s->state = SOURCE_DONE;
		else if (s->state == SOURCE_BEHIND && c == ',')
			s->state = SOURCE_NEXT;
		else if ((s->state == SOURCE_FIRST || s->state == SOURCE_NEXT) && c == '{') {
			s->state = SOURCE_BEHIND;
			return source_rest(s, err);
		} else
			return err_set(err, ERR_USAGE, "'%s':%lld: it is no JSON array of objects", s->name, (long long)s->line);
	}
	if (c == -2)
		return -1;
	if (s->state != SOURCE_DONE)
		return err_set(err, ERR_USAGE, "'%s':%lld: it ends within the array: the listing is cut off", s->name, (long long)s->next_line);
	return 0;
}

void
source_release(struct source *s)
{
	free(s->data);
	s->data = NULL;
	buf_release(&s->record);
}
