/* SPDX-License-Identifier: MIT */
/* twindex where - files and directories of the index by their names. */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "query/answer.h"
#include "query/find.h"

enum cmd_where_type { WHERE_ANY, WHERE_FILE, WHERE_DIR };
static const char *const cmd_where_types[] = { "any", "file", "dir", NULL };

struct cmd_where_args {
	bool ignore_case, all;
	int type;             /* enum cmd_where_type */
	int64_t top;
};

static const struct opt cmd_where_opts[] = {
	OPT_FLAG_('a', "all", struct cmd_where_args, all, "the whole index, also in the shell, where no DIR means its directory"),
	OPT_FLAG_('i', "ignore-case", struct cmd_where_args, ignore_case, "upper and lower case are the same"),
	OPT_CHOICE_(0, "type", struct cmd_where_args, type, "TYPE", "only file (f) or dir (d); default: any", cmd_where_types),
	OPT_INT_('t', "top", struct cmd_where_args, top, "N", "only the first N"),
	OPT_END
};

/* A listing on its way. */
struct cmd_where {
	struct out *out;
	int64_t n, top;
};

/* find_fn: print one.  Returns 1 when there are enough. */
static int
cmd_where_print(void *arg, const struct found_answer *f)
{
	struct cmd_where *w = arg;

	if (out_found(w->out, f) < 0)
		return -1;
	return ++w->n == w->top ? 1 : 0;
}

static int
cmd_where_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_where_args *a = c->args;
	const struct out_style style = cmd_style(c, OUT_FOUND);
	const struct cmd_target *t = c->target;
	struct cmd_where w = { .top = a->top };
	const struct find_query q = {
		.name = c->operands[0], .ignore_case = a->ignore_case,
		.no_files = a->type == WHERE_DIR, .no_dirs = a->type == WHERE_FILE,
		.dirs = t->paths.v, .n_dirs = t->paths.n, .exclude = t->exclude.v, .n_exclude = t->exclude.n,
	};
	int ret;

	c->verdict->all_read = true;
	w.out = out_open(c->out, &style);
	ret = find_each(c->ix, &q, cmd_where_print, &w, err);
	ret = out_close(w.out, ret, err);
	if (ret < 0 || w.n > 0)
		return ret < 0 ? -1 : CMD_OK;
	cmd_notice(c, "nothing in the index is named '%s'%s", c->operands[0], t->paths.n > 0 ? " there" : "");
	cmd_paths_hint_all(c);
	return CMD_NO;
}

const struct cmd cmd_where = {
	.name = "where",
	.operands = "NAME [DIR...]",
	.summary = "find files and directories of the index by name",
	.help = "NAME is the whole name, or a pattern with *, ? or [a-z] in it.  With a slash in it, it is\n"
	        "compared with the end of the path.  With DIR, only what is there or below (without, in\n"
	        "the shell, below its directory).  As of the last scan.  Exit status 0: something was\n"
	        "found; 1: nothing, which is said.",
	.opts = cmd_where_opts,
	.args_size = sizeof(struct cmd_where_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_PATHS | CMD_NAMED | CMD_HERE | CMD_DIRS | CMD_KNOWN,
	.run = cmd_where_run,
};
