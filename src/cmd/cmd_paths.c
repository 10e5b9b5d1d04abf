/* SPDX-License-Identifier: MIT */
/*
 * Operands go through three steps, in this order: each is resolved to an absolute path without
 * links above it (cmd_paths_add, _read, _here), then checked against the index and the disk
 * (_known, _there), and at last pruned.  Checked after pruning, a mistyped path that lies in
 * another operand would pass in silence.  cmd_paths_open() takes these steps as flags say.
 */
#include "base/base.h"

#include "cmd/cmd_paths.h"

#include <sys/stat.h>

#include "archive/packed.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"
#include "index/remounted.h"
#include "index/roots.h"
#include "query/list.h"
#include "sys/fs.h"
#include "sys/mounted.h"
#include "sys/resolve.h"
#include "sys/stop.h"
#include "trees/disks.h"
#include "cmd/cmd.h"
#include "cmd/cmd_with.h"

static int
cmd_paths_resolve(const struct cmd_call *c, const char *const *typed, size_t n, struct cmd_paths *paths, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct buf path = { 0 };

		if (resolve_path(&path, typed[i], c->base, err) < 0) {
			buf_release(&path);
			return -1;
		}
		assert(path.data[0] == '/');
		vec_push(paths, buf_take(&path));
	}
	return 0;
}

bool
cmd_paths_is_member(const char *path)
{
	struct fs_stat st;

	for (const char *mark = strstr(path, PACKED_MARK); mark != NULL; mark = strstr(mark + 1, PACKED_MARK)) {
		struct buf archive = { 0 };
		bool is;

		buf_add(&archive, path, (size_t)(mark - path));
		is = fs_stat_path(path, &st) < 0 && fs_is_absent(errno) && fs_stat_path(buf_str(&archive), &st) == 0 && S_ISREG(st.mode);
		buf_release(&archive);
		if (is)
			return true;
	}
	return false;
}

int
cmd_paths_add(const struct cmd_call *c, const char *const *typed, size_t n, struct cmd_paths *paths, struct err *err)
{
	const size_t before = paths->n;

	if (cmd_paths_resolve(c, typed, n, paths, err) < 0)
		return -1;
	for (size_t i = before; i < paths->n; i++) {
		if (path_is_below_any(paths->v[i], c->offline.v, c->offline.n))
			return err_set(err, ERR_NO_PATH, "'%s' is offline", paths->v[i]);
		/* It can't be taken out of its archive. */
		if ((c->cmd->flags & CMD_LETS_GO) != 0 && cmd_paths_is_member(paths->v[i]))
			return err_set(err, ERR_NO_PATH, "'%s' is a member of an archive, and no file: %s takes no members, and nothing relies on one",
			               paths->v[i], c->cmd->name);
	}
	return 0;
}

int
cmd_paths_are_whole(struct index *ix, const char *const *paths, size_t n, struct err *err)
{
	struct roots roots = { 0 };
	int ret = roots_load(&roots, ix->db, err) < 0 ? -1 : 1;

	for (size_t i = 0; ret == 1 && i < roots.n; i++)
		ret = path_is_below_any(roots.v[i].path, paths, n);
	roots_release(&roots);
	return ret;
}

int
cmd_paths_here(const struct cmd_call *c, bool all, struct cmd_paths *paths, struct err *err)
{
	int whole;

	if (all && paths->n > 0)
		return err_set(err, ERR_USAGE, "--all means the whole index, not '%s'", paths->v[0]);
	if (all || paths->n > 0 || c->base == NULL)
		return 0;
	/*
	 * A directory with all roots below it is the whole index, of which more is known than
	 * of its parts.
	 */
	whole = cmd_paths_are_whole(c->ix, &c->base, 1, err);
	if (whole == 0)
		vec_push(paths, mem_str(c->base));
	return whole < 0 ? -1 : 0;
}

