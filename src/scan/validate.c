/* SPDX-License-Identifier: MIT */
/*
 * Hides how a file gets its turn and how a verdict is reached.  The reading itself is a scan's:
 * the files are a hash_plan, in the order of (last turn, volume, inode), which hash_read reads,
 * and validate_take gets the results in hash_write's place.  So no row of file is written; what
 * was found goes to the table validated.
 *
 * Each inode is read once, by the first of its names that can be opened.  Other bytes under an
 * unchanged signature are corruption only where nothing else explains them: the row is not racy,
 * nobody has the file open for writing, and its times are still the same after it was read.
 *
 * Corrupt files are told, and remembered, after their copies have been read.  A run that is killed
 * before comes to them again.
 *
 * struct validate_file   what is known of the entry of plan.files at the same position
 *
 * Threads read the plan (hash_read); all else is the calling thread's.
 */
#include <config.h>

#include "scan/validate.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/num.h"
#include "base/order.h"
#include "base/path.h"
#include "base/table.h"
#include "base/vec.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/names.h"
#include "index/presence.h"
#include "index/validated.h"
#include "index/volumes.h"
#include "scan/dirmap.h"
#include "scan/hash_corrupt.h"
#include "scan/hash_plan.h"
#include "scan/hash_read.h"
#include "scan/readers.h"
#include "sys/fs.h"
#include "sys/lease.h"
#include "sys/stop.h"

struct validate_file {
	enum validate_verdict verdict;
	bool same_bytes;           /* as its row has them, be its times the same or not */
};

struct validate {
	struct index *ix;
	const struct validate_options *opts;
	struct validate_report *report;
	struct presence_view view;
	struct dirmap *map;
	struct volumes *volumes;
	struct hash_plan plan;
	struct hash_corrupt corrupt;
	VEC(struct validate_file) files;
	VEC(uint64_t) turns;       /* of plan.files: when each was read last */
	struct table by_inode;     /* of plan.files */
};

static const char *const validate_names[VALIDATE_VERDICTS] = {
	[VALIDATE_UNREAD] = "unread",
	[VALIDATE_FINE] = "fine",
	[VALIDATE_CHANGED] = "changed",
	[VALIDATE_GONE] = "gone",
	[VALIDATE_OFFLINE] = "offline",
	[VALIDATE_UNREADABLE] = "unreadable",
	[VALIDATE_CORRUPT] = "corrupt",
};

const char *
validate_name(enum validate_verdict verdict)
{
	assert((unsigned)verdict < VALIDATE_VERDICTS);
	return validate_names[verdict];
}

/* Note a row in the plan, with the time of its last turn. */
static void
validate_add(struct validate *v, const struct file_row *row, int64_t turn)
{
	hash_plan_again(&v->plan, row);
	vec_push(&v->files, ((struct validate_file){ .verdict = VALIDATE_UNREAD }));
	vec_push(&v->turns, (uint64_t)turn);
	assert(v->files.n == v->plan.files.n);
}

/* Take a row of the index: it may be asked for, and have a hash. */
static int
validate_load_row(struct validate *v, const struct file_row *row, int64_t turn, struct err *err)
{
	const char *path;

	if (v->opts->n_paths > 0) {
		if (presence_path(&v->view, row, &path, err) < 0)
			return -1;
		if (!path_is_below_any(path, v->opts->paths, v->opts->n_paths))
			return 0;
	}
	if (row->has_hash)
		validate_add(v, row, turn);
	else {
		v->report->unhashed++;
		v->report->unhashed_bytes = num_add(v->report->unhashed_bytes, row->size);
	}
	return stop_check(err);
}

static int
validate_load(struct validate *v, struct err *err)
{
	struct stmt st = stmt_get(v->ix->db, SQL_VALIDATED_FILES, err);
	struct file_row row;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		if (file_read(&st, &row, err) < 0 || validate_load_row(v, &row, stmt_col_int(&st, COL_FILE_ERROR + 1), err) < 0) {
			stmt_done(&st);
			return -1;
		}
	}
	return ret;
}

