/* SPDX-License-Identifier: MIT */
/*
 * out_json - JSON as one document, NDJSON as one object per line; ui/records says what is in them.
 *
 * Both are valid UTF-8 whatever the names are, and harmless on a terminal:
 * what is not ASCII and could steer one is written as \uHHHH, which a parser
 * gives back as it was.  A path whose bytes are not UTF-8 is shown as on a
 * terminal, and "path_b64" holds the bytes.  Integers that a double cannot
 * hold exactly are strings; times in nanoseconds always are, so that their
 * type does not depend on the year.
 */
#include "base/base.h"

#include "query/answer.h"
#include "ui/out_format.h"
#include "ui/out_value.h"

/* Append an object, behind which a record or line ends. */
static void
json_object(struct out *o, const struct record *r, const void *record)
{
	const bool lines = o->style.format == OUT_NDJSON;

	buf_addc(&o->text, '{');
	if (lines && r->type != NULL) {
		out_key(&o->text, "type");
		buf_addf(&o->text, "\"%s\"", r->type);
	}
	out_fields(o, r, record);
	buf_adds(&o->text, lines ? "}\n" : "}");
}

static void
json_record(struct out *o, const void *record)
{
	if (o->style.format != OUT_NDJSON)
		buf_adds(&o->text, o->n > 0 ? ",\n" : "\n");
	json_object(o, out_listings[o->style.kind].record, record);
}

/* End the array of records, and print the sums behind it. */
static void
json_totals(struct out *o, const void *totals)
{
	const struct out_listing *l = &out_listings[o->style.kind];

	if (o->style.format != OUT_NDJSON)
		buf_addf(&o->text, "%s],\"%s\":", o->n > 0 ? "\n" : "", l->totals->type);
	json_object(o, l->totals, totals);
}

/* The document around the records, which NDJSON does without. */
static void
json_begin(struct out *o)
{
	if (o->style.format != OUT_NDJSON)
		buf_addf(&o->text, "{\"schema_version\":1,\"%s\":[", out_listings[o->style.kind].key);
}

static void
json_end(struct out *o)
{
	if (o->style.open != NULL)
		*o->style.open = true;
	if (o->style.format == OUT_NDJSON)
		return;
	if (!o->totals)
		buf_adds(&o->text, o->n > 0 ? "\n]" : "]");
	if (o->style.open == NULL)
		buf_adds(&o->text, "}\n");
}

const struct out_format_ops out_json_ops = {
	.begin = json_begin,
	.record = json_record,
	.totals = json_totals,
	.end = json_end,
};
