/* SPDX-License-Identifier: MIT */
/*
 * All contents with several names, the groups, are found in the content index alone.  Few members
 * are then looked up group by group, when sets_source_members asks for them.  Many come from one
 * pass over all rows, directory by directory, which then costs less.  Threads (stat_batch) look at
 * them meanwhile, and have ended when sets_load returns.  Where nobody asks for times, the pass
 * that finds the groups has loaded their members as well (struct sets_load_brief): the content
 * index has all but the link counts, and few inodes have several links.
 */
#include "base/base.h"

#include "query/sets_load.h"

#include "db/filter.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/journal.h"
#include "query/sets_source.h"
#include "query/stat_batch.h"
#include "sys/stop.h"

/* Members as the content index has them, while they are loaded. */
struct sets_load_brief {
	struct sets_source *s;
	struct file_row first;           /* of a content that has one name so far */
	struct buf first_name;
	VEC(size_t) raw;                 /* groups in which the index has a name in another form */
};

/* Put the members of each group together. */
static void
sets_load_gather(struct sets_source *s)
{
	struct sets_member *sorted = mem_alloc((s->members.n + 1) * sizeof(*sorted));

	sets_groups_place(&s->groups);
	for (size_t i = 0; i < s->members.n; i++) {
		struct sets_group *g = &s->groups.v[s->members.v[i].group];

		sorted[g->first + g->n++] = s->members.v[i];
	}
	free(s->members.v);
	s->members.v = sorted;
	s->members.cap = s->members.n + 1;
}

/* stat_batch_fn: judge the few members that differ by their root's options, or find them gone. */
static int
sets_load_differs(void *arg, size_t n, const struct file_row *row, struct err *err)
{
	struct sets_source *s = arg;
	struct sets_member *m = &s->members.v[n];
	struct presence_view *view = sets_source_view(s, m->of);
	enum presence presence;

	if (presence_row(view, row, &presence, NULL, err) < 0)
		return -1;
	m->kind = (uint8_t)member_kind_of(presence);
	m->error = (int16_t)view->error;
	m->nlink = view->nlink;
	return 0;
}

/* filter_fn: whether a content is a group's. */
static bool
sets_load_wants(void *arg, int64_t size, const void *hash, size_t len)
{
	const struct sets_source *s = arg;

	return len == HASH_SIZE && sets_groups_find(&s->groups, size, hash) != NULL;
}

/* Load the member that a row with a hash is, if it is one, and have it looked at. */
static int
sets_load_row(struct sets_source *s, size_t of, const struct file_row *row, struct stat_batch *looks, struct err *err)
{
	struct sets_group *g = sets_groups_find(&s->groups, row->size, row->hash);
	struct sets_member *m = g != NULL ? sets_source_add(s, of, row, PRESENCE_HERE, err) : NULL;

	if (m == NULL)
		return g != NULL ? -1 : 0;
	m->group = (uint32_t)(g - s->groups.v);
	g->n++;
	return looks == NULL || m->kind != MEMBER_COPY ? 0 : stat_batch_add(looks, s->members.n - 1, row, m->dir, err);
}

/* Load the members that an index has in one pass over its rows, while threads look at them. */
static int
sets_load_rows(struct sets_source *s, size_t of, struct stat_batch *looks, struct err *err)
{
	struct presence_view *view = sets_source_view(s, of);
	struct db *db = view->ix->db;
	struct file_row row;
	struct stmt st;
	int ret = dirs_load(&view->dirs, err);

	if (ret < 0)
		return -1;
	st = stmt_get(db, SQL_FILE_WANTED, err);
	filter_set(db, sets_load_wants, s);
	while ((ret = stmt_step(&st)) == 1) {
		if (file_read_stat(&st, &row, err) < 0 || file_read_hash(&st, COL_FILE_STAT_COUNT, row.hash, err) < 0 ||
		    sets_load_row(s, of, &row, looks, err) < 0 || stop_check(err) < 0) {
			ret = -1;
			break;
		}
	}
	stmt_done(&st);
	filter_set(db, NULL, NULL);
	for (size_t i = 0; ret == 0 && i < s->read.n_read; i++) {
		const struct sets_unread_file *f = &s->read.files.v[i];

		if (f->of == of)
			ret = sets_load_row(s, of, &f->row, looks, err);
		if (ret == 0)
			ret = stop_check(err);
	}
	return ret;
}

