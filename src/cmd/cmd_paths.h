/* SPDX-License-Identifier: MIT */
/* cmd_paths - the paths that a command is about: resolved, checked, each once. */
#ifndef CMD_CMD_PATHS_H
#define CMD_CMD_PATHS_H

struct cmd_call;
struct cmd_paths;
struct index;
struct indexes_other;
struct opt_list;

/**
 * Resolve, check and prune what a call is about, as the flags of its command say.  Returns 0 or -1;
 * the paths of c->target are to be released either way.
 */
int cmd_paths_open(const struct cmd_call *c, struct err *err);

/**
 * Resolve n typed paths and append them.  Returns 0, or -1: ERR_NO_PATH for one that --online
 * takes not to exist.
 */
int cmd_paths_add(const struct cmd_call *c, const char *const *typed, size_t n, struct cmd_paths *paths, struct err *err);
/**
 * Append the paths in a file ("-": standard input), each ended by end, resolved; empty ones
 * are left out.
 *
 * Returns 0, or -1: ERR_USAGE for a path with a NUL byte in it.
 */
int cmd_paths_read(const struct cmd_call *c, const char *file, char end, struct cmd_paths *paths, struct err *err);
/**
 * Append the lines of a file ("-": standard input), each ended by end; empty ones are left out.
 * Returns 0, or -1: ERR_USAGE for a NUL byte in one.
 */
int cmd_paths_lines(const char *file, char end, struct cmd_paths *lines, struct err *err);
/** Whether n paths have all roots of the index at or below them.  Returns 1, 0 or -1. */
int cmd_paths_are_whole(struct index *ix, const char *const *paths, size_t n, struct err *err);
/**
 * Apply the rule for a question without a path: in a shell it is about the directory of the prompt,
 * on the command line about the whole index; all (its option --all) means the whole index in both.
 * paths stays empty for the whole index.
 *
 * Returns 0, or -1: ERR_USAGE for all and paths.
 */
int cmd_paths_here(const struct cmd_call *c, bool all, struct cmd_paths *paths, struct err *err);
/**
 * Resolve the directories that were typed behind an option, and append them; what it leaves out may
 * be offline, and goes with all paths at which it is mounted.
 *
 * Returns 0, or -1: ERR_NO_PATH for one that neither the index nor the file system has.
 */
int cmd_paths_option(const struct cmd_call *c, const char *option, const struct opt_list *typed, bool leaves_out,
                     struct cmd_paths *paths, struct err *err);
/**
 * Refuse a path that --exclude-path leaves out: an empty answer would be read as "nothing is wrong
 * there".  exclude is that of the call's target.  Returns 0, or -1 with ERR_USAGE.
 */
int cmd_paths_asked(const struct cmd_call *c, const struct cmd_paths *asked, const struct cmd_paths *exclude, struct err *err);

/**
 * Returns 0 when the index has the path or something below it, or it is there and no link that
 * leads nowhere; else -1 with ERR_NO_PATH.
 */
int cmd_paths_there(const struct cmd_call *c, const char *path, struct err *err);
/** Returns 0 when the index has each path or something below it, else -1 with ERR_NO_PATH. */
int cmd_paths_known(const struct cmd_call *c, const struct cmd_paths *paths, struct err *err);
/** The same of one path and of this index or another that is asked. */
int cmd_paths_known_with(const struct cmd_call *c, const char *path, struct err *err);

/**
 * Remove each path that is given twice and, unless nested ones stay, each that lies in another.
 * The others keep their order.
 */
void cmd_paths_prune(struct cmd_paths *paths, bool nested_stay);
/**
 * Fill an empty set with the paths, numbered by position.  They are borrowed: the set ends before
 * a prune.
 */
void cmd_paths_set(const struct cmd_paths *paths, struct pathset *set);
/** Free the paths. */
void cmd_paths_release(struct cmd_paths *paths);

/** Hint on msg that the index has more, where a shell's directory was asked about in vain. */
void cmd_paths_hint_all(const struct cmd_call *c);

/**
 * Warn on msg if two operands may show the same files: then a copy in one may be the file in the
 * other.  a and b are absolute paths of the indexes given; NULL: this one.  Returns 1 or 0, or -1.
 */
int cmd_paths_may_share(const struct cmd_call *c, const char *a, const struct indexes_other *of_a, const char *b,
                        const struct indexes_other *of_b, struct err *err);

/**
 * Check the two operands of a comparison, and find the indexes that have them (NULL: this one).
 * They must not be one directory or file; with two indexes one path may mean two disks.  needs says
 * in words what the command takes.  Returns 0 or -1.
 */
int cmd_paths_two(const struct cmd_call *c, const struct indexes_other *of[2], const char *needs, struct err *err);

/** Whether an absolute path that leads nowhere names a member of an archive: a file, "!/", more. */
bool cmd_paths_is_member(const char *path);

/** Refuse a value of --name that no name matches.  Returns 0, or -1 with ERR_USAGE. */
int cmd_paths_check_names(const struct opt_list *names, struct err *err);

#endif
