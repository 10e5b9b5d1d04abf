/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/fs.h"
#include "ui/progress.h"
#include "unit.h"

#define MIB (1024 * 1024)

/* What a line has, and what it has not: a rate and a forecast only once there is something to tell them from. */
static const struct {
	enum stats_phase phase;
	double seconds;          /* since the phase began */
	struct stats counts;
	const char *has, *lacks;
} lines[] = {
	{ STATS_WALK, 0.1, { .files = 1000, .bytes = 5 * MIB }, "walk  1,000 files, 5.0 MiB", "/s" },
	{ STATS_WALK, 10.0, { .files = 1000, .bytes = 5 * MIB }, "walk  1,000 files, 5.0 MiB, 9", "left" },
	{ STATS_READ, 0.1, { .to_read = 10, .to_read_bytes = 10 * MIB, .done = 5, .done_bytes = 5 * MIB },
	  "read  5 of 10 files, 5.0 MiB of 10.0 MiB (50%)", "/s" },
	{ STATS_READ, 0.1, { .to_read = 10, .to_read_bytes = 10 * MIB, .done = 5, .done_bytes = 5 * MIB }, "read", "left" },
	{ STATS_READ, 50.5, { .to_read = 10, .to_read_bytes = 10 * MIB, .done = 5, .done_bytes = 5 * MIB }, " KiB/s, 50 s left", "more" },
	{ STATS_READ, 50.5, { .to_read = 10, .to_read_bytes = 10 * MIB, .to_read_grows = true, .done = 5, .done_bytes = 5 * MIB },
	  "read  5 of 10 files or more, 5.0 MiB, 101.", "%" },
	{ STATS_READ, 50.5, { .to_read = 10, .to_read_bytes = 10 * MIB, .done = 10, .done_bytes = 10 * MIB }, "10.0 MiB of 10.0 MiB (100%)", "left" },
	{ STATS_READ, 50.5, { .to_read = 10, .to_read_bytes = 10 * MIB, .done = 9, .done_bytes = 10 * MIB - 1 }, "read", "left" },
	{ STATS_READ, 50.5, { .to_read = 10, .to_read_bytes = 10 * MIB }, "read  0 of 10 files, 0 B of 10.0 MiB (0%)", "left" },
	{ STATS_FINISH, 0.1, { .files = 1 }, "write the index", "/s" },
	{ STATS_ACT, 50.5, { .to_read = 10, .to_read_bytes = 10 * MIB, .done = 5, .done_bytes = 5 * MIB },
	  "rm  5 of 10 files, 5.0 MiB of 10.0 MiB (50%), 101.4 KiB/s, 50 s left", "read" },
	{ STATS_COUNT, 0.1, { .done = 5 }, "rm  5 files", "of" },
	{ STATS_COUNT, 50.5, { .to_read = 10, .done = 5 }, "rm  5 of 10 files (50%), 50 s left", "B" },
};

START_TEST(says)
{
	struct progress p;
	char text[500] = "";
	FILE *f = tmpfile();

	ck_assert_ptr_nonnull(f);
	progress_init(&p, f, PROGRESS_PLAIN, 0);
	p.phase = lines[_i].phase;
	p.phase_ns = fs_clock_ns() - (int64_t)(lines[_i].seconds * 1e9);
	p.due_ns = 0;
	p.act = "rm";
	progress_tick(&p, lines[_i].phase, &lines[_i].counts);
	rewind(f);
	ck_assert_uint_gt(fread(text, 1, sizeof(text) - 1, f), 0);
	fclose(f);
	ck_assert_msg(strstr(text, lines[_i].has) != NULL, "'%s' lacks '%s'", text, lines[_i].has);
	ck_assert_msg(strstr(text, lines[_i].lacks) == NULL, "'%s' has '%s'", text, lines[_i].lacks);
}
END_TEST

Suite *
suite_progress(void)
{
	Suite *s = suite_create("progress");
	TCase *tc = tcase_create("line");

	tcase_add_loop_test(tc, says, 0, sizeof(lines) / sizeof(lines[0]));
	suite_add_tcase(s, tc);
	return s;
}
