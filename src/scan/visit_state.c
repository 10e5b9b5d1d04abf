/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "scan/visit_state.h"

#include <stdatomic.h>

#include "db/stmt.h"
#include "sys/countmap.h"
#include "sys/walk.h"

void
visit_state_make_maps(struct visit_state *v)
{
	v->sizes = countmap_new(0);
	v->inodes = countmap_new(sizeof(struct countmap_content));
	v->heads = countmap_new(0);
	v->dirs = countmap_new(0);
}

void
visit_state_free_dirs(struct visit_state *v)
{
	countmap_free(v->dirs);
	v->dirs = NULL;
}

void
visit_state_free_maps(struct visit_state *v)
{
	countmap_free(v->sizes);
	countmap_free(v->inodes);
	countmap_free(v->heads);
	countmap_free(v->hash_all);
	v->sizes = v->inodes = v->heads = v->hash_all = NULL;
	visit_state_free_dirs(v);
}

void
visit_state_free_mounts(struct visit_state *v)
{
	struct visit_mount *m = atomic_load(&v->mounts);

	while (m != NULL) {
		struct visit_mount *next = m->next;

		free(m->path);
		free(m);
		m = next;
	}
	atomic_store(&v->mounts, NULL);
}

void
visit_state_free_shared(struct visit_state *v)
{
	for (struct visit_shared *s = atomic_exchange(&v->shared, NULL), *next; s != NULL; s = next) {
		next = s->next;
		free(s);
	}
}

/* Drop the earlier notes about directories that were visited, or are gone. */
static int
visit_state_drop_shared(struct visit_state *v, struct db *db, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_SHARED_DIRS, err);
	VEC(int64_t) dirs = { 0 };
	int ret;

	while ((ret = stmt_step(&st)) == 1) {
		const struct dirmap_dir *d = dirmap_by_id(v->map, stmt_col_int(&st, 0));

		if (d == NULL || (atomic_load(&d->claimed) && !atomic_load(&d->kept)))
			vec_push(&dirs, stmt_col_int(&st, 0));
	}
	for (size_t i = 0; ret == 0 && i < dirs.n; i++) {
		st = stmt_get(db, SQL_SHARED_DIR_DELETE, err);
		stmt_int(&st, ":dir", dirs.v[i]);
		ret = stmt_run(&st);
	}
	vec_release(&dirs);
	return ret;
}

int
visit_state_save_shared(struct visit_state *v, struct db *db, struct err *err)
{
	int ret = visit_state_drop_shared(v, db, err);

	for (const struct visit_shared *s = atomic_load(&v->shared); ret == 0 && s != NULL; s = s->next) {
		struct stmt st = stmt_get(db, SQL_SHARED_DIR_PUT, err);

		stmt_int(&st, ":dir", s->dir);
		stmt_int(&st, ":owner", s->owner);
		ret = stmt_run(&st);
	}
	return ret;
}

const char *
visit_state_path(struct visit_now *s)
{
	if (s->path.len == 0) {
		buf_adds(&s->path, s->v->starts[s->d->start]);
		if (s->d->path[0] != '\0')
			path_append(&s->path, s->d->path, strlen(s->d->path));
	}
	return buf_str(&s->path);
}

void
visit_state_skip(struct visit_state *v, enum skip why)
{
	atomic_fetch_add_explicit(&v->counts->skipped[why], 1, memory_order_relaxed);
}

void
visit_state_failed(struct visit_now *s, int error)
{
	s->l->error = error;
	if (s->l->path == NULL)
		s->l->path = mem_str(visit_state_path(s));
	atomic_fetch_add(stats_error(s->v->counts, error), 1);
}
