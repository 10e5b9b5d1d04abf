/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "query/answer.h"
#include "ui/out.h"
#include "unit.h"

/* Newline, quote, backslash, escape, a byte that is not UTF-8, a right-to-left override. */
#define HOSTILE "/d/\n\"\\\033\xff\xe2\x80\xae"
#define HOSTILE_UTF8 "/d/\n\"\\\033\xc3\xa9\xe2\x80\xae"

#define HASH_HEX "000102030405060708090a0b0c0dfeff"

static const uint8_t hash[HASH_SIZE] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0xfe, 0xff };

static const struct member members[] = {
	{ "/d/b", MEMBER_COPY, 12, 2, { 2, 0 }, MARK_NONE, 0, MEMBER_UNCHOSEN, NULL, 0, 0, false, NULL },
	{ "/d/b2", MEMBER_LINK, 12, 2, { 2, 0 }, MARK_NONE, 0, MEMBER_UNCHOSEN, NULL, 0, 0, false, NULL },
	{ HOSTILE, MEMBER_COPY, 13, 1, { -1, 999999999 }, MARK_NONE, 0, MEMBER_UNCHOSEN, NULL, 0, 0, false, NULL },
	{ "/d/g", MEMBER_GONE, 14, 1, { 0, 0 }, MARK_NONE, 0, MEMBER_UNCHOSEN, NULL, 0, 0, false, NULL },
	{ "/d/h", MEMBER_CHANGED, 15, 1, { 0, 0 }, MARK_NONE, 0, MEMBER_UNCHOSEN, NULL, 0, 0, false, NULL },
	{ "/x/x", MEMBER_EXCLUDED, 16, 1, { 0, 0 }, MARK_NONE, 0, MEMBER_UNCHOSEN, NULL, 0, 0, false, NULL },
	{ "/o/o", MEMBER_OFFLINE, 17, 1, { 0, 0 }, MARK_NONE, 0, MEMBER_UNCHOSEN, NULL, 0, 0, false, NULL },
};

static const struct file_answer copied = {
	"/d/a", STATE_DUP, NULL, 5, 4096, { 1, 500000000 }, 11, 1, hash, 2, members, sizeof(members) / sizeof(members[0]),
	MARK_NONE, false, 0, false, 0, false, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, 0,
};
static const struct file_answer bare = {
	"/d/a", STATE_DUP, NULL, 5, 4096, { 1, 500000000 }, 11, 1, hash, 1, NULL, 0, MARK_NONE, false, 0, false, 0, false, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, 0,
};
static const struct file_answer hostile = {
	HOSTILE, STATE_UNIQUE, NULL, 9007199254740993, 0, { 1, 500000000 }, -1, 1, NULL, 0, NULL, 0, MARK_NONE, false, 0, false, 0, false, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, 0,
};
static const struct file_answer unread = {
	"/d/u", STATE_UNREADABLE, "Permission\n\xff denied", 5, -1, { 0, 0 }, 9007199254740992, 1, NULL, 0, NULL, 0, MARK_NONE, false, 0, false, 0, false, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, 0,
};
static const struct file_answer unknown = {
	HOSTILE_UTF8, STATE_UNKNOWN, "never \"scanned\"", -1, -1, { 0, 0 }, 0, 0, NULL, 0, NULL, 0, MARK_NONE, false, 0, false, 0, false, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, NULL, 0,
};

static const struct set_answer set = { 1258291, hash, 2, 1258291, 1261568, members, 7 };
static const struct set_answer sparse = { 1 << 30, hash, 2, 1 << 30, 8192, members, 1 };

static const struct set_totals totals = { 26162, 79690, 1288490189, 1181116007, 12, 0, 0, 0, 0, 0, 0, 0, false };
static const struct set_totals few = { 1, 2, 1000, 4096, 1, 0, 0, 0, 0, 0, 0, 0, false };
static const struct set_totals none = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false };

/* One listing: files or sets, NULL at the end. */
struct listing {
	struct out_style style;
	const struct file_answer *files[4];
	const struct set_answer *sets[3];
	const struct set_totals *totals;
	const char *want;
	size_t want_len;
};

#define WANT(text) .want = text, .want_len = sizeof(text) - 1

