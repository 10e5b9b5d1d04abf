/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "db/lock.h"
#include "fixture.h"
#include "sys/stop.h"
#include "unit.h"

static char dir[64], path[96], file[112];

static void
setup(void)
{
	fixture_temp_dir(dir, sizeof(dir));
	snprintf(path, sizeof(path), "%s/index\n.db", dir);
	snprintf(file, sizeof(file), "%s-lock", path);
}

static void
teardown(void)
{
	unlink(file);
	rmdir(file);
	rmdir(dir);
}

static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Run holder in a process of its own until *release_fd is closed; returns when it is ready. */
static pid_t
hold(void (*holder)(void), int *release_fd)
{
	int ready[2], release[2];
	char c;
	pid_t pid;

	ck_assert_int_eq(pipe(ready), 0);
	ck_assert_int_eq(pipe(release), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		close(ready[0]);
		close(release[1]);
		holder();
		if (write(ready[1], "x", 1) == 1 && read(release[0], &c, 1) >= 0)
			_exit(0);
		_exit(1);
	}
	close(ready[1]);
	close(release[0]);
	ck_assert_int_eq((int)read(ready[0], &c, 1), 1);
	close(ready[0]);
	*release_fd = release[1];
	return pid;
}

static void
hold_lock(void)
{
	struct err err = { 0 };

	if (lock_acquire(path, false, &err) < 0)
		_exit(1);
}

