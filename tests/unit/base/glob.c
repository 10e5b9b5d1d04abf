/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <time.h>

#include "unit.h"

static const struct {
	const char *pattern, *name;
	bool want;
} names[] = {
	{ "", "", true }, { "", "a", false }, { "a", "", false }, { "a", "a", true }, { "a", "b", false },
	{ "ab", "a", false }, { "a", "ab", false }, { "A", "a", false },
	{ "*", "", true }, { "*", "abc", true }, { "*", ".hidden", true }, { "**", "abc", true }, { "*", "\n\xff", true },
	{ "a*", "a", true }, { "a*", "abc", true }, { "*c", "abc", true }, { "*c", "abcd", false },
	{ "a*c", "ac", true }, { "a*c", "abbbc", true }, { "a*c", "abcb", false }, { "*.o", ".o", true },
	{ "*.o", "a.o.o", true }, { "*a*b*", "xxaxxbxx", true }, { "*a*b*", "xxbxxaxx", false },
	{ "*ab*ab*", "abab", true }, { "*ab*ab*", "aab", false }, { "*.tar.*", "x.tar.gz", true },
	{ "?", "", false }, { "?", "a", true }, { "?", "ab", false }, { "???", "abc", true }, { "?*?", "a", false },
	{ "?*?", "ab", true }, { "?", "\xff", true },
	/* bytes, not characters: e acute is two */
	{ "?", "\xc3\xa9", false }, { "??", "\xc3\xa9", true }, { "\xc3\xa9", "\xc3\xa9", true },
	{ "[a-c]", "b", true }, { "[a-c]", "d", false }, { "[a-c]", "", false }, { "[!a-c]", "b", false },
	{ "[!a-c]", "d", true }, { "[^a-c]", "d", true }, { "[!a-c]", "", false }, { "[abc]x", "bx", true },
	{ "[]]", "]", true }, { "[]a]", "a", true }, { "[!]]", "]", false }, { "[!]]", "a", true }, { "[]-_]", "^", true },
	{ "[a-]", "-", true }, { "[a-]", "b", false }, { "[-a]", "-", true }, { "[--0]", ".", true },
	{ "[z-a]", "m", false }, { "[z-a]", "z", false }, { "[!z-a]", "m", true }, { "[a!]", "!", true }, { "[a^]", "^", true },
	{ "[\\]]", "]", true }, { "[\\]]", "\\", false }, { "[\\\\]", "\\", true }, { "[a\\-z]", "-", true },
	{ "[a\\-z]", "m", false }, { "[\\a-\\c]", "b", true }, { "[*]", "*", true }, { "[*]", "a", false }, { "[?]", "x", false },
	{ "[\x80-\xff]", "\xc3", true }, { "[\x80-\xff]", "a", false }, { "[a-\xff]", "\xfe", true },
	{ "[[]", "[", true }, { "[[a]", "a", true }, { "*[0-9]", "abc7", true }, { "*[0-9]", "abc7x", false },
	{ "[a-c]*[x-z]", "b--y", true }, { "[a-c]*[x-z]", "b--w", false },
	/* a bracket without its end, a backslash at the end */
	{ "[", "[", false }, { "[a", "a", false }, { "[a", "[a", false }, { "[]", "]", false }, { "[!]", "!", false },
	{ "[\\]", "]", false }, { "*[", "[", false }, { "\\", "\\", false }, { "a\\", "a", false }, { "a\\", "a\\", false },
	{ "\\*", "*", true }, { "\\*", "a", false }, { "\\?", "?", true }, { "\\[a]", "[a]", true }, { "\\\\", "\\", true },
	{ "\\a", "a", true }, { "a\\*b*", "a*bc", true }, { "a\\*b*", "axbc", false }, { "\\\\*", "\\abc", true },
	{ "*\\", "a\\", false },
};

START_TEST(match)
{
	ck_assert_msg(glob_match(names[_i].pattern, names[_i].name) == names[_i].want,
		      "'%s' %s '%s'", names[_i].pattern, names[_i].want ? "misses" : "matches", names[_i].name);
}
END_TEST

