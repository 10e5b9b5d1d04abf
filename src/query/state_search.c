/* SPDX-License-Identifier: MIT */
/*
 * A set of names that belong together is looked at one by one while there are few; more, and those
 * of several indexes, are loaded by members once, for all files that ask.
 *
 * Of several indexes each proves of its own files that they differ.  Across them only hashes do:
 * so files of one size that have none are read (query/reread), here and there.
 */
#include "base/base.h"

#include "query/state_search.h"

#include "index/index.h"
#include "index/names.h"
#include "query/indexes.h"
#include "query/reread.h"
#include "sys/countmap.h"
#include "sys/stop.h"

/* Add a member; of is the index that has it, NULL for this one. */
static void
state_add(struct state *c, const struct file_row *row, enum member_kind kind, int error, unsigned fleeting, const char *path,
          const struct indexes_other *of)
{
	*vec_add(&c->members) = (struct member){ .path = arena_str(&c->paths, path), .kind = kind, .inode = row->inode.number,
	                                         .nlink = row->nlink, .mtime = row->mtime, .mark = MARK_NONE, .error = error,
	                                         .fleeting = fleeting,
	                                         .choice = MEMBER_UNCHOSEN, .index = of != NULL ? of->name : NULL,
	                                         .seen = of != NULL ? of->seen : 0,
	                                         .backup = of == NULL && backups_has(&c->check->ix->backups, path),
	                                         .disk = kind == MEMBER_OFFLINE ? indexes_disk(of, c->check->ix, row->inode.volume) : NULL };
	vec_push(&c->volumes, row->inode.volume);
}

void
state_cut(struct state *c, size_t n)
{
	if (n == 0)
		arena_clear(&c->paths);
	c->members.n = c->volumes.n = n;
}

static enum members_flags
state_flags(const struct state *c)
{
	return (c->q->members || c->q->count ? MEMBERS_ALL : 0) | (c->q->links_are_copies ? MEMBERS_LINKS_COUNT : 0);
}

/* Whether no further member can change the answer. */
static bool
state_answered(const struct state *c, const struct state_found *found)
{
	return (state_flags(c) & MEMBERS_ALL) == 0 && found->n[MEMBER_COPY] > 0;
}

/* Whether another name of the inode of row, a copy of self, is among the members already. */
static bool
state_has_inode(struct state *c, const struct file_row *self, const struct file_row *row)
{
	const struct members_set *set = c->q->with != NULL && self->has_hash ? members_find(&c->kept, MEMBERS_CONTENT, self) : NULL;

	if (set != NULL && members_has_inode(set, row->inode))
		return true;
	if (c->inodes != NULL)
		return countmap_count(c->inodes, (uint64_t)row->inode.volume, (uint64_t)row->inode.number) > 0;
	for (size_t i = 0; i < c->members.n; i++) {
		if (c->members.v[i].kind == MEMBER_COPY && c->members.v[i].inode == row->inode.number && c->volumes.v[i] == row->inode.volume)
			return true;
	}
	return false;
}

/* Look at a row of the same content. */
static int
state_look(struct state *c, const struct file_row *self, struct indexes_other *of, const struct file_row *row,
           struct state_found *found, struct err *err)
{
	enum presence presence;
	enum members_as counted;
	const char *path;
	bool first;

	if (indexes_look(of, c->check, row, &c->kept.where, &presence, &path, err) < 0)
		return -1;
	if (presence == PRESENCE_FLEETING)
		found->fleeting |= indexes_view(of, c->check)->fleeting;
	counted = members_counted(&c->kept, self, row, presence, state_flags(c));
	/* Two names of one inode are one copy. */
	first = members_kind(self, row, presence, 0) == MEMBER_COPY && !state_has_inode(c, self, row);
	if (counted != (enum members_as)MEMBER_COPY || c->q->links_are_copies || first)
		found->n[counted]++;
	found->inodes += first;
	if (presence == PRESENCE_OFFLINE && found->disk == NULL)
		found->disk = indexes_disk(of, c->check->ix, row->inode.volume);
	/* A link that counts is a link still. */
	if ((state_flags(c) & MEMBERS_ALL) != 0)
		state_add(c, row, members_kind(self, row, presence, 0), indexes_view(of, c->check)->error,
		          presence == PRESENCE_FLEETING ? indexes_view(of, c->check)->fleeting : 0, path, of);
	return 0;
}

