/* SPDX-License-Identifier: MIT */
/* twindex volumes - the file systems of the index: where they are, what each alone holds. */
#include <config.h>

#include "cmd/cmd.h"
#include "cmd/cmd_records.h"
#include "query/volume_list.h"

/* A listing on its way. */
struct cmd_volumes {
	struct out *out;
	int64_t n;
};

/* volume_list_fn: print one. */
static int
cmd_volumes_print(void *arg, const struct volume_answer *a)
{
	struct cmd_volumes *v = arg;

	v->n++;
	return out_volume(v->out, a);
}

static int
cmd_volumes_run(const struct cmd_call *c, struct err *err)
{
	const struct out_style style = cmd_style(c, OUT_VOLUMES);
	struct cmd_volumes v = { .out = out_open(c->out, &style) };
	int ret = volume_list_each(c->ix, c->listing->online, cmd_volumes_print, &v, err);

	ret = out_close(v.out, ret, err);
	if (ret == 0 && v.n == 0 && style.format == OUT_TEXT && !c->globals->quiet)
		cmd_message(c, "the index has no files");
	return ret < 0 ? -1 : cmd_unfinished(c, true, err);
}

const struct cmd cmd_volumes = {
	.name = "volumes",
	.operands = "",
	.summary = "list the file systems of the index, and what each alone holds",
	.help = "Of each its label, type, room, whether it is here and where, as of the last scan its files\n"
	        "and their bytes (hard links count once), and what only it holds: the files whose content is\n"
	        "on no other volume, and the bytes of these contents, each counted once.  A file that could\n"
	        "not be read counts as held there alone.",
	.flags = CMD_READS | CMD_LISTS | CMD_NO_PATHS,
	.run = cmd_volumes_run,
};
