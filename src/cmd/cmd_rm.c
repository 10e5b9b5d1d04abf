/* SPDX-License-Identifier: MIT */
/*
 * twindex rm - remove files of which a verified copy stays; twindex link - make links of them;
 * twindex rmsh - the same as a shell script, to read and edit first.
 *
 * act/plan chooses the files to act on and those that stay, act/protocol acts; this file asks, and
 * cmd_act reports.
 *
 * All runs in the calling thread.
 *
 * Invariant: nobody waits for the index while a person thinks.  What is asked about is planned
 * without the writer's lock, and planned once more under it; what is not in both plans stays.
 */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "act/foresee.h"
#include "cmd/cmd.h"
#include "cmd/cmd_act.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_wholes.h"
#include "db/db.h"
#include "index/index.h"
#include "sys/fs.h"
#include "sys/reflink.h"
#include "sys/resolve.h"
#include "sys/stop.h"
#include "ui/pager.h"
#include "ui/script.h"
#include "ui/width.h"

static const struct cmd_act_words cmd_act_words[] = {
	[ACT_REMOVE] = { "remove", "removed", "removed", "nothing is removed" },
	[ACT_HARD] = { "hard-link", "hard-linked", "hard-linked", "nothing is linked" },
	[ACT_SOFT] = { "soft-link", "soft-linked", "soft-linked", "nothing is linked" },
	[ACT_REFLINK] = { "reflink", "reflinked", "reflinked", "nothing is linked" },
	[ACT_TRASH] = { "move to the trash", "moved to the trash", "to the trash", "nothing is removed" },
};

static int
cmd_act_dry_run(struct cmd_act *r)
{
	const struct cmd_call *c = r->c;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	int64_t frees;
	const int64_t n = cmd_act_count(r, &r->plan, &frees);

	if (r->d != NULL) {
		for (size_t i = 0; i < r->plan.groups.n; i++)
			cmd_act_doc_group(r->d, &r->plan.groups.v[i]);
		r->listed = true;
		cmd_act_doc_end(r, &r->plan, n, frees);
	} else if (!c->globals->quiet) {
		cmd_act_tell_plan(r, &r->plan, c->out, n);
		cmd_act_tell_reasons(r, c->out);
		fprintf(c->out, "would %s %s, %s%s on disk\n", r->words->verb, num_show_things(n, "file", "files", x), cmd_act_at_most(r), num_show_size(frees, NUM_IEC, y));
	}
	cmd_act_tell_loss(r, &r->plan);
	return 0;
}

/* Write the plan as a script. */
static int
cmd_act_script(struct cmd_act *r, const struct index *ix)
{
	const struct cmd_call *c = r->c;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	struct buf program = { 0 }, what = { 0 };
	struct script s = { .kind = r->kind, .portable = r->a->portable, .any_attributes = r->any_attributes,
	                    .from_backup = r->keep.from_backup.n > 0, .index = ix->path, .now = (int64_t)time(NULL) };
	int64_t frees;
	const int64_t n = cmd_act_count(r, &r->plan, &frees);

	buf_addf(&what, "is to %s %s, %s%s on disk", r->words->verb, num_show_things(n, "file", "files", x), cmd_act_at_most(r), num_show_size(frees, NUM_IEC, y));
	s.what = buf_str(&what);
	if (!resolve_own_program(&program))
		buf_adds(&program, "twindex");
	s.program = buf_str(&program);
	script_begin(&s, c->out);
	for (size_t i = 0; i < r->plan.groups.n; i++) {
		const struct act_group *g = &r->plan.groups.v[i];

		for (size_t j = 0; j < g->n; j++)
			script_pair(&s, c->out, g->victims[j].file.path, g->keepers[0].path);
	}
	script_end(c->out);
	if (!c->globals->quiet) {
		cmd_message(c, "the script %s", s.what);
		if (r->n_stay > 0 && c->globals->verbose == 0)
			cmd_message(c, "%s: -v lists them", num_show_things(r->n_stay, "other file stays", "other files stay", x));
	}
	buf_release(&program);
	buf_release(&what);
	return 0;
}

