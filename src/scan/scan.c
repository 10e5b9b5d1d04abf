/* SPDX-License-Identifier: MIT */
/*
 * The course of a scan: threads walk (visit), this thread writes the rows that differ (merge),
 * then the files that must be read are read (hash_plan, hash_read), and with --verify those that
 * were not compared while they were read (verify_inline) are compared (verify).  Everything is
 * committed about every five seconds; "pending" stands in the index from the first change until
 * every claim is proven again.
 */
#include "base/base.h"

#include "scan/scan.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

#include "db/db.h"
#include "db/stmt.h"
#include "index/digests.h"
#include "index/dirs.h"
#include "index/own_files.h"
#include "scan/changed.h"
#include "scan/dirmap.h"
#include "scan/dirty.h"
#include "index/row_history.h"
#include "index/schema.h"
#include "index/index.h"
#include "index/name_build.h"
#include "index/journal.h"
#include "scan/verify_inline.h"
#include "bulk/bulk.h"
#include "scan/merge.h"
#include "scan/like_members.h"
#include "scan/look_inside.h"
#include "scan/moved_marks.h"
#include "scan/missing_mount.h"
#include "scan/hash_plan.h"
#include "scan/hash_read.h"
#include "scan/hash_write.h"
#include "index/roots.h"
#include "sys/countmap.h"
#include "index/contents.h"
#include "scan/root_place.h"
#include "scan/start.h"
#include "scan/sweep.h"
#include "scan/verify.h"
#include "scan/visit.h"
#include "scan/visit_read.h"
#include "scan/visit_state.h"
#include "index/timeless.h"
#include "index/volumes.h"
#include "sys/fs.h"
#include "sys/racy_window.h"
#include "sys/stop.h"
#include "sys/walk.h"
#include "sys/stall.h"

/* Everything that a scan holds. */
struct scan {
	struct index *ix;
	const struct scan_options *opts;
	struct stats_report *report;
	struct roots roots;
	struct volumes *volumes;
	struct dirmap *map;
	struct starts starts;
	struct dirty dirty;      /* of a partial scan, or one by changes */
	struct changed changed;
	bool by_changes;         /* file systems know what changed */
	struct visit_state visit;
	struct merge merge;
	struct hash_plan plan;
	struct digests digests;
	struct bulk *bulk;       /* for a first scan; or NULL */
	struct contents_without trash;
	struct look_inside inside;
	bool by_sqlite;          /* SQLite writes everything */
	struct moved_marks marked;    /* of an index with marks */
	int n_threads, n_readers;
	bool was_pending;
	int64_t start_ns;
};

/* Mark what a partial scan is to look at. */
static int
scan_mark_dirty(struct scan *s, struct err *err)
{
	const struct scan_options *o = s->opts;
	struct stats *c = &s->report->counts;
	struct buf why = { 0 };

	for (size_t i = 0; i < o->n_dirty; i++) {
		if (dirty_add(&s->dirty, s->map, &s->roots, s->ix->db, &o->dirty[i], err) < 0)
			return -1;
	}
	dirty_seal(&s->dirty);
	start_keep_dirty(&s->starts, s->map);
	if (s->dirty.n_outside == 2)
		buf_adds(&why, "lies below no root, as another of the list does: not looked at");
	else if (s->dirty.n_outside > 2)
		buf_addf(&why, "lies below no root, as %lld others of the list do: not looked at", (long long)(s->dirty.n_outside - 1));
	else
		buf_adds(&why, "lies below no root: not looked at");
	if (s->dirty.n_outside > 0)
		stats_problem(c, NULL, s->dirty.outside, buf_str(&why));
	atomic_fetch_add(&c->outside, s->dirty.n_outside);
	buf_release(&why);
	return 0;
}

/*
 * Mark what file systems know to have changed.  Other options of roots, or contents of files that
 * are asked for again, concern what did not change, too, as may what a scan that was cut off left.
 */
static int
scan_mark_changed(struct scan *s, const struct mount_points *points, struct err *err)
{
	const struct scan_options *o = s->opts;
	int ret;

	s->changed = (struct changed){
		.ix = s->ix, .map = s->map, .roots = &s->roots, .volumes = s->volumes, .starts = &s->starts, .points = points, .dirty = &s->dirty,
		.window = racy_window_of(o->racy_window_ns),
		.use = o->rules == NULL && !o->all && !o->rehash && !o->force_purge && o->digests == 0 && o->n_hash_sizes == 0 &&
		       s->ix->pending != INDEX_UNMET,
	};
	ret = changed_mark(&s->changed, err);
	s->by_changes = ret == 1;
	return ret < 0 ? -1 : 0;
}

