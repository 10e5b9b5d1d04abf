/* SPDX-License-Identifier: MIT */
/*
 * work - the index asked, and marks written, by a thread of its own: a person at the keys never
 * waits for either.
 */
#ifndef BROWSE_WORK_H
#define BROWSE_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "index/mark.h"

struct cmd_call;
struct err;
struct level;
struct level_marks;
struct look;
struct work;

/** What is done. */
enum work_kind {
	WORK_LEVEL,      /* a directory loaded */
	WORK_LOOK,       /* a file and its copies looked at */
	WORK_MARK,       /* the files at and below a path marked */
	WORK_UNDO        /* the last marks taken back */
};

/** What came of it; owned by who takes it, for work_done_free. */
struct work_done {
	struct work_done *next;  /* private */
	enum work_kind kind;
	struct level *level;     /* of WORK_LEVEL; NULL: it failed.  May be taken out */
	struct look *look;       /* of WORK_LOOK; the same */
	/**
	 * Of WORK_MARK and WORK_UNDO: what became of the directory that was loaded last.  NULL: it
	 * failed, or the index is another one by now; the directory is to be loaded anew.
	 */
	struct level_marks *marks;
	char *text;              /* owned; what is to be said of it, or NULL */
	bool fatal;              /* the text is an error after which nothing can be shown */
};

/**
 * Start the thread, which opens the index of c for itself.  Returns 0 with an owned *w, or -1.
 */
int work_open(struct work **w, const struct cmd_call *c, struct err *err);
/** End what is under way, drop what waits, and free.  Accepts NULL. */
void work_close(struct work *w);

/**
 * Ask for the directory at a path, or the nearest one above it that the index has.  What waits of
 * this kind is dropped: only the newest is wanted.
 */
void work_level(struct work *w, const char *path);
/** The same for a look at the file at a path. */
void work_look(struct work *w, const char *path);
/** Mark what is at and below a path; MARK_NONE clears.  All are done, in their order. */
void work_mark(struct work *w, const char *path, enum mark_decision decision);
/** Take back the marks that were made last. */
void work_undo(struct work *w);

/** A descriptor that can be read while something is done and not taken yet. */
int work_fd(const struct work *w);
/** Take what was done first, or NULL. */
struct work_done *work_take(struct work *w);
/** Whether something is asked for and not done yet. */
bool work_is_busy(struct work *w);
/** Free.  Accepts NULL. */
void work_done_free(struct work_done *d);

#endif
