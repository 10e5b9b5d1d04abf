/* SPDX-License-Identifier: MIT */
/* near - paths as people would type them: from where they are, or from their home. */
#ifndef UI_NEAR_H
#define UI_NEAR_H

/** Where people are: absolute paths without links.  NULL: paths are shown whole. */
struct near {
	char *here, *home;       /* owned by the caller of near_find() */
};

/** Find out: base is where people are (NULL: the process's directory).  NULL for what fails. */
void near_find(struct near *n, const char *base);
/** Free the paths. */
void near_release(struct near *n);

/**
 * The part of an absolute path behind what is left out, with *prefix ("", "~" or "~/") to put in
 * front; the shell, and that of twindex, take both together for the path.  Borrowed from path.
 */
const char *near_rest(const struct near *n, const char *path, const char **prefix);

#endif