static int
scan_load(struct scan *s, struct err *err)
{
	struct index *ix = s->ix;
	struct mount_points points = { 0 };
	int64_t last_dir;
	int ret;

	if (roots_load(&s->roots, ix->db, err) < 0 || volumes_load(&s->volumes, ix->db, err) < 0 ||
	    dirmap_load(&s->map, ix->db, err) < 0)
		return -1;
	if (row_history_last_dir(ix, &last_dir, err) < 0)
		return -1;
	dirmap_skip_ids(s->map, last_dir);
	root_place_join(&s->roots, s->map);
	mount_points_find(&points, s->map);
	mount_points_recognize(&points, s->map, s->volumes);
	root_place_look(&s->roots, s->map, s->volumes);
	s->starts.force_purge = s->opts->force_purge;
	ret = start_choose(&s->starts, &s->roots, s->map, s->volumes, s->opts->paths, s->opts->n_paths,
	                   s->opts->rules, s->opts->fresh, err);
	if (ret == 0)
		ret = s->opts->partial ? scan_mark_dirty(s, err) : scan_mark_changed(s, &points, err);
	if (ret == 0 && !s->opts->force_purge)
		ret = missing_mount_mark_covered(&points, s->map, ix->db, &s->starts, err);
	if (ret == 0 && ix->marks)
		ret = moved_marks_load(&s->marked, ix, s->map, &points, err);
	vec_release(&points);
	if (ret < 0)
		return -1;
	for (size_t i = 0; i < s->starts.n; i++) {
		struct dirmap_dir *d = dirmap_by_id(s->map, s->starts.v[i].parent);

		for (; d != NULL && !d->pinned; d = dirmap_by_id(s->map, d->parent))
			d->pinned = true;
	}
	return 0;
}

/* Tell of the roots that this scan should have met and that are not there. */
static void
scan_miss_roots(struct scan *s)
{
	struct stats *c = &s->report->counts;

	for (size_t i = 0; i < s->roots.n; i++) {
		const struct root *root = &s->roots.v[i];
		const struct dirmap_dir *d = s->opts->partial ? dirmap_by_id(s->map, root->dir) : NULL;

		/* A partial scan has nothing to look at there. */
		if (d != NULL && d->look == LOOK_NONE)
			continue;
		if (root->leads_to != ROOT_PATH_NONE || root_place_end(s->map, root) != ROOT_PLACE_KEPT ||
		    (s->opts->n_paths > 0 && !start_lead_to(&s->starts, root->path)))
			continue;
		stats_problem(c, stats_error(c, root->error == ENOENT ? ENOENT : ENOTDIR), root->path, root->error == ENOENT ?
		              "this root is missing: its files stay in the index" :
		              "this root is no longer a directory: its files stay in the index");
	}
}

/* Count all sizes of the index, for threads that will meet new files. */
static int
scan_load_sizes(struct scan *s, struct err *err)
{
	struct stmt st = stmt_get(s->ix->db, SQL_FILE_SIZES, err);
	int64_t last[3] = { -1, -1, -1 };
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const int64_t now[] = { stmt_col_int(&st, 0), stmt_col_int(&st, 1), stmt_col_int(&st, 2) };

		/* Names of one inode. */
		if (memcmp(now, last, sizeof(now)) == 0)
			continue;
		memcpy(last, now, sizeof(last));
		countmap_count(s->visit.sizes, (uint64_t)now[0], 0);
	}
	return ret;
}

/* Whether some root asks for the hashes of all files. */
static bool
scan_hashes_all(const struct scan *s)
{
	bool all = false;

	for (size_t i = 0; i < s->starts.n; i++)
		all |= s->starts.v[i].governing.rules->hash_all;
	for (size_t i = 0; i < s->roots.n; i++)
		all |= s->roots.v[i].rules.hash_all;
	return all;
}

