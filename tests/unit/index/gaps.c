/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/gaps.h"
#include "unit.h"

static const struct {
	struct gaps gaps;
	int64_t matter;
	const char *want;
} rows[] = {
	{ { { 0 }, { 0 } }, 0, "" },
	{ { .files = { [SKIP_HIDDEN] = 2 } }, 2, "not judged: 2 hidden" },
	{ { .files = { [SKIP_SMALL] = 1234 }, .dirs = { [SKIP_HIDDEN] = 1, [GAP_UNREADABLE] = 2 } }, 1237,
	  "not judged: 1 directory hidden, 1,234 below --min-size, 2 directories unreadable" },
	{ { .files = { [GAP_NEW] = 1, [GAP_CHANGED] = 1, [GAP_OFFLINE] = 3, [SKIP_LINK] = 1, [SKIP_SPECIAL] = 2 } }, 5,
	  "not judged: 1 new since the scan, 1 changed since the scan, 3 offline (as of the last scan); "
	  "ignored: 1 symbolic link, 2 special files" },
	{ { .files = { [SKIP_LINK] = 2, [SKIP_OWN] = 1 }, .dirs = { [SKIP_PSEUDO] = 1 } }, 0,
	  "ignored: 2 symbolic links, 1 file of the index itself, 1 pseudo file system" },
};

START_TEST(shows)
{
	struct buf b = { 0 };

	gaps_show(&b, &rows[_i].gaps);
	ck_assert_str_eq(buf_str(&b), rows[_i].want);
	ck_assert_int_eq(gaps_matter(&rows[_i].gaps), rows[_i].matter);
	buf_release(&b);
}
END_TEST

Suite *
suite_gaps(void)
{
	Suite *s = suite_create("gaps");
	TCase *tc = tcase_create("gaps");

	tcase_add_loop_test(tc, shows, 0, N_ROWS(rows));
	suite_add_tcase(s, tc);
	return s;
}
