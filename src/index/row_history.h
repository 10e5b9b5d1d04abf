/* SPDX-License-Identifier: MIT */
/* row_history - what rows were before a run changed them. */
#ifndef INDEX_ROW_HISTORY_H
#define INDEX_ROW_HISTORY_H

#include "index/file.h"

struct index;

/**
 * Changes belong to the run with this number of the journal from now on; 0: to none.  Directories
 * from first_dir on are new in it: neither they nor their files need entries.  Without this call
 * changes belong to the next run.  Inside a transaction.  Returns 0 or -1.
 */
int row_history_begin(struct index *ix, int64_t run, int64_t first_dir, struct err *err);

/**
 * Keep a file's row before the caller changes or drops it.  Of a run's calls for a name the first
 * one counts.  Inside the transaction of the change.  Returns 0 or -1.
 */
int row_history_file(struct index *ix, int64_t dir, const char *name, size_t len, struct err *err);
/** As row_history_file, by the stored name. */
int row_history_stored(struct index *ix, int64_t dir, const char *name, size_t len, struct err *err);
/** Keep that there is no row of this name, before the caller writes one. */
int row_history_new(struct index *ix, int64_t dir, const char *name, size_t len, struct err *err);

/** What is kept of a file. */
struct row_history_entry {
	struct file_row row;   /* size -1: there was none */
	bool left_out;         /* dropped because options leave the file out */
};

/**
 * Entries to be written together, for a third of the time.  Zero it, row_history_batch_release()
 * it.
 */
struct row_history_batch {
	VEC(struct row_history_entry) v;
	struct arena names;
	bool odd;              /* an entry is left out, or its name is not UTF-8 */
};

/**
 * As row_history_file and row_history_new, with a row that the caller has read.  Call
 * row_history_write before the transaction ends.
 */
int row_history_add(struct index *ix, struct row_history_batch *b, const struct file_row *row, bool left_out, struct err *err);
int row_history_add_new(struct index *ix, struct row_history_batch *b, int64_t dir, const char *name, size_t len, struct err *err);
int row_history_write(struct index *ix, struct row_history_batch *b, struct err *err);
void row_history_batch_release(struct row_history_batch *b);

/**
 * As row_history_dir for n directories; with rows keep all their rows, too, before the caller drops
 * any of them.  Makes room for all at once, as far as it is known how many rows they have.
 */
int row_history_dirs(struct index *ix, const int64_t *dirs, size_t n, bool rows, struct err *err);

/** Keep where a directory is, before the caller moves or drops its row. */
int row_history_dir(struct index *ix, int64_t dir, struct err *err);
/** Private: where a directory was. */
struct row_history_place {
	int64_t dir, parent;
	const char *name;   /* as stored */
};
/** The directories that acts dropped before the next run, by their places; zero it. */
struct row_history_dropped {
	/* private */
	VEC(struct row_history_place) places;
	struct table by_place;
	struct arena memory;
	bool loaded;
};
/**
 * Find the number of a directory that an act has dropped, by its parent and name: its row and
 * those of its files may come back as they were, and nothing has changed then.  The first call
 * reads all of them.  Returns 1 with *dir, 0 or -1.
 */
int row_history_dropped_dir(struct index *ix, struct row_history_dropped *d, int64_t parent, const char *name, int64_t *dir, struct err *err);
/** Free the memory. */
void row_history_dropped_release(struct row_history_dropped *d);
/** Keep that the run makes directories, before the caller writes the first. */
int row_history_new_dirs(struct index *ix, struct err *err);

/** Find the largest number that a directory of the history has; 0 without one. */
int row_history_last_dir(const struct index *ix, int64_t *last, struct err *err);

/** Drop entries of directories that the index has forgotten, and of their files. */
int row_history_forget_dirs(struct index *ix, struct err *err);
/** Drop the entries of a file that the caller forgets. */
int row_history_forget_file(struct index *ix, int64_t dir, const char *name, size_t len, struct err *err);

/**
 * At the end of a run: drop entries that are too old, or too many for the number of rows; those of
 * the run itself stay.
 */
int row_history_prune(struct index *ix, struct err *err);

/** How long history is kept, in seconds; 0: nothing is. */
int row_history_age(const struct index *ix, int64_t *age, struct err *err);
/**
 * Set the age, before the run changes anything.  0 drops all entries and keeps none of this run;
 * after 0 history begins with the next run.  Inside a transaction.  Returns 0 or -1.
 */
int row_history_set_age(struct index *ix, int64_t age, struct err *err);
/** Find the first run whose state is known. */
int row_history_from(const struct index *ix, int64_t *run, struct err *err);

#endif