/* Count the inodes from a position on whose turn has not come. */
static void
validate_leave(struct validate *v, size_t from)
{
	struct validate_report *r = v->report;
	const struct hash_plan_file *f = v->plan.files.v;

	for (size_t i = from; i < v->plan.files.n; i++) {
		if (v->files.v[i].verdict != VALIDATE_UNREAD || f[i].given_up ||
		    (i > from && hash_plan_means(&f[i - 1], &f[i]) && hash_plan_same_inode(&f[i - 1], &f[i])))
			continue;
		r->left++;
		r->left_bytes = num_add(r->left_bytes, f[i].size);
	}
}

/* Put the files in the order of their turns, and drop those beyond max_bytes. */
static void
validate_choose(struct validate *v)
{
	const struct hash_plan_file *f;
	int64_t sum = 0;

	hash_plan_sort_keys(&v->plan, v->turns.v);
	f = v->plan.files.v;
	for (size_t i = 0; v->opts->max_bytes > 0 && i < v->plan.files.n; i++) {
		if (i > 0 && hash_plan_same_inode(&f[i - 1], &f[i]))
			continue;
		sum = num_add(sum, f[i].size);
		if (i > 0 && sum > v->opts->max_bytes) {
			validate_leave(v, i);
			v->plan.files.n = v->files.n = i;
		}
	}
}

/* Tell of a file, and count it. */
static void
validate_tell(struct validate *v, const struct validate_told *told)
{
	v->report->n[told->verdict]++;
	if (v->opts->told != NULL)
		v->opts->told(v->opts->arg, told);
}

/* What other bytes under the signature of their row mean.  *why is set unless they are corrupt. */
static enum validate_verdict
validate_suspect(struct validate *v, const struct file_row *row, const char *path, const char **why)
{
	const struct root *root = roots_of_file(&v->view.roots, path);
	enum validate_verdict verdict = VALIDATE_CHANGED;
	struct fs_stat st;
	int fd;

	if (row->racy) {
		*why = "the index read it right after a change: it may have changed once more at that time";
		return VALIDATE_CHANGED;
	}
	fd = fs_open_file_below(path, root != NULL ? strlen(root->path) : 1);
	/* The lease first: who had it open for writing until then has left other times. */
	if (fd >= 0 && lease_take(fd) == LEASE_LOST)
		*why = "it is open for writing";
	else if (fd < 0 || fs_stat_fd(fd, &st) < 0 || !presence_same(&v->view, row, path, &st))
		*why = "it changed while it was read";
	else
		verdict = VALIDATE_CORRUPT;
	if (fd >= 0)
		close(fd);
	return verdict;
}

/* What was read of the file of a row, by whose path told has it, and why.  Returns 0 or -1. */
static int
validate_judge(struct validate *v, const struct file_row *row, const struct hash_plan_result *res, bool *same_bytes,
               struct validate_told *told, struct err *err)
{
	const struct content_result *c = &res->content;
	enum presence presence;

	*same_bytes = c->error == 0 && c->has_hash && memcmp(c->hash, row->hash, HASH_SIZE) == 0;
	told->verdict = VALIDATE_CHANGED;
	if (c->error == CONTENT_CHANGING) {
		told->why = file_error_text(FILE_CHANGING);
		return 0;
	}
	if (presence_stat(&v->view, row, told->path, c->error > 0 ? c->error : 0, c->error == CONTENT_NO_FILE ? NULL : &res->st,
	                  &presence, err) < 0)
		return -1;
	switch (presence) {
	case PRESENCE_HERE:
		assert(c->has_hash);
		told->verdict = *same_bytes ? VALIDATE_FINE : validate_suspect(v, row, told->path, &told->why);
		break;
	case PRESENCE_CHANGED:
		told->why = *same_bytes ? "its times alone: the bytes are those that the index knows" : "the next scan reads it";
		break;
	case PRESENCE_OFFLINE:
		told->verdict = VALIDATE_OFFLINE;
		told->why = "its root or volume is not there";
		break;
	case PRESENCE_UNREADABLE:
		told->verdict = VALIDATE_UNREADABLE;
		told->why = strerror(v->view.error);
		break;
	default:
		told->verdict = VALIDATE_GONE;
	}
	return 0;
}

