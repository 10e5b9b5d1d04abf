/* SPDX-License-Identifier: MIT */
/*
 * Each content has a count of names that keep it.  A directory goes if, with its names taken off,
 * all counts stay above 0; else they are put back.  So whatever has gone by then, every content
 * has a name in a directory that stays: nothing is lost by removing all that went together.
 *
 * A name keeps its content if it is there with its signature, where names count.  An inode with
 * more names than links has one name twice, and nobody knows which: its content counts no names.
 *
 * Where more than one inode must stay, names are not enough: removal_keeps_enough() counts the
 * inodes of each content in the directory, and its volumes.
 *
 * A directory does not go for copies alone that lie in more spare places: removal_suits() looks
 * for another one.  What has gone by then keeps such copies, too, for a directory above others
 * has no more spare names in its path than these, and so asks for no less.
 */
#include "base/base.h"

#include "trees/removal.h"

#include "query/dirtree.h"
#include "trees/contents_map.h"
#include "trees/keepers.h"
#include "trees/stat_results.h"

/* Stands for links outside of the index: more than there are names. */
#define REMOVAL_OUTSIDE ((int64_t)1 << 40)

/* Whether names in a directory keep a content. */
static bool
removal_in(const struct removal *r, uint32_t dir, uint32_t content)
{
	return !r->m->v[content].alias && keepers_in(r->keepers, content, dir);
}

bool
removal_keeps(const struct removal *r, uint32_t content, uint32_t name)
{
	return stat_results_here(r->l, name) && removal_in(r, r->m->names[name].dir, content);
}

bool
removal_unseen(const struct removal *r, uint32_t content, uint32_t name, uint32_t dir)
{
	const uint32_t at = r->m->names[name].dir;

	return (at < dir || at >= dirtree_end(r->m->dirs, dir)) && stat_results_unseen(r->l, name) && keepers_in(r->keepers, content, at);
}

bool
removal_outside(const struct removal *r, uint32_t content)
{
	return r->before[content] >= REMOVAL_OUTSIDE;
}

/* Count the names of a content that keep it. */
static int64_t
removal_count(const struct removal *r, uint32_t content)
{
	const struct contents_map_content *c = &r->m->v[content];
	bool outside = false;
	int64_t n = 0;

	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		const bool keeps = removal_keeps(r, content, i);

		n += keeps;
		outside = outside || (keeps && r->m->names[i].outside);
	}
	return outside && !r->within ? REMOVAL_OUTSIDE + n : n;
}

/* Which names are counted to keep a content. */
enum removal_when {
	REMOVAL_BEFORE,    /* those that are there */
	REMOVAL_NOW,       /* ... in directories that do not go */
	REMOVAL_PERHAPS    /* those that are there, and those that nobody could look at */
};

/* Whether a name keeps its content, or perhaps does. */
static bool
removal_counts(const struct removal *r, uint32_t content, uint32_t name, enum removal_when when)
{
	return removal_keeps(r, content, name) ||
	       (when == REMOVAL_PERHAPS && stat_results_unseen(r->l, name) && removal_in(r, r->m->names[name].dir, content));
}

/* Whether a name outside of a directory keeps a content, in a place for which that may go. */
static bool
removal_suits(const struct removal *r, uint32_t content, uint32_t dir, enum removal_when when)
{
	const struct contents_map_content *c = &r->m->v[content];
	const uint32_t end = dirtree_end(r->m->dirs, dir);

	/* Nobody knows where a link outside of the index is. */
	if (r->keepers->ranks == NULL || removal_outside(r, content))
		return true;
	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		const uint32_t at = r->m->names[i].dir;

		if ((at < dir || at >= end) && (when != REMOVAL_NOW || !r->going[at]) && keepers_suit(r->keepers, dir, at) &&
		    (removal_counts(r, content, i, when) || (when == REMOVAL_PERHAPS && removal_unseen(r, content, i, dir))))
			return true;
	}
	return false;
}

