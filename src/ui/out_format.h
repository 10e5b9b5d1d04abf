/* SPDX-License-Identifier: MIT */
/* out_format - what ui/out and its formats share; nobody else includes it. */
#ifndef UI_OUT_FORMAT_H
#define UI_OUT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "query/answer.h"
#include "ui/out.h"

/**
 * One format.  The functions append to o->text, which ui/out writes to the
 * stream; so they cannot fail.  NULL: this format prints nothing there.
 */
struct out_format_ops {
	void (*begin)(struct out *o);  /* before the first record, or before the end when there is none */
	void (*file)(struct out *o, const struct file_answer *f);
	/** Only of what lists subdirectories. */
	void (*dir)(struct out *o, const char *path, enum dir_state state);
	void (*set)(struct out *o, const struct set_answer *s);
	void (*dirs)(struct out *o, const struct dirs_answer *d);
	void (*found)(struct out *o, const struct found_answer *f);
	void (*totals)(struct out *o, const struct set_totals *t);
	void (*mark)(struct out *o, const struct mark_answer *m);
	void (*mark_totals)(struct out *o, const struct mark_totals *t);
	void (*end)(struct out *o);    /* only of a listing that is complete */
	void (*release)(struct out *o); /* in any case, at last: free what begin made, if it was called */
};

extern const struct out_format_ops out_text_ops, out_columns_ops, out_fdupes_ops, out_json_ops, out_ndjson_ops, out_csv_ops;

/** A listing while it is printed. */
struct out {
	FILE *stream;              /* the caller's */
	struct out_style style;
	const struct out_format_ops *ops;
	size_t cut_len;
	struct buf text;           /* what was not yet given to the stream */
	struct buf scratch;        /* for one function at a time */
	int64_t n;                 /* records so far */
	size_t member;             /* of style.item: what the last record was found as */
	bool begun;
	bool totals;               /* were printed; nothing but the end may follow */
	struct out_columns *columns; /* of OUT_COLUMNS: what was collected */
	bool open_group;           /* fdupes: the last lines have no empty line behind them yet */
	bool failed;
	int sys;                   /* errno of the first failure */
};

/** path without the prefix that the style says to leave out.  Borrowed from path. */
const char *out_cut(const struct out *o, const char *path);

/** Give the text to the stream when it is long: call it between the members of a record, which may be millions. */
void out_flow(struct out *o);

/** Append a word of ours in a colour (SGR parameters, or NULL), if the style has colours. */
void out_word(struct out *o, const char *word, const char *color);

/** Append the decision about a file, behind its path; of none nothing. */
void out_decision(struct out *o, enum mark_decision mark);

/** The colours of the states, NULL where there is none. */
extern const char *const out_state_colors[];

/** Append the columns of OUT_LONG between the state and the path, with the blanks behind them. */
void out_long(struct out *o, const struct file_answer *f);
/** A share in tenths of a percent, rounded down; -1 of nothing. */
int64_t out_share(int64_t part, int64_t whole);

/** The text of a listing of directories: ui/out_bars. */
void out_bars(struct out *o, const struct dirs_answer *d);

/** Append a hash as hexadecimal digits. */
void out_hex(struct buf *b, const uint8_t *hash);

/** Append bytes in base64 (RFC 4648, padded). */
void out_base64(struct buf *b, const char *data, size_t len);

/** Append a decimal number; much faster than buf_addf. */
void out_int(struct buf *b, int64_t n);

/** Append an inode number: as the system has it, without sign. */
void out_inode(struct buf *b, int64_t inode);

#endif
