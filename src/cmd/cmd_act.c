/* SPDX-License-Identifier: MIT */
/* What a person reads, and what a document has, line by line and file by file. */
#include "base/base.h"

#include "cmd/cmd_records.h"

#include <sys/stat.h>

#include "act/plan_file.h"
#include "cmd/cmd.h"
#include "cmd/cmd_act.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_preview.h"
#include "index/exclusive_extents.h"

/* Files that a terminal is shown one by one; of more it gets a preview by directories. */
enum { CMD_ACT_FILES = 8 };

/* Add a file that stays to the open list of files, and why. */
void
cmd_act_doc_stays(struct doc *d, const char *path, enum plan_stay stay, const char *why)
{
	static const char *const words[] = { [PLAN_STAYS] = "stays", [PLAN_BACKUP] = "left_alone", [PLAN_LEFT_ALONE] = "left_alone",
	                                     [PLAN_READ_ONLY] = "left_alone", [PLAN_WHOLE] = "left_alone", [PLAN_UNSURE] = "unsure" };

	doc_object(d, NULL);
	doc_path(d, "path", path);
	doc_text(d, "outcome", words[stay]);
	doc_text(d, "why", why);
	doc_object_end(d);
}

/* Add the inode and the times of a file, which a plan relies on. */
static void
cmd_act_doc_state(struct doc *d, const struct act_file *f)
{
	doc_path(d, "path", f->path);
	doc_field(d, "inode", FIELD_INODE, &f->row.inode.number);
	doc_field(d, "mtime_ns", FIELD_TIME_NS, &f->row.mtime);
	doc_field(d, "ctime_ns", FIELD_TIME_NS, &f->row.ctime);
}

/* Add the files of a group that go, with all that act/plan_file reads. */
void
cmd_act_doc_group(struct doc *d, const struct act_group *g)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct act_file *f = &g->victims[i].file;

		doc_object(d, NULL);
		cmd_act_doc_state(d, f);
		doc_text(d, "outcome", "planned");
		doc_int(d, "size", f->row.size);
		doc_hash(d, f->row.hash);
		doc_list(d, "keepers");
		for (size_t k = 0; k < g->n_keepers; k++) {
			doc_object(d, NULL);
			cmd_act_doc_state(d, &g->keepers[k]);
			doc_object_end(d);
		}
		doc_list_end(d);
		doc_object_end(d);
	}
}

/*
 * End the list of files, and add what a plan is made for: its kind, whether links may have other
 * attributes, how many copies stay at least, what backups are for; its digest; how many files go,
 * and the bytes that this frees on the disk.
 */
void
cmd_act_doc_end(const struct cmd_act *r, const struct plan *plan, int64_t n, int64_t frees)
{
	struct doc *d = r->d;
	const struct plan_terms terms = { r->kind, r->any_attributes, r->keep.keep.copies, r->keep.keep.backups_count, r->keep.keep.n_from_backup > 0 };
	struct plan_loss loss;
	char digest[PLAN_FILE_DIGEST];

	doc_list_end(d);
	doc_text(d, "kind", plan_file_kinds[terms.kind]);
	doc_bool(d, "any_attributes", terms.any_attributes);
	doc_int(d, "copies", terms.copies);
	doc_bool(d, "backups_count", terms.backups_count);
	doc_bool(d, "from_backup", terms.from_backup);
	doc_int(d, plan != NULL ? "planned" : "done", n);
	doc_int(d, plan != NULL ? "frees" : "freed", frees);
	if (plan == NULL)
		return;
	loss = plan_loss(plan, r->kind);
	doc_int(d, "lost_attributes", loss.attributes);
	doc_int(d, "lost_links", loss.links);
	plan_file_digest(plan, &terms, digest);
	doc_text(d, "digest", digest);
}

/* Append a line about a path: what, the path, and why in brackets. */
static void
cmd_act_add_line(const struct cmd_act *r, struct buf *b, const char *what, const char *path, const char *why)
{
	buf_addf(b, "%s: ", what);
	cmd_add_path(r->c, b, path);
	if (why != NULL) {
		buf_adds(b, " (");
		cmd_add_path(r->c, b, why);
		buf_addc(b, ')');
	}
	buf_addc(b, '\n');
}

