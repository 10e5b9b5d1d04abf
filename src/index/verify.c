/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "index/verify.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/name.h"
#include "base/vec.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/check.h"
#include "index/file.h"
#include "index/index.h"
#include "index/tally.h"
#include "sys/content.h"
#include "sys/pool.h"

/* A name in a set, and where its path and name lie in verify.text. */
struct verify_file {
	struct file_row row;
	size_t path, name;
};

struct verify_group {
	size_t first, n;
	uint8_t hash[HASH_SIZE];
	int64_t size;
};

struct verify {
	struct index *ix;
	struct tally *counts;
	const struct tally_hooks *hooks;
	VEC(struct verify_group) groups;
	VEC(struct verify_file) files;
	struct buf text;
};

/* What became of a file. */
enum verdict { VERDICT_NONE, VERDICT_EQUAL, VERDICT_DIFFERS };

static int
verify_load_group(struct verify *v, struct check *check, struct verify_group *g, struct err *err)
{
	struct stmt st = stmt_get(v->ix->db, SQL_FILE_BY_CONTENT, err);
	int ret;

	g->first = v->files.n;
	stmt_int(&st, ":size", g->size);
	stmt_blob(&st, ":hash", g->hash, HASH_SIZE);
	while ((ret = stmt_step(&st)) == 1) {
		struct verify_file *f = vec_add(&v->files);
		enum member_kind kind;
		const char *path;

		if (file_read(&st, &f->row, err) < 0 || check_row(check, &f->row, &kind, &path, err) < 0) {
			stmt_done(&st);
			return -1;
		}
		f->path = v->text.len;
		f->name = v->text.len + strlen(path) - f->row.name_len;
		buf_add(&v->text, path, strlen(path) + 1);
	}
	g->n = v->files.n - g->first;
	return ret;
}

static int
verify_load(struct verify *v, struct err *err)
{
	struct stmt st = stmt_get(v->ix->db, SQL_CONTENT_UNVERIFIED, err);
	struct check check;
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		struct verify_group *g = vec_add(&v->groups);

		memset(g, 0, sizeof(*g));
		g->size = stmt_col_int(&st, 0);
		if (file_read_hash(&st, 1, g->hash, err) < 0) {
			stmt_done(&st);
			return -1;
		}
	}
	if (ret < 0 || check_open(&check, v->ix, err) < 0)
		return -1;
	check.no_look = true;
	for (size_t i = 0; ret == 0 && i < v->groups.n; i++)
		ret = verify_load_group(v, &check, &v->groups.v[i], err);
	check_release(&check);
	return ret;
}

static void *
verify_begin(void *arg)
{
	const struct verify *v = arg;
	struct content_reader *r = mem_zalloc(1, sizeof(*r));

	content_reader_init(r, v->ix->secret, (struct fs_time){ 0, 0 });
	return r;
}

static void
verify_end(void *arg, void *state)
{
	struct verify *v = arg;
	struct content_reader *r = state;

	atomic_fetch_add(&v->counts->verified_bytes, r->bytes);
	content_reader_release(r);
	free(r);
}

