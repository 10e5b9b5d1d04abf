/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/name_added.h"

#include "db/db.h"
#include "db/stmt.h"
#include "index/index.h"
#include "index/meta.h"

/* Names may be added up to this many, or to this part of the others. */
#define NAME_ADDED_MOST 1000
#define NAME_ADDED_SHARE 32

int
name_added_put(struct index *ix, int64_t dir, const char *name, size_t len, bool is_dir, struct err *err)
{
	struct stmt st;
	int64_t others;

	if (!ix->names)
		return 0;
	/* How many were added, and how many may be. */
	if (ix->names_most == 0) {
		if (stmt_ask(ix->db, SQL_NAME_ADDED_COUNT, &ix->names_added, err) < 0 || meta_int(ix->db, "names", &others, err) < 0)
			return -1;
		ix->names_most = NAME_ADDED_MOST + others / NAME_ADDED_SHARE;
	}
	if (++ix->names_added > ix->names_most) {
		ix->names = false;
		return db_exec(ix->db, SQL_SCHEMA_NAME_DROP, err);
	}
	st = stmt_get(ix->db, SQL_NAME_ADDED_PUT, err);
	/* A zero-length blob is no NULL. */
	stmt_blob(&st, ":name", name != NULL ? name : "", len);
	stmt_int(&st, ":place", (int64_t)((uint64_t)dir << 1 | is_dir));
	return stmt_run(&st);
}

int
name_added_put_dir(struct index *ix, int64_t dir, int64_t parent, const char *name, size_t len, struct err *err)
{
	if (parent < 0)
		return 0;
	if (parent == 0) {
		const char *slash = mem_last(name, '/', len);

		len -= slash != NULL ? (size_t)(slash + 1 - name) : 0;
		name = slash != NULL ? slash + 1 : name;
	}
	return name_added_put(ix, dir, name, len, true, err);
}
