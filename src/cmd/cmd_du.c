/* SPDX-License-Identifier: MIT */
/* twindex du, waste, tree - what lies below each directory, and how much of it could go. */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_since.h"
#include "cmd/cmd_sums.h"
#include "index/index.h"
#include "query/answer.h"
#include "query/changes.h"
#include "query/growth.h"
#include "query/list.h"
#include "query/dirtree.h"
#include "query/usage.h"
#include "sys/stop.h"

/* Levels of directories that tree shows unless told, and at most: file systems go no deeper. */
enum { DU_TREE_DEPTH = 2, DU_MAX_DEPTH = 10000 };

enum cmd_du_order { DU_SIZE, DU_REDUNDANT, DU_SHARE, DU_NAME, DU_GROWN };
static const char *const cmd_du_orders[] = { "size", "redundant", "share", "name", "grown", NULL };
static const char *const cmd_du_orders_now[] = { "size", "redundant", "share", "name", NULL };

struct cmd_du_args {
	int sort;             /* enum cmd_du_order */
	int64_t top, depth, min_size;
	const char *since;
	bool waste, tree, no_check;
};

#define DU_NO_CHECK \
	OPT_FLAG_(0, "no-check", struct cmd_du_args, no_check, "only the index: do not look for what is not in it, nor for shared blocks")

static const struct opt cmd_du_opts[] = {
	OPT_CHOICE_('s', "sort", struct cmd_du_args, sort, "KEY", "size (default), redundant, share, name or grown", cmd_du_orders),
	OPT_INT_('t', "top", struct cmd_du_args, top, "N", "only the first N lines"),
	OPT_STRING_(0, "since", struct cmd_du_args, since, "SCAN", "only what has grown or shrunk since: an age (7d) or the number of a scan"),
	DU_NO_CHECK,
	OPT_END
};

static const struct opt waste_opts[] = {
	OPT_CHOICE_('s', "sort", struct cmd_du_args, sort, "KEY", "redundant (default), size, share or name", cmd_du_orders_now),
	OPT_INT_('t', "top", struct cmd_du_args, top, "N", "only the first N lines"),
	DU_NO_CHECK,
	OPT_END
};

static const struct opt tree_opts[] = {
	OPT_INT_(0, "depth", struct cmd_du_args, depth, "N", "N levels of directories (default 2; 0: all)"),
	OPT_SIZE_(0, "min-size", struct cmd_du_args, min_size, "SIZE", "only directories with at least SIZE"),
	OPT_CHOICE_('s', "sort", struct cmd_du_args, sort, "KEY", "size (default), redundant, share or name", cmd_du_orders_now),
	OPT_INT_('t', "top", struct cmd_du_args, top, "N", "only the first N of each directory"),
	DU_NO_CHECK,
	OPT_END
};

/* What a directory holds: a subdirectory, or the files that are directly in it. */
struct cmd_du_entry {
	uint32_t dir;         /* of files: the directory itself */
	enum dir_kind kind;
	struct usage_sum sum;
	const char *gone;     /* the path of what is not there any more; or NULL */
	int64_t grown, grown_files;  /* since */
};

struct cmd_du_entries {
	struct cmd_du_entry *v;
	size_t n, cap;
};

/* A listing on its way. */
struct cmd_du {
	const struct cmd_du_args *a;
	const struct usage *usage;
	const struct dirtree *dirs;
	const struct growth *growth;     /* since a scan; or NULL */
	enum cmd_du_order order;
	VEC(struct dir_answer) lines;    /* with paths of their own */
};

static double
cmd_du_key(const struct cmd_du_entry *e, enum cmd_du_order order)
{
	const struct usage_sum *s = &e->sum;

	switch (order) {
	case DU_GROWN:
		return (double)e->grown;
	case DU_SIZE:
		return (double)s->bytes;
	case DU_REDUNDANT:
		return (double)s->redundant;
	case DU_SHARE:
		return s->bytes > 0 ? (double)s->duplicated / (double)s->bytes : -1;
	case DU_NAME:
		break;
	}
	return 0;
}

