/* SPDX-License-Identifier: MIT */
/* Which names are archives, and what a process in a jail can do. */
#include "base/base.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "archive/libarchive.h"
#include "archive/packed.h"
#include "archive/packed_read.h"
#include "fixture.h"
#include "sys/jail.h"
#include "unit.h"

static const struct { const char *name; bool is; } names[] = {
	{ "a.zip", true }, { "A.ZIP", true }, { "a.b.Jar", true }, { "x.tar", true }, { "x.tar.gz", true }, { "x.TAR.Xz", true },
	{ "x.tgz", true }, { "x.tar.zst", true }, { "x.cpio.gz", true }, { "p_1.0_amd64.deb", true }, { "w.whl", true },
	{ "libx.a", true }, { "x.7z", true }, { "d.iso", true }, { "x.cab", true },
	{ "a.gz", false }, { "a.zip.gz", false }, { "zip", false }, { ".zip", false }, { "a.", false }, { "", false }, { "a.zipp", false },
	{ "a.zip ", false }, { ".tar.gz", false }, { "a.txt", false }, { "tar.gz", false }, { "a.nupkgs", false }, { "a.zip/", false },
};

START_TEST(name)
{
	ck_assert_msg(packed_is_name(names[_i].name, strlen(names[_i].name)) == names[_i].is, "%s", names[_i].name);
}
END_TEST

START_TEST(reasons)
{
	for (int i = 0; i < PACKED_WHYS; i++) {
		ck_assert_ptr_nonnull(packed_why_text((enum packed_why)i));
		for (int k = 0; k < i; k++)
			ck_assert_str_ne(packed_why_text((enum packed_why)i), packed_why_text((enum packed_why)k));
	}
}
END_TEST

/* What a process in a jail finds out: a byte for each try, '-' where it failed. */
static void
tries(void *arg, int in, int out)
{
	char found[6] = "-----", byte = '-';

	(void)arg;
	if (open("/etc/passwd", O_RDONLY) >= 0)
		found[0] = 'o';
	if (open("/tmp/twindex-unit-jail", O_WRONLY | O_CREAT, 0600) >= 0)
		found[1] = 'w';
	if (read(in, &byte, 1) == 1)
		found[2] = byte;
	if (jail_is_tight()) {
		if (fork() >= 0)
			found[3] = 'f';
		if (kill(getppid(), SIGUSR2) == 0)
			found[4] = 'k';
	}
	if (write(out, found, 5) != 5)
		_exit(9);
}

static void
ready(void)
{
}

/* Read text of a process that runs fn. */
static enum jail_end
jailed(jail_fn *fn, const struct jail_limits *limits, char *text, size_t len, int *ret)
{
	struct jail j = { .n = 0 };
	struct err err = { 0 };
	const int fd = open("/dev/zero", O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_msg(jail_start(&j, fd, limits, ready, fn, NULL, &err) == 0, "%s", err.text);
	close(fd);
	*ret = jail_read(&j, text, len, INT64_C(20000000000), &err);
	return jail_end(&j);
}

START_TEST(jail_calls)
{
	char text[6] = "";
	int ret;

	ck_assert_int_eq(jailed(tries, &(struct jail_limits){ 1 << 28, 10 }, text, 5, &ret), JAIL_END_WELL);
	ck_assert_int_eq(ret, JAIL_READ);
	ck_assert_int_eq(text[0], '-');
	ck_assert_int_eq(text[1], '-');
	ck_assert_int_eq(text[2], 0);
	ck_assert_int_eq(text[3], '-');
	ck_assert_int_eq(text[4], '-');
}
END_TEST

static void
spins(void *arg, int in, int out)
{
	(void)arg;
	(void)in;
	(void)out;
	for (volatile unsigned n = 0;; n++)
		;
}

static void
dies(void *arg, int in, int out)
{
	(void)arg;
	(void)in;
	(void)out;
	raise(SIGSEGV);
	_exit(3);
}

START_TEST(jail_time)
{
	char byte;
	int ret;

	ck_assert_int_eq(jailed(spins, &(struct jail_limits){ 1 << 28, 1 }, &byte, 1, &ret), JAIL_END_TIME);
	ck_assert_int_eq(ret, JAIL_CLOSED);
}
END_TEST

START_TEST(jail_death)
{
	char byte;
	int ret;

	ck_assert_int_eq(jailed(dies, &(struct jail_limits){ 1 << 28, 10 }, &byte, 1, &ret), JAIL_END_DIED);
	ck_assert_int_eq(ret, JAIL_CLOSED);
}
END_TEST

static int
take(void *arg, const struct packed *p, struct err *err)
{
	struct buf *b = arg;

	(void)err;
	buf_addf(b, "%s %lld %s %d\n", p->name, (long long)p->size, packed_why_text(p->why), p->has_hash);
	return 0;
}

/* An archive of ar: no library is needed to write it. */
static const char ar[] =
	"!<arch>\n"
	"one/            0           0     0     100644  4         `\nabc\n"
	"two/            0           0     0     100644  3         `\nabc\n"
	"../no/          0           0     0     100644  0         `\n";

START_TEST(members)
{
	uint8_t secret[CONTENT_SECRET_SIZE];
	struct packed_result result;
	struct buf got = { 0 };
	struct err err = { 0 };
	struct unpack_ask ask = { .secret = secret, .all = true, .packed = (int64_t)(sizeof(ar) - 1 - (size_t)_i) };
	char path[64];
	int fd;

	/* Each length starts a process in a jail: a third of them, but with EVERY_KIND=1. */
	if (!libarchive_can() || (_i % 3 != 0 && !fixture_every()))
		return;
	memset(secret, 7, sizeof(secret));
	fixture_temp_file(path, sizeof(path));
	fd = open(path, O_RDWR);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, ar, sizeof(ar) - 1 - (size_t)_i), (ssize_t)(sizeof(ar) - 1 - (size_t)_i));
	ck_assert_msg(packed_read(fd, &ask, take, &got, &result, &err) == 0, "%s", err.text);
	if (_i == 0) {
		ck_assert_str_eq(buf_str(&got), "one 4 it was read 1\ntwo 3 it was read 1\n../no 0 it was read 0\n");
		ck_assert_int_eq(result.why, PACKED_GOOD);
	} else
		ck_assert_msg(result.why != PACKED_GOOD || strstr(buf_str(&got), "two 3 it was read 1") == NULL || result.members < 3, "cut by %d: %s", _i, buf_str(&got));
	ck_assert_int_ne(result.why, PACKED_DIED);
	close(fd);
	unlink(path);
	buf_release(&got);
}
END_TEST

Suite *
suite_packed(void)
{
	Suite *s = suite_create("packed");
	TCase *tc = tcase_create("names");

	tcase_add_loop_test(tc, name, 0, (int)(sizeof(names) / sizeof(names[0])));
	tcase_add_test(tc, reasons);
	suite_add_tcase(s, tc);
	tc = tcase_create("jail");
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, jail_calls);
	tcase_add_test(tc, jail_time);
	tcase_add_test(tc, jail_death);
	suite_add_tcase(s, tc);
	tc = tcase_create("members");
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, members, 0, (int)sizeof(ar) - 1);
	suite_add_tcase(s, tc);
	return s;
}
