/* SPDX-License-Identifier: MIT */
/*
 * Hides which files lack a digest.  They are read as a scan reads: they are a hash_plan, and
 * digest_files_take gets the results instead of hash_write, so that no row of file is written.  A
 * digest is kept if the file still has the signature of its row.
 *
 * The index is locked as by a scan; what was read is committed every few seconds.
 *
 * Threads read the plan (hash_read); all else is the calling thread's.
 */
#include "base/base.h"

#include "scan/digest_files.h"

#include <stdatomic.h>

#include "db/db.h"
#include "db/stmt.h"
#include "index/digests.h"
#include "index/file.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/presence.h"
#include "index/volumes.h"
#include "scan/dirmap.h"
#include "scan/hash_plan.h"
#include "scan/hash_read.h"
#include "sys/countmap.h"
#include "sys/fs.h"
#include "sys/racy_window.h"
#include "sys/stop.h"

struct digest_files {
	struct index *ix;
	const struct digest_files_options *opts;
	struct digest_files_report *report;
	struct presence_view view;
	struct dirmap *map;
	struct volumes *volumes;
	struct hash_plan plan;
	struct digests digests;
	struct countmap *sizes;    /* that are claimed; or NULL */
	struct countmap *had;      /* inodes with several names that were counted */
	VEC(uint64_t) keys;        /* of plan.files: all equal, so that inodes alone decide */
};

/* Load the sizes that are claimed under a name. */
static int
digest_files_sizes(struct digest_files *d, struct err *err)
{
	const char *name = d->opts->sizes_of;
	int64_t tables, source;
	struct stmt st;
	int ret;

	if (stmt_ask(d->ix->db, SQL_DIGEST_CLAIMS_THERE, &tables, err) < 0)
		return -1;
	if (tables < 2)
		return err_set(err, ERR_USAGE, "nothing was imported as '%s'", name);
	st = stmt_get(d->ix->db, SQL_DIGEST_CLAIM_SOURCE, err);
	stmt_text(&st, ":name", name, strlen(name));
	if (stmt_number(&st, &source) < 0)
		return -1;
	if (source == 0)
		return err_set(err, ERR_USAGE, "nothing was imported as '%s'", name);
	d->sizes = countmap_new(0);
	st = stmt_get(d->ix->db, SQL_DIGEST_CLAIMED_SIZES, err);
	stmt_int(&st, ":source", source);
	while ((ret = stmt_step(&st)) == 1)
		countmap_count(d->sizes, (uint64_t)stmt_col_int(&st, 0), 0);
	return ret;
}

/* Count a file that has all digests, unless another of its names was. */
static void
digest_files_had(struct digest_files *d, const struct file_row *row)
{
	if (row->nlink > 1 && countmap_count(d->had, (uint64_t)row->inode.volume, (uint64_t)row->inode.number) > 0)
		return;
	d->report->had++;
	d->report->had_bytes = num_add(d->report->had_bytes, row->size);
}

/* Whether a row is asked for: 1 or 0; -1 with *err. */
static int
digest_files_asked(struct digest_files *d, const struct file_row *row, struct err *err)
{
	const char *path;

	if (d->sizes != NULL && countmap_get(d->sizes, (uint64_t)row->size, 0) == 0)
		return 0;
	if (d->opts->n_paths == 0)
		return 1;
	if (presence_path(&d->view, row, &path, err) < 0)
		return -1;
	return path_is_below_any(path, d->opts->paths, d->opts->n_paths);
}