/* Ask once for all, until there is an answer.  Returns 0 or -1. */
static int
cmd_act_ask_all(struct cmd_act *r, struct err *err)
{
	const struct cmd_call *c = r->c;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	int64_t frees;
	const int64_t n = cmd_act_count(r, &r->asked, &frees);
	struct buf question = { 0 }, files = { 0 };
	enum cmd_sure sure;

	cmd_act_tell_plan(r, &r->asked, c->msg, n);
	cmd_act_tell_reasons(r, c->msg);
	fflush(c->out);
	cmd_act_tell_loss(r, &r->asked);
	if (r->kind == ACT_HARD)
		cmd_message(c, "hard links are one file: a change to one name is a change to all");
	buf_addf(&question, "%s %s, %s%s on disk? [yes, list, No] ", r->words->verb, num_show_things(n, "file", "files", x), cmd_act_at_most(r),
	         num_show_size(frees, NUM_IEC, y));
	while ((sure = cmd_ask_sure(c, stdin, buf_str(&question))) == CMD_SURE_LIST) {
		buf_cut(&files, 0);
		cmd_act_add_files(r, &files, &r->asked);
		if (!pager_show(buf_str(&files), files.len))
			fwrite(files.data, 1, files.len, c->msg);
	}
	buf_release(&question);
	buf_release(&files);
	for (size_t i = 0; sure == CMD_SURE_YES && i < r->asked.groups.n; i++) {
		const struct act_group *g = &r->asked.groups.v[i];

		for (size_t j = 0; j < g->n; j++)
			pathset_add(&r->agreed, g->victims[j].file.path, r->agreed.n);
	}
	return stop_check(err);
}

/* A file stays because the answer was not yes.  Who gave it needs no line. */
static void
cmd_act_declined(struct cmd_act *r, const char *path)
{
	r->n_stay++;
	if (r->d != NULL)
		cmd_act_doc_stays(r->d, path, PLAN_STAYS, "nobody agreed to it");
}

/* Ask for each file.  Returns 0 or -1. */
static int
cmd_act_ask_each(struct cmd_act *r, struct err *err)
{
	const struct cmd_call *c = r->c;
	struct buf question = { 0 };
	char answer = 'n';
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < r->asked.groups.n; i++) {
		const struct act_group *g = &r->asked.groups.v[i];

		for (size_t j = 0; ret == 0 && j < g->n; j++) {
			if (answer != 'a' && answer != 'q' && answer != 0) {
				cmd_act_pair(r, c->msg, r->words->verb, g->victims[j].file.path, g->keepers[0].path);
				buf_cut(&question, 0);
				buf_addf(&question, "%s? [y/N/a/q] ", r->words->verb);
				answer = cmd_answer(c, stdin, buf_str(&question));
				ret = stop_check(err);
			}
			if (ret == 0 && (answer == 'y' || answer == 'a'))
				pathset_add(&r->agreed, g->victims[j].file.path, r->agreed.n);
			else if (ret == 0)
				cmd_act_declined(r, g->victims[j].file.path);
		}
	}
	buf_release(&question);
	return ret;
}

/* protocol_tick_fn */
static void
cmd_act_tick(void *arg, int64_t files, int64_t bytes)
{
	cmd_progress_act(&((struct cmd_act *)arg)->progress, files, bytes);
}

/* Start the progress line of the plan. */
static void
cmd_act_begin_progress(struct cmd_act *r)
{
	int64_t files = 0, bytes = 0;

	for (size_t i = 0; i < r->plan.groups.n; i++) {
		const struct act_group *g = &r->plan.groups.v[i];

		files += (int64_t)g->n;
		for (size_t j = 0; j < g->n; j++)
			bytes = num_add(bytes, g->victims[j].file.row.size);
	}
	cmd_progress_begin_act(&r->progress, r->c, r->c->cmd->name, files, bytes);
}

/* Act on what was planned.  Returns 0 or -1. */
static int
cmd_act_run_plan(struct cmd_act *r, struct index *ix, struct err *err)
{
	const struct protocol run = {
		.ix = ix, .kind = r->kind, .any_attributes = r->any_attributes, .trust_cache = r->a->trust_cache,
		.command = r->c->cmd->name, .told = cmd_act_told,
		.tick = cmd_act_tick, .arg = r,
	};
	int ret;

	if (r->plan.groups.n == 0)
		return 0;
	if (!r->again)
		cmd_act_tell_loss(r, &r->plan);
	cmd_act_begin_progress(r);
	ret = protocol_run(&run, r->plan.groups.v, r->plan.groups.n, err);
	progress_clear(&r->progress.line);
	return ret;
}

