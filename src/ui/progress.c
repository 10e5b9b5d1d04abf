/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "ui/progress.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/num.h"
#include "sys/fs.h"

/* Nothing is shown of what is over sooner. */
#define PROGRESS_AFTER_NS 500000000
/* A phase tells its rate from here on: what came at once says nothing of what is to come. */
#define PROGRESS_RATE_AFTER 0.5
/*
 * Seconds left are told between these: fewer are over before they are read, and more (31 years)
 * are no forecast.
 */
#define PROGRESS_LEFT_MIN 1.0
#define PROGRESS_LEFT_MAX 1e9

void
progress_init(struct progress *p, FILE *f, bool quiet, int64_t expected_files)
{
	const char *term = getenv("TERM");

	memset(p, 0, sizeof(*p));
	p->f = f;
	p->on = !quiet && isatty(fileno(f)) == 1 && term != NULL && strcmp(term, "dumb") != 0;
	p->start_ns = p->phase_ns = fs_clock_ns();
	p->expected = expected_files;
}

int
progress_columns(FILE *f)
{
	struct winsize size;

	return ioctl(fileno(f), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static void
progress_walk(const struct progress *p, struct buf *b, const struct stats *c, double seconds)
{
	const int64_t files = atomic_load(&c->files);
	char text[NUM_SHOW_MAX];

	buf_addf(b, "walk  %s", num_show_things(files, "file", "files", text));
	if (p->expected > 0)
		buf_addf(b, " (%d%%)", files >= p->expected ? 100 : (int)(files * 100 / p->expected));
	buf_addf(b, ", %s", num_show_size(atomic_load(&c->bytes), NUM_IEC, text));
	if (seconds >= PROGRESS_RATE_AFTER)
		buf_addf(b, ", %s/s", num_show_count((int64_t)((double)files / seconds), text));
}

static void
progress_read(struct buf *b, const struct stats *c, double seconds)
{
	const int64_t done = atomic_load(&c->done_bytes), all = atomic_load(&c->to_read_bytes);
	const double rate = (double)done / seconds, left = rate > 0 ? (double)(all - done) / rate : 0;
	char text[NUM_SHOW_MAX];

	/* While heads are read nobody knows of how many files the rest will be. */
	const bool grows = atomic_load(&c->to_read_grows);

	buf_addf(b, "read  %s", num_show_count(atomic_load(&c->done), text));
	buf_addf(b, " of %s%s", num_show_things(atomic_load(&c->to_read), "file", "files", text), grows ? " or more" : "");
	buf_addf(b, ", %s", num_show_size(done, NUM_IEC, text));
	if (!grows)
		buf_addf(b, " of %s", num_show_size(all, NUM_IEC, text));
	if (seconds < PROGRESS_RATE_AFTER)
		return;
	buf_addf(b, ", %s/s", num_show_size((int64_t)rate, NUM_IEC, text));
	if (!grows && left >= PROGRESS_LEFT_MIN && left < PROGRESS_LEFT_MAX)
		buf_addf(b, ", %s left", num_show_duration((int64_t)left * 1000000000, text));
}

void
progress_tick(struct progress *p, enum stats_phase phase, const struct stats *counts)
{
	const int64_t now = fs_clock_ns();
	struct buf line = { 0 };
	double seconds;
	char text[NUM_SHOW_MAX];
	int64_t errors = 0;
	int columns;
	size_t width = 79;

	if (phase != p->phase) {
		p->phase = phase;
		p->phase_ns = now;
	}
	if (!p->on || now - p->start_ns < PROGRESS_AFTER_NS)
		return;
	seconds = (double)(now - p->phase_ns + 1) / 1e9;
	switch (phase) {
	case STATS_WALK:
		progress_walk(p, &line, counts, seconds);
		break;
	case STATS_READ:
		progress_read(&line, counts, seconds);
		break;
	case STATS_VERIFY:
		buf_addf(&line, "verify  %s compared", num_show_things(atomic_load(&counts->verified), "file", "files", text));
		break;
	case STATS_FINISH:
		buf_adds(&line, "write the index");
		break;
	}
	for (int i = 0; i < STATS_ERRNOS; i++)
		errors += atomic_load(&counts->errors[i]);
	if (errors > 0)
		buf_addf(&line, ", %s", num_show_things(errors, "error", "errors", text));
	columns = progress_columns(p->f);
	if (columns > 1)
		width = (size_t)columns - 1;
	if (line.len > width)
		buf_cut(&line, width);
	fprintf(p->f, "\r%s\033[K", buf_str(&line));
	fflush(p->f);
	p->shown = true;
	buf_release(&line);
}

void
progress_clear(struct progress *p)
{
	if (p->shown) {
		fputs("\r\033[K", p->f);
		fflush(p->f);
	}
	p->shown = false;
}
