/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "scan/stats.h"

#include <stdatomic.h>

#include "index/journal.h"
#include "sys/stall.h"

/* A file system that does not answer for this long is told as a problem. */
#define STATS_PATIENCE_NS INT64_C(30000000000)

_Atomic int64_t *
stats_error(struct stats *s, int error)
{
	return &s->errors[error > 0 && error < STATS_ERRNOS ? error : 0];
}

void
stats_problem(struct stats *s, _Atomic int64_t *counter, const char *path, const char *why)
{
	assert(path[0] == '/');
	if (counter != NULL)
		atomic_fetch_add(counter, 1);
	if (s->hooks != NULL)
		s->hooks->problem(s->hooks->arg, path, why);
}

void
stats_tick(const struct stats *s, enum stats_phase phase)
{
	if (s->hooks != NULL)
		s->hooks->tick(s->hooks->arg, phase, s);
}

void
stats_begin(struct stats_report *report, const struct stats_hooks *hooks, int64_t id)
{
	memset(report, 0, sizeof(*report));
	report->id = id;
	report->counts.hooks = hooks;
	report->sets = report->redundant = -1;
}

void
stats_sum_errors(struct stats_report *report)
{
	struct stats *c = &report->counts;

	report->n_errors = atomic_load(&c->kept_offline) + atomic_load(&c->outside) + atomic_load(&c->collisions) + report->n_left + report->n_corrupt;
	for (int i = 0; i < STATS_ERRNOS; i++)
		report->n_errors += atomic_load(&c->errors[i]);
}

int
stats_journal(const struct stats_report *report, struct db *db, const struct err *failure, struct err *err)
{
	const char *state = failure != NULL && failure->code != ERR_INTERRUPTED ? "failed" :
	                    failure != NULL || report->out_of_time || report->reached > 0 ? "interrupted" : "finished";
	const struct stats *c = &report->counts;
	struct journal_numbers n = {
		.files = atomic_load(&c->files), .dirs = atomic_load(&c->dirs), .bytes = atomic_load(&c->bytes),
		.added = atomic_load(&c->added), .changed = atomic_load(&c->changed), .gone = atomic_load(&c->gone),
		.reused = atomic_load(&c->reused), .read = atomic_load(&c->read), .read_bytes = atomic_load(&c->read_bytes),
		.errors = report->n_errors, .sets = report->sets, .redundant = report->redundant,
	};

	for (int i = 0; i < SKIP_COUNT; i++)
		n.skipped += atomic_load(&c->skipped[i]);
	return journal_end(db, report->id, &n, state, err);
}

struct stall *
stats_watch(void)
{
	return stall_new(STATS_PATIENCE_NS);
}

/* stall_look: fn */
static void
stats_waits(void *arg, const char *path)
{
	stats_problem(arg, NULL, path, "no answer from its file system for 30 seconds; still waiting");
}

void
stats_look(struct stats *s, struct stall *watch)
{
	stall_look(watch, stats_waits, s);
}