/*
 * Do what was planned.  Returns 0, or -1 with *err, with the sums of what was done in either case.
 */
static int
cmd_act_do(struct cmd_act *r, struct index *ix, struct err *err)
{
	const struct cmd_call *c = r->c;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];
	int ret = cmd_act_run_plan(r, ix, err);

	/* Who agreed to nothing has no index open for writing. */
	if (ret == 0 && r->a->prune && ix != NULL)
		ret = prune_run(&r->prune, ix, &(struct prune_query){
			.operands = &r->operands, .empty = r->a->recursive && !r->a->marked, .hidden = r->a->hidden,
			.inside = c->wholes->inside, .wholes = c->wholes->more.v, .n_wholes = c->wholes->more.n, .keep = &r->keep.keep,
		}, cmd_act_pruned, r, err);
	if (r->d != NULL) {
		r->listed = true;
		cmd_act_doc_end(r, NULL, r->n_done, r->freed);
		doc_int(r->d, "directories", r->n_pruned);
	}
	if (c->globals->quiet || r->d != NULL)
		return ret;
	cmd_act_tell_reasons(r, c->out);
	fprintf(c->out, "%s %s", num_show_things(r->n_done, "file", "files", x), r->words->done);
	if (r->n_done > 0 && r->kind != ACT_TRASH)
		fprintf(c->out, ", %s%s freed on disk", cmd_act_at_most(r), num_show_size(r->freed, NUM_IEC, y));
	if (r->n_pruned > 0)
		fprintf(c->out, ", and %s", num_show_things(r->n_pruned, "directory", "directories", x));
	fputc('\n', c->out);
	if (c->tty && r->n_done > 0)
		width_print(c->out, "'undo' takes that back; 'log -v' shows which copies stayed\n", WIDTH_MORE, c->env->width);
	return ret;
}

/* The exit status of what was done, or would be. */
static int
cmd_act_status(const struct cmd_act *r, const struct plan *plan)
{
	const struct cmd_call *c = r->c;
	char x[NUM_SHOW_MAX];

	if (r->n_alone > 0)
		cmd_notice(c, "%s left alone in hidden directories or other users' directories%s",
		           num_show_things(r->n_alone, "file", "files", x),
		           c->globals->verbose > 0 ? "" : ": -v lists them, --include-hidden includes them");
	if (r->n_read_only > 0)
		cmd_notice(c, "%s left alone on read-only mounts%s", num_show_things(r->n_read_only, "file", "files", x),
		           c->globals->verbose > 0 ? "" : ": -v lists them");
	if (r->n_backup > 0)
		cmd_notice(c, "%s left alone in backups%s", num_show_things(r->n_backup, "file", "files", x),
		           c->globals->verbose > 0 ? "" : ": -v lists them, --from-backup DIR lets those in DIR go");
	cmd_wholes_tell(c, r->n_whole, plan->wholes | r->asked.wholes);
	c->verdict->gaps = plan->gaps;
	c->verdict->unproven = r->n_unsure;
	return r->n_stay + r->n_alone + r->n_read_only + r->n_backup + r->n_whole > 0 ? CMD_NO : CMD_OK;
}

/* tick_fn */
static void
cmd_act_plan_tick(void *arg, int64_t done, int64_t all)
{
	cmd_progress_count(&((struct cmd_act *)arg)->progress, done, all);
}

/* The entry of the volume of a victim, which is tried where it is met first. */
static struct cmd_act_volume *
cmd_act_volume_of(struct cmd_act *r, const struct act_file *f)
{
	struct cmd_act_volume *v = NULL;
	int fd;

	for (size_t i = 0; i < r->volumes.n && v == NULL; i++)
		v = r->volumes.v[i].number == f->row.inode.volume ? &r->volumes.v[i] : NULL;
	if (v != NULL)
		return v;
	v = vec_add(&r->volumes);
	*v = (struct cmd_act_volume){ .number = f->row.inode.volume, .may_share = true, .dir = arena_dup(&r->texts, f->path, path_parent_len(f->path)) };
	fd = open(v->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		v->may_share = reflink_may_work(fd);
		(void)close(fd);
	}
	return v;
}

