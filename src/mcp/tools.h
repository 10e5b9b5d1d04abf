/* SPDX-License-Identifier: MIT */
/* tools - what a client can ask for: commands, each with some of its options. */
#ifndef MCP_TOOLS_H
#define MCP_TOOLS_H

#include "mcp/arguments.h"

enum tools_kind { TOOLS_ASK, TOOLS_PLAN, TOOLS_APPLY };

struct tools_tool {
	const char *name;
	enum tools_kind kind;
	const char *about;         /* for a model: when to take it, and what its answer means */
	struct arguments_of of;
};

/** The tool of that name, or NULL. */
const struct tools_tool *tools_find(const char *name);

/** Append all tools as a JSON list; with apply also the one that acts. */
void tools_list(struct buf *b, bool apply);

#endif
