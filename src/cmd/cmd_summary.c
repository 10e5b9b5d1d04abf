/* SPDX-License-Identifier: MIT */
/*
 * Nobody reads 30,000 lines: on a terminal the answer comes first, in few lines, with the places to
 * begin at.  It fits a screen: the sets get the lines that the rest leaves.  Directories and bytes
 * are as of the last scan; sets are looked at, as in a listing.
 */
#include "base/base.h"

#include "cmd/cmd_summary.h"

#include "cmd/cmd.h"
#include "cmd/cmd_steps.h"
#include "cmd/cmd_sums.h"
#include "index/index.h"
#include "index/roots.h"
#include "query/dirtree.h"
#include "query/sets.h"
#include "query/usage.h"
#include "query/usage_top.h"
#include "ui/width.h"

/* The most lines of sets; listings of no more sets are printed whole. */
enum { SUMMARY_LINES = 10 };
/* The rows of all, which leave a terminal of 24 room for the prompt; the most directories. */
enum { SUMMARY_ROWS = 22, SUMMARY_PLACES = 5 };
/* Rows of the headline of sets; sets for which there is room, if with less directories. */
enum { SUMMARY_HEAD = 2, SUMMARY_SETS = 3, SUMMARY_PLACES_LEAST = 2 };
/* The most rows that a step takes, and the columns of its command. */
enum { SUMMARY_STEP = 2, SUMMARY_COMMAND = 24 };
/* The least columns of the directory in the first line, where it is cut. */
enum { SUMMARY_NAME = 24 };
/* Columns of a line where the terminal does not tell. */
enum { SUMMARY_LINE = 80 };

/* What is summed up. */
struct cmd_summary {
	const struct cmd_call *c;
	struct cmd_sums sums;    /* of the directory asked for, else of one above all roots */
	struct usage_place places[SUMMARY_PLACES];
	size_t n_places;
	size_t more_roots;       /* roots in which none of these lies */
	struct buf text;
};

static int
cmd_summary_width(const struct cmd_summary *s)
{
	return s->c->env->width > 0 ? s->c->env->width : SUMMARY_LINE;
}

static int
cmd_summary_rows(const struct cmd_summary *s, const struct buf *b)
{
	return width_rows(b->data, b->len, cmd_summary_width(s));
}

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

/* Append the first line: what there is. */
static void
cmd_summary_all(struct cmd_summary *s, const struct usage_sum *sum, enum num_units units, struct buf *b)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	struct buf path = { 0 }, shown = { 0 }, twice = { 0 };
	int left;

	buf_addf(b, "%s, %s in ", num_show_things(sum->files, "file", "files", x), num_show_size(sum->bytes, units, y));
	buf_addf(&twice, ", %s of it duplicated\n", num_show_share(sum->duplicated, sum->bytes, x));
	if (s->sums.n_roots > 1)
		buf_adds(b, num_show_things((int64_t)s->sums.n_roots, "root", "roots", y));
	else {
		dirtree_path(usage_dirs(s->sums.u), s->sums.dir, &path);
		cmd_add_path(s->c, &shown, buf_str(&path));
		left = cmd_summary_width(s) - width_of(buf_str(b)) - (int)twice.len;
		width_cut_middle(b, buf_str(&shown), left > SUMMARY_NAME ? left : SUMMARY_NAME);
	}
	buf_adds(b, buf_str(&twice));
	buf_release(&path);
	buf_release(&shown);
	buf_release(&twice);
}

/* Append the answer. */
static void
cmd_summary_answer(struct cmd_summary *s, const struct set_totals *totals, enum num_units units, struct buf *b)
{
	const struct usage_sum sum = usage_below(s->sums.u, s->sums.dir);
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], share[NUM_SHOW_MAX];
	struct buf answer = { 0 };

	cmd_summary_all(s, &sum, units, &answer);
	buf_addf(&answer, "%s%s (%s) of it can go, a copy stays: %s of duplicates\n", set_totals_lack(totals) ? "up to " : "",
	         num_show_size(sum.redundant, units, x), num_show_share(sum.redundant, sum.bytes, share),
	         num_show_things(totals->n_sets, "set", "sets", y));
	set_totals_show_lacking(&answer, totals);
	width_fold(b, buf_str(&answer), 0, s->c->env->width);
	buf_release(&answer);
}