/* Equal ones come by name, as their numbers do; the files that are directly there come first. */
static int
cmd_du_cmp(const void *a, const void *b, void *arg)
{
	const struct cmd_du_entry *x = a, *y = b;
	const enum cmd_du_order order = *(const enum cmd_du_order *)arg;
	const double a_key = cmd_du_key(x, order), b_key = cmd_du_key(y, order);

	if (a_key == b_key && x->gone != NULL && y->gone != NULL)
		return strcmp(x->gone, y->gone);
	return a_key > b_key ? -1 : a_key < b_key ? 1 : x->dir < y->dir ? -1 : x->dir > y->dir;
}

static struct dir_answer
cmd_du_answer(const struct cmd_du *du, const struct cmd_du_entry *e, int64_t depth)
{
	struct buf path = { 0 };

	if (e->gone != NULL)
		buf_adds(&path, e->gone);
	else
		dirtree_path(du->dirs, e->dir, &path);
	return (struct dir_answer){ .grown = e->grown, .grown_files = e->grown_files, .kind = e->kind, .path = buf_take(&path), .depth = depth, .files = e->sum.files,
	                            .bytes = e->sum.bytes, .duplicated = e->sum.duplicated, .redundant = e->sum.redundant,
	                            .marked = e->sum.marked };
}

/*
 * Note by how much entries have grown, drop those that have not, and add what is not there any
 * more.
 */
static void
cmd_du_grow(const struct cmd_du *du, struct cmd_du_entries *all)
{
	bool *met = mem_zalloc(du->growth->entries.n + 1, sizeof(*met));
	struct buf path = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct cmd_du_entry *e = &all->v[i];
		const struct growth_entry *g;

		buf_cut(&path, 0);
		dirtree_path(du->dirs, e->dir, &path);
		g = growth_find(du->growth, buf_str(&path), e->kind == DIR_FILES);
		if (g == NULL)
			continue;
		met[g - du->growth->entries.v] = true;
		e->grown = g->bytes;
		e->grown_files = g->files;
		all->v[n++] = *e;
	}
	all->n = n;
	for (size_t i = 0; i < du->growth->entries.n; i++) {
		const struct growth_entry *g = &du->growth->entries.v[i];

		if (!met[i])
			vec_push(all, ((struct cmd_du_entry){ .dir = DIRTREE_NONE, .kind = g->is_files ? DIR_FILES : DIR_WHOLE, .gone = g->path,
			                                      .grown = g->bytes, .grown_files = g->files }));
	}
	free(met);
	buf_release(&path);
}

/* Add the lines of what dir holds, and of a tree what these hold in turn. */
static int
cmd_du_add(struct cmd_du *du, uint32_t dir, int64_t depth, struct err *err)
{
	const struct cmd_du_args *a = du->a;
	const int64_t levels = !a->tree ? 1 : a->depth > 0 && a->depth < DU_MAX_DEPTH ? a->depth : DU_MAX_DEPTH;
	enum cmd_du_order order = du->order;
	struct cmd_du_entries entries = { 0 };
	struct cmd_du_entry rest = { .dir = dir, .kind = DIR_REST };
	int64_t shown = 0;
	int ret = stop_check(err);

	/* In a tree, a directory without subdirectories needs no line for its own files. */
	if (ret == 0 && (!a->tree || dirtree_first(du->dirs, dir) != DIRTREE_NONE) && usage_within(du->usage, dir).files > 0)
		vec_push(&entries, ((struct cmd_du_entry){ .dir = dir, .kind = DIR_FILES, .sum = usage_within(du->usage, dir) }));
	for (uint32_t in = dirtree_first(du->dirs, dir); ret == 0 && in != DIRTREE_NONE; in = dirtree_next(du->dirs, in)) {
		if (!dirtree_excluded(du->dirs, in))
			vec_push(&entries, ((struct cmd_du_entry){ .dir = in, .kind = DIR_WHOLE, .sum = usage_below(du->usage, in) }));
	}
	if (ret == 0 && du->growth != NULL)
		cmd_du_grow(du, &entries);
	if (entries.n > 1)
		order_sort_by(entries.v, entries.n, sizeof(*entries.v), cmd_du_cmp, &order);
	for (size_t i = 0; ret == 0 && i < entries.n; i++) {
		const struct cmd_du_entry *e = &entries.v[i];

		if (e->sum.bytes < a->min_size || (a->top > 0 && shown >= a->top)) {
			rest.sum.files++;
			continue;
		}
		shown++;
		vec_push(&du->lines, cmd_du_answer(du, e, depth));
		if (e->kind == DIR_WHOLE && depth < levels)
			ret = cmd_du_add(du, e->dir, depth + 1, err);
	}
	if (rest.sum.files > 0)
		vec_push(&du->lines, cmd_du_answer(du, &rest, depth));
	vec_release(&entries);
	return ret;
}

