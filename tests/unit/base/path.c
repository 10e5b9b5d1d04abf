/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "unit.h"

static const struct {
	const char *path, *name, *want;
} appended[] = {
	{ "", "a", "a" }, { "/", "a", "/a" }, { "/a", "b", "/a/b" }, { "a", "b", "a/b" },
	{ "/a", "\n", "/a/\n" }, { "/a", "\xff", "/a/\xff" }, { "/a ", " b", "/a / b" },
};

START_TEST(append)
{
	struct buf b = { 0 };

	buf_adds(&b, appended[_i].path);
	path_append(&b, appended[_i].name, strlen(appended[_i].name));
	ck_assert_str_eq(buf_str(&b), appended[_i].want);
	buf_release(&b);
}
END_TEST

static const struct {
	const char *path, *want;
} normals[] = {
	{ "/", "/" }, { "//", "/" }, { "///", "/" }, { "/.", "/" }, { "/./", "/" }, { "/..", "/" }, { "/../..", "/" },
	{ "/a", "/a" }, { "/a/", "/a" }, { "//a//b//", "/a/b" }, { "/a/./b", "/a/b" }, { "/a/../b", "/b" },
	{ "/a/..", "/" }, { "/a/b/..", "/a" }, { "/a/b/../..", "/" }, { "/a/b/../../..", "/" }, { "/../a", "/a" },
	{ "/a/b/../../../c", "/c" }, { "/...", "/..." }, { "/.a", "/.a" }, { "/..a/..", "/" }, { "/a../b", "/a../b" },
	{ "/a/. /b", "/a/. /b" }, { "/\n/\xff/", "/\n/\xff" }, { "/ab/cd/ef/../gh/./", "/ab/cd/gh" },
};

static const struct {
	const char *path;
	size_t len;
} trashes[] = {
	{ "/h/.local/share/Trash/files/a", 21 }, { "/h/.local/share/Trash/files", 0 }, { "/h/Trash/a", 0 }, { "/m/.Trash-7/files/a", 11 },
	{ "/m/.Trash/7/files/a", 9 }, { "/m/.Trash-7", 0 }, { "/m/.Trashed/a/.Trash-/b", 21 }, { "/", 0 },
};

START_TEST(trash)
{
	ck_assert_uint_eq(path_trash_len(trashes[_i].path), trashes[_i].len);
}
END_TEST

START_TEST(normalize)
{
	struct buf b = { 0 };

	path_normalize(&b, normals[_i].path);
	ck_assert_str_eq(buf_str(&b), normals[_i].want);
	/* Again it changes nothing, and what stands before is left alone, whatever the dots. */
	buf_cut(&b, 0);
	path_normalize(&b, normals[_i].want);
	ck_assert_str_eq(buf_str(&b), normals[_i].want);
	buf_cut(&b, 0);
	buf_adds(&b, "/before/it");
	path_normalize(&b, normals[_i].path);
	ck_assert_int_eq(strncmp(buf_str(&b), "/before/it", 10), 0);
	ck_assert_str_eq(buf_str(&b) + 10, normals[_i].want);
	buf_release(&b);
}
END_TEST

START_TEST(normalize_has_no_limit)
{
	struct buf deep = { 0 }, b = { 0 };

	for (int i = 0; i < 10000; i++)
		buf_adds(&deep, "/component");
	path_normalize(&b, buf_str(&deep));
	ck_assert_str_eq(buf_str(&b), buf_str(&deep));
	for (int i = 0; i < 10000; i++)
		buf_adds(&deep, "/..");
	buf_cut(&b, 0);
	path_normalize(&b, buf_str(&deep));
	ck_assert_str_eq(buf_str(&b), "/");
	buf_release(&deep);
	buf_release(&b);
}
END_TEST

static const struct {
	const char *path, *dir, *below;  /* below NULL: it is not */
} belows[] = {
	{ "/", "/", "" }, { "/data", "/", "data" }, { "/data/x", "/", "data/x" },
	{ "/data", "/data", "" }, { "/data/x", "/data", "x" }, { "/data/x/y", "/data", "x/y" },
	{ "/data/x/y", "/data/x", "y" }, { "/data2", "/data", NULL }, { "/data2/x", "/data", NULL },
	{ "/data.d/x", "/data", NULL }, { "/data ", "/data", NULL }, { "/dat", "/data", NULL }, { "/", "/data", NULL },
	{ "/x/data", "/data", NULL }, { "/data/x", "/data/xy", NULL }, { "/Data/x", "/data", NULL },
	{ "/a/\xff/b", "/a/\xff", "b" }, { "/a/\xff" "b", "/a/\xff", NULL },
};

START_TEST(below)
{
	const char *got = path_below(belows[_i].path, belows[_i].dir);

	if (belows[_i].below)
		ck_assert_pstr_eq(got, belows[_i].below);
	else
		ck_assert_ptr_null(got);
	ck_assert_int_eq(path_is_below(belows[_i].path, belows[_i].dir), belows[_i].below != NULL);
}
END_TEST

