/* SPDX-License-Identifier: MIT */
/*
 * Files are copied in batches.  Each batch takes these steps, of which the first that fails is the
 * verdict of a file:
 *
 *  1. rescue_open     The original is opened with a lease, and read: its hash, owner, mode,
 *                     attributes and time make a line of the journal.  A file that has the copy's
 *                     name already is compared, and stays.
 *  2. The lines, and those of directories to be made, are seen to the disk.
 *  3. rescue_copy     A new file without a name gets the content, and all that the line says.
 *  4. rescue_sync     The new files are seen to the disk.
 *  5. rescue_place    The new file is read from the disk, its hash compared with the line's; the
 *                     original is as it was, or else nothing happens; the new file gets its name.
 *  6. rescue_settle   The names are seen to the disk, the index learns of them, and it is told.
 *
 * A further name of an inode that was copied becomes a link to its copy (rescue_link).
 *
 * struct rescue_work a run, with its batch
 * struct rescue_one  a file of the batch
 *
 * Invariants: no name is replaced; nothing is told as copied before it is on the disk; a kill at
 * any moment leaves whole copies, or none, and an unused name at most where files without a name
 * are not possible, which act/recover removes.
 *
 * Threads: where there is much to copy, one does the steps 1 to 5 of a batch, while the calling one
 * waits for it and tells how far it is; then that does step 6.  They never work at the same time.
 */
#include "base/base.h"

#include "act/rescue.h"

#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/acts.h"
#include "act/acts_read.h"
#include "act/index_update.h"
#include "act/locked_dir.h"
#include "act/locked_file.h"
#include "act/rescue_dirs.h"
#include "act/rescue_target.h"
#include "act/restore.h"
#include "act/verdict.h"
#include "db/db.h"
#include "index/dirs.h"
#include "index/index.h"
#include "index/own_files.h"
#include "index/volumes.h"
#include "sys/attrs.h"
#include "sys/fs.h"
#include "sys/stop.h"
#include "sys/sync.h"
#include "sys/tasks.h"

/* Most files, and bytes, of a batch. */
enum { RESCUE_BATCH = 64 };
#define RESCUE_BATCH_BYTES (INT64_C(256) * 1024 * 1024)
/* Descriptors of a file and its copy with their directories; and all other descriptors. */
enum { RESCUE_FDS = 4, RESCUE_FDS_BESIDE = 28 };
/* Bytes from which on it takes a while to copy them. */
#define RESCUE_LONG (INT64_C(64) * 1024 * 1024)
/* Times that the bytes of a file are read or written: by the steps 1, 3 and 5. */
enum { RESCUE_PASSES = 3 };
/* New files from which on their volume is synced at once. */
enum { RESCUE_MANY = 8 };

/* A file on its way. */
struct rescue_one {
	const struct rescue_file *file;
	char *to;                    /* owned */
	enum rescue_outcome outcome; /* RESCUE_PLANNED: not reached yet */
	struct verdict verdict;      /* reached: why not */
	struct locked_file held;     /* the original */
	struct acts_line line;       /* as in the journal */
	struct buf attrs;            /* of line */
	size_t link;                 /* position of its inode in links + 1; 0: one name */
	bool again;                  /* another name of it was met before */
	struct locked_dir *in;       /* where the copy is to lie */
	struct restore copy;
	struct buf lacks;
	int64_t due;                 /* bytes that it has to add to rescue_work.passed */
	bool placed;                 /* the copy has its name, and: */
	struct fs_stat st;
};

/* An inode with several names. */
struct rescue_link {
	uint64_t dev, inode;
	int64_t number;              /* of the first act on it */
	char *copy;                  /* its copy, once that is in place; owned */
	struct fs_stat st;           /* of that */
	uint8_t hash[HASH_SIZE];
	struct content_result content;
};

struct rescue_work {
	const struct rescue *r;
	struct rescue_sums *sums;
	struct acts acts;
	struct rescue_dirs dirs;
	struct locked_file_dirs open;
	struct content_reader reader;
	struct own_files own;
	struct volumes *volumes;
	VEC(struct rescue_link) links;
	struct table by_inode;       /* of links */
	struct rescue_one *ones;     /* the batch */
	size_t n, most;
	size_t next;                 /* of r->files: the first of the next batch */
	int ret;                     /* of the steps up to 5 */
	struct err *err;
	struct tasks *thread;        /* does these steps */
	_Atomic int64_t done;        /* files, for ticks */
	_Atomic int64_t passed;      /* bytes read, written or read back, for ticks */
};