/*
 * Look at the rows that belong together with self, if they are few: most contents have only some
 * names, and are not worth a kept set.  Returns 1, 0 when there are more, or -1.
 */
static int
state_search_few(struct state *c, enum members_by by, const struct file_row *self, struct state_found *found,
                  struct err *err)
{
	const struct state_found before = *found;
	const size_t n_before = c->members.n;
	struct names names = members_names(c->check->ix, by, self, err);
	struct file_row row;
	int ret, n = 0;

	while ((ret = names_next(&names, &row)) == 1 && n++ < STATE_FEW) {
		if (members_concern(by, self, &row) && state_look(c, self, NULL, &row, found, err) < 0) {
			ret = -1;
			break;
		}
		if (state_answered(c, found)) {
			ret = 0;
			break;
		}
	}
	names_end(&names);
	if (ret <= 0)
		return ret < 0 ? -1 : 1;
	*found = before;
	state_cut(c, n_before);
	return 0;
}

/* List the members of a set that concern self. */
static int
state_list(struct state *c, enum members_by by, const struct members_set *set, const struct file_row *self,
            struct err *err)
{
	struct members_seen m;
	const char *path;

	for (size_t i = 0; members_at(set, i, &m); i++) {
		if (!members_concern(by, self, m.row) || m.again)
			continue;
		if (indexes_path(m.of, c->check, m.row, &path, err) < 0)
			return -1;
		/* Self, as another index has it. */
		if (m.of != NULL && strcmp(path, c->kept.path) == 0 &&
		    (m.presence != PRESENCE_OFFLINE || inode_same(m.row->inode, self->inode)))
			continue;
		state_add(c, m.row, members_kind(self, m.row, m.presence, 0), m.error, m.fleeting, path, m.of);
	}
	return 0;
}

/* Look at the other names of the file's content or inode, until the question is answered. */
static int
state_search(struct state *c, enum members_by by, const struct file_row *self, struct state_found *found,
              struct err *err)
{
	struct members_set *set = members_find(&c->kept, by, self);
	int64_t n[MEMBERS_AS_COUNT];
	struct members_seen last;

	if (set == NULL) {
		/* Finding that a size has no links takes long: the result is kept. */
		const int ret = by == MEMBERS_LINKS || c->q->with != NULL ? 0 : state_search_few(c, by, self, found, err);

		if (ret != 0)
			return ret < 0 ? -1 : 0;
		if (members_load(&c->kept, by, self, &set, err) < 0)
			return -1;
	}
	if (members_count(&c->kept, set, self, state_flags(c), n, err) < 0)
		return -1;
	for (int k = 0; k < MEMBERS_AS_COUNT; k++)
		found->n[k] += n[k];
	if (c->q->links_are_copies && members_count(&c->kept, set, self, state_flags(c) & MEMBERS_ALL, n, err) < 0)
		return -1;
	found->inodes += n[MEMBER_COPY];
	found->fleeting |= members_fleeting(set);
	if (found->offline == NULL)
		found->offline = members_offline(set);
	if (found->disk == NULL)
		found->disk = members_disk(set);
	/*
	 * Unread files may be copies of a file outside, too: list these, to count an inode once.
	 */
	if (!c->q->members && (!c->q->count || self->dir >= 0))
		return 0;
	/* Of several indexes small sets are kept, too. */
	if (c->q->fold != 0 && by == MEMBERS_CONTENT && c->q->members && members_at(set, STATE_FEW, &last)) {
		c->many = set;
		if (members_told_with(set) != NULL)
			return 0;
	}
	return state_list(c, by, set, self, err);
}

