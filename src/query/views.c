/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "query/views.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/vec.h"
#include "db/stmt.h"
#include "index/index.h"
#include "query/indexes.h"
#include "sys/volume.h"

/* Note a volume if it is one; shares of other servers, which only show each other's, below 0. */
static void
views_add(struct views *views, const char *key, int64_t number)
{
	const enum volume_view view = volume_key_view(key);

	if (view != VOLUME_NO_VIEW)
		vec_push(views, view == VOLUME_VIEW ? number : -number);
	if (volume_key_mirrors(key))
		vec_push(&views->mirrors, number);
}

int
views_load(struct views *views, struct index *ix, const struct indexes *with, struct err *err)
{
	struct stmt st;
	int ret;

	for (size_t i = 0; with != NULL && i < with->volumes.n; i++) {
		views_add(views, with->volumes.v[i].key, with->volumes.v[i].number);
	}
	if (with != NULL)
		return 0;
	st = stmt_get(ix->db, SQL_VOLUME_ALL, err);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;

		views_add(views, stmt_col_text(&st, 1, &len), stmt_col_int(&st, 0));
	}
	return ret;
}

void
views_release(struct views *views)
{
	vec_release(views);
	vec_release(&views->mirrors);
}

void
views_note(struct views *views, int64_t volume)
{
	vec_push(views, volume);
}

/* Whether a volume is one of them. */
static bool
views_has(const struct views *views, int64_t volume)
{
	size_t i = 0;

	while (i < views->n && views->v[i] != volume)
		i++;
	return i < views->n;
}

int64_t
views_of(const struct views *views, int64_t volume)
{
	return views_has(views, volume) ? volume : 0;
}

int64_t
views_counted(const struct views *views, const int64_t *v, size_t n)
{
	int64_t best = 0;
	size_t most = 0;

	for (size_t k = 0; k <= views->n; k++) {
		const int64_t view = k > 0 ? views->v[k - 1] : 0;
		size_t count = 0;

		for (size_t i = 0; i < n; i++)
			count += v[i] == view;
		if (count > most) {
			most = count;
			best = view;
		}
	}
	return best;
}

static int
views_cmp(const void *a, const void *b)
{
	const struct views_copy *x = a, *y = b;

	ORDER_CMP(x->content, y->content);
	return 0;
}

void
views_find(const struct views *views, struct views_copy *v, size_t n, struct bits *viewed)
{
	VEC(int64_t) of = { 0 };

	if (n > 0)
		qsort(v, n, sizeof(*v), views_cmp);
	for (size_t i = 0, end; i < n; i = end) {
		int64_t counted;

		of.n = 0;
		for (end = i; end < n && v[end].content == v[i].content; end++)
			vec_push(&of, views_of(views, v[end].volume));
		counted = views_counted(views, of.v, of.n);
		for (size_t j = i; j < end; j++) {
			if (of.v[j - i] != counted)
				bits_add(viewed, v[j].copy);
		}
	}
	vec_release(&of);
}

bool
views_mirrors(const struct views *views, int64_t volume)
{
	size_t i = 0;

	while (i < views->mirrors.n && views->mirrors.v[i] != volume)
		i++;
	return i < views->mirrors.n;
}

bool
views_may_be_one(const struct views *views, struct views_file a, struct views_file b)
{
	if (a.volume == b.volume)
		return views_mirrors(views, a.volume) && fs_time_cmp(a.mtime, b.mtime) == 0;
	return views->n > 0 && (views_has(views, a.volume) || views_has(views, b.volume) ||
	                        (views_has(views, -a.volume) && views_has(views, -b.volume)));
}
