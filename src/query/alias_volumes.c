/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "query/alias_volumes.h"

#include "db/stmt.h"
#include "index/index.h"
#include "query/indexes.h"
#include "sys/volume.h"

/* The first volume with the same identity, or 0 if no other has it. */
static int64_t
alias_volumes_identity(const struct alias_volumes *views, int64_t volume)
{
	size_t i = 0;

	while (i < views->twins.n && views->twins.v[i].volume != volume)
		i++;
	return i < views->twins.n ? views->twins.v[i].first : 0;
}

/* The keys of volumes that were met, to find those of one identity. */
struct alias_volumes_keys {
	struct alias_volumes_key {
		char *key;           /* owned */
		int64_t number;
	} *v;
	size_t n, cap;
};

/* Note a volume of this key, with all that share its identity. */
static void
alias_volumes_take(struct alias_volumes *views, struct alias_volumes_keys *keys, const char *key, int64_t number)
{
	const enum volume_view view = volume_key_view(key);
	const size_t len = volume_key_identity(key);
	size_t i = 0;

	/* Shares of other servers, which only show each other's files, are negative. */
	if (view != VOLUME_NO_VIEW)
		vec_push(views, view == VOLUME_VIEW ? number : -number);
	if (volume_key_mirrors(key))
		vec_push(&views->mirrors, number);
	while (i < keys->n && (strlen(keys->v[i].key) != len || memcmp(keys->v[i].key, key, len) != 0))
		i++;
	if (i == keys->n) {
		vec_push(keys, ((struct alias_volumes_key){ mem_dup(key, len), number }));
		return;
	}
	if (alias_volumes_identity(views, keys->v[i].number) == 0)
		vec_push(&views->twins, ((struct alias_volumes_twin){ keys->v[i].number, keys->v[i].number }));
	vec_push(&views->twins, ((struct alias_volumes_twin){ number, keys->v[i].number }));
}

int
alias_volumes_load(struct alias_volumes *views, struct index *ix, const struct indexes *with, struct err *err)
{
	struct alias_volumes_keys keys = { 0 };
	struct stmt st;
	int ret = 0;

	for (size_t i = 0; with != NULL && i < with->volumes.n; i++)
		alias_volumes_take(views, &keys, with->volumes.v[i].key, with->volumes.v[i].number);
	if (with == NULL)
		st = stmt_get(ix->db, SQL_VOLUME_ALL, err);
	while (with == NULL && (ret = stmt_step(&st)) == 1) {
		size_t len;

		alias_volumes_take(views, &keys, stmt_col_text(&st, 1, &len), stmt_col_int(&st, 0));
	}
	for (size_t i = 0; i < keys.n; i++)
		free(keys.v[i].key);
	vec_release(&keys);
	return ret;
}

void
alias_volumes_release(struct alias_volumes *views)
{
	vec_release(views);
	vec_release(&views->mirrors);
	vec_release(&views->twins);
}

void
alias_volumes_note(struct alias_volumes *views, int64_t volume)
{
	vec_push(views, volume);
}

/* Whether a volume is one of them. */
static bool
alias_volumes_has(const struct alias_volumes *views, int64_t volume)
{
	size_t i = 0;

	while (i < views->n && views->v[i] != volume)
		i++;
	return i < views->n;
}

int64_t
alias_volumes_of(const struct alias_volumes *views, int64_t volume)
{
	return alias_volumes_has(views, volume) ? volume : 0;
}

/*
 * v has alias_volumes_of() of n copies.  Returns that of the copies that count: the most frequent
 * one, and of equals that of no view.
 */
static int64_t
alias_volumes_counted(const struct alias_volumes *views, const int64_t *v, size_t n)
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

/* Whether a volume may show one file under two inodes. */
static bool
alias_volumes_mirrors(const struct alias_volumes *views, int64_t volume)
{
	size_t i = 0;

	while (i < views->mirrors.n && views->mirrors.v[i] != volume)
		i++;
	return i < views->mirrors.n;
}

bool
alias_volumes_splits(const struct alias_volumes *views, int64_t volume)
{
	return alias_volumes_mirrors(views, volume) || alias_volumes_identity(views, volume) != 0;
}

