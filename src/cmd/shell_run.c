/* SPDX-License-Identifier: MIT */
/*
 * A line is split into commands; each is an alias to expand, a command line
 * for sh (!), a built-in command or one of the command line's.  Its words are
 * those that a terminal's shell would give, but for ~ and numbers of the last
 * listing, which are replaced here.
 */
#include <config.h>

#include "cmd/shell_run.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/words.h"
#include "cmd/shell.h"
#include "cmd/shell_builtin.h"
#include "cmd/shell_sink.h"
#include "sys/fs.h"
#include "sys/stop.h"
#include "ui/line.h"
#include "ui/results.h"

/* Aliases within aliases. */
#define SHELL_DEPTH 16

/* There was no command to run. */
#define SHELL_NOTHING (-2)

static int shell_run_text(struct shell *s, const char *text, size_t len, int depth);

/* The words of one command, and what its operands were replaced by. */
struct shell_command {
	struct words words;
	char **argv;               /* argc of them; the strings are words', or in made */
	int argc;
	VEC(char *) made;
};

static void
shell_command_release(struct shell_command *c)
{
	for (size_t i = 0; i < c->made.n; i++)
		free(c->made.v[i]);
	vec_release(&c->made);
	words_release(&c->words);
	free(c->argv);
}

/* Put the home directory in place of a ~ that was typed as such.  Returns whether there is one. */
static bool
shell_tilde(const char *line, const struct word *w, struct buf *text)
{
	const char *home = getenv("HOME");

	if (line[w->start] != '~' || (w->text[1] != '\0' && w->text[1] != '/') || home == NULL)
		return false;
	buf_adds(text, home);
	buf_adds(text, w->text + 1);
	return true;
}

/* What an operand means: ~ the home directory, a number what it stands for where files are named. */
static int
shell_operand(struct shell *s, struct shell_command *c, const char *line, size_t i, bool numbers, struct err *err)
{
	const struct word *w = &c->words.v[i];
	struct buf text = { 0 };
	size_t item, member;
	const char *path;

	c->argv[i] = w->text;
	if (numbers && !w->quoted && results_count(s->results) > 0 && results_parse(w->text, &item, &member)) {
		if (shell_number(s, item, member, &path, err) < 0)
			return -1;
		buf_adds(&text, path);
	} else if (!shell_tilde(line, w, &text))
		return 0;
	c->argv[i] = buf_take(&text);
	vec_push(&c->made, c->argv[i]);
	return 0;
}

/* A name that only one command begins with means that one, where people type. */
static const char *
shell_full_name(const struct shell *s, const char *name)
{
	const size_t len = strlen(name);
	const char *found = NULL;
	int n = 0;

	if (s->line == NULL || len == 0 || cmd_find(name) != NULL || shell_builtin_find(name) != NULL)
		return name;
	for (size_t i = 0; cmd_table[i] != NULL; i++) {
		if (strncmp(cmd_table[i]->name, name, len) == 0) {
			found = cmd_table[i]->name;
			n++;
		}
	}
	for (size_t i = 0; shell_builtins[i].name != NULL; i++) {
		if (strncmp(shell_builtins[i].name, name, len) == 0 && cmd_find(shell_builtins[i].name) == NULL) {
			found = shell_builtins[i].name;
			n++;
		}
	}
	return n == 1 ? found : name;
}

static int
shell_words(struct shell *s, struct shell_command *c, const char *line, struct err *err)
{
	const char *name = shell_full_name(s, c->words.v[0].text);
	/* Scripts name what they mean. */
	const bool numbers = s->line != NULL && (strcmp(name, "file") == 0 || strcmp(name, "mark") == 0);

	c->argc = (int)c->words.n;
	c->argv = mem_zalloc(c->words.n + 1, sizeof(*c->argv));
	/* The name may be a beginning of it; nobody writes to it. */
	c->argv[0] = (char *)(uintptr_t)name;
	for (size_t i = 1; i < c->words.n; i++) {
		if (shell_operand(s, c, line, i, numbers, err) < 0)
			return -1;
	}
	return 0;
}

/* Run the words of one command into a sink.  Returns an exit status or -1. */
static int
shell_run_into(struct shell *s, struct shell_command *c, struct sink *sink, struct err *err)
{
	const char *name = c->argv[0];
	const struct shell_builtin *builtin = shell_builtin_find(name);
	FILE *const out = s->env.out;
	int status;

	if (builtin == NULL && cmd_find(name) == NULL)
		return shell_unknown(name, err);
	shell_refresh(s);
	s->env.out = sink_stream(sink);
	if (builtin != NULL)
		status = builtin->run(s, s->env.out, c->argc, c->argv, err);
	else {
		s->env.results = s->results;
		status = shell_execute(s, true, c->argc, c->argv);
	}
	s->env.out = out;
	shell_rest(s);
	return status;
}

