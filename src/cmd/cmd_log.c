/* SPDX-License-Identifier: MIT */
/*
 * twindex log - which files were removed, linked and rescued; twindex undo - take that back;
 * twindex recover - what a killed run has left.
 */
#include "base/base.h"

#include "act/acts_read.h"
#include "act/recover.h"
#include "act/undo.h"
#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_preview.h"
#include "cmd/cmd_progress.h"
#include "cmd/cmd_records.h"
#include "index/index.h"
#include "ui/doc.h"

/* What was done, by kind of act. */
static const char *const cmd_log_done[] = {
	[ACT_REMOVE] = "removed", [ACT_TRASH] = "trashed", [ACT_HARD] = "hard-linked", [ACT_SOFT] = "soft-linked",
	[ACT_REFLINK] = "reflinked", [ACT_RESCUE] = "rescued",
};

/* Whether an act is asked for: its file, or the copy that stayed, is at or below a path. */
static bool
cmd_log_wanted(const struct acts_line *l, const struct cmd_paths *paths)
{
	const char *const *v = paths->v;

	return paths->n == 0 || path_is_below_any(l->victim, v, paths->n) || path_is_below_any(l->keeper, v, paths->n);
}

static void
cmd_log_line(const struct cmd_call *c, const struct acts_line *l)
{
	char when[NUM_SHOW_MAX], size[NUM_SHOW_MAX];
	struct buf b = { 0 };

	buf_addf(&b, "%s  %-11s  %10s  ", num_show_local(l->run / 1000000000, when), cmd_log_done[l->kind],
	         num_show_size(l->size, NUM_IEC, size));
	cmd_add_path(c, &b, l->victim);
	if (l->undone)
		buf_adds(&b, "  (undone)");
	else if (!l->ended)
		buf_adds(&b, "  (its run was killed: maybe)");
	buf_addc(&b, '\n');
	if (c->globals->verbose > 0) {
		buf_adds(&b, "                               stayed  ");
		cmd_add_path(c, &b, l->keeper);
		buf_addc(&b, '\n');
	}
	fwrite(b.data, 1, b.len, c->out);
	buf_release(&b);
}

/* The words for the same in documents. */
static const char *const cmd_log_words[] = {
	[ACT_REMOVE] = "removed", [ACT_TRASH] = "trashed", [ACT_HARD] = "hard_linked", [ACT_SOFT] = "soft_linked",
	[ACT_REFLINK] = "reflinked", [ACT_RESCUE] = "rescued",
};

/* Add an act to a document; the object stays open. */
static void
cmd_log_doc(struct doc *d, const struct acts_line *l)
{
	doc_object(d, NULL);
	doc_path(d, "path", l->victim);
	doc_text(d, "act", cmd_log_words[l->kind]);
	doc_path(d, "stayed", l->keeper);
	doc_path(d, "moved_to", l->to);
	doc_int(d, "size", l->size);
	doc_int(d, "time", l->run / 1000000000);
}

/* Bytes of a day in local time, "2026-11-21". */
#define CMD_LOG_DAY 10

/* What was done on one day, or by one run. */
struct cmd_log_sums {
	char when[NUM_SHOW_MAX];     /* "": none yet */
	int64_t run;                 /* 0: of a day */
	int64_t standing;            /* acts from this run on that undo can take back */
	struct cmd_log_sum {
		int64_t files, bytes, undone, maybe;
		const char *path;    /* of a file, in the journal */
		size_t len;          /* the bytes of it that are the directory of all */
	} of[ACT_KINDS];
};

