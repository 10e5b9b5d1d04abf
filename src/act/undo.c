/* SPDX-License-Identifier: MIT */
/*
 * The acts of the journal that still stand are taken back one by one, the latest first, in
 * batches: the lines of a batch are on the disk before its files come back, its rows are written
 * behind.
 *
 * struct undo_work  what a run has at hand, with the directory of the act in hand
 * struct undo_one   an act on its way: its directory, and what has its name now
 *
 * Invariants: a name that is taken is left alone, unless it has the link that the act made, or,
 * where that was a hard link, a file with its content; a link is exchanged with a whole file that
 * is on the disk, and removed only when it is what came out of the exchange; what was copied has
 * the hash of the journal.
 */
#include "base/base.h"

#include "act/undo.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/acts.h"
#include "act/acts_read.h"
#include "act/locked_file.h"
#include "act/restore.h"
#include "act/index_update.h"
#include "act/prune.h"
#include "act/rescue_undo.h"
#include "act/undo_unread.h"
#include "db/db.h"
#include "index/dirs.h"
#include "index/index.h"
#include "index/meta.h"
#include "index/names.h"
#include "index/roots.h"
#include "index/row_history.h"
#include "index/volumes.h"
#include "sys/attrs.h"
#include "sys/fs.h"
#include "sys/rename.h"
#include "sys/stop.h"
#include "sys/sync.h"
#include "sys/volume.h"

/* Acts whose lines are written to the journal at a time. */
#define UNDO_BATCH 256

struct undo_one {
	const struct acts_line *act;
	int64_t number;               /* of its line in the journal of this run */
	int dir;                      /* of its file; borrowed from the work */
	const char *name;             /* in it; borrowed */
	bool taken;                   /* the name is there: */
	struct fs_stat now;           /* ... with this stat */
	bool removed;                 /* the copy of a rescue is gone */
	struct fs_stat left;          /* the inode that had the name, without it; nlink 0: gone */
	bool restored;                /* the file is back, with: */
	struct content_result content;
	struct fs_stat st;
	struct verdict verdict;
};

/* A file of several names, of which one has come back. */
struct undo_file {
	int64_t run, file;            /* as of its acts */
	const char *path;             /* borrowed from an act */
	struct fs_stat st;
	struct content_result content;
};

struct undo_work {
	const struct undo *u;
	const struct acts_read *read; /* the journal as it was */
	struct acts acts;
	struct content_reader reader;
	int64_t created;              /* the index, seconds since 1970 */
	struct volumes *volumes;
	struct dirs dirs;
	struct row_history_dropped dropped;
	struct undo_unread unread;
	struct undo_one *ones;        /* of a batch */
	size_t n;
	VEC(struct undo_file) files;
	char *path;                   /* owned; of the directory: */
	int dir;                      /* owned, or -1 */
	bool changed;                 /* its names are not on the disk yet */
};

/*
 * Make a directory, the first len bytes of path, as the journal has it; else private, of the owner
 * of the file that comes back.  Returns a descriptor, or -1 with errno.
 */
static int
undo_make_one(const struct undo_work *w, const struct acts_line *act, int above, const char *name, const char *path, size_t len)
{
	const struct acts_dir *known = acts_read_dir(w->read, path, len);
	const struct acts_dir private = { .mode = 0700, .uid = act->uid, .gid = act->gid, .attrs = "-" };
	const struct acts_dir *d = known != NULL ? known : &private;
	int fd;

	if (mkdirat(above, name, 0700) < 0 && errno != EEXIST)
		return -1;
	fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	/* Ordinary users can't set every owner: the directory stays private then. */
	if (fd >= 0 && attrs_set(fd, d->uid, d->gid, d->mode, d->attrs) < 0)
		(void)fchmod(fd, d->mode & 0700);
	return fd;
}

/* Make the directories on the way to path that are missing.  Returns a descriptor, or -1. */
static int
undo_make_dir(const struct undo_work *w, const struct acts_line *act, const char *path)
{
	int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), next;
	const char *whole = path, *name;
	size_t len;

	while (fd >= 0 && path_next(&path, &name, &len)) {
		char *text = mem_dup(name, len);

		next = openat(fd, text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0 && errno == ENOENT)
			next = undo_make_one(w, act, fd, text, whole, (size_t)(name + len - whole));
		free(text);
		close(fd);
		fd = next;
	}
	return fd;
}

