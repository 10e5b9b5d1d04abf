/* SPDX-License-Identifier: MIT */
/*
 * twindex man - the manual: on a terminal as man shows it, in a pipe formatted, without what would
 * make a printer bold.  Another program formats it, which reads the source from a file that has no
 * name, for a pipe could be full while it waits for us.
 */
#include "base/base.h"

#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "sys/locale.h"

/* Generated from man/. */
extern const char manual_text[];
extern const char manual_rules_text[];
extern const char manual_export_text[];
extern const char manual_formats_text[];
extern const char manual_shell_text[];
extern const char manual_schema_text[];
extern const char manual_json_text[];

struct cmd_man_args {
	bool raw;
};

static const struct opt cmd_man_opts[] = {
	OPT_FLAG_(0, "raw", struct cmd_man_args, raw, "print the source, which mandoc and man read"),
	OPT_END
};

/* Become a program, in the child. */
static void
cmd_man_exec(const char *const argv[], int in, int out)
{
	dup2(in, 0);
	if (out >= 0) {
		dup2(out, 1);
		setenv("MANWIDTH", "80", 0);
	}
	if (locale_is_utf8())
		setenv("LESSCHARSET", "utf-8", 0);
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

/*
 * Let a program format a manual: on the terminal, or into formatted.  Returns whether it did.
 */
static bool
cmd_man_format(const char *const argv[], const char *text, struct buf *formatted)
{
	FILE *source = tmpfile();
	char piece[16384];
	ssize_t n;
	int fds[2] = { -1, -1 }, status = -1;
	bool ready = source != NULL && fputs(text, source) >= 0 && fflush(source) == 0 && lseek(fileno(source), 0, SEEK_SET) == 0;
	pid_t pid = -1;

	if (ready && formatted != NULL)
		ready = pipe(fds) == 0;
	if (ready)
		pid = fork();
	if (pid == 0) {
		if (fds[0] >= 0)
			close(fds[0]);
		cmd_man_exec(argv, fileno(source), fds[1]);
	}
	if (fds[1] >= 0)
		close(fds[1]);
	while (pid > 0 && fds[0] >= 0 && ((n = read(fds[0], piece, sizeof(piece))) > 0 || (n < 0 && errno == EINTR))) {
		if (n > 0)
			buf_add(formatted, piece, (size_t)n);
	}
	if (fds[0] >= 0)
		close(fds[0]);
	if (source != NULL)
		fclose(source);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return pid > 0 && WIFEXITED(status) && (formatted != NULL ? WEXITSTATUS(status) == 0 && formatted->len > 0 : WEXITSTATUS(status) != 127);
}

/* Append text without colours, and without characters that another one is printed over. */
static void
cmd_man_plain(struct buf *b, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '\b') {
			size_t last = b->len;

			while (last > 0 && ((unsigned char)b->data[--last] & 0xc0) == 0x80)
				continue;
			buf_cut(b, last);
		} else if (text[0] == '\033' && text[1] == '[')
			text += strcspn(text, "m\n") - (text[strcspn(text, "m\n")] != 'm');
		else
			buf_addc(b, *text);
	}
}

static int
cmd_man_run(const struct cmd_call *c, struct err *err)
{
	static const char *const man[] = { "man", "-l", "-", NULL };
	static const char *const mandoc[] = { "mandoc", "-a", NULL };
	static const char *const pipes[] = { "mandoc", NULL };
	static const struct {
		const char *name, *text;
	} pages[] = {
		{ "rules", manual_rules_text },
		{ "formats", manual_formats_text },
		{ "export", manual_export_text },
		{ "shell", manual_shell_text },
		{ "schema", manual_schema_text },
		{ "json", manual_json_text },
	};
	const struct cmd_man_args *a = c->args;
	const char *text = c->n_operands == 0 ? manual_text : NULL;
	struct buf formatted = { 0 }, plain = { 0 };

	for (size_t i = 0; c->n_operands == 1 && i < sizeof(pages) / sizeof(pages[0]); i++)
		if (strcmp(c->operands[0], pages[i].name) == 0)
			text = pages[i].text;
	if (text == NULL)
		return err_set(err, ERR_USAGE, "there is no such page: 'man' has rules, formats, export, shell, schema and json");
	if (!a->raw && c->tty && (cmd_man_format(man, text, NULL) || cmd_man_format(mandoc, text, NULL)))
		return CMD_OK;
	if (!a->raw && !c->tty && !cmd_man_format(pipes, text, &formatted)) {
		buf_cut(&formatted, 0);
		if (!cmd_man_format(man, text, &formatted))
			buf_cut(&formatted, 0);
	}
	/* Without such a program the source is better than nothing. */
	if (formatted.len > 0)
		cmd_man_plain(&plain, buf_str(&formatted));
	fputs(formatted.len > 0 ? buf_str(&plain) : text, c->out);
	buf_release(&formatted);
	buf_release(&plain);
	return CMD_OK;
}

const struct cmd cmd_man = {
	.name = "man",
	.operands = "[rules|formats|shell|schema|json]",
	.words = "rules formats shell schema json",
	.summary = "show the manual, or one of its other pages",
	.opts = cmd_man_opts,
	.args_size = sizeof(struct cmd_man_args),
	.run = cmd_man_run,
};
