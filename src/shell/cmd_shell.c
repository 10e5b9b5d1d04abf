/* SPDX-License-Identifier: MIT */
/* twindex shell - browse the index: lines typed by a person, or a script. */
#include "base/base.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_records.h"
#include "shell/session.h"
#include "shell/builtin.h"
#include "shell/complete.h"
#include "shell/run.h"
#include "shell/source.h"
#include "query/list.h"
#include "index/index.h"
#include "index/roots.h"
#include "sys/fs.h"
#include "sys/resolve.h"
#include "sys/stop.h"
#include "shell/line.h"
#include "ui/progress.h"
#include "ui/width.h"

struct cmd_shell_args {
	const char *command, *file;
	bool keep_going;
};

static const struct opt cmd_shell_opts[] = {
	OPT_STRING_('c', "command", struct cmd_shell_args, command, "TEXT", "run the commands in TEXT"),
	OPT_STRING_('f', "file", struct cmd_shell_args, file, "FILE", "run the commands in FILE (- is standard input)"),
	OPT_FLAG_('k', "keep-going", struct cmd_shell_args, keep_going, "go on after an error in a script"),
	OPT_END
};

/* Run the lines of shellrc. */
static void
cmd_shell_run_rc(struct session *s)
{
	struct buf path = { 0 };
	struct err err = { 0 };
	struct stat st;

	/* Opening a FIFO would hang until a writer comes. */
	if (resolve_own_file(&path, "XDG_CONFIG_HOME", ".config", "shellrc") &&
	    stat(buf_str(&path), &st) == 0 && S_ISREG(st.st_mode) && access(buf_str(&path), R_OK) == 0) {
		s->keep_going = true;
		if (source_file(s, -1, buf_str(&path), &err) < 0)
			cmd_fail(s->env.msg, NULL, &err);
		s->keep_going = false;
	}
	buf_release(&path);
}

/* Append what is marked drop. */
static void
cmd_shell_prompt_drops(struct session *s, struct buf *b)
{
	const size_t len = b->len;
	char x[NUM_SHOW_MAX];
	int64_t n, bytes;
	int width, height;

	session_drops(s, &n, &bytes);
	if (n == 0)
		return;
	line_size(s->line, &width, &height);
	buf_addf(b, " [%s drop, ", num_show_count(n, x));
	buf_addf(b, "%s]", num_show_size(bytes, s->env.listing.bytes ? NUM_BYTES : s->env.listing.si ? NUM_SI : NUM_IEC, x));
	/* A prompt that is cut to half of the terminal must not lose where we are. */
	if (width_of(buf_str(b)) + 2 > width / 2)
		buf_cut(b, len);
}

/* The prompt: the directory, whether it exists, and what is marked drop. */
static void
cmd_shell_prompt(struct session *s, struct buf *b)
{
	const char *home = getenv("HOME"), *below = home != NULL ? path_below(s->base.data, home) : NULL;
	struct err why = { 0 };
	int fd;

	buf_cut(b, 0);
	buf_adds(b, "twindex:");
	if (below != NULL && home[1] != '\0')
		buf_addf(b, "~%s", *below != '\0' ? "/" : "");
	else
		below = s->base.data;
	name_show(b, below, strlen(below));
	fd = session_enter(s, &why);
	if (fd < 0)
		buf_adds(b, " (offline)");
	else
		close(fd);
	cmd_shell_prompt_drops(s, b);
	buf_adds(b, "> ");
}

/*
 * Lines that were pasted together are a script: after a failure, or Ctrl-C, the rest does not
 * run.  An empty line or a comment can't fail.
 */
static void
cmd_shell_drop_rest(struct session *s, const char *text)
{
	size_t n;

	if (stop_signal() == 0 && (!session_failed(s->status) || strchr("#", text[strspn(text, " \t")]) != NULL))
		return;
	n = line_drop_rest(s->line);
	if (n > 0)
		fprintf(s->env.msg, "twindex: %zu pasted line%s not run\n", n, n == 1 ? " was" : "s were");
}

/* Read and run lines until there are no more. */
static int
cmd_shell_interact(struct session *s, struct complete_ctx *complete)
{
	struct buf prompt = { 0 };
	int ret = 1;

	while (!s->leave && ret != 0 && stop_signal() == 0) {
		struct err err = { 0 };
		const char *text;
		size_t len;

		complete->ix = s->env.ix;
		complete->base = s->base.data;
		cmd_shell_prompt(s, &prompt);
		ret = line_read(s->line, buf_str(&prompt), &text, &len, &err);
		if (ret == 1) {
			if (strlen(text) == len)
				line_remember(s->line, text);
			if (len == 0 && s->steps)
				run_line(s, "next", strlen("next"));
			else
				run_line(s, text, len);
			cmd_shell_drop_rest(s, text);
		} else if (ret < 0 && err.code != ERR_INTERRUPTED) {
			cmd_fail(s->env.msg, NULL, &err);
			break;
		}
		/* Ctrl-C ends a command, never the shell; other signals do. */
		if (stop_signal() != 0 && stop_signal() != SIGINT)
			break;
		stop_clear();
		clearerr(s->env.out);
		clearerr(stdin);
	}
	buf_release(&prompt);
	/* An editor has ended the line itself. */
	if (ret == 0 && !line_is_edited(s->line))
		fputc('\n', s->env.msg);
	return stop_signal() != 0 ? CMD_SIGNAL + stop_signal() : s->leave ? s->status : CMD_OK;
}

