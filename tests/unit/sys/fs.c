/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#ifdef HAVE_LINUX_OPENAT2_H
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include "sys/fs.h"
#include "fixture.h"
#include "unit.h"

/* Whether the kernel can refuse links in the middle of a path. */
static bool
refuses_links(void)
{
#ifdef HAVE_LINUX_OPENAT2_H
	struct open_how how = { .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
	int fd = (int)syscall(SYS_openat2, AT_FDCWD, ".", &how, sizeof(how));

	if (fd >= 0)
		close(fd);
	return fd >= 0;
#else
	return false;
#endif
}

/* Times: the numbers that stand for them, and their order. */
static const struct {
	struct fs_time t;
	int64_t key;
} times[] = {
	{ { -16725225600, 0 }, 1721518473709551616 }, { { -9223372036, 0 }, -9223372036000000000 },
	{ { -2147483648, 0 }, -2147483648000000000 }, { { -2147483648, 999999999 }, -2147483647000000001 },
	{ { -1, 0 }, -1000000000 }, { { -1, 999999999 }, -1 }, { { 0, 0 }, 0 }, { { 0, 1 }, 1 },
	{ { 2147483648, 5 }, 2147483648000000005 }, { { 9223372036, 854775807 }, INT64_MAX },
	{ { 9223372036, 854775808 }, INT64_MIN }, { { 10413792000, 0 }, -8032952073709551616 },
	{ { 15032385535, 0 }, -3414358538709551616 },
};

START_TEST(time_numbers)
{
	ck_assert_int_eq(fs_time_key(times[_i].t), times[_i].key);
	for (int i = 0; i < N_ROWS(times); i++)
		ck_assert_int_eq(fs_time_cmp(times[_i].t, times[i].t), (_i > i) - (_i < i));
}
END_TEST

/* What a file system keeps is what stat says, from 1901 to 2446. */
static const struct timespec stamps[] = {
	{ -2147483648, 0 }, { -2147483648, 999999999 }, { -2147483647, 1 }, { -1, 0 }, { -1, 999999999 }, { 0, 0 }, { 0, 1 },
	{ 2147483647, 999999999 }, { 2147483648, 0 }, { 4294967295, 7 }, { 4294967296, 0 }, { 9223372036, 854775808 },
	{ 15032385535, 0 },
};

START_TEST(time_stamps)
{
	struct timespec both[2];
	struct fs_stat st, again;
	struct stat s;
	int fd;

	both[0] = both[1] = stamps[_i];
	fixture_file(fixture_at, "f");
	ck_assert_int_eq(utimensat(fixture_at, "f", both, 0), 0);
	ck_assert_int_eq(fs_stat_at(fixture_at, "f", &st), 0);
	ck_assert_int_eq(fstatat(fixture_at, "f", &s, 0), 0);
	ck_assert_int_eq(st.mtime.sec, (int64_t)s.st_mtim.tv_sec);
	ck_assert_int_eq(st.mtime.nsec, (int32_t)s.st_mtim.tv_nsec);
	ck_assert_int_eq(st.ctime.sec, (int64_t)s.st_ctim.tv_sec);
	/* Some file systems keep less than was asked for. */
	if (s.st_mtim.tv_sec == both[1].tv_sec && s.st_mtim.tv_nsec == both[1].tv_nsec)
		ck_assert_int_eq(fs_time_cmp(st.mtime, (struct fs_time){ stamps[_i].tv_sec, (int32_t)stamps[_i].tv_nsec }), 0);
	fd = openat(fixture_at, "f", O_RDONLY);
	ck_assert_int_eq(fs_stat_fd(fd, &again), 0);
	close(fd);
	ck_assert(fs_stat_same(&st, &again));
	again.mtime.nsec ^= 1;
	ck_assert(!fs_stat_same(&st, &again));
}
END_TEST

START_TEST(stat_tells)
{
	struct fs_stat st, other, link;
	struct fs_time before = fs_time_now();
	int fd = openat(fixture_at, "f", O_WRONLY | O_CREAT, 0640);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)1 << 40), 0);
	ck_assert_int_eq(fs_stat_fd(fd, &st), 0);
	close(fd);
	ck_assert_int_eq(st.size, INT64_C(1) << 40);
	ck_assert_int_lt(st.blocks, 1000);
	ck_assert_uint_eq(st.nlink, 1);
	ck_assert(S_ISREG(st.mode));
	/* The clock of files ticks more slowly than that of processes. */
	ck_assert_int_ge(st.mtime.sec, before.sec - 1);
	ck_assert_int_le(st.mtime.sec, fs_time_now().sec);
	ck_assert_int_eq(linkat(fixture_at, "f", fixture_at, "g", 0), 0);
	ck_assert_int_eq(fs_stat_at(fixture_at, "g", &other), 0);
	ck_assert_uint_eq(other.inode, st.inode);
	ck_assert_uint_eq(other.dev, st.dev);
	ck_assert_uint_eq(other.nlink, 2);
	ck_assert_int_eq(symlinkat("f", fixture_at, "l"), 0);
	ck_assert_int_eq(fs_stat_at(fixture_at, "l", &link), 0);
	ck_assert(S_ISLNK(link.mode));
	ck_assert_int_eq(link.size, 1);
	/* Each part of it counts. */
	other = st;
	ck_assert(fs_stat_same(&st, &other));
	other.nlink++, other.blocks++, other.mode ^= 0777;
	ck_assert(fs_stat_same(&st, &other));
	other = st, other.inode++;
	ck_assert(!fs_stat_same(&st, &other));
	other = st, other.dev++;
	ck_assert(!fs_stat_same(&st, &other));
	other = st, other.size++;
	ck_assert(!fs_stat_same(&st, &other));
	other = st, other.ctime.sec++;
	ck_assert(!fs_stat_same(&st, &other));
}
END_TEST

