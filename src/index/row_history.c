/* SPDX-License-Identifier: MIT */
/*
 * Hides the tables file_before and dir_before (sql/before.sql): the rows that each run of the
 * journal changed, as they were before.  A row is kept in the transaction that changes it, so that
 * a killed run leaves rows and history that agree.  A new directory costs nothing, because its
 * number tells; a moved one costs one entry, because files refer to their directory's number.
 */
#include "base/base.h"

#include "index/row_history.h"

#include <time.h>

#include "db/db.h"
#include "db/bulk_insert.h"
#include "db/stmt.h"
#include "index/dirs.h"
#include "index/index.h"
#include "index/meta.h"
#include "index/schema.h"

/* Old entries may fill one in ROW_HISTORY_SHARE bytes of the index; bytes of an entry. */
#define ROW_HISTORY_SHARE 16
#define ROW_HISTORY_ENTRY 80

/* How long history is kept if nobody says otherwise: 90 days, in seconds. */
#define ROW_HISTORY_AGE ((int64_t)90 * 86400)

/* Entries written by one statement. */
#define ROW_HISTORY_BATCH 8192

/* Directories whose files are counted to know about how many all have. */
#define ROW_HISTORY_COUNTED 64

/* What row_history_column reads. */
struct row_history_feed {
	const struct row_history_entry *v;
	int64_t run;
};

int
row_history_age(const struct index *ix, int64_t *age, struct err *err)
{
	int64_t kept;

	/* Stored plus one, because a missing number reads as 0. */
	if (meta_int(ix->db, "history", &kept, err) < 0)
		return -1;
	*age = kept > 0 ? kept - 1 : ROW_HISTORY_AGE;
	return 0;
}

/* Find the run to which changes of a directory belong.  Returns 1; 0: none; or -1. */
static int
row_history_run(struct index *ix, int64_t dir, struct err *err)
{
	int64_t age;

	if (ix->run == 0) {
		if (stmt_ask(ix->db, SQL_BEFORE_NEXT_RUN, &ix->run, err) < 0 || row_history_age(ix, &age, err) < 0)
			return -1;
		ix->run = age > 0 ? ix->run : -1;
		ix->first_dir = ix->kept_next = INT64_MAX;
	}
	return ix->run > 0 && dir < ix->first_dir;
}

/* Most entries of old runs for the present number of rows. */
static int
row_history_most(struct index *ix, int64_t *most, struct err *err)
{
	int64_t pages, page_size;

	if (db_pragma_get(ix->db, "page_count", &pages, err) < 0 || db_pragma_get(ix->db, "page_size", &page_size, err) < 0)
		return -1;
	*most = pages * page_size / ROW_HISTORY_SHARE / ROW_HISTORY_ENTRY;
	return 0;
}

/* Find the run up to which entries must go to make room for n of this run; 0: none. */
static int
row_history_too_many(struct index *ix, int64_t n, int64_t *run, struct err *err)
{
	int64_t most, all;
	struct stmt st;

	*run = 0;
	if (ix->kept + n == 0)
		return 0;
	if (row_history_most(ix, &most, err) < 0 || stmt_ask(ix->db, SQL_BEFORE_COUNT, &all, err) < 0)
		return -1;
	if (all + n <= most)
		return 0;
	st = stmt_get(ix->db, SQL_BEFORE_TOO_MANY, err);
	stmt_int(&st, ":most", most > n ? most - n : 0);
	return stmt_number(&st, run);
}

/* Drop the entries of runs up to one. */
static int
row_history_drop(struct index *ix, int64_t run, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_BEFORE_ANY_LATER, err);
	int64_t later;

	stmt_int(&st, ":run", run);
	if (stmt_number(&st, &later) < 0)
		return -1;
	st = stmt_get(ix->db, later != 0 ? SQL_BEFORE_PRUNE_FILES : SQL_BEFORE_CLEAR_FILES, err);
	if (later != 0)
		stmt_int(&st, ":run", run);
	if (stmt_run(&st) < 0)
		return -1;
	st = stmt_get(ix->db, SQL_BEFORE_PRUNE_DIRS, err);
	stmt_int(&st, ":run", run);
	return stmt_run(&st) < 0 ? -1 : meta_put_int(ix->db, "history_from", run, err);
}

/* Drop entries that are too old, or too many with n more of this run. */
static int
row_history_drop_old(struct index *ix, int64_t n, struct err *err)
{
	int64_t age, from, aged, many, upto;
	struct stmt st;

	if (row_history_age(ix, &age, err) < 0 || row_history_from(ix, &from, err) < 0)
		return -1;
	st = stmt_get(ix->db, SQL_BEFORE_AGED, err);
	stmt_int(&st, ":run", ix->run);
	stmt_int(&st, ":time", (int64_t)time(NULL) - age);
	if (stmt_number(&st, &aged) < 0 || row_history_too_many(ix, n, &many, err) < 0)
		return -1;
	upto = aged > many ? aged : many;
	if (upto >= ix->run)
		upto = ix->run - 1;
	return upto > from ? row_history_drop(ix, upto, err) : 0;
}

