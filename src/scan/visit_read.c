/* SPDX-License-Identifier: MIT */
/*
 * Hides which files of a new directory are read while the walk has it open: small files, and the
 * heads of others, where another inode of their size was met before and their bytes are in memory.
 * Now the descriptor is open and the inode just looked up.  Cold files are left for the read phase,
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

#include "scan/visit_read.h"

#include <stdatomic.h>
#include <unistd.h>

#include "sys/countmap.h"
#include "sys/stall.h"

/* Files left untried after many cold ones in a row: 2^n after n, at most this. */
#define VISIT_COLD_SKIP 256
/* Bound of visit_worker.worth: how many files it takes to change its mind. */
#define VISIT_WORTH_MAX 64

int
visit_read_stat(const struct visit_worker *vw, int dir, const char *name, bool may_open, struct fs_stat *st, int *fd)
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
visit_read_want(int64_t size)
{
	if (size <= CONTENT_WHOLE)
		return CONTENT_NOWAIT | CONTENT_FULL;
	return CONTENT_NOWAIT | CONTENT_HEAD | (size <= CONTENT_MAYBE_SIZE ? CONTENT_MAYBE : 0);
}

/*
 * Compare with the reference copy.  Returns false when the bytes differ: the read phase tells.
 */
static bool
visit_read_verify(struct visit_worker *vw, int dir, const char *name, struct listing_file *f)
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
visit_read_file(struct visit_worker *vw, int dir, const char *name, int fd, struct listing_file *f)
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
		content_read_open(&vw->reader, fd, visit_read_want(size), &f->st, res);
	else
		content_read(&vw->reader, dir, name, visit_read_want(size), &f->st, res);
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
	if (res->has_hash && v->references != NULL && !visit_read_verify(vw, dir, name, f))
		return;
	atomic_fetch_add_explicit(&v->counts->read, 1, memory_order_relaxed);
	if (f->st.nlink > 1)
		countmap_set_content(v->inodes, &f->st, res);
}

/* Read a file if another inode of its size was met.  Returns false where it may be tried again. */
static bool
visit_read_try(struct visit_worker *vw, int dir, const char *name, int fd, struct listing_file *f)
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
		stall_entry(vw->reader.post, name);
		visit_read_file(vw, dir, name, fd, f);
		stall_entry(vw->reader.post, NULL);
	}
	return true;
}

void
visit_read_meet(struct visit_worker *vw, int dir, const char *name, int fd, struct listing_file *f, size_t at)
{
	struct visit_state *v = vw->visit;

	f->first = f->st.size > 0 &&
	           (f->st.nlink == 1 || countmap_count(v->inodes, f->st.dev, f->st.inode) == 0);
	if (f->first)
		countmap_count(v->sizes, (uint64_t)f->st.size, 0);
	/* Without a descriptor it can wait for visit_read_rest: all sizes are counted then. */
	if (fd < 0)
		return;
	f->met = visit_read_try(vw, dir, name, fd, f);
	if (!f->met && vw->n_open < VISIT_OPEN)
		vw->open[vw->n_open++] = (struct visit_open){ at, fd };
	else
		close(fd);
}

void
visit_read_close(struct visit_worker *vw)
{
	while (vw->n_open > 0)
		close(vw->open[--vw->n_open].fd);
}

void
visit_read_rest(struct visit_worker *vw, int dir, struct listing *l)
{
	for (size_t i = 0, open = 0; i < l->n_files; i++) {
		struct listing_file *f = &l->files[i];
		const bool is_open = open < vw->n_open && vw->open[open].file == i;

		if (f->error == 0 && !f->met && !visit_read_try(vw, dir, l->names + f->name, is_open ? vw->open[open].fd : -1, f))
			vw->worth -= vw->worth > -VISIT_WORTH_MAX;
		open += is_open;
	}
	visit_read_close(vw);
}

void
visit_read_begin(struct visit_worker *vw, struct visit_state *v)
{
	memset(vw, 0, sizeof(*vw));
	vw->visit = v;
	content_reader_init(&vw->reader, v->secret, v->racy_window);
	vw->reader.settles = v->settles;
	vw->reader.go_on = countmap_met_head;
	vw->reader.arg = v->heads;
	verify_inline_worker_init(&vw->references, v->references, &vw->reader);
}

void
visit_read_end(struct visit_worker *vw)
{
	atomic_fetch_add(&vw->visit->counts->read_bytes, vw->reader.bytes);
	content_reader_release(&vw->reader);
}
