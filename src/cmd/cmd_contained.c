/* SPDX-License-Identifier: MIT */
/*
 * twindex contained - is every file of A also in B?
 *
 * One listing of A, for which only copies in B count, gives each file a state: a dup or a link has
 * its content in B, a unique file has not, of all others nothing is known.  Where A and B overlap,
 * a file is not its own copy: if A lies in B, copies in A do not count; if B lies in A, it is asked
 * of the other files of A.  What is not known of B matters only if something is missing.
 */
#include "base/base.h"

#include <sys/stat.h>

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_with.h"
#include "query/list.h"
#include "sys/fs.h"
#include "ui/width.h"

struct cmd_contained_args {
	bool relative;
};

static const struct opt cmd_contained_opts[] = {
	OPT_FLAG_('r', "relative", struct cmd_contained_args, relative, "paths relative to A, as rsync --files-from takes them"),
	OPT_END
};

/* A question on its way. */
struct cmd_contained {
	const struct cmd_call *c;
	struct cmd_paths *paths;       /* A, B */
	bool a_in_b, b_in_a;
	struct out *out;
	struct pairs_sum contained, missing, empty, offline, unsure;
	bool of_b;                     /* counting gaps of B, no longer of A */
};

/* list_fn: count a file, and print it if it is missing. */
static int
cmd_contained_file(void *arg, const struct file_answer *a)
{
	struct cmd_contained *w = arg;
	struct pairs_sum *sum;

	if ((w->b_in_a && path_is_below(a->path, w->paths->v[1])) || a->state == STATE_GONE)
		return 0;
	sum = a->offline ? &w->offline : a->state == STATE_DUP || a->state == STATE_LINKED ? &w->contained :
	      a->state == STATE_UNIQUE ? &w->missing : a->state == STATE_EMPTY ? &w->empty : &w->unsure;
	pairs_sum_add(sum, 1, a->size > 0 ? a->size : 0);
	return sum == &w->missing ? out_file(w->out, a) : 0;
}

/* list_gap_fn */
static void
cmd_contained_gap(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct cmd_contained *w = arg;

	/* Each is counted once, where A and B overlap. */
	if (w->of_b ? w->a_in_b && path_is_below(path, w->paths->v[0]) : w->b_in_a && path_is_below(path, w->paths->v[1]))
		return;
	cmd_count_gap(w->c->verdict, path, gap, dir, why);
}

/* Count what is not known of B.  Returns whether content may lie there, or -1. */
static int
cmd_contained_gaps_of_b(struct cmd_contained *w, struct err *err)
{
	const int64_t before = gaps_matter(&w->c->verdict->gaps);
	struct gaps all = { .files = { 0 } };

	w->of_b = true;
	if (cmd_with_gaps(w->c, w->paths->v[1], cmd_contained_gap, w, &all, err) < 0)
		return -1;
	return gaps_matter(&w->c->verdict->gaps) > before;
}

/* Append "all 1,204 files (3.1 GiB)", or "12 of the 1,204 files (3.1 MiB of 3.1 GiB)". */
static void
cmd_contained_show(struct buf *b, const struct cmd_contained *w, struct pairs_sum all)
{
	const enum num_units units = cmd_style(w->c, OUT_PATHS).units;
	const bool some = w->missing.n > 0 && all.n > 1;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	if (some)
		buf_addf(b, "%s of ", num_show_count(w->missing.n, x));
	if (all.n == 1)
		buf_adds(b, "the only file");
	else
		buf_addf(b, "%s %s", some ? "the" : "all", num_show_things(all.n, "file", "files", x));
	if (some)
		buf_addf(b, " (%s of %s)", num_show_size(w->missing.bytes, units, x), num_show_size(all.bytes, units, y));
	else
		buf_addf(b, " (%s)", num_show_size(all.bytes, units, x));
}

/* Append the answer about files that hold something. */
static void
cmd_contained_say(struct buf *b, const struct cmd_contained *w, struct pairs_sum all)
{
	const struct pairs_sum told = w->missing.n > 0 ? w->missing : w->contained;

	if (gaps_matter(&w->c->verdict->gaps) > 0)
		buf_adds(b, "as far as that is known, ");
	cmd_contained_show(b, w, all);
	buf_adds(b, " of ");
	cmd_add_path(w->c, b, w->c->operands[0]);
	buf_addf(b, "%s %s %s%s ", w->b_in_a ? " outside of it" : "", told.n == 1 ? "is" : "are", w->missing.n > 0 ? "not" : "also",
	         w->a_in_b ? " elsewhere in" : " in");
	cmd_add_path(w->c, b, w->c->operands[1]);
}

/* Tell a person the answer in a sentence. */
static void
cmd_contained_tell(const struct cmd_contained *w)
{
	const struct pairs_sum known = { w->contained.n + w->missing.n, num_add(w->contained.bytes, w->missing.bytes) };
	char x[NUM_SHOW_MAX];
	struct buf b = { 0 };

	if (known.n > 0)
		cmd_contained_say(&b, w, known);
	else
		buf_adds(&b, w->unsure.n + w->offline.n > 0 ? "no file could be judged now" : "no file has content");
	if (w->offline.n > 0)
		buf_addf(&b, "; %s a copy there that is offline", num_show_things(w->offline.n, "file has", "files have", x));
	if (w->unsure.n > 0)
		buf_addf(&b, "; nothing is known of %s", num_show_things(w->unsure.n, "other file", "other files", x));
	if (w->empty.n > 0)
		buf_addf(&b, "; %s", num_show_things(w->empty.n, "file is empty", "files are empty", x));
	buf_addc(&b, '\n');
	width_print(w->c->out, buf_str(&b), 0, w->c->tty ? w->c->env->width : 0);
	buf_release(&b);
}

