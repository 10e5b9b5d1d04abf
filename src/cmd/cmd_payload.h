/* SPDX-License-Identifier: MIT */
/* cmd_payload - same content, other tags: what scan --payload found, which makes no copies. */
#ifndef CMD_CMD_PAYLOAD_H
#define CMD_CMD_PAYLOAD_H

#include "query/answer.h"

struct cmd_call;
struct cmd_paths;
struct doc;
struct index;

/** What scan --payload did; c->verdict is undone where something failed or is left. */
struct cmd_payload_scan {
	int threads;
	int64_t racy_window_ns, max_time_ns;
};

/** Read the files that lack a payload, and tell in a line or a member of d.  Returns 0 or -1. */
int cmd_payload_scan(const struct cmd_call *c, struct index *ix, const struct cmd_payload_scan *s, struct doc *d, struct err *err);

/** Files that differ from another one in their tags alone, by path.  Zero it, release it. */
struct cmd_payload_found {
	struct file_tags *v;
	size_t n, cap;
	struct arena paths;        /* private */
};

/** Find those of a file, each looked at.  Returns 0 or -1. */
int cmd_payload_find(const struct cmd_call *c, const struct file_answer *a, struct cmd_payload_found *found, struct err *err);
/** Print them behind what was printed of the file. */
void cmd_payload_lines(const struct cmd_call *c, const struct cmd_payload_found *found);
/** Free what it owns. */
void cmd_payload_found_release(struct cmd_payload_found *found);

/**
 * List the files that differ in their tags alone, payload by payload; with paths only payloads of
 * a file there.  As text or JSON.  Returns as a command's run.
 */
int cmd_payload_report(const struct cmd_call *c, const struct cmd_paths *paths, struct err *err);

/** List pairs of directories that have such files, by how many.  The same. */
int cmd_payload_similar(const struct cmd_call *c, const struct cmd_paths *paths, struct err *err);

#endif
