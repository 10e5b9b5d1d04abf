/* SPDX-License-Identifier: MIT */
/* Listings as other programs write them, damaged ones, and any bytes at all. */
#include "base/base.h"

#include <unistd.h>

#include "db/db.h"
#include "fixture.h"
#include "import/import.h"
#include "unit.h"

#define SHA256_A "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7"
#define MD5_A "60b725f10c9c85c70d97880dfe8191b3"
#define SHA1_A "3f786850e387550fdab836ed7e6dc881de23001b"

static char path[64];
static struct db *db;

static void
setup(void)
{
	struct err err = { 0 };

	fixture_temp_file(path, sizeof(path));
	ck_assert_msg(db_open(&db, path, DB_WRITE | DB_NO_WAL, &err) == 0, "%s", err.text);
}

static void
teardown(void)
{
	db_close(db);
	fixture_remove_db(path);
}

/* What was read, a line a file: name, size, time, kind and the first byte of the digest. */
static struct buf got;

static int
take(void *arg, const struct claim *c, struct err *err)
{
	(void)arg;
	(void)err;
	ck_assert_uint_gt(c->name_len, 0);
	ck_assert_ptr_null(memchr(c->name, '\0', c->name_len));
	buf_add(&got, c->name, c->name_len);
	buf_addf(&got, "|%lld|%lld|", (long long)c->size, (long long)(c->mtime == INT64_MIN ? -1 : c->mtime));
	if (c->kind != DIGEST_NONE)
		buf_addf(&got, "%s %02x", digest_name(c->kind), c->digest[0]);
	buf_addc(&got, '\n');
	return 0;
}

static void
bad(void *arg, int64_t line, const char *why)
{
	(void)arg;
	buf_addf(&got, "bad %lld: %s\n", (long long)line, why);
}

/* Read a text as a listing; im->bad and the like are there then. */
static int
read_text(struct import *im, const char *text, size_t len, struct err *err)
{
	FILE *f = tmpfile();
	int ret;

	ck_assert_ptr_nonnull(f);
	if (len > 0)
		ck_assert_uint_eq(fwrite(text, 1, len, f), len);
	rewind(f);
	buf_cut(&got, 0);
	im->parser.db = db;
	im->source.fd = fileno(f);
	im->source.name = "list";
	im->file = take;
	im->bad_record = bad;
	ret = import_run(im, err);
	fclose(f);
	return ret;
}

