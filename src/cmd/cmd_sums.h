/* SPDX-License-Identifier: MIT */
/* cmd_sums - the sums of all directories, which a shell keeps between commands. */
#ifndef CMD_CMD_SUMS_H
#define CMD_CMD_SUMS_H

struct cmd_call;
struct usage;

/** Sums, and the directory that they are wanted of. */
struct cmd_sums {
	struct usage *u;
	uint32_t dir;     /* DIRTREE_NONE: the path is no directory of the index */
	size_t n_roots;   /* without a path: the roots, which dir is above, or is */
	bool keeps;       /* private: u is the shell's */
};

/**
 * Load the sums as if what is excluded did not exist, or take those that the shell has kept; of
 * the directory at path, or NULL: of the whole index.  look: at what its files share with others;
 * divide: what is redundant in it is divided (struct usage_sum).
 *
 * Returns 0, or -1; cmd_sums_close either.
 */
int cmd_sums_open(struct cmd_sums *s, const struct cmd_call *c, const char *path, bool look,
                  bool divide, struct err *err);
/** Free the sums, unless the shell keeps them. */
void cmd_sums_close(struct cmd_sums *s);

#endif
