/* SPDX-License-Identifier: MIT */
/*
 * The directories from the first one down to that of the last file are open.  When one ends, its
 * lines are known: if all in it is missing, one line takes the place of those of its
 * subdirectories.
 */
#include "base/base.h"

#include "trees/missing_dirs.h"

/* End the last open directory. */
static void
missing_dirs_end(struct missing_dirs *m)
{
	const struct missing_dir d = m->open.v[--m->open.n];
	const bool all = d.below_missing > 0 && d.below_missing == d.below;

	if (all)
		m->lines.n = d.lines;
	if (all || d.missing > 0)
		vec_push(&m->lines, ((struct tree_answer){
			.path = d.path, .state = all ? TREE_AT_RISK : TREE_FILES_AT_RISK, .bytes = all ? d.below_bytes : d.bytes,
			.files = all ? d.below : d.missing, .of = all ? d.below : d.files,
		}));
	if (m->open.n > 0) {
		struct missing_dir *up = &m->open.v[m->open.n - 1];

		up->below += d.below;
		up->below_missing += d.below_missing;
		up->below_bytes = num_add(up->below_bytes, d.below_bytes);
	}
}

/* Open the directory of the first len bytes of path, and those between the last open one and it. */
static void
missing_dirs_down(struct missing_dirs *m, const char *path, size_t len)
{
	if (len <= strlen(m->open.v[m->open.n - 1].path))
		return;
	missing_dirs_down(m, path, path_up_len(path, len));
	vec_push(&m->open, ((struct missing_dir){ .path = arena_dup(&m->paths, path, len), .lines = m->lines.n }));
}

void
missing_dirs_open(struct missing_dirs *m, const char *dir)
{
	vec_push(&m->open, ((struct missing_dir){ .path = arena_str(&m->paths, dir) }));
}

void
missing_dirs_add(struct missing_dirs *m, const char *path, bool missing, int64_t bytes)
{
	struct missing_dir *d;

	while (!path_is_below(path, m->open.v[m->open.n - 1].path))
		missing_dirs_end(m);
	missing_dirs_down(m, path, path_parent_len(path));
	d = &m->open.v[m->open.n - 1];
	d->files++;
	d->below++;
	if (missing) {
		d->missing++;
		d->below_missing++;
		d->bytes = num_add(d->bytes, bytes);
		d->below_bytes = num_add(d->below_bytes, bytes);
	}
}

static int
missing_dirs_cmp(const void *a, const void *b)
{
	const struct tree_answer *x = a, *y = b;

	ORDER_CMP(y->bytes, x->bytes);
	return strcmp(x->path, y->path);
}

void
missing_dirs_close(struct missing_dirs *m)
{
	while (m->open.n > 0)
		missing_dirs_end(m);
	if (m->lines.n > 0)
		qsort(m->lines.v, m->lines.n, sizeof(*m->lines.v), missing_dirs_cmp);
}

void
missing_dirs_release(struct missing_dirs *m)
{
	vec_release(&m->lines);
	vec_release(&m->open);
	arena_release(&m->paths);
}
