/* SPDX-License-Identifier: MIT */
/* Whether a file is of the content that a mark was made for. */
#include <config.h>

#include "index/mark.h"
#include "unit.h"

static const uint8_t h1[HASH_SIZE] = { 1 }, h2[HASH_SIZE] = { 1, [15] = 1 };

#define MARK(decision, has_hash) { "/a", decision, 10, 1000, has_hash, { has_hash }, 0 }

static const struct {
	struct mark m;
	int64_t size, mtime_ns;
	const uint8_t *hash;
	bool fits;
} rows[] = {
	{ MARK(MARK_DROP, true), 10, 1000, h1, true },
	{ MARK(MARK_DROP, true), 10, 2000, h1, true },
	{ MARK(MARK_DROP, true), 10, 1000, h2, false },
	{ MARK(MARK_DROP, true), 11, 1000, h1, false },
	/* Nothing proves the content: never drop. */
	{ MARK(MARK_DROP, true), 10, 1000, NULL, false },
	{ MARK(MARK_KEEP, true), 10, 2000, h1, true },
	{ MARK(MARK_KEEP, true), 10, 1000, h2, false },
	{ MARK(MARK_KEEP, true), 10, 1000, NULL, true },
	{ MARK(MARK_KEEP, true), 10, 2000, NULL, false },
	{ MARK(MARK_KEEP, false), 10, 1000, h1, true },
	{ MARK(MARK_KEEP, false), 10, 1000, NULL, true },
	{ MARK(MARK_KEEP, false), 10, 2000, h1, false },
	{ MARK(MARK_KEEP, false), 11, 1000, NULL, false },
};

START_TEST(fits)
{
	ck_assert_int_eq(mark_fits(&rows[_i].m, rows[_i].size, rows[_i].mtime_ns, rows[_i].hash), rows[_i].fits);
}
END_TEST

Suite *
suite_mark(void)
{
	Suite *s = suite_create("mark");
	TCase *tc = tcase_create("fits");

	tcase_add_loop_test(tc, fits, 0, N_ROWS(rows));
	suite_add_tcase(s, tc);
	return s;
}
