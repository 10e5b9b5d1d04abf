/* SPDX-License-Identifier: MIT */
/*
 * Climbs from a path as far as its device goes, and compares each directory, by inode and then by
 * its volume's key, with the directories where volumes begin in the index and are no longer
 * mounted.  The first call reads these.  One thread.
 */
#include "base/base.h"

#include "index/remounted.h"

#include "db/stmt.h"
#include "index/dirs.h"
#include "sys/fs.h"
#include "sys/volume.h"

/* A directory where a volume begins in the index, which is not mounted there now. */
struct remounted_place {
	char *path, *key;        /* owned; of the volume */
	int64_t inode;
};

static int
remounted_load(struct remounted *m, struct err *err)
{
	struct dirs_rows r = dirs_rows(m->db, SQL_VOLUME_PLACES, err);
	int ret;

	m->loaded = true;
	while ((ret = dirs_rows_next(&r)) == 1) {
		const int64_t inode = stmt_col_int(&r.st, 2);
		size_t len;
		const char *key = stmt_col_text(&r.st, 3, &len);

		if (!volume_is_at(buf_str(&r.path), inode, key, NULL, NULL))
			vec_push(&m->places, ((struct remounted_place){ mem_str(buf_str(&r.path)), mem_str(key), inode }));
	}
	return ret;
}

/* Find the place whose directory is at path now, with stat st; or NULL. */
static const struct remounted_place *
remounted_at(const struct remounted *m, const char *path, const struct fs_stat *st)
{
	for (size_t i = 0; i < m->places.n; i++) {
		const struct remounted_place *p = &m->places.v[i];

		if (p->inode == (int64_t)st->inode && volume_is_at(path, p->inode, p->key, NULL, NULL))
			return p;
	}
	return NULL;
}

int
remounted_find(struct remounted *m, const char *path, const char **why, struct err *err)
{
	const struct remounted_place *place = NULL;
	struct buf was = { 0 };
	struct fs_stat at, st;
	const char *below;

	if (!m->loaded && remounted_load(m, err) < 0)
		return -1;
	if (m->places.n == 0 || fs_stat_path(path, &at) < 0)
		return 0;
	buf_cut(&m->path, 0);
	buf_adds(&m->path, path);
	while (fs_stat_path(buf_str(&m->path), &st) == 0 && st.dev == at.dev) {
		place = remounted_at(m, buf_str(&m->path), &st);
		if (place != NULL || strcmp(buf_str(&m->path), "/") == 0)
			break;
		buf_cut(&m->path, path_parent_len(buf_str(&m->path)));
	}
	if (place == NULL)
		return 0;
	below = path_below(path, buf_str(&m->path));
	buf_adds(&was, place->path);
	if (below != NULL && *below != '\0')
		path_append(&was, below, strlen(below));
	buf_cut(&m->why, 0);
	buf_addf(&m->why, "in the index as '%s', where it was before: scan '%s'", buf_str(&was), buf_str(&m->path));
	buf_release(&was);
	*why = buf_str(&m->why);
	return 1;
}

void
remounted_release(struct remounted *m)
{
	for (size_t i = 0; i < m->places.n; i++) {
		free(m->places.v[i].path);
		free(m->places.v[i].key);
	}
	vec_release(&m->places);
	buf_release(&m->path);
	buf_release(&m->why);
	m->loaded = false;
}
