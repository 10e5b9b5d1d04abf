/* SPDX-License-Identifier: MIT */
/*
 * Commands that change or show the session itself (struct session): where it is, its settings,
 * aliases and numbers.  They have the form of main() with a stream for results, and return an
 * exit status, or -1 with *err, as commands do.  show, next and prev look at files by running
 * the commands file and ls on the paths behind the numbers; so these cannot differ.
 */
#include "base/base.h"

#include "shell/builtin.h"

#include <unistd.h>

#include "cmd/cmd_topics.h"
#include "shell/words.h"
#include "shell/session.h"
#include "shell/source.h"
#include "query/list.h"
#include "index/dirs.h"
#include "index/index.h"
#include "sys/resolve.h"
#include "ui/numbers.h"
#include "ui/width.h"

/* The column where the summaries of help begin; the width of help without a terminal. */
enum { BUILTIN_SUMMARY = 13, BUILTIN_COLUMNS = 80 };

/* Print a path, or another text from outside, on a line of its own. */
static void
builtin_print_path(const struct session *s, const char *path)
{
	struct buf b = { 0 };

	if (s->env.tty)
		name_show(&b, path, strlen(path));
	else
		buf_adds(&b, path);
	buf_addc(&b, '\n');
	fwrite(b.data, 1, b.len, s->env.out);
	buf_release(&b);
}

int
builtin_check_dir(const struct session *s, const char *path, struct err *err)
{
	char *parent;
	int64_t dir;
	int known, ret;

	if (s->env.ix == NULL)
		return err_set(err, ERR_NO_INDEX, "there is no index: scan a directory first");
	ret = dirs_find(s->env.ix->db, path, &dir, err);
	if (ret != 0)
		return ret > 0 ? 0 : -1;
	known = list_knows(s->env.ix, path, err);
	if (known < 0)
		return -1;
	if (known == 0)
		return err_set(err, ERR_NO_PATH, "'%s' is not in the index", path);
	/* The index knows it, and not as a directory: it is a file, or lies above all roots. */
	parent = mem_dup(path, path_parent_len(path));
	ret = dirs_find(s->env.ix->db, parent, &dir, err);
	free(parent);
	return ret > 0 ? err_set(err, ERR_NO_PATH, "'%s' is a file", path) : ret;
}

static int
builtin_cd(struct session *s, int argc, char **argv, struct err *err)
{
	const char *home = getenv("HOME"), *word = argc > 1 ? argv[1] : home != NULL ? home : "/";
	const bool back = strcmp(word, "-") == 0;
	struct buf path = { 0 };
	int ret = -1;

	if (back)
		buf_adds(&path, buf_str(&s->previous));
	if (argc > 2)
		err_set(err, ERR_USAGE, "cd takes one directory");
	else if (back && path.len == 0)
		err_set(err, ERR_USAGE, "there is no previous directory");
	else if ((back || resolve_path(&path, word, s->base.data, err) == 0) && builtin_check_dir(s, buf_str(&path), err) == 0) {
		buf_cut(&s->previous, 0);
		buf_adds(&s->previous, s->base.data);
		buf_cut(&s->base, 0);
		buf_adds(&s->base, buf_str(&path));
		s->env.base = s->base.data;
		if (back)
			builtin_print_path(s, s->base.data);
		ret = CMD_OK;
	}
	buf_release(&path);
	return ret;
}

static int
builtin_pwd(struct session *s, int argc, char **argv, struct err *err)
{
	(void)argc;
	(void)argv;
	(void)err;
	builtin_print_path(s, s->base.data);
	return CMD_OK;
}

/*
 * Show a numbered item as it is now: members of a set in one line each, a file with its copies.
 * Returns an exit status, or -1 with *err.
 */
static int
builtin_show_item(struct session *s, size_t item, size_t member, struct err *err)
{
	const bool set = member == 0 && numbers_are_sets(s->results) && item >= 1 && item <= numbers_count(s->results);
	const size_t n = set ? numbers_members(s->results, item) : 1;
	VEC(const char *) argv = { 0 };
	const char *path;
	int status;

	if (!set && session_number(s, item, member, &path, err) < 0)
		return -1;
	vec_push(&argv, set ? "ls" : "file");
	vec_push(&argv, "-l");
	vec_push(&argv, "--");
	for (size_t i = 0; i < n; i++)
		vec_push(&argv, numbers_path(s->results, item, set ? i + 1 : member));
	vec_push(&argv, NULL);
	s->shown = item;
	s->env.of = s->results;
	s->env.item = item;
	/* Words are moved, and not written to. */
	status = session_execute(s, false, (int)argv.n - 1, (char **)(uintptr_t)argv.v);
	s->env.of = NULL;
	vec_release(&argv);
	return status;
}

