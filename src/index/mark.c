/* SPDX-License-Identifier: MIT */
/*
 * A mark belongs to a path, not to a row: it outlives the row, and scans need not know of marks.
 * A reader of the mark checks whether the path still has the content (mark_fits).
 *
 * The log has the marks from before each command: a batch with a number from 1, which is never used
 * again, so that a kept number never undoes another batch.  Undo stores the marks that it replaced
 * under the negated number: redo takes the one nearest to 0, and a new command drops them.
 */
#include "base/base.h"

#include "index/mark.h"

#include "db/bulk_insert.h"
#include "db/stmt.h"
#include "index/index.h"
#include "index/meta.h"

/* Commands that can be undone. */
#define MARK_BATCHES 100
/* The key of meta for the number of the newest batch. */
#define MARK_NEWEST "mark_batch"

/* Machine formats and the table mark have these words. */
const char *const mark_names[MARK_DECISIONS] = {
	[MARK_NONE] = NULL,
	[MARK_DROP] = "drop",
	[MARK_KEEP] = "keep",
};

const char *
mark_name(enum mark_decision decision)
{
	assert((unsigned)decision < MARK_DECISIONS);
	return mark_names[decision];
}

bool
mark_fits(const struct mark *m, int64_t size, int64_t mtime_ns, const uint8_t *hash)
{
	if (m->size != size)
		return false;
	if (m->has_hash && hash != NULL)
		return memcmp(m->hash, hash, HASH_SIZE) == 0;
	/* Without a hash nothing is proven: enough to keep a file, not to drop one. */
	return m->decision == MARK_KEEP && m->mtime_ns == mtime_ns;
}

/* A decision in a column that may be NULL. */
static enum mark_decision
mark_decision_of(const struct stmt *st, int col)
{
	size_t len;
	const char *decision = stmt_col_text(st, col, &len);

	return strcmp(decision, "drop") == 0 ? MARK_DROP : strcmp(decision, "keep") == 0 ? MARK_KEEP : MARK_NONE;
}

/*
 * Read the present row of a statement that returns whole
 * marks, $(mark) in sql/, but for the path.
 */
static int
mark_read(struct index *ix, const struct stmt *st, struct mark *m, struct err *err)
{
	size_t len;
	const void *hash;

	m->decision = mark_decision_of(st, COL_MARK_DECISION);
	m->size = stmt_col_int(st, COL_MARK_SIZE);
	m->mtime_ns = stmt_col_int(st, COL_MARK_MTIME_NS);
	hash = stmt_col_blob(st, COL_MARK_HASH, &len);
	m->has_hash = hash != NULL;
	memset(m->hash, 0, sizeof(m->hash));
	m->made = stmt_col_int(st, COL_MARK_MADE);
	if (m->decision == MARK_NONE || m->size < 0 || (hash != NULL && len != HASH_SIZE))
		return db_corrupt(ix->db, err, "mark", 0, m->path, "has an invalid %s",
		                  m->decision == MARK_NONE ? "decision" : m->size < 0 ? "size" : "hash");
	if (hash != NULL)
		memcpy(m->hash, hash, HASH_SIZE);
	return 0;
}

int
mark_get(struct index *ix, const char *path, struct mark *m, struct err *err)
{
	struct stmt st;
	int ret;

	if (!ix->marks)
		return 0;
	st = stmt_get(ix->db, SQL_MARK_GET, err);
	stmt_blob(&st, ":path", path, strlen(path));
	ret = stmt_step(&st);
	m->path = path;
	if (ret == 1 && mark_read(ix, &st, m, err) < 0)
		ret = -1;
	stmt_done(&st);
	return ret;
}

/* The bounds of the paths of a subtree. */
struct mark_range {
	struct buf low, high;
};

/*
 * Bind the paths at and below path: from "path/" to before "path0", because a zero follows a slash.
 */
static void
mark_bind(struct stmt *st, struct mark_range *range, const char *path)
{
	const size_t len = strcmp(path, "/") == 0 ? 0 : strlen(path);

	buf_cut(&range->low, 0);
	buf_cut(&range->high, 0);
	buf_add(&range->low, path, len);
	buf_addc(&range->low, '/');
	buf_add(&range->high, path, len);
	buf_addc(&range->high, '/' + 1);
	stmt_blob(st, ":path", path, strlen(path));
	stmt_blob(st, ":low", range->low.data, range->low.len);
	stmt_blob(st, ":high", range->high.data, range->high.len);
}

static void
mark_range_release(struct mark_range *range)
{
	buf_release(&range->low);
	buf_release(&range->high);
}

int
mark_each(struct index *ix, const char *path, mark_fn *fn, void *arg, struct err *err)
{
	struct mark_range range = { .low = { 0 } };
	struct stmt st;
	struct mark m;
	int ret;

	if (!ix->marks)
		return 0;
	st = stmt_get(ix->db, SQL_MARK_BELOW, err);
	mark_bind(&st, &range, path);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;

		m.path = stmt_col_text(&st, COL_MARK_PATH, &len);
		ret = mark_read(ix, &st, &m, err);
		if (ret == 0)
			ret = fn(arg, &m);
		if (ret != 0)
			break;
	}
	stmt_done(&st);
	mark_range_release(&range);
	return ret;
}

