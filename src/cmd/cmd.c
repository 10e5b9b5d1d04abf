/* SPDX-License-Identifier: MIT */
/* What all commands share: tables of options, help, messages, the style of listings. */
#include "base/base.h"

#include "cmd/cmd.h"

#include <strings.h>
#include <termios.h>

#include "cmd/cmd_topics.h"
#include "index/index.h"
#include "query/keep_rules.h"
#include "sys/locale.h"
#include "sys/resolve.h"
#include "sys/stop.h"
#include "ui/doc.h"
#include "ui/progress.h"
#include "ui/typo.h"
#include "ui/width.h"

/* Members of a set shown on a terminal without -v. */
#define CMD_FOLD 20

static const char *const cmd_colors[] = { "auto", "always", "never", NULL };

const struct opt cmd_global_opts[] = {
	OPT_STRING_('d', "db", struct cmd_globals, db, "FILE", "the index (default: $TWINDEX_DB, else in $XDG_STATE_HOME/twindex)"),
	OPT_FLAG_('q', "quiet", struct cmd_globals, quiet, "only results and fatal errors"),
	OPT_COUNT_('v', "verbose", struct cmd_globals, verbose, "show more: the copies of each file, and what could not be judged"),
	OPT_CHOICE_(0, "color", struct cmd_globals, color, "WHEN", "auto (default), always or never", cmd_colors),
	OPT_CHOICE_(0, "progress", struct cmd_globals, progress, "WHEN", "auto (default: on a terminal), plain (lines for a log) or never", progress_words),
	OPT_STRING_(0, "secret-from", struct cmd_globals, secret_from, "INDEX", "a new index shares this one's secret, so that their hashes can be compared"),
	OPT_FLAG_(0, "wait", struct cmd_globals, wait, "wait while another process writes to the index"),
	OPT_FLAG_(0, "no-config", struct cmd_globals, no_config, "ignore the config file"),
	OPT_FLAG_(0, "config-protect", struct cmd_globals, settings_protect, "ignore all of the config file but what it protects"),
	OPT_FLAG_('h', "help", struct cmd_globals, help, "show the help of a command"),
	OPT_FLAG_(0, "version", struct cmd_globals, version, "show the version"),
	OPT_END
};

const struct opt cmd_listing_opts[] = {
	OPT_CHOICE_(0, "format", struct cmd_listing, format, "NAME", "text, fdupes, json, ndjson, csv or null", out_format_names),
	OPT_FLAG_(0, "json", struct cmd_listing, json, "the same as --format json"),
	OPT_FLAG_('0', "null", struct cmd_listing, null, "the same as --format null: every path ends with a NUL byte"),
	OPT_FLAG_(0, "absolute", struct cmd_listing, absolute, "show absolute paths, on a terminal too"),
	OPT_FLAG_(0, "hyperlink", struct cmd_listing, hyperlink, "paths on a terminal are links to the files"),
	OPT_LIST_('x', "exclude-path", struct cmd_listing, exclude, "DIR", "pretend that DIR does not exist (repeatable)"),
	OPT_STRING_('c', "cut", struct cmd_listing, cut, "PREFIX", "cut PREFIX off the paths shown"),
	OPT_FLAG_('I', "hardlink-is-unique", struct cmd_listing, links_unique, "hard links are no copies: a file that has no others is unique"),
	OPT_FLAG_('H', "hardlink-is-copy", struct cmd_listing, links_copies, "hard links count as copies, though they free nothing"),
	OPT_FLAG_(0, "online", struct cmd_listing, online, "pretend that offline files do not exist"),
	OPT_FLAG_(0, "si", struct cmd_listing, si, "sizes in powers of 1000 (kB, MB)"),
	OPT_FLAG_(0, "bytes", struct cmd_listing, bytes, "sizes in bytes"),
	OPT_END
};

