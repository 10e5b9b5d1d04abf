/* SPDX-License-Identifier: MIT */
/*
 * Hides that a document is written as the records of a listing are: by out_json_put, into the text
 * of a struct out of its own.
 */
#include "base/base.h"

#include "ui/doc.h"

#include "ui/out.h"
#include "ui/out_format.h"
#include "ui/out_json_put.h"
#include "ui/out_put.h"
#include "ui/quote.h"

/* Bytes of a key with its "_b64" behind. */
enum { DOC_KEY = 64 };

struct doc {
	struct out *out;
};

/* Nothing is printed but what was added. */
static const struct out_format_ops doc_ops = { .begin = NULL };

struct doc *
doc_open(FILE *stream, const struct out_style *style, const char *command)
{
	struct doc *d = mem_zalloc(1, sizeof(*d));

	d->out = out_open(stream, style);
	d->out->ops = &doc_ops;
	d->out->begun = true;
	buf_adds(&d->out->text, "{\"schema_version\":1");
	doc_word(d, "command", command);
	return d;
}

/* Put a comma before what follows another element of a list. */
static void
doc_next(struct doc *d)
{
	const struct buf *b = &d->out->text;

	if (b->data[b->len - 1] != '[' && b->data[b->len - 1] != '{')
		buf_addc(&d->out->text, ',');
}

void
doc_int(struct doc *d, const char *key, int64_t n)
{
	out_json_int(&d->out->text, key, n);
}

void
doc_bool(struct doc *d, const char *key, bool value)
{
	out_json_bool(&d->out->text, key, value);
}

void
doc_null(struct doc *d, const char *key)
{
	out_json_null(&d->out->text, key);
}

void
doc_size(struct doc *d, const char *key, int64_t n)
{
	out_json_size(&d->out->text, key, n);
}

void
doc_word(struct doc *d, const char *key, const char *word)
{
	out_json_word(&d->out->text, key, word);
}

void
doc_text(struct doc *d, const char *key, const char *text)
{
	size_t len;

	if (text == NULL) {
		doc_null(d, key);
		return;
	}
	text = out_put_utf8(d->out, text, name_show_message, &len);
	out_json_key(&d->out->text, key);
	quote_json(&d->out->text, text, len);
}

void
doc_path(struct doc *d, const char *key, const char *path)
{
	char bytes[DOC_KEY] = "";
	size_t len;

	if (key != NULL) {
		snprintf(bytes, sizeof(bytes), "%s_b64", key);
		out_json_name(d->out, key, bytes, path);
		return;
	}
	doc_next(d);
	path = out_put_utf8(d->out, path, name_show, &len);
	quote_json(&d->out->text, path, len);
}

void
doc_time(struct doc *d, const char *key, struct fs_time t)
{
	out_json_time(&d->out->text, key, t);
}

void
doc_hash(struct doc *d, const uint8_t *hash)
{
	out_json_hash(&d->out->text, hash);
}

void
doc_inode(struct doc *d, int64_t inode)
{
	out_json_inode(&d->out->text, inode);
}

void
doc_list(struct doc *d, const char *key)
{
	out_json_key(&d->out->text, key);
	buf_addc(&d->out->text, '[');
}

void
doc_list_end(struct doc *d)
{
	buf_addc(&d->out->text, ']');
}

void
doc_object(struct doc *d, const char *key)
{
	if (key != NULL)
		out_json_key(&d->out->text, key);
	else
		doc_next(d);
	buf_addc(&d->out->text, '{');
}

void
doc_object_end(struct doc *d)
{
	buf_addc(&d->out->text, '}');
}

int
doc_close(struct doc *d, int ret, struct err *err)
{
	if (ret < 0)
		buf_cut(&d->out->text, 0);
	else if (d->out->style.open != NULL)
		*d->out->style.open = true;
	else
		buf_adds(&d->out->text, "}\n");
	ret = out_close(d->out, ret, err);
	free(d);
	return ret;
}
