/* SPDX-License-Identifier: MIT */
/*
 * What is mounted at a path now comes before what the index has there: another disk may lie in the
 * place of the one that was scanned.
 */
#include "base/base.h"

#include "query/volume_pick.h"

#include "db/stmt.h"
#include "index/dirs.h"
#include "index/index.h"
#include "index/schema.h"
#include "index/volumes.h"
#include "sys/fs.h"

/* The first volume on the disk of a volume. */
static int64_t
volume_pick_first(const struct volumes *all, int64_t number)
{
	struct volume_now now, first;

	for (size_t i = 0; volumes_nth(all, i, &now); i++) {
		if (now.number == number && volumes_nth(all, volumes_disk(all, i), &first))
			return first.number;
	}
	return number;
}

/* The only disk with a label, as shown; 0 without one.  Returns 0 or -1: ERR_USAGE for several. */
static int
volume_pick_label(struct index *ix, const struct volumes *all, const char *word, int64_t *volume, struct err *err)
{
	struct stmt st;
	size_t len;
	int ret;

	if (ix->version < SCHEMA_HISTORY)
		return 0;
	st = stmt_get(ix->db, SQL_VOLUME_DETAILS, err);
	while ((ret = stmt_step(&st)) == 1) {
		const char *label = stmt_col_text(&st, 1, &len);
		const int64_t first = volume_pick_first(all, stmt_col_int(&st, 0));

		if (len == 0 || len != strlen(word) || memcmp(label, word, len) != 0 || first == *volume)
			continue;
		if (*volume != 0) {
			ret = err_set(err, ERR_USAGE, "several disks have the label '%s': name a directory on one of them", word);
			break;
		}
		*volume = first;
	}
	stmt_done(&st);
	return ret;
}

/* The volume of a directory, now or in the index; 0 for neither.  Returns 0 or -1. */
static int
volume_pick_path(struct index *ix, struct volumes *all, const char *path, int64_t *volume, struct err *err)
{
	struct volume_now now;
	struct fs_stat st, above;
	struct buf parent = { 0 };
	const char *point;
	int64_t dir;
	int found;
	bool there, is_mount;

	if (volumes_recognize_all(all, ix->db, err) < 0)
		return -1;
	volumes_look(all);
	for (size_t i = 0; volumes_nth(all, i, &now); i++) {
		if (volumes_where(all, now.number, &point) && point != NULL && strcmp(point, path) == 0) {
			*volume = now.number;
			return 0;
		}
	}
	there = fs_stat_path(path, &st) == 0;
	buf_add(&parent, path, path_parent_len(path));
	is_mount = there && parent.len > 0 && fs_stat_path(buf_str(&parent), &above) == 0 && above.dev != st.dev;
	buf_release(&parent);
	if (is_mount && volumes_known(all, st.dev) == 0)
		return err_set(err, ERR_NO_PATH, "the index has nothing of the disk that is mounted at '%s': scan it first", path);
	found = dirs_find(ix->db, path, &dir, err);
	if (found < 0 || (found == 1 && drawer_volume_of_dir(ix->db, dir, volume, err) < 0))
		return -1;
	if (*volume == 0 && there)
		*volume = volumes_known(all, st.dev);
	return 0;
}

int
volume_pick(struct index *ix, const char *word, const char *path, int64_t *volume, struct err *err)
{
	const struct drawer *drawer = &ix->drawer;
	struct volumes *all = NULL;
	struct volume_now now;
	int ret = volumes_load(&all, ix->db, err);

	*volume = 0;
	for (size_t i = 0; ret == 0 && *volume == 0 && i < drawer->disks.n; i++) {
		if (drawer->disks.v[i].name != NULL && strcmp(drawer->disks.v[i].name, word) == 0)
			*volume = drawer->disks.v[i].volume;
	}
	for (size_t i = 0; ret == 0 && *volume == 0 && volumes_nth(all, i, &now); i++) {
		if (strcmp(now.key, word) == 0)
			*volume = now.number;
	}
	if (ret == 0 && *volume == 0)
		ret = volume_pick_label(ix, all, word, volume, err);
	if (ret == 0 && *volume == 0)
		ret = volume_pick_path(ix, all, path, volume, err);
	if (ret == 0 && *volume == 0)
		ret = err_set(err, ERR_NO_PATH, "the index has no disk '%s': give a name or label that '%s volumes' shows, or a directory on the disk",
		              word, prog_name());
	if (ret == 0)
		*volume = volume_pick_first(all, *volume);
	volumes_free(all);
	return ret;
}
