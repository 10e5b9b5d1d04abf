/* SPDX-License-Identifier: MIT */
/* out - results on their way to stdout, in one of six formats behind one interface. */
#ifndef UI_OUT_H
#define UI_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/num.h"
#include "query/answer.h"

struct err;
struct dirs_answer;
struct found_answer;
struct mark_answer;
struct mark_totals;
struct numbers;

/** The formats; out_format_names lists their words in this order, NULL at the end. */
enum out_format { OUT_TEXT, OUT_FDUPES, OUT_JSON, OUT_NDJSON, OUT_CSV, OUT_NULL };
extern const char *const out_format_names[];

/** What the records of one listing are; it decides the text layout, the JSON key and the CSV header. */
enum out_kind {
	OUT_STATES,  /* files with their states (ls, file) */
	OUT_PATHS,   /* files of one state: text shows the bare path (dups, uniques) */
	OUT_SETS,    /* sets of duplicates (report) */
	OUT_DIRS,    /* directories with what lies below them (du, waste, tree) */
	OUT_FOUND,   /* files and directories that a name was found at (where) */
	OUT_MARKS    /* decisions (marks) */
};

/** How text shows files. */
enum out_layout {
	OUT_LINES,   /* as the kind says, a line for each */
	OUT_LONG,    /* a line with state, size, copies, redundant bytes and time of modification */
	OUT_COLUMNS  /* of one directory: short names in columns, each with a letter for its state */
};

/** How to print. */
struct out_style {
	enum out_format format;
	enum out_kind kind;
	enum out_layout layout; /* text only */
	enum num_units units;  /* text only; other formats always say bytes */
	bool escape;           /* text: names through name_show, for terminals; OUT_COLUMNS always does */
	bool color;            /* text: ANSI colours */
	int width;             /* text: columns of the terminal, or 0 */
	bool utf8;             /* text: the terminal shows UTF-8 */
	bool links;            /* hard links count as copies: fdupes and null print them, too */
	const char *cut;       /* path prefix to leave out of every path, or NULL (dupd's --cut); of OUT_COLUMNS: the directory */
	struct numbers *results; /* note there what is listed; or NULL.  Borrowed until out_close */
	bool numbers;          /* text: show the numbers that it has there */
	const struct numbers *of; /* text: files are shown with the numbers that they have there, */
	size_t item;           /* ... as members of this item, or itself */
};

struct out;

/** Start a listing on stream, which stays the caller's, and in style->results, which its first file or set clears.  Returns an owned printer for out_close. */
struct out *out_open(FILE *stream, const struct out_style *style);

/** Print one file with its members, if it has any.  Returns 0, or -1 once the stream has failed (stop then). */
int out_file(struct out *o, const struct file_answer *f);

/** Print a subdirectory that the listing does not go into; only OUT_COLUMNS shows it.  Returns as out_file. */
int out_dir(struct out *o, const char *path, enum dir_state state);

/** Print one set.  Returns as out_file. */
int out_set(struct out *o, const struct set_answer *s);

/** Print a listing of directories, which is delivered at once, for its columns.  Returns as out_file. */
int out_dirs(struct out *o, const struct dirs_answer *d);

/** Print a file or directory that was found.  Returns as out_file. */
int out_found(struct out *o, const struct found_answer *f);

/** Print one decision; fdupes and null print only the paths of those in effect.  Returns as out_file. */
int out_mark(struct out *o, const struct mark_answer *m);

/** Print the totals of a report; only text, json and ndjson show them. */
int out_totals(struct out *o, const struct set_totals *t);
/** The same of decisions. */
int out_mark_totals(struct out *o, const struct mark_totals *t);

/**
 * Finish the listing (close brackets), flush, free o.  Returns ret when that
 * is negative (err already tells why), else 0, or -1 with ERR_OUTPUT when anything could not be written.
 */
int out_close(struct out *o, int ret, struct err *err);

#endif
