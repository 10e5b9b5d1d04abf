/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "shell/history.h"
#include "unit.h"

static char dir[64], path[128];

static void
setup(void)
{
	fixture_temp_dir(dir, sizeof(dir));
	snprintf(path, sizeof(path), "%s/deep/history", dir);
}

static void
teardown(void)
{
	char deep[128];

	unlink(path);
	snprintf(deep, sizeof(deep), "%s/deep", dir);
	rmdir(deep);
	rmdir(dir);
}

static void
write_text(const char *text, size_t len)
{
	char *slash = strrchr(path, '/');
	FILE *f;

	*slash = '\0';
	mkdir(path, 0700);
	*slash = '/';
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fwrite(text, 1, len, f);
	fclose(f);
}

static char *
read_text(void)
{
	struct buf text = { 0 };
	FILE *f = fopen(path, "r");

	for (int c; f != NULL && (c = fgetc(f)) != EOF;)
		buf_addc(&text, (char)c);
	if (f != NULL)
		fclose(f);
	return buf_take(&text);
}

/* The lines in memory, with | behind each. */
static char *
lines_of(const struct history *h)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < h->n; i++)
		buf_addf(&text, "%s|", h->v[i]);
	return buf_take(&text);
}

static void
assert_lines(const struct history *h, const char *want)
{
	char *got = lines_of(h);

	ck_assert_str_eq(got, want);
	free(got);
}

static void
assert_file(const char *want)
{
	char *got = read_text();

	ck_assert_str_eq(got, want);
	free(got);
}

START_TEST(added)
{
	static const struct { const char *line; int want; } rows[] = {
		{ "one", 1 }, { "two", 1 }, { "one", 1 }, { "", 0 }, { " blank", 0 }, { "\ttab", 0 }, { "a\nb", 0 },
		{ "a\033b", 0 }, { "bad\xff", 0 }, { "é\tü", 1 }, { "del\177", 0 },
	};
	struct history h = { 0 }, again = { 0 };
	struct err err = { 0 };
	struct stat st;

	ck_assert_int_eq(history_open(&h, path, &err), 0);
	for (int i = 0; i < N_ROWS(rows); i++)
		ck_assert_msg(history_add(&h, rows[i].line, &err) == rows[i].want, "row %d: %s", i, err.text);
	assert_lines(&h, "two|one|é\tü|");
	assert_file("one\ntwo\none\né\tü\n");
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	ck_assert_int_eq(history_open(&again, path, &err), 0);
	assert_lines(&again, "two|one|é\tü|");
	history_release(&h);
	history_release(&again);
}
END_TEST

START_TEST(lengths)
{
	struct history h = { 0 };
	struct err err = { 0 };
	char line[HISTORY_MAX_LINE + 2];

	memset(line, 'x', sizeof(line));
	line[HISTORY_MAX_LINE + 1] = '\0';
	ck_assert_int_eq(history_add(&h, line, &err), 0);
	line[HISTORY_MAX_LINE] = '\0';
	ck_assert_int_eq(history_add(&h, line, &err), 1);
	history_release(&h);
}
END_TEST

/* Files as people and crashes leave them. */
static const struct {
	const char *text, *want;
} files[] = {
	{ "", "" },
	{ "\n\n\n", "" },
	{ "a\nb", "a|b|" },
	{ "a\nb\na\nc\nb\n", "a|c|b|" },
	{ "bad\xff\ngood\n \n\033[2J\n", "good|" },
	{ "a\r\nb\n", "b|" },
};

START_TEST(taken)
{
	struct history h = { 0 };
	struct err err = { 0 };

	write_text(files[_i].text, strlen(files[_i].text));
	ck_assert_int_eq(history_open(&h, path, &err), 0);
	assert_lines(&h, files[_i].want);
	history_release(&h);
}
END_TEST

START_TEST(cut_off_line)
{
	struct history h = { 0 };
	struct err err = { 0 };

	write_text("a\nhalf", 6);
	ck_assert_int_eq(history_open(&h, path, &err), 0);
	ck_assert_int_eq(history_add(&h, "b", &err), 1);
	assert_file("a\nhalf\nb\n");
	history_release(&h);
}
END_TEST