static int
builtin_show(struct session *s, int argc, char **argv, struct err *err)
{
	int status = CMD_OK;

	if (argc < 2)
		return err_set(err, ERR_USAGE, "show needs a number of the last listing, such as 3 or 3.2");
	for (int i = 1; i < argc && status >= 0 && !session_failed(status); i++) {
		size_t item, member;

		if (!numbers_parse(argv[i], &item, &member))
			return err_set(err, ERR_USAGE, "'%s' is not a number of a listing, such as 3 or 3.2", argv[i]);
		status = builtin_show_item(s, item, member, err);
	}
	return status;
}

/* next and prev: show the item behind the one that was shown last, or before it. */
static int
builtin_step(struct session *s, int argc, char **argv, struct err *err)
{
	const size_t n = numbers_count(s->results);
	const bool next = strcmp(argv[0], "next") == 0;

	(void)argc;
	if (n == 0)
		return err_set(err, ERR_USAGE, "there is no listing yet to go through");
	if (next ? s->shown >= n : s->shown <= 1)
		return err_set(err, ERR_USAGE, "that was the %s of %zu", next ? "last" : "first", n);
	return builtin_show_item(s, next ? s->shown + 1 : s->shown - 1, 0, err);
}

const char *const builtin_settings[] = {
	"format", "text fdupes json ndjson csv null", "units", "iec si bytes", "color", "auto always never",
	"timing", "on off", "pager", "on off", NULL
};

/* The position of word among words with blanks between them, or -1. */
static int
builtin_choice(const char *words, const char *word)
{
	const size_t len = strlen(word);
	int i = 0;

	for (;; i++) {
		const size_t n = strcspn(words, " ");

		if (n == len && strncmp(words, word, n) == 0)
			return i;
		if (words[n] == '\0')
			return -1;
		words += n + 1;
	}
}

/* The present value of a setting, as a position among its words. */
static int
builtin_setting(const struct session *s, const char *name)
{
	if (strcmp(name, "format") == 0)
		return s->env.listing.format;
	if (strcmp(name, "units") == 0)
		return s->env.listing.bytes ? 2 : s->env.listing.si ? 1 : 0;
	if (strcmp(name, "color") == 0)
		return s->env.globals.color;
	return strcmp(name, "timing") == 0 ? !s->timing : !s->pager;
}

static void
builtin_set_to(struct session *s, const char *name, int value)
{
	if (strcmp(name, "format") == 0)
		s->env.listing.format = value;
	else if (strcmp(name, "units") == 0) {
		s->env.listing.si = value == 1;
		s->env.listing.bytes = value == 2;
	} else if (strcmp(name, "color") == 0)
		s->env.globals.color = value;
	else if (strcmp(name, "timing") == 0)
		s->timing = value == 0;
	else
		s->pager = value == 0;
}

static int
builtin_set(struct session *s, int argc, char **argv, struct err *err)
{
	for (size_t i = 0; builtin_settings[i] != NULL; i += 2) {
		const char *words = builtin_settings[i + 1];

		if (argc == 1) {
			for (int skip = builtin_setting(s, builtin_settings[i]); skip > 0; skip--)
				words += strcspn(words, " ") + 1;
			fprintf(s->env.out, "%-8s %.*s\n", builtin_settings[i], (int)strcspn(words, " "), words);
		} else if (strcmp(argv[1], builtin_settings[i]) == 0) {
			const int value = argc == 3 ? builtin_choice(words, argv[2]) : -1;

			if (value < 0)
				return err_set(err, ERR_USAGE, "set %s needs one of %s", argv[1], words);
			builtin_set_to(s, argv[1], value);
			return CMD_OK;
		}
	}
	return argc == 1 ? CMD_OK : err_set(err, ERR_USAGE, "there is no setting '%s': 'set' shows all", argv[1]);
}

static void
builtin_print_alias(const struct session *s, const struct alias *a)
{
	struct buf b = { 0 };

	buf_addf(&b, "%s ", a->name);
	for (size_t i = b.len; i < 9; i++)
		buf_addc(&b, ' ');
	buf_adds(&b, a->value);
	builtin_print_path(s, buf_str(&b));
	buf_release(&b);
}

