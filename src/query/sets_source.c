/* SPDX-License-Identifier: MIT */
/*
 * All contents with several names, the groups, are found in the content index alone.  Few members
 * are then looked up group by group, when sets_source_members asks for them.  Many come from one
 * pass over all rows, directory by directory, which then costs less.  Threads (stat_batch) look at
 * them meanwhile, and have ended when sets_load returns.  Where nobody asks for times, a walk
 * over all contents finds the groups and loads their members as well (struct sets_load_brief).
 *
 * Members refer to names by offset and to directories by the prefixes that check.dirs keeps:
 * neither moves when more members come.  Nearly all sets are a few copies that come nearly in
 * order: insertion sorts them in place.  Larger sets, and those with hard links, are sorted by
 * inode first, which tells links from copies, then by the path of the first name of each inode.
 */
#include "base/base.h"

#include "query/sets_source.h"

#include "db/filter.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/names.h"
#include "query/content_walk.h"
#include "query/indexes.h"
#include "query/keep.h"
#include "query/stat_batch.h"
#include "sys/stop.h"

/* A set that is small: its inodes are compared each with each. */
#define SETS_MEMBER_FEW 8

int
sets_member_cmp_path(const struct sets_member *a, const struct sets_member *b, const char *names)
{
	const struct dirs_prefix *x = a->dir, *y = b->dir;
	int cmp;

	if (x == y)
		return strcmp(names + a->name, names + b->name);
	cmp = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);
	if (cmp != 0)
		return cmp;
	/* A name follows the shorter directory: compare it with the rest of the longer one. */
	if (x->len < y->len)
		return strcmp(names + a->name, y->text + x->len);
	if (x->len > y->len)
		return strcmp(x->text + y->len, names + b->name);
	return strcmp(names + a->name, names + b->name);
}

static int
sets_member_cmp_double(const void *a, const void *b, void *names)
{
	const struct sets_member *x = a, *y = b;
	const int cmp = sets_member_cmp_path(x, y, names);

	if (cmp != 0)
		return cmp;
	if (sets_member_lives(x) != sets_member_lives(y))
		return sets_member_lives(x) ? -1 : 1;
	return x->of - y->of;
}

void
sets_member_path(const struct sets_member *m, const char *names, struct buf *path)
{
	const char *name = names + m->name;

	buf_add(path, m->dir->text, m->dir->len);
	buf_add(path, name, strlen(name) + 1);
}

/* Copies by path, then the others by path. */
static int
sets_member_cmp(const struct sets_member *a, const struct sets_member *b, const char *names)
{
	if (sets_member_lives(a) != sets_member_lives(b))
		return sets_member_lives(a) ? -1 : 1;
	return sets_member_cmp_path(a, b, names);
}

static int
sets_member_cmp_alone(const void *a, const void *b, void *names)
{
	return sets_member_cmp(a, b, names);
}

static int
sets_member_cmp_inode(const void *a, const void *b, void *names)
{
	const struct sets_member *x = a, *y = b;
	int cmp;

	if (sets_member_lives(x) != sets_member_lives(y))
		return sets_member_lives(x) ? -1 : 1;
	cmp = inode_cmp(x->inode, y->inode);
	return cmp != 0 ? cmp : sets_member_cmp_path(x, y, names);
}

/* A member, and the first name of its inode; NULL when it is not there. */
struct sets_member_led {
	struct sets_member m;
	const struct sets_member *lead;
};

static int
sets_member_cmp_led(const void *a, const void *b, void *names)
{
	const struct sets_member_led *x = a, *y = b;

	if (x->lead != NULL && y->lead != NULL && x->lead != y->lead)
		return sets_member_cmp_path(x->lead, y->lead, names);
	if (x->lead != NULL && y->lead != NULL && x->m.kind != y->m.kind)
		return x->m.kind == MEMBER_COPY ? -1 : 1;
	return sets_member_cmp(&x->m, &y->m, names);
}

