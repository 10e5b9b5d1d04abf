/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_verdict.h"

#include "cmd/cmd.h"
#include "index/fleeting.h"
#include "index/timeless.h"
#include "query/indexes.h"

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

int
cmd_timeless(const struct cmd_call *c, int status)
{
	char *first = NULL, files[NUM_SHOW_MAX];
	int64_t n = timeless_doubts(c->ix, &first);

	for (size_t i = 0; c->with != NULL && i < c->with->others.n; i++) {
		char *other = NULL;

		n += timeless_doubts(c->with->others.v[i]->ix, &other);
		if (first == NULL)
			first = other;
		else
			free(other);
	}
	(void)cmd_not_judged(c, GAP_TIMELESS, n);
	if (status >= 0 && n > 0 && !c->globals->quiet)
		cmd_message(c, "%s where no time of change is kept, '%s' %s: rewritten since the scan with size and time put back, it would not be noticed; "
		            "'%s scan --rehash' reads all again and is believed for an hour",
		            num_show_things(n, "file lies", "files lie", files), first, n == 1 ? "it is" : "for one", prog_name());
	free(first);
	return n > 0 && status == CMD_OK ? CMD_PARTLY : status;
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