static int
scan_prepare(struct scan *s, struct err *err)
{
	struct visit_state *v = &s->visit;
	struct stmt st = stmt_get(s->ix->db, SQL_FILE_ANY, err);
	const int files = stmt_truth(&st);
	/* visit_meet counts sizes in new directories only. */
	const bool any = files != 0 || dirmap_count(s->map) > 0;
	bool fresh = false;

	if (files < 0)
		return -1;
	for (size_t i = 0; i < s->starts.n; i++)
		fresh |= s->starts.v[i].id == 0;
	s->was_pending = any && s->ix->pending != INDEX_WHOLE;
	v->map = s->map;
	v->volumes = s->volumes;
	visit_state_make_maps(v);
	if (scan_hashes_all(s))
		v->hash_all = countmap_new(0);
	v->references = s->opts->verify && !any && !s->opts->dry_run ? verify_inline_new(&s->report->counts) : NULL;
	v->roots = &s->roots;
	v->dirty = &s->dirty;
	v->inner = &s->starts.inner;
	v->counts = &s->report->counts;
	v->rehash = s->opts->rehash;
	v->force_purge = s->opts->force_purge;
	v->secret = s->ix->secret;
	listing_digest(&(struct listing){ .n_files = 0 }, v->secret, v->no_files);
	v->racy_window = racy_window_of(s->opts->racy_window_ns);
	v->settles = s->opts->settles;
	/* Digests come from the read phase alone. */
	v->read_in_passing = (!any || fresh) && !s->opts->dry_run && s->opts->digests == 0;
	own_files_find(&v->own, s->ix->path);
	s->bulk = any || s->ix->content_index || s->opts->dry_run || s->by_sqlite ? NULL : bulk_new(BULK_ENOUGH);
	s->plan = (struct hash_plan){
		.ix = s->ix, .secret = s->ix->secret, .map = s->map, .volumes = s->volumes, .counts = &s->report->counts, .sizes = v->sizes, .heads = v->heads, .inodes = v->inodes, .hash_all = v->hash_all,
		.references = v->references, .entries = s->bulk, .hash_sizes = s->opts->hash_sizes, .n_hash_sizes = s->opts->n_hash_sizes,
		.digests = s->opts->digests != 0 ? &s->digests : NULL,
		.racy_window = v->racy_window, .settles = v->settles,
		.bulk = !any, .dry_run = s->opts->dry_run, .rehash = s->opts->rehash, .from_disk = s->opts->from_disk,
		.until = s->opts->until,
		.deadline_ns = s->opts->max_time_ns > 0 ? s->start_ns + s->opts->max_time_ns : 0,
	};
	s->merge = (struct merge){
		.ix = s->ix, .map = s->map, .volumes = s->volumes, .roots = &s->roots, .counts = &s->report->counts,
		.plan = &s->plan, .rules = s->opts->rules, .paths = s->opts->paths, .n_paths = s->opts->n_paths,
		.rehash = s->opts->rehash, .force_purge = s->opts->force_purge, .first_new = dirmap_next_id(s->map),
	};
	if (any && !s->ix->content_index && !s->opts->dry_run) {
		/* The first scan was killed before it came to that. */
		if (db_begin(s->ix->db, err) < 0 || db_end(s->ix->db, index_make_contents(s->ix, err), err) < 0)
			return -1;
	}
	/* While all rows are there that they may hold for. */
	if (any && s->opts->digests != 0 && !s->opts->dry_run) {
		if (db_begin(s->ix->db, err) < 0 || db_end(s->ix->db, digests_drop_orphans(s->ix, err), err) < 0)
			return -1;
	}
	return any && fresh ? scan_load_sizes(s, err) : 0;
}

/* Mark reference copies that equal another file as verified. */
static int
scan_write_references(struct scan *s, bool links, struct err *err)
{
	return s->visit.references != NULL ? verify_inline_write(s->visit.references, s->ix->db, links, err) : 0;
}

/* Write what the threads deliver, until they are done. */
static int
scan_write(struct scan *s, struct stall *watch, struct err *err)
{
	int64_t last = 0;
	bool done = false;
	int ret = 0;

	while (ret == 0 && !done) {
		struct listing *l = listing_take(s->visit.queue, &done);

		if (l != NULL) {
			ret = index_set_pending(s->ix, INDEX_UNMET, err);
			if (l->is_start)
				s->starts.v[l->start].met = l->dir;
			if (ret == 0 && l->is_start && s->starts.v[l->start].make_root)
				ret = root_put(s->ix->db, l->dir, s->starts.v[l->start].governing.rules, err);
			if (ret == 0 && l->becomes_root)
				ret = root_put(s->ix->db, l->dir, s->starts.inner.rules, err);
			if (ret == 0)
				ret = merge_listing(&s->merge, l, err);
			else
				listing_free(l);
		}
		/* Commit when the transaction is old.  A dry run has but one, and rolls it back. */
		if (ret == 0 && !s->opts->dry_run && db_is_old(s->ix->db))
			ret = merge_flush(&s->merge, err) < 0 || scan_write_references(s, false, err) < 0 ? -1 : db_renew(s->ix->db, err);
		if (fs_clock_ns() - last > 90000000) {
			last = fs_clock_ns();
			stats_tick(&s->report->counts, STATS_WALK);
			stats_look(&s->report->counts, watch);
		}
	}
	return ret;
}

