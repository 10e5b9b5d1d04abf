/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "payload/payload.h"
#include "unit.h"

/* A file in memory, in pieces that are payload, or not. */
struct sample {
	uint8_t data[4096];
	size_t len;
	bool failing;      /* reading it fails */
};

static const uint8_t secret[CONTENT_SECRET_SIZE] = { 1, 2, 3 };

static int64_t
sample_read(void *arg, void *buf, size_t n, int64_t at)
{
	const struct sample *s = arg;
	const size_t left = (size_t)at < s->len ? s->len - (size_t)at : 0;

	if (s->failing) {
		errno = EIO;
		return -1;
	}
	n = n < left ? n : left;
	memcpy(buf, s->data + at, n);
	return (int64_t)n;
}

static void
put(struct sample *s, const char *bytes, size_t n)
{
	memcpy(s->data + s->len, bytes, n);
	s->len += n;
}

#define PUT(s, text) put(s, text, sizeof(text) - 1)

static void
put_be(struct sample *s, uint64_t n, int bytes)
{
	for (int i = bytes - 1; i >= 0; i--)
		s->data[s->len++] = (uint8_t)(n >> (8 * i));
}

static void
fill(struct sample *s, size_t n, uint32_t seed)
{
	for (size_t i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		s->data[s->len++] = (uint8_t)(seed >> 24) & 0x7f;
	}
}

static void
chunk(struct sample *s, const char *type, size_t n, uint32_t seed)
{
	put_be(s, n, 4);
	put(s, type, 4);
	fill(s, n, seed);
	put_be(s, 0, 4);
}

/* tags: 0 without, 1 and 2 with different ones.  content: the payload's number. */
static void
make_jpeg(struct sample *s, int tags, uint32_t content)
{
	PUT(s, "\xff\xd8");
	if (tags > 0) {
		PUT(s, "\xff\xe1\x00\x20");
		fill(s, 30, (uint32_t)tags);
	}
	PUT(s, "\xff\xdb\x00\x0a");
	fill(s, 8, content);
	if (tags > 1)
		PUT(s, "\xff\xfe\x00\x06" "text");
	PUT(s, "\xff\xc0\x00\x06\x08\x01\x01\x01\xff\xda\x00\x04\x01\x01");
	fill(s, 100, content);
	PUT(s, "\xff\x00\xff\xd0");
	fill(s, 50, content);
	/* A comment between two scans, and fill bytes before a marker. */
	if (tags > 1)
		PUT(s, "\xff\xfe\x00\x03" "x");
	PUT(s, "\xff\xda\x00\x04\x02\x02");
	fill(s, 50, content);
	PUT(s, "\xff\xd9");
}

static void
make_png(struct sample *s, int tags, uint32_t content)
{
	PUT(s, "\x89PNG\r\n\x1a\n");
	chunk(s, "IHDR", 13, content);
	if (tags > 0)
		chunk(s, "tEXt", 20, (uint32_t)tags);
	chunk(s, "PLTE", 6, content);
	chunk(s, "tRNS", 2, content);
	chunk(s, "IDAT", 200, content);
	if (tags > 1)
		chunk(s, "tIME", 7, (uint32_t)tags);
	chunk(s, "IEND", 0, 0);
}

static void
make_id3(struct sample *s, int tags)
{
	PUT(s, "ID3\x03\x00\x00\x00\x00\x00\x40");
	fill(s, 64, (uint32_t)tags);
}

static void
make_id3v1(struct sample *s, int tags)
{
	PUT(s, "TAG");
	fill(s, 125, (uint32_t)tags);
}

static void
make_flac(struct sample *s, int tags, uint32_t content)
{
	if (tags > 1)
		make_id3(s, tags);
	PUT(s, "fLaC");
	put_be(s, tags > 0 ? 34 : 0x80000022, 4);
	fill(s, 10, 7);
	fill(s, 24, content);
	if (tags > 0) {
		put_be(s, 0x84000020, 4);
		fill(s, 32, (uint32_t)tags);
	}
	PUT(s, "\xff\xf8");
	fill(s, 300, content);
	if (tags > 1)
		make_id3v1(s, tags);
}

