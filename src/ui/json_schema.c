/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/json_schema.h"

#include "ui/quote.h"
#include "ui/records.h"

#define REF(name) "{\"$ref\":\"#/$defs/" name "\"}"
#define STRING "{\"type\":\"string\"}"

/* The members that every document and the last line of NDJSON end with. */
#define VERDICT "\"error\":{\"type\":\"string\"},\"verdict\":" REF("verdict") ",\"exit\":" REF("exit") ",\"not_judged\":" REF("not_judged") \
	",\"unfinished\":{\"type\":\"boolean\"}},\"required\":["
#define VERDICT_REQUIRED "\"verdict\",\"exit\",\"not_judged\",\"unfinished\"],\"additionalProperties\":false}"

static void json_schema_object(struct buf *b, const struct record *r);

/* What values of a type are: of a field that is always there, and of one that may be null. */
static const char *const json_schema_types[][2] = {
	[FIELD_INT] = { REF("int"), REF("int_or_null") },
	[FIELD_SIZE] = { REF("int"), REF("int_or_null") },
	[FIELD_SECONDS] = { REF("int"), REF("int_or_null") },
	[FIELD_INODE] = { REF("int"), REF("int_or_null") },
	[FIELD_BOOL] = { "{\"type\":\"boolean\"}" },
	[FIELD_NOT] = { "{\"type\":\"boolean\"}" },
	[FIELD_TIME] = { STRING, "{\"type\":[\"string\",\"null\"]}" },
	[FIELD_TIME_NS] = { REF("nanoseconds"), "{\"anyOf\":[" REF("nanoseconds") ",{\"type\":\"null\"}]}" },
	[FIELD_HASH] = { REF("hash"), REF("hash") },
	[FIELD_PATH] = { STRING, "{\"type\":[\"string\",\"null\"]}" },
	[FIELD_NAME] = { STRING, "{\"type\":[\"string\",\"null\"]}" },
	[FIELD_TEXT] = { STRING },
	[FIELD_FLEETING] = { STRING },
	[FIELD_WHY] = { STRING },
	[FIELD_SHARE] = { "{\"type\":[\"number\",\"null\"]}" },
	[FIELD_GAPS] = { REF("int") },
	[FIELD_LINKS] = { REF("int") },
};

/* Append what values of a field are. */
static void
json_schema_type(struct buf *b, const struct field *f)
{
	const bool optional = (f->flags & FIELD_OPTIONAL) != 0;
	const bool null = f->known != 0 || (f->flags & FIELD_NULL) != 0 || (f->type == FIELD_SIZE && !optional);

	if (f->type == FIELD_WORD || f->type == FIELD_EITHER) {
		const size_t n = f->type == FIELD_WORD ? f->of : 2;

		buf_adds(b, "{\"enum\":[");
		for (size_t i = 0; i < n; i++) {
			const char *quotes = f->words[i] != NULL ? "\"" : "";

			buf_addf(b, "%s%s%s%s", i > 0 ? "," : "", quotes, f->words[i] != NULL ? f->words[i] : "null", quotes);
		}
		buf_adds(b, "]}");
	} else if (f->type == FIELD_OBJECT || f->type == FIELD_EACH)
		json_schema_object(b, f->record);
	else if (f->type == FIELD_LIST) {
		buf_adds(b, "{\"type\":\"array\",\"items\":");
		json_schema_object(b, f->record);
		buf_addc(b, '}');
	} else
		buf_adds(b, f->type == FIELD_BOOL && optional ? "{\"const\":true}" : json_schema_types[f->type][null]);
}

/* Append a property under a key, which text after it may extend. */
static void
json_schema_property(struct buf *b, const char *key, const struct field *f)
{
	buf_addf(b, "%s\"%s\":", b->data[b->len - 1] == '{' ? "" : ",", key);
	json_schema_type(b, f);
	if (f->doc != NULL) {
		buf_cut(b, b->len - 1);
		buf_adds(b, ",\"description\":");
		quote_json(b, f->doc, strlen(f->doc));
		buf_addc(b, '}');
	}
	if (f->type == FIELD_PATH || f->type == FIELD_NAME)
		buf_addf(b, ",\"%s_b64\":" REF("base64"), key);
}

