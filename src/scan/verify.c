/* SPDX-License-Identifier: MIT */
/*
 * Hides how sets become pieces of work.  The first scan of an index compares while it reads
 * (verify_inline); this module compares what that left, and everything in later scans.  Threads of
 * a pool read struct verify and compare; the main thread takes verdicts, and writes rows at the
 * end, in their order.  A verdict counts only if both files matched their rows before and after.
 */
#include "base/base.h"

#include "scan/verify.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

#include "db/db.h"
#include "db/stmt.h"
#include "index/presence.h"
#include "index/file.h"
#include "index/index.h"
#include "index/journal.h"
#include "scan/stats.h"
#include "sys/content.h"
#include "sys/content_equal.h"
#include "sys/tasks.h"
#include "sys/stop.h"

/*
 * Members compared in one piece of work: several threads share a large set.  All are open together,
 * as far as there are descriptors, so that the reference copy is read once for them; only some
 * where the threads share their descriptors.
 */
#define VERIFY_PIECE 64
#define VERIFY_SOME 7

/* A name in a set, and where its path and name lie in verify.text. */
struct verify_file {
	struct file_row row;
	size_t path, name;
	size_t root;     /* length of its root's path */
	size_t link_of;  /* 1 + position of the reference copy of its inode; else 0 */
	bool equal;      /* to the reference copy, or it is that of an equal one */
};

/* Members of a set to be compared with one of them, the reference copy. */
struct verify_piece {
	size_t first, n;
	bool open;  /* a whole set: the first that opens is the reference; else it is given */
	size_t reference;
};

struct verify {
	struct index *ix;
	struct stats *counts;
	VEC(struct verify_piece) pieces;
	VEC(struct verify_file) files;
	struct buf text;
};

/* The outcome of comparing a file. */
enum verdict { VERDICT_NONE, VERDICT_EQUAL, VERDICT_DIFFERS, VERDICT_LINK };

/* The outcome of a piece. */
struct verify_result {
	uint8_t *verdicts;  /* of its members; owned, or NULL */
	size_t reference;
	bool equal;         /* the reference copy equals one of them */
};

/* Whether the file open at fd still is what its row says. */
static bool
verify_still(const struct verify_file *f, int fd)
{
	struct fs_stat st;

	return fs_stat_fd(fd, &st) == 0 && file_same(&f->row, &st, false);
}

/* Open a file if it is still what its row says.  Returns a descriptor, or -1 with errno. */
static int
verify_open(const struct verify *v, const struct verify_file *f)
{
	int fd = fs_open_file_below(v->text.data + f->path, f->root);

	if (fd >= 0 && !verify_still(f, fd)) {
		close(fd);
		errno = ESTALE;
		fd = -1;
	}
	return fd;
}

/* Move the member i to the front of the set that begins at first. */
static void
verify_lead(struct verify *v, size_t first, size_t i)
{
	const struct verify_file f = v->files.v[i];

	v->files.v[i] = v->files.v[first];
	v->files.v[first] = f;
}

/* Share out the large set that begins at first: all pieces must have the same reference copy. */
static void
verify_share(struct verify *v, size_t first)
{
	for (size_t i = first; i < v->files.n; i++) {
		int fd = verify_open(v, &v->files.v[i]);

		if (fd < 0)
			continue;
		close(fd);
		verify_lead(v, first, i);
		for (size_t at = first + 1; at < v->files.n; at += VERIFY_PIECE) {
			const size_t n = v->files.n - at < VERIFY_PIECE ? v->files.n - at : VERIFY_PIECE;

			vec_push(&v->pieces, ((struct verify_piece){ .first = at, .n = n, .reference = first }));
		}
		return;
	}
}

static int
verify_cmp_path(const void *a, const void *b, void *text)
{
	const struct verify_file *x = a, *y = b;

	return strcmp((const char *)text + x->path, (const char *)text + y->path);
}

/* Plan the work of the set that begins at first, or drop it when there is nothing to compare. */
static void
verify_set(struct verify *v, size_t first)
{
	const size_t n = v->files.n - first;
	bool all = true, linked = true;

	/* Pick the reference copy by path: the result must not depend on inode order. */
	order_sort_by(v->files.v + first, n, sizeof(*v->files.v), verify_cmp_path, v->text.data);
	for (size_t i = first; i < v->files.n; i++) {
		all &= v->files.v[i].row.verified != 0;
		linked &= file_linked(&v->files.v[first].row, &v->files.v[i].row);
	}
	if (all || linked) {
		v->files.n = first;
		return;
	}
	/* Prefer a member that was compared before: if bytes differ, the other is wrong. */
	for (size_t i = first; i < v->files.n; i++) {
		if (v->files.v[i].row.verified != 0) {
			verify_lead(v, first, i);
			break;
		}
	}
	if (n > VERIFY_PIECE)
		verify_share(v, first);
	else
		vec_push(&v->pieces, ((struct verify_piece){ .first = first, .n = n, .open = true }));
}

