/* SPDX-License-Identifier: MIT */
/*
 * twindex diff - what changed between scans?
 *
 * query/changes compares the states of the index after two runs.  Options choose the classes that
 * are listed; without any, text is the sums and then all lists, of which a terminal is shown the
 * first lines.  What the history cannot tell is said on stderr, and makes the exit status 3.
 */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_since.h"
#include "index/gaps.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/roots.h"
#include "query/changes.h"
#include "query/growth.h"
#include "ui/bar.h"

/* Lines per class that a terminal shows below the sums. */
#define CMD_DIFF_FIRST 10

/* Directories that it shows above these for what they have grown by, and columns of their bars. */
enum { CMD_DIFF_GROWN = 4, CMD_DIFF_BAR = 20 };

struct cmd_diff_args {
	bool new, changed, moved, gone, lost, touched, each;
	struct opt_list below;
};

static const struct opt cmd_diff_opts[] = {
	OPT_FLAG_(0, "new", struct cmd_diff_args, new, "list new files"),
	OPT_FLAG_(0, "changed", struct cmd_diff_args, changed, "list files with another content"),
	OPT_FLAG_(0, "moved", struct cmd_diff_args, moved, "list files that are at another path now"),
	OPT_FLAG_(0, "gone", struct cmd_diff_args, gone, "list files that are gone"),
	OPT_FLAG_(0, "lost", struct cmd_diff_args, lost, "list gone and changed files whose old content no longer exists"),
	OPT_FLAG_(0, "touched", struct cmd_diff_args, touched, "list files of which only times, owner or inode changed"),
	OPT_LIST_(0, "below", struct cmd_diff_args, below, "DIR", "only files that are or were in DIR"),
	OPT_FLAG_(0, "each", struct cmd_diff_args, each, "list each file of a directory that is new or gone as a whole"),
	OPT_END
};

/* A question on its way. */
struct cmd_diff {
	const struct cmd_call *c;
	struct cmd_paths *below;
	struct cmd_since since;        /* which states */
	struct out *out;
	int64_t left;                  /* changes of a class still to be listed; -1: all */
	bool certain;                  /* all is known */
};

/* changes_fn */
static int
cmd_diff_change(void *arg, const struct change_answer *a)
{
	struct cmd_diff *w = arg;

	if (w->left == 0)
		return 1;
	w->left -= w->left > 0;
	return out_change(w->out, a);
}

/* Find out which runs are meant. */
static int
cmd_diff_runs(struct cmd_diff *w, struct err *err)
{
	const struct cmd_call *c = w->c;
	struct roots roots = { 0 };
	const struct root *root = NULL;
	int64_t run = 0;
	int ret;

	w->since.to = CHANGES_NOW;
	if (c->n_operands > 2)
		return err_set(err, ERR_USAGE, "diff takes at most two scans");
	if (c->n_operands == 0) {
		/* The last run that finished; of --below the last scan of the root of DIR. */
		ret = roots_load(&roots, c->ix->db, err);
		if (ret == 0 && w->below->n == 1)
			root = roots_above(&roots, w->below->v[0]);
		if (root != NULL && root->scan > 0)
			run = root->scan;
		else if (ret == 0)
			ret = journal_finished(c->ix, &run, err);
		roots_release(&roots);
		w->since.from = run > 0 ? run - 1 : 0;
		return ret;
	}
	if (cmd_since_run_of(&w->since, c->operands[0], &w->since.from, err) < 0 ||
	    (c->n_operands == 2 && cmd_since_run_of(&w->since, c->operands[1], &w->since.to, err) < 0))
		return -1;
	return w->since.to >= w->since.from ? 0 : err_set(err, ERR_USAGE, "scan %" PRId64 " was before scan %" PRId64 ": name the earlier one first",
	                                      w->since.to, w->since.from);
}

