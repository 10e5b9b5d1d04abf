/* SPDX-License-Identifier: MIT */
/* Finds the functions of libarchive by name, once. */
#include "base/base.h"

#include "archive/libarchive.h"

#ifdef HAVE_LIBARCHIVE
#include <pthread.h>

#include "archive/libarchive_functions.h"
#include "sys/library.h"

struct libarchive la;

#define LIBARCHIVE_FUNCTION(function) ARCHIVE_FUNCTION(la.function, function),
static const struct library_function libarchive_functions[] = { LIBARCHIVE_FUNCTIONS(LIBARCHIVE_FUNCTION) };

static pthread_once_t libarchive_once = PTHREAD_ONCE_INIT;
/* Why it could not be loaded. */
static struct err libarchive_error;

static void
libarchive_begin(void)
{
	(void)library_load(ARCHIVE_FILE, libarchive_functions, sizeof(libarchive_functions) / sizeof(libarchive_functions[0]), &libarchive_error);
}

bool
libarchive_can(void)
{
	pthread_once(&libarchive_once, libarchive_begin);
	return libarchive_error.code == ERR_NONE;
}

int
libarchive_fail(struct err *err)
{
	return err_set(err, ERR_USAGE, "libarchive, which reads archives, cannot be loaded: install it (Debian: libarchive13): %s", libarchive_error.text);
}

const char *
libarchive_version(void)
{
	/* "libarchive 3.6.2" */
	static const char name[] = "libarchive ";
	const char *version;

	if (!libarchive_can())
		return "none";
	version = la.archive_version_string();
	return strncmp(version, name, sizeof(name) - 1) == 0 ? version + sizeof(name) - 1 : version;
}

#else

bool
libarchive_can(void)
{
	return false;
}

int
libarchive_fail(struct err *err)
{
	return err_set(err, ERR_USAGE, "this twindex was built without libarchive, which reads archives: install it (Debian: libarchive-dev) and "
	               "build again");
}

const char *
libarchive_version(void)
{
	return "none";
}

#endif
