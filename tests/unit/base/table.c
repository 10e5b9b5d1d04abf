/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "unit.h"

/* What is taken of a key for its hash: all; what makes long runs of slots; what makes all tags equal. */
static const struct { uint64_t multiply, mask; } hashes[] = {
	{ 0x9e3779b97f4a7c15u, UINT64_MAX }, { 1, UINT64_MAX }, { 1, 0xf }, { 64, UINT64_MAX }, { 0, UINT64_MAX },
	{ (uint64_t)1 << 32, UINT64_MAX },
};

static uint64_t
hash_of(int row, uint64_t key)
{
	return key * hashes[row].multiply & hashes[row].mask;
}

static size_t
count(const struct table *t, int row, const uint64_t *keys, uint64_t key)
{
	size_t n = 0;

	TABLE_EACH(i, t, hash_of(row, key))
		n += keys[i] == key;
	return n;
}

START_TEST(finds_what_was_added_and_nothing_else)
{
	VEC(uint64_t) keys = { 0 };
	struct table t = { 0 };

	ck_assert_uint_eq(count(&t, _i, NULL, 1), 0);
	for (uint64_t key = 0; key < 700; key += 2) {
		ck_assert_uint_eq(count(&t, _i, keys.v, key), 0);
		vec_push(&keys, key);
		table_add(&t, hash_of(_i, key), keys.n - 1);
		ck_assert_uint_eq(count(&t, _i, keys.v, key), 1);
	}
	for (uint64_t key = 0; key < 700; key++)
		ck_assert_uint_eq(count(&t, _i, keys.v, key), key % 2 == 0);
	table_release(&t);
	ck_assert_uint_eq(count(&t, _i, keys.v, 0), 0);
	table_add(&t, hash_of(_i, 6), 3);
	ck_assert_uint_eq(count(&t, _i, keys.v, 6), 1);
	table_release(&t);
	vec_release(&keys);
}
END_TEST

START_TEST(equal_keys_come_in_the_order_of_adding)
{
	struct table t = { 0 };
	size_t next[7] = { 0, 1, 2, 3, 4, 5, 6 };

	for (size_t i = 0; i < 2000; i++)
		table_add(&t, hash_of(_i, i % 7), i);
	for (size_t key = 0; key < 7; key++) {
		TABLE_EACH(i, &t, hash_of(_i, key)) {
			if (i % 7 == key) {
				ck_assert_uint_eq(i, next[key]);
				next[key] += 7;
			}
		}
		ck_assert_uint_ge(next[key], 2000);
	}
	table_release(&t);
}
END_TEST

START_TEST(reserved_room_does_not_grow)
{
	struct table t = { 0 };
	const struct table_slot *slots;

	table_reserve(&t, 1000);
	slots = t.slots;
	for (size_t i = 0; i < 1000; i++)
		table_add(&t, hash_of(_i, i), i);
	ck_assert_ptr_eq(t.slots, slots);
	table_reserve(&t, t.cap / 2 - t.n);
	ck_assert_ptr_eq(t.slots, slots);
	table_reserve(&t, t.cap / 2 - t.n + 1);
	ck_assert_ptr_ne(t.slots, slots);
	table_release(&t);
}
END_TEST

START_TEST(hash_depends_on_both_numbers_and_their_order)
{
	ck_assert_uint_ne(table_hash(1, 2), table_hash(2, 1));
	ck_assert_uint_ne(table_hash(1, 2), table_hash(1, 3));
	ck_assert_uint_ne(table_hash(1, 2), table_hash(3, 2));
}
END_TEST

Suite *
suite_table(void)
{
	Suite *s = suite_create("table");
	TCase *t = tcase_create("table");

	tcase_add_loop_test(t, finds_what_was_added_and_nothing_else, 0, N_ROWS(hashes));
	tcase_add_loop_test(t, equal_keys_come_in_the_order_of_adding, 0, N_ROWS(hashes));
	tcase_add_loop_test(t, reserved_room_does_not_grow, 0, N_ROWS(hashes));
	tcase_add_test(t, hash_depends_on_both_numbers_and_their_order);
	suite_add_tcase(s, t);
	return s;
}
