/* SPDX-License-Identifier: MIT */
/*
 * out_format - private to ui/out and its formats: a listing while it is printed, and what a
 * format does.
 */
#ifndef UI_OUT_FORMAT_H
#define UI_OUT_FORMAT_H

#include "query/answer.h"
#include "trees/tree_answer.h"
#include "ui/hyperlink.h"
#include "ui/out_style.h"

struct out;

/** Print a struct of a query into o->text. */
typedef void out_print_fn(struct out *o, const void *record);

/**
 * One format.  The functions append to o->text, which ui/out writes to the
 * stream; so they cannot fail.  NULL: this format prints nothing there.
 */
struct out_format_ops {
	void (*begin)(struct out *o);  /* before the first record, or the end without records */
	/** A record of o->style.kind; of OUT_DIRS a struct dir_answer, in text a dirs_answer. */
	out_print_fn *record;
	out_print_fn *totals;          /* of that kind */
	out_print_fn *dir;             /* a struct subdir_answer */
	void (*end)(struct out *o);    /* only of a listing that is complete */
	void (*release)(struct out *o); /* always, and last: free what begin made, if it ran */
};

extern const struct out_format_ops out_text_ops, out_columns_ops, out_fdupes_ops, out_json_ops, out_csv_ops;

/** A listing while it is printed. */
struct out {
	FILE *stream;              /* the caller's */
	struct out_style style;
	const struct out_format_ops *ops;
	size_t cut_len;
	char host[HYPERLINK_HOST]; /* of style.hyperlinks */
	struct buf text;           /* what was not yet given to the stream */
	struct buf scratch;        /* for one function at a time */
	int64_t n;                 /* records so far */
	int64_t most;              /* of OUT_BRIEF: redundant bytes of the first set */
	size_t member;             /* of style.item: what the last record was found as */
	bool begun;
	bool totals;               /* were printed; in text alone more than the end may follow */
	struct out_columns *columns; /* of OUT_COLUMNS: what was collected */
	struct out_csv *csv;       /* of OUT_CSV: its columns */
	bool open_group;           /* fdupes: the last lines have no empty line behind them yet */
	bool failed;
	int sys;                   /* errno of the first failure */
};

/** The text of directories as a whole, in ui/out_trees. */
out_print_fn out_trees_text, out_trees_text_totals;

/** The text of a listing of directories, in ui/out_bars. */
out_print_fn out_bars;

/** The text of a pair of directories, in ui/out_similar. */
out_print_fn out_similar_text;

#endif
