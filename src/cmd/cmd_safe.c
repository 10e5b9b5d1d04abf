/* SPDX-License-Identifier: MIT */
/*
 * twindex safe, and contained, its older name - would something be lost with DIR?
 *
 * One listing of DIR, for which only copies in IN count, or all outside of DIR, gives each file a
 * state: a dup or a link has its content there, a unique file has not, of all others nothing is
 * known.  What is not known of IN matters only if something is missing.
 *
 * DIR may lie in IN: copies in DIR do not count.  IN may lie in DIR for contained alone, and then
 * the question is about the other files of DIR: with DIR its copies would go as well.
 *
 * With --rescue the missing files, and those of which nothing is known, are copied (cmd_rescue).
 *
 * A program gets the missing files as they are met.  A person gets the verdict first, so that
 * nothing is printed before all is known.
 */
#include "base/base.h"

#include <sys/stat.h>

#include "cmd/cmd.h"
#include "cmd/cmd_archives.h"
#include "cmd/cmd_claimed.h"
#include "cmd/cmd_elsewhere.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_rescue.h"
#include "cmd/cmd_steps.h"
#include "index/index.h"
#include "cmd/cmd_with.h"
#include "query/list.h"
#include "sys/fs.h"
#include "trees/copy_dirs.h"
#include "trees/missing_dirs.h"
#include "ui/width.h"

/* The directories that a person is shown without --verbose. */
enum { SAFE_LINES = 10 };
/* The places of copies that are named. */
enum { SAFE_PLACES = 4 };

struct cmd_safe_args {
	bool relative, elsewhere;
	struct opt_list in;              /* of contained alone: sources of claims, or archives */
	struct cmd_rescue_args rescue;   /* of safe alone */
};

#define CMD_SAFE_OPTS \
	OPT_FLAG_('r', "relative", struct cmd_safe_args, relative, "paths relative to DIR, as rsync --files-from takes them"),

static const struct opt cmd_safe_opts[] = {
	CMD_SAFE_OPTS
	OPT_FLAG_(0, "elsewhere", struct cmd_safe_args, elsewhere, "also who else says to have what is missing (import); no answer changes by it"),
	OPT_STRING_(0, "rescue", struct cmd_safe_args, rescue.to, "TO", "copy what exists nowhere else to the directory TO, as it lies in DIR"),
	OPT_FLAG_('n', "dry-run", struct cmd_safe_args, rescue.dry_run, "with --rescue: only say what would be copied"),
	OPT_FLAG_('y', "yes", struct cmd_safe_args, rescue.yes, "with --rescue: do not ask"),
	OPT_END
};

static const struct opt cmd_safe_contained_opts[] = {
	CMD_SAFE_OPTS
	OPT_LIST_(0, "in", struct cmd_safe_args, in, "NAME", "whether what was imported claims to have all of A; NAME with a colon: cloud: (repeatable); or an archive"),
	OPT_END
};

/* A question on its way. */
struct cmd_safe {
	const struct cmd_call *c;
	const char *dir;               /* absolute */
	const char *const *in;         /* the same; none: all of the index outside of dir */
	size_t n_in;
	bool is_there, is_file;        /* dir is there; it is a file */
	struct cmd_archives archives;  /* of contained */
	const char *cut;               /* prefix to leave out of the names of files, or NULL */
	bool dir_in, in_dir;           /* dir lies in one of in, and the reverse */
	bool people;                   /* it is answered for a person */
	struct cmd_rescue *rescue;     /* what is missing is copied; or NULL */
	struct out *out;               /* of missing files, for a program */
	struct pairs_sum kept, missing, empty, offline, unsure;
	VEC(const char *) away;        /* names of the disks of those offline: index/drawer */
	struct missing_dirs dirs;      /* for people: what is missing, */
	struct arena paths;
	VEC(const char *) names;       /* ... with --verbose by name, */
	struct copy_dirs copies;       /* ... and where the copies of the others lie */
	int64_t copied;                /* files that stay by a copy, not only by a link */
	bool backed;                   /* ... and some of these copies lie in backups alone */
	bool hidden;                   /* some of those lie in hidden directories */
	bool of_in;                    /* counting gaps of in, no longer of dir */
	struct err *err;               /* of what cmd_safe_file() is called in */
	struct cmd_elsewhere elsewhere;  /* missing files, for --elsewhere */
};

