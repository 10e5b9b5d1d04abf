/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/rules.h"
#include "unit.h"

enum { MAX_PATTERNS = 3 };

static void
make(struct rules *r, bool hidden, const char *const patterns[MAX_PATTERNS])
{
	rules_init(r);
	r->hidden = hidden;
	for (int i = 0; i < MAX_PATTERNS && patterns[i] != NULL; i++)
		rules_exclude(r, patterns[i]);
}

/* A path is left out by any of its components, from the root on; only the last may be a file. */
static const struct {
	bool hidden;
	const char *patterns[MAX_PATTERNS];
	const char *path;
	bool is_dir;
	enum skip want;
} paths[] = {
	{ false, { NULL }, "", true, SKIP_NO },
	{ false, { NULL }, "a", false, SKIP_NO },
	{ false, { NULL }, "a/b/c", true, SKIP_NO },
	{ false, { NULL }, ".a", false, SKIP_HIDDEN },
	{ false, { NULL }, ".a/b", false, SKIP_HIDDEN },
	{ false, { NULL }, "a/.b/c", false, SKIP_HIDDEN },
	{ false, { NULL }, "a/b/.c", true, SKIP_HIDDEN },
	{ false, { NULL }, "a.b/c.", false, SKIP_NO },
	{ false, { NULL }, "...", false, SKIP_HIDDEN },
	{ true, { NULL }, ".a/.b/.c", false, SKIP_NO },
	{ true, { "*.o" }, ".o", false, SKIP_EXCLUDED },
	/* Hidden is asked first, component by component. */
	{ false, { "*" }, ".a", false, SKIP_HIDDEN },
	{ false, { "a" }, "a/.b", false, SKIP_EXCLUDED },
	{ false, { "b" }, ".a/b", false, SKIP_HIDDEN },
	/* A name at any depth. */
	{ false, { "*.o" }, "a.o", false, SKIP_EXCLUDED },
	{ false, { "*.o" }, "a/b/c.o", false, SKIP_EXCLUDED },
	{ false, { "*.o" }, "a.o/b/c", false, SKIP_EXCLUDED },
	{ false, { "*.o" }, "a/b.o/c", true, SKIP_EXCLUDED },
	{ false, { "*.o" }, "a/b.ob/c", true, SKIP_NO },
	{ false, { "cache" }, "cache", false, SKIP_EXCLUDED },
	{ false, { "cache" }, "x/cache/y", false, SKIP_EXCLUDED },
	{ false, { "cache" }, "cache2/y", false, SKIP_NO },
	{ false, { "cache" }, "x/mycache", false, SKIP_NO },
	/* Directories only: everything but the last component is one. */
	{ false, { "tmp/" }, "tmp", false, SKIP_NO },
	{ false, { "tmp/" }, "tmp", true, SKIP_EXCLUDED },
	{ false, { "tmp/" }, "tmp/x", false, SKIP_EXCLUDED },
	{ false, { "tmp/" }, "a/tmp", false, SKIP_NO },
	{ false, { "tmp/" }, "a/tmp/b/c", false, SKIP_EXCLUDED },
	{ false, { "tmp/" }, "tmp/", false, SKIP_NO },
	/* Anchored at the root. */
	{ false, { "/a" }, "a", false, SKIP_EXCLUDED },
	{ false, { "/a" }, "a/b/c", false, SKIP_EXCLUDED },
	{ false, { "/a" }, "b/a", false, SKIP_NO },
	{ false, { "a/b" }, "a/b", false, SKIP_EXCLUDED },
	{ false, { "a/b" }, "a/b/c", false, SKIP_EXCLUDED },
	{ false, { "a/b" }, "x/a/b", false, SKIP_NO },
	{ false, { "a/b" }, "a", true, SKIP_NO },
	{ false, { "a/*" }, "a/b/c", false, SKIP_EXCLUDED },
	{ false, { "a/*" }, "a", true, SKIP_NO },
	{ false, { "a/*/c" }, "a/b/c/d", false, SKIP_EXCLUDED },
	{ false, { "a/*/c" }, "a/c", false, SKIP_NO },
	{ false, { "**/b" }, "x/y/b/z", false, SKIP_EXCLUDED },
	{ false, { "a/**" }, "a/b", false, SKIP_EXCLUDED },
	{ false, { "a/**" }, "a", true, SKIP_NO },
	{ false, { "a/**/z" }, "a/b/c/z", false, SKIP_EXCLUDED },
	/* Any of several. */
	{ false, { "x", "*.o", "b/" }, "a/b/c", false, SKIP_EXCLUDED },
	{ false, { "x", "*.o", "b/" }, "a/b", false, SKIP_NO },
	{ false, { "x", "*.o", "b/" }, "a/c/d.o", false, SKIP_EXCLUDED },
	/* The last that matches decides, by component: a directory that is left out keeps what is in it. */
	{ false, { "*.o", "!a.o" }, "x/a.o", false, SKIP_NO },
	{ false, { "*.o", "!a.o" }, "x/b.o", false, SKIP_EXCLUDED },
	{ false, { "!a.o", "*.o" }, "x/a.o", false, SKIP_EXCLUDED },
	{ false, { "x/", "!a.o" }, "x/a.o", false, SKIP_EXCLUDED },
	{ false, { "/*", "!x/" }, "x/a.o", false, SKIP_NO },
	{ false, { "*", "!*/", "!*.c" }, "x/y/a.c", false, SKIP_NO },
	{ false, { "*", "!*/", "!*.c" }, "x/y/a.o", false, SKIP_EXCLUDED },
	{ false, { "\\!a" }, "!a", false, SKIP_EXCLUDED },
	{ false, { "!" }, "!", false, SKIP_NO },
	/* Slashes that say nothing, names that are not text. */
	{ false, { "b" }, "a//b", false, SKIP_EXCLUDED },
	{ false, { "x" }, "a/", true, SKIP_NO },
	{ false, { "bad?" }, "a/bad\377/c", false, SKIP_EXCLUDED },
	{ false, { "[\200-\377]*" }, "\377\376", false, SKIP_EXCLUDED },
	{ false, { "a*c" }, "a\nc", false, SKIP_EXCLUDED },
	{ false, { "\\*" }, "*", false, SKIP_EXCLUDED },
	{ false, { "\\*" }, "x", false, SKIP_NO },
	/* What matches nothing. */
	{ false, { "", "[", "\\" }, "a/[/\\", false, SKIP_NO },
};