/* Find the inode of an original of several names, or note it. */
static void
rescue_find_link(struct rescue_work *w, struct rescue_one *o)
{
	const struct fs_stat *st = &o->held.st;
	const uint64_t hash = table_hash(st->dev, st->inode);

	if (st->nlink < 2)
		return;
	TABLE_EACH(i, &w->by_inode, hash) {
		if (w->links.v[i].dev == st->dev && w->links.v[i].inode == st->inode) {
			o->link = i + 1;
			/* Unless the others could not be read. */
			o->again = w->links.v[i].number != 0;
			return;
		}
	}
	table_add(&w->by_inode, hash, w->links.n);
	vec_push(&w->links, ((struct rescue_link){ .dev = st->dev, .inode = st->inode }));
	o->link = w->links.n;
}

/* Read the original.  Returns 0, or -1 with the verdict. */
static int
rescue_read(struct rescue_work *w, struct rescue_one *o)
{
	struct rescue_link *link = o->link > 0 ? &w->links.v[o->link - 1] : NULL;
	struct content_result content;
	struct fs_stat st = o->held.st;

	if (o->again && locked_file_tells_files(&o->held)) {
		memcpy(o->line.hash, link->hash, HASH_SIZE);
		return 0;
	}
	content_read_open(&w->reader, o->held.fd, CONTENT_FULL, &st, &content);
	if (content.error != 0)
		return verdict_set(&o->verdict, ACT_UNSURE, "it cannot be read: %s",
		                   content.error > 0 ? strerror(content.error) : content.error == CONTENT_STOPPED ? "a signal came" : "it changes");
	if (!content.has_hash)
		return verdict_set(&o->verdict, ACT_UNSURE, "it cannot be read to its end");
	memcpy(o->line.hash, content.hash, HASH_SIZE);
	/* Where inode numbers do not tell files apart, the content does. */
	if (o->again && memcmp(link->hash, content.hash, HASH_SIZE) != 0) {
		o->again = false;
		o->link = 0;
	} else if (link != NULL)
		memcpy(link->hash, content.hash, HASH_SIZE);
	return locked_file_check(&o->held, &o->verdict);
}

/* Open a file of the batch, and add its line to the journal. */
static void
rescue_open(struct rescue_work *w, struct rescue_one *o)
{
	o->outcome = RESCUE_FAILED;
	if (locked_file_open(&o->held, o->file->path, &w->open, &o->verdict) < 0)
		return;
	o->outcome = rescue_target_judge(&w->own, &o->held, o->to, true, &w->reader, &o->verdict);
	if (o->outcome != RESCUE_PLANNED)
		return;
	o->outcome = RESCUE_FAILED;
	rescue_find_link(w, o);
	if (rescue_read(w, o) < 0)
		return;
	if (attrs_show(o->held.fd, &o->attrs) < 0) {
		buf_adds(&o->attrs, "-");
		buf_adds(&o->lacks, "its attributes, which cannot be read");
	}
	o->line.kind = ACT_RESCUE;
	o->line.size = o->held.st.size;
	o->line.mtime = o->held.st.mtime;
	o->line.mode = o->held.st.mode;
	o->line.uid = o->held.st.uid;
	o->line.gid = o->held.st.gid;
	o->line.attrs = buf_str(&o->attrs);
	rescue_dirs_note(&w->dirs, &w->acts, o->to);
	o->line.number = acts_add_copy(&w->acts, &o->held, o->line.hash, o->to);
	if (o->again)
		acts_add_same(&w->acts, o->line.number, w->links.v[o->link - 1].number);
	else if (o->link > 0)
		w->links.v[o->link - 1].number = o->line.number;
	o->outcome = RESCUE_PLANNED;
}

/* Open the directory of a copy.  Returns 0, or -1 with the verdict. */
static int
rescue_open_dir(struct rescue_work *w, struct rescue_one *o)
{
	if (o->in == NULL)
		o->in = locked_file_dirs_open(&w->open, o->to, path_parent_len(o->to));
	return o->in != NULL ? 0 : verdict_errno(&o->verdict, errno, "the directory of its copy cannot be made, or opened");
}

