/* SPDX-License-Identifier: MIT */
/*
 * numbers - what the last listing named, by number, so that a person can say 3 or 3.2 instead of
 * a path.
 */
#ifndef UI_NUMBERS_H
#define UI_NUMBERS_H

struct member;

/**
 * What the last listing named: sets or files, numbered from 1, each with its members numbered
 * from 1.
 */
struct numbers;

/** Make an empty listing of files.  Returns an owned struct for numbers_free. */
struct numbers *numbers_new(void);
/** Free r; NULL is allowed. */
void numbers_free(struct numbers *r);

/**
 * Forget everything: a new listing begins, of sets or of files; dirs: its paths are those of
 * directories.  All paths that were handed out end here.
 */
void numbers_clear(struct numbers *r, bool sets, bool dirs);

/**
 * Append an item: the file at path (NULL in a listing of sets) with its n
 * members, in the order in which they are shown.  Everything is copied.
 */
void numbers_add(struct numbers *r, const char *path, const struct member *members, size_t n);

/** Append the directory at path, in a listing of files and directories. */
void numbers_add_dir(struct numbers *r, const char *path);

/** Whether the listing is one of sets. */
bool numbers_are_sets(const struct numbers *r);

/** Whether all its paths are those of directories, or those of item i. */
bool numbers_are_dirs(const struct numbers *r);
bool numbers_is_dir(const struct numbers *r, size_t i);

/** The number of items. */
size_t numbers_count(const struct numbers *r);

/** The number of members of item i; 0 where there is no such item. */
size_t numbers_members(const struct numbers *r, size_t i);

/**
 * The path of a member of item i; member 0 is the file itself in a listing of
 * files.  Borrowed until the next numbers_add or numbers_clear: copy it before it is handed
 * to a command, whose listing replaces this one.
 *
 * Returns NULL for numbers out of range and for member 0 of a set.
 */
const char *numbers_path(const struct numbers *r, size_t i, size_t member);

/**
 * Find a path among those of item i: its members, or in a listing of files itself, which is
 * member 0.  The search begins behind *member and goes round: asked in order, each path costs one
 * comparison.
 *
 * Returns whether there is one, with its number in *member.
 */
bool numbers_find(const struct numbers *r, size_t i, const char *path, size_t *member);

/**
 * Read "3" (member becomes 0) or "3.2".  Returns false, and leaves both as
 * they are, when text is no such form: numbers begin with 1 to 9, and nothing
 * stands beside them.
 */
bool numbers_parse(const char *text, size_t *item, size_t *member);

/** Items, or members of one item; a last of SIZE_MAX: to the end. */
struct numbers_range {
	size_t item, last_item;
	size_t member, last_member;   /* 0: the items themselves */
};

/**
 * Read what numbers_parse reads, or a range: "3-9", "3-" to the last item, "3.2-4", "3.2-" to the
 * last member.  Returns false when text is no such form.
 */
bool numbers_parse_range(const char *text, struct numbers_range *range);

#endif
