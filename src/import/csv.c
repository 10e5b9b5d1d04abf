/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "import/csv.h"

/* Take a quoted field at *at, which stands behind it then.  Returns 0 or -1. */
static int
csv_quoted(char **at, char *end, struct csv_field *f)
{
	char *from = *at + 1, *to = from;

	f->text = to;
	for (; from < end; from++) {
		if (*from == '"') {
			if (from + 1 >= end || from[1] != '"')
				break;
			from++;
		}
		*to++ = *from;
	}
	if (from >= end)
		return -1;
	f->len = (size_t)(to - f->text);
	*at = from + 1;
	return *at == end || **at == ',' ? 0 : -1;
}

int
csv_split(char *line, size_t len, struct csv_field *fields, int most, bool raw_last)
{
	char *at = line, *end = line + len, *comma;

	for (int n = 0; n < most; at++) {
		struct csv_field *f = &fields[n++];

		if (raw_last && n == most) {
			*f = (struct csv_field){ at, (size_t)(end - at) };
			return n;
		}
		if (at < end && *at == '"') {
			if (csv_quoted(&at, end, f) < 0)
				return -1;
		} else {
			comma = memchr(at, ',', (size_t)(end - at));
			f->text = at;
			at = comma != NULL ? comma : end;
			f->len = (size_t)(at - f->text);
		}
		if (at == end)
			return n;
	}
	return most;
}
