/* SPDX-License-Identifier: MIT */
/*
 * Parsing and printing in whole numbers: no floating point, no locale, exact
 * to the last digit.  What is shown is rounded to the nearest; what is parsed
 * is rounded down.  Negative numbers are shown by their magnitude, which is
 * unsigned: -2^63 has no positive twin.
 */
#include "base/base.h"

#include <strings.h>
#include <time.h>

#define NS_PER_SECOND INT64_C(1000000000)

struct unit {
	const char *name;
	int64_t scale;
};

/* Units are compared without case.  "" stands for no unit. */
static const struct unit size_units[] = {
	{ "", 1 },
	{ "B", 1 },
	{ "k", INT64_C(1) << 10 },
	{ "M", INT64_C(1) << 20 },
	{ "G", INT64_C(1) << 30 },
	{ "T", INT64_C(1) << 40 },
	{ "P", INT64_C(1) << 50 },
	{ "KiB", INT64_C(1) << 10 },
	{ "MiB", INT64_C(1) << 20 },
	{ "GiB", INT64_C(1) << 30 },
	{ "TiB", INT64_C(1) << 40 },
	{ "PiB", INT64_C(1) << 50 },
	{ "kB", INT64_C(1000) },
	{ "MB", INT64_C(1000000) },
	{ "GB", INT64_C(1000000000) },
	{ "TB", INT64_C(1000000000000) },
	{ "PB", INT64_C(1000000000000000) },
	{ NULL, 0 }
};

static const struct unit duration_units[] = {
	{ "", NS_PER_SECOND },
	{ "ms", NS_PER_SECOND / 1000 },
	{ "s", NS_PER_SECOND },
	{ "m", NS_PER_SECOND * 60 },
	{ "h", NS_PER_SECOND * 60 * 60 },
	{ "d", NS_PER_SECOND * 60 * 60 * 24 },
	{ NULL, 0 }
};

static size_t
num_count_digits(const char *s)
{
	size_t n = 0;

	/* Not isdigit(), which depends on the locale. */
	while (s[n] >= '0' && s[n] <= '9')
		n++;
	return n;
}

/* Read len digits as a number of at most max.  Returns 0, or -1 when it is larger. */
static int
num_parse_digits(const char *s, size_t len, uint64_t max, uint64_t *n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned int digit = (unsigned int)(s[i] - '0');

		if (value > max / 10 || digit > max - value * 10)
			return -1;
		value = value * 10 + digit;
	}
	*n = value;
	return 0;
}

/*
 * Parse digits, optionally a point and digits, and a unit of the table.  A
 * fraction of what cannot be divided (a byte) is an error.
 */
static int
num_parse_scaled(const char *s, const struct unit *units, int64_t *result)
{
	size_t whole_len = num_count_digits(s), fraction_len = 0;
	const char *fraction = s + whole_len, *name = fraction;
	const struct unit *u;
	uint64_t whole;
	int64_t rest = 0;

	if (!whole_len)
		return -1;
	if (*fraction == '.') {
		fraction++;
		fraction_len = num_count_digits(fraction);
		if (!fraction_len)
			return -1;
		name = fraction + fraction_len;
	}
	for (u = units; u->name && strcasecmp(u->name, name) != 0; u++)
		;
	if (!u->name || (fraction_len && u->scale == 1))
		return -1;
	/*
	 * u->scale times the fraction 0.d1d2..dn, rounded down, exact for any number of digits:
	 * from the last digit to the first, x = (d * scale + x) / 10 stays below scale, and
	 * rounding down in each step equals doing so at the end.
	 */
	while (fraction_len-- > 0)
		rest = ((fraction[fraction_len] - '0') * u->scale + rest) / 10;
	if (num_parse_digits(s, whole_len, (uint64_t)((INT64_MAX - rest) / u->scale), &whole) < 0)
		return -1;
	*result = (int64_t)whole * u->scale + rest;
	return 0;
}

int
num_parse_size(const char *s, int64_t *size)
{
	return num_parse_scaled(s, size_units, size);
}