/*
 * The tree, made once: dir/sub/file, dir/fifo, dir/sock; links to all of them, to themselves, to nothing.
 */
static void
setup_tree(void)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int sock = socket(AF_UNIX, SOCK_STREAM, 0);

	fixture_setup();
	ck_assert_int_eq(mkdirat(fixture_at, "dir", 0700), 0);
	ck_assert_int_eq(mkdirat(fixture_at, "dir/sub", 0700), 0);
	fixture_file(fixture_at, "dir/sub/file");
	ck_assert_int_eq(mkfifoat(fixture_at, "dir/fifo", 0600), 0);
	snprintf(un.sun_path, sizeof(un.sun_path), "%s/dir/sock", fixture_top);
	ck_assert_int_eq(bind(sock, (const void *)&un, sizeof(un)), 0);
	close(sock);
	ck_assert_int_eq(symlinkat("dir", fixture_at, "to_dir"), 0);
	ck_assert_int_eq(symlinkat("sub", fixture_at, "dir/to_sub"), 0);
	ck_assert_int_eq(symlinkat("file", fixture_at, "dir/sub/to_file"), 0);
	ck_assert_int_eq(symlinkat("fifo", fixture_at, "dir/to_fifo"), 0);
	ck_assert_int_eq(symlinkat("loop", fixture_at, "loop"), 0);
	ck_assert_int_eq(symlinkat("nothing", fixture_at, "dangling"), 0);
	ck_assert_int_eq(symlinkat("/", fixture_at, "to_root"), 0);
}