/* Choose at most max places, and count the roots that have none of them.  Returns 0 or -1. */
static int
cmd_summary_choose(struct cmd_summary *s, size_t max, struct err *err)
{
	const struct dirtree *t = usage_dirs(s->sums.u);
	struct roots roots = { 0 };
	int ret = 0;

	s->n_places = usage_top(s->sums.u, s->sums.dir, USAGE_REDUNDANT, s->places, max);
	/* That one directory has all of it was said above. */
	if (s->n_places == 1 && s->places[0].dir == s->sums.dir)
		s->n_places = 0;
	s->more_roots = 0;
	if (s->sums.n_roots > 1)
		ret = roots_load(&roots, s->c->ix->db, err);
	for (size_t i = 0; i < roots.n; i++) {
		const uint32_t dir = dirtree_find(t, roots.v[i].path);
		bool shown = false;

		if (dir == DIRTREE_NONE || dirtree_excluded(t, dir))
			continue;
		for (size_t k = 0; !shown && k < s->n_places; k++)
			shown = s->places[k].dir >= dir && s->places[k].dir < dirtree_end(t, dir);
		s->more_roots += !shown;
	}
	roots_release(&roots);
	return ret;
}

/* Print the places with most redundant bytes. */
static void
cmd_summary_places(const struct cmd_summary *s)
{
	struct out_style style = cmd_style(s->c, OUT_DIRS);
	struct dir_answer lines[SUMMARY_PLACES + 1];
	const struct dirs_answer d = { .v = lines, .n = s->n_places + (s->more_roots > 0), .paths = true, .by_redundant = true, .cut = true,
	                               .more = s->more_roots == 1 ? "root" : "roots" };
	struct buf path = { 0 };
	struct err ignored = { 0 };
	struct out *o;

	for (size_t i = 0; i < s->n_places; i++) {
		const struct usage_sum *sum = &s->places[i].sum;

		dirtree_path(usage_dirs(s->sums.u), s->places[i].dir, &path);
		lines[i] = (struct dir_answer){ .kind = s->places[i].within ? DIR_FILES : DIR_WHOLE, .path = buf_take(&path), .depth = 1,
		                                .files = sum->files, .bytes = sum->bytes, .duplicated = sum->duplicated,
		                                .redundant = sum->redundant };
	}
	lines[s->n_places] = (struct dir_answer){ .kind = DIR_REST, .files = (int64_t)s->more_roots };
	/* The numbers are those of the sets. */
	style.results = NULL;
	style.numbers = false;
	o = out_open(s->c->out, &style);
	out_dirs(o, &d);
	for (size_t i = 0; i < s->n_places; i++)
		free((void *)(uintptr_t)lines[i].path);
	(void)out_close(o, 0, &ignored);
}

/* Append a directory to be typed; one that would take several rows is DIR. */
static void
cmd_summary_typed(const struct cmd_summary *s, struct buf *b, uint32_t dir)
{
	struct buf path = { 0 };

	dirtree_path(usage_dirs(s->sums.u), dir, &path);
	(void)cmd_add_typed(s->c, b, buf_str(&path));
	if (width_of(buf_str(b)) > SUMMARY_STEP * cmd_summary_width(s) - SUMMARY_COMMAND) {
		buf_cut(b, 0);
		buf_adds(b, "DIR");
	}
	buf_release(&path);
}

