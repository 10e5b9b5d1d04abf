/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "base/varint.h"
#include "unit.h"

#define BYTES(s) s, sizeof(s) - 1

static const struct {
	const char *bytes;
	size_t len;
	uint64_t value;
} rows[] = {
	{ BYTES("\x00"), 0 },
	{ BYTES("\x01"), 1 },
	{ BYTES("\x7f"), 127 },
	{ BYTES("\x80\x01"), 128 },
	{ BYTES("\xff\x7f"), 16383 },
	{ BYTES("\x80\x80\x01"), 16384 },
	{ BYTES("\xff\xff\xff\xff\x0f"), UINT32_MAX },
	{ BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), UINT64_MAX },
};

/* What is written is that, and reads back; nothing shorter is a number. */
START_TEST(varint_both_ways)
{
	struct buf b = { 0 };
	char put[10];
	const unsigned char *at;
	uint64_t v;

	varint_add(&b, rows[_i].value);
	ck_assert_uint_eq(b.len, rows[_i].len);
	ck_assert(memcmp(b.data, rows[_i].bytes, b.len) == 0);
	ck_assert_uint_eq(varint_put(put, rows[_i].value), rows[_i].len);
	ck_assert(memcmp(put, rows[_i].bytes, b.len) == 0);
	at = (const unsigned char *)b.data;
	ck_assert(varint_read(&at, at + b.len, &v));
	ck_assert_uint_eq(v, rows[_i].value);
	ck_assert_ptr_eq(at, b.data + b.len);
	for (size_t len = 0; len < b.len; len++) {
		at = (const unsigned char *)b.data;
		ck_assert(!varint_read(&at, at + len, &v));
	}
	buf_release(&b);
}
END_TEST

/* What has more than 64 bits is refused. */
START_TEST(varint_too_large)
{
	static const char *const large[] = {
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f",
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	};

	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		const unsigned char *at = (const unsigned char *)large[i];
		uint64_t v;

		ck_assert(!varint_read(&at, at + strlen(large[i]), &v));
	}
}
END_TEST

Suite *
suite_varint(void)
{
	Suite *s = suite_create("varint");
	TCase *t = tcase_create("varint");

	tcase_add_loop_test(t, varint_both_ways, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(t, varint_too_large);
	suite_add_tcase(s, t);
	return s;
}