/* Report the remaining gaps. */
static int
cmd_diff_gaps(struct cmd_diff *w, const struct changes_totals *t, struct err *err)
{
	char x[NUM_SHOW_MAX];
	int lacks;

	if (cmd_since_gaps(&w->since, err) < 0)
		return -1;
	if (t->left_out > 0)
		cmd_message(w->c, "%s out by options of a scan: whether they changed or are gone is not known",
		            num_show_things(t->left_out, "file was left", "files were left", x));
	if (t->maybe.n > 0)
		cmd_message(w->c, "%s may be the last copy: files of the same size were never read",
		            num_show_things(t->maybe.n, "gone or changed file", "gone or changed files", x));
	/* The mtimes of those not compared are unchanged, but any program can set these. */
	w->c->verdict->told.files[GAP_UNPROVEN] += t->left_out + t->maybe.n + t->uncompared.n;
	lacks = cmd_lacks(w->c, err);
	w->certain = lacks == 0;
	return lacks < 0 ? -1 : 0;
}

/* Append the line of a sum; nothing if no file has it. */
static void
cmd_diff_sum(const struct cmd_call *c, struct buf *b, struct pairs_sum sum, const char *words)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	if (sum.n > 0)
		buf_addf(b, "%9s %-5s %10s  %s\n", num_show_count(sum.n, x), sum.n == 1 ? "file" : "files",
		         num_show_size(sum.bytes, cmd_style(c, OUT_CHANGES).units, y), words);
}

static void
cmd_diff_class(const struct cmd_call *c, struct buf *b, const struct changes_totals *t, enum change_class class)
{
	static const char *const words[CHANGE_CLASSES] = {
		[CHANGE_NEW] = "new", [CHANGE_CHANGED] = "changed", [CHANGE_MOVED] = "moved", [CHANGE_GONE] = "gone",
		[CHANGE_LOST] = "of these: content with no copy left to rely on", [CHANGE_TOUCHED] = "with other times and the same content",
	};
	struct pairs_sum sum = t->sums[class];

	if (class == CHANGE_TOUCHED) {
		sum.n -= t->uncompared.n;
		sum.bytes = num_sub(sum.bytes, t->uncompared.bytes);
		cmd_diff_sum(c, b, t->uncompared, "with other times and the same size, content not compared: it was not read");
	}
	cmd_diff_sum(c, b, sum, words[class]);
}

/* The directories asked about, none in another: those of --below, or all roots. */
static void
cmd_diff_tops(const struct cmd_diff *w, const struct roots *roots, struct cmd_paths *tops)
{
	const size_t n = w->below->n > 0 ? w->below->n : roots->n;

	for (size_t i = 0; i < n; i++) {
		const char *path = w->below->n > 0 ? w->below->v[i] : roots->v[i].path;
		bool in = false;

		for (size_t j = 0; j < n && !in; j++) {
			const char *other = w->below->n > 0 ? w->below->v[j] : roots->v[j].path;

			in = j != i && path_is_below(path, other) && (j < i || strcmp(path, other) != 0);
		}
		if (!in)
			vec_push(tops, path);
	}
}

/* The most bytes, grown or shrunk, first. */
static int
cmd_diff_cmp_growth(const void *a, const void *b)
{
	const struct growth_entry *x = a, *y = b;
	const int64_t n = x->bytes < 0 ? num_sub(0, x->bytes) : x->bytes, m = y->bytes < 0 ? num_sub(0, y->bytes) : y->bytes;

	return n != m ? (n > m ? -1 : 1) : strcmp(x->path, y->path);
}

/* Append "+1.2 GiB", right-aligned. */
static void
cmd_diff_add_grown(const struct cmd_call *c, struct buf *b, int64_t bytes)
{
	char size[NUM_SHOW_MAX], text[NUM_SHOW_MAX + 1];

	snprintf(text, sizeof(text), "%s%s", bytes < 0 ? "-" : bytes > 0 ? "+" : "",
	         num_show_size(bytes < 0 ? num_sub(0, bytes) : bytes, cmd_style(c, OUT_CHANGES).units, size));
	buf_addf(b, "%11s", text);
}

