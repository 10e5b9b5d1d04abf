/* SPDX-License-Identifier: MIT */
/*
 * Hides how files are read: struct hash_plan_reading is what the threads of a round share,
 * hash_plan_reader one thread's reader, open directory and files opened ahead.  Threads read the
 * plan; results go to hash_write in the main thread.  No locks but those of pool, countmap and
 * verify_inline.
 *
 * Cold files are read in the order of their inodes, on common file systems that of the disk, and
 * every thread asks for many before it waits for the first.  Measured on 342,000 small files,
 * cold, two processors, a virtual SSD: 32 threads that wait for each file take 7.8 s and 7.2 s of
 * CPU time; 8 threads asking for 64 files each take 3.9 and 2.4 s.  The order of directories takes
 * twice the time.
 */
#include "base/base.h"

#include "scan/hash_read.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <unistd.h>

#include "db/db.h"
#include "scan/dirmap.h"
#include "index/digests.h"
#include "index/index.h"
#include "index/volumes.h"
#include "scan/verify_inline.h"
#include "scan/hash_plan.h"
#include "scan/hash_write.h"
#include "scan/hash_extents.h"
#include "scan/hash_twins.h"
#include "sys/countmap.h"
#include "scan/stats.h"
#include "sys/content.h"
#include "sys/fs.h"
#include "sys/tasks.h"
#include "sys/volume.h"
#include "sys/stall.h"

/* Threads that read ahead from an SSD or a network. */
#define HASH_READ_THREADS 8

/* Bytes from which on reading takes longer than the way to the next file, where no disk turns. */
#define HASH_READ_LARGE (1024 * 1024)

struct hash_plan_reading {
	struct hash_plan *plan;
	struct order *order;  /* positions in plan.files */
	size_t n;
	struct content_zeros *zeros;
	struct stall *watch;
	struct hash_extents *extents;  /* files that are read for others, too; or NULL */
	struct hash_twins *twins;      /* files that are read beside others; or NULL */
};

/* A file opened for reading. */
struct hash_plan_open {
	int fd;             /* or -1 with error */
	int error;
	struct fs_stat st;  /* of fd, taken when it was opened */
};

/* One thread's own: a reader, the directory that it has open, and files that come next. */
struct hash_plan_reader {
	struct content_reader reader;
	struct verify_inline_worker references;
	struct buf path, base;            /* of place, and of the outermost directory above it */
	int64_t place;                    /* where the file lies that is opened or read now */
	struct buf open_base;             /* path of base_fd */
	int base_fd;                      /* of base, or -1 */
	int base_error;                   /* why it could not be opened */
	struct buf file;                  /* path of a file below base */
	int64_t dir;                      /* the directory that is open */
	int fd;
	int error;                        /* why it could not be opened */
	VEC(struct hash_plan_open) open;  /* pieces from first_open on */
	size_t first_open;
};

int
hash_read_threads(struct volumes *volumes, const char *path, int most)
{
	struct volume_facts facts = { .rotational = false };
	struct fs_stat st;
	const int fd = fs_open_dir(AT_FDCWD, path);

	if (fd >= 0 && fs_stat_fd(fd, &st) == 0)
		(void)volumes_number(volumes, fd, st.dev, &facts);
	if (fd >= 0)
		close(fd);
	return facts.rotational ? HASH_READ_THREADS_ROTATIONAL : most > 0 ? most : HASH_READ_THREADS;
}

/*
 * What to read of a file now.  One in memory, whose head another file has, is read to its end while
 * it is open; else the next round would open it once more.
 */
static enum content_want
hash_read_want(const struct hash_plan *p, const struct hash_plan_file *f)
{
	const bool maybe = f->want == CONTENT_HEAD && p->bulk && !p->ahead && f->size <= CONTENT_MAYBE_SIZE;

	return maybe ? CONTENT_HEAD | CONTENT_MAYBE : (enum content_want)f->want;
}

