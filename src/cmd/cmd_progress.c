/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_progress.h"

#include "cmd/cmd.h"
#include "ui/doc.h"

/* stats_hooks.tick */
static void
cmd_progress_tick(void *arg, enum stats_phase phase, const struct stats *counts)
{
	progress_tick(&((struct cmd_progress *)arg)->line, phase, counts);
}

/* stats_hooks.problem */
static void
cmd_progress_problem(void *arg, const char *path, const char *why)
{
	struct cmd_progress *p = arg;

	progress_clear(&p->line);
	if (p->problems != NULL)
		doc_problem(p->problems, path, why);
	if (!p->c->globals->quiet)
		cmd_message(p->c, "'%s': %s", path, why);
}

void
cmd_progress_begin(struct cmd_progress *p, const struct cmd_call *c, int64_t expected_files)
{
	p->c = c;
	p->problems = NULL;
	p->hooks = (struct stats_hooks){ p, cmd_progress_tick, cmd_progress_problem };
	progress_init(&p->line, c->msg, c->globals->quiet ? PROGRESS_NEVER : (enum progress_when)c->globals->progress, expected_files);
}

void
cmd_progress_begin_count(struct cmd_progress *p, const struct cmd_call *c, const char *word)
{
	cmd_progress_begin(p, c, 0);
	p->line.act = word;
}

void
cmd_progress_count(void *arg, int64_t done, int64_t all)
{
	struct cmd_progress *p = arg;

	p->counts.done = done;
	p->counts.to_read = all;
	progress_tick(&p->line, STATS_COUNT, &p->counts);
}

void
cmd_progress_begin_act(struct cmd_progress *p, const struct cmd_call *c, const char *word, int64_t files, int64_t bytes)
{
	cmd_progress_begin_count(p, c, word);
	p->counts.done = p->counts.done_bytes = 0;
	p->counts.to_read = files;
	p->counts.to_read_bytes = bytes;
}

void
cmd_progress_act(struct cmd_progress *p, int64_t files, int64_t bytes)
{
	p->counts.done = files;
	p->counts.done_bytes = bytes;
	progress_tick(&p->line, STATS_ACT, &p->counts);
}
