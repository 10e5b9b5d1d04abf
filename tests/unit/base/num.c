/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <time.h>

#include "unit.h"

#define SECOND INT64_C(1000000000)
#define BAD (-1)

struct parse_row {
	const char *text;
	int64_t want;  /* BAD: an error */
};

/* What parse makes of row->text is what the row wants. */
static void
check_parse(int (*parse)(const char *, int64_t *), const struct parse_row *row)
{
	int64_t got = 4711;
	int ret = parse(row->text, &got);

	if (row->want == BAD) {
		ck_assert_msg(ret == -1, "'%s' is taken for %" PRId64, row->text, got);
		ck_assert_int_eq(got, 4711);
	} else {
		ck_assert_msg(ret == 0, "'%s' is refused", row->text);
		ck_assert_msg(got == row->want, "'%s' is %" PRId64, row->text, got);
	}
}

static const struct parse_row sizes[] = {
	{ "0", 0 }, { "1", 1 }, { "007", 7 }, { "512", 512 }, { "0B", 0 }, { "12b", 12 },
	{ "1k", 1024 }, { "1K", 1024 }, { "1KiB", 1024 }, { "1kib", 1024 }, { "1kB", 1000 }, { "1KB", 1000 },
	{ "10M", 10485760 }, { "10MiB", 10485760 }, { "10MB", 10000000 }, { "10mb", 10000000 },
	{ "1G", INT64_C(1) << 30 }, { "1GiB", INT64_C(1) << 30 }, { "1GB", 1000000000 },
	{ "1T", INT64_C(1) << 40 }, { "1TiB", INT64_C(1) << 40 }, { "1TB", INT64_C(1000000000000) },
	{ "1P", INT64_C(1) << 50 }, { "1PiB", INT64_C(1) << 50 }, { "1PB", INT64_C(1000000000000000) },
	/* fractions: exact, rounded down */
	{ "1.5G", INT64_C(3) << 29 }, { "0.5k", 512 }, { "1.0k", 1024 }, { "0.0009765625k", 1 },
	{ "0.0009765624k", 0 }, { "0.1k", 102 }, { "0.999999999999999999999999999999k", 1023 },
	{ "0.9999999999999999999P", (INT64_C(1) << 50) - 1 }, { "0.001MB", 1000 }, { "2.675kB", 2675 },
	/* the edge */
	{ "9223372036854775807", INT64_MAX }, { "9223372036854775808", BAD },
	{ "00000000000000000000009223372036854775807", INT64_MAX },
	{ "18446744073709551616", BAD }, { "99999999999999999999999999", BAD },
	{ "8191P", INT64_C(8191) << 50 }, { "8192P", BAD }, { "8191.999999999999999999999P", INT64_MAX },
	{ "9007199254740991k", INT64_C(9007199254740991) * 1024 }, { "9007199254740992k", BAD },
	{ "9223PB", INT64_C(9223000000000000000) }, { "9224PB", BAD },
	{ "9223.372036854775807PB", INT64_MAX }, { "9223.372036854775808PB", BAD },
	/* no sizes */
	{ "", BAD }, { " ", BAD }, { "k", BAD }, { "-1", BAD }, { "+1", BAD }, { " 1", BAD }, { "1 ", BAD },
	{ "1 k", BAD }, { "1kk", BAD }, { "1KBs", BAD }, { "1i", BAD }, { "1ib", BAD }, { "1bi", BAD },
	{ "1E", BAD }, { "1e3", BAD }, { "0x10", BAD }, { "1,5k", BAD }, { "1.5", BAD }, { "1.5B", BAD },
	{ "1.k", BAD }, { ".5k", BAD }, { "1.5.5k", BAD }, { "1.-5k", BAD }, { "1.", BAD }, { ".", BAD },
	{ "inf", BAD }, { "nan", BAD }, { "1\n", BAD }, { "\xd9\xa1", BAD },
};