static int
cmd_du_print(const struct cmd_call *c, const struct usage *u, uint32_t dir, const struct growth *growth, struct err *err)
{
	struct out_style style = cmd_style(c, OUT_DIRS);
	const struct cmd_du_args *a = c->args;
	const struct cmd_du_entry whole = { .dir = dir, .kind = DIR_WHOLE, .sum = usage_below(u, dir),
	                                    .grown = growth != NULL ? growth->bytes : 0, .grown_files = growth != NULL ? growth->files : 0 };
	struct cmd_du du = { .a = a, .usage = u, .dirs = usage_dirs(u), .growth = growth,
	                     .order = growth != NULL && !opt_given(cmd_du_opts, c->given, offsetof(struct cmd_du_args, sort)) ? DU_GROWN : (enum cmd_du_order)a->sort };
	struct dirs_answer d = { .tree = a->tree, .grown = growth != NULL, .marks = a->waste, .by_redundant = a->sort == DU_REDUNDANT || (a->waste && a->sort != DU_SIZE) };
	struct out *o;
	int ret = cmd_du_add(&du, dir, 1, err);

	style.marked = a->waste;
	style.grown = growth != NULL;
	d.total = cmd_du_answer(&du, &whole, 0);
	d.v = du.lines.v;
	d.n = du.lines.n;
	if (ret == 0) {
		o = out_open(c->out, &style);
		ret = out_close(o, out_dirs(o, &d), err);
	}
	for (size_t i = 0; i < du.lines.n; i++)
		free((void *)(uintptr_t)du.lines.v[i].path);
	free((void *)(uintptr_t)d.total.path);
	vec_release(&du.lines);
	return ret;
}

/* Find by how much the directory has grown since a scan, and say since which.  Returns 0 or -1. */
static int
cmd_du_since(const struct cmd_call *c, struct growth *growth, struct err *err)
{
	const struct cmd_du_args *a = c->args;
	const struct cmd_target *t = c->target;
	struct cmd_since w = { .c = c, .below = &t->paths, .to = CHANGES_NOW };
	struct growth_query q = { .to = CHANGES_NOW, .below = t->paths.v, .n_below = t->paths.n, .exclude = t->exclude.v, .n_exclude = t->exclude.n };
	struct buf b = { 0 };
	char x[NUM_SHOW_MAX];
	int ret = cmd_since_run_of(&w, a->since, &w.from, err);

	if (ret == 0)
		ret = cmd_since_reach(&w, err);
	q.from = w.from;
	if (ret == 0)
		ret = growth_load(growth, c->ix, &q, err);
	if (ret == 0)
		ret = cmd_since_gaps(&w, err);
	if (ret == 0)
		ret = cmd_since_name_run(&w, &b, w.from, err);
	if (ret == 0)
		cmd_notice(c, "grown, or shrunk, since the state %s", buf_str(&b));
	/* An age that no scan is old enough for. */
	if (ret == 0 && w.from == 0 && strcmp(a->since, "0") != 0) {
		c->verdict->told.files[GAP_UNPROVEN]++;
		cmd_message(c, "no scan is as old as %s: all that the first one found counts as grown", a->since);
	}
	for (size_t i = 0; ret == 0 && i < growth->first.n; i++) {
		c->verdict->told.files[GAP_UNPROVEN]++;
		cmd_message(c, "'%s' was scanned first since then: all of it counts as grown", growth->first.v[i]);
	}
	if (ret == 0 && growth->left_out > 0) {
		c->verdict->told.files[GAP_UNPROVEN] += growth->left_out;
		cmd_message(c, "%s out by options of a scan, and not counted: whether they are there is not known",
		            num_show_things(growth->left_out, "file was left", "files were left", x));
	}
	buf_release(&b);
	return ret;
}

