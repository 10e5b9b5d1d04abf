/* SPDX-License-Identifier: MIT */
/*
 * A directory whose files' names and stats give the digest that the index has
 * is done with: its rows need not even be looked at.  Of a directory that is
 * new, small files and heads of others are read at once where another
 * inode of their size was met before and their bytes are in memory: now the
 * descriptor is open and the inode just looked up.  What is cold is left for
 * the reading phase, which goes in the order of the disk.
 */
#include <config.h>

#include "scan/visit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "sys/countmap.h"
#include "scan/root_place.h"
#include "scan/visit_read.h"
#include "index/volumes.h"
#include "sys/stop.h"
#include "sys/walk.h"
#include "sys/watch.h"

void
visit_end(struct walk_worker *w)
{
	struct visit_worker *vw = w->data;
	struct visit *v = vw->visit;

	atomic_fetch_add(&v->counts->read_bytes, vw->reader.bytes);
	content_reader_release(&vw->reader);
	fs_list_release(&vw->list);
	listing_flush(v->queue, &vw->batch);
	listing_end(v->queue);
}

void
visit_make_seen(struct visit *v)
{
	v->sizes = countmap_new(0);
	v->inodes = countmap_new(sizeof(struct countmap_content));
	v->heads = countmap_new(0);
	v->dirs = countmap_new(0);
}

void
visit_free_seen(struct visit *v)
{
	countmap_free(v->sizes);
	countmap_free(v->inodes);
	countmap_free(v->heads);
	countmap_free(v->dirs);
	countmap_free(v->hash_all);
	v->sizes = v->inodes = v->heads = v->dirs = v->hash_all = NULL;
}

void
visit_free_mounts(struct visit *v)
{
	struct visit_mount *m = atomic_load(&v->mounts);

	while (m != NULL) {
		struct visit_mount *next = m->next;

		free(m->path);
		free(m);
		m = next;
	}
	atomic_store(&v->mounts, NULL);
}

void
visit_worker_init(struct visit_worker *vw, struct visit *v)
{
	memset(vw, 0, sizeof(*vw));
	vw->visit = v;
	content_reader_init(&vw->reader, v->secret, v->racy_window);
	vw->reader.go_on = visit_go_on;
	vw->reader.arg = v;
	verify_inline_worker_init(&vw->leads, v->leads, &vw->reader);
}

/* A listing under construction and what is needed to judge its entries. */
struct visit_state {
	struct walk_worker *w;
	struct visit_worker *vw;
	struct visit *v;
	const struct walk_dir *d;
	int fd;
	struct visit_mount *mount;
	bool reads;               /* files are read in passing */
	bool roots_below;         /* as in struct visit_place */
	bool has_index;           /* the index's own files lie here */
	struct governing governing;
	struct buf path;          /* absolute path of the directory, only when patterns need it */
	struct listing *l;
};

/* The absolute path of the directory; the caller frees it. */
static char *
visit_path(const struct visit_state *s)
{
	struct buf path = { 0 };

	buf_adds(&path, s->v->tops[s->d->top]);
	if (s->d->path[0] != '\0')
		path_append(&path, s->d->path, strlen(s->d->path));
	return buf_take(&path);
}

static void
visit_skip(struct visit *v, enum skip why)
{
	atomic_fetch_add_explicit(&v->counts->skipped[why], 1, memory_order_relaxed);
}

/* The rule that leaves out an entry by its name. */
static enum skip
visit_check(struct visit_state *s, const char *name, bool is_dir)
{
	const struct rules *r = s->governing.rules;
	const char *below;
	enum skip skip;
	size_t len;

	if (r->n_patterns == 0)
		return rules_check_name(r, name, name, is_dir);
	if (s->path.len == 0) {
		char *path = visit_path(s);

		buf_adds(&s->path, path);
		free(path);
	}
	len = s->path.len;
	path_append(&s->path, name, strlen(name));
	below = path_below(s->path.data, s->governing.root_path);
	skip = rules_check_name(r, name, below != NULL ? below : name, is_dir);
	buf_cut(&s->path, len);
	return skip;
}