void
cmd_paths_hint_all(const struct cmd_call *c)
{
	const struct cmd_paths *paths = &c->target->paths;

	if (c->tty && paths->n == 1 && c->base != NULL && strcmp(paths->v[0], c->base) == 0)
		cmd_notice(c, "only '%s' was asked: '%s -a' asks the whole index", c->base, c->cmd->name);
}

int
cmd_paths_may_share(const struct cmd_call *c, const char *a, const struct indexes_other *of_a, const char *b,
                    const struct indexes_other *of_b, struct err *err)
{
	const int shared = disks_may_share(c->ix, a, of_a, b, of_b, err);

	if (shared == 1)
		cmd_notice(c, "A and B may be two views of the same files (an overlay, or a FUSE program): removing one may "
		              "remove the other");
	return shared;
}

int
cmd_paths_lines(const char *file, char end, struct cmd_paths *lines, struct err *err)
{
	FILE *f = strcmp(file, "-") == 0 ? stdin : fopen(file, "re");
	char *line = NULL;
	size_t cap = 0;
	int64_t n = 0;
	ssize_t len;
	int ret = 0;

	if (f == NULL)
		return errno == ENOENT ? err_set(err, ERR_NO_PATH, "'%s' does not exist", file) : err_sys(err, "open '%s'", file);
	while (ret == 0 && stop_await(fileno(f)) && (len = getdelim(&line, &cap, end, f)) > 0) {
		n++;
		if (line[len - 1] == end)
			line[--len] = '\0';
		if (strlen(line) < (size_t)len)
			ret = err_set(err, ERR_USAGE, "'%s': line %lld has a NUL byte, which no file name can have", file, (long long)n);
		else if (len > 0)
			vec_push(lines, mem_str(line));
	}
	if (ret == 0)
		ret = ferror(f) && stop_signal() == 0 ? err_sys(err, "read '%s'", file) : stop_check(err);
	free(line);
	/* Ctrl-D on a terminal sets the end-of-file flag; later reads must work. */
	if (f == stdin)
		clearerr(f);
	else
		fclose(f);
	return ret;
}

int
cmd_paths_read(const struct cmd_call *c, const char *file, char end, struct cmd_paths *paths, struct err *err)
{
	struct cmd_paths typed = { 0 };
	int ret = cmd_paths_lines(file, end, &typed, err);

	if (ret == 0)
		ret = cmd_paths_add(c, typed.v, typed.n, paths, err);
	cmd_paths_release(&typed);
	return ret;
}

/*
 * Find the path by which the index has what is at path: a second mount leads there, or a file
 * system that takes no notice of case.  Returns 1 with *other, which was empty, 0 or -1.
 */
static int
cmd_paths_elsewhere(const struct cmd_call *c, const char *path, struct buf *other, struct err *err)
{
	struct dirs dirs = { .db = c->ix->db };
	struct buf dir = { 0 };
	struct fs_stat st;
	int ret = fs_stat_path(path, &st) == 0;

	buf_adds(&dir, path);
	if (ret == 1 && !S_ISDIR(st.mode)) {
		buf_cut(&dir, path_parent_len(path));
		ret = fs_stat_path(buf_str(&dir), &st) == 0;
	}
	if (ret == 1)
		ret = dirs_elsewhere(&dirs, buf_str(&dir), &st, other, err);
	if (ret == 1 && dir.len < strlen(path))
		path_append(other, path_base(path), strlen(path_base(path)));
	dirs_release(&dirs);
	buf_release(&dir);
	return ret;
}