/* Seconds since 1970 in UTC, for now = 1000000. */
static const struct parse_row sinces[] = {
	{ "2026-11-21", 1795219200 }, { "2026-11-21 01:28", 1795224480 }, { "2026-11-21T01:28", 1795224480 }, { "1970-01-01", 0 },
	{ "10s", 999990 }, { "0", 1000000 }, { "1d", 913600 },
	{ "", BAD }, { "yesterday", BAD }, { "2026-13-01", BAD },
	{ "2026-02-30", BAD }, { "2025-02-29", BAD }, { "2026-06-31 12:00", BAD }, { "2024-02-29", 1709164800 }, { "2026-00-10", BAD }, { "2026-11-21 01", BAD }, { "2026-11-21 01:28x", BAD }, { "2026-11", BAD },
};

static int
parse_since(const char *s, int64_t *sec)
{
	return num_parse_since(s, 1000000, sec);
}

START_TEST(since)
{
	setenv("TZ", "UTC", 1);
	tzset();
	check_parse(parse_since, &sinces[_i]);
}
END_TEST

START_TEST(parse_size)
{
	check_parse(num_parse_size, &sizes[_i]);
}
END_TEST

static const struct parse_row durations[] = {
	{ "0", 0 }, { "90", 90 * SECOND }, { "1.5", SECOND + SECOND / 2 }, { "1s", SECOND }, { "1.5s", SECOND + SECOND / 2 },
	{ "1ms", 1000000 }, { "0.5ms", 500000 }, { "1MS", 1000000 }, { "10m", 600 * SECOND }, { "2h", 7200 * SECOND },
	{ "1d", 86400 * SECOND }, { "0.5d", 43200 * SECOND }, { "0.000000001s", 1 }, { "0.0000000019s", 1 },
	{ "9223372036", INT64_C(9223372036) * SECOND }, { "9223372037", BAD },
	{ "9223372036.854775807", INT64_MAX }, { "9223372036.854775808", BAD },
	{ "106751d", INT64_C(106751) * 86400 * SECOND }, { "106752d", BAD },
	{ "", BAD }, { "s", BAD }, { "-1s", BAD }, { "1 s", BAD }, { "1w", BAD }, { "1min", BAD }, { "1h30m", BAD },
	{ "1ns", BAD }, { ".5s", BAD }, { "5.", BAD },
};

START_TEST(parse_duration)
{
	check_parse(num_parse_duration, &durations[_i]);
}
END_TEST

static const struct {
	const char *text;
	int64_t min, max, want;
	int ret;
} ints[] = {
	{ "0", 0, 10, 0, 0 }, { "10", 0, 10, 10, 0 }, { "11", 0, 10, 0, -1 }, { "0", 1, 10, 0, -1 },
	{ "-5", -5, 5, -5, 0 }, { "-6", -5, 5, 0, -1 }, { "-0", 0, 5, 0, 0 }, { "0012", 0, 20, 12, 0 },
	{ "9223372036854775807", INT64_MIN, INT64_MAX, INT64_MAX, 0 },
	{ "9223372036854775808", INT64_MIN, INT64_MAX, 0, -1 },
	{ "-9223372036854775808", INT64_MIN, INT64_MAX, INT64_MIN, 0 },
	{ "-9223372036854775809", INT64_MIN, INT64_MAX, 0, -1 },
	{ "18446744073709551617", INT64_MIN, INT64_MAX, 0, -1 },
	{ "", 0, 10, 0, -1 }, { "-", -10, 10, 0, -1 }, { "--1", -10, 10, 0, -1 }, { "+1", 0, 10, 0, -1 },
	{ " 1", 0, 10, 0, -1 }, { "1 ", 0, 10, 0, -1 }, { "1x", 0, 10, 0, -1 }, { "1.0", 0, 10, 0, -1 },
	{ "0x1", 0, 10, 0, -1 }, { "1e1", 0, 10, 0, -1 },
};

START_TEST(parse_int)
{
	int64_t got = 4711;

	ck_assert_int_eq(num_parse_int(ints[_i].text, ints[_i].min, ints[_i].max, &got), ints[_i].ret);
	ck_assert_int_eq(got, ints[_i].ret < 0 ? 4711 : ints[_i].want);
}
END_TEST

