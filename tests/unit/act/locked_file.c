/* SPDX-License-Identifier: MIT */
/* What is opened for an act, what is refused, and which changes are noticed afterwards. */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "act/locked_file.h"
#include "act/locked_dir.h"
#include "act/verdict.h"
#include "fixture.h"
#include "unit.h"

static char path[128], other[128];
static struct locked_file held;
static struct verdict verdict;

static void
put(const char *name, const char *text)
{
	const int fd = openat(fixture_at, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
}

static void
setup(void)
{
	fixture_setup();
	snprintf(path, sizeof(path), "%s/dir/file", fixture_top);
	snprintf(other, sizeof(other), "%s/other", fixture_top);
	ck_assert_int_eq(mkdirat(fixture_at, "dir", 0700), 0);
	put("dir/file", "content");
	held = (struct locked_file)LOCKED_FILE_NONE;
}

static void
teardown(void)
{
	locked_file_close(&held);
	verdict_release(&verdict);
	fixture_teardown();
}

/* What stands at the path, made by a shell, and the word that the refusal has. */
static const struct {
	const char *make, *why;
} refused[] = {
	{ "rm dir/file", "gone" },
	{ "rm -r dir", "gone" },
	{ "rm dir/file; mkdir dir/file", "not a regular file" },
	{ "rm dir/file; mkfifo dir/file", "not a regular file" },
	{ "mv dir/file f; ln -s ../f dir/file", "not a regular file" },
	{ "rm dir/file; ln -s file dir/file", "not a regular file" },
	{ "mv dir d; ln -s d dir", "a link" },
	{ "mv dir/file f; rmdir dir; mv f dir", "a link" },
};

START_TEST(refuses)
{
	char command[256];

	snprintf(command, sizeof(command), "cd '%s' && { %s; }", fixture_top, refused[_i].make);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(locked_file_open(&held, path, NULL, &verdict), -1);
	ck_assert_int_eq(verdict.outcome, ACT_UNSURE);
	ck_assert_msg(strstr(buf_str(&verdict.why), refused[_i].why) != NULL, "%s", buf_str(&verdict.why));
	ck_assert_int_eq(held.fd, -1);
	ck_assert_int_eq(held.dir, -1);
}
END_TEST

START_TEST(notices_a_replacement)
{
	ck_assert_int_eq(locked_file_open(&held, path, NULL, &verdict), 0);
	ck_assert_int_eq(locked_file_check_path(&held, &verdict), 0);
	put("other", "content");
	ck_assert_int_eq(rename(other, path), 0);
	ck_assert_int_eq(locked_file_check_path(&held, &verdict), -1);
}
END_TEST

START_TEST(notices_a_missing_path)
{
	ck_assert_int_eq(locked_file_open(&held, path, NULL, &verdict), 0);
	ck_assert_int_eq(rename(path, other), 0);
	ck_assert_int_eq(locked_file_check_path(&held, &verdict), -1);
	ck_assert_ptr_nonnull(strstr(buf_str(&verdict.why), "gone"));
}
END_TEST

START_TEST(notices_times_and_links)
{
	const struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };

	ck_assert_int_eq(locked_file_open(&held, path, NULL, &verdict), 0);
	ck_assert_int_eq(locked_file_check(&held, &verdict), 0);
	ck_assert_int_eq(link(path, other), 0);
	ck_assert_int_eq(locked_file_check(&held, &verdict), -1);
	verdict_release(&verdict);
	/* Our own doing. */
	ck_assert_int_eq(locked_file_renew(&held, &verdict), 0);
	ck_assert_int_eq(locked_file_check(&held, &verdict), 0);
	ck_assert_int_eq(utimensat(AT_FDCWD, path, old, 0), 0);
	ck_assert_int_eq(locked_file_renew(&held, &verdict), -1);
	ck_assert_int_eq(verdict.outcome, ACT_UNSURE);
}
END_TEST