static int
builtin_alias(struct session *s, int argc, char **argv, struct err *err)
{
	struct buf value = { 0 };

	if (argc == 1) {
		for (size_t i = 0; i < s->aliases.n; i++)
			builtin_print_alias(s, &s->aliases.v[i]);
		return CMD_OK;
	}
	if (argc == 2) {
		const struct alias *a = alias_find(&s->aliases, argv[1]);

		if (a == NULL)
			return err_set(err, ERR_USAGE, "there is no alias '%s'", argv[1]);
		builtin_print_alias(s, a);
		return CMD_OK;
	}
	for (int i = 2; i < argc; i++) {
		if (i > 2)
			buf_addc(&value, ' ');
		/* A single word is the text as it is; several are as they were typed. */
		if (argc == 3)
			buf_adds(&value, argv[i]);
		else
			words_quote(&value, argv[i], strlen(argv[i]), WORD_BARE, true);
	}
	alias_set(&s->aliases, argv[1], buf_str(&value));
	buf_release(&value);
	return CMD_OK;
}

static int
builtin_unalias(struct session *s, int argc, char **argv, struct err *err)
{
	for (int i = 1; i < argc; i++) {
		if (!alias_set(&s->aliases, argv[i], NULL))
			return err_set(err, ERR_USAGE, "there is no alias '%s'", argv[i]);
	}
	return argc > 1 ? CMD_OK : err_set(err, ERR_USAGE, "unalias needs a name");
}