static int
print(FILE *stream, const struct listing *l, struct err *err)
{
	struct out *o = out_open(stream, &l->style);
	int i, ret = 0;

	for (i = 0; ret == 0 && i < N_ROWS(l->files) && l->files[i] != NULL; i++)
		ret = out_file(o, l->files[i]);
	for (i = 0; ret == 0 && i < N_ROWS(l->sets) && l->sets[i] != NULL; i++)
		ret = out_set(o, l->sets[i]);
	if (ret == 0 && l->totals != NULL)
		ret = out_totals(o, l->totals);
	return out_close(o, ret, err);
}

static const struct listing listings[] = {
	/* text: states */
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES },
	  .files = { &copied, &hostile, &unread },
	  WANT("       dup  /d/a\n"
	       "            copy  /d/b\n"
	       "            link  /d/b2\n"
	       "            copy  " HOSTILE "\n"
	       "             ---  /d/g (gone)\n"
	       "             ---  /d/h (changed)\n"
	       "            skip  /x/x (excluded)\n"
	       "             ???  /o/o (offline)\n"
	       "    unique  " HOSTILE "\n"
	       "unreadable  /d/u (Permission\n\xff denied)\n") },
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .escape = true },
	  .files = { &hostile, &unread, &unknown },
	  WANT("    unique  /d/\\n\"\\\\\\x1b\\xff\\xe2\\x80\\xae\n"
	       "unreadable  /d/u (Permission\\n\\xff denied)\n"
	       "   unknown  /d/\\n\"\\\\\\x1b\xc3\xa9\\xe2\\x80\\xae (never \"scanned\")\n") },
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES, .color = true, .cut = "/d/" },
	  .files = { &copied, &unread },
	  WANT("       \033[33mdup\033[0m  a\n"
	       "            copy  b\n"
	       "            link  b2\n"
	       "            copy  \n\"\\\033\xff\xe2\x80\xae\n"
	       "             \033[31m---\033[0m  g (gone)\n"
	       "             \033[31m---\033[0m  h (changed)\n"
	       "            \033[2mskip\033[0m  /x/x (excluded)\n"
	       "             \033[2m???\033[0m  /o/o (offline)\n"
	       "\033[31munreadable\033[0m  u (Permission\n\xff denied)\n") },
	{ .style = { .format = OUT_TEXT, .kind = OUT_STATES }, WANT("") },
	/* text: paths */
	{ .style = { .format = OUT_TEXT, .kind = OUT_PATHS }, .files = { &unknown, &bare },
	  WANT(HOSTILE_UTF8 "\n/d/a\n") },
	{ .style = { .format = OUT_TEXT, .kind = OUT_PATHS, .cut = "/d/a" }, .files = { &bare, &unread },
	  WANT("/d/a\n/d/u\n") },
	{ .style = { .format = OUT_TEXT, .kind = OUT_PATHS, .escape = true }, .files = { &copied },
	  WANT("/d/a\n"
	       "            copy  /d/b\n"
	       "            link  /d/b2\n"
	       "            copy  /d/\\n\"\\\\\\x1b\\xff\\xe2\\x80\\xae\n"
	       "             ---  /d/g (gone)\n"
	       "             ---  /d/h (changed)\n"
	       "            skip  /x/x (excluded)\n"
	       "             ???  /o/o (offline)\n") },
	/* text: sets */
	{ .style = { .format = OUT_TEXT, .kind = OUT_SETS, .escape = true }, .sets = { &set, &sparse }, .totals = &totals,
	  WANT("2 copies of 1.2 MiB each, 1.2 MiB redundant\n"
	       "  /d/b\n"
	       "  /d/b2 (link)\n"
	       "  /d/\\n\"\\\\\\x1b\\xff\\xe2\\x80\\xae\n"
	       "  --- /d/g (gone)\n"
	       "  --- /d/h (changed)\n"
	       "  skip /x/x (excluded)\n"
	       "  ??? /o/o (offline)\n"
	       "\n"
	       "2 copies of 1.0 GiB each, 1.0 GiB redundant (8.0 KiB on disk)\n"
	       "  /d/b\n"
	       "\n"
	       "26,162 sets, 79,690 files, 1.2 GiB redundant (1.1 GiB on disk)\n"
	       "12 members gone or changed since the last scan: run twindex scan\n") },
	{ .style = { .format = OUT_TEXT, .kind = OUT_SETS, .units = NUM_BYTES, .color = true },
	  .sets = { &sparse }, .totals = &few,
	  WANT("\033[1m2 copies of 1073741824 each, 1073741824 redundant (8192 on disk)\033[0m\n"
	       "  /d/b\n"
	       "\n"
	       "1 set, 2 files, 1000 redundant\n"
	       "1 member gone or changed since the last scan: run twindex scan\n") },
	{ .style = { .format = OUT_TEXT, .kind = OUT_SETS }, .totals = &none, WANT("No duplicates.\n") },

	/* fdupes and null */
	{ .style = { .format = OUT_FDUPES, .kind = OUT_SETS, .escape = true, .color = true },
	  .sets = { &set, &sparse }, .totals = &totals,
	  WANT("/d/b\n" HOSTILE "\n\n/d/b\n\n") },
	{ .style = { .format = OUT_NULL, .kind = OUT_SETS, .cut = "/d" }, .sets = { &set, &sparse }, .totals = &totals,
	  WANT("/b\0/\n\"\\\033\xff\xe2\x80\xae\0\0/b\0\0") },
	{ .style = { .format = OUT_FDUPES, .kind = OUT_PATHS }, .files = { &bare, &unread },
	  WANT("/d/a\n/d/u\n") },
	{ .style = { .format = OUT_FDUPES, .kind = OUT_STATES }, .files = { &unread, &copied, &copied },
	  WANT("/d/u\n\n/d/a\n/d/b\n" HOSTILE "\n\n/d/a\n/d/b\n" HOSTILE "\n\n") },
	{ .style = { .format = OUT_NULL, .kind = OUT_STATES }, .files = { &hostile, &bare },
	  WANT(HOSTILE "\0/d/a\0") },
	{ .style = { .format = OUT_FDUPES, .kind = OUT_SETS }, .totals = &none, WANT("") },

	/* JSON */
	{ .style = { .format = OUT_JSON, .kind = OUT_STATES, .escape = true, .color = true },
	  .files = { &bare, &hostile, &unread, &unknown },
	  WANT("{\"schema_version\":1,\"files\":[\n"
	       "{\"path\":\"/d/a\",\"state\":\"dup\",\"size\":5,\"allocated\":4096,"
	       "\"mtime_ns\":\"1500000000\",\"mtime\":\"1970-01-01T00:00:01.500000000Z\","
	       "\"inode\":11,\"nlink\":1,\"hash\":\"" HASH_HEX "\",\"copies\":1,\"mark\":null},\n"
	       "{\"path\":\"/d/\\\\n\\\"\\\\\\\\\\\\x1b\\\\xff\\\\xe2\\\\x80\\\\xae\","
	       "\"path_b64\":\"L2QvCiJcG//igK4=\",\"state\":\"unique\",\"size\":\"9007199254740993\",\"allocated\":0,"
	       "\"mtime_ns\":\"1500000000\",\"mtime\":\"1970-01-01T00:00:01.500000000Z\","
	       "\"inode\":\"18446744073709551615\",\"nlink\":1,\"hash\":null,\"copies\":0,\"mark\":null},\n"
	       "{\"path\":\"/d/u\",\"state\":\"unreadable\",\"why\":\"Permission\\\\n\\\\xff denied\","
	       "\"size\":5,\"allocated\":null,"
	       "\"mtime_ns\":\"0\",\"mtime\":\"1970-01-01T00:00:00.000000000Z\","
	       "\"inode\":9007199254740992,\"nlink\":1,\"hash\":null,\"copies\":0,\"mark\":null},\n"
	       "{\"path\":\"/d/\\n\\\"\\\\\\u001b\xc3\xa9\\u202e\",\"state\":\"unknown\",\"why\":\"never \\\"scanned\\\"\","
	       "\"size\":null,\"allocated\":null,\"mtime_ns\":null,\"mtime\":null,\"inode\":null,\"nlink\":null,"
	       "\"hash\":null,\"copies\":0,\"mark\":null}\n"
	       "]}\n") },
	{ .style = { .format = OUT_JSON, .kind = OUT_PATHS }, WANT("{\"schema_version\":1,\"files\":[]}\n") },
	{ .style = { .format = OUT_JSON, .kind = OUT_SETS }, WANT("{\"schema_version\":1,\"sets\":[]}\n") },
	{ .style = { .format = OUT_JSON, .kind = OUT_SETS }, .totals = &none,
	  WANT("{\"schema_version\":1,\"sets\":[],\"totals\":"
	       "{\"sets\":0,\"files\":0,\"redundant\":0,\"redundant_disk\":0,\"stale\":0,\"offline\":0,\"unreadable\":0,\"views\":0,\"trash\":0}}\n") },
	{ .style = { .format = OUT_JSON, .kind = OUT_SETS, .cut = "/d/" }, .sets = { &sparse, &sparse }, .totals = &few,
	  WANT("{\"schema_version\":1,\"sets\":[\n"
	       "{\"size\":1073741824,\"hash\":\"" HASH_HEX "\",\"copies\":2,"
	       "\"redundant\":1073741824,\"redundant_disk\":8192,\"members\":["
	       "{\"path\":\"b\",\"kind\":\"copy\",\"inode\":12,\"nlink\":2,\"mtime_ns\":\"2000000000\",\"mark\":null}]},\n"
	       "{\"size\":1073741824,\"hash\":\"" HASH_HEX "\",\"copies\":2,"
	       "\"redundant\":1073741824,\"redundant_disk\":8192,\"members\":["
	       "{\"path\":\"b\",\"kind\":\"copy\",\"inode\":12,\"nlink\":2,\"mtime_ns\":\"2000000000\",\"mark\":null}]}\n"
	       "],\"totals\":{\"sets\":1,\"files\":2,\"redundant\":1000,\"redundant_disk\":4096,\"stale\":1,\"offline\":0,\"unreadable\":0,\"views\":0,\"trash\":0}}\n") },
	/* NDJSON */
	{ .style = { .format = OUT_NDJSON, .kind = OUT_SETS }, .sets = { &sparse }, .totals = &few,
	  WANT("{\"type\":\"set\",\"size\":1073741824,\"hash\":\"" HASH_HEX "\",\"copies\":2,"
	       "\"redundant\":1073741824,\"redundant_disk\":8192,\"members\":["
	       "{\"path\":\"/d/b\",\"kind\":\"copy\",\"inode\":12,\"nlink\":2,\"mtime_ns\":\"2000000000\",\"mark\":null}]}\n"
	       "{\"type\":\"totals\",\"sets\":1,\"files\":2,\"redundant\":1000,\"redundant_disk\":4096,\"stale\":1,\"offline\":0,\"unreadable\":0,\"views\":0,\"trash\":0}\n") },
	{ .style = { .format = OUT_NDJSON, .kind = OUT_PATHS, .cut = "/d" }, .files = { &copied },
	  WANT("{\"type\":\"file\",\"path\":\"/a\",\"state\":\"dup\",\"size\":5,\"allocated\":4096,"
	       "\"mtime_ns\":\"1500000000\",\"mtime\":\"1970-01-01T00:00:01.500000000Z\","
	       "\"inode\":11,\"nlink\":1,\"hash\":\"" HASH_HEX "\",\"copies\":2,\"mark\":null,\"members\":["
	       "{\"path\":\"/b\",\"kind\":\"copy\",\"inode\":12,\"nlink\":2,\"mtime_ns\":\"2000000000\",\"mark\":null},"
	       "{\"path\":\"/b2\",\"kind\":\"link\",\"inode\":12,\"nlink\":2,\"mtime_ns\":\"2000000000\",\"mark\":null},"
	       "{\"path\":\"/\\\\n\\\"\\\\\\\\\\\\x1b\\\\xff\\\\xe2\\\\x80\\\\xae\",\"path_b64\":\"LwoiXBv/4oCu\","
	       "\"kind\":\"copy\",\"inode\":13,\"nlink\":1,\"mtime_ns\":\"-1\",\"mark\":null},"
	       "{\"path\":\"/g\",\"kind\":\"gone\",\"inode\":14,\"nlink\":1,\"mtime_ns\":\"0\",\"mark\":null},"
	       "{\"path\":\"/h\",\"kind\":\"changed\",\"inode\":15,\"nlink\":1,\"mtime_ns\":\"0\",\"mark\":null},"
	       "{\"path\":\"/x/x\",\"kind\":\"excluded\",\"inode\":16,\"nlink\":1,\"mtime_ns\":\"0\",\"mark\":null},"
	       "{\"path\":\"/o/o\",\"kind\":\"offline\",\"inode\":17,\"nlink\":1,\"mtime_ns\":\"0\",\"mark\":null}]}\n") },
	{ .style = { .format = OUT_NDJSON, .kind = OUT_STATES }, WANT("") },

	/* CSV */
	{ .style = { .format = OUT_CSV, .kind = OUT_STATES, .escape = true, .color = true },
	  .files = { &copied, &hostile, &unread, &unknown },
	  WANT("kind,state,size,allocated,mtime_ns,inode,nlink,hash,copies,path,path_b64,why,mark\r\n"
	       "\"file\",\"dup\",5,4096,1500000000,11,1,\"" HASH_HEX "\",2,\"/d/a\",,,\r\n"
	       "\"copy\",,5,,2000000000,12,2,\"" HASH_HEX "\",,\"/d/b\",,,\r\n"
	       "\"link\",,5,,2000000000,12,2,\"" HASH_HEX "\",,\"/d/b2\",,,\r\n"
	       "\"copy\",,5,,-1,13,1,\"" HASH_HEX "\",,\"/d/\\n\"\"\\\\\\x1b\\xff\\xe2\\x80\\xae\",\"L2QvCiJcG//igK4=\",,\r\n"
	       "\"gone\",,,,0,14,1,,,\"/d/g\",,,\r\n"
	       "\"changed\",,,,0,15,1,,,\"/d/h\",,,\r\n"
	       "\"excluded\",,,,0,16,1,,,\"/x/x\",,,\r\n"
	       "\"offline\",,,,0,17,1,,,\"/o/o\",,,\r\n"
	       "\"file\",\"unique\",9007199254740993,0,1500000000,18446744073709551615,1,,0,"
	       "\"/d/\\n\"\"\\\\\\x1b\\xff\\xe2\\x80\\xae\",\"L2QvCiJcG//igK4=\",,\r\n"
	       "\"file\",\"unreadable\",5,,0,9007199254740992,1,,0,\"/d/u\",,\"Permission\\n\\xff denied\",\r\n"
	       "\"file\",\"unknown\",,,,,,,0,\"/d/\n\"\"\\\033\xc3\xa9\xe2\x80\xae\",,\"never \"\"scanned\"\"\",\r\n") },
	{ .style = { .format = OUT_CSV, .kind = OUT_SETS, .cut = "/d/" }, .sets = { &sparse, &sparse }, .totals = &few,
	  WANT("set,kind,size,redundant,hash,inode,nlink,mtime_ns,path,path_b64,mark\r\n"
	       "1,\"copy\",1073741824,1073741824,\"" HASH_HEX "\",12,2,2000000000,\"b\",,\r\n"
	       "2,\"copy\",1073741824,1073741824,\"" HASH_HEX "\",12,2,2000000000,\"b\",,\r\n") },
	{ .style = { .format = OUT_CSV, .kind = OUT_PATHS },
	  WANT("kind,state,size,allocated,mtime_ns,inode,nlink,hash,copies,path,path_b64,why,mark\r\n") },
};

