/* SPDX-License-Identifier: MIT */
/*
 * Hides which rows one result belongs to.  In plan.files the names of an inode stand side by side.
 * A result goes to all of them with the times of the state that was read and, for inodes with
 * links, to rows that the scan has not met.  A file that was replaced meanwhile gets a new row and
 * waits for the next pass.  Runs in the main thread, inside a transaction; while other threads
 * read, it changes only entries of the inode whose result it took.
 */
#include "base/base.h"

#include "scan/hash_write.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "db/db.h"
#include "db/stmt.h"
#include "index/presence.h"
#include "bulk/bulk.h"
#include "scan/dirmap.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/row_history.h"
#include "index/index.h"
#include "scan/hash_plan.h"
#include "scan/stats.h"

/* Passes in which a file may turn out to be another one, before it is given up as changing. */
#define HASH_WRITE_PASSES 4

/* The row's "verified": the time if the file equals another one, else 0.  Counts the former. */
static int64_t
hash_write_verified(struct hash_plan *p, const struct hash_plan_result *res)
{
	if (res->verdict != VERIFY_INLINE_EQUAL && (res->reference == NULL || !verify_inline_row(res->reference)))
		return 0;
	atomic_fetch_add(&p->counts->verified, 1);
	return (int64_t)time(NULL);
}

/*
 * Find the rows of f's inode that have its times, or f's alone: those in the plan, which lack a
 * content, and those that the scan does not meet.  The latter still have the old content of a file
 * that is read again, or none since its head was read.
 */
static int
hash_write_find(struct hash_plan *p, struct hash_plan_file *f, bool alone, struct err *err)
{
	struct hash_plan_file *e, *end;
	struct buf text = { 0 };
	struct file_row old;
	struct stmt st;
	int ret;

	p->written.n = 0;
	arena_clear(&p->written_names);
	for (hash_plan_names(p, f, &e, &end); e < end; e++) {
		const char *name = hash_plan_file_name(p, e);

		/* Rows that were hashed before have no name in the plan. */
		if ((alone ? e != f : !hash_plan_means(f, e)) || e->has_hash)
			continue;
		buf_cut(&text, 0);
		name_store(&text, name, strlen(name));
		vec_push(&p->written, ((struct hash_plan_name){ e->dir, arena_dup(&p->written_names, text.data, text.len), text.len, p->entries != NULL ? e->name : 0 }));
	}
	buf_release(&text);
	if (alone || !f->links || p->bulk)
		return 0;
	ret = file_get(p->ix->db, f->dir, hash_plan_file_name(p, f), strlen(hash_plan_file_name(p, f)), &old, err);
	if (ret <= 0)
		return ret;
	st = stmt_get(p->ix->db, SQL_FILE_NAMES_OF_INODE, err);
	stmt_int(&st, ":size", f->size);
	stmt_blob(&st, ":hash", old.has_hash ? old.hash : NULL, HASH_SIZE);
	stmt_int(&st, ":inode", f->inode.number);
	stmt_int(&st, ":volume", f->inode.volume);
	stmt_int(&st, ":mtime", old.mtime.sec);
	stmt_int(&st, ":mtime_nsec", old.mtime.nsec);
	stmt_int(&st, ":ctime", old.ctime.sec);
	stmt_int(&st, ":ctime_nsec", old.ctime.nsec);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *name = stmt_col_text(&st, 1, &len);

		vec_push(&p->written, ((struct hash_plan_name){ stmt_col_int(&st, 0), arena_dup(&p->written_names, name, len), len, 0 }));
	}
	return ret;
}

/* Keep the old content of the written rows for the history. */
static int
hash_write_keep(struct hash_plan *p, struct err *err)
{
	for (size_t i = 0; i < p->written.n; i++) {
		const struct hash_plan_name *n = &p->written.v[i];

		if (row_history_stored(p->ix, n->dir, n->name, n->len, err) < 0)
			return -1;
	}
	return 0;
}

/* Make the next scan compare the directories of the written rows file by file. */
static int
hash_write_forget_digest(struct hash_plan *p, struct err *err)
{
	for (size_t i = 0; i < p->written.n; i++) {
		if (dirs_forget_digest(p->ix->db, p->written.v[i].dir, err) < 0)
			return -1;
	}
	return 0;
}

