/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/bar.h"

void
bar_add(struct buf *b, bool utf8, int64_t n, int64_t most, size_t columns)
{
	static const char eighths[8][4] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	const size_t steps = utf8 ? 8 : 1;
	size_t units = 0, full;

	if (n > 0 && most > 0) {
		units = (size_t)((double)n / (double)most * (double)(columns * steps) + 0.5);
		units = units == 0 ? 1 : units > columns * steps ? columns * steps : units;
	}
	full = units / steps;
	for (size_t i = 0; i < full; i++)
		buf_adds(b, utf8 ? "█" : "#");
	buf_adds(b, eighths[units % steps]);
	buf_addf(b, "%*s", (int)(columns - full - (units % steps != 0)), "");
}
