/* SPDX-License-Identifier: MIT */
/*
 * twindex moves - which renames bring an older mirror to the layout of the newer tree?
 *
 * trees/moves plans them, ui/script writes them for a shell.  Nothing is renamed here.
 */
#include "base/base.h"

#include <time.h>

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "trees/moves.h"
#include "trees/pairs.h"
#include "trees/tree_files.h"
#include "ui/doc.h"
#include "ui/script.h"

struct cmd_moves_args {
	bool script, copy, null;
};

static const struct opt cmd_moves_opts[] = {
	OPT_FLAG_(0, "script", struct cmd_moves_args, script, "print the renames as a shell script, to read first"),
	OPT_FLAG_(0, "copy", struct cmd_moves_args, copy, "list only what is to be copied, relative to A, as rsync --files-from takes it"),
	OPT_FLAG_('0', "null", struct cmd_moves_args, null, "with --copy: a NUL byte behind each path"),
	OPT_END
};

/* Append a path below A or B, as a listing shows it. */
static void
cmd_moves_add(const struct cmd_call *c, struct buf *b, const char *path)
{
	if (c->tty)
		name_show(b, path, strlen(path));
	else
		buf_adds(b, path);
}

/* What the renames come to, in words. */
static void
cmd_moves_sums(const struct moves *m, struct buf *b)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	buf_addf(b, "%s to rename, %s", num_show_things(m->renamed, "file", "files", x), num_show_size(m->renamed_bytes, NUM_IEC, y));
	if (m->aside > 0)
		buf_addf(b, "; %s in the way, to be set aside", num_show_things(m->aside, "thing", "things", x));
}

static void
cmd_moves_script(const struct cmd_call *c, const struct moves *m)
{
	struct buf what = { 0 };

	buf_adds(&what, "is about ");
	cmd_moves_sums(m, &what);
	script_begin_moves(c->out, c->target->paths.v[1], m->scratch, buf_str(&what), (int64_t)time(NULL));
	for (size_t i = 0; i < m->steps.n; i++) {
		const struct moves_step *s = &m->steps.v[i];

		if (s->kind == MOVES_PARK)
			fprintf(c->out, "inode=%" PRIu64 "\n", s->inode);
		script_move(c->out, s->kind == MOVES_PARK ? "park" : s->size < 0 ? "directory" : "rename", s->from, s->to);
	}
	for (size_t i = 0; i < m->emptied.n; i++)
		script_move(c->out, "emptied", m->emptied.v[i], NULL);
	script_end_moves(c->out);
	buf_release(&what);
}

/* List what is to be copied. */
static void
cmd_moves_copies(const struct cmd_call *c, const struct moves *m, bool null)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < m->copies.n; i++) {
		buf_cut(&b, 0);
		if (null)
			buf_adds(&b, m->copies.v[i].path);
		else
			cmd_moves_add(c, &b, m->copies.v[i].path);
		buf_addc(&b, null ? '\0' : '\n');
		fwrite(b.data, 1, b.len, c->out);
	}
	buf_release(&b);
}

static int
cmd_moves_doc(const struct cmd_call *c, struct doc *d, const struct moves *m, struct err *err)
{
	doc_path(d, "a", c->target->paths.v[0]);
	doc_path(d, "b", c->target->paths.v[1]);
	doc_list(d, "steps");
	for (size_t i = 0; i < m->steps.n; i++) {
		const struct moves_step *s = &m->steps.v[i];

		doc_object(d, NULL);
		doc_text(d, "kind", moves_kinds[s->kind]);
		doc_path(d, "from", s->from);
		doc_path(d, "to", s->to);
		doc_size(d, "size", s->size);
		doc_object_end(d);
	}
	doc_list_end(d);
	doc_list(d, "emptied");
	for (size_t i = 0; i < m->emptied.n; i++) {
		doc_object(d, NULL);
		doc_path(d, "path", m->emptied.v[i]);
		doc_object_end(d);
	}
	doc_list_end(d);
	doc_list(d, "copies");
	for (size_t i = 0; i < m->copies.n; i++) {
		doc_object(d, NULL);
		doc_path(d, "path", m->copies.v[i].path);
		doc_int(d, "size", m->copies.v[i].size);
		doc_object_end(d);
	}
	doc_list_end(d);
	doc_int(d, "renamed", m->renamed);
	doc_int(d, "renamed_bytes", m->renamed_bytes);
	doc_int(d, "aside", m->aside);
	doc_int(d, "copied", (int64_t)m->copies.n);
	doc_int(d, "copied_bytes", m->copied_bytes);
	doc_int(d, "blocked", m->blocked);
	return doc_close(d, 0, err);
}

