/* SPDX-License-Identifier: MIT */
/*
 * First all contents with several names, from the content index alone; then
 * their members.  Few members are looked up set by set; many come from one
 * pass over all rows, directory by directory.
 */
#include <config.h>

#include "index/sets_load.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/path.h"
#include "db/stmt.h"
#include "index/file.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/look.h"
#include "sys/stop.h"

/* Looking a member up costs about as much as passing over so many rows. */
#define SETS_LOOKUP_ROWS 10

int
sets_load_groups(struct sets_source *s, int64_t min_size, struct err *err)
{
	struct stmt st = stmt_get(s->ix->db, SQL_CONTENT_GROUPS, err);
	int ret;

	stmt_int(&st, ":min_size", min_size);
	while ((ret = stmt_step(&st)) == 1) {
		struct sets_group *g = vec_add(&s->groups);

		memset(g, 0, sizeof(*g));
		g->size = stmt_col_int(&st, 0);
		g->names = stmt_col_int(&st, 2);
		if (file_read_hash(&st, 1, g->hash, err) < 0) {
			stmt_done(&st);
			return -1;
		}
	}
	return ret;
}

static bool
sets_excluded(const struct sets_query *q, const char *path)
{
	return path_is_below_any(path, q->exclude, q->n_exclude);
}

/* Note a member: the row, what a look at it gave, its path. */
static void
sets_fill(struct sets_source *s, struct sets_member *m, const struct file_row *row, enum member_kind kind, const char *path)
{
	memset(m, 0, sizeof(*m));
	m->m.kind = sets_excluded(s->q, path) ? MEMBER_EXCLUDED : kind;
	m->m.inode = row->inode;
	m->m.nlink = row->nlink;
	m->m.mtime_ns = fs_time_ns(row->mtime);
	m->volume = row->volume;
	m->blocks = row->blocks;
	m->path = s->paths.len;
	buf_add(&s->paths, path, strlen(path) + 1);
}

/* Look the members of a content up and look at each. */
static int
sets_look_up(struct sets_source *s, const struct sets_group *g, struct err *err)
{
	struct stmt st = stmt_get(s->ix->db, SQL_FILE_BY_CONTENT, err);
	struct file_row row;
	int ret;

	stmt_int(&st, ":size", g->size);
	stmt_blob(&st, ":hash", g->hash, HASH_SIZE);
	while ((ret = stmt_step(&st)) == 1) {
		enum member_kind kind;
		const char *path;

		if (file_read(&st, &row, err) < 0 ||
		    check_member(&s->check, &row, s->q->exclude, s->q->n_exclude, &kind, &path, err) < 0) {
			stmt_done(&st);
			return -1;
		}
		sets_fill(s, vec_add(&s->set), &row, kind, path);
	}
	return ret;
}

/* A slot of a table from contents to groups: open addressing; most rows are told off by the tag, without a look at a group. */
struct sets_slot {
	uint32_t tag;
	uint32_t position;      /* of the group, + 1; 0: free */
};

static uint64_t
sets_slot_of(const uint8_t hash[HASH_SIZE], uint32_t *tag)
{
	uint64_t at;

	memcpy(&at, hash, sizeof(at));
	*tag = (uint32_t)(at >> 32);
	return at;
}

static struct sets_slot *
sets_table(const struct sets_source *s, size_t *cap)
{
	struct sets_slot *table;

	for (*cap = 64; *cap < s->groups.n * 2; *cap *= 2)
		;
	table = mem_zalloc(*cap, sizeof(*table));
	for (size_t i = 0; i < s->groups.n; i++) {
		uint32_t tag;
		uint64_t at = sets_slot_of(s->groups.v[i].hash, &tag);

		while (table[at & (*cap - 1)].position != 0)
			at++;
		table[at & (*cap - 1)] = (struct sets_slot){ tag, (uint32_t)i + 1 };
	}
	return table;
}

/* The group that a row belongs to, or NULL. */
static struct sets_group *
sets_find(struct sets_source *s, const struct sets_slot *table, size_t cap, const struct file_row *row)
{
	uint32_t tag;
	uint64_t at = sets_slot_of(row->hash, &tag);
	struct sets_slot slot;

	for (; slot = table[at & (cap - 1)], slot.position != 0; at++) {
		struct sets_group *g;

		if (slot.tag != tag)
			continue;
		g = &s->groups.v[slot.position - 1];
		if (g->size == row->size && memcmp(g->hash, row->hash, HASH_SIZE) == 0)
			return g;
	}
	return NULL;
}

