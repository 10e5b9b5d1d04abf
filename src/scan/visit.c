/* SPDX-License-Identifier: MIT */
/*
 * A directory whose files' names and stats give the digest that the index has is done with: its
 * rows need not even be looked at.  Of a new directory, small files and the heads of others are
 * read at once where another inode of their size was met before and their bytes are in memory: now
 * the descriptor is open and the inode just looked up.  Cold files are left for the read phase,
 * which goes in the order of the disk.
 *
 * visit_state.sizes counts each inode once, so that a count of 2 says that another inode has this
 * size; inodes with links are claimed in visit_state.inodes, whose value serves their other names.
 * No locks but those of the maps.
 *
 * For a file that is going to be read, open and fstat cost less than a stat by name, which looks
 * the name up once more.  So files are opened first for as long as most of those met lately were
 * wanted.  One whose turn has not come stays open, if few are, until its directory has been gone
 * through: by then another of its size may have come up.
 */
#include "base/base.h"

#include "scan/visit.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "index/fleeting.h"
#include "sys/countmap.h"
#include "scan/visit_place.h"
#include "scan/visit_state.h"
#include "index/volumes.h"
#include "sys/stop.h"
#include "sys/walk.h"
#include "sys/watch.h"

/* Files left untried after many cold ones in a row: 2^n after n, at most this. */
#define VISIT_COLD_SKIP 256
/* A larger file is not read whole in passing: the other threads' work would wait behind it. */
#define VISIT_MAYBE_SIZE (128 * 1024)
/* Bound of visit_worker.worth: how many files it takes to change its mind. */
#define VISIT_WORTH_MAX 64

/*
 * stat a file of the directory open at dir; with may_open by opening it, where it will probably be
 * read.  Returns 0 with *fd open (or -1), for visit_meet or close, or -1 with errno.
 */
static int
visit_stat(const struct visit_worker *vw, int dir, const char *name, bool may_open, struct fs_stat *st, int *fd)
{
	int ignored;

	*fd = may_open && vw->worth >= 0 && vw->cold_skip == 0 ? content_open(dir, name, st, &ignored) : -1;
	return *fd >= 0 ? 0 : fs_stat_at(dir, name, st);
}

/*
 * Small files are read whole; of others the head, and the rest of medium ones if that head was met
 * before.
 */
static enum content_want
visit_want(int64_t size)
{
	if (size <= CONTENT_WHOLE)
		return CONTENT_NOWAIT | CONTENT_FULL;
	return CONTENT_NOWAIT | CONTENT_HEAD | (size <= VISIT_MAYBE_SIZE ? CONTENT_MAYBE : 0);
}

/* content_reader.go_on: whether a file with this head was met before. */
static bool
visit_go_on(void *arg, int64_t size, int64_t head)
{
	const struct visit_state *v = arg;

	return countmap_count(v->heads, (uint64_t)size, (uint64_t)head) > 0;
}

/*
 * Compare with the reference copy.  Returns false when the bytes differ: the read phase tells.
 */
static bool
visit_verify(struct visit_worker *vw, int dir, const char *name, struct listing_file *f)
{
	switch (verify_inline_meet(&vw->references, dir, name, &f->st, f->volume, f->st.nlink > 1, f->content.hash)) {
	case VERIFY_INLINE_DIFFERS:
		memset(&f->content, 0, sizeof(f->content));
		return false;
	case VERIFY_INLINE_EQUAL:
		f->verified = true;
		break;
	case VERIFY_INLINE_NONE:
		f->reference = vw->references.reference;
		break;
	}
	return true;
}

/* Read a file whose turn has come, if that needs no disk; fd is open, or -1. */
static void
visit_read(struct visit_worker *vw, int dir, const char *name, int fd, struct listing_file *f)
{
	struct visit_state *v = vw->visit;
	const int64_t size = f->st.size;
	struct content_result *res = &f->content;

	if (vw->cold_skip > 0) {
		vw->cold_skip--;
		atomic_fetch_add_explicit(&v->cold, 1, memory_order_relaxed);
		return;
	}
	if (fd >= 0)
		content_read_open(&vw->reader, fd, visit_want(size), &f->st, res);
	else
		content_read(&vw->reader, dir, name, visit_want(size), &f->st, res);
	if (f->st.size != size) {
		/* Count its present size; the read phase does the rest. */
		countmap_count(v->sizes, (uint64_t)f->st.size, 0);
		memset(res, 0, sizeof(*res));
		return;
	}
	if (res->error == CONTENT_COLD) {
		vw->cold_streak++;
		vw->cold_skip = vw->cold_streak < 8 ? 1 << vw->cold_streak : VISIT_COLD_SKIP;
		atomic_fetch_add_explicit(&v->cold, 1, memory_order_relaxed);
	} else
		vw->cold_streak = 0;
	if (res->error != 0) {
		/* The read phase tries again, and tells the error. */
		memset(res, 0, sizeof(*res));
		return;
	}
	if (res->has_hash && v->references != NULL && !visit_verify(vw, dir, name, f))
		return;
	atomic_fetch_add_explicit(&v->counts->read, 1, memory_order_relaxed);
	if (f->st.nlink > 1)
		countmap_set_content(v->inodes, &f->st, res);
}

