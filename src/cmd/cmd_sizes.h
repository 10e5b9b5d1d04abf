/* SPDX-License-Identifier: MIT */
/* cmd_sizes - sizes of files, one a line of a file. */
#ifndef CMD_CMD_SIZES_H
#define CMD_CMD_SIZES_H

/** Sizes in bytes, ascending, each once.  vec_release() frees them. */
struct cmd_sizes {
	int64_t *v;
	size_t n, cap;
};

/**
 * Read the sizes in a file ("-": standard input): one whole decimal number a line, in bytes.  Empty
 * lines are left out, blanks around a number and a CR at the end of a line do not count.  sizes is
 * empty before the call, and to be released after it in any case.
 *
 * Returns 0, or -1: ERR_USAGE with the file and the line for a line that is no size, ERR_NO_PATH,
 * ERR_SYS, ERR_INTERRUPTED.
 */
int cmd_sizes_read(const char *file, struct cmd_sizes *sizes, struct err *err);

#endif