static const struct sample {
	enum import_kind kind;
	const char *text, *want;
} samples[] = {
	{ IMPORT_SUMS, SHA256_A "  a b\n# all\n\n\\" SHA256_A " *x\\\\y\\nz\\r\n", "a b|-1|-1|sha256 87\nx\\y\nz\r|-1|-1|sha256 87\n" },
	{ IMPORT_SUMS, MD5_A "  a\r\n" MD5_A "  b\r\n", "a|-1|-1|md5 60\nb|-1|-1|md5 60\n" },
	{ IMPORT_SUMS, "SHA256 (a (1) = b) = " SHA256_A "\n\\SHA1 (q\\nr) = " SHA1_A "\nMD5(o)= " MD5_A "\n",
	  "a (1) = b|-1|-1|sha256 87\nq\nr|-1|-1|sha1 3f\no|-1|-1|md5 60\n" },
	{ IMPORT_HASHDEEP, "%%%% HASHDEEP-1.0\n%%%% size,md5,sha256,filename\n## Invoked from: /\n2," MD5_A "," SHA256_A ",/a, b\"c\n",
	  "/a, b\"c|2|-1|sha256 87\n" },
	{ IMPORT_EFU, "\xef\xbb\xbf" "Filename,Size,Date Modified,Date Created,Attributes\r\n"
	              "\"C:\\a, b.txt\",2,133487140450000000,133487140450000000,32\r\n\"C:\\d\",,133487140450000000,,16\r\n",
	  "C:\\a, b.txt|2|1704240445|\n" },
	{ IMPORT_S3, "\"b\",\"a%20b%2Fc+d\",\"2\",\"2024-01-02T03:04:05.000Z\",\"" MD5_A "\"\n\"b\",\"dir/\",\"0\"\n", "a b/c d|2|-1|\n" },
	{ IMPORT_S3, "\"b\",\"k\",\"v1\",\"true\",\"false\",\"7\",\"2024\",\"e\"\n\"b\",\"k\",\"v0\",\"false\",\"false\",\"6\",\"2024\",\"e\"\n"
	             "\"b\",\"gone\",\"v2\",\"true\",\"true\",\"\",\"2024\",\"\"\n", "k|7|-1|\n" },
	{ IMPORT_RESTIC, "{\"time\":\"2024-01-02T03:04:05Z\",\"tree\":\"t\",\"paths\":[\"/p\"],\"struct_type\":\"snapshot\"}\n"
	                 "{\"name\":\"p\",\"type\":\"dir\",\"path\":\"/p\",\"struct_type\":\"node\"}\n"
	                 "{\"name\":\"e\",\"type\":\"file\",\"path\":\"/p/e\",\"mtime\":\"2024-01-02T03:04:05Z\",\"struct_type\":\"node\"}\n"
	                 "{\"name\":\"f\",\"type\":\"file\",\"path\":\"/p/f\",\"size\":2,\"mtime\":\"2024-01-02T03:04:05.5Z\",\"struct_type\":\"node\"}\n",
	  "/p/e|0|1704164645|\n/p/f|2|1704164645|\n" },
	{ IMPORT_BORG, "{\"type\": \"d\", \"path\": \"p\", \"size\": 0}\n{\"type\": \"-\", \"path\": \"p/f\", \"size\": 2, \"sha256\": \"" SHA256_A "\"}\n",
	  "p/f|2|-1|sha256 87\n" },
	{ IMPORT_LSJSON, "[\n{\"Path\":\"d\",\"Size\":-1,\"ModTime\":\"2024-01-02T03:04:05Z\",\"IsDir\":true},\n"
	                 "{\"Path\":\"d/\\\"{x\",\"Size\":2,\"ModTime\":\"2024-01-02T04:04:05.123456789+01:00\",\"IsDir\":false,"
	                 "\"Hashes\":{\"md5\":\"" MD5_A "\",\"sha1\":\"" SHA1_A "\"}},\n{\"Path\":\"doc\",\"Size\":-1,\"IsDir\":false}\n]\n",
	  "d/\"{x|2|1704164645|sha1 3f\ndoc|-1|-1|\n" },
	{ IMPORT_LSJSON, "[{\n  \"Path\": \"a\",\n  \"Size\": 2\n}]", "a|2|-1|\n" },
	{ IMPORT_LSJSON, "[\n]\n", "" },
	{ IMPORT_CSV, "path,size,md5,sha256,mtime\r\na,2," MD5_A "," SHA256_A ",7\r\n\"q\"\"\r\n\",,,,\r\npath,size,md5,sha256,mtime\r\nb,3,,,x\r\n",
	  "a|2|7|sha256 87\nq\"\r\n|-1|-1|\nb|3|-1|\n" },
	{ IMPORT_CSV, "hash_hi,hash_lo,hash_id,size,dir,name,name_raw\n-1,0,0,1,/d,n,\n1,-9223372036854775808,0,1,/,x,/w==\n1,2,3,1,,y,\n",
	  "/d/n|1|-1|twindex ff\n/\xff|1|-1|twindex 00\ny|1|-1|\n" },
	{ IMPORT_CSV, "kind,state,size,path\nfile,gone,1,x\nfile,dup,2,y\ndir,,,z\n", "y|2|-1|\n" },
};

START_TEST(understood)
{
	const struct sample *s = &samples[_i];
	struct import im = { .parser.digest = DIGEST_NONE };
	struct err err = { 0 };

	ck_assert_msg(read_text(&im, s->text, strlen(s->text), &err) == 0, "%s", err.text);
	ck_assert_int_eq(im.kind, s->kind);
	ck_assert_str_eq(buf_str(&got), s->want);
	buf_release(&got);
}
END_TEST