enum opens { DIR_, FILE_ };
/* How a relative path opens: 0, or one of two errors; whether that needs a kernel that refuses links. */
static const struct {
	enum opens how;
	const char *path;
	int error, or_error;
	bool in_middle;
} opens[] = {
	{ DIR_, "", 0, 0, false },
	{ DIR_, ".", 0, 0, false },
	{ DIR_, "dir", 0, 0, false },
	{ DIR_, "dir/", 0, 0, false },
	{ DIR_, "dir//sub", 0, 0, false },
	{ DIR_, "dir/../dir/sub", 0, 0, false },
	{ DIR_, "gone/sub", ENOENT, 0, false },
	{ DIR_, "dir/sub/file", ENOTDIR, 0, false },
	{ DIR_, "dir/sub/file/x", ENOTDIR, 0, false },
	{ DIR_, "dir/fifo", ENOTDIR, 0, false },
	{ DIR_, "dir/sock", ENOTDIR, 0, false },
	{ DIR_, "to_dir", ELOOP, ENOTDIR, false },
	{ DIR_, "dir/to_sub", ELOOP, ENOTDIR, false },
	{ DIR_, "loop", ELOOP, ENOTDIR, false },
	{ DIR_, "dangling", ELOOP, ENOTDIR, false },
	{ DIR_, "to_dir/sub", ELOOP, 0, true },
	{ DIR_, "dir/to_sub/.", ELOOP, 0, true },
	{ DIR_, "to_dir/", ELOOP, 0, true },
	{ DIR_, "to_dir/to_sub", ELOOP, 0, true },
	{ DIR_, "to_root/etc", ELOOP, 0, true },
	{ DIR_, "loop/x", ELOOP, ENOTDIR, false },
	{ FILE_, "dir/sub/file", 0, 0, false },
	{ FILE_, "dir/sub/gone", ENOENT, 0, false },
	{ FILE_, "dir/sub/to_file", ELOOP, 0, false },
	{ FILE_, "dangling", ELOOP, 0, false },
	{ FILE_, "loop", ELOOP, 0, false },
	{ FILE_, "to_dir", ELOOP, 0, false },
	{ FILE_, "to_dir/sub/file", ELOOP, 0, true },
	{ FILE_, "dir/to_sub/file", ELOOP, 0, true },
	{ FILE_, "to_dir/to_sub/file", ELOOP, 0, true },
	{ FILE_, "to_root/etc/passwd", ELOOP, 0, true },
	/* It opens at once, and fstat tells. */
	{ FILE_, "dir/fifo", 0, 0, false },
	{ FILE_, "dir/to_fifo", ELOOP, 0, false },
	{ FILE_, "dir/sock", ENXIO, 0, false },
};