const struct opt cmd_choice_opts[] = {
	{ 0, "keep", OPT_LIST, OPT_AT(struct cmd_choice, keep, struct opt_list), "RULES",
	  "which copy stays, by rules such as 'newest,in:DIR': see 'help keep'", keep_rules_names },
	OPT_LIST_(0, "protect", struct cmd_choice, protect, "DIR", "nothing at and below DIR goes; copies there are the first to stay (repeatable)"),
	OPT_LIST_(0, "only", struct cmd_choice, only, "DIR", "only what is at and below DIR goes (repeatable)"),
	OPT_LIST_(0, "in", struct cmd_choice, in, "DIR", "only copies at and below DIR count (repeatable)"),
	OPT_INT_(0, "copies", struct cmd_choice, copies, "N", "at least N copies stay, hard links counted once"),
	OPT_FLAG_(0, "per-volume", struct cmd_choice, per_volume, "on each volume that has a copy one stays"),
	OPT_FLAG_(0, "backups-count", struct cmd_choice, backups_count, "copies in backups count like others"),
	OPT_LIST_(0, "from-backup", struct cmd_choice, from_backup, "DIR", "of a backup, what is at and below DIR may go (repeatable)"),
	OPT_END
};

const struct opt cmd_wholes_opts[] = {
	OPT_FLAG_(0, "inside", struct cmd_wholes, inside, "they are directories like all others"),
	OPT_LIST_(0, "whole", struct cmd_wholes, more, "ENTRY", "so is each directory that holds ENTRY; *.X: that is named so (repeatable)"),
	OPT_END
};

const struct opt cmd_with_opts[] = {
	OPT_LIST_(0, "with", struct cmd_with, indexes, "INDEX", "also ask this index: its files count as copies and links (repeatable)"),
	OPT_END
};

const struct opt cmd_json_opts[] = {
	OPT_FLAG_(0, "json", struct cmd_listing, json, "one JSON document instead of text"),
	OPT_END
};

/* Tables of options of several commands, by a flag of these, in the order of the help. */
static const struct {
	enum cmd_flags flag;
	const char *title;
	const struct opt *opts;
} cmd_groups[] = {
	{ CMD_TELLS, "options of documents", cmd_json_opts },
	{ CMD_CHOOSES, "options of choices", cmd_choice_opts },
	{ CMD_WHOLES, "options of wholes (git work trees, environments, mail stores ...)", cmd_wholes_opts },
	{ CMD_JOINS, "options of indexes", cmd_with_opts },
	{ CMD_LISTS, "options of listings", cmd_listing_opts },
};

enum { CMD_GROUPS = sizeof(cmd_groups) / sizeof(cmd_groups[0]) };

void
cmd_tables(const struct cmd *cmd, struct opt_target tables[CMD_TABLES])
{
	size_t n = 0;

	memset(tables, 0, CMD_TABLES * sizeof(*tables));
	if (cmd->opts != NULL)
		tables[n++].opts = cmd->opts;
	for (size_t i = 0; i < CMD_GROUPS; i++) {
		if ((cmd->flags & cmd_groups[i].flag) == cmd_groups[i].flag)
			tables[n++].opts = cmd_groups[i].opts;
	}
	tables[n].opts = cmd_global_opts;
}

const struct cmd *
cmd_find(const struct cmd *const *commands, const char *name)
{
	for (size_t i = 0; commands[i] != NULL; i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	}
	return NULL;
}

/*
 * The length of what stands on the first line of a message that is wider than a terminal: all up to
 * a path that takes half of it or more, which stays whole; 0 without one.
 */
static size_t
cmd_say_head(const char *line, int width)
{
	const char *begin = line, *end;

	if (width <= 0 || width_of(line) < width)
		return 0;
	while ((begin = strchr(begin, '\'')) != NULL && (end = strchr(begin + 1, '\'')) != NULL) {
		const size_t head = (size_t)(end - line) + strcspn(end, " ");

		if ((end - begin) * 2 >= width)
			return line[head] == ' ' ? head : 0;
		begin = end + 1;
	}
	return 0;
}

