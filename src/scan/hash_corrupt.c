/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "scan/hash_corrupt.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/path.h"
#include "index/names.h"
#include "scan/dirmap.h"
#include "scan/stats.h"

/* Copies that are named of a content. */
#define HASH_CORRUPT_NAMED 3

void
hash_corrupt_release(struct hash_corrupt *c)
{
	vec_release(&c->files);
	buf_release(&c->text);
}

void
hash_corrupt_note(struct hash_corrupt *c, const char *path, const struct file_row *old, struct stats *counts)
{
	struct hash_corrupt_file *f = vec_add(&c->files);

	*f = (struct hash_corrupt_file){ .path = c->text.len, .size = old->size, .has_hash = old->has_hash };
	memcpy(f->hash, old->hash, HASH_SIZE);
	buf_add(&c->text, path, strlen(path) + 1);
	stats_problem(counts, NULL, path, "content changed under an unchanged signature");
}

static int
hash_corrupt_cmp_path(const void *a, const void *b, void *paths)
{
	return strcmp((const char *)paths + *(const size_t *)a, (const char *)paths + *(const size_t *)b);
}

/*
 * Append the first HASH_CORRUPT_NAMED paths, sorted, of files with the old content of f, and the
 * number of the others.  Returns the number of all, or -1.
 */
static int64_t
hash_corrupt_name_copies(const struct hash_corrupt_file *f, struct db *db, const struct dirmap *map, struct buf *text,
                         struct err *err)
{
	struct names names = names_of_content(db, f->size, f->hash, err);
	VEC(size_t) at = { 0 };
	struct buf paths = { 0 };
	char more[NUM_SHOW_MAX];
	struct file_row row;
	int64_t n;
	int ret;

	while ((ret = names_next(&names, &row)) == 1) {
		vec_push(&at, paths.len);
		dirmap_path(map, row.dir, &paths);
		path_append(&paths, row.name, row.name_len);
		buf_addc(&paths, '\0');
	}
	if (at.n > 1)
		qsort_r(at.v, at.n, sizeof(*at.v), hash_corrupt_cmp_path, paths.data);
	for (size_t i = 0; i < at.n && i < HASH_CORRUPT_NAMED; i++)
		buf_addf(text, "%s'%s'", i > 0 ? ", " : " ", paths.data + at.v[i]);
	if (at.n > HASH_CORRUPT_NAMED)
		buf_addf(text, " and %s more", num_show_count((int64_t)at.n - HASH_CORRUPT_NAMED, more));
	n = (int64_t)at.n;
	vec_release(&at);
	buf_release(&paths);
	return ret < 0 ? -1 : n;
}

int
hash_corrupt_tell(const struct hash_corrupt *c, struct db *db, const struct dirmap *map,
                  struct stats *counts, struct err *err)
{
	struct buf text = { 0 };
	int64_t n = 0;

	for (size_t i = 0; n >= 0 && i < c->files.n; i++) {
		const struct hash_corrupt_file *f = &c->files.v[i];

		if (!f->has_hash || !stats_is_told(counts))
			continue;
		buf_cut(&text, 0);
		buf_adds(&text, "its old content is still in");
		n = hash_corrupt_name_copies(f, db, map, &text, err);
		if (n == 0) {
			buf_cut(&text, 0);
			buf_adds(&text, "no file of the index has its old content");
		}
		if (n >= 0)
			stats_problem(counts, NULL, c->text.data + f->path, buf_str(&text));
	}
	buf_release(&text);
	return n < 0 ? -1 : 0;
}
