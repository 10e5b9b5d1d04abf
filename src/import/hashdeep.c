/* SPDX-License-Identifier: MIT */
/* hashdeep - size and digests by a header that names them; the name comes last, as it is. */
#include "base/base.h"

#include "import/csv.h"
#include "import/entry.h"

/* Columns that are no digest. */
enum { HASHDEEP_SIZE = DIGEST_KINDS, HASHDEEP_NAME, HASHDEEP_OTHER };

static const char hashdeep_columns[] = "%%%% size,";

/* Take in the line that names the columns. */
static enum entry_kind
hashdeep_header(struct parser *p, char *line, size_t len)
{
	struct csv_field f[ENTRY_COLUMNS + 1];
	int n;

	if (len < sizeof(hashdeep_columns) - 1 || memcmp(line, hashdeep_columns, sizeof(hashdeep_columns) - 1) != 0)
		return ENTRY_NOTHING;
	n = csv_split(line + 5, len - 5, f, ENTRY_COLUMNS + 1, false);
	if (n < 2 || n > ENTRY_COLUMNS || strncmp(f[n - 1].text, "filename", f[n - 1].len) != 0)
		return entry_bad(p, "the header does not end with filename");
	for (int i = 0; i < n; i++) {
		const enum digest_kind kind = digest_find(f[i].text, f[i].len);

		p->columns[i] = i == 0 ? HASHDEEP_SIZE : i == n - 1 ? HASHDEEP_NAME : kind < DIGEST_KINDS ? (int)kind : HASHDEEP_OTHER;
	}
	p->n_columns = n;
	return ENTRY_NOTHING;
}

enum entry_kind
hashdeep_parse(struct parser *p, char *line, size_t len, struct claim *claim, struct err *err)
{
	struct csv_field f[ENTRY_COLUMNS];

	(void)err;
	if (len == 0 || line[0] == '#')
		return ENTRY_NOTHING;
	if (line[0] == '%')
		return hashdeep_header(p, line, len);
	if (p->n_columns == 0)
		return entry_bad(p, "no header has named the columns yet");
	if (csv_split(line, len, f, p->n_columns, true) != p->n_columns)
		return entry_bad(p, "columns are missing");
	for (int i = 0; i < p->n_columns; i++) {
		if (p->columns[i] == HASHDEEP_SIZE && entry_number(f[i].text, f[i].len, &claim->size) < 0)
			return entry_bad(p, "its size is no number of bytes");
		if (p->columns[i] < DIGEST_KINDS && !entry_better(claim, (enum digest_kind)p->columns[i], f[i].text, f[i].len))
			return entry_bad(p, "a digest is not as long as its kind");
		if (p->columns[i] == HASHDEEP_NAME) {
			claim->name = f[i].text;
			claim->name_len = f[i].len;
		}
	}
	return entry_end(p, claim);
}