/* Make the new file.  Returns 0, or -1 with the verdict. */
static int
rescue_copy(struct rescue_work *w, struct rescue_one *o)
{
	if (rescue_open_dir(w, o) < 0 || restore_open(&o->copy, o->in->fd, RESTORE_RESCUE_WORD, &o->verdict) < 0)
		return -1;
	o->copy.meter = &w->passed;
	if (restore_copy(&o->copy, &o->line, o->held.fd, &o->verdict) < 0)
		return -1;
	return restore_finish_most(&o->copy, &o->line, &o->lacks, &o->verdict);
}

/* Note an errno of syncing the new file.  Returns 0, or -1 with the verdict. */
static int
rescue_synced(struct rescue_one *o, int error)
{
	return error == 0 ? 0 : verdict_errno(&o->verdict, error, "its copy cannot be written to the disk");
}

/* See the new files to the disk: many of one volume at once. */
static void
rescue_sync(struct rescue_work *w)
{
	const struct rescue_one *first = NULL;
	size_t n = 0;
	bool all;

	for (size_t i = 0; i < w->n; i++) {
		if (w->ones[i].outcome == RESCUE_PLANNED && w->ones[i].copy.fd >= 0) {
			first = first == NULL ? &w->ones[i] : first;
			n++;
		}
	}
	all = n >= RESCUE_MANY && first->in->tells_files && sync_volume(first->copy.fd) == 0 && sync_file(first->copy.fd) == 0;
	for (size_t i = 0; i < w->n; i++) {
		struct rescue_one *o = &w->ones[i];

		if (o->outcome == RESCUE_PLANNED && o->copy.fd >= 0 && o != first &&
		    rescue_synced(o, all && o->in->dev == first->in->dev ? sync_file_failed(o->copy.fd) : sync_file(o->copy.fd)) < 0)
			o->outcome = RESCUE_FAILED;
		else if (o == first && !all && rescue_synced(o, sync_file(o->copy.fd)) < 0)
			o->outcome = RESCUE_FAILED;
	}
}

/* Note that a copy has its name. */
static void
rescue_placed(struct rescue_work *w, struct rescue_one *o)
{
	struct rescue_link *link = o->link > 0 ? &w->links.v[o->link - 1] : NULL;

	o->outcome = RESCUE_COPIED;
	o->placed = true;
	if (link != NULL && link->copy == NULL) {
		link->copy = mem_str(o->to);
		link->st = o->st;
		link->content = o->copy.content;
	}
}

/* Give the new file its name, when it proved to be whole. */
static void
rescue_place(struct rescue_work *w, struct rescue_one *o)
{
	const int same = restore_check(&o->copy, &o->line, true, &w->reader, &o->verdict);

	o->outcome = RESCUE_FAILED;
	if (same == 0)
		verdict_set(&o->verdict, ACT_UNSURE, "what was read back differs from what was written: the disk or memory may be failing");
	if (same != 1 || locked_file_check(&o->held, &o->verdict) < 0)
		return;
	if (restore_put(&o->copy, path_base(o->to)) == 0) {
		/* A copy without a stat gets no row: the next scan meets it. */
		o->copy.content.has_hash &= fs_stat_fd(o->copy.fd, &o->st) == 0;
		rescue_placed(w, o);
	} else if (errno == EEXIST) {
		verdict_set(&o->verdict, ACT_STAYS, "something else has the name of its copy");
		o->outcome = RESCUE_TAKEN;
	} else
		verdict_errno(&o->verdict, errno, "its copy cannot be given its name");
}

/* Link the copy of another name of the original, if that is as it was.  Returns whether it is. */
static bool
rescue_link(struct rescue_work *w, struct rescue_one *o)
{
	const struct rescue_link *link = &w->links.v[o->link - 1];
	struct locked_dir *from;
	struct fs_stat st;
	bool done = false;

	if (link->copy == NULL || rescue_open_dir(w, o) < 0 || locked_file_check(&o->held, &o->verdict) < 0)
		return false;
	from = locked_file_dirs_open(&w->open, link->copy, path_parent_len(link->copy));
	if (from != NULL && fs_stat_at(from->fd, path_base(link->copy), &st) == 0 && st.inode == link->st.inode && st.dev == link->st.dev &&
	    st.size == link->st.size && fs_time_cmp(st.mtime, link->st.mtime) == 0 &&
	    linkat(from->fd, path_base(link->copy), o->in->fd, path_base(o->to), 0) == 0) {
		done = fs_stat_at(o->in->fd, path_base(o->to), &o->st) == 0 && o->st.inode == link->st.inode && o->st.dev == link->st.dev;
		/* Another file had that name as it was linked. */
		if (!done)
			unlinkat(o->in->fd, path_base(o->to), 0);
	}
	locked_dir_leave(from);
	if (done) {
		o->copy.content = link->content;
		rescue_placed(w, o);
	}
	return done;
}

