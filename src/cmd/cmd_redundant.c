/* SPDX-License-Identifier: MIT */
/* twindex redundant - directories that could go as a whole: all they hold lies elsewhere, too. */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_progress.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_steps.h"
#include "cmd/cmd_wholes.h"
#include "index/index.h"
#include "query/mark_list.h"
#include "sys/fs.h"
#include "trees/stat_results.h"
#include "trees/archived.h"
#include "trees/redundant.h"

struct cmd_redundant_args {
	int64_t top, min_size, copies;
	bool all, backups_count, include_hidden, outside_links, per_volume, archives;
	struct opt_list in, protect;
};

static const struct opt cmd_redundant_opts[] = {
	OPT_INT_('t', "top", struct cmd_redundant_args, top, "N", "only the first N directories"),
	OPT_SIZE_('m', "min-size", struct cmd_redundant_args, min_size, "SIZE", "only directories with at least SIZE"),
	OPT_LIST_(0, "in", struct cmd_redundant_args, in, "DIR", "only copies at and below DIR count (repeatable)"),
	OPT_INT_(0, "copies", struct cmd_redundant_args, copies, "N", "at least N copies stay, hard links counted once"),
	OPT_FLAG_(0, "per-volume", struct cmd_redundant_args, per_volume, "on each volume that has a copy one stays"),
	OPT_FLAG_(0, "backups-count", struct cmd_redundant_args, backups_count, "copies in backups count like others"),
	OPT_LIST_(0, "protect", struct cmd_redundant_args, protect, "DIR", "DIR (or a file) stays, and so do all directories in it and above it (repeatable)"),
	OPT_FLAG_(0, "include-hidden", struct cmd_redundant_args, include_hidden, "hidden directories can go like others"),
	OPT_FLAG_(0, "outside-links", struct cmd_redundant_args, outside_links, "hard links outside of the index count as copies that stay"),
	OPT_FLAG_(0, "archives", struct cmd_redundant_args, archives, "archives of which every member is a file elsewhere (scan --archives)"),
	OPT_FLAG_('a', "all", struct cmd_redundant_args, all, "every directory; in the shell, without DIR, of the whole index"),
	OPT_END
};

/* The most directories that a terminal shows without --all. */
enum { REDUNDANT_LINES = 10 };
/* The most directories that could go but for a few files. */
enum { REDUNDANT_NEARLY = 8 };

/* A listing on its way. */
struct cmd_redundant {
	const struct cmd_call *c;
	struct out *out;
	struct cmd_progress progress;
	int64_t n, top;
	bool people;              /* the format is text */
	bool brief;               /* the first ones are kept, and shown from the last one on */
	struct tree_answer first[REDUNDANT_LINES];
	struct tree_answer nearly[REDUNDANT_NEARLY];   /* for people: told behind the totals */
	int64_t n_nearly;
	struct arena texts;       /* what these point to */
};

/* tick_fn */
static void
cmd_redundant_tick(void *arg, int64_t done, int64_t all)
{
	cmd_progress_count(&((struct cmd_redundant *)arg)->progress, done, all);
}

/* A copy of n places. */
static const struct tree_place *
cmd_redundant_copy(struct cmd_redundant *w, const struct tree_place *v, size_t n)
{
	struct tree_place *copy = arena_alloc(&w->texts, (n + 1) * sizeof(*copy));

	for (size_t i = 0; i < n; i++) {
		copy[i] = v[i];
		copy[i].path = arena_str(&w->texts, v[i].path);
	}
	return copy;
}

/* Keep an answer until all are known. */
static void
cmd_redundant_hold(struct cmd_redundant *w, const struct tree_answer *t, struct tree_answer *copy)
{
	*copy = *t;
	copy->path = arena_str(&w->texts, t->path);
	copy->pair = t->pair != NULL ? arena_str(&w->texts, t->pair) : NULL;
	copy->places = cmd_redundant_copy(w, t->places, t->n_places);
	copy->leaning = cmd_redundant_copy(w, t->leaning, t->n_leaning);
}