/* Whether a copy of a group's i-th victim lies on its volume. */
static bool
cmd_act_has_near(const struct act_group *g, size_t i)
{
	bool near = false;

	for (size_t k = 0; k < g->n_keepers; k++)
		near |= g->keepers[k].row.inode.volume == g->victims[i].file.row.inode.volume;
	return near;
}

/*
 * Take out of a plan what lies where no file shares blocks, and say so once for each volume.  Of
 * what has its copies on other volumes the act tells that.
 */
static void
cmd_act_drop_reflinks(struct cmd_act *r, struct plan *plan)
{
	static const char why[] = "its file system shares no blocks";
	char x[NUM_SHOW_MAX];

	for (size_t i = 0; i < plan->groups.n; i++) {
		const struct act_group *g = &plan->groups.v[i];

		for (size_t j = 0; j < g->n; j++) {
			struct cmd_act_volume *v = cmd_act_volume_of(r, &g->victims[j].file);

			if (v->may_share || !cmd_act_has_near(g, j))
				continue;
			v->n_stay++;
			g->victims[j].skip = true;
			if (r->d != NULL)
				cmd_act_doc_stays(r->d, g->victims[j].file.path, PLAN_UNSURE, why);
			else if (r->c->globals->verbose > 0)
				cmd_message(r->c, "'%s' stays: %s", g->victims[j].file.path, why);
		}
	}
	plan_drop_skipped(plan);
	for (size_t i = 0; i < r->volumes.n; i++) {
		const struct cmd_act_volume *v = &r->volumes.v[i];

		r->n_unsure += v->n_stay;
		if (v->n_stay > 0)
			cmd_notice(r->c, "the file system of '%s' shares no blocks: %s; --hard makes links there", v->dir,
			           num_show_things(v->n_stay, "file stays", "files stay", x));
	}
}

static int
cmd_act_make_plan(struct cmd_act *r, struct plan *plan, struct index *ix, struct err *err)
{
	const struct plan_query q = {
		.kind = r->kind, .keep = &r->keep.keep, .paths = r->paths->v, .n_paths = r->paths->n, .marked = r->a->marked, .hidden = r->a->hidden,
		.untried = r->a->dry_run, .inside = r->c->wholes->inside, .wholes = r->c->wholes->more.v, .n_wholes = r->c->wholes->more.n,
		.stay = cmd_act_stay, .gap = cmd_act_gap, .tick = cmd_act_plan_tick, .arg = r,
	};
	/* The act follows at once, and tells what it refuses itself. */
	const bool acts = !r->a->dry_run && !r->script && (r->a->yes || r->again || r->a->plan != NULL);
	int ret;

	cmd_progress_begin_count(&r->progress, r->c, "plan");
	ret = plan_make(plan, ix, &q, err);
	progress_clear(&r->progress.line);
	if (ret == 0 && !acts)
		foresee_refused(plan, r->kind, r->any_attributes, cmd_act_stay, r);
	/* What a person agreed to may work. */
	if (ret == 0 && r->kind == ACT_REFLINK && !r->script && !r->again)
		cmd_act_drop_reflinks(r, plan);
	return ret;
}

static int
cmd_act_plan(struct cmd_act *r, struct plan *plan, struct index *ix, struct err *err)
{
	/* An open transaction already sees one state of the index. */
	if (ix->db->in_transaction)
		return cmd_act_make_plan(r, plan, ix, err);
	return db_begin_read(ix->db, err) < 0 ? -1 : db_end(ix->db, cmd_act_make_plan(r, plan, ix, err), err);
}

/*
 * Refuse a symbolic link as operand: rm and ln act on the link itself, while the resolved path
 * would remove its target.
 */
static int
cmd_act_check_link(const struct cmd_call *c, const char *typed, struct err *err)
{
	struct buf path = { 0 };
	struct fs_stat st;
	bool link;

	if (typed[0] != '/' && c->base != NULL) {
		buf_adds(&path, c->base);
		buf_addc(&path, '/');
	}
	buf_adds(&path, typed);
	link = fs_stat_path(buf_str(&path), &st) == 0 && S_ISLNK(st.mode);
	buf_release(&path);
	return link ? err_set(err, ERR_USAGE, "'%s' is a symbolic link: name the file itself", typed) : 0;
}

