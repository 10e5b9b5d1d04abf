/* SPDX-License-Identifier: MIT */
/* alias - names for the beginning of a line or command line, and what takes their place. */
#ifndef SHELL_ALIAS_H
#define SHELL_ALIAS_H

#include "cmd/settings.h"

struct cmd_env;
struct words_cursor;

/** A name for the beginning of a line. */
struct alias {
	char *name, *value;        /* owned */
	bool busy;                 /* being expanded: it does not expand itself */
};

/** Those of a session; zero it. */
struct aliases {
	struct alias *v;
	size_t n, cap;
};

/** Find an alias, or NULL; it stays where it is until the next alias_set. */
struct alias *alias_find(const struct aliases *aliases, const char *name);
/** Set an alias; NULL removes it.  Returns whether there was one. */
bool alias_set(struct aliases *aliases, const char *name, const char *value);
/** Free all. */
void alias_release(struct aliases *aliases);

/**
 * Check a line of the config file that makes an alias: the name is a plain word, the value one
 * command, which its first word names, with operators and aliases for none.  Returns 0 or -1,
 * ERR_USAGE with the place.
 */
int alias_check(const struct cmd_env *env, const struct settings *c, const struct settings_line *l, struct err *err);
/**
 * Run a command line whose first word is such an alias, which was checked.  Returns the exit
 * status.
 */
int alias_run(const struct cmd_env *env, const struct settings_line *l, int argc, char **argv);

/**
 * Put the words of a value in place of a name, word i before the cursor: those of its last command,
 * for completion.
 */
void alias_expand_words(struct words_cursor *at, size_t i, const char *value);

#endif
