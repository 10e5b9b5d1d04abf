/* SPDX-License-Identifier: MIT */
/*
 * columns - CSV whose first line names its columns: what engines write, listings of twindex with
 * --format csv, and its exports of files, whose parts may be put behind each other.
 */
#include "base/base.h"

#include "import/csv.h"
#include "import/entry.h"

/* Columns besides those of digests, which are their kinds. */
enum { COLUMNS_PATH = DIGEST_NONE, COLUMNS_DIR, COLUMNS_NAME, COLUMNS_RAW, COLUMNS_SIZE, COLUMNS_TIME, COLUMNS_STATE, COLUMNS_HIGH, COLUMNS_LOW,
       COLUMNS_HASH_ID, COLUMNS_OTHER };

static const struct {
	const char *word;
	int column;
} columns_words[] = {
	{ "path", COLUMNS_PATH }, { "file", COLUMNS_PATH }, { "filename", COLUMNS_PATH }, { "key", COLUMNS_PATH },
	{ "dir", COLUMNS_DIR }, { "name", COLUMNS_NAME }, { "name_raw", COLUMNS_RAW },
	{ "size", COLUMNS_SIZE }, { "bytes", COLUMNS_SIZE }, { "mtime", COLUMNS_TIME }, { "state", COLUMNS_STATE }, { "kind", COLUMNS_STATE },
	{ "hash_hi", COLUMNS_HIGH }, { "hash_lo", COLUMNS_LOW }, { "hash_id", COLUMNS_HASH_ID },
};

/* Words of states and kinds that say that there is no file. */
static const char *const columns_no_file[] = { "dir", "gone", "skipped", "total" };

/* What a row says. */
struct columns_row {
	struct csv_field f[COLUMNS_OTHER + 1];   /* by column; some are empty */
};

static bool
columns_is(const struct csv_field *f, const char *word)
{
	return f->len == strlen(word) && memcmp(f->text, word, f->len) == 0;
}

/* The column with this name. */
static int
columns_find(const struct csv_field *f)
{
	const enum digest_kind kind = digest_find(f->text, f->len);

	for (size_t i = 0; i < sizeof(columns_words) / sizeof(columns_words[0]); i++) {
		if (columns_is(f, columns_words[i].word))
			return columns_words[i].column;
	}
	return kind < DIGEST_KINDS ? (int)kind : COLUMNS_OTHER;
}

/* Find out the columns by a header.  Returns whether it is one: there are names, and more. */
static bool
columns_read(char *line, size_t len, int columns[ENTRY_COLUMNS], int *n_columns)
{
	struct csv_field f[ENTRY_COLUMNS];
	const int n = csv_split(line, len, f, ENTRY_COLUMNS, false);
	bool named = false, more = false;

	for (int i = 0; i < n; i++) {
		columns[i] = columns_find(&f[i]);
		named |= columns[i] == COLUMNS_PATH || columns[i] == COLUMNS_NAME;
		more |= columns[i] < DIGEST_KINDS || columns[i] == COLUMNS_SIZE;
	}
	*n_columns = n;
	return named && more;
}

bool
columns_is_header(char *line, size_t len)
{
	int columns[ENTRY_COLUMNS], n;

	return columns_read(line, len, columns, &n);
}

/* Take the name of a row: its path, or a directory with a name, which may be bytes. */
static enum entry_kind
columns_name(struct parser *p, const struct columns_row *r, struct claim *claim)
{
	const struct csv_field *dir = &r->f[COLUMNS_DIR], *raw = &r->f[COLUMNS_RAW], *name = &r->f[COLUMNS_NAME];

	buf_cut(&p->text, 0);
	if (r->f[COLUMNS_PATH].len > 0)
		buf_add(&p->text, r->f[COLUMNS_PATH].text, r->f[COLUMNS_PATH].len);
	else {
		if (dir->len > 0)
			buf_add(&p->text, dir->text, dir->len);
		if (dir->len > 0 && dir->text[dir->len - 1] != '/')
			buf_addc(&p->text, '/');
		if (raw->len > 0 && base64_take(&p->text, raw->text, raw->len) < 0)
			return entry_bad(p, "its name_raw is not base64");
		if (raw->len == 0 && name->len == 0)
			return entry_bad(p, "the name is empty");
		if (raw->len == 0)
			buf_add(&p->text, name->text, name->len);
	}
	claim->name = buf_str(&p->text);
	claim->name_len = p->text.len;
	return entry_end(p, claim);
}

