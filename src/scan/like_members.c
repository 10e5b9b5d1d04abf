/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "scan/like_members.h"

#include <stdatomic.h>

#include "db/db.h"
#include "index/index.h"
#include "scan/hash_plan.h"
#include "scan/hash_read.h"
#include "scan/hash_write.h"
#include "scan/stats.h"

int
like_members_read(const struct hash_plan *scanned, const int64_t *sizes, size_t n, bool all_met, struct stats_report *report,
                  struct err *err)
{
	struct hash_plan plan = {
		.ix = scanned->ix, .secret = scanned->secret, .map = scanned->map, .volumes = scanned->volumes, .counts = scanned->counts,
		.hash_sizes = sizes, .n_hash_sizes = n, .all_met = all_met, .racy_window = scanned->racy_window,
		.settles = scanned->settles, .rotational = scanned->rotational,
		.deadline_ns = scanned->deadline_ns, .n_threads = scanned->n_threads, .ahead = scanned->ahead,
		/* What the scan has left stays unread: no more is compared than it noted. */
		.largest_left = scanned->largest_left,
	};
	struct stats *c = plan.counts;
	const int64_t asked = atomic_load(&c->hash_sizes), asked_bytes = atomic_load(&c->hash_sizes_bytes);
	int ret = db_begin(plan.ix->db, err);

	if (ret < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		hash_plan_touch(&plan, sizes[i]);
	ret = hash_run(&plan, err);
	hash_plan_trim(&plan);
	if (ret == 0)
		ret = hash_write_drop_lost(&plan, err);
	report->out_of_time |= plan.out_of_time;
	hash_plan_release(&plan);
	/* No option has named these sizes. */
	atomic_store(&c->hash_sizes, asked);
	atomic_store(&c->hash_sizes_bytes, asked_bytes);
	return db_end_kept(plan.ix->db, ret, err);
}
