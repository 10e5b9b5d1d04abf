/* SPDX-License-Identifier: MIT */
/*
 * Hides how a directory is visited: which directory of the index it is, on which mount, under which
 * rules, and what its listing has.  A directory whose files' names and stats give the digest that
 * the index has is done with: its rows need not even be looked at.
 *
 * Threads read the map, claim directories (moved_dir_claim) and number new ones, and prepend to the
 * list of mounts without a lock.  A directory is claimed by one visit, and each (dev, inode) is
 * entered once.
 */
#include "base/base.h"

#include "scan/visit.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "index/fleeting.h"
#include "index/roots.h"
#include "index/volumes.h"
#include "scan/dirty.h"
#include "scan/missing_mount.h"
#include "scan/mounted_twice.h"
#include "scan/moved_dir.h"
#include "scan/visit_read.h"
#include "sys/countmap.h"
#include "sys/stop.h"
#include "sys/walk.h"
#include "sys/stall.h"

/* Make the directory a root if it is one of visit_inner. */
static void
visit_make_root(struct visit_now *s, const struct dirmap_dir *d)
{
	const struct visit_inner *inner = s->v->inner;
	const char *path;
	size_t at;

	if (inner->n == 0 || s->l->is_start || (d != NULL && d->root != NULL))
		return;
	path = visit_state_path(s);
	if (pathset_find(&inner->paths, path, strlen(path), &at)) {
		s->l->becomes_root = true;
		s->governing = (struct governing){ inner->rules, inner->v[at] };
	}
}

/* The directory as it lies on the disk. */
static struct dir_here
visit_here(const struct visit_now *s)
{
	return (struct dir_here){
		.start = s->v->starts[s->d->start], .rel = s->d->path, .look = s->place->roots_below,
		.place = s->place->start_id != 0 ? dirmap_by_id(s->v->map, s->place->start_id) :
		         dirmap_by_place(s->v->map, s->place->parent, s->l->name, s->l->name_len),
		.dev = s->mount != NULL ? s->mount->dev : 0, .inode = s->l->inode,
	};
}

/* Find the directory of the index that this one is and claim it, or number a new one. */
static void
visit_identify(struct visit_now *s)
{
	struct listing *l = s->l;
	const struct dir_here here = visit_here(s);
	const struct dirmap_dir *d;

	d = moved_dir_claim(s->v->map, s->v->roots, &here, &l->unclaimed);
	l->is_new = d == NULL;
	l->dir = d != NULL ? d->id : dirmap_new_id(s->v->map);
	l->place_changed = d == NULL || !inode_same(d->inode, l->inode) ||
	                   d->error != 0 || !dirmap_is_at(s->v->map, d, l->parent, l->name, l->name_len);
	visit_make_root(s, d);
	/* Known by its place, not by its inode. */
	if (d != NULL && l->inode.volume != 0 && d->inode.volume != l->inode.volume && d->inode.volume != 0) {
		l->offline = true;  /* until its listing shows otherwise */
		l->covered = d->covered || (!s->v->force_purge &&
		             missing_mount_is_covered(d, s->v->volumes, l->inode.volume, s->v->no_files));
		if (l->covered)
			l->path = mem_str(visit_state_path(s));
	}
	if (l->becomes_root)
		listing_settle(l, s->v->map);
}

/* Make the rules of a root hold from here on.  After visit_identify. */
static void
visit_govern(struct visit_now *s)
{
	const struct dirmap_dir *d = s->l->is_new ? NULL : dirmap_by_id(s->v->map, s->l->dir);
	struct root *root = d != NULL ? d->root : NULL;

	s->l->is_root = root != NULL;
	if (root == NULL || s->l->is_start)
		return;
	if (root->leads_to != ROOT_PATH_DIR)
		root->now = mem_str(visit_state_path(s));
	s->governing = (struct governing){ &root->rules, root->now != NULL ? root->now : root->path };
}

/* Whether the path of a mount still leads to it. */
static bool
visit_holds(const struct visit_mount *m)
{
	struct fs_stat st;

	return fs_stat_path(m->path, &st) == 0 && st.dev == m->dev && st.inode == m->inode;
}

