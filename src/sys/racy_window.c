/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/racy_window.h"

#include "sys/lease.h"
#include "sys/volume.h"

struct fs_time
racy_window_of(int64_t ns)
{
	return (struct fs_time){ ns / 1000000000, (int32_t)(ns % 1000000000) };
}

int64_t
racy_window_seconds(int64_t ns)
{
	return num_add(ns, 999999999) / 1000000000;
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

bool
racy_window_settles(struct racy_settle *settle, int fd, const struct fs_stat *st)
{
	/* Some file systems keep whole seconds, or even ones. */
	const struct fs_time window = { st->mtime.nsec == 0 || st->ctime.nsec == 0 ? 2 : 0, 0 };
	enum lease lease;

	if (!settle->asked || settle->dev != st->dev) {
		struct volume_facts facts;
		struct buf key = { 0 };
		const bool known = volume_describe(fd, st->dev, &facts, &key) == 0;

		buf_release(&key);
		/* There every store through a new mapping of a file gives it new times. */
		*settle = (struct racy_settle){ .dev = st->dev, .asked = true,
		                                .helps = known && (strcmp(facts.type, "ext4") == 0 || strcmp(facts.type, "xfs") == 0 ||
		                                                   strcmp(facts.type, "btrfs") == 0) };
	}
	if (!settle->helps)
		return false;
	lease = lease_take(fd);
	if (lease == LEASE_HELD)
		lease_give(fd);
	return lease == LEASE_HELD && !racy_window_has(st, fs_time_now(), window);
}
