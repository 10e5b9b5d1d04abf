/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <check.h>

#include "query/answer.h"
#include "ui/numbers.h"
#include "unit.h"

static const struct member members[] = {
	{ .path = "/d/b", .kind = MEMBER_COPY },
	{ .path = "/d/\n\xff", .kind = MEMBER_GONE },
	{ .path = "/d/c", .kind = MEMBER_LINK },
};

START_TEST(notes_files)
{
	struct numbers *r = numbers_new();

	ck_assert(!numbers_are_sets(r));
	ck_assert_uint_eq(numbers_count(r), 0);
	ck_assert_ptr_null(numbers_path(r, 1, 0));

	numbers_add(r, "/a", members, 3);
	numbers_add(r, "/z", NULL, 0);
	numbers_add(r, "/y", members + 2, 1);
	ck_assert_uint_eq(numbers_count(r), 3);
	ck_assert_uint_eq(numbers_members(r, 1), 3);
	ck_assert_uint_eq(numbers_members(r, 2), 0);
	ck_assert_uint_eq(numbers_members(r, 3), 1);
	ck_assert_str_eq(numbers_path(r, 1, 0), "/a");
	ck_assert_str_eq(numbers_path(r, 1, 1), "/d/b");
	ck_assert_str_eq(numbers_path(r, 1, 2), "/d/\n\xff");
	ck_assert_str_eq(numbers_path(r, 1, 3), "/d/c");
	ck_assert_str_eq(numbers_path(r, 2, 0), "/z");
	ck_assert_str_eq(numbers_path(r, 3, 0), "/y");
	ck_assert_str_eq(numbers_path(r, 3, 1), "/d/c");
	numbers_free(r);
}
END_TEST

START_TEST(finds_paths)
{
	struct numbers *r = numbers_new();
	size_t member = 0;

	numbers_add(r, "/a", members, 3);
	ck_assert(numbers_find(r, 1, "/d/c", &member));
	ck_assert_uint_eq(member, 3);
	ck_assert(numbers_find(r, 1, "/a", &member));
	ck_assert_uint_eq(member, 0);
	ck_assert(numbers_find(r, 1, "/d/b", &member));
	ck_assert_uint_eq(member, 1);
	ck_assert(!numbers_find(r, 1, "/d", &member));
	ck_assert(!numbers_find(r, 2, "/a", &member));
	numbers_clear(r, true, false);
	numbers_add(r, NULL, members, 2);
	member = 0;
	ck_assert(numbers_find(r, 1, "/d/b", &member));
	ck_assert_uint_eq(member, 1);
	ck_assert(!numbers_find(r, 1, "/d/c", &member));
	numbers_free(r);
}
END_TEST

START_TEST(notes_sets)
{
	struct numbers *r = numbers_new();

	numbers_add(r, "/a", NULL, 0);
	numbers_clear(r, true, false);
	ck_assert(numbers_are_sets(r));
	ck_assert_uint_eq(numbers_count(r), 0);
	numbers_add(r, NULL, members, 2);
	numbers_add(r, NULL, members + 2, 1);
	ck_assert_uint_eq(numbers_count(r), 2);
	ck_assert_uint_eq(numbers_members(r, 1), 2);
	ck_assert_uint_eq(numbers_members(r, 2), 1);
	ck_assert_ptr_null(numbers_path(r, 1, 0));
	ck_assert_str_eq(numbers_path(r, 1, 1), "/d/b");
	ck_assert_str_eq(numbers_path(r, 1, 2), "/d/\n\xff");
	ck_assert_str_eq(numbers_path(r, 2, 1), "/d/c");
	numbers_clear(r, false, true);
	ck_assert(!numbers_are_sets(r));
	ck_assert_uint_eq(numbers_members(r, 1), 0);
	numbers_free(r);
	numbers_free(NULL);
}
END_TEST

/* Numbers without an item or a member. */
START_TEST(knows_its_range)
{
	static const struct { size_t item, member; } rows[] = {
		{ 0, 0 }, { 0, 1 }, { 1, 2 }, { 2, 1 }, { 3, 0 }, { (size_t)-1, 0 }, { 1, (size_t)-1 },
	};
	struct numbers *r = numbers_new();

	numbers_add(r, "/a", members, 1);
	numbers_add(r, "/b", NULL, 0);
	for (int i = 0; i < N_ROWS(rows); i++)
		ck_assert_ptr_null(numbers_path(r, rows[i].item, rows[i].member));
	ck_assert_uint_eq(numbers_members(r, 0), 0);
	ck_assert_uint_eq(numbers_members(r, 3), 0);
	numbers_free(r);
}
END_TEST

