/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "fixture.h"
#include "unit.h"

/* Bytes with their length, which strlen would not know of a NUL. */
#define BYTES(s) s, sizeof(s) - 1

static const struct {
	const char *bytes;
	size_t len;
	bool utf8;
	const char *stored;
	const char *shown;
	const char *message;
} rows[] = {
	{ BYTES(""), true, "", "", "" },
	{ BYTES("plain name.txt"), true, "plain name.txt", "plain name.txt", "plain name.txt" },
	{ BYTES("a\\b"), true, "a\\b", "a\\\\b", "a\\b" },
	{ BYTES("a\nb\tc\rd"), true, "a\nb\tc\rd", "a\\nb\\tc\\rd", "a\\nb\\tc\\rd" },
	{ BYTES("\x1b[31m"), true, "\x1b[31m", "\\x1b[31m", "\\x1b[31m" },
	{ BYTES("\x01\x7f"), true, "\x01\x7f", "\\x01\\x7f", "\\x01\\x7f" },
	{ BYTES("a\0b"), false, "a/x00b", "a\\x00b", "a\\x00b" },
	{ BYTES("'\"$`"), true, "'\"$`", "'\"$`", "'\"$`" },
	/* valid UTF-8, first and last of each length */
	{ BYTES("\xc2\xa0\xdf\xbf"), true, "\xc2\xa0\xdf\xbf", "\xc2\xa0\xdf\xbf", "\xc2\xa0\xdf\xbf" },
	{ BYTES("\xe0\xa0\x80\xef\xbf\xbd"), true, "\xe0\xa0\x80\xef\xbf\xbd", "\xe0\xa0\x80\xef\xbf\xbd", "\xe0\xa0\x80\xef\xbf\xbd" },
	{ BYTES("\xed\x9f\xbf\xee\x80\x80"), true, "\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80" },
	{ BYTES("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"), true, "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf" },
	/* no UTF-8: a lone byte, overlong forms, surrogates, beyond the end, cut short */
	{ BYTES("\xff"), false, "/xff", "\\xff", "\\xff" },
	{ BYTES("a\x80z"), false, "a/x80z", "a\\x80z", "a\\x80z" },
	{ BYTES("\xc0\xaf"), false, "/xc0/xaf", "\\xc0\\xaf", "\\xc0\\xaf" },
	{ BYTES("\xc1\xbf"), false, "/xc1/xbf", "\\xc1\\xbf", "\\xc1\\xbf" },
	{ BYTES("\xe0\x9f\xbf"), false, "/xe0/x9f/xbf", "\\xe0\\x9f\\xbf", "\\xe0\\x9f\\xbf" },
	{ BYTES("\xf0\x8f\xbf\xbf"), false, "/xf0/x8f/xbf/xbf", "\\xf0\\x8f\\xbf\\xbf", "\\xf0\\x8f\\xbf\\xbf" },
	{ BYTES("\xed\xa0\x80"), false, "/xed/xa0/x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80" },
	{ BYTES("\xed\xbf\xbf"), false, "/xed/xbf/xbf", "\\xed\\xbf\\xbf", "\\xed\\xbf\\xbf" },
	{ BYTES("\xf4\x90\x80\x80"), false, "/xf4/x90/x80/x80", "\\xf4\\x90\\x80\\x80", "\\xf4\\x90\\x80\\x80" },
	{ BYTES("\xf5\x80\x80\x80"), false, "/xf5/x80/x80/x80", "\\xf5\\x80\\x80\\x80", "\\xf5\\x80\\x80\\x80" },
	{ BYTES("\xe2\x82"), false, "/xe2/x82", "\\xe2\\x82", "\\xe2\\x82" },
	{ BYTES("\xe2\x82z"), false, "/xe2/x82z", "\\xe2\\x82z", "\\xe2\\x82z" },
	{ BYTES("\xe2\xe2\x82\xac"), false, "/xe2\xe2\x82\xac", "\\xe2\xe2\x82\xac", "\\xe2\xe2\x82\xac" },
	/* what a terminal would obey: C1, bidirectional controls, separators, the byte order mark */
	{ BYTES("\xc2\x80"), true, "\xc2\x80", "\\xc2\\x80", "\\xc2\\x80" },
	{ BYTES("\xc2\x9b"), true, "\xc2\x9b", "\\xc2\\x9b", "\\xc2\\x9b" },
	{ BYTES("\xd8\x9c"), true, "\xd8\x9c", "\\xd8\\x9c", "\\xd8\\x9c" },
	{ BYTES("\xe2\x80\x8d\xe2\x80\x8e"), true, "\xe2\x80\x8d\xe2\x80\x8e", "\xe2\x80\x8d\\xe2\\x80\\x8e", "\xe2\x80\x8d\\xe2\\x80\\x8e" },
	{ BYTES("\xe2\x80\x8f\xe2\x80\x90"), true, "\xe2\x80\x8f\xe2\x80\x90", "\\xe2\\x80\\x8f\xe2\x80\x90", "\\xe2\\x80\\x8f\xe2\x80\x90" },
	{ BYTES("\xe2\x80\xa7\xe2\x80\xa8"), true, "\xe2\x80\xa7\xe2\x80\xa8", "\xe2\x80\xa7\\xe2\\x80\\xa8", "\xe2\x80\xa7\\xe2\\x80\\xa8" },
	{ BYTES("\xe2\x80\xae\xe2\x80\xaf"), true, "\xe2\x80\xae\xe2\x80\xaf", "\\xe2\\x80\\xae\xe2\x80\xaf", "\\xe2\\x80\\xae\xe2\x80\xaf" },
	{ BYTES("\xe2\x81\x9f\xe2\x81\xa0"), true, "\xe2\x81\x9f\xe2\x81\xa0", "\xe2\x81\x9f\\xe2\\x81\\xa0", "\xe2\x81\x9f\\xe2\\x81\\xa0" },
	{ BYTES("\xe2\x81\xaf\xe2\x81\xb0"), true, "\xe2\x81\xaf\xe2\x81\xb0", "\\xe2\\x81\\xaf\xe2\x81\xb0", "\\xe2\\x81\\xaf\xe2\x81\xb0" },
	{ BYTES("\xe2\x80\x8a\xe2\x80\x8b"), true, "\xe2\x80\x8a\xe2\x80\x8b", "\xe2\x80\x8a\\xe2\\x80\\x8b", "\xe2\x80\x8a\\xe2\\x80\\x8b" },
	{ BYTES("\xe2\x80\x8c\xef\xb8\x8f"), true, "\xe2\x80\x8c\xef\xb8\x8f", "\xe2\x80\x8c\xef\xb8\x8f", "\xe2\x80\x8c\xef\xb8\x8f" },
	{ BYTES("\xe3\x85\xa4\xe1\xa0\x8e"), true, "\xe3\x85\xa4\xe1\xa0\x8e", "\\xe3\\x85\\xa4\\xe1\\xa0\\x8e", "\\xe3\\x85\\xa4\\xe1\\xa0\\x8e" },
	{ BYTES("\xef\xbe\xa0"), true, "\xef\xbe\xa0", "\\xef\\xbe\\xa0", "\\xef\\xbe\\xa0" },
	{ BYTES("\xef\xbb\xbf"), true, "\xef\xbb\xbf", "\\xef\\xbb\\xbf", "\\xef\\xbb\\xbf" },
};