/* Whether all copies of a file that were delivered with it lie in backups. */
static bool
cmd_safe_is_backed(const struct file_answer *a)
{
	size_t n = 0, backed = 0;

	for (size_t i = 0; i < a->n_members; i++) {
		n += a->members[i].kind == MEMBER_COPY;
		backed += a->members[i].kind == MEMBER_COPY && a->members[i].backup;
	}
	return n > 0 && backed == n;
}

/* Note the name of a disk, once: each index has its text for each of them. */
static void
cmd_safe_note_disk(struct cmd_safe *w, const char *disk)
{
	for (size_t i = 0; disk != NULL && i < w->away.n; i++) {
		if (strcmp(w->away.v[i], disk) == 0)
			return;
	}
	if (disk != NULL)
		vec_push(&w->away, disk);
}

static int cmd_safe_file(void *arg, const struct file_answer *a);

/* list_fn: the same, where members of archives count in place of files. */
static int
cmd_safe_file_in_archives(void *arg, const struct file_answer *a)
{
	struct cmd_safe *w = arg;
	struct file_answer judged = *a;

	/* Others are not there, or not as the index has them. */
	if ((a->state == STATE_DUP || a->state == STATE_UNIQUE || a->state == STATE_LINKED || a->state == STATE_UNKNOWN) && a->size > 0 &&
	    cmd_archives_judge(&w->archives, w->c, &judged, w->err) < 0)
		return -1;
	return cmd_safe_file(w, &judged);
}

/* list_fn: count a file, and print it to a program if it is missing. */
static int
cmd_safe_file(void *arg, const struct file_answer *a)
{
	struct cmd_safe *w = arg;
	const int64_t size = a->size > 0 ? a->size : 0;
	struct pairs_sum *sum;
	const char *name;
	size_t len;

	if ((w->in_dir && path_is_below(a->path, w->in[0])) || a->state == STATE_GONE)
		return 0;
	/* A link in an archive has the content of another member. */
	if (a->archive != NULL && a->state == STATE_LINKED && a->size <= 0)
		return 0;
	sum = a->offline ? &w->offline : a->state == STATE_DUP || a->state == STATE_LINKED ? &w->kept :
	      a->state == STATE_UNIQUE ? &w->missing : a->state == STATE_EMPTY ? &w->empty : &w->unsure;
	pairs_sum_add(sum, 1, size);
	if (sum == &w->offline)
		cmd_safe_note_disk(w, a->disk);
	if (w->rescue != NULL) {
		if (sum != &w->kept && sum != &w->empty)
			cmd_rescue_add(w->rescue, a->path, sum != &w->missing);
		return 0;
	}
	if (sum == &w->missing && ((const struct cmd_safe_args *)w->c->args)->elsewhere)
		cmd_elsewhere_note(&w->elsewhere, a);
	if (!w->people)
		return sum == &w->missing ? out_file(w->out, a) : 0;
	if (sum == &w->kept) {
		copy_dirs_add(&w->copies, a);
		w->copied += a->state == STATE_DUP;
		w->backed |= cmd_safe_is_backed(a);
		w->hidden |= path_hidden_dir(a->path, w->dir, &name, &len);
	}
	if (sum != &w->empty)
		missing_dirs_add(&w->dirs, a->path, sum == &w->missing, size);
	if (sum == &w->missing && w->c->globals->verbose > 0)
		vec_push(&w->names, arena_str(&w->paths, a->path));
	return 0;
}

