/* SPDX-License-Identifier: MIT */
/*
 * out_csv - comma-separated values by RFC 4180: lines end with CR LF, a
 * header comes first, text is quoted with doubled quotes inside and may hold
 * line breaks, numbers are bare, what is unknown is empty.
 *
 * One row per name.  The first column of a file listing, the second of a
 * report, says what the row's name is: "file", or a kind of member of the
 * file row above it, or of the set by number.  What belongs to the whole set
 * is repeated in each of its rows: do not add it up.  A path whose bytes are
 * not UTF-8 is shown as on a terminal, and path_b64 holds the bytes.
 *
 * struct out_csv   the columns of a listing, found in the tables of ui/records once
 */
#include "base/base.h"

#include "query/answer.h"
#include "ui/out_format.h"
#include "ui/out_put.h"
#include "ui/out_value.h"

enum { CSV_COLUMNS = 32 };

/* A field of a table that a column shows. */
struct csv_column {
	const struct field *field;  /* NULL: the table has none */
	size_t at;                  /* of the object that it is a field of */
	bool shared;
};

struct out_csv {
	size_t n;
	struct csv_column columns[LISTING_TABLES][CSV_COLUMNS];
};

/* Find the field of a column: "path", or "left_path" in the object left. */
static struct csv_column
csv_find(const struct record *r, const char *name, size_t len)
{
	struct csv_column c = { .field = NULL };

	for (const struct field *f = r->fields; f->key != NULL && c.field == NULL; f++) {
		const char *column = f->column != NULL ? f->column : f->key;
		const size_t n = strlen(column);

		if (len < n || strncmp(name, column, n) != 0)
			continue;
		if (f->type == FIELD_OBJECT && (len == n || name[n] == '_')) {
			c = len == n ? csv_find(f->record, "path", 4) : csv_find(f->record, name + n + 1, len - n - 1);
			c.at += f->at;
		} else if (len == n && f->type != FIELD_LIST)
			c = (struct csv_column){ f, 0, (f->flags & FIELD_SHARED) != 0 };
	}
	return c;
}

/* Find the fields of a column.  Returns whether the listing has it. */
static bool
csv_add_column(struct out *o, const char *name, size_t len)
{
	const struct out_listing *l = &out_listings[o->style.kind];
	bool found = len > 4 && strncmp(name + len - 4, "_b64", 4) == 0;

	for (size_t i = 0; i < LISTING_TABLES && l->tables[i] != NULL; i++) {
		struct csv_column *c = &o->csv->columns[i][o->csv->n];

		*c = csv_find(l->tables[i], name, len);
		if (c->field != NULL && !field_applies(c->field, &o->style))
			return false;
		found |= c->field != NULL;
	}
	assert(found);
	return found;
}

static void
csv_begin(struct out *o)
{
	size_t len;

	o->csv = mem_zalloc(1, sizeof(*o->csv));
	for (const char *name = out_listings[o->style.kind].columns; *name != '\0'; name += len + (name[len] == ',')) {
		len = strcspn(name, ",");
		assert(o->csv->n < CSV_COLUMNS);
		if (!csv_add_column(o, name, len)) {
			/* The bytes of a name go with it. */
			if (name[len] == ',' && strncmp(name + len + 1, name, len) == 0)
				len += 1 + strcspn(name + len + 1, ",");
			continue;
		}
		if (o->csv->n++ > 0)
			buf_addc(&o->text, ',');
		buf_add(&o->text, name, len);
	}
	buf_adds(&o->text, "\r\n");
}

/* Append a row of a table, with what it shares with a record above it, if there is one. */
static void
csv_row(struct out *o, const struct record *r, const void *record, const void *above)
{
	const struct csv_column *own, *first = o->csv->columns[0];
	size_t table = 0;

	while (out_listings[o->style.kind].tables[table] != r)
		table++;
	own = o->csv->columns[table];
	for (size_t i = 0, width; i < o->csv->n; i += width) {
		const bool shared = own[i].field == NULL && above != NULL && first[i].shared;
		const struct csv_column *c = shared ? &first[i] : &own[i];

		width = 1;
		if (i > 0)
			buf_addc(&o->text, ',');
		if (c->field != NULL)
			width = out_column(o, c->field, (const char *)(shared ? above : record) + c->at);
	}
	buf_adds(&o->text, "\r\n");
	out_put_flow(o);
}

/* The rows of what a list of a record holds.  What is no copy of a file shares nothing with it. */
static void
csv_list(struct out *o, const struct field *list, const void *record)
{
	const size_t n = *(const size_t *)(const void *)((const char *)record + list->of);
	const bool files = o->style.kind == OUT_STATES || o->style.kind == OUT_PATHS;
	const char *items;

	memcpy(&items, (const char *)record + list->at, sizeof(items));
	for (size_t i = 0; i < n; i++) {
		const void *item = items + i * list->record->size;
		const enum member_kind kind = files ? ((const struct member *)item)->kind : MEMBER_COPY;

		csv_row(o, list->record, item, kind == MEMBER_COPY || kind == MEMBER_LINK ? record : NULL);
	}
}

static void
csv_record(struct out *o, const void *record)
{
	const struct record *r = out_listings[o->style.kind].record;

	if (o->style.kind != OUT_SETS)
		csv_row(o, r, record, NULL);
	for (const struct field *f = r->fields; f->key != NULL; f++) {
		if (f->type == FIELD_LIST)
			csv_list(o, f, record);
	}
}

/* Only directories have a row of their sums. */
static void
csv_totals(struct out *o, const void *totals)
{
	if (o->style.kind == OUT_DIRS)
		csv_row(o, out_listings[OUT_DIRS].totals, totals, NULL);
}

static void
csv_release(struct out *o)
{
	free(o->csv);
}

const struct out_format_ops out_csv_ops = {
	.begin = csv_begin,
	.record = csv_record,
	.totals = csv_totals,
	.release = csv_release,
};