static void
builtin_help_all(const struct session *s)
{
	const struct cmd *const *commands = s->env.commands;
	const int columns = s->env.tty ? s->env.width : 0;
	struct buf b = { 0 };

	for (size_t i = 0; commands[i] != NULL; i++)
		buf_addf(&b, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	buf_adds(&b, "\nonly here:\n");
	for (size_t i = 0; builtins[i].name != NULL; i++)
		buf_addf(&b, "  %-10s %s\n", builtins[i].name, builtins[i].summary);
	buf_adds(&b, "  !COMMAND   let sh run a command\n\ntopics of help:\n");
	cmd_topics_list(&b);
	width_print(s->env.out, buf_str(&b), BUILTIN_SUMMARY, columns);
	buf_release(&b);
	width_print(s->env.out, "\n"
	            "A command may end with | COMMAND, > FILE, >! FILE (replaces it) or >> FILE; ; "
	            "stands between two commands.  A query of sql without quotes goes on to the end "
	            "of its line.\n"
	            "In what ! and | run, %3.2 is the path of that number.\n"
	            "'help COMMAND' or 'help TOPIC' tells more.  Tab completes, Ctrl-R searches, Ctrl-D leaves.\n",
	            0, columns > 0 ? columns : BUILTIN_COLUMNS);
}

static int
builtin_help(struct session *s, int argc, char **argv, struct err *err)
{
	struct buf b = { 0 };

	if (argc == 1)
		builtin_help_all(s);
	for (int i = 1; i < argc; i++) {
		const struct builtin *builtin = builtin_find(argv[i]);
		const struct cmd *cmd = cmd_find(s->env.commands, argv[i]);

		const struct cmd_topic *topic = cmd_topic_find(argv[i]);

		if (builtin == NULL && cmd == NULL && topic == NULL) {
			buf_release(&b);
			builtin_unknown(s, argv[i], err);
			cmd_topics_hint(err);
			return -1;
		}
		if (builtin == NULL && cmd == NULL)
			buf_adds(&b, topic->text);
		else if (builtin != NULL)
			buf_addf(&b, "usage: %s%s%s\n\n%c%s.\n", builtin->name, *builtin->operands != '\0' ? " " : "", builtin->operands,
			         builtin->summary[0] - 'a' + 'A', builtin->summary + 1);
		else
			cmd_usage(&b, cmd);
		if (builtin != NULL && builtin->help != NULL)
			buf_addf(&b, "\n%s\n", builtin->help);
	}
	fputs(buf_str(&b), s->env.out);
	buf_release(&b);
	return CMD_OK;
}

static int
builtin_source(struct session *s, int argc, char **argv, struct err *err)
{
	const bool keep_going = s->keep_going, given = argc > 1 && strcmp(argv[1], "-k") == 0;
	const char *path = argv[argc - 1];
	int dir = -1, status;

	if (argc != (given ? 3 : 2))
		return err_set(err, ERR_USAGE, "source takes one file");
	if (*path != '/') {
		dir = session_enter(s, err);
		if (dir < 0)
			return -1;
	}
	/* Each of its commands sees the index as it is at its beginning. */
	session_rest(s);
	s->keep_going |= given;
	status = source_file(s, dir, path, err);
	s->keep_going = keep_going;
	if (dir >= 0)
		close(dir);
	return status;
}

static int
builtin_exit(struct session *s, int argc, char **argv, struct err *err)
{
	int64_t status = CMD_OK;

	if (argc > 2 || (argc == 2 && num_parse_int(argv[1], 0, 255, &status) < 0))
		return err_set(err, ERR_USAGE, "exit takes a status from 0 to 255");
	s->leave = true;
	return (int)status;
}

const struct builtin builtins[] = {
	{ "cd", "[DIR|-|NUMBER]", "go to a directory of the index",
	  "It need not be there now.  Without DIR, home; -: where it was before; a number of the\n"
	  "last listing, such as 3.2: the directory of that file.", builtin_cd, false },
	{ "pwd", "", "show the directory", NULL, builtin_pwd, false },
	{ "show", "NUMBER...", "show a set or file of the last listing", "3 is the third set or file, 3.2 its second member: state, size, copies, redundant\n"
	  "bytes and last change, as they are now.", builtin_show, false },
	{ "next", "", "show the next set or file of the last listing", "Enter alone goes on to the one after it.", builtin_step, false },
	{ "prev", "", "show the previous one", NULL, builtin_step, false },
	{ "set", "[NAME VALUE]", "show or change a setting", "format, units, color, timing and pager.", builtin_set, false },
	{ "alias", "[NAME [WORD...]]", "show or make another name for the beginning of a line", NULL, builtin_alias, false },
	{ "unalias", "NAME...", "remove aliases", NULL, builtin_unalias, false },
	{ "source", "[-k] FILE", "run the lines of a file as if they were typed",
	  "A relative FILE means the directory of the prompt.  It ends at the first line that fails; with\n"
	  "-k it goes on.  Lines may run other files.", builtin_source, true },
	{ "help", "[COMMAND|TOPIC...]", "show the commands, or the help of one, or of a topic", NULL, builtin_help, false },
	{ "exit", "[STATUS]", "leave the shell", NULL, builtin_exit, false },
	{ "quit", "[STATUS]", "leave the shell", NULL, builtin_exit, false },
	{ NULL, NULL, NULL, NULL, NULL, false }
};

const struct builtin *
builtin_find(const char *name)
{
	for (size_t i = 0; builtins[i].name != NULL; i++) {
		if (strcmp(builtins[i].name, name) == 0)
			return &builtins[i];
	}
	return NULL;
}

int
builtin_run(struct session *s, const struct builtin *b, int argc, char **argv, struct err *err)
{
	if (argc > 1 && *b->operands == '\0')
		return err_set(err, ERR_USAGE, "%s takes no operand", b->name);
	return b->run(s, argc, argv, err);
}

const char *
builtin_full_name(const struct cmd *const *commands, const char *name)
{
	const size_t len = strlen(name);
	const char *found = NULL;
	int n = 0;

	if (len == 0 || cmd_find(commands, name) != NULL || builtin_find(name) != NULL)
		return name;
	for (size_t i = 0; commands[i] != NULL; i++) {
		if (strncmp(commands[i]->name, name, len) == 0) {
			found = commands[i]->name;
			n++;
		}
	}
	for (size_t i = 0; builtins[i].name != NULL; i++) {
		if (strncmp(builtins[i].name, name, len) == 0 && cmd_find(commands, builtins[i].name) == NULL) {
			found = builtins[i].name;
			n++;
		}
	}
	return n == 1 ? found : name;
}

int
builtin_unknown(const struct session *s, const char *name, struct err *err)
{
	VEC(const char *) names = { 0 };

	for (size_t i = 0; builtins[i].name != NULL; i++) {
		/* help is a built-in command and one of the command line. */
		if (cmd_find(s->env.commands, builtins[i].name) == NULL)
			vec_push(&names, builtins[i].name);
	}
	cmd_unknown(s->env.commands, name, names.v, names.n, err);
	vec_release(&names);
	return -1;
}
