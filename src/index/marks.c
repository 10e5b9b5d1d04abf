/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/marks.h"

/* mark_fn: note a mark. */
static int
marks_note(void *arg, const struct mark *mark)
{
	struct marks *m = arg;

	vec_push(&m->v, *mark);
	m->v.v[m->v.n - 1].path = arena_str(&m->paths, mark->path);
	table_add(&m->by_content, mark->has_hash ? content_key(mark->hash) : table_hash_text(mark->path), m->v.n - 1);
	return 0;
}

int
marks_load(struct marks *m, struct err *err)
{
	if (m->loaded)
		return 0;
	m->loaded = true;
	return mark_each(m->ix, "/", marks_note, m, err);
}

/* Find the mark of a path among those that were added under a hash. */
static bool
marks_find(const struct marks *m, uint64_t hash, const char *path, struct mark *mark)
{
	TABLE_EACH(i, &m->by_content, hash) {
		if (strcmp(m->v.v[i].path, path) == 0) {
			*mark = m->v.v[i];
			return true;
		}
	}
	return false;
}

int
marks_get(const struct marks *m, const uint8_t *hash, const char *path, struct mark *mark, struct err *err)
{
	if (!m->loaded || hash == NULL)
		return mark_get(m->ix, path, mark, err);
	return marks_find(m, content_key(hash), path, mark) || marks_find(m, table_hash_text(path), path, mark);
}

const struct mark *
marks_next(const struct marks *m, int64_t size, const uint8_t hash[HASH_SIZE], size_t *step)
{
	size_t i;

	while ((i = table_next(&m->by_content, content_key(hash), step)) != TABLE_END) {
		const struct mark *mark = &m->v.v[i];

		if (mark->has_hash && mark->size == size && memcmp(mark->hash, hash, HASH_SIZE) == 0)
			return mark;
	}
	return NULL;
}

bool
marks_has(const struct marks *m, int64_t size, const uint8_t hash[HASH_SIZE])
{
	size_t step = 0;

	return marks_next(m, size, hash, &step) != NULL;
}

void
marks_release(struct marks *m)
{
	vec_release(&m->v);
	table_release(&m->by_content);
	arena_release(&m->paths);
}
