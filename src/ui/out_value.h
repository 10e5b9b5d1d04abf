/* SPDX-License-Identifier: MIT */
/* out_value - private to ui: the value of a field in JSON and in CSV. */
#ifndef UI_OUT_VALUE_H
#define UI_OUT_VALUE_H

#include "ui/records.h"

struct out;

/** Append a key of JSON with its colon; all but the first of an object follow a comma. */
void out_key(struct buf *b, const char *key);

/**
 * Append a field of a record as a member of the JSON object that is open, with its bytes behind if
 * it is a name that is not UTF-8.  Nothing for what is optional and absent.
 */
void out_field(struct out *o, const struct field *f, const void *record);

/** Append the fields of a record as out_field does, but for those that only CSV has. */
void out_fields(struct out *o, const struct record *r, const void *record);

/** Append a field of a record as a column of CSV.  Returns how many columns: names have two. */
size_t out_column(struct out *o, const struct field *f, const void *record);

#endif
