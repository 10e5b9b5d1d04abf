/* SPDX-License-Identifier: MIT */
/* arguments - what a tool is asked with: JSON, that stands for the words of a command line. */
#ifndef MCP_ARGUMENTS_H
#define MCP_ARGUMENTS_H

struct cmd;
struct db;

/** What the arguments of a tool are. */
struct arguments_of {
	const struct cmd *cmd;     /* whose options they are */
	const char *options;       /* long names of those that it takes, with blanks between */
	const char *word;          /* the argument that is its first operand, or NULL */
	const char *word_help;
	const char *const *words;  /* which words it may be, NULL at the end; or NULL: any */
	const char *paths_help;    /* what the paths are; NULL: it takes none */
	size_t least, most;        /* how many of them; most 0: any number */
	int word_needed;           /* whether it can't do without its word */
};

/** Arguments that were read; zero it, arguments_release() it. */
struct arguments {
	char *word;                /* owned, or NULL */
	VEC(char *) options, paths; /* owned words */
	int64_t limit, offset;     /* of each list of the answer */
};

/** Elements of each list that are shown unless more are asked for. */
#define ARGUMENTS_LIMIT 100

/** Append a JSON Schema of the arguments of a tool. */
void arguments_schema(struct buf *b, const struct arguments_of *of);

/**
 * Read a JSON object.  Paths and directories must be absolute: nobody knows where a server runs.
 * Returns 0, or -1: ERR_USAGE for arguments that the tool does not take, ERR_DB.
 */
int arguments_read(struct arguments *a, const struct arguments_of *of, struct db *db, const char *json, struct err *err);
void arguments_release(struct arguments *a);

#endif
