/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "cmd/cmd_verdict.h"

#include "cmd/cmd.h"

int
cmd_verdict_status(bool missing, int left, int gaps, int answer)
{
	if (left < 0)
		return left;
	if (missing)
		return CMD_USAGE;
	return left != CMD_OK || gaps != CMD_OK ? CMD_PARTLY : answer;
}
