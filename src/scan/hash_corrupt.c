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
	buf_release(&c->text);
}

void
hash_corrupt_add(struct hash_corrupt *c, const char *path, const struct file_row *row)
{
	struct hash_corrupt_file *f = vec_add(&c->files);

	*f = (struct hash_corrupt_file){ .path = c->text.len, .size = row->size, .has_hash = row->has_hash };
	memcpy(f->hash, row->hash, HASH_SIZE);
	buf_add(&c->text, path, strlen(path) + 1);
}

void
hash_corrupt_note(struct hash_corrupt *c, const char *path, const struct file_row *old, struct stats *counts)
{
	hash_corrupt_add(c, path, old);
	stats_problem(counts, NULL, path, file_error_text(FILE_CORRUPT));
}

static int
hash_corrupt_cmp_path(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int
hash_corrupt_find(const struct hash_corrupt_file *f, struct db *db, const struct dirmap *map,
                  hash_corrupt_holds_fn *holds, void *arg, struct hash_corrupt_copies *copies, struct err *err)
{
	struct names names = names_of_content(db, f->size, f->hash, err);
	struct file_row row;
	int ret;

	buf_cut(&copies->text, 0);
	copies->at.n = copies->paths.n = 0;
	while ((ret = names_next(&names, &row)) == 1) {
		const size_t at = copies->text.len;

		dirmap_path(map, row.dir, &copies->text);
		path_append(&copies->text, row.name, row.name_len);
		ret = holds != NULL ? holds(arg, &row, buf_str(&copies->text) + at, err) : 1;
		if (ret < 0) {
			names_end(&names);
			return -1;
		}
		if (ret == 0) {
			buf_cut(&copies->text, at);
			continue;
		}
		buf_addc(&copies->text, '\0');
		vec_push(&copies->at, at);
	}
	for (size_t i = 0; i < copies->at.n; i++)
		vec_push(&copies->paths, copies->text.data + copies->at.v[i]);
	if (copies->paths.n > 1)
		qsort(copies->paths.v, copies->paths.n, sizeof(*copies->paths.v), hash_corrupt_cmp_path);
	return ret;
}

void
hash_corrupt_copies_release(struct hash_corrupt_copies *copies)
{
	buf_release(&copies->text);
	vec_release(&copies->at);
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
	struct hash_corrupt_copies copies = { .at = { 0 } };
	struct buf text = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < c->files.n; i++) {
		const struct hash_corrupt_file *f = &c->files.v[i];

		if (!f->has_hash || !stats_is_told(counts))
			continue;
		ret = hash_corrupt_find(f, db, map, NULL, NULL, &copies, err);
		if (ret < 0)
			break;
		buf_cut(&text, 0);
		hash_corrupt_show(&copies, &text);
		stats_problem(counts, NULL, c->text.data + f->path, buf_str(&text));
	}
	hash_corrupt_copies_release(&copies);
	buf_release(&text);
	return ret;
}
