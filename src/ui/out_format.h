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

/**
 * One format.  The functions append to o->text, which ui/out writes to the
 * stream; so they cannot fail.  NULL: this format prints nothing there.
 */
struct out_format_ops {
	void (*begin)(struct out *o);  /* before the first record, or the end without records */
	void (*file)(struct out *o, const struct file_answer *f);
	/** Only of what lists subdirectories. */
	void (*dir)(struct out *o, const struct subdir_answer *d);
	void (*set)(struct out *o, const struct set_answer *s);
	void (*dirs)(struct out *o, const struct dirs_answer *d);
	void (*found)(struct out *o, const struct found_answer *f);
	void (*similar)(struct out *o, const struct similar_answer *s);
	void (*totals)(struct out *o, const struct set_totals *t);
	void (*mark)(struct out *o, const struct mark_answer *m);
	void (*pair)(struct out *o, const struct pair_answer *p);
	void (*pairs_totals)(struct out *o, const struct pairs_totals *t);
	void (*change)(struct out *o, const struct change_answer *a);
	void (*changes_totals)(struct out *o, const struct changes_totals *t);
	void (*mark_totals)(struct out *o, const struct mark_totals *t);
	void (*volume)(struct out *o, const struct volume_answer *v);
	void (*tree)(struct out *o, const struct tree_answer *t);
	void (*tree_totals)(struct out *o, const struct tree_totals *t);
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
	bool totals;               /* were printed; nothing but the end may follow */
	struct out_columns *columns; /* of OUT_COLUMNS: what was collected */
	bool open_group;           /* fdupes: the last lines have no empty line behind them yet */
	bool failed;
	int sys;                   /* errno of the first failure */
};

/** The text of directories as a whole, in ui/out_trees. */
void out_trees_text(struct out *o, const struct tree_answer *t);
void out_trees_text_totals(struct out *o, const struct tree_totals *t);

/** The text of a listing of directories, in ui/out_bars. */
void out_bars(struct out *o, const struct dirs_answer *d);

/** The text of a pair of directories, in ui/out_similar. */
void out_similar_text(struct out *o, const struct similar_answer *s);

#endif
