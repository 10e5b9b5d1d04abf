/* SPDX-License-Identifier: MIT */
/* cmd_records - the records of all subcommands, each defined in a file of its own. */
#ifndef CMD_CMD_RECORDS_H
#define CMD_CMD_RECORDS_H

struct cmd;

extern const struct cmd cmd_complete, cmd_decide, cmd_browse, cmd_mcp;
extern const struct cmd cmd_scan, cmd_report, cmd_ls, cmd_dups, cmd_uniques, cmd_safe, cmd_contained, cmd_compare, cmd_moves, cmd_redundant, cmd_at_risk, cmd_diff, cmd_similar, cmd_file,
	cmd_du, cmd_waste, cmd_tree, cmd_where, cmd_refresh, cmd_validate, cmd_hash, cmd_digest, cmd_import, cmd_mark, cmd_marks, cmd_rm, cmd_link, cmd_rmsh, cmd_log, cmd_undo, cmd_recover, cmd_volumes, cmd_info, cmd_forget, cmd_check, cmd_export, cmd_sql, cmd_shell,
	cmd_help, cmd_man, cmd_version, cmd_license;

#endif