/* See the names in the directory of a copy to the disk, if its path leads there still. */
static int
rescue_sync_dir(const struct rescue_one *o, struct verdict *v)
{
	char *path = mem_dup(o->to, path_parent_len(o->to));
	const int fd = fs_open_dir_below(path, 1);
	struct fs_stat now, was;
	const bool same = fd >= 0 && fs_stat_fd(fd, &now) == 0 && fs_stat_fd(o->in->fd, &was) == 0 && now.inode == was.inode && now.dev == was.dev;
	const int error = sync_file(o->in->fd);

	if (fd >= 0)
		close(fd);
	free(path);
	/* Elsewhere a directory may have another number each time it is opened. */
	if (!same && o->in->tells_files)
		return verdict_set(v, ACT_UNSURE, "the directory of its copy was moved away meanwhile, with it");
	return error == 0 ? 0 : verdict_errno(v, error, "it is copied, but its new name cannot be written to the disk");
}

/*
 * See the names of the batch to the disk.  The files were synced before they had names: without a
 * log the disk would hold names of inodes with a link count of 0, so sync these once more.
 */
static void
rescue_sync_names(struct rescue_work *w)
{
	struct locked_dir *last = NULL;
	struct verdict v = { .outcome = ACT_PENDING };
	bool volume = false;

	for (size_t i = 0; i < w->n; i++) {
		struct rescue_one *o = &w->ones[i];

		if (o->outcome != RESCUE_COPIED)
			continue;
		if (!volume && o->in->tells_files)
			(void)sync_volume(o->in->fd);
		volume = true;
		/* Files of a directory mostly come one after another. */
		if (o->in != last) {
			verdict_release(&v);
			(void)rescue_sync_dir(o, &v);
		}
		last = o->in;
		if (v.outcome != ACT_PENDING) {
			verdict_set(&o->verdict, v.outcome, "%s", buf_str(&v.why));
			o->outcome = RESCUE_FAILED;
		}
	}
	verdict_release(&v);
}

/*
 * The index knows the copy by its hash: give the row of the original the same hash, if it has none,
 * so that nothing is left to be read.
 */
static int
rescue_settle_original(struct rescue_work *w, const struct rescue_one *o, struct err *err)
{
	struct db *db = w->r->ix->db;
	const struct fs_stat *st = &o->held.st;
	struct file_row row;
	const int ret = dirs_find_file(db, o->file->path, &row, err);

	if (ret <= 0 || row.has_hash || row.racy || row.error != 0 || row.inode.number != (int64_t)st->inode || row.size != st->size ||
	    fs_time_cmp(row.mtime, st->mtime) != 0 || fs_time_cmp(row.ctime, st->ctime) != 0)
		return ret < 0 ? -1 : 0;
	row.has_hash = true;
	row.has_head = o->copy.content.has_head;
	row.head = o->copy.content.head;
	memcpy(row.hash, o->line.hash, HASH_SIZE);
	return file_put(db, &row, err) < 0 ? -1 : dirs_forget_digest(db, row.dir, err);
}

/* Let the index know of the copies of a batch, where it has their directories. */
static int
rescue_settle_rows(struct rescue_work *w, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < w->n; i++) {
		if (w->ones[i].outcome == RESCUE_COPIED)
			(void)volumes_number(w->volumes, w->ones[i].in->fd, w->ones[i].st.dev, NULL);
	}
	ret = volumes_save(w->volumes, w->r->ix->db, err);
	for (size_t i = 0; ret >= 0 && i < w->n; i++) {
		const struct rescue_one *o = &w->ones[i];
		const struct content_result *content = &o->copy.content;
		struct file_row row = { .dir = 0 };
		const int64_t volume = o->outcome == RESCUE_COPIED ? volumes_known(w->volumes, o->st.dev) : 0;

		if (volume <= 0 || !content->has_hash)
			continue;
		file_from_stat(&row, &o->st, volume);
		row.has_hash = true;
		row.has_head = content->has_head;
		row.head = content->head;
		memcpy(row.hash, content->hash, HASH_SIZE);
		ret = index_update_restored(w->r->ix, o->to, &row, NULL, NULL, err);
		w->sums->rows += ret == 1;
		if (ret == 1)
			ret = rescue_settle_original(w, o, err);
	}
	return ret < 0 ? -1 : 0;
}

