/* SPDX-License-Identifier: MIT */
/* base/base64: the test vectors of RFC 4648, section 10, and bytes that are no text. */
#include "base/base.h"

#include "unit.h"

static const struct {
	const char *bytes;
	size_t len;
	const char *text;
} pairs[] = {
	{ "f", 1, "Zg==" }, { "fo", 2, "Zm8=" }, { "foo", 3, "Zm9v" }, { "foob", 4, "Zm9vYg==" }, { "fooba", 5, "Zm9vYmE=" }, { "foobar", 6, "Zm9vYmFy" },
	{ "\xff\xfb\x00", 3, "//sA" },
};

START_TEST(there_and_back)
{
	struct buf b = { 0 };

	base64_add(&b, pairs[_i].bytes, pairs[_i].len);
	ck_assert_str_eq(buf_str(&b), pairs[_i].text);
	buf_cut(&b, 0);
	ck_assert_int_eq(base64_take(&b, pairs[_i].text, strlen(pairs[_i].text)), 0);
	ck_assert_uint_eq(b.len, pairs[_i].len);
	ck_assert_mem_eq(b.data, pairs[_i].bytes, b.len);
	buf_release(&b);
}
END_TEST

static const char *const wrong[] = { "", "Z", "Zg", "Zg=", "Zg===", "====", "Z===", "Zm9v!mFy", "Zm=v", " Zg==", "Zg==\n" };

START_TEST(what_is_none)
{
	struct buf b = { 0 };

	ck_assert_int_eq(base64_take(&b, wrong[_i], strlen(wrong[_i])), -1);
	buf_release(&b);
}
END_TEST

Suite *
suite_base64(void)
{
	Suite *s = suite_create("base64");
	TCase *t = tcase_create("base64");

	tcase_add_loop_test(t, there_and_back, 0, N_ROWS(pairs));
	tcase_add_loop_test(t, what_is_none, 0, N_ROWS(wrong));
	suite_add_tcase(s, t);
	return s;
}
