/* SPDX-License-Identifier: MIT */
/* schema - create, upgrade, check and repair the tables, indexes and views of an index. */
#ifndef INDEX_SCHEMA_H
#define INDEX_SCHEMA_H

#include "sys/content.h"

struct db;

/** The newest version, kept as user_version. */
#define SCHEMA_VERSION 6
/** The version that brought history, and facts about volumes that are not mounted. */
#define SCHEMA_HISTORY 4
/** The version that brought today's entries of history. */
#define SCHEMA_ENTRIES 6

/** Ids of directories and volumes are from 1 to this, so that there is always a next one. */
#define SCHEMA_MAX_ID (INT64_MAX / 2)

/** Refuse the index at path if its version is too new.  Returns 0, or -1 with ERR_TOO_NEW. */
int schema_not_too_new(const char *path, int64_t version, struct err *err);

/**
 * Make all of the newest version but the indexes on contents,
 * in one transaction.  Returns 0 or -1.
 */
int schema_create(struct db *db, const uint8_t secret[CONTENT_SECRET_SIZE], struct err *err);
/**
 * Turn an older version into the newest, in one transaction; of the newest, make the views that it
 * lacks.  contents: it has the indexes on contents, and gets those of the newest version.  Returns
 * 0 or -1.
 */
int schema_upgrade(struct db *db, int64_t version, bool contents, struct err *err);
/** The same in the transaction of the caller, who may roll it back. */
int schema_upgrade_within(struct db *db, int64_t version, bool contents, struct err *err);

/** What exists in a schema. */
struct schema_state {
	bool contents;       /* the indexes on contents are there: all of them */
	bool validated;      /* the table validated is there, which the first validate makes */
	bool digests;        /* the table digest, which the first digest makes */
	bool payloads;       /* the table payload, which the first scan --payload makes */
	bool claims;         /* the tables of claims, which the first import makes */
	bool drawer;         /* the table drawer, which the first name of a disk makes */
	bool names;          /* all tables of all names are there: a scan makes them at its end */
	bool archives;       /* the tables of archives, which the first scan --archives makes */
	bool fleeting;       /* fleeting_view is there, which the next writer makes */
	struct buf lacks;    /* missing indexes; those on contents only if some exist */
};

/**
 * Compare the schema with that of its version, before any other query: a view in a hostile file may
 * never end.  Only indexes may be missing, and tables and views that are made later.
 * Returns 0 with *state, whose buffer the caller releases, or -1: ERR_BAD_INDEX naming the first
 * difference.
 */
int schema_check(struct db *db, int64_t version, struct schema_state *state, struct err *err);

/**
 * Make all indexes of this version anew, from the rows alone.
 * Inside a transaction.  Returns 0 or -1.
 */
int schema_make_indexes(struct db *db, int64_t version, struct err *err);

#endif
