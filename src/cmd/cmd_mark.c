/* SPDX-License-Identifier: MIT */
/* twindex mark - decide about files, without touching them; twindex marks - what was decided. */
#include <config.h>

#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/pathset.h"
#include "cmd/cmd.h"
#include "cmd/cmd_keep.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "db/db.h"
#include "query/mark_apply.h"
#include "index/index.h"
#include "index/mark.h"
#include "query/mark_list.h"

/* Paths that undo and redo name without -v. */
#define MARK_NAMED 10

/* What the callbacks tell of single files.  Lines for stdout are printed after the commit. */
struct cmd_mark_told {
	const struct cmd_call *c;
	struct pathset given;         /* the paths */
	bool refused;                 /* a file that was given by itself was refused */
	struct buf lines;
	int64_t n_lines, n;           /* lines, and files that changed */
};

/* Whether a path was given by itself. */
static bool
cmd_mark_is_operand(const struct cmd_mark_told *t, const char *path)
{
	size_t number;

	return pathset_find(&t->given, path, strlen(path), &number);
}

/* mark_apply_fn: tell of a file that was given by itself; of all with -v. */
static int
cmd_mark_refused(void *arg, const char *path, const char *why)
{
	struct cmd_mark_told *t = arg;
	const bool operand = cmd_mark_is_operand(t, path);

	if ((operand || t->c->globals->verbose > 0) && !t->c->globals->quiet)
		cmd_message(t->c, "'%s' is not marked: %s", path, why);
	t->refused |= operand;
	return 0;
}

/* Add a line of a path: the mark that it has now, and had before. */
static void
cmd_mark_add_line(struct cmd_mark_told *t, const char *path, enum mark_decision from, enum mark_decision to)
{
	if (to == MARK_NONE)
		buf_adds(&t->lines, "unmarked: ");
	else
		buf_addf(&t->lines, "marked %s: ", mark_name(to));
	cmd_add_path(t->c, &t->lines, path);
	if (from != to && from != MARK_NONE)
		buf_addf(&t->lines, " (was %s)", mark_name(from));
	t->n_lines++;
}

/* mark_apply_marked_fn */
static int
cmd_mark_marked(void *arg, const struct mark_apply_marked *m)
{
	struct cmd_mark_told *t = arg;
	char x[NUM_SHOW_MAX];

	cmd_mark_add_line(t, m->path, m->decision, m->decision);
	if (m->already)
		buf_adds(&t->lines, " (already)");
	if (m->stays != NULL) {
		buf_adds(&t->lines, m->n_stay > 1 ? "\n       stay: " : "\n      stays: ");
		cmd_add_path(t->c, &t->lines, m->stays);
	}
	if (m->n_stay > 1)
		buf_addf(&t->lines, " and %s", num_show_things(m->n_stay - 1, "other copy", "other copies", x));
	buf_addc(&t->lines, '\n');
	return 0;
}

/* mark_change_fn: tell of the first; of all with -v. */
static int
cmd_mark_changed(void *arg, const char *path, enum mark_decision from, enum mark_decision to)
{
	struct cmd_mark_told *t = arg;

	t->n++;
	if (t->n > MARK_NAMED && t->c->globals->verbose == 0)
		return 0;
	cmd_mark_add_line(t, path, from, to);
	buf_addc(&t->lines, '\n');
	return 0;
}

/* mark_fn: tell of a mark that goes, if its path was given by itself; of all with -v. */
static int
cmd_mark_goes(void *arg, const struct mark *m)
{
	struct cmd_mark_told *t = arg;

	return t->c->globals->verbose > 0 || cmd_mark_is_operand(t, m->path) ? cmd_mark_changed(t, m->path, m->decision, MARK_NONE) : 0;
}

/* Print what was told, and in sum what was done to how many files, unless one line says it all. */
static void
cmd_mark_say(struct cmd_mark_told *t, int64_t n, const char *done, int64_t already)
{
	const struct cmd_call *c = t->c;
	char x[NUM_SHOW_MAX];

	if (c->globals->quiet)
		return;
	fwrite(buf_str(&t->lines), 1, t->lines.len, c->out);
	if (t->n_lines == 1 && n + already == 1)
		return;
	fprintf(c->out, "%s file%s %s", num_show_count(n, x), n == 1 ? "" : "s", done);
	if (already > 0)
		fprintf(c->out, ", %s already", num_show_count(already, x));
	if (t->n > t->n_lines)
		fprintf(c->out, ": -v tells each");
	fputc('\n', c->out);
}

/* mark drop, mark keep. */
static int
cmd_mark_decide(struct cmd_mark_told *told, struct cmd_paths *paths, const struct cmd_keep *keep, enum mark_decision decision,
                struct err *err)
{
	const struct cmd_call *c = told->c;
	struct mark_apply_query q = {
		.decision = decision, .keep = &keep->keep, .refused = cmd_mark_refused, .marked = cmd_mark_marked,
		.all = c->globals->verbose > 0, .arg = told,
	};
	struct mark_apply_totals t;
	char x[NUM_SHOW_MAX];
	int gaps;

