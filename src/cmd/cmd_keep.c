/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_keep.h"

#include "cmd/cmd_paths.h"
#include "sys/resolve.h"

bool
cmd_keep_given(const struct cmd_choice *a)
{
	return a->keep.n > 0 || a->protect.n > 0 || a->only.n > 0 || a->in.n > 0 || a->copies > 0 || a->per_volume ||
	       a->backups_count || a->from_backup.n > 0;
}

/* keep_rules_resolve_fn: the directory of a rule. */
static int
cmd_keep_resolve(void *arg, const char *typed, struct buf *path, struct err *err)
{
	struct buf home = { 0 };
	/* No shell sees a ~ that stands within a word. */
	const char *dir = resolve_home(&home, typed) ? buf_str(&home) : typed;
	const struct opt_list one = { .v = &dir, .n = 1 };
	const struct cmd_call *c = arg;
	struct cmd_paths paths = { 0 };
	const int ret = cmd_paths_option(c, "--keep", &one, false, &paths, err);

	buf_release(&home);
	/* The last one is that of the index. */
	if (ret == 0)
		buf_adds(path, paths.v[paths.n - 1]);
	cmd_paths_release(&paths);
	return ret;
}

/* Refuse a backup that is nowhere: its name may be mistyped. */
static int
cmd_keep_check_backups(const struct cmd_call *c, struct err *err)
{
	const struct opt_list *declared = c->globals->backups;

	for (size_t i = 0; declared != NULL && i < declared->n; i++) {
		if (cmd_paths_there(c, declared->v[i], err) < 0) {
			err_prefix(err, "the backup in the config file");
			return -1;
		}
	}
	return 0;
}

int
cmd_keep_open(struct cmd_keep *k, const struct cmd_call *c, struct index *ix, struct err *err)
{
	const struct cmd_choice *a = c->choice;
	struct cmd_call with = *c;

	with.ix = ix;
	for (size_t i = 0; i < a->keep.n; i++) {
		if (keep_rules_parse(&k->keep.rules, a->keep.v[i], cmd_keep_resolve, &with, err) < 0)
			return -1;
	}
	if (cmd_paths_option(&with, "--protect", &a->protect, false, &k->protect, err) < 0 ||
	    cmd_paths_option(&with, "--only", &a->only, false, &k->only, err) < 0 ||
	    cmd_paths_option(&with, "--in", &a->in, false, &k->in, err) < 0 ||
	    cmd_paths_option(&with, "--from-backup", &a->from_backup, false, &k->from_backup, err) < 0 || cmd_keep_check_backups(&with, err) < 0)
		return -1;
	cmd_paths_prune(&k->only, false);
	k->keep.protect = k->protect.v;
	k->keep.n_protect = k->protect.n;
	k->keep.in = k->in.v;
	k->keep.n_in = k->in.n;
	k->keep.from_backup = k->from_backup.v;
	k->keep.n_from_backup = k->from_backup.n;
	k->keep.backups_count = a->backups_count;
	k->keep.copies = a->copies;
	k->keep.per_volume = a->per_volume;
	return 0;
}

void
cmd_keep_release(struct cmd_keep *k)
{
	keep_rules_release(&k->keep.rules);
	cmd_paths_release(&k->protect);
	cmd_paths_release(&k->only);
	cmd_paths_release(&k->in);
	cmd_paths_release(&k->from_backup);
}

int
cmd_keep_restrict(const struct cmd_keep *k, struct cmd_paths *paths, struct err *err)
{
	struct cmd_paths both = { 0 };

	if (k->only.n == 0)
		return 0;
	for (size_t i = 0; i < k->only.n; i++) {
		const char *only = k->only.v[i];
		bool whole = paths->n == 0;

		for (size_t j = 0; j < paths->n && !whole; j++) {
			whole = path_is_below(only, paths->v[j]);
			if (!whole && path_is_below(paths->v[j], only))
				vec_push(&both, mem_str(paths->v[j]));
		}
		if (whole)
			vec_push(&both, mem_str(only));
	}
	cmd_paths_release(paths);
	*paths = both;
	return paths->n > 0 ? 0 : err_set(err, ERR_USAGE, "no path of the command is at or below a directory of --only");
}
