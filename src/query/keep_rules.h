/* SPDX-License-Identifier: MIT */
/* keep_rules - which of two copies should rather stay: a chain of rules, read from text. */
#ifndef QUERY_KEEP_RULES_H
#define QUERY_KEEP_RULES_H

#include "sys/fs.h"

struct keep_rule;

/** The words of the rules as the help shows them, NULL at the end. */
extern const char *const keep_rules_names[];

/** What rules ask of a copy. */
struct keep_facts {
	const char *path;        /* absolute */
	struct fs_time mtime;
	int64_t nlink;
	int64_t root;            /* roots that came into the index earlier have smaller ones */
	const int64_t *numbers;  /* of keep_rules_measure(), for comparisons; borrowed */
};

/** A chain of rules.  Zero it, keep_rules_parse(), keep_rules_release(). */
struct keep_rules {
	struct keep_rule *v;
	size_t n, cap;
};

/** Append the absolute path of a directory as typed.  Returns 0, or -1 with *err. */
typedef int keep_rules_resolve_fn(void *arg, const char *typed, struct buf *path, struct err *err);

/**
 * Append the rules of a text such as "in:DIR,newest"; "\," is a comma within an argument.  Returns
 * 0, or -1: ERR_USAGE, or the failure of resolve, which is called for each DIR.
 */
int keep_rules_parse(struct keep_rules *r, const char *text, keep_rules_resolve_fn *resolve, void *arg, struct err *err);
/** Free the rules. */
void keep_rules_release(struct keep_rules *r);

/** Whether a rule asks when copies were changed. */
bool keep_rules_ask_times(const struct keep_rules *r);
/** Work out the number that each of r's rules gives a copy, once for all comparisons. */
void keep_rules_measure(const struct keep_rules *r, const struct keep_facts *f, int64_t *numbers);
/**
 * Compare two copies, which were measured, by the first rule under which they differ: negative if
 * a should rather stay than b, positive if b should, 0 if they are equal under all rules.
 */
int keep_rules_cmp(const struct keep_rules *r, const struct keep_facts *a, const struct keep_facts *b);

#endif