static int
cmd_du_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_du_args *a = c->args;
	const struct cmd_target *t = c->target;
	struct cmd_sums sums = { .u = NULL };
	struct growth growth = { .files = 0 };
	int ret;

	if (a->since == NULL && a->sort == DU_GROWN)
		return err_set(err, ERR_USAGE, "--sort grown is about --since SCAN");
	if (a->since != NULL && !cmd_since_has_history(c))
		return CMD_OK;
	ret = cmd_sums_open(&sums, c, t->paths.v[0], !a->no_check, false, err);

	if (ret == 0 && sums.dir == DIRTREE_NONE)
		ret = cmd_paths_known(c, &t->paths, err) < 0 ? -1 : err_set(err, ERR_USAGE, "'%s' is not a directory", t->paths.v[0]);
	if (ret == 0 && a->since != NULL)
		ret = cmd_du_since(c, &growth, err);
	if (ret == 0)
		ret = cmd_du_print(c, sums.u, sums.dir, a->since != NULL ? &growth : NULL, err);
	if (ret == 0)
		c->verdict->trash = usage_below(sums.u, sums.dir).trash;
	/* Look for what lies in the directory and is not in the numbers. */
	if (ret == 0 && !a->no_check) {
		const struct list_query q = {
			.copies = { .exclude = t->exclude.v, .n_exclude = t->exclude.n },
			.gaps_only = true, .dirs = usage_dirs(sums.u), .gap = cmd_count_gap,
		};
		struct list_totals totals = { .n = { 0 } };

		ret = list_each(c->ix, t->paths.v, 1, &q, NULL, c->verdict, &totals, err);
	}
	growth_release(&growth);
	cmd_sums_close(&sums);
	return ret;
}

const struct cmd cmd_du = {
	.name = "du",
	.operands = "[DIR]",
	.summary = "show how much lies below each subdirectory",
	.help = "Bytes, redundant bytes, and the share that has another copy, as of the last scan: of each\n"
	        "subdirectory of DIR (the current directory by default), and of the files directly in it.\n"
	        "Hard links count once.  Redundant bytes could be freed there alone while one copy of\n"
	        "everything stays; blocks that copies share (reflinks, snapshots) are not redundant.  Files\n"
	        "there that are not in the numbers are counted on stderr, named with -v, and make the exit\n"
	        "status 3.  With --since SCAN: by how much each has grown or shrunk since that run, as the\n"
	        "history knows it; each name of hard links counts.",
	.opts = cmd_du_opts,
	.args_size = sizeof(struct cmd_du_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_PATHS | CMD_ONE | CMD_DIRS,
	.run = cmd_du_run,
};

const struct cmd cmd_waste = {
	.name = "waste",
	.operands = "[DIR]",
	.summary = "show how much is redundant below each subdirectory",
	.help = "The same as 'du', with the most redundant bytes first, and how many bytes are marked drop.",
	.opts = waste_opts,
	.args_size = sizeof(struct cmd_du_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_PATHS | CMD_ONE | CMD_DIRS,
	.defaults = &(const struct cmd_du_args){ .sort = DU_REDUNDANT, .waste = true },
	.run = cmd_du_run,
};

const struct cmd cmd_tree = {
	.name = "tree",
	.operands = "[DIR]",
	.summary = "show directories as a tree, largest first",
	.help = "The numbers of 'du', of several levels of directories.",
	.opts = tree_opts,
	.args_size = sizeof(struct cmd_du_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_PATHS | CMD_ONE | CMD_DIRS,
	.defaults = &(const struct cmd_du_args){ .depth = DU_TREE_DEPTH, .tree = true },
	.run = cmd_du_run,
};