void
cmd_say(FILE *msg, const char *place, const char *text)
{
	const int width = progress_columns(msg);
	struct buf line = { 0 }, folded = { 0 };
	size_t head;

	buf_adds(&line, "twindex: ");
	if (place != NULL) {
		name_show_message(&line, place, strlen(place));
		buf_adds(&line, ": ");
	}
	name_show_message(&line, text, strlen(text));
	head = cmd_say_head(buf_str(&line), width);
	if (head > 0) {
		buf_add(&folded, line.data, head);
		buf_addf(&folded, "\n%*s", WIDTH_MORE, "");
		head++;
	}
	width_fold(&folded, buf_str(&line) + head, WIDTH_MORE, width);
	buf_addc(&folded, '\n');
	fputs(buf_str(&folded), msg);
	fflush(msg);
	buf_release(&line);
	buf_release(&folded);
}

static void __attribute__((format(printf, 2, 0)))
cmd_vmessage(const struct cmd_call *c, const char *fmt, va_list ap)
{
	struct buf b = { 0 };

	buf_vaddf(&b, fmt, ap);
	cmd_say(c->msg, c->env->place, buf_str(&b));
	buf_release(&b);
}

void
cmd_message(const struct cmd_call *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	cmd_vmessage(c, fmt, ap);
	va_end(ap);
}

void
cmd_notice(const struct cmd_call *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!c->globals->quiet)
		cmd_vmessage(c, fmt, ap);
	va_end(ap);
}

void
cmd_add_path(const struct cmd_call *c, struct buf *b, const char *path)
{
	const char *prefix = "";

	if (!c->tty) {
		buf_adds(b, path);
		return;
	}
	path = near_rest(&c->near, path, &prefix);
	buf_adds(b, prefix);
	name_show(b, path, strlen(path));
}

void
cmd_usage(struct buf *b, const struct cmd *cmd)
{
	buf_addf(b, "usage: twindex [global options] %s%s%s%s\n\n%c%s.\n", cmd->name,
	         cmd->opts != NULL || (cmd->flags & (CMD_LISTS | CMD_CHOOSES | CMD_TELLS)) != 0 ? " [options]" : "", *cmd->operands != '\0' ? " " : "",
	         cmd->operands, cmd->summary[0] - 'a' + 'A', cmd->summary + 1);
	if (cmd->help != NULL) {
		buf_addc(b, '\n');
		opt_help_text(b, cmd->help);
	}
	if (cmd->opts != NULL) {
		buf_adds(b, "\noptions:\n");
		opt_help(b, cmd->opts);
	}
	for (size_t i = 0; i < CMD_GROUPS; i++) {
		if ((cmd->flags & cmd_groups[i].flag) != cmd_groups[i].flag)
			continue;
		buf_addf(b, "\n%s:\n", cmd_groups[i].title);
		opt_help(b, cmd_groups[i].opts);
	}
	buf_adds(b, "\nglobal options ('twindex help' explains them):\n");
	opt_help_names(b, cmd_global_opts);
}

/* The commands that most people need, by what they are for. */
static const struct {
	const char *title, *names[10];
} cmd_most_needed[] = {
	{ "ask", { "report", "redundant", "safe", "file", "ls", "dups", "uniques", "compare", "diff" } },
	{ "decide", { "decide", "browse" } },
	{ "act", { "rm", "link", "undo" } },
	{ "look after the index", { "scan", "refresh", "volumes" } },
};

/* Commands that say what another one says or does, or a part of it: what they are of that. */
static const struct {
	const char *name, *same;
} cmd_other_names[] = {
	{ "contained", "older name of safe A B: is everything of A also in B?" },
	{ "waste", "du --sort redundant, and how much of it is marked drop" },
	{ "tree", "du of several levels of directories" },
	{ "marks", "what mark has marked" },
	{ "log", "what undo can take back, and has taken back" },
	{ "recover", "undo of what a killed rm or link has left half done" },
};

enum { CMD_OTHER_NAMES = sizeof(cmd_other_names) / sizeof(cmd_other_names[0]) };

