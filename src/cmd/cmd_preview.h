/* SPDX-License-Identifier: MIT */
/* cmd_preview - what a plan would do, for a person: a few lines of directories instead of files. */
#ifndef CMD_CMD_PREVIEW_H
#define CMD_CMD_PREVIEW_H

struct cmd_call;
struct plan;

/** The most lines that a preview has. */
enum { CMD_PREVIEW_LINES = 10 };

/**
 * Append the directories in which the files of a plan lie that would go, and where the copies stay:
 * the highest directories that tell them apart in a few lines, the largest first, and what is left
 * in a last line.  No line has files of two volumes; where there are several, each names its own.
 * The sizes are those of plan_frees(), and add up to them.
 */
void cmd_add_preview(const struct cmd_call *c, struct buf *b, const struct plan *plan);

/** A file of a preview, and its copy that stays. */
struct cmd_preview_file {
	const char *path, *keeper;   /* absolute; borrowed */
	int64_t size;
};
/** The same of files that are known by path alone, as if on one volume. */
void cmd_add_preview_files(const struct cmd_call *c, struct buf *b, const struct cmd_preview_file *v, size_t n);

#endif