/* Append that something is done to a file, and below, aligned with it, which copy stays. */
static void
cmd_act_add_pair(const struct cmd_act *r, struct buf *b, const char *would, const char *what, const char *path, const char *keeper)
{
	static const char stays[] = "stays";
	struct buf first = { 0 }, second = { 0 };

	buf_addf(&first, "%s%s", would, what);
	for (size_t i = sizeof(stays) - 1; i < first.len; i++)
		buf_addc(&second, ' ');
	buf_adds(&second, stays);
	cmd_act_add_line(r, b, buf_str(&first), path, NULL);
	cmd_act_add_line(r, b, buf_str(&second), keeper, NULL);
	buf_release(&first);
	buf_release(&second);
}

/* Print such a text. */
static void
cmd_act_print(struct cmd_act *r, FILE *f, struct buf *b)
{
	progress_clear(&r->progress.line);
	fputs(buf_str(b), f);
	buf_release(b);
}

/* Print a line about a path. */
static void
cmd_act_line(struct cmd_act *r, FILE *f, const char *what, const char *path, const char *why)
{
	struct buf b = { 0 };

	cmd_act_add_line(r, &b, what, path, why);
	cmd_act_print(r, f, &b);
}

/* Print a file and its copy. */
void
cmd_act_pair(struct cmd_act *r, FILE *f, const char *what, const char *path, const char *keeper)
{
	struct buf b = { 0 };

	cmd_act_add_pair(r, &b, "", what, path, keeper);
	cmd_act_print(r, f, &b);
}

/* Whether the user named this file itself. */
static bool
cmd_act_is_named(const struct cmd_act *r, const char *path)
{
	size_t number;

	return pathset_find(&r->operands, path, strlen(path), &number);
}

/* Count a file that stays for a reason; those that differ only in the paths named are one. */
static void
cmd_act_count_reason(struct cmd_act *r, const char *why)
{
	const size_t len = strcspn(why, "'");
	size_t i = 0;

	while (i < r->reasons.n && (strncmp(r->reasons.v[i].why, why, len) != 0 || strcspn(r->reasons.v[i].why, "'") != len))
		i++;
	if (i == r->reasons.n)
		vec_push(&r->reasons, ((struct cmd_act_reason){ .why = arena_str(&r->texts, why) }));
	r->reasons.v[i].n++;
}

/* Print why files stay that were not listed. */
void
cmd_act_tell_reasons(struct cmd_act *r, FILE *f)
{
	struct buf b = { 0 };
	char x[NUM_SHOW_MAX];

	for (size_t i = 0; i < r->reasons.n; i++) {
		buf_addf(&b, "%s (", num_show_things(r->reasons.v[i].n, "file stays", "files stay", x));
		cmd_add_path(r->c, &b, r->reasons.v[i].why);
		buf_adds(&b, i + 1 < r->reasons.n ? ")\n" : "): -v lists them\n");
	}
	r->reasons.n = 0;
	cmd_act_print(r, f, &b);
}

/* plan_stay_fn */
void
cmd_act_stay(void *arg, const char *path, enum plan_stay stay, const char *why)
{
	struct cmd_act *r = arg;
	const bool quiet = r->c->globals->quiet;
	size_t number;

	if (r->again && !pathset_find(&r->agreed, path, strlen(path), &number))
		return;
	if (r->d != NULL)
		cmd_act_doc_stays(r->d, path, stay, why);
	if (stay == PLAN_STAYS) {
		r->n_stay++;
		/* Standard output is for the script alone: -v lists what stays. */
		if (quiet || r->d != NULL || (r->script && r->c->globals->verbose == 0))
			return;
		if (r->c->globals->verbose > 0 || !r->c->tty || cmd_act_is_named(r, path))
			cmd_act_line(r, r->script ? r->c->msg : r->c->out, "stays", path, why);
		else
			cmd_act_count_reason(r, why);
	} else if (stay != PLAN_UNSURE) {
		r->n_alone += stay == PLAN_LEFT_ALONE;
		r->n_read_only += stay == PLAN_READ_ONLY;
		r->n_backup += stay == PLAN_BACKUP;
		r->n_whole += stay == PLAN_WHOLE;
		if (!quiet && r->d == NULL && r->c->globals->verbose > 0)
			cmd_act_line(r, r->script ? r->c->msg : r->c->out, "left alone", path, why);
	} else {
		r->n_unsure++;
		progress_clear(&r->progress.line);
		if (!quiet)
			cmd_message(r->c, "'%s' stays: %s", path, why);
	}
}

