/* SPDX-License-Identifier: MIT */
/* twindex mark - decide about files, without touching them; twindex marks - what was decided. */
#include <config.h>

#include <string.h>

#include "base/num.h"
#include "cmd/cmd.h"
#include "cmd/commands.h"
#include "db/db.h"
#include "index/decide.h"
#include "index/index.h"
#include "index/mark.h"
#include "index/marks.h"

/* Telling of files that are refused. */
struct mark_told {
	const struct cmd_call *c;
	const struct cmd_paths *paths;
	bool operand;                 /* one of them was given by itself */
};

/* decide_fn: tell of a file that was given by itself; of all with -v. */
static int
mark_refused(void *arg, const char *path, const char *why)
{
	struct mark_told *t = arg;
	bool operand = false;

	for (size_t i = 0; i < t->paths->n && !operand; i++)
		operand = strcmp(t->paths->v[i], path) == 0;
	if ((operand || t->c->globals->verbose > 0) && !t->c->globals->quiet)
		cmd_message(t->c, "'%s' is not marked: %s", path, why);
	t->operand |= operand;
	return 0;
}

/* Print what was done to how many files. */
static void
mark_say(const struct cmd_call *c, int64_t n, const char *done, int64_t already)
{
	char x[NUM_SHOW_MAX];

	if (c->globals->quiet)
		return;
	fprintf(c->out, "%s file%s %s", num_show_count(n, x), n == 1 ? "" : "s", done);
	if (already > 0)
		fprintf(c->out, ", %s already", num_show_count(already, x));
	fputc('\n', c->out);
}

/* mark drop, mark keep. */
static int
mark_decide(const struct cmd_call *c, struct cmd_paths *paths, enum mark_decision decision, struct err *err)
{
	struct mark_told told = { .c = c, .paths = paths };
	struct decide_totals t;
	char x[NUM_SHOW_MAX];

	/* Before pruning: a path that lies in another may be a slip of the pen, too. */
	if (cmd_paths_known(c, paths, err) < 0)
		return -1;
	cmd_paths_prune(paths, false);
	if (decide(c->ix, (const char *const *)paths->v, paths->n, decision, mark_refused, &told, &t, err) < 0)
		return -1;
	/* One file, and it has been told of: a plain no. */
	if (paths->n == 1 && told.operand)
		return CMD_NO;
	mark_say(c, t.n_marked, decision == MARK_DROP ? "marked drop" : "marked keep", t.n_already);
	if (t.n_refused == 0)
		return CMD_OK;
	if (!c->globals->quiet)
		cmd_message(c, "%s file%s refused%s", num_show_count(t.n_refused, x), t.n_refused == 1 ? "" : "s",
		            c->globals->verbose > 0 ? "" : ": -v tells each");
	return CMD_PARTLY;
}

static int
mark_clear_paths(const struct cmd_call *c, const struct cmd_paths *paths, struct err *err)
{
	int64_t batch, one, n = 0;
	int ret;

	if (db_begin(c->ix->db, err) < 0)
		return -1;
	ret = mark_begin(c->ix, &batch, err);
	for (size_t i = 0; ret == 0 && i < paths->n; i++) {
		ret = mark_clear(c->ix, batch, paths->v[i], &one, err);
		n += one;
	}
	if (db_end(c->ix->db, ret, err) < 0)
		return -1;
	mark_say(c, n, "cleared", 0);
	return CMD_OK;
}

static int
mark_undo_last(const struct cmd_call *c, struct err *err)
{
	int64_t n = 0;
	int ret;

	if (db_begin(c->ix->db, err) < 0)
		return -1;
	ret = mark_undo(c->ix, &n, err);
	if (db_end(c->ix->db, ret < 0 ? -1 : 0, err) < 0)
		return -1;
	if (ret == 0) {
		if (!c->globals->quiet)
			cmd_message(c, "there is nothing to undo");
		return CMD_NO;
	}
	mark_say(c, n, "as before", 0);
	return CMD_OK;
}

