/* SPDX-License-Identifier: MIT */
/* twindex du, waste, tree - what lies below each directory, and how much of it could go. */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_sums.h"
#include "query/answer.h"
#include "query/list.h"
#include "query/dirtree.h"
#include "query/usage.h"
#include "sys/stop.h"

/* Levels of directories that tree shows unless told, and at most: file systems go no deeper. */
enum { DU_TREE_DEPTH = 2, DU_MAX_DEPTH = 10000 };

enum cmd_du_order { DU_SIZE, DU_REDUNDANT, DU_SHARE, DU_NAME };
static const char *const cmd_du_orders[] = { "size", "redundant", "share", "name", NULL };

struct cmd_du_args {
	int sort;             /* enum cmd_du_order */
	int64_t top, depth, min_size;
	bool waste, tree, no_check;
};

#define DU_NO_CHECK \
	OPT_FLAG_(0, "no-check", struct cmd_du_args, no_check, "only the index: do not look for what is not in it, nor for shared blocks")

static const struct opt cmd_du_opts[] = {
	OPT_CHOICE_('s', "sort", struct cmd_du_args, sort, "KEY", "size (default), redundant, share or name", cmd_du_orders),
	OPT_INT_('t', "top", struct cmd_du_args, top, "N", "only the first N lines"),
	DU_NO_CHECK,
	OPT_END
};

static const struct opt waste_opts[] = {
	OPT_CHOICE_('s', "sort", struct cmd_du_args, sort, "KEY", "redundant (default), size, share or name", cmd_du_orders),
	OPT_INT_('t', "top", struct cmd_du_args, top, "N", "only the first N lines"),
	DU_NO_CHECK,
	OPT_END
};

static const struct opt tree_opts[] = {
	OPT_INT_(0, "depth", struct cmd_du_args, depth, "N", "N levels of directories (default 2; 0: all)"),
	OPT_SIZE_(0, "min-size", struct cmd_du_args, min_size, "SIZE", "only directories with at least SIZE"),
	OPT_CHOICE_('s', "sort", struct cmd_du_args, sort, "KEY", "size (default), redundant, share or name", cmd_du_orders),
	OPT_INT_('t', "top", struct cmd_du_args, top, "N", "only the first N of each directory"),
	DU_NO_CHECK,
	OPT_END
};

/* What a directory holds: a subdirectory, or the files that are directly in it. */
struct cmd_du_entry {
	uint32_t dir;         /* of files: the directory itself */
	enum dir_kind kind;
	struct usage_sum sum;
};

/* A listing on its way. */
struct cmd_du {
	const struct cmd_du_args *a;
	const struct usage *usage;
	const struct dirtree *dirs;
	VEC(struct dir_answer) lines;    /* with paths of their own */
};

static double
cmd_du_key(const struct usage_sum *s, enum cmd_du_order order)
{
	switch (order) {
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
	const double a_key = cmd_du_key(&x->sum, order), b_key = cmd_du_key(&y->sum, order);

	return a_key > b_key ? -1 : a_key < b_key ? 1 : x->dir < y->dir ? -1 : x->dir > y->dir;
}

static struct dir_answer
cmd_du_answer(const struct cmd_du *du, const struct cmd_du_entry *e, int64_t depth)
{
	struct buf path = { 0 };

	dirtree_path(du->dirs, e->dir, &path);
	return (struct dir_answer){ .kind = e->kind, .path = buf_take(&path), .depth = depth, .files = e->sum.files,
	                            .bytes = e->sum.bytes, .duplicated = e->sum.duplicated, .redundant = e->sum.redundant,
	                            .marked = e->sum.marked };
}

/* Add the lines of what dir holds, and of a tree what these hold in turn. */
static int
cmd_du_add(struct cmd_du *du, uint32_t dir, int64_t depth, struct err *err)
{
	const struct cmd_du_args *a = du->a;
	const int64_t levels = !a->tree ? 1 : a->depth > 0 && a->depth < DU_MAX_DEPTH ? a->depth : DU_MAX_DEPTH;
	enum cmd_du_order order = (enum cmd_du_order)a->sort;
	VEC(struct cmd_du_entry) entries = { 0 };
	struct cmd_du_entry rest = { dir, DIR_REST, { .files = 0 } };
	int64_t shown = 0;
	int ret = stop_check(err);

	/* In a tree, a directory without subdirectories needs no line for its own files. */
	if (ret == 0 && (!a->tree || dirtree_first(du->dirs, dir) != DIRTREE_NONE) && usage_within(du->usage, dir).files > 0)
		vec_push(&entries, ((struct cmd_du_entry){ dir, DIR_FILES, usage_within(du->usage, dir) }));
	for (uint32_t in = dirtree_first(du->dirs, dir); ret == 0 && in != DIRTREE_NONE; in = dirtree_next(du->dirs, in)) {
		if (!dirtree_excluded(du->dirs, in))
			vec_push(&entries, ((struct cmd_du_entry){ in, DIR_WHOLE, usage_below(du->usage, in) }));
	}
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
cmd_du_print(const struct cmd_call *c, const struct usage *u, uint32_t dir, struct err *err)
{
	struct out_style style = cmd_style(c, OUT_DIRS);
	const struct cmd_du_args *a = c->args;
	const struct cmd_du_entry whole = { dir, DIR_WHOLE, usage_below(u, dir) };
	struct cmd_du du = { .a = a, .usage = u, .dirs = usage_dirs(u) };
	struct dirs_answer d = { .tree = a->tree, .marks = a->waste, .by_redundant = a->sort == DU_REDUNDANT || (a->waste && a->sort != DU_SIZE) };
	struct out *o;
	int ret = cmd_du_add(&du, dir, 1, err);

	style.marked = a->waste;
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

static int
cmd_du_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_du_args *a = c->args;
	const struct cmd_target *t = c->target;
	struct cmd_sums sums = { .u = NULL };
	int ret = cmd_sums_open(&sums, c, t->paths.v[0], !a->no_check, false, err);

	if (ret == 0 && sums.dir == DIRTREE_NONE)
		ret = cmd_paths_known(c, &t->paths, err) < 0 ? -1 : err_set(err, ERR_USAGE, "'%s' is not a directory", t->paths.v[0]);
	if (ret == 0)
		ret = cmd_du_print(c, sums.u, sums.dir, err);
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
	        "status 3.",
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