/* Whether some of those that are there may be names of one inode. */
static bool
sets_member_linked(const struct sets_member *v, size_t n)
{
	if (n > SETS_MEMBER_FEW)
		return true;
	for (size_t i = 1; i < n; i++) {
		for (size_t j = 0; j < i; j++) {
			if (sets_member_lives(&v[i]) && sets_member_lives(&v[j]) && inode_same(v[i].inode, v[j].inode))
				return true;
		}
	}
	return false;
}

static void
sets_member_sort(struct sets_member *v, size_t n, const char *names)
{
	if (n > SETS_MEMBER_FEW) {
		order_sort_by(v, n, sizeof(*v), sets_member_cmp_alone, (void *)(uintptr_t)names);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		const struct sets_member m = v[i];
		size_t at = i;

		for (; at > 0 && sets_member_cmp(&v[at - 1], &m, names) > 0; at--)
			v[at] = v[at - 1];
		if (at < i)
			v[at] = m;
	}
}

static bool
sets_member_find_links(struct sets_member *v, size_t n, const char *names)
{
	bool links = false;

	for (size_t i = 0; i < n; i++) {
		if (v[i].kind == MEMBER_LINK)
			v[i].kind = MEMBER_COPY;
	}
	if (!sets_member_linked(v, n))
		return false;
	order_sort_by(v, n, sizeof(*v), sets_member_cmp_inode, (void *)(uintptr_t)names);
	for (size_t i = 1; i < n && sets_member_lives(&v[i]); i++) {
		if (inode_same(v[i].inode, v[i - 1].inode)) {
			v[i].kind = MEMBER_LINK;
			links = true;
		}
	}
	return links;
}

/* Put members, which are sorted by inode and told from links, in order. */
static void
sets_member_sort_led(struct sets_member *v, size_t n, const char *names)
{
	struct sets_member_led *led = mem_alloc(n * sizeof(*led));
	const struct sets_member *lead = NULL;

	/* The leads must not move while the sort asks for them. */
	for (size_t i = 0; i < n; i++) {
		if (v[i].kind != MEMBER_LINK)
			lead = sets_member_lives(&v[i]) ? &v[i] : NULL;
		led[i] = (struct sets_member_led){ v[i], lead };
	}
	order_sort_by(led, n, sizeof(*led), sets_member_cmp_led, (void *)(uintptr_t)names);
	for (size_t i = 0; i < n; i++)
		v[i] = led[i].m;
	free(led);
}

void
sets_member_arrange(struct sets_member *v, size_t n, const char *names)
{
	if (sets_member_find_links(v, n, names))
		sets_member_sort_led(v, n, names);
	else
		sets_member_sort(v, n, names);
}

size_t
sets_member_links(const struct sets_member *v, size_t n, size_t i)
{
	size_t end = i + 1;

	while (end < n && v[end].kind == MEMBER_LINK)
		end++;
	return end - i;
}

static size_t
sets_source_others(const struct sets_source *s)
{
	return s->q->with != NULL ? s->q->with->others.n : 0;
}

static struct presence_view *
sets_source_view(struct sets_source *s, size_t of)
{
	return of > 0 ? indexes_view(indexes_nth(s->q->with, of), NULL) : &s->check;
}

/* Mark a member that does not count: it is excluded, or lies in a trash or a backup. */
static void
sets_source_exclude(struct sets_source *s, struct sets_member *m)
{
	enum presence presence;

	if (s->where.n_exclude == 0 && m->dir->trash == 0 && s->ix->backups.n == 0)
		return;
	buf_cut(&s->path, 0);
	sets_member_path(m, s->names.data, &s->path);
	presence = presence_counts(&s->where, s->path.data);
	if (presence != PRESENCE_HERE)
		m->kind = (uint8_t)member_kind_of(presence);
	else if (keep_leaves_out(s->q->backups, &s->ix->backups, s->path.data))
		m->kind = MEMBER_BACKUP;
}

