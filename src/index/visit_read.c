/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "index/visit_read.h"

#include <stdatomic.h>
#include <string.h>

#include "index/seen.h"

/* After n cold files in a row so many are left untried, at most. */
#define VISIT_COLD_SKIP 256
/* A larger file is not read whole in passing: the other threads' work would wait behind it. */
#define VISIT_MAYBE_SIZE (128 * 1024)

void
visit_count_sizes(struct visit *v, struct listing *l)
{
	for (size_t i = 0; i < l->n_files; i++) {
		struct listing_file *f = &l->files[i];

		f->first = f->error == 0 && f->st.size > 0 &&
		           (f->st.nlink == 1 || seen_count(v->inodes, f->st.dev, f->st.inode) == 0);
		if (f->first)
			seen_count(v->sizes, (uint64_t)f->st.size, 0);
	}
}

/* Small files are read whole, of others the head, and the rest if that head was met before and the rest is not much. */
static enum content_want
visit_want(int64_t size)
{
	if (size <= CONTENT_WHOLE)
		return CONTENT_NOWAIT | CONTENT_FULL;
	return CONTENT_NOWAIT | CONTENT_HEAD | (size <= VISIT_MAYBE_SIZE ? CONTENT_MAYBE : 0);
}

bool
visit_go_on(void *arg, int64_t size, int64_t head)
{
	const struct visit *v = arg;

	return seen_count(v->heads, (uint64_t)size, (uint64_t)head) > 0;
}

/* Compare what was read with another file of that content.  Returns false when the bytes differ: the reading phase knows what to do. */
static bool
visit_verify(struct visit_worker *vw, int fd, const char *name, struct listing_file *f)
{
	switch (leads_meet(&vw->leads, fd, name, &f->st, f->volume, f->st.nlink > 1, f->content.hash)) {
	case LEADS_DIFFERS:
		memset(&f->content, 0, sizeof(f->content));
		return false;
	case LEADS_EQUAL:
		f->verified = true;
		break;
	case LEADS_NONE:
		f->lead = vw->leads.lead;
		break;
	}
	return true;
}

void
visit_read(struct visit_worker *vw, int fd, const char *name, struct listing_file *f)
{
	struct visit *v = vw->visit;
	const bool links = f->st.nlink > 1;
	const int64_t size = f->st.size;
	struct content_result *res = &f->content;

	if (f->st.size == 0 || (links && !f->first && seen_value(v->inodes, f->st.dev, f->st.inode, res)))
		return;
	/* A small inode of several names is read anyhow: what is read later must be written to the rows of all of them. */
	if (seen_get(v->sizes, (uint64_t)f->st.size, 0) < 2 && (!links || size > CONTENT_WHOLE))
		return;
	/* An inode is read once, by whichever name comes when its turn has. */
	if (links && !seen_claim(v->inodes, f->st.dev, f->st.inode))
		return;
	if (vw->cold_skip > 0) {
		vw->cold_skip--;
		atomic_fetch_add_explicit(&v->cold, 1, memory_order_relaxed);
		return;
	}
	content_read(&vw->reader, fd, name, visit_want(size), &f->st, res);
	if (f->st.size != size) {
		/* It has another size now, which nobody has counted: the reading phase knows what to do. */
		seen_count(v->sizes, (uint64_t)f->st.size, 0);
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
		/* Left to the reading phase, which tries again and tells why it can't. */
		memset(res, 0, sizeof(*res));
		return;
	}
	if (res->has_hash && v->leads != NULL && !visit_verify(vw, fd, name, f))
		return;
	atomic_fetch_add_explicit(&v->counts->read, 1, memory_order_relaxed);
	if (res->has_hash)
		seen_content(v->contents, f->st.size, res->hash, &v->counts->sets, &v->counts->redundant);
	if (links)
		seen_set(v->inodes, f->st.dev, f->st.inode, res);
}
