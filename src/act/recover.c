/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/recover.h"

#include <sys/stat.h>
#include <unistd.h>

#include "act/acts_read.h"
#include "act/same_file.h"
#include "act/link.h"
#include "act/remove.h"
#include "act/restore.h"
#include "index/file.h"
#include "index/index.h"
#include "index/names.h"
#include "query/dirtree.h"
#include "sys/content.h"
#include "sys/fs.h"
#include "sys/rename.h"
#include "sys/stop.h"
#include "sys/volume.h"

/* Prefix of the names that scripts of rmsh --portable give; two numbers follow. */
#define RECOVER_SCRIPT ".twindex-rmsh-"

struct recover {
	struct index *ix;
	struct acts_read acts;
	struct dirtree *dirs;   /* where scripts may have left files */
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
	bool script;            /* look for names of scripts, not of acts */
	int64_t id;             /* its number in the index, for these */
	size_t begin, end;      /* its acts, in the order of directories */
};

/* Whether an act or a script has given this name. */
static bool
recover_is_ours(const struct recover_dir *d, const char *name)
{
	static const char digits[] = "0123456789";
	const size_t prefix = sizeof(RECOVER_SCRIPT) - 1;
	size_t pid;

	if (!d->script)
		return rename_is_unused(name, NULL);
	if (strncmp(name, RECOVER_SCRIPT, prefix) != 0)
		return false;
	pid = strspn(name + prefix, digits);
	name += prefix + pid;
	return pid > 0 && name[0] == '-' && name[1] != '\0' && name[1 + strspn(name + 1, digits)] == '\0';
}

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

/* Whether the victim's name is free, or has only the link that the act made. */
static bool
recover_is_free(const struct recover_dir *d, const struct acts_line *l)
{
	const char *name = path_base(l->victim);
	struct fs_stat now;

	/* FUSE may cache a name for a while after it is gone. */
	if (fs_stat_fresh(d->fd, name, &now) < 0)
		return errno == ENOENT;
	return acts_read_is_link(l, d->fd, name, &now);
}

/*
 * Whether an act may have left its file under this name: one that did not end, or one that undo was
 * taking back.  Undo takes a copy of a rescue away as rm takes files.
 */
static bool
recover_may_be(const struct acts_line *l, const char *name)
{
	if (l->kind == ACT_RESCUE)
		return rename_is_unused(name, RESTORE_RESCUE_WORD) ? !l->ended || l->failed : rename_is_unused(name, REMOVE_WORD);
	return !rename_is_unused(name, RESTORE_RESCUE_WORD) && (!l->ended || l->failed || rename_is_unused(name, RESTORE_WORD));
}

/*
 * The act whose file has the name now.  Acts of finished runs were done or taken back.  A run does
 * its acts in the order of the journal: so it was interrupted at the last act in the directory
 * whose file is missing and had this size, time and content.  *taken is the last act of such a
 * file whose name another file has now, or NULL.
 */
static const struct acts_line *
recover_act(struct recover *r, const struct recover_dir *d, const char *name, const struct acts_line **taken)
{
	const struct acts_line *found = NULL;
	struct content_result content;
	struct fs_stat st;

	content_read(&r->reader, d->fd, name, CONTENT_FULL, &st, &content);
	if (content.error != 0 || !content.has_hash)
		return NULL;
	for (size_t i = d->end; found == NULL && i > d->begin; i--) {
		const struct acts_line *l = &r->acts.lines.v[i - 1];

		if (recover_may_be(l, name) && l->size == st.size && fs_time_cmp(l->mtime, st.mtime) == 0 &&
		    memcmp(l->hash, content.hash, HASH_SIZE) == 0) {
			if (recover_is_free(d, l))
				found = l;
			else if (*taken == NULL)
				*taken = l;
		}
	}
	return found;
}

/*
 * Find the missing files of the directory that the index has with the content of the file with
 * this name; append the path of one to was.  Returns how many there are, or -1.
 */
