/* SPDX-License-Identifier: MIT */
/*
 * Hides which directory of the index a visit is in, on which mount.  Runs in the threads of the
 * walk; it reads the map, claims directories (moved_dir_claim) and numbers new ones, and prepends
 * to the list of mounts without a lock.  A directory is claimed by one visit, and each (dev,
 * inode) is entered once.
 */
#include "base/base.h"

#include "scan/visit_place.h"

#include <stdatomic.h>

#include "index/roots.h"
#include "index/volumes.h"
#include "scan/missing_mount.h"
#include "scan/mounted_twice.h"
#include "scan/moved_dir.h"
#include "sys/countmap.h"
#include "sys/walk.h"

/* Make the directory a root if it is one of visit_inner. */
static void
visit_place_make_root(struct visit_now *s, const struct dirmap_dir *d)
{
	const struct visit_inner *inner = s->v->inner;
	char *path;
	size_t at;

	if (inner->n == 0 || s->l->is_start || (d != NULL && d->root != NULL))
		return;
	path = visit_state_path(s);
	if (pathset_find(&inner->paths, path, strlen(path), &at)) {
		s->l->becomes_root = true;
		s->governing = (struct governing){ inner->rules, inner->v[at] };
	}
	free(path);
}

static struct dir_here
visit_place_here(const struct visit_now *s, const struct visit_place *place, const char *name, size_t len)
{
	return (struct dir_here){
		.start = s->v->starts[s->d->start], .rel = s->d->path, .look = place->roots_below,
		.place = place->start_id != 0 ? dirmap_by_id(s->v->map, place->start_id) :
		         dirmap_by_place(s->v->map, place->parent, name, len),
		.dev = s->mount != NULL ? s->mount->dev : 0, .inode = s->l->inode,
	};
}

void
visit_place_identify(struct visit_now *s, const struct visit_place *place, const char *name, size_t len)
{
	struct listing *l = s->l;
	const struct dir_here here = visit_place_here(s, place, name, len);
	const struct dirmap_dir *d;

	d = moved_dir_claim(s->v->map, s->v->roots, &here, &l->unclaimed);
	l->is_new = d == NULL;
	l->dir = d != NULL ? d->id : dirmap_new_id(s->v->map);
	l->place_changed = d == NULL || !inode_same(d->inode, l->inode) ||
	                   d->error != 0 || d->parent != place->parent || d->name_len != len ||
	                   memcmp(dirmap_name(s->v->map, d), name, len) != 0;
	visit_place_make_root(s, d);
	/* Known by its place, not by its inode. */
	if (d != NULL && l->inode.volume != 0 && d->inode.volume != l->inode.volume && d->inode.volume != 0) {
		l->offline = true;  /* until its listing shows otherwise */
		l->covered = d->covered || (!s->v->force_purge &&
		             missing_mount_is_covered(d, s->v->volumes, l->inode.volume, s->v->no_files));
		if (l->covered)
			l->path = visit_state_path(s);
	}
	if (l->becomes_root)
		listing_settle(l, s->v->map);
}

void
visit_place_govern(struct visit_now *s)
{
	const struct dirmap_dir *d = s->l->is_new ? NULL : dirmap_by_id(s->v->map, s->l->dir);
	struct root *root = d != NULL ? d->root : NULL;

	s->l->is_root = root != NULL;
	if (root == NULL || s->l->is_start)
		return;
	if (root->leads_to != ROOT_PATH_DIR)
		root->now = visit_state_path(s);
	s->governing = (struct governing){ &root->rules, root->now != NULL ? root->now : root->path };
}

bool
visit_place_holds(const struct visit_mount *m)
{
	struct fs_stat st;

	return fs_stat_path(m->path, &st) == 0 && st.dev == m->dev && st.inode == m->inode;
}

/* The mount that begins at the directory with stat st. */
static struct visit_mount *
visit_place_add_mount(struct visit_now *s, const struct fs_stat *st, int64_t volume, const struct volume_facts *facts)
{
	struct visit_mount *m = mem_zalloc(1, sizeof(*m));

	*m = (struct visit_mount){
		.path = visit_state_path(s), .dev = st->dev, .inode = st->inode, .volume = volume,
		.remote = facts->network, .served = facts->served,
	};
	m->next = atomic_load(&s->v->mounts);
	while (!atomic_compare_exchange_weak(&s->v->mounts, &m->next, m))
		;
	return m;
}

bool
visit_place_lose(struct visit_now *s, const struct visit_place *place, const char *name, size_t len)
{
	struct dirmap_dir *d = dirmap_by_place(s->v->map, place->parent, name, len);

	s->l->lost = true;
	if (d != NULL && dirmap_claim(d))
		s->l->dir = d->id;
	if (!atomic_exchange(&place->mount->lost, true))
		s->l->path = mem_str(place->mount->path);
	return s->l->dir != 0 || s->l->path != NULL;
}

/* Whether the options or the path of a root ask for a served mount. */
static bool
visit_place_is_asked(const struct visit_now *s)
{
	char *path = visit_state_path(s);
	size_t at;
	const bool is_root = roots_at(s->v->roots, path) != NULL ||
	                     (s->v->inner->n > 0 && pathset_find(&s->v->inner->paths, path, strlen(path), &at));

	free(path);
	return is_root || s->governing.rules->network;
}

bool
visit_place_may_enter(struct visit_now *s, const struct visit_place *place, const char *name, const struct fs_stat *st)
{
	struct dir_here here;
	struct volume_facts facts;
	const bool crossing = place->mount != NULL && st->dev != place->mount->dev;

	if (crossing && s->governing.rules->one_fs) {
		visit_state_skip(s->v, SKIP_OTHER_FS);
		return false;
	}
	s->mount = place->mount;
	if (place->mount == NULL || crossing) {
		s->l->inode.volume = volumes_number(s->v->volumes, s->fd, st->dev, &facts);
		if (s->l->inode.volume < 0) {
			visit_state_failed(s, errno);
			s->l->inode.volume = 0;
			return true;
		}
		if (crossing && facts.pseudo) {
			visit_state_skip(s->v, SKIP_PSEUDO);
			return false;
		}
		s->mount = visit_place_add_mount(s, st, s->l->inode.volume, &facts);
		if (crossing && facts.served && !place->mount->served && !visit_place_is_asked(s)) {
			s->mount->passed_by = true;
			visit_state_skip(s->v, SKIP_NETWORK);
			return false;
		}
	}
	s->l->inode.volume = s->mount->volume;
	s->l->inode.number = (int64_t)st->inode;
	here = visit_place_here(s, place, name, strlen(name));
	/* start.c has decided where a walk begins. */
	if ((!s->l->is_start && mounted_twice_is(s->v->map, &here)) || countmap_count(s->v->dirs, st->dev, st->inode) > 0) {
		visit_state_skip(s->v, SKIP_TWICE);
		return false;
	}
	return true;
}