/* list_gap_fn */
static void
cmd_safe_gap(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct cmd_safe *w = arg;

	/* Each is counted once, where DIR and IN overlap. */
	if (w->of_in ? w->dir_in && path_is_below(path, w->dir) : w->in_dir && path_is_below(path, w->in[0]))
		return;
	/* What can be read is copied: it may be the only one. */
	if (w->rescue != NULL && dir)
		cmd_rescue_add_dir(w->rescue, path, gap, why);
	else if (w->rescue != NULL && gap_matters(gap) && gap != GAP_OFFLINE)
		cmd_rescue_add(w->rescue, path, true);
	else
		cmd_count_gap(w->c->verdict, path, gap, dir, why);
}

/* Count what is not known of IN.  Returns whether content may lie there, or -1. */
static int
cmd_safe_gaps_in(struct cmd_safe *w, struct err *err)
{
	const int64_t before = gaps_matter(&w->c->verdict->gaps);
	struct gaps all = { .files = { 0 } };

	w->of_in = true;
	for (size_t i = 0; i < w->n_in; i++) {
		if (cmd_with_gaps(w->c, w->in[i], cmd_safe_gap, w, &all, err) < 0)
			return -1;
	}
	return gaps_matter(&w->c->verdict->gaps) > before;
}

/* Warn where copies in IN may be the files of DIR themselves.  Returns 0 or -1. */
static int
cmd_safe_may_share(const struct cmd_safe *w, struct err *err)
{
	for (size_t i = 0; i < w->n_in; i++) {
		const struct indexes_other *of = NULL;

		if (cmd_with_of(w->c, w->in[i], true, &of, err) < 0 || cmd_paths_may_share(w->c, w->dir, NULL, w->in[i], of, err) < 0)
			return -1;
	}
	return 0;
}

/* Ask of all files of DIR.  Returns an exit status or -1. */
static int
cmd_safe_ask(struct cmd_safe *w, struct err *err)
{
	const struct cmd_call *c = w->c;
	struct list_totals totals = { .n = { 0 } };
	const struct list_query q = {
		.copies = {
			.exclude = c->target->exclude.v, .n_exclude = c->target->exclude.n,
			.in = w->in, .n_in = w->n_in, .with = c->with, .links_are_unique = c->listing->links_unique,
			.members = w->people, .fold = 1 << STATE_DUP | 1 << STATE_LINKED,
		},
		.gap = cmd_safe_gap, .online = c->listing->online,
	};
	int unsure = 0;

	w->err = err;
	if (w->archives.dir.path != NULL) {
		/* As the gaps of a listing they are counted by gap. */
		if (inside_each(c->ix, &w->archives.dir, &q.copies, false, cmd_safe_gap, w, cmd_safe_file, w, &totals.gaps, err) < 0)
			return -1;
	} else if (list_each(c->ix, &w->dir, 1, &q, w->archives.in.n > 0 ? cmd_safe_file_in_archives : cmd_safe_file, w, &totals, err) < 0)
		return -1;
	/* Nothing was judged: one that was renamed or removed since the scan is not safe. */
	if (!w->is_there && w->kept.n + w->missing.n + w->empty.n + w->offline.n + w->unsure.n == 0 && gaps_matter(&c->verdict->gaps) == 0)
		return err_set(err, ERR_NO_PATH, "'%s' is no longer there", c->operands[0]);
	c->verdict->fleeting = totals.fleeting;
	c->verdict->fleeting_why = totals.fleeting_why;
	c->verdict->all_read = totals.unread == 0;
	if (w->rescue != NULL) {
		/* What scans have left undone is a gap here, or copied. */
		c->verdict->settled = true;
		return cmd_rescue_run(w->rescue, err);
	}
	if (w->missing.n + w->offline.n + w->unsure.n > 0)
		unsure = cmd_safe_gaps_in(w, err);
	if (unsure < 0 || (w->unsure.n > 0 && cmd_safe_may_share(w, err) < 0))
		return -1;
	/* Gaps of DIR cannot disprove that a file is missing in IN; gaps of IN can. */
	c->verdict->certain = w->missing.n > 0 && unsure == 0;
	return cmd_exit_status(c, w->missing.n > 0 ? CMD_NO : CMD_OK, err);
}

