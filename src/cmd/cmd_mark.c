/* SPDX-License-Identifier: MIT */
/* twindex mark - decide about files, without touching them; twindex marks - what was decided. */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_keep.h"
#include "cmd/cmd_newcomers.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "db/db.h"
#include "index/dirs.h"
#include "query/mark_apply.h"
#include "index/index.h"
#include "index/mark.h"
#include "query/find.h"
#include "query/list.h"
#include "query/mark_list.h"
#include "ui/doc.h"

struct cmd_mark_args {
	bool force, others;
	const char *files0_from;
};

static const struct opt cmd_mark_opts[] = {
	OPT_FLAG_('f', "force", struct cmd_mark_args, force, "drop even files that are marked keep"),
	OPT_FLAG_(0, "others", struct cmd_mark_args, others, "with keep: drop all copies that lie elsewhere"),
	OPT_STRING_(0, "files0-from", struct cmd_mark_args, files0_from, "FILE", "also the paths in FILE (- is standard input), each ended by NUL"),
	OPT_END
};

/* Paths that undo and redo name without -v. */
#define MARK_NAMED 10

/* Reports on single files.  Lines for stdout are printed after the commit. */
struct cmd_mark_told {
	const struct cmd_call *c;
	struct pathset given;         /* the paths of the target */
	bool refused;                 /* a file that was given by itself was refused */
	int64_t n_refused;            /* refusals that were told one by one */
	struct buf lines;
	int64_t n_lines, n;           /* lines, and files that changed */
	struct doc *d;                /* its list of files is open; or NULL */
};

/* Add a file to the document: the mark that it has now, or why it did not get one. */
static void
cmd_mark_doc(struct cmd_mark_told *t, const char *path, enum mark_decision to, const char *stays, const char *why)
{
	doc_object(t->d, NULL);
	doc_path(t->d, "path", path);
	doc_text(t->d, "mark", why != NULL ? "refused" : to == MARK_NONE ? "none" : mark_name(to));
	doc_path(t->d, "stays", stays);
	doc_text(t->d, "why", why);
	doc_object_end(t->d);
}

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

	if (t->d != NULL)
		cmd_mark_doc(t, path, MARK_NONE, NULL, why);
	if (operand || t->c->globals->verbose > 0) {
		t->n_refused++;
		if (!t->c->globals->quiet)
			cmd_message(t->c, "'%s' is not marked: %s", path, why);
	}
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

	if (t->d != NULL) {
		cmd_mark_doc(t, m->path, m->decision, m->stays, NULL);
		return 0;
	}
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
	if (t->d != NULL) {
		cmd_mark_doc(t, path, to, NULL, NULL);
		return 0;
	}
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

	return t->d != NULL || t->c->globals->verbose > 0 || cmd_mark_is_operand(t, m->path) ? cmd_mark_changed(t, m->path, m->decision, MARK_NONE) : 0;
}

/* Name the directory that was given: a listing number does not show that it means many files. */
static void
cmd_mark_say_dir(const struct cmd_mark_told *t)
{
	const struct cmd_paths *paths = &t->c->target->paths;
	struct buf b = { 0 };
	struct err ignored = { 0 };
	char x[NUM_SHOW_MAX];
	int64_t dir;
	size_t i = 0;

	while (i < paths->n && dirs_find(t->c->ix->db, paths->v[i], &dir, &ignored) != 1)
		i++;
	if (t->c->tty && i < paths->n) {
		cmd_add_path(t->c, &b, paths->v[i]);
		fprintf(t->c->out, " in %s%s", buf_str(&b), paths->v[i][1] != '\0' ? "/" : "");
		if (paths->n > 1)
			fprintf(t->c->out, " and %s", num_show_things((int64_t)paths->n - 1, "other path", "other paths", x));
	}
	buf_release(&b);
}

/* Print what was told, and in sum what was done to how many files, unless one line says it all. */
static void
cmd_mark_say(struct cmd_mark_told *t, int64_t n, const char *done, int64_t already)
{
	const struct cmd_call *c = t->c;
	char x[NUM_SHOW_MAX];

	if (c->globals->quiet || t->d != NULL)
		return;
	fwrite(buf_str(&t->lines), 1, t->lines.len, c->out);
	if (t->n_lines == 1 && n + already == 1)
		return;
	fprintf(c->out, "%s file%s %s", num_show_count(n, x), n == 1 ? "" : "s", done);
	cmd_mark_say_dir(t);
	if (already > 0)
		fprintf(c->out, ", %s already", num_show_count(already, x));
	if (t->n > t->n_lines)
		fprintf(c->out, ": -v lists them");
	fputc('\n', c->out);
}