bool
alias_volumes_one_by_time(const struct alias_volumes *views, struct alias_volumes_file a, struct alias_volumes_file b)
{
	if (fs_time_cmp(a.mtime, b.mtime) != 0)
		return false;
	if (a.inode.volume == b.inode.volume)
		return alias_volumes_mirrors(views, a.inode.volume);
	return a.inode.number == b.inode.number && alias_volumes_identity(views, a.inode.volume) != 0 &&
	       alias_volumes_identity(views, a.inode.volume) == alias_volumes_identity(views, b.inode.volume);
}

bool
alias_volumes_any(const struct alias_volumes *views)
{
	return views->n > 0 || views->mirrors.n > 0 || views->twins.n > 0;
}

/* Positions in what alias_volumes_judge() is given, by the time, then as they come. */
static int
alias_volumes_cmp_time(const void *a, const void *b, void *files)
{
	const struct alias_volumes_file *v = files;
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const int cmp = fs_time_cmp(v[x].mtime, v[y].mtime);

	return cmp != 0 ? cmp : (x > y) - (x < y);
}

/* Mark those that may be one with a file before them that counts. */
static void
alias_volumes_judge_times(const struct alias_volumes *views, const struct alias_volumes_file *v, size_t n, bool *viewed)
{
	VEC(size_t) at = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (!viewed[i] && alias_volumes_splits(views, v[i].inode.volume))
			vec_push(&at, i);
	}
	if (at.n > 1)
		order_sort_by(at.v, at.n, sizeof(*at.v), alias_volumes_cmp_time, (void *)(uintptr_t)v);
	for (size_t i = 1, first = 0; i < at.n; i++) {
		const size_t x = at.v[i];

		if (fs_time_cmp(v[at.v[first]].mtime, v[x].mtime) != 0)
			first = i;
		for (size_t k = first; k < i && !viewed[x]; k++)
			viewed[x] = !viewed[at.v[k]] && !inode_same(v[at.v[k]].inode, v[x].inode) && alias_volumes_one_by_time(views, v[at.v[k]], v[x]);
	}
	vec_release(&at);
}

void
alias_volumes_judge(const struct alias_volumes *views, const struct alias_volumes_file *v, size_t n, bool *viewed)
{
	VEC(int64_t) of = { 0 };
	int64_t counted;

	for (size_t i = 0; i < n; i++)
		vec_push(&of, alias_volumes_of(views, v[i].inode.volume));
	counted = alias_volumes_counted(views, of.v, of.n);
	for (size_t i = 0; i < n; i++)
		viewed[i] = of.v[i] != counted;
	alias_volumes_judge_times(views, v, n, viewed);
	vec_release(&of);
}

static int
alias_volumes_cmp(const void *a, const void *b)
{
	const struct alias_volumes_copy *x = a, *y = b;

	ORDER_CMP(x->content, y->content);
	ORDER_CMP(x->copy, y->copy);
	return 0;
}

void
alias_volumes_find(const struct alias_volumes *views, struct alias_volumes_copy *v, size_t n, struct bits *viewed)
{
	VEC(struct alias_volumes_file) files = { 0 };
	bool *of = mem_zalloc(n + 1, sizeof(*of));

	if (n > 0)
		qsort(v, n, sizeof(*v), alias_volumes_cmp);
	for (size_t i = 0, end; i < n; i = end) {
		files.n = 0;
		for (end = i; end < n && v[end].content == v[i].content; end++)
			vec_push(&files, v[end].file);
		alias_volumes_judge(views, files.v, files.n, of);
		for (size_t j = i; j < end; j++) {
			if (of[j - i])
				bits_add(viewed, v[j].copy);
		}
	}
	free(of);
	vec_release(&files);
}

bool
alias_volumes_may_be_one(const struct alias_volumes *views, struct alias_volumes_file a, struct alias_volumes_file b)
{
	const int64_t x = a.inode.volume, y = b.inode.volume;

	if (x != y && views->n > 0 && (alias_volumes_has(views, x) || alias_volumes_has(views, y) || (alias_volumes_has(views, -x) && alias_volumes_has(views, -y))))
		return true;
	return alias_volumes_one_by_time(views, a, b);
}
