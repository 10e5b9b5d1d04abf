/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "shell/decide_write.h"

#include "cmd/cmd.h"
#include "db/db.h"
#include "index/index.h"
#include "index/mark.h"
#include "query/keep.h"
#include "query/decide_groups_choice.h"
#include "shell/decide_show.h"

/* Refusals that are told. */
#define DECIDE_TOLD 3

enum decide_next
decide_fail(struct decide *d, struct err *err)
{
	if (err->code == ERR_INTERRUPTED) {
		*d->err = *err;
		return DECIDE_FAILED;
	}
	cmd_fail(d->out, NULL, err);
	*err = (struct err){ 0 };
	return DECIDE_AGAIN;
}

/* Files that were refused a mark. */
struct decide_told {
	const struct decide *d;
	int64_t n;
};

/* mark_apply_fn */
static int
decide_refused(void *arg, const char *path, const char *why)
{
	struct decide_told *told = arg;
	struct buf b = { 0 };

	if (told->n++ < DECIDE_TOLD) {
		buf_adds(&b, "  stays: ");
		decide_add_path(told->d, &b, path);
		buf_addf(&b, " (%s)\n", why);
		decide_print(told->d, &b);
	}
	buf_release(&b);
	return 0;
}

/* mark_apply_marked_fn */
static int
decide_marked(void *arg, const struct mark_apply_marked *m)
{
	(void)arg;
	(void)m;
	return 0;
}

/* Remember an answer that was written, if there is something to take back. */
static void
decide_remember(struct decide *d, struct decide_answer *answer)
{
	d->totals->n_drop += answer->n_drop;
	d->totals->frees += answer->frees;
	if (answer->batch != 0)
		vec_push(&d->answers, *answer);
	else
		vec_release(&answer->sets);
}

int
decide_write(struct decide *d, const struct decide_groups_choice *choice, struct decide_answer *answer, struct err *err)
{
	struct decide_told told = { .d = d };
	const struct keep one = { .copies = 1 };
	const struct mark_apply_query q = { .keep = d->o.q.keep != NULL ? d->o.q.keep : &one, .refused = decide_refused, .marked = decide_marked, .all = true, .arg = &told };
	struct mark_apply_totals totals = { .n_marked = 0 };
	struct index *ix = NULL;
	int ret = choice->items.n > 0 ? cmd_open(d->c->globals, INDEX_WRITE | INDEX_EXISTING, &ix, err) : 0;

	if (ret == 0 && choice->items.n > 0)
		ret = mark_apply_items(ix, &q, choice->items.v, choice->items.n, &totals, err);
	index_close(ix);
	if (ret < 0) {
		vec_release(&answer->sets);
		return -1;
	}
	if (told.n > DECIDE_TOLD)
		fprintf(d->out, "  and %" PRId64 " more stay\n", told.n - DECIDE_TOLD);
	/*
	 * Where some were refused, the next look at these sets tells what is left to be decided.
	 */
	for (size_t i = 0; i < answer->sets.n && told.n == 0; i++)
		d->o.sets.v[answer->sets.v[i]].open = false;
	answer->batch = totals.n_marked > 0 ? totals.batch : 0;
	answer->n_drop = choice->n_drop - told.n;
	answer->frees = told.n == 0 ? choice->frees : 0;
	decide_remember(d, answer);
	return 0;
}

enum decide_next
decide_undo(struct decide *d)
{
	struct err err = { 0 };
	struct index *ix = NULL;
	struct decide_answer *a;
	int64_t last;
	int ret;

	if (d->answers.n == 0) {
		fputs("  there is no answer to take back; 'mark undo' takes back earlier marks\n", d->out);
		return DECIDE_AGAIN;
	}
	a = &d->answers.v[d->answers.n - 1];
	ret = cmd_open(d->c->globals, INDEX_WRITE | INDEX_EXISTING, &ix, &err);
	if (ret == 0)
		ret = db_begin(ix->db, &err);
	if (ret == 0) {
		ret = mark_last(ix, &last, &err);
		if (ret == 0 && last < a->batch)
			ret = err_set(&err, ERR_USAGE, "this answer is too long ago to be taken back, or was already");
		else if (ret == 0 && last > a->batch)
			ret = err_set(&err, ERR_USAGE, "another command has marked since: 'mark undo' takes that back");
		if (ret == 0)
			ret = mark_undo(ix, NULL, NULL, &err) < 0 ? -1 : 0;
		ret = db_end(ix->db, ret, &err);
	}
	index_close(ix);
	if (ret < 0)
		return decide_fail(d, &err);
	for (size_t i = 0; !a->deeper && i < a->sets.n; i++)
		d->o.sets.v[a->sets.v[i]].open = true;
	d->totals->n_drop -= a->n_drop;
	d->totals->frees -= a->frees;
	d->back_group = a->group;
	d->back_set = a->set;
	d->back_deeper = a->deeper;
	d->repeats = false;
	fprintf(d->out, "  taken back: %zu set%s\n", a->sets.n, a->sets.n == 1 ? "" : "s");
	vec_release(&a->sets);
	d->answers.n--;
	return DECIDE_BACK;
}
