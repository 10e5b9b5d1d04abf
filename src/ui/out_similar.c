/* SPDX-License-Identifier: MIT */
/*
 * out_similar - pairs of directories that share content, for people: a line that says how much
 * and how, and a line for each directory: how much of it is in the other, where it is, and what
 * only it has.  Paths come last but for that, so that a narrow terminal breaks lines behind them.
 */
#include "base/base.h"

#include "query/answer.h"
#include "index/fleeting.h"
#include "ui/out_format.h"
#include "ui/out_put.h"

static const char *const similar_words[SIMILAR_KINDS] = {
	[SIMILAR_TWINS] = "twins", [SIMILAR_SAME] = "the same under other names", [SIMILAR_CONTAINED] = "contained",
	[SIMILAR_OVERLAP] = "overlapping",
};

/* Append the number of a directory of the pair, from 1, or an indent in its place. */
static void
similar_number(struct out *o, size_t member)
{
	char text[48];

	if (o->style.numbers) {
		snprintf(text, sizeof(text), "%" PRId64 ".%zu", o->n + 1, member);
		buf_addf(&o->text, "%5s ", text);
	}
}

static void
similar_side(struct out *o, const struct similar_answer_side *side, size_t member, bool twins)
{
	const int64_t only = side->files - side->shared_files, share = out_put_permille(side->shared_bytes, side->bytes);
	char files[NUM_SHOW_MAX], bytes[NUM_SHOW_MAX];
	struct buf *b = &o->text;

	similar_number(o, member);
	if (share < 10)
		buf_adds(b, " <1%  ");
	else
		buf_addf(b, "%3d%%  ", (int)(share / 10));
	out_put_name(o, side->path, true);
	if (side->index != NULL) {
		buf_adds(b, " (index ");
		out_put_shown(o, b, side->index);
		buf_addc(b, ')');
	}
	if (side->fleeting != 0)
		buf_addf(b, " (%s)", fleeting_where(side->fleeting));
	if (side->partly != 0)
		buf_addf(b, " (partly %s)", fleeting_where(side->partly));
	if (only > 0)
		buf_addf(b, " (only here: %s, %s)", num_show_things(only, "file", "files", files),
		         num_show_size(side->bytes - side->shared_bytes, o->style.units, bytes));
	if (side->unjudged > 0)
		buf_addf(b, " (%s not judged)", num_show_count(side->unjudged, files));
	if (side->twins > 0 && !twins)
		buf_addf(b, " (and %s)", num_show_things(side->twins, "twin", "twins", files));
	buf_addc(b, '\n');
}

/* Append the further twins, or how many they are. */
static void
similar_twins(struct out *o, const struct similar_answer *s)
{
	char count[NUM_SHOW_MAX];

	for (size_t i = 0; i < s->n_twins; i++) {
		if (o->style.fold > 0 && i + 2 >= o->style.fold && s->n_twins > i + 1) {
			buf_addf(&o->text, "  ... and %s more: -v lists all\n", num_show_count((int64_t)(s->n_twins - i), count));
			return;
		}
		similar_number(o, i + 3);
		buf_adds(&o->text, "100%  ");
		out_put_name(o, s->twins[i].path, true);
		if (s->twins[i].fleeting != 0)
			buf_addf(&o->text, " (%s)", fleeting_where(s->twins[i].fleeting));
		buf_addc(&o->text, '\n');
		out_put_flow(o);
	}
}

void
out_similar_text(struct out *o, const void *record)
{
	const struct similar_answer *s = record;
	char files[NUM_SHOW_MAX], bytes[NUM_SHOW_MAX];
	struct buf *b = &o->text;

	if (o->style.numbers)
		buf_addf(b, "%3" PRId64 "   ", o->n + 1);
	if (o->style.color)
		buf_adds(b, "\033[" OUT_PUT_STRONG "m");
	buf_addf(b, "%s, %s: ", num_show_size(s->bytes, o->style.units, bytes), num_show_things(s->contents, "file", "files", files));
	if (s->n_twins > 0)
		buf_addf(b, "%s ", num_show_count((int64_t)s->n_twins + 2, files));
	buf_adds(b, similar_words[s->kind]);
	if (s->left.unjudged + s->right.unjudged > 0)
		buf_adds(b, ", as far as could be judged");
	if (o->style.color)
		buf_adds(b, "\033[0m");
	if (s->linked > 0)
		buf_addf(b, " (%s, %s: hard links, which free nothing)", num_show_things(s->linked, "file", "files", files),
		         num_show_size(s->linked_bytes, o->style.units, bytes));
	buf_addc(b, '\n');
	similar_side(o, &s->left, 1, s->kind == SIMILAR_TWINS);
	similar_side(o, &s->right, 2, s->kind == SIMILAR_TWINS);
	similar_twins(o, s);
	buf_addc(b, '\n');
}