/* Check what was typed: every path is known, and a directory was meant as such. */
static int
cmd_act_check_paths(struct cmd_act *r, struct index *ix, struct err *err)
{
	struct cmd_call with = *r->c;
	struct fs_stat st;

	with.ix = ix;
	for (int i = 0; i < r->c->n_operands; i++) {
		if (cmd_act_check_link(r->c, r->c->operands[i], err) < 0)
			return -1;
	}
	if (cmd_paths_known(&with, r->paths, err) < 0)
		return -1;
	for (size_t i = 0; i < r->paths->n && !r->a->recursive && !r->a->marked; i++) {
		if (fs_stat_path(r->paths->v[i], &st) == 0 && S_ISDIR(st.mode))
			return err_set(err, ERR_USAGE, "'%s' is a directory: use -r for the files in it that have a copy", r->paths->v[i]);
	}
	cmd_paths_prune(r->paths, false);
	if (cmd_keep_open(&r->keep, r->c, ix, err) < 0 || cmd_keep_restrict(&r->keep, r->paths, err) < 0)
		return -1;
	cmd_paths_set(r->paths, &r->operands);
	return 0;
}

/*
 * Plan without the writer's lock and ask as the options say.  Returns 1 when something is agreed
 * to, 0, or -1.
 */
static int
cmd_act_ask(struct cmd_act *r, struct err *err)
{
	struct index *ix;
	int ret;

	if (cmd_open(r->c->globals, 0, &ix, err) < 0)
		return -1;
	ret = cmd_act_check_paths(r, ix, err);
	if (ret == 0)
		ret = cmd_act_plan(r, &r->asked, ix, err);
	index_close(ix);
	if (ret == 0 && r->asked.groups.n > 0 && r->a->interactive)
		cmd_act_tell_loss(r, &r->asked);
	if (ret == 0 && r->asked.groups.n > 0)
		ret = r->a->interactive ? cmd_act_ask_each(r, err) : cmd_act_ask_all(r, err);
	pathset_sort(&r->agreed);
	return ret < 0 ? -1 : r->agreed.n > 0;
}

/* Take files that nobody has agreed to out of the plan made again. */
static void
cmd_act_skip(struct cmd_act *r)
{
	size_t number;

	for (size_t i = 0; i < r->plan.groups.n; i++) {
		const struct act_group *g = &r->plan.groups.v[i];

		for (size_t j = 0; j < g->n; j++) {
			const char *path = g->victims[j].file.path;

			g->victims[j].skip = !pathset_find(&r->agreed, path, strlen(path), &number);
		}
	}
	plan_drop_skipped(&r->plan);
}

/* Read the document of --plan, and note its files that are there. */
static int
cmd_act_read_plan(struct cmd_act *r, struct index *ix, struct err *err)
{
	struct fs_stat st;

	if (plan_file_read(&r->given, ix->db, r->c->cmd->name, r->a->plan, err) < 0)
		return -1;
	r->kind = r->given.terms.kind;
	r->words = &cmd_act_words[r->kind];
	r->any_attributes = r->given.terms.any_attributes;
	for (size_t i = 0; i < r->given.files.n; i++) {
		const char *path = r->given.files.v[i].path;

		if (fs_stat_path(path, &st) == 0 && S_ISREG(st.mode))
			vec_push(r->paths, mem_str(path));
		else
			cmd_act_stay(r, path, PLAN_STAYS, "it no longer exists");
	}
	return 0;
}

/* Make the document's plan again, and skip files for which it no longer holds. */
static int
cmd_act_plan_given(struct cmd_act *r, struct index *ix, struct err *err)
{
	static const char *const all[] = { "/" };
	const struct plan_terms *terms = &r->given.terms;

	if (cmd_act_read_plan(r, ix, err) < 0 || cmd_act_check_paths(r, ix, err) < 0)
		return -1;
	if (r->keep.keep.copies < terms->copies)
		r->keep.keep.copies = terms->copies;
	r->keep.keep.backups_count |= terms->backups_count;
	if (terms->from_backup) {
		r->keep.keep.from_backup = all;
		r->keep.keep.n_from_backup = 1;
	}
	if (r->paths->n == 0)
		return 0;
	if (cmd_act_plan(r, &r->plan, ix, err) < 0)
		return -1;
	plan_file_hold(&r->given, &r->plan, cmd_act_stay, r);
	return 0;
}

