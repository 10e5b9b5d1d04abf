/* SPDX-License-Identifier: MIT */
/*
 * Hides how members are stored.  Whether a member counts for a question is never decided here: no
 * statement on file names these tables, but for those in sql/archive.sql.
 */
#include "base/base.h"

#include "index/archives.h"

#include <time.h>

#include "archive/packed_read.h"
#include "db/bulk_insert.h"
#include "db/db.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/meta.h"
#include "sys/stop.h"

/* Rows that are written at once. */
#define ARCHIVES_BATCH 4096

/* The bits of archive.racy. */
enum { ARCHIVES_RACY = 1, ARCHIVES_NESTED = 2 };

/* A member whose texts are in a buffer: from text on the name as shown, and its bytes. */
struct archives_member {
	struct packed p;
	size_t text, shown, raw;
};

struct archives_writer {
	struct index *ix;
	int64_t id, members;
	int64_t inner;           /* members that were in the one that comes */
	VEC(struct archives_member) rows;
	struct buf texts;
};

/* Read a reason.  Returns 0, or -1 if this program does not know it. */
static int
archives_why(const struct index *ix, const struct stmt *st, int col, enum packed_why *why, struct err *err)
{
	const int64_t n = stmt_col_int(st, col);

	if (n < 0 || n >= PACKED_WHYS)
		return db_damaged(ix->db, err, "it has a reason %lld of an archive", (long long)n);
	*why = (enum packed_why)n;
	return 0;
}

int
archives_find(struct index *ix, const struct file_row *row, struct archives_row *a, struct err *err)
{
	struct stmt st;
	int64_t inner;
	int ret;

	if (!ix->archives)
		return 0;
	st = stmt_get(ix->db, SQL_ARCHIVE_OF, err);
	file_bind_signature(&st, row);
	ret = stmt_step(&st);
	if (ret == 1) {
		size_t len;
		const char *format = stmt_col_text(&st, COL_ARCHIVE_FORMAT, &len);

		*a = (struct archives_row){ .id = stmt_col_int(&st, COL_ARCHIVE_ID), .racy = (stmt_col_int(&st, COL_ARCHIVE_RACY) & ARCHIVES_RACY) != 0,
		                            .nested = (stmt_col_int(&st, COL_ARCHIVE_RACY) & ARCHIVES_NESTED) != 0,
		                            .read = stmt_col_int(&st, COL_ARCHIVE_READ), .members = stmt_col_int(&st, COL_ARCHIVE_MEMBERS),
		                            .others = stmt_col_int(&st, COL_ARCHIVE_OTHERS) };
		snprintf(a->format, sizeof(a->format), "%s", format);
		if (archives_why(ix, &st, COL_ARCHIVE_WHY, &a->why, err) < 0)
			ret = -1;
	}
	stmt_done(&st);
	if (ret != 1 || !a->nested)
		return ret;
	/* Members of members do not count. */
	st = stmt_get(ix->db, SQL_ARCHIVE_INNER_COUNT, err);
	stmt_int(&st, ":archive", a->id);
	if (stmt_number(&st, &inner) < 0)
		return -1;
	a->members -= inner;
	return 1;
}

/* Run a statement on an archive's members, then one on its row. */
static int
archives_change(struct index *ix, enum sql_id members, enum sql_id row, int64_t id, struct err *err)
{
	struct stmt st = stmt_get(ix->db, members, err);

	stmt_int(&st, ":archive", id);
	if (stmt_run(&st) < 0)
		return -1;
	st = stmt_get(ix->db, row, err);
	stmt_int(&st, ":id", id);
	return stmt_run(&st);
}

int
archives_drop(struct index *ix, int64_t id, struct err *err)
{
	return archives_change(ix, SQL_ARCHIVE_MEMBER_DROP, SQL_ARCHIVE_DROP, id, err);
}

int
archives_drop_nested(struct index *ix, int64_t id, struct err *err)
{
	return archives_change(ix, SQL_ARCHIVE_INNER_DROP, SQL_ARCHIVE_NESTED_END, id, err);
}

