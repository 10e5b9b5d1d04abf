/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "index/mark_effect.h"

#include <assert.h>
#include <string.h>

#include "base/path.h"
#include "index/presence.h"
#include "index/file.h"
#include "index/index.h"
#include "index/mark.h"
#include "index/names.h"

/* They are part of every machine format. */
static const char *const mark_effect_states[MARK_STATES] = {
	[MARK_EFFECTIVE] = "effective",
	[MARK_STALE] = "stale",
	[MARK_OFFLINE] = "offline",
	[MARK_LAST] = "last",
};

const char *
mark_state_name(enum mark_state state)
{
	assert((unsigned)state < MARK_STATES);
	return mark_effect_states[state];
}

/* Whether a name of the content keeps it alive: it is there, in no trash, and not to be dropped. */
static int
mark_effect_keeps(struct presence_view *check, const struct file_row *row, struct err *err)
{
	enum presence kind;
	struct mark m;
	const char *path;
	int ret;

	if (presence_path(check, row, &path, err) < 0)
		return -1;
	if (path_trash_len(path) > 0)
		return 0;
	ret = mark_get(check->ix, path, &m, err);
	if (ret < 0)
		return -1;
	if (ret == 1 && m.decision == MARK_DROP && mark_fits(&m, row->size, fs_time_key(row->mtime), row->hash))
		return 0;
	return presence_row(check, row, &kind, NULL, err) < 0 ? -1 : kind == PRESENCE_HERE;
}

int
mark_effect_survives(struct mark_effect *e, struct presence_view *check, int64_t size, const uint8_t *hash, struct err *err)
{
	struct mark_effect_content *c = &e->contents[hash[0] % MARK_EFFECT_CONTENTS];
	struct file_row row;
	struct names names;
	int ret;

	if (c->known && c->size == size && memcmp(c->hash, hash, HASH_SIZE) == 0)
		return c->survives;
	*c = (struct mark_effect_content){ .size = size };
	memcpy(c->hash, hash, HASH_SIZE);
	names = names_of_content(check->ix->db, size, c->hash, err);
	while ((ret = names_next(&names, &row)) == 1) {
		ret = mark_effect_keeps(check, &row, err);
		if (ret != 0)
			break;
	}
	names_end(&names);
	c->survives = ret == 1;
	c->known = ret >= 0;
	return ret;
}

int
mark_effect_of(struct mark_effect *e, struct presence_view *check, const char *path, int64_t size, struct fs_time mtime,
          const uint8_t *hash, enum mark_decision *mark, struct err *err)
{
	struct mark m;
	int ret = mark_get(check->ix, path, &m, err);

	*mark = MARK_NONE;
	if (ret <= 0)
		return ret;
	if (!mark_fits(&m, size, fs_time_key(mtime), hash))
		return 0;
	ret = m.decision == MARK_DROP ? mark_effect_survives(e, check, size, hash, err) : 1;
	if (ret == 1)
		*mark = m.decision;
	return ret < 0 ? -1 : 0;
}