START_TEST(prints)
{
	const struct listing *l = &listings[_i];
	char *got = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&got, &len);
	struct err err = { 0 };

	ck_assert_ptr_nonnull(stream);
	ck_assert_int_eq(print(stream, l, &err), 0);
	ck_assert_int_eq(err.code, ERR_NONE);
	fclose(stream);
	ck_assert_str_eq(got, l->want);  /* for its message */
	ck_assert_uint_eq(len, l->want_len);
	ck_assert_mem_eq(got, l->want, len);
	free(got);
}
END_TEST

/* Every single byte and every code point of interest in a JSON string. */
static const struct { const char *path, *want; } json_rows[] = {
	{ "/\x01\x1f", "/\\u0001\\u001f" },
	{ "/\b\f\t\r\n", "/\\u0008\\u000c\\t\\r\\n" },
	{ "/\x7f", "/\\u007f" },
	{ "/\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "/\\u0080\\u009b\\u009f\xc2\xa0" },
	{ "/\xd8\x9b\xd8\x9c\xd8\x9d", "/\xd8\x9b\\u061c\xd8\x9d" },
	{ "/\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f", "/\xe2\x80\x8d\\u200e\\u200f" },
	{ "/\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf",
	  "/\xe2\x80\xa7\\u2028\\u2029\\u202a\\u202e\xe2\x80\xaf" },
	{ "/\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa", "/\xe2\x81\xa5\\u2066\\u2069\xe2\x81\xaa" },
	{ "/\xef\xbb\xbf\xef\xbf\xbf", "/\\ufeff\xef\xbf\xbf" },
	{ "/\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf!", "/\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf!" },
};

START_TEST(escapes_json)
{
	struct out_style style = { .format = OUT_NDJSON, .kind = OUT_PATHS };
	struct file_answer f = unknown;
	char *got = NULL, *end;
	size_t len = 0;
	FILE *stream = open_memstream(&got, &len);
	struct out *o = out_open(stream, &style);
	struct err err = { 0 };
	static const char head[] = "{\"type\":\"file\",\"path\":\"";

	f.path = json_rows[_i].path;
	ck_assert_int_eq(out_file(o, &f), 0);
	ck_assert_int_eq(out_close(o, 0, &err), 0);
	fclose(stream);
	ck_assert(strncmp(got, head, strlen(head)) == 0);
	end = strstr(got, "\",\"state\"");
	ck_assert_ptr_nonnull(end);
	*end = '\0';
	ck_assert_str_eq(got + strlen(head), json_rows[_i].want);
	free(got);
}
END_TEST

/* base64 of all lengths modulo 3, through a path that is not UTF-8. */
static const struct { const char *path, *want; } base64_rows[] = {
	{ "\xff", "/w==" }, { "\xff\xfe", "//4=" }, { "\xff\xfe\xfd", "//79" }, { "/\xff\xfb\xbe", "L//7vg==" },
};

START_TEST(encodes_base64)
{
	struct out_style style = { .format = OUT_CSV, .kind = OUT_PATHS };
	struct file_answer f = unknown;
	char *got = NULL, want[32];
	size_t len = 0;
	FILE *stream = open_memstream(&got, &len);
	struct out *o = out_open(stream, &style);
	struct err err = { 0 };

	f.path = base64_rows[_i].path;
	f.why = NULL;
	ck_assert_int_eq(out_file(o, &f), 0);
	ck_assert_int_eq(out_close(o, 0, &err), 0);
	fclose(stream);
	snprintf(want, sizeof(want), ",\"%s\",,\r\n", base64_rows[_i].want);
	ck_assert_ptr_nonnull(strstr(got, want));
	free(got);
}
END_TEST

START_TEST(names_formats)
{
	static const char *const want[] = { "text", "fdupes", "json", "ndjson", "csv", "null" };
	int i;

	for (i = 0; i < N_ROWS(want); i++)
		ck_assert_str_eq(out_format_names[i], want[i]);
	ck_assert_ptr_null(out_format_names[i]);
}
END_TEST

/* A set that is much longer than the pieces given to the stream comes out whole. */
START_TEST(prints_long_sets)
{
	enum { COUNT = 20000 };
	struct out_style style = { .format = _i, .kind = OUT_SETS };
	struct member *m = mem_zalloc(COUNT, sizeof(*m));
	struct set_answer s = { 1, hash, COUNT, COUNT - 1, 0, m, COUNT };
	char *got = NULL, *at;
	size_t len = 0, n = 0;
	FILE *stream = open_memstream(&got, &len);
	struct out *o = out_open(stream, &style);
	struct err err = { 0 };
	int i;

	for (i = 0; i < COUNT; i++)
		m[i] = (struct member){ "/a/path", MEMBER_COPY, i + 1, 1, { 0, 0 }, MARK_NONE, 0, MEMBER_UNCHOSEN, NULL, 0, 0, false, NULL };
	ck_assert_int_eq(out_set(o, &s), 0);
	ck_assert_int_eq(out_close(o, 0, &err), 0);
	fclose(stream);
	for (at = got; at + strlen("/a/path") <= got + len; at++)
		n += memcmp(at, "/a/path", strlen("/a/path")) == 0;
	ck_assert_uint_eq(n, COUNT);
	free(got);
	free(m);
}
END_TEST

/* What broke off is not closed, and the first failure's reason stays. */
START_TEST(leaves_broken_listings_open)
{
	struct out_style style = { .format = OUT_JSON, .kind = OUT_PATHS };
	char *got = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&got, &len);
	struct out *o = out_open(stream, &style);
	struct err err = { 0 };

	ck_assert_int_eq(out_file(o, &bare), 0);
	ck_assert_int_eq(out_close(o, err_set(&err, ERR_INTERRUPTED, "interrupted"), &err), -1);
	ck_assert_int_eq(err.code, ERR_INTERRUPTED);
	ck_assert_str_eq(err.text, "interrupted");
	fclose(stream);
	ck_assert_uint_gt(len, 2);
	ck_assert_str_eq(got + len - 2, "l}");
	free(got);

	stream = open_memstream(&got, &len);
	o = out_open(stream, &style);
	ck_assert_int_eq(out_close(o, -1, &err), -1);
	fclose(stream);
	ck_assert_uint_eq(len, 0);
	free(got);
}
END_TEST