/* The mount that begins at the directory with stat st. */
static struct visit_mount *
visit_add_mount(struct visit_now *s, const struct fs_stat *st, int64_t volume, const struct volume_facts *facts)
{
	struct visit_mount *m = mem_zalloc(1, sizeof(*m));

	*m = (struct visit_mount){
		.path = mem_str(visit_state_path(s)), .dev = st->dev, .inode = st->inode, .volume = volume,
		.remote = facts->network, .served = facts->served,
	};
	m->next = atomic_load(&s->v->mounts);
	while (!atomic_compare_exchange_weak(&s->v->mounts, &m->next, m))
		;
	return m;
}

/*
 * The mount of the directory is not at its path any more: the rows of the directory stay as they
 * are.  Returns whether the writer needs to know.
 */
static bool
visit_lose(struct visit_now *s)
{
	struct dirmap_dir *d = dirmap_by_place(s->v->map, s->place->parent, s->l->name, s->l->name_len);

	s->l->lost = true;
	if (d != NULL && dirmap_claim(d))
		s->l->dir = d->id;
	if (!atomic_exchange(&s->place->mount->lost, true))
		s->l->path = mem_str(s->place->mount->path);
	return s->l->dir != 0 || s->l->path != NULL;
}

/* Whether the options or the path of a root ask for a served mount. */
static bool
visit_is_asked(struct visit_now *s)
{
	const char *path = visit_state_path(s);
	size_t at;

	return s->governing.rules->network || roots_at(s->v->roots, path) != NULL ||
	       (s->v->inner->n > 0 && pathset_find(&s->v->inner->paths, path, strlen(path), &at));
}

/*
 * Pass by a served mount that nobody asked for.  What the index has there of another volume is
 * hidden by it rather than gone: the rows stay.
 */
static void
visit_pass_by(struct visit_now *s)
{
	struct dirmap_dir *d = dirmap_by_place(s->v->map, s->place->parent, s->l->name, s->l->name_len);

	s->mount->passed_by = true;
	visit_state_skip(s->v, SKIP_NETWORK);
	if (s->v->force_purge || d == NULL || d->inode.volume == 0 || d->inode.volume == s->mount->volume || !dirmap_claim(d))
		return;
	s->mount->hides = s->l->lost = true;
	s->l->dir = d->id;
}

/* Whether to enter the directory.  A volume of 0 afterwards means that it can't be entered. */
static bool
visit_may_enter(struct visit_now *s, const struct fs_stat *st)
{
	struct dir_here here;
	struct volume_facts facts;
	const bool crossing = s->place->mount != NULL && st->dev != s->place->mount->dev;

	if (crossing && s->governing.rules->one_fs) {
		visit_state_skip(s->v, SKIP_OTHER_FS);
		return false;
	}
	s->mount = s->place->mount;
	if (s->place->mount == NULL || crossing) {
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
		s->mount = visit_add_mount(s, st, s->l->inode.volume, &facts);
		if (crossing && facts.served && !s->place->mount->served && !visit_is_asked(s)) {
			visit_pass_by(s);
			return false;
		}
	}
	s->l->inode.volume = s->mount->volume;
	s->l->inode.number = (int64_t)st->inode;
	here = visit_here(s);
	/* start.c has decided where a walk begins. */
	if ((!s->l->is_start && mounted_twice_is(s->v->map, &here)) || countmap_count(s->v->dirs, st->dev, st->inode) > 0) {
		visit_state_skip(s->v, SKIP_TWICE);
		return false;
	}
	return true;
}

void
visit_end(struct walk_worker *w)
{
	struct visit_worker *vw = w->data;
	struct visit_state *v = vw->visit;

	visit_read_end(vw);
	fs_list_release(&vw->list);
	listing_flush(v->queue, &vw->batch);
	listing_end(v->queue);
}

