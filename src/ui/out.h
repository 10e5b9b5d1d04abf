/* SPDX-License-Identifier: MIT */
/* out - results on their way to stdout, in one of six formats behind one interface. */
#ifndef UI_OUT_H
#define UI_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/num.h"

struct err;
struct file_answer;
struct mark_answer;
struct mark_totals;
struct set_answer;
struct set_totals;

/** The formats; out_format_names lists their words in this order, NULL at the end. */
enum out_format { OUT_TEXT, OUT_FDUPES, OUT_JSON, OUT_NDJSON, OUT_CSV, OUT_NULL };
extern const char *const out_format_names[];

/** What the records of one listing are; it decides the text layout, the JSON key and the CSV header. */
enum out_kind {
	OUT_STATES,  /* files with their states (ls, file) */
	OUT_PATHS,   /* files of one state: text shows the bare path (dups, uniques) */
	OUT_SETS,    /* sets of duplicates (report) */
	OUT_MARKS    /* decisions (marks) */
};

/** How to print. */
struct out_style {
	enum out_format format;
	enum out_kind kind;
	enum num_units units;  /* text only; other formats always say bytes */
	bool escape;           /* text: names through name_show, for terminals */
	bool color;            /* text: ANSI colours */
	const char *cut;       /* path prefix to leave out of every path, or NULL (dupd's --cut) */
};

struct out;

/** Start a listing on stream, which stays the caller's.  Returns an owned printer for out_close. */
struct out *out_open(FILE *stream, const struct out_style *style);

/** Print one file with its members, if it has any.  Returns 0, or -1 once the stream has failed (stop then). */
int out_file(struct out *o, const struct file_answer *f);

/** Print one set.  Returns as out_file. */
int out_set(struct out *o, const struct set_answer *s);

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
