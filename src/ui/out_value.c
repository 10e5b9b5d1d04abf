/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/out_value.h"

#include "index/fleeting.h"
#include "query/answer.h"
#include "ui/out_format.h"
#include "ui/out_put.h"
#include "ui/quote.h"

/* The largest integer that a double holds exactly: many readers of JSON know only doubles. */
#define EXACT_MAX ((int64_t)1 << 53)

/* The longest key with "_b64" behind. */
enum { KEY_MAX = 64 };

/* What a field is in a record. */
struct value {
	const void *at;
	int64_t n;          /* of integers and booleans */
	const char *text;   /* of words, names and texts */
	bool none;          /* it is absent */
};

static const char *
value_why(const struct member *m)
{
	if (m->kind == MEMBER_UNREADABLE)
		return strerror(m->error);
	return m->fleeting != 0 ? fleeting_where(m->fleeting) : NULL;
}

static struct value
value_get(const struct out *o, const struct field *f, const void *record)
{
	struct value v = { .at = (const char *)record + f->at };
	const void *known = (const char *)record + f->known, *of = (const char *)record + f->of;

	switch (f->type) {
	case FIELD_INT:
	case FIELD_INODE:
	case FIELD_SIZE:
	case FIELD_SECONDS:
		v.n = *(const int64_t *)v.at;
		v.none = f->type == FIELD_SIZE ? v.n < 0 : f->type == FIELD_SECONDS && v.n <= 0;
		break;
	case FIELD_SHARE:
		v.n = out_put_permille(*(const int64_t *)v.at, *(const int64_t *)of);
		v.none = v.n < 0;
		break;
	case FIELD_GAPS:
		v.n = out_put_gaps(v.at);
		break;
	case FIELD_LINKS:
		v.n = out_put_links(v.at);
		break;
	case FIELD_NUMBER:
		v.n = o->n + 1;
		break;
	case FIELD_BOOL:
		v.n = *(const bool *)v.at;
		v.none = v.n == 0 && (f->flags & FIELD_OPTIONAL) != 0;
		break;
	case FIELD_NOT:
		v.n = !*(const bool *)v.at;
		break;
	case FIELD_WORD:
		v.text = f->words[*(const unsigned *)v.at];
		v.none = v.text == NULL;
		break;
	case FIELD_EITHER:
		v.text = f->words[*(const bool *)v.at];
		break;
	case FIELD_CONST:
		v.text = f->words[0];
		break;
	case FIELD_PATH:
	case FIELD_NAME:
	case FIELD_TEXT:
		v.text = *(const char *const *)v.at;
		v.none = v.text == NULL;
		break;
	case FIELD_FLEETING:
		v.none = *(const unsigned *)v.at == 0;
		v.text = v.none ? NULL : fleeting_where(*(const unsigned *)v.at);
		break;
	case FIELD_WHY:
		v.text = value_why(v.at);
		v.none = v.text == NULL;
		break;
	case FIELD_HASH:
		v.none = *(const uint8_t *const *)v.at == NULL;
		break;
	case FIELD_LIST:
		v.none = *(const size_t *)of == 0;
		break;
	case FIELD_TIME:
	case FIELD_TIME_NS:
	case FIELD_OBJECT:
	case FIELD_EACH:
		break;
	}
	if (f->known != 0 && *(const int64_t *)known < 0)
		v.none = true;
	return v;
}

/* Append what has no escapes, in quotes or without. */
static void
value_plain(struct buf *b, const char *text, bool quotes)
{
	if (quotes)
		buf_addc(b, '"');
	buf_adds(b, text);
	if (quotes)
		buf_addc(b, '"');
}

/* Append a text, as it is shown where it is not UTF-8.  Returns whether it is UTF-8. */
static bool
value_text(struct out *o, const char *text, out_put_show_fn *show, bool csv)
{
	size_t len;
	const char *shown = out_put_utf8(o, text, show, &len);

	(csv ? quote_csv : quote_json)(&o->text, shown, len);
	return shown == text;
}

static void
value_bytes(struct buf *b, const char *name)
{
	buf_addc(b, '"');
	base64_add(b, name, strlen(name));
	buf_addc(b, '"');
}