static void
make_mp3(struct sample *s, int tags, uint32_t content)
{
	if (tags > 0)
		make_id3(s, tags);
	if (tags > 1)
		PUT(s, "\0\0\0\0");
	for (int i = 0; i < 4; i++) {
		/* MPEG 1, layer III, 32 kbit/s at 44,100 Hz: 104 bytes. */
		PUT(s, "\xff\xfb\x10\x00");
		fill(s, 100, content + (uint32_t)i);
	}
	if (tags > 1) {
		const char *flags = "\0\0\0\xa0";

		PUT(s, "APETAGEX\xd0\x07\0\0\x2a\0\0\0\1\0\0\0");
		put(s, flags, 4);
		PUT(s, "\0\0\0\0\0\0\0\0");
		fill(s, 10, (uint32_t)tags);
		PUT(s, "APETAGEX\xd0\x07\0\0\x2a\0\0\0\1\0\0\0\0\0\0\x80\0\0\0\0\0\0\0\0");
	}
	if (tags > 0)
		make_id3v1(s, tags);
}

static void
box(struct sample *s, const char *type, size_t n, uint32_t seed)
{
	put_be(s, n + 8, 4);
	put(s, type, 4);
	fill(s, n, seed);
}

/* Begin a box; close_box() writes its size. */
static size_t
open_box(struct sample *s, const char *type)
{
	put_be(s, 0, 4);
	put(s, type, 4);
	return s->len - 8;
}

static void
close_box(struct sample *s, size_t at)
{
	const size_t end = s->len;

	s->len = at;
	put_be(s, end - at, 4);
	s->len = end;
}

/* A film: of two chunks of samples, in a track whose tables are made from a seed. */
struct film {
	int tags;
	uint32_t content, tables;
	bool moov_first, swapped;     /* moov before mdat; the second chunk first */
};

static void
make_moov(struct sample *s, const struct film *film, uint64_t samples)
{
	const size_t moov = open_box(s, "moov");
	size_t trak, mdia, minf, stbl;

	put_be(s, 8 + 72, 4);
	PUT(s, "mvhd\0\0\0\0");
	fill(s, 8, (uint32_t)film->tags);
	put_be(s, 1000, 4);
	put_be(s, (uint64_t)film->tags, 4);
	fill(s, 52, 3);
	trak = open_box(s, "trak");
	box(s, "edts", 20, 5);
	mdia = open_box(s, "mdia");
	minf = open_box(s, "minf");
	stbl = open_box(s, "stbl");
	box(s, "stsz", 24, film->tables);
	put_be(s, 24, 4);
	PUT(s, "stco\0\0\0\0");
	put_be(s, 2, 4);
	put_be(s, samples + (film->swapped ? 100 : 0), 4);
	put_be(s, samples + (film->swapped ? 0 : 100), 4);
	close_box(s, stbl);
	close_box(s, minf);
	close_box(s, mdia);
	close_box(s, trak);
	box(s, "udta", film->tags > 0 ? 80 : 60, (uint32_t)film->tags);
	close_box(s, moov);
}

static void
make_film(struct sample *s, const struct film *film)
{
	struct sample *moov = mem_zalloc(1, sizeof(*moov));

	/* How long it is does not depend on where the samples are. */
	make_moov(moov, film, 0);
	box(s, "ftyp", 12, 1);
	if (film->tags > 1)
		box(s, "free", 40, (uint32_t)film->tags);
	if (film->moov_first)
		make_moov(s, film, s->len + moov->len + 16);
	/* A size of 8 bytes. */
	put_be(s, 1, 4);
	PUT(s, "mdat");
	put_be(s, 316, 8);
	fill(s, 300, film->content);
	if (!film->moov_first)
		make_moov(s, film, s->len - 300);
	free(moov);
}