/*
 * Append "all 1,204 files (3.1 GiB)", "none of the 1,204 files (3.1 GiB)", or "12 of the 1,204
 * files (3.1 MiB of 3.1 GiB)": part of all, which are missing or stay.
 */
static void
cmd_safe_add_part(struct buf *b, const struct cmd_safe *w, struct pairs_sum part, struct pairs_sum all)
{
	const enum num_units units = cmd_style(w->c, OUT_PATHS).units;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	if (all.n == 1)
		buf_adds(b, "the only file");
	else if (part.n == all.n)
		buf_addf(b, "%s %s", w->missing.n > 0 ? "none of the" : "all", num_show_things(all.n, "file", "files", x));
	else
		buf_addf(b, "%s of the %s", num_show_count(part.n, x), num_show_things(all.n, "file", "files", y));
	if (part.n == all.n)
		buf_addf(b, " (%s)", num_show_size(all.bytes, units, x));
	else
		buf_addf(b, " (%s of %s)", num_show_size(part.bytes, units, x), num_show_size(all.bytes, units, y));
}

/* Append "A (12), B (3) and others": IN as typed, or where the copies lie. */
static void
cmd_safe_add_places(struct buf *b, const struct cmd_safe *w)
{
	const struct cmd_call *c = w->c;
	const bool found = w->missing.n == 0 && c->n_operands != 2 && w->archives.in.n == 0 && c->cmd == &cmd_safe;
	const size_t n = found ? w->copies.places.n : w->n_in, shown = n < SAFE_PLACES ? n : SAFE_PLACES;
	char x[NUM_SHOW_MAX];

	for (size_t i = 0; i < shown; i++) {
		const struct tree_place *p = found ? &w->copies.places.v[i] : NULL;

		buf_adds(b, i == 0 ? " " : i + 1 == n ? found ? " and " : " or " : ", ");
		buf_adds(b, p != NULL && p->direct ? "directly in " : i == 0 || found ? "in " : "");
		cmd_add_path(c, b, found ? p->path : c->n_operands > (int)i + 1 ? c->operands[i + 1] : w->in[i]);
		if (found && n > 1)
			buf_addf(b, " (%s)", num_show_count(p->files, x));
		if (found && backups_has(&c->ix->backups, p->path))
			buf_adds(b, ", a backup");
	}
	if (n > shown)
		buf_adds(b, found ? " and others" : " or others of these");
}

/* Append the answer about files that hold something. */
static void
cmd_safe_add_answer(struct buf *b, const struct cmd_safe *w, struct pairs_sum all)
{
	const struct pairs_sum part = w->missing.n > 0 ? w->missing : w->kept;
	const bool none = w->missing.n > 1 && w->missing.n == all.n, one = none || part.n == 1;

	if (gaps_matter(&w->c->verdict->gaps) > 0)
		buf_adds(b, w->missing.n > 0 && !none ? "at least " : "as far as could be judged, ");
	cmd_safe_add_part(b, w, part, all);
	buf_adds(b, " of ");
	cmd_add_path(w->c, b, w->c->operands[0]);
	if (w->in_dir)
		buf_adds(b, " outside of it");
	if (w->missing.n > 0 && w->n_in == 0) {
		buf_addf(b, " exist%s %s else in the index", one ? "s" : "", none ? "anywhere" : "nowhere");
		return;
	}
	buf_adds(b, one ? " is" : " are");
	if (!none)
		buf_adds(b, w->missing.n > 0 ? " not" : " also");
	if (w->dir_in)
		buf_adds(b, " elsewhere");
	cmd_safe_add_places(b, w);
	if (w->missing.n == 0)
		buf_adds(b, ", looked at just now");
}

