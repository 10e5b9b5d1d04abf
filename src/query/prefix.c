/* SPDX-License-Identifier: MIT */
/*
 * Range queries, over the directories and the files of one directory.  Ranges are of the
 * stored form of names, prefixes are bytes: a prefix that ends within a character is cut to whole
 * ones for the range, and what the range gives is compared with all of it.
 */
#include "base/base.h"

#include "query/prefix.h"

#include "db/stmt.h"
#include "index/dirs.h"
#include "query/subdirs.h"

void
prefix_release(struct prefix *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->v[i].name);
	vec_release(names);
	names->more = false;
}

/*
 * The length of prefix without the beginning of a character at its end, of
 * which the index has no form: "\xc3" is "/xc3" in names where that
 * byte is invalid, and the first half of "é" in others.
 */
static size_t
prefix_whole(const char *prefix, size_t len)
{
	for (size_t k = 1; k <= 3 && k <= len; k++) {
		const unsigned char c = (unsigned char)prefix[len - k];

		/* A first byte that wants more than k bytes. */
		if (c >= 0xf0 || (c >= 0xe0 && k < 3) || (c >= 0xc0 && k < 2))
			return len - k;
		if (c < 0x80)
			break;
	}
	return len;
}

bool
prefix_fits(const struct prefix_query *q, const char *name, size_t len)
{
	return len >= q->prefix_len && memcmp(name, q->prefix, q->prefix_len) == 0 &&
	       (name[0] != '.' || q->prefix_len > 0);
}

/* Add names that a statement finds in the directory, in its order, until more than max fit. */
static int
prefix_query(struct prefix *names, struct db *db, const struct prefix_query *q, enum sql_id id, size_t max, int64_t dir,
             struct err *err)
{
	const bool dirs = id == SQL_DIR_NAMED || id == SQL_DIR_NAMED_LAST;
	const size_t before = names->n;
	struct buf from = { 0 }, to = { 0 };
	struct stmt st = stmt_get(db, id, err);
	int ret;

	name_store(&from, q->prefix, prefix_whole(q->prefix, q->prefix_len));
	/* Up to the first text behind all that begin so; no byte of valid UTF-8 is above 0xf4. */
	buf_add(&to, buf_str(&from), from.len);
	if (to.len > 0)
		to.data[to.len - 1]++;
	else
		buf_addc(&to, '\xff');
	stmt_int(&st, ":dir", dir);
	stmt_text(&st, ":from", buf_str(&from), from.len);
	stmt_text(&st, ":to", to.data, to.len);
	while ((ret = stmt_step(&st)) == 1 && names->n - before <= max) {
		size_t len;
		const char *name = stmt_col_name(&st, 0, &len);

		if (prefix_fits(q, name, len))
			vec_push(names, ((struct name_found){ mem_dup(name, len), dirs, NULL }));
	}
	stmt_done(&st);
	buf_release(&from);
	buf_release(&to);
	return ret < 0 ? -1 : 0;
}

/* Add the first max names; if there are more, one of them and the last. */
static int
prefix_ends(struct prefix *names, struct db *db, const struct prefix_query *q, enum sql_id first, enum sql_id last, int64_t dir,
            struct err *err)
{
	const size_t before = names->n;
	int ret = prefix_query(names, db, q, first, q->max, dir, err);

	if (ret == 0 && names->n - before > q->max)
		ret = prefix_query(names, db, q, last, 0, dir, err);
	return ret;
}

/* Add the first steps from the directory towards the tops below it. */
static int
prefix_towards_tops(struct prefix *names, struct db *db, const struct prefix_query *q, struct err *err)
{
	struct subdirs tops = { 0 }, steps = { 0 };
	const int ret = subdirs_load_tops(&tops, db, q->path, 0, err);

	subdirs_add_tops(&steps, &tops, q->path);
	for (size_t i = 0; i < steps.n; i++) {
		const char *name = steps.v[i].name;

		if (prefix_fits(q, name, strlen(name)))
			vec_push(names, ((struct name_found){ mem_str(name), true, NULL }));
	}
	subdirs_release(&tops);
	subdirs_release(&steps);
	return ret;
}

static int
prefix_cmp(const void *a, const void *b)
{
	const struct name_found *x = a, *y = b;
	const int cmp = strcmp(x->name, y->name);

	return cmp != 0 ? cmp : (int)y->dir - (int)x->dir;
}

void
prefix_tidy(struct prefix *names, size_t max)
{
	size_t n = 0;

	if (names->n > 1)
		qsort(names->v, names->n, sizeof(*names->v), prefix_cmp);
	for (size_t i = 0; i < names->n; i++) {
		if (n > 0 && strcmp(names->v[n - 1].name, names->v[i].name) == 0)
			free(names->v[i].name);
		else
			names->v[n++] = names->v[i];
	}
	if (n > max) {
		names->more = true;
		for (size_t i = max - 1; i < n - 1; i++)
			free(names->v[i].name);
		names->v[max - 1] = names->v[n - 1];
		n = max;
	}
	names->n = n;
}

int
prefix_load(struct prefix *names, struct db *db, const struct prefix_query *q, struct err *err)
{
	int64_t dir;
	int ret = dirs_find(db, q->path, &dir, err);

	if (ret == 1) {
		ret = prefix_ends(names, db, q, SQL_DIR_NAMED, SQL_DIR_NAMED_LAST, dir, err);
		if (ret == 0 && !q->dirs_only)
			ret = prefix_ends(names, db, q, SQL_FILE_NAMED, SQL_FILE_NAMED_LAST, dir, err);
	}
	if (ret == 0)
		ret = prefix_towards_tops(names, db, q, err);
	prefix_tidy(names, q->max);
	return ret;
}
