/* SPDX-License-Identifier: MIT */
/* cmd_act_doc - plans of rm and link, and what was done, as documents: --json. */
#ifndef CMD_CMD_ACT_DOC_H
#define CMD_CMD_ACT_DOC_H

#include "act/act.h"
#include "act/plan.h"

struct doc;
struct protocol_told;

/** Add a file that stays to the open list of files, and why. */
void cmd_act_doc_stays(struct doc *d, const char *path, enum plan_stay stay, const char *why);

/** Add a file to which the act was done. */
void cmd_act_doc_done(struct doc *d, const struct protocol_told *t);

/** Add the files of a plan, with all that act/plan_file reads. */
void cmd_act_doc_plan(struct doc *d, const struct plan *plan);

/**
 * End the list of files, and add what a plan is made for: its kind, and whether links may have
 * other attributes; copies that stay at least; its digest; how many files go, and the bytes that
 * this frees on the disk.
 */
void cmd_act_doc_end(struct doc *d, const struct plan *plan, enum act_kind kind, bool any_attributes, int64_t copies, int64_t n, int64_t frees);

#endif