/* Append what has grown, or shrunk, most; nothing if nothing has. */
static void
cmd_diff_add_growth(const struct cmd_diff *w, struct buf *b, struct growth *g)
{
	const size_t n = g->entries.n < CMD_DIFF_GROWN ? g->entries.n : CMD_DIFF_GROWN;
	char x[NUM_SHOW_MAX];
	int64_t most;

	if (n == 0)
		return;
	qsort(g->entries.v, g->entries.n, sizeof(*g->entries.v), cmd_diff_cmp_growth);
	most = g->entries.v[0].bytes < 0 ? num_sub(0, g->entries.v[0].bytes) : g->entries.v[0].bytes;
	cmd_diff_add_grown(w->c, b, g->bytes);
	buf_addf(b, "  %s in all, the most in:\n", g->bytes < 0 ? "shrunk" : "grown");
	for (size_t i = 0; i < n; i++) {
		const struct growth_entry *e = &g->entries.v[i];

		cmd_diff_add_grown(w->c, b, e->bytes);
		buf_adds(b, "  ");
		bar_add(b, cmd_style(w->c, OUT_CHANGES).utf8, e->bytes < 0 ? num_sub(0, e->bytes) : e->bytes, most, CMD_DIFF_BAR);
		buf_adds(b, "  ");
		cmd_add_path(w->c, b, e->path);
		buf_adds(b, e->is_files ? "/.\n" : "/\n");
	}
	if (g->entries.n > n)
		buf_addf(b, "%11s  and %s: '%s du --since SCAN DIR' shows all\n", "",
		         num_show_things((int64_t)(g->entries.n - n), "other directory", "other directories", x), prog_name());
}

/* Append what has grown between the states, for people. */
static int
cmd_diff_growth(const struct cmd_diff *w, struct changes *changes, struct buf *b, struct err *err)
{
	struct growth g = { .files = 0 };
	struct cmd_paths tops = { 0 };
	struct roots roots = { 0 };
	int ret = roots_load(&roots, w->c->ix->db, err);

	if (ret == 0) {
		cmd_diff_tops(w, &roots, &tops);
		const struct growth_query q = {
			.from = w->since.from, .to = w->since.to, .below = tops.v, .n_below = tops.n,
			.exclude = w->c->target->exclude.v, .n_exclude = w->c->target->exclude.n,
		};

		ret = changes_growth(changes, w->c->ix, &q, &g, err);
	}
	if (ret == 0)
		cmd_diff_add_growth(w, b, &g);
	growth_release(&g);
	vec_release(&tops);
	roots_release(&roots);
	return ret;
}

/* Print the sums, and then of each class the first changes; -1: all. */
static int
cmd_diff_show(struct cmd_diff *w, struct changes *changes, int64_t first, struct err *err)
{
	const struct changes_totals *t = changes_totals(changes);
	struct buf b = { 0 };
	int64_t any = 0;
	int ret;

	buf_adds(&b, "from: ");
	ret = cmd_since_name_run(&w->since, &b, w->since.from, err);
	buf_adds(&b, "\nto:   ");
	if (ret == 0)
		ret = cmd_since_name_run(&w->since, &b, w->since.to, err);
	buf_addc(&b, '\n');
	/* On the first screen, for a pipe has the classes alone. */
	if (ret == 0 && w->c->tty)
		ret = cmd_diff_growth(w, changes, &b, err);
	for (int class = 0; class < CHANGE_CLASSES; class++) {
		any += t->sums[class].n;
		cmd_diff_class(w->c, &b, t, (enum change_class)class);
	}
	if (any == 0)
		buf_adds(&b, w->certain ? "Nothing changed.\n" : "Nothing is known to have changed.\n");
	if (any == 0 && w->since.to == CHANGES_NOW && w->c->tty)
		buf_addf(&b, "'%s scan' finds what changed since.\n", prog_name());
	if (ret == 0)
		fwrite(b.data, 1, b.len, w->c->out);
	for (int class = 0; ret == 0 && class < CHANGE_TOUCHED; class++) {
		w->left = first;
		ret = changes_each(changes, (enum change_class)class, cmd_diff_change, w);
		if (ret == 1 && w->left == 0) {
			ret = 0;
			fprintf(w->c->out, "... --%s lists all\n", change_class_name((enum change_class)class));
		}
	}
	buf_release(&b);
	return ret;
}

