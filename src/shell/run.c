/* SPDX-License-Identifier: MIT */
/*
 * A line is split into commands; each is an alias to expand, a command line
 * for sh (!), a built-in command or one of the command line's.  Its words are
 * those that a terminal's shell would give, but for ~ and numbers of the last
 * listing, which are replaced here.
 */
#include "base/base.h"

#include "shell/run.h"

#include <signal.h>
#include <unistd.h>

#include "cmd/cmd_exit_status.h"
#include "shell/words.h"
#include "shell/session.h"
#include "shell/builtin.h"
#include "shell/program.h"
#include "shell/redirect.h"
#include "sys/fs.h"
#include "sys/command.h"
#include "sys/stop.h"
#include "shell/line.h"
#include "ui/numbers.h"

/* Aliases within aliases. */
#define RUN_DEPTH 16

/* There was no command to run. */
#define RUN_NOTHING (-2)

static int run_text(struct session *s, const char *text, size_t len, int depth);

/* The words of one command, what its operands were replaced by, and where its output goes. */
struct run_command {
	struct words words;
	VEC(char *) argv;          /* and a NULL; the strings are words', or in made */
	struct arena made;
	bool numbers;              /* operands were numbers of the last listing */
	bool raw;                  /* sql, with a query up to the end of the line */
	struct redirect output;
	struct buf where;          /* what output names */
};

static void
run_command_release(struct run_command *c)
{
	arena_release(&c->made);
	words_release(&c->words);
	vec_release(&c->argv);
	buf_release(&c->where);
	if (c->output.dir >= 0)
		close(c->output.dir);
}

/*
 * What numbers of the last listing mean among a command's operands; anywhere else, and in
 * scripts, they are names.  RUN_PATHS: they are refused, for a file may have that name.
 */
enum run_numbers { RUN_NAMES, RUN_PATHS, RUN_PLACES, RUN_FILES };

static enum run_numbers
run_numbers(const struct session *s, const char *name)
{
	const struct cmd *cmd = cmd_find(s->env.commands, name);
	const char *first;

	if (s->line == NULL)
		return RUN_NAMES;
	if (strcmp(name, "cd") == 0 || (cmd != NULL && (cmd->flags & CMD_PLACES) != 0))
		return RUN_PLACES;
	if (cmd != NULL && (cmd->flags & CMD_NUMBERS) != 0)
		return RUN_FILES;
	if (cmd == NULL)
		return RUN_NAMES;
	/* Its usage tells whether they are paths. */
	first = cmd->operands + (*cmd->operands == '[');
	return strncmp(first, "PATH", 4) == 0 || strncmp(first, "DIR", 3) == 0 || strncmp(first, "ROOT", 4) == 0 ? RUN_PATHS : RUN_NAMES;
}

/* What an operand means: ~ the home directory, a number a file, or for cd its directory. */
static int
run_operand(struct session *s, struct run_command *c, const char *line, size_t i, enum run_numbers numbers, struct err *err)
{
	const struct word *w = &c->words.v[i];
	struct numbers_range range;
	struct buf text = { 0 };
	size_t item, member;

	/* Paths are copied: the command's listing takes the place of that which has them. */
	if (numbers == RUN_PLACES && !w->quoted && numbers_parse(w->text, &item, &member)) {
		const char *path;

		if (member == 0 && numbers_are_sets(s->results))
			member = 1;
		if (session_number(s, item, member, &path, err) < 0)
			return -1;
		vec_push(&c->argv, arena_dup(&c->made, path, numbers_is_dir(s->results, item) ? strlen(path) : path_parent_len(path)));
		c->numbers = true;
		return 0;
	}
	if (numbers == RUN_FILES && !w->quoted && numbers_parse_range(w->text, &range)) {
		struct session_paths paths = { 0 };
		const int ret = session_range(s, &range, &paths, err);

		for (size_t k = 0; k < paths.n; k++)
			vec_push(&c->argv, arena_str(&c->made, paths.v[k]));
		c->numbers |= paths.n > 0;
		vec_release(&paths);
		return ret;
	}
	/* The file called 3 is not the third of the listing. */
	if (numbers == RUN_PATHS && !w->quoted && numbers_parse(w->text, &item, &member) && item <= numbers_count(s->results))
		return err_set(err, ERR_USAGE, "%s takes no numbers of a listing: ./%s is the file of that name", c->argv.v[0], w->text);
	vec_push(&c->argv, words_tilde(line, w, &text) ? arena_str(&c->made, buf_str(&text)) : w->text);
	buf_release(&text);
	return 0;
}

/* The beginning of a command's name means that command where people type. */
static const char *
run_full_name(const struct session *s, const char *name)
{
	return s->line != NULL ? builtin_full_name(s->env.commands, name) : name;
}

