/* SPDX-License-Identifier: MIT */
/* twindex report - the sets of duplicates, largest waste first. */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_keep.h"
#include "cmd/cmd_page.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_payload.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_summary.h"
#include "cmd/cmd_with.h"
#include "index/index.h"
#include "query/sets.h"

struct cmd_report_args {
	int64_t top, min_size, min_waste;
	int sort;
	bool all, across, no_check, undecided, payload;
	const char *html;
	struct opt_list paths, names;
};

static const struct opt cmd_report_opts[] = {
	OPT_INT_('t', "top", struct cmd_report_args, top, "N", "only the first N sets"),
	OPT_CHOICE_('s', "sort", struct cmd_report_args, sort, "KEY", "waste (default), size, count, path or time", sets_order_names),
	OPT_SIZE_(0, "min-size", struct cmd_report_args, min_size, "SIZE", "only sets of files of at least SIZE"),
	OPT_SIZE_('m', "min-waste", struct cmd_report_args, min_waste, "SIZE", "only sets with at least SIZE redundant bytes"),
	OPT_LIST_(0, "name", struct cmd_report_args, names, "GLOB", "only sets with a file whose name matches (repeatable)"),
	OPT_FLAG_('a', "all", struct cmd_report_args, all, "every set; in the shell, without PATH, of the whole index"),
	OPT_FLAG_(0, "across", struct cmd_report_args, across, "only sets with copies below at least two of the given paths; --with others: in at least two indexes"),
	OPT_FLAG_(0, "undecided", struct cmd_report_args, undecided, "only sets in which something is to be decided: see decide"),
	OPT_FLAG_(0, "payload", struct cmd_report_args, payload, "instead: files that differ in their tags alone, which scan --payload found"),
	OPT_FLAG_(0, "no-check", struct cmd_report_args, no_check, "as of the last scan: do not look at the files"),
	OPT_STRING_(0, "html", struct cmd_report_args, html, "FILE", "write a page with maps of directories to FILE (-: standard output)"),
	OPT_LIST_('p', "path", struct cmd_report_args, paths, "PATH", "the same as the operand PATH"),
	{ 0, "minsize", OPT_SIZE, OPT_AT(struct cmd_report_args, min_waste, int64_t), "SIZE", NULL, NULL },
	OPT_END
};

/* sets_fn: print one set, or only count it without an output. */
static int
cmd_report_print(void *out, const struct set_answer *set)
{
	return out != NULL ? out_set(out, set) : 0;
}

/* Check which options go together. */
static int
cmd_report_options(const struct cmd_call *c, const struct cmd_paths *paths, struct err *err)
{
	const struct cmd_report_args *a = c->args;

	if (cmd_paths_check_names(&a->names, err) < 0)
		return -1;
	if (a->payload && (a->html != NULL || a->top > 0 || a->across || a->undecided || a->names.n > 0 || a->min_size > 0 || a->min_waste > 0 ||
	                   c->choice->typed))
		return err_set(err, ERR_USAGE, "--payload lists all that differ in their tags: no option chooses among them");
	if (a->across && c->with == NULL && paths->n < 2)
		return err_set(err, ERR_USAGE, "option '--across' needs at least two paths, or --with");
	if (a->across && c->choice->only.n > 0)
		return err_set(err, ERR_USAGE, "--across and --only exclude each other");
	if (c->with == NULL)
		return 0;
	if (c->choice->typed || a->undecided)
		return err_set(err, ERR_USAGE, "--with leaves no choice of copies: rm and decide ask this index alone");
	if (c->listing->links_copies)
		return err_set(err, ERR_USAGE, "--with and --hardlink-is-copy exclude each other");
	if (c->with->others.n > SETS_INDEXES)
		return err_set(err, ERR_USAGE, "--with: more than %d other indexes", SETS_INDEXES);
	return 0;
}

/* Print the sets, or sum them up.  Returns as sets_each. */
static int
cmd_report_sets(const struct cmd_call *c, const struct sets_query *q, const struct out_style *style, struct set_totals *totals, struct err *err)
{
	struct out *o = out_open(c->out, style);
	int ret = sets_each(c->ix, q, cmd_report_print, o, totals, err);

	/* Count again without the options that left out all sets.  Gaps are reported already. */
	if (ret == 0 && totals->n_sets == 0 && style->format == OUT_TEXT &&
	    (q->min_size > 1 || q->min_waste > 0 || q->n_names > 0 || q->undecided)) {
		struct set_totals left_out = { .n_sets = 0 };
		struct sets_query all = *q;

		all.min_size = 1;
		all.min_waste = 0;
		all.n_names = 0;
		all.undecided = false;
		all.gap = NULL;
		ret = sets_each(c->ix, &all, cmd_report_print, NULL, &left_out, err);
		totals->n_left_out = left_out.n_sets;
		totals->unfinished |= left_out.unfinished;
	}
	if (ret == 0)
		ret = out_totals(o, totals);
	return out_close(o, ret, err);
}