/*
 * Drop old entries to make room for n new ones, so that the file does not grow.  A run that writes
 * as many entries as may stay counts the old ones four times.
 */
static int
row_history_make_room(struct index *ix, int64_t n, struct err *err)
{
	int64_t most;

	if (ix->kept + n < ix->kept_next)
		return 0;
	if (row_history_drop_old(ix, n, err) < 0 || row_history_most(ix, &most, err) < 0)
		return -1;
	ix->kept_next = ix->kept + n + most / 4;
	return 0;
}

/* Run a statement about a directory, or, with a name, a file. */
static int
row_history_put(struct index *ix, enum sql_id id, int64_t dir, const char *name, size_t len, struct err *err)
{
	const int ret = row_history_run(ix, dir, err);
	struct stmt st;

	if (ret <= 0)
		return ret;
	if (row_history_make_room(ix, 1, err) < 0)
		return -1;
	st = stmt_get(ix->db, id, err);
	stmt_int(&st, ":run", ix->run);
	stmt_int(&st, ":dir", dir);
	if (name != NULL)
		stmt_text(&st, ":name", name, len);
	if (stmt_run(&st) < 0)
		return -1;
	ix->kept += db_changes(ix->db);
	return 0;
}

/* As row_history_put, by the name on disk. */
static int
row_history_put_name(struct index *ix, enum sql_id id, int64_t dir, const char *name, size_t len, struct err *err)
{
	struct buf text = { 0 };
	int ret;

	if (name_is_utf8(name, len))
		return row_history_put(ix, id, dir, name, len, err);
	name_store(&text, name, len);
	ret = row_history_put(ix, id, dir, text.data, text.len, err);
	buf_release(&text);
	return ret;
}

int
row_history_file(struct index *ix, int64_t dir, const char *name, size_t len, struct err *err)
{
	return row_history_put_name(ix, SQL_BEFORE_FILE, dir, name, len, err);
}

int
row_history_stored(struct index *ix, int64_t dir, const char *name, size_t len, struct err *err)
{
	return row_history_put(ix, SQL_BEFORE_FILE, dir, name, len, err);
}

/* Columns of an entry in the row of a file. */
static const int row_history_file_columns[] = {
	[COL_ENTRY_DIR] = COL_FILE_DIR, [COL_ENTRY_NAME] = COL_FILE_NAME, [COL_ENTRY_NAME_RAW] = COL_FILE_NAME_RAW,
	[COL_ENTRY_SIZE] = COL_FILE_SIZE, [COL_ENTRY_VOLUME] = COL_FILE_VOLUME, [COL_ENTRY_INODE] = COL_FILE_INODE,
	[COL_ENTRY_MTIME] = COL_FILE_MTIME, [COL_ENTRY_MTIME_NSEC] = COL_FILE_MTIME_NSEC,
	[COL_ENTRY_HEAD] = COL_FILE_HEAD, [COL_ENTRY_HASH] = COL_FILE_HASH,
};

/* bulk_insert_fn: a column of an entry. */
static void
row_history_column(void *arg, size_t i, int column, struct bulk_insert_value *v)
{
	const struct row_history_feed *f = arg;
	const struct row_history_entry *entry = &f->v[i];

	if (column == COL_ENTRY_RUN)
		bulk_insert_int(v, f->run);
	else if (column == COL_ENTRY_LEFT_OUT) {
		if (entry->left_out)
			bulk_insert_int(v, 1);
	} else if (entry->row.size >= 0 || column <= COL_ENTRY_NAME_RAW)
		file_feed_column(&entry->row, row_history_file_columns[column], v);
}

/* bulk_insert_fn: the same for entries whose names are UTF-8. */
static void
row_history_column_plain(void *arg, size_t i, int column, struct bulk_insert_value *v)
{
	const struct file_row *row = &((const struct row_history_feed *)arg)->v[i].row;

	if (column == COL_ENTRY_NAME)
		bulk_insert_text(v, row->name, row->name_len);
	else
		row_history_column(arg, i, column, v);
}

