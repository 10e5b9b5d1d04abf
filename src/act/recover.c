/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "act/recover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/acts_read.h"
#include "act/alias.h"
#include "act/link.h"
#include "act/restore.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "index/index.h"
#include "sys/content.h"
#include "sys/fs.h"
#include "sys/rename.h"
#include "sys/stop.h"

struct recover {
	struct acts_read acts;
	struct content_reader reader;
	bool dry;
	recover_fn *fn;
	void *arg;
	int64_t found, done;
};

/* A directory that is being looked through. */
struct recover_dir {
	const char *path;
	int fd;
	const struct fs_list *list;
	size_t begin, end;      /* its acts, in the order of directories */
};

/* The acts of one directory together, in the order of the journal. */
static int
recover_cmp(const void *a, const void *b)
{
	const struct acts_line *x = a, *y = b;
	const size_t x_len = path_parent_len(x->victim), y_len = path_parent_len(y->victim);
	const int cmp = memcmp(x->victim, y->victim, x_len < y_len ? x_len : y_len);

	if (cmp != 0 || x_len != y_len)
		return cmp != 0 ? cmp : x_len < y_len ? -1 : 1;
	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Whether the name that an act was about is free, or has only the link that the act made. */
static bool
recover_is_free(const struct recover_dir *d, const struct acts_line *l)
{
	const char *name = path_base(l->victim);
	struct fs_stat now;

	if (fs_stat_at(d->fd, name, &now) < 0)
		return errno == ENOENT;
	return acts_read_is_link(l, d->fd, name, &now);
}

/*
 * The act whose file has the name now.  An act whose run came to its end was done, or taken back.
 * A run does its acts in the order of the journal: of those in the directory whose file is missing,
 * and had this size, time and content, it was at the last.
 */
static const struct acts_line *
recover_act(struct recover *r, const struct recover_dir *d, const char *name)
{
	const bool undo = rename_is_unused(name, RESTORE_WORD);
	const struct acts_line *found = NULL;
	struct content_result content;
	struct buf hash = { 0 };
	struct fs_stat st;

	content_read(&r->reader, d->fd, name, CONTENT_FULL, &st, &content);
	if (content.error != 0 || !content.has_hash)
		return NULL;
	buf_add_hex(&hash, content.hash, HASH_SIZE);
	for (size_t i = d->end; found == NULL && i > d->begin; i--) {
		const struct acts_line *l = &r->acts.lines.v[i - 1];

		if ((!l->ended || l->failed || undo) && l->size == st.size && fs_time_cmp(l->mtime, st.mtime) == 0 &&
		    strcmp(l->hash, buf_str(&hash)) == 0 && recover_is_free(d, l))
			found = l;
	}
	buf_release(&hash);
	return found;
}

/* The name beside a probe's name that leads to the same inode, or NULL. */
static const char *
recover_other_name(const struct recover_dir *d, const char *name, const struct fs_stat *st)
{
	struct fs_stat other;

	for (size_t i = 0; st->nlink > 1 && i < d->list->n; i++) {
		const char *n = fs_list_name(d->list, &d->list->v[i]);

		if (strcmp(n, name) != 0 && !rename_is_unused(n, NULL) && fs_stat_at(d->fd, n, &other) == 0 &&
		    other.inode == st->inode && other.dev == st->dev)
			return n;
	}
	return NULL;
}

/*
 * The path of the file of which the name is only a second name or a link, made by a probe or for an
 * act.  Returns whether there is one.
 */
static bool
recover_second(const struct recover *r, const struct recover_dir *d, const char *name, const struct fs_stat *st, struct buf *of)
{
	const char *other = rename_is_unused(name, ALIAS_WORD) ? recover_other_name(d, name, st) : NULL;
	const bool link = rename_is_unused(name, LINK_WORD) || rename_is_unused(name, RESTORE_WORD);

	if (other != NULL) {
		buf_adds(of, d->path);
		path_append(of, other, strlen(other));
	}
	for (size_t i = d->end; link && of->len == 0 && i > d->begin; i--) {
		if (acts_read_is_link(&r->acts.lines.v[i - 1], d->fd, name, st))
			buf_adds(of, r->acts.lines.v[i - 1].keeper);
	}
	return of->len > 0;
}

/*
 * Give a file back the name that it had before an act, in the place of the act's link, if that is
 * there.  Returns 0, or -1 with errno.
 */
static int
recover_rename(const struct recover_dir *d, const struct acts_line *l, const char *name)
{
	const char *was = path_base(l->victim);
	struct fs_stat st;

	if (fs_stat_at(d->fd, was, &st) < 0)
		return rename_back(d->fd, name, d->fd, was);
	if (rename_exchange(d->fd, name, was) < 0)
		return -1;
	if (fs_stat_at(d->fd, name, &st) == 0 && acts_read_is_link(l, d->fd, name, &st))
		return unlinkat(d->fd, name, 0);
	/* Somebody has put another file there at this moment. */
	errno = rename_exchange(d->fd, name, was) < 0 ? errno : EEXIST;
	return -1;
}

/* One name of ours. */
static void
recover_one(struct recover *r, const struct recover_dir *d, const char *name)
{
	struct recover_found f = { .done = false };
	struct buf path = { 0 }, of = { 0 };
	const struct acts_line *act = NULL;
	struct fs_stat st;

	if (fs_stat_at(d->fd, name, &st) < 0 || (!S_ISREG(st.mode) && !S_ISLNK(st.mode)))
		return;
	buf_adds(&path, d->path);
	path_append(&path, name, strlen(name));
	f.path = buf_str(&path);
	f.second = recover_second(r, d, name, &st, &of);
	if (f.second)
		f.was = buf_str(&of);
	else if (S_ISREG(st.mode) && (act = recover_act(r, d, name)) != NULL)
		f.was = act->victim;
	if (f.was == NULL)
		f.why = "the journal does not tell its name";
	else if (!r->dry) {
		f.done = (f.second ? unlinkat(d->fd, name, 0) : recover_rename(d, act, name)) == 0;
		f.why = f.done ? NULL : strerror(errno);
	}
	r->found++;
	r->done += f.done;
	r->fn(r->arg, &f);
	buf_release(&path);
	buf_release(&of);
}

/* Look through the directory of the acts begin to end. */
static int
recover_dir(struct recover *r, size_t begin, size_t end, struct err *err)
{
	const char *victim = r->acts.lines.v[begin].victim;
	char *path = mem_dup(victim, path_parent_len(victim));
	struct fs_list list = { 0 };
	struct recover_dir d = { .path = path, .fd = fs_open_dir_below(path, 1), .list = &list, .begin = begin, .end = end };

	/*
	 * One that is gone, or a link now, has nothing of ours; of one that can't be read nobody
	 * knows.
	 */
	if (d.fd < 0 ? !fs_is_absent(errno) : fs_list_read(&list, d.fd) < 0) {
		const struct recover_found f = { .path = path, .why = strerror(errno) };

		r->found++;
		r->fn(r->arg, &f);
	}
	for (size_t i = 0; i < list.n; i++) {
		if (rename_is_unused(fs_list_name(&list, &list.v[i]), NULL))
			recover_one(r, &d, fs_list_name(&list, &list.v[i]));
	}
	if (d.fd >= 0)
		close(d.fd);
	fs_list_release(&list);
	free(path);
	return stop_check(err);
}

static bool
recover_same_dir(const struct acts_line *a, const struct acts_line *b)
{
	const size_t len = path_parent_len(a->victim);

	return path_parent_len(b->victim) == len && memcmp(a->victim, b->victim, len) == 0;
}

int
recover_run(struct index *ix, bool dry, recover_fn *fn, void *arg, int64_t *found, int64_t *done, struct err *err)
{
	struct recover r = { .dry = dry, .fn = fn, .arg = arg };
	int ret = acts_read(&r.acts, ix, err);

	content_reader_init(&r.reader, ix->secret, (struct fs_time){ 0, 0 });
	if (r.acts.lines.n > 1)
		qsort(r.acts.lines.v, r.acts.lines.n, sizeof(*r.acts.lines.v), recover_cmp);
	for (size_t begin = 0, end; ret == 0 && begin < r.acts.lines.n; begin = end) {
		for (end = begin + 1; end < r.acts.lines.n && recover_same_dir(&r.acts.lines.v[begin], &r.acts.lines.v[end]);)
			end++;
		ret = recover_dir(&r, begin, end, err);
	}
	content_reader_release(&r.reader);
	acts_read_release(&r.acts);
	*found = r.found;
	*done = r.done;
	return ret;
}