/* Print what was kept, the largest last: there people begin to read.  Returns 0 or -1. */
static int
cmd_redundant_show(struct cmd_redundant *w)
{
	const int64_t kept = w->n < REDUNDANT_LINES ? w->n : REDUNDANT_LINES;
	char text[NUM_SHOW_MAX];
	int ret = 0;

	if (w->n > kept)
		fprintf(w->c->out, "%s more: --all\n", num_show_count(w->n - kept, text));
	for (int64_t i = kept; ret == 0 && i-- > 0;)
		ret = out_tree(w->out, &w->first[i]);
	return ret;
}

/* redundant_fn: print one of the first; for people what stays only with --verbose. */
static int
cmd_redundant_print(void *arg, const struct tree_answer *t)
{
	struct cmd_redundant *w = arg;

	progress_clear(&w->progress.line);
	if ((t->state == TREE_LEANED_ON || t->state == TREE_LIVE) && w->people && w->c->globals->verbose == 0)
		return 0;
	if (t->state == TREE_ALL_BUT) {
		if (!w->people)
			return out_tree(w->out, t);
		if (w->n_nearly < REDUNDANT_NEARLY)
			cmd_redundant_hold(w, t, &w->nearly[w->n_nearly++]);
		return 0;
	}
	if (w->brief) {
		if (w->n < REDUNDANT_LINES)
			cmd_redundant_hold(w, t, &w->first[w->n]);
		w->n++;
		return 0;
	}
	return w->top > 0 && w->n++ >= w->top ? 0 : out_tree(w->out, t);
}

/* stat_results_gap_fn */
static void
cmd_redundant_gap(void *arg, const struct stat_results_gap *g)
{
	struct cmd_redundant *w = arg;

	progress_clear(&w->progress.line);
	cmd_gap(w->c->verdict, g->path, g->gap, g->is_dir, g->why);
}

/* Tell what the totals leave out.  Returns whether all can go that was asked for. */
static bool
cmd_redundant_tell(const struct cmd_call *c, const struct tree_totals *t)
{
	const int64_t n_dirs = (int64_t)c->target->paths.n;
	char text[NUM_SHOW_MAX];

	c->verdict->gaps = t->gaps;
	c->verdict->fleeting = t->fleeting;
	c->verdict->fleeting_why = t->fleeting_why;
	c->verdict->unproven = t->unproven;
	if (t->left_hidden > 0)
		cmd_notice(c, "%s left alone: --include-hidden tries them, too",
		           num_show_things(t->left_hidden, "hidden directory was", "hidden directories were", text));
	cmd_wholes_tell(c, t->in_wholes, t->wholes);
	if (t->unseen > 0)
		cmd_notice(c, "copies of %s can't be looked at, or have changed", num_show_things(t->unseen, "file", "files", text));
	if (t->dirs == 0)
		cmd_paths_hint_all(c);
	return n_dirs > 0 && !t->in_archives ? t->whole == n_dirs : t->dirs > 0;
}

/* mark_list_fn: protect a file that is marked keep, unless it has another content by now. */
static int
cmd_redundant_keep(void *arg, const struct mark_answer *m)
{
	if (m->state != MARK_STALE)
		vec_push((struct cmd_paths *)arg, mem_str(m->path));
	return 0;
}

/* Protect the files marked keep in the directories asked about.  Returns 0 or -1. */
static int
cmd_redundant_marked(const struct cmd_call *c, const struct cmd_paths *dirs, struct cmd_paths *protect, struct err *err)
{
	const struct mark_list_query q = {
		.paths = dirs->n > 0 ? dirs->v : (const char *const[]){ "/" }, .n_paths = dirs->n > 0 ? dirs->n : 1,
		.only = MARK_KEEP,
	};
	const size_t before = protect->n;
	struct mark_totals totals;
	char text[NUM_SHOW_MAX];

	if (mark_list_each(c->ix, &q, cmd_redundant_keep, protect, &totals, err) < 0)
		return -1;
	if (protect->n > before)
		cmd_notice(c, "%s marked keep: what %s in stays",
		           num_show_things((int64_t)(protect->n - before), "file is", "files are", text),
		           protect->n - before == 1 ? "it lies" : "they lie");
	return 0;
}

/*
 * Leave out what lies in backups, also as a copy.  With --backups-count, and of a backup that --in
 * names, the copies count, and stay.
 */