/* Append the bytes of a name whose stored form is text. */
static void
unstore(struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '/' && i + 3 < len && text[i + 1] == 'x' && buf_add_unhex(b, text + i + 2, 2) == 0)
			i += 3;
		else
			buf_addc(b, text[i]);
	}
}

START_TEST(forms)
{
	struct buf b = { 0 };

	ck_assert_int_eq(name_is_utf8(rows[_i].bytes, rows[_i].len), rows[_i].utf8);
	name_store(&b, rows[_i].bytes, rows[_i].len);
	ck_assert_str_eq(buf_str(&b), rows[_i].stored);
	buf_cut(&b, 0);
	unstore(&b, rows[_i].stored, strlen(rows[_i].stored));
	ck_assert_uint_eq(b.len, rows[_i].len);
	ck_assert(memcmp(buf_str(&b), rows[_i].bytes, b.len) == 0);
	buf_cut(&b, 0);
	name_show(&b, rows[_i].bytes, rows[_i].len);
	ck_assert_str_eq(buf_str(&b), rows[_i].shown);
	buf_cut(&b, 0);
	name_show_message(&b, rows[_i].bytes, rows[_i].len);
	ck_assert_str_eq(buf_str(&b), rows[_i].message);
	buf_release(&b);
}
END_TEST