/* Print what was asked for.  Returns 0 or -1. */
static int
cmd_diff_print(struct cmd_diff *w, struct changes *changes, const bool listed[CHANGE_CLASSES], bool any, struct err *err)
{
	struct out_style style = cmd_style(w->c, OUT_CHANGES);
	int ret = 0, n = 0;

	for (int class = 0; class < CHANGE_CLASSES; class++)
		n += listed[class];
	style.classes = !any || n > 1;
	w->out = out_open(w->c->out, &style);
	w->left = -1;
	if (style.format == OUT_TEXT && !any)
		ret = cmd_diff_show(w, changes, w->c->tty ? CMD_DIFF_FIRST : -1, err);
	for (int class = 0; ret == 0 && (style.format != OUT_TEXT || any) && class < CHANGE_CLASSES; class++) {
		if (listed[class])
			ret = changes_each(changes, (enum change_class)class, cmd_diff_change, w);
	}
	if (ret == 0)
		ret = out_changes_totals(w->out, changes_totals(changes));
	return out_close(w->out, ret, err);
}

static int
cmd_diff_ask(struct cmd_diff *w, struct err *err)
{
	const struct cmd_diff_args *a = w->c->args;
	const bool any = a->new || a->changed || a->moved || a->gone || a->lost || a->touched;
	const bool listed[CHANGE_CLASSES] = {
		[CHANGE_NEW] = a->new || !any, [CHANGE_CHANGED] = a->changed || !any, [CHANGE_MOVED] = a->moved || !any,
		[CHANGE_GONE] = a->gone || !any, [CHANGE_LOST] = a->lost || !any, [CHANGE_TOUCHED] = a->touched,
	};
	const struct changes_query q = {
		.from = w->since.from, .to = w->since.to, .below = w->below->v, .n_below = w->below->n,
		.exclude = w->c->target->exclude.v, .n_exclude = w->c->target->exclude.n, .each = a->each,
	};
	struct changes *changes = NULL;
	int64_t found = 0;
	int ret;

	ret = changes_load(&changes, w->c->ix, &q, err);
	/* A directory of --below is, or was, in the index, or is there. */
	for (size_t i = 0; ret == 0 && i < w->below->n; i++)
		ret = changes_know(changes, w->below->v[i]) ? 0 : cmd_paths_there(w->c, w->below->v[i], err);
	if (ret == 0 && (cmd_diff_gaps(w, changes_totals(changes), err) < 0 || cmd_diff_print(w, changes, listed, any, err) < 0))
		ret = -1;
	for (int class = 0; ret == 0 && class < CHANGE_CLASSES; class++)
		found += listed[class] ? changes_totals(changes)->sums[class].n : 0;
	changes_free(changes);
	return ret < 0 ? -1 : found > 0 ? CMD_NO : CMD_OK;
}

static int
cmd_diff_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_diff_args *a = c->args;
	struct cmd_diff w = { .c = c, .below = &c->target->paths, .since = { .c = c, .below = &c->target->paths } };

	if (!cmd_since_has_history(c))
		return CMD_OK;
	/* The directories of --below need not be there any more. */
	if (cmd_paths_add(c, a->below.v, a->below.n, w.below, err) < 0 || cmd_paths_asked(c, w.below, &c->target->exclude, err) < 0 ||
	    cmd_diff_runs(&w, err) < 0 || cmd_since_reach(&w.since, err) < 0)
		return -1;
	return cmd_diff_ask(&w, err);
}

const struct cmd cmd_diff = {
	.name = "diff",
	.operands = "[SCAN [SCAN]]",
	.yes = "unchanged", .no = "changed",
	.summary = "tell what changed between scans, and what is lost",
	.help = "Without SCAN: what the last scan found (with --below: the last one there), and what changed\n"
	        "since.  With one: what changed after it; with two: between them.  SCAN is a number that\n"
	        "'info' shows, or an age (7d): the last scan that had ended by then.  A file that came and\n"
	        "went in between is not shown.  A directory that is new, gone or moved as a whole is one\n"
	        "line.  A file is lost if it is gone or changed, and no file of the index that lasts as long\n"
	        "has its old content.  Changes after the last scan are found by the next one.  With --online\n"
	        "disks that are not mounted make no difference.  History is kept for 90 days (scan\n"
	        "--history).  Exit status 0: nothing changed; 1: something did; 3: for some files that is not\n"
	        "known.",
	.opts = cmd_diff_opts,
	.args_size = sizeof(struct cmd_diff_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS,
	.run = cmd_diff_run,
};
