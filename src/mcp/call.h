/* SPDX-License-Identifier: MIT */
/* call - a tool is called: its command runs, and what it printed becomes an answer. */
#ifndef MCP_CALL_H
#define MCP_CALL_H

struct cmd_env;
struct db;
struct plans;
struct tools_tool;

/** Where tools are called.  Everything is borrowed. */
struct call_place {
	const struct cmd_env *env;  /* of the commands; streams are their own */
	struct db *db;              /* parses JSON */
	struct plans *plans;        /* that the client was shown */
	bool apply;                 /* plans may be carried out */
};

/**
 * Call a tool with arguments, a JSON object, and append the result of tools/call.  A call that
 * fails has one, too, which says why.
 */
void call_tool(const struct call_place *place, const struct tools_tool *tool, const char *arguments, struct buf *result);

/** Append the result of a call that did not begin, and why. */
void call_refuse(struct buf *result, const char *why);

#endif
