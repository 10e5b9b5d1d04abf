/* SPDX-License-Identifier: MIT */
/*
 * The line up to the cursor is split by the lexer that runs it.  What stands
 * before the cursor's word says which candidates there are; all kinds of them
 * end in complete_offer, which puts the word anew, in the quotes in which it was begun.
 */
#include <config.h>

#include "shell/complete.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/name.h"
#include "base/path.h"
#include "base/vec.h"
#include "shell/words.h"
#include "cmd/cmd.h"
#include "index/index.h"
#include "query/prefix.h"
#include "shell/line_completion.h"
#include "ui/numbers.h"

/* One completion on its way. */
struct complete {
	const struct complete_ctx *ctx;
	struct words before;
	struct buf word;            /* what it is about, as bytes */
	enum word_quote quote;
	bool tilde;                 /* the word begins with a ~ that means the home directory */
	bool path;                  /* candidates are paths, not numbers or options */
	size_t kept;                /* bytes of word that stay, before the candidate */
	struct prefix found;
	struct line_completion *out;
};

static const char *
complete_word(const struct complete *c, size_t i)
{
	return i < c->before.n ? c->before.v[i].text : "";
}

/* What was typed of the candidate. */
static const char *
complete_typed(const struct complete *c)
{
	return buf_str(&c->word) + c->kept;
}

/* Add a candidate if it begins as typed. */
static void
complete_add(struct complete *c, const char *name, size_t len)
{
	const size_t typed = c->word.len - c->kept;

	if (len >= typed && memcmp(name, complete_typed(c), typed) == 0)
		vec_push(&c->found, ((struct name_found){ mem_dup(name, len), false }));
}

/* Whether "--" stands before the word. */
static bool
complete_only_operands(const struct complete *c)
{
	for (size_t i = 1; i < c->before.n; i++) {
		if (strcmp(c->before.v[i].text, "--") == 0)
			return true;
	}
	return false;
}

/*
 * Whether a path would be taken for a number of the last listing, and thus for another file, or
 * for options.
 */
static bool
complete_misleads(const struct complete *c, const char *word)
{
	size_t item, member;

	return c->path && ((c->quote == WORD_BARE && numbers_parse(word, &item, &member)) ||
	                   (word[0] == '-' && !complete_only_operands(c)));
}

/* Append the word's kept part and name, quoted for the line. */
static void
complete_quote(const struct complete *c, struct buf *line, const char *name, size_t len, bool final)
{
	struct buf word = { 0 };
	size_t bare = 0, unquoted;

	buf_add(&word, buf_str(&c->word), c->kept);
	buf_add(&word, name, len);
	if (complete_misleads(c, buf_str(&word)))
		buf_adds(line, "./");
	/* A quoted ~ would be a name. */
	if (c->tilde) {
		bare = word.len > 1 ? 2 : 1;
		buf_add(line, word.data, bare);
	}
	unquoted = line->len;
	if (bare < word.len || bare == 0)
		words_quote(line, buf_str(&word) + bare, word.len - bare, c->quote, final);
	/* A locale that lacks the characters could not insert them. */
	if (mbstowcs(NULL, buf_str(line), 0) == (size_t)-1) {
		buf_cut(line, unquoted);
		words_quote_ascii(line, buf_str(&word) + bare, word.len - bare, final);
	}
	buf_release(&word);
}

/* How many bytes all candidates begin with, not ending inside a character. */
static size_t
complete_common(const struct prefix *found)
{
	const char *first = found->v[0].name;
	size_t len = strlen(first), lead, n;

	for (size_t i = 1; i < found->n; i++) {
		for (n = 0; n < len && first[n] == found->v[i].name[n]; n++)
			;
		len = n;
	}
	for (lead = len; lead > 0 && ((unsigned char)first[lead] & 0xc0) == 0x80; lead--)
		;
	for (n = len + 1 - lead; n <= 4 && lead + n <= strlen(first); n++) {
		if (len > lead && name_is_utf8(first + lead, n))
			return lead;
	}
	return len;
}

/* Names that begin alike are listed; behind a directory stands a slash. */
static void
complete_show(struct complete *c)
{
	c->out->n = c->out->cap = c->found.n;
	c->out->shown = mem_zalloc(c->out->cap, sizeof(*c->out->shown));
	for (size_t i = 0; i < c->found.n; i++) {
		struct buf text = { 0 };

		buf_adds(&text, c->found.v[i].name);
		if (c->found.v[i].dir)
			buf_addc(&text, '/');
		c->out->shown[i] = buf_take(&text);
	}
	c->out->more = c->found.more;
}