/* Volumes of a content: how many it has, or how many keep it. */
struct removal_volumes {
	VEC(uint32_t) all, kept;
};

static bool
removal_has_volume(const uint32_t *v, size_t n, uint32_t volume)
{
	while (n > 0 && v[n - 1] != volume)
		n--;
	return n > 0;
}

/* Whether enough inodes of a content, on all its volumes, keep a name outside of a directory. */
static bool
removal_keeps_enough(struct removal *r, uint32_t content, uint32_t dir, enum removal_when when)
{
	const struct contents_map_content *c = &r->m->v[content];
	const uint32_t end = dirtree_end(r->m->dirs, dir);
	struct removal_volumes volumes = { .all = { 0 } };
	int64_t inodes = 0;
	bool enough;

	r->counts++;
	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		const struct contents_map_name *name = &r->m->names[i];
		const bool keeps = removal_counts(r, content, i, when);
		const bool goes = (name->dir >= dir && name->dir < end) || (when == REMOVAL_NOW && r->going[name->dir]);

		if (keeps && r->volumes != NULL && !removal_has_volume(volumes.all.v, volumes.all.n, r->volumes[i]))
			vec_push(&volumes.all, r->volumes[i]);
		/* A link outside of the index keeps the inode, whatever goes. */
		if (!keeps || (goes && (r->within || !name->outside)))
			continue;
		if (r->met[name->copy] != r->counts) {
			r->met[name->copy] = r->counts;
			inodes++;
		}
		if (r->volumes != NULL && !removal_has_volume(volumes.kept.v, volumes.kept.n, r->volumes[i]))
			vec_push(&volumes.kept, r->volumes[i]);
		if (r->volumes == NULL && inodes >= r->copies)
			break;
	}
	enough = inodes > 0 && inodes >= r->copies && volumes.kept.n == volumes.all.n;
	vec_release(&volumes.all);
	vec_release(&volumes.kept);
	return enough;
}

bool
removal_may_keep(struct removal *r, uint32_t content, uint32_t dir)
{
	return removal_suits(r, content, dir, REMOVAL_PERHAPS) && (r->met == NULL || removal_keeps_enough(r, content, dir, REMOVAL_PERHAPS));
}

void
removal_open(struct removal *r)
{
	const uint32_t dirs = dirtree_count(r->m->dirs);
	uint32_t at = 0, copies = 0;

	for (size_t c = 0; c < r->m->n; c++)
		copies = r->m->v[c].copies > copies ? r->m->v[c].copies : copies;
	if (r->copies > 1 || r->volumes != NULL)
		r->met = mem_zalloc((size_t)copies + 1, sizeof(*r->met));
	r->going = mem_zalloc(dirs, sizeof(*r->going));
	r->before = mem_zalloc(r->m->n + 1, sizeof(*r->before));
	r->kept = mem_zalloc(r->m->n + 1, sizeof(*r->kept));
	r->inside = mem_zalloc(r->m->n + 1, sizeof(*r->inside));
	r->start = mem_zalloc((size_t)dirs + 2, sizeof(*r->start));
	/* Counts stand two further than their directory, then ends of the one before. */
	for (int pass = 0; pass < 2; pass++) {
		for (size_t c = 0; c < r->m->n; c++) {
			const struct contents_map_content *content = &r->m->v[c];

			if (!r->l->wanted[c])
				continue;
			if (pass == 0)
				r->before[c] = r->kept[c] = removal_count(r, (uint32_t)c);
			for (uint32_t i = content->first; i < content->first + content->n; i++) {
				if (!stat_results_here(r->l, i))
					continue;
				if (pass == 0)
					r->start[r->m->names[i].dir + 2]++;
				else
					r->v[r->start[r->m->names[i].dir + 1]++] = (uint32_t)c;
			}
		}
		if (pass == 0) {
			for (uint32_t dir = 2; dir < dirs + 2; dir++)
				r->start[dir] += r->start[dir - 1];
			at = r->start[dirs + 1];
			r->v = mem_alloc(((size_t)at + 1) * sizeof(*r->v));
		}
	}
}