static bool
same(const struct buf *b, const char *bytes, size_t len)
{
	return b->len == len && (!len || memcmp(b->data, bytes, len) == 0);
}

/* Whether text is one line that no terminal acts on. */
static bool
is_harmless(const struct buf *b)
{
	for (size_t i = 0; i < b->len; i++) {
		if ((unsigned char)b->data[i] < 0x20 || b->data[i] == 0x7f)
			return false;
	}
	return name_is_utf8(buf_str(b), b->len);
}

/* What does not hold of these bytes, though it must of any; or NULL. */
static const char *
broken_rule(const char *bytes, size_t len)
{
	struct buf shown = { 0 }, back = { 0 }, stored = { 0 }, bytes_again = { 0 };
	const char *rule = NULL;

	name_show(&shown, bytes, len);
	name_store(&stored, bytes, len);
	unstore(&bytes_again, buf_str(&stored), stored.len);
	if (memchr(bytes, '/', len) == NULL && !same(&bytes_again, bytes, len))
		rule = "what is stored leads back";
	else if (!is_harmless(&shown))
		rule = "what is shown is harmless";
	else if (name_unshow(&back, buf_str(&shown), shown.len) < 0 || !same(&back, bytes, len))
		rule = "what is shown leads back";
	else if (!name_is_utf8(buf_str(&stored), stored.len))
		rule = "what is stored is UTF-8";
	else if (same(&stored, bytes, len) != name_is_utf8(bytes, len))
		rule = "what is UTF-8 is stored as it is";
	buf_release(&shown);
	buf_release(&back);
	buf_release(&stored);
	buf_release(&bytes_again);
	return rule;
}

/* One Check assertion per string would cost a message to the parent process each. */
static void
check_bytes(const char *bytes, size_t len)
{
	const char *rule = broken_rule(bytes, len);
	struct buf hex = { 0 };

	if (!rule)
		return;
	for (size_t i = 0; i < len; i++)
		buf_addf(&hex, " %02x", (unsigned char)bytes[i]);
	ck_abort_msg("%s, but not of%s", rule, buf_str(&hex));
}

START_TEST(every_byte_and_pair)
{
	char pair[2];

	check_bytes("", 0);
	for (int first = 0; first < 256; first++) {
		pair[0] = (char)first;
		check_bytes(pair, 1);
		for (int second = 0; second < 256; second++) {
			pair[1] = (char)second;
			check_bytes(pair, 2);
		}
	}
}
END_TEST

/* Random strings, with the bytes that matter more often than the others. */
START_TEST(random_strings)
{
	static const char likely[] = "\\\\\\nxtr0a\xc2\x80\xe2\x80\xae\xed\xa0\xf0\x90\xf4\x8f\xbf\x1b";
	const int rounds = fixture_every() ? 200000 : 40000;
	uint32_t random = 1;
	char bytes[64];

	for (int round = 0; round < rounds; round++) {
		size_t len = (size_t)(round % (int)sizeof(bytes));

		for (size_t i = 0; i < len; i++) {
			random = random * 1664525 + 1013904223;
			if (random >> 31)
				bytes[i] = (char)(random >> 16);
			else
				bytes[i] = likely[(random >> 16) % (sizeof(likely) - 1)];
		}
		check_bytes(bytes, len);
	}
}
END_TEST

/* The whole range of code points: what is valid stays, encoded by the definition. */
START_TEST(every_character)
{
	for (uint32_t c = 1; c < 0x120000; c++) {
		unsigned char s[4];
		size_t len;

		if (c < 0x80) {
			len = 1;
			s[0] = (unsigned char)c;
		} else if (c < 0x800) {
			len = 2;
			s[0] = (unsigned char)(0xc0 | c >> 6);
		} else if (c < 0x10000) {
			len = 3;
			s[0] = (unsigned char)(0xe0 | c >> 12);
		} else {
			len = 4;
			s[0] = (unsigned char)(0xf0 | c >> 18);
		}
		for (size_t i = 1; i < len; i++)
			s[i] = (unsigned char)(0x80 | (c >> 6 * (len - 1 - i) & 0x3f));
		if (name_is_utf8((const char *)s, len) != ((c < 0xd800 || c > 0xdfff) && c < 0x110000))
			ck_abort_msg("U+%04X", c);
		if (len > 1 && name_is_utf8((const char *)s, len - 1))
			ck_abort_msg("U+%04X, cut short", c);
	}
}
END_TEST

