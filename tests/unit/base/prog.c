/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "unit.h"

static const struct {
	const char *called, *name;
} rows[] = {
	{ NULL, "twindex" },
	{ "", "twindex" },
	{ "twindex", "twindex" },
	{ "something else", "twindex" },
	{ "./twindex", "./twindex" },
	{ "/usr/local/bin/twindex-0.1", "/usr/local/bin/twindex-0.1" },
	{ "../a dir/twindex", "\"../a dir/twindex\"" },
	{ "~/twindex", "\"~/twindex\"" },
	{ "a=b/twindex", "\"a=b/twindex\"" },
	{ "./gr\xc3\xbcn", "\"./gr\xc3\xbcn\"" },
	/* no shell would take it as it is shown */
	{ "./$HOME/twindex", "twindex" },
	{ "./a\"b", "twindex" },
	{ "./a`b`", "twindex" },
	{ "./a\\b", "twindex" },
	{ "./it's", "twindex" },
	{ "./new!", "twindex" },
	{ "./a\nb", "twindex" },
	{ "./\x1b[31m", "twindex" },
	{ "./\xff", "twindex" },
};

START_TEST(name)
{
	prog_set(rows[_i].called);
	ck_assert_str_eq(prog_name(), rows[_i].name);
	prog_set(NULL);
}
END_TEST

/* The longest that fits, bare and in quotes, and one more. */
START_TEST(lengths)
{
	char called[256];

	for (size_t len = 2; len < sizeof(called); len++) {
		memset(called, 'x', len);
		called[len] = '\0';
		called[0] = '/';
		called[1] = _i == 0 ? 'x' : ' ';
		prog_set(called);
		ck_assert_uint_eq(strlen(prog_name()), len > 197 ? strlen("twindex") : _i == 0 ? len : len + 2);
	}
	prog_set(NULL);
}
END_TEST

/* With an index that the command line names. */
START_TEST(with_index)
{
	prog_set("./twindex");
	prog_set_index("my.db");
	ck_assert_str_eq(prog_name(), "./twindex --db my.db");
	prog_set_index("/disk of/me/i.db");
	ck_assert_str_eq(prog_name(), "./twindex --db \"/disk of/me/i.db\"");
	/* no shell would take it as it is shown */
	prog_set_index("it's.db");
	ck_assert_str_eq(prog_name(), "./twindex");
	prog_set(NULL);
	prog_set_index("my.db");
	ck_assert_str_eq(prog_name(), "twindex --db my.db");
	prog_set_index(NULL);
	ck_assert_str_eq(prog_name(), "twindex");
}
END_TEST

Suite *
suite_prog(void)
{
	Suite *s = suite_create("prog");
	TCase *tc = tcase_create("prog");

	tcase_add_loop_test(tc, name, 0, N_ROWS(rows));
	tcase_add_loop_test(tc, lengths, 0, 2);
	tcase_add_test(tc, with_index);
	suite_add_tcase(s, tc);
	return s;
}
