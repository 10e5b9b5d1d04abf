/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/out_verdict.h"

#include "ui/out_json_put.h"
#include "ui/quote.h"

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
	default:
		return "not_judged";
	}
}

void
out_verdict(FILE *stream, enum out_format format, const struct out_verdict *v)
{
	struct buf b = { 0 }, error = { 0 };

	buf_adds(&b, format == OUT_NDJSON ? "{\"type\":\"verdict\"" : "{");
	if (v->error != NULL) {
		name_show_message(&error, v->error, strlen(v->error));
		out_json_key(&b, "error");
		quote_json(&b, buf_str(&error), error.len);
	}
	out_json_word(&b, "verdict", out_verdict_word(v));
	out_json_int(&b, "exit", v->exit);
	out_json_key(&b, "not_judged");
	buf_addc(&b, '{');
	for (int gap = 0; gap < GAP_COUNT; gap++) {
		const int64_t n = v->gaps.files[gap] + v->gaps.dirs[gap];

		if (n > 0 && gap_matters((enum gap)gap))
			out_json_int(&b, gap_key((enum gap)gap), n);
	}
	buf_addc(&b, '}');
	out_json_bool(&b, "unfinished", v->unfinished);
	buf_adds(&b, "}\n");
	/* The document is under way: its last member stands before. */
	if (format == OUT_JSON)
		b.data[0] = ',';
	fwrite(b.data, 1, b.len, stream);
	buf_release(&error);
	buf_release(&b);
}

void
out_verdict_alone(FILE *stream, enum out_format format, const struct out_verdict *v)
{
	if (format == OUT_JSON)
		fputs("{\"schema_version\":1", stream);
	out_verdict(stream, format, v);
}