static void
shell_tell_time(const struct shell *s, int64_t start_ns, int64_t first_ns)
{
	const int64_t now = fs_clock_ns();

	fprintf(s->env.msg, "time: %.1f ms", (double)(now - start_ns) / 1e6);
	if (first_ns > start_ns)
		fprintf(s->env.msg, ", the first line after %.1f ms", (double)(first_ns - start_ns) / 1e6);
	fputc('\n', s->env.msg);
}

/* Run a command whose output goes to target.  Returns its exit status. */
static int
shell_run_to(struct shell *s, struct shell_command *c, const struct sink_target *target)
{
	const int64_t start_ns = fs_clock_ns();
	const bool tty = s->env.tty;
	struct err err = { 0 }, ignored = { 0 };
	struct sink *sink;
	int64_t first_ns;
	int status;

	if (s->line != NULL)
		line_size(s->line, &s->env.width, &(int){ 0 });
	sink = sink_open(target, &err);
	if (sink == NULL)
		return cmd_fail(s->env.msg, &err);
	s->env.tty &= target->kind == SINK_THROUGH || target->kind == SINK_PAGER;
	status = shell_run_into(s, c, sink, &err);
	s->env.tty = tty;
	first_ns = sink_first_ns(sink);
	/* What was printed comes before what went wrong; and a full disk is told once. */
	if (sink_close(sink, status < 0 ? &ignored : &err) < 0 && !shell_failed(status))
		status = -1;
	if (status < 0)
		status = cmd_fail(s->env.msg, &err);
	if (s->timing)
		shell_tell_time(s, start_ns, first_ns);
	/* Who quits the pager, or the program behind the pipe, has seen enough. */
	return status == CMD_SIGNAL + SIGPIPE && (target->kind == SINK_PAGER || target->kind == SINK_PROGRAM) ? CMD_OK : status;
}

/* The end of a command line for sh that begins at text[at]: an unquoted ; or newline. */
static size_t
shell_end_of_foreign(const char *text, size_t len, size_t at, size_t *next)
{
	struct err ignored = { 0 };
	enum words_end end = WORDS_PIPE;

	*next = at;
	while (end != WORDS_END && end != WORDS_SEMICOLON) {
		struct words w = { 0 };
		const int ret = words_split(&w, text, len, *next, &ignored);

		end = ret < 0 ? WORDS_END : w.end;
		*next = ret < 0 ? len : w.next;
		words_release(&w);
	}
	return end == WORDS_SEMICOLON ? *next - 1 : *next;
}

/* Where the output of a command goes that ended with an operator; *next moves behind that.  where is the caller's to release. */
static int
shell_target(const struct shell *s, const char *text, size_t len, enum words_end end, size_t *next,
             struct sink_target *target, struct buf *where, struct err *err)
{
	struct words w = { 0 };
	int ret = 0, width, height;

	*target = (struct sink_target){ .kind = SINK_THROUGH, .out = s->env.out, .dir = s->base.data };
	if (end == WORDS_PIPE) {
		const size_t begin = *next, stop = shell_end_of_foreign(text, len, begin, next);

		target->kind = SINK_PROGRAM;
		buf_add(where, text + begin, stop - begin);
		if (strspn(buf_str(where), " \t") == strlen(buf_str(where)))
			ret = err_set(err, ERR_USAGE, "a program is missing behind |");
		else if (strlen(where->data) < where->len)
			ret = err_set(err, ERR_USAGE, "a NUL byte can't be in a command");
	} else if (end == WORDS_WRITE || end == WORDS_APPEND) {
		const size_t begin = *next;

		/* What follows a mistake up to the command's end is no command. */
		(void)shell_end_of_foreign(text, len, begin, next);
		target->kind = end == WORDS_WRITE ? SINK_FILE : SINK_APPEND;
		ret = words_split(&w, text, len, begin, err);
		if (ret == 0 && (w.n != 1 || (w.end != WORDS_END && w.end != WORDS_SEMICOLON)))
			ret = err_set(err, ERR_USAGE, "after %s belongs the name of one file, and nothing else",
			              end == WORDS_WRITE ? ">" : ">>");
		if (ret == 0 && !shell_tilde(text, &w.v[0], where)) {
			if (w.v[0].text[0] != '/')
				buf_adds(where, s->base.data);
			path_append(where, w.v[0].text, w.v[0].len);
		}
		words_release(&w);
	} else if (s->line != NULL && s->env.tty && s->pager) {
		line_size(s->line, &width, &height);
		target->kind = SINK_PAGER;
		target->width = width;
		target->height = height;
	}
	target->where = buf_str(where);
	return ret;
}

