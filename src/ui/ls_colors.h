/* SPDX-License-Identifier: MIT */
/* ls_colors - the colours of names, as $LS_COLORS gives them to ls. */
#ifndef UI_LS_COLORS_H
#define UI_LS_COLORS_H

struct ls_colors;

/**
 * Read a list as dircolors prints it: of directories (di=), regular files (fi=) and suffixes
 * (*.jpg=).  What needs a look at the file is left out, and so is what is no SGR parameters.
 * Returns it, owned, or NULL where text is NULL or has no colour.
 */
struct ls_colors *ls_colors_new(const char *text);
/** Free it; NULL is fine. */
void ls_colors_free(struct ls_colors *c);

/**
 * The SGR parameters for a directory, or a file of that name or path; NULL: no colour, as always
 * where c is NULL.  Of several suffixes the last in the list counts.  Borrowed from c.
 */
const char *ls_colors_of(const struct ls_colors *c, const char *name, bool dir);

#endif