static void
cmd_add_summary(struct buf *b, const char *name, const char *summary)
{
	buf_addf(b, "  %-10s %s\n", name, summary);
}

/* Append all commands, then those that are names of a part of another, then the topics. */
static void
cmd_add_all(struct buf *b, const struct cmd *const *commands)
{
	buf_adds(b, "\ncommands:\n");
	for (size_t i = 0; commands[i] != NULL; i++) {
		size_t other = 0;

		while (other < CMD_OTHER_NAMES && strcmp(cmd_other_names[other].name, commands[i]->name) != 0)
			other++;
		if (other == CMD_OTHER_NAMES)
			cmd_add_summary(b, commands[i]->name, commands[i]->summary);
	}
	buf_adds(b, "\nolder or shorter names of the same:\n");
	for (size_t i = 0; i < CMD_OTHER_NAMES; i++)
		cmd_add_summary(b, cmd_other_names[i].name, cmd_other_names[i].same);
	buf_adds(b, "\ntopics:\n");
	cmd_topics_list(b);
}

void
cmd_overview(struct buf *b, const struct cmd *const *commands, bool all)
{
	const char *program = prog_name();

	buf_addf(b, "usage: twindex [global options] COMMAND [options] [PATH...]\n\n"
	            "  %s scan ~              index everything below ~; later: only what changed\n"
	            "  %s report --top 20     where is the waste?\n"
	            "  %s file PATH           is there another copy, and where?\n"
	            "  %s safe DIR            would something be lost with DIR?\n", program, program, program, program);
	if (all)
		cmd_add_all(b, commands);
	for (size_t i = 0; !all && i < sizeof(cmd_most_needed) / sizeof(cmd_most_needed[0]); i++) {
		buf_addf(b, "\n%s:\n", cmd_most_needed[i].title);
		for (const char *const *name = cmd_most_needed[i].names; *name != NULL; name++)
			cmd_add_summary(b, *name, cmd_find(commands, *name)->summary);
	}
	buf_addc(b, '\n');
	if (!all)
		buf_addf(b, "'%s help --all' shows all commands.\n", program);
	buf_addf(b, "'%s help examples' shows what to type for everyday jobs.\n'%s help COMMAND' tells more.\n"
	            "Topics of help: examples, keep, path, size, status, config.\n", program, program);
}

int
cmd_index_path(const struct cmd_globals *g, struct buf *path, struct err *err)
{
	struct buf typed = { 0 };
	int ret = -1;

	if (g->db != NULL)
		buf_adds(&typed, g->db);
	else if (index_default_path(&typed, err) < 0)
		goto out;
	/* Absolute: SQLite can't take it for a URI, nor do links above it matter any more. */
	ret = resolve_path_of_file(path, buf_str(&typed), err);
out:
	buf_release(&typed);
	return ret;
}

int
cmd_declare(const struct cmd_globals *g, struct index *ix, struct err *err)
{
	const struct opt_list none = { .n = 0 }, *declared = g->backups != NULL ? g->backups : &none;

	return backups_declare(&ix->backups, ix->db, declared->v, declared->n, err);
}

int
cmd_open(const struct cmd_globals *g, int flags, struct index **ix, struct err *err)
{
	struct buf path = { 0 }, from = { 0 };
	int ret = cmd_index_path(g, &path, err);

	if (ret == 0 && g->secret_from != NULL)
		ret = resolve_path_of_file(&from, g->secret_from, err);
	if (g->wait)
		flags |= INDEX_WAIT;
	if (ret == 0)
		ret = index_open(ix, buf_str(&path), (enum index_flags)flags, g->secret_from != NULL ? buf_str(&from) : NULL, err);
	/* What is damaged is looked at without. */
	if (ret == 0 && (flags & INDEX_LACKING) == 0 && cmd_declare(g, *ix, err) < 0) {
		index_close(*ix);
		*ix = NULL;
		ret = -1;
	}
	buf_release(&path);
	buf_release(&from);
	return ret;
}