/* Append what to do next. */
static void
cmd_summary_next(struct cmd_summary *s, const struct set_totals *totals, struct buf *b)
{
	struct buf asked = { 0 }, first = { 0 }, all = { 0 };
	char count[NUM_SHOW_MAX];

	if (s->sums.n_roots == 0)
		cmd_summary_typed(s, &asked, s->sums.dir);
	if (s->n_places > 0)
		cmd_summary_typed(s, &first, s->places[0].dir);
	else if (s->sums.n_roots == 0)
		buf_adds(&first, buf_str(&asked));
	buf_addf(&all, "all %s", num_show_things(totals->n_sets, "set", "sets", count));
	cmd_add_steps(s->c, b, (const struct cmd_step[]){
		{ "decide", buf_str(&first), "choose which copies to keep; deletes nothing" },
		{ "redundant", buf_str(&asked), "directories that can go as a whole" },
		{ "report --all", buf_str(&asked), buf_str(&all) },
	}, 3);
	buf_release(&asked);
	buf_release(&first);
	buf_release(&all);
}

/* Print what was appended. */
static void
cmd_summary_print(struct cmd_summary *s)
{
	fwrite(buf_str(&s->text), 1, s->text.len, s->c->out);
	buf_cut(&s->text, 0);
}

/* Append a headline, behind an empty line. */
static void
cmd_summary_head(const struct cmd_summary *s, struct buf *b, const char *headline, bool color)
{
	buf_adds(b, color ? "\n\033[1m" : "\n");
	width_fold(b, headline, 0, s->c->env->width);
	buf_adds(b, color ? "\033[0m\n" : "\n");
}

/* The length of the first n lines of a text. */
static size_t
cmd_summary_lines(const char *text, int n)
{
	const char *end = text;

	for (; n > 0 && *end != '\0'; n--)
		end = strchr(end, '\n') + 1;
	return (size_t)(end - text);
}

/* Print all, with as many directories and sets as fit.  Returns 1 or -1. */
static int
cmd_summary_show(struct cmd_summary *s, const struct set_totals *totals, const char *sets, struct err *err)
{
	const struct out_style style = cmd_style(s->c, OUT_SETS);
	struct buf answer = { 0 }, where = { 0 }, next = { 0 };
	size_t places = SUMMARY_PLACES;
	int ret = 1, left = 0;

	cmd_summary_answer(s, totals, style.units, &answer);
	cmd_summary_head(s, &where, "where the waste is (columns overlap: every copy counts, one has to stay)", style.color);
	for (;; places--) {
		if (cmd_summary_choose(s, places, err) < 0)
			ret = -1;
		buf_cut(&next, 0);
		cmd_summary_head(s, &next, "next", style.color);
		cmd_summary_next(s, totals, &next);
		left = SUMMARY_ROWS - cmd_summary_rows(s, &answer) - cmd_summary_rows(s, &next) - SUMMARY_HEAD;
		if (s->n_places > 0)
			left -= cmd_summary_rows(s, &where) + 1 + (int)s->n_places + (s->more_roots > 0);
		if (ret < 0 || left >= SUMMARY_SETS || places <= SUMMARY_PLACES_LEAST)
			break;
	}
	if (ret > 0) {
		buf_adds(&s->text, buf_str(&answer));
		cmd_summary_print(s);
		if (s->n_places > 0) {
			buf_adds(&s->text, buf_str(&where));
			cmd_summary_print(s);
			cmd_summary_places(s);
		}
		cmd_summary_head(s, &s->text, "the sets with the most waste", style.color);
		buf_add(&s->text, sets, cmd_summary_lines(sets, left > 1 ? left : 1));
		buf_adds(&s->text, buf_str(&next));
		cmd_summary_print(s);
	}
	buf_release(&answer);
	buf_release(&where);
	buf_release(&next);
	return ret;
}

int
cmd_summary(const struct cmd_call *c, const struct sets_query *q, struct set_totals *totals,
            struct err *err)
{
	struct cmd_summary s = { .c = c };
	char *sets = NULL;
	int ret = cmd_summary_sets(c, q, &sets, totals, err);

	if (ret == 0 && totals->n_sets > SUMMARY_LINES) {
		ret = cmd_sums_open(&s.sums, c, q->n_dirs > 0 ? q->dirs[0] : NULL, !q->no_check, false, err);
		/* A file was asked about. */
		if (ret == 0 && s.sums.dir != DIRTREE_NONE)
			ret = cmd_summary_show(&s, totals, sets, err);
	}
	free(sets);
	cmd_sums_close(&s.sums);
	buf_release(&s.text);
	return ret;
}
