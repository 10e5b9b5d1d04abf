/* SPDX-License-Identifier: MIT */
/* answer - the words for states and kinds; they are part of every machine format, so they never change. */
#include <config.h>

#include <assert.h>

#include "base/num.h"
#include "query/answer.h"

static const char *const answer_states[STATE_COUNT] = {
	[STATE_DUP] = "dup",
	[STATE_UNIQUE] = "unique",
	[STATE_LINKED] = "linked",
	[STATE_EMPTY] = "empty",
	[STATE_SKIPPED] = "skipped",
	[STATE_UNREADABLE] = "unreadable",
	[STATE_CHANGED] = "changed",
	[STATE_GONE] = "gone",
	[STATE_UNKNOWN] = "unknown",
};

static const char *const answer_kinds[MEMBER_COUNT] = {
	[MEMBER_COPY] = "copy",
	[MEMBER_LINK] = "link",
	[MEMBER_GONE] = "gone",
	[MEMBER_CHANGED] = "changed",
	[MEMBER_EXCLUDED] = "excluded",
	[MEMBER_OFFLINE] = "offline",
	[MEMBER_UNREADABLE] = "unreadable",
};

static const char *const answer_marks[MARK_DECISIONS] = {
	[MARK_NONE] = NULL,
	[MARK_DROP] = "drop",
	[MARK_KEEP] = "keep",
};

static const char *const answer_mark_states[MARK_STATES] = {
	[MARK_EFFECTIVE] = "effective",
	[MARK_STALE] = "stale",
	[MARK_OFFLINE] = "offline",
	[MARK_LAST] = "last",
};

const char *
state_name(enum file_state state)
{
	assert((unsigned)state < STATE_COUNT);
	return answer_states[state];
}

const char *
member_kind_name(enum member_kind kind)
{
	assert((unsigned)kind < MEMBER_COUNT);
	return answer_kinds[kind];
}

const char *
mark_name(enum mark_decision decision)
{
	assert((unsigned)decision < MARK_DECISIONS);
	return answer_marks[decision];
}

const char *
mark_state_name(enum mark_state state)
{
	assert((unsigned)state < MARK_STATES);
	return answer_mark_states[state];
}

int64_t
file_redundant(const struct file_answer *a)
{
	if (a->n_inodes <= 0 || a->size <= 0)
		return 0;
	return num_mul(a->n_inodes, a->size);
}
