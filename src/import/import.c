/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "import/import.h"

/* When the first IMPORT_ALL_BAD records are all bad, the rest is not read. */
#define IMPORT_ALL_BAD 10
/* With more than one bad record in IMPORT_SHARE, nothing is imported. */
#define IMPORT_SHARE 100

const char *const import_words[IMPORT_KINDS + 1] = {
	[IMPORT_GUESS] = "auto", [IMPORT_LSJSON] = "lsjson", [IMPORT_SUMS] = "sums", [IMPORT_HASHDEEP] = "hashdeep",
	[IMPORT_RESTIC] = "restic", [IMPORT_BORG] = "borg", [IMPORT_S3] = "s3", [IMPORT_EFU] = "efu", [IMPORT_CSV] = "csv",
};

static parse_fn *const import_parsers[IMPORT_KINDS] = {
	[IMPORT_LSJSON] = lsjson_parse, [IMPORT_SUMS] = sums_parse, [IMPORT_HASHDEEP] = hashdeep_parse, [IMPORT_RESTIC] = restic_parse,
	[IMPORT_BORG] = borg_parse, [IMPORT_S3] = s3_parse, [IMPORT_EFU] = efu_parse, [IMPORT_CSV] = columns_parse,
};

static bool
import_begins(const char *line, size_t len, const char *with)
{
	return len >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

/* Whether a line is one of a format that has no header. */
static bool
import_parses(const char *line, size_t len, parse_fn *parse)
{
	struct parser p = { .digest = DIGEST_NONE };
	struct claim claim = { .size = -1, .kind = DIGEST_NONE };
	struct buf copy = { 0 };
	struct err ambiguous = { 0 };
	enum entry_kind kind;

	buf_add(&copy, line, len);
	kind = parse(&p, copy.data, copy.len, &claim, &ambiguous);
	buf_release(&copy);
	buf_release(&p.text);
	buf_release(&p.header);
	return kind == ENTRY_FILE || kind == ENTRY_FAILED || kind == ENTRY_LEFT_OUT;
}

/* The format by a line, IMPORT_GUESS: it does not tell. */
static enum import_kind
import_guess_line(const char *line, size_t len)
{
	struct buf text = { 0 };
	enum import_kind kind;
	bool header;

	if (import_begins(line, len, "%%%% "))
		return IMPORT_HASHDEEP;
	if (import_begins(line, len, "Filename,") || import_begins(line, len, "\"Filename\","))
		return IMPORT_EFU;
	if (line[0] == '{') {
		buf_add(&text, line, len);
		kind = strstr(buf_str(&text), "\"struct_type\"") != NULL ? IMPORT_RESTIC :
		       strstr(buf_str(&text), "\"path\"") != NULL && strstr(buf_str(&text), "\"type\"") != NULL ? IMPORT_BORG : IMPORT_GUESS;
		buf_release(&text);
		return kind;
	}
	buf_add(&text, line, len);
	header = columns_is_header(text.data, len);
	buf_release(&text);
	return header ? IMPORT_CSV : import_parses(line, len, sums_parse) ? IMPORT_SUMS : import_parses(line, len, s3_parse) ? IMPORT_S3 : IMPORT_GUESS;
}

/* Find out the format by the first lines that say something. */
static int
import_guess(struct import *im, struct err *err)
{
	const char *data, *end;
	size_t n, len;

	if (source_peek(&im->source, &data, &n, err) < 0)
		return -1;
	if (im->kind != IMPORT_GUESS)
		return 0;
	if (n == 0)
		return err_set(err, ERR_USAGE, "'%s' is empty", im->source.name);
	if (n > 3 && (memcmp(data, "\x1f\x8b", 2) == 0 || memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0 || memcmp(data, "BZh", 3) == 0))
		return err_set(err, ERR_USAGE, "'%s' is compressed: pipe what it holds into import -", im->source.name);
	for (const char *at = data; im->kind == IMPORT_GUESS && at < data + n; at += len + 1) {
		end = memchr(at, '\n', (size_t)(data + n - at));
		len = end != NULL ? (size_t)(end - at) : (size_t)(data + n - at);
		if (len > 0 && at[0] == '[')
			im->kind = IMPORT_LSJSON;
		else if (len > 0 && at[0] != '#' && at[0] != ';' && at[0] != '\r') {
			im->kind = import_guess_line(at, at[len - 1] == '\r' ? len - 1 : len);
			break;
		}
	}
	return im->kind != IMPORT_GUESS ? 0 :
	       err_set(err, ERR_USAGE, "'%s': its first line tells no format: --kind says which one it is", im->source.name);
}

/* Take in the present record.  Returns 0 or -1. */
static int
import_record(struct import *im, struct err *err)
{
	struct claim claim = { .size = -1, .mtime = INT64_MIN, .kind = DIGEST_NONE };
	struct source *s = &im->source;
	enum entry_kind kind;

	kind = s->too_long ? entry_bad(&im->parser, "it is too long") :
	       import_parsers[im->kind](&im->parser, s->record.data, s->record.len, &claim, err);
	switch (kind) {
	case ENTRY_NOTHING:
		return 0;
	case ENTRY_FAILED:
		return err->code == ERR_USAGE ? err_prefix(err, "'%s':%lld", s->name, (long long)s->line) : -1;
	case ENTRY_FILE:
		im->records++;
		return im->file(im->arg, &claim, err);
	case ENTRY_LEFT_OUT:
		im->records++;
		im->left_out++;
		return 0;
	case ENTRY_BAD:
		break;
	}
	im->records++;
	im->bad++;
	im->bad_record(im->arg, s->line, im->parser.why);
	if (im->records == IMPORT_ALL_BAD && im->bad == IMPORT_ALL_BAD)
		return err_set(err, ERR_USAGE, "'%s': none of its first %d records is one of %s: nothing was imported", s->name, IMPORT_ALL_BAD,
		               import_words[im->kind]);
	return 0;
}

int
import_run(struct import *im, struct err *err)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	int ret = import_guess(im, err);

	if (ret == 0) {
		while ((ret = im->kind == IMPORT_LSJSON ? source_object(&im->source, err) : im->kind == IMPORT_CSV ? source_row(&im->source, err) :
		              source_line(&im->source, err)) == 1) {
			if (import_record(im, err) < 0) {
				ret = -1;
				break;
			}
		}
	}
	if (ret == 0 && im->bad > im->records / IMPORT_SHARE)
		ret = err_set(err, ERR_USAGE, "'%s': %s of %s not understood as %s, more than 1 %%: nothing was imported", im->source.name,
		              num_show_count(im->bad, x), num_show_things(im->records, "record was", "records were", y), import_words[im->kind]);
	buf_release(&im->parser.text);
	buf_release(&im->parser.header);
	source_release(&im->source);
	return ret;
}