static int
recover_row(struct recover *r, const struct recover_dir *d, const char *name, struct buf *was, struct err *err)
{
	struct content_result content;
	struct file_row row;
	struct names names;
	struct fs_stat st, now;
	int n = 0, ret;

	content_read(&r->reader, d->fd, name, CONTENT_FULL, &st, &content);
	if (content.error != 0 || !content.has_hash)
		return 0;
	names = names_of_content(r->ix->db, st.size, content.hash, err);
	while ((ret = names_next(&names, &row)) == 1) {
		if (row.dir != d->id || fs_time_cmp(row.mtime, st.mtime) != 0 || fs_stat_at(d->fd, row.name, &now) == 0 || errno != ENOENT)
			continue;
		buf_cut(was, 0);
		buf_adds(was, d->path);
		path_append(was, row.name, row.name_len);
		n++;
	}
	return ret < 0 ? -1 : n;
}

/* Append the path of another name of the inode beside this one.  Returns whether there is one. */
static bool
recover_other_name(const struct recover_dir *d, const char *name, const struct fs_stat *st, struct buf *of)
{
	struct fs_stat other;

	for (size_t i = 0; st->nlink > 1 && of->len == 0 && i < d->list->n; i++) {
		const char *n = fs_list_name(d->list, &d->list->v[i]);

		if (strcmp(n, name) == 0 || recover_is_ours(d, n) || fs_stat_at(d->fd, n, &other) < 0 ||
		    other.inode != st->inode || other.dev != st->dev)
			continue;
		buf_adds(of, d->path);
		path_append(of, n, strlen(n));
	}
	return of->len > 0;
}

/*
 * Append the path of the file that this name is only a second name of, or a link to, made by a
 * probe or an act.  Returns whether there is one.
 */
static bool
recover_second(const struct recover *r, const struct recover_dir *d, const char *name, const struct fs_stat *st, struct buf *of)
{
	const bool link = rename_is_unused(name, LINK_WORD) || rename_is_unused(name, RESTORE_WORD);

	if (rename_is_unused(name, SAME_FILE_WORD))
		recover_other_name(d, name, st, of);
	for (size_t i = d->end; link && of->len == 0 && i > d->begin; i--) {
		if (acts_read_is_link(&r->acts.lines.v[i - 1], d->fd, name, st))
			buf_adds(of, r->acts.lines.v[i - 1].keeper);
	}
	return of->len > 0;
}

/*
 * Whether a probe has given this name to the file of an act, where names of one file have
 * different inode numbers (sshfs): their time and content are the same.
 */
static bool
recover_is_probe_of(struct recover *r, const struct recover_dir *d, const char *name, const struct acts_line *l)
{
	const char *names[] = { name, path_base(l->victim) };
	struct content_result content[2];
	struct fs_stat st[2];

	if (!rename_is_unused(name, SAME_FILE_WORD) || volume_tells_files(d->fd))
		return false;
	for (size_t i = 0; i < 2; i++) {
		content_read(&r->reader, d->fd, names[i], CONTENT_FULL, &st[i], &content[i]);
		if (content[i].error != 0 || !content[i].has_hash)
			return false;
	}
	return st[0].size == st[1].size && fs_time_cmp(st[0].mtime, st[1].mtime) == 0 && memcmp(content[0].hash, content[1].hash, HASH_SIZE) == 0;
}

/*
 * The hard link that undo was exchanging with a copy of itself, both of which it has left, where
 * the copy that stayed is no longer at its path; or NULL.  Either has the content.
 */
static const struct acts_line *
recover_twin(struct recover *r, const struct recover_dir *d, const char *name)
{
	struct content_result content, other;
	struct fs_stat st, other_st;

	if (!rename_is_unused(name, RESTORE_WORD))
		return NULL;
	content_read(&r->reader, d->fd, name, CONTENT_FULL, &st, &content);
	for (size_t i = content.error == 0 && content.has_hash ? d->end : d->begin; i > d->begin; i--) {
		const struct acts_line *l = &r->acts.lines.v[i - 1];

		if (l->kind != ACT_HARD || l->size != st.size || memcmp(l->hash, content.hash, HASH_SIZE) != 0)
			continue;
		content_read(&r->reader, d->fd, path_base(l->victim), CONTENT_FULL, &other_st, &other);
		if (other.error == 0 && other.has_hash && memcmp(l->hash, other.hash, HASH_SIZE) == 0)
			return l;
	}
	return NULL;
}