/* Read a file if another inode of its size was met.  Returns false where it may be tried again. */
static bool
visit_try(struct visit_worker *vw, int dir, const char *name, int fd, struct listing_file *f)
{
	struct visit_state *v = vw->visit;
	const bool links = f->st.nlink > 1;

	if (f->st.size == 0 || (links && !f->first && countmap_get_content(v->inodes, &f->st, &f->content)))
		return true;
	if (countmap_get(v->sizes, (uint64_t)f->st.size, 0) < 2)
		return false;
	/* An inode is read once, by the first name after another inode of its size was met. */
	if (!links || countmap_claim(v->inodes, f->st.dev, f->st.inode)) {
		vw->worth += vw->worth < VISIT_WORTH_MAX;
		watch_entry(vw->reader.post, name);
		visit_read(vw, dir, name, fd, f);
		watch_entry(vw->reader.post, NULL);
	}
	return true;
}

/*
 * Count a file of a new directory, the listing's at-th; if it is open, another inode of its size
 * was met before and its bytes are in memory, read it.  Takes fd (-1: none) over.
 */
static void
visit_meet(struct visit_worker *vw, int dir, const char *name, int fd, struct listing_file *f, size_t at)
{
	struct visit_state *v = vw->visit;

	f->first = f->st.size > 0 &&
	           (f->st.nlink == 1 || countmap_count(v->inodes, f->st.dev, f->st.inode) == 0);
	if (f->first)
		countmap_count(v->sizes, (uint64_t)f->st.size, 0);
	/* Without a descriptor it can wait for visit_rest: all sizes are counted then. */
	if (fd < 0)
		return;
	f->met = visit_try(vw, dir, name, fd, f);
	if (!f->met && vw->n_open < VISIT_OPEN)
		vw->open[vw->n_open++] = (struct visit_open){ at, fd };
	else
		close(fd);
}

/* Close what is open. */
static void
visit_close(struct visit_worker *vw)
{
	while (vw->n_open > 0)
		close(vw->open[--vw->n_open].fd);
}

/* After the last file: read those whose size was met since, and close what is open. */
static void
visit_rest(struct visit_worker *vw, int dir, struct listing *l)
{
	for (size_t i = 0, open = 0; i < l->n_files; i++) {
		struct listing_file *f = &l->files[i];
		const bool is_open = open < vw->n_open && vw->open[open].file == i;

		if (f->error == 0 && !f->met && !visit_try(vw, dir, l->names + f->name, is_open ? vw->open[open].fd : -1, f))
			vw->worth -= vw->worth > -VISIT_WORTH_MAX;
		open += is_open;
	}
	visit_close(vw);
}

void
visit_worker_init(struct visit_worker *vw, struct visit_state *v)
{
	memset(vw, 0, sizeof(*vw));
	vw->visit = v;
	content_reader_init(&vw->reader, v->secret, v->racy_window);
	vw->reader.go_on = visit_go_on;
	vw->reader.arg = v;
	verify_inline_worker_init(&vw->references, v->references, &vw->reader);
}

void
visit_end(struct walk_worker *w)
{
	struct visit_worker *vw = w->data;
	struct visit_state *v = vw->visit;

	atomic_fetch_add(&v->counts->read_bytes, vw->reader.bytes);
	content_reader_release(&vw->reader);
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
	if (s->path.len == 0) {
		char *path = visit_state_path(s);

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
visit_subdir(struct visit_now *s, const char *name)
{
	enum skip skip = visit_check(s, name, true);
	struct visit_place *place;

	if (skip != SKIP_NO) {
		visit_state_skip(s->v, skip);
		return;
	}
	place = mem_alloc(sizeof(*place));
	*place = (struct visit_place){
		.parent = s->l->dir, .mount = s->mount, .roots_below = s->roots_below, .governing = s->governing,
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
		visit_subdir(s, name);
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
			visit_subdir(s, name);
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
	int64_t bytes = 0, linked = 0;

	for (size_t i = 0; i < s->l->n_files; i++) {
		const int error = s->l->files[i].error;

		if (error == 0) {
			bytes += s->l->files[i].st.size;
			linked += s->l->files[i].st.nlink > 1;
		} else
			visit_state_failed(s, error);
	}
	atomic_fetch_add_explicit(&c->dirs, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&c->files, (int64_t)s->l->n_files, memory_order_relaxed);
	atomic_fetch_add_explicit(&c->bytes, bytes, memory_order_relaxed);
	if (linked > 0)
		atomic_fetch_add_explicit(&c->linked, linked, memory_order_relaxed);
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
	verify_inline_enter(&s->vw->references, l->dir, v->starts[s->d->start], s->d->path);
	l->offline &= l->is_empty;
	if (l->path == NULL && (l->is_root || l->offline))
		l->path = visit_state_path(s);
	for (size_t i = 0; i < list->n; i++) {
		if (stop_signal() != 0)
			return false;
		visit_entry(s, &list->v[i]);
		watch_step(s->w->post);
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
		visit_rest(s->vw, s->fd, l);
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
	struct visit_now s = { .w = w, .vw = vw, .v = v, .d = d, .fd = fd, .roots_below = place->roots_below, .governing = place->governing,
	                         .l = visit_listing(place, name) };
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
	if ((vanished || elsewhere) && !visit_place_holds(place->mount))
		deliver = visit_place_lose(&s, place, name, strlen(name));
	else if (error != 0 && !vanished) {
		visit_state_failed(&s, error);
		visit_place_identify(&s, place, name, strlen(name));
		deliver = true;
	} else if (error == 0 && visit_place_may_enter(&s, place, name, &st)) {
		s.is_shared = fleeting_mode_is_shared(st.mode);
		s.has_index = st.dev == v->own.dir_dev && st.inode == v->own.dir_inode;
		visit_place_identify(&s, place, name, strlen(name));
		if (s.l->error != 0) {
			deliver = true;
			goto out;
		}
		visit_place_govern(&s);
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
