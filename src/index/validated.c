/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "index/validated.h"

#include "db/db.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"

int
validated_begin(struct index *ix, struct err *err)
{
	struct stmt st;

	if (!ix->validated) {
		if (db_exec(ix->db, SQL_SCHEMA_VALIDATED, err) < 0)
			return -1;
		ix->validated = true;
		return 0;
	}
	st = stmt_get(ix->db, SQL_VALIDATED_DROP_ORPHANS, err);
	return stmt_run(&st);
}

int
validated_put(struct index *ix, const struct file_row *row, int64_t when, int error, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_VALIDATED_PUT, err);

	assert(ix->validated && row->has_hash);
	stmt_int(&st, ":volume", row->inode.volume);
	stmt_int(&st, ":inode", row->inode.number);
	stmt_int(&st, ":size", row->size);
	stmt_blob(&st, ":hash", row->hash, HASH_SIZE);
	stmt_int(&st, ":tried", when);
	if (error == 0)
		stmt_int(&st, ":good", when);
	else
		stmt_int(&st, ":error", error);
	return stmt_run(&st);
}

int
validated_count(struct index *ix, struct validated_counts *counts, struct err *err)
{
	struct stmt st;
	int ret;

	*counts = (struct validated_counts){ 0 };
	if (!ix->validated)
		return 0;
	st = stmt_get(ix->db, SQL_VALIDATED_COUNTS, err);
	ret = stmt_step(&st);
	if (ret == 1) {
		*counts = (struct validated_counts){
			.hashed = stmt_col_int(&st, 0), .hashed_bytes = stmt_col_int(&st, 1),
			.good = stmt_col_int(&st, 2), .good_bytes = stmt_col_int(&st, 3),
			.oldest = stmt_col_int(&st, 4), .bad = stmt_col_int(&st, 5),
		};
	}
	stmt_done(&st);
	return ret < 0 ? -1 : counts->good + counts->bad > 0;
}