/*
 * The original that a killed rescue was copying to this name: the last act of the directory whose
 * copy is missing, and whose original is as it was.  A part of its content is nothing of its own.
 */
static const struct acts_line *
recover_part(const struct recover *r, const struct recover_dir *d, const char *name, const struct fs_stat *st)
{
	struct fs_stat original;

	for (size_t i = rename_is_unused(name, RESTORE_RESCUE_WORD) ? d->end : d->begin; i > d->begin; i--) {
		const struct acts_line *l = &r->acts.lines.v[i - 1];

		if (l->kind == ACT_RESCUE && (!l->ended || l->failed) && st->size <= l->size && recover_is_free(d, l) &&
		    fs_stat_path(l->keeper, &original) == 0 && S_ISREG(original.mode) && original.size == l->size &&
		    fs_time_cmp(original.mtime, l->mtime) == 0 && (original.inode != st->inode || original.dev != st->dev))
			return l;
	}
	return NULL;
}

/*
 * Give a file back the name of the path was, which it had before an act (l), in the place of the
 * act's link, if that is there, or before a script (NULL).  Returns 0, or -1 with errno.
 */
static int
recover_rename(const struct recover_dir *d, const struct acts_line *l, const char *was, const char *name)
{
	struct fs_stat st;

	was = path_base(was);
	if (l == NULL || fs_stat_fresh(d->fd, was, &st) < 0)
		return rename_back(d->fd, name, d->fd, was);
	if (rename_exchange(d->fd, name, was) < 0)
		return -1;
	if (fs_stat_at(d->fd, name, &st) == 0 && acts_read_is_link(l, d->fd, name, &st))
		return unlinkat(d->fd, name, 0);
	/* Another file was put there at this moment. */
	errno = rename_exchange(d->fd, name, was) < 0 ? errno : EEXIST;
	return -1;
}

/* Find the name of an act's or a script's file: f->was, borrowed from of or the act; or f->why. */
static int
recover_find(struct recover *r, const struct recover_dir *d, const char *name, const struct fs_stat *st,
             struct recover_found *f, const struct acts_line **act, struct buf *of, struct err *err)
{
	const struct acts_line *taken = NULL, *part, *twin;
	int n;

	if (!d->script) {
		*act = recover_act(r, d, name, &taken);
		if (*act == NULL && (part = recover_part(r, d, name, st)) != NULL) {
			f->part = true;
			f->was = part->keeper;
			return 0;
		}
		twin = *act == NULL ? recover_twin(r, d, name) : NULL;
		if (twin == NULL && *act == NULL && taken != NULL && recover_is_probe_of(r, d, name, taken))
			twin = taken;
		f->second = twin != NULL;
		f->was = *act != NULL ? (*act)->victim : f->second ? twin->victim : NULL;
		if (f->was != NULL)
			return 0;
		if (taken != NULL)
			buf_addf(of, "another file has its name now: '%s'", taken->victim);
		f->why = taken != NULL ? buf_str(of) : "the journal has no name for it";
		return 0;
	}
	n = recover_row(r, d, name, of, err);
	/* All its other names are there: this one was made by a probe. */
	f->second = n == 0 && recover_other_name(d, name, st, of);
	n += f->second;
	f->was = n == 1 ? buf_str(of) : NULL;
	f->why = n == 1 ? NULL : n > 1 ? "several files of its content and time are missing in its directory: give it the name of one" :
	         "the index has no file of its content and time that is missing in its directory";
	return n < 0 ? -1 : 0;
}

/* One name of ours. */
static int
recover_one(struct recover *r, const struct recover_dir *d, const char *name, struct err *err)
{
	struct recover_found f = { .done = false };
	struct buf path = { 0 }, of = { 0 };
	const struct acts_line *act = NULL;
	struct fs_stat st;
	int ret = 0;

	if (fs_stat_at(d->fd, name, &st) < 0 || (!S_ISREG(st.mode) && !S_ISLNK(st.mode)))
		return 0;
	buf_adds(&path, d->path);
	path_append(&path, name, strlen(name));
	f.path = buf_str(&path);
	f.second = recover_second(r, d, name, &st, &of);
	if (f.second)
		f.was = buf_str(&of);
	else if (S_ISREG(st.mode))
		ret = recover_find(r, d, name, &st, &f, &act, &of, err);
	else
		f.why = "the journal has no name for it";
	if (f.was != NULL && !r->dry) {
		f.done = (f.second || f.part ? unlinkat(d->fd, name, 0) : recover_rename(d, act, f.was, name)) == 0;
		f.why = f.done ? NULL : errno == EEXIST ? "its name is taken, or was until just now: run recover again" : strerror(errno);
	}
	if (ret == 0) {
		r->found++;
		r->done += f.done;
		r->fn(r->arg, &f);
	}
	buf_release(&path);
	buf_release(&of);
	return ret;
}