/* Whether a verdict is of the inode, and not of the one name by which it was looked for. */
static bool
validate_is_of_inode(enum validate_verdict verdict, const struct file_row *row, const struct hash_plan_result *res)
{
	const int error = res->content.error;

	switch (verdict) {
	case VALIDATE_GONE:
	case VALIDATE_OFFLINE:
		return false;
	case VALIDATE_CHANGED:
		return error == CONTENT_CHANGING || (error == 0 && res->st.inode == (uint64_t)row->inode.number);
	case VALIDATE_UNREADABLE:
		return error != EACCES && error != EPERM && error != ELOOP;
	default:
		return true;
	}
}

/* Note a verdict for f, or for all names of its inode in that state, which are not read then. */
static void
validate_settle(struct validate *v, struct hash_plan_file *f, struct validate_file found, bool all)
{
	struct hash_plan_file *e, *end;

	for (hash_plan_names(&v->plan, f, &e, &end); e < end; e++) {
		/* One that is wanted itself has a result of its own to come. */
		if (e != f && (!all || !hash_plan_means(f, e) || e->want != HASH_PLAN_NOTHING))
			continue;
		e->want = HASH_PLAN_NOTHING;
		e->given_up = true;
		v->files.v[e - v->plan.files.v] = found;
	}
}

/* The error that the table validated keeps: none where the bytes were found to be the same. */
static int
validate_error(const struct validate *v, struct validate_file found)
{
	if (found.same_bytes)
		return 0;
	return found.verdict == VALIDATE_UNREADABLE && v->view.error > 0 ? v->view.error : FILE_CHANGING;
}

/* hash_plan_take_fn */
static int
validate_take(void *arg, struct hash_plan_file *f, const struct hash_plan_result *res, struct err *err)
{
	struct validate *v = arg;
	struct validate_told told = { .verdict = VALIDATE_UNREAD };
	struct validate_file found = { .verdict = VALIDATE_UNREAD };
	const char *name = v->plan.names.data + f->name;
	struct file_row row;
	int ret = file_get(v->ix->db, f->dir, name, strlen(name), &row, err);

	/* Nobody else writes, so it is there. */
	if (ret <= 0)
		return ret < 0 ? -1 : db_corrupt(v->ix->db, err, "file", f->dir, name, "has gone");
	if (presence_path(&v->view, &row, &told.path, err) < 0)
		return -1;
	if (validate_judge(v, &row, res, &found.same_bytes, &told, err) < 0)
		return -1;
	found.verdict = told.verdict;
	atomic_fetch_add(&v->report->run.counts.files, 1);
	if (res->content.error == 0)
		atomic_fetch_add(&v->report->run.counts.read, 1);
	validate_settle(v, f, found, validate_is_of_inode(found.verdict, &row, res));
	if (found.verdict == VALIDATE_CORRUPT) {
		hash_corrupt_add(&v->corrupt, told.path, &row);
		return 0;
	}
	if (found.verdict == VALIDATE_FINE)
		v->report->fine_bytes = num_add(v->report->fine_bytes, row.size);
	validate_tell(v, &told);
	/* What is not there has had no turn. */
	if (found.verdict == VALIDATE_GONE || found.verdict == VALIDATE_OFFLINE)
		return 0;
	return validated_put(v->ix, &row, (int64_t)time(NULL), validate_error(v, found), err);
}

/* Read what is wanted from a position on, by another name where one fails. */
static int
validate_read(struct validate *v, size_t from, struct err *err)
{
	while (!v->plan.out_of_time && hash_plan_want_again(&v->plan, from) > 0) {
		if (hash_read(&v->plan, err) < 0)
			return -1;
	}
	return 0;
}

/* The position of a name of the inode that was judged, or TABLE_END. */
static size_t
validate_find(const struct validate *v, struct inode inode)
{
	TABLE_EACH(i, &v->by_inode, inode_hash(inode)) {
		if (inode_same(v->plan.files.v[i].inode, inode) && v->files.v[i].verdict != VALIDATE_UNREAD)
			return i;
	}
	return TABLE_END;
}