/*
 * Close the directory in hand and sync its names.  The files were synced before they had names:
 * without a log the disk would hold names of inodes with a link count of 0, which fsck removes.
 * So sync the inodes once more, all at once.
 */
static void
undo_leave_dir(struct undo_work *w)
{
	if (w->dir >= 0 && w->changed) {
		if (volume_tells_files(w->dir))
			(void)sync_volume(w->dir);
		(void)sync_file(w->dir);
	}
	if (w->dir >= 0)
		close(w->dir);
	free(w->path);
	w->path = NULL;
	w->dir = -1;
	w->changed = false;
}

/* Open the directory of an act's file, unless it is in hand.  Returns a descriptor, or -1. */
static int
undo_enter_dir(struct undo_work *w, const struct acts_line *act)
{
	const char *victim = act->victim;
	const size_t len = path_parent_len(victim);

	if (w->dir >= 0 && strlen(w->path) == len && memcmp(w->path, victim, len) == 0)
		return w->dir;
	undo_leave_dir(w);
	w->path = mem_dup(victim, len);
	w->dir = fs_open_dir_below(w->path, 1);
	if (w->dir < 0 && errno == ENOENT)
		w->dir = undo_make_dir(w, act, w->path);
	return w->dir;
}

/* Note that an act needs no undoing. */
static int
undo_nothing(struct undo_one *o, const char *why)
{
	o->verdict.outcome = ACT_DONE;
	buf_adds(&o->verdict.why, why);
	return 0;
}

/* Whether an act is older than the index: each index has hashes of its own. */
static bool
undo_is_older(const struct undo_work *w, const struct undo_one *o)
{
	return o->act->run / 1000000000 < w->created;
}

/*
 * Decide that an act stands because a content is not there, or say the cause that older acts have.
 * Returns -1.
 */
static int
undo_unknown(const struct undo_work *w, struct undo_one *o, const char *why)
{
	return verdict_set(&o->verdict, ACT_UNSURE, "%s", undo_is_older(w, o) ?
	                   "its content cannot be recognized: the index is newer, and the hashes of the journal are another one's" : why);
}

/*
 * Fill the new file from the file at path.  Returns 1; 0: that has another content; or -1 with the
 * verdict.
 */
static int
undo_fill_from(struct undo_work *w, struct undo_one *o, struct restore *r, const char *path)
{
	const int fd = fs_open_file_below(path, 1);
	int ret;

	if (fd < 0)
		return 0;
	ret = restore_fill(r, o->act, fd, &w->reader, &o->verdict);
	close(fd);
	return ret;
}

/* The same from any file that the index has of the content. */
static int
undo_fill_from_index(struct undo_work *w, struct undo_one *o, struct restore *r)
{
	struct index *ix = w->u->ix;
	struct err err = { 0 };
	struct names names = names_of_content(ix->db, o->act->size, o->act->hash, &err);
	struct file_row row;
	int ret = 0;

	while (ret == 0 && names_next(&names, &row) == 1) {
		struct buf path = { 0 };

		if (dirs_path(&w->dirs, row.dir, &path, &err) == 0) {
			path_append(&path, row.name, row.name_len);
			ret = undo_fill_from(w, o, r, buf_str(&path));
		}
		buf_release(&path);
	}
	names_end(&names);
	return err.code != ERR_NONE ? verdict_set(&o->verdict, ACT_UNSURE, "%s", err.text) : ret;
}

/*
 * The same from a file of its size that the index has not read whole: the last scan may have met it
 * by another name, and alone of its size.
 */
