/* SPDX-License-Identifier: MIT */
/* labels - a sheet to print: one label a disk, as an HTML page. */
#ifndef UI_LABELS_H
#define UI_LABELS_H

struct volume_answer;

/** Append the beginning of the page. */
void labels_begin(struct buf *b);
/** Append the label of a disk. */
void labels_add(struct buf *b, const struct volume_answer *v, enum num_units units);
/** Append the end. */
void labels_end(struct buf *b);

#endif