/* Put the members of each group together. */
static void
sets_gather(struct sets_source *s)
{
	struct sets_member *sorted = mem_alloc((s->all.n + 1) * sizeof(*sorted));
	size_t at = 0;

	for (size_t i = 0; i < s->groups.n; i++) {
		s->groups.v[i].first = at;
		at += s->groups.v[i].n;
		s->groups.v[i].n = 0;
	}
	for (size_t i = 0; i < s->all.n; i++) {
		struct sets_group *g = &s->groups.v[s->all.v[i].group];

		sorted[g->first + g->n++] = s->all.v[i];
	}
	free(s->all.v);
	s->all.v = sorted;
}

/* Look at all members, which are as indexed so far. */
static int
sets_look(struct sets_source *s, struct look *looks, struct err *err)
{
	if (look_all(looks, s->all.n, s->paths.data, err) < 0)
		return -1;
	for (size_t i = 0; i < s->all.n; i++) {
		const struct look *l = &looks[i];
		const char *name = s->paths.data + l->name;
		struct sets_member *m = &s->all.v[i];
		const struct file_row row = { .dir = l->dir, .name = name, .name_len = strlen(name), .size = l->size,
		                              .inode = l->inode, .mtime = l->mtime, .ctime = l->ctime };

		/* What differs is seldom: now the root's options count, and whether it is there at all. */
		if (!l->same && m->m.kind != MEMBER_EXCLUDED && check_row(&s->check, &row, &m->m.kind, NULL, err) < 0)
			return -1;
	}
	return 0;
}

/* Load the members of all groups in one pass over the rows. */
static int
sets_load_all(struct sets_source *s, struct err *err)
{
	struct stmt st = stmt_get(s->ix->db, SQL_FILE_HASHED_ALL, err);
	VEC(struct look) looks = { 0 };
	size_t cap;
	struct sets_slot *table = sets_table(s, &cap);
	int ret;

	stmt_int(&st, ":min_size", s->q->min_size);
	while ((ret = stmt_step(&st)) == 1) {
		struct file_row row;
		struct sets_group *g;
		const char *path = NULL;

		file_read_content(&st, &row);
		g = sets_find(s, table, cap, &row);
		if (g == NULL)
			continue;
		ret = file_read(&st, &row, err);
		if (ret == 0)
			ret = check_path(&s->check, &row, &path, err);
		if (ret == 0)
			ret = stop_check(err);
		if (ret < 0)
			break;
		vec_push(&looks, look_at(&row, s->paths.len, strlen(path)));
		sets_fill(s, vec_add(&s->all), &row, MEMBER_COPY, path);
		s->all.v[s->all.n - 1].group = (size_t)(g - s->groups.v);
		g->n++;
	}
	stmt_done(&st);
	free(table);
	if (ret == 0 && !s->q->no_check)
		ret = sets_look(s, looks.v, err);
	vec_release(&looks);
	if (ret == 0)
		sets_gather(s);
	return ret;
}

/* Whether there are so many members that one pass over all rows is cheaper than looking them up. */
static bool
sets_many(const struct sets_source *s)
{
	struct journal_entry last;
	struct err ignored = { 0 };
	int64_t members = 0;

	for (size_t i = 0; i < s->groups.n; i++)
		members += s->groups.v[i].names;
	/* The last run's count of files is near enough. */
	return journal_recent(s->ix->db, 0, &last, &ignored) == 1 && members * SETS_LOOKUP_ROWS > last.files;
}

int
sets_load(struct sets_source *s, struct err *err)
{
	if (check_open(&s->check, s->ix, err) < 0)
		return -1;
	s->check.no_look = s->q->no_check;
	if (sets_load_groups(s, s->q->min_size, err) < 0)
		return -1;
	return sets_many(s) ? sets_load_all(s, err) : 0;
}

int
sets_load_members(struct sets_source *s, const struct sets_group *g, struct err *err)
{
	s->set.n = 0;
	for (size_t i = 0; i < g->n; i++)
		vec_push(&s->set, s->all.v[g->first + i]);
	return g->n > 0 ? 0 : sets_look_up(s, g, err);
}

void
sets_load_release(struct sets_source *s)
{
	check_release(&s->check);
	vec_release(&s->groups);
	vec_release(&s->all);
	vec_release(&s->set);
	buf_release(&s->paths);
}