/* The number of the archive that an inode is, or was.  Returns 1, 0 or -1. */
static int
archives_id(struct index *ix, const struct file_row *row, int64_t *id, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_ARCHIVE_OF_INODE, err);
	int ret;

	stmt_int(&st, ":volume", row->inode.volume);
	stmt_int(&st, ":inode", row->inode.number);
	ret = stmt_step(&st);
	if (ret == 1)
		*id = stmt_col_int(&st, 0);
	stmt_done(&st);
	return ret;
}

struct archives_writer *
archives_begin(struct index *ix, const struct file_row *row, struct err *err)
{
	struct archives_writer *w;
	struct stmt st;
	int64_t id = 0;
	int ret;

	if (!ix->archives && db_exec(ix->db, SQL_SCHEMA_ARCHIVE, err) < 0)
		return NULL;
	ix->archives = true;
	ret = archives_id(ix, row, &id, err);
	if (ret == 1)
		ret = archives_drop(ix, id, err);
	if (ret < 0)
		return NULL;
	st = stmt_get(ix->db, SQL_ARCHIVE_ADD, err);
	file_bind_signature(&st, row);
	stmt_int(&st, ":racy", 1);
	stmt_int(&st, ":read", (int64_t)time(NULL));
	stmt_int(&st, ":why", PACKED_DIED);
	if (stmt_run(&st) < 0 || archives_id(ix, row, &id, err) != 1)
		return NULL;
	w = mem_zalloc(1, sizeof(*w));
	w->ix = ix;
	w->id = id;
	return w;
}

/* bulk_insert_fn; columns in the order of archive_member_put. */
static void
archives_column(void *arg, size_t row, int column, struct bulk_insert_value *v)
{
	const struct archives_writer *w = arg;
	const struct archives_member *m = &w->rows.v[row];
	const char *text = w->texts.data + m->text;

	switch (column - COL_FEED_C1) {
	case 0: bulk_insert_int(v, w->id); break;
	case 1: bulk_insert_int(v, m->p.number); break;
	case 2: bulk_insert_text(v, text, m->shown); break;
	case 3:
		if (m->raw > 0)
			bulk_insert_blob(v, text + m->shown, m->raw);
		break;
	case 4:
		if (m->p.size >= 0)
			bulk_insert_int(v, m->p.size);
		break;
	case 5:
		if (m->p.mtime != INT64_MIN)
			bulk_insert_int(v, m->p.mtime);
		break;
	case 6: bulk_insert_int(v, m->p.why); break;
	case 7:
		if (m->p.has_hash)
			bulk_insert_blob(v, m->p.hash, HASH_SIZE);
		break;
	}
}

static int
archives_flush(struct archives_writer *w, struct err *err)
{
	int ret = 0;

	if (w->rows.n > 0)
		ret = bulk_insert_run(w->ix->db, SQL_ARCHIVE_MEMBER_PUT, w->rows.n, archives_column, w, err);
	w->rows.n = 0;
	buf_cut(&w->texts, 0);
	return ret < 0 ? -1 : stop_check(err);
}

/* What was read of those in a member is worth as little as that one. */
static int
archives_spoil(struct archives_writer *w, const struct packed *p, struct err *err)
{
	struct stmt st;

	if (archives_flush(w, err) < 0)
		return -1;
	st = stmt_get(w->ix->db, SQL_ARCHIVE_INNER_SPOILT, err);
	stmt_int(&st, ":archive", w->id);
	stmt_int(&st, ":number", p->number);
	stmt_int(&st, ":why", p->why);
	return stmt_run(&st);
}

