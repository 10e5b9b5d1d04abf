/* SPDX-License-Identifier: MIT */
/*
 * What the directory asked about and a copy have in common, and one component more, says where the
 * copy lies: for ~/old and a copy in ~/Pictures/2019/May that is ~/Pictures.  Where all copies of
 * such a place lie deeper, it is named by the deepest directory that has them all.  If there are
 * too many places, those with the same directory above them become one.
 */
#include "base/base.h"

#include "trees/copy_dirs.h"

#include "query/answer.h"

/* Places beside one another that are still told apart. */
enum { COPY_DIRS_APART = 4 };

/* Whether a path lies directly in the directory of the last copy. */
static bool
copy_dirs_is_last(const struct copy_dirs *c, const char *path)
{
	const size_t len = path_parent_len(path);

	return c->places.n > 0 && strncmp(c->places.v[c->places.n - 1].path, path, len) == 0 && c->places.v[c->places.n - 1].path[len] == '\0';
}

/* The copy that a file counts by: one beside the copy of the file before it, else the first. */
static const char *
copy_dirs_choose(const struct copy_dirs *c, const struct file_answer *a)
{
	const char *first = NULL;

	for (size_t i = 0; i < a->n_members; i++) {
		const struct member *m = &a->members[i];

		if (m->kind != MEMBER_COPY && m->kind != MEMBER_LINK)
			continue;
		if (copy_dirs_is_last(c, m->path))
			return m->path;
		if (first == NULL)
			first = m->path;
	}
	return first;
}

/* Count a file whose copy lies in a directory, which is not copied. */
static void
copy_dirs_count(struct copy_dirs *c, const char *dir)
{
	vec_push(&c->places, ((struct tree_place){ .path = dir, .files = 1 }));
}

void
copy_dirs_add(struct copy_dirs *c, const struct file_answer *a)
{
	const char *copy = copy_dirs_choose(c, a);

	if (copy == NULL && a->told_with == NULL)
		return;
	if (copy == NULL) {
		/* It has the copies of one that came before. */
		TABLE_EACH(i, &c->by_file, table_hash_text(a->told_with)) {
			if (strcmp(c->told.v[i].file, a->told_with) == 0) {
				copy_dirs_count(c, c->told.v[i].dir);
				break;
			}
		}
		return;
	}
	if (copy_dirs_is_last(c, copy))
		c->places.v[c->places.n - 1].files++;
	else
		copy_dirs_count(c, arena_dup(&c->paths, copy, path_parent_len(copy)));
	if (a->n_members > 1) {
		table_add(&c->by_file, table_hash_text(a->path), c->told.n);
		vec_push(&c->told, ((struct copy_dirs_told){ arena_str(&c->paths, a->path), c->places.v[c->places.n - 1].path }));
	}
}

/* By path, a directory before what lies in it, and that before all others. */
static int
copy_dirs_cmp_path(const void *a, const void *b)
{
	return path_order(((const struct tree_place *)a)->path, ((const struct tree_place *)b)->path);
}

static int
copy_dirs_cmp_files(const void *a, const void *b)
{
	const struct tree_place *x = a, *y = b;

	ORDER_CMP(y->files, x->files);
	return copy_dirs_cmp_path(x, y);
}

/*
 * The length of the place of a directory: one component below what it shares with the one asked
 * about.
 */
static size_t
copy_dirs_place(const struct copy_dirs *c, const char *dir)
{
	size_t n = path_common_len(dir, c->asked);

	if (dir[n] == '\0')
		return n;
	n += dir[n] == '/';
	return n + strcspn(dir + n, "/");
}

/* Make one place of neighbours that share a place, or, wide, the directory above it. */
static void
copy_dirs_merge(struct copy_dirs *c, bool wide)
{
	size_t n = 0;

	for (size_t i = 0; i < c->places.n; i++) {
		const struct tree_place p = c->places.v[i];
		struct tree_place *last = n > 0 ? &c->places.v[n - 1] : NULL;
		const size_t place = wide ? path_common_len(p.path, c->asked) : copy_dirs_place(c, p.path);

		if (last != NULL && (wide ? path_common_len(last->path, c->asked) : copy_dirs_place(c, last->path)) == place &&
		    strncmp(last->path, p.path, place) == 0) {
			const size_t common = path_common_len(last->path, p.path);

			last->files += p.files;
			last->direct &= p.direct && last->path[common] == '\0' && p.path[common] == '\0';
			last->path = arena_dup(&c->paths, p.path, common);
		} else
			c->places.v[n++] = p;
	}
	c->places.n = n;
}

void
copy_dirs_close(struct copy_dirs *c)
{
	if (c->places.n == 0)
		return;
	for (size_t i = 0; i < c->places.n; i++)
		c->places.v[i].direct = path_is_below(c->asked, c->places.v[i].path);
	qsort(c->places.v, c->places.n, sizeof(*c->places.v), copy_dirs_cmp_path);
	copy_dirs_merge(c, false);
	if (!c->apart && c->places.n > COPY_DIRS_APART)
		copy_dirs_merge(c, true);
	qsort(c->places.v, c->places.n, sizeof(*c->places.v), copy_dirs_cmp_files);
}

void
copy_dirs_release(struct copy_dirs *c)
{
	vec_release(&c->places);
	vec_release(&c->told);
	table_release(&c->by_file);
	arena_release(&c->paths);
}
