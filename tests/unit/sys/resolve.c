/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "sys/resolve.h"
#include "unit.h"

static char top[PATH_MAX];
static int home;

/* real/sub/file, bad names, links: to real, upwards, absolute, to a file, to themselves, to nothing. */
static void
setup(void)
{
	static const char *const dirs[] = { "real", "real/sub", "real/new\nline", "real/bad\377" };
	static const struct { const char *to, *name; } links[] = {
		{ "real", "link" }, { "real/sub", "deep" }, { "..", "up" }, { "loop", "loop" }, { "nothing/at all", "dangling" },
		{ "sub/file", "real/to_file" }, { "link/sub", "twice" }, { "/", "root" }, { "real/bad\377", "to_bad" },
	};
	char made[128];
	int fd;

	fixture_temp_dir(made, sizeof(made));
	ck_assert_ptr_nonnull(realpath(made, top));
	home = open(".", O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(chdir(top), 0);
	for (int i = 0; i < N_ROWS(dirs); i++)
		ck_assert_int_eq(mkdir(dirs[i], 0700), 0);
	for (int i = 0; i < N_ROWS(links); i++)
		ck_assert_int_eq(symlink(links[i].to, links[i].name), 0);
	fd = open("real/sub/file", O_WRONLY | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void
teardown(void)
{
	if (fchdir(home) < 0)
		perror("fchdir");
	close(home);
	fixture_remove_tree(top);
}

/* Replace a leading @ by the top. */
static void
expand(struct buf *b, const char *text)
{
	if (*text == '@')
		buf_adds(b, top);
	buf_adds(b, text + (*text == '@'));
}

static const struct {
	const char *typed, *base, *want;
} rows[] = {
	{ ".", "@", "@" }, { "./", "@", "@" }, { "/", "@", "/" }, { "//", "@", "/" }, { "/..", "@", "/" }, { "/../..//.", "@", "/" },
	{ "real", "@", "@/real" }, { "real/", "@", "@/real" }, { "real//sub///file", "@", "@/real/sub/file" },
	{ "./real/./sub/.", "@", "@/real/sub" }, { "real/sub/..", "@", "@/real" }, { "real/../real", "@", "@/real" },
	{ "sub", "@/real", "@/real/sub" }, { "../real", "@/real", "@/real" }, { "@/real", "/gone", "@/real" },
	{ "@/real/sub", NULL, "@/real/sub" }, { "real/sub", NULL, "@/real/sub" }, { "..", "@/real/sub", "@/real" },
	/* Links, where they lead; ".." behind one as the kernel sees it. */
	{ "link", "@", "@/real" }, { "link/", "@", "@/real" }, { "link/sub/file", "@", "@/real/sub/file" },
	{ "deep", "@", "@/real/sub" }, { "deep/..", "@", "@/real" }, { "deep/../..", "@", "@" }, { "deep/file", "@", "@/real/sub/file" },
	{ "twice", "@", "@/real/sub" }, { "twice/../sub", "@", "@/real/sub" }, { "link/to_file", "@", "@/real/sub/file" },
	{ "link/..", "@", "@" }, { "sub", "@/link", "@/real/sub" }, { "..", "@/deep", "@/real" },
	{ "root/..", "@", "/" }, { "root", "@", "/" }, { "up", "@", NULL }, { "up/./", "@/", NULL },
	/* What is not there is taken as written, below what is. */
	{ "gone", "@", "@/gone" }, { "gone/", "@", "@/gone" }, { "gone/x/../y", "@", "@/gone/y" }, { "gone/..", "@", "@" },
	{ "gone/../..", "@/real", "@" }, { "link/gone", "@", "@/real/gone" }, { "link/gone/../x", "@", "@/real/x" },
	{ "deep/gone/../../x", "@", "@/real/x" }, { "deep/../gone", "@", "@/real/gone" },
	{ "gone/../link", "@", "@/link" }, { "real/sub/file/x", "@", "@/real/sub/file/x" }, { "real/sub/file/", "@", "@/real/sub/file" },
	{ "real/sub/file/..", "@", "@/real/sub" },
	{ "/nonexistent/a/../b//c/", "@", "/nonexistent/b/c" }, { "x", "/nonexistent/base", "/nonexistent/base/x" },
	/* Links that lead nowhere. */
	{ "dangling", "@", "@/dangling" }, { "dangling/x", "@", "@/dangling/x" }, { "dangling/..", "@", "@" },
	{ "loop", "@", "@/loop" }, { "loop/x", "@", "@/loop/x" },
	/* Names of any bytes. */
	{ "link/new\nline", "@", "@/real/new\nline" }, { "to_bad", "@", "@/real/bad\377" }, { "to_bad/\376", "@", "@/real/bad\377/\376" },
	{ "...", "@", "@/..." }, { "..x", "@", "@/..x" }, { " ", "@", "@/ " }, { "-rf", "@", "@/-rf" }, { "\\", "@", "@/\\" },
};

START_TEST(resolves)
{
	struct buf typed = { 0 }, base = { 0 }, want = { 0 }, got = { 0 };
	struct err err = { 0 };

	expand(&typed, rows[_i].typed);
	if (rows[_i].base != NULL)
		expand(&base, rows[_i].base);
	if (rows[_i].want != NULL)
		expand(&want, rows[_i].want);
	else
		buf_add(&want, top, (size_t)(strrchr(top, '/') - top));
	/* It is appended. */
	buf_adds(&got, "before:");
	ck_assert_int_eq(resolve_path(&got, typed.data, rows[_i].base != NULL ? base.data : NULL, &err), 0);
	ck_assert_str_eq(buf_str(&got) + 7, want.data);
	ck_assert_int_eq(strncmp(got.data, "before:", 7), 0);
	/* What is resolved stays as it is, but for links that something gone hid. */
	if (strstr(rows[_i].typed, "gone/../link") == NULL) {
		buf_cut(&got, 0);
		ck_assert_int_eq(resolve_path(&got, want.data, NULL, &err), 0);
		ck_assert_str_eq(got.data, want.data);
	}
	buf_release(&typed);
	buf_release(&base);
	buf_release(&want);
	buf_release(&got);
}
END_TEST

START_TEST(refuses_nothing)
{
	struct buf got = { 0 };
	struct err err = { 0 };

	ck_assert_int_eq(resolve_path(&got, "", "/", &err), -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
	err = (struct err){ 0 };
	ck_assert_int_eq(resolve_path_of_file(&got, "", &err), -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_uint_eq(got.len, 0);
	buf_release(&got);
}
END_TEST

START_TEST(directory_without_name)
{
	struct buf got = { 0 };
	struct err err = { 0 };

	ck_assert_int_eq(mkdir("here", 0700), 0);
	ck_assert_int_eq(chdir("here"), 0);
	ck_assert_int_eq(rmdir("../here"), 0);
	ck_assert_int_eq(resolve_path(&got, "x", NULL, &err), -1);
	ck_assert_int_eq(err.code, ERR_SYS);
	ck_assert_int_eq(err.sys, ENOENT);
	/* An absolute path needs none, nor does one with a base. */
	ck_assert_int_eq(resolve_path(&got, "/", NULL, &err), 0);
	ck_assert_str_eq(got.data, "/");
	buf_cut(&got, 0);
	ck_assert_int_eq(resolve_path(&got, "x", "/nonexistent", &err), 0);
	ck_assert_str_eq(got.data, "/nonexistent/x");
	ck_assert_int_eq(chdir(top), 0);
	buf_release(&got);
}
END_TEST

/* The directory of a file is resolved, its own name is not. */
static const struct {
	const char *typed, *want;
} files[] = {
	{ "db", "@/db" }, { "./db", "@/db" }, { "link", "@/link" }, { "dangling", "@/dangling" }, { "loop", "@/loop" },
	{ "link/db", "@/real/db" }, { "link/to_file", "@/real/to_file" }, { "deep/../db", "@/real/db" }, { "gone/db", "@/gone/db" },
	{ "link/gone/../db", "@/real/db" }, { "@/link/db", "@/real/db" }, { "@/link", "@/link" }, { "/db", "/db" }, { "//db", "/db" },
	{ "/nonexistent", "/nonexistent" }, { "link/", "@/real" }, { "link/.", "@/real" }, { "link/..", "@" }, { ".", "@" },
	{ "..", NULL }, { "/", "/" }, { "real/bad\377/x\376", "@/real/bad\377/x\376" },
};

START_TEST(files_keep_names)
{
	struct buf typed = { 0 }, want = { 0 }, got = { 0 };
	struct err err = { 0 };

	expand(&typed, files[_i].typed);
	if (files[_i].want != NULL)
		expand(&want, files[_i].want);
	else
		buf_add(&want, top, (size_t)(strrchr(top, '/') - top));
	ck_assert_int_eq(resolve_path_of_file(&got, typed.data, &err), 0);
	ck_assert_str_eq(buf_str(&got), want.data);
	buf_release(&typed);
	buf_release(&want);
	buf_release(&got);
}
END_TEST

/* A long spelling of a short path, and tails that are longer than any path the kernel takes. */
static const int lengths[] = { 4000, 4095, 4096, 4097, 5000, 20000 };

START_TEST(long_spellings)
{
	struct buf typed = { 0 }, want = { 0 }, got = { 0 };
	struct err err = { 0 };

	/* Of which the beginning alone is asked of the kernel. */
	buf_adds(&typed, "link");
	while (typed.len < (size_t)lengths[_i])
		buf_adds(&typed, "/.");
	buf_adds(&typed, "/sub");
	expand(&want, "@/real/sub");
	ck_assert_int_eq(resolve_path(&got, typed.data, top, &err), 0);
	ck_assert_str_eq(got.data, want.data);

	buf_cut(&typed, 0);
	buf_cut(&want, 0);
	buf_cut(&got, 0);
	buf_adds(&typed, "deep/..");
	expand(&want, "@/real");
	while (typed.len < (size_t)lengths[_i]) {
		buf_adds(&typed, "/gone\n\377");
		buf_adds(&want, "/gone\n\377");
	}
	buf_adds(&typed, "/x/..");
	ck_assert_int_eq(resolve_path(&got, typed.data, top, &err), 0);
	ck_assert_str_eq(got.data, want.data);

	/* One name that is too long for any file system. */
	buf_cut(&typed, 0);
	buf_cut(&want, 0);
	buf_cut(&got, 0);
	buf_adds(&typed, "link/");
	expand(&want, "@/real/");
	while (typed.len < (size_t)lengths[_i]) {
		buf_addc(&typed, 'x');
		buf_addc(&want, 'x');
	}
	ck_assert_int_eq(resolve_path(&got, typed.data, top, &err), 0);
	ck_assert_str_eq(got.data, want.data);
	buf_release(&typed);
	buf_release(&want);
	buf_release(&got);
}
END_TEST

/* Directories deeper than PATH_MAX: what is there keeps its name, and the process can stand in it. */
START_TEST(long_directories)
{
	struct buf path = { 0 }, got = { 0 };
	struct err err = { 0 };
	char name[201], command[PATH_MAX + 64];

	memset(name, 'n', 200);
	name[200] = '\0';
	buf_adds(&path, top);
	for (int i = 0; i < 30; i++) {
		ck_assert_int_eq(mkdir(name, 0700), 0);
		ck_assert_int_eq(chdir(name), 0);
		buf_addc(&path, '/');
		buf_adds(&path, name);
	}
	ck_assert_int_eq(resolve_path(&got, path.data, NULL, &err), 0);
	ck_assert_str_eq(got.data, path.data);
#ifdef __GLIBC__
	buf_cut(&got, 0);
	ck_assert_int_eq(resolve_path(&got, ".", NULL, &err), 0);
	ck_assert_str_eq(got.data, path.data);
	buf_cut(&got, 0);
	ck_assert_int_eq(resolve_path(&got, "../x", NULL, &err), 0);
	buf_cut(&path, path.len - 200);
	buf_addc(&path, 'x');
	ck_assert_str_eq(got.data, path.data);
#endif
	ck_assert_int_eq(chdir(top), 0);
	snprintf(command, sizeof(command), "rm -rf '%s'/nnn*", top);
	ck_assert_int_eq(system(command), 0);
	buf_release(&path);
	buf_release(&got);
}
END_TEST

Suite *
suite_resolve(void)
{
	Suite *s = suite_create("resolve");
	TCase *tc = tcase_create("resolve");

	/* Made once: the tests leave it as it is. */
	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, resolves, 0, N_ROWS(rows));
	tcase_add_test(tc, refuses_nothing);
	tcase_add_test(tc, directory_without_name);
	tcase_add_loop_test(tc, files_keep_names, 0, N_ROWS(files));
	tcase_add_loop_test(tc, long_spellings, 0, N_ROWS(lengths));
	tcase_add_test(tc, long_directories);
	suite_add_tcase(s, tc);
	return s;
}