/* Look through a directory, which is not open yet. */
static int
recover_look(struct recover *r, struct recover_dir *d, struct err *err)
{
	struct fs_list list = { 0 };
	int ret = 0;

	d->fd = fs_open_dir_below(d->path, 1);
	d->list = &list;
	/*
	 * A directory that is gone, or a link now, has no name of ours; one that can't be read
	 * may have some.
	 */
	if ((d->fd < 0 ? !fs_is_absent(errno) : fs_list_read(&list, d->fd) < 0) && stop_signal() == 0) {
		const struct recover_found f = { .path = d->path, .why = strerror(errno) };

		r->found++;
		r->fn(r->arg, &f);
	}
	for (size_t i = 0; ret == 0 && i < list.n; i++) {
		if (recover_is_ours(d, fs_list_name(&list, &list.v[i])))
			ret = recover_one(r, d, fs_list_name(&list, &list.v[i]), err);
	}
	if (d->fd >= 0)
		close(d->fd);
	fs_list_release(&list);
	return ret < 0 ? -1 : stop_check(err);
}

/* Look through the directory of the acts begin to end. */
static int
recover_dir(struct recover *r, size_t begin, size_t end, struct err *err)
{
	const char *victim = r->acts.lines.v[begin].victim;
	char *path = mem_dup(victim, path_parent_len(victim));
	const int ret = recover_look(r, &(struct recover_dir){ .path = path, .begin = begin, .end = end }, err);

	free(path);
	return ret;
}

/* Look for what scripts have left at and below a path. */
static int
recover_below(struct recover *r, const char *top, struct err *err)
{
	const uint32_t from = dirtree_find(r->dirs, top), end = from != DIRTREE_NONE ? dirtree_end(r->dirs, from) : from;
	struct buf path = { 0 };
	int ret = 0;

	for (uint32_t i = from; ret == 0 && i < end; i++) {
		const int64_t id = dirtree_id(r->dirs, i);

		buf_cut(&path, 0);
		dirtree_path(r->dirs, i, &path);
		if (id != 0)
			ret = recover_look(r, &(struct recover_dir){ .path = buf_str(&path), .script = true, .id = id }, err);
	}
	buf_release(&path);
	return ret;
}

int
recover_run(struct index *ix, const char *const *paths, size_t n, bool dry, recover_fn *fn, void *arg, int64_t *found,
            int64_t *done, struct err *err)
{
	struct recover r = { .ix = ix, .dry = dry, .fn = fn, .arg = arg };
	int ret = acts_read(&r.acts, ix, err);

	content_reader_init(&r.reader, ix->secret, (struct fs_time){ 0, 0 });
	if (r.acts.lines.n > 1)
		qsort(r.acts.lines.v, r.acts.lines.n, sizeof(*r.acts.lines.v), recover_cmp);
	for (size_t begin = 0, end; ret == 0 && begin < r.acts.lines.n; begin = end) {
		const char *victim = r.acts.lines.v[begin].victim;
		const size_t len = path_parent_len(victim);

		end = begin + 1;
		while (end < r.acts.lines.n && path_parent_len(r.acts.lines.v[end].victim) == len && memcmp(r.acts.lines.v[end].victim, victim, len) == 0)
			end++;
		ret = recover_dir(&r, begin, end, err);
	}
	if (ret == 0 && n > 0)
		ret = dirtree_load(&r.dirs, ix->db, err);
	for (size_t i = 0; ret == 0 && i < n; i++)
		ret = recover_below(&r, paths[i], err);
	dirtree_free(r.dirs);
	content_reader_release(&r.reader);
	acts_read_release(&r.acts);
	*found = r.found;
	*done = r.done;
	return ret;
}
