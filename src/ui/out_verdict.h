/* SPDX-License-Identifier: MIT */
/*
 * out_verdict - the end of a machine-readable answer: verdict and status, which a pipe would lose.
 */
#ifndef UI_OUT_VERDICT_H
#define UI_OUT_VERDICT_H

#include "index/gaps.h"
#include "ui/out_style.h"

/** What is known of an answer beside its records. */
struct out_verdict {
	const char *yes, *no;  /* the words for status 0 and 1; NULL: done, no */
	int exit;            /* the status; words: 2 no_such_path, 3 not_judged, 7 claimed */
	const char *error;   /* why there is no whole answer: the word is error; or NULL */
	struct gaps gaps;    /* what was not judged */
	bool unfinished;     /* a scan has left something undone that the answer needs */
};

/**
 * End a JSON document that out_close() has left open, or an NDJSON stream; not open: nothing was
 * printed before, and the document has no other member.  What went wrong is noted in the stream, as
 * ferror() tells.
 */
void out_verdict(FILE *stream, enum out_format format, bool open, const struct out_verdict *v);

#endif
