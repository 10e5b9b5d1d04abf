/* SPDX-License-Identifier: MIT */
/* twindex decide - the guided way through the duplicates: it marks, and offers what acts. */
#include "base/base.h"

#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_keep.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "index/index.h"
#include "query/decide_groups.h"
#include "shell/decide.h"
#include "shell/keys.h"
#include "sys/resolve.h"
#include "ui/doc.h"
#include "ui/quote.h"

struct cmd_decide_args {
	bool all, hidden, elsewhere;
	int64_t min_size;
};

static const struct opt cmd_decide_opts[] = {
	OPT_FLAG_('a', "all", struct cmd_decide_args, all, "the whole index, also in the shell, where no DIR means it"),
	OPT_SIZE_('m', "min-size", struct cmd_decide_args, min_size, "SIZE", "only sets of files of at least SIZE"),
	OPT_FLAG_(0, "elsewhere", struct cmd_decide_args, elsewhere, "also mark copies outside of DIR, even on other disks"),
	OPT_FLAG_(0, "include-hidden", struct cmd_decide_args, hidden, "also files in hidden directories"),
	OPT_END
};

/*
 * Say what was decided; offer the commands that act on it.  They are told how many copies must
 * stay: one of these may be offline then, where its mark does not count; and what backups are for,
 * which no mark tells.
 */
static int
cmd_decide_offer(const struct cmd_call *c, struct keys *keys, const struct decide_totals *t)
{
	static char rm[] = "rm", link[] = "link", hard[] = "--hard", marked[] = "--marked", per_volume[] = "--per-volume";
	static char backups_count[] = "--backups-count", from_backup[] = "--from-backup";
	char copies[sizeof("--copies=") + NUM_SHOW_MAX];
	const struct cmd_choice *a = c->choice;
	VEC(char *) argv = { 0 };
	struct buf text = { 0 };
	struct keys_answer answer = { .letter = 'n' };
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	int ret = CMD_OK;

	if (t->n_sets == 0)
		return CMD_OK;
	fprintf(c->msg, "%s of %s decided\n", num_show_count(t->n_decided, x), num_show_things(t->n_sets, "set", "sets", y));
	if (t->n_drop == 0)
		return CMD_OK;
	fprintf(c->msg, "%s marked drop", num_show_things(t->n_drop, "file", "files", x));
	snprintf(copies, sizeof(copies), "--copies=%" PRId64, a->copies);
	vec_push(&argv, rm);
	vec_push(&argv, marked);
	if (a->copies > 0)
		vec_push(&argv, copies);
	if (a->per_volume)
		vec_push(&argv, per_volume);
	if (a->backups_count)
		vec_push(&argv, backups_count);
	for (size_t i = 0; i < a->from_backup.n; i++) {
		vec_push(&argv, from_backup);
		vec_push(&argv, (char *)(uintptr_t)a->from_backup.v[i]);
	}
	fprintf(c->msg, ", %s of contents: '", num_show_size(t->frees, NUM_IEC, y));
	for (size_t i = 0; i < argv.n; i++) {
		if (i > 0)
			buf_addc(&text, ' ');
		quote_sh_word(&text, argv.v[i]);
	}
	fprintf(c->msg, "%s' removes %s\n", buf_str(&text), t->n_drop == 1 ? "it" : "them");
	if (keys_are_pressed(keys) && keys_ask(keys, "now? [r rm, h link --hard, n later] ", "rhnq", 0, &answer) > 0 &&
	    (answer.letter == 'r' || answer.letter == 'h')) {
		if (answer.letter == 'h') {
			argv.v[0] = link;
			vec_push(&argv, hard);
		}
		vec_push(&argv, NULL);
		ret = cmd_execute(c->env, (int)argv.n - 1, argv.v);
	}
	vec_release(&argv);
	buf_release(&text);
	return ret;
}

/* Say what scans have left undone: sets may lack copies, or come later.  Returns 0 or -1. */
static int
cmd_decide_tell(const struct cmd_call *c, const struct index *ix, int64_t min_size, struct err *err)
{
	struct buf text = { 0 };
	int ret = 0;

	if (!index_is_compared(ix, min_size))
		ret = cmd_unfinished_text(ix, prog_name(), &text, err);
	if (ret == 1)
		cmd_notice(c, "incomplete: %s", buf_str(&text));
	buf_release(&text);
	return ret < 0 ? -1 : 0;
}