static void
cmd_redundant_spare_backups(const struct cmd_call *c, struct cmd_paths *protect)
{
	const struct cmd_redundant_args *a = c->args;
	const struct backups *b = &c->ix->backups;
	struct cmd_target *t = c->target;

	for (size_t i = 0; i < b->n; i++) {
		bool named = a->backups_count;

		for (size_t j = 0; j < t->in.n; j++)
			named |= path_is_below(t->in.v[j], b->v[i]);
		vec_push(named ? protect : &t->exclude, mem_str(b->v[i]));
	}
	for (size_t i = 0; i < t->paths.n; i++) {
		if (backups_has(b, t->paths.v[i]))
			cmd_notice(c, "'%s' is in a backup: nothing there is offered to go", t->paths.v[i]);
	}
}

/*
 * Tell how the largest of what was shown goes, unless rm would have to be told more.  A copy on
 * another disk may be there as a backup: then tell how that is said.
 */
static void
cmd_redundant_step(const struct cmd_redundant *w)
{
	const struct cmd_call *c = w->c;
	const struct cmd_redundant_args *a = c->args;
	const int64_t shown = w->n < REDUNDANT_LINES ? w->n : REDUNDANT_LINES;
	struct buf path = { 0 }, b = { 0 };
	int64_t first = 0, apart = 0;

	for (int64_t i = shown; i-- > 0;) {
		const struct tree_answer *t = &w->first[i];
		struct fs_stat here, there;

		/* Is the place that has most of its contents on another disk? */
		if (t->n_places > 0 && fs_stat_path(t->path, &here) == 0 && fs_stat_path(t->places[0].path, &there) == 0 &&
		    here.dev != there.dev)
			apart++;
		else
			first = i;
	}
	if (apart > 0 && !a->per_volume)
		cmd_notice(c, "some of these are on another disk than their copies: --per-volume keeps a copy on each disk, and 'scan --backup DIR' declares a backup");
	if (shown > apart && !a->backups_count && a->protect.n == 0 && a->copies <= 1 && !a->per_volume && c->target->in.n == 0 && c->target->exclude.n == 0 &&
	    cmd_add_typed(c, &path, w->first[first].path)) {
		buf_adds(&b, "\nnext\n");
		cmd_add_steps(c, &b, &(struct cmd_step){ "rm -r --include-hidden --prune-empty", buf_str(&path), "remove the largest; undo brings it back" }, 1);
		fwrite(b.data, 1, b.len, c->out);
	}
	buf_release(&path);
	buf_release(&b);
}

/* list_gap_fn */
static void
cmd_redundant_gap_archive(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	cmd_redundant_gap(arg, &(struct stat_results_gap){ .path = path, .gap = gap, .is_dir = dir, .why = why });
}

/* Ask about archives.  Returns 0 or -1. */
static int
cmd_redundant_archives(struct cmd_redundant *w, const struct cmd_paths *protect, struct tree_totals *totals, struct err *err)
{
	const struct cmd_call *c = w->c;
	const struct cmd_redundant_args *a = c->args;
	const struct cmd_target *t = c->target;
	const struct archived_query q = {
		.dirs = t->paths.v, .n_dirs = t->paths.n, .min_size = a->min_size, .could_go = true,
		.protect = protect->v, .n_protect = protect->n, .hidden = a->include_hidden,
		.wholes = c->wholes->more.v, .n_wholes = c->wholes->more.n, .inside = c->wholes->inside,
		.copies = {
			.exclude = t->exclude.v, .n_exclude = t->exclude.n, .in = t->in.v, .n_in = t->in.n, .members = true,
			.fold = 1 << STATE_DUP | 1 << STATE_LINKED,
		},
	};

	totals->in_archives = true;
	return archived_each(c->ix, &q, cmd_redundant_print, NULL, cmd_redundant_gap_archive, w, totals, err);
}

