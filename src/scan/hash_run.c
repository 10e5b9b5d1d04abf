/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "scan/hash_run.h"

#include "scan/hash_plan.h"
#include "scan/hash_read.h"

int
hash_run(struct hash_plan *p, struct err *err)
{
	/* A file with another size by now may belong to a group of an earlier pass. */
	for (p->passes = 1;; p->passes++) {
		if (hash_plan_pass(p, err) < 0)
			return -1;
		while (hash_plan_round(p) > 0) {
			if (p->dry_run) {
				hash_read_estimate(p);
				return 0;
			}
			if (hash_read(p, err) < 0)
				return -1;
			if (p->out_of_time)
				return 0;
		}
		if (p->touched.n == 0)
			return 0;
		p->n_again = 0;
	}
}