static void
make_mp4(struct sample *s, int tags, uint32_t content)
{
	make_film(s, &(struct film){ .tags = tags, .content = content, .tables = 9, .moov_first = tags % 2 == 1 });
}

static void (*const makers[PAYLOAD_FORMATS])(struct sample *s, int tags, uint32_t content) = {
	NULL, make_jpeg, make_png, make_flac, make_mp3, make_mp4,
};

/* Parse and hash; the parts lie in the file, one behind the other but for moov. */
static enum payload_format
parsed(struct sample *s, uint8_t hash[HASH_SIZE], int64_t *bytes)
{
	struct payload p;
	enum payload_format format;
	int64_t end = 0, sum = 0;
	bool back = false;

	payload_init(&p, sample_read, s, (int64_t)s->len);
	format = payload_parse(&p);
	for (size_t i = 0; i < p.parts.n; i++) {
		/* mp4 notes moov last, wherever it stands. */
		if (format == PAYLOAD_MP4 && !back && p.parts.v[i].at < end) {
			back = true;
			end = 0;
		}
		if (p.parts.v[i].at < end || p.parts.v[i].len <= 0 || p.parts.v[i].at + p.parts.v[i].len > (int64_t)s->len)
			ck_abort_msg("part %zu is not in the file or not behind the last one", i);
		end = p.parts.v[i].at + p.parts.v[i].len;
		sum += p.parts.v[i].len;
	}
	if (format == PAYLOAD_NONE)
		ck_assert_uint_eq(p.parts.n, 0);
	else if (payload_hash(&p, format, secret, hash, bytes) < 0 || *bytes != sum)
		ck_abort_msg("%lld bytes are hashed, not %lld", (long long)*bytes, (long long)sum);
	payload_release(&p);
	return format;
}

/* Other tags are the same payload, and other content is another one. */
START_TEST(tags)
{
	struct sample *s = mem_zalloc(1, sizeof(*s));
	uint8_t hash[HASH_SIZE], other[HASH_SIZE];
	int64_t bytes = 0, again = 0;

	makers[_i](s, 0, 42);
	ck_assert_int_eq(parsed(s, hash, &bytes), _i);
	ck_assert_int_gt(bytes, 0);
	for (int tag = 1; tag <= 3; tag++) {
		s->len = 0;
		makers[_i](s, tag, 42);
		ck_assert_int_eq(parsed(s, other, &again), _i);
		ck_assert_mem_eq(hash, other, HASH_SIZE);
		ck_assert_int_eq(bytes, again);
		s->len = 0;
		makers[_i](s, tag, 43);
		ck_assert_int_eq(parsed(s, other, &again), _i);
		ck_assert_mem_ne(hash, other, HASH_SIZE);
	}
	free(s);
}
END_TEST

/* What stands behind the end of a picture is no tag. */
START_TEST(behind)
{
	struct sample *s = mem_zalloc(1, sizeof(*s));
	uint8_t hash[HASH_SIZE], other[HASH_SIZE];
	int64_t bytes = 0, more = 0;

	makers[_i](s, 1, 42);
	ck_assert_int_eq(parsed(s, hash, &bytes), _i);
	PUT(s, "a film");
	ck_assert_int_eq(parsed(s, other, &more), _i);
	ck_assert_mem_ne(hash, other, HASH_SIZE);
	ck_assert_int_eq(more, bytes + 6);
	s->len = 0;
	makers[_i](s, 2, 42);
	PUT(s, "a film");
	ck_assert_int_eq(parsed(s, hash, &bytes), _i);
	ck_assert_mem_eq(hash, other, HASH_SIZE);
	free(s);
}
END_TEST