/* Give a member that another index has the path by which this one has it.  Returns 0 or -1. */
static int
sets_source_map(struct sets_source *s, struct sets_member *m, const struct file_row *row, struct err *err)
{
	struct indexes_other *o = indexes_nth(s->q->with, m->of);
	struct file_row taken = *row;
	const char *path;
	int64_t dir;

	indexes_take_row(o, &taken);
	m->inode.volume = taken.inode.volume;
	if (indexes_dir_here(o, &s->check, &taken, &dir, &path, err) < 0)
		return -1;
	if (dir != 0)
		m->dir = dirs_prefix(&s->check.dirs, dir, err);
	if (m->dir == NULL)
		return -1;
	if (dir != 0)
		sets_source_exclude(s, m);
	return 0;
}

static struct sets_member *
sets_source_add(struct sets_source *s, size_t of, const struct file_row *row, enum presence presence, struct err *err)
{
	struct presence_view *view = sets_source_view(s, of);
	const struct dirs_prefix *dir = dirs_prefix(&view->dirs, row->dir, err);
	struct sets_member *m;

	if (dir == NULL)
		return NULL;
	m = vec_add(&s->members);
	*m = (struct sets_member){ .dir = dir, .name = s->names.len, .inode = row->inode, .blocks = row->blocks,
	                           .nlink = row->nlink, .mtime = row->mtime,
	                           .kind = (uint8_t)member_kind_of(presence), .of = (uint8_t)of, .error = (int16_t)view->error };
	buf_add(&s->names, row->name, row->name_len + 1);
	sets_source_exclude(s, m);
	return of == 0 || sets_source_map(s, m, row, err) == 0 ? m : NULL;
}

/* Look at the file of a row and note it as a member. */
static int
sets_source_look(struct sets_source *s, size_t of, const struct file_row *row, struct err *err)
{
	enum presence presence;

	if (presence_member(sets_source_view(s, of), row, &s->where, &presence, NULL, err) < 0 ||
	    sets_source_add(s, of, row, presence, err) == NULL)
		return -1;
	return stop_check(err);
}

/* Look at the names of an iteration over an index: all, or only those that were not read. */
static int
sets_source_look_all(struct sets_source *s, size_t of, struct names names, bool unread, struct err *err)
{
	struct file_row row;
	int ret;

	while ((ret = names_next(&names, &row)) == 1) {
		if ((!unread || !row.has_hash) && sets_source_look(s, of, &row, err) < 0) {
			names_end(&names);
			return -1;
		}
	}
	return ret;
}

/* Note where the members of a group begin. */
static void
sets_source_begin(struct sets_source *s, struct sets_group *g)
{
	g->first = (uint32_t)s->members.n;
	s->names_before = s->names.len;
}

/* The order of contents, of a file that was read and a group. */
static int
sets_source_cmp_read(const struct sets_unread_file *f, const struct sets_group *g)
{
	ORDER_CMP(f->row.size, g->size);
	return memcmp(f->row.hash, g->hash, HASH_SIZE);
}

static int
sets_source_look_up(struct sets_source *s, struct sets_group *g, struct err *err)
{
	const struct sets_unread_file *v = s->read.files.v;
	size_t at;

	sets_source_begin(s, g);
	for (size_t i = 0; i <= sets_source_others(s); i++) {
		if (sets_source_look_all(s, i, names_of_content(sets_source_view(s, i)->ix->db, g->size, g->hash, err), false, err) < 0)
			return -1;
	}
	ORDER_FIRST(at, s->read.n_read, sets_source_cmp_read(&v[at], g) < 0);
	for (; at < s->read.n_read && sets_source_cmp_read(&v[at], g) == 0; at++) {
		if (sets_source_look(s, v[at].of, &v[at].row, err) < 0)
			return -1;
	}
	g->n = (uint32_t)s->members.n - g->first;
	return 0;
}

/* Add the names of an inode that were not read. */
static int
sets_source_add_unread(struct sets_source *s, const struct sets_inode *inode, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i <= sets_source_others(s); i++) {
		struct inode theirs = inode->inode;

		if (i > 0)
			theirs.volume = indexes_theirs(indexes_nth(s->q->with, i), theirs.volume);
		ret = sets_source_look_all(s, i, names_of_inode(sets_source_view(s, i)->ix, inode->size, theirs, err), true, err);
	}
	return ret;
}

