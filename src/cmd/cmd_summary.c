/* SPDX-License-Identifier: MIT */
/*
 * Nobody reads 30,000 lines: on a terminal the answer comes first, in few lines, with the places to
 * begin at.  Directories and bytes are as of the last scan; sets are looked at, as in a listing.
 */
#include "base/base.h"

#include "cmd/cmd_summary.h"

#include "cmd/cmd.h"
#include "cmd/cmd_steps.h"
#include "cmd/cmd_sums.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "query/sets.h"
#include "query/usage.h"
#include "query/usage_top.h"
#include "ui/width.h"

/* Lines of directories, and of sets; listings of no more sets are printed whole. */
enum { SUMMARY_LINES = 10 };

/* What is summed up. */
struct cmd_summary {
	const struct cmd_call *c;
	struct cmd_sums sums;    /* of the directory asked for, else of one above all roots */
	struct buf text;
};

/* sets_fn */
static int
cmd_summary_set(void *out, const struct set_answer *set)
{
	return out_set(out, set);
}

/* Put the lines of the first sets in *text, owned, and count all. */
static int
cmd_summary_sets(const struct cmd_call *c, const struct sets_query *q, char **text, struct set_totals *totals, struct err *err)
{
	struct out_style style = cmd_style(c, OUT_SETS);
	struct sets_query first = *q;
	size_t len;
	FILE *f = open_memstream(text, &len);
	struct out *out;
	int ret;

	if (f == NULL)
		return err_sys(err, "keep a part of the answer in memory");
	style.layout = OUT_BRIEF;
	first.top = SUMMARY_LINES;
	first.gap = NULL;
	out = out_open(f, &style);
	ret = out_close(out, sets_each(c->ix, &first, cmd_summary_set, out, totals, err), err);
	if (fclose(f) != 0 && ret == 0)
		ret = err_sys(err, "keep a part of the answer in memory");
	return ret;
}

/* Append the answer. */
static void
cmd_summary_answer(struct cmd_summary *s, const struct set_totals *totals, enum num_units units)
{
	const struct usage_sum sum = usage_below(s->sums.u, s->sums.dir);
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], where[NUM_SHOW_MAX];
	struct buf path = { 0 }, answer = { 0 };

	buf_addf(&answer, "%s, %s in ", num_show_things(sum.files, "file", "files", x), num_show_size(sum.bytes, units, y));
	if (s->sums.n_roots > 1)
		buf_adds(&answer, num_show_things((int64_t)s->sums.n_roots, "root", "roots", where));
	else {
		dirtree_path(usage_dirs(s->sums.u), s->sums.dir, &path);
		cmd_add_path(s->c, &answer, buf_str(&path));
	}
	buf_addf(&answer, "\n%s%s", set_totals_lack(totals) ? "up to " : "", num_show_size(sum.redundant, units, x));
	if (sum.bytes > 0)
		buf_addf(&answer, " (%d%%)", (int)((double)sum.redundant * 100 / (double)sum.bytes));
	buf_addf(&answer, " of it can go, a copy stays: %s of duplicates\n", num_show_things(totals->n_sets, "set", "sets", y));
	set_totals_show_lacking(&answer, totals);
	width_fold(&s->text, buf_str(&answer), 0, s->c->env->width);
	buf_release(&path);
	buf_release(&answer);
}

/* Print the places with most redundant bytes. */
static int
cmd_summary_places(const struct cmd_summary *s, const struct usage_place *places, size_t n)
{
	struct out_style style = cmd_style(s->c, OUT_DIRS);
	struct dir_answer lines[SUMMARY_LINES];
	const struct dirs_answer d = { .v = lines, .n = n, .paths = true, .by_redundant = true };
	struct buf path = { 0 };
	struct err ignored = { 0 };
	struct out *o;

	for (size_t i = 0; i < n; i++) {
		const struct usage_sum sum = places[i].sum;

		dirtree_path(usage_dirs(s->sums.u), places[i].dir, &path);
		lines[i] = (struct dir_answer){ .kind = places[i].within ? DIR_FILES : DIR_WHOLE, .path = buf_take(&path), .depth = 1,
		                                .files = sum.files, .bytes = sum.bytes, .duplicated = sum.duplicated,
		                                .redundant = sum.redundant };
	}
	/* The numbers are those of the sets. */
	style.results = NULL;
	style.numbers = false;
	o = out_open(s->c->out, &style);
	out_dirs(o, &d);
	for (size_t i = 0; i < n; i++)
		free((void *)(uintptr_t)lines[i].path);
	return out_close(o, 0, &ignored);
}