/* Append the verdict, and why. */
static void
cmd_safe_add_verdict(struct buf *b, const struct cmd_safe *w, int status)
{
	static const struct { const char *word, *color; } verdicts[] = {
		[CMD_OK] = { "SAFE TO DELETE", "32" }, [CMD_NO] = { "NOT SAFE", "31" }, [CMD_PARTLY] = { "NOT SURE", "33" },
	};
	const struct pairs_sum all = { w->kept.n + w->missing.n + w->offline.n + w->unsure.n,
	                               num_add(num_add(w->kept.bytes, w->missing.bytes), num_add(w->offline.bytes, w->unsure.bytes)) };
	struct buf why = { 0 };
	char x[NUM_SHOW_MAX];

	/* Files of DIR that lie in IN were not asked about; members are no licence. */
	const bool word = !w->in_dir && !cmd_archives_any(&w->archives);

	if (word && cmd_style(w->c, OUT_PATHS).color)
		buf_addf(b, "\033[1;%sm%s\033[0m\n", verdicts[status].color, verdicts[status].word);
	else if (word)
		buf_addf(b, "%s\n", verdicts[status].word);
	if (w->kept.n + w->missing.n > 0)
		cmd_safe_add_answer(&why, w, all);
	else if (all.n > 0)
		buf_adds(&why, "no file could be judged now");
	else
		buf_adds(&why, "no file has content");
	if (w->offline.n > 0)
		buf_addf(&why, "; %s a copy %s that is offline", num_show_things(w->offline.n, "file has", "files have", x),
		         w->n_in == 0 ? "elsewhere" : "there");
	for (size_t i = 0; i < w->away.n; i++)
		buf_addf(&why, "%s%s", i == 0 ? " (" : "; ", w->away.v[i]);
	buf_adds(&why, w->away.n > 0 ? ")" : "");
	if (w->unsure.n > 0)
		buf_addf(&why, "; nothing is known of %s", num_show_things(w->unsure.n, "other file", "other files", x));
	if (w->empty.n > 0)
		buf_addf(&why, "; %s", num_show_things(w->empty.n, "file is empty", "files are empty", x));
	if (backups_has(&w->c->ix->backups, w->dir))
		buf_adds(&why, "; it is a declared backup");
	buf_addc(&why, '\n');
	width_fold(b, buf_str(&why), 0, w->c->env->width);
	buf_release(&why);
}

/* Print what is missing: directories, or with --verbose files. */
static int
cmd_safe_print_missing(struct cmd_safe *w, struct err *err)
{
	const bool names = w->c->globals->verbose > 0 || w->is_file;
	struct out_style style = cmd_style(w->c, names ? OUT_PATHS : OUT_RISKS);
	struct out *out;

	if (w->cut != NULL)
		style.cut = w->cut;
	out = out_open(w->c->out, &style);
	for (size_t i = 0; i < w->names.n; i++)
		out_file(out, &(struct file_answer){ .path = w->names.v[i], .state = STATE_UNIQUE });
	for (size_t i = 0; !names && i < w->dirs.lines.n && i < SAFE_LINES; i++)
		out_tree(out, &w->dirs.lines.v[i]);
	return out_close(out, 0, err);
}

/*
 * Whether the question without its options, as rm asks it, has the same answer: only then is there
 * a step to type.  rm relies on no copy in a trash, follows no link to DIR, and knows one index.
 */
static bool
cmd_safe_is_plain(const struct cmd_safe *w)
{
	const struct cmd_call *c = w->c;
	const struct cmd_listing *l = c->listing;

	for (size_t i = 0; i < w->n_in; i++) {
		if (path_trash_len(w->in[i]) > 0)
			return false;
	}
	return !cmd_archives_any(&w->archives) && l->exclude.n == 0 && !l->links_unique && !l->links_copies && !l->online && c->with == NULL &&
	       (c->globals->db == NULL || c->env->ix != NULL) && strcmp(path_base(c->operands[0]), path_base(w->dir)) == 0;
}

