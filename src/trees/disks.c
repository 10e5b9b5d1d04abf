/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "trees/disks.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/vec.h"
#include "db/stmt.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "sys/volume.h"

/* A volume of the index. */
struct disks_volume {
	int64_t id, disk;
	char *key;               /* owned */
};

struct disks_volumes {
	struct disks_volume *v;
	size_t n, cap;
};

/* Read all volumes; those of one disk have the number of the first. */
static int
disks_load_volumes(struct disks_volumes *volumes, struct index *ix, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_VOLUME_ALL, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		size_t len, at = 0;
		const int64_t id = stmt_col_int(&st, 0);
		const char *key = stmt_col_text(&st, 1, &len);
		struct disks_volume v = { id, volume_key_is_view(key) ? -id : id, mem_str(key) };

		while (at < volumes->n && !volume_keys_share_disk(volumes->v[at].key, key))
			at++;
		if (at < volumes->n)
			v.disk = volumes->v[at].disk;
		vec_push(volumes, v);
	}
	return ret;
}

int
disks_load(struct disks *d, struct index *ix, const struct dirtree *t, struct err *err)
{
	struct disks_volumes volumes = { 0 };
	int64_t id = 0, disk = 0;
	struct stmt st;
	int ret = disks_load_volumes(&volumes, ix, err);

	d->of = mem_zalloc(dirtree_count(t), sizeof(*d->of));
	for (size_t i = 0; i < volumes.n; i++)
		d->views = d->views || (volumes.v[i].disk < 0 && volumes.n > 1);
	if (ret == 0)
		st = stmt_get(ix->db, SQL_DIR_VOLUMES, err);
	while (ret >= 0 && (ret = stmt_step(&st)) == 1) {
		const uint32_t dir = dirtree_by_id(t, stmt_col_int(&st, 0));

		/* Most directories lie on the volume of the one before. */
		for (size_t i = 0; stmt_col_int(&st, 1) != id && i < volumes.n; i++) {
			if (volumes.v[i].id != stmt_col_int(&st, 1))
				continue;
			id = volumes.v[i].id;
			disk = volumes.v[i].disk;
		}
		if (dir != DIRTREE_NONE && stmt_col_int(&st, 1) == id)
			d->of[dir] = disk;
	}
	for (size_t i = 0; i < volumes.n; i++)
		free(volumes.v[i].key);
	vec_release(&volumes);
	return ret;
}

void
disks_release(struct disks *d)
{
	free(d->of);
	d->of = NULL;
}
