/* SPDX-License-Identifier: MIT */
/* answer - the words for states and kinds; they are part of every machine format, so they never change. */
#include <config.h>

#include <assert.h>

#include "index/answer.h"

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

int64_t
file_redundant(const struct file_answer *a)
{
	if (a->n_copies <= 0 || a->size <= 0)
		return 0;
	return a->size > INT64_MAX / a->n_copies ? INT64_MAX : a->size * a->n_copies;
}