/* Add the rows that are asked for and lack a digest to the plan. */
static int
digest_files_load(struct digest_files *d, struct err *err)
{
	struct stmt st = stmt_get(d->ix->db, SQL_DIGEST_FILES, err);
	struct buf kinds = { 0 };
	int64_t n_kinds = 0;
	struct file_row row;
	int ret;

	buf_addc(&kinds, ' ');
	for (int i = 0; i < DIGEST_KINDS; i++) {
		if ((d->opts->kinds & DIGEST_BIT(i)) == 0)
			continue;
		buf_addf(&kinds, "%s ", digest_name((enum digest_kind)i));
		n_kinds++;
	}
	stmt_text(&st, ":kinds", kinds.data, kinds.len);
	stmt_int(&st, ":window", d->digests.window);
	while ((ret = stmt_step(&st)) == 1) {
		int asked = file_read(&st, &row, err) < 0 || stop_check(err) < 0 ? -1 : digest_files_asked(d, &row, err);

		if (asked < 0) {
			stmt_done(&st);
			ret = -1;
			break;
		}
		if (asked == 1 && !d->opts->force && stmt_col_int(&st, COL_FILE_ERROR + 1) >= n_kinds)
			digest_files_had(d, &row);
		else if (asked == 1) {
			hash_plan_again(&d->plan, &row);
			vec_push(&d->keys, 0);
		}
	}
	buf_release(&kinds);
	if (ret == 0)
		hash_plan_sort_keys(&d->plan, d->keys.v);
	return ret;
}

/*
 * Settle f: with made or with all, also the other names of its inode in that state, of which none
 * need be read then.
 */
static void
digest_files_settle(struct digest_files *d, struct hash_plan_file *f, bool made, bool all)
{
	struct hash_plan_file *e, *end;

	for (hash_plan_names(&d->plan, f, &e, &end); e < end; e++) {
		if (e != f && ((!made && !all) || !hash_plan_means(f, e) || e->want != HASH_PLAN_NOTHING))
			continue;
		e->want = HASH_PLAN_NOTHING;
		e->has_hash = made;
		e->given_up = !made;
	}
}

/* Note why a file has no digest now. */
static void
digest_files_fail(struct digest_files *d, const char *path, enum presence presence, const struct hash_plan_result *res)
{
	struct digest_files_report *r = d->report;
	struct stats *counts = &r->run.counts;

	if (res->content.error == CONTENT_CHANGING) {
		r->changed++;
		stats_problem(counts, stats_error(counts, FILE_CHANGING), path, file_error_text(FILE_CHANGING));
	} else if (presence == PRESENCE_CHANGED) {
		r->changed++;
		stats_problem(counts, stats_error(counts, FILE_CHANGING), path, "it is not as the index has it: scan it first");
	} else if (presence == PRESENCE_OFFLINE) {
		r->offline++;
		stats_problem(counts, stats_error(counts, ENOENT), path, "its root or volume is not there");
	} else if (presence == PRESENCE_UNREADABLE) {
		r->unreadable++;
		stats_problem(counts, stats_error(counts, d->view.error), path, strerror(d->view.error));
	} else {
		r->gone++;
		stats_problem(counts, stats_error(counts, ENOENT), path, "it is gone");
	}
}

/* hash_plan_take_fn */
static int
digest_files_take(void *arg, struct hash_plan_file *f, const struct hash_plan_result *res, struct err *err)
{
	struct digest_files *d = arg;
	const struct content_result *c = &res->content;
	enum presence presence = PRESENCE_CHANGED;
	struct buf path = { 0 };
	struct file_row row;
	int ret;

	hash_plan_path(&d->plan, f, &path);
	ret = dirs_find_file(d->ix->db, buf_str(&path), &row, err);
	if (ret == 1 && c->error != CONTENT_CHANGING)
		ret = presence_stat(&d->view, &row, buf_str(&path), c->error > 0 ? c->error : 0,
		                    c->error == CONTENT_NO_FILE ? NULL : &res->st, &presence, err) < 0 ? -1 : 1;
	if (ret == 1 && presence == PRESENCE_HERE && res->has_digests) {
		ret = digests_add(&d->digests, d->ix, row.inode, &res->st, c->racy, hash_plan_digests(res), err);
		d->report->made++;
		d->report->made_bytes = num_add(d->report->made_bytes, row.size);
		digest_files_settle(d, f, true, true);
		atomic_fetch_add(&d->report->run.counts.read, 1);
	} else if (ret >= 0) {
		digest_files_fail(d, buf_str(&path), presence, res);
		/* Another name may lead there where this one does not. */
		digest_files_settle(d, f, false, c->error == CONTENT_CHANGING || (c->error == 0 && presence != PRESENCE_GONE));
	}
	buf_release(&path);
	return ret < 0 ? -1 : 0;
}