/* Get the number that a statement without parameters returns. */
static int
mark_number(struct index *ix, enum sql_id id, int64_t *n, struct err *err)
{
	struct stmt st = stmt_get(ix->db, id, err);

	return stmt_number(&st, n);
}

int
mark_count_drops(struct index *ix, int64_t *n, int64_t *bytes, struct err *err)
{
	struct stmt st;
	int ret;

	*n = *bytes = 0;
	if (!ix->marks)
		return 0;
	st = stmt_get(ix->db, SQL_MARK_DROPS, err);
	ret = stmt_step(&st);
	if (ret == 1) {
		*n = stmt_col_int(&st, 0);
		*bytes = stmt_col_int(&st, 1);
	}
	stmt_done(&st);
	return ret < 0 ? -1 : 0;
}

int
mark_begin(struct index *ix, int64_t *batch, struct err *err)
{
	struct stmt st;

	if (mark_number(ix, SQL_MARK_LOG_NEWEST, batch, err) < 0)
		return -1;
	if (*batch < 0 || *batch == INT64_MAX)
		return db_corrupt(ix->db, err, "meta", 0, MARK_NEWEST, "has an invalid value");
	++*batch;
	if (meta_put_int(ix->db, MARK_NEWEST, *batch, err) < 0)
		return -1;
	st = stmt_get(ix->db, SQL_MARK_LOG_PRUNE, err);
	stmt_int(&st, ":keep", MARK_BATCHES - 1);
	return stmt_run(&st);
}

/* Append the path as file_view shows it: valid UTF-8, other bytes as \xHH. */
static void
mark_show(struct buf *shown, const char *path)
{
	const char *name;
	size_t len, at;

	while (path_next(&path, &name, &len)) {
		buf_addc(shown, '/');
		at = shown->len;
		name_store(shown, name, len);
		for (; at < shown->len; at++) {
			if (shown->data[at] == '/')
				shown->data[at] = '\\';
		}
	}
}

bool
mark_same(const struct mark *a, const struct mark *b)
{
	return a->decision == b->decision && a->has_hash == b->has_hash && mark_fits(a, b->size, b->mtime_ns, b->has_hash ? b->hash : NULL);
}

/* Marks in an order, for bulk_insert. */
struct mark_feed {
	const struct mark *v;
	const size_t *order;
	int64_t batch;
};

/* bulk_insert_fn: the columns of $(mark), then the batch. */
static void
mark_column(void *arg, size_t row, int column, struct bulk_insert_value *v)
{
	const struct mark_feed *feed = arg;
	const struct mark *m = &feed->v[feed->order[row]];
	struct buf shown = { 0 };

	switch (column) {
	case COL_FEED_C1:
		bulk_insert_blob(v, m->path, strlen(m->path));
		break;
	case COL_FEED_C2:
		mark_show(&shown, m->path);
		bulk_insert_text_copy(v, shown.data, shown.len);
		buf_release(&shown);
		break;
	case COL_FEED_C3:
		bulk_insert_text(v, mark_name(m->decision), strlen(mark_name(m->decision)));
		break;
	case COL_FEED_C4:
		bulk_insert_int(v, m->size);
		break;
	case COL_FEED_C5:
		bulk_insert_int(v, m->mtime_ns);
		break;
	case COL_FEED_C6:
		if (m->has_hash)
			bulk_insert_blob(v, m->hash, HASH_SIZE);
		break;
	case COL_FEED_C7:
		bulk_insert_int(v, m->made);
		break;
	case COL_FEED_C8:
		bulk_insert_int(v, feed->batch);
		break;
	default:
		break;
	}
}

/* Sort by path, as the tables are; of two marks for a path the later one stays. */
static int
mark_cmp_path(const void *a, const void *b, void *marks)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const struct mark *v = marks;
	const int cmp = strcmp(v[x].path, v[y].path);

	return cmp != 0 ? cmp : x < y ? -1 : 1;
}

int
mark_put(struct index *ix, int64_t batch, const struct mark *v, size_t n, struct err *err)
{
	size_t *order = mem_alloc((n + 1) * sizeof(*order));
	struct mark_feed feed = { v, order, batch };
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		assert(v[i].decision != MARK_NONE);
		order[i] = i;
	}
	if (n > 1)
		order_sort_by(order, n, sizeof(*order), mark_cmp_path, (void *)(uintptr_t)v);
	if (n > 0 && (bulk_insert_run(ix->db, SQL_MARK_LOG_PUT, n, mark_column, &feed, err) < 0 ||
	              bulk_insert_run(ix->db, SQL_MARK_PUT, n, mark_column, &feed, err) < 0))
		ret = -1;
	free(order);
	ix->marks |= n > 0;
	return ret;
}