/* What is cut short has no payload, or another one: sound may end anywhere. */
START_TEST(cut)
{
	struct sample *s = mem_zalloc(1, sizeof(*s));
	uint8_t hash[HASH_SIZE], other[HASH_SIZE];
	int64_t bytes = 0;
	size_t len;

	makers[_i](s, 1, 42);
	ck_assert_int_eq(parsed(s, hash, &bytes), _i);
	len = s->len;
	for (s->len = 0; s->len < len; s->len++) {
		const enum payload_format format = parsed(s, other, &bytes);

		/* Without the tag behind it, sound is whole. */
		if (_i == PAYLOAD_MP3 && s->len == len - 128)
			continue;
		if (format != PAYLOAD_NONE && (_i == PAYLOAD_JPEG || _i == PAYLOAD_PNG || _i == PAYLOAD_MP4 || memcmp(hash, other, HASH_SIZE) == 0))
			ck_abort_msg("%zu of %zu bytes have a payload", s->len, len);
	}
	s->len = len;
	s->failing = true;
	ck_assert_int_eq(parsed(s, other, &bytes), PAYLOAD_NONE);
	free(s);
}
END_TEST

/* Random damage: parsing ends, and parts stay in the file. */
START_TEST(fuzz)
{
	struct sample *s = mem_zalloc(1, sizeof(*s));
	uint32_t seed = 4711;
	int n = 0;

	for (int i = 0; i < 5000; i++) {
		uint8_t hash[HASH_SIZE];
		int64_t bytes = 0;

		s->len = 0;
		makers[_i](s, i % 3, 42);
		for (int k = 0; k < 1 + i % 7; k++) {
			seed = seed * 1664525 + 1013904223;
			s->data[(seed >> 8) % s->len] = i % 2 == 0 ? (uint8_t)(seed >> 24) : (uint8_t)((seed >> 24) % 3 == 0 ? 0xff : (seed >> 24) % 3 == 1 ? 0 : 0x7f);
		}
		if (i % 5 == 0)
			s->len = (seed >> 4) % s->len;
		n += parsed(s, hash, &bytes) != PAYLOAD_NONE;
	}
	/* Some are still good, and some are not. */
	ck_assert_int_gt(n, 50);
	ck_assert_int_lt(n, 5000);
	free(s);
}
END_TEST

/* Under one mdat, other tables or another order of chunks are another film. */
START_TEST(films)
{
	struct sample *s = mem_zalloc(1, sizeof(*s));
	uint8_t hash[HASH_SIZE], other[HASH_SIZE];
	int64_t bytes;

	make_film(s, &(struct film){ .content = 42, .tables = 9 });
	ck_assert_int_eq(parsed(s, hash, &bytes), PAYLOAD_MP4);
	s->len = 0;
	make_film(s, &(struct film){ .content = 42, .tables = 9, .moov_first = true });
	ck_assert_int_eq(parsed(s, other, &bytes), PAYLOAD_MP4);
	ck_assert_mem_eq(hash, other, HASH_SIZE);
	s->len = 0;
	make_film(s, &(struct film){ .content = 42, .tables = 10 });
	ck_assert_int_eq(parsed(s, other, &bytes), PAYLOAD_MP4);
	ck_assert_mem_ne(hash, other, HASH_SIZE);
	s->len = 0;
	make_film(s, &(struct film){ .content = 42, .tables = 9, .swapped = true });
	ck_assert_int_eq(parsed(s, other, &bytes), PAYLOAD_MP4);
	ck_assert_mem_ne(hash, other, HASH_SIZE);
	s->len = 0;
	make_moov(s, &(struct film){ .content = 42, .tables = 9 }, 9999);
	box(s, "mdat", 300, 42);
	ck_assert_int_eq(parsed(s, other, &bytes), PAYLOAD_NONE);
	free(s);
}
END_TEST

