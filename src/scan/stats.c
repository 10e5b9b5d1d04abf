/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "scan/stats.h"

#include <stdatomic.h>
#include <stddef.h>

#include "index/journal.h"
#include "sys/watch.h"

/* How long a file system may take for an answer before it is told for what a scan waits. */
#define STATS_PATIENCE_NS INT64_C(30000000000)

int
stats_journal(const struct stats_report *report, struct db *db, const char *state, struct err *err)
{
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

struct watch *
stats_watch(void)
{
	return watch_new(STATS_PATIENCE_NS);
}

/* watch_look: fn */
static void
stats_waits(void *arg, const char *path)
{
	const struct stats_hooks *hooks = arg;

	hooks->problem(hooks->arg, path, "no answer from its file system for 30 seconds; still waiting");
}

void
stats_look(const struct stats_hooks *hooks, struct watch *watch)
{
	/* The list of what to call is not changed. */
	if (hooks != NULL && hooks->problem != NULL)
		watch_look(watch, stats_waits, (void *)(uintptr_t)hooks);
}