START_TEST(opening)
{
	int fd;

	if (opens[_i].in_middle && !refuses_links())
		return;
	errno = 0;
	fd = opens[_i].how == DIR_ ? fs_open_dir(fixture_at, opens[_i].path) : fs_open_file(fixture_at, opens[_i].path);
	if (opens[_i].error == 0 && fd < 0)
		ck_abort_msg("'%s': %s", opens[_i].path, strerror(errno));
	if (opens[_i].error != 0 && fd >= 0)
		ck_abort_msg("'%s' was opened", opens[_i].path);
	if (fd < 0) {
		ck_assert(errno == opens[_i].error || errno == opens[_i].or_error);
	} else {
		ck_assert_int_ne(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
		close(fd);
	}
}
END_TEST

/* The name alone, in an open directory: the common case. */
START_TEST(opening_names)
{
	struct fs_stat st;
	int dir, fd;

	dir = openat(fixture_at, "dir", O_RDONLY | O_DIRECTORY);
	fd = fs_open_file(dir, "fifo");
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fs_stat_fd(fd, &st), 0);
	ck_assert(S_ISFIFO(st.mode));
	close(fd);
	ck_assert_int_eq(fs_open_file(dir, "to_fifo"), -1);
	ck_assert_int_eq(errno, ELOOP);
	ck_assert_int_eq(fs_open_file(dir, "gone"), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(fs_open_file(-1, "gone"), -1);
	ck_assert_int_eq(errno, EBADF);
	ck_assert_int_eq(fs_open_dir(-1, "gone"), -1);
	ck_assert_int_eq(errno, EBADF);
	close(dir);
}
END_TEST

/* Who reads a file does not touch its access time where he owns it. */
#ifdef O_NOATIME
START_TEST(access_time_stays)
{
	const struct timespec old[2] = { { 1000, 0 }, { 2000, 0 } };
	struct stat s;
	char c;
	int fd = openat(fixture_at, "f", O_WRONLY | O_CREAT, 0600);

	ck_assert_int_eq((int)write(fd, "x", 1), 1);
	close(fd);
	ck_assert_int_eq(mkdirat(fixture_at, "d", 0700), 0);
	ck_assert_int_eq(renameat(fixture_at, "f", fixture_at, "d/f"), 0);
	ck_assert_int_eq(utimensat(fixture_at, "d/f", old, 0), 0);
	/* By its directory's descriptor, and by one further up. */
	for (int i = 0; i < 2; i++) {
		const int dir = i == 0 ? fs_open_dir(fixture_at, "d") : fs_open_base(fixture_top);

		fd = fs_open_file(dir, i == 0 ? "f" : "d/f");
		ck_assert_int_eq((int)read(fd, &c, 1), 1);
		close(fd);
		close(dir);
		ck_assert_int_eq(fstatat(fixture_at, "d/f", &s, 0), 0);
		/* Some systems cannot refuse links in a path and the access time at once. */
		ck_assert(s.st_atim.tv_sec == 1000 || (i == 1 && !refuses_links()));
	}
}
END_TEST
#endif

/* Make directories of long names below at until the relative path has len bytes, then a file "f"; *path gets it. */
static void
make_long(struct buf *path, size_t len)
{
	char name[256];
	int dir = dup(fixture_at);

	while (path->len < len) {
		/* The last two share what is left, so that no name becomes too long. */
		size_t left = len - path->len - (path->len > 0), n = left <= 250 ? left : left > 500 ? 250 : left / 2;
		int next;

		memset(name, 'n', n);
		name[n] = '\0';
		if (mkdirat(dir, name, 0700) < 0)
			ck_abort_msg("mkdir: %s", strerror(errno));
		next = openat(dir, name, O_RDONLY | O_DIRECTORY);
		close(dir);
		dir = next;
		if (path->len > 0)
			buf_addc(path, '/');
		buf_adds(path, name);
	}
	fixture_file(dir, "f");
	ck_assert_int_eq(symlinkat("f", dir, "l"), 0);
	close(dir);
}

static const int lengths[] = { 250, 4000, 4090, 4093, 4094, 4095, 4096, 4097, 4098, 4345, 4346, 4347, 5000, 8191, 8192, 8193, 20000 };

START_TEST(long_paths)
{
	struct buf rel = { 0 }, abs = { 0 };
	struct fs_stat st, want;
	size_t len;
	int fd;

	make_long(&rel, (size_t)lengths[_i]);
	ck_assert_uint_eq(rel.len, (size_t)lengths[_i]);
	buf_addf(&abs, "%s/%s", fixture_top, rel.data);
	for (int i = 0; i < 2; i++) {
		fd = i == 0 ? fs_open_dir(fixture_at, rel.data) : fs_open_dir(AT_FDCWD, abs.data);
		if (fd < 0)
			ck_abort_msg("directory: %s", strerror(errno));
		ck_assert_int_eq(fs_stat_at(fd, "f", &want), 0);
		close(fd);
	}
	len = rel.len;
	buf_adds(&rel, "/f");
	buf_adds(&abs, "/f");
	for (int i = 0; i < 2; i++) {
		fd = i == 0 ? fs_open_file(fixture_at, rel.data) : fs_open_file(AT_FDCWD, abs.data);
		if (fd < 0)
			ck_abort_msg("file: %s", strerror(errno));
		ck_assert_int_eq(fs_stat_fd(fd, &st), 0);
		ck_assert(fs_stat_same(&st, &want));
		close(fd);
	}
	ck_assert_int_eq(fs_stat_path(abs.data, &st), 0);
	ck_assert(fs_stat_same(&st, &want));
	/* A link at the end of it is not followed. */
	rel.data[len + 1] = abs.data[abs.len - 1] = 'l';
	ck_assert_int_eq(fs_open_file(fixture_at, rel.data), -1);
	ck_assert_int_eq(errno, ELOOP);
	ck_assert_int_eq(fs_stat_path(abs.data, &st), 0);
	ck_assert(S_ISLNK(st.mode));
	/* What is not there is not there. */
	rel.data[len + 1] = abs.data[abs.len - 1] = 'x';
	ck_assert_int_eq(fs_open_file(fixture_at, rel.data), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(fs_stat_path(abs.data, &st), -1);
	ck_assert_int_eq(errno, ENOENT);
	rel.data[0] = 'x';
	ck_assert_int_eq(fs_open_dir(fixture_at, rel.data), -1);
	ck_assert_int_eq(errno, ENOENT);
	buf_release(&rel);
	buf_release(&abs);
}
END_TEST

/* A link in the middle is refused in every piece of a long relative path. */
START_TEST(long_paths_links)
{
	struct buf rel = { 0 }, name = { 0 };

	if (!refuses_links())
		return;
	make_long(&rel, 9000);
	for (int i = 0; i < 250; i++)
		buf_addc(&name, 'n');
	ck_assert_int_eq(renameat(fixture_at, name.data, fixture_at, "real"), 0);
	ck_assert_int_eq(symlinkat("real", fixture_at, name.data), 0);
	ck_assert_int_eq(fs_open_dir(fixture_at, rel.data), -1);
	ck_assert_int_eq(errno, ELOOP);
	buf_adds(&rel, "/f");
	ck_assert_int_eq(fs_open_file(fixture_at, rel.data), -1);
	ck_assert_int_eq(errno, ELOOP);
	buf_cut(&rel, rel.len - 2);
	ck_assert_int_eq(unlinkat(fixture_at, name.data, 0), 0);
	ck_assert_int_eq(renameat(fixture_at, "real", fixture_at, name.data), 0);
	/* The same in the last piece: 35 names of 250 bytes and a slash, then the two of what is left. */
	{
		int dir = dup(fixture_at), next;

		for (int i = 0; i < 30; i++) {
			next = openat(dir, name.data, O_RDONLY | O_DIRECTORY);
			ck_assert_int_ge(next, 0);
			close(dir);
			dir = next;
		}
		ck_assert_int_eq(renameat(dir, name.data, dir, "real"), 0);
		ck_assert_int_eq(symlinkat("real", dir, name.data), 0);
		close(dir);
	}
	ck_assert_int_eq(fs_open_dir(fixture_at, rel.data), -1);
	ck_assert_int_eq(errno, ELOOP);
	buf_release(&rel);
	buf_release(&name);
}
END_TEST

/* Names that no file system takes. */
static const int too_long[] = { 256, 4095, 4096, 4097, 100000 };

START_TEST(long_names)
{
	struct buf path = { 0 };
	struct fs_stat st;

	for (int i = 0; i < too_long[_i]; i++)
		buf_addc(&path, 'x');
	ck_assert_int_eq(fs_open_dir(fixture_at, path.data), -1);
	ck_assert_int_eq(errno, ENAMETOOLONG);
	ck_assert_int_eq(fs_open_file(fixture_at, path.data), -1);
	ck_assert_int_eq(errno, ENAMETOOLONG);
	buf_cut(&path, 0);
	buf_addc(&path, '/');
	for (int i = 0; i < too_long[_i]; i++)
		buf_addc(&path, 'x');
	ck_assert_int_eq(fs_stat_path(path.data, &st), -1);
	ck_assert(errno == ENAMETOOLONG || errno == ENOENT);
	ck_assert_int_eq(fs_open_file(AT_FDCWD, path.data), -1);
	ck_assert_int_eq(errno, ENAMETOOLONG);
	buf_release(&path);
}
END_TEST

/* An absolute path may go through links: it was resolved before. */
START_TEST(absolute)
{
	char path[PATH_MAX];
	struct fs_stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/to_dir/sub", fixture_top);
	fd = fs_open_dir(AT_FDCWD, path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	snprintf(path, sizeof(path), "%s/to_dir", fixture_top);
	ck_assert_int_eq(fs_open_dir(AT_FDCWD, path), -1);
	ck_assert_int_eq(fs_stat_path(path, &st), 0);
	ck_assert(S_ISLNK(st.mode));
	snprintf(path, sizeof(path), "%s/dir/sub/to_file", fixture_top);
	ck_assert_int_eq(fs_open_file(AT_FDCWD, path), -1);
	ck_assert_int_eq(errno, ELOOP);
	ck_assert_int_eq(fs_stat_path("/", &st), 0);
	ck_assert(S_ISDIR(st.mode));
}
END_TEST

/* A base may be reached through links, what is opened below it not. */
START_TEST(below_base)
{
	char path[PATH_MAX];
	int base, fd;

	snprintf(path, sizeof(path), "%s/to_dir/sub", fixture_top);
	base = fs_open_base(path);
	ck_assert_int_ge(base, 0);
	ck_assert_int_eq(fs_open_file(base, "to_file"), -1);
	ck_assert_int_eq(errno, ELOOP);
	close(base);
	base = fs_open_base(fixture_top);
	fd = fs_open_dir(base, "dir/sub");
	ck_assert_int_ge(fd, 0);
	close(fd);
	fd = fs_open_dir(base, "");
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(fs_open_dir(base, "to_dir/sub"), -1);
	ck_assert(errno == ELOOP || errno == ENOTDIR);
	ck_assert_int_eq(fs_open_file(base, "to_dir/sub/file"), -1);
	ck_assert(errno == ELOOP || errno == ENOTDIR);
	close(base);
	snprintf(path, sizeof(path), "%s/gone", fixture_top);
	ck_assert_int_eq(fs_open_base(path), -1);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

/* Files of open databases, as many as there are, are not opened, each until its owner has closed it. */
START_TEST(shunned)
{
	enum { OWNERS = 100, FILES = 4 };
	const char owners[OWNERS] = { 0 };

	for (int i = 0; i < OWNERS * FILES; i++) {
		fs_shun(&owners[i / FILES], 7, 1000 + (uint64_t)i);
		fs_shun(&owners[i / FILES], 7, 1000 + (uint64_t)i);
	}
	/* Two owners of one file. */
	fs_shun(&owners[0], 7, 1000 + FILES);
	for (int i = 0; i < OWNERS * FILES; i++)
		ck_assert_msg(fs_is_shunned(7, 1000 + (uint64_t)i), "file %d", i);
	ck_assert(!fs_is_shunned(8, 1000));
	ck_assert(!fs_is_shunned(7, 999));
	fs_unshun(&owners[1]);
	for (int i = 0; i < OWNERS * FILES; i++)
		ck_assert_int_eq(fs_is_shunned(7, 1000 + (uint64_t)i), i == FILES || i / FILES != 1);
	for (int i = 0; i < OWNERS; i++)
		fs_unshun(&owners[i]);
	for (int i = 0; i < OWNERS * FILES; i++)
		ck_assert(!fs_is_shunned(7, 1000 + (uint64_t)i));
}
END_TEST

Suite *
suite_fs(void)
{
	Suite *s = suite_create("fs");
	TCase *tc = tcase_create("fs");

	tcase_add_checked_fixture(tc, fixture_setup, fixture_teardown);
	tcase_add_loop_test(tc, time_stamps, 0, N_ROWS(stamps));
	tcase_add_test(tc, stat_tells);
#ifdef O_NOATIME
	tcase_add_test(tc, access_time_stays);
#endif
	tcase_add_loop_test(tc, long_paths, 0, N_ROWS(lengths));
	tcase_add_test(tc, long_paths_links);
	tcase_add_loop_test(tc, long_names, 0, N_ROWS(too_long));
	suite_add_tcase(s, tc);
	tc = tcase_create("shunned");
	tcase_add_test(tc, shunned);
	suite_add_tcase(s, tc);
	tc = tcase_create("times");
	tcase_add_loop_test(tc, time_numbers, 0, N_ROWS(times));
	suite_add_tcase(s, tc);
	tc = tcase_create("tree");
	tcase_add_unchecked_fixture(tc, setup_tree, fixture_teardown);
	tcase_add_loop_test(tc, opening, 0, N_ROWS(opens));
	tcase_add_test(tc, opening_names);
	tcase_add_test(tc, absolute);
	tcase_add_test(tc, below_base);
	suite_add_tcase(s, tc);
	return s;
}
