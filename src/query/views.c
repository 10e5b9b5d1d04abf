/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "query/views.h"

#include "base/vec.h"
#include "db/stmt.h"
#include "index/index.h"
#include "query/indexes.h"
#include "sys/volume.h"

int
views_load(struct views *views, struct index *ix, const struct indexes *with, struct err *err)
{
	struct stmt st;
	int ret;

	for (size_t i = 0; with != NULL && i < with->volumes.n; i++) {
		if (volume_key_is_view(with->volumes.v[i].key))
			vec_push(views, with->volumes.v[i].number);
	}
	if (with != NULL)
		return 0;
	st = stmt_get(ix->db, SQL_VOLUME_ALL, err);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;

		if (volume_key_is_view(stmt_col_text(&st, 1, &len)))
			vec_push(views, stmt_col_int(&st, 0));
	}
	return ret;
}

bool
views_has(const struct views *views, int64_t volume)
{
	size_t i = 0;

	while (i < views->n && views->v[i] != volume)
		i++;
	return i < views->n;
}

bool
views_may_be_one(const struct views *views, int64_t a, int64_t b)
{
	return a != b && views->n > 0 && (views_has(views, a) || views_has(views, b));
}