/* A full disk: noticed at the end when all was buffered, and by out_file when not. */
START_TEST(reports_full_disk)
{
	struct listing l = { .style = { .format = _i / 2, .kind = OUT_PATHS }, .files = { &copied, &copied } };
	FILE *stream = fopen("/dev/full", "w");
	struct err err = { 0 };

	if (stream == NULL)
		return;  /* not a system that has it */
	if (_i % 2 == 1)
		setvbuf(stream, NULL, _IONBF, 0);
	ck_assert_int_eq(print(stream, &l, &err), -1);
	ck_assert_int_eq(err.code, ERR_OUTPUT);
	ck_assert_int_eq(err.sys, ENOSPC);
	ck_assert_str_eq(err.text, "write results: No space left on device");
	fclose(stream);
}
END_TEST

START_TEST(reports_closed_pipe)
{
	struct out_style style = { .format = OUT_FDUPES, .kind = OUT_PATHS };
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);
	int fds[2], n = 0;
	struct out *o;
	struct err err = { 0 };
	FILE *stream;

	ck_assert_int_eq(pipe(fds), 0);
	close(fds[0]);
	stream = fdopen(fds[1], "w");
	ck_assert_ptr_nonnull(stream);
	o = out_open(stream, &style);
	while (n < 1000000 && out_file(o, &bare) == 0)
		n++;
	ck_assert_int_lt(n, 1000000);
	errno = 0;  /* what happens in between does not change the reason */
	ck_assert_int_eq(out_close(o, -1, &err), -1);
	ck_assert_int_eq(err.code, ERR_OUTPUT);
	ck_assert_int_eq(err.sys, EPIPE);
	fclose(stream);
	signal(SIGPIPE, before);
}
END_TEST

