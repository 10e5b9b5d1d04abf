/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "scan/hash_corrupt.h"

#include "index/names.h"
#include "scan/dirmap.h"
#include "scan/stats.h"

/* Copies that are named of a content. */
#define HASH_CORRUPT_NAMED 3

void
hash_corrupt_release(struct hash_corrupt *c)
{
	vec_release(&c->files);
	arena_release(&c->paths);
}

void
hash_corrupt_add(struct hash_corrupt *c, const char *path, const struct file_row *row)
{
	struct hash_corrupt_file *f = vec_add(&c->files);

	*f = (struct hash_corrupt_file){ .path = arena_str(&c->paths, path), .size = row->size, .has_hash = row->has_hash };
	memcpy(f->hash, row->hash, HASH_SIZE);
}

static int
hash_corrupt_cmp_path(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void
hash_corrupt_copies_add(struct hash_corrupt_copies *copies, const struct dirmap *map, const struct file_row *row)
{
	struct buf path = { 0 };

	dirmap_path(map, row->dir, &path);
	path_append(&path, row->name, row->name_len);
	vec_push(&copies->paths, arena_dup(&copies->text, path.data, path.len));
	buf_release(&path);
}

void
hash_corrupt_copies_sort(struct hash_corrupt_copies *copies)
{
	if (copies->paths.n > 1)
		qsort(copies->paths.v, copies->paths.n, sizeof(*copies->paths.v), hash_corrupt_cmp_path);
}

void
hash_corrupt_copies_release(struct hash_corrupt_copies *copies)
{
	arena_release(&copies->text);
	vec_release(&copies->paths);
}

/* Append where the old content of a file still is: the first HASH_CORRUPT_NAMED paths. */
static void
hash_corrupt_show(const struct hash_corrupt_copies *copies, struct buf *text)
{
	char more[NUM_SHOW_MAX];

	if (copies->paths.n == 0) {
		buf_adds(text, "no file of the index has its old content");
		return;
	}
	buf_adds(text, "its old content is still in");
	for (size_t i = 0; i < copies->paths.n && i < HASH_CORRUPT_NAMED; i++)
		buf_addf(text, "%s'%s'", i > 0 ? ", " : " ", copies->paths.v[i]);
	if (copies->paths.n > HASH_CORRUPT_NAMED)
		buf_addf(text, " and %s more", num_show_count((int64_t)copies->paths.n - HASH_CORRUPT_NAMED, more));
}

int
hash_corrupt_tell(const struct hash_corrupt *c, struct db *db, const struct dirmap *map,
                  struct stats *counts, struct err *err)
{
	struct buf text = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < c->files.n; i++) {
		const struct hash_corrupt_file *f = &c->files.v[i];
		struct hash_corrupt_copies copies = { .text = { 0 } };
		struct file_row row;
		struct names names;

		if (!f->has_hash || counts->hooks == NULL)
			continue;
		names = names_of_content(db, f->size, f->hash, err);
		while ((ret = names_next(&names, &row)) == 1)
			hash_corrupt_copies_add(&copies, map, &row);
		hash_corrupt_copies_sort(&copies);
		buf_cut(&text, 0);
		hash_corrupt_show(&copies, &text);
		if (ret == 0)
			stats_problem(counts, NULL, f->path, buf_str(&text));
		hash_corrupt_copies_release(&copies);
	}
	buf_release(&text);
	return ret;
}