/*
 * Ask a question and read a line.  Returns the first letter of the word that it has, one of n, or
 * of which it has only this letter; '\n' for any other line, 0 at the end.  *len: of its first
 * word.
 */
static char
cmd_read_answer(const struct cmd_call *c, FILE *in, const char *question, const char *const *words, size_t n, size_t *len)
{
	char *line = NULL, answer = 0;
	size_t cap = 0;

	/* Discard what was typed before the question. */
	(void)tcflush(fileno(in), TCIFLUSH);
	fputs(question, c->msg);
	fflush(c->msg);
	if (stop_await(fileno(in)) && getdelim(&line, &cap, '\n', in) > 0) {
		const char *const word = line + strspn(line, " \t\r\n");

		answer = '\n';
		*len = strcspn(word, " \t\r\n");
		/* A pasted line is no answer, whatever its first letter. */
		for (size_t i = 0; i < n && word[*len + strspn(word + *len, " \t\r\n")] == '\0'; i++) {
			if (*len > 0 && strncasecmp(words[i], word, *len) == 0 && (*len == 1 || *len == strlen(words[i])))
				answer = *words[i];
		}
	}
	free(line);
	/* Ctrl-D on a terminal sets the end-of-file flag; later reads must work. */
	clearerr(in);
	return answer;
}

char
cmd_answer(const struct cmd_call *c, FILE *in, const char *question)
{
	static const char *const words[] = { "yes", "no", "all", "quit" };
	size_t len;

	return cmd_read_answer(c, in, question, words, sizeof(words) / sizeof(words[0]), &len);
}

enum cmd_sure
cmd_ask_sure(const struct cmd_call *c, FILE *in, const char *question)
{
	static const char *const words[] = { "yes", "no", "list", "quit" };
	size_t len = 0;
	char answer;

	for (;;) {
		answer = cmd_read_answer(c, in, question, words, sizeof(words) / sizeof(words[0]), &len);
		/* One letter does not remove files, and a slip of the finger does not end. */
		if ((answer != 'y' || len > 1) && (answer != '\n' || len == 0))
			return answer == 'y' ? CMD_SURE_YES : answer == 'l' ? CMD_SURE_LIST : CMD_SURE_NO;
		cmd_message(c, "type the whole word yes, or no");
	}
}

/* Whether the terminal takes escapes at all. */
static bool
cmd_has_escapes(const struct cmd_call *c)
{
	const char *term = getenv("TERM");

	return c->tty && term != NULL && strcmp(term, "dumb") != 0;
}

static bool
cmd_has_color(const struct cmd_call *c)
{
	const char *no_color = getenv("NO_COLOR"), *force = getenv("CLICOLOR_FORCE");

	if (c->globals->color != CMD_COLOR_AUTO)
		return c->globals->color == CMD_COLOR_ALWAYS;
	if (no_color != NULL && *no_color != '\0')
		return false;
	return cmd_has_escapes(c) || (force != NULL && *force != '\0' && strcmp(force, "0") != 0);
}

/* Words for our commands, of other programs or as people guess them. */
static const struct {
	const char *name, *ours;
} cmd_foreign[] = {
	{ "add", "scan" }, { "index", "scan" }, { "rescan", "scan" }, { "update", "scan" },
	{ "dupe", "report" }, { "dupes", "report" }, { "duplicate", "report" }, { "duplicates", "report" },
	{ "find", "where" }, { "locate", "where" }, { "search", "where" },
	{ "list", "ls" }, { "size", "du" }, { "sizes", "du" }, { "space", "du" }, { "usage", "du" },
	{ "copies", "file" }, { "which", "file" }, { "missing", "safe" },
	{ "check-backup", "safe" }, { "is-safe", "safe" }, { "merge", "safe" }, { "rescue", "safe" }, { "backup", "at-risk" },
	{ "clean", "decide" }, { "cleanup", "decide" }, { "drop", "mark" }, { "keep", "mark" },
	{ "del", "rm" }, { "delete", "rm" }, { "prune", "rm" }, { "remove", "rm" }, { "unlink", "rm" },
	{ "dedup", "link" }, { "dedupe", "link" }, { "hardlink", "link" }, { "reflink", "link" }, { "symlink", "link" },
	{ "changed", "diff" }, { "changes", "diff" }, { "exclude", "scan" }, { "history", "log" }, { "restore", "undo" }, { "revert", "undo" },
	{ "scrub", "validate" }, { "verify", "validate" },
	{ "disks", "volumes" }, { "stats", "info" }, { "status", "info" }, { "query", "sql" },
};