static void
cmd_summary_typed(const struct cmd_summary *s, struct buf *b, uint32_t dir)
{
	struct buf path = { 0 };

	dirtree_path(usage_dirs(s->sums.u), dir, &path);
	(void)cmd_add_typed(s->c, b, buf_str(&path));
	buf_release(&path);
}

/* Append what to do next. */
static void
cmd_summary_next(struct cmd_summary *s, const struct usage_place *places, size_t n, const struct set_totals *totals)
{
	struct buf asked = { 0 }, first = { 0 }, all = { 0 };
	char count[NUM_SHOW_MAX];

	if (s->sums.n_roots == 0)
		cmd_summary_typed(s, &asked, s->sums.dir);
	if (n > 0)
		cmd_summary_typed(s, &first, places[0].dir);
	buf_addf(&all, "all %s", num_show_things(totals->n_sets, "set", "sets", count));
	cmd_add_steps(s->c, &s->text, (const struct cmd_step[]){
		{ "decide", buf_str(&first), "say what stays where; it only marks" },
		{ "redundant", buf_str(&asked), "directories that can go as a whole" },
		{ "report --all", buf_str(&asked), buf_str(&all) },
	}, 3);
	buf_release(&asked);
	buf_release(&first);
	buf_release(&all);
}

/* Print what was appended, under a headline or none. */
static void
cmd_summary_print(struct cmd_summary *s, const char *headline, bool color)
{
	if (headline != NULL) {
		struct buf folded = { 0 };

		width_fold(&folded, headline, 0, s->c->env->width);
		fprintf(s->c->out, color ? "\n\033[1m%s\033[0m\n" : "\n%s\n", buf_str(&folded));
		buf_release(&folded);
	}
	fwrite(buf_str(&s->text), 1, s->text.len, s->c->out);
	buf_cut(&s->text, 0);
}

int
cmd_summary(const struct cmd_call *c, const struct sets_query *q, struct set_totals *totals,
            struct err *err)
{
	const struct out_style style = cmd_style(c, OUT_SETS);
	struct cmd_summary s = { .c = c };
	struct usage_place places[SUMMARY_LINES];
	char *sets = NULL;
	size_t n;
	int ret = cmd_summary_sets(c, q, &sets, totals, err);

	if (ret == 0 && totals->n_sets > SUMMARY_LINES) {
		ret = cmd_sums_open(&s.sums, c, q->n_dirs > 0 ? q->dirs[0] : NULL, !q->no_check, false, err);
		/* A file was asked about. */
		if (ret == 0 && s.sums.dir != DIRTREE_NONE) {
			n = usage_top(s.sums.u, s.sums.dir, USAGE_REDUNDANT, places, SUMMARY_LINES);
			cmd_summary_answer(&s, totals, style.units);
			cmd_summary_print(&s, NULL, style.color);
			/* That one directory has all of it was said above. */
			if (n > 1 || (n == 1 && places[0].dir != s.sums.dir)) {
				cmd_summary_print(&s, "where most of it lies: each place of a copy counts, one has to stay", style.color);
				cmd_summary_places(&s, places, n);
			}
			buf_adds(&s.text, sets);
			cmd_summary_print(&s, "the sets with most of it", style.color);
			cmd_summary_next(&s, places, n, totals);
			cmd_summary_print(&s, "next", style.color);
			ret = 1;
		}
	}
	free(sets);
	cmd_sums_close(&s.sums);
	buf_release(&s.text);
	return ret;
}
