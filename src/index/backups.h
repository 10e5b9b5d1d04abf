/* SPDX-License-Identifier: MIT */
/*
 * backups - the directories that were declared to be backups: what lies there is never offered to
 * go, and counts as a copy only where that is asked for.
 */
#ifndef INDEX_BACKUPS_H
#define INDEX_BACKUPS_H

struct db;

/** All of an index; zeroed: none. */
struct backups {
	char **v;              /* owned; absolute */
	size_t n, cap;
	struct pathset paths;  /* of these, by position */
};

/**
 * Forget what was declared before; then declare the directories that the index keeps with its
 * roots, and n others, by absolute paths, each also by all other paths at which it is mounted now.
 * Returns 0 or -1.
 */
int backups_declare(struct backups *b, struct db *db, const char *const *dirs, size_t n, struct err *err);
/** Copy into an empty one. */
void backups_copy(struct backups *to, const struct backups *from);
void backups_release(struct backups *b);

/** Whether the absolute path is a backup, or lies in one. */
bool backups_has(const struct backups *b, const char *path);
/**
 * Whether path lies at or below one of n directories that is itself a backup, or lies in one: who
 * names such a directory means the backup.
 */
bool backups_names(const struct backups *b, const char *const *dirs, size_t n, const char *path);

/**
 * Keep with the innermost root above a directory, or there, that it is a backup, or no longer.
 * Inside a transaction.  Returns 1: noted, 0: it was so before, or no root is above it; or -1.
 */
int backups_keep(struct db *db, const char *dir, bool is, struct err *err);

#endif
