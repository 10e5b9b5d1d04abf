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
#include <unistd.h>

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
	bool numbers;              /* operands were numbers of the last listing */
	bool raw;                  /* sql, with a query up to the end of the line */
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

/*
 * What numbers of the last listing mean among a command's operands; anywhere else, and in
 * scripts, they are names.
 */
enum shell_numbers { SHELL_NAMES, SHELL_FILES, SHELL_PLACES };

static enum shell_numbers
shell_numbers(const struct shell *s, const char *name)
{
	if (s->line == NULL)
		return SHELL_NAMES;
	if (strcmp(name, "cd") == 0)
		return SHELL_PLACES;
	return strcmp(name, "file") == 0 || strcmp(name, "mark") == 0 ? SHELL_FILES : SHELL_NAMES;
}

/* What an operand means: ~ the home directory, a number a file, or for cd its directory. */
static int
shell_operand(struct shell *s, struct shell_command *c, const char *line, size_t i, enum shell_numbers numbers, struct err *err)
{
	const struct word *w = &c->words.v[i];
	struct buf text = { 0 };
	size_t item, member;
	const char *path;

	c->argv[i] = w->text;
	if (numbers != SHELL_NAMES && !w->quoted && results_parse(w->text, &item, &member)) {
		if (numbers == SHELL_PLACES && member == 0 && results_are_sets(s->results))
			member = 1;
		if (shell_number(s, item, member, &path, err) < 0)
			return -1;
		buf_add(&text, path, numbers == SHELL_PLACES ? path_parent_len(path) : strlen(path));
		c->numbers = true;
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
	const enum shell_numbers numbers = shell_numbers(s, name);

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

/*
 * Run the words of one command into a sink.  seen: what it lists is shown to a person.  Returns
 * an exit status or -1.
 */
static int
shell_run_into(struct shell *s, struct shell_command *c, struct sink *sink, bool seen, struct err *err)
{
	const struct shell_builtin *builtin = shell_builtin_find(c->argv[0]);
	FILE *const out = s->env.out, *const msg = s->env.msg;
	int status;

	shell_refresh(s);
	s->env.out = sink_stream(sink);
	s->env.msg = sink_messages(sink);
	if (builtin != NULL)
		status = builtin->run(s, s->env.out, c->argc, c->argv, err);
	else {
		/* Who looks at one of the files that have numbers wants to go on with these. */
		s->env.results = s->results;
		status = shell_execute(s, seen && !c->numbers, c->argc, c->argv);
	}
	s->env.out = out;
	s->env.msg = msg;
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

/* Run a command whose output goes to target.  Returns its exit status, or -1 with *err. */
static int
shell_run_to(struct shell *s, struct shell_command *c, struct sink_target *target, struct err *err)
{
	const int64_t start_ns = fs_clock_ns();
	const bool tty = s->env.tty, seen = target->kind == SINK_THROUGH || target->kind == SINK_PAGER;
	const struct cmd *cmd = cmd_find(c->argv[0]);
	struct err ignored = { 0 };
	struct sink *sink;
	int64_t first_ns;
	int status;

	if (cmd == NULL && shell_builtin_find(c->argv[0]) == NULL)
		return shell_unknown(c->argv[0], err);
	target->talks = cmd != NULL && (cmd->flags & CMD_TALKS) != 0;
	if (s->line != NULL)
		line_size(s->line, &s->env.width, &(int){ 0 });
	sink = sink_open(target, err);
	if (sink == NULL)
		return -1;
	s->env.tty &= seen;
	status = shell_run_into(s, c, sink, seen, err);
	s->env.tty = tty;
	first_ns = sink_first_ns(sink);
	/* What was printed comes before what went wrong; and a full disk is told once. */
	if (sink_close(sink, status < 0 || shell_failed(status), status < 0 ? &ignored : err) < 0 && !shell_failed(status))
		status = -1;
	if (status < 0)
		status = cmd_fail(s->env.msg, err);
	if (s->timing)
		shell_tell_time(s, start_ns, first_ns);
	/* Who quits the pager, or the program behind the pipe, has seen enough. */
	return status == CMD_SIGNAL + SIGPIPE && (target->kind == SINK_PAGER || target->kind == SINK_PROGRAM) ? CMD_OK : status;
}

/* Whether a listing may go to a pager: on a terminal that moves its cursor. */
static bool
shell_pages(const struct shell *s)
{
	return s->line != NULL && s->env.tty && s->pager && line_is_edited(s->line);
}

/* The program behind | at text[*next]; *next moves behind it. */
static int
shell_target_program(const struct shell *s, const char *text, size_t len, size_t *next, struct sink_target *target,
                     struct buf *where, struct err *err)
{
	const size_t begin = *next, stop = words_foreign_end(text, len, begin, next);

	target->kind = SINK_PROGRAM;
	buf_add(where, text + begin, stop - begin);
	if (strspn(buf_str(where), " \t") == strlen(buf_str(where)))
		return err_set(err, ERR_USAGE, "a program is missing behind |");
	if (where->data[strspn(where->data, " \t")] == '|')
		return err_set(err, ERR_USAGE, "'||' means nothing here");
	if (strlen(where->data) < where->len)
		return err_set(err, ERR_USAGE, "a NUL byte can't be in a command");
	target->dir = shell_enter(s, err);
	return target->dir >= 0 ? 0 : -1;
}

/* The same of the file behind > and its like. */
static int
shell_target_file(const struct shell *s, const char *text, size_t len, size_t *next, struct sink_target *target,
                  struct buf *where, struct err *err)
{
	static const char *const operators[] = { [SINK_FILE] = ">", [SINK_REPLACE] = ">!", [SINK_APPEND] = ">>" };
	const size_t begin = *next;
	struct words w = { 0 };
	int ret;

	/* What follows a mistake up to the command's end is no command. */
	(void)words_foreign_end(text, len, begin, next);
	ret = words_split(&w, text, len, begin, err);
	if (ret == 0 && (w.n != 1 || (w.end != WORDS_END && w.end != WORDS_SEMICOLON)))
		ret = err_set(err, ERR_USAGE, "after %s belongs the name of one file, and nothing else", operators[target->kind]);
	if (ret == 0 && !shell_tilde(text, &w.v[0], where)) {
		buf_add(where, w.v[0].text, w.v[0].len);
		if (*buf_str(where) != '/') {
			target->dir = shell_enter(s, err);
			ret = target->dir >= 0 ? 0 : -1;
		}
	}
	words_release(&w);
	return ret;
}

/*
 * Where the output of a command goes that ended with an operator; *next moves behind that.
 * where and target->dir are the caller's to release.
 */
static int
shell_target(const struct shell *s, const char *text, size_t len, enum words_end end, size_t *next,
             struct sink_target *target, struct buf *where, struct err *err)
{
	int ret = 0;

	*target = (struct sink_target){ .kind = SINK_THROUGH, .out = s->env.out, .msg = s->env.msg, .dir = -1 };
	switch (end) {
	case WORDS_END:
	case WORDS_SEMICOLON:
		if (shell_pages(s)) {
			target->kind = SINK_PAGER;
			line_size(s->line, &target->width, &target->height);
		}
		break;
	case WORDS_PIPE:
		ret = shell_target_program(s, text, len, next, target, where, err);
		break;
	case WORDS_WRITE:
	case WORDS_REPLACE:
	case WORDS_APPEND:
		target->kind = end == WORDS_WRITE ? SINK_FILE : end == WORDS_REPLACE ? SINK_REPLACE : SINK_APPEND;
		ret = shell_target_file(s, text, len, next, target, where, err);
		break;
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

/*
 * A query that is typed without quotes is SQL up to the end of its line: there
 * > compares, | and ' are SQL's, and nothing is a comment but what SQL takes for one.  Make
 * it one word.  It begins behind the options of sql.
 */
static void
shell_take_query(struct shell *s, struct shell_command *c, const char *text, size_t len)
{
	struct cmd_globals globals = s->env.globals;
	const struct cmd *cmd = c->words.n > 1 ? cmd_find(shell_full_name(s, c->words.v[0].text)) : NULL;
	struct opt_target targets[] = { { NULL, NULL }, { cmd_global_opts, &globals }, { NULL, NULL } };
	const char *query, *end;
	struct err ignored = { 0 };
	char **argv;
	int n = 0, n_operands = 0;

	if (cmd == NULL || (cmd->flags & CMD_RAW) == 0)
		return;
	targets[0] = (struct opt_target){ cmd->opts, mem_zalloc(1, cmd->args_size) };
	argv = mem_zalloc(c->words.n, sizeof(*argv));
	for (size_t i = 1; i < c->words.n; i++)
		argv[n++] = c->words.v[i].text;
	if (opt_parse(targets, n, argv, true, &n_operands, &ignored) == 0 && n_operands > 0) {
		const size_t first = c->words.n - (size_t)n_operands;

		query = text + c->words.v[first].start;
		if (*query != '\'' && *query != '"' && strncmp(query, "$'", 2) != 0) {
			end = memchr(query, '\n', len - c->words.v[first].start);
			c->words.next = end != NULL ? (size_t)(end + 1 - text) : len;
			while (c->words.n > first)
				free(c->words.v[--c->words.n].text);
			len = (end != NULL ? (size_t)(end - text) : len) - (size_t)(query - text);
			vec_push(&c->words, ((struct word){ .text = mem_dup(query, len), .len = len, .quoted = true }));
			c->words.end = WORDS_END;
			c->raw = true;
		}
	}
	free(argv);
	free(targets[0].values);
}

/* A query was refused that goes on where another command would have ended. */
static void
shell_hint_query(const struct shell *s, const struct shell_command *c)
{
	if (c->raw && strpbrk(c->argv[c->argc - 1], "|>;") != NULL)
		fprintf(s->env.msg, "twindex: a query without quotes goes on to the end of its line; |, > and ; may follow one in quotes\n");
}

/* Run the command at text[*at], and move behind it.  Returns its exit status, or SHELL_NOTHING. */
static int
shell_run_one(struct shell *s, const char *text, size_t len, size_t *at, int depth)
{
	struct shell_command c = { .argv = NULL };
	struct sink_target target = { .dir = -1 };
	struct buf where = { 0 };
	struct err err = { 0 };
	int split = words_split(&c.words, text, len, *at, &err), status = -1;

	if (c.words.n > 0 && !c.words.v[0].quoted && depth < SHELL_DEPTH) {
		const struct shell_alias *a = shell_alias_find(s, c.words.v[0].text);

		if (a != NULL && !a->busy) {
			const size_t begin = c.words.v[0].start + c.words.v[0].len, stop = words_foreign_end(text, len, begin, at);

			status = shell_run_alias(s, c.words.v[0].text, text + begin, stop - begin, depth);
			goto out;
		}
	}
	shell_take_query(s, &c, text, len);
	if (c.raw && strlen(c.words.v[c.words.n - 1].text) < c.words.v[c.words.n - 1].len)
		split = err_set(&err, ERR_USAGE, "a NUL byte can't be in a command");
	else if (c.raw) {
		split = 0;
		err = (struct err){ 0 };
	}
	if (split < 0) {
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
	status = shell_target(s, text, len, c.words.end, at, &target, &where, &err);
	if (status == 0)
		status = shell_words(s, &c, text, &err);
	if (status == 0)
		status = shell_run_to(s, &c, &target, &err);
	if (status > 0 && shell_failed(status))
		shell_hint_query(s, &c);
out:
	if (status == -1)
		status = cmd_fail(s->env.msg, &err);
	if (target.dir >= 0)
		close(target.dir);
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
	int status = -1, dir = -1;

	if (strlen(command) < len)
		err_set(&err, ERR_USAGE, "a NUL byte can't be in a command");
	else
		dir = shell_enter(s, &err);
	if (dir >= 0) {
		status = sink_command(command, dir, &err);
		close(dir);
	}
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