/* Print the sums. */
static void
cmd_log_end_sums(const struct cmd_call *c, const struct cmd_log_sums *s)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	struct buf b = { 0 };
	bool told = s->run == 0;

	for (int k = 0; k < ACT_KINDS; k++) {
		const struct cmd_log_sum *of = &s->of[k];

		if (of->files == 0)
			continue;
		buf_addf(&b, "%s  %-11s  %10s  %s", s->when, cmd_log_done[k], num_show_size(of->bytes, NUM_IEC, y),
		         num_show_things(of->files, "file", "files", x));
		if (s->run != 0) {
			char *dir = mem_dup(of->path, of->len);

			buf_adds(&b, of->files == 1 ? "  " : " in ");
			cmd_add_path(c, &b, of->files == 1 ? of->path : dir);
			free(dir);
		}
		if (of->undone > 0)
			buf_addf(&b, of->undone == of->files ? "  (undone)" : "  (%s undone)", num_show_count(of->undone, x));
		if (of->maybe > 0 && s->run != 0)
			buf_adds(&b, "  (its run was killed: maybe)");
		/* Once for a run. */
		if (!told && of->undone < of->files) {
			buf_addf(&b, "  undo %" PRId64, s->standing);
			told = true;
		}
		buf_addc(&b, '\n');
	}
	fwrite(buf_str(&b), 1, b.len, c->out);
	buf_release(&b);
}

/*
 * Count an act; those of another day or run come first.  standing: the acts from this one on that
 * undo can take back.
 */
static void
cmd_log_count(const struct cmd_call *c, struct cmd_log_sums *s, const struct acts_line *l, bool days, int64_t standing)
{
	const int64_t run = days ? 0 : l->run;
	char when[NUM_SHOW_MAX];
	struct cmd_log_sum *of = &s->of[l->kind];

	num_show_local(l->run / 1000000000, when);
	if (days)
		when[CMD_LOG_DAY] = '\0';
	if (strcmp(s->when, when) != 0 || s->run != run) {
		cmd_log_end_sums(c, s);
		*s = (struct cmd_log_sums){ .run = run, .standing = standing };
		memcpy(s->when, when, sizeof(when));
	}
	of->len = of->files == 0 ? path_parent_len(l->victim) : path_common_len(l->victim, of->path) < of->len ? path_common_len(l->victim, of->path) : of->len;
	of->path = l->victim;
	of->files++;
	of->undone += l->undone;
	of->maybe += !l->undone && !l->ended;
	of->bytes = num_add(of->bytes, l->size);
}

struct cmd_log_args {
	bool days;
};

static const struct opt cmd_log_opts[] = {
	OPT_FLAG_(0, "days", struct cmd_log_args, days, "only how many files and bytes on each day, without acts that were undone"),
	OPT_END
};

static int
cmd_log_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_log_args *a = c->args;
	/* A terminal is shown what was done by run, unless it asks for more. */
	const bool runs = !a->days && c->tty && c->globals->verbose == 0 && c->n_operands == 0;
	struct cmd_log_sums sums = { .when = "" };
	struct acts_read acts = { .n_torn = 0 };
	struct doc *d = a->days ? NULL : cmd_doc(c);
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	int64_t n = 0, bytes = 0, standing = 0;
	int ret = 0;

	if (a->days && c->listing->json)
		ret = err_set(err, ERR_USAGE, "option '--json' is for acts one by one, not for --days");
	if (ret == 0)
		ret = acts_read(&acts, c->ix, err);
	if (ret == 0)
		ret = acts_read_check_paths(&acts, c->target->paths.v, c->target->paths.n, err);
	if (d != NULL)
		doc_list(d, "acts");
	for (size_t i = 0; i < acts.lines.n; i++)
		standing += !acts.lines.v[i].failed && !acts.lines.v[i].undone;
	for (size_t i = 0; ret == 0 && i < acts.lines.n; i++) {
		const struct acts_line *l = &acts.lines.v[i];

		if (l->failed || (a->days && l->undone) || !cmd_log_wanted(l, &c->target->paths))
			continue;
		if (d != NULL) {
			cmd_log_doc(d, l);
			doc_bool(d, "undone", l->undone);
			doc_bool(d, "certain", l->ended);
			doc_object_end(d);
		} else if (a->days || runs)
			cmd_log_count(c, &sums, l, a->days, standing);
		else
			cmd_log_line(c, l);
		n++;
		standing -= !l->undone;
		bytes = num_add(bytes, l->size);
	}
	cmd_log_end_sums(c, &sums);
	if (d != NULL) {
		doc_list_end(d);
		doc_int(d, "bytes", bytes);
		doc_int(d, "torn_lines", acts.n_torn);
		ret = doc_close(d, ret, err);
	} else if (ret == 0)
		fprintf(c->out, "%s, %s%s\n", num_show_things(n, "file", "files", x), num_show_size(bytes, NUM_IEC, y), runs && n > 0 ? "; -v lists them; undo N takes back a run and those after it" : "");
	if (ret == 0 && acts.n_torn > 0)
		cmd_message(c, "the journal of acts: %s not whole", num_show_things(acts.n_torn, "line is", "lines are", x));
	acts_read_release(&acts);
	return ret < 0 ? -1 : CMD_OK;
}

