/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "mcp/plans.h"

#include "db/stmt.h"

/* Plans kept: the one that a person was shown is among the last ones. */
#define PLANS_MOST 16

static void
plans_free(struct plans_one *plan)
{
	free(plan->digest);
	free(plan->command);
	free(plan->document);
}

int
plans_keep(struct plans *p, struct db *db, const char *document, size_t len, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_PLAN_HEAD, err);
	struct plans_one plan = { .len = len };
	const struct plans_one *old;
	size_t n, at;

	stmt_text(&st, ":doc", document, len);
	if (stmt_step(&st) < 0)
		return -1;
	if (stmt_col_int(&st, 7) > 0) {
		plan.command = mem_str(stmt_col_text(&st, 1, &n));
		plan.digest = mem_str(stmt_col_text(&st, 5, &n));
		plan.document = mem_dup(document, len);
	}
	stmt_done(&st);
	if (plan.document == NULL)
		return 0;
	old = plans_find(p, plan.digest);
	if (old != NULL || p->v.n == PLANS_MOST) {
		at = old != NULL ? (size_t)(old - p->v.v) : 0;
		plans_free(&p->v.v[at]);
		memmove(&p->v.v[at], &p->v.v[at + 1], (p->v.n - at - 1) * sizeof(*p->v.v));
		p->v.n--;
	}
	vec_push(&p->v, plan);
	return 0;
}

const struct plans_one *
plans_find(const struct plans *p, const char *digest)
{
	for (size_t i = 0; i < p->v.n; i++) {
		if (strcmp(p->v.v[i].digest, digest) == 0)
			return &p->v.v[i];
	}
	return NULL;
}

void
plans_release(struct plans *p)
{
	for (size_t i = 0; i < p->v.n; i++)
		plans_free(&p->v.v[i]);
	vec_release(&p->v);
}