/* The rule that leaves out an entry by its name. */
static enum skip
visit_check(struct visit_now *s, const char *name, bool is_dir)
{
	const struct rules *r = s->governing.rules;
	const char *below;
	enum skip skip;
	size_t len;

	if (r->n_patterns == 0)
		return rules_check_name(r, name, name, is_dir);
	visit_state_path(s);
	len = s->path.len;
	path_append(&s->path, name, strlen(name));
	below = path_below(s->path.data, s->governing.root_path);
	skip = rules_check_name(r, name, below != NULL ? below : name, is_dir);
	buf_cut(&s->path, len);
	return skip;
}

/* Complete the entry of a file that has its stat.  Returns whether it is one for the index. */
static bool
visit_judge(struct visit_now *s, const char *name, struct listing_file *f)
{
	enum skip skip;

	if (!S_ISREG(f->st.mode)) {
		visit_state_skip(s->v, S_ISLNK(f->st.mode) ? SKIP_LINK : SKIP_SPECIAL);
		return false;
	}
	if (own_files_has(&s->v->own, f->st.dev, f->st.inode)) {
		visit_state_skip(s->v, SKIP_OWN);
		return false;
	}
	skip = rules_check_size(s->governing.rules, f->st.size);
	if (skip != SKIP_NO) {
		visit_state_skip(s->v, skip);
		return false;
	}
	f->volume = s->l->inode.volume;
	if (f->st.dev != s->mount->dev) {
		/* A file mounted by itself, or a layer of an overlay. */
		f->volume = volumes_known(s->v->volumes, f->st.dev);
		if (f->volume == 0) {
			int fd = fs_open_file(s->fd, name);

			f->volume = fd >= 0 ? volumes_number(s->v->volumes, fd, f->st.dev, NULL) : -1;
			if (f->volume < 0)
				f->error = errno;
			if (fd >= 0)
				close(fd);
		}
	}
	return true;
}

static void
visit_file(struct visit_now *s, const struct fs_entry *e, const struct fs_stat *known)
{
	const char *name = fs_list_name(&s->vw->list, e);
	struct listing_file *f = &s->l->files[s->l->n_files];
	enum skip skip = visit_check(s, name, false);
	int fd = -1;

	/* By name, and by inode below, before it may be opened: see fs_shun. */
	if (skip == SKIP_NO && s->has_index && own_files_has_name(&s->v->own, name))
		skip = SKIP_OWN;
	if (skip != SKIP_NO) {
		visit_state_skip(s->v, skip);
		return;
	}
	memset(f, 0, sizeof(*f));
	f->name = e->name;
	f->name_len = e->len;
	if (known != NULL)
		f->st = *known;
	else if (visit_read_stat(s->vw, s->fd, name, s->reads && !s->mount->remote, &f->st, &fd) < 0) {
		/* Gone between the listing and now: as if it had never been listed. */
		if (errno == ENOENT)
			return;
		f->error = errno;
		s->l->n_files++;
		return;
	}
	if (visit_judge(s, name, f)) {
		if (s->reads && f->error == 0) {
			visit_read_meet(s->vw, s->fd, name, fd, f, s->l->n_files);
			fd = -1;
		}
		s->l->n_files++;
	}
	if (fd >= 0)
		close(fd);
}

/*
 * Whether a directory is known, with nothing to look at in it.  It is met all the same: no other
 * may pass for it.
 */
static bool
visit_is_clean(struct visit_now *s, const struct fs_entry *e)
{
	struct dirmap_dir *d = s->look != LOOK_LIST ? NULL : dirmap_by_place(s->v->map, s->l->dir, fs_list_name(&s->vw->list, e), e->len);

	if (d == NULL || d->look != LOOK_NONE || d->root != NULL || d->error != 0 ||
	    !inode_same(d->inode, (struct inode){ s->l->inode.volume, (int64_t)e->inode }) || !dirmap_claim(d))
		return false;
	atomic_store(&d->kept, true);
	return true;
}

static void
visit_subdir(struct visit_now *s, const struct fs_entry *e)
{
	const char *name = fs_list_name(&s->vw->list, e);
	enum skip skip = visit_check(s, name, true);
	struct visit_place *place;

	if (skip != SKIP_NO) {
		visit_state_skip(s->v, skip);
		return;
	}
	if (visit_is_clean(s, e))
		return;
	place = mem_alloc(sizeof(*place));
	*place = (struct visit_place){
		.parent = s->l->dir, .mount = s->mount, .roots_below = s->place->roots_below, .whole = s->look == LOOK_WHOLE,
		.moved = s->moved, .governing = s->governing,
	};
	walk_push(s->w, s->d, name, place);
}