/* Resolve the operands, or their default, and the rules of what stays, with the index open. */
static int
cmd_decide_paths(const struct cmd_call *c, struct cmd_keep *keep, struct err *err)
{
	const struct cmd_decide_args *a = c->args;
	struct cmd_paths *paths = &c->target->paths;
	struct cmd_call with = *c;
	int ret = cmd_open(c->globals, 0, &with.ix, err);

	if (ret == 0 && (cmd_paths_here(&with, a->all, paths, err) < 0 || cmd_paths_known(&with, paths, err) < 0 ||
	                 cmd_keep_open(keep, c, with.ix, err) < 0 || cmd_decide_tell(c, with.ix, a->min_size, err) < 0))
		ret = -1;
	index_close(with.ix);
	cmd_paths_prune(paths, false);
	return ret;
}

static int
cmd_decide_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_decide_args *a = c->args;
	const struct cmd_paths *paths = &c->target->paths;
	struct cmd_keep keep = { .keep = { .copies = 0 } };
	struct decide_totals totals = { 0 };
	struct keys *keys = NULL;
	struct buf base = { 0 };
	struct doc *d = cmd_doc(c);
	int ret = cmd_decide_paths(c, &keep, err);

	if (ret == 0)
		ret = resolve_path(&base, ".", c->base, err);
	/* Only files below the operands are marked: copies elsewhere are shown, and may stay. */
	if (ret == 0) {
		const bool within = paths->n > 0 && keep.only.n == 0 && !a->elsewhere;
		const struct decide_groups_query q = {
			.sets = { .dirs = paths->v, .n_dirs = paths->n, .min_size = a->min_size > 0 ? a->min_size : 1, .backups = &keep.keep },
			.hidden = a->hidden, .inside = c->wholes->inside, .wholes = c->wholes->more.v, .n_wholes = c->wholes->more.n,
			.keep = cmd_keep_given(c->choice) ? &keep.keep : NULL,
			.only = within ? paths->v : keep.only.v, .n_only = within ? paths->n : keep.only.n,
		};

		fflush(c->out);
		if (a->elsewhere && paths->n > 0)
			fputs("copies outside of the named directories are marked, too\n", c->msg);
		keys = keys_open(stdin, c->msg);
		ret = decide_run(c, &q, buf_str(&base), keys, &totals, err);
		if (ret == 0 && d == NULL)
			ret = cmd_decide_offer(c, keys, &totals);
	}
	/* A program is told what was decided, and acts on it itself. */
	if (d != NULL) {
		doc_int(d, "sets", totals.n_sets);
		doc_int(d, "decided", totals.n_decided);
		doc_int(d, "marked_drop", totals.n_drop);
		doc_int(d, "frees", totals.frees);
		ret = doc_close(d, ret, err);
	}
	keys_close(keys);
	buf_release(&base);
	cmd_keep_release(&keep);
	return ret;
}

const struct cmd cmd_decide = {
	.name = "decide",
	.operands = "[DIR...]",
	.summary = "choose which copies stay, by directories, then by sets; only marks",
	.help = "Groups come first: sets whose copies lie in the same directories, of DIR, or of DIR and\n"
	        "elsewhere (without DIR, of the roots).  One key answers: a number keeps the copies in that\n"
	        "directory and marks the others drop, but only those in DIR; with --elsewhere also those\n"
	        "outside.  Files in hidden directories, files with links elsewhere, parts of a git work\n"
	        "tree, an environment, a mail store and the like (--inside), and files that can't be\n"
	        "looked at are never marked drop.  Each answer is written at once, as marks: leave at any\n"
	        "time, and go on later.  'rm --marked' removes the files.  The copies that rm would let\n"
	        "stay are marked >: the key k keeps these, for a set or a whole group.  With --keep Enter\n"
	        "does, too; and where the chosen directory has several copies, its rules choose among\n"
	        "them.  Without a terminal on standard input each line is an answer.",
	.opts = cmd_decide_opts,
	.args_size = sizeof(struct cmd_decide_args),
	.flags = CMD_TALKS | CMD_TELLS | CMD_CHOOSES | CMD_WHOLES | CMD_PLACES | CMD_LETS_GO | CMD_PATHS,
	.run = cmd_decide_run,
};
