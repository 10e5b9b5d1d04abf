/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "shell/complete_before.h"

#include "ui/opt.h"
#include "cmd/cmd.h"
#include "shell/session.h"
#include "shell/builtin.h"

/* Aliases within aliases. */
#define COMPLETE_BEFORE_DEPTH 16

/* The value of the alias that a word names, or NULL without one. */
static const char *
complete_before_alias(const struct complete_before *b, const struct word *w)
{
	const struct session_alias *a = b->session != NULL && !w->quoted ? session_alias_find(b->session, w->text) : NULL;
	const struct settings_line *l = b->session == NULL ? settings_alias(b->config, w->text) : NULL;

	return a != NULL ? a->value : l != NULL ? l->value : NULL;
}

/* Put the words of an alias in place of its name, word i: those of its last command. */
static void
complete_before_expand(struct complete_before *b, size_t i, const char *value)
{
	struct words w = { 0 }, all = { 0 };
	struct buf text = { 0 }, rest = { 0 };
	enum word_quote quote;
	size_t start;

	buf_addf(&text, "%s ", value);
	b->place = words_at_cursor(&w, text.data, text.len, &rest, &start, &quote);
	for (size_t k = 0; k < i; k++)
		vec_push(&all, b->words.v[k]);
	for (size_t k = 0; k < w.n; k++) {
		struct buf home = { 0 };

		if (words_tilde(text.data, &w.v[k], &home)) {
			free(w.v[k].text);
			w.v[k].len = home.len;
			w.v[k].text = buf_take(&home);
		}
		vec_push(&all, w.v[k]);
	}
	free(b->words.v[i].text);
	for (size_t k = i + 1; k < b->words.n; k++)
		vec_push(&all, b->words.v[k]);
	vec_release(&b->words);
	b->words = all;
	vec_release(&w);
	buf_release(&text);
	buf_release(&rest);
}

void
complete_before_tables(const struct complete_before *b, const struct opt *tables[CMD_TABLES])
{
	const bool global = b->outside && b->command == NULL;

	if (b->cmd != NULL)
		cmd_tables(b->cmd, tables);
	else {
		tables[0] = global ? cmd_global_opts : NULL;
		tables[1] = NULL;
	}
}

const struct opt *
complete_before_option(const struct complete_before *b, const char *word, const char **value)
{
	struct opt_target targets[CMD_TABLES] = { { NULL, NULL, NULL } };
	const struct opt *tables[CMD_TABLES];

	complete_before_tables(b, tables);
	for (size_t t = 0; tables[t] != NULL; t++)
		targets[t].opts = tables[t];
	return opt_with_argument(targets, word, value);
}

/* Note the command at word i.  An alias gives way to its words, and they are parsed, too. */
static void
complete_before_note(struct complete_before *b, size_t i)
{
	const char *value = NULL, *before = NULL;

	/* One that begins with its own name means the command there. */
	for (int depth = 0; depth < COMPLETE_BEFORE_DEPTH && b->place == WORDS_OURS && i < b->words.n; depth++) {
		value = complete_before_alias(b, &b->words.v[i]);
		if (value == NULL || value == before)
			break;
		complete_before_expand(b, i, value);
		before = value;
	}
	if (b->place == WORDS_OURS && i < b->words.n) {
		b->command = b->outside ? b->words.v[i].text : builtin_full_name(b->commands, b->words.v[i].text);
		b->cmd = cmd_find(b->commands, b->command);
	}
}

/*
 * Note the index if o names it.  The shells expand what means the home directory: ~ only where a
 * word begins.
 */
static void
complete_before_note_db(struct complete_before *b, const struct opt *o, const char *value, bool word)
{
	static const char *const homes[] = { "$HOME/", "${HOME}/", "~/" };
	const char *home = getenv("HOME");

	if (o->name == NULL || strcmp(o->name, "db") != 0)
		return;
	b->db = value;
	for (int i = 0; i < (word ? 3 : 2) && b->outside && home != NULL; i++) {
		const size_t len = strlen(homes[i]);

		if (strncmp(value, homes[i], len) == 0) {
			buf_cut(&b->db_path, 0);
			buf_addf(&b->db_path, "%s/%s", home, value + len);
			b->db = b->db_path.data;
		}
	}
}

void
complete_before_parse(struct complete_before *b)
{
	for (size_t i = b->first; b->place == WORDS_OURS && i < b->words.n; i++) {
		const char *word = b->words.v[i].text, *value;

		if (b->pending != NULL) {
			complete_before_note_db(b, b->pending, word, true);
			b->pending = NULL;
		} else if (!b->only_operands && strcmp(word, "--") == 0)
			b->only_operands = true;
		else if (!b->only_operands && word[0] == '-' && word[1] != '\0') {
			const struct opt *o = complete_before_option(b, word, &value);

			if (value == NULL)
				b->pending = o;
			else
				complete_before_note_db(b, o, value, false);
		} else if (b->command == NULL)
			complete_before_note(b, i);
		else if (b->operands++ == 0)
			b->operand = word;
	}
}

void
complete_before_release(struct complete_before *b)
{
	words_release(&b->words);
	buf_release(&b->db_path);
}
