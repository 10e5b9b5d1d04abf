/* SPDX-License-Identifier: MIT */
/*
 * What a file is follows from the rows that could be its copies: those of its content, and those
 * of its inode that were not read.  Few of them are looked at one by one until the answer is
 * certain; more are loaded by members once, for all the files of that content.
 *
 *	state_find         the file itself: gone, changed, empty, unreadable, or search
 *	state_search       by content, by inode: members and their counts, struct state_found
 *	state_judge        dup, linked, unique, or unknown and why
 *	state_proven       unique, unless an unread or unreadable file could be a copy
 *	state_finish       members in order, marks
 *
 * A file outside the index (state_of_outside) is read first, and so is each indexed file of its
 * size that never was: then the same search has a content to look for.
 *
 * All in the calling thread.  Memory is struct state's and lives from file to file.
 */
#include "base/base.h"

#include "query/state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/stmt.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "index/volumes.h"
#include "query/indexes.h"
#include "sys/content.h"
#include "sys/fs.h"
#include "sys/stop.h"

void
state_release(struct state *c)
{
	vec_release(&c->members);
	vec_release(&c->volumes);
	arena_release(&c->paths);
	members_release(&c->kept);
	reread_release(&c->reread);
	alias_volumes_release(&c->views);
	mark_effect_release(&c->effect);
	unhashed_by_size_release(&c->sized);
	buf_release(&c->why);
}

