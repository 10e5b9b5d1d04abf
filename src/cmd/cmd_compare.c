/* SPDX-License-Identifier: MIT */
/*
 * twindex compare - what do two directories have in common, and what not?
 *
 * trees/pairs gives every file of both a class.  Options choose the classes that are listed;
 * without any, text is one screen of sums, on a terminal with the first files of each class, and
 * the machine formats list all but what is the same.
 */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_archives.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "index/dirs.h"
#include "index/index.h"
#include "query/indexes.h"
#include "trees/pairs.h"
#include "ui/width.h"

/* Files per class that a terminal shows below the sums. */
#define CMD_COMPARE_FIRST 5

struct cmd_compare_args {
	bool relative;
	bool only_left, only_right, moved, different, same;
};

static const struct opt cmd_compare_opts[] = {
	OPT_FLAG_(0, "only-left", struct cmd_compare_args, only_left, "list the files that only A has: B has their content nowhere"),
	OPT_FLAG_(0, "only-right", struct cmd_compare_args, only_right, "list the files that only B has"),
	OPT_FLAG_(0, "moved", struct cmd_compare_args, moved, "list the files that have the same content at another path"),
	OPT_FLAG_(0, "different", struct cmd_compare_args, different, "list the files that have another content at the same path"),
	OPT_FLAG_(0, "same", struct cmd_compare_args, same, "list the files that have the same path and content"),
	OPT_FLAG_('r', "relative", struct cmd_compare_args, relative, "paths relative to A and B, as rsync --files-from takes them"),
	OPT_END
};

/* A question on its way. */
struct cmd_compare {
	const struct cmd_call *c;
	struct cmd_paths *paths;       /* A, B */
	const struct indexes_other *of[2]; /* the indexes that have them, or NULL: this one */
	struct indexes archives;       /* of which members are compared, as other indexes */
	struct out *out;
	int64_t left;                  /* files of a class still to be listed; -1: all */
};

/* pairs_fn */
static int
cmd_compare_pair(void *arg, const struct pair_answer *p)
{
	struct cmd_compare *w = arg;

	if (w->left == 0)
		return 1;
	w->left -= w->left > 0;
	return out_pair(w->out, p);
}

/* Append how many of the files are empty, if any. */
static void
cmd_compare_empty(struct buf *b, int64_t n)
{
	char x[NUM_SHOW_MAX];

	if (n > 0)
		buf_addf(b, ", %s of them empty", num_show_count(n, x));
}

/*
 * Append the line of a class, "  1,204 files     3.1 GiB  only in A"; nothing if no file has it.
 */
static void
cmd_compare_class(const struct cmd_call *c, struct buf *b, const struct pairs_totals *t, enum pair_class class)
{
	const enum num_units units = cmd_style(c, OUT_PAIRS).units;
	const struct pairs_sum left = t->left[class], right = t->right[class], sum = class == PAIR_RIGHT || left.n == 0 ? right : left;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	if (left.n + right.n == 0 && class != PAIR_SAME)
		return;
	buf_addf(b, "%9s %-5s %10s  ", num_show_count(sum.n, x), sum.n == 1 ? "file" : "files", num_show_size(sum.bytes, units, y));
	switch (class) {
	case PAIR_SAME:
		buf_adds(b, "the same");
		break;
	case PAIR_MOVED:
		buf_adds(b, "at another path");
		if (left.n != right.n && left.n > 0 && right.n > 0)
			buf_addf(b, ", in B %s", num_show_things(right.n, "file", "files", x));
		else if (left.n != right.n)
			buf_adds(b, left.n > 0 ? ", in A" : ", in B");
		break;
	case PAIR_DIFFERENT:
		buf_adds(b, "with other content");
		if (left.bytes != right.bytes)
			buf_addf(b, ", in B %s", num_show_size(right.bytes, units, x));
		break;
	case PAIR_LEFT:
		buf_adds(b, "only in A");
		cmd_compare_empty(b, t->left_empty);
		break;
	case PAIR_RIGHT:
		buf_adds(b, "only in B");
		cmd_compare_empty(b, t->right_empty);
		break;
	case PAIR_UNSURE:
	default:
		buf_adds(b, "not judged");
		if (left.n > 0 && right.n > 0)
			buf_addf(b, ", in B %s", num_show_things(right.n, "file", "files", x));
		break;
	}
	buf_addc(b, '\n');
}

/* Append how much of one side the other lacks: "B lacks 3 files (14 B) of A". */
static void
cmd_compare_missing(const struct cmd_call *c, struct buf *b, struct pairs_sum missing, char of, char lacks)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	buf_addf(b, "%c lacks ", lacks);
	if (missing.n == 0)
		buf_adds(b, "nothing");
	else
		buf_addf(b, "%s (%s)", num_show_things(missing.n, "file", "files", x),
		         num_show_size(missing.bytes, cmd_style(c, OUT_PAIRS).units, y));
	buf_addf(b, " of %c", of);
}