static void
visit_entry(struct visit_now *s, const struct fs_entry *e)
{
	const char *name = fs_list_name(&s->vw->list, e);
	struct fs_stat st;

	switch (e->type) {
	case FS_FILE:
		visit_file(s, e, NULL);
		break;
	case FS_DIR:
		visit_subdir(s, e);
		break;
	case FS_LINK:
		visit_state_skip(s->v, SKIP_LINK);
		break;
	case FS_SPECIAL:
		visit_state_skip(s->v, SKIP_SPECIAL);
		break;
	case FS_UNKNOWN:
		if (fs_stat_at(s->fd, name, &st) < 0)
			visit_file(s, e, NULL);
		else if (S_ISDIR(st.mode))
			visit_subdir(s, e);
		else
			visit_file(s, e, &st);
		break;
	}
}

static struct listing *
visit_listing(const struct visit_place *place, const char *name)
{
	struct listing *l = mem_zalloc(1, sizeof(*l));

	l->parent = place->parent;
	l->name_len = strlen(name);
	l->name = mem_dup(name, l->name_len);
	return l;
}

/* Count the files met; those that could not be stat-ed count as errors. */
static void
visit_count(struct visit_now *s)
{
	struct stats *c = s->v->counts;
	int64_t bytes = 0, linked = 0, gone = 0;

	for (size_t i = 0; i < s->l->n_files; i++) {
		const int error = s->l->files[i].error;

		if (error == 0) {
			bytes += s->l->files[i].st.size;
			linked += s->l->files[i].st.nlink > 1;
		} else if (!s->l->files[i].gone)
			visit_state_failed(s, error);
		gone += s->l->files[i].gone;
	}
	atomic_fetch_add_explicit(&c->dirs, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&c->files, (int64_t)s->l->n_files - gone, memory_order_relaxed);
	atomic_fetch_add_explicit(&c->bytes, bytes, memory_order_relaxed);
	if (linked > 0)
		atomic_fetch_add_explicit(&c->linked, linked, memory_order_relaxed);
}

/*
 * Fill the list with those of the names to look at that are there.  A name that the index has is
 * looked for by stat; a new one only counts as the directory itself spells it, which takes no
 * notice of case on some file systems.  Returns 0, or errno.
 */
static int
visit_list_names(struct visit_now *s, const struct dirty_name *names, size_t n)
{
	struct fs_list *list = &s->vw->list;
	size_t kept = 0, at = 0;
	bool listed = false;

	for (size_t i = 0; i < n; i++)
		listed |= !names[i].known;
	if (!listed) {
		fs_list_clear(list);
		for (size_t i = 0; i < n; i++)
			fs_list_look(list, s->fd, names[i].name);
		return 0;
	}
	if (fs_list_read(list, s->fd) < 0)
		return errno;
	fs_list_sort(list);
	for (size_t i = 0; i < list->n; i++) {
		int cmp = -1;

		while (at < n && (cmp = strcmp(names[at].name, fs_list_name(list, &list->v[i]))) < 0)
			at++;
		if (at < n && cmp == 0)
			list->v[kept++] = list->v[i];
	}
	list->n = kept;
	return 0;
}

/* Note that a name has been looked at, and whether it is a file for the index. */
static void
visit_sought(struct visit_now *s, const struct dirty_name *name, bool is_file)
{
	struct dirmap_dir *d = dirmap_by_place(s->v->map, s->l->dir, name->name, name->len);
	struct fs_list *list = &s->vw->list;
	struct listing_file *f = &s->l->files[s->l->n_files];

	if (d != NULL)
		atomic_store(&d->sought, true);
	if (is_file)
		return;
	fs_list_put(list, name->name, 0, FS_UNKNOWN);
	*f = (struct listing_file){ .name = list->v[--list->n].name, .name_len = (uint32_t)name->len, .error = ENOENT, .gone = true };
	s->l->n_files++;
}

