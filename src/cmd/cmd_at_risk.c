/* SPDX-License-Identifier: MIT */
/* twindex at-risk - files whose content exists once: what no backup has. */
#include "base/base.h"

#include <time.h>

#include "cmd/cmd.h"
#include "cmd/cmd_elsewhere.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_policy.h"
#include "cmd/cmd_records.h"
#include "index/index.h"
#include "query/answer.h"
#include "query/list.h"
#include "trees/at_risk.h"
#include "trees/archived.h"
#include "trees/stat_results.h"

struct cmd_at_risk_args {
	int64_t top, min_size;
	const char *newer;
	bool all, files, one_volume, reflinks, elsewhere, policy, archives;
	struct opt_list in;
};

static const struct opt cmd_at_risk_opts[] = {
	OPT_INT_('t', "top", struct cmd_at_risk_args, top, "N", "only the first N lines (0: all; default on a terminal: 12)"),
	OPT_SIZE_('m', "min-size", struct cmd_at_risk_args, min_size, "SIZE", "only files of at least SIZE"),
	OPT_STRING_(0, "newer", struct cmd_at_risk_args, newer, "WHEN", "only files changed since WHEN (30d, 12h, 2026-11-21)"),
	OPT_FLAG_(0, "one-volume", struct cmd_at_risk_args, one_volume, "also files that have copies, but all on one disk"),
	OPT_FLAG_(0, "reflinks", struct cmd_at_risk_args, reflinks, "also files that have copies, but all are the same blocks of the disk"),
	OPT_LIST_(0, "in", struct cmd_at_risk_args, in, "DIR", "files that have no copy at and below DIR (repeatable)"),
	OPT_FLAG_(0, "files", struct cmd_at_risk_args, files, "list the files, not directories; -0 and fdupes always do"),
	OPT_FLAG_(0, "elsewhere", struct cmd_at_risk_args, elsewhere, "also how many of them others say to have (import); no answer changes by it"),
	OPT_FLAG_(0, "policy", struct cmd_at_risk_args, policy, "files that have less than the config file's [policy DIR] asks for"),
	OPT_FLAG_(0, "archives", struct cmd_at_risk_args, archives, "members of archives that are no file anywhere (scan --archives)"),
	OPT_FLAG_('a', "all", struct cmd_at_risk_args, all, "the whole index, also in the shell, where no DIR means its directory"),
	OPT_END
};

/* A listing on its way. */
struct cmd_at_risk {
	const struct cmd_call *c;
	struct out *out;
	bool files;               /* they are listed, not directories */
	int64_t n, top;
	struct cmd_elsewhere elsewhere;
};

/* at_risk_fn */
static int
cmd_at_risk_print(void *arg, const struct tree_answer *t)
{
	struct cmd_at_risk *w = arg;

	return w->top > 0 && w->n++ >= w->top ? 0 : out_tree(w->out, t);
}

/* at_risk_file_fn */
static int
cmd_at_risk_file(void *arg, const struct at_risk_file *f)
{
	const struct file_answer a = { .path = f->path, .state = f->copies > 0 ? STATE_DUP : STATE_UNIQUE, .why = f->why, .n_copies = f->copies, .size = f->size, .allocated = -1, .mtime = f->mtime,
	                               .inode = f->inode, .nlink = f->nlink };
	struct cmd_at_risk *w = arg;

	if (((const struct cmd_at_risk_args *)w->c->args)->elsewhere)
		cmd_elsewhere_note(&w->elsewhere, &a);
	return !w->files || (w->top > 0 && w->n++ >= w->top) ? 0 : out_file(w->out, &a);
}

/* stat_results_gap_fn */
static void
cmd_at_risk_gap(void *arg, const struct stat_results_gap *g)
{
	cmd_gap(((struct cmd_at_risk *)arg)->c->verdict, g->path, g->gap, g->is_dir, g->why);
}