int
num_parse_duration(const char *s, int64_t *ns)
{
	return num_parse_scaled(s, duration_units, ns);
}

int
num_parse_since(const char *s, int64_t now, int64_t *sec)
{
	struct tm tm = { .tm_isdst = -1 };
	const char *rest = strptime(s, "%Y-%m-%d", &tm);
	int64_t ns, at;
	int day;

	if (rest == NULL) {
		if (num_parse_duration(s, &ns) < 0)
			return -1;
		*sec = now - ns / 1000000000;
		return 0;
	}
	if (*rest != '\0' && ((*rest != ' ' && *rest != 'T') || (rest = strptime(rest + 1, "%H:%M", &tm)) == NULL || *rest != '\0'))
		return -1;
	day = tm.tm_mday;
	at = mktime(&tm);
	/* mktime turns February 30 into a day of March. */
	if (tm.tm_mday != day)
		return -1;
	*sec = at;
	return 0;
}

int
num_parse_int(const char *s, int64_t min, int64_t max, int64_t *n)
{
	bool negative = *s == '-';
	const char *digits = s + negative;
	size_t len = num_count_digits(digits);
	uint64_t magnitude;
	int64_t value;

	if (!len || digits[len] != '\0')
		return -1;
	if (num_parse_digits(digits, len, (uint64_t)INT64_MAX + negative, &magnitude) < 0)
		return -1;
	/* -(m - 1) - 1 also reaches -2^63. */
	value = negative && magnitude ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
	if (value < min || value > max)
		return -1;
	*n = value;
	return 0;
}

/* |n|, also of -2^63. */
static uint64_t
num_magnitude_of(int64_t n)
{
	return n < 0 ? UINT64_C(0) - (uint64_t)n : (uint64_t)n;
}

/* n / scale in tenths, rounded to the nearest; scale is at most 2^60, so nothing overflows. */
static uint64_t
num_tenths_of(uint64_t n, uint64_t scale)
{
	return n / scale * 10 + (n % scale * 10 + scale / 2) / scale;
}

const char *
num_show_size(int64_t size, enum num_units units, char text[NUM_SHOW_MAX])
{
	static const char *const iec[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", NULL };
	static const char *const si[] = { "kB", "MB", "GB", "TB", "PB", "EB", NULL };
	const char *const *name = units == NUM_SI ? si : iec;
	const uint64_t base = units == NUM_SI ? 1000 : 1024;
	const char *sign = size < 0 ? "-" : "";
	const uint64_t n = num_magnitude_of(size);
	uint64_t scale = base, tenths;

	if (units == NUM_BYTES || n < base) {
		snprintf(text, NUM_SHOW_MAX, "%" PRId64 "%s", size, units == NUM_BYTES ? "" : " B");
		return text;
	}
	/* Rounding decides the unit: one byte less than a MiB is "1.0 MiB", not "1024.0 KiB". */
	while ((tenths = num_tenths_of(n, scale)) >= base * 10 && name[1]) {
		scale *= base;
		name++;
	}
	snprintf(text, NUM_SHOW_MAX, "%s%" PRIu64 ".%" PRIu64 " %s", sign, tenths / 10, tenths % 10,
	         *name);
	return text;
}

const char *
num_show_count(int64_t n, char text[NUM_SHOW_MAX])
{
	char digits[NUM_SHOW_MAX];
	size_t len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, num_magnitude_of(n));
	char *p = text;

	if (n < 0)
		*p++ = '-';
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*p++ = ',';
		*p++ = digits[i];
	}
	*p = '\0';
	return text;
}

const char *
num_show_things(int64_t n, const char *one, const char *many, char text[NUM_SHOW_MAX])
{
	const size_t len = strlen(num_show_count(n, text));

	snprintf(text + len, NUM_SHOW_MAX - len, " %s", n == 1 ? one : many);
	return text;
}

