/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_since.h"

#include <time.h>

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "index/dirs.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/roots.h"
#include "index/row_history.h"
#include "index/schema.h"
#include "query/changes.h"

bool
cmd_since_has_history(const struct cmd_call *c)
{
	if (c->ix->version >= SCHEMA_HISTORY)
		return true;
	cmd_message(c, "this index is of version %" PRId64 " and has no history yet: its next scan begins one", c->ix->version);
	c->verdict->told.files[GAP_UNPROVEN]++;
	c->verdict->settled = true;
	return false;
}

int
cmd_since_run_of(const struct cmd_since *w, const char *text, int64_t *run, struct err *err)
{
	const struct index *ix = w->c->ix;
	struct journal_entry e;
	int64_t ns, last = 0;
	int ret;

	ret = journal_recent(ix, 0, &e, err);
	if (ret < 0)
		return -1;
	if (ret == 1)
		last = e.id;
	if (num_parse_int(text, 0, INT64_MAX - 1, run) == 0) {
		if (*run > last)
			return err_set(err, ERR_USAGE, "there is no run %s: the last one is %" PRId64 " ('%s info' shows their numbers)",
			               text, last, prog_name());
		return 0;
	}
	if (num_parse_duration(text, &ns) < 0)
		return err_set(err, ERR_USAGE, "'%s' is neither the number of a scan nor an age such as 7d", text);
	return journal_ended(ix, num_sub((int64_t)time(NULL), ns / 1000000000), run, err);
}

int
cmd_since_reach(struct cmd_since *w, struct err *err)
{
	int64_t from, age;

	if (row_history_age(w->c->ix, &age, err) < 0 || row_history_from(w->c->ix, &from, err) < 0)
		return -1;
	if (w->from >= from)
		return 0;
	w->c->verdict->told.files[GAP_UNPROVEN]++;
	if (age == 0)
		cmd_message(w->c, "this index keeps no history (scan --history)");
	else
		cmd_message(w->c, "the history begins after scan %" PRId64 ": what changed before is not known", from);
	w->from = from;
	if (w->to < w->from)
		w->to = w->from;
	return 0;
}

/* Roots that no scan has met since. */
static int
cmd_since_roots(struct cmd_since *w, struct err *err)
{
	struct roots roots = { 0 };
	const int ret = roots_load(&roots, w->c->ix->db, err);

	for (size_t i = 0; ret == 0 && w->to == CHANGES_NOW && i < roots.n; i++) {
		const struct root *r = &roots.v[i];
		const bool asked = w->below->n == 0 || path_is_around_any(r->path, w->below->v, w->below->n);

		/* With --online what is offline is excluded. */
		if (r->scan > w->from || !asked || path_is_below_any(r->path, w->c->target->exclude.v, w->c->target->exclude.n))
			continue;
		w->c->verdict->told.files[GAP_UNPROVEN]++;
		cmd_message(w->c, "'%s' was not scanned since: what changed there is not known", r->path);
	}
	roots_release(&roots);
	return ret;
}

/* dirs_unread_fn: count a directory that is asked about. */
static void
cmd_since_unread(void *arg, const char *path)
{
	struct cmd_since *w = arg;

	if ((w->below->n > 0 && !path_is_below_any(path, w->below->v, w->below->n)) ||
	    path_is_below_any(path, w->c->target->exclude.v, w->c->target->exclude.n))
		return;
	cmd_count_gap(w->c->verdict, path, GAP_UNREADABLE, true, "it could not be read: what changed in it is not known");
}

int
cmd_since_gaps(struct cmd_since *w, struct err *err)
{
	return cmd_since_roots(w, err) < 0 ? -1 : dirs_unread(w->c->ix->db, cmd_since_unread, w, err);
}

int
cmd_since_name_run(const struct cmd_since *w, struct buf *b, int64_t run, struct err *err)
{
	struct journal_entry e;
	const char *const after = run == CHANGES_NOW ? "now, as of" : "after";
	char when[NUM_SHOW_MAX];
	int ret = 0;

	if (run == 0) {
		buf_adds(b, "before the first scan");
		return 0;
	}
	if (run == CHANGES_NOW)
		ret = journal_finished(w->c->ix, &run, err);
	if (ret == 0 && run == 0) {
		buf_adds(b, "now: no scan has finished");
		return 0;
	}
	if (ret == 0)
		ret = journal_find(w->c->ix, run, &e, err);
	if (ret == 1) {
		num_show_local(e.finished > 0 ? e.finished : e.started, when);
		buf_addf(b, "%s %s %" PRId64 ", %s", after, e.command, run, when);
	} else if (ret == 0)
		buf_addf(b, "%s run %" PRId64, after, run);
	return ret < 0 ? -1 : 0;
}
