/* SPDX-License-Identifier: MIT */
/*
 * What copies free is divided among the directories of their names, so that it adds up to what all
 * of them free but for what stays.
 */
#include "base/base.h"

#include "query/usage_inodes.h"
#include "query/usage_portions.h"
#include "unit.h"

enum { DIRS = 4, NONE = -1 };

/* Inodes by content, with what each frees and the directories of its names; what stays of contents. */
static const struct {
	struct {
		int content;
		int64_t frees;
		int dirs[DIRS];
	} inodes[DIRS];
	int64_t stays[2];
	uint64_t want[DIRS];
} rows[] = {
	/* A file without a copy; two copies, and three, which a division leaves something of. */
	{ { { NONE, 0, { 1 } } }, { 0 }, { 0, 0, 0, 0 } },
	{ { { 0, 100, { 1 } }, { 0, 100, { 2 } } }, { 100 }, { 0, 50, 50, 0 } },
	{ { { 0, 101, { 1 } }, { 0, 101, { 2 } } }, { 101 }, { 0, 50, 51, 0 } },
	{ { { 0, 100, { 1 } }, { 0, 100, { 2 } }, { 0, 100, { 3 } } }, { 100 }, { 0, 66, 67, 67 } },
	/* Another copy stays elsewhere. */
	{ { { 0, 100, { 1 } }, { 0, 100, { 2 } } }, { 0 }, { 0, 100, 100, 0 } },
	/* One that does not count lies between. */
	{ { { 1, 10, { 1 } }, { 0, 0, { 2 } }, { 1, 10, { 3 } } }, { 0, 10 }, { 0, 5, 0, 5 } },
	/* Names in several directories, and two in one. */
	{ { { 0, 90, { 1, 2, 3 } }, { 0, 90, { 3 } } }, { 90 }, { 0, 15, 15, 15 + 45 } },
	{ { { 0, 91, { 1, 1, 2 } }, { 0, 91, { 1 } } }, { 91 }, { 0, 15 + 15 + 46, 15, 0 } },
	/* Of copies that share blocks each frees the rest; the one stays that shares most. */
	{ { { 0, 100, { 1 } }, { 0, 40, { 2 } }, { 0, 0, { 3 } } }, { 0 }, { 0, 100, 40, 0 } },
	{ { { 0, 100, { 1 } }, { 0, 40, { 2 } } }, { 40 }, { 0, 80, 20, 0 } },
	/* Beyond what a double holds. */
	{ { { 0, INT64_MAX, { 1 } }, { 0, INT64_MAX, { 2 } } }, { INT64_MAX }, { 0, INT64_MAX / 2, (uint64_t)INT64_MAX / 2 + 1, 0 } },
};

START_TEST(divides)
{
	struct usage_inodes in = { .tree = NULL };
	int64_t frees[DIRS] = { 0 };
	uint64_t portions[DIRS] = { 0 }, all = 0, divided = 0;

	for (int i = 0; i < 2; i++)
		vec_push(&in.contents, ((struct usage_content){ .size = rows[_i].stays[i] }));
	for (int i = 0; i < DIRS && rows[_i].inodes[i].dirs[0] != 0; i++) {
		const int content = rows[_i].inodes[i].content, *dirs = rows[_i].inodes[i].dirs;

		frees[i] = rows[_i].inodes[i].frees;
		all += (uint64_t)frees[i];
		vec_push(&in.inodes, ((struct usage_inode){ .content = content == NONE ? USAGE_INODES_NO_CONTENT : (uint32_t)content,
		                                            .place = (uint32_t)dirs[0] << 1 | 1 }));
		if (content != NONE)
			in.contents.v[content].inodes++;
		for (int d = 0; dirs[1] != 0 && d < DIRS && dirs[d] != 0; d++)
			vec_push(&in.names, (uint64_t)i << 32 | (uint32_t)dirs[d]);
	}
	usage_portions_add(&(struct usage_portions){ .in = &in, .frees = frees, .stays = rows[_i].stays }, portions);
	for (int d = 0; d < DIRS; d++) {
		ck_assert_uint_eq(portions[d], rows[_i].want[d]);
		divided += portions[d];
	}
	ck_assert_uint_eq(divided, all - (uint64_t)rows[_i].stays[0] - (uint64_t)rows[_i].stays[1]);
	vec_release(&in.inodes);
	vec_release(&in.contents);
	vec_release(&in.names);
}
END_TEST

Suite *
suite_usage_portions(void)
{
	Suite *s = suite_create("usage_portions");
	TCase *t = tcase_create("usage_portions");

	tcase_add_loop_test(t, divides, 0, sizeof(rows) / sizeof(rows[0]));
	suite_add_tcase(s, t);
	return s;
}
