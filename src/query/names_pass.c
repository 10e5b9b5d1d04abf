/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/names_pass.h"

#include "db/filter.h"
#include "db/stmt.h"
#include "index/index.h"
#include "index/journal.h"
#include "query/stat_batch.h"
#include "sys/stop.h"

void
names_pass_add(struct names_pass *p, int64_t size, const uint8_t hash[HASH_SIZE])
{
	struct sets_group g = { .size = size };

	memcpy(g.hash, hash, HASH_SIZE);
	vec_push(&p->contents, g);
}

/* filter_fn */
static bool
names_pass_wants(void *arg, int64_t size, const void *hash, size_t len)
{
	const struct names_pass *p = arg;

	return len == HASH_SIZE && sets_groups_find(&p->contents, size, hash) != NULL;
}

/* stat_batch_fn: look again at what differs from its row, which its root's options may allow. */
static int
names_pass_differs(void *arg, size_t n, const struct file_row *row, struct err *err)
{
	struct names_pass *p = arg;

	(void)row;
	return presence_row(p->view, &p->v.v[n].row, &p->v.v[n].presence, NULL, err);
}

/* Take a row, and have its file looked at. */
static int
names_pass_row(struct names_pass *p, const struct stmt *st, struct stat_batch *looks, struct err *err)
{
	struct names_passed *name = vec_add(&p->v);
	const struct dirs_prefix *dir;
	struct sets_group *g;

	*name = (struct names_passed){ .presence = PRESENCE_HERE };
	if (file_read(st, &name->row, err) < 0)
		return -1;
	name->row.name = arena_str(&p->names, name->row.name);
	g = sets_groups_find(&p->contents, name->row.size, name->row.hash);
	name->content = (uint32_t)(g - p->contents.v);
	g->n++;
	dir = dirs_prefix(&p->view->dirs, name->row.dir, err);
	if (dir == NULL || stat_batch_add(looks, p->v.n - 1, &name->row, dir, err) < 0)
		return -1;
	return stop_check(err);
}

static int
names_pass_rows(struct names_pass *p, struct stat_batch *looks, struct err *err)
{
	struct db *db = p->view->ix->db;
	struct stmt st = stmt_get(db, SQL_FILE_WANTED_WHOLE, err);
	int ret;

	filter_set(db, names_pass_wants, p);
	while ((ret = stmt_step(&st)) == 1) {
		if (names_pass_row(p, &st, looks, err) < 0) {
			ret = -1;
			break;
		}
	}
	stmt_done(&st);
	filter_set(db, NULL, NULL);
	return ret;
}

int
names_pass_load(struct names_pass *p, struct presence_view *view, struct err *err)
{
	struct stat_batch *looks;
	int ret;

	assert(p->v.n == 0);
	if (!sets_groups_pass_pays((int64_t)p->contents.n, journal_files(view->ix)))
		return 0;
	p->view = view;
	sets_groups_index(&p->contents);
	if (dirs_load(&view->dirs, err) < 0)
		return -1;
	looks = stat_batch_new(names_pass_differs, p);
	ret = names_pass_rows(p, looks, err);
	if (ret == 0)
		ret = stat_batch_finish(looks, err);
	stat_batch_free(looks);
	if (ret < 0)
		return -1;
	/* Put the names of each content together. */
	sets_groups_place(&p->contents);
	for (size_t i = 0; i < p->v.n; i++)
		vec_push(&p->order, 0);
	for (size_t i = 0; i < p->v.n; i++) {
		struct sets_group *g = &p->contents.v[p->v.v[i].content];

		p->order.v[g->first + g->n++] = (uint32_t)i;
	}
	return 1;
}

const struct sets_group *
names_pass_find(const struct names_pass *p, int64_t size, const uint8_t hash[HASH_SIZE])
{
	return p->view != NULL ? sets_groups_find(&p->contents, size, hash) : NULL;
}

void
names_pass_release(struct names_pass *p)
{
	sets_groups_release(&p->contents);
	vec_release(&p->v);
	vec_release(&p->order);
	arena_release(&p->names);
}
