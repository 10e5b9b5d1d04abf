/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "unit.h"

#define MAX 6

/* What is left of paths, in their order. */
static const struct {
	const char *paths[MAX];
	bool nested_stay;
	const char *left;
} rows[] = {
	{ { NULL }, false, "" },
	{ { "/a" }, false, "/a " },
	{ { "/b", "/a", "/b", "/a" }, false, "/b /a " },
	{ { "/b", "/a", "/b", "/a" }, true, "/b /a " },
	{ { "/a/b", "/a", "/c", "/a/b/c" }, false, "/a /c " },
	{ { "/a/b", "/a", "/c", "/a/b", "/a/b/c" }, true, "/a/b /a /c /a/b/c " },
	{ { "/a/b/c", "/a/b", "/a!" }, false, "/a/b /a! " },
	{ { "/a2", "/a", "/a 1", "/a/1" }, false, "/a2 /a /a 1 " },
	{ { "/a", "/", "/b", "/" }, false, "/ " },
	{ { "/", "/a", "/" }, true, "/ /a " },
};

START_TEST(prune)
{
	struct cmd_paths paths = { 0 };
	struct buf left = { 0 };

	for (size_t i = 0; i < MAX && rows[_i].paths[i] != NULL; i++)
		vec_push(&paths, mem_str(rows[_i].paths[i]));
	cmd_paths_prune(&paths, rows[_i].nested_stay);
	for (size_t i = 0; i < paths.n; i++)
		buf_addf(&left, "%s ", paths.v[i]);
	ck_assert_str_eq(buf_str(&left), rows[_i].left);
	cmd_paths_release(&paths);
	buf_release(&left);
}
END_TEST

/* Each compared with each would be 10,000 million comparisons, which take longer than the limit. */
START_TEST(prune_many)
{
	enum { N = 100000 };
	struct cmd_paths paths = { 0 };

	for (int i = 0; i < N; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/d%d/%s", i % (N / 2), i < N / 2 ? "f" : "f/g");
		vec_push(&paths, mem_str(path));
	}
	cmd_paths_prune(&paths, false);
	ck_assert_uint_eq(paths.n, N / 2);
	cmd_paths_release(&paths);
}
END_TEST

Suite *
suite_cmd_paths(void)
{
	Suite *s = suite_create("cmd_paths");
	TCase *tc = tcase_create("prune");

	tcase_add_loop_test(tc, prune, 0, N_ROWS(rows));
	tcase_add_test(tc, prune_many);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(s, tc);
	return s;
}
