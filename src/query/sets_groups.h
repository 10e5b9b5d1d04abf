/* SPDX-License-Identifier: MIT */
/*
 * sets_groups - contents that have several names, in one index or several: which of them a query
 * for sets is for, all of them, and quickly the one of a file.
 */
#ifndef QUERY_SETS_GROUPS_H
#define QUERY_SETS_GROUPS_H

#include "index/file.h"
#include "index/gaps.h"
#include "query/answer.h"

/** How many other indexes can be asked. */
#define SETS_INDEXES UINT8_MAX

struct db;
struct indexes;
struct keep;
struct presence_view;

/** Orders of sets; sets_order_names lists their words in this order. */
enum sets_order { SETS_WASTE, SETS_SIZE, SETS_COUNT, SETS_PATH, SETS_TIME };

/** Called for what could not be judged, in no order; as list_gap_fn. */
typedef void sets_gap_fn(void *arg, const char *path, enum gap gap, bool dir, const char *why);

/** Which sets. */
struct sets_query {
	const char *const *dirs;    /* absolute: only sets with a member below one; none: all */
	size_t n_dirs;
	/**
	 * Other indexes, whose files are members, too, at most SETS_INDEXES; or NULL.  They free
	 * nothing, and no set is of them alone.
	 */
	struct indexes *with;
	/** Only sets with members below at least two of dirs; with others: in two indexes. */
	bool across;
	const char *const *names;   /* of base/glob: only members so named count for that */
	size_t n_names;             /* none: all do */
	const char *const *exclude; /* absolute: as if these did not exist */
	size_t n_exclude;
	int64_t min_size;           /* of a file, bytes */
	bool undecided;             /* only sets in which something is to be decided */
	int64_t min_waste;          /* of a set, bytes */
	int64_t top;                /* deliver the first sets up to this number; 0: all */
	enum sets_order order;
	bool links_are_copies;      /* every name counts; those of one inode are a set */
	const struct keep *keep;    /* say who would stay and who could go; or NULL */
	bool as_arranged;           /* ... and do not put what stays first */
	bool inside;                /* ... also of files that are parts of wholes (index/wholes) */
	const char *const *wholes;  /* what makes a whole besides */
	size_t n_wholes;
	const struct keep *backups; /* which copies in backups count, or could go; NULL: none */
	bool no_check;              /* as indexed: do not look at the file system */
	/** ... and leave times and blocks of members 0, and members in no order: nobody asks. */
	bool no_times;
	sets_gap_fn *gap;           /* or NULL */
	void *gap_arg;
};

/** A content with several names: half a cache line, for they are met at random. */
struct sets_group {
	int64_t size;
	uint8_t hash[HASH_SIZE];
	uint32_t n;                  /* names as indexed; then members, once they are loaded */
	uint32_t first;              /* of its members, for sets_source */
};

/** The order of sizes and hashes, for bsearch and qsort. */
int sets_groups_cmp(const void *a, const void *b);

/** Zero it, sets_groups_load() it, sets_groups_release() it. */
struct sets_groups {
	struct sets_group *v;        /* in the order of sizes and hashes */
	size_t n, cap;
	/* private */
	struct table by_content;
	uint8_t *bits;
	size_t bits_mask;
};

/** Load the groups of contents of at least min_size (1 or more) bytes.  Returns 0 or -1. */
int sets_groups_load(struct sets_groups *g, struct db *db, int64_t min_size, struct err *err);

/** A file that was read, or could not be. */
struct sets_unread_file {
	/** With its hash if it was read; directory and volume as its index numbers them. */
	struct file_row row;
	uint8_t of;              /* the number of that index */
};

/** Zero it, sets_unread_load() it, sets_unread_release() it. */
struct sets_unread {
	/** Those that were read, in the order of sizes and hashes, then the others. */
	VEC(struct sets_unread_file) files;
	size_t n_read;
	/* private */
	struct arena names;
};

/**
 * Read the files of the indexes of a query that have no hash and of which another index may have a
 * copy, each inode once; here is the view of this index.  What can't be read is told to q->gap.
 * Returns 0, or -1: ERR_INTERRUPTED, ERR_BAD_INDEX, ERR_DB.
 */
int sets_unread_load(struct sets_unread *u, const struct sets_query *q, struct presence_view *here, struct err *err);

/** Free what it owns. */
void sets_unread_release(struct sets_unread *u);

/** Several indexes. */
struct sets_groups_of {
	struct db *const *dbs;       /* of this index first, then of others */
	size_t n;
	const struct sets_unread *read; /* more files of these; or NULL */
	bool across;                 /* only groups in two indexes; else those in this one */
};

/** The same of several indexes. */
int sets_groups_load_joined(struct sets_groups *g, const struct sets_groups_of *of, int64_t min_size, struct err *err);
/** Prepare for sets_groups_find. */
void sets_groups_index(struct sets_groups *g);
/**
 * Give each group its place among the members of all, by its n, which begins at 0 again then: each
 * member goes to first + n++ of its group.
 */
void sets_groups_place(struct sets_groups *g);
/** Whether one pass over the rows of a number of files costs less than looking n names up. */
bool sets_groups_pass_pays(int64_t n, int64_t files);
/** The group of a content, or NULL. */
struct sets_group *sets_groups_find(const struct sets_groups *g, int64_t size, const uint8_t hash[HASH_SIZE]);
/** Free what it owns. */
void sets_groups_release(struct sets_groups *g);

#endif
