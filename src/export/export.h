/* SPDX-License-Identifier: MIT */
/* export - the rows of an index as files that engines read: DuckDB, Spark, pandas. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "export/export_kind.h"

struct index;

/** What an export came to. */
struct export_told {
	char *dir;                /* owned: where it is */
	struct table_size sizes[EXPORT_KINDS];
};

/**
 * Export: what is written can be read by its name only when all of it is on the disk.  Returns 0
 * with *told to be released, or -1 with nothing left: ERR_USAGE, ERR_SYS, ERR_DB, ERR_BAD_INDEX,
 * ERR_INTERRUPTED.
 */
int export_run(struct index *ix, const struct export_query *q, struct export_told *told, struct err *err);
void export_told_release(struct export_told *told);

#endif
