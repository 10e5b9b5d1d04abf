/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/meta.h"

#include "db/db.h"
#include "db/stmt.h"

static struct stmt
meta_get(struct db *db, const char *key, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_META_GET, err);

	stmt_text(&st, ":key", key, strlen(key));
	return st;
}

int
meta_blob(struct db *db, const char *key, void *value, size_t size, struct err *err)
{
	struct stmt st = meta_get(db, key, err);
	const void *blob = NULL;
	size_t len = 0;
	int ret = stmt_step(&st);

	if (ret < 0)
		return -1;
	if (ret == 1)
		blob = stmt_col_blob(&st, 0, &len);
	if (blob == NULL || len != size)
		ret = db_corrupt(db, err, "meta", 0, key, ret == 1 ? "has an invalid value" : "is missing");
	else
		memcpy(value, blob, size);
	stmt_done(&st);
	return ret < 0 ? -1 : 0;
}

int
meta_int(struct db *db, const char *key, int64_t *value, struct err *err)
{
	struct stmt st = meta_get(db, key, err);

	return stmt_number(&st, value);
}

/* Equal contents would have different hashes with another algorithm. */
int
meta_check_algorithm(struct db *db, struct err *err)
{
	struct stmt st = meta_get(db, "algorithm", err);
	const char *name;
	size_t len;
	int ret = stmt_step(&st);

	if (ret == 0)
		return db_corrupt(db, err, "meta", 0, "algorithm", "is missing");
	if (ret < 0)
		return -1;
	name = stmt_col_text(&st, 0, &len);
	if (len != strlen(META_ALGORITHM) || memcmp(name, META_ALGORITHM, len) != 0)
		ret = err_set(err, ERR_TOO_NEW, "index '%s' has hashes by '%.40s', which this twindex does not know: use a newer twindex",
		              db->path, name);
	stmt_done(&st);
	return ret < 0 ? -1 : 0;
}

static struct stmt
meta_put(struct db *db, const char *key, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_META_PUT, err);

	stmt_text(&st, ":key", key, strlen(key));
	return st;
}

int
meta_put_blob(struct db *db, const char *key, const void *value, size_t size, struct err *err)
{
	struct stmt st = meta_put(db, key, err);

	stmt_blob(&st, ":value", value, size);
	return stmt_run(&st);
}

int
meta_put_int(struct db *db, const char *key, int64_t value, struct err *err)
{
	struct stmt st = meta_put(db, key, err);

	stmt_int(&st, ":value", value);
	return stmt_run(&st);
}

int
meta_delete(struct db *db, const char *key, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_META_DELETE, err);

	stmt_text(&st, ":key", key, strlen(key));
	return stmt_run(&st);
}

int
meta_put_algorithm(struct db *db, struct err *err)
{
	struct stmt st = meta_put(db, "algorithm", err);

	stmt_text(&st, ":value", META_ALGORITHM, strlen(META_ALGORITHM));
	return stmt_run(&st);
}
