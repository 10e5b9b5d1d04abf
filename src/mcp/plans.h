/* SPDX-License-Identifier: MIT */
/* plans - plans of rm and link that a client was shown, by their digests. */
#ifndef MCP_PLANS_H
#define MCP_PLANS_H

struct db;

/** A plan: a document of rm or link -n --json. */
struct plans_one {
	char *digest, *command;  /* owned; command is that of the document */
	char *document;
	size_t len;
};

/** The most recent plans.  Embed it, zeroed; plans_release() frees it. */
struct plans {
	VEC(struct plans_one) v;
};

/** Keep a document, if it is a plan of at least one file.  Returns 0 or -1. */
int plans_keep(struct plans *p, struct db *db, const char *document, size_t len, struct err *err);
/** The plan of that digest, borrowed until the next one is kept; or NULL. */
const struct plans_one *plans_find(const struct plans *p, const char *digest);
void plans_release(struct plans *p);

#endif
