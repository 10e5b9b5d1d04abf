/* SPDX-License-Identifier: MIT */
/*
 * Three places expand aliases.  The command line puts the words of one command in place of the
 * first word.  The interactive shell puts text in its place (run_alias in shell/run), so that an
 * alias may have operators and begin with another alias.  Tab needs the words of the command at the
 * cursor.
 */
#include "base/base.h"

#include "shell/alias.h"

#include "cmd/cmd.h"
#include "shell/words.h"

struct alias *
alias_find(const struct aliases *aliases, const char *name)
{
	for (size_t i = 0; i < aliases->n; i++) {
		if (strcmp(aliases->v[i].name, name) == 0)
			return &aliases->v[i];
	}
	return NULL;
}

bool
alias_set(struct aliases *aliases, const char *name, const char *value)
{
	struct alias *a = alias_find(aliases, name);
	const bool had = a != NULL;

	if (had) {
		free(a->name);
		free(a->value);
		*a = aliases->v[--aliases->n];
	}
	if (value != NULL)
		vec_push(aliases, ((struct alias){ mem_dup(name, strlen(name)), mem_dup(value, strlen(value)), false }));
	return had;
}

void
alias_release(struct aliases *aliases)
{
	while (aliases->n > 0)
		alias_set(aliases, aliases->v[0].name, NULL);
	vec_release(aliases);
}

/* Split the value of an alias. */
static int
alias_split(const struct cmd_env *env, const struct settings *c, const struct settings_line *l, struct words *w, struct err *err)
{
	struct err why = { 0 };

	if (*l->key == '-' || *l->key == '\0' || l->key[strcspn(l->key, " \t'\"\\$!#;&|<>")] != '\0')
		return settings_fail(c, l, err, "alias '%s' is not one plain word", l->key);
	if (words_split(w, l->value != NULL ? l->value : "", l->value != NULL ? strlen(l->value) : 0, 0, &why) < 0)
		return settings_fail(c, l, err, "alias '%s': %s", l->key, why.text);
	if (w->n == 0 || w->end != WORDS_END)
		return settings_fail(c, l, err, "alias '%s' must be one command, without operators", l->key);
	if (cmd_find(env->commands, w->v[0].text) == NULL) {
		cmd_unknown(env->commands, w->v[0].text, NULL, 0, &why);
		return settings_fail(c, l, err, "alias '%s': %s", l->key, why.text);
	}
	return 0;
}

int
alias_check(const struct cmd_env *env, const struct settings *c, const struct settings_line *l, struct err *err)
{
	struct words w = { 0 };
	const int ret = alias_split(env, c, l, &w, err);

	words_release(&w);
	return ret;
}

int
alias_run(const struct cmd_env *env, const struct settings_line *l, int argc, char **argv)
{
	VEC(char *) words = { 0 };
	struct err ignored = { 0 };
	struct words w = { 0 };
	int status;

	(void)alias_split(env, env->config, l, &w, &ignored);
	for (size_t i = 0; i < w.n; i++) {
		struct buf home = { 0 };

		vec_push(&words, words_tilde(l->value, &w.v[i], &home) ? buf_take(&home) : mem_str(w.v[i].text));
	}
	for (int i = 1; i < argc; i++)
		vec_push(&words, mem_str(argv[i]));
	status = cmd_execute(env, (int)words.n, words.v);
	/* The error may lie in the alias, not in the words typed. */
	if (status == CMD_USAGE)
		fprintf(env->msg, "twindex: alias '%s' is '%s' (%s:%d)\n", l->key, l->value, env->config->path, l->number);
	for (size_t i = 0; i < words.n; i++)
		free(words.v[i]);
	vec_release(&words);
	words_release(&w);
	return status;
}

void
alias_expand_words(struct words_cursor *at, size_t i, const char *value)
{
	struct words *words = &at->before;
	const size_t behind = words->n - i - 1;
	struct words_cursor alias = { .start = 0 };
	struct buf text = { 0 };
	size_t n;

	buf_addf(&text, "%s ", value);
	words_at_cursor(&alias, text.data, text.len);
	at->place = alias.place;
	n = alias.before.n;
	for (size_t k = 0; k < n; k++)
		vec_push(words, ((struct word){ .text = NULL }));
	free(words->v[i].text);
	memmove(words->v + i + n, words->v + i + 1, behind * sizeof(*words->v));
	words->n--;
	for (size_t k = 0; k < n; k++) {
		struct word *w = &alias.before.v[k];
		struct buf home = { 0 };

		if (words_tilde(text.data, w, &home)) {
			free(w->text);
			w->len = home.len;
			w->text = buf_take(&home);
		}
		words->v[i + k] = *w;
	}
	/* They have moved. */
	alias.before.n = 0;
	words_cursor_release(&alias);
	buf_release(&text);
}
