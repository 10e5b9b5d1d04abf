/* SPDX-License-Identifier: MIT */
/* The layouts of text beside the plain one: with numbers, long, in columns. */
#include "base/base.h"

#include <check.h>
#include <time.h>

#include "query/answer.h"
#include "ui/out.h"
#include "ui/numbers.h"
#include "fixture.h"
#include "unit.h"

static const uint8_t hash[HASH_SIZE] = { 1 };

static const struct member members[] = {
	{ .path = "/d/b", .kind = MEMBER_COPY, .inode = 12 },
	{ .path = "/d/b2", .kind = MEMBER_LINK, .inode = 12 },
	{ .path = "/d/g", .kind = MEMBER_GONE, .inode = 14 },
};

static const struct file_answer copied = {
	.path = "/d/a", .state = STATE_DUP, .size = 5, .allocated = 4096, .mtime = { 1, 500000000 }, .inode = 11, .nlink = 1,
	.hash = hash, .n_copies = 1, .n_inodes = 1, .members = members, .n_members = 3,
};
static const struct file_answer unread = {
	.path = "/d/u", .state = STATE_UNREADABLE, .why = "Permission denied", .size = 1536, .allocated = -1,
	.mtime = { 951827696, 0 },
};

static const struct file_answer marked = { .path = "/d/a", .state = STATE_DUP, .size = 5, .n_copies = 1, .n_inodes = 1, .mark = MARK_DROP };
static const struct file_answer stranger = { .path = "/d/s", .state = STATE_UNKNOWN, .why = "never scanned", .size = -1 };
static const struct file_answer large = {
	.path = "/d/\n\xff", .state = STATE_DUP, .size = INT64_C(5) << 40, .n_copies = 123456, .n_inodes = 123456, .mtime = { -1, 999999999 },
};

static const struct set_answer set = {
	.size = 5, .hash = hash, .n_copies = 2, .redundant = 5, .redundant_disk = 4096, .members = members, .n_members = 3,
};

static const struct set_totals totals = { .n_sets = 2, .n_files = 4, .redundant = 10, .redundant_disk = 8192 };

/* One listing of files or sets, NULL at the end. */
struct listing {
	struct out_style style;
	const struct file_answer *files[4];
	const struct set_answer *sets[3];
	const char *want;
};

static const struct listing listings[] = {
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .numbers = true }, .files = { &copied, &unread },
	  .want = "    1         dup  /d/a\n"
	          "              1.1  copy  /d/b\n"
	          "              1.2  link  /d/b2\n"
	          "              1.3   ---  /d/g (gone)\n"
	          "    2  unreadable  /d/u (Permission denied)\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_PATHS, .numbers = true }, .files = { &unread, &copied },
	  .want = "    1  /d/u\n"
	          "    2  /d/a\n"
	          "              2.1  copy  /d/b\n"
	          "              2.2  link  /d/b2\n"
	          "              2.3   ---  /d/g (gone)\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_SETS, .numbers = true, .color = true }, .sets = { &set, &set },
	  .want = "   1  \033[1m2 copies of 5 B each, 5 B redundant\033[0m\n"
	          "  1.1  /d/b\n"
	          "  1.2  /d/b2 (link)\n"
	          "  1.3  \033[31m---\033[0m /d/g (gone)\n"
	          "\n"
	          "   2  \033[1m2 copies of 5 B each, 5 B redundant\033[0m\n"
	          "  2.1  /d/b\n"
	          "  2.2  /d/b2 (link)\n"
	          "  2.3  \033[31m---\033[0m /d/g (gone)\n"
	          "\n"
	          "2 sets, 4 files, 10 B redundant\n" },
	/* long */
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .layout = OUT_LONG },
	  .files = { &copied, &unread, &stranger, &large },
	  .want = "       dup         5 B       1         5 B  1970-01-01 00:00  /d/a\n"
	          "            copy  /d/b\n"
	          "            link  /d/b2\n"
	          "             ---  /d/g (gone)\n"
	          "unreadable     1.5 KiB       -           -  2000-02-29 12:34  /d/u (Permission denied)\n"
	          "   unknown           -       -           -                 -  /d/s (never scanned)\n"
	          "       dup     5.0 TiB  123,456   602.8 PiB  1969-12-31 23:59  /d/\n\xff\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_PATHS, .layout = OUT_LONG, .color = true, .escape = true, .cut = "/d/", .units = NUM_BYTES },
	  .files = { &large, &unread },
	  .want = "\033[2m     state             size  copies        redundant  modified          path\033[0m\n"
	          "       \033[33mdup\033[0m    5497558138880  123,456  678706537593569280  1969-12-31 23:59  \\n\\xff\n"
	          "\033[31munreadable\033[0m             1536       -                -  2000-02-29 12:34  u (Permission denied)\n" },
	/* as much of it as leaves room for paths */
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .layout = OUT_LONG, .escape = true, .width = 89 }, .files = { &unread },
	  .want = "     state        size  copies  modified          path\n"
	          "unreadable     1.5 KiB       -  2000-02-29 12:34  /d/u (Permission denied)\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .layout = OUT_LONG, .escape = true, .width = 59 }, .files = { &unread },
	  .want = "     state        size  copies  path\n"
	          "unreadable     1.5 KiB       -  /d/u (Permission denied)\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .layout = OUT_LONG, .width = 59 }, .files = { &unread },
	  .want = "unreadable     1.5 KiB       -           -  2000-02-29 12:34  /d/u (Permission denied)\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_PATHS, .layout = OUT_LONG, .numbers = true }, .files = { &unread },
	  .want = "    1  unreadable     1.5 KiB       -           -  2000-02-29 12:34  /d/u (Permission denied)\n" },

	/* columns: always escaped, without members */
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .layout = OUT_COLUMNS, .cut = "/d" },
	  .files = { &copied, &unread, &stranger, &large }, .want = "d a  ! u  ? s  d \\n\\xff\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .layout = OUT_COLUMNS, .cut = "/d", .color = true, .width = 15, .numbers = true },
	  .files = { &copied, &unread, &stranger, &large },
	  .want = "1 \033[33md\033[0m a\n2 \033[31m!\033[0m u\n3 \033[2m?\033[0m s\n4 \033[33md\033[0m \\n\\xff\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .layout = OUT_COLUMNS, .cut = "/d", .color = true, .width = 23 },
	  .files = { &marked, &unread, &marked }, .want = "\033[33md\033[0m a [\033[31mdrop\033[0m]  \033[33md\033[0m a [\033[31mdrop\033[0m]\n\033[31m!\033[0m u\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .layout = OUT_COLUMNS, .cut = "/d/u" },
	  .files = { &unread }, .want = "! u\n" },
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .layout = OUT_COLUMNS, .cut = "/d" }, .want = "" },

	/* Other formats have no numbers. */
	{ .style = { .format = OUT_FDUPES, .kind = OUT_SETS, .numbers = true }, .sets = { &set }, .want = "/d/b\n\n" },
	{ .style = { .format = OUT_FDUPES, .kind = OUT_PATHS, .numbers = true }, .files = { &unread }, .want = "/d/u\n" },
};