static int
run_words(struct session *s, struct run_command *c, const char *line, struct err *err)
{
	const char *name = run_full_name(s, c->words.v[0].text), *argument;
	const enum run_numbers numbers = run_numbers(s, name);
	const struct cmd *cmd = cmd_find(s->env.commands, name);
	struct opt_target tables[CMD_TABLES] = { { NULL, NULL, NULL } };
	bool value = false;

	if (cmd != NULL)
		cmd_tables(cmd, tables);
	/* The name may have been abbreviated.  Nobody writes to argv. */
	vec_push(&c->argv, (char *)(uintptr_t)name);
	for (size_t i = 1; i < c->words.n; i++) {
		/* The value of an option is no number of a listing. */
		if (run_operand(s, c, line, i, value ? RUN_NAMES : numbers, err) < 0)
			return -1;
		value = !value && opt_with_argument(tables, c->words.v[i].text, &argument) != NULL && argument == NULL;
	}
	vec_push(&c->argv, NULL);
	c->argv.n--;
	return 0;
}

/*
 * Run the words of one command into its open output.  seen: what it lists is shown to a person.
 * Returns an exit status or -1.
 */
static int
run_into_output(struct session *s, struct run_command *c, bool seen, struct err *err)
{
	const struct builtin *builtin = builtin_find(c->argv.v[0]);
	FILE *const out = s->env.out, *const msg = s->env.msg;
	int status;

	session_refresh(s);
	s->env.out = c->output.stream;
	s->env.msg = c->output.messages;
	if (builtin != NULL)
		status = builtin_run(s, builtin, (int)c->argv.n, c->argv.v, err);
	else {
		/* A look at a file by its number keeps the numbers. */
		s->env.results = s->results;
		status = session_execute(s, seen && !c->numbers, (int)c->argv.n, c->argv.v);
	}
	s->env.out = out;
	s->env.msg = msg;
	session_rest(s);
	s->steps = strcmp(c->argv.v[0], "next") == 0 && status == CMD_OK;
	return status;
}

static void
run_tell_time(const struct session *s, int64_t start_ns, int64_t first_ns)
{
	const int64_t now = fs_clock_ns();

	fprintf(s->env.msg, "time: %.1f ms", (double)(now - start_ns) / 1e6);
	if (first_ns > start_ns)
		fprintf(s->env.msg, ", the first line after %.1f ms", (double)(first_ns - start_ns) / 1e6);
	fputc('\n', s->env.msg);
}

/* Run a command with its output where it belongs.  Returns its exit status, or -1 with *err. */
static int
run_to(struct session *s, struct run_command *c, struct err *err)
{
	struct redirect *output = &c->output;
	const int64_t start_ns = fs_clock_ns();
	const struct builtin *builtin = builtin_find(c->argv.v[0]);
	const struct cmd *cmd = cmd_find(s->env.commands, c->argv.v[0]);
	const char *const outer = s->env.place;
	const bool tty = s->env.tty, seen = output->kind == REDIRECT_THROUGH || output->kind == REDIRECT_PAGER;
	struct buf place = { 0 };
	struct err ignored = { 0 };
	int64_t first_ns;
	int status;

	if (cmd == NULL && builtin == NULL)
		return builtin_unknown(s, c->argv.v[0], err);
	if (builtin != NULL && builtin->runs && !seen)
		return err_set(err, ERR_USAGE, "each command that %s runs has an output of its own: write |, > or >> behind that", builtin->name);
	if (builtin != NULL && builtin->runs)
		output->kind = REDIRECT_THROUGH;
	output->talks = cmd != NULL && (cmd->flags & CMD_TALKS) != 0;
	if (s->line != NULL)
		line_size(s->line, &s->env.width, &(int){ 0 });
	if (redirect_open(output, err) < 0)
		return -1;
	if (outer != NULL) {
		buf_addf(&place, "%s: %s", outer, c->argv.v[0]);
		s->env.place = place.data;
	}
	s->env.tty &= seen;
	status = run_into_output(s, c, seen, err);
	s->env.tty = tty;
	first_ns = output->first_ns;
	/* The output comes before the error; a full disk is told once. */
	if (redirect_close(output, status < 0 || session_failed(status), status < 0 ? &ignored : err) < 0 && !session_failed(status))
		status = -1;
	if (status < 0)
		status = cmd_fail(s->env.msg, s->env.place, err);
	s->env.place = outer;
	buf_release(&place);
	if (s->timing)
		run_tell_time(s, start_ns, first_ns);
	/* To quit the pager, or the program behind the pipe, is no failure. */
	return status == CMD_SIGNAL + SIGPIPE && (output->kind == REDIRECT_PAGER || output->kind == REDIRECT_PROGRAM) ? CMD_OK : status;
}

