/* SPDX-License-Identifier: MIT */
/* request - a line from a client: JSON-RPC 2.0, as far as the Model Context Protocol uses it. */
#ifndef MCP_REQUEST_H
#define MCP_REQUEST_H

struct db;

/** Why a request is refused; JSON-RPC 2.0, section 5.1, and from -32020 on the protocol's own. */
enum request_code {
	REQUEST_PARSE = -32700,
	REQUEST_INVALID = -32600,
	REQUEST_METHOD = -32601,
	REQUEST_PARAMS = -32602,
	REQUEST_INTERNAL = -32603,
	REQUEST_VERSION = -32022
};

/** Strings are never NULL unless that is said. */
struct request {
	int code;                /* enum request_code, or 0: it can be answered */
	const char *why;         /* with a code */
	bool answered;           /* somebody waits for an answer: it is no notification */
	const char *id;          /* JSON: a string, an integer, or null */
	const char *method;
	const char *handshake;   /* the protocol's version that initialize asks for */
	const char *version;     /* the version that each request may name; or NULL */
	const char *tool;        /* params.name; or NULL */
	const char *arguments;   /* params.arguments, a JSON object */
	/* private */
	struct arena memory;
};

/**
 * Read a line of len bytes (a NUL follows) into a zeroed request, which request_release() frees.
 * db parses it.  Returns 0, with code for a line that is no request, or -1 with *err.
 */
int request_read(struct request *r, struct db *db, const char *line, size_t len, struct err *err);
void request_release(struct request *r);

#endif