/* Set *why if a file may be a copy that an unfinished scan did not read, else to NULL. */
static int
state_unread(struct state *c, const struct file_row *row, bool offline, const char **why, struct err *err)
{
	struct stmt st = file_unproven(c->check->ix->db, row, err);
	int ret, n = 0, n_offline = 0;

	/* A few are enough to choose the words for the reason. */
	while ((ret = stmt_step(&st)) == 1 && n < STATE_FEW) {
		enum presence presence;
		struct file_row other;

		if (file_read(&st, &other, err) < 0 || presence_member(c->check, &other, &c->kept.where, &presence, NULL, err) < 0) {
			ret = -1;
			break;
		}
		n += presence_is_of(presence);
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
		if (ret < 0 || presence_counts(&c->kept.where, path) == PRESENCE_HERE)
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

/* Say that a copy is offline, and on which disk. */
static const char *
state_why_away(struct state *c, const struct state_found *found)
{
	char time[NUM_SHOW_MAX];

	if (found->disk == NULL && found->offline == NULL)
		return "another copy is offline";
	buf_cut(&c->why, 0);
	if (found->disk != NULL)
		buf_addf(&c->why, "another copy is offline: %s", found->disk);
	else {
		buf_addf(&c->why, "another copy is on an offline volume: index %s", found->offline->name);
		if (found->offline->seen > 0)
			buf_addf(&c->why, ", seen %s", num_show_local(found->offline->seen, time));
	}
	return buf_str(&c->why);
}

/* Judge a file without a copy by its other names; if none can be looked at, why says that. */
static void
state_judge_links(const struct state *c, enum presence presence, const struct state_found *found, struct file_answer *a)
{
	const int64_t unreadable = found->n[MEMBERS_LINK_UNREADABLE], offline = found->n[MEMBERS_LINK_OFFLINE];

	if (c->q->links_are_unique || found->n[MEMBER_LINK] + unreadable + offline == 0)
		return;
	a->state = STATE_LINKED;
	if (found->n[MEMBER_LINK] > 0)
		return;
	a->unseen = unreadable > 0;
	a->offline = !a->unseen;
	/* If it is offline itself, that is the reason, as for every state. */
	if (presence != PRESENCE_OFFLINE)
		a->why = unreadable + offline == 1 ? (a->unseen ? "its other link is unreadable" : "its other link is offline") :
		         offline == 0 ? "its other links are unreadable" :
		         unreadable == 0 ? "its other links are offline" : "its other links are offline or unreadable";
}

static int
state_judge(struct state *c, const struct file_row *row, enum presence presence, const struct state_found *found,
             struct file_answer *a, struct err *err)
{
	a->n_copies = found->n[MEMBER_COPY];
	a->n_inodes = found->inodes;
	if (a->n_copies > 0) {
		a->state = STATE_DUP;
		return 0;
	}
	a->state = STATE_UNKNOWN;
	if (found->n[MEMBERS_ALIAS] > 0) {
		a->why = answer_view;
		return 0;
	}
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
		a->offline = true;
		a->disk = found->disk;
		a->why = state_why_away(c, found);
		return 0;
	}
	if (state_proven(c, row, presence == PRESENCE_OFFLINE, a, err) < 0)
		return -1;
	if (a->why != NULL)
		return 0;
	a->state = STATE_UNIQUE;
	state_judge_links(c, presence, found, a);
	if (a->state == STATE_UNIQUE) {
		a->fleeting = found->fleeting | (found->n[MEMBER_TRASH] > 0 ? FLEETING_TRASH : 0);
		a->why = fleeting_only(a->fleeting, found->n[MEMBER_TRASH] + found->n[MEMBER_FLEETING]);
	}
	return 0;
}

/* Fill in the decisions about the file, and about its members where these are asked for. */
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

		if (m->index == NULL && m->kind != MEMBER_GONE && m->kind != MEMBER_CHANGED &&
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

/* Drop names that several indexes have, except that of the first. */
static void
state_drop_doubles(struct state *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->members.n; i++) {
		if (n == 0 || strcmp(c->members.v[n - 1].path, c->members.v[i].path) != 0 ||
		    c->members.v[i].kind == MEMBER_OFFLINE)
			c->members.v[n++] = c->members.v[i];
		else if (c->members.v[n - 1].kind != MEMBER_COPY && c->members.v[n - 1].kind != MEMBER_LINK)
			c->members.v[n - 1] = c->members.v[i];
	}
	c->members.n = n;
}

/* Put the members, in the order of their paths, and the marks into the answer. */
static int
state_finish(struct state *c, struct file_answer *a, struct err *err)
{
	if (c->q->members) {
		if (c->members.n > 0)
			qsort(c->members.v, c->members.n, sizeof(*c->members.v), state_cmp_path);
		if (c->q->with != NULL)
			state_drop_doubles(c);
		a->members = c->members.v;
		a->n_members = c->members.n;
		if (c->many != NULL)
			a->told_with = members_told_with(c->many);
		if (c->many != NULL && a->told_with == NULL && (c->q->fold >> a->state & 1) != 0)
			members_tell_with(c->many, a->path);
	}
	return state_mark(c, a, err);
}

/* Find the reasons of the directories in which copies are to be: copies there are meant. */
static int
state_find_meant(struct state *c, struct err *err)
{
	for (size_t i = 0; i < c->q->n_in; i++) {
		const struct dirs_prefix *prefix;
		int64_t dir;
		const int found = dirs_find(c->check->ix->db, c->q->in[i], &dir, err);

		prefix = found == 1 ? dirs_prefix(&c->check->dirs, dir, err) : NULL;
		if (found < 0 || (found == 1 && prefix == NULL))
			return -1;
		c->meant |= prefix != NULL ? prefix->fleeting & FLEETING_NAMED : 0;
	}
	return 0;
}

/* fleeting: the reasons of the file's own directory. */
static int
state_begin(struct state *c, const char *path, unsigned fleeting, struct file_answer *a, struct err *err)
{
	memset(a, 0, sizeof(*a));
	state_cut(c, 0);
	c->many = NULL;
	members_trim(&c->kept);
	unhashed_by_size_trim(&c->sized);
	c->kept.check = c->check;
	c->kept.with = c->q->with;
	c->kept.path = path;
	c->kept.views = &c->views;
	c->kept.where = (struct presence_where){ .exclude = c->q->exclude, .n_exclude = c->q->n_exclude, .in = c->q->in, .n_in = c->q->n_in,
	                                          .no_trash = !c->q->any_copy, .meant = c->q->in, .n_meant = c->q->n_in };
	c->sized.here = c->check;
	a->path = path;
	if (!c->viewed && !c->q->any_copy && state_find_meant(c, err) < 0)
		return -1;
	c->kept.where.lasting = !c->q->any_copy;
	c->kept.where.fleeting = fleeting | c->meant;
	c->sized.where = c->kept.where;
	if (c->q->any_copy || c->viewed)
		return 0;
	c->viewed = true;
	return alias_volumes_load(&c->views, c->check->ix, c->q->with, err);
}

/* Search everywhere for the copies of an indexed file, and judge. */
static int
state_search_and_judge(struct state *c, const struct file_row *row, enum presence presence, const char *path, struct file_answer *a,
                       struct err *err)
{
	struct state_found found = { .inodes = 0 };
	struct state_unhashed u = { .found = &found };
	struct file_row self = *row;

	if (c->q->with != NULL && !self.has_hash && state_read_self(c, presence, path, &self, &u.why, err) < 0)
		return -1;
	if (state_search_all(c, &self, presence, &found, err) < 0)
		return -1;
	if (c->q->with != NULL && self.has_hash && state_search_all_unhashed(c, &self, false, &u, err) < 0)
		return -1;
	if (state_judge(c, &self, presence, &found, a, err) < 0)
		return -1;
	if ((a->state == STATE_UNIQUE || a->state == STATE_LINKED) && u.why != NULL) {
		a->state = STATE_UNKNOWN;
		a->why = u.why;
	}
	return 0;
}

/*
 * As state_search_and_judge.  Until its end a first scan has no indexes on contents, and each
 * search passes over all rows: seconds for each of some files, of millions.  Of further ones
 * nothing is said.
 */
static int
state_search_in_time(struct state *c, const struct file_row *row, enum presence presence, const char *path, struct file_answer *a,
                     struct err *err)
{
	const struct index *ix = c->check->ix;
	const int64_t began = ix->content_index || ix->pending == INDEX_WHOLE ? 0 : fs_clock_ns();
	int ret;

	if (c->passing_ns > STATE_PASSING_NS) {
		a->state = STATE_UNKNOWN;
		a->why = "its copies can be looked up when the first scan has ended";
		a->unread = true;
		return 0;
	}
	ret = state_search_and_judge(c, row, presence, path, a, err);
	c->passing_ns += began > 0 ? fs_clock_ns() - began : 0;
	return ret;
}

bool
state_is_left(const struct state *c, const struct file_row *row)
{
	return c->q->several != NULL && row->size > 0 && row->error == 0 && row->has_hash &&
	       c->q->several(c->q->several_arg, row->size, row->hash);
}

/* Find the state and the members; state_finish does the rest. */
static int
state_find(struct state *c, const struct file_row *row, enum presence presence, struct file_answer *a, struct err *err)
{
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
		a->why = presence == PRESENCE_OFFLINE ? drawer_say(&c->check->ix->drawer, row->inode.volume, DRAWER_AS_OF) : NULL;
		return 0;
	}
	if (row->error != 0) {
		a->state = STATE_UNREADABLE;
		a->why = file_error_text(row->error);
		return 0;
	}
	if (presence == PRESENCE_HERE && state_is_left(c, row)) {
		a->state = STATE_UNKNOWN;
		return 0;
	}
	if (state_search_in_time(c, row, presence, a->path, a, err) < 0)
		return -1;
	if (presence == PRESENCE_OFFLINE)
		a->why = a->why != NULL ? a->why : drawer_say(&c->check->ix->drawer, row->inode.volume, DRAWER_AS_OF);
	return 0;
}

