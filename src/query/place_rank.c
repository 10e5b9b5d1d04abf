/* SPDX-License-Identifier: MIT */
/*
 * Components are counted, not only looked for: so what lies above both places cancels out, and
 * ~/old-laptop/Downloads comes after ~/Downloads.
 */
#include "base/base.h"

#include "query/place_rank.h"

/* Whether disks that come and go are mounted below a directory of the top of the tree. */
static bool
place_rank_mounts(const char *name, size_t len)
{
	/* "run" for /run/media; macOS has Volumes. */
	static const char *const names[] = { "media", "mnt", "run", "Volumes" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return true;
	}
	return false;
}

struct place_rank
place_rank_below(struct place_rank above, const char *name, size_t len)
{
	above.spare += backup_name_is(name, len) || (above.depth == 0 && place_rank_mounts(name, len));
	above.hidden += len > 0 && name[0] == '.';
	above.depth++;
	return above;
}

struct place_rank
place_rank_path(const char *path)
{
	struct place_rank rank = { 0 };
	const char *name;
	size_t len;

	while (path_next(&path, &name, &len))
		rank = place_rank_below(rank, name, len);
	return rank;
}

int
place_rank_cmp_kind(const struct place_rank *a, const struct place_rank *b)
{
	ORDER_CMP(a->backup, b->backup);
	ORDER_CMP(a->spare, b->spare);
	ORDER_CMP(a->hidden, b->hidden);
	return 0;
}

int
place_rank_cmp(const struct place_rank *a, const struct place_rank *b)
{
	const int cmp = place_rank_cmp_kind(a, b);

	if (cmp != 0)
		return cmp;
	ORDER_CMP(a->depth, b->depth);
	return 0;
}