/* Load the members of all groups. */
static int
sets_load_all(struct sets_source *s, struct err *err)
{
	int ret = 0;

	sets_groups_index(&s->groups);
	for (size_t i = 0; i < s->groups.n; i++)
		s->groups.v[i].n = 0;
	for (size_t i = 0; ret == 0 && i <= sets_source_others(s); i++) {
		struct stat_batch *looks = s->q->no_check ? NULL : stat_batch_new(sets_load_differs, s);

		ret = sets_load_rows(s, i, looks, err);
		if (ret == 0 && looks != NULL)
			ret = stat_batch_finish(looks, err);
		stat_batch_free(looks);
	}
	if (ret == 0)
		sets_load_gather(s);
	s->passed = true;
	return ret;
}

/* sets_groups_name_fn: note a member of a content, once it has a second one. */
static int
sets_load_take(void *arg, const struct stmt *st, uint32_t n, struct err *err)
{
	struct sets_load_brief *b = arg;
	struct sets_source *s = b->s;
	const size_t group = s->groups.n - 1;
	struct file_row row = { .inode = { stmt_col_int(st, 3), stmt_col_int(st, 2) }, .dir = stmt_col_int(st, 4), .nlink = 1 };

	row.name = stmt_col_text(st, 5, &row.name_len);
	if (n == 1) {
		buf_cut(&b->first_name, 0);
		buf_add(&b->first_name, row.name, row.name_len + 1);
		b->first = row;
		b->first.name = b->first_name.data;
		return 0;
	}
	if (n == 2) {
		s->groups.v[group].first = (uint32_t)s->members.n;
		if (sets_source_add(s, 0, &b->first, PRESENCE_HERE, err) == NULL)
			return -1;
	}
	/* Only the whole row has the bytes of a name that is not UTF-8. */
	if ((strchr(row.name, '/') != NULL || (n == 2 && strchr(b->first.name, '/') != NULL)) &&
	    (b->raw.n == 0 || b->raw.v[b->raw.n - 1] != group))
		vec_push(&b->raw, group);
	return sets_source_add(s, 0, &row, PRESENCE_HERE, err) == NULL ? -1 : 0;
}

/* The order of members of a group in the content index. */
static int
sets_load_cmp_inode(struct inode a, struct inode b)
{
	ORDER_CMP(a.number, b.number);
	ORDER_CMP(a.volume, b.volume);
	return 0;
}

/* Give the members of inodes with several links their link count. */
static int
sets_load_links(struct sets_source *s, struct err *err)
{
	struct stmt st = stmt_get(s->ix->db, SQL_FILE_LINKED, err);
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const struct inode inode = { stmt_col_int(&st, 1), stmt_col_int(&st, 2) };
		const int64_t nlink = stmt_col_int(&st, 3);
		struct sets_group key = { .size = stmt_col_int(&st, 0) };
		const struct sets_group *g = NULL;
		struct sets_member *v;
		size_t at;

		ret = stmt_col_is_null(&st, 5) ? 0 : file_read_hash(&st, 5, key.hash, err);
		if (ret == 0)
			ret = stop_check(err);
		if (ret < 0)
			break;
		if (!stmt_col_is_null(&st, 5))
			g = bsearch(&key, s->groups.v, s->groups.n, sizeof(key), sets_groups_cmp);
		if (g == NULL)
			continue;
		/* Its first name; from there the others get it. */
		v = s->members.v + g->first;
		ORDER_FIRST(at, g->n, sets_load_cmp_inode(v[at].inode, inode) < 0);
		if (at < g->n && inode_same(v[at].inode, inode) && v[at].nlink < nlink)
			v[at].nlink = nlink;
	}
	stmt_done(&st);
	for (size_t i = 1; ret == 0 && i < s->members.n; i++) {
		if (inode_same(s->members.v[i].inode, s->members.v[i - 1].inode))
			s->members.v[i].nlink = s->members.v[i - 1].nlink;
	}
	return ret;
}

