/* SPDX-License-Identifier: MIT */
/*
 * Hides how a file gets its turn and how a verdict is reached.  Reading is the same as in a scan:
 * the files are a hash_plan, in the order of (last turn, volume, inode), which hash_read reads,
 * and validate_take gets the results instead of hash_write.  So no row of file is written;
 * verdicts go to the table validated.
 *
 * Others may write to the index meanwhile: it is open only for a look or a write, every few
 * seconds.
 *
 *	validate_plan        a look: rows become the plan
 *	validate_take        results are kept until the next look
 *	validate_judge_all   a look: each result is compared with its row as it is now, and told
 *	validate_write       a write: the verdicts about rows that are still the same
 *
 * A row that has changed since the plan was made is not judged: a scan has read the file, or will.
 * While another process writes, results and verdicts wait for the next time; at the end they wait
 * for that process, after a signal at most VALIDATE_LAST_NS.
 *
 * Other bytes under an unchanged signature are corruption only where nothing else explains them:
 * the row is not racy, nobody has the file open for writing, and its times are still the same
 * after it was read.
 *
 * Each inode is read once, by the first of its names that can be opened.
 *
 * Corrupt files are told and remembered after their copies have been read.  If a run is killed
 * before that, the next one meets them again.
 *
 * struct validate_file     the verdict about the file at the same position in plan.files
 * struct validate_result   what was read of one of them, and is to be judged
 * struct validate_put      a verdict that is to be written
 *
 * Threads read the plan (hash_read); all else is the calling thread's.
 */
#include "base/base.h"

#include "scan/validate.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "db/db.h"
#include "db/lock.h"
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
#include "sys/fs.h"
#include "sys/lease.h"
#include "sys/stop.h"

struct validate_file {
	enum validate_verdict verdict;
	bool same_bytes;           /* its hash is that of its row, whatever its times */
};

struct validate_result {
	size_t file;               /* in plan.files */
	struct hash_plan_result res;
};

struct validate_put {
	size_t path;               /* in validate.paths */
	struct file_row row;       /* without its name */
	int64_t when;
	int error;
};

struct validate {
	const char *path;          /* of the index */
	struct index *ix;          /* open for a look, or NULL */
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
	uint8_t secret[CONTENT_SECRET_SIZE];
	VEC(struct validate_result) results;
	VEC(struct validate_put) puts;
	struct buf paths;
	int64_t looked_ns;         /* when the last look began; monotonic */
	int64_t stopped_ns;        /* when a signal came during a wait for the index; or 0 */
};

/* Interval of looks at the index, and results that are enough for one at once. */
#define VALIDATE_LOOK_NS INT64_C(2000000000)
#define VALIDATE_RESULTS 4096
/* Poll interval while another process locks the index; longest wait after a signal. */
#define VALIDATE_WAIT_NS 100000000
#define VALIDATE_LAST_NS INT64_C(5000000000)

static const char *const validate_verdict_names[VALIDATE_VERDICTS] = {
	[VALIDATE_UNREAD] = "unread",
	[VALIDATE_FINE] = "fine",
	[VALIDATE_CHANGED] = "changed",
	[VALIDATE_GONE] = "gone",
	[VALIDATE_OFFLINE] = "offline",
	[VALIDATE_UNREADABLE] = "unreadable",
	[VALIDATE_CORRUPT] = "corrupt",
};

const char *
validate_verdict_name(enum validate_verdict verdict)
{
	assert((unsigned)verdict < VALIDATE_VERDICTS);
	return validate_verdict_names[verdict];
}

/* The verdict about other bytes under the signature of a row.  Sets *why unless it is corrupt. */
static enum validate_verdict
validate_suspect(struct presence_view *view, const struct file_row *row, const char *path, const char **why)
{
	const struct root *root = roots_of_file(&view->roots, path);
	enum validate_verdict verdict = VALIDATE_CHANGED;
	struct fs_stat st;
	int fd;

	if (row->racy) {
		*why = "the index read it right after a change: it may have changed once more at that time";
		return VALIDATE_CHANGED;
	}
	fd = fs_open_file_below(path, root != NULL ? strlen(root->path) : 1);
	/* The lease first: an earlier writer has left other times by then. */
	if (fd >= 0 && lease_take(fd) == LEASE_LOST)
		*why = "it is open for writing";
	else if (fd < 0 || fs_stat_fd(fd, &st) < 0 || !presence_same(view, row, path, &st))
		*why = "it changed while it was read";
	else
		verdict = VALIDATE_CORRUPT;
	if (fd >= 0)
		close(fd);
	return verdict;
}