/* The files that the index has at and below the path of a mount. */
static int
scan_count_passed(const struct scan *s, const char *path, int64_t *n, struct err *err)
{
	int64_t dir;
	const int found = dirs_find(s->ix->db, path, &dir, err);
	struct stmt st;

	*n = 0;
	if (found != 1)
		return found;
	st = stmt_get(s->ix->db, SQL_FILE_COUNT_BELOW, err);
	stmt_int(&st, ":dir", dir);
	stmt_int(&st, ":limit", INT64_MAX);
	return stmt_number(&st, n);
}

/* Name the mounts that the walk did not enter, and say what the index forgets of them. */
static int
scan_tell_passed(const struct scan *s, struct err *err)
{
	struct buf why = { 0 };
	char x[NUM_SHOW_MAX];
	int64_t n;
	int ret = 0;

	for (const struct visit_mount *m = atomic_load(&s->visit.mounts); ret == 0 && m != NULL; m = m->next) {
		if (!m->passed_by)
			continue;
		ret = scan_count_passed(s, m->path, &n, err);
		buf_cut(&why, 0);
		buf_adds(&why, "a network or FUSE mount, not entered");
		if (n > 0 && m->hides)
			buf_addf(&why, "; %s in the index from before it was mounted", num_show_things(n, "file stays", "files stay", x));
		else if (n > 0)
			buf_addf(&why, ", so that the index forgets %s there", num_show_things(n, "file", "files", x));
		buf_adds(&why, ": name it as a root, or give --network");
		if (ret >= 0)
			stats_problem(&s->report->counts, NULL, m->path, buf_str(&why));
	}
	buf_release(&why);
	return ret < 0 ? -1 : 0;
}

static int
scan_walk(struct scan *s, struct err *err)
{
	const size_t n = s->starts.n;
	const char **paths = mem_zalloc(n, sizeof(*paths));
	const int reserve = s->opts->threads == 0 && s->n_readers > s->n_threads ? s->n_readers - s->n_threads : 0;
	const int n_threads = s->n_threads + reserve;
	void **places = mem_zalloc(n, sizeof(*places)), **datas = mem_zalloc((size_t)n_threads, sizeof(*datas));
	struct visit_worker *workers = mem_zalloc((size_t)n_threads, sizeof(*workers));
	struct stall *watch = stats_watch();
	struct walk *walk;
	int ret;

	for (size_t i = 0; i < n; i++) {
		struct visit_place *place = mem_alloc(sizeof(*place));

		*place = (struct visit_place){
			.parent = s->starts.v[i].parent, .start_id = s->starts.v[i].id, .roots_below = s->starts.v[i].roots_below,
			.whole = !s->opts->partial && !s->by_changes,
			.governing = s->starts.v[i].governing,
		};
		places[i] = place;
		paths[i] = s->starts.v[i].path;
	}
	s->visit.starts = paths;
	s->visit.queue = listing_queue_new(n_threads);
	for (int i = 0; i < n_threads; i++) {
		visit_read_begin(&workers[i], &s->visit);
		datas[i] = &workers[i];
	}
	walk = walk_start(paths, places, n, s->n_threads, reserve, datas, watch, visit_dir, visit_end, free);
	ret = walk != NULL ? scan_write(s, watch, err) : err_set(err, ERR_SYS, "no thread could be started");
	if (ret < 0 && walk != NULL) {
		walk_stop(walk);
		listing_drain(s->visit.queue);
	}
	if (walk != NULL)
		walk_finish(walk);
	listing_queue_free(s->visit.queue);
	if (ret == 0)
		ret = scan_tell_passed(s, err);
	visit_state_free_mounts(&s->visit);
	visit_state_free_dirs(&s->visit);
	stall_free(watch);
	free(workers);
	free(datas);
	free(places);
	free(paths);
	return ret < 0 ? -1 : stop_check(err);
}