/* Count the inodes whose turn has not come. */
static void
digest_files_leave(struct digest_files *d)
{
	const struct hash_plan_file *f = d->plan.files.v;

	for (size_t i = 0; i < d->plan.files.n; i++) {
		if (f[i].has_hash || f[i].given_up || (i > 0 && hash_plan_means(&f[i - 1], &f[i]) && hash_plan_same_inode(&f[i - 1], &f[i])))
			continue;
		d->report->left++;
		d->report->left_bytes = num_add(d->report->left_bytes, f[i].size);
	}
}

/* Plan and read, in a transaction. */
static int
digest_files_work(struct digest_files *d, struct err *err)
{
	int n_threads = 0, ret = 0;

	for (size_t i = 0; i < d->view.roots.n; i++)
		n_threads = hash_read_threads(d->volumes, d->view.roots.v[i].path, n_threads);
	d->plan = (struct hash_plan){
		.ix = d->ix, .map = d->map, .secret = d->ix->secret, .counts = &d->report->run.counts, .ahead = true,
		.n_threads = d->opts->threads > 0 ? d->opts->threads : n_threads > 0 ? n_threads : 1,
		.racy_window = racy_window_of(d->opts->racy_window_ns), .settles = d->opts->settles,
		.digests = &d->digests, .in_order = true, .take = digest_files_take, .take_arg = d,
		.deadline_ns = d->opts->max_time_ns > 0 ? num_add(fs_clock_ns(), d->opts->max_time_ns) : 0,
	};
	if (digests_make(d->ix, err) < 0 || digests_drop_orphans(d->ix, err) < 0 ||
	    digest_files_load(d, err) < 0)
		return -1;
	while (ret == 0 && !d->plan.out_of_time && hash_plan_want_again(&d->plan, 0) > 0)
		ret = hash_read(&d->plan, err);
	d->report->run.out_of_time = d->plan.out_of_time;
	if (ret == 0 || err->code == ERR_INTERRUPTED)
		digest_files_leave(d);
	return ret;
}

int
digest_files_run(struct index *ix, const struct digest_files_options *opts, const struct stats_hooks *hooks,
                 struct digest_files_report *report, struct err *err)
{
	struct digest_files d = { .ix = ix, .opts = opts, .report = report, .digests = { .kinds = opts->kinds, .window = racy_window_seconds(opts->racy_window_ns) }, .had = countmap_new(0) };
	const int64_t start_ns = fs_clock_ns();
	struct err ignored = { 0 };
	int ret = -1;

	memset(report, 0, sizeof(*report));
	stats_begin(&report->run, hooks, 0);
	if (digest_check(opts->kinds, err) == 0 && (opts->sizes_of == NULL || digest_files_sizes(&d, err) == 0) && journal_begin(ix->db, "digest", "", &report->run.id, err) == 0) {
		if (presence_open(&d.view, ix, err) == 0 && dirmap_load(&d.map, ix->db, err) == 0 &&
		    volumes_load(&d.volumes, ix->db, err) == 0 && db_begin(ix->db, err) == 0)
			ret = db_end_kept(ix->db, digest_files_work(&d, err), err);
		report->run.n_errors = report->changed + report->gone + report->offline + report->unreadable;
		report->run.elapsed_ns = fs_clock_ns() - start_ns;
		stats_journal(&report->run, ix->db, ret == 0 ? NULL : err, &ignored);
	}
	hash_plan_release(&d.plan);
	digests_release(&d.digests);
	countmap_free(d.sizes);
	countmap_free(d.had);
	vec_release(&d.keys);
	volumes_free(d.volumes);
	dirmap_free(d.map);
	presence_release(&d.view);
	return ret;
}