/* Plan and act.  Takes the writer's lock unless nothing is to be done. */
static int
cmd_act_go(struct cmd_act *r, struct err *err)
{
	struct index *ix;
	int ret;

	const bool only_told = r->a->dry_run || r->script;

	if (cmd_open(r->c->globals, only_told ? 0 : INDEX_WRITE | INDEX_EXISTING, &ix, err) < 0)
		return -1;
	ret = r->again || r->a->plan != NULL ? 0 : cmd_act_check_paths(r, ix, err);
	if (ret == 0)
		ret = r->a->plan != NULL ? cmd_act_plan_given(r, ix, err) : cmd_act_plan(r, &r->plan, ix, err);
	if (ret == 0 && r->again)
		cmd_act_skip(r);
	if (ret == 0)
		ret = r->script ? cmd_act_script(r, ix) : r->a->dry_run ? cmd_act_dry_run(r) : cmd_act_do(r, ix, err);
	index_close(ix);
	return ret < 0 ? -1 : cmd_act_status(r, &r->plan);
}

/* As the options say: ask, then do it. */
static int
cmd_act_all(struct cmd_act *r, struct err *err)
{
	int agreed;

	if (r->a->dry_run || r->a->yes || r->script || r->a->plan != NULL)
		return cmd_act_go(r, err);
	agreed = cmd_act_ask(r, err);
	if (agreed < 0)
		return -1;
	if (agreed == 0 && r->asked.groups.n > 0) {
		cmd_message(r->c, "%s", r->words->none);
		return CMD_NO;
	}
	if (agreed == 0)
		return cmd_act_do(r, NULL, err) < 0 ? -1 : cmd_act_status(r, &r->asked);
	r->again = true;
	return cmd_act_go(r, err);
}

/*
 * Run a command for a kind of act; script: nothing is done, what would be is written as a script.
 * Returns an exit status, or -1 with *err.
 */
static int
cmd_act_run(const struct cmd_call *c, enum act_kind kind, bool script, struct err *err)
{
	struct cmd_act r = { .c = c, .paths = &c->target->paths, .kind = kind, .words = &cmd_act_words[kind], .a = c->args, .script = script };
	int ret;

	if (r.a->plan != NULL && (c->n_operands > 0 || r.a->marked || r.a->recursive || r.a->interactive || r.a->prune || r.a->trash))
		return err_set(err, ERR_USAGE, "a plan already says which files and what to do: --plan takes no path, and of the options for files only -n");
	if (c->n_operands == 0 && !r.a->marked && r.a->plan == NULL)
		return err_set(err, ERR_USAGE, "%s needs a path, or --marked", c->cmd->name);
	if (r.a->plan == NULL && !r.a->dry_run && !r.a->yes && !r.a->interactive && !script && (isatty(0) != 1 || isatty(fileno(c->msg)) != 1))
		return err_set(err, ERR_USAGE, "there is no terminal to ask on: use --yes to go on, or -n to see what would be done");
	r.any_attributes = r.a->any_attributes;
	r.d = cmd_doc(c);
	if (r.d != NULL)
		doc_list(r.d, "files");
	ret = cmd_act_all(&r, err);
	if (r.d != NULL) {
		const int status = ret;

		if (!r.listed)
			cmd_act_doc_end(&r, NULL, r.n_done, r.freed);
		ret = doc_close(r.d, ret, err) < 0 ? -1 : status;
	}
	plan_release(&r.plan);
	plan_release(&r.asked);
	plan_file_release(&r.given);
	pathset_release(&r.agreed);
	prune_release(&r.prune);
	pathset_release(&r.operands);
	vec_release(&r.reasons);
	vec_release(&r.volumes);
	arena_release(&r.texts);
	cmd_keep_release(&r.keep);
	return ret;
}

/* Options of all acts: those that say which files are meant, and how they are asked about. */
#define CMD_RM_WHICH_OPTS \
	OPT_FLAG_('r', "recursive", struct cmd_act_args, recursive, "PATH may be a directory: act on the files below it that have a copy"), \
	OPT_FLAG_(0, "marked", struct cmd_act_args, marked, "only files marked drop, at and below PATH or anywhere"), \
	OPT_FLAG_(0, "include-hidden", struct cmd_act_args, hidden, "also in hidden directories and those of other users"),