/* Whether the directory, or one of those where its copies are looked for, lies in a backup. */
static bool
cmd_safe_in_backup(const struct cmd_safe *w)
{
	bool in = backups_has(&w->c->ix->backups, w->dir);

	for (size_t i = 0; i < w->n_in; i++)
		in |= backups_has(&w->c->ix->backups, w->in[i]);
	return in;
}

/* Append what to do next: commands to type, where they are plain. */
static void
cmd_safe_add_next(struct buf *b, const struct cmd_safe *w, int status)
{
	const bool files = w->missing.n > 0 && !w->is_file && w->c->globals->verbose == 0;
	struct buf all = { 0 }, rescue = { 0 }, rm = { 0 }, name = { 0 };
	struct cmd_step steps[3];
	char x[NUM_SHOW_MAX];
	bool typed = cmd_add_typed(w->c, &all, w->dir);
	size_t n = 0;

	if (files && w->dirs.lines.n > SAFE_LINES)
		buf_addf(b, "and in %s\n", num_show_things((int64_t)w->dirs.lines.n - SAFE_LINES, "more directory", "more directories", x));
	for (size_t i = 0; i < w->n_in; i++) {
		buf_adds(&rm, "--in ");
		typed &= cmd_add_typed(w->c, &rm, w->in[i]);
		buf_addc(&rm, ' ');
		buf_addc(&all, ' ');
		(void)cmd_add_typed(w->c, &all, w->in[i]);
	}
	(void)cmd_add_typed(w->c, &rm, w->dir);
	buf_addf(&name, "%s -v", w->c->cmd->name);
	typed &= cmd_safe_is_plain(w);
	if (files && typed)
		steps[n++] = (struct cmd_step){ buf_str(&name), buf_str(&all), "the files by name" };
	else if (files)
		buf_adds(b, "-v shows the files by name\n");
	buf_addf(&rescue, "%s --rescue TO", buf_str(&all));
	if (w->missing.n > 0 && typed && w->c->cmd == &cmd_safe)
		steps[n++] = (struct cmd_step){ w->c->cmd->name, buf_str(&rescue), "copy what is missing to TO" };
	/* Nothing in a backup is offered, and nothing for the sake of one. */
	if (w->backed)
		buf_adds(b, "copies in a declared backup count here; rm relies on them only with --backups-count\n");
	if (status != CMD_PARTLY && typed && w->copied > 0 && !w->in_dir && !w->backed && !cmd_safe_in_backup(w))
		steps[n++] = (struct cmd_step){ w->is_file ? "rm" : w->hidden ? "rm -r --include-hidden --prune-empty" : "rm -r --prune-empty",
		                                buf_str(&rm), "remove what has a copy; undo brings it back" };
	if (n > 0)
		buf_addc(b, '\n');
	cmd_add_steps(w->c, b, steps, n);
	buf_release(&all);
	buf_release(&rescue);
	buf_release(&rm);
	buf_release(&name);
}

/* Tell a person: the verdict, why, what is missing, and what to do. */
static int
cmd_safe_tell(struct cmd_safe *w, int status, struct err *err)
{
	const struct cmd_call *c = w->c;
	struct buf b = { 0 };
	int ret = 0;

	cmd_safe_add_verdict(&b, w, status);
	fputs(buf_str(&b), c->out);
	if (w->missing.n > 0)
		ret = cmd_safe_print_missing(w, err);
	buf_cut(&b, 0);
	cmd_safe_add_next(&b, w, status);
	fputs(buf_str(&b), c->out);
	buf_release(&b);
	return ret;
}

