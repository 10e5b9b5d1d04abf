/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "scan/stats.h"

#include <stddef.h>

#include "sys/watch.h"

/* How long a file system may take for an answer before it is told for what a scan waits. */
#define STATS_PATIENCE_NS INT64_C(30000000000)

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