/* list_gap_fn */
void
cmd_act_gap(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	struct cmd_act *r = arg;

	progress_clear(&r->progress.line);
	if (!r->again)
		cmd_gap(r->c->verdict, path, gap, dir, why);
}

/* protocol_told_fn */
int
cmd_act_told(void *arg, const struct protocol_told *t)
{
	struct cmd_act *r = arg;
	const struct cmd_call *c = r->c;

	if (t->outcome == ACT_STAYS)
		cmd_act_stay(r, t->victim->path, PLAN_STAYS, t->why);
	else if (t->outcome == ACT_UNSURE)
		cmd_act_stay(r, t->victim->path, PLAN_UNSURE, t->why);
	else {
		r->n_done++;
		r->freed = num_add(r->freed, t->freed);
		r->at_most |= t->at_most;
		if (r->a->prune)
			prune_add(&r->prune, t->victim->path);
		if (r->d != NULL) {
			doc_object(r->d, NULL);
			doc_path(r->d, "path", t->victim->path);
			doc_text(r->d, "outcome", "done");
			doc_int(r->d, "size", t->victim->row.size);
			doc_int(r->d, "freed", t->freed);
			doc_path(r->d, "keeper", t->keeper);
			doc_object_end(r->d);
		} else if (!c->globals->quiet && (c->globals->verbose > 0 || cmd_act_is_named(r, t->victim->path)))
			cmd_act_pair(r, c->out, r->words->line, t->victim->path, t->keeper);
	}
	return 0;
}

/* prune_fn */
void
cmd_act_pruned(void *arg, const char *path)
{
	struct cmd_act *r = arg;

	r->n_pruned++;
	if (!r->c->globals->quiet && r->d == NULL && r->c->globals->verbose > 0)
		cmd_act_line(r, r->c->out, "removed", path, "empty directory");
}

const char *
cmd_act_at_most(const struct cmd_act *r)
{
	return r->at_most ? "at most " : "";
}

/* How many files a plan has, and the bytes that they free. */
int64_t
cmd_act_count(struct cmd_act *r, const struct plan *plan, int64_t *frees)
{
	struct exclusive_extents own = { .n = 0 };
	int64_t n = 0;

	*frees = 0;
	for (size_t i = 0; i < plan->groups.n; i++) {
		*frees = num_add(*frees, plan_frees(&plan->groups.v[i], &own));
		n += (int64_t)plan->groups.v[i].n;
	}
	r->at_most |= own.layers;
	exclusive_extents_release(&own);
	return n;
}

/* Append what a plan would do, file by file. */
void
cmd_act_add_files(struct cmd_act *r, struct buf *b, const struct plan *plan)
{
	for (size_t i = 0; i < plan->groups.n; i++) {
		const struct act_group *g = &plan->groups.v[i];

		for (size_t j = 0; j < g->n; j++)
			cmd_act_add_pair(r, b, "would ", r->words->verb, g->victims[j].file.path, g->keepers[0].path);
	}
}

/* Print what a plan of n files would do: on a terminal, without --verbose, many by directories. */
void
cmd_act_tell_plan(struct cmd_act *r, const struct plan *plan, FILE *f, int64_t n)
{
	struct buf b = { 0 };

	if (n <= CMD_ACT_FILES || r->c->globals->verbose > 0 || (f == r->c->out && !r->c->tty))
		cmd_act_add_files(r, &b, plan);
	else
		cmd_add_preview(r->c, &b, plan);
	cmd_act_print(r, f, &b);
}

/*
 * Warn about properties of the planned files that neither the remaining copies nor undo preserve.
 */
void
cmd_act_tell_loss(const struct cmd_act *r, const struct plan *plan)
{
	const bool told = !r->c->globals->quiet && r->d == NULL;
	const struct plan_loss loss = told ? plan_loss(plan, r->kind) : (struct plan_loss){ .links = 0 };
	char text[NUM_SHOW_MAX];

	if (loss.attributes > 0)
		cmd_message(r->c, "%s attributes (tags, comments) that the remaining copy lacks; undo restores them",
		            num_show_things(loss.attributes, "file has", "files have", text));
	if (loss.links > 0)
		cmd_message(r->c, "%s hard links that undo will not restore", num_show_things(loss.links, "file has", "files have", text));
}