/* Check the operands, and resolve them. */
static int
cmd_safe_paths(struct cmd_safe *w, struct err *err)
{
	const struct cmd_call *c = w->c;
	const struct cmd_paths *paths = &c->target->paths;
	struct fs_stat st;

	if (c->cmd == &cmd_contained && (c->target->in.n == 0 ? c->n_operands != 2 : c->n_operands != 1))
		return err_set(err, ERR_USAGE, "contained needs two directories: is all of the first in the second?");
	if (c->n_operands == 0)
		return err_set(err, ERR_USAGE, "safe needs a directory: would something be lost with it?");
	w->dir = paths->v[0];
	w->in = c->target->in.n > 0 ? c->target->in.v : paths->v + 1;
	w->n_in = c->target->in.n > 0 ? c->target->in.n : paths->n - 1;
	/* The files of DIR are those of this index, their copies may be those of others. */
	if (cmd_paths_known(c, &(struct cmd_paths){ .v = paths->v, .n = 1 }, err) < 0)
		return -1;
	for (size_t i = 0; i < w->n_in; i++) {
		if (cmd_paths_known_with(c, w->in[i], err) < 0)
			return -1;
		if (strcmp(w->dir, w->in[i]) == 0)
			return err_set(err, ERR_USAGE, "'%s' and '%s' are one directory", c->operands[0],
			               c->n_operands > (int)i + 1 ? c->operands[i + 1] : w->in[i]);
		w->dir_in |= path_is_below(w->dir, w->in[i]);
		w->in_dir |= path_is_below(w->in[i], w->dir);
		if (w->in_dir && c->cmd == &cmd_safe)
			return err_set(err, ERR_USAGE, "'%s' lies in '%s', and would go with it", c->operands[i + 1], c->operands[0]);
	}
	if (c->cmd == &cmd_contained && cmd_archives_find(&w->archives, c, w->dir, w->in, w->n_in, err) < 0)
		return -1;
	w->is_there = fs_stat_path(w->dir, &st) == 0;
	w->is_file = w->is_there && S_ISREG(st.mode) && w->archives.dir.path == NULL;
	if (!w->in_dir)
		vec_push(&c->target->exclude, mem_str(w->dir));
	return 0;
}

/* Copy what is missing.  Returns an answer for cmd_exit_status, or -1. */
static int
cmd_safe_rescue(struct cmd_safe *w, struct err *err)
{
	const struct cmd_safe_args *a = w->c->args;
	struct cmd_rescue rescue = { .c = NULL };
	int status;

	w->rescue = &rescue;
	w->people = false;
	status = a->relative ? err_set(err, ERR_USAGE, "--relative is for lists of files, not for --rescue") :
	         cmd_rescue_open(&rescue, w->c, &a->rescue, w->dir, w->is_file, err) < 0 ? -1 : cmd_safe_ask(w, err);
	cmd_rescue_release(&rescue);
	return status;
}

static int
cmd_safe_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_safe_args *a = c->args;
	struct out_style style = cmd_style(c, OUT_PATHS);
	struct cmd_safe w = { .c = c, .people = c->tty && style.format == OUT_TEXT };
	struct buf cut = { 0 };
	int ret, status, archives;

	archives = cmd_archives_named(c, &a->in, err);
	if (archives < 0)
		return -1;
	if (a->in.n > 0 && !archives)
		return a->relative ? err_set(err, ERR_USAGE, "--relative is for directories, not for --in NAME:") : cmd_claimed(c, &a->in, err);
	if (a->elsewhere && a->rescue.to != NULL)
		return err_set(err, ERR_USAGE, "--elsewhere is for the question, not for --rescue");
	if (a->elsewhere && cmd_elsewhere_check(c, err) < 0)
		return -1;
	if (a->rescue.to == NULL && (a->rescue.dry_run || a->rescue.yes))
		return err_set(err, ERR_USAGE, "-n and --yes are for --rescue: without it nothing is done");
	if (cmd_safe_paths(&w, err) < 0) {
		cmd_archives_release(&w.archives);
		return -1;
	}
	if (a->rescue.to != NULL)
		return cmd_safe_rescue(&w, err);
	w.copies.asked = w.dir;
	missing_dirs_open(&w.dirs, w.is_file || w.archives.dir.path != NULL ? "/" : w.dir);
	if (a->relative) {
		buf_add(&cut, w.dir, w.is_file ? path_parent_len(w.dir) : strlen(w.dir));
		if (strcmp(buf_str(&cut), "/") != 0)
			buf_addc(&cut, '/');
		style.cut = w.cut = buf_str(&cut);
	}
	w.out = w.people ? NULL : out_open(c->out, &style);
	status = cmd_safe_ask(&w, err);
	if (status >= 0)
		cmd_archives_tell(&w.archives, c);
	missing_dirs_close(&w.dirs);
	copy_dirs_close(&w.copies);
	if (!w.people)
		ret = out_close(w.out, status < 0 ? -1 : 0, err);
	else
		ret = status < 0 ? -1 : cmd_safe_tell(&w, status, err);
	if (ret == 0 && a->elsewhere)
		ret = cmd_elsewhere_sum(&w.elsewhere, c, "the missing files", err);
	cmd_elsewhere_release(&w.elsewhere);
	buf_release(&cut);
	missing_dirs_release(&w.dirs);
	copy_dirs_release(&w.copies);
	vec_release(&w.away);
	vec_release(&w.names);
	arena_release(&w.paths);
	cmd_archives_release(&w.archives);
	return ret == 0 ? status : ret;
}

