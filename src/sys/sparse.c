/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/sparse.h"

#include <unistd.h>

#ifndef SEEK_DATA
/* Without it lseek fails with EINVAL. */
#define SEEK_DATA (-1)
#define SEEK_HOLE (-1)
#endif

int64_t
sparse_data(int fd, int64_t at)
{
	return lseek(fd, (off_t)at, SEEK_DATA);
}

int64_t
sparse_hole(int fd, int64_t at)
{
	return lseek(fd, (off_t)at, SEEK_HOLE);
}