/* Write a content, or an error, to the rows that hash_write_find found. */
static int
hash_write_content(struct hash_plan *p, const struct content_result *c, int64_t verified, int error, struct err *err)
{
	for (size_t i = 0; i < p->written.n; i++) {
		const struct hash_plan_name *n = &p->written.v[i];
		struct stmt st = stmt_get(p->ix->db, SQL_FILE_SET_CONTENT, err);

		stmt_int(&st, ":dir", n->dir);
		stmt_text(&st, ":name", n->name, n->len);
		if (verified != 0)
			stmt_int(&st, ":verified", verified);
		if (c->has_head)
			stmt_int(&st, ":head", c->head);
		stmt_blob(&st, ":hash", c->has_hash ? c->hash : NULL, HASH_SIZE);
		stmt_int(&st, ":racy", c->racy);
		if (error != 0)
			stmt_int(&st, ":error", error);
		if (stmt_run(&st) < 0)
			return -1;
		if (p->entries != NULL && c->has_hash)
			bulk_note_hash(p->entries, n->entry, c->hash);
	}
	return 0;
}

static void
hash_write_problem(struct hash_plan *p, const struct hash_plan_file *f, int error)
{
	struct buf path = { 0 };

	hash_plan_path(p, f, &path);
	stats_problem(p->counts, error == FILE_COLLISION ? &p->counts->collisions : stats_error(p->counts, error),
	              buf_str(&path), file_error_text(error));
	buf_release(&path);
}

/* The file has changed since its row was written: write the row anew, without a content. */
static int
hash_write_renew(struct hash_plan *p, struct hash_plan_file *f, const struct fs_stat *st, int error, struct err *err)
{
	const char *name = hash_plan_file_name(p, f);
	struct file_row row = { .dir = f->dir, .name = name, .name_len = strlen(name) };

	file_from_stat(&row, st, f->inode.volume);
	row.error = error;
	f->times = hash_plan_times(st->mtime, st->ctime);
	f->links = st->nlink > 1;
	if (p->entries != NULL)
		bulk_note_change(p->entries, f->name, &row);
	if (row_history_file(p->ix, row.dir, name, row.name_len, err) < 0)
		return -1;
	return file_put(p->ix->db, &row, err) < 0 ? -1 : dirs_forget_digest(p->ix->db, f->dir, err);
}

/*
 * Note the result in the plan, for all names whose rows were written.  Another wanted name, whose
 * row had other times, gets a result of its own: a thread may be reading its want at this moment.
 */
static void
hash_write_settle(struct hash_plan *p, struct hash_plan_file *f, const struct content_result *c, bool given_up)
{
	struct hash_plan_file *e, *end;

	for (hash_plan_names(p, f, &e, &end); e < end; e++) {
		if (!hash_plan_means(f, e) || (e != f && e->want != HASH_PLAN_NOTHING))
			continue;
		e->want = HASH_PLAN_NOTHING;
		e->given_up |= given_up;
		if (c->has_head) {
			e->has_head = true;
			e->head = c->head;
		}
		e->has_hash |= c->has_hash;
	}
}

/* Another inode or size: the file leaves this group; the next pass finds it in its own. */
static int
hash_write_replaced(struct hash_plan *p, struct hash_plan_file *f, const struct hash_plan_result *res, struct err *err)
{
	const bool later = !p->bulk && p->passes < HASH_WRITE_PASSES;

	f->want = HASH_PLAN_NOTHING;
	f->given_up = true;
	if (later) {
		hash_plan_touch(p, res->st.size);
		if (res->st.size >= p->ix->compared && index_set_compared(p->ix, num_add(res->st.size, 1), err) < 0)
			return -1;
	}
	else if (res->st.size > 0)
		hash_write_problem(p, f, FILE_CHANGING);
	return hash_write_renew(p, f, &res->st, later || res->st.size == 0 ? 0 : FILE_CHANGING, err);
}

/*
 * Whether a file that can't be opened is gone: the same directory is there without it.  Returns 1,
 * 0 or -1.
 */
static int
hash_write_is_gone(struct hash_plan *p, const struct hash_plan_file *f, struct err *err)
{
	const struct dirmap_dir *d = dirmap_by_id(p->map, f->dir);
	struct buf path = { 0 };
	struct fs_stat dir, st;
	int gone = 0;
	const size_t base_len = dirmap_path(p->map, f->dir, &path);
	const int fd = fs_open_dir_below(buf_str(&path), base_len);

	if (fd >= 0) {
		if (d != NULL && fs_stat_fd(fd, &dir) == 0 && (int64_t)dir.inode == d->inode.number &&
		    (fs_stat_at(fd, hash_plan_file_name(p, f), &st) < 0 ? errno == ENOENT : !S_ISREG(st.mode)))
			gone = presence_volume(p->ix->db, f->dir, fd, err);
		close(fd);
	}
	buf_release(&path);
	return gone;
}