/* Who holds it is in the file and in the message, and both go with him. */
START_TEST(second_is_refused)
{
	char text[256] = "", want[64];
	struct err err = { 0 };
	struct stat st;
	int fd, release;
	pid_t pid = hold(hold_lock, &release);

	ck_assert_int_eq(lock_acquire(path, false, &err), -1);
	ck_assert_int_eq(err.code, ERR_BUSY);
	snprintf(want, sizeof(want), "process %ld on ", (long)pid);
	ck_assert_ptr_nonnull(strstr(err.text, want));
	ck_assert_ptr_nonnull(strstr(err.text, "--wait"));
	fd = open(file, O_RDONLY);
	ck_assert_int_gt((int)read(fd, text, sizeof(text) - 1), 0);
	close(fd);
	snprintf(want, sizeof(want), "%ld on ", (long)pid);
	ck_assert_int_eq(strncmp(text, want, strlen(want)), 0);
	ck_assert_int_eq(text[strlen(text) - 1], '\n');
	ck_assert_int_eq(stat(file, &st), 0);
	ck_assert_int_eq(st.st_mode & 07777, 0600);
	/* Its end gives it back, however it ends. */
	if (_i == 0)
		close(release);
	else
		kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	err = (struct err){ 0 };
	fd = lock_acquire(path, false, &err);
	if (fd < 0)
		ck_abort_msg("%s", err.text);
	ck_assert_int_ne(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
	lock_release(fd);
	if (_i != 0)
		close(release);
}
END_TEST

/* Within a process, too; and again and again. */
START_TEST(released)
{
	char want[64];
	struct stat st;

	snprintf(want, sizeof(want), "process %ld on ", (long)getpid());
	for (int i = 0; i < 100; i++) {
		struct err err = { 0 };
		int fd = lock_acquire(path, i % 2 != 0, &err);

		ck_assert_int_ge(fd, 0);
		ck_assert_int_eq(lock_acquire(path, false, &err), -1);
		ck_assert_int_eq(err.code, ERR_BUSY);
		ck_assert_ptr_nonnull(strstr(err.text, want));
		lock_release(fd);
		/* The file stays, without a name in it. */
		ck_assert_int_eq(stat(file, &st), 0);
		ck_assert_int_eq(st.st_size, 0);
	}
	lock_release(-1);
}
END_TEST

/* Another open and close of the file does not drop it. */
START_TEST(stays)
{
	struct err err = { 0 };
	int fd = lock_acquire(path, false, &err), other;

	ck_assert_int_ge(fd, 0);
	other = open(file, O_RDWR);
	ck_assert_int_ge(other, 0);
	close(other);
	ck_assert_int_eq(lock_acquire(path, false, &err), -1);
	ck_assert_int_eq(err.code, ERR_BUSY);
	lock_release(fd);
}
END_TEST

/* A shorter name replaces a longer one wholly; a killed holder's name does not stay. */
START_TEST(old_names_go)
{
	char text[256] = "";
	struct err err = { 0 };
	int fd = open(file, O_RDWR | O_CREAT, 0600);

	for (int i = 0; i < 10; i++)
		ck_assert_int_eq((int)write(fd, i == 0 ? "99999999 on e" : "lsewhere.else", 13), 13);
	ck_assert_int_eq((int)write(fd, "\n", 1), 1);
	close(fd);
	fd = lock_acquire(path, false, &err);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_gt((int)pread(fd, text, sizeof(text) - 1, 0), 0);
	ck_assert_ptr_null(strstr(text, "99999999"));
	ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
	lock_release(fd);
}
END_TEST

/* What another program wrote there stays. */
static const char *const foreign[] = { "My notes.\n", "12 on host\nand more\n", "12 on host", "on host\n", "\n", "12 at home\n" };

START_TEST(of_another_program)
{
	const size_t len = strlen(foreign[_i]);
	char text[64] = "";
	struct err err = { 0 };
	int fd = open(file, O_RDWR | O_CREAT, 0600);

	ck_assert_int_eq((int)write(fd, foreign[_i], len), (int)len);
	ck_assert_int_eq(lock_acquire(path, _i % 2 != 0, &err), -1);
	ck_assert_int_eq(err.code, ERR_BAD_INDEX);
	ck_assert_int_eq((int)pread(fd, text, sizeof(text), 0), (int)len);
	ck_assert_str_eq(text, foreign[_i]);
	close(fd);
}
END_TEST

/* What a holder wrote: the first line of it, of which a part is enough. */
static const struct {
	const char *written, *want;
} holders[] = {
	{ "", "by another process: try" }, { "\n", "by another process: try" }, { "12 on host\n", "by process 12 on host: try" },
	{ "12 on host", "by process 12 on host: try" }, { "12\nsecond line", "by process 12: try" }, { "%s%n\n", "by process %s%n: try" },
	{ "\nsecond line\n", "by another process: try" },
};

static int written_row;

static void
hold_written(void)
{
	int fd = open(file, O_RDWR | O_CREAT, 0600);
	const char *text = holders[written_row].written;

	if (flock(fd, LOCK_EX) < 0 || write(fd, text, strlen(text)) < 0)
		_exit(1);
}

START_TEST(holder_says)
{
	struct err err = { 0 };
	int release;
	pid_t pid;

	written_row = _i;
	pid = hold(hold_written, &release);
	ck_assert_int_eq(lock_acquire(path, false, &err), -1);
	ck_assert_int_eq(err.code, ERR_BUSY);
	if (strstr(err.text, holders[_i].want) == NULL)
		ck_abort_msg("'%s'", err.text);
	close(release);
	waitpid(pid, NULL, 0);
}
END_TEST

static void
hold_long(void)
{
	char text[10000];
	int fd = open(file, O_RDWR | O_CREAT, 0600);

	memset(text, 'x', sizeof(text));
	if (flock(fd, LOCK_EX) < 0 || write(fd, text, sizeof(text)) < 0)
		_exit(1);
}

START_TEST(holder_says_much)
{
	struct err err = { 0 };
	int release;
	pid_t pid = hold(hold_long, &release);

	ck_assert_int_eq(lock_acquire(path, false, &err), -1);
	ck_assert_uint_lt(strlen(err.text), 400);
	ck_assert_ptr_nonnull(strstr(err.text, "--wait"));
	close(release);
	waitpid(pid, NULL, 0);
}
END_TEST

/* With wait it comes when the other one has ended. */
START_TEST(waits)
{
	const int64_t began = now_ms();
	struct err err = { 0 };
	pid_t pid, killer;
	int fd, release;

	pid = hold(hold_lock, &release);
	killer = fork();
	if (killer == 0) {
		nanosleep(&(struct timespec){ 0, 120000000 }, NULL);
		kill(pid, SIGKILL);
		_exit(0);
	}
	fd = lock_acquire(path, true, &err);
	if (fd < 0)
		ck_abort_msg("%s", err.text);
	ck_assert_int_ge(now_ms() - began, 100);
	lock_release(fd);
	close(release);
	waitpid(pid, NULL, 0);
	waitpid(killer, NULL, 0);
}
END_TEST

/* A signal ends the waiting. */
START_TEST(waits_until_signal)
{
	struct err err = { 0 };
	pid_t pid, killer;
	int release;

	pid = hold(hold_lock, &release);
	stop_install();
	killer = fork();
	if (killer == 0) {
		nanosleep(&(struct timespec){ 0, 60000000 }, NULL);
		kill(getppid(), SIGTERM);
		_exit(0);
	}
	ck_assert_int_eq(lock_acquire(path, true, &err), -1);
	ck_assert_int_eq(err.code, ERR_INTERRUPTED);
	stop_clear();
	close(release);
	waitpid(pid, NULL, 0);
	waitpid(killer, NULL, 0);
}
END_TEST

/* What stands in its place and must not be opened or written. */
START_TEST(in_its_place)
{
	struct err err = { 0 };
	char victim[128];
	struct stat st;
	int fd;

	snprintf(victim, sizeof(victim), "%s/victim", dir);
	if (_i == 0) {
		fd = open(victim, O_WRONLY | O_CREAT, 0600);
		ck_assert_int_eq((int)write(fd, "precious", 8), 8);
		close(fd);
		ck_assert_int_eq(symlink("victim", file), 0);
	} else if (_i == 1) {
		ck_assert_int_eq(symlink("gone", file), 0);
	} else {
		ck_assert_int_eq(mkdir(file, 0700), 0);
	}
	ck_assert_int_eq(lock_acquire(path, false, &err), -1);
	ck_assert_int_eq(err.code, ERR_SYS);
	ck_assert_int_eq(err.sys, _i < 2 ? ELOOP : EISDIR);
	if (_i == 0) {
		ck_assert_int_eq(stat(victim, &st), 0);
		ck_assert_int_eq(st.st_size, 8);
		unlink(victim);
	}
}
END_TEST

START_TEST(no_directory)
{
	struct err err = { 0 };

	ck_assert_int_eq(lock_acquire("/nonexistent/index.db", false, &err), -1);
	ck_assert_int_eq(err.code, ERR_SYS);
	ck_assert_int_eq(err.sys, ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "/nonexistent/index.db-lock"));
}
END_TEST