/* Append a record as an object; its required members are those that every listing has. */
static void
json_schema_object(struct buf *b, const struct record *r)
{
	struct buf required = { 0 };

	buf_adds(b, "{\"type\":\"object\",\"properties\":{");
	if (r->type != NULL)
		buf_addf(b, "\"type\":{\"const\":\"%s\"}", r->type);
	for (const struct field *f = r->fields; f->key != NULL; f++) {
		const size_t n = f->type == FIELD_EACH ? f->of : 1;

		for (size_t i = 0; i < n && (f->flags & FIELD_CSV) == 0; i++) {
			const char *key = f->type == FIELD_EACH ? f->words[i] : f->key;

			json_schema_property(b, key, f);
			if ((f->flags & FIELD_OPTIONAL) == 0 && f->when == 0)
				buf_addf(&required, "%s\"%s\"", required.len > 0 ? "," : "", key);
		}
	}
	buf_addf(b, "},\"required\":[%s],\"additionalProperties\":false", buf_str(&required));
	if (r->doc != NULL) {
		buf_adds(b, ",\"description\":");
		quote_json(b, r->doc, strlen(r->doc));
	}
	buf_addc(b, '}');
	buf_release(&required);
}

/* Append a definition, and what a line of NDJSON is then. */
static void
json_schema_define(struct buf *b, struct buf *lines, const struct record *r)
{
	buf_addf(b, "\t\t\"%s\": ", r->name);
	json_schema_object(b, r);
	buf_adds(b, ",\n");
	buf_addf(lines, "\t\t\t{\"$ref\":\"#/$defs/%s\",\"required\":[\"type\"]},\n", r->name);
}

void
json_schema_records(struct buf *b)
{
	struct buf lists = { 0 }, lines = { 0 };

	for (int kind = 0; kind < OUT_KINDS; kind++) {
		const struct out_listing *l = &out_listings[kind];

		if (kind == OUT_PATHS)
			continue;  /* as OUT_STATES */
		json_schema_define(b, &lines, l->record);
		buf_addf(&lists, "%s\t\t\t{\"type\":\"object\",\"properties\":{\"schema_version\":{\"const\":1},\"%s\":{\"type\":\"array\",\"items\":"
		         "{\"$ref\":\"#/$defs/%s\"}}", lists.len > 0 ? ",\n" : "", l->key, l->record->name);
		if (l->totals != NULL) {
			json_schema_define(b, &lines, l->totals);
			buf_addf(&lists, ",\"%s\":{\"$ref\":\"#/$defs/%s\"}", l->totals->type, l->totals->name);
		}
		/* Those of a report are printed only where all of it is. */
		buf_addf(&lists, "," VERDICT "\"schema_version\",\"%s\",%s%s%s" VERDICT_REQUIRED, l->key, l->totals != NULL && kind != OUT_SETS ? "\"" : "",
		         l->totals != NULL && kind != OUT_SETS ? l->totals->type : "", l->totals != NULL && kind != OUT_SETS ? "\"," : "");
	}
	buf_addf(b, "\t\t\"listing\": {\"anyOf\":[\n%s\n\t\t]},\n", buf_str(&lists));
	buf_addf(b, "\t\t\"line\": {\"description\":\"A line of NDJSON.\",\"anyOf\":[\n%s\t\t\t{\"type\":\"object\",\"properties\":"
	         "{\"type\":{\"const\":\"verdict\"}," VERDICT "\"type\"," VERDICT_REQUIRED "\n\t\t]},\n", buf_str(&lines));
	buf_release(&lists);
	buf_release(&lines);
}
