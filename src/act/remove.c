/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/remove.h"

#include <unistd.h>

#include "act/same_file.h"
#include "act/locked_file.h"
#include "act/verdict.h"
#include "sys/fs.h"
#include "sys/rename.h"

int
remove_undo(const struct locked_file *victim, int aside_dir, const char *aside, struct verdict *v)
{
	if (rename_back(aside_dir, aside, victim->dir, victim->name) < 0) {
		v->outcome = ACT_UNSURE;
		verdict_add(v, "; it could not get its name back (%s): it is '%s' in %s now", strerror(errno), aside,
		            aside_dir == victim->dir ? "the same directory" : "the trash");
	}
	return -1;
}

int
remove_check(const struct locked_file *keeper, struct locked_file *victim, int aside_dir, const char *aside, struct verdict *v)
{
	struct verdict k = { .outcome = ACT_PENDING };
	struct fs_stat st;

	if (fs_stat_fresh(aside_dir, aside, &st) < 0)
		return verdict_errno(v, errno, "cannot be looked at");
	if (!locked_file_is(victim, &st))
		return verdict_set(v, ACT_UNSURE, "another file had taken its name meanwhile");
	if (locked_file_renew_by(victim, &st, v) < 0 || locked_file_check_lease(victim, v) < 0)
		return -1;
	return locked_file_check_path(keeper, &k) < 0 ? verdict_copy(v, keeper->path, &k) : 0;
}

int
remove_move(struct locked_file *keeper, struct locked_file *victim, int to_dir, const char *to, struct verdict *v)
{
	if (same_file_check(keeper, victim, v) < 0 || locked_file_check(victim, v) < 0)
		return -1;
	if (rename_keep(victim->dir, victim->name, to_dir, to) < 0)
		return errno == ENOENT ? verdict_set(v, ACT_UNSURE, "it is gone") : verdict_errno(v, errno, "cannot be renamed");
	return remove_check(keeper, victim, to_dir, to, v) < 0 ? remove_undo(victim, to_dir, to, v) : 0;
}

int
remove_file(struct locked_file *keeper, struct locked_file *victim, struct verdict *v)
{
	char aside[RENAME_UNUSED_SIZE];

	rename_unused(REMOVE_WORD, aside);
	if (remove_move(keeper, victim, victim->dir, aside, v) < 0)
		return -1;
	if (unlinkat(victim->dir, aside, 0) == 0)
		return 0;
	verdict_errno(v, errno, "cannot be removed");
	return remove_undo(victim, victim->dir, aside, v);
}

int
remove_try(struct locked_file *keeper, struct locked_file *victim, struct verdict *v)
{
	char aside[RENAME_UNUSED_SIZE];

	rename_unused(REMOVE_WORD, aside);
	if (remove_move(keeper, victim, victim->dir, aside, v) < 0)
		return -1;
	if (rename_back(victim->dir, aside, victim->dir, victim->name) == 0)
		return locked_file_renew(victim, v);
	verdict_errno(v, errno, "cannot be given its name again");
	return remove_undo(victim, victim->dir, aside, v);
}
