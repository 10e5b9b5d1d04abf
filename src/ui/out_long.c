/* SPDX-License-Identifier: MIT */
/*
 * out_long - text for people with the numbers of each file before its path.
 *
 * The columns have fixed widths, so that a line can be printed as soon as its
 * answer is there; what is wider moves the rest of its line to the right.
 */
#include <config.h>

#include "base/num.h"
#include "query/answer.h"
#include "ui/out_format.h"

/* "1023.9 KiB"; as bytes, 999 TB; "99,999"; "2026-11-21 01:28". */
enum { SIZE_COLUMNS = 10, BYTES_COLUMNS = 15, COPIES_COLUMNS = 6, TIME_COLUMNS = 16 };

static void
add_size(struct out *o, int64_t size, bool known)
{
	const int width = o->style.units == NUM_BYTES ? BYTES_COLUMNS : SIZE_COLUMNS;
	char text[NUM_SHOW_MAX];

	buf_addf(&o->text, "%*s  ", width, known ? num_show_size(size, o->style.units, text) : "-");
}

void
out_long(struct out *o, const struct file_answer *f)
{
	const bool known = f->size >= 0, copies = f->n_copies > 0;
	char text[NUM_SHOW_MAX];

	add_size(o, f->size, known);
	buf_addf(&o->text, "%*s  ", COPIES_COLUMNS, copies ? num_show_count(f->n_copies, text) : "-");
	add_size(o, file_redundant(f), copies);
	buf_addf(&o->text, "%*s  ", TIME_COLUMNS, known ? num_show_local(f->mtime.sec, text) : "-");
}
