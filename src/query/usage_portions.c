/* SPDX-License-Identifier: MIT */
/*
 * Which copy stays is for people to say.  So none is preferred: of k copies each counts as the part
 * (k - 1) / k of its bytes, and parts of directories add up to those of the directory above.
 */
#include "base/base.h"

#include "query/usage_portions.h"

#include "query/usage_inodes.h"

/* Part i of an amount divided by n: the parts differ by at most 1, and add up to it. */
static uint64_t
usage_portions_part(uint64_t amount, uint64_t n, uint64_t i)
{
	return amount / n + (i < amount % n);
}

void
usage_portions_add(const struct usage_portions *s, uint64_t *portions)
{
	const struct usage_inodes *in = s->in;
	uint32_t *seen = mem_zalloc(in->contents.n + 1, sizeof(*seen));

	for (size_t i = 0, name = 0, end; i < in->inodes.n; i++, name = end) {
		const uint32_t content = in->inodes.v[i].content;
		uint64_t portion;

		for (end = name; end < in->names.n && in->names.v[end] >> 32 == i; end++)
			;
		if (s->frees[i] == 0)
			continue;
		portion = (uint64_t)s->frees[i];
		if (s->stays[content] > 0)
			portion -= usage_portions_part((uint64_t)s->stays[content], in->contents.v[content].inodes, seen[content]++);
		if (end == name)
			portions[in->inodes.v[i].place >> 1] += portion;
		for (size_t n = name; n < end; n++)
			portions[(uint32_t)in->names.v[n]] += usage_portions_part(portion, end - name, n - name);
	}
	free(seen);
}