/* Parse an integer that may be negative, of 64 bits.  Returns 0, or -1. */
static int
columns_integer(const struct csv_field *f, int64_t *n)
{
	const bool negative = f->len > 0 && f->text[0] == '-';
	int64_t magnitude;

	/* The one whose magnitude is too large. */
	if (columns_is(f, "-9223372036854775808")) {
		*n = INT64_MIN;
		return 0;
	}
	if (entry_number(f->text + negative, f->len - negative, &magnitude) < 0)
		return -1;
	*n = negative ? -magnitude : magnitude;
	return 0;
}

/* Take the hash of an index.  Returns 0, or -1 where the halves are no integers. */
static int
columns_hash(struct parser *p, const struct columns_row *r, struct claim *claim)
{
	const struct csv_field *high = &r->f[COLUMNS_HIGH], *low = &r->f[COLUMNS_LOW], *id = &r->f[COLUMNS_HASH_ID];
	int64_t halves[2], hash_id;

	if (claim->kind != DIGEST_NONE || high->len == 0 || low->len == 0 || id->len == 0)
		return 0;
	if (columns_integer(high, &halves[0]) < 0 || columns_integer(low, &halves[1]) < 0 || columns_integer(id, &hash_id) < 0)
		return -1;
	if (hash_id != p->hash_id) {
		p->other_secret++;
		return 0;
	}
	for (int i = 0; i < 16; i++)
		claim->digest[i] = (uint8_t)((uint64_t)halves[i / 8] >> (8 * (7 - i % 8)));
	claim->kind = DIGEST_TWINDEX;
	return 0;
}

/* Take the size, time and digests of a row. */
static enum entry_kind
columns_values(struct parser *p, const struct columns_row *r, struct claim *claim)
{
	const struct csv_field *size = &r->f[COLUMNS_SIZE];

	if (size->len > 0 && entry_number(size->text, size->len, &claim->size) < 0)
		return entry_bad(p, "its size is no number of bytes");
	/* Times as text are left out. */
	if (r->f[COLUMNS_TIME].len > 0)
		(void)columns_integer(&r->f[COLUMNS_TIME], &claim->mtime);
	for (int kind = 0; kind < DIGEST_KINDS; kind++) {
		if (r->f[kind].len > 0 && !entry_better(claim, (enum digest_kind)kind, r->f[kind].text, r->f[kind].len))
			return entry_bad(p, "a digest has not the digits of its kind");
	}
	return columns_hash(p, r, claim) < 0 ? entry_bad(p, "its hash is no pair of integers") : ENTRY_FILE;
}

enum entry_kind
columns_parse(struct parser *p, char *line, size_t len, struct claim *claim, struct err *err)
{
	struct csv_field f[ENTRY_COLUMNS];
	struct columns_row r = { .f = { { NULL, 0 } } };
	enum entry_kind kind;
	int n;

	if (len == 0 || (p->n_columns > 0 && len == p->header.len && memcmp(line, p->header.data, len) == 0))
		return ENTRY_NOTHING;
	if (p->n_columns == 0) {
		buf_add(&p->header, line, len);
		if (columns_read(line, len, p->columns, &p->n_columns))
			return ENTRY_NOTHING;
		err_set(err, ERR_USAGE, "the first line names no column 'path' or 'name' beside 'size' or a digest");
		return ENTRY_FAILED;
	}
	n = csv_split(line, len, f, ENTRY_COLUMNS, false);
	if (n < 0)
		return entry_bad(p, "a quote is out of place");
	if (n != p->n_columns)
		return entry_bad(p, "it has not the columns of the first line");
	/* Of columns of one name the first that holds something. */
	for (int i = 0; i < n; i++) {
		if (r.f[p->columns[i]].len == 0)
			r.f[p->columns[i]] = f[i];
		for (size_t k = 0; p->columns[i] == COLUMNS_STATE && k < sizeof(columns_no_file) / sizeof(columns_no_file[0]); k++) {
			if (columns_is(&f[i], columns_no_file[k]))
				return ENTRY_LEFT_OUT;
		}
	}
	kind = columns_name(p, &r, claim);
	return kind == ENTRY_FILE ? columns_values(p, &r, claim) : kind;
}
