/* SPDX-License-Identifier: MIT */
/*
 * Files of lengths around that of a block, equal, or with one other byte, or with another length
 * than their stat said.
 */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "act/compare_bytes.h"
#include "act/locked_file.h"
#include "act/locked_dir.h"
#include "act/verdict.h"
#include "fixture.h"
#include "unit.h"

#define B COMPARE_BLOCK
#define VICTIMS 3

static uint8_t *memory;

static void
setup(void)
{
	fixture_setup();
	memory = mem_alloc(COMPARE_MEMORY);
}

static void
teardown(void)
{
	free(memory);
	fixture_teardown();
}

/* A file of a length, of which one byte (or none: -1) is another one. */
static int
make(const char *name, int64_t size, int64_t other)
{
	char *data = mem_alloc((size_t)size + 1);
	const int fd = openat(fixture_at, name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	for (int64_t i = 0; i < size; i++)
		data[i] = (char)(i * 7 + (i >> 9));
	if (other >= 0)
		data[other] ^= 1;
	ck_assert_int_eq(pwrite(fd, data, (size_t)size, 0), size);
	free(data);
	return fd;
}

/*
 * The length, which byte of the second victim differs, and by how many bytes the third differs in
 * length from its stat.
 */
static const struct {
	int64_t size, differs, longer;
} cases[] = {
	{ 1, -1, 0 }, { 1, 0, 0 }, { 1, -1, 1 }, { 4096, 4095, -1 },
	{ B - 1, -1, 0 }, { B - 1, B - 2, 1 }, { B, -1, 0 }, { B, B - 1, 1 }, { B, 0, -1 },
	{ B + 1, B, 1 }, { B + 1, -1, -1 }, { 2 * B, 2 * B - 1, 1 }, { 2 * B + 1, 2 * B, -1 }, { 3 * B + 5, B + 1, B },
};

/*
 * All files are in one directory, on a file system that tells files apart, or not; it stays open.
 */
static struct locked_dir in = { .fd = -1, .dev = 1, .tells_files = false, .path = NULL, .users = 100 };

START_TEST(tells)
{
	const size_t row = (size_t)_i / 2;
	struct locked_file keeper = LOCKED_FILE_NONE, held[VICTIMS] = { LOCKED_FILE_NONE, LOCKED_FILE_NONE, LOCKED_FILE_NONE };
	struct verdict k = { .outcome = ACT_PENDING }, v[VICTIMS] = { { .outcome = ACT_PENDING } };
	struct compare_bytes_with with[VICTIMS];
	const int64_t size = cases[row].size;
	_Atomic int64_t compared = 0;
	char name[16];

	in.tells_files = _i % 2 == 0;
	keeper.fd = make("k", size, -1);
	keeper.in = &in;
	keeper.st.size = size;
	keeper.st.dev = in.dev;
	for (int i = 0; i < VICTIMS; i++) {
		snprintf(name, sizeof(name), "%d", i);
		held[i].fd = make(name, size, i == 1 ? cases[row].differs : -1);
		held[i].in = &in;
		held[i].st.size = size;
		held[i].st.dev = in.dev;
		with[i] = (struct compare_bytes_with){ &held[i], &v[i], -1 };
	}
	ck_assert_int_eq(ftruncate(held[2].fd, size + cases[row].longer), 0);
	ck_assert_int_eq(compare_bytes_files(&keeper, &k, with, VICTIMS, memory, &compared), 0);
	ck_assert_int_eq(k.outcome, ACT_PENDING);
	ck_assert_int_ge(compared, size);
	ck_assert_int_le(compared, VICTIMS * size);
	ck_assert_int_eq(v[0].outcome, ACT_PENDING);
	ck_assert_int_eq(with[1].differs, cases[row].differs);
	ck_assert_int_eq(v[1].outcome, cases[row].differs >= 0 ? ACT_UNSURE : ACT_PENDING);
	ck_assert_int_eq(v[2].outcome, cases[row].longer != 0 ? ACT_UNSURE : ACT_PENDING);
	for (int i = 0; i < VICTIMS; i++) {
		locked_file_close(&held[i]);
		verdict_release(&v[i]);
	}
	/* One that is decided is not read: its descriptor is closed. */
	v[0].outcome = ACT_STAYS;
	ck_assert_int_eq(compare_bytes_files(&keeper, &k, with, 1, memory, &compared), 0);
	/* A keeper of another length proves nothing. */
	ck_assert_int_eq(ftruncate(keeper.fd, size + 1), 0);
	v[0].outcome = ACT_PENDING;
	held[0].fd = make("0", size, -1);
	held[0].in = &in;
	ck_assert_int_eq(compare_bytes_files(&keeper, &k, with, 1, memory, &compared), -1);
	ck_assert_int_eq(k.outcome, ACT_UNSURE);
	locked_file_close(&held[0]);
	locked_file_close(&keeper);
	verdict_release(&k);
}
END_TEST

Suite *
suite_compare(void)
{
	Suite *s = suite_create("compare");
	TCase *tc = tcase_create("compare");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, tells, 0, 2 * N_ROWS(cases));
	suite_add_tcase(s, tc);
	return s;
}
