/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/answer.h"
#include "trees/copy_dirs.h"
#include "trees/missing_dirs.h"
#include "unit.h"

/* Files in the order of a listing of /d, "-" before those that are missing; the lines "FILES/OF path", "*" for all below. */
static const struct {
	const char *files, *lines;
} missing[] = {
	{ "", "" },
	{ "/d/a /d/b", "" },
	{ "-/d/a", "1/1* /d" },
	{ "-/d/a /d/b", "1/2 /d" },
	{ "/d/a -/d/x/a -/d/x/b", "2/2* /d/x" },
	{ "/d/a -/d/x/y/a -/d/x/y/z/b -/d/x/z/b", "3/3* /d/x" },
	{ "-/d/a -/d/x/y/a /d/x/y/z/b", "1/1 /d|1/1 /d/x/y" },
	{ "-/d/x/a -/d/xy/a /d/y/a", "1/1* /d/x|1/1* /d/xy" },
	{ "-/d/x/a /d/x/y/a -/d/x/z/a -/d/z/q/r/s/t", "1/1 /d/x|1/1* /d/x/z|1/1* /d/z" },
};

START_TEST(test_missing)
{
	struct missing_dirs m = { .lines = { 0 } };
	struct buf got = { 0 };
	char files[200], *rest = files;

	snprintf(files, sizeof(files), "%s", missing[_i].files);
	missing_dirs_open(&m, "/d");
	for (char *f; (f = strtok_r(rest, " ", &rest)) != NULL;)
		missing_dirs_add(&m, f + (*f == '-'), *f == '-', 10);
	missing_dirs_close(&m);
	for (size_t i = 0; i < m.lines.n; i++) {
		const struct tree_answer *t = &m.lines.v[i];

		ck_assert_int_eq(t->bytes, t->files * 10);
		ck_assert(i == 0 || t->bytes <= m.lines.v[i - 1].bytes);
		buf_addf(&got, "%s%" PRId64 "/%" PRId64 "%s %s", i > 0 ? "|" : "", t->files, t->of, t->state == TREE_AT_RISK ? "*" : "", t->path);
	}
	ck_assert_str_eq(buf_str(&got), missing[_i].lines);
	missing_dirs_release(&m);
	buf_release(&got);
}
END_TEST

START_TEST(test_missing_root)
{
	struct missing_dirs m = { .lines = { 0 } };

	missing_dirs_open(&m, "/");
	missing_dirs_add(&m, "/a", false, 1);
	missing_dirs_add(&m, "/b/c", true, 1);
	missing_dirs_close(&m);
	ck_assert_uint_eq(m.lines.n, 1);
	ck_assert_str_eq(m.lines.v[0].path, "/b");
	missing_dirs_release(&m);
}
END_TEST

/* Of /h/u/old: copies, "+" for a copy of the file's own beside the one named; the places "FILES path". */
static const struct {
	const char *copies, *places;
} places[] = {
	{ "", "" },
	{ "/h/u/p/a", "1 /h/u/p" },
	{ "/h/u/p/a /h/u/p/b /h/u/p/c/d", "3 /h/u/p" },
	{ "/h/u/p/x/a /h/u/p/x/y/b", "2 /h/u/p/x" },
	{ "/h/u/a", "1 directly in /h/u" },
	{ "/h/u/a /h/u/p/b /h/u/p/c", "2 /h/u/p|1 directly in /h/u" },
	{ "/m/blue/x/a /h/u/p/b /m/blue/y/c", "2 /m/blue|1 /h/u/p" },
	{ "/h/u/p b/1 /h/u/p/2", "1 /h/u/p|1 /h/u/p b" },
	{ "/h/u/a/1 /h/u/b/1 /h/u/c/1 /h/u/d/1", "1 /h/u/a|1 /h/u/b|1 /h/u/c|1 /h/u/d" },
	{ "/h/u/a/1 /h/u/b/1 /h/u/c/1 /h/u/d/1 /h/u/e/1 /m/1 /h/u/1", "6 /h/u|1 /m" },
	{ "/h/u/older/1", "1 /h/u/older" },
};

START_TEST(test_places)
{
	struct copy_dirs c = { .asked = "/h/u/old" };
	struct buf got = { 0 };
	char copies[200], *rest = copies;

	snprintf(copies, sizeof(copies), "%s", places[_i].copies);
	for (char *f, *sep = copies; *sep != '\0'; rest = sep) {
		const struct member m = { .path = rest, .kind = MEMBER_COPY };

		/* Blanks inside of names are before no slash. */
		f = strstr(rest, " /");
		sep = f != NULL ? f + 1 : rest + strlen(rest);
		if (f != NULL)
			*f = '\0';
		copy_dirs_add(&c, &(struct file_answer){ .path = "/h/u/old/f", .members = &m, .n_members = 1 });
	}
	copy_dirs_close(&c);
	for (size_t i = 0; i < c.places.n; i++)
		buf_addf(&got, "%s%" PRId64 " %s%s", i > 0 ? "|" : "", c.places.v[i].files, c.places.v[i].direct ? "directly in " : "", c.places.v[i].path);
	ck_assert_str_eq(buf_str(&got), places[_i].places);
	copy_dirs_release(&c);
	buf_release(&got);
}
END_TEST

START_TEST(test_many_copies)
{
	const struct member m[] = {
		{ .path = "/gone/1", .kind = MEMBER_GONE }, { .path = "/a/1", .kind = MEMBER_COPY }, { .path = "/b/1", .kind = MEMBER_LINK },
	};
	struct copy_dirs c = { .asked = "/old" };

	/* One beside the last copy is taken, else the first; a file that is told with another has its copy. */
	copy_dirs_add(&c, &(struct file_answer){ .path = "/old/1", .members = m + 2, .n_members = 1 });
	copy_dirs_add(&c, &(struct file_answer){ .path = "/old/2", .members = m, .n_members = 3 });
	copy_dirs_add(&c, &(struct file_answer){ .path = "/old/3", .members = m + 1, .n_members = 1 });
	copy_dirs_add(&c, &(struct file_answer){ .path = "/old/4", .told_with = "/old/2" });
	copy_dirs_close(&c);
	ck_assert_uint_eq(c.places.n, 2);
	ck_assert_str_eq(c.places.v[0].path, "/b");
	ck_assert_int_eq(c.places.v[0].files, 3);
	ck_assert_int_eq(c.places.v[1].files, 1);
	copy_dirs_release(&c);
}
END_TEST

Suite *
suite_safe_dirs(void)
{
	Suite *s = suite_create("safe_dirs");
	TCase *tc = tcase_create("all");

	tcase_add_loop_test(tc, test_missing, 0, sizeof(missing) / sizeof(*missing));
	tcase_add_test(tc, test_missing_root);
	tcase_add_loop_test(tc, test_places, 0, sizeof(places) / sizeof(*places));
	tcase_add_test(tc, test_many_copies);
	suite_add_tcase(s, tc);
	return s;
}