static void
value_add(struct out *o, const struct field *f, const struct value *v, bool csv)
{
	struct buf *b = &o->text;
	char text[NUM_SHOW_MAX];
	struct fs_time time;

	switch (f->type) {
	case FIELD_INODE:
		if (!csv && (uint64_t)v->n > (uint64_t)EXACT_MAX)
			buf_addf(b, "\"%" PRIu64 "\"", (uint64_t)v->n);
		else
			buf_add_uint(b, (uint64_t)v->n);
		break;
	case FIELD_SHARE:
		buf_addf(b, "%d.%d", (int)(v->n / 10), (int)(v->n % 10));
		break;
	case FIELD_BOOL:
	case FIELD_NOT:
		buf_adds(b, csv ? v->n != 0 ? "1" : "0" : v->n != 0 ? "true" : "false");
		break;
	case FIELD_WORD:
	case FIELD_EITHER:
	case FIELD_CONST:
		value_plain(b, v->text, (f->flags & FIELD_BARE) == 0);
		break;
	case FIELD_TEXT:
	case FIELD_FLEETING:
	case FIELD_WHY:
		value_text(o, v->text, name_show_message, csv);
		break;
	case FIELD_TIME:
	case FIELD_TIME_NS:
		memcpy(&time, v->at, sizeof(time));
		value_plain(b, f->type == FIELD_TIME ? num_show_time(time.sec, time.nsec, text) : num_show_ns(time.sec, time.nsec, text),
		            !csv || f->type == FIELD_TIME);
		break;
	case FIELD_HASH:
		buf_addc(b, '"');
		buf_add_hex(b, *(const uint8_t *const *)v->at, HASH_SIZE);
		buf_addc(b, '"');
		break;
	default:
		if (!csv && (v->n > EXACT_MAX || v->n < -EXACT_MAX))
			buf_addf(b, "\"%" PRId64 "\"", v->n);
		else
			buf_add_int(b, v->n);
	}
}

void
out_key(struct buf *b, const char *key)
{
	if (b->len > 0 && b->data[b->len - 1] != '{')
		buf_addc(b, ',');
	buf_addc(b, '"');
	buf_adds(b, key);
	buf_adds(b, "\":");
}

/* Append objects of a list with commas. */
static void
value_list(struct out *o, const struct record *r, const char *records, size_t n)
{
	buf_addc(&o->text, '[');
	for (size_t i = 0; i < n; i++) {
		buf_adds(&o->text, i > 0 ? ",{" : "{");
		out_fields(o, r, records + i * r->size);
		buf_addc(&o->text, '}');
		out_put_flow(o);
	}
	buf_addc(&o->text, ']');
}

static void
value_object(struct out *o, const char *key, const struct record *r, const void *record)
{
	out_key(&o->text, key);
	buf_addc(&o->text, '{');
	out_fields(o, r, record);
	buf_addc(&o->text, '}');
}

void
out_field(struct out *o, const struct field *f, const void *record)
{
	const struct value v = value_get(o, f, record);
	char bytes[KEY_MAX];
	const char *name;

	if (v.none && (f->flags & FIELD_OPTIONAL) != 0)
		return;
	if (f->type == FIELD_OBJECT) {
		value_object(o, f->key, f->record, v.at);
		return;
	}
	for (size_t i = 0; f->type == FIELD_EACH && i < f->of; i++)
		value_object(o, f->words[i], f->record, (const char *)v.at + i * f->record->size);
	if (f->type == FIELD_EACH)
		return;
	out_key(&o->text, f->key);
	if (f->type == FIELD_LIST) {
		memcpy(&name, v.at, sizeof(name));
		value_list(o, f->record, name, *(const size_t *)(const void *)((const char *)record + f->of));
	} else if (v.none)
		buf_adds(&o->text, "null");
	else if (f->type == FIELD_PATH || f->type == FIELD_NAME) {
		name = f->type == FIELD_PATH ? out_put_cut(o, v.text) : v.text;
		if (!value_text(o, name, name_show, false)) {
			snprintf(bytes, sizeof(bytes), "%s_b64", f->key);
			out_key(&o->text, bytes);
			value_bytes(&o->text, name);
		}
	} else
		value_add(o, f, &v, false);
}

void
out_fields(struct out *o, const struct record *r, const void *record)
{
	for (const struct field *f = r->fields; f->key != NULL; f++) {
		if ((f->flags & FIELD_CSV) == 0 && field_applies(f, &o->style))
			out_field(o, f, record);
	}
}

size_t
out_column(struct out *o, const struct field *f, const void *record)
{
	const struct value v = value_get(o, f, record);
	const char *name;

	if (f->type != FIELD_PATH && f->type != FIELD_NAME) {
		if (!v.none)
			value_add(o, f, &v, true);
		return 1;
	}
	name = v.none || f->type == FIELD_NAME ? v.text : out_put_cut(o, v.text);
	if (v.none)
		buf_addc(&o->text, ',');
	else {
		const bool utf8 = value_text(o, name, name_show, true);

		buf_addc(&o->text, ',');
		if (!utf8)
			value_bytes(&o->text, name);
	}
	return 2;
}