/*
 * Of members with one path in several indexes only one stays, rather one that is there; besides it
 * one that is offline on another disk.  A member of another index goes if it is an earlier state
 * of a file that this index knows.
 */
static int
sets_source_drop_doubles(struct sets_source *s, struct sets_group *g, struct err *err)
{
	struct sets_member *v = s->members.v + g->first;
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->n; i++) {
		int known = 0;

		if (v[i].of > 0 && (v[i].kind == MEMBER_GONE || v[i].kind == MEMBER_CHANGED)) {
			buf_cut(&s->path, 0);
			sets_member_path(&v[i], s->names.data, &s->path);
			known = indexes_has_here(&s->check, buf_str(&s->path), err);
		}
		if (known < 0)
			return -1;
		if (known == 0)
			v[n++] = v[i];
	}
	g->n = n;
	order_sort_by(v, n, sizeof(*v), sets_member_cmp_double, s->names.data);
	n = 0;
	for (uint32_t i = 0; i < g->n; i++) {
		if (n == 0 || sets_member_cmp_path(&v[n - 1], &v[i], s->names.data) != 0 ||
		    (v[i].kind == MEMBER_OFFLINE && v[n - 1].inode.volume != v[i].inode.volume))
			v[n++] = v[i];
	}
	g->n = n;
	return 0;
}

/* Members that may be the same files as copies, shown by a view, count for nothing. */
static void
sets_source_judge_views(const struct sets_source *s, const struct sets_group *g)
{
	struct sets_member *v = s->members.v + g->first;
	VEC(struct alias_volumes_file) files = { 0 };
	bool *viewed = mem_alloc(g->n * sizeof(*viewed) + 1), *next = viewed;

	for (uint32_t i = 0; i < g->n; i++) {
		if (sets_member_lives(&v[i]))
			vec_push(&files, ((struct alias_volumes_file){ v[i].inode, v[i].mtime }));
	}
	alias_volumes_judge(&s->views, files.v, files.n, viewed);
	for (uint32_t i = 0; i < g->n; i++) {
		if (sets_member_lives(&v[i]) && *next++)
			v[i].kind = MEMBER_VIEW;
	}
	free(viewed);
	vec_release(&files);
}

/* Put the members of a group in order. */
static int
sets_source_settle(struct sets_source *s, struct sets_group *g, struct err *err)
{
	if (sets_source_others(s) > 0 && sets_source_drop_doubles(s, g, err) < 0)
		return -1;
	if (alias_volumes_any(&s->views))
		sets_source_judge_views(s, g);
	if (s->q->no_times)
		sets_member_find_links(s->members.v + g->first, g->n, s->names.data);
	else
		sets_member_arrange(s->members.v + g->first, g->n, s->names.data);
	return 0;
}

/* Add the unread names of inodes of which the group has fewer names than they have links. */
static int
sets_source_add_links(struct sets_source *s, struct sets_group *g, struct err *err)
{
	const uint32_t n = g->n;

	for (uint32_t i = 0; i < n; i++) {
		const struct sets_member *m = &s->members.v[g->first + i];
		const struct sets_inode inode = { g->size, m->inode };

		if (m->kind != MEMBER_COPY || m->nlink <= (int64_t)sets_member_links(m, n - i, 0))
			continue;
		/* Names can be added only behind the last member: move the group there. */
		if (g->first + g->n < s->members.n) {
			const size_t from = g->first;

			g->first = (uint32_t)s->members.n;
			for (uint32_t j = 0; j < g->n; j++) {
				const struct sets_member moved = s->members.v[from + j];

				vec_push(&s->members, moved);
			}
		}
		if (sets_source_add_unread(s, &inode, err) < 0)
			return -1;
		g->n = (uint32_t)(s->members.n - g->first);
	}
	return g->n > n ? sets_source_settle(s, g, err) : 0;
}