/* Open a file if it is still what its row says.  Returns a descriptor or -1. */
static int
verify_open(const struct verify *v, const struct verify_file *f)
{
	int fd = fs_open_file(AT_FDCWD, v->text.data + f->path);
	struct fs_stat st;

	if (fd >= 0 && (fs_stat_fd(fd, &st) < 0 || !file_same(&f->row, &st, false))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Whether the file open at fd still is what its row says, after its bytes were compared. */
static bool
verify_still(const struct verify_file *f, int fd)
{
	struct fs_stat st;

	return fs_stat_fd(fd, &st) == 0 && file_same(&f->row, &st, false);
}

/* Compare all members of a group with its first that can be opened.  The result is an owned array of verdicts. */
static void
verify_group(void *arg, void *state, size_t i, void *result)
{
	const struct verify *v = arg;
	const struct verify_group *g = &v->groups.v[i];
	uint8_t *verdicts = mem_zalloc(g->n, 1);
	size_t lead = 0;
	int fd = -1;

	*(uint8_t **)result = verdicts;
	while (lead < g->n && (fd = verify_open(v, &v->files.v[g->first + lead])) < 0)
		lead++;
	for (size_t j = lead + 1; j < g->n; j++) {
		const struct verify_file *a = &v->files.v[g->first + lead], *b = &v->files.v[g->first + j];
		int other, equal;

		if (file_linked(&a->row, &b->row)) {
			verdicts[j] = VERDICT_EQUAL;
			continue;
		}
		other = verify_open(v, b);
		if (other < 0)
			continue;
		equal = content_equal(state, fd, other, g->size);
		if (equal >= 0 && verify_still(a, fd) && verify_still(b, other))
			verdicts[j] = equal ? VERDICT_EQUAL : VERDICT_DIFFERS;
		close(other);
		if (verdicts[j] == VERDICT_EQUAL)
			verdicts[lead] = VERDICT_EQUAL;
	}
	if (fd >= 0)
		close(fd);
}

static int
verify_write(struct verify *v, const struct verify_file *f, enum verdict verdict, struct err *err)
{
	struct stmt st = stmt_get(v->ix->db, verdict == VERDICT_EQUAL ? SQL_FILE_SET_VERIFIED : SQL_FILE_SET_CONTENT, err);
	struct buf text = { 0 };
	int ret;

	name_store(&text, v->text.data + f->name, f->row.name_len);
	stmt_int(&st, ":dir", f->row.dir);
	stmt_text(&st, ":name", text.data, text.len);
	if (verdict == VERDICT_EQUAL)
		stmt_int(&st, ":verified", (int64_t)time(NULL));
	else {
		stmt_int(&st, ":racy", 0);
		stmt_int(&st, ":error", FILE_COLLISION);
	}
	ret = stmt_run(&st);
	buf_release(&text);
	return ret;
}

static int
verify_done(void *arg, size_t i, const void *result, struct err *err)
{
	struct verify *v = arg;
	const struct verify_group *g = &v->groups.v[i];
	uint8_t *verdicts = *(uint8_t *const *)result;
	int ret = 0;

	for (size_t j = 0; verdicts != NULL && ret == 0 && j < g->n; j++) {
		const struct verify_file *f = &v->files.v[g->first + j];

		if (verdicts[j] == VERDICT_NONE)
			continue;
		ret = verify_write(v, f, verdicts[j], err);
		if (verdicts[j] == VERDICT_EQUAL) {
			atomic_fetch_add(&v->counts->verified, 1);
			continue;
		}
		atomic_fetch_add(&v->counts->collisions, 1);
		if (v->hooks != NULL && v->hooks->problem != NULL)
			v->hooks->problem(v->hooks->arg, v->text.data + f->path, file_error_text(FILE_COLLISION));
		if (ret == 0)
			ret = dirs_forget_digest(v->ix->db, f->row.dir, err);
	}
	free(verdicts);
	return ret;
}

static int
verify_tick(void *arg, struct err *err)
{
	const struct verify *v = arg;

	(void)err;
	if (v->hooks != NULL && v->hooks->tick != NULL)
		v->hooks->tick(v->hooks->arg, TALLY_VERIFY, v->counts);
	return 0;
}

int
verify_run(struct index *ix, struct tally *counts, const struct tally_hooks *hooks, int n_threads,
           struct err *err)
{
	struct verify v = { .ix = ix, .counts = counts, .hooks = hooks };
	const struct pool_work work = {
		.arg = &v, .result_size = sizeof(uint8_t *), .begin = verify_begin, .run = verify_group,
		.end = verify_end, .done = verify_done, .tick = verify_tick,
	};
	struct err stopped = { 0 };
	int ret = db_begin(ix->db, err);

	if (ret == 0) {
		ret = verify_load(&v, err);
		if (ret == 0)
			ret = pool_run(&work, v.groups.n, n_threads, err);
		if (ret < 0 && err->code == ERR_INTERRUPTED) {
			stopped = *err;
			ret = 0;
		}
		ret = db_end(ix->db, ret, err);
		if (ret == 0 && stopped.code != ERR_NONE) {
			*err = stopped;
			ret = -1;
		}
	}
	vec_release(&v.groups);
	vec_release(&v.files);
	buf_release(&v.text);
	return ret;
}