struct cmd_log_undo_args {
	bool dry_run, yes;
};

static const struct opt cmd_log_undo_opts[] = {
	OPT_FLAG_('n', "dry-run", struct cmd_log_undo_args, dry_run, "only show what would be undone"),
	/* It does not ask; who thinks that it does is right about the rest. */
	OPT_FLAG_('y', "yes", struct cmd_log_undo_args, yes, NULL),
	OPT_END
};

/* undo and recover while they run. */
struct cmd_log_undo {
	const struct cmd_call *c;
	struct doc *d;           /* or NULL */
	struct cmd_progress progress;
	bool rescued;            /* some acts are of safe --rescue */
	bool summary;            /* directories in place of many files: of a terminal without -v */
	VEC(struct cmd_preview_file) files;
	struct buf first;        /* lines of the first files, if they are few */
	struct arena paths;
};

/* tick_fn */
static void
cmd_log_tick(void *arg, int64_t done, int64_t all)
{
	cmd_progress_count(&((struct cmd_log_undo *)arg)->progress, done, all);
}

/* undo_fn */
static void
cmd_log_undone(void *arg, const struct undo_told *t)
{
	struct cmd_log_undo *w = arg;
	const struct cmd_call *c = w->c;
	struct buf b = { 0 };

	progress_clear(&w->progress.line);
	if (w->d != NULL) {
		cmd_log_doc(w->d, t->act);
		doc_text(w->d, "outcome", t->outcome == ACT_UNSURE ? "stays" : t->outcome == ACT_PENDING ? "would_be_undone" : "undone");
		doc_text(w->d, "why", t->why);
		doc_object_end(w->d);
	}
	if (t->outcome == ACT_UNSURE) {
		cmd_message(c, "'%s' is not undone: %s", t->act->victim, t->why);
		return;
	}
	if (c->globals->quiet || w->d != NULL)
		return;
	w->rescued |= t->act->kind == ACT_RESCUE;
	if (w->summary)
		vec_push(&w->files, ((struct cmd_preview_file){
			.path = arena_str(&w->paths, t->act->victim), .keeper = arena_str(&w->paths, t->act->keeper), .size = t->act->size,
		}));
	if (w->summary && w->files.n > CMD_PREVIEW_LINES)
		return;
	buf_addf(&b, "%s: ", t->outcome == ACT_PENDING ? "would undo" : "undone");
	cmd_add_path(c, &b, t->act->victim);
	buf_addf(&b, " (%s%s%s)\n", cmd_log_done[t->act->kind], t->why != NULL ? "; " : "", t->why != NULL ? t->why : "");
	if (w->summary)
		buf_add(&w->first, b.data, b.len);
	else
		fwrite(b.data, 1, b.len, c->out);
	buf_release(&b);
}

/* Print what undo has held back: a line for each file if these are few, else the directories. */
static void
cmd_log_end_undo(struct cmd_log_undo *w)
{
	const struct cmd_log_undo_args *a = w->c->args;

	if (w->files.n > CMD_PREVIEW_LINES) {
		buf_cut(&w->first, 0);
		buf_addf(&w->first, "%s, %s:\n", a->dry_run ? "would be undone" : "undone",
		         w->rescued ? "copies that safe --rescue made" : a->dry_run ? "files that would come back" : "files that are back");
		cmd_add_preview_files(w->c, &w->first, w->files.v, w->files.n);
	}
	fwrite(buf_str(&w->first), 1, w->first.len, w->c->out);
}