const struct cmd cmd_safe = {
	.name = "safe",
	.operands = "DIR [IN...]",
	.yes = "safe", .no = "not_safe",
	.summary = "tell whether something would be lost with a directory",
	.help = "Tells whether every file of DIR has its content elsewhere: outside of DIR, or with IN below\n"
	        "one of these.  Every file and its copy are looked at now.  A terminal shows the verdict,\n"
	        "SAFE TO DELETE, NOT SAFE or NOT SURE, then the reason, the directories of files that exist\n"
	        "nowhere else (-v: the files) and what to do; elsewhere the paths of these files are\n"
	        "printed.  Empty files, symbolic links and special files have no content to look for, and\n"
	        "would go with DIR.  Exit status 0: nothing would be lost; 1: the files listed would; 3: some\n"
	        "could not be judged.  --rescue copies these files, and those that could not be judged, to\n"
	        "TO, which is made if it is missing; nothing is replaced.  Its exit status is 0 if all are\n"
	        "there, 1 if a name there is taken by something else, 3 if some could not be copied.",
	.opts = cmd_safe_opts,
	.args_size = sizeof(struct cmd_safe_args),
	.flags = CMD_READS | CMD_ASKS | CMD_PROVES | CMD_LISTS | CMD_JOINS | CMD_NUMBERS | CMD_PATHS | CMD_TALKS,
	.run = cmd_safe_run,
};

const struct cmd cmd_contained = {
	.name = "contained",
	.operands = "A [B]",
	.yes = "contained", .no = "missing",
	.summary = "tell whether every file of one directory is also in another",
	.help = "The older name of safe A B.  Lists the files of A whose content is nowhere in B; 'safe A B\n"
	        "--rescue B/from-A' copies them there.  Empty files, symbolic links and special files have no\n"
	        "content to look for: they are only counted, and would be lost with A.  An archive that scan\n"
	        "--archives has opened is asked about by its members, or looked in.  If A lies in B,\n"
	        "copies in A do not count; if B lies in A, only files of A outside of B are looked for.  Exit\n"
	        "status 0: all are in B; 1: those listed are not; 3: some files, or parts of B, could not be\n"
	        "judged.  With --in NAME: in place of B, 7 stands for 0: the listing that was imported as NAME\n"
	        "says so with a digest for every file; by size and name alone, nothing is judged.",
	.opts = cmd_safe_contained_opts,
	.args_size = sizeof(struct cmd_safe_args),
	.flags = CMD_READS | CMD_ASKS | CMD_PROVES | CMD_LISTS | CMD_JOINS | CMD_NUMBERS | CMD_PATHS | CMD_IN_CLAIMS,
	.run = cmd_safe_run,
};
