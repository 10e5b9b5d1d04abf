/* SPDX-License-Identifier: MIT */
/* twindex browse - go through directories on a whole screen, and mark what is to go. */
#include "base/base.h"

#include "browse/browse.h"
#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_exit_status.h"
#include "index/index.h"

struct cmd_browse_args {
	int sort;             /* enum level_sort */
};

static const char *const cmd_browse_sorts[] = { "redundant", "size", "marked", "share", "name", NULL };

static const struct opt cmd_browse_opts[] = {
	OPT_CHOICE_('s', "sort", struct cmd_browse_args, sort, "KEY", "redundant (default), size, marked, share or name", cmd_browse_sorts),
	OPT_END
};

static int
cmd_browse_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_browse_args *a = c->args;
	struct cmd_call with = *c;
	struct buf note = { 0 };
	int ret = -1;

	if (!c->tty)
		err_set(err, ERR_USAGE, "browse needs a terminal; 'waste' and 'tree' print the same numbers");
	else
		ret = cmd_open(c->globals, 0, &with.ix, err);
	if (ret == 0 && c->n_operands > 0)
		ret = cmd_paths_known(&with, &c->target->paths, err);
	if (ret == 0)
		ret = cmd_unfinished_text(with.ix, NULL, &note, err);
	index_close(with.ix);
	if (ret >= 0) {
		const struct browse_query q = { .path = c->target->paths.v[0], .sort = (enum level_sort)a->sort, .note = note.len > 0 ? buf_str(&note) : NULL };

		ret = browse_run(c, &q, err);
	}
	buf_release(&note);
	return ret;
}

const struct cmd cmd_browse = {
	.name = "browse",
	.operands = "[DIR]",
	.summary = "browse directories on the full screen, and mark files to drop",
	.help = "The subdirectories and files of DIR (the current directory by default) with their size,\n"
	        "redundant bytes, share with another copy and marked bytes, as 'du' and 'waste' count them;\n"
	        "below, what the file under the cursor is now, and its copies.  Arrows move, Enter goes in,\n"
	        "d marks drop, k keep, u takes back, c shows where the copies are, ? tells all keys.  Marks\n"
	        "are those of 'mark'; nothing is removed: 'rm --marked' does.",
	.opts = cmd_browse_opts,
	.args_size = sizeof(struct cmd_browse_args),
	.flags = CMD_TALKS | CMD_PLACES | CMD_LETS_GO | CMD_PATHS | CMD_ONE,
	.run = cmd_browse_run,
};