static const struct refusal {
	enum import_kind kind;
	const char *text, *why;
} refusals[] = {
	{ IMPORT_GUESS, "", "'list' is empty" },
	{ IMPORT_GUESS, "hello\n", "--kind says" },
	{ IMPORT_GUESS, "\x1f\x8b\x08\x01", "is compressed" },
	{ IMPORT_GUESS, "{\"a\":1}\n", "--kind says" },
	{ IMPORT_GUESS, SHA256_A SHA256_A "  a\n", "'list':1: a checksum of 128 digits may be sha512 or blake2b" },
	{ IMPORT_GUESS, MD5_A "  a\n" MD5_A "x  b\n", "1 of 2 records were not understood as sums" },
	{ IMPORT_GUESS, "[{\"Path\":\"a\",\"Size\":1}", "'list':1: it ends within the array" },
	{ IMPORT_GUESS, "[\n{\"Path\":\"a", "'list':2: it ends within an object" },
	{ IMPORT_GUESS, "[{\"Path\":\"a\",\"Size\":1}]\n\nx", "'list':3: it is no JSON array" },
	{ IMPORT_GUESS, "[1,2]", "it is no JSON array" },
	{ IMPORT_SUMS, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n", "none of its first 10 records is one of sums" },
	{ IMPORT_HASHDEEP, "2," MD5_A ",/a\n", "1 of 1 record was not understood" },
};

START_TEST(refused)
{
	const struct refusal *r = &refusals[_i];
	struct import im = { .kind = r->kind, .parser.digest = DIGEST_NONE };
	struct err err = { 0 };

	ck_assert_int_eq(read_text(&im, r->text, strlen(r->text), &err), -1);
	ck_assert_msg(strstr(err.text, r->why) != NULL, "'%s' lacks '%s'", err.text, r->why);
	ck_assert_int_eq(err.code, ERR_USAGE);
	buf_release(&got);
}
END_TEST

/* A record each that is bad, of a kind, and why. */
static const struct refusal bads[] = {
	{ IMPORT_SUMS, MD5_A "0  a", "of no use" },
	{ IMPORT_SUMS, "SHA256 (a) = " MD5_A, "not as long" },
	{ IMPORT_SUMS, "CRC (a) = " MD5_A, "of no use" },
	{ IMPORT_SUMS, "\\" MD5_A "  a\\x", "escape" },
	{ IMPORT_LSJSON, "{\"Path\":\"a\",\"Size\":-2}", "number of bytes" },
	{ IMPORT_LSJSON, "{\"Path\":\"a\",\"Size\":9223372036854775808}", "number of bytes" },
	{ IMPORT_LSJSON, "{\"Path\":\"a\\u0000b\",\"Size\":1}", "NUL" },
	{ IMPORT_LSJSON, "{\"Path\":\"\",\"Size\":1}", "empty" },
	{ IMPORT_LSJSON, "{\"path\":\"a\",\"Size\":1}", "no path" },
	{ IMPORT_LSJSON, "{\"Path\":\"a\",\"Size\":1,\"Hashes\":{\"md5\":\"abc\"}}", "not as long" },
	{ IMPORT_BORG, "{\"type\":\"-\",\"path\":\"a\",\"size\":\"2\"}", "number of bytes" },
	{ IMPORT_BORG, "{\"type\":\"-\",\"path\":", "no JSON" },
	{ IMPORT_S3, "\"b\",\"k%2\",\"1\"", "URL" },
	{ IMPORT_S3, "\"b\",\"k\",\"9223372036854775808\"", "number of bytes" },
	{ IMPORT_S3, "\"b\",\"k", "quote" },
};

START_TEST(bad_records)
{
	const struct refusal *r = &bads[_i];
	struct claim claim = { .size = -1, .kind = DIGEST_NONE };
	struct parser p = { .db = db, .digest = DIGEST_NONE };
	static parse_fn *const fns[] = { [IMPORT_SUMS] = sums_parse, [IMPORT_LSJSON] = lsjson_parse, [IMPORT_BORG] = borg_parse, [IMPORT_S3] = s3_parse };
	struct err err = { 0 };
	struct buf copy = { 0 };

	buf_adds(&copy, r->text);
	ck_assert_int_eq(fns[r->kind](&p, copy.data, copy.len, &claim, &err), ENTRY_BAD);
	ck_assert_msg(strstr(p.why, r->why) != NULL, "%s: %s", r->text, p.why);
	buf_release(&copy);
	buf_release(&p.text);
}
END_TEST

/* A NUL in a line, names that are no UTF-8, and lines without end. */
START_TEST(bytes)
{
	struct import im = { .parser.digest = DIGEST_NONE };
	struct err err = { 0 };
	struct buf text = { 0 };

	for (int i = 0; i < 200; i++)
		buf_addf(&text, "%s  f%d\n", MD5_A, i);
	buf_adds(&text, MD5_A "  \xff\xfe\n" MD5_A "  a");
	buf_add(&text, "\0b\n", 3);
	buf_adds(&text, MD5_A "  last");
	ck_assert_msg(read_text(&im, text.data, text.len, &err) == 0, "%s", err.text);
	ck_assert_int_eq(im.bad, 1);
	ck_assert_int_eq(im.records, 203);
	ck_assert(im.source.unended);
	ck_assert_ptr_nonnull(strstr(buf_str(&got), "\xff\xfe|"));
	ck_assert_ptr_nonnull(strstr(buf_str(&got), "bad 202: there is a NUL in it"));
	/* Longer than any record: it is skipped to its end. */
	buf_cut(&text, 0);
	for (int i = 0; i < 200; i++)
		buf_addf(&text, "%s  f%d\n", MD5_A, i);
	buf_adds(&text, MD5_A "  ");
	for (int i = 0; i < SOURCE_MOST / 8; i++)
		buf_adds(&text, "12345678");
	buf_adds(&text, "\n" MD5_A "  after\n");
	im = (struct import){ .parser.digest = DIGEST_NONE };
	ck_assert_msg(read_text(&im, text.data, text.len, &err) == 0, "%s", err.text);
	ck_assert_ptr_nonnull(strstr(buf_str(&got), "bad 201: it is too long\nafter|"));
	buf_release(&text);
	buf_release(&got);
}
END_TEST

/* Bytes of a sample changed, doubled and dropped, as a small generator says: nothing crashes. */
START_TEST(mutated)
{
	const struct sample *s = &samples[_i];
	uint32_t seed = 1 + (uint32_t)_i;
	struct buf text = { 0 };

	for (int round = 0; round < 60; round++) {
		struct import im = { .kind = round % 2 == 0 ? s->kind : IMPORT_GUESS, .parser.digest = DIGEST_NONE };
		struct err err = { 0 };

		buf_cut(&text, 0);
		buf_adds(&text, s->text);
		for (int n = 0; n < 1 + round % 5 && text.len > 0; n++) {
			seed = seed * 1664525 + 1013904223;
			text.data[(seed >> 8) % text.len] = (char)"\0\n\"\\,{}[] (%*=\xff" "0a"[(seed >> 4) % 18];
			if (seed % 7 == 0)
				buf_cut(&text, (seed >> 9) % (text.len + 1));
		}
		if (read_text(&im, text.data, text.len, &err) < 0)
			ck_assert_uint_gt(strlen(err.text), 0);
	}
	buf_release(&text);
	buf_release(&got);
}
END_TEST

Suite *
suite_import(void)
{
	Suite *s = suite_create("import");
	TCase *t = tcase_create("listings");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, understood, 0, N_ROWS(samples));
	tcase_add_loop_test(t, refused, 0, N_ROWS(refusals));
	tcase_add_loop_test(t, bad_records, 0, N_ROWS(bads));
	tcase_add_test(t, bytes);
	tcase_add_loop_test(t, mutated, 0, N_ROWS(samples));
	suite_add_tcase(s, t);
	return s;
}