/* Write the new options of known roots, and the directories between roots and start points. */
static int
scan_put_starts(struct scan *s, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < s->roots.n; i++) {
		if (s->roots.v[i].new_rules)
			ret = root_put(s->ix->db, s->roots.v[i].dir, &s->roots.v[i].rules, err);
	}
	for (size_t i = 0; ret == 0 && i < s->starts.ways.n; i++) {
		const struct start_way *way = &s->starts.ways.v[i];

		ret = merge_way(&s->merge, way->id, way->parent, way->name, way->inode, err);
	}
	return ret;
}

/* Drop what vanished, and hang every start point where it lies now. */
static int
scan_sweep(struct scan *s, struct err *err)
{
	int ret = sweep_drop(&s->merge, err);

	for (size_t i = 0; ret == 0 && i < s->starts.n; i++) {
		const struct start *start = &s->starts.v[i];
		struct dirmap_dir *d = dirmap_by_id(s->map, start->met);

		if (d != NULL && !d->dropped)
			ret = root_place_hang(s->map, s->ix, d, start->path, err);
	}
	return ret;
}

/* The pending state after the walk.  unread: some files still have to be read. */
static enum index_pending
scan_left(const struct scan *s, bool unread)
{
	for (size_t i = 0; i < s->roots.n; i++) {
		if (s->roots.v[i].scan == 0 && !start_lead_to(&s->starts, s->roots.v[i].path))
			return INDEX_UNMET;
	}
	return unread ? INDEX_UNREAD : INDEX_WHOLE;
}

/* The walk, and what vanished. */
static int
scan_update(struct scan *s, struct err *err)
{
	int ret = scan_put_starts(s, err);

	if (ret == 0 && (s->starts.n > 0 || !s->opts->partial))
		ret = scan_walk(s, err);
	if (ret == 0)
		ret = merge_finish(&s->merge, err);
	if (ret == 0)
		ret = scan_sweep(s, err);
	if (ret == 0)
		ret = moved_marks_follow(&s->marked, s->ix, s->map, err);
	if (ret == 0)
		scan_miss_roots(s);
	if (ret == 0 && s->ix->pending == INDEX_UNMET)
		ret = index_set_pending(s->ix, scan_left(s, true), err);
	/* What an earlier scan left. */
	if (ret == 0 && s->was_pending)
		ret = hash_plan_touch_all(&s->plan, SQL_FILE_SIZES_PENDING, err);
	/* Some unread files may have one of these sizes, or lie in directories of hash_all. */
	if (ret == 0 && s->plan.n_hash_sizes > 0 && !s->plan.bulk)
		ret = hash_plan_touch_asked(&s->plan, err);
	if (ret == 0 && s->visit.hash_all != NULL && !s->plan.bulk)
		ret = hash_plan_touch_all(&s->plan, SQL_FILE_SIZES_UNREAD, err);
	if (ret == 0 && s->merge.wrote && !s->opts->dry_run)
		ret = journal_forget_totals(s->ix->db, err);
	/* Keep what was met before the signal. */
	if (ret < 0 && err->code == ERR_INTERRUPTED && !s->merge.broken) {
		const struct err stopped = *err;

		if (merge_flush(&s->merge, err) == 0 && scan_write_references(s, false, err) == 0)
			*err = stopped;
	}
	return ret;
}

/* The number of sets: counted as indexes were made, known from before, or by a query. */
static int
scan_count(struct scan *s, bool changed, struct err *err)
{
	struct stats_report *r = s->report;
	const struct contents_count *count = bulk_count(s->bulk);
	int known = 0;

	if (count != NULL) {
		r->sets = count->sets;
		r->redundant = count->redundant;
		return 0;
	}
	/* A scan by changes takes less time than the count of all sets. */
	if (changed && s->by_changes && s->opts->uncounted)
		return 0;
	if (!changed)
		known = journal_totals(s->ix->db, &r->sets, &r->redundant, err);
	return known == 0 ? contents_count(s->ix->db, &s->trash, &r->sets, &r->redundant, err) : known < 0 ? -1 : 0;
}

/* timeless_read_fn: whether this scan has read all of a volume again. */
static bool
scan_has_read(void *arg, int64_t volume)
{
	const struct scan *s = arg;
	bool all = s->opts->rehash && s->plan.n_left == 0 && !hash_plan_is_cut(&s->plan);

	for (size_t i = 0; all && i < dirmap_count(s->map); i++) {
		struct dirmap_dir *d = dirmap_at(s->map, i);

		all = d->inode.volume != volume || atomic_load(&d->claimed);
	}
	return all;
}