static void
validate_list_inodes(struct validate *v, size_t from)
{
	for (size_t i = from; i < v->plan.files.n; i++)
		table_add(&v->by_inode, inode_hash(v->plan.files.v[i].inode), i);
}

static bool
validate_same_content(const struct hash_corrupt_file *a, const struct hash_corrupt_file *b)
{
	return a->size == b->size && memcmp(a->hash, b->hash, HASH_SIZE) == 0;
}

/* Large ones first, those of one content together, in the order of paths. */
static int
validate_cmp_corrupt(const void *a, const void *b, void *text)
{
	const struct hash_corrupt_file *x = a, *y = b;
	const int cmp = memcmp(x->hash, y->hash, HASH_SIZE);

	ORDER_CMP(y->size, x->size);
	return cmp != 0 ? cmp : strcmp((const char *)text + x->path, (const char *)text + y->path);
}

/* Read the copies of corrupt files that were not read yet. */
static int
validate_copies(struct validate *v, struct err *err)
{
	const size_t from = v->plan.files.n;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < v->corrupt.files.n; i++) {
		const struct hash_corrupt_file *f = &v->corrupt.files.v[i];
		struct names names;
		struct file_row row;

		if (i > 0 && validate_same_content(f - 1, f))
			continue;
		names = names_of_content(v->ix->db, f->size, f->hash, err);
		while ((ret = names_next(&names, &row)) == 1) {
			if (validate_find(v, row.inode) == TABLE_END)
				validate_add(v, &row, 0);
		}
	}
	if (ret < 0)
		return -1;
	for (size_t i = 0; i < from; i++)
		v->plan.files.v[i].want = HASH_PLAN_NOTHING;
	v->plan.in_order = v->plan.out_of_time = false;
	v->plan.deadline_ns = 0;
	ret = validate_read(v, from, err);
	validate_list_inodes(v, from);
	return ret;
}

/* hash_corrupt_holds_fn: by what was read of the inode, and a look at the name. */
static int
validate_holds(void *arg, const struct file_row *row, const char *path, struct err *err)
{
	struct validate *v = arg;
	const size_t i = validate_find(v, row->inode);
	const struct hash_plan_file *f = i != TABLE_END ? &v->plan.files.v[i] : NULL;
	enum presence kind;

	(void)path;
	if (f == NULL || !v->files.v[i].same_bytes)
		return 0;
	if (f->dir == row->dir && strcmp(v->plan.names.data + f->name, row->name) == 0)
		return 1;
	return presence_row(&v->view, row, &kind, NULL, err) < 0 ? -1 : kind == PRESENCE_HERE;
}

/* How many names of a content are of inodes that were not judged.  Returns -1 on failure. */
static int64_t
validate_count_unread(struct validate *v, const struct hash_corrupt_file *f, struct err *err)
{
	struct names names = names_of_content(v->ix->db, f->size, f->hash, err);
	struct file_row row;
	int64_t n = 0;
	int ret;

	while ((ret = names_next(&names, &row)) == 1)
		n += validate_find(v, row.inode) == TABLE_END;
	return ret < 0 ? -1 : n;
}

/* Tell of corrupt files, with the copies that are good, and remember them. */
static int
validate_tell_corrupt(struct validate *v, struct err *err)
{
	struct hash_corrupt_copies copies = { .at = { 0 } };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < v->corrupt.files.n; i++) {
		const struct hash_corrupt_file *f = &v->corrupt.files.v[i];
		struct validate_told told = { .verdict = VALIDATE_CORRUPT, .path = v->corrupt.text.data + f->path };
		struct file_row row;

		told.why = file_error_text(FILE_CORRUPT);
		told.n_unread = validate_count_unread(v, f, err);
		ret = told.n_unread < 0 ? -1 : hash_corrupt_find(f, v->ix->db, v->map, validate_holds, v, &copies, err);
		if (ret < 0)
			break;
		told.good = copies.paths.v;
		told.n_good = copies.paths.n;
		validate_tell(v, &told);
		/* One whose copies were not read has its turn again. */
		if (told.n_unread == 0 && dirs_find_file(v->ix->db, told.path, &row, err) == 1)
			ret = validated_put(v->ix, &row, (int64_t)time(NULL), FILE_CORRUPT, err);
	}
	hash_corrupt_copies_release(&copies);
	return ret;
}