/* The program behind | at text[c->words.next], which moves behind it. */
static int
run_target_program(const struct session *s, struct run_command *c, const char *text, size_t len, struct err *err)
{
	const size_t begin = c->words.next, stop = words_foreign_end(text, len, begin, &c->words.next);
	const char *where;

	if (program_text(s, text + begin, stop - begin, &c->where, err) < 0)
		return -1;
	where = buf_str(&c->where) + strspn(buf_str(&c->where), " \t");
	if (*where == '\0')
		return err_set(err, ERR_USAGE, "a program is missing behind |");
	if (*where == '|')
		return err_set(err, ERR_USAGE, "'||' is not an operator of this shell");
	c->output.dir = session_enter(s, err);
	return c->output.dir >= 0 ? 0 : -1;
}

/* The same of the file behind > and its like. */
static int
run_target_file(const struct session *s, struct run_command *c, const char *text, size_t len, struct err *err)
{
	static const char *const operators[] = { [REDIRECT_FILE] = ">", [REDIRECT_REPLACE] = ">!", [REDIRECT_APPEND] = ">>" };
	const size_t begin = c->words.next;
	struct words w = { 0 };
	int ret;

	/* Skip to the command's end first: behind a mistake nothing of it runs. */
	(void)words_foreign_end(text, len, begin, &c->words.next);
	ret = words_split(&w, text, len, begin, err);
	if (ret == 0 && (w.n != 1 || (w.end != WORDS_END && w.end != WORDS_SEMICOLON)))
		ret = err_set(err, ERR_USAGE, "%s takes the name of one file", operators[c->output.kind]);
	if (ret == 0 && !words_tilde(text, &w.v[0], &c->where)) {
		buf_add(&c->where, w.v[0].text, w.v[0].len);
		if (*buf_str(&c->where) != '/') {
			c->output.dir = session_enter(s, err);
			ret = c->output.dir >= 0 ? 0 : -1;
		}
	}
	words_release(&w);
	return ret;
}

/* Where the output of a command goes, as the operator at its end says. */
static int
run_target(const struct session *s, struct run_command *c, const char *text, size_t len, struct err *err)
{
	static const enum redirect_kind kinds[] = {
		[WORDS_END] = REDIRECT_THROUGH, [WORDS_SEMICOLON] = REDIRECT_THROUGH, [WORDS_PIPE] = REDIRECT_PROGRAM,
		[WORDS_WRITE] = REDIRECT_FILE, [WORDS_REPLACE] = REDIRECT_REPLACE, [WORDS_APPEND] = REDIRECT_APPEND,
	};
	int ret = 0;

	c->output = (struct redirect){ .kind = kinds[c->words.end], .out = s->env.out, .msg = s->env.msg, .dir = -1 };
	if (c->output.kind == REDIRECT_PROGRAM)
		ret = run_target_program(s, c, text, len, err);
	else if (c->output.kind != REDIRECT_THROUGH)
		ret = run_target_file(s, c, text, len, err);
	else if (s->line != NULL && s->env.tty && s->pager && line_is_edited(s->line)) {
		/* On a terminal that moves its cursor. */
		c->output.kind = REDIRECT_PAGER;
		line_size(s->line, &c->output.width, &c->output.height);
	}
	c->output.where = buf_str(&c->where);
	return ret;
}