static void
cmd_compare_write(const struct cmd_call *c, struct buf *b)
{
	fwrite(b->data, 1, b->len, c->out);
	buf_cut(b, 0);
}

/* Append "A: DIR", and the index if it is another one. */
static void
cmd_compare_side(const struct cmd_compare *w, struct buf *b, int i)
{
	const struct indexes_other *of = w->of[i];
	char time[NUM_SHOW_MAX];

	buf_addf(b, "%c: ", "AB"[i]);
	cmd_add_path(w->c, b, w->c->operands[i]);
	if (of != NULL && !of->ix->members) {
		buf_adds(b, " (index ");
		cmd_add_path(w->c, b, of->name);
		if (of->seen > 0)
			buf_addf(b, ", seen %s", num_show_local(of->seen, time));
		buf_addc(b, ')');
	}
	buf_addc(b, '\n');
}

/* Print the sums, and of each class the first files, up to as many. */
static int
cmd_compare_show(struct cmd_compare *w, const struct pairs *p, bool certain, int64_t first)
{
	static const char *const options[PAIR_CLASSES] = {
		[PAIR_DIFFERENT] = "--different", [PAIR_MOVED] = "--moved", [PAIR_LEFT] = "--only-left", [PAIR_RIGHT] = "--only-right",
	};
	const struct pairs_totals *t = pairs_totals(p);
	struct buf b = { 0 };
	int ret = 0;

	cmd_compare_side(w, &b, 0);
	cmd_compare_side(w, &b, 1);
	cmd_compare_class(w->c, &b, t, PAIR_SAME);
	for (int class = 0; ret == 0 && class < PAIR_CLASSES; class++) {
		if (class == PAIR_SAME)
			continue;
		cmd_compare_class(w->c, &b, t, (enum pair_class)class);
		cmd_compare_write(w->c, &b);
		w->left = options[class] != NULL ? first : 0;
		ret = pairs_each(p, (enum pair_class)class, cmd_compare_pair, w);
		if (ret == 1 && w->left == 0) {
			ret = 0;
			if (first > 0 && options[class] != NULL)
				buf_addf(&b, "           ... %s lists all\n", options[class]);
		}
	}
	cmd_compare_write(w->c, &b);
	if (!certain)
		buf_adds(&b, "as far as could be judged, ");
	cmd_compare_missing(w->c, &b, t->left_missing, 'A', 'B');
	buf_adds(&b, "; ");
	cmd_compare_missing(w->c, &b, t->right_missing, 'B', 'A');
	buf_addc(&b, '\n');
	width_print(w->c->out, buf_str(&b), WIDTH_MORE, w->c->tty ? w->c->env->width : 0);
	buf_release(&b);
	return ret;
}

/* Print what was asked for.  Returns 0, or -1 once the stream has failed. */
static int
cmd_compare_print(struct cmd_compare *w, const struct pairs *p, const bool listed[PAIR_CLASSES], bool certain)
{
	const struct cmd_compare_args *a = w->c->args;
	struct out_style style = cmd_style(w->c, OUT_PAIRS);
	const bool text = style.format == OUT_TEXT;
	bool any = false;
	int ret = 0, n = 0;

	for (int class = 0; class < PAIR_CLASSES; class++)
		n += listed[class];
	any = n > 0;
	style.classes = n > 1;
	style.relative = a->relative || (text && !any);
	style.indent = any ? 0 : 11;
	w->out = out_open(w->c->out, &style);
	for (int class = 0; ret == 0 && class < PAIR_CLASSES; class++) {
		w->left = -1;
		if (any ? listed[class] : !text && class != PAIR_SAME)
			ret = pairs_each(p, (enum pair_class)class, cmd_compare_pair, w);
	}
	if (ret == 0 && text && (!any || w->c->tty) && !(any && w->c->globals->quiet))
		ret = cmd_compare_show(w, p, certain, !any && w->c->tty ? CMD_COMPARE_FIRST : 0);
	return ret == 0 ? out_pairs_totals(w->out, pairs_totals(p)) : ret;
}

