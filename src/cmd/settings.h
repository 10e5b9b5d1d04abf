/* SPDX-License-Identifier: MIT */
/* settings - the config file of a user: options as if they were typed, by command; and aliases. */
#ifndef CMD_SETTINGS_H
#define CMD_SETTINGS_H

#include "ui/opt.h"

/** Sections that are no command's: options of all commands, of listings, of choices, aliases. */
#define SETTINGS_GLOBAL "global"
#define SETTINGS_LISTING "listing"
#define SETTINGS_CHOICES "choices"
#define SETTINGS_ALIAS "alias"
/** Begins the name of a section about a directory, which stands behind it. */
#define SETTINGS_POLICY "policy "

/** A line "key = value". */
struct settings_line {
	const char *section, *key;
	const char *value;         /* NULL: the key alone */
	char *word, *flag;         /* the same as words of a command line: "--key=value", "--key" */
	int number;
};

/** A line "[section]". */
struct settings_section {
	const char *name;
	int number;
};

/** Embed it, zeroed: no file. */
struct settings {
	struct arena memory;       /* of all strings */
	const char *path;
	const char *ignored;       /* why the file is not trusted; or NULL */
	VEC(struct settings_section) sections;
	VEC(struct settings_line) lines;
	struct opt_list backups;   /* of settings_backups() */
};

/** What of the file counts. */
enum settings_use {
	SETTINGS_ALL,
	SETTINGS_PROTECT,            /* the directories that it protects, and nothing else */
	SETTINGS_NONE
};

/** What the words of a command line before any "--" ask for: --no-config, --config-protect. */
enum settings_use settings_use(int argc, char *const *argv);

/**
 * Read $TWINDEX_CONFIG, which means no file when it is empty, or else twindex/config in
 * $XDG_CONFIG_HOME or ~/.config.  One that is not there, but for the former, has no lines.  One
 * that everybody may write to, that is neither the user's nor root's, or that can't be read, has
 * none either: c->ignored says so.  What it protects is not known then: no file may be removed.
 * Returns 0, or -1 with *err: ERR_USAGE with file:line, ERR_NO_PATH, ERR_SYS.
 */
int settings_read(struct settings *c, struct err *err);
void settings_release(struct settings *c);

/**
 * Set the options of a section, and what any section protects, if there is an option for it.  Of
 * the section of choices each is set first that the section itself does not have.
 * Those that a person must think about each time are refused.
 * Returns 0, or -1 with ERR_USAGE.
 */
int settings_apply(const struct settings *c, enum settings_use use, const char *section, const struct opt_target *targets, struct err *err);

/**
 * Find the directories that any section declares as backups, resolved: c->backups.  Returns 0, or
 * -1 with ERR_USAGE: one is not absolute.
 */
int settings_backups(struct settings *c, struct err *err);

/** The directory of a section that is a policy's, as typed; NULL of others. */
const char *settings_policy(const char *section);

/** Check that the section of choices has only such options.  Returns 0, or -1 with ERR_USAGE. */
int settings_check_choices(const struct settings *c, struct err *err);

/** Unset flags of lines where an option that excludes them was typed.  All targets have given. */
void settings_yield(const struct opt_target *targets);

/** The line that makes an alias, the last of several, or NULL; c may be NULL. */
const struct settings_line *settings_alias(const struct settings *c, const char *name);

/** Fail with ERR_USAGE because of a line.  Returns -1. */
int settings_fail(const struct settings *c, const struct settings_line *l, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
