/* SPDX-License-Identifier: MIT */
/*
 * sql - the named statements of sql/ as data; sql/embed.awk generates the texts and enum sql_id.
 */
#ifndef DB_SQL_H
#define DB_SQL_H

#include "db/sql_id.h"

/** One block of SQL. */
struct sql_text {
	const char *name;
	const char *where;  /* "file.sql:line", for messages */
	const char *plan;   /* accepted plan warts: "scan", "sort" */
	const char *text;
};

/** Indexed by enum sql_id. */
extern const struct sql_text sql_text[SQL_COUNT];

#endif
