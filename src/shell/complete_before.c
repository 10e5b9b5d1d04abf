/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "shell/complete_before.h"

#include <string.h>

#include "base/buf.h"
#include "ui/opt.h"
#include "cmd/cmd.h"
#include "shell/session.h"

/* The value of the alias of that name, or NULL without one. */
static const char *
complete_before_alias(const struct complete_before *b, const char *name)
{
	const struct session_alias *a = b->session != NULL ? session_alias_find(b->session, name) : NULL;
	const struct config_line *l = b->session == NULL ? config_alias(b->config, name) : NULL;

	return a != NULL ? a->value : l != NULL ? l->value : NULL;
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
complete_before_option(const struct complete_before *b, const char *word, size_t len)
{
	const struct opt *tables[CMD_TABLES];

	complete_before_tables(b, tables);
	for (size_t t = 0; tables[t] != NULL; t++) {
		for (const struct opt *o = tables[t]; o->name != NULL || o->ch != 0; o++) {
			if (o->name != NULL && len == strlen(o->name) + 2 && memcmp(word, "--", 2) == 0 &&
			    memcmp(word + 2, o->name, len - 2) == 0)
				return o;
			if (o->ch != 0 && len == 2 && word[0] == '-' && word[1] == o->ch)
				return o;
		}
	}
	return NULL;
}

size_t
complete_before_option_len(const char *word)
{
	return strncmp(word, "--", 2) == 0 ? strcspn(word, "=") : strlen(word);
}

/* Note the command: an alias is completed as the first word of its value. */
static void
complete_before_note(struct complete_before *b, const char *name)
{
	const char *value = complete_before_alias(b, name);
	struct buf first = { 0 };

	b->command = name;
	if (value != NULL)
		buf_add(&first, value, strcspn(value, " \t"));
	b->cmd = cmd_find(b->commands, value != NULL ? buf_str(&first) : name);
	buf_release(&first);
}

void
complete_before_parse(struct complete_before *b)
{
	for (size_t i = b->first; i < b->words.n; i++) {
		const char *word = b->words.v[i].text;
		const size_t len = complete_before_option_len(word);

		if (b->pending != NULL) {
			if (b->pending->name != NULL && strcmp(b->pending->name, "db") == 0)
				b->db = word;
			b->pending = NULL;
		} else if (!b->only_operands && strcmp(word, "--") == 0)
			b->only_operands = true;
		else if (!b->only_operands && word[0] == '-' && word[1] != '\0') {
			const struct opt *o = complete_before_option(b, word, len);

			if (o != NULL && o->arg != NULL && word[len] == '\0')
				b->pending = o;
			else if (strncmp(word, "--db=", strlen("--db=")) == 0)
				b->db = word + len + 1;
		} else if (b->command == NULL)
			complete_before_note(b, word);
		else if (b->operands++ == 0)
			b->operand = word;
	}
}
