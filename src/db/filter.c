/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "db/filter.h"

#include <sqlite3.h>

#include "db/db.h"

struct filter {
	filter_fn *fn;
	void *arg;
};

static void
filter_call(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const struct filter *f = sqlite3_user_data(context);
	const void *blob = sqlite3_value_blob(argv[1]);

	(void)argc;
	sqlite3_result_int(context, f->fn != NULL &&
	                   f->fn(f->arg, sqlite3_value_int64(argv[0]), blob, (size_t)sqlite3_value_bytes(argv[1])));
}

int
filter_register(struct db *db, struct err *err)
{
	db->filter = mem_zalloc(1, sizeof(*db->filter));
	/* The last argument frees it, also where this fails. */
	if (sqlite3_create_function_v2(db->handle, "wanted", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, db->filter, filter_call,
	                               NULL, NULL, free) != SQLITE_OK)
		return db_fail(db, "filter", err);
	return 0;
}

void
filter_set(struct db *db, filter_fn *fn, void *arg)
{
	*db->filter = (struct filter){ fn, arg };
}
