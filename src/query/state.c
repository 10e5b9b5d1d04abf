/* SPDX-License-Identifier: MIT */
/*
 * What a file is follows from the rows that could be its copies: those of its content, and those
 * of its inode that were not read.  Few of them are looked at one by one until the answer is
 * certain; more are loaded by members once, for all the files of that content.
 *
 *	state_find         the file itself: gone, changed, empty, unreadable, or search
 *	state_search_all   by content, by inode: members and their counts, struct state_found
 *	state_judge        dup, linked, unique, or unknown and why
 *	state_proven       unique, unless an unread or unreadable file could be a copy
 *	state_finish       members in order, marks
 *
 * A file outside the index (state_of_outside) is read first, and so is each indexed file of its
 * size that never was: then the same search has a content to look for.
 *
 * All in the calling thread.  Memory is struct state's and lives from file to file.
 */
#include <config.h>

#include "query/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "db/stmt.h"
#include "index/index.h"
#include "sys/countmap.h"
#include "index/names.h"
#include "index/volumes.h"
#include "sys/content.h"
#include "sys/stop.h"

/* Why an answer may be out of date. */
static const char state_offline[] = "offline: as of the last scan";

/* Contents with more names than this are kept while files ask for them. */
#define STATE_FEW 8

void
state_release(struct state *c)
{
	vec_release(&c->members);
	vec_release(&c->volumes);
	arena_release(&c->paths);
	members_release(&c->kept);
}

static void
state_add(struct state *c, const struct file_row *row, enum member_kind kind, int error, const char *path)
{
	*vec_add(&c->members) = (struct member){ arena_str(&c->paths, path), kind, row->inode.number, row->nlink,
	                                         row->mtime, MARK_NONE, error, MEMBER_UNCHOSEN };
	vec_push(&c->volumes, row->inode.volume);
}

/* Drop the members but for the first n. */
static void
state_cut(struct state *c, size_t n)
{
	if (n == 0)
		arena_clear(&c->paths);
	c->members.n = c->volumes.n = n;
}

/* What the members are, counted by kind. */
struct state_found {
	int64_t n[MEMBERS_AS_COUNT];
	int64_t inodes;        /* of the copies, however links count */
};

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

/* Whether another name of the row's inode is among the members already. */
static bool
state_has_inode(struct state *c, const struct file_row *row)
{
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
state_look(struct state *c, const struct file_row *self, const struct file_row *row, struct state_found *found,
            struct err *err)
{
	enum presence presence;
	enum members_as counted;
	const char *path;
	bool first;

	if (presence_member(c->check, row, &c->kept.where, &presence, &path, err) < 0)
		return -1;
	counted = members_counted(self, row, presence, state_flags(c));
	/* Two names of one inode are one copy. */
	first = members_kind(self, row, presence, 0) == MEMBER_COPY && !state_has_inode(c, row);
	if (counted != (enum members_as)MEMBER_COPY || c->q->links_are_copies || first)
		found->n[counted]++;
	found->inodes += first;
	/* A link that counts is a link still. */
	if ((state_flags(c) & MEMBERS_ALL) != 0)
		state_add(c, row, members_kind(self, row, presence, 0), c->check->error, path);
	return 0;
}

/*
 * Look at the rows that belong together with self, if they are few: most
 * contents have but some names, of which it is not worth to keep a set.
 * Returns 1, 0 when there are more, or -1.
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
		if (members_concern(by, self, &row) && state_look(c, self, &row, found, err) < 0) {
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
	const struct file_row *row;
	enum presence presence;
	const char *path;
	int error;

	for (size_t i = 0; (row = members_at(set, i, &presence, &error)) != NULL; i++) {
		if (!members_concern(by, self, row))
			continue;
		if (presence_path(c->check, row, &path, err) < 0)
			return -1;
		state_add(c, row, members_kind(self, row, presence, 0), error, path);
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

	if (set == NULL) {
		/* That there are no links of a size takes long to find out, and is kept. */
		const int ret = by == MEMBERS_LINKS ? 0 : state_search_few(c, by, self, found, err);

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
	/*
	 * Unread files may be copies of a file outside, too: list these, to count an inode once.
	 */
	return c->q->members || (c->q->count && self->dir < 0) ? state_list(c, by, set, self, err) : 0;
}