static void *
hash_read_begin(void *arg)
{
	const struct hash_plan_reading *r = arg;
	struct hash_plan_reader *t = mem_zalloc(1, sizeof(*t));

	content_reader_init(&t->reader, r->plan->secret, r->plan->racy_window);
	t->reader.settles = r->plan->settles;
	t->reader.deadline_ns = r->plan->deadline_ns;
	t->reader.zeros = r->zeros;
	t->reader.meter = &r->plan->counts->done_bytes;
	t->reader.go_on = countmap_met_head;
	t->reader.arg = r->plan->heads;
	t->reader.post = stall_join(r->watch);
	/* It fails for no thread if it has not failed before the scan. */
	if (r->plan->digests != NULL)
		t->reader.digests = digest_new(r->plan->digests->kinds, &(struct err){ 0 });
	verify_inline_worker_init(&t->references, r->plan->references, &t->reader);
	t->fd = t->base_fd = -1;
	t->dir = t->place = -1;
	return t;
}

static void
hash_read_end(void *arg, void *state)
{
	struct hash_plan_reading *r = arg;
	struct hash_plan_reader *t = state;

	atomic_fetch_add(&r->plan->counts->read_bytes, t->reader.bytes);
	digest_free(t->reader.digests);
	content_reader_release(&t->reader);
	/* Files opened ahead when a signal came. */
	for (size_t i = 0; i < t->open.n; i++) {
		if (t->open.v[i].fd >= 0)
			close(t->open.v[i].fd);
	}
	vec_release(&t->open);
	buf_release(&t->path);
	buf_release(&t->base);
	buf_release(&t->open_base);
	buf_release(&t->file);
	if (t->fd >= 0)
		close(t->fd);
	if (t->base_fd >= 0)
		close(t->base_fd);
	free(t);
}

/* Whether the walk has read the inode by another name, as far as wanted now. */
static bool
hash_read_known(const struct hash_plan *p, const struct hash_plan_file *f, struct hash_plan_result *res)
{
	if (p->inodes == NULL || !countmap_get_content(p->inodes, &res->st, &res->content))
		return false;
	if (f->want == CONTENT_FULL ? res->content.has_hash : res->content.has_head)
		return true;
	memset(&res->content, 0, sizeof(res->content));
	return false;
}

/* Open the outermost directory above the place, mostly the same for all files. */
static void
hash_read_open_base(struct hash_plan_reader *t)
{
	if (t->base_fd >= 0 && strcmp(buf_str(&t->base), buf_str(&t->open_base)) == 0)
		return;
	if (t->base_fd >= 0)
		close(t->base_fd);
	t->base_fd = fs_open_base(buf_str(&t->base));
	t->base_error = t->base_fd < 0 ? errno : 0;
	buf_cut(&t->open_base, 0);
	buf_add(&t->open_base, t->base.data, t->base.len);
}

/* The path from base to the place. */
static const char *
hash_read_below(struct hash_plan_reader *t)
{
	return path_below(buf_str(&t->path), buf_str(&t->base));
}

/* Go to the place of a file, and note that this thread works on it. */
static void
hash_read_place(const struct hash_plan_reading *r, struct hash_plan_reader *t, const struct hash_plan_file *f)
{
	const bool moves = t->place != f->dir;
	size_t base_len;

	if (moves) {
		buf_cut(&t->path, 0);
		buf_cut(&t->base, 0);
		base_len = dirmap_path(r->plan->map, f->dir, &t->path);
		buf_add(&t->base, t->path.data, base_len);
		t->place = f->dir;
	}
	stall_begin(t->reader.post, buf_str(&t->path), hash_plan_file_name(r->plan, f));
	if (moves) {
		hash_read_open_base(t);
		verify_inline_enter(&t->references, f->dir, buf_str(&t->base), hash_read_below(t), t->base_fd);
	}
}

