/* SPDX-License-Identifier: MIT */
/* json_schema - what listings print as JSON, as definitions of a JSON Schema. */
#ifndef UI_JSON_SCHEMA_H
#define UI_JSON_SCHEMA_H

/**
 * Append the members of "$defs" that ui/records gives, a comma behind each: every record by its
 * name, "listing" for a document of one, "line" for a line of NDJSON.
 */
void json_schema_records(struct buf *b);

#endif