static int
undo_fill_from_unread(struct undo_work *w, struct undo_one *o, struct restore *r)
{
	struct err err = { 0 };
	int ret = 0;

	/* Whatever they have, it is most likely not recognized. */
	if (undo_is_older(w, o))
		return 0;
	if (undo_unread_read(&w->unread, o->act->size, &w->dirs, &w->reader, &err) < 0)
		return verdict_set(&o->verdict, ACT_UNSURE, "%s", err.text);
	for (size_t i = 0; ret == 0 && i < w->unread.files.n; i++) {
		const struct undo_unread_file *f = &w->unread.files.v[i];

		if (f->size == o->act->size && memcmp(f->hash, o->act->hash, HASH_SIZE) == 0)
			ret = undo_fill_from(w, o, r, f->path);
	}
	return ret;
}

/* Fill the new file from a file that has the content, and finish it.  Returns 0 or -1. */
static int
undo_fill(struct undo_work *w, struct undo_one *o, struct restore *r)
{
	int ret = undo_fill_from(w, o, r, o->act->keeper);

	if (ret == 0)
		ret = undo_fill_from_index(w, o, r);
	if (ret == 0)
		ret = undo_fill_from_unread(w, o, r);
	if (ret == 0)
		return undo_unknown(w, o, "no file with its content is left");
	return ret < 0 ? -1 : restore_finish(r, o->act, &o->verdict);
}

/* Note that a file is back. */
static int
undo_restored(struct undo_work *w, struct undo_one *o, const struct fs_stat *st, const struct content_result *content)
{
	o->content = *content;
	o->st = *st;
	o->restored = content->error == 0 && content->has_hash && volumes_number(w->volumes, o->dir, st->dev, NULL) > 0;
	o->verdict.outcome = ACT_DONE;
	w->changed = true;
	if (o->act->file != 0 && o->restored)
		vec_push(&w->files, ((struct undo_file){ o->act->run, o->act->file, o->act->victim, *st, *content }));
	return 0;
}

/* The same of a new file that was put in place. */
static int
undo_put(struct undo_work *w, struct undo_one *o, const struct restore *r)
{
	struct content_result content = r->content;
	struct fs_stat st = { .nlink = 0 };

	/* A file without a stat gets no row: the next scan meets it. */
	content.has_hash &= fs_stat_fd(r->fd, &st) == 0;
	return undo_restored(w, o, &st, &content);
}

/* Make the name of an act one more of a file that has just come back.  Returns whether it is. */
static bool
undo_link_to(struct undo_one *o, const struct undo_file *f, struct fs_stat *st)
{
	char *dir = mem_dup(f->path, path_parent_len(f->path));
	const int from = fs_open_dir_below(dir, 1);
	bool same = false;

	free(dir);
	if (from < 0)
		return false;
	if (fs_stat_at(from, path_base(f->path), st) == 0 && st->inode == f->st.inode && st->dev == f->st.dev && st->size == f->st.size &&
	    fs_time_cmp(st->mtime, f->st.mtime) == 0 && linkat(from, path_base(f->path), o->dir, o->name, 0) == 0) {
		same = fs_stat_at(o->dir, o->name, st) == 0 && st->inode == f->st.inode && st->dev == f->st.dev;
		/* Another file had that name as it was linked. */
		if (!same)
			unlinkat(o->dir, o->name, 0);
	}
	close(from);
	return same;
}

/* Link to the file that the journal names for the act.  Returns whether there is one. */
static bool
undo_link_again(struct undo_work *w, struct undo_one *o)
{
	struct fs_stat st;

	for (size_t i = o->act->file != 0 ? w->files.n : 0; i-- > 0;) {
		const struct undo_file f = w->files.v[i];

		if (f.run == o->act->run && f.file == o->act->file && undo_link_to(o, &f, &st))
			return undo_restored(w, o, &st, &f.content) == 0;
	}
	return false;
}

/* Bring a file back whose name is free. */
static int
undo_missing(struct undo_work *w, struct undo_one *o)
{
	struct restore r;
	int ret;

	if (undo_link_again(w, o))
		return 0;
	ret = restore_open(&r, o->dir, RESTORE_WORD, &o->verdict);
	if (ret == 0)
		ret = undo_fill(w, o, &r);
	if (ret == 0 && restore_put(&r, o->name) < 0)
		ret = errno == EEXIST ? verdict_set(&o->verdict, ACT_UNSURE, "another file has its name now") :
		      verdict_errno(&o->verdict, errno, "it cannot be given its name");
	if (ret == 0)
		ret = undo_put(w, o, &r);
	restore_close(&r);
	return ret;
}