/* Put the value of an alias in place of the first word, and run what that gives. */
static int
shell_run_alias(struct shell *s, const char *name, const char *rest, size_t len, int depth)
{
	struct shell_alias *a = shell_alias_find(s, name);
	struct buf text = { 0 };
	int status;

	buf_adds(&text, a->value);
	buf_add(&text, rest, len);
	a->busy = true;
	status = shell_run_text(s, buf_str(&text), text.len, depth + 1);
	/* It may have been removed meanwhile, or the array have moved. */
	a = shell_alias_find(s, name);
	if (a != NULL)
		a->busy = false;
	buf_release(&text);
	return status;
}

/* Run the command at text[*at], and move behind it.  Returns its exit status, or SHELL_NOTHING. */
static int
shell_run_one(struct shell *s, const char *text, size_t len, size_t *at, int depth)
{
	struct shell_command c = { .argv = NULL };
	struct sink_target target;
	struct buf where = { 0 };
	struct err err = { 0 };
	int status = -1;

	if (words_split(&c.words, text, len, *at, &err) < 0) {
		const char *newline = memchr(text + *at, '\n', len - *at);

		*at = newline != NULL ? (size_t)(newline + 1 - text) : len;
		goto out;
	}
	*at = c.words.next;
	if (c.words.n == 0 && (c.words.end == WORDS_END || c.words.end == WORDS_SEMICOLON)) {
		status = SHELL_NOTHING;
		goto out;
	}
	if (c.words.n == 0) {
		status = err_set(&err, ERR_USAGE, "a command is missing before |, > or >>");
		*at = len;
		goto out;
	}
	if (!c.words.v[0].quoted && depth < SHELL_DEPTH) {
		const struct shell_alias *a = shell_alias_find(s, c.words.v[0].text);

		if (a != NULL && !a->busy) {
			const size_t begin = c.words.v[0].start + c.words.v[0].len, stop = shell_end_of_foreign(text, len, begin, at);

			status = shell_run_alias(s, c.words.v[0].text, text + begin, stop - begin, depth);
			goto out;
		}
	}
	status = shell_target(s, text, len, c.words.end, at, &target, &where, &err);
	if (status == 0)
		status = shell_words(s, &c, text, &err);
	if (status == 0)
		status = shell_run_to(s, &c, &target);
out:
	if (status == -1)
		status = cmd_fail(s->env.msg, &err);
	buf_release(&where);
	shell_command_release(&c);
	return status;
}

/* Run the rest of the line with sh.  Returns its exit status. */
static int
shell_run_foreign(struct shell *s, const char *text, size_t len)
{
	char *command = mem_dup(text, len);
	struct err err = { 0 };
	struct fs_stat st;
	int status = -1;

	if (fs_stat_path(s->base.data, &st) < 0)
		fprintf(s->env.msg, "twindex: the directory is not there now: the command runs where the shell was started\n");
	if (strlen(command) < len)
		err_set(&err, ERR_USAGE, "a NUL byte can't be in a command");
	else
		status = sink_command(command, s->base.data, &err);
	free(command);
	return status < 0 ? cmd_fail(s->env.msg, &err) : status;
}

/* Whether only blanks stand before an exclamation mark. */
static bool
shell_is_foreign(const char *text, size_t len, size_t *at)
{
	size_t i = *at;

	while (i < len && (text[i] == ' ' || text[i] == '\t'))
		i++;
	if (i == len || text[i] != '!')
		return false;
	*at = i + 1;
	return true;
}

static int
shell_run_text(struct shell *s, const char *text, size_t len, int depth)
{
	int first = CMD_OK;
	size_t at = 0;

	while (at < len && !s->leave) {
		int status;

		if (shell_is_foreign(text, len, &at)) {
			const char *newline = memchr(text + at, '\n', len - at);
			const size_t end = newline != NULL ? (size_t)(newline - text) : len;

			status = shell_run_foreign(s, text + at, end - at);
			at = end + (newline != NULL);
		} else
			status = shell_run_one(s, text, len, &at, depth);
		if (status != SHELL_NOTHING)
			s->status = status;
		if (stop_signal() != 0)
			return s->status = CMD_SIGNAL + stop_signal();
		if (status == SHELL_NOTHING || !shell_failed(status))
			continue;
		if (!s->keep_going)
			return status;
		if (first == CMD_OK)
			first = status;
	}
	return first != CMD_OK ? first : s->status;
}

int
shell_run(struct shell *s, const char *text, size_t len)
{
	return shell_run_text(s, text, len, 0);
}