/* Search by content, then by inode: names that were read, and names that were not. */
static int
state_search_all(struct state *c, const struct file_row *self, enum presence presence, struct state_found *found,
                 struct err *err)
{
	if (self->has_hash && state_search(c, MEMBERS_CONTENT, self, found, err) < 0)
		return -1;
	/* Offline, a hash alone counts: the number of the inode may be another file's now. */
	if (!(presence == PRESENCE_OFFLINE && self->has_hash) && !state_answered(c, found) &&
	    state_search(c, MEMBERS_INODE, self, found, err) < 0)
		return -1;
	/* A link made after its inode was read is unread if no other had its size or head then. */
	if (!self->has_hash && self->nlink > 1 && c->check->ix->version >= 3 && !state_answered(c, found))
		return state_search(c, MEMBERS_LINKS, self, found, err);
	return 0;
}

/* Set *why if a file that an unfinished scan did not read may be a copy, else leave it NULL. */
static int
state_unread(struct state *c, const struct file_row *row, bool offline, const char **why, struct err *err)
{
	struct stmt st = file_unproven(c->check->ix->db, row, err);
	int ret, n = 0, n_offline = 0;

	/* A few are enough to choose the words: are all of them offline? */
	while ((ret = stmt_step(&st)) == 1 && n < STATE_FEW) {
		enum presence presence;
		struct file_row other;

		if (file_read(&st, &other, err) < 0 || presence_member(c->check, &other, &c->kept.where, &presence, NULL, err) < 0) {
			ret = -1;
			break;
		}
		n += presence != PRESENCE_EXCLUDED;
		n_offline += presence == PRESENCE_OFFLINE;
	}
	stmt_done(&st);
	if (ret >= 0 && n == 0 && !row->has_hash) {
		ret = file_any_like(c->check->ix->db, row, err);
		n = ret == 1;
	}
	if (n > 0)
		*why = offline && !row->has_hash ? "it is offline, and was not read before" :
		       n_offline == n ? "a file of its size is offline, and was not read before" :
		       row->has_hash ? "files of its size are not read yet" : "it is not read yet";
	return ret < 0 ? -1 : 0;
}

/* Whether a file of this size that counts could not be read.  Returns 1, 0 or -1. */
static int
state_error_of_size(struct state *c, int64_t size, struct err *err)
{
	struct stmt st = stmt_get(c->check->ix->db, SQL_FILE_ERROR_OF_SIZE, err);
	const char *path;
	int ret;

	stmt_int(&st, ":size", size);
	while ((ret = stmt_step(&st)) == 1) {
		struct file_row row;

		if (file_read(&st, &row, err) < 0 || presence_path(c->check, &row, &path, err) < 0)
			ret = -1;
		if (ret < 0 || presence_counts(&c->kept.where, path))
			break;
	}
	stmt_done(&st);
	return ret;
}

/* Set a->why unless the index proves that no unread file has this content either. */
static int
state_proven(struct state *c, const struct file_row *row, bool offline, struct file_answer *a, struct err *err)
{
	int ret = state_error_of_size(c, row->size, err);

	a->why = ret == 1 ? "a file of its size could not be read" : NULL;
	if (ret != 0 || c->check->ix->pending == INDEX_WHOLE)
		return ret < 0 ? -1 : 0;
	ret = state_unread(c, row, offline, &a->why, err);
	a->unread = a->why != NULL;
	return ret;
}

static int
state_judge(struct state *c, const struct file_row *row, enum presence presence, const struct state_found *found,
             struct file_answer *a, struct err *err)
{
	int64_t links;

	a->n_copies = found->n[MEMBER_COPY];
	a->n_inodes = found->inodes;
	if (a->n_copies > 0) {
		a->state = STATE_DUP;
		return 0;
	}
	a->state = STATE_UNKNOWN;
	if (found->n[MEMBER_CHANGED] > 0) {
		a->why = "another copy has changed since the scan";
		return 0;
	}
	if (found->n[MEMBER_UNREADABLE] > 0) {
		a->why = "another copy is unreadable";
		a->unseen = true;
		return 0;
	}
	if (found->n[MEMBER_OFFLINE] > 0) {
		a->why = "another copy is offline";
		return 0;
	}
	if (state_proven(c, row, presence == PRESENCE_OFFLINE, a, err) < 0)
		return -1;
	if (a->why != NULL)
		return 0;
	links = found->n[MEMBER_LINK] + found->n[MEMBERS_LINK_UNREADABLE];
	a->state = links > 0 && !c->q->links_are_unique ? STATE_LINKED : STATE_UNIQUE;
	a->unseen = a->state == STATE_LINKED && found->n[MEMBER_LINK] == 0;
	/* Offline itself, that is the reason, as for every state. */
	if (a->unseen && presence != PRESENCE_OFFLINE)
		a->why = links == 1 ? "its other link is unreadable" : "its other links are unreadable";
	return 0;
}