/* Complete the entry of a file with its stat.  Returns whether it is one for the index. */
static bool
visit_judge(struct visit_state *s, const char *name, struct listing_file *f)
{
	enum skip skip;

	if (!S_ISREG(f->st.mode)) {
		visit_skip(s->v, S_ISLNK(f->st.mode) ? SKIP_LINK : SKIP_SPECIAL);
		return false;
	}
	if (index_is_own(&s->v->own, f->st.dev, f->st.inode)) {
		visit_skip(s->v, SKIP_OWN);
		return false;
	}
	skip = rules_check_size(s->governing.rules, f->st.size);
	if (skip != SKIP_NO) {
		visit_skip(s->v, skip);
		return false;
	}
	f->volume = s->l->volume;
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
visit_file(struct visit_state *s, const struct fs_entry *e, const struct fs_stat *known)
{
	const char *name = fs_list_name(&s->vw->list, e);
	struct listing_file *f = &s->l->files[s->l->n_files];
	enum skip skip = visit_check(s, name, false);
	int fd = -1;

	/* By name, and by inode below, before it may be opened: see fs_shun. */
	if (skip == SKIP_NO && s->has_index && index_is_own_name(&s->v->own, name))
		skip = SKIP_OWN;
	if (skip != SKIP_NO) {
		visit_skip(s->v, skip);
		return;
	}
	memset(f, 0, sizeof(*f));
	f->name = e->name;
	f->name_len = e->len;
	if (known != NULL)
		f->st = *known;
	else if (visit_stat(s->vw, s->fd, name, s->reads && !s->mount->remote, &f->st, &fd) < 0) {
		/* Gone between the listing and now: as if it had never been listed. */
		if (errno == ENOENT)
			return;
		f->error = errno;
		s->l->n_files++;
		return;
	}
	if (visit_judge(s, name, f)) {
		if (s->reads && f->error == 0) {
			visit_meet(s->vw, s->fd, name, fd, f, s->l->n_files);
			fd = -1;
		}
		s->l->n_files++;
	}
	if (fd >= 0)
		close(fd);
}

static void
visit_subdir(struct visit_state *s, const char *name)
{
	enum skip skip = visit_check(s, name, true);
	struct visit_place *place;

	if (skip != SKIP_NO) {
		visit_skip(s->v, skip);
		return;
	}
	place = mem_alloc(sizeof(*place));
	*place = (struct visit_place){
		.parent = s->l->dir, .mount = s->mount, .roots_below = s->roots_below, .governing = s->governing,
	};
	walk_push(s->w, s->d, name, place);
}

static void
visit_entry(struct visit_state *s, const struct fs_entry *e)
{
	const char *name = fs_list_name(&s->vw->list, e);
	struct fs_stat st;

	switch (e->type) {
	case FS_FILE:
		visit_file(s, e, NULL);
		break;
	case FS_DIR:
		visit_subdir(s, name);
		break;
	case FS_LINK:
		visit_skip(s->v, SKIP_LINK);
		break;
	case FS_SPECIAL:
		visit_skip(s->v, SKIP_SPECIAL);
		break;
	case FS_UNKNOWN:
		if (fs_stat_at(s->fd, name, &st) < 0)
			visit_file(s, e, NULL);
		else if (S_ISDIR(st.mode))
			visit_subdir(s, name);
		else
			visit_file(s, e, &st);
		break;
	}
}

/* Whether another volume is mounted over a directory of which the index has something. */
static bool
visit_is_covered(const struct visit_state *s, const struct dirmap_dir *d)
{
	const struct visit *v = s->v;
	const bool has_files = !d->has_digest || memcmp(d->digest, v->no_files, DIGEST_SIZE) != 0;

	return !v->force_purge && (d->has_dirs || has_files) && volumes_differ(v->volumes, d->volume, s->l->volume);
}

/* Let the directory become a root if it is to be one. */
static void
visit_make_root(struct visit_state *s, const struct dirmap_dir *d)
{
	const struct visit_inner *inner = s->v->inner;
	char *path;
	size_t at;

	if (inner->n == 0 || s->l->is_top || (d != NULL && d->root != NULL))
		return;
	path = visit_path(s);
	if (pathset_find(&inner->paths, path, strlen(path), &at)) {
		s->l->becomes_root = true;
		s->governing = (struct governing){ inner->rules, inner->v[at] };
	}
	free(path);
}

/* Where the walk stands. */
static struct root_place_here
visit_here(const struct visit_state *s, const struct visit_place *place, const char *name, size_t len)
{
	return (struct root_place_here){
		.top = s->v->tops[s->d->top], .rel = s->d->path, .look = place->roots_below,
		.place = place->top_id != 0 ? dirmap_by_id(s->v->map, place->top_id) :
		         dirmap_by_place(s->v->map, place->parent, name, len),
		.dev = s->mount != NULL ? s->mount->dev : 0, .volume = s->l->volume, .inode = s->l->inode,
	};
}

/* Which directory of the index is this? */
static void
visit_identify(struct visit_state *s, const struct visit_place *place, const char *name, size_t len)
{
	struct listing *l = s->l;
	const struct root_place_here here = visit_here(s, place, name, len);
	const struct dirmap_dir *d;

	d = root_place_claim(s->v->map, s->v->roots, &here, &l->unclaimed);
	l->is_new = d == NULL;
	l->dir = d != NULL ? d->id : dirmap_new_id(s->v->map);
	l->place_changed = d == NULL || d->volume != l->volume || d->inode != l->inode ||
	                   d->error != 0 || d->parent != place->parent || d->name_len != len ||
	                   memcmp(dirmap_name(s->v->map, d), name, len) != 0;
	visit_make_root(s, d);
	/* One that was not met by its inode, but by its place. */
	if (d != NULL && l->volume != 0 && d->volume != l->volume && d->volume != 0) {
		l->offline = true;  /* until its listing shows otherwise */
		l->covered = d->covered || visit_is_covered(s, d);
		if (l->covered)
			l->path = visit_path(s);
	}
	if (l->becomes_root)
		listing_settle(l, s->v->map);
}

/* The rules of a root hold from its directory on, relative to where it is now. */
static void
visit_govern(struct visit_state *s)
{
	const struct dirmap_dir *d = s->l->is_new ? NULL : dirmap_by_id(s->v->map, s->l->dir);
	struct root *root = d != NULL ? d->root : NULL;

	s->l->is_root = root != NULL;
	if (root == NULL || s->l->is_top)
		return;
	if (root->leads_to != ROOT_PATH_DIR)
		root->now = visit_path(s);
	s->governing = (struct governing){ &root->rules, root->now != NULL ? root->now : root->path };
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

/* Note that the directory, or its end, could not be read. */
static void
visit_failed(struct visit_state *s, int error)
{
	s->l->error = error;
	if (s->l->path == NULL)
		s->l->path = visit_path(s);
	atomic_fetch_add(stats_error(s->v->counts, error), 1);
}

/* Count the files met; files that could not be stat-ed are problems of their own. */
static void
visit_count(struct visit_state *s)
{
	struct stats *c = s->v->counts;
	int64_t bytes = 0;

	for (size_t i = 0; i < s->l->n_files; i++) {
		const int error = s->l->files[i].error;

		if (error == 0)
			bytes += s->l->files[i].st.size;
		else
			visit_failed(s, error);
	}
	atomic_fetch_add_explicit(&c->dirs, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&c->files, (int64_t)s->l->n_files, memory_order_relaxed);
	atomic_fetch_add_explicit(&c->bytes, bytes, memory_order_relaxed);
}

/* List an identified directory.  Returns whether the writer needs to see it. */
static bool
visit_contents(struct visit_state *s)
{
	struct visit *v = s->v;
	struct fs_list *list = &s->vw->list;
	struct listing *l = s->l;
	const struct dirmap_dir *old;

	if (fs_list_read(list, s->fd) < 0)
		visit_failed(s, errno);
	/* Of an empty one the writer says at the end which it is. */
	if (list->n > 0 || l->error != 0)
		listing_settle(l, v->map);
	old = l->is_new ? NULL : dirmap_by_id(v->map, l->dir);
	/* Of an empty one the writer says that nothing is mounted. */
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
	verify_inline_enter(&s->vw->leads, l->dir, v->tops[s->d->top], s->d->path);
	l->offline &= l->is_empty;
	if (l->path == NULL && (l->is_root || l->offline))
		l->path = visit_path(s);
	for (size_t i = 0; i < list->n; i++) {
		/* Half a listing would look as if the other half had been deleted. */
		if (stop_signal() != 0)
			return false;
		visit_entry(s, &list->v[i]);
		watch_step(s->w->post);
	}
	visit_count(s);
	if (l->error == 0) {
		listing_digest(l, v->secret, l->digest);
		l->has_digest = true;
		if (old != NULL && old->has_digest && !v->rehash && !l->offline && !(l->is_root && l->is_empty) &&
		    memcmp(old->digest, l->digest, DIGEST_SIZE) == 0) {
			atomic_fetch_add_explicit(&v->counts->reused, (int64_t)l->n_files, memory_order_relaxed);
			l->n_files = 0;
			l->unchanged = true;
			return l->place_changed || l->is_top || l->becomes_root;
		}
	}
	if (s->reads)
		visit_rest(s->vw, s->fd, l);
	return true;
}

/* Whether the path of a mount still leads to it. */
static bool
visit_mount_holds(const struct visit_mount *m)
{
	struct fs_stat st;

	return fs_stat_path(m->path, &st) == 0 && st.dev == m->dev && st.inode == m->inode;
}

/* The mount that begins at the directory with stat st. */
static struct visit_mount *
visit_mount_add(struct visit_state *s, const struct fs_stat *st, int64_t volume, bool remote)
{
	struct visit_mount *m = mem_zalloc(1, sizeof(*m));

	*m = (struct visit_mount){
		.path = visit_path(s), .dev = st->dev, .inode = st->inode, .volume = volume, .remote = remote,
	};
	m->next = atomic_load(&s->v->mounts);
	while (!atomic_compare_exchange_weak(&s->v->mounts, &m->next, m))
		;
	return m;
}

/*
 * The mount on which the directory lies is not at its path any more: what the index has of the
 * directory stays as it is.  Returns whether the writer needs to know.
 */
static bool
visit_lose(struct visit_state *s, const struct visit_place *place, const char *name, size_t len)
{
	struct dirmap_dir *d = dirmap_by_place(s->v->map, place->parent, name, len);

	s->l->lost = true;
	if (d != NULL && dirmap_claim(d))
		s->l->dir = d->id;
	if (!atomic_exchange(&place->mount->lost, true))
		s->l->path = mem_str(place->mount->path);
	return s->l->dir != 0 || s->l->path != NULL;
}

/* Whether the directory is to be entered at all.  A volume of 0: it can't be, and that is an error. */
static bool
visit_may_enter(struct visit_state *s, const struct visit_place *place, const char *name, const struct fs_stat *st)
{
	struct root_place_here here;
	struct volume_facts facts;
	const bool crossing = place->mount != NULL && st->dev != place->mount->dev;

	if (crossing && s->governing.rules->one_fs) {
		visit_skip(s->v, SKIP_OTHER_FS);
		return false;
	}
	s->mount = place->mount;
	if (place->mount == NULL || crossing) {
		s->l->volume = volumes_number(s->v->volumes, s->fd, st->dev, &facts);
		if (s->l->volume < 0) {
			visit_failed(s, errno);
			s->l->volume = 0;
			return true;
		}
		if (crossing && facts.pseudo) {
			visit_skip(s->v, SKIP_PSEUDO);
			return false;
		}
		s->mount = visit_mount_add(s, st, s->l->volume, facts.network);
	}
	s->l->volume = s->mount->volume;
	s->l->inode = (int64_t)st->inode;
	here = visit_here(s, place, name, strlen(name));
	/* Where a walk is to begin has been decided. */
	if ((!s->l->is_top && root_place_is_elsewhere(s->v->map, &here)) || countmap_count(s->v->dirs, st->dev, st->inode) > 0) {
		visit_skip(s->v, SKIP_TWICE);
		return false;
	}
	return true;
}

void
visit_dir(struct walk_worker *w, const struct walk_dir *d, int fd)
{
	struct visit_worker *vw = w->data;
	struct visit *v = vw->visit;
	struct visit_place *place = d->data;
	const char *name = d->path[0] != '\0' ? d->path + d->name :
	                   place->parent != 0 ? path_base(v->tops[d->top]) : v->tops[d->top];
	struct visit_state s = { .w = w, .vw = vw, .v = v, .d = d, .fd = fd, .roots_below = place->roots_below, .governing = place->governing,
	                         .l = visit_listing(place, name) };
	struct fs_stat st;
	const int error = fd < 0 || fs_stat_fd(fd, &st) < 0 ? errno : 0;
	/* One that has vanished since its parent was listed was never there; a top that is not there is an error. */
	const bool vanished = fs_is_absent(error) && place->mount != NULL;
	const bool elsewhere = error == 0 && place->mount != NULL && st.dev != place->mount->dev;
	bool deliver = false;

	s.l->top = d->top;
	s.l->is_top = d->path[0] == '\0';
	if ((vanished || elsewhere) && !visit_mount_holds(place->mount))
		deliver = visit_lose(&s, place, name, strlen(name));
	else if (error != 0 && !vanished) {
		visit_failed(&s, error);
		visit_identify(&s, place, name, strlen(name));
		deliver = true;
	} else if (error == 0 && visit_may_enter(&s, place, name, &st)) {
		s.has_index = st.dev == v->own.dir_dev && st.inode == v->own.dir_inode;
		visit_identify(&s, place, name, strlen(name));
		if (s.l->error != 0) {
			deliver = true;
			goto out;
		}
		visit_govern(&s);
		s.l->trust_mtime = s.governing.rules->trust_mtime;
		deliver = visit_contents(&s);
	}
out:
	visit_close(vw);
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
