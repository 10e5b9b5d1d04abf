/* SPDX-License-Identifier: MIT */
/* tree_files_contents - what tells contents of two sides apart; the files of a side by content. */
#ifndef TREES_TREE_FILES_CONTENTS_H
#define TREES_TREE_FILES_CONTENTS_H

struct tree_files;
struct tree_files_file;

/** Whether a file is as it was indexed, as far as that can be said now. */
bool tree_files_holds(const struct tree_files_file *f);
/** ... and is known by its content. */
bool tree_files_is_known(const struct tree_files_file *f);
/** Whether two files of at least one byte certainly have one content. */
bool tree_files_equal(const struct tree_files_file *a, const struct tree_files_file *b);
/** Whether two files certainly have different contents. */
bool tree_files_differ(const struct tree_files_file *a, const struct tree_files_file *b);
/** Whether a side has a file of which nothing proves that it differs from others of its size. */
bool tree_files_any_suspect(const struct tree_files *s);

/** The files of a side by what they hold.  Zero it, load it, release it. */
struct tree_files_contents {
	struct table first;      /* of each content, the first file, and those that last longer */
	uint32_t *by_size;       /* those for tree_files_contents_maybe, in order; or NULL */
	size_t n;
};

/** Prepare tree_files_contents_find, and tree_files_contents_maybe if suspects are about. */
void tree_files_contents_load(struct tree_files_contents *c, const struct tree_files *s, bool suspects);

/**
 * A file with the content of f that may be relied on for what may go by itself for the reasons why
 * (index/fleeting), or TREE_FILES_NONE.
 */
uint32_t tree_files_contents_find(const struct tree_files *s, const struct tree_files_contents *c, const struct tree_files_file *f, unsigned why);

/**
 * Whether a file of the side may have f's content, which tree_files_contents_find has not found.
 */
bool tree_files_contents_maybe(const struct tree_files *s, const struct tree_files_contents *c, const struct tree_files_file *f);

/** Free the memory. */
void tree_files_contents_release(struct tree_files_contents *c);

#endif