void
removal_release(struct removal *r)
{
	free(r->going);
	free(r->before);
	free(r->kept);
	free(r->inside);
	free(r->start);
	free(r->v);
	free(r->met);
}

/* List the contents in a directory, with the counts of their names. */
static void
removal_gather(struct removal *r, uint32_t dir, struct removal_contents *contents)
{
	const uint32_t end = dirtree_end(r->m->dirs, dir);
	const size_t first = contents->n;

	for (uint32_t at = dir; at < end; at++) {
		for (uint32_t i = r->start[at]; i < r->start[at + 1]; i++) {
			uint32_t *known = &r->inside[r->v[i]];

			if (*known == 0) {
				vec_push(contents, ((struct removal_content){ .content = r->v[i] }));
				*known = (uint32_t)(contents->n - first);
			}
			contents->v[first + *known - 1].files++;
			contents->v[first + *known - 1].keeping += removal_in(r, at, r->v[i]);
			contents->v[first + *known - 1].staying += !r->going[at] && removal_in(r, at, r->v[i]);
		}
	}
	for (size_t n = first; n < contents->n; n++)
		r->inside[contents->v[n].content] = 0;
}

/* Whether a directory may go, where counts of names would let it. */
static enum removal_outcome
removal_judge(struct removal *r, uint32_t dir)
{
	struct removal_contents contents = { 0 };
	enum removal_outcome outcome = REMOVAL_GOES;

	if (r->met == NULL && r->keepers->ranks == NULL)
		return outcome;
	removal_gather(r, dir, &contents);
	for (size_t i = 0; outcome != REMOVAL_LOSES && i < contents.n; i++) {
		if (r->met != NULL && !removal_keeps_enough(r, contents.v[i].content, dir, REMOVAL_NOW))
			outcome = REMOVAL_LOSES;
		else if (outcome == REMOVAL_GOES && !removal_suits(r, contents.v[i].content, dir, REMOVAL_NOW))
			outcome = REMOVAL_LIVE;
	}
	vec_release(&contents);
	return outcome;
}

enum removal_outcome
removal_try(struct removal *r, uint32_t dir)
{
	const uint32_t end = dirtree_end(r->m->dirs, dir);
	uint32_t at = dir, i = r->start[dir];
	enum removal_outcome outcome;
	bool goes = true;

	for (; goes && at < end; at++) {
		for (i = r->start[at]; goes && i < r->start[at + 1]; i++) {
			const uint32_t c = r->v[i];

			r->kept[c] -= removal_in(r, at, c);
			goes = r->kept[c] > 0;
		}
	}
	outcome = goes ? removal_judge(r, dir) : REMOVAL_LOSES;
	if (outcome == REMOVAL_GOES) {
		memset(r->going + dir, true, end - dir);
		return outcome;
	}
	/* Put back, from the last one on. */
	while (at-- > dir) {
		for (; i > r->start[at]; i--)
			r->kept[r->v[i - 1]] += removal_in(r, at, r->v[i - 1]);
	}
	return outcome;
}

void
removal_list(struct removal *r, uint32_t dir, struct removal_contents *contents)
{
	const size_t first = contents->n;

	removal_gather(r, dir, contents);
	for (size_t n = first; n < contents->n; n++) {
		struct removal_content *c = &contents->v[n];

		c->alone = r->met != NULL ? !removal_keeps_enough(r, c->content, dir, REMOVAL_BEFORE) : r->before[c->content] <= c->keeping;
		c->spare = !c->alone && !removal_suits(r, c->content, dir, REMOVAL_BEFORE);
		if (c->alone || c->staying == 0)
			continue;
		/* The names in what goes were taken off the counts already. */
		c->needed = (r->met != NULL ? !removal_keeps_enough(r, c->content, dir, REMOVAL_NOW) : r->kept[c->content] <= c->staying) ||
		            !removal_suits(r, c->content, dir, REMOVAL_NOW);
	}
}
