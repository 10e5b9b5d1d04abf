/* SPDX-License-Identifier: MIT */
/* out - results on their way to stdout, in one of six formats behind one interface. */
#ifndef UI_OUT_H
#define UI_OUT_H

#include "query/answer.h"
#include "ui/out_style.h"

struct change_answer;
struct changes_totals;
struct dirs_answer;
struct found_answer;
struct mark_answer;
struct mark_totals;
struct pair_answer;
struct pairs_totals;
struct tree_answer;
struct tree_totals;
struct similar_answer;

/** The words of enum out_format, NULL at the end. */
extern const char *const out_format_names[];

struct out;

/**
 * Start a listing on stream, which stays the caller's, and in style->results, which its first
 * file or set clears.  Returns an owned printer for out_close.
 */
struct out *out_open(FILE *stream, const struct out_style *style);

/**
 * Print one file with its members, if it has any.  Returns 0, or -1 once the stream has failed
 * (stop then).
 */
int out_file(struct out *o, const struct file_answer *f);

/** Print a subdirectory that the listing does not go into; only text does.  Returns as out_file. */
int out_dir(struct out *o, const struct subdir_answer *d);

/** Print one set.  Returns as out_file. */
int out_set(struct out *o, const struct set_answer *s);

/**
 * Print a listing of directories, which is delivered at once, for its columns.  Returns as
 * out_file.
 */
int out_dirs(struct out *o, const struct dirs_answer *d);

/** Print a file or directory that was found.  Returns as out_file. */
int out_found(struct out *o, const struct found_answer *f);

/**
 * Print one decision; fdupes and null print only the paths of those in effect.  Returns as
 * out_file.
 */
int out_mark(struct out *o, const struct mark_answer *m);

/** Print a file system; its directory in the index has the number.  Returns as out_file. */
int out_volume(struct out *o, const struct volume_answer *v);

/**
 * Print one pair; fdupes and null print both paths, or one where they are shown alike.  Returns
 * as out_file.
 */
int out_pair(struct out *o, const struct pair_answer *p);
/** Print two directories that share content; they and their twins have numbers as members. */
int out_similar(struct out *o, const struct similar_answer *s);

/** Print a whole directory; fdupes and null print only those that can go.  Returns as out_file. */
int out_tree(struct out *o, const struct tree_answer *t);
/**
 * Print one change; fdupes and null print its path, and of what has moved both.  Returns as
 * out_file.
 */
int out_change(struct out *o, const struct change_answer *a);

/** Print the totals of a report; only text, json and ndjson show them. */
int out_totals(struct out *o, const struct set_totals *t);
/** The same of decisions. */
int out_mark_totals(struct out *o, const struct mark_totals *t);
/** The same of pairs; text shows none. */
int out_pairs_totals(struct out *o, const struct pairs_totals *t);
/** The same of directories as a whole. */
int out_tree_totals(struct out *o, const struct tree_totals *t);
/** The same of changes; text shows none. */
int out_changes_totals(struct out *o, const struct changes_totals *t);

/**
 * Finish the listing (close brackets), flush, free o.  Returns ret when that
 * is negative (err already tells why), else 0, or -1 with ERR_OUTPUT when anything could not be
 * written.
 */
int out_close(struct out *o, int ret, struct err *err);

#endif