/* Tell of a file of the batch, and close it. */
static void
rescue_end_one(struct rescue_work *w, struct rescue_one *o)
{
	const struct rescue_told told = {
		.file = o->file, .outcome = o->outcome, .to = o->to, .size = o->held.fd >= 0 ? o->held.st.size : -1,
		.why = o->verdict.why.len > 0 ? buf_str(&o->verdict.why) : NULL,
		.lacks = o->outcome == RESCUE_COPIED && o->lacks.len > 0 ? buf_str(&o->lacks) : NULL,
	};

	/* A signal came before its turn. */
	if (o->outcome != RESCUE_PLANNED)
		rescue_tell(w->r, w->sums, &told);
	restore_close(&o->copy);
	locked_file_close(&o->held);
	locked_dir_leave(o->in);
	verdict_release(&o->verdict);
	buf_release(&o->attrs);
	buf_release(&o->lacks);
	free(o->to);
}

/* Step 6. */
static int
rescue_settle(struct rescue_work *w, int ret, struct err *err)
{
	rescue_sync_names(w);
	for (size_t i = 0; i < w->n; i++) {
		const struct rescue_one *o = &w->ones[i];

		if (o->line.number != 0 && !o->placed)
			acts_add_not(&w->acts, o->line.number);
	}
	if (ret == 0)
		ret = db_begin(w->r->ix->db, err);
	if (ret == 0)
		ret = db_end(w->r->ix->db, rescue_settle_rows(w, err), err);
	for (size_t i = 0; i < w->n; i++)
		rescue_end_one(w, &w->ones[i]);
	w->n = 0;
	return ret < 0 ? -1 : stop_check(err);
}

/* Note that files of the batch have passed one more of the three steps that take time. */
static void
rescue_pass(struct rescue_work *w, struct rescue_one *o, int64_t before)
{
	/* Holes are not read, and small files not metered. */
	atomic_store(&w->passed, num_add(before, o->held.st.size));
	o->due = num_sub(o->due, o->held.st.size);
}

/* Note that a file has come to its end, whichever steps it has passed. */
static void
rescue_pass_all(struct rescue_work *w, struct rescue_one *o)
{
	atomic_store(&w->passed, num_add(atomic_load(&w->passed), o->due));
	o->due = 0;
	atomic_fetch_add(&w->done, 1);
}

/* Step 1, for as many files as make a batch. */
static void
rescue_open_batch(struct rescue_work *w)
{
	const struct rescue *r = w->r;
	int64_t bytes = 0;

	for (w->n = 0; w->n < w->most && w->next < r->n && bytes < RESCUE_BATCH_BYTES && stop_signal() == 0; w->next++) {
		struct rescue_one *o = &w->ones[w->n++];
		const int64_t before = atomic_load(&w->passed);

		*o = (struct rescue_one){ .file = &r->files[w->next], .to = rescue_target_path(r, &r->files[w->next]), .held = LOCKED_FILE_NONE,
		                          .copy = RESTORE_NONE };
		rescue_open(w, o);
		o->due = num_mul(o->held.st.size, RESCUE_PASSES);
		rescue_pass(w, o, before);
		bytes = num_add(bytes, o->held.st.size);
	}
}

/* Step 3. */
static void
rescue_copy_batch(struct rescue_work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		struct rescue_one *o = &w->ones[i];
		const int64_t before = atomic_load(&w->passed);

		if (o->outcome != RESCUE_PLANNED || o->again || stop_signal() != 0)
			continue;
		if (rescue_copy(w, o) < 0) {
			o->outcome = RESCUE_FAILED;
			/* On a full disk others may have room now. */
			restore_close(&o->copy);
		}
		rescue_pass(w, o, before);
	}
}

