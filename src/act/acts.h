/* SPDX-License-Identifier: MIT */
/* acts - the journal of acts: a file of lines beside the index, only ever appended to. */
#ifndef ACT_ACTS_H
#define ACT_ACTS_H

#include "act/act.h"

struct fs_stat;
struct locked_file;
struct index;

/** The word that lines of a kind of act begin with. */
const char *acts_word(enum act_kind kind);

/** The first line of a journal, without its end. */
#define ACTS_FIRST_LINE "twindex acts 1"

/**
 * A run of acts on its way to the journal.  Lines, with tabs between their fields, names escaped
 * as on a terminal (base/name, name_show):
 *
 *	twindex acts 1             the first line of the file
 *	run RUN COMMAND            RUN is the time at which it began, in nanoseconds since 1970
 *	remove RUN NUMBER SIZE MTIME MODE UID GID ATTRS HASH VICTIM KEEPER
 *	trash ...                  the same, into the trash of the volume
 *	hardlink, softlink, reflink ...  the same, for links
 *	rescue ...                 the same, of KEEPER: VICTIM becomes a copy of it with all of that
 *	to RUN NUMBER PATH         where that act has moved its file
 *	same RUN NUMBER OF_NUMBER  its file was another name of the file of that earlier act
 *	undo RUN NUMBER OF_RUN OF_NUMBER  takes that act of another run back
 *	not RUN NUMBER             that act did not happen, after all
 *	dir RUN NUMBER MODE UID GID ATTRS PATH  a directory that may be removed once it is empty
 *	made RUN NUMBER PATH       a directory that is made for copies
 *	end RUN                    without it the run was killed
 *
 * MTIME is SECONDS.NANOSECONDS, MODE octal, ATTRS as of sys/attrs.  The line of an act is on the
 * disk before the act.
 */
struct acts {
	int fd;              /* -1 until the first act */
	char *path;          /* owned */
	int64_t run;
	int64_t number;      /* of the last act */
	struct buf lines;    /* not written yet */
};

/**
 * Begin a run: open the journal of an index, making it (0600) if it is missing.  Returns 0, or -1
 * with *err.
 */
int acts_begin(struct acts *a, const struct index *ix, const char *command, struct err *err);

/** Add the line of an act that is about to be done.  Returns its number. */
int64_t acts_add(struct acts *a, enum act_kind kind, const struct locked_file *victim, const uint8_t hash[HASH_SIZE],
                 const char *keeper);
/** Add that a copy is about to be made of an open file.  Returns the number of the act. */
int64_t acts_add_copy(struct acts *a, const struct locked_file *original, const uint8_t hash[HASH_SIZE], const char *copy);
/** Add that a directory is about to be made. */
void acts_add_made(struct acts *a, const char *path);
/** Add that the file of an act of this run is another name of that of an earlier one. */
void acts_add_same(struct acts *a, int64_t number, int64_t of_number);
/** Add that an act of another run is about to be taken back.  Returns the number of this one. */
int64_t acts_add_undo(struct acts *a, int64_t of_run, int64_t of_number);
/** Add where an act of this run has moved its file. */
void acts_add_to(struct acts *a, int64_t number, const char *path);
/** Add what an open directory is, which may be removed once it is empty. */
void acts_add_dir(struct acts *a, int fd, const struct fs_stat *st, const char *path);
/** Add that an act of this run did not happen. */
void acts_add_not(struct acts *a, int64_t number);
/** Write what was added, and see it to the disk.  Returns 0, or -1 with ERR_SYS. */
int acts_sync(struct acts *a, struct err *err);
/**
 * End the run and close the journal.  ret is what the run returned so far.  Returns ret, or -1
 * with *err if the last lines could not be written.
 */
int acts_end(struct acts *a, int ret, struct err *err);

#endif