/* Open the directory of a file, which stays open for the next.  After hash_read_place. */
static void
hash_read_enter(struct hash_plan_reader *t, const struct hash_plan_file *f)
{
	if (t->dir == f->dir && t->fd >= 0)
		return;
	if (t->fd >= 0)
		close(t->fd);
	t->fd = t->base_fd >= 0 ? fs_open_dir(t->base_fd, hash_read_below(t)) : -1;
	t->error = t->fd >= 0 ? 0 : t->base_fd >= 0 ? errno : t->base_error;
	t->dir = f->dir;
}

/* Whether the file i needs no open directory: neither the file before nor the next lies in it. */
static bool
hash_read_is_lone(const struct hash_plan_reading *r, const struct hash_plan_reader *t, size_t i)
{
	const struct hash_plan_file *v = r->plan->files.v;
	const int64_t dir = v[r->order[i].pos].dir;

	return t->base_fd >= 0 && t->dir != dir && (i + 1 == r->n || v[r->order[i + 1].pos].dir != dir);
}

/* Open a file of the place without its directory.  Returns a descriptor, or -1 with *error. */
static int
hash_read_open_lone(struct hash_plan_reader *t, const char *name, struct fs_stat *st, int *error)
{
	buf_cut(&t->file, 0);
	buf_adds(&t->file, hash_read_below(t));
	path_append(&t->file, name, strlen(name));
	return content_open(t->base_fd, buf_str(&t->file), st, error);
}

static void
hash_read_open(const struct hash_plan_reading *r, struct hash_plan_reader *t, size_t i, struct hash_plan_open *o)
{
	const struct hash_plan_file *f = &r->plan->files.v[r->order[i].pos];
	const char *name = hash_plan_file_name(r->plan, f);

	hash_read_place(r, t, f);
	if (hash_read_is_lone(r, t, i))
		o->fd = hash_read_open_lone(t, name, &o->st, &o->error);
	else {
		hash_read_enter(t, f);
		o->error = t->error;
		o->fd = t->fd >= 0 ? content_open(t->fd, name, &o->st, &o->error) : -1;
	}
	if (o->fd >= 0 && r->plan->from_disk)
		content_from_disk(o->fd);
}

/* tasks_map.ahead: open the next files and have the kernel fetch them all at once. */
static void
hash_read_ahead(void *arg, void *state, size_t first, size_t n)
{
	const struct hash_plan_reading *r = arg;
	struct hash_plan_reader *t = state;

	t->first_open = first;
	t->open.n = 0;
	for (size_t i = first; i < first + n; i++) {
		struct hash_plan_open *o = vec_add(&t->open);

		hash_read_open(r, t, i, o);
		if (o->fd >= 0 && o->st.size > 0)
			content_ahead(o->fd, r->plan->files.v[r->order[i].pos].want, o->st.size);
	}
}

/* Compare what was read with another file of that content. */
static void
hash_read_verify(const struct hash_plan_reading *r, struct hash_plan_reader *t, const struct hash_plan_file *f, struct hash_plan_result *res)
{
	if (t->base_fd < 0)
		hash_read_enter(t, f);
	res->verdict = verify_inline_meet(&t->references, t->dir == f->dir ? t->fd : -1, hash_plan_file_name(r->plan, f), &res->st, f->inode.volume,
	                          f->links || res->st.nlink > 1, res->content.hash);
	res->content.has_hash = res->verdict != VERIFY_INLINE_DIFFERS;
	res->reference = t->references.reference;
}