int
archives_add(struct archives_writer *w, const struct packed *p, struct err *err)
{
	struct archives_member m = { .p = *p, .text = w->texts.len };

	m.p.name = NULL;
	name_store(&w->texts, p->name, p->name_len);
	m.shown = w->texts.len - m.text;
	if (p->outer_len > 0) {
		/* A member may be called a!/b, but no name has a NUL. */
		m.raw = p->name_len - PACKED_MARK_LEN + 1;
		buf_add(&w->texts, p->name, p->outer_len);
		buf_addc(&w->texts, '\0');
		buf_add(&w->texts, p->name + p->outer_len + PACKED_MARK_LEN, m.raw - p->outer_len - 1);
	} else if (!name_is_utf8(p->name, p->name_len)) {
		m.raw = p->name_len;
		buf_add(&w->texts, p->name, p->name_len);
	}
	w->members++;
	vec_push(&w->rows, m);
	/* Those in it have come. */
	if (p->outer_len == 0 && p->why != PACKED_GOOD && w->inner > 0 && archives_spoil(w, p, err) < 0)
		return -1;
	w->inner = p->outer_len > 0 ? w->inner + 1 : 0;
	return w->rows.n < ARCHIVES_BATCH ? 0 : archives_flush(w, err);
}

static void
archives_free(struct archives_writer *w)
{
	vec_release(&w->rows);
	buf_release(&w->texts);
	free(w);
}

int
archives_end(struct archives_writer *w, const struct packed_result *result, bool racy, bool nested, bool none, struct err *err)
{
	struct stmt st;
	int ret = none ? 0 : archives_flush(w, err);

	if (ret == 0 && none) {
		st = stmt_get(w->ix->db, SQL_ARCHIVE_MEMBER_DROP, err);
		stmt_int(&st, ":archive", w->id);
		ret = stmt_run(&st);
	}
	if (ret == 0) {
		st = stmt_get(w->ix->db, SQL_ARCHIVE_END, err);
		stmt_int(&st, ":id", w->id);
		stmt_int(&st, ":racy", (racy ? ARCHIVES_RACY : 0) | (nested ? ARCHIVES_NESTED : 0));
		stmt_int(&st, ":why", result->why);
		stmt_int(&st, ":members", none ? 0 : w->members);
		stmt_int(&st, ":others", none ? 0 : result->others);
		stmt_text(&st, ":format", result->format, strlen(result->format));
		ret = stmt_run(&st);
	}
	archives_free(w);
	return ret;
}

int
archives_undo(struct archives_writer *w, struct err *err)
{
	const int ret = archives_drop(w->ix, w->id, err);

	archives_free(w);
	return ret;
}

/*
 * The bytes of a member's name from columns for name and name_raw, borrowed from the row or put
 * into joined.  *outer_len as in struct packed.
 */
static const char *
archives_name(const struct stmt *st, int col, struct buf *joined, size_t *len, size_t *outer_len)
{
	const char *raw, *nul;

	*outer_len = 0;
	if (stmt_col_is_null(st, col + 1))
		return stmt_col_text(st, col, len);
	raw = stmt_col_blob(st, col + 1, len);
	nul = memchr(raw, '\0', *len);
	if (nul == NULL)
		return raw;
	*outer_len = (size_t)(nul - raw);
	buf_cut(joined, 0);
	buf_add(joined, raw, *outer_len);
	buf_adds(joined, PACKED_MARK);
	buf_add(joined, nul + 1, *len - *outer_len - 1);
	*len = joined->len;
	return buf_str(joined);
}

/* Read a member; its name is borrowed from the row or joined.  Columns as in archive_members. */
static int
archives_read(const struct index *ix, const struct stmt *st, struct buf *joined, struct packed *p, struct err *err)
{
	*p = (struct packed){ .number = stmt_col_int(st, 0), .size = stmt_col_is_null(st, 3) ? -1 : stmt_col_int(st, 3),
	                      .mtime = stmt_col_is_null(st, 4) ? INT64_MIN : stmt_col_int(st, 4), .has_hash = !stmt_col_is_null(st, 6) };
	p->name = archives_name(st, 1, joined, &p->name_len, &p->outer_len);
	if (archives_why(ix, st, 5, &p->why, err) < 0)
		return -1;
	return p->has_hash ? file_read_hash(st, 6, p->hash, err) : 0;
}

int
archives_members(struct index *ix, int64_t id, bool within, archives_member_fn *fn, void *arg, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_ARCHIVE_MEMBERS, err);
	struct buf joined = { 0 };
	struct packed p;
	int ret;

	stmt_int(&st, ":archive", id);
	while ((ret = stmt_step(&st)) == 1) {
		ret = archives_read(ix, &st, &joined, &p, err);
		if (ret == 0 && (within || p.outer_len == 0))
			ret = fn(arg, &p, err);
		if (ret != 0) {
			stmt_done(&st);
			break;
		}
	}
	buf_release(&joined);
	return ret;
}