int
sets_source_members(struct sets_source *s, struct sets_group *g, struct err *err)
{
	if (!s->passed && sets_source_look_up(s, g, err) < 0)
		return -1;
	return sets_source_settle(s, g, err) < 0 ? -1 : sets_source_add_links(s, g, err);
}

int
sets_source_inode(struct sets_source *s, const struct sets_inode *inode, struct sets_group *g, struct err *err)
{
	memset(g, 0, sizeof(*g));
	g->size = inode->size;
	sets_source_begin(s, g);
	if (sets_source_add_unread(s, inode, err) < 0)
		return -1;
	g->n = (uint32_t)(s->members.n - g->first);
	return sets_source_settle(s, g, err);
}

int
sets_source_open(struct sets_source *s, struct err *err)
{
	s->where = (struct presence_where){ .exclude = s->q->exclude, .n_exclude = s->q->n_exclude, .no_trash = true,
	                                    .meant = s->q->dirs, .n_meant = s->q->n_dirs };
	if (presence_open(&s->check, s->ix, err) < 0)
		return -1;
	for (size_t i = 0; i <= sets_source_others(s); i++)
		sets_source_view(s, i)->no_look = s->q->no_check;
	return alias_volumes_load(&s->views, s->ix, s->q->with, err);
}

void
sets_source_drop(struct sets_source *s, struct sets_group *g)
{
	if (s->passed)
		return;
	buf_cut(&s->names, s->names_before);
	s->members.n = g->first;
}

void
sets_source_release(struct sets_source *s)
{
	presence_release(&s->check);
	sets_unread_release(&s->read);
	sets_groups_release(&s->groups);
	vec_release(&s->inodes);
	vec_release(&s->members);
	alias_volumes_release(&s->views);
	buf_release(&s->names);
	buf_release(&s->path);
}

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

/* Groups with their members, while a walk over all contents brings these. */
struct sets_load_brief {
	struct sets_source *s;
	VEC(size_t) raw;                 /* groups in which the index has a name in another form */
};

/* content_walk_fn: note a content with several names, and these. */
static int
sets_load_take(void *arg, const struct content_walk_content *c, const struct content_walk_name *v, struct err *err)
{
	struct sets_load_brief *b = arg;
	struct sets_source *s = b->s;
	struct sets_group g = { .size = c->size, .n = c->n, .first = (uint32_t)s->members.n };
	bool raw = false;

	if (c->n < 2)
		return 0;
	memcpy(g.hash, c->hash, HASH_SIZE);
	for (uint32_t i = 0; i < c->n; i++) {
		const struct file_row row = { .inode = v[i].inode, .dir = v[i].id, .nlink = v[i].link != NULL ? v[i].link->nlink : 1,
		                              .name = v[i].text, .name_len = v[i].len };

		/* Only the whole row has the bytes of a name that is not UTF-8. */
		raw = raw || strchr(row.name, '/') != NULL;
		if (sets_source_add(s, 0, &row, PRESENCE_HERE, err) == NULL)
			return -1;
	}
	if (raw)
		vec_push(&b->raw, s->groups.n);
	vec_push(&s->groups, g);
	return 0;
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
	struct content_walk walk = { .ix = s->ix, .read_only = true, .texts = true, .min_size = s->q->min_size, .fn = sets_load_take, .arg = &b };
	int ret = dirs_load(&s->check.dirs, err);

	if (ret == 0)
		ret = content_walk(&walk, err);
	s->passed = ret == 0 && sets_load_is_large(s);
	if (ret == 0 && !s->passed)
		s->members.n = s->names.len = 0;
	for (size_t i = 0; ret == 0 && s->passed && i < b.raw.n; i++)
		ret = sets_source_look_up(s, &s->groups.v[b.raw.v[i]], err);
	content_walk_release(&walk);
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
		return sets_groups_load(&s->groups, s->ix->db, s->q->min_size, err);
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