	/* Before pruning: a mistyped path that lies in another one must be refused, too. */
	if (cmd_paths_known(c, paths, err) < 0)
		return -1;
	cmd_paths_prune(paths, false);
	if (cmd_keep_restrict(keep, paths, err) < 0)
		return -1;
	cmd_paths_set(paths, &told->given);
	q.paths = (const char *const *)paths->v;
	q.n_paths = paths->n;
	if (mark_apply(c->ix, &q, &t, err) < 0)
		return -1;
	gaps = cmd_gaps(c, &t.gaps);
	/* One file, whose refusal has been told: no summary, and status 1. */
	if (paths->n == 1 && told->refused && gaps == CMD_OK)
		return CMD_NO;
	cmd_mark_say(told, t.n_marked, decision == MARK_DROP ? "marked drop" : "marked keep", t.n_already);
	if (t.n_refused == 0)
		return CMD_OK;
	if (!c->globals->quiet)
		cmd_message(c, "%s file%s refused%s", num_show_count(t.n_refused, x), t.n_refused == 1 ? "" : "s",
		            c->globals->verbose > 0 ? "" : ": -v tells each");
	return CMD_PARTLY;
}

/* mark_fn: stop at the first mark. */
static int
cmd_mark_stop(void *arg, const struct mark *m)
{
	(void)arg;
	(void)m;
	return 1;
}

/* Check that the paths are there, or in the index, or have marks, which outlive both. */
static int
cmd_mark_paths_there(const struct cmd_call *c, const struct cmd_paths *paths, struct err *err)
{
	for (size_t i = 0; i < paths->n; i++) {
		const int marked = mark_each(c->ix, paths->v[i], cmd_mark_stop, NULL, err);

		if (marked < 0 || (marked == 0 && cmd_paths_there(c, paths->v[i], err) < 0))
			return -1;
	}
	return 0;
}

static int
cmd_mark_clear_paths(struct cmd_mark_told *told, const struct cmd_paths *paths, struct err *err)
{
	struct index *ix = told->c->ix;
	int64_t batch, one, n = 0;
	int ret;

	if (cmd_mark_paths_there(told->c, paths, err) < 0 || db_begin(ix->db, err) < 0)
		return -1;
	cmd_paths_set(paths, &told->given);
	ret = mark_begin(ix, &batch, err);
	for (size_t i = 0; ret == 0 && i < paths->n; i++) {
		ret = mark_each(ix, paths->v[i], cmd_mark_goes, told, err);
		if (ret == 0)
			ret = mark_clear(ix, batch, paths->v[i], &one, err);
		if (ret < 0)
			break;
		n += one;
		if (one == 0) {
			buf_adds(&told->lines, "not marked: ");
			cmd_add_path(told->c, &told->lines, paths->v[i]);
			buf_addc(&told->lines, '\n');
		}
	}
	if (db_end(ix->db, ret, err) < 0)
		return -1;
	cmd_mark_say(told, n, "cleared", 0);
	return CMD_OK;
}

/* mark undo, mark redo. */
static int
cmd_mark_step(struct cmd_mark_told *told, bool undo, struct err *err)
{
	struct index *ix = told->c->ix;
	int ret;

	if (db_begin(ix->db, err) < 0)
		return -1;
	ret = undo ? mark_undo(ix, cmd_mark_changed, told, err) : mark_redo(ix, cmd_mark_changed, told, err);
	if (db_end(ix->db, ret < 0 ? -1 : 0, err) < 0)
		return -1;
	if (ret == 0) {
		if (!told->c->globals->quiet)
			cmd_message(told->c, "there is nothing to %s", undo ? "undo" : "redo");
		return CMD_NO;
	}
	cmd_mark_say(told, told->n, undo ? "as before" : "as before the undo", 0);
	return CMD_OK;
}