/* Run a statement about the subtree of path. */
static int
mark_run_below(struct index *ix, enum sql_id id, int64_t batch, const char *path, struct err *err)
{
	struct stmt st = stmt_get(ix->db, id, err);
	struct mark_range range = { .low = { 0 } };
	int ret;

	mark_bind(&st, &range, path);
	if (batch > 0)
		stmt_int(&st, ":batch", batch);
	ret = stmt_run(&st);
	mark_range_release(&range);
	return ret;
}

int
mark_clear(struct index *ix, int64_t batch, const char *path, int64_t *n, struct err *err)
{
	if (mark_run_below(ix, SQL_MARK_LOG_BELOW, batch, path, err) < 0 ||
	    mark_run_below(ix, SQL_MARK_CLEAR, 0, path, err) < 0)
		return -1;
	*n = db_changes(ix->db);
	return 0;
}

/* Call fn for each mark that a batch of the log would change.  Returns 0, fn's result, or -1. */
static int
mark_tell(struct index *ix, int64_t batch, mark_change_fn *fn, void *arg, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_MARK_LOG_CHANGES, err);
	int ret;

	stmt_int(&st, ":batch", batch);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;

		ret = fn(arg, stmt_col_text(&st, 0, &len), mark_decision_of(&st, 1), mark_decision_of(&st, 2));
		if (ret != 0)
			break;
	}
	stmt_done(&st);
	return ret;
}

int
mark_last(struct index *ix, int64_t *batch, struct err *err)
{
	return mark_number(ix, SQL_MARK_LOG_LAST, batch, err);
}

/*
 * Exchange the marks of the batch with the present ones, which go to the log under the negated
 * number.
 */
int
mark_step(struct index *ix, bool undo, mark_change_fn *fn, void *arg, struct err *err)
{
	static const enum sql_id steps[] = { SQL_MARK_LOG_OPPOSITE, SQL_MARK_UNDO_NEW, SQL_MARK_UNDO_OLD, SQL_MARK_LOG_DELETE };
	int64_t batch;
	int ret;

	if (mark_number(ix, undo ? SQL_MARK_LOG_LAST : SQL_MARK_LOG_UNDONE, &batch, err) < 0)
		return -1;
	ret = batch != 0 && fn != NULL ? mark_tell(ix, batch, fn, arg, err) : 0;
	if (batch == 0 || ret != 0)
		return ret;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct stmt st = stmt_get(ix->db, steps[i], err);

		stmt_int(&st, ":batch", batch);
		if (stmt_run(&st) < 0)
			return -1;
	}
	ix->marks = true;
	return 1;
}

int
mark_forget(struct index *ix, const char *path, struct err *err)
{
	return mark_run_below(ix, SQL_MARK_CLEAR, 0, path, err) < 0 ||
	       mark_run_below(ix, SQL_MARK_LOG_FORGET, 0, path, err) < 0 ? -1 : 0;
}

/* Rename the paths at and below from to those of to, in the marks or in the log. */
static int
mark_rename(struct index *ix, enum sql_id id, const char *from, const char *to, struct err *err)
{
	struct stmt st = stmt_get(ix->db, id, err);
	struct mark_range range = { .low = { 0 } };
	struct buf from_shown = { 0 }, to_shown = { 0 };
	int ret;

	/* "/" already ends with the slash. */
	mark_bind(&st, &range, from);
	stmt_int(&st, ":skip", (int64_t)range.low.len - 1);
	stmt_blob(&st, ":to", to, strcmp(to, "/") == 0 ? 0 : strlen(to));
	if (*from == '/')
		mark_show(&from_shown, from);
	if (*to == '/')
		mark_show(&to_shown, to);
	stmt_text(&st, ":from_shown", buf_str(&from_shown), from_shown.len);
	stmt_text(&st, ":to_shown", buf_str(&to_shown), to_shown.len);
	ret = stmt_run(&st);
	mark_range_release(&range);
	buf_release(&from_shown);
	buf_release(&to_shown);
	return ret;
}

/* Sort deeper paths first. */
static int
mark_cmp_move(const void *a, const void *b)
{
	const size_t x = strlen(((const struct mark_move *)a)->from), y = strlen(((const struct mark_move *)b)->from);

	return (x < y) - (x > y);
}

int
mark_follow(struct index *ix, struct mark_move *moves, size_t n, struct err *err)
{
	static const enum sql_id tables[] = { SQL_MARK_RENAME, SQL_MARK_LOG_RENAME };
	char aside[32];

	if (n > 1)
		qsort(moves, n, sizeof(*moves), mark_cmp_move);
	/* First to unused paths, so that none is in the way of another. */
	for (size_t i = 0; i < 2 * n; i++) {
		const struct mark_move *move = &moves[i % n];

		snprintf(aside, sizeof(aside), "%zu", i % n);
		for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
			if (mark_rename(ix, tables[t], i < n ? move->from : aside, i < n ? aside : move->to, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* Machine formats have these words. */
const char *const mark_states[MARK_STATES] = {
	[MARK_EFFECTIVE] = "effective",
	[MARK_STALE] = "stale",
	[MARK_OFFLINE] = "offline",
	[MARK_LAST] = "last",
};

const char *
mark_state_name(enum mark_state state)
{
	assert((unsigned)state < MARK_STATES);
	return mark_states[state];
}
