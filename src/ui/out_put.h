/* SPDX-License-Identifier: MIT */
/* out_put - private to ui/out and its formats: pieces of records, and their way to the stream. */
#ifndef UI_OUT_PUT_H
#define UI_OUT_PUT_H

#include "query/answer.h"

struct gaps;
struct out;

/* Colours are SGR parameters; those of names are of $LS_COLORS. */
#define OUT_PUT_BAD "31"
#define OUT_PUT_DIM "2"
#define OUT_PUT_STRONG "1"
#define OUT_PUT_NOTICE "33"

/** The colours of states and decisions; NULL: no colour. */
extern const char *const out_put_state_colors[], *const out_put_mark_colors[];

/** The states of files that are in the situation of a directory, but for DIR_INDEXED. */
extern const enum file_state out_put_dir_looks[];

/** Note that the stream has failed, with errno; the first failure counts. */
void out_put_fail(struct out *o);
/** Give the text to the stream. */
void out_put_deliver(struct out *o);
/**
 * Give the text to the stream when it is long: call it between the members of a record, which may
 * be millions.
 */
void out_put_flow(struct out *o);

/** path without the prefix that the style says to leave out.  Borrowed from path. */
const char *out_put_cut(const struct out *o, const char *path);

/** Append a path as text shows it: on a terminal without what the terminal would act on. */
void out_put_shown(const struct out *o, struct buf *b, const char *path);

/** How a text that is not UTF-8 is shown: name_show, name_show_message. */
typedef void out_put_show_fn(struct buf *b, const char *text, size_t len);
/**
 * The text itself if it is UTF-8, else as show shows it.  Returns *len bytes of UTF-8 with a
 * NUL behind, borrowed until the next call.
 */
const char *out_put_utf8(struct out *o, const char *text, out_put_show_fn *show, size_t *len);

/** Append a path of the listing as text shows it: cut, or from where people are. */
void out_put_path(const struct out *o, struct buf *b, const char *path);
/** The same as a name in colours, and as a link, if the style has these. */
void out_put_name(struct out *o, const char *path, bool dir);
/** What comes before and behind that name, for callers that append its text themselves. */
void out_put_name_begin(struct out *o, const char *path, bool dir);
void out_put_name_end(struct out *o, const char *path, bool dir);
/** The same path with its bytes unchanged, for callers that escape it themselves. */
void out_put_raw(const struct out *o, struct buf *b, const char *path);

/**
 * On a terminal, break what the text has from there on, at blanks.  What it goes on with is behind
 * as many columns as are used before it, and two more.
 */
void out_put_folded(struct out *o, size_t from, int used);

/** Append n blanks. */
void out_put_blanks(struct out *o, size_t n);
/** Append a word of ours in a colour (SGR parameters, or NULL), if the style has colours. */
void out_put_word(struct out *o, const char *word, const char *color);
/** Columns of a bar beside a path: a glance, not a measure. */
#define OUT_PUT_BAR 16
/**
 * Append a bar for n of most bytes in that many columns, in eighths of one in UTF-8, and two
 * blanks.  Only 0 has no bar: less than a step is shown as one.
 */
void out_put_bar(struct out *o, int64_t n, int64_t most, size_t columns);
/** Append the decision about a file, behind its path; nothing for MARK_NONE. */
void out_put_mark(struct out *o, enum mark_decision mark);

/** How much was not judged in a tree: other entries; symbolic links and special files. */
int64_t out_put_gaps(const struct gaps *g);
int64_t out_put_links(const struct gaps *g);

/** part of whole in tenths of a percent, rounded down; -1 where whole is 0. */
int64_t out_put_permille(int64_t part, int64_t whole);

#endif