/* Start in the current directory if the index knows it, else at the first root. */
static void
cmd_shell_start_place(struct session *s)
{
	struct err ignored = { 0 };
	struct roots roots = { 0 };

	if (s->env.ix == NULL || list_knows(s->env.ix, s->base.data, &ignored) != 0)
		return;
	if (roots_load(&roots, s->env.ix->db, &ignored) == 0 && roots.n > 0) {
		buf_cut(&s->base, 0);
		buf_adds(&s->base, roots.v[0].path);
		s->env.base = s->base.data;
	}
	roots_release(&roots);
}

static int
cmd_shell_run_terminal(struct session *s, bool chosen)
{
	struct complete_ctx complete = { .commands = s->env.commands, .builtins = builtins, .settings = builtin_settings, .session = s };
	struct buf history = { 0 };
	const bool keeps = resolve_own_file(&history, "XDG_STATE_HOME", ".local/state", "history");
	int status;

	s->line = line_open(stdin, s->env.out, s->env.msg, keeps ? buf_str(&history) : NULL, complete_line, &complete);
	stop_be_patient();
	signal(SIGPIPE, SIG_IGN);
	session_refresh(s);
	if (!chosen)
		cmd_shell_start_place(s);
	session_rest(s);
	if (!s->env.globals.quiet)
		width_print(s->env.msg, s->env.ix != NULL ?
		            "twindex " PACKAGE_VERSION ": 'help' shows the commands, Tab completes, Ctrl-D leaves\n" :
		            "twindex " PACKAGE_VERSION ": there is no index yet; 'scan DIR' makes one\n",
		            WIDTH_MORE, progress_columns(s->env.msg));
	alias_set(&s->aliases, "ls", "ls --columns");
	cmd_shell_run_rc(s);
	if (stop_signal() == SIGINT)
		stop_clear();
	status = cmd_shell_interact(s, &complete);
	line_close(s->line);
	buf_release(&history);
	return status;
}

static int
cmd_shell_run_cmd(const struct cmd_call *c, struct err *err)
{
	const struct cmd_shell_args *a = c->args;
	struct cmd_env env = *c->env;
	struct buf base = { 0 };
	struct session s;
	bool interactive;
	int status = -1;

	if (c->env->results != NULL)
		return err_set(err, ERR_USAGE, "you are in the shell already");
	if (c->n_operands > 1)
		return err_set(err, ERR_USAGE, "shell takes one directory");
	if (a->command != NULL && a->file != NULL)
		return err_set(err, ERR_USAGE, "--command and --file exclude each other");
	if (resolve_path(&base, c->n_operands > 0 ? c->operands[0] : ".", c->base, err) < 0)
		goto out;
	env.globals = *c->globals;
	interactive = a->command == NULL && a->file == NULL && isatty(0) == 1 && c->tty;
	/* A script prints the same wherever it runs. */
	if (!interactive && env.globals.color == CMD_COLOR_AUTO)
		env.globals.color = CMD_COLOR_NEVER;
	session_open(&s, &env, buf_str(&base));
	s.run = run_line;
	s.keep_going = a->keep_going;
	for (size_t i = 0; env.config != NULL && i < env.config->lines.n; i++) {
		const struct settings_line *l = &env.config->lines.v[i];

		if (strcmp(l->section, SETTINGS_ALIAS) == 0)
			alias_set(&s.aliases, l->key, l->value);
	}
	if (c->n_operands > 0) {
		session_refresh(&s);
		if (builtin_check_dir(&s, buf_str(&base), err) < 0)
			goto close;
		session_rest(&s);
	}
	if (a->command != NULL)
		status = run_line(&s, a->command, strlen(a->command));
	else if (a->file != NULL && strcmp(a->file, "-") != 0)
		status = source_file(&s, -1, a->file, err);
	else if (interactive)
		status = cmd_shell_run_terminal(&s, c->n_operands > 0);
	else
		status = source_stream(&s, stdin, "standard input", err);
close:
	session_close(&s);
out:
	buf_release(&base);
	return status;
}

const struct cmd cmd_shell = {
	.name = "shell",
	.operands = "[DIR]",
	.summary = "browse the index: every command, with completion and history",
	.help = "On a terminal it is interactive; 'twindex' alone starts it too, once there is an index.\n"
	        "With -c, -f or when standard input is no terminal it runs a script, which ends at the\n"
	        "first error with its exit status, and says FILE:LINE.  'help' in it shows what it knows.",
	.opts = cmd_shell_opts,
	.args_size = sizeof(struct cmd_shell_args),
	.run = cmd_shell_run_cmd,
};