static const struct {
	int64_t size;
	const char *iec, *si, *bytes;
} shown_sizes[] = {
	{ 0, "0 B", "0 B", "0" },
	{ 999, "999 B", "999 B", "999" },
	{ 1000, "1000 B", "1.0 kB", "1000" },
	{ 1023, "1023 B", "1.0 kB", "1023" },
	{ 1024, "1.0 KiB", "1.0 kB", "1024" },
	{ 1536, "1.5 KiB", "1.5 kB", "1536" },
	{ 999949, "976.5 KiB", "999.9 kB", "999949" },
	{ 999950, "976.5 KiB", "1.0 MB", "999950" },
	{ 1048524, "1023.9 KiB", "1.0 MB", "1048524" },
	{ 1048525, "1.0 MiB", "1.0 MB", "1048525" },
	{ 1048575, "1.0 MiB", "1.0 MB", "1048575" },
	{ 1048576, "1.0 MiB", "1.0 MB", "1048576" },
	{ 1503238553, "1.4 GiB", "1.5 GB", "1503238553" },
	{ INT64_C(1) << 40, "1.0 TiB", "1.1 TB", "1099511627776" },
	{ INT64_C(1) << 50, "1.0 PiB", "1.1 PB", "1125899906842624" },
	{ (INT64_C(1) << 60) - 1, "1.0 EiB", "1.2 EB", "1152921504606846975" },
	{ INT64_MAX, "8.0 EiB", "9.2 EB", "9223372036854775807" },
	{ -1, "-1 B", "-1 B", "-1" },
	{ -1536, "-1.5 KiB", "-1.5 kB", "-1536" },
	{ INT64_MIN, "-8.0 EiB", "-9.2 EB", "-9223372036854775808" },
};

START_TEST(show_size)
{
	char text[NUM_SHOW_MAX];

	ck_assert_str_eq(num_show_size(shown_sizes[_i].size, NUM_IEC, text), shown_sizes[_i].iec);
	ck_assert_str_eq(num_show_size(shown_sizes[_i].size, NUM_SI, text), shown_sizes[_i].si);
	ck_assert_str_eq(num_show_size(shown_sizes[_i].size, NUM_BYTES, text), shown_sizes[_i].bytes);
}
END_TEST

struct shown_row {
	int64_t n;
	const char *want;
};

static const struct shown_row counts[] = {
	{ 0, "0" }, { 7, "7" }, { 999, "999" }, { 1000, "1,000" }, { 12345, "12,345" }, { 312624, "312,624" },
	{ 1000000, "1,000,000" }, { INT64_MAX, "9,223,372,036,854,775,807" }, { -1, "-1" }, { -999, "-999" },
	{ -1000, "-1,000" }, { INT64_MIN, "-9,223,372,036,854,775,808" },
};

START_TEST(show_count)
{
	char text[NUM_SHOW_MAX];

	ck_assert_str_eq(num_show_count(counts[_i].n, text), counts[_i].want);
}
END_TEST

static const struct { int64_t part, whole; const char *want; } shares[] = {
	{ 0, 0, "-" }, { 0, 10, "0%" }, { 1, 101, "<1%" }, { 1, 100, "1%" }, { 199, 200, "99%" }, { 200, 200, "100%" },
	{ INT64_MAX - 1, INT64_MAX, "99%" }, { INT64_MAX / 2, INT64_MAX, "50%" },
};

START_TEST(show_share)
{
	char text[NUM_SHOW_MAX];

	ck_assert_str_eq(num_show_share(shares[_i].part, shares[_i].whole, text), shares[_i].want);
}
END_TEST

static const struct {
	int64_t n;
	const char *want;
} things[] = {
	{ 0, "0 directories" }, { 1, "1 directory" }, { 2, "2 directories" }, { -1, "-1 directories" }, { 1001, "1,001 directories" },
	{ INT64_MAX, "9,223,372,036,854,775,807 directories" }, { INT64_MIN, "-9,223,372,036,854,775,808 directories" },
};