/* Readers bar writers together, and not while there is one. */
START_TEST(bars_writers)
{
	struct err err = { 0 };
	int writer = lock_acquire(path, false, &err), a, b;

	ck_assert_int_ge(writer, 0);
	ck_assert_int_eq(lock_bar(path), -1);
	lock_release(writer);
	a = lock_bar(path);
	b = lock_bar(path);
	ck_assert_int_ge(a, 0);
	ck_assert_int_ge(b, 0);
	lock_release(a);
	ck_assert_int_eq(lock_acquire(path, false, &err), -1);
	ck_assert_int_eq(err.code, ERR_BUSY);
	lock_release(b);
	writer = lock_acquire(path, false, &err);
	ck_assert_int_ge(writer, 0);
	lock_release(writer);
}
END_TEST

Suite *
suite_lock(void)
{
	Suite *s = suite_create("lock");
	TCase *tc = tcase_create("lock");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, second_is_refused, 0, 2);
	tcase_add_test(tc, released);
	tcase_add_test(tc, stays);
	tcase_add_test(tc, old_names_go);
	tcase_add_loop_test(tc, of_another_program, 0, N_ROWS(foreign));
	tcase_add_loop_test(tc, holder_says, 0, N_ROWS(holders));
	tcase_add_test(tc, holder_says_much);
	tcase_add_test(tc, waits);
	tcase_add_test(tc, waits_until_signal);
	tcase_add_loop_test(tc, in_its_place, 0, 3);
	tcase_add_test(tc, no_directory);
	tcase_add_test(tc, bars_writers);
	suite_add_tcase(s, tc);
	return s;
}