/* Give the file, and its members where they are asked for, the decisions about them. */
static int
state_mark(struct state *c, struct file_answer *a, struct err *err)
{
	if (!c->check->ix->marks || (a->state == STATE_UNKNOWN && a->why == NULL))
		return 0;
	if (a->state != STATE_GONE && a->state != STATE_CHANGED &&
	    mark_effect_of(&c->effect, c->check, a->path, a->size, a->mtime, a->hash, &a->mark, err) < 0)
		return -1;
	for (size_t i = 0; i < a->n_members; i++) {
		struct member *m = &c->members.v[i];

		if (m->kind != MEMBER_GONE && m->kind != MEMBER_CHANGED &&
		    mark_effect_of(&c->effect, c->check, m->path, a->size, m->mtime, a->hash, &m->mark, err) < 0)
			return -1;
	}
	return 0;
}

static int
state_cmp_path(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* Give the answer its members, in the order of their paths, and the marks. */
static int
state_finish(struct state *c, struct file_answer *a, struct err *err)
{
	if (c->q->members) {
		if (c->members.n > 0)
			qsort(c->members.v, c->members.n, sizeof(*c->members.v), state_cmp_path);
		a->members = c->members.v;
		a->n_members = c->members.n;
	}
	return state_mark(c, a, err);
}

static void
state_begin(struct state *c, const char *path, struct file_answer *a)
{
	memset(a, 0, sizeof(*a));
	state_cut(c, 0);
	c->kept.check = c->check;
	c->kept.where = (struct presence_where){ c->q->exclude, c->q->n_exclude, c->q->in, c->q->n_in };
	a->path = path;
}

/* Find the state, and the members, of which state_finish makes the rest. */
static int
state_find(struct state *c, const struct file_row *row, enum presence presence, struct file_answer *a, struct err *err)
{
	struct state_found found = { .inodes = 0 };

	a->size = row->size;
	a->allocated = num_mul(row->blocks, 512);
	a->mtime = row->mtime;
	a->inode = row->inode.number;
	a->nlink = row->nlink;
	a->hash = row->has_hash ? row->hash : NULL;
	if (presence == PRESENCE_UNREADABLE) {
		a->state = STATE_UNREADABLE;
		a->why = strerror(c->check->error);
		return 0;
	}
	if (presence == PRESENCE_GONE || presence == PRESENCE_CHANGED) {
		a->state = presence == PRESENCE_GONE ? STATE_GONE : STATE_CHANGED;
		return 0;
	}
	if (row->size == 0) {
		a->state = STATE_EMPTY;
		a->why = presence == PRESENCE_OFFLINE ? state_offline : NULL;
		return 0;
	}
	if (row->error != 0) {
		a->state = STATE_UNREADABLE;
		a->why = file_error_text(row->error);
		return 0;
	}
	if (c->q->several != NULL && row->has_hash && presence == PRESENCE_HERE &&
	    c->q->several(c->q->several_arg, row->size, row->hash)) {
		a->state = STATE_UNKNOWN;
		return 0;
	}
	if (state_search_all(c, row, presence, &found, err) < 0 || state_judge(c, row, presence, &found, a, err) < 0)
		return -1;
	if (presence == PRESENCE_OFFLINE)
		a->why = a->why != NULL ? a->why : state_offline;
	return 0;
}

int
state_of_row(struct state *c, const struct file_row *row, enum presence presence, const char *path,
              struct file_answer *a, struct err *err)
{
	state_begin(c, path, a);
	return state_find(c, row, presence, a, err) < 0 ? -1 : state_finish(c, a, err);
}

/* Read an indexed file that was never hashed, to compare it with one outside the index. */
static int
state_read_row(struct state *c, struct content_reader *r, const char *path, struct file_row *row)
{
	struct content_result res;
	struct fs_stat st;

	content_read(r, AT_FDCWD, path, CONTENT_FULL, &st, &res);
	if (res.error != 0 || !presence_same(c->check, row, path, &st))
		return 0;
	row->has_hash = true;
	memcpy(row->hash, res.hash, HASH_SIZE);
	return 1;
}

/* Note the inodes of the copies found so far, to which many may come. */
static void
state_note_inodes(struct state *c)
{
	c->inodes = countmap_new(0);
	for (size_t i = 0; i < c->members.n; i++) {
		if (c->members.v[i].kind == MEMBER_COPY)
			countmap_count(c->inodes, (uint64_t)c->volumes.v[i], (uint64_t)c->members.v[i].inode);
	}
}

/* Read indexed files of self's size that never were, and look at those with its content. */
static int
state_search_unhashed(struct state *c, struct content_reader *r, const struct file_row *self,
                       struct state_found *found, const char **why, struct err *err)
{
	struct names names = names_unread(c->check->ix->db, self->size, err);
	struct file_row row;
	enum presence presence;
	const char *path;
	int ret;

	state_note_inodes(c);
	while ((ret = names_next(&names, &row)) == 1 && !state_answered(c, found)) {
		if (presence_member(c->check, &row, &c->kept.where, &presence, &path, err) < 0) {
			ret = -1;
			break;
		}
		/* Different heads, different files.  One that is gone or excluded is no copy. */
		if ((row.has_head && self->has_head && row.head != self->head) || presence == PRESENCE_GONE || presence == PRESENCE_EXCLUDED)
			continue;
		/* The file itself by another name or mount: state_search_all has it. */
		if (inode_same(self->inode, row.inode))
			continue;
		if (presence != PRESENCE_HERE || state_read_row(c, r, path, &row) != 1) {
			*why = "a file of its size can't be read now";
			if (stop_check(err) == 0)
				continue;
			ret = -1;
			break;
		}
		if (memcmp(row.hash, self->hash, HASH_SIZE) == 0 && state_look(c, self, &row, found, err) < 0) {
			ret = -1;
			break;
		}
	}
	names_end(&names);
	countmap_free(c->inodes);
	c->inodes = NULL;
	return ret < 0 ? -1 : 0;
}

/* Look up the content of a file outside the index, which has been read. */
static int
state_match(struct state *c, struct content_reader *r, const struct file_row *self, struct file_answer *a,
             struct err *err)
{
	struct state_found found = { .inodes = 0 };
	const char *why = NULL;

	if (state_search_all(c, self, PRESENCE_HERE, &found, err) < 0 ||
	    (!state_answered(c, &found) && state_search_unhashed(c, r, self, &found, &why, err) < 0) ||
	    state_judge(c, self, PRESENCE_HERE, &found, a, err) < 0)
		return -1;
	if (a->state == STATE_UNIQUE && why != NULL) {
		a->state = STATE_UNKNOWN;
		a->why = why;
	}
	return 0;
}

/* An index that has not met every file does not prove a file outside of it unique. */
static void
state_unmet(const struct state *c, struct file_answer *a)
{
	if (a->state != STATE_UNIQUE || c->check->ix->pending != INDEX_UNMET)
		return;
	a->state = STATE_UNKNOWN;
	a->why = "not in the index, which has not met every file yet";
}

int
state_of_outside(struct state *c, const char *path, struct file_answer *a, struct err *err)
{
	struct content_reader r;
	struct content_result res;
	struct file_row self = { .name = "", .dir = -1 };
	struct fs_stat st;
	int64_t volume = 0;
	int known, ret = -1;

	state_begin(c, path, a);
	if (fs_stat_path(path, &st) < 0)
		return fs_is_absent(errno) ?
		       err_set(err, ERR_NO_PATH, "'%s' does not exist", path) : err_sys(err, "'%s'", path);
	file_from_stat(&self, &st, 0);
	a->size = st.size;
	a->allocated = st.blocks * 512;
	a->mtime = st.mtime;
	a->inode = (int64_t)st.inode;
	a->nlink = (int64_t)st.nlink;
	if (!S_ISREG(st.mode)) {
		a->state = STATE_SKIPPED;
		a->why = "not a regular file";
		return 0;
	}
	if (st.size == 0) {
		a->state = STATE_EMPTY;
		return 0;
	}
	known = file_size_known(c->check->ix->db, st.size, err);
	if (known < 0)
		return -1;
	if (known == 0) {
		a->state = STATE_UNIQUE;
		a->why = "not in the index, where no file has its size";
		state_unmet(c, a);
		return 0;
	}
	content_reader_init(&r, c->check->ix->secret, (struct fs_time){ 0, 0 });
	content_read(&r, AT_FDCWD, path, CONTENT_FULL, &st, &res);
	if (res.error == CONTENT_STOPPED) {
		stop_check(err);
		goto out;
	}
	if (res.error != 0) {
		a->state = STATE_UNREADABLE;
		a->why = file_error_text(res.error > 0 ? res.error : FILE_CHANGING);
		ret = 0;
		goto out;
	}
	if (volumes_of_file(c->check->ix->db, path, st.dev, &volume, err) < 0)
		goto out;
	file_from_stat(&self, &st, volume);
	self.has_hash = true;
	memcpy(self.hash, res.hash, HASH_SIZE);
	self.has_head = res.has_head;
	self.head = res.head;
	if (state_match(c, &r, &self, a, err) < 0)
		goto out;
	if (a->state == STATE_DUP || a->state == STATE_UNIQUE) {
		a->why = "not in the index";
		if (moved_find(&c->check->moved, path, &a->why, err) < 0)
			goto out;
	}
	state_unmet(c, a);
	ret = state_finish(c, a, err);
out:
	content_reader_release(&r);
	return ret;
}