int
state_of_row(struct state *c, const struct file_row *row, enum presence presence, const char *path,
              struct file_answer *a, struct err *err)
{
	const struct dirs_prefix *prefix = dirs_prefix(&c->check->dirs, row->dir, err);

	if (prefix == NULL || state_begin(c, path, prefix->fleeting, a, err) < 0)
		return -1;
	return state_find(c, row, presence, a, err) < 0 ? -1 : state_finish(c, a, err);
}

/* Look up the content of a file outside the index, which has been read. */
static int
state_match(struct state *c, const struct file_row *self, struct file_answer *a, struct err *err)
{
	struct state_found found = { .inodes = 0 };
	struct state_unhashed u = { .found = &found };

	if (state_search_all(c, self, PRESENCE_HERE, &found, err) < 0 ||
	    state_search_all_unhashed(c, self, true, &u, err) < 0 ||
	    state_judge(c, self, PRESENCE_HERE, &found, a, err) < 0)
		return -1;
	if (a->state == STATE_UNIQUE && u.why != NULL) {
		a->state = STATE_UNKNOWN;
		a->why = u.why;
	}
	return 0;
}

/* Whether any of the indexes has a file of this size.  Returns 1, 0 or -1. */
static int
state_size_known(const struct state *c, int64_t size, struct err *err)
{
	int known = file_size_known(c->check->ix->db, size, err);

	for (size_t i = 0; known == 0 && c->q->with != NULL && i < c->q->with->others.n; i++)
		known = file_size_known(c->q->with->others.v[i]->ix->db, size, err);
	return known;
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
	bool view = false;
	int known, ret = -1;

	if (state_begin(c, path, fleeting_of_outside(path), a, err) < 0)
		return -1;
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
	known = state_size_known(c, st.size, err);
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
	if (c->q->with != NULL)
		volume = indexes_of_device(c->q->with, st.dev);
	if (volume == 0 && volumes_of_file(c->check->ix->db, path, st.dev, &volume, &view, err) < 0)
		goto out;
	if (view && !c->q->any_copy)
		alias_volumes_note(&c->views, volume);
	file_from_stat(&self, &st, volume);
	self.has_hash = true;
	memcpy(self.hash, res.hash, HASH_SIZE);
	self.has_head = res.has_head;
	self.head = res.head;
	if (state_match(c, &self, a, err) < 0)
		goto out;
	if (a->state == STATE_DUP || a->state == STATE_UNIQUE) {
		a->why = "not in the index";
		if (remounted_find(&c->check->remounted, path, &a->why, err) < 0)
			goto out;
	}
	state_unmet(c, a);
	ret = state_finish(c, a, err);
out:
	content_reader_release(&r);
	return ret;
}

