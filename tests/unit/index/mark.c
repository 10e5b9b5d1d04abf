/* SPDX-License-Identifier: MIT */
/* Whether a file is of the content that a mark was made for; and marks in memory: what is found is what the index has. */
#include "base/base.h"

#include "db/db.h"
#include "index/index.h"
#include "index/marks.h"
#include "fixture.h"
#include "unit.h"

static const uint8_t h1[HASH_SIZE] = { 1 }, h2[HASH_SIZE] = { 1, [15] = 1 }, h3[HASH_SIZE] = { 2 };

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

START_TEST(in_memory)
{
	/* Two of one content, and one of another size with a hash that begins alike; one without a hash. */
	const struct mark put[] = { { "/a", MARK_DROP, 10, 1000, true, { 1 }, 1 }, { "/b", MARK_KEEP, 10, 1000, true, { 1 }, 2 },
	                            { "/c", MARK_DROP, 11, 1000, true, { 1, [15] = 1 }, 3 }, { "/d", MARK_KEEP, 10, 1000, false, { 0 }, 4 } };
	const struct { const char *path; const uint8_t *hash; int found; } asked[] = {
		{ "/a", h1, 0 }, { "/b", h1, 1 }, { "/c", h2, 2 }, { "/d", h1, 3 }, { "/a", h3, -1 }, { "/e", h1, -1 },
	};
	struct marks all = { .ix = fixture_ix };
	struct err err = { 0 };
	int64_t batch;

	ck_assert_int_eq(db_begin(fixture_ix->db, &err), 0);
	ck_assert_int_eq(mark_begin(fixture_ix, &batch, &err), 0);
	ck_assert_int_eq(mark_put(fixture_ix, batch, put, N_ROWS(put), &err), 0);
	ck_assert_int_eq(db_end(fixture_ix->db, 0, &err), 0);
	fixture_ix->marks = true;
	ck_assert_int_eq(marks_load(&all, &err), 0);
	for (size_t i = 0; i < N_ROWS(asked); i++) {
		struct mark one, got;
		const int known = mark_get(fixture_ix, asked[i].path, &one, &err);

		ck_assert_int_eq(marks_get(&all, asked[i].hash, asked[i].path, &got, &err), asked[i].found >= 0);
		if (asked[i].found < 0)
			continue;
		ck_assert_int_eq(known, 1);
		ck_assert_str_eq(got.path, put[asked[i].found].path);
		ck_assert_int_eq(got.made, put[asked[i].found].made);
		ck_assert(mark_same(&one, &got));
	}
	ck_assert(marks_has(&all, 10, h1) && marks_has(&all, 11, h2));
	ck_assert(!marks_has(&all, 11, h1) && !marks_has(&all, 10, h2));
	marks_release(&all);
}
END_TEST

Suite *
suite_mark(void)
{
	Suite *s = suite_create("mark");
	TCase *tc = tcase_create("fits"), *memory = tcase_create("memory");

	tcase_add_loop_test(tc, fits, 0, N_ROWS(rows));
	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(memory, fixture_index_setup, fixture_index_teardown);
	tcase_add_test(memory, in_memory);
	suite_add_tcase(s, memory);
	return s;
}