/* Answer in the form that was asked for.  Returns as sets_each. */
static int
cmd_report_answer(const struct cmd_call *c, const struct sets_query *q, const struct out_style *style,
                  struct set_totals *totals, struct err *err)
{
	const struct cmd_report_args *a = c->args;
	/* Without filters and with one path at most: sums of directories answer that, too. */
	const bool whole = c->listing->format == OUT_TEXT && q->n_dirs < 2 && q->n_names == 0 && q->top == 0 && q->order == SETS_WASTE &&
	                   q->min_size == 1 && q->min_waste == 0 && !q->across && q->with == NULL && !q->undecided &&
	                   !q->links_are_copies && !c->choice->typed;
	struct sets_query plain = *q;
	int ret = 0;

	plain.keep = NULL;
	if (a->html != NULL) {
		if (!whole)
			return err_set(err, ERR_USAGE, "--html shows all sets of the index or of one PATH: no options choose or sort them");
		return cmd_page(c, &plain, a->html, totals, err);
	}
	/* A plain question on a terminal gets the summary. */
	if (whole && c->tty && c->globals->verbose == 0 && !a->all)
		ret = cmd_summary(c, &plain, totals, err);
	if (ret == 0)
		return cmd_report_sets(c, q, style, totals, err);
	if (ret > 0) {
		c->verdict->gaps.files[GAP_UNREADABLE] = totals->n_unreadable + totals->n_unproven;
		c->verdict->gaps.files[GAP_UNPROVEN] = totals->n_views;
	}
	return ret < 0 ? -1 : 0;
}

static int
cmd_report_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_report_args *a = c->args;
	struct out_style style = cmd_style(c, OUT_SETS);
	struct cmd_target *t = c->target;
	struct cmd_keep keep = { .keep = { .copies = 0 } };
	struct set_totals totals;
	int ret = -1;

	if (cmd_paths_here(c, a->all && t->paths.n == 0, &t->paths, err) < 0 || cmd_paths_asked(c, &t->paths, &t->exclude, err) < 0)
		return -1;
	if (cmd_report_options(c, &t->paths, err) < 0)
		return -1;
	for (size_t i = 0; i < t->paths.n; i++) {
		if (cmd_paths_known_with(c, t->paths.v[i], err) < 0)
			return -1;
	}
	cmd_paths_prune(&t->paths, a->across && c->with == NULL);
	if (a->payload)
		return cmd_payload_report(c, &t->paths, err);
	if (cmd_keep_open(&keep, c, c->ix, err) < 0 || cmd_keep_restrict(&keep, &t->paths, err) < 0)
		goto out;
	style.choices = cmd_keep_given(c->choice) && c->with == NULL;
	style.stays = c->tty && style.format == OUT_TEXT && !style.choices && c->with == NULL;
	{
		const struct sets_query q = {
			.dirs = t->paths.v, .n_dirs = t->paths.n, .across = a->across,
			.names = a->names.v, .n_names = a->names.n,
			.exclude = t->exclude.v, .n_exclude = t->exclude.n,
			.min_size = a->min_size > 0 ? a->min_size : 1, .min_waste = a->min_waste, .top = a->top,
			.order = (enum sets_order)a->sort, .no_check = a->no_check, .undecided = a->undecided,
			.links_are_copies = c->listing->links_copies, .with = c->with, .gap = cmd_count_gap, .gap_arg = c->verdict,
			.keep = style.choices || style.stays ? &keep.keep : NULL, .as_arranged = style.stays, .backups = &keep.keep,
			.inside = c->wholes->inside, .wholes = c->wholes->more.v, .n_wholes = c->wholes->more.n,
		};

		ret = cmd_report_answer(c, &q, &style, &totals, err);
		c->verdict->all_read = index_is_compared(c->ix, q.min_size);
		if (ret == 0 && totals.n_sets == 0)
			cmd_paths_hint_all(c);
	}
out:
	cmd_keep_release(&keep);
	return ret;
}

const struct cmd cmd_report = {
	.name = "report",
	.operands = "[PATH...]",
	.summary = "show the sets of duplicates, largest waste first",
	.help = "Without PATH, the whole index (in the shell, its directory); with PATH only the sets that\n"
	        "have a copy below one of them.  Every copy is looked at: one that is gone or has changed\n"
	        "since the scan is shown as such and not counted.  One that cannot be looked at makes the\n"
	        "exit status 3; -v names it.  With one of the options of choices, each copy is said to stay\n"
	        "or to go, as rm -r PATH with these options would have it, but that wholes (--inside) always\n"
	        "stay; those that stay come first.  Without, a terminal shows > before what stays.  With\n"
	        "--with, files of other indexes are copies, too: what is redundant is that of this index alone.",
	.opts = cmd_report_opts,
	.args_size = sizeof(struct cmd_report_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_CHOOSES | CMD_WHOLES | CMD_JOINS | CMD_PATHS,
	.run = cmd_report_run,
};
