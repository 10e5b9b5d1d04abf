/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/racy_window.h"

struct fs_time
racy_window_of(int64_t ns)
{
	return (struct fs_time){ ns / 1000000000, (int32_t)(ns % 1000000000) };
}

bool
racy_window_has(const struct fs_stat *st, struct fs_time start, struct fs_time window)
{
	struct fs_time safe = { start.sec - window.sec, start.nsec - window.nsec };

	if (safe.nsec < 0) {
		safe.sec--;
		safe.nsec += 1000000000;
	}
	return fs_time_cmp(st->mtime, safe) >= 0 || fs_time_cmp(st->ctime, safe) >= 0;
}