/* Make the completion of what was found. */
static void
complete_offer(struct complete *c)
{
	const struct name_found *first = c->found.v;
	struct buf line = { 0 }, name = { 0 };

	if (c->found.n == 0)
		return;
	buf_adds(&name, first->name);
	if (c->found.n == 1 && !c->found.more) {
		/* More of the word follows a directory, and a rule that wants an argument. */
		const bool open = first->dir || (!c->path && name.len > 0 && name.data[name.len - 1] == ':');

		if (first->dir)
			buf_addc(&name, '/');
		complete_quote(c, &line, name.data, name.len, !open);
		if (!open)
			buf_addc(&line, ' ');
	} else {
		/* Candidates that were not read may differ in the first byte. */
		size_t common = c->found.more ? 0 : complete_common(&c->found);

		if (common > c->word.len - c->kept)
			complete_quote(c, &line, name.data, common, false);
		complete_show(c);
	}
	if (line.len > 0)
		c->out->insert = buf_take(&line);
	buf_release(&line);
	buf_release(&name);
}

static int
complete_cmp(const void *a, const void *b)
{
	return strcmp(((const struct name_found *)a)->name, ((const struct name_found *)b)->name);
}

/* Offer candidates that came in no order, perhaps twice. */
static void
complete_offer_sorted(struct complete *c)
{
	size_t n = 0;

	if (c->found.n > 1)
		qsort(c->found.v, c->found.n, sizeof(*c->found.v), complete_cmp);
	for (size_t i = 0; i < c->found.n; i++) {
		if (n > 0 && strcmp(c->found.v[n - 1].name, c->found.v[i].name) == 0)
			free(c->found.v[i].name);
		else
			c->found.v[n++] = c->found.v[i];
	}
	c->found.n = n;
	complete_offer(c);
}

static void
complete_commands(struct complete *c)
{
	for (size_t i = 0; c->ctx->commands[i] != NULL; i++)
		complete_add(c, c->ctx->commands[i]->name, strlen(c->ctx->commands[i]->name));
	for (size_t i = 0; c->ctx->builtins != NULL && c->ctx->builtins[i] != NULL; i++)
		complete_add(c, c->ctx->builtins[i], strlen(c->ctx->builtins[i]));
	complete_offer_sorted(c);
}

/* Add the words of a text, between blanks. */
static void
complete_add_words(struct complete *c, const char *text)
{
	for (size_t n; text += strspn(text, " "), n = strcspn(text, " "), n > 0; text += n)
		complete_add(c, text, n);
}

/* Behind set: a setting, then its values. */
static void
complete_settings(struct complete *c)
{
	const char *const *s = c->ctx->settings;

	for (size_t i = 0; s != NULL && s[i] != NULL && s[i + 1] != NULL; i += 2) {
		if (c->before.n == 1)
			complete_add(c, s[i], strlen(s[i]));
		else if (c->before.n == 2 && strcmp(complete_word(c, 1), s[i]) == 0)
			complete_add_words(c, s[i + 1]);
	}
	complete_offer_sorted(c);
}

/* The tables of options that a command may have, and a NULL. */
#define COMPLETE_TABLES 6

/* The tables of options of the line's command, up to a NULL. */
static void
complete_tables(const struct complete *c, const struct opt *tables[COMPLETE_TABLES])
{
	const struct cmd *cmd = cmd_find(c->ctx->commands, complete_word(c, 0));
	size_t n = 0;

	if (cmd != NULL && cmd->opts != NULL)
		tables[n++] = cmd->opts;
	if (cmd != NULL && (cmd->flags & CMD_LISTS) != 0)
		tables[n++] = cmd_listing_opts;
	if (cmd != NULL && (cmd->flags & CMD_CHOOSES) != 0)
		tables[n++] = cmd_choice_opts;
	if (cmd != NULL && (cmd->flags & CMD_JOINS) != 0)
		tables[n++] = cmd_with_opts;
	if (cmd != NULL)
		tables[n++] = cmd_global_opts;
	tables[n] = NULL;
}

static bool
complete_at_end(const struct opt *o)
{
	return o->name == NULL && o->ch == 0;
}

/* Find an option by its word, "--long" or "-s", len bytes. */
static const struct opt *
complete_option(const struct complete *c, const char *word, size_t len)
{
	const struct opt *tables[COMPLETE_TABLES];

	complete_tables(c, tables);
	for (size_t t = 0; tables[t] != NULL; t++) {
		for (const struct opt *o = tables[t]; !complete_at_end(o); o++) {
			if (o->name != NULL && len == strlen(o->name) + 2 && memcmp(word, "--", 2) == 0 &&
			    memcmp(word + 2, o->name, len - 2) == 0)
				return o;
			if (o->ch != 0 && len == 2 && word[0] == '-' && word[1] == o->ch)
				return o;
		}
	}
	return NULL;
}

static void
complete_options(struct complete *c)
{
	const struct opt *tables[COMPLETE_TABLES];

	complete_tables(c, tables);
	for (size_t t = 0; tables[t] != NULL; t++) {
		for (const struct opt *o = tables[t]; !complete_at_end(o); o++) {
			struct buf name = { 0 };

			if (o->name == NULL || o->help == NULL)
				continue;
			buf_addf(&name, "--%s", o->name);
			complete_add(c, name.data, name.len);
			buf_release(&name);
		}
	}
	complete_offer_sorted(c);
}

/*
 * Append the absolute path of the directory part of the word.  Returns false for ~ without a
 * $HOME.
 */