/* Check the two operands, and resolve them. */
static int
cmd_contained_paths(struct cmd_contained *w, struct err *err)
{
	const struct cmd_call *c = w->c;

	if (c->n_operands != 2)
		return err_set(err, ERR_USAGE, "contained needs two directories: is all of the first in the second?");
	/* The files of A are those of this index, their copies may be those of others. */
	if (cmd_paths_known(c, &(struct cmd_paths){ .v = w->paths->v, .n = 1 }, err) < 0 || cmd_paths_known_with(c, w->paths->v[1], err) < 0)
		return -1;
	if (strcmp(w->paths->v[0], w->paths->v[1]) == 0)
		return err_set(err, ERR_USAGE, "'%s' and '%s' are one directory", c->operands[0], c->operands[1]);
	w->a_in_b = path_is_below(w->paths->v[0], w->paths->v[1]);
	w->b_in_a = path_is_below(w->paths->v[1], w->paths->v[0]);
	return 0;
}

/* Ask of all files of A.  Returns the answer, or -1. */
static int
cmd_contained_ask(struct cmd_contained *w, struct list_totals *totals, struct err *err)
{
	const struct cmd_call *c = w->c;
	const struct list_query q = {
		.copies = {
			.exclude = c->target->exclude.v, .n_exclude = c->target->exclude.n,
			.in = &w->paths->v[1], .n_in = 1, .with = c->with, .links_are_unique = c->listing->links_unique,
		},
		.gap = cmd_contained_gap, .online = c->listing->online,
	};
	const struct indexes_other *of_b = NULL;
	int unsure = 0;

	if (list_each(c->ix, w->paths->v, 1, &q, cmd_contained_file, w, totals, err) < 0)
		return -1;
	c->verdict->fleeting = totals->fleeting;
	c->verdict->fleeting_why = totals->fleeting_why;
	c->verdict->all_read = totals->unread == 0;
	if (w->missing.n + w->offline.n + w->unsure.n > 0)
		unsure = cmd_contained_gaps_of_b(w, err);
	if (unsure < 0)
		return -1;
	/* Why copies in B may be the files of A themselves. */
	if (w->unsure.n > 0 && (cmd_with_of(c, w->paths->v[1], true, &of_b, err) < 0 ||
	                        cmd_paths_may_share(c, w->paths->v[0], NULL, w->paths->v[1], of_b, err) < 0))
		return -1;
	/* Gaps of A cannot disprove that a file is missing in B; gaps of B can. */
	c->verdict->certain = w->missing.n > 0 && unsure == 0;
	return w->missing.n > 0 ? CMD_NO : CMD_OK;
}

static int
cmd_contained_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_contained_args *a = c->args;
	struct cmd_contained w = { .c = c, .paths = &c->target->paths };
	struct out_style style = cmd_style(c, OUT_PATHS);
	struct list_totals totals = { .n = { 0 } };
	struct buf cut = { 0 };
	struct fs_stat st;
	int ret, status;

	if (cmd_contained_paths(&w, err) < 0)
		return -1;
	if (w.a_in_b)
		vec_push(&c->target->exclude, mem_str(w.paths->v[0]));
	if (a->relative) {
		const char *path = w.paths->v[0];
		const bool file = fs_stat_path(path, &st) == 0 && S_ISREG(st.mode);

		buf_add(&cut, path, file ? path_parent_len(path) : strlen(path));
		if (strcmp(buf_str(&cut), "/") != 0)
			buf_addc(&cut, '/');
		style.cut = buf_str(&cut);
	}
	w.out = out_open(c->out, &style);
	status = cmd_contained_ask(&w, &totals, err);
	ret = out_close(w.out, status < 0 || cmd_lacks(c, err) < 0 ? -1 : 0, err);
	if (ret == 0 && c->tty && style.format == OUT_TEXT && !c->globals->quiet)
		cmd_contained_tell(&w);
	if (ret == 0)
		ret = status;
	buf_release(&cut);
	return ret;
}

const struct cmd cmd_contained = {
	.name = "contained",
	.operands = "A B",
	.yes = "contained", .no = "missing",
	.summary = "tell whether every file of one directory is also in another",
	.help = "Lists the files of A whose content is not in B, at any path.  To copy them to a new directory\n"
	        "of B; what has a name there already is left, and a scan and this question again list it:\n"
	        "  twindex contained -0r A B |\n"
	        "    rsync -a --ignore-existing --from0 --files-from=- A/ B/from-A/\n"
	        "Empty files, symbolic links and special files hold nothing to look for, are counted\n"
	        "alone, and would be lost with A.  If A lies in B, copies in A do not count; if B lies in A, it is about\n"
	        "the other files of A.  Exit status 0: all are in B; 1: those listed are not; 3: some could\n"
	        "not be judged, or B could not, where something is missing.",
	.opts = cmd_contained_opts,
	.args_size = sizeof(struct cmd_contained_args),
	.flags = CMD_READS | CMD_ASKS | CMD_PROVES | CMD_LISTS | CMD_JOINS | CMD_NUMBERS | CMD_PATHS,
	.run = cmd_contained_run,
};