/* Step 5; links come behind the files that they lead to. */
static void
rescue_place_batch(struct rescue_work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		struct rescue_one *o = &w->ones[i];
		const int64_t before = atomic_load(&w->passed);

		if (o->outcome == RESCUE_PLANNED && o->copy.fd >= 0 && stop_signal() == 0) {
			rescue_place(w, o);
			rescue_pass(w, o, before);
		}
		if (!o->again || o->outcome != RESCUE_PLANNED)
			rescue_pass_all(w, o);
	}
	for (size_t i = 0; i < w->n; i++) {
		struct rescue_one *o = &w->ones[i];
		const int64_t before = atomic_load(&w->passed);

		if (o->outcome == RESCUE_PLANNED && o->again && stop_signal() == 0) {
			o->outcome = RESCUE_FAILED;
			/* A link, or where that is not possible a copy of its own. */
			if (!rescue_link(w, o) && o->verdict.outcome == ACT_PENDING && rescue_copy(w, o) == 0 &&
			    rescue_synced(o, sync_file(o->copy.fd)) == 0)
				rescue_place(w, o);
			atomic_store(&w->passed, before);
			rescue_pass_all(w, o);
		}
	}
}

/* tasks_kind.work: steps 1 to 5 of a batch. */
static void
rescue_batch(void *arg, void *state, struct tasks_piece *piece)
{
	struct rescue_work *w = arg;

	(void)state, (void)piece;
	rescue_open_batch(w);
	w->ret = w->acts.number > 0 ? acts_sync(&w->acts, w->err) : 0;
	if (w->ret < 0)
		return;
	rescue_dirs_make(&w->dirs);
	rescue_copy_batch(w);
	rescue_sync(w);
	rescue_place_batch(w);
}

/* All files, in batches. */
static int
rescue_all(struct rescue_work *w, struct err *err)
{
	const struct tasks_kind kind = { .arg = w, .work = rescue_batch, .shares = true };
	int ret = 0;

	w->err = err;
	w->reader.meter = &w->passed;
	w->thread = tasks_new(&kind, w->r->bytes >= RESCUE_LONG ? 1 : 0);
	while (ret == 0 && w->next < w->r->n) {
		struct tasks_piece piece = { .next = NULL };

		tasks_give(w->thread, &piece);
		do
			w->r->tick(w->r->arg, atomic_load(&w->done), atomic_load(&w->passed) / RESCUE_PASSES);
		while (tasks_take(w->thread, TASKS_TICK) == NULL);
		ret = rescue_settle(w, w->ret, err);
	}
	tasks_free(w->thread);
	return ret;
}

int
rescue_run(const struct rescue *r, struct rescue_sums *sums, struct err *err)
{
	struct rescue_work w = { .r = r, .sums = sums, .acts = { .fd = -1 }, .dirs = { .base = r->base, .to = r->to } };
	int room, ret;

	assert(!r->ix->db->in_transaction);
	*sums = (struct rescue_sums){ .rows = 0 };
	w.ones = mem_zalloc(RESCUE_BATCH, sizeof(*w.ones));
	content_reader_init(&w.reader, r->ix->secret, (struct fs_time){ 0, 0 });
	own_files_find(&w.own, r->ix->path);
	room = fs_make_room(RESCUE_FDS * RESCUE_BATCH + RESCUE_FDS_BESIDE);
	w.most = room >= RESCUE_FDS + RESCUE_FDS_BESIDE ? (size_t)(room - RESCUE_FDS_BESIDE) / RESCUE_FDS : 1;
	ret = volumes_load(&w.volumes, r->ix->db, err);
	if (ret == 0)
		ret = volumes_recognize_all(w.volumes, r->ix->db, err);
	if (ret == 0)
		ret = acts_begin(&w.acts, r->ix, "rescue", err);
	if (ret == 0) {
		ret = rescue_all(&w, err);
		rescue_dirs_finish(&w.dirs);
		ret = acts_end(&w.acts, ret, err);
	}
	for (size_t i = 0; i < w.links.n; i++)
		free(w.links.v[i].copy);
	vec_release(&w.links);
	table_release(&w.by_inode);
	rescue_dirs_release(&w.dirs);
	locked_file_dirs_release(&w.open);
	content_reader_release(&w.reader);
	volumes_free(w.volumes);
	free(w.ones);
	return ret;
}
