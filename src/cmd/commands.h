/* SPDX-License-Identifier: MIT */
/* commands - the records of all subcommands, one file each. */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include <stdio.h>

struct cmd;

extern const struct cmd cmd_scan, cmd_report, cmd_ls, cmd_dups, cmd_uniques, cmd_file, cmd_du, cmd_waste, cmd_tree,
	cmd_where, cmd_refresh, cmd_hash, cmd_mark, cmd_marks, cmd_info, cmd_forget, cmd_check, cmd_sql, cmd_shell,
	cmd_help, cmd_man, cmd_version, cmd_license;

/** Print the short help that a call without a command gets. */
void cmd_help_short(FILE *f);

#endif