/*
 * Judge the result for a row, whose path told has: set verdict and why of told, and *same_bytes,
 * that the hash is the row's.  Returns 0 or -1.
 */
static int
validate_judge(struct presence_view *view, const struct file_row *row, const struct hash_plan_result *res, bool *same_bytes,
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
	if (presence_stat(view, row, told->path, c->error > 0 ? c->error : 0, c->error == CONTENT_NO_FILE ? NULL : &res->st,
	                  &presence, err) < 0)
		return -1;
	switch (presence) {
	case PRESENCE_HERE:
		assert(c->has_hash);
		told->verdict = *same_bytes ? VALIDATE_FINE : validate_suspect(view, row, told->path, &told->why);
		break;
	case PRESENCE_CHANGED:
		told->why = *same_bytes ? "only its times changed: its content is the same" : "the next scan reads it";
		break;
	case PRESENCE_OFFLINE:
		told->verdict = VALIDATE_OFFLINE;
		told->why = "its root or volume is not there";
		break;
	case PRESENCE_UNREADABLE:
		told->verdict = VALIDATE_UNREADABLE;
		told->why = strerror(view->error);
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

/* Note a row in the plan, with the time of its last turn. */
static void
validate_add(struct validate *v, const struct file_row *row, int64_t turn)
{
	hash_plan_again(&v->plan, row);
	vec_push(&v->files, ((struct validate_file){ .verdict = VALIDATE_UNREAD }));
	vec_push(&v->turns, (uint64_t)turn);
	assert(v->files.n == v->plan.files.n);
}

/* Add the rows whose paths were asked for and that have a hash to the plan. */
static int
validate_load(struct validate *v, struct err *err)
{
	struct stmt st = stmt_get(v->ix->db, SQL_VALIDATED_FILES, err);
	struct file_row row;
	const char *path;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		if (file_read(&st, &row, err) < 0 || stop_check(err) < 0 ||
		    (v->opts->n_paths > 0 && presence_path(&v->view, &row, &path, err) < 0)) {
			stmt_done(&st);
			return -1;
		}
		if (v->opts->n_paths > 0 && !path_is_below_any(path, v->opts->paths, v->opts->n_paths))
			continue;
		if (row.has_hash)
			validate_add(v, &row, stmt_col_int(&st, COL_FILE_ERROR + 1));
		else {
			v->report->unhashed++;
			v->report->unhashed_bytes = num_add(v->report->unhashed_bytes, row.size);
		}
	}
	return ret;
}

/* Count the inodes, from a position on, whose turn has not come. */
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

/* Note a verdict for f or, with all, for all its names in that state: none of them is read then. */
static void
validate_settle(struct validate *v, struct hash_plan_file *f, struct validate_file found, bool all)
{
	struct hash_plan_file *e, *end;

	for (hash_plan_names(&v->plan, f, &e, &end); e < end; e++) {
		/* A name that is wanted itself gets a result of its own. */
		if (e != f && (!all || !hash_plan_means(f, e) || e->want != HASH_PLAN_NOTHING))
			continue;
		e->want = HASH_PLAN_NOTHING;
		e->given_up = true;
		v->files.v[e - v->plan.files.v] = found;
	}
}

/*
 * Open the index.  With wait, wait while another process locks it, even for some seconds after a
 * signal: results must not be lost.
 */
static int
validate_open(struct validate *v, struct index **ix, enum index_flags flags, bool wait, struct err *err)
{
	while (index_open(ix, v->path, flags, NULL, err) < 0) {
		if (stop_signal() != 0 && v->stopped_ns == 0)
			v->stopped_ns = fs_clock_ns();
		if ((err->code != ERR_BUSY && err->code != ERR_INTERRUPTED) || !wait ||
		    (v->stopped_ns != 0 && fs_clock_ns() - v->stopped_ns > VALIDATE_LAST_NS))
			return -1;
		*err = (struct err){ 0 };
		nanosleep(&(struct timespec){ 0, VALIDATE_WAIT_NS }, NULL);
	}
	return 0;
}

/* Begin a look at the index; with wait, wait while another process locks it. */
static int
validate_look(struct validate *v, bool wait, struct err *err)
{
	v->looked_ns = fs_clock_ns();
	return validate_open(v, &v->ix, 0, wait, err) < 0 ? -1 : presence_open(&v->view, v->ix, err);
}

/* End a look, even one that failed to begin. */
static void
validate_rest(struct validate *v)
{
	if (v->ix != NULL)
		presence_release(&v->view);
	memset(&v->view, 0, sizeof(v->view));
	index_close(v->ix);
	v->ix = NULL;
}

/* Keep a verdict about the file of a row until it is written. */
static void
validate_keep(struct validate *v, const char *path, const struct file_row *row, int error)
{
	vec_push(&v->puts, ((struct validate_put){ v->paths.len, *row, (int64_t)time(NULL), error }));
	v->puts.v[v->puts.n - 1].row.name = NULL;
	buf_add(&v->paths, path, strlen(path) + 1);
}

/* Write the verdicts.  With wait they wait for another process that writes. */
static int
validate_write(struct validate *v, bool wait, struct err *err)
{
	struct index *ix = NULL;
	int ret;

	if (v->puts.n == 0)
		return 0;
	if (validate_open(v, &ix, INDEX_WRITE | INDEX_EXISTING, wait, err) < 0) {
		if (err->code != ERR_BUSY || wait)
			return -1;
		*err = (struct err){ 0 };
		return 0;
	}
	ret = db_begin(ix->db, err);
	for (size_t i = 0; ret == 0 && i < v->puts.n; i++) {
		const struct validate_put *put = &v->puts.v[i];
		struct file_row row;
		bool same;

		ret = dirs_find_file(ix->db, v->paths.data + put->path, &row, err);
		if (ret != 1)
			continue;
		/* Only a row that still has the content and the signature that were judged. */
		same = row.has_hash && row.size == put->row.size && inode_same(row.inode, put->row.inode) &&
		       memcmp(row.hash, put->row.hash, HASH_SIZE) == 0 &&
		       hash_plan_times(row.mtime, row.ctime) == hash_plan_times(put->row.mtime, put->row.ctime);
		ret = same ? validated_put(ix, &row, put->when, put->error, err) : 0;
	}
	if (ix->db->in_transaction)
		ret = db_end(ix->db, ret, err);
	index_close(ix);
	v->puts.n = 0;
	buf_cut(&v->paths, 0);
	return ret;
}

/* Judge a file by what was read of it, if its row is what it was when the plan was made. */
static int
validate_judge_one(struct validate *v, const char *path, struct hash_plan_file *f, const struct hash_plan_result *res, struct err *err)
{
	struct validate_told told = { .verdict = VALIDATE_UNREAD, .path = path };
	struct validate_file found = { .verdict = VALIDATE_UNREAD };
	struct file_row row;
	const int ret = dirs_find_file(v->ix->db, path, &row, err);
	int error = FILE_CHANGING;

	if (ret < 0)
		return -1;
	if (ret == 0 || !row.has_hash || row.size != f->size || !inode_same(row.inode, f->inode) ||
	    hash_plan_times(row.mtime, row.ctime) != f->times) {
		validate_settle(v, f, found, false);
		return 0;
	}
	if (validate_judge(&v->view, &row, res, &found.same_bytes, &told, err) < 0)
		return -1;
	found.verdict = told.verdict;
	validate_settle(v, f, found, validate_is_of_inode(found.verdict, &row, res));
	if (found.verdict == VALIDATE_CORRUPT) {
		hash_corrupt_add(&v->corrupt, path, &row);
		return 0;
	}
	if (found.verdict == VALIDATE_FINE)
		v->report->fine_bytes = num_add(v->report->fine_bytes, row.size);
	validate_tell(v, &told);
	if (found.verdict == VALIDATE_UNREADABLE && v->view.error > 0)
		error = v->view.error;
	/* A file that is not there has not had its turn. */
	if (found.verdict != VALIDATE_GONE && found.verdict != VALIDATE_OFFLINE)
		validate_keep(v, path, &row, found.same_bytes ? 0 : error);
	return 0;
}

/* Judge the results since the last look.  Without wait they may be left for the next one. */
static int
validate_judge_all(struct validate *v, bool wait, struct err *err)
{
	struct buf path = { 0 };
	int ret;

	if (v->results.n == 0)
		return 0;
	ret = validate_look(v, wait, err);
	if (ret < 0 && v->ix == NULL && err->code == ERR_BUSY && !wait) {
		*err = (struct err){ 0 };
		return 0;
	}
	for (size_t i = 0; ret == 0 && i < v->results.n; i++) {
		struct hash_plan_file *f = &v->plan.files.v[v->results.v[i].file];

		hash_plan_path(&v->plan, f, &path);
		ret = validate_judge_one(v, buf_str(&path), f, &v->results.v[i].res, err);
	}
	v->results.n = 0;
	validate_rest(v);
	buf_release(&path);
	return ret;
}

/* hash_plan.tick: look at the index and write to it, unless another process writes. */
static int
validate_tick(void *arg, struct err *err)
{
	struct validate *v = arg;

	if (fs_clock_ns() - v->looked_ns < VALIDATE_LOOK_NS)
		return 0;
	v->looked_ns = fs_clock_ns();
	return validate_judge_all(v, false, err) < 0 || validate_write(v, false, err) < 0 ? -1 : 0;
}

/* hash_plan_take_fn */
static int
validate_take(void *arg, struct hash_plan_file *f, const struct hash_plan_result *res, struct err *err)
{
	struct validate *v = arg;

	f->want = HASH_PLAN_NOTHING;
	vec_push(&v->results, ((struct validate_result){ (size_t)(f - v->plan.files.v), *res }));
	atomic_fetch_add(&v->report->run.counts.files, 1);
	if (res->content.error == 0)
		atomic_fetch_add(&v->report->run.counts.read, 1);
	return v->results.n < VALIDATE_RESULTS ? 0 : validate_judge_all(v, false, err);
}

/* Read the inodes from a position on, by another name where one fails. */
static int
validate_read(struct validate *v, size_t from, struct err *err)
{
	int ret = 0;

	while (ret == 0 && !v->plan.out_of_time && hash_plan_want_again(&v->plan, from) > 0) {
		struct err stopped;

		ret = hash_read(&v->plan, err);
		if (ret < 0 && err->code != ERR_INTERRUPTED)
			break;
		/*
		 * The results count after a signal, too, and tell whether another name must be
		 * read.
		 */
		stopped = *err;
		if (validate_judge_all(v, true, err) < 0)
			return -1;
		*err = stopped;
	}
	return ret;
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

/* Large ones first, those of one content together, in the order of paths. */
static int
validate_cmp_corrupt(const void *a, const void *b)
{
	const struct hash_corrupt_file *x = a, *y = b;
	const int cmp = memcmp(x->hash, y->hash, HASH_SIZE);

	ORDER_CMP(y->size, x->size);
	return cmp != 0 ? cmp : strcmp(x->path, y->path);
}

/* Begin a look with the present directories, after all results were judged. */
static int
validate_look_anew(struct validate *v, struct err *err)
{
	assert(v->results.n == 0);
	if (validate_look(v, true, err) < 0)
		return -1;
	dirmap_free(v->map);
	v->plan.map = v->map = NULL;
	if (dirmap_load(&v->map, v->ix->db, err) < 0)
		return -1;
	v->plan.map = v->map;
	return 0;
}

/* Read the copies of corrupt files that were not read yet. */
static int
validate_copies(struct validate *v, struct err *err)
{
	const size_t from = v->plan.files.n;
	int ret = validate_look_anew(v, err);

	for (size_t i = 0; ret == 0 && i < v->corrupt.files.n; i++) {
		const struct hash_corrupt_file *f = &v->corrupt.files.v[i];
		struct names names;
		struct file_row row;

		if (i > 0 && f[-1].size == f->size && memcmp(f[-1].hash, f->hash, HASH_SIZE) == 0)
			continue;
		names = names_of_content(v->ix->db, f->size, f->hash, err);
		while ((ret = names_next(&names, &row)) == 1) {
			if (validate_find(v, row.inode) == TABLE_END)
				validate_add(v, &row, 0);
		}
	}
	validate_rest(v);
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

/*
 * Find the copies of a corrupt file: good ones were read with its old bytes and are still there;
 * *n_unread are names of inodes that were not judged.
 */
static int
validate_find_copies(struct validate *v, const struct hash_corrupt_file *f, struct hash_corrupt_copies *good, int64_t *n_unread,
                     struct err *err)
{
	struct names names = names_of_content(v->ix->db, f->size, f->hash, err);
	struct file_row row;
	int ret;

	while ((ret = names_next(&names, &row)) == 1) {
		const size_t i = validate_find(v, row.inode);
		enum presence kind;

		*n_unread += i == TABLE_END;
		if (i == TABLE_END || !v->files.v[i].same_bytes)
			continue;
		if (presence_row(&v->view, &row, &kind, NULL, err) < 0) {
			names_end(&names);
			return -1;
		}
		if (kind == PRESENCE_HERE)
			hash_corrupt_copies_add(good, v->map, &row);
	}
	hash_corrupt_copies_sort(good);
	return ret;
}

/* Tell of corrupt files with their good copies, and remember them. */
static int
validate_tell_corrupt(struct validate *v, struct err *err)
{
	int ret = validate_look_anew(v, err);

	for (size_t i = 0; ret == 0 && i < v->corrupt.files.n; i++) {
		const struct hash_corrupt_file *f = &v->corrupt.files.v[i];
		struct validate_told told = { .verdict = VALIDATE_CORRUPT, .path = f->path };
		struct hash_corrupt_copies good = { .text = { 0 } };
		struct file_row row;

		told.why = file_error_text(FILE_CORRUPT);
		ret = validate_find_copies(v, f, &good, &told.n_unread, err);
		told.good = good.paths.v;
		told.n_good = good.paths.n;
		if (ret == 0)
			validate_tell(v, &told);
		/* A file with unread copies gets its turn again. */
		if (ret == 0 && told.n_unread == 0 && dirs_find_file(v->ix->db, told.path, &row, err) == 1 && row.has_hash &&
		    memcmp(row.hash, f->hash, HASH_SIZE) == 0)
			validate_keep(v, told.path, &row, FILE_CORRUPT);
		hash_corrupt_copies_release(&good);
	}
	validate_rest(v);
	return ret;
}

/* Make the plan of the rows that the index has now. */
static int
validate_plan(struct validate *v, struct err *err)
{
	struct stats *counts = &v->report->run.counts;
	int n_threads = 0, ret = validate_look_anew(v, err);

	if (ret == 0)
		ret = volumes_load(&v->volumes, v->ix->db, err);
	for (size_t i = 0; ret == 0 && i < v->view.roots.n; i++)
		n_threads = hash_read_threads(v->volumes, v->view.roots.v[i].path, n_threads);
	if (ret == 0) {
		memcpy(v->secret, v->ix->secret, sizeof(v->secret));
		v->plan = (struct hash_plan){
			.map = v->map, .secret = v->secret, .counts = counts, .n_threads = v->opts->threads > 0 ? v->opts->threads : n_threads > 0 ? n_threads : 1, .ahead = true,
			.rehash = true, .from_disk = !v->opts->trust_cache, .in_order = true, .take = validate_take, .tick = validate_tick, .take_arg = v,
			.deadline_ns = v->opts->max_time_ns > 0 ? num_add(fs_clock_ns(), v->opts->max_time_ns) : 0,
		};
		ret = validate_load(v, err);
	}
	validate_rest(v);
	if (ret == 0)
		validate_choose(v);
	return ret;
}

static int
validate_work(struct validate *v, struct err *err)
{
	struct err stopped, why;
	int ret;

	if (validate_plan(v, err) < 0)
		return -1;
	ret = validate_read(v, 0, err);
	v->report->run.out_of_time = v->plan.out_of_time;
	validate_leave(v, 0);
	if (v->corrupt.files.n > 0) {
		qsort(v->corrupt.files.v, v->corrupt.files.n, sizeof(*v->corrupt.files.v), validate_cmp_corrupt);
		validate_list_inodes(v, 0);
		if (ret == 0)
			ret = validate_copies(v, err);
	}
	if (ret < 0 && err->code != ERR_INTERRUPTED)
		return -1;
	/* Tell and write also what was found before a signal. */
	stopped = *err;
	if ((v->corrupt.files.n == 0 || validate_tell_corrupt(v, err) == 0) && validate_write(v, true, err) == 0) {
		*err = stopped;
		return ret;
	}
	why = *err;
	if (ret < 0 && (why.code == ERR_BUSY || why.code == ERR_INTERRUPTED))
		err_set(err, ERR_INTERRUPTED, "%s; the last results were not saved: %s", stopped.text, why.text);
	return -1;
}

static void
validate_release(struct validate *v)
{
	hash_plan_release(&v->plan);
	hash_corrupt_release(&v->corrupt);
	table_release(&v->by_inode);
	vec_release(&v->files);
	vec_release(&v->turns);
	vec_release(&v->results);
	vec_release(&v->puts);
	buf_release(&v->paths);
	volumes_free(v->volumes);
	dirmap_free(v->map);
}

/* Note the beginning in the journal, and make the table.  Returns 0 or -1. */
static int
validate_begin(struct validate *v, struct err *err)
{
	struct index *ix = NULL;
	int ret = index_open(&ix, v->path, INDEX_WRITE | INDEX_EXISTING | (v->opts->wait ? INDEX_WAIT : 0), NULL, err);

	if (ret == 0)
		ret = journal_begin(ix->db, "validate", "", &v->report->run.id, err);
	if (ret == 0 && (ret = db_begin(ix->db, err)) == 0)
		ret = db_end(ix->db, validated_begin(ix, err), err);
	index_close(ix);
	return ret;
}

/* Note the end in the journal, unless another process writes for long after a signal. */
static void
validate_end(struct validate *v, const struct err *failure)
{
	struct err ignored = { 0 };
	struct index *ix = NULL;

	if (validate_open(v, &ix, INDEX_WRITE | INDEX_EXISTING, true, &ignored) == 0) {
		if (db_begin(ix->db, &ignored) == 0)
			db_end(ix->db, timeless_validated(ix, &ignored), &ignored);
		stats_journal(&v->report->run, ix->db, failure, &ignored);
	}
	index_close(ix);
}

int
validate_run(const char *path, const struct validate_options *opts, const struct stats_hooks *hooks, struct validate_report *report,
             struct err *err)
{
	struct validate v = { .path = path, .opts = opts, .report = report };
	const int64_t start_ns = fs_clock_ns();
	struct stats_report *run = &report->run;
	int lock, ret;

	memset(report, 0, sizeof(*report));
	stats_begin(run, hooks, 0);
	lock = lock_acquire_beside(path, opts->wait, err);
	if (lock < 0)
		return -1;
	ret = validate_begin(&v, err);
	if (ret == 0) {
		ret = validate_work(&v, err);
		for (int i = VALIDATE_CHANGED; i < VALIDATE_VERDICTS; i++)
			run->n_errors += report->n[i];
		run->n_corrupt = report->n[VALIDATE_CORRUPT];
		run->elapsed_ns = fs_clock_ns() - start_ns;
		validate_end(&v, ret == 0 ? NULL : err);
	}
	lock_release(lock);
	validate_release(&v);
	return ret;
}