/* Put a new file in the place of the link that has the stat o->now. */
static int
undo_exchange(struct undo_work *w, struct undo_one *o, struct restore *r)
{
	struct fs_stat st;

	if (restore_exchange(r, o->name) < 0)
		return verdict_errno(&o->verdict, errno, "the link cannot be replaced");
	if (fs_stat_at(o->dir, r->name, &st) < 0 || st.inode != o->now.inode || st.dev != o->now.dev || st.size != o->now.size ||
	    fs_time_cmp(st.mtime, o->now.mtime) != 0 ||
	    (o->act->kind == ACT_SOFT && !acts_read_is_link(o->act, o->dir, r->name, &st)))
		verdict_set(&o->verdict, ACT_UNSURE, "another file has its name now");
	else if (unlinkat(o->dir, r->name, 0) < 0)
		verdict_errno(&o->verdict, errno, "the link cannot be removed");
	else {
		r->name[0] = '\0';
		return undo_put(w, o, r);
	}
	if (restore_exchange(r, o->name) < 0)
		verdict_add(&o->verdict, "; '%s' is left in the same directory (%s)", r->name, strerror(errno));
	return -1;
}

/* Let a link become a file of its own. */
static int
undo_link(struct undo_work *w, struct undo_one *o)
{
	struct locked_file held = LOCKED_FILE_NONE;
	struct restore r;
	int ret = restore_open(&r, o->dir, RESTORE_WORD, &o->verdict);

	if (ret == 0 && o->act->kind == ACT_HARD) {
		/* The lease: nobody may write to the original before the name leads to the copy. */
		ret = locked_file_open(&held, o->act->victim, NULL, &o->verdict);
		if (ret == 0)
			ret = restore_fill(&r, o->act, held.fd, &w->reader, &o->verdict);
		if (ret == 0)
			undo_unknown(w, o, "its content has changed since");
		ret = ret == 1 && restore_finish(&r, o->act, &o->verdict) == 0 && locked_file_check(&held, &o->verdict) == 0 ? 0 : -1;
	} else if (ret == 0)
		ret = undo_fill(w, o, &r);
	if (ret == 0)
		ret = undo_exchange(w, o, &r);
	if (ret == 0 && held.fd >= 0 && fs_stat_fd(held.fd, &o->left) < 0)
		o->left.nlink = 0;
	locked_file_close(&held);
	restore_close(&r);
	return ret;
}

/* Whether a file has the content of the act's file. */
static bool
undo_has_content(struct undo_work *w, const struct undo_one *o, int dir, const char *name)
{
	struct content_result content;
	struct fs_stat st;

	content_read(&w->reader, dir, name, CONTENT_FULL, &st, &content);
	return content.error == 0 && content.has_hash && memcmp(content.hash, o->act->hash, HASH_SIZE) == 0;
}

/* Whether the name has a file of its own with the content, time, mode and owner of the act's. */
static bool
undo_is_back(struct undo_work *w, const struct undo_one *o)
{
	const struct acts_line *l = o->act;

	return S_ISREG(o->now.mode) && o->now.size == l->size && fs_time_cmp(o->now.mtime, l->mtime) == 0 &&
	       (l->kind != ACT_HARD || (o->now.nlink == 1 && (o->now.mode & 07777) == l->mode && o->now.uid == l->uid && o->now.gid == l->gid)) &&
	       undo_has_content(w, o, o->dir, o->name);
}

