/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/out_verdict.h"

#include "ui/out_format.h"
#include "ui/out_value.h"

/* The answer to the question in a word. */
static const char *
out_verdict_word(const struct out_verdict *v)
{
	if (v->error != NULL)
		return "error";
	switch (v->exit) {
	case 0:
		return v->yes != NULL ? v->yes : "done";
	case 1:
		return v->no != NULL ? v->no : "no";
	case 2:
		return "no_such_path";
	case 7:
		return "claimed";
	default:
		return "not_judged";
	}
}

static void
add_member(struct out *o, const char *key, enum field_type type, const void *value)
{
	const struct field f = { .key = key, .type = type, .flags = FIELD_OPTIONAL };

	out_field(o, &f, value);
}

void
out_verdict(FILE *stream, enum out_format format, bool open, const struct out_verdict *v)
{
	const char *word = out_verdict_word(v);
	const int64_t status = v->exit;
	struct out o = { .n = 0 };

	buf_adds(&o.text, format == OUT_NDJSON ? "{\"type\":\"verdict\"" : open ? "{" : "{\"schema_version\":1");
	add_member(&o, "error", FIELD_TEXT, &v->error);
	add_member(&o, "verdict", FIELD_TEXT, &word);
	add_member(&o, "exit", FIELD_INT, &status);
	out_key(&o.text, "not_judged");
	buf_addc(&o.text, '{');
	for (int gap = 0; gap < GAP_COUNT; gap++) {
		const int64_t n = v->gaps.files[gap] + v->gaps.dirs[gap];

		if (n > 0 && gap_matters((enum gap)gap))
			add_member(&o, gap_key((enum gap)gap), FIELD_INT, &n);
	}
	buf_adds(&o.text, v->unfinished ? "},\"unfinished\":true}\n" : "},\"unfinished\":false}\n");
	/* The document is under way: its last member stands before. */
	if (format == OUT_JSON && open)
		o.text.data[0] = ',';
	fwrite(o.text.data, 1, o.text.len, stream);
	buf_release(&o.text);
	buf_release(&o.scratch);
}
