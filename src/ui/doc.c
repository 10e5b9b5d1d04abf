/* SPDX-License-Identifier: MIT */
/*
 * Hides that a document is written as the records of a listing are: field by field, into the text
 * of a struct out of its own.
 */
#include "base/base.h"

#include "ui/doc.h"

#include "ui/out.h"
#include "ui/out_format.h"
#include "ui/out_put.h"
#include "ui/out_value.h"
#include "ui/quote.h"

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
	doc_text(d, "command", command);
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
doc_field(struct doc *d, const char *key, enum field_type type, const void *value)
{
	const struct field f = { .key = key, .type = type };

	out_field(d->out, &f, value);
}

void
doc_path(struct doc *d, const char *key, const char *path)
{
	size_t len;

	if (key != NULL) {
		doc_field(d, key, FIELD_NAME, &path);
		return;
	}
	doc_next(d);
	path = out_put_utf8(d->out, path, name_show, &len);
	quote_json(&d->out->text, path, len);
}

void
doc_list(struct doc *d, const char *key)
{
	out_key(&d->out->text, key);
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
		out_key(&d->out->text, key);
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

void
doc_problem(struct doc *d, const char *path, const char *why)
{
	doc_object(d, NULL);
	doc_path(d, "path", path);
	doc_text(d, "why", why);
	doc_object_end(d);
}