START_TEST(check_path)
{
	struct rules r;

	make(&r, paths[_i].hidden, paths[_i].patterns);
	ck_assert_int_eq(rules_check_path(&r, paths[_i].path, paths[_i].is_dir), paths[_i].want);
	rules_release(&r);
}
END_TEST

/* The rule for one entry sees its own name alone, and the whole path for patterns. */
START_TEST(check_name)
{
	static const char *const patterns[MAX_PATTERNS] = { "a/x", "*.o" };
	struct rules r;

	make(&r, false, patterns);
	ck_assert_int_eq(rules_check_name(&r, "b", ".a/b", false), SKIP_NO);
	ck_assert_int_eq(rules_check_name(&r, ".b", "a/.b", false), SKIP_HIDDEN);
	ck_assert_int_eq(rules_check_name(&r, "x", "a/x", false), SKIP_EXCLUDED);
	ck_assert_int_eq(rules_check_name(&r, "x", "b/x", false), SKIP_NO);
	ck_assert_int_eq(rules_check_name(&r, "c", "b.o/c", false), SKIP_NO);
	ck_assert_int_eq(rules_check_name(&r, "c.o", "b/c.o", true), SKIP_EXCLUDED);
	rules_release(&r);
}
END_TEST

static const struct {
	int64_t min, max, size;
	enum skip want;
} sizes[] = {
	{ 0, INT64_MAX, 0, SKIP_NO }, { 0, INT64_MAX, INT64_MAX, SKIP_NO }, { 1, INT64_MAX, 0, SKIP_SMALL }, { 1, INT64_MAX, 1, SKIP_NO },
	{ 10, 20, 9, SKIP_SMALL }, { 10, 20, 10, SKIP_NO }, { 10, 20, 20, SKIP_NO }, { 10, 20, 21, SKIP_LARGE }, { 10, 10, 10, SKIP_NO },
	{ 0, 0, 0, SKIP_NO }, { 0, 0, 1, SKIP_LARGE }, { 20, 10, 15, SKIP_SMALL }, { INT64_MAX, INT64_MAX, INT64_MAX - 1, SKIP_SMALL },
	{ 0, INT64_MAX - 1, INT64_MAX, SKIP_LARGE },
};

