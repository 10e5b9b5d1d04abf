/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/num.h"
#include "cmd/cmd.h"
#include "cmd/cmd_records.h"
#include "ui/progress.h"

const struct cmd *const commands[] = {
	&cmd_scan, &cmd_refresh,
	&cmd_report, &cmd_ls, &cmd_dups, &cmd_uniques, &cmd_contained, &cmd_compare, &cmd_redundant, &cmd_at_risk, &cmd_diff, &cmd_similar, &cmd_file,
	&cmd_du, &cmd_waste, &cmd_tree, &cmd_where,
	&cmd_mark, &cmd_marks, &cmd_decide, &cmd_rm, &cmd_link, &cmd_rmsh, &cmd_log, &cmd_undo, &cmd_recover,
	&cmd_validate, &cmd_hash, &cmd_volumes, &cmd_info, &cmd_forget, &cmd_check, &cmd_sql,
	&cmd_shell, &cmd_help, &cmd_man, &cmd_version, &cmd_license, NULL
};

/* The columns of the terminal that results go to; elsewhere $COLUMNS, or 0. */
static int
commands_width(FILE *out)
{
	const char *columns = getenv("COLUMNS");
	const int width = progress_columns(out);
	int64_t n = 0;

	if (width > 0)
		return width;
	return columns != NULL && num_parse_int(columns, 1, INT16_MAX, &n) == 0 ? (int)n : 0;
}

/* Whether somebody sits before a terminal, and there is an index to browse. */
static bool
commands_has_shell(const struct cmd_env *env)
{
	struct buf path = { 0 };
	struct err ignored = { 0 };
	bool has = env->tty && isatty(0) == 1 && cmd_index_path(&env->globals, &path, &ignored) == 0 &&
	           access(buf_str(&path), F_OK) == 0;

	buf_release(&path);
	return has;
}

int
commands_main(int argc, char **argv, FILE *out, FILE *msg)
{
	struct cmd_env env = { .commands = commands, .out = out, .msg = msg, .tty = isatty(fileno(out)) == 1,
	                       .listing = { .format = OUT_TEXT }, .globals = { .color = CMD_COLOR_AUTO } };
	const struct opt_target target[] = { { cmd_global_opts, &env.globals }, { NULL, NULL } };
	struct buf usage = { 0 };
	struct err err = { 0 };
	int n = 0;

	env.width = commands_width(out);
	if (opt_parse(target, argc, argv, true, &n, &err) < 0)
		return cmd_fail(msg, &err);
	if (env.globals.version)
		return cmd_call(&env, &cmd_version, n > 0 ? n - 1 : 0, n > 0 ? argv + 1 : argv);
	/* Not for people: it is neither listed nor known in the shell. */
	if (n > 0 && strcmp(argv[0], cmd_complete.name) == 0)
		return cmd_call(&env, &cmd_complete, n - 1, argv + 1);
	if (n > 0)
		return cmd_execute(&env, n, argv);
	if (env.globals.help) {
		env.globals.help = false;
		return cmd_call(&env, &cmd_help, 0, argv);
	}
	if (commands_has_shell(&env))
		return cmd_call(&env, &cmd_shell, 0, argv);
	cmd_overview(&usage, commands);
	fputs(buf_str(&usage), msg);
	buf_release(&usage);
	return CMD_USAGE;
}
