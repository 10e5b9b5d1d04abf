/* SPDX-License-Identifier: MIT */
/* import - listings of other programs, read to the end: which format, which records are files. */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include "import/entry.h"
#include "import/source.h"

/** Formats; their words are claim_source.kind. */
enum import_kind { IMPORT_GUESS, IMPORT_LSJSON, IMPORT_SUMS, IMPORT_HASHDEEP, IMPORT_RESTIC, IMPORT_BORG, IMPORT_S3, IMPORT_EFU, IMPORT_CSV, IMPORT_KINDS };

/** Their words, NULL at the end, for an option. */
extern const char *const import_words[IMPORT_KINDS + 1];

/** A listing that is read.  Set what is told, zero the rest. */
struct import {
	enum import_kind kind;       /* IMPORT_GUESS: told by the first lines, and set */
	struct parser parser;        /* db and options; the rest is set */
	struct source source;
	/** Gets each file.  Returns 0, or -1 with *err. */
	int (*file)(void *arg, const struct claim *claim, struct err *err);
	/** Is told of a record that is not understood, on this line. */
	void (*bad_record)(void *arg, int64_t line, const char *why);
	void *arg;
	int64_t records, left_out, bad;
};

/**
 * Read all.  Returns 0, or -1 with *err: ERR_USAGE for what is no listing, is damaged, or has more
 * than one bad record in a hundred.  Frees what it made.
 */
int import_run(struct import *im, struct err *err);

#endif