START_TEST(check_size)
{
	struct rules r;

	rules_init(&r);
	r.min_size = sizes[_i].min;
	r.max_size = sizes[_i].max;
	ck_assert_int_eq(rules_check_size(&r, sizes[_i].size), sizes[_i].want);
	rules_release(&r);
}
END_TEST

static const struct {
	bool hidden, one_fs, network, trust_mtime;
	int64_t min, max;
	const char *patterns[MAX_PATTERNS];
	const char *want;
} shown[] = {
	{ true, false, false, false, 0, INT64_MAX, { NULL }, "" },
	{ false, false, false, false, 0, INT64_MAX, { NULL }, "--no-hidden" },
	{ true, true, false, false, 0, INT64_MAX, { NULL }, "--one-file-system" },
	{ true, false, true, false, 0, INT64_MAX, { NULL }, "--network" },
	{ true, false, false, true, 0, INT64_MAX, { NULL }, "--trust-mtime" },
	{ true, false, false, false, 1, INT64_MAX, { NULL }, "--min-size 1" },
	{ true, false, false, false, 0, 0, { NULL }, "--max-size 0" },
	{ true, false, false, false, 0, INT64_MAX - 1, { NULL }, "--max-size 9223372036854775806" },
	{ true, false, false, false, 0, INT64_MAX, { "*.o" }, "--exclude *.o" },
	{ false, true, true, true, 5, 6, { "a", "b/", "\377\n" },
	  "--no-hidden --one-file-system --network --trust-mtime --min-size 5 --max-size 6 --exclude a --exclude b/ --exclude \377\n" },
};

START_TEST(show)
{
	struct rules r, copy;
	struct buf b = { 0 };

	make(&r, shown[_i].hidden, shown[_i].patterns);
	r.one_fs = shown[_i].one_fs;
	r.network = shown[_i].network;
	r.trust_mtime = shown[_i].trust_mtime;
	r.min_size = shown[_i].min;
	r.max_size = shown[_i].max;
	rules_show(&b, &r);
	ck_assert_str_eq(buf_str(&b), shown[_i].want);
	/* Appended to what is there, and of a copy that lives on without the original. */
	rules_copy(&copy, &r);
	rules_release(&r);
	buf_cut(&b, 0);
	buf_adds(&b, "scan:");
	rules_show(&b, &copy);
	ck_assert_int_eq(strncmp(b.data, "scan:", 5), 0);
	ck_assert_str_eq(b.data + 5, shown[_i].want);
	rules_release(&copy);
	buf_release(&b);
}
END_TEST

/* Released, a set of rules is that of a root that was given none. */
START_TEST(release)
{
	struct rules r;

	rules_init(&r);
	ck_assert(r.hidden && !r.one_fs && !r.network && !r.trust_mtime);
	ck_assert_int_eq(r.min_size, 0);
	ck_assert_int_eq(r.max_size, INT64_MAX);
	ck_assert_uint_eq(r.n_patterns, 0);
	for (int i = 0; i < 100; i++)
		rules_exclude(&r, "x");
	ck_assert_uint_eq(r.n_patterns, 100);
	r.hidden = false;
	rules_release(&r);
	ck_assert(r.hidden);
	ck_assert_int_eq(r.max_size, INT64_MAX);
	ck_assert_uint_eq(r.n_patterns, 0);
	rules_release(&r);
}
END_TEST

START_TEST(names)
{
	for (int i = 0; i < SKIP_COUNT; i++) {
		ck_assert_ptr_nonnull(skip_name((enum skip)i));
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(skip_name((enum skip)i), skip_name((enum skip)j));
	}
}
END_TEST

Suite *
suite_rules(void)
{
	Suite *s = suite_create("rules");
	TCase *tc = tcase_create("rules");

	tcase_add_loop_test(tc, check_path, 0, N_ROWS(paths));
	tcase_add_test(tc, check_name);
	tcase_add_loop_test(tc, check_size, 0, N_ROWS(sizes));
	tcase_add_loop_test(tc, show, 0, N_ROWS(shown));
	tcase_add_test(tc, release);
	tcase_add_test(tc, names);
	suite_add_tcase(s, tc);
	return s;
}