/* Copy the row of f to e, a name of the same inode whose file is not there. */
static int
hash_write_adopt(struct hash_plan *p, struct hash_plan_file *e, const struct hash_plan_file *f, struct err *err)
{
	const char *from = hash_plan_file_name(p, f), *to = hash_plan_file_name(p, e);
	struct file_row row;
	int ret = file_get(p->ix->db, f->dir, from, strlen(from), &row, err);

	if (ret <= 0)
		return ret;
	row.dir = e->dir;
	row.name = to;
	row.name_len = strlen(to);
	e->times = f->times;
	e->left = false;
	e->has_head = f->has_head;
	e->head = f->head;
	e->has_hash = f->has_hash;
	if (row_history_file(p->ix, row.dir, to, row.name_len, err) < 0)
		return -1;
	return file_put(p->ix->db, &row, err) < 0 ? -1 : dirs_forget_digest(p->ix->db, e->dir, err);
}

/* After f was read: give its content to the names of its inode that are not there. */
static int
hash_write_adopt_all(struct hash_plan *p, struct hash_plan_file *f, struct err *err)
{
	struct hash_plan_file *e, *end;

	if (!f->links || p->bulk)
		return 0;
	for (hash_plan_names(p, f, &e, &end); e < end; e++) {
		if (e->left && hash_write_adopt(p, e, f, err) < 0)
			return -1;
	}
	return 0;
}

/* No regular file has this name: drop its row on proof, else copy that of another name. */
static int
hash_write_absent(struct hash_plan *p, struct hash_plan_file *f, struct err *err)
{
	const char *name = hash_plan_file_name(p, f);
	const int gone = hash_write_is_gone(p, f, err);
	struct hash_plan_file *e, *end;

	if (gone < 0)
		return -1;
	f->want = HASH_PLAN_NOTHING;
	f->given_up = true;
	f->left = gone == 0;
	if (!f->left) {
		atomic_fetch_add(&p->counts->gone, 1);
		vec_push(&p->lost, ((struct hash_plan_name){ f->dir, arena_str(&p->lost_names, name), strlen(name), 0 }));
		return 0;
	}
	for (hash_plan_names(p, f, &e, &end); !p->bulk && f->left && e < end; e++) {
		if (e->counted && !e->given_up && e->links && hash_write_adopt(p, f, e, err) < 0)
			return -1;
	}
	return 0;
}

/*
 * A file was read again although nothing has changed: another content is silent corruption.
 * Returns 1: it is another one; 0; or -1.
 */
static int
hash_write_compare(struct hash_plan *p, struct hash_plan_file *f, const struct content_result *c, struct err *err)
{
	const char *name = hash_plan_file_name(p, f);
	struct buf path = { 0 };
	struct file_row old;
	int ret = file_get(p->ix->db, f->dir, name, strlen(name), &old, err);

	if (ret <= 0)
		return ret;
	if (!(old.has_head && c->has_head && old.head != c->head) &&
	    !(old.has_hash && c->has_hash && memcmp(old.hash, c->hash, HASH_SIZE) != 0))
		return 0;
	f->again = false;
	hash_plan_path(p, f, &path);
	hash_corrupt_add(&p->corrupt, buf_str(&path), &old);
	stats_problem(p->counts, NULL, buf_str(&path), file_error_text(FILE_CORRUPT));
	buf_release(&path);
	return 1;
}

/* Write the content of f to all rows of its inode with the times of the state that was read. */
static int
hash_write_read(struct hash_plan *p, struct hash_plan_file *f, const struct hash_plan_result *res, struct err *err)
{
	const struct content_result *c = &res->content;
	int ret, differs = 0;

	if (!f->counted && !res->known) {
		atomic_fetch_add(&p->counts->read, 1);
		atomic_fetch_add(&p->counts->read_racy, f->racy);
	}
	f->counted = true;
	if (res->st.inode != (uint64_t)f->inode.number || res->st.size != f->size)
		return hash_write_replaced(p, f, res, err);
	if (hash_plan_times(res->st.mtime, res->st.ctime) != f->times) {
		if (hash_write_renew(p, f, &res->st, 0, err) < 0)
			return -1;
	} else if (f->again)
		differs = hash_write_compare(p, f, c, err);
	if (differs < 0 || hash_write_find(p, f, false, err) < 0 || (differs == 1 && hash_write_keep(p, err) < 0))
		return -1;
	/* Other bytes than a file with the same hash: the row gets an error instead of the hash. */
	if (res->verdict == VERIFY_INLINE_DIFFERS) {
		hash_write_problem(p, f, FILE_COLLISION);
		hash_write_settle(p, f, c, true);
		return hash_write_content(p, c, 0, FILE_COLLISION, err) < 0 ? -1 : hash_write_forget_digest(p, err);
	}
	ret = hash_write_content(p, c, hash_write_verified(p, res), 0, err);
	/* A head by itself can make other names racy that have a hash (file_set_content). */
	if (ret == 0 && (c->racy || (f->links && !p->bulk && !c->has_hash)))
		ret = hash_write_forget_digest(p, err);
	hash_write_settle(p, f, c, false);
	return ret == 0 ? hash_write_adopt_all(p, f, err) : ret;
}