/* Files to be kept, and copies of theirs to be dropped. */
struct cmd_mark_others {
	const struct mark_apply_query *q;
	struct arena memory;
	VEC(struct choose_item) items;
};

static void
cmd_mark_add_item(struct cmd_mark_others *o, const char *path, enum mark_decision decision, const struct file_answer *a,
                  struct fs_time mtime)
{
	const uint8_t *hash = a->hash != NULL ? (const uint8_t *)arena_dup(&o->memory, a->hash, HASH_SIZE) : NULL;

	vec_push(&o->items, ((struct choose_item){ arena_str(&o->memory, path), decision, a->size, mtime, hash }));
}

/* list_fn: keep a file, drop its copies elsewhere. */
static int
cmd_mark_other(void *arg, const struct file_answer *a)
{
	struct cmd_mark_others *o = arg;

	cmd_mark_add_item(o, a->path, MARK_KEEP, a, a->mtime);
	/* If the file itself has changed, its copies are the last ones. */
	for (size_t i = 0; i < a->n_members && a->state == STATE_DUP && a->why == NULL && a->hash != NULL; i++) {
		const struct member *m = &a->members[i];

		if (m->kind == MEMBER_COPY && !path_is_below_any(m->path, o->q->paths, o->q->n_paths))
			cmd_mark_add_item(o, m->path, MARK_DROP, a, m->mtime);
	}
	return 0;
}

/* mark keep --others, as one batch. */
static int
cmd_mark_others(const struct cmd_call *c, const struct mark_apply_query *q, struct mark_apply_totals *t, struct err *err)
{
	const struct list_query list = { .copies = { .members = true } };
	struct mark_apply_query items = *q;
	struct cmd_mark_others o = { .q = q };
	struct list_totals states;
	int ret;

	memset(&states, 0, sizeof(states));
	ret = list_each(c->ix, q->paths, q->n_paths, &list, cmd_mark_other, &o, &states, err);
	items.paths = NULL;
	items.n_paths = 0;
	/* Report a few files one by one, a directory as a sum. */
	items.all |= o.items.n <= MARK_NAMED;
	if (ret == 0)
		ret = mark_apply_items(c->ix, &items, o.items.v, o.items.n, t, err);
	vec_release(&o.items);
	arena_release(&o.memory);
	return ret;
}

/* mark drop, mark keep. */
static int
cmd_mark_decide(struct cmd_mark_told *told, const struct cmd_keep *keep, enum mark_decision decision, struct err *err)
{
	const struct cmd_call *c = told->c;
	struct cmd_paths *paths = &c->target->paths;
	const struct cmd_mark_args *a = c->args;
	struct mark_apply_query q = {
		.decision = decision, .keep = &keep->keep, .refused = cmd_mark_refused, .marked = cmd_mark_marked,
		.all = c->globals->verbose > 0 || told->d != NULL, .force = a->force, .arg = told,
	};
	struct mark_apply_totals t;
	char x[NUM_SHOW_MAX];

	/* Before pruning: a mistyped path that lies in another one must be refused, too. */
	if (cmd_paths_known(c, paths, err) < 0)
		return -1;
	cmd_paths_prune(paths, false);
	if (cmd_keep_restrict(keep, paths, err) < 0)
		return -1;
	cmd_paths_set(paths, &told->given);
	q.paths = paths->v;
	q.n_paths = paths->n;
	if ((a->others ? cmd_mark_others(c, &q, &t, err) : mark_apply(c->ix, &q, &t, err)) < 0)
		return -1;
	c->verdict->gaps = t.gaps;
	/* One file, whose refusal has been told: no summary, and status 1. */
	if (paths->n == 1 && told->refused && gaps_matter(&t.gaps) == 0)
		return CMD_NO;
	cmd_mark_say(told, t.n_marked, a->others ? "marked" : decision == MARK_DROP ? "marked drop" : "marked keep", t.n_already);
	if (t.n_must > 0 && !c->globals->quiet)
		cmd_message(c, "%s that must stay marked keep", num_show_things(t.n_must, "copy", "copies", x));
	if (t.n_refused == 0)
		return CMD_OK;
	if (!c->globals->quiet && (t.n_refused > 1 || told->n_refused == 0))
		cmd_message(c, "%s file%s refused%s", num_show_count(t.n_refused, x), t.n_refused == 1 ? "" : "s",
		            told->n_refused == t.n_refused ? "" : ": -v lists them");
	c->verdict->undone = true;
	return CMD_OK;
}

