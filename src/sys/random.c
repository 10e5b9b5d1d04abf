/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/random.h"

#include <fcntl.h>
#include <unistd.h>
#ifdef HAVE_GETRANDOM
#include <sys/random.h>
#endif

int
random_fill(void *data, size_t len)
{
#ifdef HAVE_GETRANDOM
	const ssize_t n = getrandom(data, len, 0);
#else
	const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd >= 0 ? read(fd, data, len) : -1;

	if (fd >= 0)
		close(fd);
#endif
	if (n >= 0 && (size_t)n < len)
		errno = EIO;
	return n == (ssize_t)len ? 0 : -1;
}
