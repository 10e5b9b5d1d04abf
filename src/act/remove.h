/* SPDX-License-Identifier: MIT */
/* remove - take the name of a proven victim away: aside first, for good when all still holds. */
#ifndef ACT_REMOVE_H
#define ACT_REMOVE_H

struct locked_file;
struct verdict;

/**
 * Remove the victim, which was just compared with the keeper: rename it to an unused name, check
 * that what was renamed is the file that was compared and that the keeper is still at its path,
 * then remove that name; otherwise rename back.  At no moment is there no name of the content.
 *
 * Returns 0, or -1 with the verdict; where going back failed too it says under which name the file
 * is now.
 */
int remove_file(struct locked_file *keeper, struct locked_file *victim, struct verdict *v);

/**
 * The same, but the name does not go: it becomes to in the directory to_dir, where nothing may be.
 * Returns 0, or -1 with the verdict.
 */
int remove_move(struct locked_file *keeper, struct locked_file *victim, int to_dir, const char *to, struct verdict *v);

/**
 * Check that undo could give the victim back: its owner and group, which are not its content's.
 * Returns 0, or -1 with the verdict.
 */
int remove_check_undo(const struct locked_file *victim, struct verdict *v);

/**
 * Take the victim's name away for a moment, and see that the keeper is at its path meanwhile:
 * where both are one file, reached by two ways, it is not.  Returns 0, or -1 with the verdict.
 */
int remove_try(struct locked_file *keeper, struct locked_file *victim, struct verdict *v);

/**
 * Check, once the victim has the name aside in the directory aside_dir, that what has it is the
 * victim as it was compared, and that the keeper is where it was; the victim's stat is renewed.
 * Returns 0, or -1 with the verdict.
 */
int remove_check(const struct locked_file *keeper, struct locked_file *victim, int aside_dir, const char *aside, struct verdict *v);

/**
 * Go back: the victim, which has the name aside in the directory aside_dir, gets its own again
 * unless somebody else has taken that meanwhile; then the verdict, which is reached, says where it
 * is now.  Returns -1.
 */
int remove_undo(const struct locked_file *victim, int aside_dir, const char *aside, struct verdict *v);

#endif
