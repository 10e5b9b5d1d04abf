/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/mark_effect.h"

#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "index/mark.h"
#include "index/names.h"
#include "index/presence.h"
#include "query/keep.h"

const char mark_effect_none[] = "no copy is there that may be relied on, and is not marked drop";

static const struct keep mark_effect_plain = { .copies = 1 };

void
mark_effect_release(struct mark_effect *e)
{
	alias_volumes_release(&e->views);
}

static const struct keep *
mark_effect_keep(const struct mark_effect *e)
{
	return e->keep != NULL ? e->keep : &mark_effect_plain;
}

/* Whether a name of the content c of dropped, whose directory has c's reasons, keeps it alive. */
static int
mark_effect_keeps(struct mark_effect *e, struct mark_effect_content *c, struct presence_view *check, const struct file_row *dropped,
                  const struct file_row *row, struct err *err)
{
	static const struct pathset none = { 0 };
	const struct dirs_prefix *prefix = dirs_prefix(&check->dirs, row->dir, err);
	struct keep_name name = { .wish = KEEP_NOT_ASKED };
	enum presence kind;
	bool spared;
	struct mark m;
	int ret;

	if (prefix == NULL || presence_path(check, row, &name.facts.path, err) < 0)
		return -1;
	name.fleeting = prefix->fleeting;
	keep_place(mark_effect_keep(e), &none, &check->ix->backups, NULL, &name);
	spared = name.standing != KEEP_COUNTS && name.rank.backup;
	if ((name.standing != KEEP_COUNTS && !spared) || !fleeting_keeps(name.fleeting, c->fleeting) ||
	    alias_volumes_may_be_one(&e->views, (struct alias_volumes_file){ dropped->inode, dropped->mtime },
	                     (struct alias_volumes_file){ row->inode, row->mtime }))
		return 0;
	ret = mark_get(check->ix, name.facts.path, &m, err);
	if (ret < 0)
		return -1;
	if (ret == 1 && m.decision == MARK_DROP && mark_fits(&m, row->size, fs_time_key(row->mtime), row->hash))
		return 0;
	if (presence_row(check, row, &kind, NULL, err) < 0)
		return -1;
	c->spared |= spared && kind == PRESENCE_HERE;
	return kind == PRESENCE_HERE && !spared;
}

int
mark_effect_survives(struct mark_effect *e, struct presence_view *check, const char *path, const struct file_row *dropped,
                     const char **why, struct err *err)
{
	struct mark_effect_content *c = &e->contents[dropped->hash[0] % MARK_EFFECT_CONTENTS];
	const struct dirs_prefix *prefix = dirs_prefix(&check->dirs, dropped->dir, err);
	const char *unused;
	struct file_row row;
	struct names names;
	int64_t view;
	int ret;

	why = why != NULL ? why : &unused;
	if (prefix == NULL || (!e->viewed && alias_volumes_load(&e->views, check->ix, NULL, err) < 0))
		return -1;
	e->viewed = true;
	if (keep_holds(mark_effect_keep(e), &check->ix->backups, path)) {
		*why = "in a backup, of which only --from-backup lets files go";
		return 0;
	}
	view = alias_volumes_of(&e->views, dropped->inode.volume);
	if (!c->known || alias_volumes_splits(&e->views, dropped->inode.volume) || c->size != dropped->size ||
	    memcmp(c->hash, dropped->hash, HASH_SIZE) != 0 || c->fleeting != prefix->fleeting || c->view != view) {
		*c = (struct mark_effect_content){ .size = dropped->size, .fleeting = prefix->fleeting, .view = view };
		memcpy(c->hash, dropped->hash, HASH_SIZE);
		names = names_of_content(check->ix->db, c->size, c->hash, err);
		while ((ret = names_next(&names, &row)) == 1) {
			ret = mark_effect_keeps(e, c, check, dropped, &row, err);
			if (ret != 0)
				break;
		}
		names_end(&names);
		if (ret < 0)
			return -1;
		c->survives = ret == 1;
		c->known = true;
	}
	*why = c->spared ? "its other copies are in backups, which count only with --backups-count" : mark_effect_none;
	return c->survives;
}

int
mark_effect_of(struct mark_effect *e, struct presence_view *check, const char *path, int64_t size, struct fs_time mtime,
          const uint8_t *hash, enum mark_decision *mark, struct err *err)
{
	struct file_row row;
	struct mark m;
	int ret = mark_get(check->ix, path, &m, err);

	*mark = MARK_NONE;
	if (ret <= 0)
		return ret;
	if (!mark_fits(&m, size, fs_time_key(mtime), hash))
		return 0;
	if (m.decision == MARK_DROP) {
		ret = dirs_next_file(&check->dirs, path, &row, err);
		if (ret == 1)
			ret = row.has_hash ? mark_effect_survives(e, check, path, &row, NULL, err) : 0;
	}
	if (ret == 1)
		*mark = m.decision;
	return ret < 0 ? -1 : 0;
}
