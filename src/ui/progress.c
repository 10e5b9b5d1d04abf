/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/progress.h"

#include <stdatomic.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sys/status_signal.h"
#include "sys/fs.h"

/* Delay before the first progress line on a terminal. */
#define PROGRESS_AFTER_NS 500000000
/* Between two lines on a terminal, and in a log. */
#define PROGRESS_LINE_NS 100000000
#define PROGRESS_PLAIN_NS INT64_C(10000000000)
/* Seconds of a phase before its rate is shown: the first burst would mislead. */
#define PROGRESS_RATE_AFTER 0.5
/*
 * The least and most seconds left that are shown: fewer are over before they are read, more (31
 * years) are no forecast.
 */
#define PROGRESS_LEFT_MIN 1.0
#define PROGRESS_LEFT_MAX 1e9

const char *const progress_words[] = { "auto", "plain", "never", NULL };

/* What a line says behind the word of the phase; the highest rank is first to get its room. */
enum progress_rank { PROGRESS_RATE, PROGRESS_LESS, PROGRESS_ERRORS, PROGRESS_LEFT, PROGRESS_MOST, PROGRESS_PARTS };

struct progress_line {
	const char *word;
	struct {
		size_t at;     /* in text; a NUL ends it */
		bool there;
	} parts[PROGRESS_PARTS];
	enum progress_rank order[PROGRESS_PARTS];
	size_t n;              /* of order: parts as they were added */
	struct buf text;
};

void
progress_init(struct progress *p, FILE *f, enum progress_when when, int64_t expected_files)
{
	const char *term = getenv("TERM");

	memset(p, 0, sizeof(*p));
	p->f = f;
	p->plain = when == PROGRESS_PLAIN;
	if (p->plain)
		p->period_ns = PROGRESS_PLAIN_NS;
	else if (when == PROGRESS_AUTO && isatty(fileno(f)) == 1 && term != NULL && strcmp(term, "dumb") != 0)
		p->period_ns = PROGRESS_LINE_NS;
	p->due_ns = fs_clock_ns() + PROGRESS_AFTER_NS;
	p->expected = expected_files;
	/* Drop a request that was meant for an earlier command. */
	status_signal_take();
}

