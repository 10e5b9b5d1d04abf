/* SPDX-License-Identifier: MIT */
/* rescue_target - where a copy is to lie, and what is there. */
#ifndef ACT_RESCUE_TARGET_H
#define ACT_RESCUE_TARGET_H

#include "act/rescue_told.h"

struct content_reader;
struct locked_file;
struct own_files;
struct verdict;

/** The path of the copy of a file in base; owned. */
char *rescue_target_path(const struct rescue *r, const struct rescue_file *f);

/**
 * Look at the name of the copy of an open original; without compare a file of its size is taken for
 * an equal one, else it is compared, and seen to the disk.  Returns RESCUE_PLANNED: the name is
 * free; RESCUE_THERE; or RESCUE_TAKEN or RESCUE_FAILED with the verdict.
 */
enum rescue_outcome rescue_target_judge(const struct own_files *own, const struct locked_file *held, const char *to, bool compare,
                                        struct content_reader *reader, struct verdict *v);

#endif