/* Look at some names of an identified directory.  Returns whether the writer needs to see them. */
static bool
visit_names(struct visit_now *s)
{
	struct fs_list *list = &s->vw->list;
	struct listing *l = s->l;
	size_t n, at = 0;
	const struct dirty_name *names = dirty_names(s->v->dirty, l->dir, &n);
	const int error = visit_list_names(s, names, n);

	if (stop_signal() != 0)
		return false;
	if (error != 0) {
		visit_state_failed(s, error);
		return true;
	}
	l->partial = true;
	l->files = mem_alloc((n + 1) * sizeof(*l->files));
	for (size_t i = 0; i < n; i++) {
		const size_t before = l->n_files, entries = list->n;
		const bool there = at < entries && strcmp(fs_list_name(list, &list->v[at]), names[i].name) == 0;

		if (stop_signal() != 0)
			return false;
		if (there) {
			const struct fs_entry e = list->v[at++];

			visit_entry(s, &e);
		}
		visit_sought(s, &names[i], l->n_files > before);
		stall_step(s->w->post);
	}
	return l->n_files > 0;
}

/*
 * Take an identified directory as the index has it, but for some names.  Returns whether the
 * writer needs to see it.
 */
static bool
visit_kept(struct visit_now *s, struct dirmap_dir *old)
{
	struct listing *l = s->l;
	bool deliver = false;

	atomic_store(&old->kept, true);
	if (s->governing.rules->hash_all)
		countmap_count(s->v->hash_all, (uint64_t)l->dir, 0);
	if (s->look == LOOK_NAMES)
		deliver = visit_names(s);
	if (stop_signal() != 0)
		return false;
	visit_count(s);
	l->has_digest = old->has_digest;
	memcpy(l->digest, old->digest, DIGEST_SIZE);
	l->unchanged = l->n_files == 0;
	return deliver || l->is_start || l->becomes_root;
}

/* How much of an identified directory to look at. */
static enum look
visit_look(const struct visit_now *s, const struct dirmap_dir *old)
{
	const struct listing *l = s->l;

	if (old == NULL || s->moved || l->unclaimed || l->becomes_root || (s->place->whole && !old->known))
		return LOOK_WHOLE;
	/* The owners of its files may be others now: visit_note_shared sees all of them. */
	return old->look == LOOK_NAMES && s->is_shared ? LOOK_LIST : (enum look)old->look;
}


/* Note the owner of the files of a directory that users share. */
static void
visit_note_shared(struct visit_now *s)
{
	struct visit_shared *shared = mem_alloc(sizeof(*shared));
	bool any = false;

	*shared = (struct visit_shared){ .dir = s->l->dir, .next = atomic_load(&s->v->shared) };
	for (size_t i = 0; i < s->l->n_files; i++) {
		const struct listing_file *f = &s->l->files[i];

		if (f->error != 0)
			continue;
		shared->owner = any && shared->owner != (int64_t)f->st.uid ? -1 : (int64_t)f->st.uid;
		any = true;
		if (shared->owner < 0)
			break;
	}
	if (!any)
		free(shared);
	else
		while (!atomic_compare_exchange_weak(&s->v->shared, &shared->next, shared))
			;
}