static const struct {
	const char *path, *base;
	size_t parent_len;
} parts[] = {
	{ "/", "", 1 }, { "/a", "a", 1 }, { "/abc", "abc", 1 }, { "/a/b", "b", 2 }, { "/abc/def", "def", 4 },
	{ "/a/b/.c", ".c", 4 }, { "/a/b c", "b c", 2 },
};

/* Of any of several directories. */
START_TEST(any)
{
	static const char *const dirs[] = { "/a/b", "/c" };

	ck_assert(path_is_below_any("/a/b/x", dirs, 2) && path_is_below_any("/c", dirs, 2));
	ck_assert(!path_is_below_any("/a", dirs, 2) && !path_is_below_any("/a/bx", dirs, 2) && !path_is_below_any("/c", dirs, 0));
	ck_assert(path_is_around_any("/a/b/x", dirs, 2) && path_is_around_any("/a", dirs, 2) && path_is_around_any("/", dirs, 2));
	ck_assert(!path_is_around_any("/a/bx", dirs, 2) && !path_is_around_any("/d", dirs, 2) && !path_is_around_any("/", dirs, 0));
}
END_TEST

START_TEST(base_and_parent)
{
	ck_assert_str_eq(path_base(parts[_i].path), parts[_i].base);
	ck_assert_uint_eq(path_parent_len(parts[_i].path), parts[_i].parent_len);
}
END_TEST

static const struct {
	const char *path;
	const char *want;  /* each component followed by | */
} components[] = {
	{ "", "" }, { "/", "" }, { "///", "" }, { "a", "a|" }, { "/a", "a|" }, { "a/", "a|" }, { "//a//b//", "a|b|" },
	{ "/a/./..", "a|.|..|" }, { " / ", " | |" },
};

START_TEST(next)
{
	const char *rest = components[_i].path, *name;
	struct buf b = { 0 };
	size_t len;

	while (path_next(&rest, &name, &len)) {
		ck_assert_int_ne(*rest, '/');
		buf_add(&b, name, len);
		buf_addc(&b, '|');
	}
	ck_assert_int_eq(*rest, '\0');
	ck_assert(!path_next(&rest, &name, &len));
	ck_assert_str_eq(buf_str(&b), components[_i].want);
	buf_release(&b);
}
END_TEST

static const struct {
	const char *dir, *path, *want;
} relatives[] = {
	{ "/a", "/a/b", "b" }, { "/a", "/b", "../b" }, { "/", "/a", "a" }, { "/", "/a/b", "a/b" }, { "/a/b", "/a/c/d", "../c/d" },
	{ "/a/b", "/c", "../../c" }, { "/a/b", "/a", ".." }, { "/a/b", "/", "../.." }, { "/a", "/a", "." }, { "/ab", "/a/b", "../a/b" },
	{ "/a", "/ab", "../ab" }, { "/a/b", "/a/b/c/d", "c/d" }, { "/a/x/c", "/a/y/c", "../../y/c" },
};

START_TEST(relative)
{
	struct buf b = { 0 };

	path_relative(&b, relatives[_i].dir, relatives[_i].path);
	ck_assert_str_eq(buf_str(&b), relatives[_i].want);
	buf_release(&b);
}
END_TEST

/* The first hidden directory between a directory and a file, or NULL. */
static const struct {
	const char *path, *dir, *name;
} hidden_dirs[] = {
	{ "/a/b/c", "/a", NULL },
	{ "/a/.b/c", "/a", ".b" },
	{ "/a/.b/.c/d", "/a", ".b" },
	{ "/a/b/.c", "/a", NULL },
	{ "/a/.b/c", "/a/.b", NULL },
	{ "/.a/b/c", "/.a/b", NULL },
	{ "/.a/b/c", "/", ".a" },
	{ "/.a", "/", NULL },
	{ "/a/.b", "/a/.b", NULL },
	{ "/b/.c/d", "/a", NULL },
	{ "/a/..b\377/d", "/a", "..b\377" },
};

START_TEST(hidden_dir)
{
	const char *want = hidden_dirs[_i].name, *name = NULL;
	size_t len = 0;

	ck_assert_int_eq(path_hidden_dir(hidden_dirs[_i].path, hidden_dirs[_i].dir, &name, &len), want != NULL);
	if (want != NULL)
		ck_assert(len == strlen(want) && memcmp(name, want, len) == 0);
}
END_TEST

Suite *
suite_path(void)
{
	Suite *s = suite_create("path");
	TCase *tc = tcase_create("path");

	tcase_add_loop_test(tc, append, 0, N_ROWS(appended));
	tcase_add_loop_test(tc, normalize, 0, N_ROWS(normals));
	tcase_add_test(tc, normalize_has_no_limit);
	tcase_add_loop_test(tc, below, 0, N_ROWS(belows));
	tcase_add_test(tc, any);
	tcase_add_loop_test(tc, base_and_parent, 0, N_ROWS(parts));
	tcase_add_loop_test(tc, trash, 0, N_ROWS(trashes));
	tcase_add_loop_test(tc, relative, 0, N_ROWS(relatives));
	tcase_add_loop_test(tc, next, 0, N_ROWS(components));
	tcase_add_loop_test(tc, hidden_dir, 0, N_ROWS(hidden_dirs));
	suite_add_tcase(s, tc);
	return s;
}
