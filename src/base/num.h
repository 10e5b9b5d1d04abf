/* SPDX-License-Identifier: MIT */
/* num - numbers as people write and read them. */
#ifndef BASE_NUM_H
#define BASE_NUM_H

/** Enough room for anything that num_show_* writes. */
#define NUM_SHOW_MAX 40

/**
 * Parse a size in bytes: a decimal number (a fraction is allowed before a
 * unit: 1.5G), then an optional unit.  k M G T P and KiB MiB GiB TiB PiB (in
 * any case) are powers of 1024; kB MB GB TB PB are powers of 1000; B and no
 * unit are bytes.
 * Returns 0, or -1 when s is anything else, negative or beyond 2^63-1.
 */
int num_parse_size(const char *s, int64_t *size);

/** Parse a whole decimal number between min and max.  Returns 0 or -1. */
int num_parse_int(const char *s, int64_t min, int64_t max, int64_t *n);

/**
 * Parse a duration: a number of seconds, or with a unit ms s m h d ("90",
 * "1.5s", "10m").  Returns 0 with nanoseconds, or -1.
 */
int num_parse_duration(const char *s, int64_t *ns);

/**
 * Parse a point in time: a date of the process's time zone ("2026-11-21", "2026-11-21 01:28"), or
 * a duration before now (seconds since 1970).  Returns 0 with seconds since 1970, or -1.
 */
int num_parse_since(const char *s, int64_t now, int64_t *sec);

/** How sizes are shown. */
enum num_units { NUM_IEC, NUM_SI, NUM_BYTES };

/**
 * Write size to text: "1.4 GiB" (IEC), "1.5 GB" (SI) or plain digits; "0 B",
 * "999 B" below the first unit.  Returns text.
 */
const char *num_show_size(int64_t size, enum num_units units, char text[NUM_SHOW_MAX]);

/** Write n with a comma between groups of three digits: "312,624".  Returns text. */
const char *num_show_count(int64_t n, char text[NUM_SHOW_MAX]);

/**
 * Write n as num_show_count, and what it counts: "1 file", "312,624 files".
 * one and many are at most 12 bytes.  Returns text.
 */
const char *num_show_things(int64_t n, const char *one, const char *many, char text[NUM_SHOW_MAX]);

/** Write the share that part has in whole, rounded down: "49%", "<1%"; "-" where whole is 0. */
const char *num_show_share(int64_t part, int64_t whole, char text[NUM_SHOW_MAX]);

/** Write a duration: "0.8 s", "12 s", "3 min 20 s", "2 h 5 min", "3 d 4 h".  Returns text. */
const char *num_show_duration(int64_t ns, char text[NUM_SHOW_MAX]);
/** The same from then to now, seconds since 1970; of what is later, "0.0 s".  Returns text. */
const char *num_show_since(int64_t then, int64_t now, char text[NUM_SHOW_MAX]);

/**
 * Write a point in time, sec seconds since 1970 and nsec nanoseconds (0 to 999,999,999), as UTC:
 * "2026-11-21T01:28:33.000000000Z".  As num_show_ns where time_t cannot hold it.  Returns text.
 */
const char *num_show_time(int64_t sec, int32_t nsec, char text[NUM_SHOW_MAX]);

/**
 * Write a point in time, sec seconds since 1970, to the minute, in the time zone of the process:
 * "2026-11-21 02:28".  As num_show_time where localtime fails.  Returns text.
 */
const char *num_show_local(int64_t sec, char text[NUM_SHOW_MAX]);

/** Write sec seconds and nsec (0 to 999,999,999) nanoseconds as nanoseconds.  Returns text. */
const char *num_show_ns(int64_t sec, int32_t nsec, char text[NUM_SHOW_MAX]);

/**
 * a + b, a - b, a * b, saturating: for numbers from an index, which anybody may have written.
 */
int64_t num_add(int64_t a, int64_t b);
int64_t num_sub(int64_t a, int64_t b);
int64_t num_mul(int64_t a, int64_t b);

#endif