#define CMD_RM_ASK_OPTS \
	OPT_FLAG_('n', "dry-run", struct cmd_act_args, dry_run, "only show what would be done"), \
	OPT_FLAG_('y', "yes", struct cmd_act_args, yes, "do not ask"), \
	OPT_FLAG_('i', "interactive", struct cmd_act_args, interactive, "ask for each file: y, n, a (all that follow), q (no more)"),

static const struct opt cmd_rm_opts[] = {
	CMD_RM_WHICH_OPTS
	CMD_RM_ASK_OPTS
	OPT_FLAG_(0, "prune-empty", struct cmd_act_args, prune, "also remove directories that are empty then"),
	OPT_FLAG_(0, "trust-cache", struct cmd_act_args, trust_cache, "compare with copies that are cached in memory, not with the disk"),
	OPT_FLAG_(0, "trash", struct cmd_act_args, trash, "move files into the trash of their volume"),
	OPT_STRING_(0, "plan", struct cmd_act_args, plan, "FILE", "do exactly what -n --json planned (- is standard input); files that changed since stay"),
	OPT_END
};

static const struct opt cmd_rm_link_opts[] = {
	OPT_FLAG_(0, "hard", struct cmd_act_args, hard, "the file becomes another name of its copy"),
	OPT_FLAG_(0, "soft", struct cmd_act_args, soft, "the file becomes a relative symbolic link to its copy"),
	OPT_FLAG_(0, "reflink", struct cmd_act_args, reflink, "the file shares its copy's blocks on the disk (btrfs, xfs), but stays a file of its own"),
	OPT_FLAG_(0, "any-attributes", struct cmd_act_args, any_attributes, "also where owner, group, mode or extended attributes differ"),
	OPT_FLAG_(0, "trust-cache", struct cmd_act_args, trust_cache, "compare with copies that are cached in memory, not with the disk"),
	CMD_RM_WHICH_OPTS
	CMD_RM_ASK_OPTS
	OPT_STRING_(0, "plan", struct cmd_act_args, plan, "FILE", "do exactly what -n --json planned (- is standard input); files that changed since stay"),
	OPT_END
};

static const struct opt cmd_rm_rmsh_opts[] = {
	CMD_RM_WHICH_OPTS
	OPT_FLAG_(0, "hard", struct cmd_act_args, hard, "files become other names of their copies, as by link --hard"),
	OPT_FLAG_(0, "soft", struct cmd_act_args, soft, "files become symbolic links to their copies, as by link --soft"),
	OPT_FLAG_(0, "reflink", struct cmd_act_args, reflink, "files share their copies' blocks, as by link --reflink"),
	/* Older names of --hard and --soft. */
	OPT_FLAG_(0, "hardlink", struct cmd_act_args, hard, NULL),
	OPT_FLAG_(0, "link", struct cmd_act_args, soft, NULL),
	OPT_FLAG_(0, "trash", struct cmd_act_args, trash, "files go into the trash of their volume, as by rm --trash"),
	OPT_FLAG_(0, "any-attributes", struct cmd_act_args, any_attributes, "links also where owner, group, mode or extended attributes differ"),
	OPT_FLAG_(0, "portable", struct cmd_act_args, portable, "the script needs no twindex, but cmp, ln, mv and rm"),
	OPT_END
};

static int
cmd_rm_remove(const struct cmd_call *c, struct err *err)
{
	const struct cmd_act_args *a = c->args;

	return cmd_act_run(c, a->trash ? ACT_TRASH : ACT_REMOVE, false, err);
}