static int
mark_run(const struct cmd_call *c, struct err *err)
{
	const char *verb = c->n_operands > 0 ? c->operands[0] : "";
	const bool drop = strcmp(verb, "drop") == 0, keep = strcmp(verb, "keep") == 0, undo = strcmp(verb, "undo") == 0;
	struct cmd_paths paths = { 0 };
	int ret;

	if (!drop && !keep && !undo && strcmp(verb, "clear") != 0)
		return err_set(err, ERR_USAGE, "mark needs one of drop, keep, clear and undo%s%s%s", *verb != '\0' ? ", not '" : "",
		               verb, *verb != '\0' ? "'" : "");
	if (undo && c->n_operands > 1)
		return err_set(err, ERR_USAGE, "mark undo takes no path: '%s'", c->operands[1]);
	if (undo)
		return mark_undo_last(c, err);
	if (c->n_operands < 2)
		return err_set(err, ERR_USAGE, "mark %s needs a path", verb);
	ret = cmd_resolve(c, c->operands + 1, (size_t)c->n_operands - 1, &paths, err);
	if (ret == 0)
		ret = drop || keep ? mark_decide(c, &paths, drop ? MARK_DROP : MARK_KEEP, err) : mark_clear_paths(c, &paths, err);
	cmd_paths_release(&paths);
	return ret;
}

struct marks_args {
	bool drop, keep;
};

static const struct opt marks_opts[] = {
	OPT_FLAG_(0, "drop", struct marks_args, drop, "only what is to be dropped"),
	OPT_FLAG_(0, "keep", struct marks_args, keep, "only what is to be kept"),
	OPT_END
};

/* marks_fn: print one. */
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

	if (cmd_resolve(c, c->operands, (size_t)c->n_operands, &paths, err) < 0 ||
	    cmd_resolve_excluded(c, &exclude, err) < 0 ||
	    (paths.n == 0 && cmd_resolve(c, &(char *){ (char *)"/" }, 1, &paths, err) < 0))
		goto out;
	cmd_paths_prune(&paths, false);
	{
		const struct marks_query q = {
			.paths = (const char *const *)paths.v, .n_paths = paths.n,
			.exclude = (const char *const *)exclude.v, .n_exclude = exclude.n,
			.only = a->drop == a->keep ? MARK_NONE : a->drop ? MARK_DROP : MARK_KEEP,
		};

		o = out_open(c->out, &style);
		ret = marks_each(c->ix, &q, marks_print, o, &totals, err);
		if (ret == 0)
			ret = out_mark_totals(o, &totals);
		ret = out_close(o, ret, err);
	}
out:
	cmd_paths_release(&paths);
	cmd_paths_release(&exclude);
	return ret;
}

const struct cmd cmd_mark = {
	.name = "mark",
	.operands = "drop|keep|clear PATH...|undo",
	.summary = "decide which files to drop and which to keep; nothing is touched",
	.help = "PATH is a file of the index, or a directory: all its files.  The last copy that is\n"
	        "there cannot be marked drop, nor a file that is not proven to have one.  clear\n"
	        "removes marks; undo takes the last mark command back, and again the one before.\n"
	        "Exit status 1: the file given, or undo, was refused; 3: some files were refused.",
	.flags = CMD_WRITES,
	.run = mark_run,
};

const struct cmd cmd_marks = {
	.name = "marks",
	.operands = "[PATH...]",
	.summary = "list what was marked, and what dropping it would free",
	.help = "Without PATH, all of it.  A mark is without effect while its path has another content\n"
	        "(stale), cannot be looked at (offline), or is the last copy to be left (last).  The\n"
	        "formats fdupes and null list only marks in effect.",
	.opts = marks_opts,
	.args_size = sizeof(struct marks_args),
	.flags = CMD_READS | CMD_LISTS,
	.run = marks_run,
};