/* Fail because of a path that the index does not have. */
static int
cmd_paths_missing(const struct cmd_call *c, const char *path, struct err *err)
{
	struct remounted remounted = { .db = c->ix->db };
	struct fs_stat st;
	struct buf other = { 0 };
	const char *why;
	int ret;

	if (fs_stat_path(path, &st) == 0) {
		ret = remounted_find(&remounted, path, &why, err);
		if (ret == 1)
			err_set(err, ERR_NO_PATH, "'%s' is %s", path, why);
		else if (ret == 0 && (ret = cmd_paths_elsewhere(c, path, &other, err)) == 1)
			err_set(err, ERR_NO_PATH, "'%s' is in the index as '%s'", path, buf_str(&other));
		remounted_release(&remounted);
		buf_release(&other);
		if (ret != 0)
			return -1;
		return err_set(err, ERR_NO_PATH, "'%s' is not in the index: scan it first", path);
	}
	if (fs_is_absent(errno))
		return err_set(err, ERR_NO_PATH, cmd_paths_is_member(path) ? "'%s' is a member of an archive: ask about the archive" : "'%s' does not exist", path);
	err_sys(err, "'%s'", path);
	err->code = ERR_NO_PATH;
	return -1;
}

int
cmd_paths_there(const struct cmd_call *c, const char *path, struct err *err)
{
	const int known = cmd_with_knows(c, path, err);
	struct fs_stat st;

	if (known != 0)
		return known < 0 ? -1 : 0;
	if (fs_stat_path(path, &st) < 0)
		return cmd_paths_missing(c, path, err);
	/* Resolving follows links that lead anywhere. */
	return S_ISLNK(st.mode) ? err_set(err, ERR_NO_PATH, "'%s' is a symbolic link that leads nowhere", path) : 0;
}

/* An option that leaves a directory out, and the paths that go with it. */
struct cmd_paths_also {
	const struct cmd_call *c;
	const char *option, *dir;
	struct cmd_paths *paths;
};

/* mounted_path_fn: exclude a path at which the directory is mounted as well. */
static void
cmd_paths_add_also(void *arg, const char *path)
{
	struct cmd_paths_also *also = arg;

	if (path_is_below_any(path, also->paths->v, also->paths->n))
		return;
	cmd_notice(also->c, "%s: '%s' shows what lies in '%s', and is left out, too", also->option, path, also->dir);
	vec_push(also->paths, mem_str(path));
}

int
cmd_paths_option(const struct cmd_call *c, const char *option, const struct opt_list *typed, bool leaves_out,
                 struct cmd_paths *paths, struct err *err)
{
	size_t n;

	/* What is offline may be left out, but not asked for. */
	if ((leaves_out ? cmd_paths_resolve : cmd_paths_add)(c, typed->v, typed->n, paths, err) < 0)
		return -1;
	n = paths->n;
	for (size_t i = 0; i < n; i++) {
		struct buf other = { 0 };
		int found = -1;

		/* A mistyped directory would exclude nothing, and its copies would look safe. */
		if (cmd_paths_there(c, paths->v[i], err) == 0)
			found = cmd_with_knows(c, paths->v[i], err);
		/* Add the path by which the index has it, if that is another one. */
		if (found == 0 && (found = cmd_paths_elsewhere(c, paths->v[i], &other, err)) == 1) {
			cmd_notice(c, "%s: '%s' is in the index as '%s'", option, paths->v[i], buf_str(&other));
			vec_push(paths, buf_take(&other));
		}
		buf_release(&other);
		if (found < 0)
			return err_prefix(err, "%s", option);
	}
	for (size_t i = 0; leaves_out && i < n; i++) {
		char *dir = mem_str(paths->v[i]);

		mounted_also(dir, cmd_paths_add_also, &(struct cmd_paths_also){ c, option, dir, paths });
		free(dir);
	}
	return 0;
}

int
cmd_paths_asked(const struct cmd_call *c, const struct cmd_paths *asked, const struct cmd_paths *exclude, struct err *err)
{
	const size_t typed = exclude->n - c->offline.n;

	for (size_t i = 0; i < asked->n; i++) {
		if (path_is_below_any(asked->v[i], exclude->v, typed))
			return err_set(err, ERR_USAGE, "--exclude-path leaves out '%s', which %s is asked about: "
			               "'%s uniques -x DIR DIR' lists what would be lost with DIR", asked->v[i], c->cmd->name, prog_name());
	}
	return 0;
}

