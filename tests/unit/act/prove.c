/* SPDX-License-Identifier: MIT */
/* Which victims are proven equal to a keeper, and which keeper that is. */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "act/same_file.h"
#include "act/prove.h"
#include "fixture.h"
#include "unit.h"

/* What a name of a case is. */
enum what {
	NONE,
	SAME,       /* the content */
	OTHER,      /* another one of the same length */
	LONGER,
	LINK,       /* another name of the first keeper */
	STALE,      /* the content, with another time than its row */
	GONE
};

#define KEEPERS 2
#define VICTIMS 3

static const struct {
	enum what keepers[KEEPERS], victims[VICTIMS];
	int used;                        /* which keeper, or -1 */
	enum act_outcome outcomes[VICTIMS];
} cases[] = {
	{ { SAME, SAME }, { SAME, OTHER, SAME }, 0, { ACT_PENDING, ACT_UNSURE, ACT_PENDING } },
	{ { SAME, NONE }, { LINK, SAME, LONGER }, 0, { ACT_STAYS, ACT_PENDING, ACT_UNSURE } },
	{ { GONE, SAME }, { SAME, STALE, GONE }, 1, { ACT_PENDING, ACT_UNSURE, ACT_UNSURE } },
	{ { STALE, SAME }, { SAME, SAME, SAME }, 1, { ACT_PENDING, ACT_PENDING, ACT_PENDING } },
	{ { GONE, STALE }, { SAME, SAME, SAME }, -1, { ACT_UNSURE, ACT_UNSURE, ACT_UNSURE } },
	{ { OTHER, SAME }, { SAME, SAME, SAME }, 0, { ACT_UNSURE, ACT_UNSURE, ACT_UNSURE } },
	{ { SAME, NONE }, { LINK, LINK, LINK }, 0, { ACT_STAYS, ACT_STAYS, ACT_STAYS } },
};

static char paths[KEEPERS + VICTIMS][128];

/* Make the i-th name, and the row that the index would have of it. */
static struct act_file
make(int i, enum what what)
{
	struct act_file f = { .path = paths[i] };
	struct fs_stat st;
	int fd;

	snprintf(paths[i], sizeof(paths[i]), "%s/%d", fixture_top, i);
	if (what == LINK)
		ck_assert_int_eq(link(paths[0], paths[i]), 0);
	else {
		fd = open(paths[i], O_WRONLY | O_CREAT | O_EXCL, 0600);
		ck_assert_int_eq(write(fd, what == OTHER ? "c0ntent" : "content", 7), 7);
		if (what == LONGER)
			ck_assert_int_eq(write(fd, "s", 1), 1);
		close(fd);
	}
	ck_assert_int_eq(fs_stat_path(paths[i], &st), 0);
	file_from_stat(&f.row, &st, 1);
	f.trust_mtime = true;
	if (what == STALE)
		f.row.mtime.nsec ^= 1;
	if (what == GONE)
		ck_assert_int_eq(unlink(paths[i]), 0);
	return f;
}

START_TEST(proves)
{
	struct act_file keepers[KEEPERS];
	struct act_victim victims[VICTIMS];
	struct prove_victim on[VICTIMS];
	struct act_group group = { .victims = victims, .n = VICTIMS, .keepers = keepers };
	struct prove_job job = { .group = &group, .keeper = LOCKED_FILE_NONE, .victims = on, .n = VICTIMS };
	_Atomic int64_t compared = 0;

	for (int i = 0; i < KEEPERS && cases[_i].keepers[i] != NONE; i++)
		keepers[group.n_keepers++] = make(i, cases[_i].keepers[i]);
	for (int i = 0; i < VICTIMS; i++) {
		victims[i] = (struct act_victim){ .file = make(KEEPERS + i, cases[_i].victims[i]) };
		on[i] = (struct prove_victim){ .file = &victims[i].file, .held = LOCKED_FILE_NONE };
	}
	prove_run(&job, 1, &compared);
	ck_assert(job.done);
	ck_assert_ptr_eq(job.keeper_file, cases[_i].used >= 0 ? &keepers[cases[_i].used] : NULL);
	for (int i = 0; i < VICTIMS; i++) {
		ck_assert_msg(on[i].verdict.outcome == cases[_i].outcomes[i], "victim %d: %s", i, buf_str(&on[i].verdict.why));
		ck_assert_int_eq(on[i].held.fd >= 0, on[i].verdict.outcome == ACT_PENDING);
	}
	prove_release(&job, 1);
}
END_TEST

START_TEST(one_inode_is_no_copy)
{
	struct verdict v = { .outcome = ACT_PENDING };
	struct locked_file keeper, victim;

	make(0, SAME);
	make(1, LINK);
	ck_assert_int_eq(locked_file_open(&keeper, paths[0], NULL, &v), 0);
	ck_assert_int_eq(locked_file_open(&victim, paths[1], NULL, &v), 0);
	ck_assert_int_eq(same_file_check(&keeper, &victim, &v), -1);
	ck_assert_int_eq(v.outcome, ACT_STAYS);
	locked_file_close(&victim);
	verdict_release(&v);
	make(2, SAME);
	ck_assert_int_eq(locked_file_open(&victim, paths[2], NULL, &v), 0);
	ck_assert_int_eq(same_file_check(&keeper, &victim, &v), 0);
	locked_file_close(&victim);
	locked_file_close(&keeper);
}
END_TEST

Suite *
suite_prove(void)
{
	Suite *s = suite_create("prove");
	TCase *tc = tcase_create("prove");

	tcase_add_checked_fixture(tc, fixture_setup, fixture_teardown);
	tcase_add_loop_test(tc, proves, 0, N_ROWS(cases));
	tcase_add_test(tc, one_inode_is_no_copy);
	suite_add_tcase(s, tc);
	return s;
}