/* list_fn: a member that only archives have. */
static int
cmd_at_risk_member(void *arg, const struct file_answer *a)
{
	struct cmd_at_risk *w = arg;

	return w->top > 0 && w->n++ >= w->top ? 0 : out_file(w->out, a);
}

/* list_gap_fn */
static void
cmd_at_risk_gap_archive(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	cmd_gap(((struct cmd_at_risk *)arg)->c->verdict, path, gap, dir, why);
}

/* Ask about members of archives.  Returns 0, what a function returned, or -1. */
static int
cmd_at_risk_archives(struct cmd_at_risk *w, struct tree_totals *totals, struct err *err)
{
	const struct cmd_call *c = w->c;
	const struct cmd_target *t = c->target;
	const struct archived_query q = {
		.dirs = t->paths.v, .n_dirs = t->paths.n, .min_size = ((const struct cmd_at_risk_args *)c->args)->min_size,
		.copies = { .exclude = t->exclude.v, .n_exclude = t->exclude.n, .in = t->in.v, .n_in = t->in.n },
	};

	totals->in_archives = true;
	return archived_each(c->ix, &q, w->files ? NULL : cmd_at_risk_print, w->files ? cmd_at_risk_member : NULL, cmd_at_risk_gap_archive, w, totals, err);
}

/* Gaps of the directories of --in on their way. */
struct cmd_at_risk_in {
	const struct cmd_call *c;
	const struct at_risk_query *q;
};

/*
 * list_gap_fn: count a gap in --in, unless it is excluded or was counted with the directories asked
 * about.
 */
static void
cmd_at_risk_gap_in(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	const struct cmd_at_risk_in *w = arg;

	if (path_is_below_any(path, w->q->dirs, w->q->n_dirs) || path_is_below_any(path, w->q->exclude, w->q->n_exclude))
		return;
	cmd_count_gap(w->c->verdict, path, gap, dir, why);
}

/* Count the gaps of the directories of --in.  Returns 0 or -1. */
static int
cmd_at_risk_gaps_in(const struct cmd_call *c, const struct at_risk_query *q, struct err *err)
{
	struct cmd_at_risk_in w = { c, q };
	struct gaps all = { .files = { 0 } };
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < q->n_in; i++) {
		struct err ignored = { 0 };

		/* Nothing is in a backup that was never there. */
		if (q->in_backups && cmd_paths_there(c, q->in[i], &ignored) < 0)
			continue;
		/* The whole index was asked about. */
		ret = q->n_dirs == 0 ? list_knows(c->ix, q->in[i], err) : 0;
		if (ret == 0)
			ret = list_count_gaps(c->ix, &q->in[i], 1, cmd_at_risk_gap_in, &w, &all, err);
	}
	return ret < 0 ? -1 : 0;
}

/* Lines that a terminal is shown, unless it asks for more. */
enum { AT_RISK_LINES = 12 };

/* The policy of a call. */
struct cmd_at_risk_policy {
	struct policy lines;
	struct arena memory;
	struct cmd_paths dirs;
};

static void
cmd_at_risk_policy_release(struct cmd_at_risk_policy *p)
{
	policy_release(&p->lines);
	arena_release(&p->memory);
	cmd_paths_release(&p->dirs);
}