/* Put the value of an alias in place of the first word, and run what that gives. */
static int
run_alias(struct session *s, const char *name, const char *rest, size_t len, int depth)
{
	struct alias *a = alias_find(&s->aliases, name);
	struct buf text = { 0 };
	int status;

	buf_adds(&text, a->value);
	buf_add(&text, rest, len);
	a->busy = true;
	status = run_text(s, buf_str(&text), text.len, depth + 1);
	/* It may have been removed meanwhile, or the array have moved. */
	a = alias_find(&s->aliases, name);
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
run_take_query(struct session *s, struct run_command *c, const char *text, size_t len)
{
	const struct cmd *cmd = c->words.n > 1 ? cmd_find(s->env.commands, run_full_name(s, c->words.v[0].text)) : NULL;
	struct opt_target tables[CMD_TABLES];
	const char *query, *end, *value;
	size_t first = 1, n;

	if (cmd == NULL || (cmd->flags & CMD_RAW) == 0)
		return;
	cmd_tables(cmd, tables);
	for (bool ended = false; !ended && first < c->words.n && c->words.v[first].text[0] == '-' && c->words.v[first].text[1] != '\0'; first++) {
		ended = strcmp(c->words.v[first].text, "--") == 0;
		first += !ended && opt_with_argument(tables, c->words.v[first].text, &value) != NULL && value == NULL;
	}
	query = first < c->words.n ? text + c->words.v[first].start : "'";
	if (*query == '\'' || *query == '"' || strncmp(query, "$'", 2) == 0)
		return;
	n = (size_t)(query - text);
	end = memchr(query, '\n', len - n);
	c->words.next = end != NULL ? (size_t)(end + 1 - text) : len;
	n = end != NULL ? (size_t)(end - query) : len - n;
	while (c->words.n > first)
		free(c->words.v[--c->words.n].text);
	vec_push(&c->words, ((struct word){ .text = mem_dup(query, n), .len = n, .quoted = true }));
	c->words.end = WORDS_END;
	c->raw = true;
}

/* A query was refused that goes on where another command would have ended. */
static void
run_hint_query(const struct session *s, const struct run_command *c)
{
	if (c->raw && strpbrk(c->argv.v[c->argv.n - 1], "|>;") != NULL)
		fprintf(s->env.msg, "twindex: a query without quotes goes on to the end of its line; |, > and ; may follow one in quotes\n");
}

/* Run the command at text[*at], and move behind it.  Returns its exit status, or RUN_NOTHING. */
static int
run_one(struct session *s, const char *text, size_t len, size_t *at, int depth)
{
	struct run_command c = { .output = { .dir = -1 } };
	struct err err = { 0 };
	int split = words_split(&c.words, text, len, *at, &err), status = -1;

	if (c.words.n > 0 && !c.words.v[0].quoted && depth < RUN_DEPTH) {
		const struct alias *a = alias_find(&s->aliases, c.words.v[0].text);

		if (a != NULL && !a->busy) {
			const size_t begin = c.words.v[0].start + c.words.v[0].len, stop = words_foreign_end(text, len, begin, at);

			status = run_alias(s, c.words.v[0].text, text + begin, stop - begin, depth);
			goto out;
		}
	}
	run_take_query(s, &c, text, len);
	if (c.raw)
		split = strlen(c.words.v[c.words.n - 1].text) < c.words.v[c.words.n - 1].len ?
		        err_set(&err, ERR_USAGE, "a NUL byte can't be in a command") : 0;
	if (split < 0) {
		const char *newline = memchr(text + *at, '\n', len - *at);

		*at = newline != NULL ? (size_t)(newline + 1 - text) : len;
		goto out;
	}
	*at = c.words.next;
	if (c.words.n == 0 && (c.words.end == WORDS_END || c.words.end == WORDS_SEMICOLON)) {
		status = RUN_NOTHING;
		goto out;
	}
	if (c.words.n == 0) {
		status = err_set(&err, ERR_USAGE, "a command is missing before |, > or >>");
		*at = len;
		goto out;
	}
	status = run_target(s, &c, text, len, &err);
	*at = c.words.next;
	if (status == 0)
		status = run_words(s, &c, text, &err);
	if (status == 0)
		status = run_to(s, &c, &err);
	if (status > 0 && session_failed(status))
		run_hint_query(s, &c);
out:
	if (status == -1)
		status = cmd_fail(s->env.msg, s->env.place, &err);
	run_command_release(&c);
	return status;
}

/* Run the rest of the line with sh.  Returns its exit status. */
static int
run_foreign(struct session *s, const char *text, size_t len)
{
	struct buf command = { 0 };
	struct err err = { 0 };
	int status = -1, dir = -1;

	if (program_text(s, text, len, &command, &err) == 0)
		dir = session_enter(s, &err);
	if (dir >= 0) {
		status = command_run(buf_str(&command), dir, &err);
		close(dir);
	}
	buf_release(&command);
	return status < 0 ? cmd_fail(s->env.msg, s->env.place, &err) : status;
}

static int
run_text(struct session *s, const char *text, size_t len, int depth)
{
	int first = CMD_OK;
	size_t at = 0;

	while (at < len && !s->leave) {
		int status;

		if (words_bang(text, len, &at)) {
			const char *newline = memchr(text + at, '\n', len - at);
			const size_t end = newline != NULL ? (size_t)(newline - text) : len;

			status = run_foreign(s, text + at, end - at);
			at = end + (newline != NULL);
		} else
			status = run_one(s, text, len, &at, depth);
		if (status != RUN_NOTHING)
			s->status = status;
		if (stop_signal() != 0)
			return s->status = CMD_SIGNAL + stop_signal();
		if (status == RUN_NOTHING || !session_failed(status))
			continue;
		if (!s->keep_going)
			return status;
		if (first == CMD_OK)
			first = status;
	}
	return first != CMD_OK ? first : s->status;
}

int
run_line(struct session *s, const char *text, size_t len)
{
	return run_text(s, text, len, 0);
}
