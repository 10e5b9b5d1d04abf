/* SPDX-License-Identifier: MIT */
/* twindex ls, dups, uniques, file - files with their states: four questions, one loop. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "cmd/cmd.h"
#include "cmd/commands.h"
#include "index/browse.h"

struct list_args {
	int64_t depth;
	struct opt_list paths, files;
	const char *files0_from;
	const char *files_from;
};

static const struct opt list_opts[] = {
	OPT_INT_(0, "depth", struct list_args, depth, "N", "only N levels of directories (1: without subdirectories)"),
	OPT_LIST_('p', "path", struct list_args, paths, "PATH", "the same as the operand PATH"),
	OPT_END
};

static const struct opt file_opts[] = {
	OPT_LIST_('f', "file", struct list_args, files, "PATH", "the same as the operand PATH"),
	OPT_STRING_(0, "files-from", struct list_args, files_from, "FILE", "paths from FILE (- is standard input), one a line"),
	OPT_STRING_(0, "files0-from", struct list_args, files0_from, "FILE", "paths from FILE (- is standard input), each ended by a NUL byte"),
	OPT_END
};

static void
list_release(void *args)
{
	struct list_args *a = args;

	opt_list_release(&a->paths);
	opt_list_release(&a->files);
}

/* A listing on its way. */
struct list {
	struct out *out;
	bool all;                 /* every state, or only: */
	enum file_state only;
};

/* browse_fn: print a file if its state was asked for. */
static int
list_print(void *arg, const struct file_answer *a)
{
	struct list *l = arg;

	return l->all || a->state == l->only ? out_file(l->out, a) : 0;
}

/* What keeps an answer from being whole. */
static int64_t
list_uncertain(const struct browse_totals *t)
{
	return t->n[STATE_UNREADABLE] + t->n[STATE_CHANGED] + t->n[STATE_UNKNOWN] + t->offline;
}

/* dups and uniques are silent about files that they can't judge; say how many there are. */
static void
list_warn(const struct cmd_call *c, const struct browse_totals *t)
{
	static const enum file_state states[] = { STATE_CHANGED, STATE_UNREADABLE, STATE_UNKNOWN };
	char text[NUM_SHOW_MAX];
	struct buf b = { 0 };

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (t->n[states[i]] > 0)
			buf_addf(&b, "%s%s %s", b.len > 0 ? ", " : "", num_show_count(t->n[states[i]], text), state_name(states[i]));
	}
	if (t->offline > 0 && !c->globals->quiet)
		cmd_message(c, "%s offline: what is said of %s is as of the last scan",
		            num_show_things(t->offline, "file is", "files are", text), t->offline == 1 ? "it" : "them");
	if (b.len > 0 && !c->globals->quiet)
		cmd_message(c, "not judged: %s; 'twindex ls' shows them, 'twindex scan' looks again", buf_str(&b));
	buf_release(&b);
}

static int
list_run(const struct cmd_call *c, struct list *l, enum out_kind kind, bool members, bool look_up,
         struct browse_totals *totals, struct err *err)
{
	const struct list_args *a = c->args;
	const struct out_style style = cmd_style(c, kind);
	struct cmd_paths paths = { 0 }, exclude = { 0 };
	int ret = -1;

	memset(totals, 0, sizeof(*totals));
	if (cmd_resolve(c, c->operands, (size_t)c->n_operands, &paths, err) < 0 ||
	    cmd_resolve(c, (char *const *)a->paths.v, a->paths.n, &paths, err) < 0 ||
	    cmd_resolve(c, (char *const *)a->files.v, a->files.n, &paths, err) < 0 ||
	    (a->files_from != NULL && cmd_resolve_file(c, a->files_from, '\n', &paths, err) < 0) ||
	    (a->files0_from != NULL && cmd_resolve_file(c, a->files0_from, '\0', &paths, err) < 0) ||
	    cmd_resolve(c, (char *const *)c->listing->exclude.v, c->listing->exclude.n, &exclude, err) < 0)
		goto out;
	if (paths.n == 0 && look_up) {
		err_set(err, ERR_USAGE, "%s needs a path", c->cmd->name);
		goto out;
	}
	if (paths.n == 0 && cmd_resolve(c, &(char *){ (char *)"." }, 1, &paths, err) < 0)
		goto out;
	{
		const struct browse_query q = {
			.copies = {
				.exclude = (const char *const *)exclude.v, .n_exclude = exclude.n, .members = members,
				.count = c->listing->format != OUT_TEXT && c->listing->format != OUT_NULL,
				.links_are_copies = c->listing->links_copies, .links_are_unique = c->listing->links_unique,
			},
			.depth = a->depth, .strangers = l->all, .look_up_stranger = look_up,
		};

		l->out = out_open(c->out, &style);
		ret = browse_each(c->ix, (const char *const *)paths.v, paths.n, &q, list_print, l, totals, err);
		ret = out_close(l->out, ret, err);
	}
out:
	cmd_paths_release(&paths);
	cmd_paths_release(&exclude);
	return ret;
}