/* Check which options go together, and read the policy.  Returns 0 or -1. */
static int
cmd_at_risk_begin(const struct cmd_call *c, struct cmd_at_risk_policy *p, struct err *err)
{
	const struct cmd_at_risk_args *a = c->args;
	const enum out_format format = cmd_style(c, OUT_RISKS).format;

	if (a->archives && (format == OUT_NULL || format == OUT_FDUPES))
		return err_set(err, ERR_USAGE, "--archives: members are no files, so that -0 and fdupes can't name them");
	if (a->archives && (a->one_volume || a->reflinks || a->elsewhere || a->policy || a->newer != NULL || c->listing->online))
		return err_set(err, ERR_USAGE, "--archives asks about members: not with --one-volume, --reflinks, --elsewhere, --policy, --newer or --online");
	if (a->elsewhere && cmd_elsewhere_check(c, err) < 0)
		return -1;
	if (!a->policy)
		return 0;
	if (a->one_volume)
		return err_set(err, ERR_USAGE, "--policy asks for disks by lines 'volumes = 2': not with --one-volume");
	if (a->reflinks)
		return err_set(err, ERR_USAGE, "--policy counts files that share their blocks as copies: not with --reflinks");
	if (a->in.n > 0)
		return err_set(err, ERR_USAGE, "--policy counts copies wherever they are: not with --in");
	if (a->elsewhere)
		return err_set(err, ERR_USAGE, "--policy counts no claims: not with --elsewhere");
	if (cmd_policy_read(c, &p->lines, &p->memory, err) < 0)
		return -1;
	for (size_t i = 0; c->listing->online && i < p->lines.lines.n; i++) {
		const struct policy_line *l = &p->lines.lines.v[i];

		if (l->rule == POLICY_OFFLINE && l->least > 0)
			return err_set(err, ERR_USAGE, "--online takes what is offline not to exist: line %lld, 'offline = %lld', could never hold",
			               (long long)l->number, (long long)l->least);
	}
	return cmd_policy_dirs(c, &p->lines, &p->dirs, err);
}

/* Whose totals count what lies where an offline disk belongs. */
struct cmd_at_risk_beside {
	struct cmd_verdict *verdict;
	struct gaps *gaps;
};

/* list_gap_fn */
static void
cmd_at_risk_gap_beside(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	const struct cmd_at_risk_beside *b = arg;

	gaps_count(b->gaps, gap, dir);
	cmd_gap(b->verdict, path, gap, dir, why);
}

/* Ask, and print. */
static int
cmd_at_risk_ask(struct cmd_at_risk *w, const struct at_risk_query *q, struct tree_totals *totals, struct err *err)
{
	const struct cmd_call *c = w->c;
	const struct cmd_at_risk_args *a = c->args;
	struct cmd_at_risk_beside beside = { c->verdict, &totals->gaps };
	struct out_style style = cmd_style(c, OUT_RISKS);
	int ret = 0;

	w->top = a->top >= 0 ? a->top : !w->files && style.format == OUT_TEXT && c->tty && c->globals->verbose == 0 ? AT_RISK_LINES : 0;
	style.kind = !w->files ? OUT_RISKS : a->policy ? OUT_STATES : OUT_PATHS;
	w->out = out_open(c->out, &style);
	if (a->archives)
		ret = cmd_at_risk_archives(w, totals, err);
	/* Of a policy no tree may be there, or be asked about. */
	else if (q->policy == NULL || q->n_dirs > 0)
		ret = at_risk_each(c->ix, q, cmd_at_risk_print, cmd_at_risk_file, cmd_at_risk_gap, w, totals, err);
	if (ret == 0)
		ret = cmd_gaps_of_offline(c, q->dirs, q->n_dirs, cmd_at_risk_gap_beside, &beside, err);
	if (ret == 0 && !w->files)
		ret = out_tree_totals(w->out, totals);
	ret = out_close(w->out, ret, err);
	return ret == 0 && totals->files > 0 ? cmd_at_risk_gaps_in(c, q, err) : ret;
}