/* List an identified directory.  Returns whether the writer needs to see it. */
static bool
visit_contents(struct visit_now *s)
{
	struct visit_state *v = s->v;
	struct fs_list *list = &s->vw->list;
	struct listing *l = s->l;
	const struct dirmap_dir *old;
	const int error = fs_list_read(list, s->fd) < 0 ? errno : 0;

	/* Half a listing would look like deleted files. */
	if (stop_signal() != 0)
		return false;
	if (error != 0)
		visit_state_failed(s, error);
	/* merge_finish settles an empty one. */
	if (list->n > 0 || l->error != 0)
		listing_settle(l, v->map);
	old = l->is_new ? NULL : dirmap_by_id(v->map, l->dir);
	/* An empty one counts as not mounted: merge_take tells. */
	l->covered &= list->n > 0;
	if (l->covered)
		return true;
	fs_list_sort(list);
	l->files = mem_alloc((list->n + 1) * sizeof(*l->files));
	l->names = list->names;
	l->is_empty = list->n == 0;
	s->reads = l->is_new && v->read_in_passing && fs_is_apart();
	if (s->governing.rules->hash_all)
		countmap_count(v->hash_all, (uint64_t)l->dir, 0);
	verify_inline_enter(&s->vw->references, l->dir, v->starts[s->d->start], s->d->path, s->w->start_fd);
	l->offline &= l->is_empty;
	if (l->path == NULL && (l->is_root || l->offline))
		l->path = mem_str(visit_state_path(s));
	for (size_t i = 0; i < list->n; i++) {
		if (stop_signal() != 0)
			return false;
		visit_entry(s, &list->v[i]);
		stall_step(s->w->post);
	}
	visit_count(s);
	if (s->is_shared)
		visit_note_shared(s);
	if (l->error == 0) {
		listing_digest(l, v->secret, l->digest);
		l->has_digest = true;
		if (old != NULL && old->has_digest && !v->rehash && !l->offline && !(l->is_root && l->is_empty) &&
		    memcmp(old->digest, l->digest, DIGEST_SIZE) == 0) {
			atomic_fetch_add_explicit(&v->counts->reused, (int64_t)l->n_files, memory_order_relaxed);
			l->n_files = 0;
			l->unchanged = true;
			return l->place_changed || l->is_start || l->becomes_root;
		}
	}
	if (s->reads)
		visit_read_rest(s->vw, s->fd, l);
	return true;
}

void
visit_dir(struct walk_worker *w, const struct walk_dir *d, int fd)
{
	struct visit_worker *vw = w->data;
	struct visit_state *v = vw->visit;
	struct visit_place *place = d->data;
	const char *name = d->path[0] != '\0' ? d->path + d->name :
	                   place->parent != 0 ? path_base(v->starts[d->start]) : v->starts[d->start];
	struct visit_now s = { .w = w, .vw = vw, .v = v, .d = d, .fd = fd, .place = place, .governing = place->governing,
	                       .l = visit_listing(place, name) };
	struct dirmap_dir *old;
	struct fs_stat st;
	const int error = fd < 0 || fs_stat_fd(fd, &st) < 0 ? errno : 0;
	/*
	 * Vanished since its parent was listed: as if it had never been there.  A vanished start
	 * point is an error.
	 */
	const bool vanished = fs_is_absent(error) && place->mount != NULL;
	const bool elsewhere = error == 0 && place->mount != NULL && st.dev != place->mount->dev;
	bool deliver = false;

	vw->reader.post = w->post;
	s.l->start = d->start;
	s.l->is_start = d->path[0] == '\0';
	if ((vanished || elsewhere) && !visit_holds(place->mount))
		deliver = visit_lose(&s);
	else if (error != 0 && !vanished) {
		visit_state_failed(&s, error);
		visit_identify(&s);
		deliver = true;
	} else if (error == 0 && visit_may_enter(&s, &st)) {
		s.is_shared = fleeting_mode_is_shared(st.mode);
		s.has_index = st.dev == v->own.dir_dev && st.inode == v->own.dir_inode;
		visit_identify(&s);
		if (s.l->error != 0) {
			deliver = true;
			goto out;
		}
		visit_govern(&s);
		s.l->trust_mtime = s.governing.rules->trust_mtime;
		old = s.l->is_new ? NULL : dirmap_by_id(v->map, s.l->dir);
		s.moved = place->moved || s.l->place_changed;
		s.look = visit_look(&s, old);
		deliver = s.look <= LOOK_NAMES ? visit_kept(&s, old) : visit_contents(&s);
	} else
		deliver = s.l->lost;
out:
	visit_read_close(vw);
	if (deliver) {
		s.l->names = s.l->n_files > 0 ? mem_dup(vw->list.names, vw->list.names_len) : NULL;
		listing_give(v->queue, &vw->batch, s.l);
	} else {
		s.l->names = NULL;
		listing_free(s.l);
	}
	buf_release(&s.path);
	free(place);
}
