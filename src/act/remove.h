/* SPDX-License-Identifier: MIT */
/* remove - take the name of a proven victim away: aside first, for good when all still holds. */
#ifndef ACT_REMOVE_H
#define ACT_REMOVE_H

/** The word in the unused name that a file has before it goes (rename_unused). */
#define REMOVE_WORD "rm"

struct locked_file;
struct verdict;

/**
 * Remove the victim, which was just compared with the keeper: rename it to an unused name, check
 * that what was renamed is the file that was compared and that the keeper is still at its path,
 * then remove that name; otherwise rename back.  The content has a name at every moment.
 *
 * Returns 0, or -1 with the verdict; where going back failed too it says under which name the file
 * is now.
 */
int remove_file(struct locked_file *keeper, struct locked_file *victim, struct verdict *v);

/**
 * The same without the end: the victim is renamed to `to` in the directory to_dir, where nothing
 * may have that name, and stays there.  Returns 0, or -1 with the verdict.
 */
int remove_move(struct locked_file *keeper, struct locked_file *victim, int to_dir, const char *to, struct verdict *v);

/**
 * Rename the victim for a moment and check that the keeper is still at its path: it is not where
 * both are one file, reached by two ways.  Returns 0, or -1 with the verdict.
 */
int remove_try(struct locked_file *keeper, struct locked_file *victim, struct verdict *v);

/**
 * After the victim was renamed to aside in aside_dir: check that the file with that name is the
 * one that was compared, and that the keeper is at its path.  Renews the victim's stat.  Returns
 * 0, or -1 with the verdict.
 */
int remove_check(const struct locked_file *keeper, struct locked_file *victim, int aside_dir, const char *aside, struct verdict *v);

/**
 * Rename the victim back from aside in aside_dir.  Where another file has taken its name
 * meanwhile, add to the verdict, which is reached, where the victim is now.  Returns -1.
 */
int remove_undo(const struct locked_file *victim, int aside_dir, const char *aside, struct verdict *v);

#endif