static int
print(FILE *stream, const struct listing *l, struct numbers *results, struct err *err)
{
	struct out_style style = l->style;
	struct out *o;
	int ret = 0;

	style.results = results;
	o = out_open(stream, &style);
	for (int i = 0; ret == 0 && i < N_ROWS(l->files) && l->files[i] != NULL; i++)
		ret = out_file(o, l->files[i]);
	for (int i = 0; ret == 0 && i < N_ROWS(l->sets) && l->sets[i] != NULL; i++)
		ret = out_set(o, l->sets[i]);
	if (ret == 0 && l->style.kind == OUT_SETS)
		ret = out_totals(o, &totals);
	return out_close(o, ret, err);
}

/* Also: what is listed does not depend on its being noted. */
START_TEST(prints)
{
	struct numbers *results = _i % 2 == 0 ? numbers_new() : NULL;
	char *got = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&got, &len);
	struct err err = { 0 };

	ck_assert_ptr_nonnull(stream);
	ck_assert_int_eq(print(stream, &listings[_i / 2], results, &err), 0);
	fclose(stream);
	ck_assert_str_eq(got, listings[_i / 2].want);
	free(got);
	numbers_free(results);
}
END_TEST

/* Every listing of something replaces the one before, in every format. */
START_TEST(notes_results)
{
	struct listing l = { .style = { .format = (enum out_format)_i, .kind = OUT_SETS }, .sets = { &set, &set } };
	struct numbers *r = numbers_new();
	struct err err = { 0 };
	char *got = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&got, &len);

	ck_assert_int_eq(print(stream, &l, r, &err), 0);
	ck_assert(numbers_are_sets(r));
	ck_assert_uint_eq(numbers_count(r), 2);
	ck_assert_uint_eq(numbers_members(r, 2), 3);
	ck_assert_str_eq(numbers_path(r, 2, 3), "/d/g");

	l = (struct listing){ .style = { .format = (enum out_format)_i, .kind = OUT_PATHS, .cut = "/d/" }, .files = { &unread, &copied } };
	ck_assert_int_eq(print(stream, &l, r, &err), 0);
	ck_assert(!numbers_are_sets(r));
	ck_assert_uint_eq(numbers_count(r), 2);
	ck_assert_str_eq(numbers_path(r, 1, 0), "/d/u");
	ck_assert_str_eq(numbers_path(r, 2, 1), "/d/b");

	/* What shows no number leaves those that were shown alone. */
	l = (struct listing){ .style = { .format = (enum out_format)_i, .kind = OUT_STATES } };
	ck_assert_int_eq(print(stream, &l, r, &err), 0);
	ck_assert_uint_eq(numbers_count(r), 2);
	fclose(stream);
	free(got);
	numbers_free(r);
}
END_TEST