static const char *const no_escapes[] = {
	"\\", "a\\", "\\a", "\\N", "\\0", "\\x", "\\x1", "\\x1g", "\\xg1", "\\x41", "\\x20", "\\x7e", "\\x5c", "\\x0a",
	"\\x09", "\\x0d", "\\xFF", "\\X1b", "\\u1234", "\\\\\\", "\\ ", "\\\n",
};

START_TEST(unshow_refuses)
{
	struct buf b = { 0 };

	buf_adds(&b, "before");
	ck_assert_msg(name_unshow(&b, no_escapes[_i], strlen(no_escapes[_i])) == -1, "'%s'", no_escapes[_i]);
	ck_assert_str_eq(buf_str(&b), "before");
	buf_release(&b);
}
END_TEST

/* In any locale letters of ASCII lose their case, and nothing is lost. */
START_TEST(folds)
{
	static const struct { const char *name, *folded; } names[] = {
		{ "", "" }, { "IMG_0042.JPG", "img_0042.jpg" }, { "already", "already" }, { "\xff" "A\xc3", "\xff" "a\xc3" },
		{ "[A-Z]\n\t", "[a-z]\n\t" }, { "\xe2\x82\xac", "\xe2\x82\xac" }, { "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "\xc3\xa4", "\xc3\xa4" },
	};
	struct buf b = { 0 };

	for (int i = 0; i < N_ROWS(names); i++) {
		buf_cut(&b, 0);
		name_fold(&b, names[i].name, strlen(names[i].name));
		ck_assert_str_eq(buf_str(&b), names[i].folded);
	}
	buf_release(&b);
}
END_TEST

/* Names that would collide if the escape of one could be the name of another. */
START_TEST(stored_forms_differ)
{
	static const char *const names[] = { "\xff", "\\xff", "xff", "\xc3\xbf", "\xff\xff", "\xffxff" };
	struct buf a = { 0 }, b = { 0 };

	for (int i = 0; i < N_ROWS(names); i++) {
		for (int k = 0; k < i; k++) {
			buf_cut(&a, 0);
			buf_cut(&b, 0);
			name_store(&a, names[i], strlen(names[i]));
			name_store(&b, names[k], strlen(names[k]));
			ck_assert_str_ne(buf_str(&a), buf_str(&b));
		}
	}
	buf_release(&a);
	buf_release(&b);
}
END_TEST

/* What an entry of a directory can be called. */
static const struct {
	const char *bytes;
	size_t len;
	bool entry;
} entries[] = {
	{ BYTES("a"), true }, { BYTES(".a"), true }, { BYTES("..."), true }, { BYTES("..a"), true }, { BYTES("\377"), true },
	{ BYTES(""), false }, { BYTES("."), false }, { BYTES(".."), false }, { BYTES("/"), false }, { BYTES("a/b"), false },
	{ BYTES("a\0b"), false }, { BYTES("\0"), false }, { BYTES("a/"), false },
};

START_TEST(is_entry)
{
	ck_assert(name_is_entry(entries[_i].bytes, entries[_i].len) == entries[_i].entry);
}
END_TEST

Suite *
suite_name(void)
{
	Suite *s = suite_create("name");
	TCase *tc = tcase_create("name");

	tcase_add_loop_test(tc, forms, 0, N_ROWS(rows));
	tcase_add_test(tc, folds);
	tcase_add_test(tc, every_byte_and_pair);
	tcase_add_test(tc, random_strings);
	tcase_add_test(tc, every_character);
	tcase_add_loop_test(tc, unshow_refuses, 0, N_ROWS(no_escapes));
	tcase_add_test(tc, stored_forms_differ);
	tcase_add_loop_test(tc, is_entry, 0, N_ROWS(entries));
	suite_add_tcase(s, tc);
	return s;
}