static int
row_history_put_all(struct index *ix, const struct row_history_entry *v, size_t n, bool odd, struct err *err)
{
	struct row_history_feed f = { v, ix->run };
	struct stmt st;

	if (n == 0)
		return 0;
	if (row_history_make_room(ix, (int64_t)n, err) < 0)
		return -1;
	st = stmt_get(ix->db, odd ? SQL_BEFORE_PUT : SQL_BEFORE_PUT_PLAIN, err);
	if (!odd)
		stmt_int(&st, ":run", ix->run);
	if (bulk_insert_bound(&st, n, odd ? row_history_column : row_history_column_plain, &f) < 0)
		return -1;
	ix->kept += db_changes(ix->db);
	return 0;
}

int
row_history_new(struct index *ix, int64_t dir, const char *name, size_t len, struct err *err)
{
	const struct row_history_entry entry = { .row = { .dir = dir, .name = name, .name_len = len, .size = -1 } };
	const int ret = row_history_run(ix, dir, err);

	return ret == 1 ? row_history_put_all(ix, &entry, 1, true, err) : ret;
}

int
row_history_add(struct index *ix, struct row_history_batch *b, const struct file_row *row, bool left_out, struct err *err)
{
	const int ret = row_history_run(ix, row->dir, err);
	struct row_history_entry entry = { *row, left_out };

	if (ret <= 0)
		return ret;
	entry.row.name = arena_dup(&b->names, row->name, row->name_len);
	b->odd = b->odd || left_out || !name_is_utf8(row->name, row->name_len);
	vec_push(&b->v, entry);
	return b->v.n < ROW_HISTORY_BATCH ? 0 : row_history_write(ix, b, err);
}

int
row_history_add_new(struct index *ix, struct row_history_batch *b, int64_t dir, const char *name, size_t len, struct err *err)
{
	const struct file_row row = { .dir = dir, .name = name, .name_len = len, .size = -1 };

	return row_history_add(ix, b, &row, false, err);
}

int
row_history_write(struct index *ix, struct row_history_batch *b, struct err *err)
{
	const int ret = row_history_put_all(ix, b->v.v, b->v.n, b->odd, err);

	b->v.n = 0;
	b->odd = false;
	arena_clear(&b->names);
	return ret;
}

void
row_history_batch_release(struct row_history_batch *b)
{
	vec_release(&b->v);
	arena_release(&b->names);
}

/* Every step-th directory. */
struct row_history_dir_feed {
	const int64_t *v;
	size_t step;
};

/* bulk_insert_fn: the number of a directory. */
static void
row_history_dir_column(void *arg, size_t i, int column, struct bulk_insert_value *v)
{
	const struct row_history_dir_feed *f = arg;

	assert(column == COL_FEED_C1);
	bulk_insert_int(v, f->v[i * f->step]);
}

/*
 * Make room for directories and all their files, unless no run before has an entry to drop.  To
 * count the files of all would take a tenth of the time of keeping them: of many, some are counted.
 */
static int
row_history_make_room_dirs(struct index *ix, const int64_t *dirs, size_t n, struct err *err)
{
	struct row_history_dir_feed f = { dirs, 1 + (n - 1) / ROW_HISTORY_COUNTED };
	const size_t counted = 1 + (n - 1) / f.step;
	struct stmt st = stmt_get(ix->db, SQL_BEFORE_ANY_EARLIER, err);
	int64_t files;
	int earlier;

	stmt_int(&st, ":run", ix->run);
	earlier = stmt_truth(&st);
	if (earlier <= 0)
		return earlier;
	if (bulk_insert_number(ix->db, SQL_BEFORE_DIRS_COUNT, counted, row_history_dir_column, &f, &files, err) < 0)
		return -1;
	return row_history_make_room(ix, (int64_t)((double)files * (double)n / (double)counted) + (int64_t)n, err);
}

int
row_history_dirs(struct index *ix, const int64_t *dirs, size_t n, bool rows, struct err *err)
{
	static const enum sql_id statements[] = { SQL_BEFORE_DIRS, SQL_BEFORE_DIRS_FILES };
	const size_t n_statements = rows ? sizeof(statements) / sizeof(statements[0]) : 1;
	struct row_history_dir_feed f = { NULL, 1 };
	VEC(int64_t) old = { 0 };
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < n; i++) {
		ret = row_history_run(ix, dirs[i], err);
		if (ret == 1)
			vec_push(&old, dirs[i]);
	}
	if (ret >= 0 && old.n > 0 && rows)
		ret = row_history_make_room_dirs(ix, old.v, old.n, err);
	f.v = old.v;
	for (size_t i = 0; ret >= 0 && old.n > 0 && i < n_statements; i++) {
		struct stmt st = stmt_get(ix->db, statements[i], err);

		stmt_int(&st, ":run", ix->run);
		ret = bulk_insert_bound(&st, old.n, row_history_dir_column, &f);
		ix->kept += ret == 0 ? db_changes(ix->db) : 0;
	}
	vec_release(&old);
	return ret < 0 ? -1 : 0;
}

