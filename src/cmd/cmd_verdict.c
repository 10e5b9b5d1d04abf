/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cmd/cmd_verdict.h"

#include "base/num.h"
#include "cmd/cmd.h"
#include "index/fleeting.h"

int
cmd_verdict_status(bool missing, int left, int gaps, int answer)
{
	if (left < 0)
		return left;
	if (missing)
		return CMD_USAGE;
	return left != CMD_OK || gaps != CMD_OK ? CMD_PARTLY : answer;
}

int
cmd_not_judged(const struct cmd_call *c, enum gap gap, int64_t n)
{
	c->answered->gaps.files[gap] += n;
	return n > 0 ? CMD_PARTLY : CMD_OK;
}

void
cmd_fleeting(const struct cmd_call *c, int64_t n, unsigned why)
{
	char files[NUM_SHOW_MAX];

	if (n > 0 && !c->globals->quiet)
		cmd_message(c, "%s other copies only %s: not counted", num_show_things(n, "file has", "files have", files), fleeting_where(why));
}

void
cmd_trash(const struct cmd_call *c, int64_t n)
{
	char files[NUM_SHOW_MAX];

	if (n > 0 && !c->globals->quiet)
		cmd_message(c, "%s in a trash, which will be emptied: not counted as copies", num_show_things(n, "file", "files", files));
}
