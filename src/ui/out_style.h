/* SPDX-License-Identifier: MIT */
/* out_style - how a listing is to be printed: what its records are, in which format and layout. */
#ifndef UI_OUT_STYLE_H
#define UI_OUT_STYLE_H

#include "ui/near.h"

struct ls_colors;
struct numbers;

/** The formats; out_format_names lists their words in this order. */
enum out_format { OUT_TEXT, OUT_FDUPES, OUT_JSON, OUT_NDJSON, OUT_CSV, OUT_NULL };

/**
 * What the records of one listing are; it decides the text layout, the JSON key and the CSV
 * header.
 */
enum out_kind {
	OUT_STATES,  /* files with their states (ls, file) */
	OUT_PATHS,   /* files of one state: text shows the bare path (dups, uniques) */
	OUT_SETS,    /* sets of duplicates (report) */
	OUT_DIRS,    /* directories with what lies below them (du, waste, tree) */
	OUT_FOUND,   /* files and directories that a name was found at (where) */
	OUT_MARKS,   /* decisions (marks) */
	OUT_VOLUMES, /* file systems (volumes) */
	OUT_PAIRS,   /* files of two trees (compare) */
	OUT_TREES,   /* directories as a whole (redundant) */
	OUT_RISKS,   /* directories of which all is at risk (at-risk) */
	OUT_CHANGES, /* what changed between scans (diff) */
	OUT_SIMILAR, /* pairs of directories that share content (similar) */
	OUT_KINDS
};

/** How text shows files. */
enum out_layout {
	OUT_LINES,   /* as the kind says, a line for each */
	OUT_LONG,    /* a line with state, size, copies, redundant bytes and time of modification */
	/**
	 * Sets: a line for each, with one of its names.  Directories as a whole: a line, where the
	 * terminal is wide enough for what is said.
	 */
	OUT_BRIEF,
	OUT_COLUMNS  /* of one directory: names in columns, with a letter for the state */
};

/** How to print. */
struct out_style {
	enum out_format format;
	enum out_kind kind;
	bool *open;            /* JSON: set when all but out_verdict() is printed; NULL: it ends */
	bool *begun;           /* set when something is printed; or NULL */
	enum out_layout layout; /* text only */
	enum num_units units;  /* text only; other formats always say bytes */
	bool escape;           /* text: names through name_show, for terminals */
	bool color;            /* text: ANSI colours */
	const struct ls_colors *names; /* text: of names; or NULL.  Borrowed until out_close */
	bool hyperlinks;       /* text: paths are links to the files */
	int width;             /* text: columns of the terminal, or 0 */
	bool utf8;             /* text: the terminal shows UTF-8 */
	size_t fold;           /* text: of a set with more members show that many; 0: all */
	bool claims;           /* files are shown with who else claims to have them */
	bool payloads;         /* ... with those that differ from them in tags alone */
	bool joined;           /* members and right directories may be of other indexes */
	bool marked;           /* of OUT_DIRS: with the bytes that are marked drop */
	bool grown;            /* of OUT_DIRS: with what they have grown by */
	bool choices;          /* members of sets say whether they would stay or go */
	bool stays;            /* text: ... or those that would stay are marked, without words */
	bool classes;          /* text: pairs, changes of several classes: show which */
	bool relative;         /* pairs: paths below their trees */
	size_t indent;         /* text: blanks before a pair that has no number */
	bool links;            /* hard links count as copies: fdupes and null print them, too */
	/** Prefix to leave out of paths (dupd's --cut), or NULL; of OUT_COLUMNS: the directory. */
	const char *cut;
	struct near near;      /* text: paths are shown from there.  Borrowed until out_close */
	struct numbers *results; /* note there what is listed; or NULL.  Borrowed until out_close */
	bool numbers;          /* text: show the numbers that it has there */
	const struct numbers *of; /* text: files are shown with the numbers that they have there, */
	size_t item;           /* ... as members of this item, or itself */
};

#endif