/*
 * Refuse a path that is a file of the index, in a question that knows files by their directories
 * alone: it would count in silence as if it had not been given.
 */
static int
cmd_paths_no_files(const struct cmd_call *c, const char *option, const struct cmd_paths *paths, struct err *err)
{
	struct file_row row;
	int64_t dir;

	for (size_t i = 0; i < paths->n; i++) {
		int found = dirs_find(c->ix->db, paths->v[i], &dir, err);

		if (found == 0 && (found = dirs_find_file(c->ix->db, paths->v[i], &row, err)) == 1)
			found = err_set(err, ERR_USAGE, "%s: '%s' is a file: %s takes only directories", option, paths->v[i], c->cmd->name);
		if (found < 0)
			return -1;
	}
	return 0;
}

int
cmd_paths_known_with(const struct cmd_call *c, const char *path, struct err *err)
{
	const int known = cmd_with_knows(c, path, err);

	return known == 1 ? 0 : known < 0 ? -1 : cmd_paths_missing(c, path, err);
}

int
cmd_paths_known(const struct cmd_call *c, const struct cmd_paths *paths, struct err *err)
{
	for (size_t i = 0; i < paths->n; i++) {
		const int known = list_knows(c->ix, paths->v[i], err);

		if (known <= 0)
			return known < 0 ? -1 : cmd_paths_missing(c, paths->v[i], err);
	}
	return 0;
}

void
cmd_paths_set(const struct cmd_paths *paths, struct pathset *set)
{
	for (size_t i = 0; i < paths->n; i++)
		pathset_add(set, paths->v[i], i);
	pathset_sort(set);
}

void
cmd_paths_prune(struct cmd_paths *paths, bool nested_stay)
{
	bool *drop = mem_zalloc(paths->n + 1, sizeof(*drop));
	struct pathset set = { 0 };
	size_t first, n = 0;

	cmd_paths_set(paths, &set);
	for (size_t i = 0; i < paths->n; i++) {
		size_t len = strlen(paths->v[i]);

		/* The set finds the first of equal paths. */
		drop[i] = !pathset_find(&set, paths->v[i], len, &first) || first != i;
		len = path_up_len(paths->v[i], len);
		if (!drop[i] && !nested_stay)
			drop[i] = pathset_above(&set, paths->v[i], &len, &first);
	}
	pathset_release(&set);
	for (size_t i = 0; i < paths->n; i++) {
		if (drop[i])
			free((void *)(uintptr_t)paths->v[i]);
		else
			paths->v[n++] = paths->v[i];
	}
	paths->n = n;
	free(drop);
}

void
cmd_paths_release(struct cmd_paths *paths)
{
	for (size_t i = 0; i < paths->n; i++)
		free((void *)(uintptr_t)paths->v[i]);
	vec_release(paths);
}

/* The value of an option that the command itself has, or NULL. */
static const void *
cmd_paths_own_option(const struct cmd_call *c, const char *name)
{
	const struct opt *o = opt_named((struct opt_target[]){ { .opts = c->cmd->opts }, { .opts = NULL } }, name);

	return o == NULL ? NULL : (const char *)c->args + o->at;
}

