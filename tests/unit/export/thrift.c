/* SPDX-License-Identifier: MIT */
/* export/thrift */
#include "base/base.h"

#include "export/thrift.h"
#include "unit.h"

/* Numbers as the specification encodes them: zigzag, then 7 bits a byte. */
static const struct {
	int64_t n;
	const char *bytes;
	size_t len;
} numbers[] = {
	{ 0, "\x00", 1 },
	{ -1, "\x01", 1 },
	{ 1, "\x02", 1 },
	{ 63, "\x7e", 1 },
	{ -64, "\x7f", 1 },
	{ 64, "\x80\x01", 2 },
	{ 1000000, "\x80\x89\x7a", 3 },
	{ INT64_MAX, "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10 },
	{ INT64_MIN, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10 },
};

START_TEST(number)
{
	struct buf b = { 0 };
	struct thrift t = { .out = &b };

	thrift_i64(&t, 1, numbers[_i].n);
	thrift_finish(&t);
	ck_assert_uint_eq(b.len, numbers[_i].len + 2);
	ck_assert_int_eq(b.data[0], 0x16);
	ck_assert_mem_eq(b.data + 1, numbers[_i].bytes, numbers[_i].len);
	ck_assert_int_eq(b.data[b.len - 1], 0);
	buf_release(&b);
}
END_TEST

/* Ids of fields are steps from the one before, in each struct anew. */
START_TEST(nested)
{
	static const char expect[] = "\x15\x02" "\x2c" "\x18\x02hi" "\x00" "\x19\x25\x04\x06" "\x00";
	struct buf b = { 0 };
	struct thrift t = { .out = &b };

	thrift_i32(&t, 1, 1);
	thrift_begin(&t, 3);
	thrift_bytes(&t, 1, "hi", 2);
	thrift_end(&t);
	thrift_list(&t, 4, THRIFT_I32, 2);
	thrift_item_i32(&t, 2);
	thrift_item_i32(&t, 3);
	thrift_finish(&t);
	ck_assert_uint_eq(b.len, sizeof(expect) - 1);
	ck_assert_mem_eq(b.data, expect, b.len);
	buf_release(&b);
}
END_TEST

/* A list of 15 and more has its length behind its head. */
START_TEST(long_list)
{
	struct buf b = { 0 };
	struct thrift t = { .out = &b };

	thrift_list(&t, 1, THRIFT_I32, 300);
	ck_assert_uint_eq(b.len, 4);
	ck_assert_mem_eq(b.data, "\x19\xf5\xac\x02", 4);
	buf_release(&b);
}
END_TEST

Suite *
suite_thrift(void)
{
	Suite *s = suite_create("thrift");
	TCase *t = tcase_create("thrift");

	tcase_add_loop_test(t, number, 0, N_ROWS(numbers));
	tcase_add_test(t, nested);
	tcase_add_test(t, long_list);
	suite_add_tcase(s, t);
	return s;
}
