/* SPDX-License-Identifier: MIT */
/*
 * Hides libgcrypt, whose digests use the processor's instructions for SHA.  It is as fast as
 * OpenSSL's libcrypto, and every start of the program waits a fifth of the time for it to be
 * loaded: 0.2 ms and 1.0 ms.
 */
#include "base/base.h"

#include "sys/digest.h"

#include <strings.h>

#ifdef HAVE_LIBGCRYPT
#include <gcrypt.h>
#include <pthread.h>
#define DIGEST_GCRYPT(id) id
#else
#define DIGEST_GCRYPT(id) 0
#endif

static const struct digest_facts {
	const char *name;
	size_t size;
	int algorithm;  /* libgcrypt's number */
} digest_facts[DIGEST_NONE] = {
	[DIGEST_MD5] = { "md5", 16, DIGEST_GCRYPT(GCRY_MD_MD5) },
	[DIGEST_SHA1] = { "sha1", 20, DIGEST_GCRYPT(GCRY_MD_SHA1) },
	[DIGEST_SHA256] = { "sha256", 32, DIGEST_GCRYPT(GCRY_MD_SHA256) },
	[DIGEST_SHA512] = { "sha512", 64, DIGEST_GCRYPT(GCRY_MD_SHA512) },
	[DIGEST_BLAKE2B] = { "blake2b", 64, DIGEST_GCRYPT(GCRY_MD_BLAKE2B_512) },
	[DIGEST_TWINDEX] = { "twindex", 16, 0 },
};

const char *
digest_name(enum digest_kind kind)
{
	assert((unsigned)kind < DIGEST_NONE);
	return digest_facts[kind].name;
}

size_t
digest_size(enum digest_kind kind)
{
	assert((unsigned)kind < DIGEST_NONE);
	return digest_facts[kind].size;
}

size_t
digest_sizes(unsigned kinds)
{
	size_t sum = 0;

	for (int i = 0; i < DIGEST_KINDS; i++)
		sum += (kinds & DIGEST_BIT(i)) != 0 ? digest_facts[i].size : 0;
	return sum;
}

enum digest_kind
digest_find(const char *name, size_t len)
{
	int kind = 0;

	while (kind < DIGEST_NONE && (strlen(digest_facts[kind].name) != len || strncasecmp(digest_facts[kind].name, name, len) != 0))
		kind++;
	return (enum digest_kind)kind;
}

int
digest_check(unsigned kinds, struct err *err)
{
	struct digest *d = digest_new(kinds, err);

	digest_free(d);
	return d != NULL ? 0 : -1;
}

int
digest_fail(struct err *err)
{
	return err_set(err, ERR_USAGE, "this twindex was built without libgcrypt, which computes digests: install it (Debian: libgcrypt20-dev) and "
	                               "build again");
}

#ifdef HAVE_LIBGCRYPT

struct digest {
	unsigned kinds;
	gcry_md_hd_t state;  /* of all kinds */
};

static pthread_once_t digest_once = PTHREAD_ONCE_INIT;

/* Before all other calls: without memory that is locked, for no secret is digested. */
static void
digest_begin(void)
{
	gcry_check_version(NULL);
	gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
	gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

bool
digest_can(void)
{
	return true;
}

const char *
digest_library(void)
{
	pthread_once(&digest_once, digest_begin);
	return gcry_check_version(NULL);
}

struct digest *
digest_new(unsigned kinds, struct err *err)
{
	struct digest *d = mem_zalloc(1, sizeof(*d));

	assert(kinds != 0 && kinds < DIGEST_BIT(DIGEST_KINDS));
	pthread_once(&digest_once, digest_begin);
	d->kinds = kinds;
	if (gcry_md_open(&d->state, 0, 0) != 0)
		mem_out();
	for (int i = 0; i < DIGEST_KINDS; i++) {
		/* In the mode of FIPS 140 it has no MD5. */
		if ((kinds & DIGEST_BIT(i)) != 0 && gcry_md_enable(d->state, digest_facts[i].algorithm) != 0) {
			err_set(err, ERR_SYS, "libgcrypt, as it is set up here, computes no %s", digest_facts[i].name);
			digest_free(d);
			return NULL;
		}
	}
	return d;
}

void
digest_free(struct digest *d)
{
	if (d == NULL)
		return;
	gcry_md_close(d->state);
	free(d);
}

void
digest_start(struct digest *d)
{
	gcry_md_reset(d->state);
}

void
digest_add(struct digest *d, const void *data, size_t len)
{
	gcry_md_write(d->state, data, len);
}

void
digest_end(struct digest *d, uint8_t *bytes)
{
	for (int i = 0; i < DIGEST_KINDS; i++) {
		if ((d->kinds & DIGEST_BIT(i)) == 0)
			continue;
		memcpy(bytes, gcry_md_read(d->state, digest_facts[i].algorithm), digest_facts[i].size);
		bytes += digest_facts[i].size;
	}
}

#else

bool
digest_can(void)
{
	return false;
}

const char *
digest_library(void)
{
	return "none";
}

struct digest *
digest_new(unsigned kinds, struct err *err)
{
	(void)kinds;
	digest_fail(err);
	return NULL;
}

void
digest_free(struct digest *d)
{
	(void)d;
}

void
digest_start(struct digest *d)
{
	(void)d;
}

void
digest_add(struct digest *d, const void *data, size_t len)
{
	(void)d;
	(void)data;
	(void)len;
}

void
digest_end(struct digest *d, uint8_t *bytes)
{
	(void)d;
	(void)bytes;
}

#endif
