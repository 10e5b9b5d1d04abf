/* SPDX-License-Identifier: MIT */
/*
 * work - the index asked, marks written and disks looked at by threads: a person at the keys never
 * waits for any of it.
 */
#ifndef BROWSE_WORK_H
#define BROWSE_WORK_H

#include "index/mark.h"

struct cmd_call;
struct copies_answer;
struct level;
struct level_marks;
struct look;
struct work;

/** What is done. */
enum work_kind {
	WORK_LEVEL,      /* a directory loaded */
	WORK_MARK,       /* the files at and below a path marked */
	WORK_UNDO,       /* the last marks taken back */
	WORK_LOOK,       /* a file and its copies looked at */
	WORK_PLACES,     /* where the contents of a directory have copies */
	WORK_GAPS,       /* what was not judged at and below a directory */
	WORK_WATCH       /* whether others have changed the index, while nothing is asked */
};

/** Whether it changes marks. */
static inline bool
work_marks(enum work_kind kind)
{
	return kind == WORK_MARK || kind == WORK_UNDO;
}

/** What is asked, and its result.  The caller of work_take owns it, for work_job_free. */
struct work_job {
	struct work_job *next;   /* private */
	enum work_kind kind;
	char *path;              /* owned; what was asked about, or NULL; of marks done, where */
	enum mark_decision decision;
	struct level *level;     /* of WORK_LEVEL; NULL: it failed.  May be taken out */
	struct look *look;       /* of WORK_LOOK; the same */
	/**
	 * Of WORK_MARK and WORK_UNDO: what became of the directory that was loaded last.  NULL: it
	 * failed, or the index is another one by now; the directory is to be loaded anew.
	 */
	struct level_marks *marks;
	struct copies_answer *places;   /* of WORK_PLACES; the same */
	char *text;              /* owned; what is to be said of it, or NULL.  May be taken out */
	bool changed;            /* of WORK_WATCH: they have; the directory is to be loaded anew */
	enum err_code code;      /* of the error that the text is, or ERR_NONE */
	bool fatal;              /* ... after which nothing can be shown */
};

/**
 * Start the threads, which open the index of c for themselves.  Returns 0 with an owned *w, or -1.
 */
int work_open(struct work **w, const struct cmd_call *c, struct err *err);
/** End what is under way, drop what waits, and free.  Accepts NULL. */
void work_close(struct work *w);

/**
 * Ask for something about a path, or NULL for WORK_UNDO; decision is that of WORK_MARK, where
 * MARK_NONE clears.  Where the index does not have the path, WORK_LEVEL loads the nearest directory
 * above it.  All marks are written, in their order.  A new job of any other kind replaces those of
 * its kind that wait: only the newest is wanted.
 */
void work_ask(struct work *w, enum work_kind kind, const char *path, enum mark_decision decision);

/** A descriptor that can be read while something is done and not taken yet. */
int work_fd(const struct work *w);
/** Take what was done first, or NULL. */
struct work_job *work_take(struct work *w);
/** Whether something is asked for and not done yet. */
bool work_is_busy(struct work *w);
/** Whether marks are to be written or taken back still. */
bool work_is_marking(struct work *w);
/** Free.  Accepts NULL. */
void work_job_free(struct work_job *job);

#endif