int
archives_has(struct index *ix, int64_t id, int64_t size, const uint8_t hash[HASH_SIZE], struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_ARCHIVE_HAS, err);

	stmt_int(&st, ":archive", id);
	stmt_int(&st, ":size", size);
	stmt_blob(&st, ":hash", hash, HASH_SIZE);
	return stmt_truth(&st);
}

int
archives_has_size(struct index *ix, int64_t id, int64_t size, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_ARCHIVE_HAS_SIZE, err);

	stmt_int(&st, ":archive", id);
	stmt_int(&st, ":size", size);
	return stmt_truth(&st);
}

int
archives_may_have(struct index *ix, int64_t id, int64_t size, struct err *err)
{
	struct stmt st = stmt_get(ix->db, SQL_ARCHIVE_MAY_HAVE, err);

	stmt_int(&st, ":archive", id);
	stmt_int(&st, ":size", size);
	stmt_int(&st, ":link", PACKED_LINK);
	return stmt_truth(&st);
}

/* Deliver the names of an archive that has a member with this name. */
static int
archives_names(struct index *ix, enum sql_id id, const struct file_row *like, const char *member, size_t len, archives_like_fn *fn, void *arg,
               struct err *err)
{
	struct stmt st = stmt_get(ix->db, id, err);
	struct file_row row;
	int ret;

	file_bind_signature(&st, like);
	while ((ret = stmt_step(&st)) == 1) {
		ret = file_read(&st, &row, err) < 0 ? -1 : fn(arg, &row, member, len, err);
		if (ret != 0) {
			stmt_done(&st);
			return ret;
		}
	}
	return ret;
}

int
archives_like(struct index *ix, int64_t size, const uint8_t hash[HASH_SIZE], archives_like_fn *fn, void *arg, struct err *err)
{
	struct buf joined = { 0 };
	struct stmt st;
	int ret;

	if (!ix->archives)
		return 0;
	st = stmt_get(ix->db, SQL_ARCHIVE_MEMBERS_LIKE, err);
	stmt_int(&st, ":size", size);
	stmt_blob(&st, ":hash", hash, HASH_SIZE);
	while ((ret = stmt_step(&st)) == 1) {
		const struct file_row like = {
			.inode = { stmt_col_int(&st, 3), stmt_col_int(&st, 4) }, .size = stmt_col_int(&st, 5),
			.mtime = { stmt_col_int(&st, 6), (int32_t)stmt_col_int(&st, 7) }, .ctime = { stmt_col_int(&st, 8), (int32_t)stmt_col_int(&st, 9) },
		};
		size_t len, outer_len;
		const char *name = archives_name(&st, 1, &joined, &len, &outer_len);

		ret = archives_names(ix, SQL_ARCHIVE_NAMES_READ, &like, name, len, fn, arg, err);
		if (ret == 0)
			ret = archives_names(ix, SQL_ARCHIVE_NAMES_UNREAD, &like, name, len, fn, arg, err);
		if (ret != 0) {
			stmt_done(&st);
			break;
		}
	}
	buf_release(&joined);
	return ret;
}

int
archives_count(struct index *ix, struct archives_counts *n, struct err *err)
{
	struct stmt st;

	*n = (struct archives_counts){ 0 };
	if (!ix->archives)
		return 0;
	st = stmt_get(ix->db, SQL_ARCHIVE_COUNTS, err);
	stmt_int(&st, ":none", PACKED_NONE);
	if (stmt_step(&st) < 0)
		return -1;
	*n = (struct archives_counts){ stmt_col_int(&st, 0), stmt_col_int(&st, 1), stmt_col_int(&st, 2), stmt_col_int(&st, 3) };
	stmt_done(&st);
	return 0;
}

int
archives_touch(struct index *ix, struct err *err)
{
	return ix->archives ? meta_put_int(ix->db, META_ARCHIVES_RUN, 0, err) : 0;
}