/* Open a file that is read beside another one.  Returns whether it is what the plan says. */
static bool
hash_read_open_twin(const struct hash_plan_reading *r, struct hash_plan_reader *t, size_t pos, struct content_twin *twin)
{
	const struct hash_plan_file *f = &r->plan->files.v[pos];
	int ignored;

	hash_read_place(r, t, f);
	if (t->base_fd < 0)
		return false;
	twin->fd = hash_read_open_lone(t, hash_plan_file_name(r->plan, f), &twin->st, &ignored);
	if (twin->fd < 0)
		return false;
	if (twin->st.size == f->size && twin->st.inode == (uint64_t)f->inode.number && twin->st.nlink == 1) {
		if (r->plan->from_disk)
			content_from_disk(twin->fd);
		return true;
	}
	close(twin->fd);
	return false;
}

/*
 * The leader and its twins were read: compare with other files of these contents.  Where they are
 * equal, what holds for the leader holds for the twin.
 */
static void
hash_read_verify_twin(const struct hash_plan_reading *r, struct hash_plan_reader *t, const struct hash_plan_result *leader,
                      const struct content_twin *twin, struct hash_twin *x)
{
	const struct hash_plan_file *f = &r->plan->files.v[x->pos];
	struct hash_plan_result *res = &x->res;
	const bool itself = twin->st.inode == leader->st.inode && twin->st.dev == leader->st.dev;

	res->st = twin->st;
	res->content = twin->content;
	if (twin->equal && !itself && leader->content.has_hash && (leader->reference != NULL || leader->verdict == VERIFY_INLINE_EQUAL)) {
		verify_inline_twin(&t->references, leader->reference, f->size);
		res->verdict = VERIFY_INLINE_EQUAL;
	} else {
		hash_read_place(r, t, f);
		hash_read_verify(r, t, f, res);
	}
	x->good = true;
}

/*
 * Read the file i, open as o, with those that are read beside it.  Returns the bytes planned for
 * the latter, as far as they have a result.
 */
static int64_t
hash_read_group(const struct hash_plan_reading *r, struct hash_plan_reader *t, size_t i, const struct hash_plan_open *o, struct hash_plan_result *res)
{
	const struct hash_plan_file *f = &r->plan->files.v[r->order[i].pos];
	struct content_twin twins[HASH_TWINS_MOST];
	struct hash_twin *x, *opened[HASH_TWINS_MOST];
	size_t n, n_open = 0;
	int64_t planned = 0;

	x = hash_twins_of(r->twins, r->order[i].pos, &n);
	for (size_t k = 0; k < n && res->st.size == f->size; k++) {
		twins[n_open] = (struct content_twin){ .fd = -1 };
		opened[n_open] = &x[k];
		n_open += hash_read_open_twin(r, t, x[k].pos, &twins[n_open]);
	}
	if (n > 0)
		hash_read_place(r, t, f);
	t->reader.twins = twins;
	t->reader.n_twins = n_open;
	content_read_open(&t->reader, o->fd, hash_read_want(r->plan, f), &res->st, &res->content);
	if (t->references.references != NULL && res->content.has_hash && res->st.size == f->size)
		hash_read_verify(r, t, f, res);
	for (size_t k = 0; k < n_open; k++) {
		if (twins[k].content.error == 0) {
			hash_read_verify_twin(r, t, res, &twins[k], opened[k]);
			planned += f->size;
			atomic_fetch_add_explicit(&r->plan->counts->done, 1, memory_order_relaxed);
		}
		close(twins[k].fd);
	}
	return planned;
}

/* How many bytes of a file this round wants. */
static int64_t
hash_read_bytes(const struct hash_plan_file *f)
{
	return f->want == CONTENT_FULL || f->size <= CONTENT_WHOLE ? f->size : CONTENT_WHOLE;
}