/* Print the plan for people: a line a step, then the sums. */
static void
cmd_moves_text(const struct cmd_call *c, const struct moves *m)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	struct buf b = { 0 };

	for (size_t i = 0; i < m->steps.n; i++) {
		const struct moves_step *s = &m->steps.v[i];

		buf_addf(&b, "%-6s  ", moves_kinds[s->kind]);
		cmd_moves_add(c, &b, s->from);
		buf_adds(&b, s->size < 0 ? "/ -> " : " -> ");
		cmd_moves_add(c, &b, s->to);
		buf_addc(&b, '\n');
	}
	for (size_t i = 0; i < m->emptied.n; i++) {
		buf_adds(&b, "rmdir   ");
		cmd_moves_add(c, &b, m->emptied.v[i]);
		buf_addc(&b, '\n');
	}
	for (size_t i = 0; i < m->copies.n; i++) {
		buf_adds(&b, "copy    ");
		cmd_moves_add(c, &b, m->copies.v[i].path);
		buf_addc(&b, '\n');
	}
	if (!c->globals->quiet) {
		cmd_moves_sums(m, &b);
		buf_addf(&b, "; %s to copy, %s\n", num_show_things((int64_t)m->copies.n, "file", "files", x), num_show_size(m->copied_bytes, NUM_IEC, y));
	}
	fwrite(b.data, 1, b.len, c->out);
	buf_release(&b);
}

/* Tell what the plan lacks, and print it.  Returns the answer, or -1. */
static int
cmd_moves_answer(const struct cmd_call *c, const struct pairs *p, const struct indexes_other *const of[2], const struct moves *m, struct err *err)
{
	const struct cmd_moves_args *a = c->args;
	const struct pairs_totals *t = pairs_totals(p);
	const int shared = cmd_paths_may_share(c, c->target->paths.v[0], of[0], c->target->paths.v[1], of[1], err);
	struct doc *d = cmd_doc(c);
	char x[NUM_SHOW_MAX];
	int ret = 0;

	if (shared < 0)
		return d != NULL ? doc_close(d, -1, err) : -1;
	c->verdict->unproven = t->left[PAIR_UNSURE].n + t->right[PAIR_UNSURE].n + shared;
	c->verdict->all_read = !t->unread;
	if (m->blocked > 0)
		cmd_notice(c, "%s to be copied, not renamed: something that is not in the index has the path, or it is on another file system",
		           num_show_things(m->blocked, "file is", "files are", x));
	if (d != NULL)
		ret = cmd_moves_doc(c, d, m, err);
	else if (a->script)
		cmd_moves_script(c, m);
	else if (a->copy)
		cmd_moves_copies(c, m, a->null);
	else
		cmd_moves_text(c, m);
	if (ret < 0)
		return -1;
	return m->steps.n + m->copies.n > 0 ? CMD_NO : CMD_OK;
}

static int
cmd_moves_check(const struct cmd_call *c, struct err *err)
{
	const struct cmd_moves_args *a = c->args;
	const char *const *paths = c->target->paths.v;

	if (a->script + a->copy + c->listing->json > 1)
		return err_set(err, ERR_USAGE, "--script, --copy and --json are three ways to print one plan: choose one");
	if (a->null && !a->copy)
		return err_set(err, ERR_USAGE, "--null is about the list of --copy");
	if (path_is_below(paths[0], paths[1]) || path_is_below(paths[1], paths[0]))
		return err_set(err, ERR_USAGE, "'%s' and '%s' must not lie in each other", c->operands[0], c->operands[1]);
	return 0;
}

static int
cmd_moves_run(const struct cmd_call *c, struct err *err)
{
	const struct indexes_other *of[2] = { NULL, NULL };
	struct pairs *p = NULL;
	struct moves m = { .scratch = NULL };
	int ret = -1;

	if (cmd_paths_two(c, of, "two directories", err) == 0 && cmd_moves_check(c, err) == 0) {
		const struct pairs_query q = {
			.left = c->target->paths.v[0], .right = c->target->paths.v[1], .left_of = of[0], .right_of = of[1],
			.gap = cmd_gap, .arg = c->verdict,
		};

		ret = pairs_load(&p, c->ix, &q, &c->verdict->gaps, err);
	}
	if (ret == 0 && pairs_side(p, false)->is_file)
		ret = err_set(err, ERR_USAGE, "moves needs two directories");
	if (ret == 0)
		ret = moves_plan(&m, p, err);
	if (ret == 0)
		ret = cmd_moves_answer(c, p, of, &m, err);
	moves_release(&m);
	pairs_free(p);
	return ret;
}

const struct cmd cmd_moves = {
	.name = "moves",
	.operands = "A B",
	.yes = "same", .no = "different",
	.summary = "tell which renames give an older mirror the layout of a newer tree",
	.help = "B is an older copy of A, whose files were renamed or moved since.  Prints the renames that\n"
	        "give files of B the paths that they have in A, and lists what is to be copied then.  Nothing\n"
	        "is renamed by this command; its script overwrites nothing, and sets aside what is in the way:\n"
	        "  twindex moves --script A B >moves.sh; twindex moves --copy -0 A B >copy.list\n"
	        "  sh moves.sh && rsync -a --from0 --files-from=copy.list A/ B/\n"
	        "Exit status 0: B has all of A; 1: there is something to do; 3: something could not be judged.",
	.opts = cmd_moves_opts,
	.args_size = sizeof(struct cmd_moves_args),
	.flags = CMD_READS | CMD_ASKS | CMD_JOINS | CMD_TELLS | CMD_PATHS,
	.run = cmd_moves_run,
};
