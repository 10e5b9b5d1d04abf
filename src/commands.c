/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "commands.h"

#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_records.h"
#include "shell/alias.h"
#include "shell/builtin.h"
#include "ui/progress.h"

const struct cmd *const commands[] = {
	&cmd_scan, &cmd_refresh,
	&cmd_report, &cmd_ls, &cmd_dups, &cmd_uniques, &cmd_safe, &cmd_contained, &cmd_compare, &cmd_moves, &cmd_redundant, &cmd_at_risk, &cmd_diff, &cmd_similar, &cmd_file,
	&cmd_du, &cmd_waste, &cmd_tree, &cmd_where,
	&cmd_mark, &cmd_marks, &cmd_decide, &cmd_browse, &cmd_rm, &cmd_link, &cmd_rmsh, &cmd_log, &cmd_undo, &cmd_recover,
	&cmd_validate, &cmd_hash, &cmd_digest, &cmd_import, &cmd_volumes, &cmd_info, &cmd_forget, &cmd_check, &cmd_export, &cmd_sql,
	&cmd_shell, &cmd_mcp, &cmd_help, &cmd_man, &cmd_version, &cmd_license, NULL
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

/*
 * Read the config file into the defaults of env.  Options of commands are checked when they run.
 */
static int
commands_configure(struct settings *c, enum settings_use use, struct cmd_env *env, struct err *err)
{
	const struct opt_target globals[] = { { cmd_global_opts, &env->globals, NULL }, { NULL, NULL, NULL } };
	const struct opt_target listing[] = { { cmd_listing_opts, &env->listing, NULL }, { NULL, NULL, NULL } };
	int ret = settings_read(c, err);

	if (c->ignored != NULL)
		fprintf(env->msg, "twindex: %s\n", c->ignored);
	for (size_t i = 0; ret == 0 && use == SETTINGS_ALL && i < c->sections.n; i++) {
		const struct settings_line l = { .section = c->sections.v[i].name, .number = c->sections.v[i].number };

		if (settings_policy(l.section) == NULL && strcmp(l.section, SETTINGS_GLOBAL) != 0 && strcmp(l.section, SETTINGS_LISTING) != 0 &&
		    strcmp(l.section, SETTINGS_CHOICES) != 0 && strcmp(l.section, SETTINGS_ALIAS) != 0 && cmd_find(commands, l.section) == NULL)
			ret = settings_fail(c, &l, err, "[%s] is no command, nor one of " SETTINGS_GLOBAL ", " SETTINGS_LISTING ", " SETTINGS_CHOICES ", " SETTINGS_ALIAS ", policy DIR", l.section);
	}
	for (size_t i = 0; ret == 0 && use == SETTINGS_ALL && i < c->lines.n; i++) {
		const struct settings_line *l = &c->lines.v[i];

		/* A name that is a command's would be hidden by it, or hide it. */
		if (strcmp(l->section, SETTINGS_ALIAS) == 0)
			ret = cmd_find(commands, l->key) != NULL || builtin_find(l->key) != NULL ?
			      settings_fail(c, l, err, "alias '%s' is the name of a command", l->key) : alias_check(env, c, l, err);
	}
	if (ret == 0)
		ret = settings_check_choices(c, err);
	if (ret == 0)
		ret = settings_backups(c, err);
	env->globals.backups = &c->backups;
	if (ret == 0)
		ret = settings_apply(c, use, SETTINGS_GLOBAL, globals, err);
	if (ret == 0)
		ret = settings_apply(c, use, SETTINGS_LISTING, listing, err);
	/* The environment overrides the file. */
	if (getenv("TWINDEX_DB") != NULL)
		env->globals.db = NULL;
	env->config = c;
	env->config_db = env->globals.db;
	return ret;
}

/* Run a command line whose first word may be an alias. */
static int
commands_run(const struct cmd_env *env, int argc, char **argv)
{
	const bool named = cmd_find(commands, argv[0]) != NULL || cmd_config_use(env, argc, argv) != SETTINGS_ALL;
	const struct settings_line *l = named ? NULL : settings_alias(env->config, argv[0]);

	return l == NULL ? cmd_execute(env, argc, argv) : alias_run(env, l, argc, argv);
}

/* Parse the global options in front of the command, and run it. */
static int
commands_dispatch(struct cmd_env *env, int argc, char **argv)
{
	const struct opt_target target[] = { { cmd_global_opts, &env->globals, NULL }, { NULL, NULL, NULL } };
	struct buf usage = { 0 };
	struct err err = { 0 };
	int n = 0;

	if (opt_parse(target, argc, argv, true, &n, &err) < 0)
		return cmd_refuse(env, argc, argv, &err);
	if (env->globals.version)
		return cmd_call(env, &cmd_version, n > 0 ? n - 1 : 0, n > 0 ? argv + 1 : argv);
	/* Not for people: it is neither listed nor known in the shell. */
	if (n > 0 && strcmp(argv[0], cmd_complete.name) == 0)
		return cmd_call(env, &cmd_complete, n - 1, argv + 1);
	if (n > 0)
		return commands_run(env, n, argv);
	if (env->globals.help) {
		env->globals.help = false;
		return cmd_call(env, &cmd_help, 0, argv);
	}
	if (commands_has_shell(env))
		return cmd_call(env, &cmd_shell, 0, argv);
	cmd_overview(&usage, commands, false);
	fputs(buf_str(&usage), env->msg);
	buf_release(&usage);
	return CMD_USAGE;
}

int
commands_main(int argc, char **argv, FILE *out, FILE *msg)
{
	struct cmd_env env = { .commands = commands, .out = out, .msg = msg, .tty = isatty(fileno(out)) == 1,
	                       .listing = { .format = OUT_TEXT }, .globals = { .color = CMD_COLOR_AUTO } };
	struct settings config = { .path = NULL };
	const enum settings_use use = settings_use(argc, argv);
	struct err err = { 0 };
	int status;

	env.width = commands_width(out);
	if (use != SETTINGS_NONE && commands_configure(&config, use, &env, &err) < 0)
		status = cmd_refuse(&env, argc, argv, &err);
	else
		status = commands_dispatch(&env, argc, argv);
	settings_release(&config);
	return status;
}