START_TEST(show_things)
{
	char text[NUM_SHOW_MAX];

	ck_assert_str_eq(num_show_things(things[_i].n, "directory", "directories", text), things[_i].want);
}
END_TEST

static const struct shown_row shown_durations[] = {
	{ 0, "0.0 s" }, { 800000000, "0.8 s" }, { 849999999, "0.8 s" }, { 850000000, "0.9 s" },
	{ SECOND, "1.0 s" }, { 9949999999, "9.9 s" }, { 9950000000, "10 s" }, { 12 * SECOND, "12 s" },
	{ 59499999999, "59 s" }, { 59500000000, "1 min 0 s" }, { 60 * SECOND, "1 min 0 s" },
	{ 200 * SECOND, "3 min 20 s" }, { 3599499999999, "59 min 59 s" }, { 3599500000000, "1 h 0 min" },
	{ 7500 * SECOND, "2 h 5 min" }, { 7529 * SECOND, "2 h 5 min" }, { 7530 * SECOND, "2 h 6 min" },
	{ 86369 * SECOND, "23 h 59 min" }, { 86370 * SECOND, "1 d 0 h" }, { 86400 * SECOND, "1 d 0 h" },
	{ 273600 * SECOND, "3 d 4 h" }, { INT64_MAX, "106752 d 0 h" }, { -800000000, "-0.8 s" },
	{ -200 * SECOND, "-3 min 20 s" },
};

START_TEST(show_duration)
{
	char text[NUM_SHOW_MAX];

	ck_assert_str_eq(num_show_duration(shown_durations[_i].n, text), shown_durations[_i].want);
}
END_TEST

static const struct { int64_t sec; int32_t nsec; const char *time, *ns; } times[] = {
	{ 0, 0, "1970-01-01T00:00:00.000000000Z", "0" },
	{ 0, 1, "1970-01-01T00:00:00.000000001Z", "1" },
	{ -1, 999999999, "1969-12-31T23:59:59.999999999Z", "-1" },
	{ -1, 0, "1969-12-31T23:59:59.000000000Z", "-1000000000" },
	{ -2, 500000000, "1969-12-31T23:59:58.500000000Z", "-1500000000" },
	{ 951782400, 0, "2000-02-29T00:00:00.000000000Z", "951782400000000000" },
	{ 2147483648, 7, "2038-01-19T03:14:08.000000007Z", "2147483648000000007" },
	{ 9223372036, 854775807, "2262-04-11T23:47:16.854775807Z", "9223372036854775807" },
	{ 15032385535, 999999999, "2446-05-10T22:38:55.999999999Z", "15032385535999999999" },
	{ -9223372037, 145224192, "1677-09-21T00:12:43.145224192Z", "-9223372036854775808" },
	{ -16725225600, 0, "1440-01-01T00:00:00.000000000Z", "-16725225600000000000" },
	{ INT64_MAX, 5, "9223372036854775807000000005", "9223372036854775807000000005" },
	{ INT64_MIN, 0, "-9223372036854775808000000000", "-9223372036854775808000000000" },
};

START_TEST(show_time)
{
	char text[NUM_SHOW_MAX];

	ck_assert_str_eq(num_show_time(times[_i].sec, times[_i].nsec, text), times[_i].time);
	ck_assert_str_eq(num_show_ns(times[_i].sec, times[_i].nsec, text), times[_i].ns);
}
END_TEST

static const struct { const char *tz; int64_t sec; const char *want; } local_times[] = {
	{ "UTC", 0, "1970-01-01 00:00" },
	{ "UTC", -1, "1969-12-31 23:59" },
	{ "UTC", 1795224513, "2026-11-21 01:28" },
	{ "XST-2", 1795224513, "2026-11-21 03:28" },
	{ "XST5:30", 0, "1969-12-31 18:30" },
	{ "UTC", 15032385535, "2446-05-10 22:38" },
};