static int
verify_load(struct verify *v, struct err *err)
{
	struct stmt st = stmt_get(v->ix->db, SQL_CONTENT_MEMBERS, err);
	struct presence_view check;
	size_t first = 0;
	int ret;

	if (presence_open(&check, v->ix, err) < 0)
		return -1;
	check.no_look = true;
	while ((ret = stmt_step(&st)) == 1) {
		struct verify_file *f, *before = v->files.n > first ? &v->files.v[first] : NULL;
		enum presence kind;
		struct file_row row;
		const struct root *root;
		const char *path;

		if (file_read(&st, &row, err) < 0 || presence_row(&check, &row, &kind, &path, err) < 0) {
			stmt_done(&st);
			ret = -1;
			break;
		}
		if (before != NULL && (before->row.size != row.size || memcmp(before->row.hash, row.hash, HASH_SIZE) != 0)) {
			verify_set(v, first);
			first = v->files.n;
		}
		f = vec_add(&v->files);
		row.name = NULL;
		root = roots_of_file(&check.roots, path);
		*f = (struct verify_file){ .row = row, .path = v->text.len, .name = v->text.len + strlen(path) - row.name_len,
		                           .root = root != NULL ? strlen(root->path) : 1 };
		buf_add(&v->text, path, strlen(path) + 1);
	}
	if (ret == 0 && v->files.n > first)
		verify_set(v, first);
	presence_release(&check);
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

/* The verdict on a member that was compared with the reference copy; both are open. */
static enum verdict
verify_verdict(const struct verify_file *reference, int fd, const struct verify_file *f, const struct content_other *o)
{
	if (o->equal < 0 || !verify_still(reference, fd) || !verify_still(f, o->fd))
		return VERDICT_NONE;
	return o->equal > 0 ? VERDICT_EQUAL : VERDICT_DIFFERS;
}

/* The one of the n members of a piece that is a name of the same inode as the member j, or j. */
static size_t
verify_same_inode(const struct verify *v, const struct verify_piece *p, const size_t *members, size_t n, size_t j)
{
	const struct verify_file *files = &v->files.v[p->first];

	for (size_t i = 0; i < n && files[j].row.nlink > 1; i++) {
		if (file_linked(&files[members[i]].row, &files[j].row))
			return members[i];
	}
	return j;
}

/*
 * Compare members of a piece, from the one at j on, with the reference copy, open at fd: all that
 * can be open beside it, an inode once.  Returns where the next ones begin.
 */
static size_t
verify_beside(const struct verify *v, struct content_reader *r, const struct verify_piece *p, size_t j, int fd, struct verify_result *res)
{
	const struct verify_file *reference = &v->files.v[res->reference];
	struct content_other others[VERIFY_PIECE];
	const size_t from = j, most = fs_is_apart() ? VERIFY_PIECE : VERIFY_SOME;
	size_t members[VERIFY_PIECE], n = 0;  /* those that are open */
	size_t same[VERIFY_PIECE];            /* of all: whose verdict it has */

	for (; j < p->n && n < most; j++) {
		const struct verify_file *f = &v->files.v[p->first + j];

		same[j] = verify_same_inode(v, p, members, n, j);
		if (same[j] != j)
			continue;
		if (file_linked(&reference->row, &f->row)) {
			res->verdicts[j] = VERDICT_LINK;
			continue;
		}
		others[n].fd = verify_open(v, f);
		if (others[n].fd >= 0)
			members[n++] = j;
		else if (n > 0 && (errno == EMFILE || errno == ENFILE))
			break;
	}
	if (n > 0)
		content_equal_each(r, fd, others, n, reference->row.size);
	for (size_t i = 0; i < n; i++) {
		const enum verdict verdict = verify_verdict(reference, fd, &v->files.v[p->first + members[i]], &others[i]);

		res->verdicts[members[i]] = (uint8_t)verdict;
		res->equal |= verdict == VERDICT_EQUAL;
		close(others[i].fd);
	}
	for (size_t i = from; i < j; i++)
		res->verdicts[i] = res->verdicts[same[i]];
	return j;
}

static void
verify_compare(void *arg, void *state, size_t i, void *result)
{
	const struct verify *v = arg;
	const struct verify_piece *p = &v->pieces.v[i];
	struct verify_result *res = result;
	size_t j = 0;
	int fd = -1;

	res->verdicts = mem_zalloc(p->n, 1);
	res->reference = p->reference;
	if (!p->open)
		fd = verify_open(v, &v->files.v[p->reference]);
	else {
		while (j < p->n && (fd = verify_open(v, &v->files.v[p->first + j])) < 0)
			j++;
		res->reference = p->first + j++;
	}
	while (fd >= 0 && j < p->n && stop_signal() == 0)
		j = verify_beside(v, state, p, j, fd, res);
	if (fd >= 0)
		close(fd);
}

/* A file has other bytes than its set: replace its hash by an error. */
static int
verify_collision(struct verify *v, const struct verify_file *f, struct err *err)
{
	struct stmt st = stmt_get(v->ix->db, SQL_FILE_SET_CONTENT, err);
	struct buf text = { 0 };
	int ret;

	stats_problem(v->counts, &v->counts->collisions, v->text.data + f->path, file_error_text(FILE_COLLISION));
	name_store(&text, v->text.data + f->name, f->row.name_len);
	stmt_int(&st, ":dir", f->row.dir);
	stmt_text(&st, ":name", text.data, text.len);
	stmt_int(&st, ":racy", 0);
	stmt_int(&st, ":error", FILE_COLLISION);
	ret = stmt_run(&st);
	buf_release(&text);
	if (ret == 0)
		ret = dirs_forget_digest(v->ix->db, f->row.dir, err);
	return ret < 0 ? -1 : journal_forget_totals(v->ix->db, err);
}

static int
verify_done(void *arg, size_t i, const void *result, struct err *err)
{
	struct verify *v = arg;
	const struct verify_piece *p = &v->pieces.v[i];
	const struct verify_result *res = result;
	int ret = 0;

	if (res->equal)
		v->files.v[res->reference].equal = true;
	for (size_t j = 0; ret == 0 && j < p->n; j++) {
		if (res->verdicts[j] == VERDICT_EQUAL)
			v->files.v[p->first + j].equal = true;
		else if (res->verdicts[j] == VERDICT_LINK)
			v->files.v[p->first + j].link_of = res->reference + 1;
		else if (res->verdicts[j] == VERDICT_DIFFERS)
			ret = verify_collision(v, &v->files.v[p->first + j], err);
	}
	free(res->verdicts);
	return ret;
}

/*
 * Mark equal files as verified, in the order of directories; links of a reference copy share its
 * verdict.
 */
static int
verify_write(struct verify *v, struct err *err)
{
	struct order *order = mem_alloc((v->files.n + 1) * sizeof(*order));
	size_t n = 0;
	int ret = 0;

	for (size_t i = 0; i < v->files.n; i++) {
		const struct verify_file *f = &v->files.v[i];

		if (f->equal || (f->link_of != 0 && v->files.v[f->link_of - 1].equal))
			order[n++] = (struct order){ (uint64_t)f->row.dir, i };
	}
	order_sort(order, n);
	for (size_t i = 0; ret == 0 && i < n; i++) {
		const struct verify_file *f = &v->files.v[order[i].pos];

		ret = file_set_verified(v->ix->db, f->row.dir, v->text.data + f->name, f->row.name_len, f->row.hash, err);
	}
	atomic_fetch_add(&v->counts->verified, (int64_t)n);
	free(order);
	return ret;
}

static int
verify_tick(void *arg, struct err *err)
{
	const struct verify *v = arg;

	(void)err;
	stats_tick(v->counts, STATS_VERIFY);
	return 0;
}

int
verify_run(struct index *ix, struct stats *counts, int n_threads, struct err *err)
{
	struct verify v = { .ix = ix, .counts = counts };
	const struct tasks_map work = {
		.arg = &v, .result_size = sizeof(struct verify_result), .begin = verify_begin, .run = verify_compare,
		.end = verify_end, .done = verify_done, .tick = verify_tick,
	};
	struct err stopped = { 0 };
	int ret = db_begin(ix->db, err);

	if (ret == 0) {
		ret = verify_load(&v, err);
		if (ret == 0)
			ret = tasks_map_run(&work, v.pieces.n, n_threads, err);
		if (ret < 0 && err->code == ERR_INTERRUPTED) {
			stopped = *err;
			ret = 0;
		}
		if (ret == 0)
			ret = verify_write(&v, err);
		ret = db_end(ix->db, ret, err);
		if (ret == 0 && stopped.code != ERR_NONE) {
			*err = stopped;
			ret = -1;
		}
	}
	vec_release(&v.pieces);
	vec_release(&v.files);
	buf_release(&v.text);
	return ret;
}