/* mark_fn: stop at the first mark. */
static int
cmd_mark_stop(void *arg, const struct mark *m)
{
	(void)arg;
	(void)m;
	return 1;
}

/* Check that a path is there, or in the index, or has marks at or below it, which outlive both. */
static int
cmd_mark_path_there(const struct cmd_call *c, const char *path, struct err *err)
{
	const int marked = mark_each(c->ix, path, cmd_mark_stop, NULL, err);

	return marked < 0 || (marked == 0 && cmd_paths_there(c, path, err) < 0) ? -1 : 0;
}

/* Check all of them. */
static int
cmd_mark_paths_there(const struct cmd_call *c, const struct cmd_paths *paths, struct err *err)
{
	for (size_t i = 0; i < paths->n; i++) {
		if (cmd_mark_path_there(c, paths->v[i], err) < 0)
			return -1;
	}
	return 0;
}

static int
cmd_mark_clear_paths(struct cmd_mark_told *told, struct err *err)
{
	const struct cmd_paths *paths = &told->c->target->paths;
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
	ret = mark_step(ix, undo, cmd_mark_changed, told, err);
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

/* find_fn: note a file. */
static int
cmd_mark_found(void *arg, const struct found_answer *f)
{
	vec_push((struct cmd_paths *)arg, mem_str(f->path));
	return 0;
}

/* Append the paths that an operand means: itself, or if it is not there what it matches here. */
static int
cmd_mark_add_operand(const struct cmd_call *c, char *typed, struct cmd_paths *paths, struct err *err)
{
	const size_t n = paths->n;
	struct cmd_paths here = { 0 };
	struct find_query q = { .name = typed, .no_dirs = true, .n_dirs = 1 };
	struct err ignored = { 0 };
	int ret = cmd_paths_add(c, &(const char *){ typed }, 1, paths, err);

	if (ret < 0 || !glob_is_pattern(typed) || cmd_mark_path_there(c, paths->v[n], &ignored) == 0)
		return ret;
	free((void *)(uintptr_t)paths->v[--paths->n]);
	ret = cmd_paths_add(c, &(const char *){ "." }, 1, &here, err);
	q.dirs = here.v;
	if (ret == 0)
		ret = find_each(c->ix, &q, cmd_mark_found, paths, err);
	if (ret == 0 && paths->n == n)
		ret = err_set(err, ERR_NO_PATH, "'%s' does not exist, and matches no file of the index below '%s'", typed, here.v[0]);
	cmd_paths_release(&here);
	return ret;
}

static int
cmd_mark_run(const struct cmd_call *c, struct err *err)
{
	const char *verb = c->n_operands > 0 ? c->operands[0] : "";
	const struct cmd_mark_args *a = c->args;
	const bool drop = strcmp(verb, "drop") == 0, keep = strcmp(verb, "keep") == 0, undo = strcmp(verb, "undo") == 0,
	           step = undo || strcmp(verb, "redo") == 0;
	struct cmd_paths *paths = &c->target->paths;
	struct cmd_mark_told told = { .c = c };
	struct cmd_keep stay = { .keep = { .copies = 0 } };
	int ret = 0;

	if (!drop && !keep && !step && strcmp(verb, "clear") != 0)
		return err_set(err, ERR_USAGE, "mark needs one of drop, keep, clear, undo and redo%s%s%s", *verb != '\0' ? ", not '" : "",
		               verb, *verb != '\0' ? "'" : "");
	if (step && c->n_operands > 1)
		return err_set(err, ERR_USAGE, "mark %s takes no path: '%s'", verb, c->operands[1]);
	if (!step && c->n_operands < 2 && a->files0_from == NULL)
		return err_set(err, ERR_USAGE, "mark %s needs a path", verb);
	if ((step && a->files0_from != NULL) || (a->others && !keep) || (a->force && !drop && !a->others))
		return err_set(err, ERR_USAGE, "option '--%s' is not for mark %s", a->others && !keep ? "others" :
		               a->force && !drop ? "force" : "files0-from", verb);
	if (!drop && c->choice->typed)
		return err_set(err, ERR_USAGE, "options that say which copies stay are for mark drop, not for mark %s", verb);
	for (int i = 1; ret == 0 && i < c->n_operands; i++)
		ret = cmd_mark_add_operand(c, c->operands[i], paths, err);
	if (ret == 0 && a->files0_from != NULL)
		ret = cmd_paths_read(c, a->files0_from, '\0', paths, err);
	if (ret == 0)
		ret = cmd_keep_open(&stay, c, c->ix, err);
	told.d = ret == 0 ? cmd_doc(c) : NULL;
	if (told.d != NULL)
		doc_list(told.d, "files");
	if (ret == 0 && step)
		ret = cmd_mark_step(&told, undo, err);
	else if (ret == 0)
		ret = drop || keep ? cmd_mark_decide(&told, &stay, drop ? MARK_DROP : MARK_KEEP, err) : cmd_mark_clear_paths(&told, err);
	if (told.d != NULL) {
		const int status = ret;

		doc_list_end(told.d);
		ret = doc_close(told.d, ret, err) < 0 ? -1 : status;
	}
	pathset_release(&told.given);
	cmd_keep_release(&stay);
	buf_release(&told.lines);
	return ret;
}

struct marks_args {
	bool all, drop, keep;
};

static const struct opt marks_opts[] = {
	OPT_FLAG_('a', "all", struct marks_args, all, "the whole index, also in the shell, where no PATH means its directory"),
	OPT_FLAG_(0, "drop", struct marks_args, drop, "only files marked drop"),
	OPT_FLAG_(0, "keep", struct marks_args, keep, "only files marked keep"),
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
	struct cmd_target *t = c->target;
	struct mark_totals totals;
	struct out *o;
	int ret = -1;

	if (t->paths.n == 0)
		vec_push(&t->paths, mem_str("/"));
	if (cmd_mark_paths_there(c, &t->paths, err) < 0 || cmd_paths_asked(c, &t->paths, &t->exclude, err) < 0)
		return -1;
	cmd_paths_prune(&t->paths, false);
	{
		const struct mark_list_query q = {
			.paths = t->paths.v, .n_paths = t->paths.n, .exclude = t->exclude.v, .n_exclude = t->exclude.n,
			.only = a->drop == a->keep ? MARK_NONE : a->drop ? MARK_DROP : MARK_KEEP,
		};

		o = out_open(c->out, &style);
		ret = mark_list_each(c->ix, &q, marks_print, o, &totals, err);
		if (ret == 0)
			ret = out_mark_totals(o, &totals);
		ret = out_close(o, ret, err);
		if (ret == 0 && q.only != MARK_DROP && !c->globals->quiet)
			ret = cmd_newcomers(c, c->ix, err);
		if (ret == 0 && totals.n_drop + totals.n_keep + totals.n_stale + totals.n_offline + totals.n_last == 0)
			cmd_paths_hint_all(c);
	}
	return ret;
}

const struct cmd cmd_mark = {
	.name = "mark",
	.operands = "drop|keep|clear PATH...|undo|redo",
	.summary = "mark files to drop or to keep; nothing is removed",
	.help = "PATH is a file of the index, or a directory: all files in it.  The last copy cannot be\n"
	        "marked drop, nor can a file that is not proven to have a copy.  clear removes marks; undo\n"
	        "takes the last mark command back, and again the one before; redo repeats what was taken back\n"
	        "last.  Files named one by one are reported, each with a copy that stays; -v reports all.\n"
	        "drop leaves files alone that are marked keep.  A PATH with *, ? or [ that does not exist is\n"
	        "a pattern, as for 'where', of files below the directory.  Exit status 1: the file given, or\n"
	        "undo, was refused; 3: some files were refused.",
	.words = "drop keep clear undo redo",
	.opts = cmd_mark_opts,
	.args_size = sizeof(struct cmd_mark_args),
	.no = "refused",
	.flags = CMD_WRITES | CMD_CHOOSES | CMD_NUMBERS | CMD_LETS_GO | CMD_TELLS,
	.run = cmd_mark_run,
};

const struct cmd cmd_marks = {
	.name = "marks",
	.operands = "[PATH...]",
	.summary = "list marked files, and the bytes that dropping them would free",
	.help = "Without PATH, all marks (in the shell, below its directory).  A mark has no effect while its\n"
	        "file has another content (stale), cannot be looked at (offline), or is the last copy left\n"
	        "(last).  The formats fdupes and null list only marks in effect.",
	.opts = marks_opts,
	.args_size = sizeof(struct marks_args),
	.flags = CMD_READS | CMD_LISTS | CMD_PATHS | CMD_HERE,
	.run = marks_run,
};
