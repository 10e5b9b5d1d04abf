/* SPDX-License-Identifier: MIT */
/*
 * The members of a group are looked up, and looked at, when they are asked for, unless sets_load
 * has loaded those of all.  They refer to names by offset and to directories by the prefixes that
 * check.dirs keeps: neither moves when more members come.
 */
#include "base/base.h"

#include "query/sets_source.h"

#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/names.h"
#include "query/indexes.h"
#include "sys/stop.h"

size_t
sets_source_others(const struct sets_source *s)
{
	return s->q->with != NULL ? s->q->with->others.n : 0;
}

struct presence_view *
sets_source_view(struct sets_source *s, size_t of)
{
	return of > 0 ? indexes_view(indexes_nth(s->q->with, of), NULL) : &s->check;
}

/* Exclude a member that does not count: it is taken not to exist, or lies in a trash. */
static void
sets_source_exclude(struct sets_source *s, struct sets_member *m)
{
	enum presence presence;

	if (s->where.n_exclude == 0 && m->dir->trash == 0)
		return;
	buf_cut(&s->path, 0);
	sets_member_path(m, s->names.data, &s->path);
	presence = presence_counts(&s->where, s->path.data);
	if (presence != PRESENCE_HERE)
		m->kind = (uint8_t)member_kind_of(presence);
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

struct sets_member *
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

int
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
 * Of a path that several indexes have one member stays, which is there, if any is; besides it what
 * is on another disk that was there once.  What another index says of an earlier state of a file
 * that this one knows goes.
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
		/* More can be added behind the last members alone. */
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