/* timeless_found_fn */
static void
scan_tell_timeless(void *arg, int64_t volume)
{
	const struct scan *s = arg;
	const char *point;

	if (volumes_where(s->volumes, volume, &point) && point != NULL)
		stats_problem(&s->report->counts, NULL, point, "keeps no change times: a file that is rewritten with its size "
		              "and time restored is not noticed (scan --rehash reads everything again)");
}

/*
 * Count what was met, though it was not looked at: all rows, when all roots were scanned and none
 * is away.  The bytes stay those of what was looked at: to add them up takes longer than the scan.
 */
static int
scan_count_known(struct scan *s, struct err *err)
{
	struct stats *c = &s->report->counts;
	struct stmt st;
	int64_t files, dirs;
	int ret;

	s->report->by_changes = s->by_changes;
	s->report->looked_files = atomic_load(&c->files);
	s->report->looked_dirs = atomic_load(&c->dirs);
	if (!s->by_changes || s->opts->n_paths > 0 || atomic_load(&c->kept_offline) > 0)
		return 0;
	for (size_t i = 0; i < s->roots.n; i++) {
		if (root_place_end(s->map, &s->roots.v[i]) != ROOT_PLACE_MET)
			return 0;
	}
	st = stmt_get(s->ix->db, SQL_INDEX_COUNTS, err);
	ret = stmt_step(&st);
	files = ret == 1 ? stmt_col_int(&st, 0) : 0;
	dirs = ret == 1 ? stmt_col_int(&st, 1) : 0;
	stmt_done(&st);
	if (ret < 0)
		return -1;
	atomic_store(&c->files, files);
	atomic_store(&c->dirs, dirs);
	atomic_store(&c->reused, files - atomic_load(&c->added) - atomic_load(&c->changed));
	return 0;
}

/*
 * Everything is read: make the indexes on contents, count, clear "pending", and put the names in
 * order unless they are.
 */
static int
scan_settle(struct scan *s, struct err *err)
{
	struct stats_report *r = s->report;
	const bool changed = s->merge.wrote || atomic_load(&r->counts.read) > 0 || s->was_pending || s->plan.lost.n > 0;
	struct name_build *names = s->ix->names ? NULL : name_build_new();
	int ret;

	stats_tick(&r->counts, STATS_FINISH);
	/* A new root has its row now. */
	roots_release(&s->roots);
	ret = roots_load(&s->roots, s->ix->db, err);
	dirmap_find_trash(s->map, &s->trash);
	/* With these indexes the other names of an inode are found by its content. */
	if (ret == 0 && (bulk_make_indexes(s->bulk, s->ix, &s->trash, names, err) < 0 || hash_write_drop_lost(&s->plan, err) < 0 ||
	                 scan_write_references(s, true, err) < 0))
		ret = -1;
	if (ret == 0)
		ret = hash_corrupt_tell(&s->plan.corrupt, s->ix->db, s->map, &r->counts, err);
	r->n_left = s->plan.n_left;
	if (ret == 0)
		ret = index_set_pending(s->ix, scan_left(s, s->plan.n_left > 0 || hash_plan_is_cut(&s->plan)), err);
	/* A root is as old as the last scan that has looked at all of it. */
	for (size_t i = 0; ret == 0 && !s->opts->partial && i < s->roots.n; i++) {
		const struct dirmap_dir *d = dirmap_by_id(s->map, s->roots.v[i].dir);

		if (d != NULL && atomic_load(&d->claimed))
			ret = root_scanned(s->ix->db, s->roots.v[i].id, r->id, err);
	}
	if (ret == 0 && !s->opts->partial)
		ret = changed_keep(&s->changed, r->id, atomic_load(&r->counts.kept_offline) == 0, err);
	if (ret == 0)
		ret = scan_count_known(s, err);
	if (ret == 0)
		ret = volumes_note(s->volumes, s->ix->db, err);
	if (ret == 0)
		ret = visit_state_save_shared(&s->visit, s->ix->db, err);
	if (ret == 0)
		ret = timeless_find(s->ix->db, s->volumes, scan_has_read, scan_tell_timeless, s, err);
	if (ret == 0)
		ret = row_history_prune(s->ix, err);
	if (ret == 0)
		ret = scan_count(s, changed, err);
	return name_build_finish(names, s->ix, ret, err);
}