static bool
complete_dir(const struct complete *c, struct buf *path)
{
	const char *home = getenv("HOME"), *word = buf_str(&c->word);
	struct buf typed = { 0 };

	if (c->tilde && (home == NULL || *home != '/'))
		return false;
	if (c->tilde) {
		buf_adds(&typed, home);
		buf_add(&typed, word + 1, c->kept - 1);
	} else {
		if (*word != '/') {
			buf_adds(&typed, c->ctx->base);
			buf_addc(&typed, '/');
		}
		buf_add(&typed, word, c->kept);
	}
	path_normalize(path, typed.data);
	buf_release(&typed);
	return true;
}

/* Paths of the index. */
static void
complete_paths(struct complete *c, bool dirs_only)
{
	const char *slash = mem_last(buf_str(&c->word), '/', c->word.len);
	struct err err = { 0 };
	struct buf path = { 0 };

	if (c->ctx->ix == NULL || c->ctx->base == NULL || *c->ctx->base != '/')
		return;
	if (c->tilde && slash == NULL) {
		c->out->insert = mem_str("~/");
		return;
	}
	c->kept = slash != NULL ? (size_t)(slash + 1 - c->word.data) : 0;
	if (complete_dir(c, &path)) {
		const struct prefix_query q = { .path = path.data, .prefix = complete_typed(c),
		                               .prefix_len = c->word.len - c->kept, .max = COMPLETE_MAX, .dirs_only = dirs_only };

		/* Tab cannot show an error; the command that follows tells it. */
		if (prefix_load(&c->found, c->ctx->ix->db, &q, &err) == 0)
			complete_offer(c);
	}
	buf_release(&path);
}

/*
 * The words of a command: of a query the last one, wherever it stands.  Returns whether there
 * are no others.
 */
static bool
complete_own_words(struct complete *c, const struct cmd *cmd)
{
	const bool raw = cmd != NULL && (cmd->flags & CMD_RAW) != 0;

	if (cmd == NULL || cmd->words == NULL || (!raw && c->before.n > 1))
		return false;
	while (raw && c->kept < c->word.len && strpbrk(complete_typed(c), " (,") != NULL)
		c->kept = (size_t)(strpbrk(complete_typed(c), " (,") + 1 - c->word.data);
	complete_add_words(c, cmd->words);
	complete_offer_sorted(c);
	return true;
}

static bool
complete_wants_dirs(const char *command)
{
	static const char *const commands[] = { "cd", "du", "waste", "tree" };

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(command, commands[i]) == 0)
			return true;
	}
	return false;
}

/* The words of an option: of a list that commas divide, behind the last of these. */
static void
complete_choices(struct complete *c, const struct opt *o)
{
	const char *comma = o->type == OPT_LIST ? strrchr(complete_typed(c), ',') : NULL;

	if (comma != NULL)
		c->kept += (size_t)(comma + 1 - complete_typed(c));
	for (size_t i = 0; o->choices[i] != NULL; i++) {
		const char *colon = strchr(o->choices[i], ':');

		complete_add(c, o->choices[i], colon != NULL ? (size_t)(colon + 1 - o->choices[i]) : strlen(o->choices[i]));
	}
	complete_offer_sorted(c);
}

/* Behind the command's name: options, their words, operands. */
static void
complete_operand(struct complete *c)
{
	const char *word = buf_str(&c->word), *equals = strchr(word, '='), *command = complete_word(c, 0);
	const char *last = complete_word(c, c->before.n - 1);
	const bool options = !complete_only_operands(c);
	const struct opt *o = options && c->before.n > 1 ? complete_option(c, last, strlen(last)) : NULL;

	if (options && strncmp(word, "--", 2) == 0 && equals != NULL) {
		o = complete_option(c, word, (size_t)(equals - word));
		c->kept = (size_t)(equals + 1 - word);
		if (o == NULL || o->choices == NULL)
			return;
	}
	if (o != NULL && o->choices != NULL)
		complete_choices(c, o);
	else if (options && word[0] == '-')
		complete_options(c);
	else if (strcmp(command, "help") == 0)
		complete_commands(c);
	else if (strcmp(command, "set") == 0)
		complete_settings(c);
	else if (command[0] != '!' && !complete_own_words(c, cmd_find(c->ctx->commands, command))) {
		/* where wants a name. */
		c->path = strcmp(command, "where") != 0;
		complete_paths(c, complete_wants_dirs(command));
	}
}

void
complete_line(void *ctx, const char *text, size_t len, struct line_completion *out)
{
	struct complete c = { .ctx = ctx, .out = out };

	if (words_at_cursor(&c.before, text, len, &c.word, &out->start, &c.quote)) {
		c.tilde = out->start < len && text[out->start] == '~' && (c.word.len == 1 || c.word.data[1] == '/');
		if (c.before.n == 0)
			complete_commands(&c);
		else
			complete_operand(&c);
	}
	prefix_release(&c.found);
	words_release(&c.before);
	buf_release(&c.word);
}