int
progress_columns(FILE *f)
{
	struct winsize size;

	return ioctl(fileno(f), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static void progress_add(struct progress_line *l, enum progress_rank rank, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void
progress_add(struct progress_line *l, enum progress_rank rank, const char *fmt, ...)
{
	va_list ap;

	assert(!l->parts[rank].there);
	l->parts[rank].at = l->text.len;
	l->parts[rank].there = true;
	l->order[l->n++] = rank;
	va_start(ap, fmt);
	buf_vaddf(&l->text, fmt, ap);
	va_end(ap);
	buf_addc(&l->text, '\0');
}

/* How long the rest takes at this rate. */
static void
progress_left(struct progress_line *l, int64_t rest, double rate)
{
	const double left = rate > 0 ? (double)rest / rate : 0;
	char text[NUM_SHOW_MAX];

	if (left >= PROGRESS_LEFT_MIN && left < PROGRESS_LEFT_MAX)
		progress_add(l, PROGRESS_LEFT, "%s left", num_show_duration((int64_t)left * 1000000000, text));
}

/* How much of the whole is done, in percent, to stand behind it; "" if the whole is unknown. */
static const char *
progress_share(int64_t done, int64_t all, char text[NUM_SHOW_MAX])
{
	char share[NUM_SHOW_MAX];

	text[0] = '\0';
	if (all > 0)
		snprintf(text, NUM_SHOW_MAX, " (%s)", num_show_share(done < all ? done : all, all, share));
	return text;
}

static void
progress_walk(struct progress_line *l, const struct progress *p, const struct stats *c, double seconds)
{
	const int64_t files = atomic_load(&c->files), bytes = atomic_load(&c->bytes);
	const double rate = (double)files / seconds;
	char text[NUM_SHOW_MAX], share[NUM_SHOW_MAX];

	l->word = "walk";
	/* Beyond the expected number a percentage is wrong. */
	progress_add(l, PROGRESS_MOST, "%s%s", num_show_things(files, "file", "files", text),
	             progress_share(files, files <= p->expected ? p->expected : 0, share));
	/* refresh counts no bytes. */
	if (bytes > 0)
		progress_add(l, PROGRESS_LESS, "%s", num_show_size(bytes, NUM_IEC, text));
	if (seconds < PROGRESS_RATE_AFTER)
		return;
	progress_add(l, PROGRESS_RATE, "%s/s", num_show_count((int64_t)rate, text));
	progress_left(l, p->expected - files, rate);
}

static void
progress_read(struct progress_line *l, const char *word, const struct stats *c, double seconds)
{
	const int64_t done = atomic_load(&c->done_bytes), all = atomic_load(&c->to_read_bytes);
	const double rate = (double)done / seconds;
	/* While heads are read, the number of files to be read whole is unknown. */
	const bool grows = atomic_load(&c->to_read_grows);
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], share[NUM_SHOW_MAX];

	l->word = word;
	progress_add(l, PROGRESS_LESS, "%s of %s%s", num_show_count(atomic_load(&c->done), x),
	             num_show_things(atomic_load(&c->to_read), "file", "files", y), grows ? " or more" : "");
	progress_add(l, PROGRESS_MOST, "%s%s%s%s", num_show_size(done, NUM_IEC, x), grows ? "" : " of ",
	             grows ? "" : num_show_size(all, NUM_IEC, y), progress_share(done, grows ? 0 : all, share));
	if (seconds < PROGRESS_RATE_AFTER)
		return;
	progress_add(l, PROGRESS_RATE, "%s/s", num_show_size((int64_t)rate, NUM_IEC, x));
	if (!grows)
		progress_left(l, all - done, rate);
}

/* Files without bytes, of which the number may not be known. */
static void
progress_count(struct progress_line *l, const char *word, const struct stats *c, double seconds)
{
	const int64_t done = atomic_load(&c->done), all = atomic_load(&c->to_read);
	const double rate = (double)done / seconds;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX], share[NUM_SHOW_MAX];

	l->word = word;
	if (all == 0)
		progress_add(l, PROGRESS_MOST, "%s", num_show_things(done, "file", "files", x));
	else
		progress_add(l, PROGRESS_MOST, "%s of %s%s", num_show_count(done, x), num_show_things(all, "file", "files", y),
		             progress_share(done, all, share));
	if (seconds >= PROGRESS_RATE_AFTER)
		progress_left(l, all - done, rate);
}

/* Append the line with those of its parts that width has room for; all it is made of is ASCII. */
static void
progress_join(struct buf *b, const struct progress_line *l, size_t width)
{
	const char *between = "  ";
	size_t used = strlen(l->word);
	bool fits[PROGRESS_PARTS] = { false };

	for (size_t i = PROGRESS_PARTS; i-- > 0;) {
		const size_t more = l->parts[i].there ? 2 + strlen(l->text.data + l->parts[i].at) : 0;

		fits[i] = used + more <= width;
		used += fits[i] ? more : 0;
	}
	buf_adds(b, l->word);
	for (size_t i = 0; i < l->n; i++) {
		if (!fits[l->order[i]])
			continue;
		buf_adds(b, between);
		buf_adds(b, l->text.data + l->parts[l->order[i]].at);
		between = ", ";
	}
	if (b->len > width)
		buf_cut(b, width);
}

static void
progress_say(const struct progress *p, struct buf *b, const struct stats *counts, double seconds, size_t width)
{
	struct progress_line line = { .n = 0 };
	int64_t errors = 0;
	char text[NUM_SHOW_MAX];

	switch (p->phase) {
	case STATS_WALK:
		progress_walk(&line, p, counts, seconds);
		break;
	case STATS_READ:
		progress_read(&line, "read", counts, seconds);
		break;
	case STATS_VERIFY:
		line.word = "verify";
		progress_add(&line, PROGRESS_MOST, "%s compared", num_show_things(atomic_load(&counts->verified), "file", "files", text));
		break;
	case STATS_FINISH:
		line.word = "write the index";
		break;
	case STATS_ACT:
		progress_read(&line, p->act, counts, seconds);
		break;
	case STATS_COUNT:
		progress_count(&line, p->act, counts, seconds);
		break;
	}
	for (int i = 0; i < STATS_ERRNOS; i++)
		errors += atomic_load(&counts->errors[i]);
	if (errors > 0)
		progress_add(&line, PROGRESS_ERRORS, "%s", num_show_things(errors, "error", "errors", text));
	progress_join(b, &line, width);
	buf_release(&line.text);
}

void
progress_tick(struct progress *p, enum stats_phase phase, const struct stats *counts)
{
	const int64_t now = fs_clock_ns();
	const bool asked = status_signal_take(), stays = asked || p->plain;
	struct buf line = { 0 };
	size_t width = SIZE_MAX;

	if (phase != p->phase || p->phase_ns == 0) {
		p->phase = phase;
		p->phase_ns = now;
		if (p->plain)
			p->due_ns = now;
	}
	if (!asked && (p->period_ns == 0 || now < p->due_ns))
		return;
	if (!stays) {
		const int columns = progress_columns(p->f);

		width = columns > 1 ? (size_t)columns - 1 : 79;
	}
	progress_say(p, &line, counts, (double)(now - p->phase_ns + 1) / 1e9, width);
	if (stays) {
		progress_clear(p);
		fprintf(p->f, "twindex: %s\n", buf_str(&line));
	} else
		fprintf(p->f, "\r%s\033[K", buf_str(&line));
	fflush(p->f);
	p->shown = !stays;
	p->due_ns = now + p->period_ns;
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