static int
ls_run(const struct cmd_call *c, struct err *err)
{
	struct list l = { .all = true };
	struct browse_totals totals;

	return list_run(c, &l, OUT_STATES, c->globals->verbose > 0, false, &totals, err) < 0 ? -1 : CMD_OK;
}

static int
list_only(const struct cmd_call *c, enum file_state only, struct err *err)
{
	struct list l = { .only = only };
	struct browse_totals totals;

	if (list_run(c, &l, OUT_PATHS, c->globals->verbose > 0, false, &totals, err) < 0)
		return -1;
	if (list_uncertain(&totals) == 0)
		return CMD_OK;
	list_warn(c, &totals);
	return CMD_PARTLY;
}

static int
dups_run(const struct cmd_call *c, struct err *err)
{
	return list_only(c, STATE_DUP, err);
}

static int
uniques_run(const struct cmd_call *c, struct err *err)
{
	return list_only(c, STATE_UNIQUE, err);
}

static int
file_run(const struct cmd_call *c, struct err *err)
{
	struct list l = { .all = true };
	struct browse_totals totals;
	int64_t others = 0;

	if (list_run(c, &l, OUT_STATES, true, true, &totals, err) < 0)
		return -1;
	for (int i = 0; i < STATE_COUNT; i++)
		others += i != STATE_DUP ? totals.n[i] : 0;
	return others == 0 ? CMD_OK : CMD_NO;
}

const struct cmd cmd_ls = {
	.name = "ls",
	.operands = "[PATH...]",
	.summary = "list every file with its state",
	.help = "States: dup, unique, linked, empty, skipped, unreadable, changed, gone, unknown.\n"
	        "Without PATH, the current directory.  -v lists the copies of each file.",
	.opts = list_opts,
	.args_size = sizeof(struct list_args),
	.flags = CMD_READS | CMD_LISTS,
	.release = list_release,
	.run = ls_run,
};

const struct cmd cmd_dups = {
	.name = "dups",
	.operands = "[PATH...]",
	.summary = "list the files that have another copy",
	.help = "Without PATH, the current directory.  -v lists the copies of each file.",
	.opts = list_opts,
	.args_size = sizeof(struct list_args),
	.flags = CMD_READS | CMD_LISTS,
	.release = list_release,
	.run = dups_run,
};

const struct cmd cmd_uniques = {
	.name = "uniques",
	.operands = "[PATH...]",
	.summary = "list the files that have no copy",
	.help = "With --exclude-path DIR copies below DIR do not count: 'uniques -x DIR DIR' lists what\n"
	        "would be lost with DIR.  Files that can't be judged are counted in a warning, and make\n"
	        "the exit status 3.",
	.opts = list_opts,
	.args_size = sizeof(struct list_args),
	.flags = CMD_READS | CMD_LISTS,
	.release = list_release,
	.run = uniques_run,
};

const struct cmd cmd_file = {
	.name = "file",
	.operands = "PATH...",
	.summary = "tell whether files have another copy, and where",
	.help = "A file that is not in the index is looked up by its size and content.  Exit status 0:\n"
	        "every file has another copy; 1: one has not.",
	.opts = file_opts,
	.args_size = sizeof(struct list_args),
	.flags = CMD_READS | CMD_LISTS,
	.release = list_release,
	.run = file_run,
};
