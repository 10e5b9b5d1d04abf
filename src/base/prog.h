/* SPDX-License-Identifier: MIT */
/* prog - how this program was called, for hints that people type. */
#ifndef BASE_PROG_H
#define BASE_PROG_H

/** Note the first word of the command line, before anything asks for it; it may be NULL. */
void prog_set(const char *called);
/** Note the index that the command line names; NULL: none. */
void prog_set_index(const char *path);

/**
 * The program as one word for any shell: the path by which it was called; "twindex" where that was
 * a name in PATH, or is not fit to be shown or typed.  Behind it stands --db with the index that
 * the command line names, unless that is not fit.
 */
const char *prog_name(void);

#endif
