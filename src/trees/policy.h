/* SPDX-License-Identifier: MIT */
/* policy - how many copies, on how many disks, each file of a tree is to have. */
#ifndef TREES_POLICY_H
#define TREES_POLICY_H

#include "trees/tree_answer.h"

struct contents_map;
struct contents_map_content;
struct contents_map_name;
struct dirtree;
struct disks;
struct keepers;
struct stat_results;

/** The most that a line can ask for. */
enum { POLICY_MOST = 20 };

/** What a policy is judged by; all borrowed. */
struct policy_view {
	const struct contents_map *map;
	const struct stat_results *looks;
	const struct disks *disks;
	const struct keepers *keepers;   /* loaded for all places */
};

/** What a file has, by enum policy_rule, at most POLICY_MOST of each. */
struct policy_found {
	uint8_t has[POLICY_RULES];
	uint8_t broken, unsure;  /* rules that it breaks, or may break, a bit each */
};

struct policy_group;

/** Fill lines, policy_open() it, policy_release() it. */
struct policy {
	VEC(struct policy_line) lines;   /* strings are borrowed; files and bytes are counted */
	uint8_t *of[POLICY_RULES];       /* by directory: the number of its line from 1, or 0 */
	VEC(struct policy_group) groups; /* of the content in hand */
};

/** The line for a rule at a tree, or NULL. */
struct policy_line *policy_find(const struct policy *p, const char *tree, enum policy_rule rule);
/** Find which lines hold where: of nested trees the innermost that has the rule. */
void policy_open(struct policy *p, const struct dirtree *t);
void policy_release(struct policy *p);

/** Whether any line holds in a directory. */
bool policy_holds_in(const struct policy *p, uint32_t dir);

/** Note the names of a content that may count as copies. */
void policy_take(struct policy *p, const struct policy_view *v, const struct contents_map_content *c);
/**
 * Judge a name of the content that policy_take() had.  A copy counts as at-risk counts it: one that
 * lasts as long, and is there or on a disk that is offline.
 */
struct policy_found policy_judge(const struct policy *p, const struct policy_view *v, const struct contents_map_content *c,
                                 const struct contents_map_name *n);
/** Count a file, with bytes unless they were counted, in the lines that it breaks. */
void policy_count(struct policy *p, uint32_t dir, const struct policy_found *found, int64_t bytes);
/** Append what a file in a directory lacks, line by line. */
void policy_why(struct buf *b, const struct policy *p, uint32_t dir, const struct policy_found *found);

#endif