static int
cmd_mark_run(const struct cmd_call *c, struct err *err)
{
	const char *verb = c->n_operands > 0 ? c->operands[0] : "";
	const bool drop = strcmp(verb, "drop") == 0, keep = strcmp(verb, "keep") == 0, undo = strcmp(verb, "undo") == 0,
	           step = undo || strcmp(verb, "redo") == 0;
	struct cmd_paths paths = { 0 };
	struct cmd_mark_told told = { .c = c };
	struct cmd_keep stay = { .keep = { .copies = 0 } };
	int ret;

	if (!drop && !keep && !step && strcmp(verb, "clear") != 0)
		return err_set(err, ERR_USAGE, "mark needs one of drop, keep, clear, undo and redo%s%s%s", *verb != '\0' ? ", not '" : "",
		               verb, *verb != '\0' ? "'" : "");
	if (step && c->n_operands > 1)
		return err_set(err, ERR_USAGE, "mark %s takes no path: '%s'", verb, c->operands[1]);
	if (!step && c->n_operands < 2)
		return err_set(err, ERR_USAGE, "mark %s needs a path", verb);
	if (!drop && cmd_keep_given(c->choice))
		return err_set(err, ERR_USAGE, "options that say which copies stay are for mark drop, not for mark %s", verb);
	ret = cmd_paths_add(c, c->operands + 1, (size_t)c->n_operands - 1, &paths, err);
	if (ret == 0)
		ret = cmd_keep_open(&stay, c, c->ix, err);
	if (ret == 0 && step)
		ret = cmd_mark_step(&told, undo, err);
	else if (ret == 0)
		ret = drop || keep ? cmd_mark_decide(&told, &paths, &stay, drop ? MARK_DROP : MARK_KEEP, err) : cmd_mark_clear_paths(&told, &paths, err);
	pathset_release(&told.given);
	cmd_keep_release(&stay);
	cmd_paths_release(&paths);
	buf_release(&told.lines);
	return ret;
}

struct marks_args {
	bool all, drop, keep;
};

static const struct opt marks_opts[] = {
	OPT_FLAG_('a', "all", struct marks_args, all, "the whole index, also in the shell, where no PATH means its directory"),
	OPT_FLAG_(0, "drop", struct marks_args, drop, "only what is to be dropped"),
	OPT_FLAG_(0, "keep", struct marks_args, keep, "only what is to be kept"),
	OPT_END
};

/* mark_list_fn: print one. */
static int
marks_print(void *arg, const struct mark_answer *m)
{
	return out_mark(arg, m);
}

static int
marks_run(const struct cmd_call *c, struct err *err)
{
	const struct marks_args *a = c->args;
	const struct out_style style = cmd_style(c, OUT_MARKS);
	struct cmd_paths paths = { 0 }, exclude = { 0 };
	struct mark_totals totals;
	struct out *o;
	int ret = -1;

	if (cmd_paths_add(c, c->operands, (size_t)c->n_operands, &paths, err) < 0 ||
	    cmd_paths_here(c, a->all, &paths, err) < 0 || cmd_paths_excluded(c, &exclude, err) < 0 ||
	    (paths.n == 0 && cmd_paths_add(c, &(char *){ (char *)"/" }, 1, &paths, err) < 0) ||
	    cmd_mark_paths_there(c, &paths, err) < 0)
		goto out;
	cmd_paths_prune(&paths, false);
	{
		const struct mark_list_query q = {
			.paths = (const char *const *)paths.v, .n_paths = paths.n,
			.exclude = (const char *const *)exclude.v, .n_exclude = exclude.n,
			.only = a->drop == a->keep ? MARK_NONE : a->drop ? MARK_DROP : MARK_KEEP,
		};

		o = out_open(c->out, &style);
		ret = mark_list_each(c->ix, &q, marks_print, o, &totals, err);
		if (ret == 0)
			ret = out_mark_totals(o, &totals);
		ret = out_close(o, ret, err);
		if (ret == 0 && totals.n_drop + totals.n_keep + totals.n_stale + totals.n_offline + totals.n_last == 0)
			cmd_paths_hint_all(c, &paths);
	}
out:
	cmd_paths_release(&paths);
	cmd_paths_release(&exclude);
	return ret;
}

const struct cmd cmd_mark = {
	.name = "mark",
	.operands = "drop|keep|clear PATH...|undo|redo",
	.summary = "decide which files to drop and which to keep; nothing is touched",
	.help = "PATH is a file of the index, or a directory: all its files.  The last copy that is\n"
	        "there cannot be marked drop, nor a file that is not proven to have one.  clear\n"
	        "removes marks; undo takes the last mark command back, and again the one before; redo\n"
	        "does again what was taken back last.  Files given by themselves are told of, with a\n"
	        "copy that stays; all with -v.\n"
	        "Exit status 1: the file given, or undo, was refused; 3: some files were refused.",
	.words = "drop keep clear undo redo",
	.flags = CMD_WRITES | CMD_CHOOSES,
	.run = cmd_mark_run,
};

const struct cmd cmd_marks = {
	.name = "marks",
	.operands = "[PATH...]",
	.summary = "list what was marked, and what dropping it would free",
	.help = "Without PATH, all of it (in the shell, below its directory).  A mark is without effect\n"
	        "while its path has another content (stale), cannot be looked at (offline), or is the last\n"
	        "copy to be left (last).  The formats fdupes and null list only marks in effect.",
	.opts = marks_opts,
	.args_size = sizeof(struct marks_args),
	.flags = CMD_READS | CMD_LISTS,
	.run = marks_run,
};