const struct cmd cmd_rm = {
	.name = "rm",
	.operands = "PATH...",
	.summary = "remove files that have another copy, compared byte by byte first",
	.help = "A file goes only if a copy of it outside of PATH is in the index, and is there now with the\n"
	        "same bytes.  Where all copies are below PATH, one stays: the one that --keep chooses,\n"
	        "otherwise a live one rather than one in a backup or Downloads, or a hidden one.  Unique\n"
	        "files, last copies and files marked keep stay, and are listed.  Files in a declared backup\n"
	        "(scan --backup) stay, and copies there count only with --backups-count or --in.  Below PATH, hidden\n"
	        "directories, those of other users and read-only mounts are left alone, and git work trees,\n"
	        "environments, mail stores and the like go as a whole, hidden parts too, or stay (--inside).  Each removal is\n"
	        "written to the journal beside the index first.  On a terminal rm asks first;\n"
	        "elsewhere it needs --yes, -i or -n.  Exit status 1: some files stay; 3: some could not be\n"
	        "judged or removed.",
	.opts = cmd_rm_opts,
	.args_size = sizeof(struct cmd_act_args),
	.flags = CMD_TALKS | CMD_CHOOSES | CMD_WHOLES | CMD_LETS_GO | CMD_TELLS | CMD_PATHS,
	.no = "some_stay",
	.run = cmd_rm_remove,
};

/* The kind of link that is asked for, or none: ACT_REMOVE. */
static enum act_kind
cmd_rm_link_kind(const struct cmd_act_args *a)
{
	return a->hard ? ACT_HARD : a->soft ? ACT_SOFT : a->reflink ? ACT_REFLINK : ACT_REMOVE;
}

static int
cmd_rm_link(const struct cmd_call *c, struct err *err)
{
	const struct cmd_act_args *a = c->args;

	if (a->hard + a->soft + a->reflink != (a->plan == NULL))
		return err_set(err, ERR_USAGE, a->plan != NULL ? "the plan says which links to make" :
		               "link needs one of --hard (both names are one file: a change to one is a change to both), "
		               "--reflink (two files that share blocks, on btrfs and xfs) and --soft (a symbolic link to the copy)");
	return cmd_act_run(c, cmd_rm_link_kind(a), false, err);
}

const struct cmd cmd_link = {
	.name = "link",
	.operands = "PATH...",
	.summary = "replace files by links to another copy, compared byte by byte first",
	.help = "Each file that rm would remove becomes a link to the copy that stays, of the kind that is\n"
	        "given.  Its name leads to its content at every moment.  A hard or soft link shows the copy's\n"
	        "owner, mode and times, so a file with other owner, mode or attributes stays.  A file on\n"
	        "another volume than its copy stays, except with --soft.  A soft link breaks when its copy is\n"
	        "removed.  Bytes are counted as freed only if the disk has them back.  Exit status 1: some\n"
	        "files stay; 3: some could not be judged or linked.",
	.opts = cmd_rm_link_opts,
	.args_size = sizeof(struct cmd_act_args),
	.flags = CMD_TALKS | CMD_CHOOSES | CMD_WHOLES | CMD_LETS_GO | CMD_TELLS | CMD_PATHS,
	.no = "some_stay",
	.run = cmd_rm_link,
};

static int
cmd_rm_rmsh(const struct cmd_call *c, struct err *err)
{
	const struct cmd_act_args *a = c->args;

	if (a->hard + a->soft + a->reflink + a->trash > 1)
		return err_set(err, ERR_USAGE, "rmsh takes one of --trash, --hard, --soft and --reflink");
	if (a->any_attributes && !a->hard && !a->soft)
		return err_set(err, ERR_USAGE, "--any-attributes is for --hard and --soft");
	if (a->trash && a->portable)
		return err_set(err, ERR_USAGE, "--portable cannot use the trash");
	if (a->reflink && a->portable)
		return err_set(err, ERR_USAGE, "--portable can't make reflinks: no command compares files while it makes them share blocks");
	return cmd_act_run(c, a->trash ? ACT_TRASH : cmd_rm_link_kind(a), true, err);
}

const struct cmd cmd_rmsh = {
	.name = "rmsh",
	.operands = "PATH...",
	.summary = "print what rm or link would do as a shell script, to edit first",
	.help = "Nothing is removed.  The script has one line for each file that would go or become a link,\n"
	        "with the copy that stays.  When it runs, each line calls twindex, which compares both files\n"
	        "first.  A script that was cut short does nothing.  PATH, and which files stay, are as for\n"
	        "rm.",
	.opts = cmd_rm_rmsh_opts,
	.args_size = sizeof(struct cmd_act_args),
	.flags = CMD_TALKS | CMD_CHOOSES | CMD_WHOLES | CMD_LETS_GO | CMD_PATHS,
	.run = cmd_rm_rmsh,
};