/* Remove the .trashinfo of a file that was moved out of the trash. */
static void
undo_forget_trash(const char *to)
{
	const size_t files = path_parent_len(to), trash = path_up_len(to, files);
	char *dir = mem_dup(to, trash);
	struct buf name = { 0 };
	int fd = fs_open_dir_below(dir, 1), info;

	buf_addf(&name, "%s.trashinfo", path_base(to));
	info = fd >= 0 ? openat(fd, "info", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (info >= 0) {
		unlinkat(info, buf_str(&name), 0);
		close(info);
	}
	if (fd >= 0)
		close(fd);
	free(dir);
	buf_release(&name);
}

/*
 * Move a file back from the trash, if it is still the one that was moved there.  Returns 1; 0: it
 * is not; or -1 with the verdict.
 */
static int
undo_trash(struct undo_work *w, struct undo_one *o)
{
	char *dir = mem_dup(o->act->to, path_parent_len(o->act->to));
	const int from = fs_open_dir_below(dir, 1);
	const char *name = path_base(o->act->to);
	struct content_result content;
	struct fs_stat st;
	int ret = 0;

	free(dir);
	if (from < 0)
		return 0;
	if (fs_stat_at(from, name, &st) == 0 && S_ISREG(st.mode) && st.size == o->act->size && fs_time_cmp(st.mtime, o->act->mtime) == 0 &&
	    undo_has_content(w, o, from, name))
		ret = rename_back(from, name, o->dir, o->name) == 0 ? 1 : errno == EXDEV ? 0 : -1;
	if (ret < 0 && errno == EEXIST)
		verdict_set(&o->verdict, ACT_UNSURE, "another file has its name now");
	else if (ret < 0)
		verdict_errno(&o->verdict, errno, "it cannot be moved back");
	close(from);
	if (ret == 1) {
		undo_forget_trash(o->act->to);
		content_read(&w->reader, o->dir, o->name, CONTENT_FULL, &st, &content);
		undo_restored(w, o, &st, &content);
	}
	return ret;
}

/* Take one act back.  The verdict is reached. */
static void
undo_one(struct undo_work *w, struct undo_one *o)
{
	int ret;

	if (o->act->kind == ACT_RESCUE) {
		ret = rescue_undo(o->act, &w->reader, &o->left, &o->verdict);
		if (ret == 0)
			undo_nothing(o, "its copy is not there");
		o->removed = ret == 1;
		if (ret == 1)
			o->verdict.outcome = ACT_DONE;
		return;
	}
	if (o->act->kind == ACT_REFLINK) {
		undo_nothing(o, "a separate file already");
		return;
	}
	o->name = path_base(o->act->victim);
	o->dir = undo_enter_dir(w, o->act);
	if (o->dir < 0) {
		verdict_errno(&o->verdict, errno, "its directory cannot be opened");
		return;
	}
	o->taken = fs_stat_at(o->dir, o->name, &o->now) == 0;
	if (!o->taken && errno != ENOENT)
		verdict_errno(&o->verdict, errno, "its name cannot be looked at");
	else if (!o->taken) {
		ret = o->act->to != NULL ? undo_trash(w, o) : 0;
		if (ret == 0)
			undo_missing(w, o);
	} else if (undo_is_back(w, o))
		undo_nothing(o, "there already");
	else if (o->act->kind == ACT_HARD ? S_ISREG(o->now.mode) : acts_read_is_link(o->act, o->dir, o->name, &o->now))
		/* Of a hard link the copy may be elsewhere by now, or gone: its content tells. */
		undo_link(w, o);
	else
		undo_unknown(w, o, "another file has its name now");
}

/*
 * The stat that the names need which are left of the inode that a hard link led to, or NULL: once a
 * batch is enough.
 */
static const struct fs_stat *
undo_links(const struct undo_work *w, const struct undo_one *o)
{
	if (o->left.nlink == 0 || o->left.size != o->now.size || fs_time_cmp(o->left.mtime, o->now.mtime) != 0)
		return NULL;
	for (const struct undo_one *later = o + 1; later < w->ones + w->n; later++) {
		if (later->restored && later->left.nlink > 0 && later->left.inode == o->left.inode && later->left.dev == o->left.dev)
			return NULL;
	}
	return &o->left;
}

/* Remove the directories that were made for the copies of a run, as far as they are empty now. */
static int
undo_made(struct undo_work *w, int64_t run, struct err *err)
{
	struct roots roots = { 0 };
	int ret = roots_load(&roots, w->u->ix->db, err) < 0 || db_begin(w->u->ix->db, err) < 0 ? -1 : 0;

	if (ret < 0) {
		roots_release(&roots);
		return -1;
	}
	for (size_t i = w->read->made.n; ret >= 0 && i-- > 0;) {
		if (w->read->made.v[i].run == run)
			ret = prune_one(w->u->ix, &roots, w->read->made.v[i].path, err);
	}
	roots_release(&roots);
	return db_end(w->u->ix->db, ret < 0 ? -1 : 0, err);
}

/* Make the directories again that the run of an act left empty, and was asked to remove then. */
static int
undo_pruned(struct undo_work *w, const struct acts_line *act, struct err *err)
{
	int ret = db_begin(w->u->ix->db, err);
	int64_t dir;

	if (ret < 0)
		return -1;
	for (size_t i = 0; ret >= 0 && i < w->read->dirs.n; i++) {
		const struct acts_dir *d = &w->read->dirs.v[i];
		const bool asked = d->run == act->run && (w->u->n_paths == 0 || path_is_below_any(d->path, w->u->paths, w->u->n_paths));
		const int fd = asked ? undo_make_dir(w, act, d->path) : -1;

		if (fd < 0)
			continue;
		close(fd);
		ret = index_update_dir(w->u->ix, &w->dropped, d->path, &dir, err);
	}
	return db_end(w->u->ix->db, ret < 0 ? -1 : 0, err);
}

/* The rows of a batch. */
static int
undo_settle_rows(struct undo_work *w, struct undo_sums *sums, struct err *err)
{
	int ret = volumes_save(w->volumes, w->u->ix->db, err);

	for (size_t i = 0; ret >= 0 && i < w->n; i++) {
		struct undo_one *o = &w->ones[i];
		struct file_row row = { .dir = 0 };

		/* The row of a copy that is gone. */
		if (o->removed) {
			struct index_update s = { .ix = w->u->ix };
			struct act_file f = { .path = o->act->victim };

			ret = dirs_find_file(w->u->ix->db, f.path, &f.row, err);
			if (ret == 1)
				ret = index_update_removed(&s, &f, &o->left, err) < 0 || index_update_write(&s, err) < 0 ? -1 : 0;
			index_update_release(&s);
			continue;
		}
		if (!o->restored)
			continue;
		file_from_stat(&row, &o->st, volumes_known(w->volumes, o->st.dev));
		row.has_hash = o->content.has_hash;
		row.has_head = o->content.has_head;
		row.head = o->content.head;
		memcpy(row.hash, o->content.hash, HASH_SIZE);
		ret = index_update_restored(w->u->ix, o->act->victim, &row, undo_links(w, o), &w->dropped, err);
		sums->rows += ret == 1;
		sums->unindexed += ret == 0;
	}
	return ret < 0 ? -1 : 0;
}

static void
undo_tell(const struct undo_work *w, const struct undo_one *o)
{
	const struct undo_told told = { .act = o->act, .outcome = o->verdict.outcome, .why = o->verdict.why.len > 0 ? buf_str(&o->verdict.why) : NULL };

	w->u->fn(w->u->arg, &told);
}

/* Take the acts of a batch back, until a signal comes. */
static int
undo_batch(struct undo_work *w, struct undo_sums *sums, struct err *err)
{
	int ret = w->acts.path == NULL ? acts_begin(&w->acts, w->u->ix, "undo", err) : 0;

	if (ret < 0)
		return -1;
	for (size_t i = 0; i < w->n; i++)
		w->ones[i].number = acts_add_undo(&w->acts, w->ones[i].act->run, w->ones[i].act->number);
	ret = acts_sync(&w->acts, err);
	for (size_t i = 0; i < w->n; i++) {
		struct undo_one *o = &w->ones[i];

		w->u->tick(w->u->arg, sums->done, sums->acts);
		if (ret == 0 && stop_signal() == 0)
			undo_one(w, o);
		if (o->verdict.outcome != ACT_DONE)
			acts_add_not(&w->acts, o->number);
		sums->done += o->verdict.outcome == ACT_DONE;
	}
	undo_leave_dir(w);
	if (ret == 0)
		ret = db_begin(w->u->ix->db, err);
	if (ret == 0)
		ret = db_end(w->u->ix->db, undo_settle_rows(w, sums, err), err);
	for (size_t i = 0; i < w->n; i++) {
		if (w->ones[i].verdict.outcome != ACT_PENDING)
			undo_tell(w, &w->ones[i]);
		verdict_release(&w->ones[i].verdict);
	}
	return ret < 0 ? -1 : stop_check(err);
}

/* Take back those acts that were chosen, in their order. */
static int
undo_chosen(struct undo_work *w, const struct acts_line *const *chosen, size_t n, struct undo_sums *sums, struct err *err)
{
	int ret = 0;

	for (size_t at = 0; ret == 0 && at < n;) {
		for (w->n = 0; w->n < UNDO_BATCH && at < n; at++)
			w->ones[w->n++] = (struct undo_one){ .act = chosen[at] };
		if (!w->u->dry)
			ret = undo_batch(w, sums, err);
		for (size_t i = 0; w->u->dry && i < w->n; i++)
			undo_tell(w, &w->ones[i]);
	}
	for (size_t i = 0; ret == 0 && !w->u->dry && i < n; i++) {
		if ((i == 0 || chosen[i]->run != chosen[i - 1]->run) &&
		    (undo_made(w, chosen[i]->run, err) < 0 || undo_pruned(w, chosen[i], err) < 0))
			ret = -1;
	}
	return ret;
}

/* Count the latest acts, those of the run and the one before it.  Returns 0 without one. */
static int64_t
undo_reach(const struct acts_read *acts, int64_t run)
{
	int64_t before = run, n = 0;

	for (size_t i = acts->lines.n; i > 0; i--) {
		const struct acts_line *l = &acts->lines.v[i - 1];

		if (l->failed || l->undone)
			continue;
		if (l->run != before && before != run)
			break;
		before = l->run;
		n++;
	}
	return before != run ? n : 0;
}

int
undo_run(const struct undo *u, struct undo_sums *sums, struct err *err)
{
	struct undo_work w = { .u = u, .acts = { .fd = -1 }, .dirs = { .db = u->ix->db }, .dir = -1 };
	struct acts_read acts = { .n_torn = 0 };
	VEC(const struct acts_line *) chosen = { 0 };
	int64_t run = -1;
	int ret = acts_read(&acts, u->ix, err) < 0 || acts_read_check_paths(&acts, u->paths, u->n_paths, err) < 0 ? -1 : 0;

	assert(u->most >= 0 && (u->dry || u->tick != NULL) && (u->dry || !u->ix->db->in_transaction));
	*sums = (struct undo_sums){ .acts = 0 };
	for (size_t i = acts.lines.n; i > 0; i--) {
		const struct acts_line *l = &acts.lines.v[i - 1];

		if (l->failed || l->undone || (u->n_paths > 0 && !path_is_below_any(l->victim, u->paths, u->n_paths)) ||
		    (u->most > 0 ? (int64_t)chosen.n >= u->most : run >= 0 && l->run != run))
			continue;
		run = l->run;
		vec_push(&chosen, l);
	}
	sums->acts = (int64_t)chosen.n;
	sums->reach = u->most == 0 && u->n_paths == 0 ? undo_reach(&acts, run) : 0;
	w.read = &acts;
	content_reader_init(&w.reader, u->ix->secret, (struct fs_time){ 0, 0 });
	w.ones = mem_zalloc(UNDO_BATCH, sizeof(*w.ones));
	if (ret == 0)
		ret = meta_int(u->ix->db, "created", &w.created, err);
	if (ret == 0)
		ret = volumes_load(&w.volumes, u->ix->db, err);
	if (ret == 0)
		ret = volumes_recognize_all(w.volumes, u->ix->db, err);
	if (ret == 0)
		ret = undo_chosen(&w, chosen.v, chosen.n, sums, err);
	if (w.acts.path != NULL)
		ret = acts_end(&w.acts, ret, err);
	free(w.ones);
	vec_release(&w.files);
	volumes_free(w.volumes);
	dirs_release(&w.dirs);
	row_history_dropped_release(&w.dropped);
	undo_unread_release(&w.unread);
	content_reader_release(&w.reader);
	vec_release(&chosen);
	acts_read_release(&acts);
	return ret;
}