int
cmd_unknown(const struct cmd *const *commands, const char *name, const char *const *more, size_t n, struct err *err)
{
	VEC(const char *) names = { 0 };
	const char *meant = NULL;
	struct buf list = { 0 };
	int beginnings = 0;

	for (size_t i = 0; commands[i] != NULL; i++)
		vec_push(&names, commands[i]->name);
	for (size_t i = 0; i < n; i++)
		vec_push(&names, more[i]);
	for (size_t i = 0; i < names.n; i++) {
		if (strncmp(names.v[i], name, strlen(name)) != 0 || *name == '\0')
			continue;
		buf_addf(&list, "%s%s", beginnings++ > 0 ? ", " : "", names.v[i]);
		meant = names.v[i];
	}
	for (size_t i = 0; i < sizeof(cmd_foreign) / sizeof(cmd_foreign[0]) && meant == NULL; i++) {
		if (strcmp(cmd_foreign[i].name, name) == 0)
			meant = cmd_foreign[i].ours;
	}
	if (meant == NULL)
		meant = typo_nearest(name, names.v, names.n, sizeof(*names.v));
	vec_release(&names);
	if (beginnings > 1)
		err_set(err, ERR_USAGE, "command '%s' is ambiguous: %s", name, list.data);
	else if (meant != NULL)
		err_set(err, ERR_USAGE, "unknown command '%s'; did you mean '%s'?", name, meant);
	else
		err_set(err, ERR_USAGE, "unknown command '%s': see '%s%shelp'", name, n > 0 ? "" : prog_name(), n > 0 ? "" : " ");
	buf_release(&list);
	return -1;
}

void
cmd_add_sets(struct buf *b, int64_t sets, int64_t redundant)
{
	char n[NUM_SHOW_MAX], bytes[NUM_SHOW_MAX];

	buf_addf(b, "duplicates  %s, %s redundant%s\n", num_show_things(sets, "set", "sets", n),
	         num_show_size(redundant, NUM_IEC, bytes), sets > 0 ? " when scanned" : "");
}

struct out_style
cmd_style(const struct cmd_call *c, enum out_kind kind)
{
	return (struct out_style){
		.format = (enum out_format)c->listing->format, .kind = kind, .open = &c->verdict->open, .begun = &c->verdict->begun,
		.units = c->listing->bytes ? NUM_BYTES : c->listing->si ? NUM_SI : NUM_IEC,
		.fold = c->tty && c->globals->verbose == 0 ? CMD_FOLD : 0,
		.escape = c->tty, .color = cmd_has_color(c), .names = c->names,
		.hyperlinks = c->listing->hyperlink && cmd_has_escapes(c), .width = c->env->width,
		.utf8 = c->tty && locale_is_utf8(),
		.links = c->listing->links_copies, .cut = c->listing->cut, .near = c->near,
		/* Only text shows the numbers. */
		.results = c->listing->format == OUT_TEXT && c->globals->db == c->env->globals.db ? c->env->results : NULL, .numbers = c->env->numbers,
		.of = c->env->of, .item = c->env->item, .joined = c->with != NULL,
	};
}

struct doc *
cmd_doc(const struct cmd_call *c)
{
	const struct out_style style = cmd_style(c, OUT_STATES);

	return (c->cmd->flags & CMD_TELLS) != 0 && c->listing->json ? doc_open(c->out, &style, c->cmd->name) : NULL;
}
