/* SPDX-License-Identifier: MIT */
/*
 * Nearly all sets are a few copies that come nearly in order: insertion sorts them in place.
 * Larger sets, and those with hard links, are sorted by inode first, which tells links from
 * copies, then by the path of the first name of each inode.
 */
#include "base/base.h"

#include "query/sets_member.h"

#include "index/fleeting.h"

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

int
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

bool
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

/* The reasons of the longest-lasting of n names. */
static unsigned
sets_member_reasons(const struct sets_member *v, size_t n)
{
	unsigned least = v->dir->fleeting;

	for (size_t i = 1; i < n; i++)
		least = fleeting_count(v[i].dir->fleeting) < fleeting_count(least) ? v[i].dir->fleeting : least;
	return least;
}

bool
sets_member_any_goes(const struct sets_member *v, size_t n, bool links)
{
	uint64_t present = 0, several = 0, staying;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const bool copy = v[i].kind == MEMBER_COPY || (links && v[i].kind == MEMBER_LINK);
		const uint64_t bit = copy ? UINT64_C(1) << sets_member_reasons(&v[i], links ? 1 : sets_member_links(v, n, i)) : 0;

		several |= present & bit;
		present |= bit;
	}
	staying = fleeting_staying(present);
	for (unsigned r = 0; present >> r != 0 && r < 1U << FLEETING_REASONS; r++)
		any |= (present >> r & 1) != 0 && fleeting_outlasted(staying, r);
	return any || (staying & several) != 0;
}

unsigned
sets_member_common(const struct sets_member *v, size_t n)
{
	unsigned common = ~0U;

	for (size_t i = 0; i < n; i++)
		common &= sets_member_lives(&v[i]) ? v[i].dir->fleeting : ~0U;
	return common;
}

size_t
sets_member_links(const struct sets_member *v, size_t n, size_t i)
{
	size_t end = i + 1;

	while (end < n && v[end].kind == MEMBER_LINK)
		end++;
	return end - i;
}

enum sets_fate
sets_member_fate(size_t n, size_t n_drop, bool kept, int64_t nlink)
{
	return n_drop == n ? SETS_DROPPED : kept ? SETS_KEPT : nlink > (int64_t)n ? SETS_FIXED : SETS_OPEN;
}

bool
sets_member_open(int64_t n_open, int64_t n_stay)
{
	return n_open > 0 && n_open + n_stay > 1;
}

static int
sets_member_cmp_inode_only(const void *a, const void *b)
{
	const struct sets_member *x = *(const struct sets_member *const *)a, *y = *(const struct sets_member *const *)b;

	return inode_cmp(x->inode, y->inode);
}

/* The names that are taken not to exist, in the order of their inodes. */
static size_t
sets_member_list_lost(const struct sets_member *v, size_t n, const struct sets_member **lost)
{
	size_t n_lost = 0;

	for (size_t i = 0; i < n; i++) {
		if (v[i].kind == MEMBER_GONE || v[i].kind == MEMBER_EXCLUDED)
			lost[n_lost++] = &v[i];
	}
	if (n_lost > 1)
		qsort(lost, n_lost, sizeof(struct sets_member *), sets_member_cmp_inode_only);
	return n_lost;
}

/* How many of them are names of m's inode. */
static size_t
sets_member_count_lost(const struct sets_member *const *lost, size_t n, const struct sets_member *m)
{
	size_t first, count = 0;

	ORDER_FIRST(first, n, sets_member_cmp_inode_only(&lost[first], &m) < 0);
	while (first + count < n && sets_member_cmp_inode_only(&lost[first + count], &m) == 0)
		count++;
	return count;
}

/* Of the copies with one set of reasons: those that free something. */
struct sets_lasting {
	int64_t copies, blocks, most, least;
	bool stays;              /* one that frees nothing stays besides */
	bool shares;
};

/* Count a copy; frees: its blocks go with the names that the set has of it. */
static void
sets_lasting_add(struct sets_lasting *l, const struct sets_member *copy, bool frees)
{
	l->stays |= !frees;
	if (!frees)
		return;
	l->most = l->copies == 0 || copy->blocks > l->most ? copy->blocks : l->most;
	l->least = l->copies == 0 || copy->blocks < l->least ? copy->blocks : l->least;
	l->shares |= copy->shares;
	l->copies++;
	l->blocks = num_add(l->blocks, copy->blocks);
}

struct sets_freed
sets_member_freed(const struct sets_member *v, size_t n)
{
	const struct sets_member **lost = NULL;
	struct sets_lasting by_reasons[1U << FLEETING_REASONS];
	struct sets_freed freed = { 0, 0 };
	size_t n_lost = 0, names;
	uint64_t present = 0, staying;

	for (size_t i = 0; i < n && sets_member_lives(&v[i]); i += names) {
		size_t known = names = sets_member_links(v, n, i);
		const unsigned why = sets_member_reasons(&v[i], names);
		bool elsewhere = false;

		for (size_t j = i; j < i + names; j++)
			elsewhere |= v[j].of != 0;
		if (v[i].nlink > (int64_t)names && lost == NULL) {
			lost = mem_alloc(n * sizeof(struct sets_member *));
			n_lost = sets_member_list_lost(v, n, lost);
		}
		if (v[i].nlink > (int64_t)names)
			known += sets_member_count_lost(lost, n_lost, &v[i]);
		if ((present >> why & 1) == 0)
			by_reasons[why] = (struct sets_lasting){ .copies = 0 };
		present |= UINT64_C(1) << why;
		sets_lasting_add(&by_reasons[why], &v[i], v[i].nlink <= (int64_t)known && !elsewhere);
	}
	free(lost);
	staying = fleeting_staying(present);
	for (unsigned r = 0; present >> r != 0 && r < 1U << FLEETING_REASONS; r++) {
		const struct sets_lasting *l = &by_reasons[r];

		if ((present >> r & 1) == 0 || ((staying >> r & 1) == 0 && !fleeting_outlasted(staying, r)))
			continue;
		freed.copies += l->copies;
		freed.blocks = num_add(freed.blocks, l->blocks);
		if ((staying >> r & 1) != 0 && !l->stays) {
			freed.copies--;
			freed.blocks = num_sub(freed.blocks, l->shares ? l->least : l->most);
		}
	}
	return freed;
}