int
state_search_all(struct state *c, const struct file_row *self, enum presence presence, struct state_found *found,
                 struct err *err)
{
	/*
	 * Whether it has no other name, as far as a first scan under way knows.  Until its end,
	 * without the indexes on contents, to look for another name takes a pass over all rows: for
	 * each file.
	 */
	const bool has_one_name = !c->check->ix->content_index && c->q->with == NULL && self->nlink == 1;

	if (self->has_hash && state_search(c, MEMBERS_CONTENT, self, found, err) < 0)
		return -1;
	/* Offline, a hash alone counts: the number of the inode may be another file's now. */
	if (!(presence == PRESENCE_OFFLINE && self->has_hash) && !state_answered(c, found) && !has_one_name &&
	    state_search(c, MEMBERS_INODE, self, found, err) < 0)
		return -1;
	/* A link made after its inode was read is unread if no other had its size or head then. */
	if (!self->has_hash && self->nlink > 1 && c->check->ix->version >= 3 && !state_answered(c, found))
		return state_search(c, MEMBERS_LINKS, self, found, err);
	return 0;
}

/*
 * Of an index (of is NULL for this one) read the files of self's size that it has not read, and
 * look at those with self's content.
 */
static int
state_search_unhashed(struct state *c, struct indexes_other *of, const struct file_row *self, struct state_unhashed *u,
                      struct err *err)
{
	struct presence_view *view = indexes_view(of, c->check);
	struct unhashed_by_size_names names;
	struct unhashed_by_size_found f;
	int ret = 0;

	if (unhashed_by_size_begin(&c->sized, of, false, self, &names, err) < 0)
		return -1;
	while (!state_answered(c, u->found) && (ret = unhashed_by_size_find(&c->sized, &names, c->kept.path, &f, err)) == 1) {
		if (f.presence != PRESENCE_HERE || reread_row(&c->reread, view, f.path, &f.row) != 1) {
			u->why = f.presence == PRESENCE_OFFLINE && of != NULL ? "a file of its size that was not read is offline" :
			                                                        "a file of its size can't be read now";
			if (stop_check(err) < 0)
				return -1;
		} else if (memcmp(f.row.hash, self->hash, HASH_SIZE) == 0 && state_look(c, self, of, &f.row, u->found, err) < 0)
			return -1;
	}
	return ret < 0 ? -1 : 0;
}

int
state_search_all_unhashed(struct state *c, const struct file_row *self, bool outside, struct state_unhashed *u, struct err *err)
{
	const size_t n = c->q->with != NULL ? c->q->with->others.n : 0;
	int ret = 0;

	/* Many copies may follow: look their inodes up in a table. */
	c->inodes = countmap_new(0);
	for (size_t i = 0; i < c->members.n; i++) {
		if (c->members.v[i].kind == MEMBER_COPY)
			countmap_count(c->inodes, (uint64_t)c->volumes.v[i], (uint64_t)c->members.v[i].inode);
	}
	if (outside && !state_answered(c, u->found))
		ret = state_search_unhashed(c, NULL, self, u, err);
	for (size_t i = 0; ret == 0 && i < n && !state_answered(c, u->found); i++)
		ret = state_search_unhashed(c, c->q->with->others.v[i], self, u, err);
	countmap_free(c->inodes);
	c->inodes = NULL;
	return ret;
}

int
state_read_self(struct state *c, enum presence presence, const char *path, struct file_row *self, const char **why,
                struct err *err)
{
	const int may = unhashed_by_size_elsewhere(&c->sized, c->q->with, NULL, self, path, err);

	if (may < 1)
		return may;
	if (presence == PRESENCE_OFFLINE)
		*why = "it is offline, and was not read before";
	else if (reread_row(&c->reread, c->check, path, self) != 1)
		*why = "it can't be read now, and another index has a file of its size";
	return stop_check(err);
}
