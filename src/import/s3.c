/* SPDX-License-Identifier: MIT */
/* s3 - reports of S3 Inventory in CSV, which have no header: their default columns. */
#include "base/base.h"

#include "import/csv.h"
#include "import/entry.h"

/* Columns: bucket, key, of versions three more, size, time, ETag. */
enum { S3_KEY = 1, S3_LATEST = 3, S3_DELETED = 4, S3_LEAST = 3, S3_MOST = 8 };

static bool
s3_is(const struct csv_field *f, const char *word)
{
	return f->len == strlen(word) && memcmp(f->text, word, f->len) == 0;
}

static bool
s3_is_truth(const struct csv_field *f)
{
	return s3_is(f, "true") || s3_is(f, "false");
}

/* A key without its %XX and +. */
static bool
s3_key(struct parser *p, const struct csv_field *f)
{
	buf_cut(&p->text, 0);
	for (size_t i = 0; i < f->len; i++) {
		if (f->text[i] == '+')
			buf_addc(&p->text, ' ');
		else if (f->text[i] != '%')
			buf_addc(&p->text, f->text[i]);
		else {
			const int high = i + 2 < f->len ? entry_nibble(f->text[i + 1]) : -1, low = high >= 0 ? entry_nibble(f->text[i + 2]) : -1;

			if (low < 0)
				return false;
			buf_addc(&p->text, (char)(high << 4 | low));
			i += 2;
		}
	}
	return true;
}

enum entry_kind
s3_parse(struct parser *p, char *line, size_t len, struct claim *claim, struct err *err)
{
	struct csv_field f[S3_MOST];
	int n, size;

	(void)err;
	if (len == 0)
		return ENTRY_NOTHING;
	n = csv_split(line, len, f, S3_MOST, false);
	if (n < S3_LEAST)
		return entry_bad(p, n < 0 ? "a quote is out of place" : "columns are missing");
	/* With versions: an id, whether it is the latest, whether it deletes the key. */
	size = n > S3_DELETED && s3_is_truth(&f[S3_LATEST]) && s3_is_truth(&f[S3_DELETED]) ? S3_DELETED + 1 : S3_KEY + 1;
	if (size > S3_DELETED && (s3_is(&f[S3_LATEST], "false") || s3_is(&f[S3_DELETED], "true")))
		return ENTRY_LEFT_OUT;
	if (size >= n || entry_number(f[size].text, f[size].len, &claim->size) < 0)
		return entry_bad(p, "its size is no number of bytes");
	if (!s3_key(p, &f[S3_KEY]))
		return entry_bad(p, "its key is not URL-encoded");
	claim->name = buf_str(&p->text);
	claim->name_len = p->text.len;
	/* What consoles make for a directory. */
	if (claim->size == 0 && p->text.len > 0 && p->text.data[p->text.len - 1] == '/')
		return ENTRY_LEFT_OUT;
	/* Of parts it has a '-', and is no digest of the whole. */
	if (p->etag_md5 && size + 2 < n)
		entry_digest(claim, DIGEST_MD5, f[size + 2].text, f[size + 2].len);
	return entry_end(p, claim);
}
