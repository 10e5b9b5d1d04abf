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

/* Append a text for people.  Returns whether there is one. */
static bool
value_prose(struct out *o, const char *text, bool csv)
{
	if (text != NULL)
		value_text(o, text, name_show_message, csv);
	return text != NULL;
}

/* Append a name, and if it is not UTF-8 its bytes: under a key of their own, or in a column. */
static void
value_name(struct out *o, const char *key, const char *name, bool csv)
{
	const bool utf8 = name == NULL || value_text(o, name, name_show, csv);
	char bytes[KEY_MAX];

	if (csv)
		buf_addc(&o->text, ',');
	if (utf8)
		return;
	if (!csv) {
		snprintf(bytes, sizeof(bytes), "%s_b64", key);
		out_key(&o->text, bytes);
	}
	buf_addc(&o->text, '"');
	base64_add(&o->text, name, strlen(name));
	buf_addc(&o->text, '"');
}

static void
value_int(struct buf *b, int64_t n, bool csv)
{
	if (!csv && (n > EXACT_MAX || n < -EXACT_MAX))
		buf_addf(b, "\"%" PRId64 "\"", n);
	else
		buf_add_int(b, n);
}

static void
value_object(struct out *o, const struct record *r, const void *record)
{
	buf_addc(&o->text, '{');
	out_fields(o, r, record);
	buf_addc(&o->text, '}');
}

/* Append objects of a list with commas. */
static void
value_list(struct out *o, const struct record *r, const char *records, size_t n)
{
	buf_addc(&o->text, '[');
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_addc(&o->text, ',');
		value_object(o, r, records + i * r->size);
		out_put_flow(o);
	}
	buf_addc(&o->text, ']');
}

static const char *
value_why(const struct member *m)
{
	if (m->kind == MEMBER_UNREADABLE)
		return strerror(m->error);
	return m->fleeting != 0 ? fleeting_where(m->fleeting) : NULL;
}

/* Append a field, unless it is absent: then nothing.  Returns whether it is there. */
static bool
value_add(struct out *o, const struct field *f, const void *record, bool csv)
{
	const void *at = (const char *)record + f->at, *of = (const char *)record + f->of;
	const void *known = (const char *)record + f->known;
	struct buf *b = &o->text;
	char text[NUM_SHOW_MAX];
	const char *s = NULL;
	int64_t n = 0;

	if (f->known != 0 && *(const int64_t *)known < 0)
		return false;
	switch (f->type) {
	case FIELD_INT:
	case FIELD_SIZE:
	case FIELD_SECONDS:
		n = *(const int64_t *)at;
		if (f->type == FIELD_SIZE ? n < 0 : f->type == FIELD_SECONDS && n <= 0)
			return false;
		value_int(b, n, csv);
		return true;
	case FIELD_GAPS:
		value_int(b, out_put_gaps(at), csv);
		return true;
	case FIELD_LINKS:
		value_int(b, out_put_links(at), csv);
		return true;
	case FIELD_NUMBER:
		value_int(b, o->n + 1, csv);
		return true;
	case FIELD_INODE:
		n = *(const int64_t *)at;
		if (!csv && (uint64_t)n > (uint64_t)EXACT_MAX)
			buf_addf(b, "\"%" PRIu64 "\"", (uint64_t)n);
		else
			buf_add_uint(b, (uint64_t)n);
		return true;
	case FIELD_SHARE:
		n = out_put_permille(*(const int64_t *)at, *(const int64_t *)of);
		if (n >= 0)
			buf_addf(b, "%d.%d", (int)(n / 10), (int)(n % 10));
		return n >= 0;
	case FIELD_BOOL:
	case FIELD_NOT:
		n = *(const bool *)at != (f->type == FIELD_NOT);
		buf_adds(b, csv ? n != 0 ? "1" : "0" : n != 0 ? "true" : "false");
		return n != 0 || (f->flags & FIELD_OPTIONAL) == 0;
	case FIELD_WORD:
	case FIELD_EITHER:
	case FIELD_CONST:
		s = f->words[f->type == FIELD_WORD ? *(const unsigned *)at : f->type == FIELD_EITHER ? *(const bool *)at : 0];
		if (s != NULL)
			value_plain(b, s, (f->flags & FIELD_BARE) == 0);
		return s != NULL;
	case FIELD_PATH:
	case FIELD_NAME:
		s = *(const char *const *)at;
		value_name(o, f->key, s != NULL && f->type == FIELD_PATH ? out_put_cut(o, s) : s, csv);
		return s != NULL;
	case FIELD_TEXT:
		return value_prose(o, *(const char *const *)at, csv);
	case FIELD_FLEETING:
		return value_prose(o, *(const unsigned *)at != 0 ? fleeting_where(*(const unsigned *)at) : NULL, csv);
	case FIELD_WHY:
		return value_prose(o, value_why(at), csv);
	case FIELD_TIME:
		value_plain(b, num_show_time(((const struct fs_time *)at)->sec, ((const struct fs_time *)at)->nsec, text), true);
		return true;
	case FIELD_TIME_NS:
		value_plain(b, num_show_ns(((const struct fs_time *)at)->sec, ((const struct fs_time *)at)->nsec, text), !csv);
		return true;
	case FIELD_HASH:
		if (*(const uint8_t *const *)at == NULL)
			return false;
		buf_addc(b, '"');
		buf_add_hex(b, *(const uint8_t *const *)at, HASH_SIZE);
		buf_addc(b, '"');
		return true;
	case FIELD_LIST:
		memcpy(&s, at, sizeof(s));
		value_list(o, f->record, s, *(const size_t *)of);
		return *(const size_t *)of > 0 || (f->flags & FIELD_OPTIONAL) == 0;
	case FIELD_OBJECT:
	case FIELD_EACH:
		break;
	}
	value_object(o, f->record, at);
	return true;
}

void
out_key(struct buf *b, const char *key)
{
	buf_adds(b, b->len > 0 && b->data[b->len - 1] != '{' ? ",\"" : "\"");
	buf_adds(b, key);
	buf_adds(b, "\":");
}

void
out_field(struct out *o, const struct field *f, const void *record)
{
	const size_t from = o->text.len;

	out_key(&o->text, f->key);
	if (value_add(o, f, record, false))
		return;
	if ((f->flags & FIELD_OPTIONAL) != 0)
		buf_cut(&o->text, from);
	else
		buf_adds(&o->text, "null");
}

void
out_fields(struct out *o, const struct record *r, const void *record)
{
	for (const struct field *f = r->fields; f->key != NULL; f++) {
		if ((f->flags & FIELD_CSV) != 0 || !field_applies(f, &o->style))
			continue;
		if (f->type != FIELD_EACH) {
			out_field(o, f, record);
			continue;
		}
		for (size_t i = 0; i < f->of; i++) {
			out_key(&o->text, f->words[i]);
			value_object(o, f->record, (const char *)record + f->at + i * f->record->size);
		}
	}
}

size_t
out_column(struct out *o, const struct field *f, const void *record)
{
	value_add(o, f, record, true);
	return f->type == FIELD_PATH || f->type == FIELD_NAME ? 2 : 1;
}