static const struct {
	const char *pattern, *path;
	bool is_dir, want;
} paths[] = {
	/* no slash: the last component, at any depth */
	{ "*.o", "a.o", false, true }, { "*.o", "x/y/a.o", false, true }, { "*.o", "a.o/b", false, false },
	{ "node_modules", "x/node_modules", true, true }, { "node_modules", "node_modules/x", false, false },
	{ "a", "xa", false, false }, { "a*b", "a/b", false, false }, { "?", "x/y", false, true }, { "***", "x/y", false, true },
	{ "**", "a/b", false, true }, { "**", "a", true, true },
	/* a slash at the end: directories only */
	{ "build/", "build", true, true }, { "build/", "build", false, false }, { "build/", "x/build", true, true },
	{ "build//", "x/build", true, true }, { "a/b/", "a/b", true, true }, { "a/b/", "a/b", false, false },
	{ "a/b/", "x/a/b", true, false }, { "**/", "a/b", true, true }, { "**/", "a/b", false, false },
	/* a slash elsewhere anchors */
	{ "/a", "a", false, true }, { "/a", "x/a", false, false }, { "//a", "a", false, true }, { "/a/", "a", true, true },
	{ "/a/", "a", false, false }, { "a/b", "a/b", false, true }, { "a/b", "x/a/b", false, false }, { "a/b", "a", true, false },
	{ "a/b", "a/b/c", false, false }, { "a//b", "a/b", false, true }, { "a/*", "a/b", false, true },
	{ "a/*", "a/b/c", false, false }, { "a/*/c", "a/b/c", false, true }, { "a/*/c", "a/b/d/c", false, false },
	{ "/*", "a", false, true }, { "/*", "a/b", false, false }, { "*/*", "a/b", false, true }, { "a/b*", "a/bc", false, true },
	{ "a?b/c", "a/b/c", false, false }, { "a[/]b", "a/b", false, false }, { "x/[ab]/y", "x/a/y", false, true },
	/* any number of components */
	{ "**/a", "a", false, true }, { "**/a", "x/y/a", false, true }, { "**/a", "xa", false, false },
	{ "**/a", "a/b", false, false }, { "**/a/b", "a/b", false, true }, { "**/a/b", "x/a/a/b", false, true },
	{ "**/a/b", "x/a/x/b", false, false }, { "a/**", "a/b", false, true }, { "a/**", "a/b/c/d", false, true },
	{ "a/**", "a", true, false }, { "a/**", "b/a/c", false, false }, { "a/**/", "a/b", true, true },
	{ "a/**/", "a/b", false, false }, { "a/**/b", "a/b", false, true }, { "a/**/b", "a/x/b", false, true },
	{ "a/**/b", "a/x/y/b", false, true }, { "a/**/b", "a/b/c", false, false }, { "a/**/b", "ab", false, false },
	{ "a/**/b/**/c", "a/x/b/y/z/c", false, true }, { "a/**/b/**/c", "a/x/c/b", false, false },
	{ "a/**/b/**/c", "a/b/c", false, true }, { "**/**/a", "a", false, true }, { "a/**/**", "a/b", false, true },
	{ "a/**/**", "a", true, false }, { "/**", "a/b", false, true }, { "/**/a", "x/a", false, true },
	{ "**/*.o", "x/y/a.o", false, true }, { "**/x/**", "a/x/b", false, true }, { "**/x/**", "a/x", true, false },
	{ "**/a*/b/*c", "q/ab/r/ax/b/xc", false, true },
	/* two asterisks within a component are but asterisks */
	{ "a**/b", "axx/b", false, true }, { "a**/b", "a/x/b", false, false }, { "**a/b", "xa/b", false, true },
	{ "**a/b", "x/a/b", false, false }, { "\\**/b", "x/y/b", false, false }, { "\\**/b", "*x/b", false, true },
	/* nothing */
	{ "", "a", false, false }, { "/", "a", true, false }, { "//", "a", true, false }, { "a\\/", "a", true, false },
	/* any bytes */
	{ "\xff*", "x/\xff\n", false, true }, { "a b/ ", "a b/ ", false, true }, { "#x", "#x", false, true }, { "!x", "!x", false, true },
};

START_TEST(excludes)
{
	ck_assert_msg(glob_excludes(paths[_i].pattern, paths[_i].path, paths[_i].is_dir) == paths[_i].want,
		      "'%s' %s '%s'", paths[_i].pattern, paths[_i].want ? "misses" : "takes", paths[_i].path);
}
END_TEST

/* Patterns that cost exponential or cubic time in a careless matcher: unit, then tail, against unit, then tail. */
static const struct {
	const char *pattern_unit, *pattern_tail, *path_unit, *path_tail;
} hostile[] = {
	{ "*a", "b", "a", "c" }, { "*", "b", "a", "" }, { "?*", "b", "a", "" }, { "*?", "b", "a", "" },
	{ "*[a]", "b", "a", "" }, { "*[ab]*[a-b]", "c", "ab", "" }, { "*[", "", "[", "" }, { "[", "", "[", "" },
	{ "*[!", "]b", "a", "" }, { "\\[*", "[", "[", "" }, { "**/", "b", "a/", "c" }, { "**/a/", "b", "a/", "c" },
	{ "**/*a*a/", "b", "aaaaaaaa/", "c" }, { "**/*/", "b", "a/", "c" }, { "*/**/", "b", "a/", "c" },
	{ "**/?*[a-z]*\\a/", "b", "aaa/", "c" },
};