static void
hash_read_read(void *arg, void *state, size_t i, void *result)
{
	const struct hash_plan_reading *r = arg;
	const struct hash_plan_file *f = &r->plan->files.v[r->order[i].pos];
	struct hash_plan_reader *t = state;
	struct hash_plan_result *res = result;
	const int64_t before = t->reader.bytes, metered = t->reader.metered;
	struct hash_plan_open now, *o = &now;
	int64_t planned = hash_read_bytes(f), bytes;

	if (r->plan->ahead)
		o = &t->open.v[i - t->first_open];
	/* Out of descriptors when it was opened ahead: some are closed by now. */
	if (o == &now || (o->fd < 0 && (o->error == EMFILE || o->error == ENFILE)))
		hash_read_open(r, t, i, o);
	if (o->fd >= 0) {
		if (o != &now)
			hash_read_place(r, t, f);
		res->st = o->st;
		if (f->links && hash_read_known(r->plan, f, res))
			res->known = true;
		else if (res->st.size > 0) {
			planned += hash_read_group(r, t, i, o, res);
			res->has_digests = t->reader.digests != NULL && res->content.has_hash;
			if (res->has_digests)
				digest_end(t->reader.digests, hash_plan_digests(res));
		}
		hash_extents_read(r->extents, r->order[i].pos, o->fd, res);
		close(o->fd);
		o->fd = -1;
	} else
		res->content.error = o->error;
	stall_end(t->reader.post);
	atomic_fetch_add_explicit(&r->plan->counts->done, 1, memory_order_relaxed);
	/*
	 * Holes, and files that the walk had read, were planned but not read.  What comes behind a
	 * head was read but not planned.
	 */
	bytes = res->content.error == 0 ? t->reader.bytes - before : planned;
	atomic_fetch_sub_explicit(&r->plan->counts->to_read_bytes, planned - bytes, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->plan->counts->done_bytes, bytes - (t->reader.metered - metered), memory_order_relaxed);
}

/* Bytes of a result with its digests, rounded up for the one behind it. */
static size_t
hash_read_result_size(const struct hash_plan *p)
{
	const size_t sizes = p->digests != NULL ? digest_sizes(p->digests->kinds) : 0, unit = sizeof(int64_t);

	return sizeof(struct hash_plan_result) + (sizes + unit - 1) / unit * unit;
}

/*
 * Note the digests of a file.  They hold for a row with the stat that was taken before it was
 * read, whether or not that is its row now.
 */
static int
hash_read_digested(struct hash_plan *p, const struct hash_plan_file *f, const struct hash_plan_result *res, struct err *err)
{
	if (!res->has_digests || res->content.error != 0 || res->st.inode != (uint64_t)f->inode.number)
		return 0;
	return digests_add(p->digests, p->ix, f->inode, &res->st, res->content.racy, hash_plan_digests(res), err);
}

/* tasks_map.done */
static int
hash_read_done(void *arg, size_t i, const void *result, struct err *err)
{
	struct hash_plan_reading *r = arg;
	struct hash_plan *p = r->plan;
	struct hash_plan_file *f = &p->files.v[r->order[i].pos];
	const struct hash_plan_result *res = result;
	struct hash_twin *x;
	size_t n;

	if (res->content.error == CONTENT_STOPPED)
		return 0;
	if (p->take != NULL)
		return p->take(p->take_arg, f, res, err);
	if (hash_read_digested(p, f, res, err) < 0 || hash_write(p, f, res, err) < 0)
		return -1;
	x = hash_twins_of(r->twins, r->order[i].pos, &n);
	for (size_t k = 0; k < n; k++) {
		if (x[k].good && hash_write(p, &p->files.v[x[k].pos], &x[k].res, err) < 0)
			return -1;
	}
	return 0;
}

static int
hash_read_tick(void *arg, struct err *err)
{
	struct hash_plan_reading *r = arg;
	struct hash_plan *p = r->plan;

	stats_tick(p->counts, STATS_READ);
	stats_look(p->counts, r->watch);
	if (p->deadline_ns != 0 && fs_clock_ns() > p->deadline_ns) {
		p->out_of_time = true;
		return err_set(err, ERR_INTERRUPTED, "out of time");
	}
	if (p->tick != NULL)
		return p->tick(p->take_arg, err);
	/* While the threads read: the walk leaves thousands of rows. */
	if (p->references != NULL && verify_inline_write(p->references, p->ix->db, false, err) < 0)
		return -1;
	if (!db_is_old(p->ix->db))
		return 0;
	if (p->digests != NULL && digests_write(p->digests, p->ix, err) < 0)
		return -1;
	return db_renew(p->ix->db, err);
}