const char *
num_show_share(int64_t part, int64_t whole, char text[NUM_SHOW_MAX])
{
	/* Near INT64_MAX the product would overflow. */
	const int64_t percent = whole <= 0 ? -1 : whole > INT64_MAX / 100 ? part / (whole / 100) : part * 100 / whole;

	if (percent < 0)
		return "-";
	if (percent == 0 && part > 0)
		return "<1%";
	snprintf(text, NUM_SHOW_MAX, "%d%%", percent == 100 && part < whole ? 99 : (int)percent);
	return text;
}

const char *
num_show_duration(int64_t ns, char text[NUM_SHOW_MAX])
{
	const char *sign = ns < 0 ? "-" : "";
	const uint64_t n = num_magnitude_of(ns);
	const uint64_t tenths = num_tenths_of(n, NS_PER_SECOND);
	/* Each unit is rounded from the finer one; so 59.7 s is "1 min 0 s", never "60 s". */
	const uint64_t s = n / NS_PER_SECOND + (n % NS_PER_SECOND >= NS_PER_SECOND / 2);
	const uint64_t min = (s + 30) / 60;
	const uint64_t h = (min + 30) / 60;

	if (tenths < 100)
		snprintf(text, NUM_SHOW_MAX, "%s%" PRIu64 ".%" PRIu64 " s", sign, tenths / 10, tenths % 10);
	else if (s < 60)
		snprintf(text, NUM_SHOW_MAX, "%s%" PRIu64 " s", sign, s);
	else if (s < 60 * 60)
		snprintf(text, NUM_SHOW_MAX, "%s%" PRIu64 " min %" PRIu64 " s", sign, s / 60, s % 60);
	else if (min < 24 * 60)
		snprintf(text, NUM_SHOW_MAX, "%s%" PRIu64 " h %" PRIu64 " min", sign, min / 60, min % 60);
	else
		snprintf(text, NUM_SHOW_MAX, "%s%" PRIu64 " d %" PRIu64 " h", sign, h / 24, h % 24);
	return text;
}

const char *
num_show_since(int64_t then, int64_t now, char text[NUM_SHOW_MAX])
{
	return num_show_duration(then < now ? num_mul(num_sub(now, then), 1000000000) : 0, text);
}

const char *
num_show_ns(int64_t sec, int32_t nsec, char text[NUM_SHOW_MAX])
{
	const char *sign = sec < 0 ? "-" : "";
	uint64_t s = sec < 0 ? -(uint64_t)sec : (uint64_t)sec;

	if (sec < 0 && nsec > 0) {
		s--;
		nsec = (int32_t)(NS_PER_SECOND - nsec);
	}
	if (s > 0)
		snprintf(text, NUM_SHOW_MAX, "%s%" PRIu64 "%09" PRId32, sign, s, nsec);
	else
		snprintf(text, NUM_SHOW_MAX, "%s%" PRId32, sign, nsec);
	return text;
}

const char *
num_show_time(int64_t sec, int32_t nsec, char text[NUM_SHOW_MAX])
{
	const time_t seconds = (time_t)sec;
	struct tm tm;
	size_t len;

	if (seconds != sec || !gmtime_r(&seconds, &tm))
		return num_show_ns(sec, nsec, text);
	len = strftime(text, NUM_SHOW_MAX, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + len, NUM_SHOW_MAX - len, ".%09" PRId32 "Z", nsec);
	return text;
}

const char *
num_show_local(int64_t sec, char text[NUM_SHOW_MAX])
{
	const time_t seconds = (time_t)sec;
	struct tm tm;

	if (seconds != sec || !localtime_r(&seconds, &tm))
		return num_show_time(sec, 0, text);
	strftime(text, NUM_SHOW_MAX, "%Y-%m-%d %H:%M", &tm);
	return text;
}

int64_t
num_add(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
}

int64_t
num_sub(int64_t a, int64_t b)
{
	int64_t difference;

	return __builtin_sub_overflow(a, b, &difference) ? (a < 0 ? INT64_MIN : INT64_MAX) : difference;
}

int64_t
num_mul(int64_t a, int64_t b)
{
	int64_t product;

	return __builtin_mul_overflow(a, b, &product) ? ((a < 0) != (b < 0) ? INT64_MIN : INT64_MAX) : product;
}