/* Compare the copies that were not compared while they were read. */
static int
scan_verify(struct scan *s, struct err *err)
{
	struct stats_report *r = s->report;
	const int64_t collisions = atomic_load(&r->counts.collisions);
	/* That may take long: others see what was scanned. */
	int ret = db_publish(s->ix->db, err);

	if (ret < 0)
		return -1;
	if (s->visit.references == NULL || verify_inline_left(s->visit.references) > 0)
		ret = verify_run(s->ix, &r->counts, s->n_threads, err);
	/* Sets have lost members. */
	if (atomic_load(&r->counts.collisions) > collisions) {
		r->sets = r->redundant = -1;
		if (ret == 0)
			ret = contents_count(s->ix->db, &s->trash, &r->sets, &r->redundant, err);
	}
	return ret;
}

/* Free the memory of the walk and the read phase. */
static void
scan_release_plan(struct scan *s)
{
	hash_plan_trim(&s->plan);
	visit_state_free_maps(&s->visit);
}

/* Look into archives, of which few roots ask. */
static int
scan_look_inside(struct scan *s, struct err *err)
{
	bool asked = s->ix->archives;

	for (size_t i = 0; i < s->roots.n; i++)
		asked |= s->roots.v[i].rules.archives;
	if (!asked)
		return 0;
	s->inside = (struct look_inside){
		.ix = s->ix, .roots = &s->roots, .map = s->map, .report = s->report, .racy_window = s->visit.racy_window,
		.rehash = s->opts->rehash, .deadline_ns = s->plan.deadline_ns,
	};
	if (db_publish(s->ix->db, err) < 0 || look_inside_run(&s->inside, err) < 0)
		return -1;
	if (s->inside.sizes.n == 0 || s->report->out_of_time)
		return 0;
	return like_members_read(&s->plan, s->inside.sizes.v, s->inside.sizes.n, s->by_changes, s->report, err);
}

static int
scan_steps(struct scan *s, struct err *err)
{
	struct err ignored = { 0 };
	int ret;

	if (scan_load(s, err) < 0 || scan_prepare(s, err) < 0 || db_begin(s->ix->db, err) < 0)
		return -1;
	/* A dry run writes rows, too, and takes them back: an older index stays as it is. */
	if (s->ix->version < SCHEMA_VERSION && schema_upgrade_within(s->ix->db, s->ix->version, s->ix->content_index, err) < 0)
		return db_end(s->ix->db, -1, err);
	if (row_history_begin(s->ix, s->report->id, s->merge.first_new, err) < 0 ||
	    (s->opts->history >= 0 && !s->opts->dry_run && row_history_set_age(s->ix, s->opts->history, err) < 0))
		return db_end(s->ix->db, -1, err);
	ret = s->bulk != NULL ? bulk_begin_rows(s->bulk, s->ix->db, err) : 0;
	if (ret < 0)
		return db_end(s->ix->db, -1, err);
	s->merge.load = ret == 1 ? s->bulk : NULL;
	for (size_t i = 0; i < s->starts.n; i++)
		s->n_readers = hash_read_threads(s->volumes, s->starts.v[i].path, s->n_readers);
	s->plan.rotational = s->n_readers == HASH_READ_THREADS_ROTATIONAL;
	if (s->n_readers == 0)
		s->n_readers = s->n_threads;
	ret = scan_update(s, err);
	/* A few files that were busy or fell out of the cache do not make a cold tree. */
	s->plan.ahead = s->opts->from_disk || !s->visit.read_in_passing ||
	                atomic_load(&s->visit.cold) > atomic_load(&s->report->counts.read) / 16;
	s->plan.n_threads = s->plan.ahead ? s->n_readers : s->n_threads;
	if (ret == 0)
		ret = hash_run(&s->plan, err);
	if (s->opts->dry_run) {
		if (ret == 0)
			ret = scan_count_known(s, err);
		db_end(s->ix->db, -1, &ignored);
		return ret;
	}
	s->report->out_of_time = s->plan.out_of_time;
	s->report->reached = s->plan.reached ? s->plan.until_share : 0;
	scan_release_plan(s);
	if (ret == 0)
		ret = scan_settle(s, err);
	if ((s->merge.broken ? db_end(s->ix->db, -1, err) : db_end_kept(s->ix->db, ret, err)) < 0)
		return -1;
	if (hash_plan_is_cut(&s->plan))
		return 0;
	return scan_look_inside(s, err) < 0 ? -1 : s->opts->verify && !s->report->out_of_time ? scan_verify(s, err) : 0;
}