START_TEST(compacted)
{
	struct history h = { 0 }, other = { 0 };
	struct buf text = { 0 };
	struct err err = { 0 };
	struct stat before, after;
	char line[32];

	ck_assert_int_eq(history_open(&other, path, &err), 0);
	for (int i = 0; i < 2 * HISTORY_MAX; i++)
		buf_addf(&text, "line %d\n", i % (HISTORY_MAX + 10));
	write_text(text.data, text.len);
	ck_assert_int_eq(stat(path, &before), 0);
	ck_assert_int_eq(history_open(&h, path, &err), 0);
	ck_assert_int_eq(h.n, HISTORY_MAX);
	snprintf(line, sizeof(line), "line %d", (2 * HISTORY_MAX - 1) % (HISTORY_MAX + 10));
	ck_assert_str_eq(h.v[h.n - 1], line);
	ck_assert_int_eq(stat(path, &after), 0);
	ck_assert(before.st_ino != after.st_ino);
	ck_assert_int_eq(after.st_mode & 0777, 0600);
	/* Memory is as full as the file. */
	ck_assert_int_eq(history_add(&h, "new", &err), 1);
	ck_assert_int_eq(h.n, HISTORY_MAX);
	ck_assert_int_eq(history_add(&other, "other", &err), 1);
	history_release(&h);
	ck_assert_int_eq(history_open(&h, path, &err), 0);
	ck_assert_int_eq(h.n, HISTORY_MAX);
	ck_assert_str_eq(h.v[h.n - 2], "new");
	ck_assert_str_eq(h.v[h.n - 1], "other");
	ck_assert_int_eq(stat(path, &before), 0);
	ck_assert(before.st_ino == after.st_ino);
	history_release(&h);
	history_release(&other);
	buf_release(&text);
}
END_TEST

/* Sessions append while others write the file anew: no line is lost. */
START_TEST(shared)
{
	enum { SESSIONS = 4, LINES = 200 };
	struct history h = { 0 };
	struct err err = { 0 };
	char line[32];

	write_text("", 0);
	ck_assert_int_eq(history_open(&h, path, &err), 0);
	for (int s = 0; s < SESSIONS; s++) {
		if (fork() != 0)
			continue;
		for (int i = 0; i < LINES; i++) {
			snprintf(line, sizeof(line), "%d %d", s, i);
			if (history_add(&h, line, &err) != 1)
				_exit(1);
			/* Many repeats of a line make the next session write the file anew. */
			if (i % 50 == s) {
				struct history again = { 0 };

				for (int k = 0; k < 300; k++)
					history_add(&h, line, &err);
				if (history_open(&again, path, &err) < 0)
					_exit(4);
				history_release(&again);
			}
		}
		_exit(0);
	}
	for (int s = 0; s < SESSIONS; s++) {
		int status;

		wait(&status);
		ck_assert_int_eq(status, 0);
	}
	history_release(&h);
	ck_assert_int_eq(history_open(&h, path, &err), 0);
	ck_assert_uint_eq(h.n, SESSIONS * LINES);
	history_release(&h);
}
END_TEST

START_TEST(refused)
{
	struct history h = { 0 };
	struct err err = { 0 };
	char target[160];

	/* A link, a FIFO, a directory. */
	snprintf(target, sizeof(target), "%s/target", dir);
	write_text("x\n", 2);
	ck_assert_int_eq(rename(path, target), 0);
	ck_assert_int_eq(symlink(target, path), 0);
	ck_assert_int_eq(history_open(&h, path, &err), -1);
	ck_assert_int_eq(history_add(&h, "kept in memory", &err), 1);
	ck_assert_int_eq(h.n, 1);
	history_release(&h);
	unlink(path);
	unlink(target);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(history_open(&h, path, &err), -1);
	unlink(path);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(history_open(&h, path, &err), -1);
	ck_assert_int_eq(err.code, ERR_SYS);
	rmdir(path);
	/* It was fine at first: told once. */
	ck_assert_int_eq(history_open(&h, path, &err), 0);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(history_add(&h, "one", &err), -1);
	ck_assert_int_eq(history_add(&h, "two", &err), 1);
	ck_assert_int_eq(h.n, 2);
	history_release(&h);
	rmdir(path);
}
END_TEST

Suite *
suite_history(void)
{
	Suite *s = suite_create("history");
	TCase *tc = tcase_create("history");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, added);
	tcase_add_test(tc, lengths);
	tcase_add_loop_test(tc, taken, 0, N_ROWS(files));
	tcase_add_test(tc, cut_off_line);
	tcase_add_test(tc, compacted);
	tcase_add_test(tc, shared);
	tcase_add_test(tc, refused);
	suite_add_tcase(s, tc);
	return s;
}