/* Take back what was chosen, and tell.  Returns an exit status, or -1. */
static int
cmd_log_undo_chosen(const struct cmd_call *c, int64_t most, const struct cmd_paths *paths, struct err *err)
{
	const struct cmd_log_undo_args *a = c->args;
	struct cmd_log_undo w = { .c = c, .summary = c->tty && c->globals->verbose == 0 };
	struct undo u = {
		.most = most, .paths = paths->v, .n_paths = paths->n, .dry = a->dry_run, .fn = cmd_log_undone, .tick = cmd_log_tick, .arg = &w,
	};
	struct index *ix = NULL;
	struct undo_sums sums = { .acts = 0 };
	char x[NUM_SHOW_MAX];
	bool listed;
	int ret;

	if (cmd_open(c->globals, a->dry_run ? 0 : INDEX_WRITE | INDEX_EXISTING, &ix, err) < 0)
		return -1;
	u.ix = ix;
	w.d = cmd_doc(c);
	if (w.d != NULL)
		doc_list(w.d, "acts");
	cmd_progress_begin_count(&w.progress, c, "undo");
	ret = undo_run(&u, &sums, err);
	progress_clear(&w.progress.line);
	index_close(ix);
	cmd_log_end_undo(&w);
	listed = w.files.n <= CMD_PREVIEW_LINES;
	vec_release(&w.files);
	buf_release(&w.first);
	arena_release(&w.paths);
	if (w.d != NULL) {
		doc_list_end(w.d);
		doc_int(w.d, "undone", sums.done);
		doc_bool(w.d, "dry_run", a->dry_run);
		ret = doc_close(w.d, ret, err);
	}
	if (ret < 0 && sums.done == 0)
		return -1;
	if (sums.unindexed > 0)
		cmd_notice(c, "%s back in directories that are not in the index any more: 'scan' brings them in", num_show_things(sums.unindexed, "file is", "files are", x));
	/* Without a number the next undo would meet the same acts. */
	if (ret == 0 && !a->dry_run && sums.done == 0 && sums.reach > 0)
		cmd_notice(c, "nothing of the last run can be undone: '%s undo %" PRId64 "' goes on with the run before it", prog_name(), sums.reach);
	if (!c->globals->quiet && w.d == NULL)
		fprintf(c->out, "%s%s %s%s\n", a->dry_run ? "at most " : "", num_show_things(a->dry_run ? sums.acts : sums.done, "act", "acts", x),
		        a->dry_run ? "would be undone" : "undone", listed ? "" : "; -v lists them");
	return ret < 0 ? -1 : sums.acts == 0 || (!a->dry_run && sums.done < sums.acts) ? CMD_NO : CMD_OK;
}

static int
cmd_log_undo(const struct cmd_call *c, struct err *err)
{
	struct cmd_paths paths = { 0 };
	int64_t most = 0;
	int ret;

	/* A number is one of acts: ./7 is a file. */
	if (c->n_operands == 1 && num_parse_int(c->operands[0], 0, INT64_MAX, &most) == 0)
		ret = most > 0 ? 0 : err_set(err, ERR_USAGE, "undo takes the number of acts, from 1, not '%s'", c->operands[0]);
	else {
		most = 0;
		ret = cmd_paths_add(c, (const char *const *)c->operands, (size_t)c->n_operands, &paths, err);
	}
	if (ret == 0)
		ret = cmd_log_undo_chosen(c, most, &paths, err);
	cmd_paths_release(&paths);
	return ret;
}

struct cmd_log_recover_args {
	bool dry_run;
};

static const struct opt cmd_log_recover_opts[] = {
	OPT_FLAG_('n', "dry-run", struct cmd_log_recover_args, dry_run, "only show what was found"),
	OPT_END
};