/* A member that was not read: it differs from all files if none has its size. */
static int
state_member_unread(struct state *c, const struct packed *p, struct file_answer *a, struct err *err)
{
	int known;

	a->state = STATE_UNKNOWN;
	a->why = packed_why_text(p->why);
	if (p->why == PACKED_LINK) {
		a->state = STATE_LINKED;
		return 0;
	}
	if (p->why != PACKED_NOT_READ || p->size < 0)
		return 0;
	known = state_size_known(c, p->size, err);
	if (known == 0) {
		a->state = STATE_UNIQUE;
		a->why = NULL;
		state_unmet(c, a);
	}
	return known < 0 ? -1 : 0;
}

int
state_of_member(struct state *c, const struct packed *p, unsigned fleeting, const char *path, struct file_answer *a, struct err *err)
{
	/* No inode has these numbers. */
	struct file_row self = { .name = "", .dir = -1, .size = p->size, .inode = { -1, -1 }, .nlink = 1, .has_hash = true };

	if (state_begin(c, path, fleeting, a, err) < 0)
		return -1;
	a->size = p->size;
	a->allocated = -1;
	a->nlink = 1;
	if (p->mtime != INT64_MIN)
		a->mtime.sec = p->mtime;
	if (p->size == 0 && p->why == PACKED_GOOD) {
		a->state = STATE_EMPTY;
		return 0;
	}
	if (!p->has_hash)
		return state_member_unread(c, p, a, err);
	memcpy(self.hash, p->hash, HASH_SIZE);
	if (state_match(c, &self, a, err) < 0)
		return -1;
	state_unmet(c, a);
	return state_finish(c, a, err);
}