/* Resolve the operands, and what stands for them. */
static int
cmd_paths_operands(const struct cmd_call *c, struct cmd_paths *paths, struct err *err)
{
	const enum cmd_flags f = c->cmd->flags;
	const int names = (f & CMD_NAMED) != 0;
	const struct opt_list *more = cmd_paths_own_option(c, "path");

	if (c->n_operands < names)
		return err_set(err, ERR_USAGE, "%s needs a name", c->cmd->name);
	if ((f & CMD_ONE) != 0 && c->n_operands > 1)
		return err_set(err, ERR_USAGE, "%s takes one directory", c->cmd->name);
	if (cmd_paths_add(c, (const char *const *)c->operands + names, (size_t)(c->n_operands - names), paths, err) < 0 ||
	    (more != NULL && cmd_paths_add(c, more->v, more->n, paths, err) < 0))
		return -1;
	if ((f & CMD_HERE) != 0) {
		const bool *all = cmd_paths_own_option(c, "all");

		assert(all != NULL);
		/* With a path, --all of some commands is about their lines. */
		return cmd_paths_here(c, *all && (paths->n == 0 || (f & CMD_ALL_LINES) == 0), paths, err);
	}
	return (f & CMD_ONE) != 0 && paths->n == 0 ? cmd_paths_add(c, &(const char *){ "." }, 1, paths, err) : 0;
}

int
cmd_paths_open(const struct cmd_call *c, struct err *err)
{
	const enum cmd_flags f = c->cmd->flags;
	const struct opt_list *in = (f & (CMD_LISTS | CMD_IN_CLAIMS)) == CMD_LISTS ? cmd_paths_own_option(c, "in") : NULL;
	struct cmd_target *t = c->target;

	if ((f & CMD_PATHS) != 0 && cmd_paths_operands(c, &t->paths, err) < 0)
		return -1;
	if ((f & CMD_LISTS) != 0 && cmd_paths_option(c, "--exclude-path", &c->listing->exclude, true, &t->exclude, err) < 0)
		return -1;
	for (size_t i = 0; i < c->offline.n; i++)
		vec_push(&t->exclude, mem_str(c->offline.v[i]));
	if ((f & CMD_DIRS) != 0 && (cmd_paths_asked(c, &t->paths, &t->exclude, err) < 0 ||
	                            cmd_paths_no_files(c, "--exclude-path", &t->exclude, err) < 0))
		return -1;
	if (in != NULL && cmd_paths_option(c, "--in", in, false, &t->in, err) < 0)
		return -1;
	if ((f & CMD_DIRS) != 0 && cmd_paths_no_files(c, "--in", &t->in, err) < 0)
		return -1;
	if ((f & CMD_KNOWN) != 0) {
		if (cmd_paths_known(c, &t->paths, err) < 0)
			return -1;
		cmd_paths_prune(&t->paths, (f & CMD_NESTED) != 0);
	}
	return 0;
}

int
cmd_paths_check_names(const struct opt_list *names, struct err *err)
{
	for (size_t i = 0; i < names->n; i++) {
		if (*names->v[i] == '\0' || strchr(names->v[i], '/') != NULL)
			return err_set(err, ERR_USAGE, "option '--name': '%s' is not a file name", names->v[i]);
	}
	return 0;
}

int
cmd_paths_two(const struct cmd_call *c, const struct indexes_other *of[2], const char *needs, struct err *err)
{
	const char *const *paths = c->target->paths.v;
	struct fs_stat a, b;
	bool one = false;
	int other = 1;

	if (c->n_operands != 2)
		return err_set(err, ERR_USAGE, "%s needs %s", c->cmd->name, needs);
	for (int i = 0; i < 2; i++) {
		if (cmd_paths_known_with(c, paths[i], err) < 0 || cmd_with_of(c, paths[i], true, &of[i], err) < 0)
			return -1;
	}
	if (strcmp(paths[0], paths[1]) == 0) {
		other = c->listing->online || of[0] != NULL ? 0 : cmd_with_of(c, paths[1], false, &of[1], err);
		one = other == 0;
	} else if (of[0] != of[1] && fs_stat_path(paths[0], &a) == 0 && fs_stat_path(paths[1], &b) == 0)
		one = S_ISDIR(a.mode) && a.dev == b.dev && a.inode == b.inode;
	if (one)
		return err_set(err, ERR_USAGE, "'%s' and '%s' are one", c->operands[0], c->operands[1]);
	return other < 0 ? -1 : 0;
}
