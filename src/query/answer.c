/* SPDX-License-Identifier: MIT */
/* The words for states and kinds are part of every machine format: they never change. */
#include "base/base.h"

#include "query/answer.h"

const char *const answer_states[STATE_COUNT] = {
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

const char *const answer_similar_kinds[SIMILAR_KINDS] = {
	[SIMILAR_TWINS] = "twins",
	[SIMILAR_SAME] = "same",
	[SIMILAR_CONTAINED] = "contained",
	[SIMILAR_OVERLAP] = "overlap",
};

const char *const answer_kinds[MEMBER_COUNT] = {
	[MEMBER_COPY] = "copy",
	[MEMBER_LINK] = "link",
	[MEMBER_GONE] = "gone",
	[MEMBER_CHANGED] = "changed",
	[MEMBER_EXCLUDED] = "excluded",
	[MEMBER_TRASH] = "trash",
	[MEMBER_BACKUP] = "backup",
	[MEMBER_FLEETING] = "fleeting",
	[MEMBER_OFFLINE] = "offline",
	[MEMBER_UNREADABLE] = "unreadable",
	[MEMBER_VIEW] = "view",
};

const char answer_view[] = "another copy may be the same file, seen through an overlay or a FUSE program";

const char *const answer_choices[MEMBER_CHOICES] = {
	[MEMBER_STAYS] = "stays",
	[MEMBER_GOES] = "goes",
};

const char *const answer_pairs[PAIR_CLASSES] = {
	[PAIR_DIFFERENT] = "different",
	[PAIR_MOVED] = "moved",
	[PAIR_LEFT] = "only-left",
	[PAIR_RIGHT] = "only-right",
	[PAIR_SAME] = "same",
	[PAIR_UNSURE] = "unknown",
};

const char *
state_name(enum file_state state)
{
	assert((unsigned)state < STATE_COUNT);
	return answer_states[state];
}

enum member_kind
member_kind_of(enum presence presence)
{
	static const enum member_kind kinds[PRESENCE_COUNT] = {
		[PRESENCE_HERE] = MEMBER_COPY,
		[PRESENCE_GONE] = MEMBER_GONE,
		[PRESENCE_CHANGED] = MEMBER_CHANGED,
		[PRESENCE_EXCLUDED] = MEMBER_EXCLUDED,
		[PRESENCE_TRASH] = MEMBER_TRASH,
		[PRESENCE_FLEETING] = MEMBER_FLEETING,
		[PRESENCE_OFFLINE] = MEMBER_OFFLINE,
		[PRESENCE_UNREADABLE] = MEMBER_UNREADABLE,
	};

	assert((unsigned)presence < PRESENCE_COUNT);
	return kinds[presence];
}

const char *
member_kind_name(enum member_kind kind)
{
	assert((unsigned)kind < MEMBER_COUNT);
	return answer_kinds[kind];
}

const char *
member_choice_name(enum member_choice choice)
{
	assert((unsigned)choice < MEMBER_CHOICES);
	return answer_choices[choice];
}

int64_t
file_redundant(const struct file_answer *a)
{
	if (a->n_inodes <= 0 || a->size <= 0)
		return 0;
	return num_mul(a->n_inodes, a->size);
}

const char *const answer_changes[CHANGE_CLASSES] = {
	[CHANGE_NEW] = "new", [CHANGE_CHANGED] = "changed", [CHANGE_MOVED] = "moved", [CHANGE_GONE] = "gone", [CHANGE_LOST] = "lost",
	[CHANGE_TOUCHED] = "touched",
};

const char *
change_class_name(enum change_class class)
{
	assert((unsigned)class < CHANGE_CLASSES);
	return answer_changes[class];
}

void
pairs_sum_add(struct pairs_sum *sum, int64_t n, int64_t bytes)
{
	sum->n += n;
	sum->bytes = num_add(sum->bytes, bytes);
}

bool
set_totals_lack(const struct set_totals *t)
{
	return t->n_stale > 0 || t->n_offline > 0 || t->n_unreadable > 0 || t->n_views > 0;
}

void
set_totals_show_lacking(struct buf *b, const struct set_totals *t)
{
	char members[NUM_SHOW_MAX];

	if (t->n_stale > 0)
		buf_addf(b, "%s gone or changed since the last scan: run %s scan\n",
		         num_show_things(t->n_stale, "member", "members", members), prog_name());
	if (t->n_offline > 0)
		buf_addf(b, "%s offline: not counted\n", num_show_things(t->n_offline, "member", "members", members));
	if (t->n_unreadable > 0)
		buf_addf(b, "%s unreadable (%s): not counted\n", num_show_things(t->n_unreadable, "member", "members", members),
		         strerror(t->error));
	if (t->n_views > 0)
		buf_addf(b, "%s may be the same files as others, seen through an overlay or a FUSE program: not counted\n",
		         num_show_things(t->n_views, "member", "members", members));
	if (t->n_trash > 0)
		buf_addf(b, "%s in a trash, which will be emptied: not counted\n", num_show_things(t->n_trash, "name", "names", members));
}