/* Note why f could not be read: in its row alone where another name may still be readable. */
static int
hash_write_failed(struct hash_plan *p, struct hash_plan_file *f, const struct content_result *c, struct err *err)
{
	const int error = c->error == CONTENT_CHANGING ? FILE_CHANGING : c->error;
	const bool alone = error == EACCES || error == EPERM || error == ELOOP;

	if (hash_write_find(p, f, alone, err) < 0)
		return -1;
	hash_write_problem(p, f, error);
	if (hash_write_content(p, c, 0, error, err) < 0)
		return -1;
	if (alone) {
		f->want = HASH_PLAN_NOTHING;
		f->given_up = true;
	} else
		hash_write_settle(p, f, c, true);
	return hash_write_forget_digest(p, err);
}

int
hash_write(struct hash_plan *p, struct hash_plan_file *f, const struct hash_plan_result *res, struct err *err)
{
	assert(f->want != HASH_PLAN_NOTHING && !f->given_up);
	switch (res->content.error) {
	case CONTENT_NO_FILE:
	case ENOENT:
	case ENOTDIR:
	case ELOOP:
		return hash_write_absent(p, f, err);
	case 0:
		return hash_write_read(p, f, res, err);
	default:
		return hash_write_failed(p, f, &res->content, err);
	}
}

static int
hash_write_cmp_gone(const void *a, const void *b)
{
	const struct hash_plan_gone *x = a, *y = b;

	return inode_cmp(x->inode, y->inode);
}

int
hash_write_inherit(struct hash_plan *p, struct err *err)
{
	if (p->gone.n > 0)
		qsort(p->gone.v, p->gone.n, sizeof(*p->gone.v), hash_write_cmp_gone);
	for (size_t i = p->from; p->gone.n > 0 && i < p->files.n; i++) {
		struct hash_plan_file *f = &p->files.v[i];
		const struct hash_plan_gone key = { .inode = f->inode }, *g;
		struct content_result c = { .error = 0 };
		const char *name = hash_plan_file_name(p, f);
		struct file_row row;

		/* What nobody needs to read keeps a hash all the same: of --hash-sizes. */
		if (f->want == HASH_PLAN_NOTHING && (f->has_hash || f->given_up))
			continue;
		g = bsearch(&key, p->gone.v, p->gone.n, sizeof(*p->gone.v), hash_write_cmp_gone);
		if (g == NULL || g->size != f->size || (f->want != CONTENT_HEAD && !g->has_hash))
			continue;
		if (file_get(p->ix->db, f->dir, name, strlen(name), &row, err) < 0)
			return -1;
		if (fs_time_cmp(row.mtime, g->mtime) != 0)
			continue;
		c.has_head = g->has_head;
		c.head = g->head;
		c.has_hash = g->has_hash;
		memcpy(c.hash, g->hash, HASH_SIZE);
		if (hash_write_find(p, f, false, err) < 0 || hash_write_content(p, &c, 0, 0, err) < 0)
			return -1;
		hash_write_settle(p, f, &c, false);
	}
	return 0;
}

int
hash_write_drop_lost(struct hash_plan *p, struct err *err)
{
	for (size_t i = 0; i < p->lost.n; i++) {
		const struct hash_plan_name *n = &p->lost.v[i];

		if (row_history_file(p->ix, n->dir, n->name, n->len, err) < 0 || file_delete(p->ix->db, n->dir, n->name, n->len, err) < 0 ||
		    dirs_forget_digest(p->ix->db, n->dir, err) < 0)
			return -1;
	}
	p->lost.n = 0;
	return 0;
}
