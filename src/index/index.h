/* SPDX-License-Identifier: MIT */
/* index - open and close an index; tell whether it changed, and what its last scan left undone. */
#ifndef INDEX_INDEX_H
#define INDEX_INDEX_H

#include "index/backups.h"
#include "index/drawer.h"
#include "sys/content.h"

struct db;

/** How to open. */
enum index_flags {
	INDEX_WRITE = 1,    /* take the writer's lock; make the index if it is missing */
	INDEX_WAIT = 2,     /* wait for another writer */
	INDEX_EXISTING = 4, /* with INDEX_WRITE: there must be an index */
	INDEX_VIEWS = 8,    /* for SQL that people write */
	INDEX_AS_IS = 16,   /* with INDEX_WRITE: an older index is not upgraded */
	INDEX_EXCLUSIVE = 32, /* with INDEX_WRITE: readers of a new one wait for db_publish */
	INDEX_LACKING = 64  /* indexes of its tables may be missing: see schema_state */
};

/** What the last scan left undone; kept in the index by these numbers. */
enum index_pending {
	INDEX_WHOLE,
	INDEX_UNMET,        /* it did not meet every file: rows are missing or old */
	INDEX_UNREAD        /* it did not read all that it must: unique is not proven everywhere */
};

/** An open index. */
struct index {
	struct db *db;
	char *path;           /* owned; absolute */
	int lock;             /* the writer's, or -1 */
	int bar;              /* of a reader that needs it: lock_bar's, else -1 */
	uint8_t secret[CONTENT_SECRET_SIZE];
	enum index_pending pending;
	int64_t compared;     /* index_set_compared's size; INT64_MAX: it is not known */
	bool compared_noted;  /* ... private: the file has it */
	bool content_index;   /* the indexes on contents exist */
	bool killed;          /* for a reader: the run that the journal calls running was killed */
	char *lacks;          /* owned; with INDEX_LACKING: indexes that are missing, or NULL */
	int64_t version;      /* of the schema that the file has now */
	bool marks;           /* there are marks */
	bool validated;       /* the table validated is there (index/validated) */
	bool digests;         /* the table digest is there (index/digests) */
	bool payloads;        /* the table payload is there (index/payloads) */
	bool claims;          /* the tables of claims are there (index/claims) */
	struct drawer drawer; /* names of disks: index/drawer */
	bool archives;        /* the tables of archives are there (index/archives) */
	struct backups backups;   /* declared: index/backups */
	bool members;         /* its files are members of an archive: there, and never read */
	bool names;           /* the tables of all names are there (index/name_index) */
	bool fleeting_view;   /* the view fleeting_view is there */
	/* Private to index/timeless. */
	VEC(uint64_t) doubts; /* hashes of files judged by signatures that prove nothing */
	char *first_doubt;    /* owned; the path of the first, or NULL */
	/* Private to index/name_index. */
	int64_t names_added;  /* since the others were put in order */
	int64_t names_most;   /* the most that may be added; 0: not known yet */
	/* Private to index/row_history. */
	int64_t run;          /* changes belong to it; 0: not known yet; -1: to none */
	int64_t first_dir;    /* directories from this one on are new in the run */
	int64_t kept;         /* entries of the run */
	int64_t kept_next;    /* number of its entries at which older ones are counted again */
};

/**
 * Append the default path: $TWINDEX_DB, else $XDG_STATE_HOME/twindex/index.db
 * (when that is absolute), else ~/.local/state/twindex/index.db.
 * Returns 0, or -1 with ERR_USAGE when there is no home directory.
 */
int index_default_path(struct buf *b, struct err *err);

/**
 * Open the index at path.  A new one is made with INDEX_WRITE (directory
 * 0700, file 0600), an older one is upgraded in one transaction then.  A
 * reader takes an older one as it is: version says what it lacks.
 * secret_from, if not NULL, names an index whose secret a new one shares, so that hashes can be
 * compared.
 *
 * Returns 0 with an owned *ix for index_close, or -1: ERR_NO_INDEX,
 * ERR_BAD_INDEX, ERR_TOO_NEW, ERR_BUSY, ERR_SYS, ERR_DB.
 */
int index_open(struct index **ix, const char *path, enum index_flags flags, const char *secret_from,
               struct err *err);
/**
 * Make an empty index in memory, with the secret and the path of another one.  What is written to
 * it is gone when it is closed.  Returns 0 with an owned *ix for index_close, or -1: ERR_DB.
 */
int index_open_memory(struct index **ix, const struct index *like, struct err *err);
/** Close; a writer moves the log into the file and gives up the lock.  Accepts NULL. */
void index_close(struct index *ix);

/** The state of an index: the file at its path, and how often others have written to it. */
struct index_state {
	int64_t version;      /* a connection's own count: of one struct index alone */
	uint64_t dev, inode;
};

/** Note the present state.  Returns 0, or -1 with *err. */
int index_note_state(struct index *ix, struct index_state *state, struct err *err);
/** Whether the state differs now: others wrote, or the file was removed or replaced. */
bool index_has_changed(struct index *ix, const struct index_state *state);

/**
 * Note in the index what the scan left undone.  A change makes index_set_compared's note void.
 * Inside a transaction.
 */
int index_set_pending(struct index *ix, enum index_pending pending, struct err *err);
/** Note that something of any size may have to be read.  Inside a transaction. */
int index_set_unread(struct index *ix, struct err *err);
/**
 * With INDEX_UNREAD, note that all files of this size and more were compared: as with INDEX_WHOLE,
 * every claim about these is proven.  Does nothing in another state.  Inside a transaction.
 */
int index_set_compared(struct index *ix, int64_t size, struct err *err);
/** Whether every claim about the files of this size is proven, as far as these can be read. */
bool index_is_compared(const struct index *ix, int64_t size);

/**
 * Let SQLite make the indexes on contents if they are not there
 * yet.  Inside a transaction.  Returns 0 or -1.
 */
int index_make_contents(struct index *ix, struct err *err);

#endif