START_TEST(show_local)
{
	char text[NUM_SHOW_MAX];

	setenv("TZ", local_times[_i].tz, 1);
	tzset();
	ck_assert_str_eq(num_show_local(local_times[_i].sec, text), local_times[_i].want);
	unsetenv("TZ");
	tzset();
}
END_TEST

/* Whatever is shown as plain digits parses back to itself. */
START_TEST(shown_bytes_parse)
{
	char text[NUM_SHOW_MAX];
	int64_t got;

	for (int bit = 0; bit < 63; bit++) {
		for (int64_t n = (INT64_C(1) << bit) - 1, i = 0; i < 3 && n < INT64_MAX; i++, n++) {
			ck_assert_int_eq(num_parse_size(num_show_size(n, NUM_BYTES, text), &got), 0);
			ck_assert_int_eq(got, n);
		}
	}
}
END_TEST

/* Sums of what does not fit stop at the ends. */
static const struct {
	int64_t a, b, sum, difference, product;
} saturated[] = {
	{ 2, 3, 5, -1, 6 },
	{ -2, 3, 1, -5, -6 },
	{ INT64_MAX, 0, INT64_MAX, INT64_MAX, 0 },
	{ INT64_MAX, 1, INT64_MAX, INT64_MAX - 1, INT64_MAX },
	{ INT64_MAX, INT64_MAX, INT64_MAX, 0, INT64_MAX },
	{ INT64_MAX, INT64_MIN, -1, INT64_MAX, INT64_MIN },
	{ INT64_MIN, INT64_MAX, -1, INT64_MIN, INT64_MIN },
	{ INT64_MIN, INT64_MIN, INT64_MIN, 0, INT64_MAX },
	{ INT64_MIN, -1, INT64_MIN, INT64_MIN + 1, INT64_MAX },
	{ -1, INT64_MIN, INT64_MIN, INT64_MAX, INT64_MAX },
	{ 0, INT64_MIN, INT64_MIN, INT64_MAX, 0 },
	{ INT64_MIN, 1, INT64_MIN + 1, INT64_MIN, INT64_MIN },
	{ INT64_MAX / 2 + 1, 2, INT64_MAX / 2 + 3, INT64_MAX / 2 - 1, INT64_MAX },
	{ INT64_MIN / 2, 2, INT64_MIN / 2 + 2, INT64_MIN / 2 - 2, INT64_MIN },
};

START_TEST(saturates)
{
	ck_assert_int_eq(num_add(saturated[_i].a, saturated[_i].b), saturated[_i].sum);
	ck_assert_int_eq(num_sub(saturated[_i].a, saturated[_i].b), saturated[_i].difference);
	ck_assert_int_eq(num_mul(saturated[_i].a, saturated[_i].b), saturated[_i].product);
}
END_TEST

Suite *
suite_num(void)
{
	Suite *s = suite_create("num");
	TCase *tc = tcase_create("parse");

	tcase_add_loop_test(tc, parse_size, 0, N_ROWS(sizes));
	tcase_add_loop_test(tc, since, 0, N_ROWS(sinces));
	tcase_add_loop_test(tc, parse_duration, 0, N_ROWS(durations));
	tcase_add_loop_test(tc, parse_int, 0, N_ROWS(ints));
	suite_add_tcase(s, tc);
	tc = tcase_create("show");
	tcase_add_loop_test(tc, show_size, 0, N_ROWS(shown_sizes));
	tcase_add_loop_test(tc, show_count, 0, N_ROWS(counts));
	tcase_add_loop_test(tc, show_share, 0, N_ROWS(shares));
	tcase_add_loop_test(tc, show_things, 0, N_ROWS(things));
	tcase_add_loop_test(tc, show_duration, 0, N_ROWS(shown_durations));
	tcase_add_loop_test(tc, show_time, 0, N_ROWS(times));
	tcase_add_loop_test(tc, show_local, 0, N_ROWS(local_times));
	tcase_add_test(tc, shown_bytes_parse);
	tcase_add_loop_test(tc, saturates, 0, N_ROWS(saturated));
	suite_add_tcase(s, tc);
	return s;
}