/* Tell what the answer lacks, and print it.  Returns the answer, or -1. */
static int
cmd_compare_answer(struct cmd_compare *w, const struct pairs *p, const bool listed[PAIR_CLASSES], struct err *err)
{
	const struct pairs_totals *t = pairs_totals(p);
	const int shared = w->archives.others.n > 0 ? 0 : cmd_paths_may_share(w->c, w->paths->v[0], w->of[0], w->paths->v[1], w->of[1], err);
	struct cmd_verdict *v = w->c->verdict;
	int64_t others = t->fleeting;
	int lacks, ret;

	if (shared < 0)
		return -1;
	v->unproven = t->left[PAIR_UNSURE].n + t->right[PAIR_UNSURE].n + shared;
	v->trash = t->trash;
	v->fleeting = t->fleeting;
	v->fleeting_why = t->fleeting_why;
	v->all_read = !t->unread;
	lacks = cmd_lacks(w->c, err);
	if (lacks < 0)
		return -1;
	/* Printing opens w->out. */
	ret = cmd_compare_print(w, p, listed, lacks == 0);
	if (out_close(w->out, ret, err) < 0)
		return -1;
	for (int class = 0; class < PAIR_CLASSES; class++)
		others += class != PAIR_SAME && class != PAIR_UNSURE ? t->left[class].n + t->right[class].n : 0;
	return others > 0 ? CMD_NO : CMD_OK;
}

/*
 * Take archives for directories: one beside a directory, or two, unless these have one content, of
 * which their members need not be asked.
 */
static int
cmd_compare_open(struct cmd_compare *w, struct err *err)
{
	struct inside in[2] = { { .path = NULL } };
	int n = 0, ret = 0;

	for (int i = 0; ret >= 0 && i < 2; i++) {
		int64_t dir;

		if (w->of[i] == NULL)
			ret = inside_find(w->c->ix, w->paths->v[i], &in[i], err);
		n += ret == 1;
		if (ret == 0 && (ret = dirs_find(w->of[i] != NULL ? w->of[i]->ix->db : w->c->ix->db, w->paths->v[i], &dir, err)) == 0)
			break;
	}
	if (n == 2 && in[0].row.has_hash && in[1].row.has_hash && in[0].row.size == in[1].row.size && memcmp(in[0].row.hash, in[1].row.hash, HASH_SIZE) == 0)
		ret = 0;
	for (int i = 0; ret == 1 && i < 2; i++) {
		if (in[i].path == NULL)
			continue;
		if (cmd_archives_add(w->c, &in[i], false, &w->archives, &w->paths->v[i], err) < 0)
			ret = -1;
		else
			w->of[i] = indexes_nth(&w->archives, w->archives.others.n);
	}
	cmd_archives_tell_opened(w->c, w->archives.others.n);
	inside_release(&in[0]);
	inside_release(&in[1]);
	return ret < 0 ? -1 : 0;
}

static int
cmd_compare_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_compare_args *a = c->args;
	const bool listed[PAIR_CLASSES] = {
		[PAIR_DIFFERENT] = a->different, [PAIR_MOVED] = a->moved, [PAIR_LEFT] = a->only_left, [PAIR_RIGHT] = a->only_right,
		[PAIR_SAME] = a->same,
	};
	struct cmd_compare w = { .c = c, .paths = &c->target->paths };
	struct pairs *p = NULL;
	int ret = -1;

	if (cmd_paths_two(c, w.of, "two directories, or two files", err) == 0 && cmd_paths_asked(c, w.paths, &c->target->exclude, err) == 0 &&
	    cmd_compare_open(&w, err) == 0) {
		const struct pairs_query q = {
			.left = w.paths->v[0], .right = w.paths->v[1], .left_of = w.of[0], .right_of = w.of[1],
			.exclude = c->target->exclude.v, .n_exclude = c->target->exclude.n, .gap = cmd_gap, .arg = c->verdict,
		};

		ret = pairs_load(&p, c->ix, &q, &c->verdict->gaps, err);
		if (ret == 0)
			ret = cmd_gaps_of_offline(c, w.paths->v, w.paths->n, cmd_count_gap, c->verdict, err);
	}
	if (ret == 0)
		ret = cmd_compare_answer(&w, p, listed, err);
	pairs_free(p);
	indexes_close(&w.archives);
	return ret;
}

const struct cmd cmd_compare = {
	.name = "compare",
	.operands = "A B",
	.yes = "same", .no = "different",
	.summary = "tell what two directories have in common, and where they differ",
	.help = "Counts the files of A and B that have the same path and content, the same content at another\n"
	        "path, another content at the same path, or a content that the other has nowhere.  Options\n"
	        "list these files.  This copies to B what only A has, and overwrites nothing:\n"
	        "  twindex compare --only-left -0r A B |\n"
	        "    rsync -a --ignore-existing --from0 --files-from=- A/ B/\n"
	        "Empty files are compared by their paths.  If one directory lies in the other, only the outer\n"
	        "one's other files are compared.  An archive that was opened counts as a directory.  With\n"
	        "--with either may be of another index; one path given twice is that of both.  Exit status 0:\n"
	        "all are the same; 1: they differ; 3: something could not be judged.",
	.opts = cmd_compare_opts,
	.args_size = sizeof(struct cmd_compare_args),
	.flags = CMD_READS | CMD_ASKS | CMD_PROVES | CMD_LISTS | CMD_JOINS | CMD_NUMBERS | CMD_PATHS,
	.run = cmd_compare_run,
};