static int
cmd_at_risk_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_at_risk_args *a = c->args;
	struct cmd_at_risk w = { .c = c };
	struct cmd_at_risk_policy p = { .memory = { 0 } };
	char x[NUM_SHOW_MAX];
	const struct out_style style = cmd_style(c, OUT_RISKS);
	const struct cmd_target *t = c->target;
	const bool in_backups = t->in.n == 0 && c->ix->backups.n > 0 && !a->policy && !a->archives;
	struct tree_totals totals = { .in_backups = in_backups };
	int64_t since = INT64_MIN;
	int ret;

	w.files = a->files || style.format == OUT_NULL || style.format == OUT_FDUPES;
	if (a->newer != NULL && num_parse_since(a->newer, time(NULL), &since) < 0)
		return err_set(err, ERR_USAGE, "option '--newer': '%s' is neither an age (30d) nor a date (2026-11-21)", a->newer);
	ret = cmd_at_risk_begin(c, &p, err);
	if (ret == 0) {
		const struct at_risk_query q = {
			.dirs = a->policy ? p.dirs.v : t->paths.v, .n_dirs = a->policy ? p.dirs.n : t->paths.n,
			.exclude = t->exclude.v, .n_exclude = t->exclude.n,
			.in = in_backups ? (const char *const *)c->ix->backups.v : t->in.v,
			.n_in = in_backups ? c->ix->backups.n : t->in.n, .in_backups = in_backups, .min_size = a->min_size, .since = since,
			.one_volume = a->one_volume, .reflinks = a->reflinks, .policy = a->policy ? &p.lines : NULL,
			.online = c->listing->online,
			.doubts = c->globals->verbose > 0 && !c->globals->quiet,
			.files = w.files || a->elsewhere, .trees = !w.files,
		};

		if (a->policy) {
			totals.policy = p.lines.lines.v;
			totals.n_policy = p.lines.lines.n;
			totals.policy_file = c->env->config->path;
		}
		ret = cmd_at_risk_ask(&w, &q, &totals, err);
	}
	c->verdict->all_read = index_is_compared(c->ix, a->min_size);
	gaps_join(&c->verdict->gaps, &totals.gaps);
	c->verdict->fleeting = totals.fleeting;
	c->verdict->fleeting_why = totals.fleeting_why;
	if (ret == 0 && totals.shared && !a->reflinks)
		cmd_message(c, "some copies share their blocks on the disk, and would be lost together%s", a->policy ? "" : ": --reflinks does not count them");
	if (ret == 0 && a->elsewhere)
		ret = cmd_elsewhere_sum(&w.elsewhere, c, "the files at risk", err);
	cmd_elsewhere_release(&w.elsewhere);
	cmd_at_risk_policy_release(&p);
	if (ret == 0 && a->top < 0 && w.top > 0 && w.n > w.top)
		cmd_notice(c, "%s more: --top 0 shows all", num_show_things(w.n - w.top, "line", "lines", x));
	if (ret == 0 && totals.files == 0 && !a->policy)
		cmd_paths_hint_all(c);
	return ret < 0 ? -1 : totals.files > 0 ? CMD_NO : CMD_OK;
}

const struct cmd cmd_at_risk = {
	.name = "at-risk",
	.operands = "[DIR...]",
	.yes = "none_at_risk", .no = "at_risk",
	.summary = "show what exists only once: what no backup has",
	.help = "It answers what the next backup must save; 'safe DIR' answers whether a directory can be\n"
	        "deleted.  Shows the highest directories, at and below DIR, in which no file has another\n"
	        "copy, and how many files directly in others have none; most bytes first.  A hard link is no\n"
	        "other copy.  A copy on an offline disk counts, as of the last scan, but not with --online.\n"
	        "With --in DIR it shows files that have no copy there; without it, once backups are declared,\n"
	        "files that no backup has.  -0 prints the files, for a backup to take.\n"
	        "With --policy it shows files that have less than sections [policy DIR] of the config file\n"
	        "ask for, by lines such as 'copies = 2', 'volumes = 2' and 'offline = 1'.\n"
	        "With --archives it shows archives with members that are no file anywhere.\n"
	        "Exit status 0: nothing is at risk; 1: something is; 3: something was not judged.",
	.opts = cmd_at_risk_opts,
	.args_size = sizeof(struct cmd_at_risk_args),
	.defaults = &(const struct cmd_at_risk_args){ .top = -1 },
	.flags = CMD_READS | CMD_ASKS | CMD_PROVES | CMD_LISTS | CMD_NUMBERS | CMD_PATHS | CMD_HERE | CMD_DIRS | CMD_KNOWN,
	.run = cmd_at_risk_run,
};