/* A part of one kind that takes bytes from the next one is another payload. */
START_TEST(framed)
{
	struct sample *s = mem_zalloc(1, sizeof(*s));
	uint8_t hash[HASH_SIZE], other[HASH_SIZE];
	int64_t bytes;

	PUT(s, "\x89PNG\r\n\x1a\n");
	chunk(s, "IHDR", 13, 1);
	put_be(s, 3, 4);
	PUT(s, "PLTEabc\0\0\0\0\0\0\0\3IDATdef\0\0\0\0");
	chunk(s, "IEND", 0, 0);
	ck_assert_int_eq(parsed(s, hash, &bytes), PAYLOAD_PNG);
	s->len = 0;
	PUT(s, "\x89PNG\r\n\x1a\n");
	chunk(s, "IHDR", 13, 1);
	put_be(s, 2, 4);
	PUT(s, "PLTEab\0\0\0\0\0\0\0\4IDATcdef\0\0\0\0");
	chunk(s, "IEND", 0, 0);
	ck_assert_int_eq(parsed(s, other, &bytes), PAYLOAD_PNG);
	ck_assert_mem_ne(hash, other, HASH_SIZE);
	/* How data are divided among chunks does not matter. */
	s->len = 0;
	PUT(s, "\x89PNG\r\n\x1a\n");
	chunk(s, "IHDR", 13, 1);
	put_be(s, 3, 4);
	PUT(s, "PLTEabc\0\0\0\0\0\0\0\1IDATd\0\0\0\0\0\0\0\2IDATef\0\0\0\0");
	chunk(s, "IEND", 0, 0);
	ck_assert_int_eq(parsed(s, other, &bytes), PAYLOAD_PNG);
	ck_assert_mem_eq(hash, other, HASH_SIZE);
	free(s);
}
END_TEST

static const struct {
	const char *name;
	bool may;
} named[] = {
	{ "a.jpg", true }, { "A.JPEG", true }, { "x.tar.png", true }, { "film.MOV", true }, { "song.mp3", true }, { "x.flac", true }, { "m.m4a", true },
	{ "jpg", false }, { "a.jpgx", false }, { "a.", false }, { ".jpg", true }, { "a.txt", false }, { "", false },
};

START_TEST(names)
{
	ck_assert_int_eq(payload_may(named[_i].name), named[_i].may);
}
END_TEST

/* What APP14 of Adobe says of colours is payload. */
START_TEST(adobe)
{
	struct sample *s = mem_zalloc(1, sizeof(*s));
	uint8_t hash[HASH_SIZE], other[HASH_SIZE];
	int64_t bytes;

	for (int i = 0; i < 2; i++) {
		s->len = 0;
		PUT(s, "\xff\xd8\xff\xee\x00\x0e" "Adobe\0\x64\0\0\0\0");
		s->data[s->len++] = (uint8_t)i;
		PUT(s, "\xff\xc2\x00\x02\xff\xda\x00\x02" "data\xff\xd9");
		ck_assert_int_eq(parsed(s, i == 0 ? hash : other, &bytes), PAYLOAD_JPEG);
	}
	ck_assert_mem_ne(hash, other, HASH_SIZE);
	free(s);
}
END_TEST

Suite *
suite_payload(void)
{
	Suite *s = suite_create("payload");
	TCase *tc = tcase_create("payload");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, tags, PAYLOAD_JPEG, PAYLOAD_FORMATS);
	tcase_add_loop_test(tc, cut, PAYLOAD_JPEG, PAYLOAD_FORMATS);
	tcase_add_loop_test(tc, behind, PAYLOAD_JPEG, PAYLOAD_PNG + 1);
	tcase_add_loop_test(tc, fuzz, PAYLOAD_JPEG, PAYLOAD_FORMATS);
	tcase_add_test(tc, films);
	tcase_add_test(tc, framed);
	tcase_add_test(tc, adobe);
	tcase_add_loop_test(tc, names, 0, (int)(sizeof(named) / sizeof(named[0])));
	suite_add_tcase(s, tc);
	return s;
}
