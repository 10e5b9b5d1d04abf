/* SPDX-License-Identifier: MIT */
/* efu - file lists of Everything: names and sizes on a machine with Windows, no digests. */
#include "base/base.h"

#include "import/csv.h"
#include "import/entry.h"

enum { EFU_NAME, EFU_SIZE, EFU_TIME, EFU_ATTRIBUTES, EFU_OTHER };

static const char *const efu_columns[EFU_OTHER] = { "Filename", "Size", "Date Modified", "Attributes" };

/* FILE_ATTRIBUTE_DIRECTORY; and the seconds from 1601, where FILETIME begins, to 1970. */
#define EFU_DIRECTORY 16
#define EFU_EPOCH 11644473600

/* Take in the line that names the columns. */
static enum entry_kind
efu_header(struct parser *p, const struct csv_field *f, int n)
{
	bool name = false;

	for (int i = 0; i < n; i++) {
		int column = 0;

		while (column < EFU_OTHER && (strlen(efu_columns[column]) != f[i].len || memcmp(efu_columns[column], f[i].text, f[i].len) != 0))
			column++;
		p->columns[i] = column;
		name |= column == EFU_NAME;
	}
	if (!name)
		return entry_bad(p, "the header does not name Filename");
	p->n_columns = n;
	return ENTRY_NOTHING;
}

enum entry_kind
efu_parse(struct parser *p, char *line, size_t len, struct claim *claim, struct err *err)
{
	struct csv_field f[ENTRY_COLUMNS];
	int64_t number, attributes = 0;
	int n;

	(void)err;
	if (len == 0)
		return ENTRY_NOTHING;
	n = csv_split(line, len, f, ENTRY_COLUMNS, false);
	if (n < 0)
		return entry_bad(p, "a quote is out of place");
	if (p->n_columns == 0)
		return efu_header(p, f, n);
	if (n != p->n_columns)
		return entry_bad(p, "columns are missing");
	for (int i = 0; i < n; i++) {
		const bool empty = f[i].len == 0;

		if (p->columns[i] == EFU_NAME) {
			claim->name = f[i].text;
			claim->name_len = f[i].len;
		} else if (p->columns[i] == EFU_SIZE && !empty && entry_number(f[i].text, f[i].len, &claim->size) < 0)
			return entry_bad(p, "its size is no number of bytes");
		else if (p->columns[i] == EFU_ATTRIBUTES && !empty && entry_number(f[i].text, f[i].len, &attributes) < 0)
			return entry_bad(p, "its attributes are no number");
		else if (p->columns[i] == EFU_TIME && !empty && entry_number(f[i].text, f[i].len, &number) == 0)
			claim->mtime = number / 10000000 - EFU_EPOCH;
	}
	return (attributes & EFU_DIRECTORY) != 0 ? ENTRY_LEFT_OUT : entry_end(p, claim);
}
