/* SPDX-License-Identifier: MIT */
/* cmd_doc - what a command did, or holds, as one JSON document: --json. */
#ifndef CMD_CMD_DOC_H
#define CMD_CMD_DOC_H

#include "ui/doc.h"

struct cmd_call;

/**
 * The document of a command with CMD_TELLS where --json asks for one, else NULL.  Owned, for
 * doc_close(); the call ends it with its verdict.
 */
struct doc *cmd_doc(const struct cmd_call *c);

/** Add an object to a list: a path, and why it could not be covered, or stays. */
void cmd_doc_problem(struct doc *d, const char *path, const char *why);

#endif