START_TEST(refuses_what_is_in_use)
{
	const int fd = open(path, O_WRONLY);

	ck_assert_int_ge(fd, 0);
	if (locked_file_open(&held, path, NULL, &verdict) == 0) {
		/* No leases here. */
		ck_assert_int_eq(held.lease, LEASE_NONE);
		close(fd);
		return;
	}
	ck_assert_ptr_nonnull(strstr(buf_str(&verdict.why), "in use"));
	close(fd);
	verdict_release(&verdict);
	ck_assert_int_eq(locked_file_open(&held, path, NULL, &verdict), 0);
	ck_assert_int_eq(locked_file_check(&held, &verdict), 0);
	/* Somebody asks for it: without waiting, that fails until the lease is given back. */
	ck_assert_int_eq(open(path, O_WRONLY | O_NONBLOCK), -1);
	ck_assert_int_eq(locked_file_check(&held, &verdict), -1);
	ck_assert_ptr_nonnull(strstr(buf_str(&verdict.why), "in use"));
}
END_TEST

START_TEST(keeps_directories)
{
	struct locked_file_dirs dirs = { .kept = { NULL } };
	struct locked_file same = LOCKED_FILE_NONE, third = LOCKED_FILE_NONE;
	char command[256];

	snprintf(command, sizeof(command), "cd '%s' && mkdir two three && touch two/a three/a", fixture_top);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(locked_file_open(&held, path, &dirs, &verdict), 0);
	ck_assert_int_eq(locked_file_open(&same, path, &dirs, &verdict), 0);
	ck_assert_int_eq(same.dir, held.dir);
	locked_file_close(&held);
	ck_assert_int_eq(locked_file_check_path(&same, &verdict), 0);
	snprintf(other, sizeof(other), "%s/two/a", fixture_top);
	ck_assert_int_eq(locked_file_open(&held, other, &dirs, &verdict), 0);
	ck_assert_int_ne(same.dir, held.dir);
	/* A third one takes the place of the first, which its file still holds. */
	snprintf(command, sizeof(command), "%s/three/a", fixture_top);
	ck_assert_int_eq(locked_file_open(&third, command, &dirs, &verdict), 0);
	locked_file_dirs_release(&dirs);
	ck_assert_int_eq(fs_stat_at(same.dir, "file", &same.st), 0);
	ck_assert_int_eq(locked_file_check_path(&held, &verdict), 0);
	ck_assert_int_eq(locked_file_check_path(&third, &verdict), 0);
	locked_file_close(&same);
	locked_file_close(&third);
	/* A directory that is missing drives none out. */
	ck_assert_ptr_nonnull(locked_file_dirs_open(&dirs, path, strlen(path) - strlen("/file")));
	locked_dir_leave(dirs.kept[0]);
	snprintf(command, sizeof(command), "%s/none", fixture_top);
	ck_assert_ptr_null(locked_file_dirs_open(&dirs, command, strlen(command)));
	ck_assert_ptr_nonnull(dirs.kept[0]);
	ck_assert_ptr_null(dirs.kept[1]);
	locked_file_dirs_release(&dirs);
}
END_TEST

/* Whether another process could lock the file of fd. */
static bool
lock_is_free(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	const pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

/* A part of an open index is refused, and the locks there outlive that. */
START_TEST(refuses_a_database)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	const int fd = open(path, O_RDWR);
	struct fs_stat st;

	ck_assert_int_eq(fcntl(fd, F_SETLK, &lock), 0);
	ck_assert_int_eq(fs_stat_fd(fd, &st), 0);
	fs_shun(&held, st.dev, st.inode);
	ck_assert_int_eq(locked_file_open(&held, path, NULL, &verdict), -1);
	ck_assert_int_eq(verdict.outcome, ACT_STAYS);
	ck_assert_ptr_nonnull(strstr(buf_str(&verdict.why), "open index"));
	ck_assert(!lock_is_free(fd));
	fs_unshun(&held);
	ck_assert(lock_is_free(fd));
	close(fd);
}
END_TEST

Suite *
suite_locked_file(void)
{
	Suite *s = suite_create("locked_file");
	TCase *tc = tcase_create("held");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, refuses, 0, N_ROWS(refused));
	tcase_add_test(tc, notices_a_replacement);
	tcase_add_test(tc, notices_a_missing_path);
	tcase_add_test(tc, notices_times_and_links);
	tcase_add_test(tc, refuses_what_is_in_use);
	tcase_add_test(tc, keeps_directories);
	tcase_add_test(tc, refuses_a_database);
	suite_add_tcase(s, tc);
	return s;
}
