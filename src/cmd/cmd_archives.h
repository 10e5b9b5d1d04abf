/* SPDX-License-Identifier: MIT */
/* cmd_archives - the archives contained asks about: which ones, and whether they have a file. */
#ifndef CMD_CMD_ARCHIVES_H
#define CMD_CMD_ARCHIVES_H

#include "query/inside.h"

struct cmd_call;
struct indexes;
struct file_answer;
struct opt_list;

/** Zero it; cmd_archives_release() it, also after a failure. */
struct cmd_archives {
	struct inside dir;         /* A, by its members; path is NULL: not asked about */
	VEC(struct inside) in;     /* B, whose members count alone; or none */
};

/** Whether any archive is asked about. */
static inline bool
cmd_archives_any(const struct cmd_archives *a)
{
	return a->dir.path != NULL || a->in.n > 0;
}

/**
 * Whether all that --in of contained names are files: archives, which become the paths of
 * c->target->in.  A name that ends with a colon names a source of claims.  Returns 1, 0 or -1.
 */
int cmd_archives_named(const struct cmd_call *c, const struct opt_list *in, struct err *err);

/**
 * Find which of the paths are archives with members.  dir is asked about by its members if the file
 * itself has no copy in in.  Where in are archives, their members count, nothing else.
 * Returns 0, or -1: ERR_USAGE where only some are, or --in names another file.
 */
int cmd_archives_find(struct cmd_archives *a, const struct cmd_call *c, const char *dir, const char *const *in, size_t n_in, struct err *err);

/**
 * Judge a file, of which a listing said what it is, by the members of a->in alone: it is a dup,
 * unique, or unknown with the reason, which is counted as a gap.  Returns 0 or -1.
 */
int cmd_archives_judge(const struct cmd_archives *a, const struct cmd_call *c, struct file_answer *f, struct err *err);

/** Say by what an answer about an archive came about: on msg, so that lists stay lists. */
void cmd_archives_tell(const struct cmd_archives *a, const struct cmd_call *c);

/**
 * Take an archive for a directory: add an index of its members to all, which gets this index if it
 * is empty, and make *path, which is owned, that of the directory.  What was not judged of the
 * archive as a whole counts as a gap.  With within members that are archives are directories, too,
 * and each member that was not judged counts.  Returns 0 or -1.
 */
int cmd_archives_add(const struct cmd_call *c, const struct inside *in, bool within, struct indexes *all, const char **path,
                     struct err *err);
/** Say that members were compared, as they were when their archives were opened: on msg. */
void cmd_archives_tell_opened(const struct cmd_call *c, size_t n);

/** Free what it owns. */
void cmd_archives_release(struct cmd_archives *a);

#endif