static int
validate_work(struct validate *v, struct err *err)
{
	struct err stopped = { 0 };
	int ret;

	if (validated_begin(v->ix, err) < 0 || validate_load(v, err) < 0)
		return -1;
	validate_choose(v);
	ret = validate_read(v, 0, err);
	v->report->run.out_of_time = v->plan.out_of_time;
	validate_leave(v, 0);
	if (v->corrupt.files.n == 0)
		return ret;
	qsort_r(v->corrupt.files.v, v->corrupt.files.n, sizeof(*v->corrupt.files.v), validate_cmp_corrupt, v->corrupt.text.data);
	validate_list_inodes(v, 0);
	if (ret == 0)
		ret = validate_copies(v, err);
	if (ret < 0 && err->code != ERR_INTERRUPTED)
		return -1;
	/* What was found before a signal is told as well. */
	stopped = *err;
	if (validate_tell_corrupt(v, err) < 0)
		return -1;
	*err = stopped;
	return ret;
}

/* With how many threads to read: as many as the slowest root bears. */
static int
validate_threads(struct validate *v)
{
	int least = v->opts->threads;

	for (size_t i = 0; v->opts->threads == 0 && i < v->view.roots.n; i++) {
		const int n = readers_below(v->volumes, v->view.roots.v[i].path);

		least = least == 0 || n < least ? n : least;
	}
	return least > 0 ? least : 1;
}

static int
validate_open(struct validate *v, struct err *err)
{
	struct stats *counts = &v->report->run.counts;

	if (presence_open(&v->view, v->ix, err) < 0 || dirmap_load(&v->map, v->ix->db, err) < 0 ||
	    volumes_load(&v->volumes, v->ix->db, err) < 0)
		return -1;
	v->plan = (struct hash_plan){
		.ix = v->ix, .map = v->map, .counts = counts, .n_threads = validate_threads(v), .ahead = true, .rehash = true,
		.in_order = true, .take = validate_take, .take_arg = v,
		.deadline_ns = v->opts->max_time_ns > 0 ? num_add(fs_clock_ns(), v->opts->max_time_ns) : 0,
	};
	return 0;
}

static void
validate_release(struct validate *v)
{
	hash_plan_release(&v->plan);
	hash_corrupt_release(&v->corrupt);
	table_release(&v->by_inode);
	vec_release(&v->files);
	vec_release(&v->turns);
	volumes_free(v->volumes);
	dirmap_free(v->map);
	presence_release(&v->view);
}

int
validate_run(struct index *ix, const struct validate_options *opts, const struct stats_hooks *hooks,
             struct validate_report *report, struct err *err)
{
	struct validate v = { .ix = ix, .opts = opts, .report = report };
	const int64_t start_ns = fs_clock_ns();
	struct stats_report *run = &report->run;
	struct err ignored = { 0 };
	int ret;

	memset(report, 0, sizeof(*report));
	run->counts.hooks = hooks;
	run->sets = run->redundant = -1;
	if (journal_begin(ix->db, "validate", "", &run->id, err) < 0)
		return -1;
	ret = validate_open(&v, err);
	if (ret == 0)
		ret = db_begin(ix->db, err);
	if (ret == 0)
		ret = db_end_kept(ix->db, validate_work(&v, err), err);
	for (int i = VALIDATE_CHANGED; i < VALIDATE_VERDICTS; i++)
		run->n_errors += report->n[i];
	run->n_corrupt = report->n[VALIDATE_CORRUPT];
	run->elapsed_ns = fs_clock_ns() - start_ns;
	stats_journal(run, ix->db, ret == 0 && !run->out_of_time ? "finished" :
	              ret == 0 || err->code == ERR_INTERRUPTED ? "interrupted" : "failed", &ignored);
	validate_release(&v);
	return ret;
}