static void
scan_release(struct scan *s)
{
	merge_release(&s->merge);
	scan_release_plan(s);
	hash_plan_release(&s->plan);
	digests_release(&s->digests);
	look_inside_release(&s->inside);
	bulk_free(s->bulk);
	vec_release(&s->trash.dirs);
	start_release(&s->starts);
	dirty_release(&s->dirty);
	changed_release(&s->changed);
	dirmap_free(s->map);
	volumes_free(s->volumes);
	roots_release(&s->roots);
	moved_marks_release(&s->marked);
	verify_inline_free(s->visit.references);
	visit_state_free_shared(&s->visit);
}

/*
 * Scan again with SQLite alone after bulk has failed: everything written since the scan began has
 * been rolled back, and the walk begins anew.
 */
static int
scan_again(struct scan *s, enum index_pending pending, struct err *err)
{
	struct stats_report *r = s->report;
	const struct scan again = {
		.ix = s->ix, .opts = s->opts, .report = r, .n_threads = s->n_threads, .start_ns = s->start_ns, .by_sqlite = true
	};

	scan_release(s);
	*s = again;
	s->ix->pending = pending;
	stats_begin(r, r->counts.hooks, r->id);
	return scan_steps(s, err);
}

/*
 * Three threads for two processors: while one waits for a disk another goes on.  That saves a
 * tenth of a cold tree's first scan; where nothing waits two, three and four threads on two
 * processors take the same time.
 */
static int
scan_threads(void)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return processors > 0 ? (int)((processors * 3 + 1) / 2) : 2;
}

int
scan_run(struct index *ix, const struct scan_options *opts, const struct stats_hooks *hooks,
         struct stats_report *report, struct err *err)
{
	struct scan s = { .ix = ix, .opts = opts, .report = report, .digests = { .kinds = opts->digests, .window = racy_window_seconds(opts->racy_window_ns) } };
	const enum index_pending pending = ix->pending;
	struct buf options = { 0 }, shown = { 0 };
	int ret;

	stats_begin(report, hooks, 0);
	/* What it left may lie anywhere. */
	if (opts->partial && pending == INDEX_UNMET)
		return err_set(err, ERR_USAGE, "a scan was cut off before it had met every file: '%s scan' looks at all of them first", prog_name());
	s.start_ns = fs_clock_ns();
	s.n_threads = opts->threads > 0 ? opts->threads : scan_threads();
	if (opts->rules != NULL)
		rules_show(&options, opts->rules);
	if (opts->partial)
		buf_adds(&options, JOURNAL_PARTIAL);
	/* The views hold only valid UTF-8; patterns are any bytes. */
	name_show_message(&shown, buf_str(&options), options.len);
	ret = opts->dry_run ? 0 : journal_begin(ix->db, "scan", buf_str(&shown), &report->id, err);
	if (ret == 0)
		ret = scan_steps(&s, err);
	if (ret < 0 && bulk_refused(s.bulk))
		ret = scan_again(&s, pending, err);
	report->n_corrupt = (int64_t)s.plan.corrupt.files.n;
	stats_sum_errors(report);
	if (report->id != 0) {
		struct err ignored = { 0 }, end_err = { 0 };

		/* Queries on a stopped first scan need the indexes on contents. */
		if (ret < 0 && err->code == ERR_INTERRUPTED && !ix->content_index && db_begin(ix->db, &ignored) == 0)
			db_end(ix->db, index_make_contents(ix, &ignored), &ignored);
		/*
		 * Out of memory or disk, SQLite rolls the whole first scan back: then it must not
		 * count as done.
		 */
		if (stats_journal(report, ix->db, ret == 0 ? NULL : err, &end_err) < 0 &&
		    (ret == 0 || err->code == ERR_INTERRUPTED)) {
			*err = end_err;
			ret = -1;
		}
	}
	/* Publish also what was met before a signal. */
	if (ret == 0 || err->code == ERR_INTERRUPTED) {
		struct err publish_err = { 0 };

		if (db_publish(ix->db, &publish_err) < 0) {
			*err = publish_err;
			ret = -1;
		}
	}
	report->elapsed_ns = fs_clock_ns() - s.start_ns;
	scan_release(&s);
	buf_release(&options);
	buf_release(&shown);
	return ret;
}