/* recover_fn */
static void
cmd_log_found(void *arg, const struct recover_found *f)
{
	const struct cmd_log_undo *w = arg;
	const struct cmd_call *c = w->c;
	struct buf b = { 0 };

	if (w->d != NULL) {
		doc_object(w->d, NULL);
		doc_path(w->d, "path", f->path);
		doc_path(w->d, "was", f->was);
		doc_bool(w->d, "second_name", f->second);
		doc_bool(w->d, "part_of_copy", f->part);
		doc_bool(w->d, "done", f->done);
		doc_text(w->d, "why", f->why);
		doc_object_end(w->d);
	}
	if (w->d != NULL && f->why == NULL)
		return;
	if (f->why != NULL) {
		cmd_message(c, "'%s' stays: %s", f->path, f->why);
		return;
	}
	buf_adds(&b, f->second ? (f->done ? "second name removed: " : "second name: ") :
	         f->part ? (f->done ? "part of a copy removed: " : "part of a copy: ") : f->done ? "restored: " : "found: ");
	cmd_add_path(c, &b, f->done && !f->second && !f->part ? f->was : f->path);
	if (!f->done) {
		buf_adds(&b, f->second || f->part ? " (of " : " (was ");
		cmd_add_path(c, &b, f->was);
		buf_addc(&b, ')');
	}
	buf_addc(&b, '\n');
	fwrite(b.data, 1, b.len, c->out);
	buf_release(&b);
}

static int
cmd_log_recover(const struct cmd_call *c, struct err *err)
{
	const struct cmd_log_recover_args *a = c->args;
	struct cmd_log_undo w = { .c = c };
	int64_t found, done;
	int ret;

	w.d = cmd_doc(c);
	if (w.d != NULL)
		doc_list(w.d, "found");
	ret = recover_run(c->ix, c->target->paths.v, c->target->paths.n, a->dry_run, cmd_log_found, &w, &found, &done, err);
	if (w.d != NULL) {
		doc_list_end(w.d);
		doc_bool(w.d, "dry_run", a->dry_run);
		ret = doc_close(w.d, ret, err);
	}
	if (ret < 0)
		return -1;
	if (found == 0 && !c->globals->quiet && w.d == NULL)
		fputs("nothing is left of killed runs\n", c->out);
	if (done > 0 && !c->globals->quiet)
		cmd_message(c, "'%s scan' brings the index up to date", prog_name());
	return a->dry_run ? (found > 0 ? CMD_NO : CMD_OK) : found > done ? CMD_PARTLY : CMD_OK;
}

const struct cmd cmd_log = {
	.name = "log",
	.operands = "[PATH...]",
	.summary = "list what rm, link and safe --rescue did, and what was undone",
	.help = "A terminal is shown a line for each run; -v lists the files, and the copies that stayed.\n"
	        "With PATH, only acts on files at or below it, and acts of which the copy there stayed.  The\n"
	        "journal lies beside the index.",
	.opts = cmd_log_opts,
	.args_size = sizeof(struct cmd_log_args),
	.flags = CMD_READS | CMD_TELLS | CMD_PATHS,
	.run = cmd_log_run,
};

const struct cmd cmd_undo = {
	.name = "undo",
	.operands = "[N | PATH...]",
	.summary = "take back what rm, link and safe --rescue did, while it can be",
	.help = "Without N, all acts of the last run; with N, the last N acts; with PATH, those of the last run\n"
	        "that had any at or below it, on files there.  A removed file comes back as\n"
	        "a copy of any file with its content, a link becomes a file of its own, and a file in the\n"
	        "trash moves back, each with its owner, mode, attributes and time.  A copy that safe --rescue\n"
	        "made goes, while its original is there.  undo replaces only links that it takes back.\n"
	        "Exit status 1: there is nothing to undo, or something could not be\n"
	        "undone.",
	.opts = cmd_log_undo_opts,
	.args_size = sizeof(struct cmd_log_undo_args),
	.no = "not_undone",
	.flags = CMD_TELLS,
	.run = cmd_log_undo,
};

const struct cmd cmd_recover = {
	.name = "recover",
	.operands = "[DIR...]",
	.summary = "give files their names back after rm or link was killed",
	.help = "Looks in the directories that the journal names, and at and below DIR for files that a\n"
	        "killed script of rmsh --portable left, which has no journal.  An unfinished copy of a killed\n"
	        "safe --rescue goes, while its original is there; no other content is removed.  Exit\n"
	        "status 1: -n found some; 3: some could not get their names back.",
	.opts = cmd_log_recover_opts,
	.args_size = sizeof(struct cmd_log_recover_args),
	.no = "found",
	.flags = CMD_WRITES | CMD_TELLS | CMD_PATHS | CMD_KNOWN,
	.run = cmd_log_recover,
};
