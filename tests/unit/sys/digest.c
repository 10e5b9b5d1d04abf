/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "fixture.h"
#include "sys/content.h"
#include "sys/digest.h"
#include "unit.h"

/* A message is repeated, as in the vectors of a million of "a". */
static const struct vector {
	enum digest_kind kind;
	const char *message;
	int times;
	const char *hex;
} vectors[] = {
	/* RFC 1321, A.5. */
	{ DIGEST_MD5, "", 1, "d41d8cd98f00b204e9800998ecf8427e" },
	{ DIGEST_MD5, "abc", 1, "900150983cd24fb0d6963f7d28e17f72" },
	{ DIGEST_MD5, "1234567890", 8, "57edf4a22be3c955ac49da2e2107b67a" },
	/* FIPS 180-4, the examples of NIST. */
	{ DIGEST_SHA1, "abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d" },
	{ DIGEST_SHA1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, "84983e441c3bd26ebaae4aa1f95129e5e54670f1" },
	{ DIGEST_SHA1, "a", 1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f" },
	{ DIGEST_SHA256, "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ DIGEST_SHA256, "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ DIGEST_SHA256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	{ DIGEST_SHA256, "a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
	{ DIGEST_SHA512, "abc", 1,
	  "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f" },
	{ DIGEST_SHA512, "a", 1000000,
	  "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973ebde0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b" },
	/* RFC 7693, Appendix A. */
	{ DIGEST_BLAKE2B, "abc", 1,
	  "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923" },
};

static bool
has_hex(const uint8_t *bytes, size_t size, const char *hex)
{
	struct buf b = { 0 };
	bool same;

	buf_add_hex(&b, bytes, size);
	same = strcmp(buf_str(&b), hex) == 0;
	buf_release(&b);
	return same;
}

START_TEST(standard)
{
	const struct vector *v = &vectors[_i];
	uint8_t bytes[DIGEST_MOST];
	struct err err = { 0 };
	struct digest *d;

	if (!digest_can())
		return;
	d = digest_new(DIGEST_BIT(v->kind), &err);
	ck_assert_ptr_nonnull(d);
	/* What came before does not count. */
	digest_start(d);
	digest_add(d, "other", 5);
	digest_start(d);
	for (int i = 0; i < v->times; i++)
		digest_add(d, v->message, strlen(v->message));
	digest_end(d, bytes);
	ck_assert_msg(has_hex(bytes, digest_size(v->kind), v->hex), "%s of '%s'", digest_name(v->kind), v->message);
	digest_free(d);
}
END_TEST

/* Several stand in the order of their kinds. */
START_TEST(several)
{
	const unsigned kinds = DIGEST_BIT(DIGEST_SHA256) | DIGEST_BIT(DIGEST_MD5);
	uint8_t bytes[DIGEST_ALL_BYTES];
	struct err err = { 0 };
	struct digest *d;

	ck_assert_uint_eq(digest_sizes(kinds), 48);
	ck_assert_uint_eq(digest_sizes(DIGEST_BIT(DIGEST_KINDS) - 1), DIGEST_ALL_BYTES);
	if (!digest_can())
		return;
	d = digest_new(kinds, &err);
	ck_assert_ptr_nonnull(d);
	digest_start(d);
	digest_add(d, "ab", 2);
	digest_add(d, "c", 1);
	digest_end(d, bytes);
	ck_assert(has_hex(bytes, 16, "900150983cd24fb0d6963f7d28e17f72"));
	ck_assert(has_hex(bytes + 16, 32, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
	digest_free(d);
}
END_TEST

START_TEST(named)
{
	for (int i = 0; i < DIGEST_KINDS; i++) {
		const char *name = digest_name((enum digest_kind)i);

		ck_assert_int_eq(digest_find(name, strlen(name)), i);
		ck_assert_uint_le(digest_size((enum digest_kind)i), DIGEST_MOST);
	}
	ck_assert_int_eq(digest_find("sha256", 3), DIGEST_NONE);
	ck_assert_int_eq(digest_find("SHA256", 6), DIGEST_SHA256);
	ck_assert_int_eq(digest_find("", 0), DIGEST_NONE);
}
END_TEST

START_TEST(lacking)
{
	struct err err = { 0 };

	if (digest_can())
		return;
	ck_assert_ptr_null(digest_new(DIGEST_BIT(DIGEST_MD5), &err));
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.text, "libgcrypt"));
}
END_TEST

static const int64_t sizes[] = { 1, 4096, 4097, 131073, 262144, 262145, 1000003, 3000000 };

/* What content reads it digests: all bytes, also those of holes, once. */
START_TEST(of_files)
{
	static const uint8_t secret[CONTENT_SECRET_SIZE] = { 1 };
	const size_t size = (size_t)sizes[_i];
	uint8_t *data = mem_zalloc(size, 1), want[32], got[32], unread[HASH_SIZE];
	struct content_reader reader;
	struct content_result res;
	struct err err = { 0 };
	struct fs_stat st;
	struct digest *d;
	char dir[64];
	int at, fd;

	if (!digest_can())
		return;
	fixture_temp_dir(dir, sizeof(dir));
	at = open(dir, O_RDONLY | O_DIRECTORY);
	fd = openat(at, "f", O_RDWR | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	/* Zeros at the start that lie nowhere, if there are enough. */
	data[size - 1] = 7;
	ck_assert_int_eq((int)pwrite(fd, data + size - 1, 1, (off_t)size - 1), 1);
	d = digest_new(DIGEST_BIT(DIGEST_SHA256), &err);
	ck_assert_ptr_nonnull(d);
	digest_start(d);
	digest_add(d, data, size);
	digest_end(d, want);

	content_reader_init(&reader, secret, (struct fs_time){ 0, 0 });
	content_read(&reader, at, "f", CONTENT_FULL, &st, &res);
	ck_assert(res.has_hash);
	memcpy(unread, res.hash, HASH_SIZE);
	reader.digests = d;
	reader.zeros = content_zeros_new();
	for (int i = 0; i < 2; i++) {
		content_read(&reader, at, "f", CONTENT_FULL, &st, &res);
		ck_assert(res.has_hash);
		ck_assert_mem_eq(res.hash, unread, HASH_SIZE);
		digest_end(d, got);
		ck_assert_mem_eq(got, want, sizeof(want));
	}
	content_zeros_free(reader.zeros);
	content_reader_release(&reader);
	digest_free(d);
	free(data);
	close(fd);
	unlinkat(at, "f", 0);
	close(at);
	rmdir(dir);
}
END_TEST

Suite *
suite_digest(void)
{
	Suite *s = suite_create("digest");
	TCase *c = tcase_create("digest");

	tcase_add_loop_test(c, standard, 0, N_ROWS(vectors));
	tcase_add_test(c, several);
	tcase_add_test(c, named);
	tcase_add_test(c, lacking);
	tcase_add_loop_test(c, of_files, 0, N_ROWS(sizes));
	suite_add_tcase(s, c);
	return s;
}