/* Print directories and files of one letter each, in columns of this width. */
static char *
print_columns(int width, bool numbers, int n_dirs, int n_files)
{
	const struct out_style style = {
		.format = OUT_TEXT, .kind = OUT_STATES, .layout = OUT_COLUMNS, .cut = "/", .width = width, .numbers = numbers,
	};
	struct file_answer f = { .state = STATE_UNIQUE };
	struct subdir_answer d = { .bytes = -1, .redundant = -1 };
	char *got = NULL, path[] = "/?";
	size_t len = 0;
	FILE *stream = open_memstream(&got, &len);
	struct out *o = out_open(stream, &style);
	struct err err = { 0 };

	f.path = d.path = path;
	for (int i = 0; i < n_files; i++) {
		path[1] = (char)('a' + i % 26);
		ck_assert_int_eq(out_file(o, &f), 0);
	}
	/* Directories come after the files, and go before them in order of names. */
	for (int i = n_dirs; i-- > 0;) {
		path[1] = (char)('A' + i % 26);
		d.state = (enum dir_state)(i % DIR_UNREADABLE);
		ck_assert_int_eq(out_dir(o, &d), 0);
	}
	ck_assert_int_eq(out_close(o, 0, &err), 0);
	fclose(stream);
	return got;
}

static const struct { int width; bool numbers; int n_dirs, n_files; const char *want; } grids[] = {
	/* From top to bottom, then to the right. */
	{ 14, false, 0, 7, "u a  u d  u g\nu b  u e\nu c  u f\n" },
	{ 13, false, 0, 7, "u a  u e\nu b  u f\nu c  u g\nu d\n" },
	{ 34, false, 0, 7, "u a  u b  u c  u d  u e  u f  u g\n" },
	{ 33, false, 0, 7, "u a  u c  u e  u g\nu b  u d  u f\n" },
	/* Less than a name is wide: one below the other. */
	{ 1, false, 0, 3, "u a\nu b\nu c\n" },
	{ 20, false, 4, 3, "  A/  ? D/  u c\nx B/  u a\ns C/  u b\n" },
	{ 20, true, 2, 3, "    A/  2 u b\n  x B/  3 u c\n1 u a\n" },
	{ 40, true, 1, 10, "     A/   3 u c   6 u f   9 u i\n 1 u a    4 u d   7 u g  10 u j\n 2 u b    5 u e   8 u h\n" },
	{ 80, false, 2, 0, "  A/  x B/\n" },
};

START_TEST(fills_columns)
{
	char *got = print_columns(grids[_i].width, grids[_i].numbers, grids[_i].n_dirs, grids[_i].n_files);

	ck_assert_str_eq(got, grids[_i].want);
	free(got);
}
END_TEST

/* Of any number of names none is lost, and no line fills the terminal to its end. */
START_TEST(fits_columns)
{
	const int step = fixture_every() ? 7 : 21;

	for (int width = 1; width < 300; width += step) {
		for (int n = 1; n < 400; n += 13) {
			char *got = print_columns(width, false, n / 3, n - n / 3);
			int lines = 0, names = 0;

			for (char *line = got, *end; (end = strchr(line, '\n')) != NULL; line = end + 1, lines++) {
				if (end - line >= width && end - line > 4)
					ck_abort_msg("%d names in %d columns: a line of %d", n, width, (int)(end - line));
			}
			for (const char *p = got; *p != '\0'; p++)
				names += (*p >= 'A' && *p <= 'Z') || (p[0] == 'u' && p[1] == ' ' && p[2] >= 'a');
			if (names != n || lines < 1)
				ck_abort_msg("%d names in %d columns: found %d in %d lines", n, width, names, lines);
			free(got);
		}
	}
}
END_TEST

/* A listing in columns that broke off shows nothing, and frees what it had. */
START_TEST(breaks_off_columns)
{
	const struct out_style style = { .format = OUT_TEXT, .kind = OUT_STATES, .layout = OUT_COLUMNS };
	char *got = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&got, &len);
	struct err err = { 0 };

	for (int i = 0; i < 2; i++) {
		struct out *o = out_open(stream, &style);

		if (i > 0)
			ck_assert_int_eq(out_file(o, &copied), 0);
		ck_assert_int_eq(out_close(o, err_set(&err, ERR_INTERRUPTED, "interrupted"), &err), -1);
	}
	fclose(stream);
	ck_assert_uint_eq(len, 0);
	free(got);
}
END_TEST

static void
use_utc(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
}

Suite *
suite_layouts(void)
{
	Suite *s = suite_create("layouts");
	TCase *tc = tcase_create("layouts");

	tcase_add_unchecked_fixture(tc, use_utc, NULL);
	tcase_add_loop_test(tc, prints, 0, 2 * N_ROWS(listings));
	tcase_add_loop_test(tc, notes_results, 0, OUT_NULL + 1);
	tcase_add_loop_test(tc, fills_columns, 0, N_ROWS(grids));
	tcase_add_test(tc, fits_columns);
	tcase_add_test(tc, breaks_off_columns);
	suite_add_tcase(s, tc);
	return s;
}