/* Count in to_read what a file is wanted for now. */
static void
hash_read_foresee(struct hash_plan *p, struct hash_plan_file *f)
{
	/* A file whose head was not enough counts once, and is not done. */
	if (f->planned)
		atomic_fetch_sub(&p->counts->done, 1);
	else
		atomic_fetch_add(&p->counts->to_read, 1);
	atomic_fetch_add(&p->counts->to_read_bytes, hash_read_bytes(f));
	f->planned = true;
	f->foreseen = true;
}

/* The same for the first round of all classes: the number is known before the first is read. */
static void
hash_read_foresee_all(struct hash_plan *p)
{
	for (size_t i = 0; i < p->files.n; i++) {
		if (p->files.v[i].want != HASH_PLAN_NOTHING)
			hash_read_foresee(p, &p->files.v[i]);
	}
}

/* Collect the wanted files of the class, in the order of inodes; large ones by size. */
static void
hash_read_collect(struct hash_plan_reading *r)
{
	struct hash_plan *p = r->plan;
	bool grows = p->n_heads > 0, large = p->class_cost > 0 && !p->rotational;

	r->order = mem_alloc((p->files.n - p->from + 1) * sizeof(*r->order));
	for (size_t i = p->from; i < p->files.n; i++) {
		struct hash_plan_file *f = &p->files.v[i];

		if (f->want == HASH_PLAN_NOTHING)
			continue;
		r->order[r->n++].pos = i;
		if (!f->foreseen)
			hash_read_foresee(p, f);
		f->foreseen = false;
		grows |= hash_read_bytes(f) < f->size;
		large = large && hash_read_bytes(f) >= HASH_READ_LARGE;
	}
	atomic_store(&p->counts->to_read_grows, grows);
	if (!p->in_order)
		hash_plan_sort_inodes(p, r->order, r->n);
	/* Put large files of one size side by side, so that copies become known early. */
	if (large) {
		for (size_t i = 0; i < r->n; i++)
			r->order[i].key = UINT64_MAX - (uint64_t)p->files.v[r->order[i].pos].size;
		order_sort(r->order, r->n);
	}
}

/* Count the most that a group of one size can need: any file without a head may be read whole. */
static void
hash_read_estimate_group(struct hash_plan *p, const struct hash_plan_file *f, size_t n)
{
	bool heads = false;

	for (size_t i = 0; i < n; i++)
		heads |= f[i].want == CONTENT_HEAD;
	for (size_t i = 0; i < n; i++) {
		const bool known = i > 0 && f[i].links && hash_plan_same_inode(&f[i - 1], &f[i]) && f[i].times == f[i - 1].times;

		if (f[i].want == HASH_PLAN_NOTHING && (!heads || known || f[i].has_hash || f[i].given_up))
			continue;
		atomic_fetch_add(&p->counts->to_read, 1);
		atomic_fetch_add(&p->counts->to_read_bytes,
		                 (f[i].want != HASH_PLAN_NOTHING ? hash_read_bytes(&f[i]) : 0) + (heads ? f[i].size : 0));
	}
}