/* Whether one pass over all rows costs less than looking up each member. */
static bool
sets_load_is_large(struct sets_source *s)
{
	int64_t members = 0, files = 0;

	for (size_t i = 0; i < s->groups.n; i++)
		members += s->groups.v[i].n;
	for (size_t i = 0; i <= sets_source_others(s); i++)
		files = num_add(files, journal_files(sets_source_view(s, i)->ix));
	return sets_groups_pass_pays(members, files);
}

/* Load the groups with their members, or where these are few the groups alone. */
static int
sets_load_briefly(struct sets_source *s, struct err *err)
{
	struct sets_load_brief b = { .s = s };
	int ret = dirs_load(&s->check.dirs, err);

	if (ret == 0)
		ret = sets_groups_load(&s->groups, s->ix->db, s->q->min_size, sets_load_take, &b, err);
	s->passed = ret == 0 && sets_load_is_large(s);
	if (ret == 0 && !s->passed)
		s->members.n = s->names.len = 0;
	if (s->passed)
		ret = sets_load_links(s, err);
	for (size_t i = 0; ret == 0 && s->passed && i < b.raw.n; i++)
		ret = sets_source_look_up(s, &s->groups.v[b.raw.v[i]], err);
	buf_release(&b.first_name);
	vec_release(&b.raw);
	return ret;
}

/*
 * Find the sets that exist only where links are copies: inodes of which no name was read become
 * inodes, those of which one was read become groups.
 */
static int
sets_load_inodes(struct sets_source *s, struct err *err)
{
	struct stmt st = stmt_get(s->ix->db, SQL_INODE_UNREAD_NAMES, err);
	const size_t n = s->groups.n;
	int ret;

	stmt_int(&st, ":min_size", s->q->min_size);
	while ((ret = stmt_step(&st)) == 1) {
		struct sets_group g = { .size = stmt_col_int(&st, 0), .n = 1 };

		if (stmt_col_is_null(&st, 3))
			vec_push(&s->inodes, ((struct sets_inode){ g.size, { stmt_col_int(&st, 1), stmt_col_int(&st, 2) } }));
		else if (file_read_hash(&st, 3, g.hash, err) < 0) {
			stmt_done(&st);
			return -1;
		} else if (n == 0 || bsearch(&g, s->groups.v, n, sizeof(g), sets_groups_cmp) == NULL)
			vec_push(&s->groups, g);
	}
	if (s->groups.n > n)
		qsort(s->groups.v, s->groups.n, sizeof(*s->groups.v), sets_groups_cmp);
	return ret;
}

/* Find the contents with several names; in several indexes after what must be read for that. */
static int
sets_load_groups(struct sets_source *s, struct err *err)
{
	const size_t n = sets_source_others(s) + 1;
	struct db **dbs;
	int ret;

	if (n == 1)
		return sets_groups_load(&s->groups, s->ix->db, s->q->min_size, NULL, NULL, err);
	dbs = mem_alloc(n * sizeof(*dbs));
	for (size_t i = 0; i < n; i++)
		dbs[i] = sets_source_view(s, i)->ix->db;
	ret = sets_unread_load(&s->read, s->q, &s->check, err);
	if (ret == 0) {
		const struct sets_groups_of of = { .dbs = dbs, .n = n, .read = &s->read, .across = s->q->across };

		ret = sets_groups_load_joined(&s->groups, &of, s->q->min_size, err);
	}
	free(dbs);
	return ret;
}

int
sets_load(struct sets_source *s, struct err *err)
{
	int ret;

	/* A pass comes to every page once, a look-up may come back. */
	if (db_small_cache(s->ix->db, true, err) < 0)
		return -1;
	if (s->q->no_times)
		ret = sets_load_briefly(s, err);
	else {
		ret = sets_load_groups(s, err);
		if (ret == 0 && s->q->links_are_copies)
			ret = sets_load_inodes(s, err);
		if (ret == 0 && sets_load_is_large(s))
			ret = sets_load_all(s, err);
	}
	return ret < 0 ? -1 : db_small_cache(s->ix->db, false, err);
}
