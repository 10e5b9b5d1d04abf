/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>

#include "sys/countmap.h"
#include "unit.h"

enum { THREADS = 8 };

/* Keys that differ in one half only, swapped ones, extreme ones. */
static const uint64_t keys[][2] = {
	{ 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, 2 }, { 2, 1 }, { UINT64_MAX, 0 }, { 0, UINT64_MAX }, { UINT64_MAX, UINT64_MAX },
	{ UINT64_MAX, UINT64_MAX - 1 }, { INT64_MAX, 1 }, { (uint64_t)1 << 63, 1 }, { (uint64_t)1 << 32, 1 }, { 1, (uint64_t)1 << 32 },
	/* The mixing multiplies a by this: with b equal to the product the mixed number is 0. */
	{ 1, 0x9e3779b97f4a7c15u }, { 2, 0x3c6ef372fe94f82au }, { 3, 0xdaa66d2c7ddf743fu },
};

/* A count stops at two, and asking does not count. */
START_TEST(counts_saturate)
{
	struct countmap *s = countmap_new(0);

	for (int round = 0; round < 300; round++) {
		for (int i = 0; i < N_ROWS(keys); i++) {
			const int before = round < 2 ? round : 2;

			if (countmap_get(s, keys[i][0], keys[i][1]) != before || countmap_get(s, keys[i][0], keys[i][1]) != before ||
			    countmap_count(s, keys[i][0], keys[i][1]) != before)
				ck_abort_msg("key %d in round %d", i, round);
		}
	}
	ck_assert_int_eq(countmap_get(s, 77, 77), 0);
	countmap_free(s);
	countmap_free(NULL);
}
END_TEST

START_TEST(empty)
{
	struct countmap *s = countmap_new(8);
	uint64_t value = 5;

	for (int i = 0; i < N_ROWS(keys); i++) {
		ck_assert_int_eq(countmap_get(s, keys[i][0], keys[i][1]), 0);
		ck_assert(!countmap_value(s, keys[i][0], keys[i][1], &value));
	}
	ck_assert_uint_eq(value, 5);
	countmap_free(s);
}
END_TEST

/* Many keys keep their counts and values while the tables grow. */
static const size_t value_sizes[] = { 0, 1, 8, 56, 1000 };

START_TEST(grows)
{
	const size_t size = value_sizes[_i];
	const uint64_t n = size < 1000 ? 40000 : 4000;
	struct countmap *s = countmap_new(size);
	unsigned char *value = calloc(1, size + 1), *got = calloc(1, size + 1);

	for (uint64_t i = 0; i < n; i++) {
		/* Sizes of files are multiples of something, inodes are neighbours. */
		if (countmap_count(s, i * 4096, i / 7) != 0 || (i % 3 == 0 && countmap_count(s, i * 4096, i / 7) != 1))
			ck_abort_msg("key %llu", (unsigned long long)i);
		if (size > 0 && i % 2 == 0) {
			memset(value, (int)(i % 251), size);
			countmap_set(s, i * 4096, i / 7, value);
		}
	}
	for (uint64_t i = 0; i < n; i++) {
		if (countmap_get(s, i * 4096, i / 7) != (i % 3 == 0 ? 2 : 1) || countmap_get(s, i * 4096 + 1, i / 7) != 0)
			ck_abort_msg("count of key %llu", (unsigned long long)i);
		if (size == 0)
			continue;
		memset(value, (int)(i % 251), size);
		if (countmap_value(s, i * 4096, i / 7, got) != (i % 2 == 0) || (i % 2 == 0 && memcmp(value, got, size) != 0))
			ck_abort_msg("value of key %llu", (unsigned long long)i);
	}
	free(value);
	free(got);
	countmap_free(s);
}
END_TEST

/* A value leaves the count alone, and the other way round; a second value replaces the first. */
START_TEST(values)
{
	struct countmap *s = countmap_new(sizeof(int));
	int value;

	for (int i = 0; i < N_ROWS(keys); i++) {
		const uint64_t a = keys[i][0], b = keys[i][1];

		ck_assert_int_eq(countmap_count(s, a, b), 0);
		ck_assert(!countmap_value(s, a, b, &value));
		value = i + 1000;
		countmap_set(s, a, b, &value);
		ck_assert_int_eq(countmap_get(s, a, b), 1);
		ck_assert_int_eq(countmap_count(s, a, b), 1);
		ck_assert_int_eq(countmap_count(s, a, b), 2);
		value = 0;
		ck_assert(countmap_value(s, a, b, &value));
		ck_assert_int_eq(value, i + 1000);
		value = -i;
		countmap_set(s, a, b, &value);
		ck_assert_int_eq(countmap_get(s, a, b), 2);
		value = 0;
		ck_assert(countmap_value(s, a, b, &value));
		ck_assert_int_eq(value, -i);
	}
	for (int i = 0; i < N_ROWS(keys); i++) {
		ck_assert(countmap_value(s, keys[i][0], keys[i][1], &value));
		ck_assert_int_eq(value, -i);
	}
	countmap_free(s);
}
END_TEST

