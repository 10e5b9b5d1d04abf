/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/compare_bytes.h"

#include <unistd.h>

#include "act/locked_file.h"
#include "act/verdict.h"
#include "sys/stop.h"

/*
 * Read up to len bytes at an offset, until there are enough, or the file ends.  Returns their
 * number, or -1 with errno.
 */
static ssize_t
compare_bytes_read(int fd, uint8_t *block, size_t len, size_t enough, int64_t at)
{
	size_t got = 0;

	while (got < enough) {
		const ssize_t n = pread(fd, block + got, len - got, (off_t)at + (off_t)got);

		if (n < 0 && errno == EINTR && stop_signal() == 0)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

/*
 * Read one block of a file, and ask for one byte behind its end: it must be as long as its stat
 * says.  Returns 0, or -1 with the verdict.
 */
static int
compare_bytes_block(const struct locked_file *h, uint8_t *block, size_t len, int64_t at, struct verdict *v)
{
	const bool last = at + (int64_t)len == h->st.size;
	/* On a local file system a short read means the end of the file. */
	const size_t enough = locked_file_tells_files(h) ? len : len + last;
	ssize_t got;

	/*
	 * The lease was taken just before the first block; prove_check looks at it after the last.
	 */
	if (at > 0 && locked_file_check_lease(h, v) < 0)
		return -1;
	got = compare_bytes_read(h->fd, block, len + last, enough, at);
	if (got < 0)
		return verdict_errno(v, errno, "cannot be read");
	return (size_t)got == len ? 0 : verdict_set(v, ACT_UNSURE, "its content is not as long as its size says");
}

int
compare_bytes_files(const struct locked_file *keeper, struct verdict *keeper_verdict, struct compare_bytes_with *v, size_t n, uint8_t *memory,
              _Atomic int64_t *compared)
{
	uint8_t *const block = memory, *const other = memory + COMPARE_MEMORY / 2;
	const int64_t size = keeper->st.size;
	int64_t at = 0;

	for (size_t i = 0; i < n; i++) {
		v[i].differs = -1;
		assert(v[i].verdict->outcome != ACT_PENDING || v[i].held->st.size == size);
	}
	do {
		const size_t len = (size_t)(size - at < COMPARE_BLOCK ? size - at : COMPARE_BLOCK);
		bool any = false;

		if (stop_signal() != 0)
			return -1;
		if (compare_bytes_block(keeper, block, len, at, keeper_verdict) < 0)
			return -1;
		for (size_t i = 0; i < n; i++) {
			struct verdict *verdict = v[i].verdict;

			if (verdict->outcome != ACT_PENDING)
				continue;
			if (compare_bytes_block(v[i].held, other, len, at, verdict) == 0 && memcmp(block, other, len) != 0) {
				size_t same = 0;

				while (block[same] == other[same])
					same++;
				v[i].differs = at + (int64_t)same;
				verdict_set(verdict, ACT_UNSURE, "its bytes differ from those of the copy, from offset %lld on",
				            (long long)v[i].differs);
			}
			atomic_fetch_add_explicit(compared, (int64_t)len, memory_order_relaxed);
			any |= verdict->outcome == ACT_PENDING;
		}
		if (!any)
			break;
		at += (int64_t)len;
	} while (at < size);
	return 0;
}
