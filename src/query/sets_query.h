/* SPDX-License-Identifier: MIT */
/* sets_query - which sets are asked for. */
#ifndef QUERY_SETS_QUERY_H
#define QUERY_SETS_QUERY_H

#include "index/gaps.h"

/** How many other indexes can be asked. */
#define SETS_INDEXES UINT8_MAX

struct indexes;
struct keep;

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
	bool no_check;              /* as indexed: do not look at the file system */
	/** ... and leave times and blocks of members 0, and members in no order: nobody asks. */
	bool no_times;
	sets_gap_fn *gap;           /* or NULL */
	void *gap_arg;
};

#endif
