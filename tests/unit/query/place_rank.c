/* SPDX-License-Identifier: MIT */
/* query/place_rank */
#include "base/base.h"

#include "query/place_rank.h"
#include "unit.h"

/* A copy rather stays in one than in two; same: they are equal. */
static const struct {
	const char *one, *two;
	bool same;
} pairs[] = {
	/* Live before backups and what only passes through, however deep it lies. */
	{ "/home/ann/a/b/c/x", "/home/ann/backup-2019/x", false },
	{ "/home/ann/Maildir/cur/1", "/home/ann/old-laptop/Maildir/cur/1", false },
	{ "/home/ann/a/b/c/x", "/home/ann/Downloads/x", false },
	{ "/home/ann/a/b/c/x", "/home/ann/Desktop/x", false },
	{ "/home/ann/a/b/c/x", "/home/ann/tmp/x", false },
	{ "/home/ann/a/report.pdf", "/home/ann/report_copy.pdf", false },
	/* Also hidden ones before those. */
	{ "/home/ann/.config/x", "/home/ann/old/x", false },
	/* What both lie in tells none apart. */
	{ "/tmp/old/a/b/x", "/tmp/old/backup/x", false },
	{ "/tmp/.h/a/b/x", "/tmp/.h/.g/x", false },
	/* Before disks that come and go, and these before backups there. */
	{ "/home/ann/a/b/c/x", "/media/ann/x", false },
	{ "/home/ann/a/b/c/x", "/mnt/x", false },
	{ "/home/ann/a/b/c/x", "/run/media/ann/DISK/x", false },
	{ "/home/ann/a/b/c/x", "/Volumes/DISK/x", false },
	{ "/home/media/a/x", "/home/a/mnt/b/x", false },
	{ "/media/ann/DISK/a/b/x", "/media/ann/DISK/old/x", false },
	{ "/media/ann/one/x", "/media/ann/two/x", true },
	/* A backup of what was downloaded comes after that. */
	{ "/home/ann/Downloads/a/x", "/home/ann/old/Downloads/x", false },
	/* Visible before hidden. */
	{ "/a/b/c/d/x", "/a/.b/x", false },
	{ "/a/b/x", "/a/.x", false },
	/* The less deep. */
	{ "/a/z", "/a/b/a", false },
	{ "/a/z", "/a/b", true },
	{ "/x", "/y", true },
};

START_TEST(order)
{
	const struct place_rank one = place_rank_path(pairs[_i].one), two = place_rank_path(pairs[_i].two);

	ck_assert_int_eq(place_rank_cmp(&one, &two) < 0, !pairs[_i].same);
	ck_assert_int_eq(place_rank_cmp(&two, &one) > 0, !pairs[_i].same);
	ck_assert_int_eq(place_rank_cmp(&one, &one), 0);
}
END_TEST

/* The rank of a path is that of its directory and its name. */
START_TEST(below)
{
	const char *two = pairs[_i].two, *name = strrchr(two, '/') + 1;
	const struct place_rank whole = place_rank_path(two);
	char dir[64] = "";
	struct place_rank joined;

	memcpy(dir, two, (size_t)(name - 1 - two));
	joined = place_rank_below(place_rank_path(dir), name, strlen(name));
	ck_assert_int_eq(place_rank_cmp(&whole, &joined), 0);
}
END_TEST

/* The depth is no kind. */
START_TEST(kind)
{
	const struct place_rank flat = place_rank_path("/a"), deep = place_rank_path("/a/b"), hidden = place_rank_path("/.a"),
	                        spare = place_rank_path("/old");

	ck_assert_int_eq(place_rank_cmp_kind(&flat, &deep), 0);
	ck_assert_int_lt(place_rank_cmp_kind(&deep, &hidden), 0);
	ck_assert_int_lt(place_rank_cmp_kind(&hidden, &spare), 0);
}
END_TEST

Suite *
suite_place_rank(void)
{
	Suite *s = suite_create("place_rank");
	TCase *t = tcase_create("rank");

	tcase_add_loop_test(t, order, 0, N_ROWS(pairs));
	tcase_add_loop_test(t, below, 0, N_ROWS(pairs));
	tcase_add_test(t, kind);
	suite_add_tcase(s, t);
	return s;
}
