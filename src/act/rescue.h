/* SPDX-License-Identifier: MIT */
/* rescue - files are copied to another directory: whole, read back, never over anything. */
#ifndef ACT_RESCUE_H
#define ACT_RESCUE_H

#include "act/rescue_told.h"

/**
 * Copy the files: content, holes, hard links among them, and as far as TO keeps them owner, mode,
 * attributes, ACLs and times, also of the directories that are made.  Each copy has no name, or an
 * unused one, until it is on the disk, was read back from there and has the hash of its file, which
 * is unchanged; its line in the journal was there before.  Nothing is replaced.
 *
 * Returns 0, or -1 with *err, with the sums in either case: ERR_INTERRUPTED, ERR_SYS when the
 * journal cannot be written, ERR_DB.
 */
int rescue_run(const struct rescue *r, struct rescue_sums *sums, struct err *err);

#endif
