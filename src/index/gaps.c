/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/gaps.h"

bool
gap_matters(enum gap gap)
{
	switch ((int)gap) {
	case GAP_NONE:
	case SKIP_LINK:
	case SKIP_SPECIAL:
	case SKIP_OWN:
	case SKIP_PSEUDO:
		return false;
	default:
		return true;
	}
}

int64_t
gaps_matter(const struct gaps *g)
{
	int64_t n = 0;

	for (int i = 0; i < GAP_COUNT; i++)
		n += gap_matters((enum gap)i) ? g->files[i] + g->dirs[i] : 0;
	return n;
}

/* A reason in words, to follow a number. */
static const char *
gaps_name(enum gap gap)
{
	static const char *const names[GAP_COUNT - SKIP_COUNT] = {
		[GAP_UNREADABLE - SKIP_COUNT] = "unreadable",
		[GAP_NEW - SKIP_COUNT] = "new since the scan",
		[GAP_NEVER - SKIP_COUNT] = "never scanned",
		[GAP_MOVED - SKIP_COUNT] = "in the index where they were before (scan again)",
		[GAP_CHANGED - SKIP_COUNT] = "changed since the scan",
		[GAP_GONE - SKIP_COUNT] = "gone since the scan",
		[GAP_UNPROVEN - SKIP_COUNT] = "unknown",
		[GAP_OFFLINE - SKIP_COUNT] = "offline (as of the last scan)",
		[GAP_TIMELESS - SKIP_COUNT] = "on a volume without change times",
	};

	return (int)gap < SKIP_COUNT ? skip_name((enum skip)gap) : names[gap - SKIP_COUNT];
}

/* Append a count and its reason; dirs is " directories" if it counts those. */
static void
gaps_add(struct buf *b, int64_t n, const char *dirs, const char *reason, const char **separator)
{
	char text[NUM_SHOW_MAX];

	if (n == 0)
		return;
	buf_addf(b, "%s%s%s %s", *separator, num_show_count(n, text), dirs, reason);
	*separator = ", ";
}

void
gaps_show(struct buf *b, const struct gaps *g)
{
	static const enum skip rest[] = { SKIP_LINK, SKIP_SPECIAL, SKIP_OWN, SKIP_PSEUDO };
	const char *separator = "not judged: ";
	const size_t start = b->len;

	for (int i = 0; i < GAP_COUNT; i++) {
		if (!gap_matters((enum gap)i))
			continue;
		gaps_add(b, g->files[i], "", gaps_name((enum gap)i), &separator);
		gaps_add(b, g->dirs[i], g->dirs[i] == 1 ? " directory" : " directories", gaps_name((enum gap)i), &separator);
	}
	separator = b->len > start ? "; ignored: " : "ignored: ";
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
		const int64_t n = g->files[rest[i]] + g->dirs[rest[i]];

		gaps_add(b, n, "", skip_counted(rest[i], n), &separator);
	}
}

const char *
gap_key(enum gap gap)
{
	static const char *const keys[GAP_COUNT] = {
		[SKIP_NO] = "none", [SKIP_HIDDEN] = "hidden", [SKIP_EXCLUDED] = "excluded", [SKIP_SMALL] = "too_small",
		[SKIP_LARGE] = "too_large", [SKIP_OTHER_FS] = "other_file_system", [SKIP_NETWORK] = "network",
		[SKIP_PSEUDO] = "pseudo_file_system",
		[SKIP_LINK] = "symbolic_link", [SKIP_SPECIAL] = "special_file", [SKIP_OWN] = "index_itself", [SKIP_TWICE] = "reached_twice",
		[GAP_UNREADABLE] = "unreadable", [GAP_NEW] = "new", [GAP_NEVER] = "never_scanned", [GAP_MOVED] = "moved",
		[GAP_CHANGED] = "changed", [GAP_GONE] = "gone", [GAP_UNPROVEN] = "unknown", [GAP_OFFLINE] = "offline",
		[GAP_TIMELESS] = "no_time_of_change",
	};

	return keys[gap];
}

void
gaps_join(struct gaps *g, const struct gaps *more)
{
	for (int gap = 0; gap < GAP_COUNT; gap++) {
		g->files[gap] += more->files[gap];
		g->dirs[gap] += more->dirs[gap];
	}
}
