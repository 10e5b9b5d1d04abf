/* SPDX-License-Identifier: MIT */
/*
 * Threads open, parse and hash files; the calling thread writes what they found, if the file still
 * has the signature of its row before and after.  A few hundred files make a transaction, so that
 * an interrupted run keeps what it has.
 */
#include "base/base.h"

#include "scan/payload_files.h"

#include <fcntl.h>
#include <unistd.h>

#include "db/db.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/payloads.h"
#include "index/presence.h"
#include "sys/countmap.h"
#include "sys/stop.h"
#include "sys/tasks.h"

/* Files of a transaction. */
enum { PAYLOAD_FILES_BATCH = 256 };

struct payload_files {
	struct index *ix;
	const struct payload_files_options *opts;
	struct payload_files_report *report;
	struct presence_view view;
	VEC(const char *) paths;
	size_t first;              /* of the batch */
	struct arena memory;
};

/* What a thread found. */
struct payload_files_result {
	struct payloads_entry entry;
	struct fs_stat st;
	int error;                 /* errno, or a CONTENT_* code */
};

/* List the files that lack a payload, one name of each inode. */
static int
payload_files_load(struct payload_files *p, struct err *err)
{
	struct stmt st = stmt_get(p->ix->db, SQL_PAYLOAD_LACKING, err);
	struct countmap *met = countmap_new(0);
	struct file_row row;
	const char *path;
	int ret;

	stmt_int(&st, ":window", num_add(p->opts->racy_window_ns, 999999999) / 1000000000);
	while ((ret = stmt_step(&st)) == 1) {
		if (file_read(&st, &row, err) < 0 || stop_check(err) < 0) {
			ret = -1;
			break;
		}
		if (!payload_may(row.name))
			continue;
		if (row.nlink > 1 && countmap_count(met, (uint64_t)row.inode.volume, (uint64_t)row.inode.number) > 0)
			continue;
		if (presence_path(&p->view, &row, &path, err) < 0) {
			ret = -1;
			break;
		}
		vec_push(&p->paths, arena_str(&p->memory, path));
	}
	stmt_done(&st);
	countmap_free(met);
	return ret;
}

int
payload_files_lacking(struct index *ix, int64_t *n, struct err *err)
{
	const struct payload_files_options opts = { .racy_window_ns = 0 };
	struct payload_files p = { .ix = ix, .opts = &opts };
	int ret = presence_open(&p.view, ix, err);

	if (ret == 0)
		ret = payload_files_load(&p, err);
	*n = (int64_t)p.paths.n;
	vec_release(&p.paths);
	arena_release(&p.memory);
	presence_release(&p.view);
	return ret;
}

static int64_t
payload_files_pread(void *arg, void *buf, size_t n, int64_t at)
{
	const int *fd = arg;
	size_t got = 0;

	while (got < n) {
		const ssize_t more = pread(*fd, (char *)buf + got, n - got, (off_t)(at + (int64_t)got));

		if (more < 0 && errno == EINTR)
			continue;
		if (more < 0)
			return -1;
		if (more == 0)
			break;
		got += (size_t)more;
	}
	return (int64_t)got;
}

/* run of struct tasks_map */
static void
payload_files_read(void *arg, void *state, size_t i, void *result)
{
	const struct payload_files *p = arg;
	struct payload_files_result *r = result;
	struct payload payload;
	struct fs_stat after;
	int fd = content_open(AT_FDCWD, p->paths.v[p->first + i], &r->st, &r->error);

	(void)state;
	if (fd < 0)
		return;
	payload_init(&payload, payload_files_pread, &fd, r->st.size);
	r->entry.format = payload_parse(&payload);
	if (r->entry.format != PAYLOAD_NONE && payload_hash(&payload, r->entry.format, p->ix->secret, r->entry.hash, &r->entry.bytes) < 0 &&
	    payload.error == 0)
		r->error = CONTENT_CHANGING;
	if (payload.error != 0)
		r->error = payload.error;
	else if (fs_stat_fd(fd, &after) < 0)
		r->error = errno;
	else if (!fs_stat_same(&r->st, &after))
		r->error = CONTENT_CHANGING;
	payload_release(&payload);
	close(fd);
}

/* done of struct tasks_map */
static int
payload_files_take(void *arg, size_t i, const void *result, struct err *err)
{
	struct payload_files *p = arg;
	const struct payload_files_result *r = result;
	const char *path = p->paths.v[p->first + i], *why = NULL;
	enum presence presence = PRESENCE_CHANGED;
	struct file_row row;
	int ret = dirs_find_file(p->ix->db, path, &row, err);

	if (ret == 1)
		ret = presence_stat(&p->view, &row, path, r->error > 0 ? r->error : 0, r->error == CONTENT_NO_FILE ? NULL : &r->st, &presence, err) < 0 ? -1 : 1;
	if (ret < 0)
		return -1;
	if (r->error > 0)
		why = strerror(r->error);
	else if (r->error != 0 || presence != PRESENCE_HERE)
		why = "it is not as the index has it: scan it first";
	if (why == NULL) {
		p->report->made += r->entry.format != PAYLOAD_NONE;
		p->report->none += r->entry.format == PAYLOAD_NONE;
		return payloads_put(p->ix, row.inode, &r->st, &r->entry, err);
	}
	p->report->failed++;
	if (p->opts->problem != NULL)
		p->opts->problem(p->opts->arg, path, why);
	return 0;
}

/* Read the files of a batch, and write their payloads. */
static int
payload_files_batch(struct payload_files *p, size_t n, struct err *err)
{
	const struct tasks_map map = { .arg = p, .result_size = sizeof(struct payload_files_result), .run = payload_files_read, .done = payload_files_take };
	const int threads = p->opts->threads > 0 ? p->opts->threads : tasks_threads();

	if (db_begin(p->ix->db, err) < 0)
		return -1;
	return db_end_kept(p->ix->db, tasks_map_run(&map, n, threads, err), err);
}

int
payload_files_run(struct index *ix, const struct payload_files_options *opts, struct payload_files_report *report, struct err *err)
{
	struct payload_files p = { .ix = ix, .opts = opts, .report = report };
	const int64_t start = fs_clock_ns();
	int ret = -1;

	memset(report, 0, sizeof(*report));
	if (presence_open(&p.view, ix, err) == 0 && db_begin(ix->db, err) == 0)
		ret = db_end(ix->db, payloads_begin(ix, err), err);
	if (ret == 0)
		ret = payload_files_load(&p, err);
	while (ret == 0 && p.first < p.paths.n && (opts->max_time_ns == 0 || fs_clock_ns() - start < opts->max_time_ns)) {
		const size_t n = p.paths.n - p.first < PAYLOAD_FILES_BATCH ? p.paths.n - p.first : PAYLOAD_FILES_BATCH;

		ret = payload_files_batch(&p, n, err);
		if (ret == 0)
			p.first += n;
		if (opts->tick != NULL)
			opts->tick(opts->arg, (int64_t)p.first, (int64_t)p.paths.n);
	}
	report->left = (int64_t)p.paths.n - report->made - report->none - report->failed;
	vec_release(&p.paths);
	arena_release(&p.memory);
	presence_release(&p.view);
	return ret;
}