START_TEST(notes_many)
{
	enum { COUNT = 100000 };
	struct numbers *r = numbers_new();
	char path[32];

	for (int i = 1; i <= COUNT; i++) {
		snprintf(path, sizeof(path), "/many/%d", i);
		numbers_add(r, path, members, (size_t)i % 3);
	}
	ck_assert_uint_eq(numbers_count(r), COUNT);
	ck_assert_str_eq(numbers_path(r, 1, 0), "/many/1");
	ck_assert_str_eq(numbers_path(r, COUNT, 0), "/many/100000");
	ck_assert_uint_eq(numbers_members(r, 77777), 77777 % 3);
	ck_assert_str_eq(numbers_path(r, 77777, 2), "/d/\n\xff");
	numbers_free(r);
}
END_TEST

static const struct {
	const char *text;
	bool form;
	size_t item, member;
} forms[] = {
	{ "3", true, 3, 0 },
	{ "3.2", true, 3, 2 },
	{ "10", true, 10, 0 },
	{ "300000.1000", true, 300000, 1000 },
	{ "", false, 0, 0 },
	{ "0", false, 0, 0 },
	{ "03", false, 0, 0 },
	{ "3.", false, 0, 0 },
	{ "3.0", false, 0, 0 },
	{ "3.02", false, 0, 0 },
	{ ".2", false, 0, 0 },
	{ "3.2.1", false, 0, 0 },
	{ "3,2", false, 0, 0 },
	{ "+3", false, 0, 0 },
	{ "-3", false, 0, 0 },
	{ " 3", false, 0, 0 },
	{ "3 ", false, 0, 0 },
	{ "3a", false, 0, 0 },
	{ "3.a", false, 0, 0 },
	{ "./3", false, 0, 0 },
	{ "0x3", false, 0, 0 },
	{ "99999999999999999999999", false, 0, 0 },
	{ "1.99999999999999999999999", false, 0, 0 },
};

START_TEST(parses)
{
	size_t item = 77, member = 88;

	ck_assert_int_eq(numbers_parse(forms[_i].text, &item, &member), forms[_i].form);
	ck_assert_uint_eq(item, forms[_i].form ? forms[_i].item : 77);
	ck_assert_uint_eq(member, forms[_i].form ? forms[_i].member : 88);
}
END_TEST

#define END SIZE_MAX

static const struct {
	const char *text;
	struct numbers_range range;   /* item 0: it is no range */
} ranges[] = {
	{ "3", { 3, 3, 0, 0 } }, { "3.2", { 3, 3, 2, 2 } }, { "3-9", { 3, 9, 0, 0 } }, { "3-", { 3, END, 0, 0 } },
	{ "3.2-", { 3, 3, 2, END } }, { "3.2-4", { 3, 3, 2, 4 } }, { "3-3", { 3, 3, 0, 0 } }, { "10-12", { 10, 12, 0, 0 } },
	{ "", { 0 } }, { "-", { 0 } }, { "-3", { 0 } }, { "9-3", { 0 } }, { "3.4-2", { 0 } }, { "3-4.2", { 0 } }, { "3--4", { 0 } },
	{ "3-0", { 0 } }, { "3-4-", { 0 } }, { "3.-", { 0 } }, { "3-a", { 0 } }, { "2024-01", { 0 } }, { "3 -4", { 0 } },
};

START_TEST(parses_ranges)
{
	struct numbers_range r = { .item = 0 };
	const struct numbers_range *want = &ranges[_i].range;

	ck_assert_int_eq(numbers_parse_range(ranges[_i].text, &r), want->item > 0);
	ck_assert_uint_eq(r.item, want->item);
	ck_assert_uint_eq(r.last_item, want->last_item);
	ck_assert_uint_eq(r.member, want->member);
	ck_assert_uint_eq(r.last_member, want->last_member);
}
END_TEST

Suite *
suite_numbers(void)
{
	Suite *s = suite_create("numbers");
	TCase *tc = tcase_create("results");

	tcase_add_test(tc, notes_files);
	tcase_add_test(tc, finds_paths);
	tcase_add_test(tc, notes_sets);
	tcase_add_test(tc, knows_its_range);
	tcase_add_test(tc, notes_many);
	tcase_add_loop_test(tc, parses, 0, N_ROWS(forms));
	tcase_add_loop_test(tc, parses_ranges, 0, N_ROWS(ranges));
	suite_add_tcase(s, tc);
	return s;
}
