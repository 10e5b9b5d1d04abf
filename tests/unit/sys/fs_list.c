/* SPDX-License-Identifier: MIT */
/* The listings of sys/fs. */
#include "base/base.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "sys/fs.h"
#include "sys/stop.h"
#include "fixture.h"
#include "unit.h"

/* Listed: every name once, with its type, in the order of bytes. */
static const struct {
	const char *name;
	char type;
} listed[] = {
	{ "\001", 'f' }, { "\n", 'f' }, { "\033[31m", 'd' }, { " ", 'f' }, { "-rf", 'f' }, { "..\n", 'f' }, { "...", 'd' }, { ".a", 'f' },
	{ "A", 'f' }, { "B", 'l' }, { "\\xff", 'f' }, { "a", 'p' }, { "a b", 'f' }, { "a.", 'f' }, { "ab", 's' }, { "a\177", 'f' },
	{ "a\200", 'f' }, { "b", 'f' }, { "\303\251", 'd' }, { "\355\240\200", 'f' }, { "\377", 'f' }, { "\377\376", 'l' },
};

static void
make_entry(int dir, const char *name, char type)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };

	if (type == 'f')
		fixture_file(dir, name);
	else if (type == 'd')
		ck_assert_int_eq(mkdirat(dir, name, 0700), 0);
	else if (type == 'l')
		ck_assert_int_eq(symlinkat("/etc", dir, name), 0);
	else if (type == 'p')
		ck_assert_int_eq(mkfifoat(dir, name, 0600), 0);
	else {
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);

		snprintf(un.sun_path, sizeof(un.sun_path), "%s/list/%s", fixture_top, name);
		ck_assert_int_eq(bind(fd, (const void *)&un, sizeof(un)), 0);
		close(fd);
	}
}