int
row_history_dir(struct index *ix, int64_t dir, struct err *err)
{
	return row_history_put(ix, SQL_BEFORE_DIR, dir, NULL, 0, err);
}

/* Read all at once: the table has no index by place. */
static int
row_history_load_dropped(struct index *ix, struct row_history_dropped *d, struct err *err)
{
	struct stmt st;
	int ret = row_history_run(ix, 0, err);

	if (ret < 0)
		return -1;
	d->loaded = true;
	if (ret == 0)
		return 0;
	st = stmt_get(ix->db, SQL_BEFORE_DROPPED_DIRS, err);
	stmt_int(&st, ":run", ix->run);
	while ((ret = stmt_step(&st)) == 1) {
		struct row_history_place p = { .dir = stmt_col_int(&st, 0), .parent = stmt_col_int(&st, 1) };
		size_t len;
		const char *name = stmt_col_text(&st, 2, &len);

		p.name = arena_dup(&d->memory, name, len);
		table_add(&d->by_place, table_hash((uint64_t)p.parent, table_hash_text(p.name)), d->places.n);
		vec_push(&d->places, p);
	}
	stmt_done(&st);
	return ret;
}

int
row_history_dropped_dir(struct index *ix, struct row_history_dropped *d, int64_t parent, const char *name, int64_t *dir, struct err *err)
{
	struct buf text = { 0 };
	int ret = d->loaded ? 0 : row_history_load_dropped(ix, d, err);

	dirs_store_name(&text, name, strlen(name), parent);
	TABLE_EACH(i, &d->by_place, table_hash((uint64_t)parent, table_hash_text(buf_str(&text)))) {
		const struct row_history_place *p = &d->places.v[i];

		if (ret == 0 && p->parent == parent && strcmp(p->name, buf_str(&text)) == 0) {
			*dir = p->dir;
			ret = 1;
		}
	}
	buf_release(&text);
	return ret;
}

void
row_history_dropped_release(struct row_history_dropped *d)
{
	vec_release(&d->places);
	table_release(&d->by_place);
	arena_release(&d->memory);
}

int
row_history_new_dirs(struct index *ix, struct err *err)
{
	struct stmt st;

	if (ix->run <= 0)
		return 0;
	st = stmt_get(ix->db, SQL_BEFORE_NEW_DIRS, err);
	stmt_int(&st, ":run", ix->run);
	stmt_int(&st, ":dir", ix->first_dir);
	return stmt_run(&st);
}

int
row_history_last_dir(const struct index *ix, int64_t *last, struct err *err)
{
	*last = 0;
	if (ix->version >= SCHEMA_HISTORY && stmt_ask(ix->db, SQL_BEFORE_LAST_DIR, last, err) < 0)
		return -1;
	/* The next number must exist, too. */
	return *last <= SCHEMA_MAX_ID ? 0 : db_corrupt(ix->db, err, "dir_before", *last, NULL, "has an invalid number");
}

int
row_history_forget_dirs(struct index *ix, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_BEFORE_FORGET_DIRS, err);

	if (stmt_run(&st) < 0)
		return -1;
	st = stmt_get(ix->db, SQL_BEFORE_FORGET_FILES, err);
	return stmt_run(&st);
}

int
row_history_forget_file(struct index *ix, int64_t dir, const char *name, size_t len, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_BEFORE_FORGET_FILE, err);
	struct buf text = { 0 };
	int ret;

	stmt_int(&st, ":dir", dir);
	name_store(&text, name, len);
	stmt_text(&st, ":name", text.data, text.len);
	ret = stmt_run(&st);
	buf_release(&text);
	return ret;
}

int
row_history_set_age(struct index *ix, int64_t age, struct err *err)
{
	const int64_t run = ix->run;

	if (meta_put_int(ix->db, "history", age + 1, err) < 0)
		return -1;
	if (age > 0 || run <= 0)
		return 0;
	ix->run = -1;
	return row_history_drop(ix, run, err);
}

int
row_history_from(const struct index *ix, int64_t *run, struct err *err)
{
	return meta_int(ix->db, "history_from", run, err);
}

int
row_history_begin(struct index *ix, int64_t run, int64_t first_dir, struct err *err)
{
	int64_t age = 0;

	if (run > 0 && row_history_age(ix, &age, err) < 0)
		return -1;
	ix->run = age > 0 ? run : -1;
	ix->first_dir = first_dir;
	ix->kept = ix->kept_next = 0;
	return run > 0 && age == 0 ? row_history_drop(ix, run, err) : 0;
}

int
row_history_prune(struct index *ix, struct err *err)
{
	return ix->run > 0 ? row_history_drop_old(ix, 0, err) : 0;
}
