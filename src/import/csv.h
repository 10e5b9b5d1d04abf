/* SPDX-License-Identifier: MIT */
/* csv - fields of a line, quoted or not. */
#ifndef IMPORT_CSV_H
#define IMPORT_CSV_H

/** A field: within the line. */
struct csv_field {
	char *text;
	size_t len;
};

/**
 * Take a line of len bytes apart, in place: up to most fields, the rest is ignored.  With raw_last
 * the last one of most is all that remains, as it stands.  Returns how many there are, or -1: a
 * quote is out of place.
 */
int csv_split(char *line, size_t len, struct csv_field *fields, int most, bool raw_last);

#endif