START_TEST(listing)
{
	struct fs_list l = { 0 };
	int dir, fd;

	ck_assert_int_eq(mkdirat(fixture_at, "list", 0700), 0);
	dir = openat(fixture_at, "list", O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(fs_list_read(&l, dir), 0);
	ck_assert_uint_eq(l.n, 0);
	fs_list_sort(&l);
	for (int i = N_ROWS(listed) - 1; i >= 0; i--)
		make_entry(dir, listed[i].name, listed[i].type);
	/* Twice with the same memory. */
	for (int round = 0; round < 2; round++) {
		fd = fs_open_dir(fixture_at, "list");
		ck_assert_int_eq(fs_list_read(&l, fd), 0);
		close(fd);
		ck_assert_uint_eq(l.n, N_ROWS(listed));
		fs_list_sort(&l);
		/* In the order of bytes without a sign, which is not that of the table everywhere. */
		for (size_t i = 0; i < l.n; i++) {
			const char *name = fs_list_name(&l, &l.v[i]);
			int found = 0;

			ck_assert_uint_eq(l.v[i].len, strlen(name));
			if (i > 0)
				ck_assert_int_lt(strcmp(fs_list_name(&l, &l.v[i - 1]), name), 0);
			for (int j = 0; j < N_ROWS(listed); j++) {
				static const char types[] = "?fdls";
				const char type = listed[j].type == 'p' ? 's' : listed[j].type;

				if (strcmp(listed[j].name, name) != 0)
					continue;
				found++;
				if (l.v[i].type != FS_UNKNOWN)
					ck_assert_int_eq(types[l.v[i].type], type);
			}
			ck_assert_int_eq(found, 1);
		}
	}
	fs_list_release(&l);
	ck_assert_ptr_null(l.v);
	ck_assert_uint_eq(l.n, 0);
	fs_list_release(&l);
	close(dir);
}
END_TEST

/* Names that agree in any number of bytes, and then differ in one of these, or end. */
START_TEST(sorting)
{
	static const char differ[] = { 1, 'a', 127, (char)128, (char)255 };
	struct fs_list l = { 0 };
	char name[64];
	int fd;

	ck_assert_int_eq(mkdirat(fixture_at, "list", 0700), 0);
	fd = openat(fixture_at, "list", O_RDONLY | O_DIRECTORY);
	memset(name, 'p', sizeof(name));
	for (int len = 1; len <= 33; len++) {
		for (int i = 0; i < N_ROWS(differ); i++) {
			name[len - 1] = differ[i];
			name[len] = '\0';
			make_entry(fd, name, 'f');
			name[len] = 'p';
		}
		name[len - 1] = 'p';
		name[len] = '\0';
		make_entry(fd, name, 'f');
		name[len] = 'p';
	}
	ck_assert_int_eq(fs_list_read(&l, fd), 0);
	close(fd);
	ck_assert_uint_eq(l.n, (N_ROWS(differ) + 1) * 33);
	fs_list_sort(&l);
	for (size_t i = 1; i < l.n; i++)
		ck_assert_int_lt(strcmp(fs_list_name(&l, &l.v[i - 1]), fs_list_name(&l, &l.v[i])), 0);
	fs_list_release(&l);
}
END_TEST

/* More than one call of the kernel gives at once, of names as long as can be. */
START_TEST(listing_many)
{
	enum { MANY = 3000 };
	struct fs_list l = { 0 };
	char name[256];
	int fd;

	ck_assert_int_eq(mkdirat(fixture_at, "list", 0700), 0);
	fd = openat(fixture_at, "list", O_RDONLY | O_DIRECTORY);
	memset(name, 'n', 255);
	name[255] = '\0';
	for (int i = 0; i < MANY; i++) {
		int len = snprintf(name, sizeof(name), "%05d", (i * 7919) % MANY);

		name[len] = i % 3 == 0 ? '\0' : 'n';
		if (mknodat(fd, name, S_IFREG | 0600, 0) < 0)
			ck_abort_msg("mknod: %s", strerror(errno));
	}
	ck_assert_int_eq(fs_list_read(&l, fd), 0);
	close(fd);
	ck_assert_uint_eq(l.n, MANY);
	fs_list_sort(&l);
	for (size_t i = 0; i < l.n; i++) {
		snprintf(name, sizeof(name), "%05d", (int)i);
		if (strncmp(fs_list_name(&l, &l.v[i]), name, 5) != 0)
			ck_abort_msg("entry %zu is %s", i, fs_list_name(&l, &l.v[i]));
	}
	fs_list_release(&l);
}
END_TEST

START_TEST(listing_fails)
{
	struct fs_list l = { 0 };
	int fd;

	ck_assert_int_eq(fs_list_read(&l, -1), -1);
	ck_assert_int_eq(errno, EBADF);
	fixture_file(fixture_at, "f");
	fd = openat(fixture_at, "f", O_RDONLY);
	ck_assert_int_eq(fs_list_read(&l, fd), -1);
	ck_assert_int_eq(errno, ENOTDIR);
	close(fd);
	/* A directory that was removed while it was open is empty or gone, never more. */
	ck_assert_int_eq(mkdirat(fixture_at, "d", 0700), 0);
	fd = fs_open_dir(fixture_at, "d");
	ck_assert_int_eq(unlinkat(fixture_at, "d", AT_REMOVEDIR), 0);
	ck_assert(fs_list_read(&l, fd) == 0 || errno == ENOENT);
	ck_assert_uint_eq(l.n, 0);
	close(fd);
	fs_list_release(&l);
}
END_TEST

START_TEST(listing_stops)
{
	struct fs_list l = { 0 };

	fixture_file(fixture_at, "f");
	stop_ask();
	ck_assert_int_eq(fs_list_read(&l, fixture_at), -1);
	ck_assert_int_eq(errno, EINTR);
	ck_assert_uint_eq(l.n, 0);
	stop_clear();
	fs_list_release(&l);
}
END_TEST

Suite *
suite_fs_list(void)
{
	Suite *s = suite_create("fs_list");
	TCase *tc = tcase_create("list");

	tcase_add_checked_fixture(tc, fixture_setup, fixture_teardown);
	tcase_add_test(tc, listing);
	tcase_add_test(tc, sorting);
	tcase_add_test(tc, listing_many);
	tcase_add_test(tc, listing_fails);
	tcase_add_test(tc, listing_stops);
	suite_add_tcase(s, tc);
	return s;
}