static void
repeat(struct buf *b, const char *unit, const char *tail, size_t len)
{
	while (b->len < len)
		buf_adds(b, unit);
	buf_adds(b, tail);
}

START_TEST(time_is_bounded)
{
	struct buf pattern = { 0 }, path = { 0 };
	clock_t began;

	/* 4096 x 4096 is some 0.1 s at worst; one power more would be minutes. */
	repeat(&pattern, hostile[_i].pattern_unit, hostile[_i].pattern_tail, 4096);
	repeat(&path, hostile[_i].path_unit, hostile[_i].path_tail, 4096);
	began = clock();
	ck_assert(!glob_match(buf_str(&pattern), buf_str(&path)));
	ck_assert(!glob_excludes(buf_str(&pattern), buf_str(&path), true));
	ck_assert_int_lt((clock() - began) / CLOCKS_PER_SEC, 3);
	buf_release(&pattern);
	buf_release(&path);
}
END_TEST

/* The obvious, exponential matcher of the same language: patterns of * ? and letters. */
static bool
simple_match(const char *pattern, const char *name)
{
	if (*pattern == '*')
		return simple_match(pattern + 1, name) || (*name && simple_match(pattern, name + 1));
	if (!*pattern || !*name)
		return *pattern == *name;
	return (*pattern == '?' || *pattern == *name) && simple_match(pattern + 1, name + 1);
}

/* The n-th string of up to 6 of the letters. */
static void
nth_string(char *s, unsigned int n, const char *letters, unsigned int n_letters)
{
	while (n) {
		n--;
		*s++ = letters[n % n_letters];
		n /= n_letters;
	}
	*s = '\0';
}

START_TEST(agrees_with_the_obvious_matcher)
{
	char pattern[8], name[8];

	for (unsigned int i = 0; i < 1365; i++) {
		nth_string(pattern, i, "ab*?", 4);
		for (unsigned int k = 0; k < 127; k++) {
			nth_string(name, k, "ab", 2);
			if (glob_match(pattern, name) != simple_match(pattern, name))
				ck_abort_msg("'%s' '%s'", pattern, name);
		}
	}
}
END_TEST

/* The same for components, written as letters: A is a, B is b, ? is a lone *, * is **. */
START_TEST(components_agree_with_the_obvious_matcher)
{
	char pattern[8], name[8];

	for (unsigned int i = 0; i < 1365; i++) {
		struct buf glob = { 0 };
		bool trailing;

		nth_string(pattern, i, "ab*?", 4);
		trailing = pattern[0] && pattern[strlen(pattern) - 1] == '*';
		for (const char *p = pattern; *p; p++)
			buf_addf(&glob, "/%s", *p == '*' ? "**" : *p == '?' ? "*" : *p == 'a' ? "a" : "b");
		/* A ** at the end takes at least one component; ?* says that to the obvious matcher. */
		if (trailing) {
			size_t end = strlen(pattern);

			while (end > 0 && pattern[end - 1] == '*')
				end--;
			snprintf(pattern + end, sizeof(pattern) - end, "?*");
		}
		for (unsigned int k = 1; k < 127; k++) {
			struct buf path = { 0 };
			bool want;

			nth_string(name, k, "ab", 2);
			for (const char *p = name; *p; p++)
				buf_addf(&path, "%s%c", p == name ? "" : "/", *p);
			want = *pattern && simple_match(pattern, name);
			if (glob_excludes(buf_str(&glob), buf_str(&path), false) != want)
				ck_abort_msg("'%s' '%s'", buf_str(&glob), buf_str(&path));
			buf_release(&path);
		}
		buf_release(&glob);
	}
}
END_TEST

Suite *
suite_glob(void)
{
	Suite *s = suite_create("glob");
	TCase *tc = tcase_create("glob");

	tcase_add_loop_test(tc, match, 0, N_ROWS(names));
	tcase_add_loop_test(tc, excludes, 0, N_ROWS(paths));
	tcase_add_loop_test(tc, time_is_bounded, 0, N_ROWS(hostile));
	tcase_add_test(tc, agrees_with_the_obvious_matcher);
	tcase_add_test(tc, components_agree_with_the_obvious_matcher);
	suite_add_tcase(s, tc);
	return s;
}