struct shared {
	struct countmap *s;
	uint64_t n;
	_Atomic uint64_t first, second, later, wrong;
	_Atomic int turn;
};

static void *
thread_run(void *arg)
{
	struct shared *sh = arg;
	const uint64_t start = (uint64_t)atomic_fetch_add(&sh->turn, 1) * sh->n / THREADS;
	uint64_t value[3];

	for (uint64_t i = 0; i < sh->n; i++) {
		/* Each begins elsewhere and meets the others. */
		const uint64_t key = (start + i) % sh->n;

		switch (countmap_count(sh->s, key, key * 3)) {
		case 0:
			atomic_fetch_add(&sh->first, 1);
			memcpy(value, (uint64_t[]){ key, ~key, key * key }, sizeof(value));
			countmap_set(sh->s, key, key * 3, value);
			break;
		case 1:
			atomic_fetch_add(&sh->second, 1);
			break;
		case 2:
			atomic_fetch_add(&sh->later, 1);
			break;
		default:
			atomic_fetch_add(&sh->wrong, 1);
		}
		/* There is no value yet, or the right one. */
		if (countmap_value(sh->s, key, key * 3, value) && (value[0] != key || value[1] != ~key || value[2] != key * key))
			atomic_fetch_add(&sh->wrong, 1);
		if (countmap_get(sh->s, key, key * 3) == 0)
			atomic_fetch_add(&sh->wrong, 1);
	}
	return NULL;
}

START_TEST(threads)
{
	struct shared sh = { .s = countmap_new(3 * sizeof(uint64_t)), .n = 20000 };
	pthread_t ids[THREADS];

	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&ids[i], NULL, thread_run, &sh), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	ck_assert_uint_eq(sh.wrong, 0);
	ck_assert_uint_eq(sh.first, sh.n);
	ck_assert_uint_eq(sh.second, sh.n);
	ck_assert_uint_eq(sh.later, (THREADS - 2) * sh.n);
	for (uint64_t key = 0; key < sh.n; key++) {
		uint64_t value[3];

		if (!countmap_value(sh.s, key, key * 3, value) || value[0] != key)
			ck_abort_msg("key %llu has no value", (unsigned long long)key);
	}
	countmap_free(sh.s);
}
END_TEST

/* Small numbers, as sizes are: threads meet at the first of each range. */
static void *
thread_count_small(void *arg)
{
	struct shared *sh = arg;

	for (uint64_t key = 0; key < sh->n; key += 509) {
		const int before = countmap_count(sh->s, key, 0);

		atomic_fetch_add(before == 0 ? &sh->first : before == 1 ? &sh->second : &sh->later, 1);
	}
	return NULL;
}

START_TEST(threads_small)
{
	for (int round = 0; round < 50; round++) {
		struct shared sh = { .s = countmap_new(0), .n = 300000 };
		const uint64_t keys_each = (sh.n + 508) / 509;
		pthread_t ids[THREADS];

		ck_assert_int_eq(countmap_get(sh.s, 509, 0), 0);
		for (int i = 0; i < THREADS; i++)
			ck_assert_int_eq(pthread_create(&ids[i], NULL, thread_count_small, &sh), 0);
		for (int i = 0; i < THREADS; i++)
			pthread_join(ids[i], NULL);
		ck_assert_uint_eq(sh.first, keys_each);
		ck_assert_uint_eq(sh.second, keys_each);
		ck_assert_uint_eq(sh.later, (THREADS - 2) * keys_each);
		/* Check writes a file at each of its assertions: fifteen million of them take half a minute. */
		for (uint64_t key = 0; key < sh.n; key++) {
			if (countmap_get(sh.s, key, 0) != (key % 509 == 0 ? 2 : 0))
				ck_abort_msg("key %llu in round %d", (unsigned long long)key, round);
		}
		countmap_free(sh.s);
	}
}
END_TEST

Suite *
suite_countmap(void)
{
	Suite *s = suite_create("countmap");
	TCase *tc = tcase_create("seen");

	tcase_add_test(tc, counts_saturate);
	tcase_add_test(tc, empty);
	tcase_add_loop_test(tc, grows, 0, N_ROWS(value_sizes));
	tcase_add_test(tc, values);
	tcase_add_test(tc, threads);
	tcase_add_test(tc, threads_small);
	suite_add_tcase(s, tc);
	return s;
}
