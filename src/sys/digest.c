/* SPDX-License-Identifier: MIT */
/*
 * Hides libgcrypt, whose digests use the processor's instructions for SHA.  It is as fast as
 * OpenSSL's libcrypto, which takes 1.0 ms to be loaded, where libgcrypt takes 0.2 ms.  It is loaded
 * for the first digest, so that no other start of the program waits for it.
 */
#include "base/base.h"

#include "sys/digest.h"

#include <strings.h>

#ifdef HAVE_LIBGCRYPT
#include <gcrypt.h>
#include <pthread.h>

#include "sys/library.h"
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

#ifdef HAVE_LIBGCRYPT

struct digest {
	unsigned kinds;
	gcry_md_hd_t state;  /* of all kinds */
};

static struct digest_library {
	const char *(*check_version)(const char *);
	gcry_error_t (*control)(enum gcry_ctl_cmds, ...);
	gcry_error_t (*open)(gcry_md_hd_t *, int, unsigned);
	void (*close)(gcry_md_hd_t);
	gcry_error_t (*enable)(gcry_md_hd_t, int);
	void (*reset)(gcry_md_hd_t);
	void (*write)(gcry_md_hd_t, const void *, size_t);
	unsigned char *(*read)(gcry_md_hd_t, int);
} gcrypt;

static const struct library_function digest_functions[] = {
	GCRYPT_FUNCTION(gcrypt.check_version, gcry_check_version),
	GCRYPT_FUNCTION(gcrypt.control, gcry_control),
	GCRYPT_FUNCTION(gcrypt.open, gcry_md_open),
	GCRYPT_FUNCTION(gcrypt.close, gcry_md_close),
	GCRYPT_FUNCTION(gcrypt.enable, gcry_md_enable),
	GCRYPT_FUNCTION(gcrypt.reset, gcry_md_reset),
	GCRYPT_FUNCTION(gcrypt.write, gcry_md_write),
	GCRYPT_FUNCTION(gcrypt.read, gcry_md_read),
};

static pthread_once_t digest_once = PTHREAD_ONCE_INIT;
/* Why it could not be loaded. */
static struct err digest_error;

/* Before all other calls: without memory that is locked, for no secret is digested. */
static void
digest_begin(void)
{
	if (library_load(GCRYPT_FILE, digest_functions, sizeof(digest_functions) / sizeof(digest_functions[0]), &digest_error) < 0)
		return;
	gcrypt.check_version(NULL);
	gcrypt.control(GCRYCTL_DISABLE_SECMEM, 0);
	gcrypt.control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

bool
digest_can(void)
{
	pthread_once(&digest_once, digest_begin);
	return digest_error.code == ERR_NONE;
}

int
digest_fail(struct err *err)
{
	return err_set(err, ERR_USAGE, "libgcrypt, which computes digests, cannot be loaded: install it (Debian: libgcrypt20): %s",
	               digest_error.text);
}

const char *
digest_library(void)
{
	return digest_can() ? gcrypt.check_version(NULL) : "none";
}

struct digest *
digest_new(unsigned kinds, struct err *err)
{
	struct digest *d;

	assert(kinds != 0 && kinds < DIGEST_BIT(DIGEST_KINDS));
	if (!digest_can()) {
		digest_fail(err);
		return NULL;
	}
	d = mem_zalloc(1, sizeof(*d));
	d->kinds = kinds;
	if (gcrypt.open(&d->state, 0, 0) != 0)
		mem_out();
	for (int i = 0; i < DIGEST_KINDS; i++) {
		/* In the mode of FIPS 140 it has no MD5. */
		if ((kinds & DIGEST_BIT(i)) != 0 && gcrypt.enable(d->state, digest_facts[i].algorithm) != 0) {
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
	gcrypt.close(d->state);
	free(d);
}

void
digest_start(struct digest *d)
{
	gcrypt.reset(d->state);
}

void
digest_add(struct digest *d, const void *data, size_t len)
{
	gcrypt.write(d->state, data, len);
}

void
digest_end(struct digest *d, uint8_t *bytes)
{
	for (int i = 0; i < DIGEST_KINDS; i++) {
		if ((d->kinds & DIGEST_BIT(i)) == 0)
			continue;
		memcpy(bytes, gcrypt.read(d->state, digest_facts[i].algorithm), digest_facts[i].size);
		bytes += digest_facts[i].size;
	}
}

#else

bool
digest_can(void)
{
	return false;
}

int
digest_fail(struct err *err)
{
	return err_set(err, ERR_USAGE, "this twindex was built without libgcrypt, which computes digests: install it (Debian: libgcrypt20-dev) and "
	                               "build again");
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