int
hash_read(struct hash_plan *p, struct err *err)
{
	struct hash_plan_reading r = { .plan = p, .zeros = content_zeros_new(), .watch = stats_watch() };
	const struct tasks_map work = {
		.arg = &r, .result_size = hash_read_result_size(p),
		.begin = hash_read_begin, .ahead = p->ahead ? hash_read_ahead : NULL, .run = hash_read_read, .end = hash_read_end,
		.done = hash_read_done, .tick = hash_read_tick,
	};
	int ret = hash_write_inherit(p, err);

	if (ret == 0)
		hash_read_collect(&r);
	if (ret == 0)
		ret = hash_extents_find(&r.extents, p, r.order, &r.n, err);
	if (ret == 0)
		r.twins = hash_twins_find(p, r.order, &r.n);
	if (ret == 0)
		ret = tasks_map_run(&work, r.n, p->n_threads, err);
	if (ret == 0 && r.twins != NULL) {
		r.n = hash_twins_left(r.twins, r.order);
		hash_twins_free(r.twins);
		r.twins = NULL;
		ret = tasks_map_run(&work, r.n, p->n_threads, err);
	}
	if (ret == 0 && r.extents != NULL) {
		ret = hash_extents_give(r.extents, r.order, &r.n, err);
		hash_extents_free(r.extents);
		r.extents = NULL;
		if (ret == 0)
			ret = tasks_map_run(&work, r.n, p->n_threads, err);
	}
	hash_extents_free(r.extents);
	hash_twins_free(r.twins);
	content_zeros_free(r.zeros);
	stall_free(r.watch);
	free(r.order);
	/* What was read before a signal is kept. */
	if (ret == 0 || err->code == ERR_INTERRUPTED) {
		struct err write_err = { 0 };

		if ((p->digests != NULL && digests_write(p->digests, p->ix, &write_err) < 0) ||
		    (p->references != NULL && verify_inline_write(p->references, p->ix->db, false, &write_err) < 0)) {
			*err = write_err;
			return -1;
		}
	}
	return p->out_of_time && err->code == ERR_INTERRUPTED ? 0 : ret;
}

/*
 * Read one class after the other, the largest files first.  After each, note what is compared now,
 * and commit; after the last one the caller goes on in its transaction.
 */
static int
hash_run_classes(struct hash_plan *p, struct err *err)
{
	hash_plan_divide(p);
	if (p->files.n > 0 && index_set_compared(p->ix, hash_plan_compared(p), err) < 0)
		return -1;
	while (hash_plan_class(p)) {
		if (p->until_size > 0 && p->files.v[p->files.n - 1].size < p->until_size) {
			p->reached = true;
			return 0;
		}
		do {
			if (hash_read(p, err) < 0)
				return -1;
			if (p->out_of_time)
				return 0;
		} while (hash_plan_round(p) > 0);
		if (index_set_compared(p->ix, hash_plan_compared(p), err) < 0 || (p->from > 0 && db_renew(p->ix->db, err) < 0))
			return -1;
	}
	return 0;
}

/* Count in to_read the most that this round and those after it can read. */
static void
hash_run_estimate(struct hash_plan *p)
{
	const struct hash_plan_file *v = p->files.v;

	while (p->from < p->files.n && v[p->from].size < p->until_size)
		p->from++;
	for (size_t i = p->from, end; i < p->files.n; i = end) {
		for (end = i + 1; end < p->files.n && v[end].size == v[i].size; end++)
			;
		hash_read_estimate_group(p, v + i, end - i);
	}
}

int
hash_run(struct hash_plan *p, struct err *err)
{
	/* A file with another size by now may belong to a group of an earlier pass. */
	for (p->passes = 1;; p->passes++) {
		p->from = 0;
		/* The round forgets the sizes that nobody needs to read. */
		if (hash_plan_pass(p, err) < 0 || (!p->dry_run && hash_write_inherit(p, err) < 0))
			return -1;
		hash_plan_round(p);
		if (p->until > 0 && p->passes == 1 && hash_plan_find_until(p, err) < 0)
			return -1;
		if (p->dry_run) {
			hash_run_estimate(p);
			return 0;
		}
		hash_read_foresee_all(p);
		if (hash_run_classes(p, err) < 0)
			return -1;
		if (hash_plan_is_cut(p) || p->touched.n == 0)
			return 0;
		p->n_again = 0;
	}
}