START_TEST(names_states)
{
	static const char *const states[] = {
		"dup", "unique", "linked", "empty", "skipped", "unreadable", "changed", "gone", "unknown",
	};
	static const char *const kinds[] = { "copy", "link", "gone", "changed", "excluded", "trash", "backup", "fleeting", "offline", "unreadable", "view" };
	int i;

	ck_assert_int_eq(N_ROWS(states), STATE_COUNT);
	for (i = 0; i < N_ROWS(states); i++)
		ck_assert_str_eq(state_name((enum file_state)i), states[i]);
	ck_assert_int_eq(N_ROWS(kinds), MEMBER_COUNT);
	for (i = 0; i < N_ROWS(kinds); i++)
		ck_assert_str_eq(member_kind_name((enum member_kind)i), kinds[i]);
}
END_TEST

Suite *
suite_out(void)
{
	Suite *s = suite_create("out");
	TCase *tc = tcase_create("out");

	tcase_add_loop_test(tc, prints, 0, N_ROWS(listings));
	tcase_add_loop_test(tc, escapes_json, 0, N_ROWS(json_rows));
	tcase_add_loop_test(tc, encodes_base64, 0, N_ROWS(base64_rows));
	tcase_add_test(tc, names_formats);
	tcase_add_loop_test(tc, prints_long_sets, 0, OUT_NULL + 1);
	tcase_add_test(tc, leaves_broken_listings_open);
	tcase_add_loop_test(tc, reports_full_disk, 0, 2 * (OUT_NULL + 1));
	tcase_add_test(tc, reports_closed_pipe);
	tcase_add_test(tc, names_states);
	suite_add_tcase(s, tc);
	return s;
}
