/* SPDX-License-Identifier: MIT */
/*
 * The table meta has for each such volume, by "ctime:NUMBER", when all of its files had been read,
 * in seconds since 1970 (1: unknown), or -1: its files have times of change after all.
 */
#include "base/base.h"

#include "index/timeless.h"

#include <time.h>
#include <xxhash.h>

#include "db/db.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/meta.h"
#include "index/volumes.h"
#include "sys/volume.h"

enum { TIMELESS_NOT = -1, TIMELESS_NEW = 0, TIMELESS_UNKNOWN = 1 };

struct timeless_key {
	char text[32];
};

static const char *
timeless_key(struct timeless_key *key, int64_t volume)
{
	snprintf(key->text, sizeof(key->text), "ctime:%" PRId64, volume);
	return key->text;
}

/* Load the volumes that were not completely read since a time. */
static int
timeless_load_since(struct timeless *t, struct db *db, int64_t since, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_TIMELESS_SINCE, err);
	int ret;

	stmt_int(&st, ":since", since);
	while ((ret = stmt_step(&st)) == 1)
		vec_push(t, stmt_col_int(&st, 0));
	return ret;
}

int
timeless_load(struct timeless *t, struct db *db, struct err *err)
{
	return timeless_load_since(t, db, (int64_t)time(NULL) - TIMELESS_BELIEVED, err);
}

int
timeless_load_all(struct timeless *t, struct db *db, struct err *err)
{
	return timeless_load_since(t, db, INT64_MAX, err);
}

void
timeless_release(struct timeless *t)
{
	vec_release(t);
}

bool
timeless_has(const struct timeless *t, int64_t volume)
{
	size_t i = 0;

	while (i < t->n && t->v[i] != volume)
		i++;
	return i < t->n;
}

/* Judge a volume by its files: TIMELESS_NOT, TIMELESS_UNKNOWN, or without files NEW. */
static int
timeless_look(struct db *db, const struct volume_now *now, int *what, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_TIMELESS_FILES, err);
	int ret;

	*what = TIMELESS_NEW;
	stmt_int(&st, ":volume", now->number);
	ret = stmt_step(&st);
	if (ret == 1)
		*what = stmt_col_int(&st, 0) == 0 ? TIMELESS_NEW : stmt_col_int(&st, 1) != 0 && volume_type_ctime(now->type) != VOLUME_CTIME_NONE ?
		        TIMELESS_NOT : TIMELESS_UNKNOWN;
	stmt_done(&st);
	return ret < 0 ? -1 : 0;
}

int
timeless_find(struct db *db, const struct volumes *v, timeless_read_fn *read, timeless_found_fn *found, void *arg, struct err *err)
{
	struct volume_now now;
	struct timeless_key key;
	int64_t known, value;
	int what;

	for (size_t i = 0; volumes_nth(v, i, &now); i++) {
		if (!now.here || volume_type_ctime(now.type) == VOLUME_CTIME_OWN)
			continue;
		if (meta_int(db, timeless_key(&key, now.number), &known, err) < 0)
			return -1;
		if (known == TIMELESS_NOT)
			continue;
		if (timeless_look(db, &now, &what, err) < 0)
			return -1;
		if (what == TIMELESS_NEW)
			continue;
		value = what == TIMELESS_NOT ? what : now.met_first || read(arg, now.number) ? (int64_t)time(NULL) : known != TIMELESS_NEW ? known : what;
		if (value != known && meta_put_int(db, key.text, value, err) < 0)
			return -1;
		if (known == TIMELESS_NEW && value != TIMELESS_NOT)
			found(arg, now.number);
	}
	return 0;
}

int
timeless_validated(struct index *ix, struct err *err)
{
	struct stmt st;

	if (!ix->validated)
		return 0;
	st = stmt_get(ix->db, SQL_TIMELESS_VALIDATED, err);
	return stmt_run(&st);
}

void
timeless_doubt(struct index *ix, const struct file_row *row, const char *path)
{
	const uint64_t file = XXH3_64bits_withSeed(row->name, row->name_len, (XXH64_hash_t)row->dir);

	if (ix->doubts.n == 0)
		ix->first_doubt = mem_str(path);
	if (ix->doubts.n == 0 || ix->doubts.v[ix->doubts.n - 1] != file)
		vec_push(&ix->doubts, file);
}

void
timeless_forget(struct index *ix)
{
	free(ix->first_doubt);
	ix->first_doubt = NULL;
	ix->doubts.n = 0;
}

int64_t
timeless_doubts(struct index *ix, char **first)
{
	int64_t n = 0;

	if (ix->doubts.n > 1)
		qsort(ix->doubts.v, ix->doubts.n, sizeof(*ix->doubts.v), order_cmp_uint64);
	for (size_t i = 0; i < ix->doubts.n; i++)
		n += i == 0 || ix->doubts.v[i] != ix->doubts.v[i - 1];
	*first = ix->first_doubt;
	ix->first_doubt = NULL;
	timeless_forget(ix);
	return n;
}