static int
cmd_redundant_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_redundant_args *a = c->args;
	struct out_style style = cmd_style(c, OUT_TREES);
	const struct cmd_target *t = c->target;
	struct cmd_paths protect = { 0 };
	struct cmd_redundant w = { .c = c, .top = a->top, .people = style.format == OUT_TEXT };
	struct tree_totals totals = { .unfinished = !index_is_compared(c->ix, a->min_size) };
	int ret = -1;

	w.brief = w.people && c->tty && c->globals->verbose == 0 && !a->all && a->top == 0 &&
	          !opt_given(cmd_redundant_opts, c->given, offsetof(struct cmd_redundant_args, top));
	if (w.brief)
		style.layout = OUT_BRIEF;
	if (a->archives && (a->copies > 1 || a->per_volume || a->outside_links)) {
		err_set(err, ERR_USAGE, "--archives asks about members: not with --copies, --per-volume or --outside-links");
		goto out;
	}
	if (cmd_paths_option(c, "--protect", &a->protect, false, &protect, err) < 0 || cmd_redundant_marked(c, &t->paths, &protect, err) < 0)
		goto out;
	cmd_redundant_spare_backups(c, &protect);
	{
		const struct redundant_query q = {
			.dirs = t->paths.v, .n_dirs = t->paths.n, .exclude = t->exclude.v, .n_exclude = t->exclude.n,
			.in = t->in.v, .n_in = t->in.n, .protect = protect.v, .n_protect = protect.n,
			.copies = a->copies, .per_volume = a->per_volume, .min_size = a->min_size, .hidden = a->include_hidden, .outside_links = a->outside_links,
			.inside = c->wholes->inside, .wholes = c->wholes->more.v, .n_wholes = c->wholes->more.n,
			.tick = cmd_redundant_tick,
		};

		w.out = out_open(c->out, &style);
		cmd_progress_begin_count(&w.progress, c, "look");
		ret = a->archives ? cmd_redundant_archives(&w, &protect, &totals, err) :
		                    redundant_each(c->ix, &q, cmd_redundant_print, cmd_redundant_gap, &w, &totals, err);
		progress_clear(&w.progress.line);
		totals.hidden = w.people && c->globals->verbose == 0;
		if (ret == 0 && w.brief)
			ret = cmd_redundant_show(&w);
		if (ret == 0)
			ret = out_tree_totals(w.out, &totals);
		for (int64_t i = 0; ret == 0 && i < w.n_nearly; i++)
			ret = out_tree(w.out, &w.nearly[i]);
		ret = out_close(w.out, ret, err);
		if (ret == 0 && w.brief && !a->archives)
			cmd_redundant_step(&w);
	}
	if (ret == 0)
		ret = cmd_redundant_tell(c, &totals) ? CMD_OK : CMD_NO;
out:
	arena_release(&w.texts);
	cmd_paths_release(&protect);
	return ret;
}

const struct cmd cmd_redundant = {
	.name = "redundant",
	.operands = "[DIR...]",
	.yes = "can_go", .no = "stays",
	.summary = "find directories whose whole content also exists elsewhere",
	.help = "Shows the highest directories, at and below DIR, whose files all have their content outside\n"
	        "of them as well, and where that is; largest first.  A terminal shows ten, the largest last.\n"
	        "All directories that it says can go can go together.  Of two that need each other's copies\n"
	        "only one is listed: one named as a backup, a copy or Downloads, else the largest, else the\n"
	        "deepest, the last by its path.  Nor does any but DIR go for copies in such places alone.\n"
	        "Hidden directories are left alone, except DIR, and so are those in a git work tree, an\n"
	        "environment, a mail store and the like (--inside).  -0 prints just the directories that can\n"
	        "go.  Every file and directory is looked at; a directory of which something could not be\n"
	        "judged is not proven.  Exit status 0: each DIR can go (without DIR: some directory can);\n"
	        "1: not; 3: something was not judged.  With --archives it shows archives of which every\n"
	        "member is a file outside of archives; no act takes them for that: 'contained' asks again.",
	.opts = cmd_redundant_opts,
	.args_size = sizeof(struct cmd_redundant_args),
	.flags = CMD_READS | CMD_ASKS | CMD_PROVES | CMD_WHOLES | CMD_LISTS | CMD_NUMBERS | CMD_PATHS | CMD_HERE | CMD_ALL_LINES | CMD_DIRS | CMD_KNOWN,
	.run = cmd_redundant_run,
};
