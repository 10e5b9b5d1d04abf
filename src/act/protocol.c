/* SPDX-License-Identifier: MIT */
/*
 * Groups come in batches, of as many files as may be open at a time.  For each batch: prove it in
 * threads (steps 1 to 4 of the protocol), write the lines of all acts that will be tried to the
 * journal and see them to the disk, do the acts one by one (5 to 8), bring the index up to date in
 * one transaction, tell what came of it.
 *
 * There are two batches: while the caller's thread acts on one, another thread, struct
 * protocol_next, closes what the other has open, fills it with the next groups and proves them.
 * It waits for the acts only where it goes on with their last group, whose rows they change.
 *
 * struct protocol_batch the jobs of a batch; of one of the two threads until they meet
 * struct protocol_feed  where the groups go on; of the thread that makes the next batch
 *
 * Invariants: a victim is renamed only after its line is on the disk; at most one file is between
 * two names at any moment; no keeper is acted on; the two threads have no group in common.
 */
#include "base/base.h"

#include "act/protocol.h"

#include <fcntl.h>

#include "act/acts.h"
#include "act/index_update.h"
#include "act/link.h"
#include "act/prove.h"
#include "act/refuse.h"
#include "act/remove.h"
#include "act/trash.h"
#include "db/db.h"
#include "index/index.h"
#include "index/exclusive_extents.h"
#include "sys/content.h"
#include "sys/fs.h"
#include "sys/stop.h"
#include "sys/tasks.h"

/* One that is acted on and one that is made meanwhile. */
#define PROTOCOL_BATCHES 2
/*
 * Descriptors that a process needs besides; and files held open in one batch where the limit lets
 * us, at least a pair.  The first batch is small, so that acts begin soon, and each next one has
 * twice as many files: every batch waits for the disk once.  Towards the end a batch has half of
 * what is left, because nothing is proven beside the last acts.
 */
#define PROTOCOL_OTHER_FDS 24
#define PROTOCOL_MOST_FILES 2048
#define PROTOCOL_FIRST_FILES 256
#define PROTOCOL_LEAST_FILES 2
/* A batch has no further file beyond this: writers wait for our leases. */
#define PROTOCOL_MOST_BYTES (128 * 1024 * 1024)

/* A victim in a batch, beside its prove_victim. */
struct protocol_state {
	int64_t number;           /* of its line in the journal, or 0 */
	int64_t freed;
	bool doubtful;            /* it differs from the keeper, and may have lost its content */
	bool keeper_doubtful;     /* ... or the keeper may */
	bool touched;             /* taken back, and otherwise unchanged: after is valid */
	struct fs_stat after;     /* the inode behind the act */
	struct fs_stat keeper;    /* ... and the keeper's */
};

struct protocol_batch {
	VEC(struct prove_job) jobs;
	struct prove_victim *victims;
	struct protocol_state *states;     /* of victims */
	size_t n;
};

struct protocol_feed {
	struct act_group *groups;
	size_t n;
	size_t group, victim;         /* where the next batch begins */
	size_t most, limit;           /* files in the next batch; in any */
};

/* A batch that is made while another one is acted on, in a thread. */
struct protocol_next {
	const struct protocol *run;
	struct protocol_feed *feed;
	struct protocol_batch *batch;
	int64_t files;                /* whose outcome is known: of earlier batches */
	_Atomic int64_t compared;     /* bytes, of all batches */
	struct tasks *tasks;          /* one thread, which makes it */
	struct tasks_piece piece;     /* out: it is being made */
};

/* How many files of a batch may be open at a time. */
static size_t
protocol_most_files(void)
{
	const int fds = fs_make_room(PROTOCOL_OTHER_FDS + PROTOCOL_MOST_FILES * LOCKED_FILE_FDS * PROTOCOL_BATCHES) - PROTOCOL_OTHER_FDS;
	const int most = fds / LOCKED_FILE_FDS / PROTOCOL_BATCHES;

	return most > PROTOCOL_LEAST_FILES ? (size_t)most : PROTOCOL_LEAST_FILES;
}

/* Take the victims of the next batch, a group in parts if it must be. */
static void
protocol_fill(struct protocol_batch *b, struct protocol_feed *feed)
{
	/* Each remaining group has at least a pair: half of the files that are left. */
	const size_t half = feed->n - feed->group;
	const size_t enough = half > PROTOCOL_FIRST_FILES ? half : PROTOCOL_FIRST_FILES;
	const size_t most = enough < feed->most ? enough : feed->most;
	size_t files = 0;
	int64_t bytes = 0;

	b->jobs.n = b->n = 0;
	for (; feed->group < feed->n && files + 2 <= most && bytes < PROTOCOL_MOST_BYTES; feed->group++, feed->victim = 0) {
		struct act_group *g = &feed->groups[feed->group];
		struct prove_job *job = vec_add(&b->jobs);

		assert(g->n_keepers > 0);
		*job = (struct prove_job){ .group = g, .keeper = LOCKED_FILE_NONE, .victims = &b->victims[b->n] };
		for (files++; feed->victim < g->n && files < most && bytes < PROTOCOL_MOST_BYTES; feed->victim++) {
			struct act_victim *v = &g->victims[feed->victim];

			b->states[b->n] = (struct protocol_state){ .number = 0 };
			b->victims[b->n++] = (struct prove_victim){ .file = &v->file, .held = LOCKED_FILE_NONE };
			bytes = num_add(bytes, v->file.row.size);
			job->n++;
			files++;
		}
		if (job->n == 0)
			b->jobs.n--, files--;
		if (feed->victim < g->n)
			break;
	}
	feed->most = 2 * feed->most < feed->limit ? 2 * feed->most : feed->limit;
}

/* Give the proven victims that a kind of act is not for their verdicts. */
static void
protocol_refuse(const struct protocol_batch *b, const struct protocol *run)
{
	for (size_t j = 0; j < b->jobs.n; j++) {
		const struct prove_job *job = &b->jobs.v[j];

		for (size_t i = 0; job->done && i < job->n; i++) {
			struct prove_victim *p = &job->victims[i];

			if (p->verdict.outcome == ACT_PENDING)
				(void)refuse_act(run->kind, run->any_attributes, &job->keeper, &p->held, &p->verdict);
		}
	}
}

/* tasks_kind.work: close what a batch has open, and make it the next one, proven. */
static void
protocol_make(void *arg, void *state, struct tasks_piece *piece)
{
	struct protocol_next *next = arg;
	struct protocol_batch *b = next->batch;

	(void)state, (void)piece;
	prove_release(b->jobs.v, b->jobs.n);
	protocol_fill(b, next->feed);
	for (size_t i = 0; i < b->jobs.n; i++)
		b->jobs.v[i].trust_cache = next->run->trust_cache;
	prove_run(b->jobs.v, b->jobs.n, &next->compared);
	protocol_refuse(b, next->run);
}

/* Have the next batch made; not where that has not begun and nothing is to follow. */
static void
protocol_end_next(struct protocol_next *next, bool follows)
{
	if (tasks_out(next->tasks) == 0 && follows)
		tasks_give(next->tasks, &next->piece);
	while (tasks_out(next->tasks) > 0) {
		if (tasks_take(next->tasks, TASKS_TICK) == NULL)
			next->run->tick(next->run->arg, next->files, atomic_load(&next->compared));
	}
}

/* Write that a victim is another name of one before it: undo makes links of them again. */
static void
protocol_write_same(const struct protocol_batch *b, const struct prove_job *job, const struct prove_victim *p, struct acts *acts)
{
	for (const struct prove_victim *o = p; p->held.st.nlink > 1 && o-- > job->victims;) {
		const int64_t number = b->states[o - b->victims].number;

		if (number != 0 && locked_file_same_inode(&o->held, &p->held)) {
			acts_add_same(acts, b->states[p - b->victims].number, number);
			break;
		}
	}
}

/* Write the lines of all acts that will be tried. */
static int
protocol_write_lines(struct protocol_batch *b, const struct protocol *run, struct acts *acts, struct err *err)
{
	bool any = false;

	for (size_t j = 0; j < b->jobs.n; j++) {
		const struct prove_job *job = &b->jobs.v[j];

		for (size_t i = 0; job->done && i < job->n; i++) {
			struct prove_victim *p = &job->victims[i];

			if (p->verdict.outcome != ACT_PENDING)
				continue;
			if (acts->path == NULL && acts_begin(acts, run->ix, run->command, err) < 0)
				return -1;
			b->states[p - b->victims].number = acts_add(acts, run->kind, &p->held, p->file->row.hash, job->keeper.path);
			protocol_write_same(b, job, p, acts);
			any = true;
		}
	}
	return any ? acts_sync(acts, err) : 0;
}

/*
 * An act on one name of an inode changes the ctime of all of them: renew the stats of the names
 * that are held, and the rows that later batches of the group compare with.
 */
static void
protocol_renew_links(struct prove_job *job, const struct prove_victim *done, const struct fs_stat *after)
{
	const struct inode inode = done->file->row.inode;

	for (size_t i = 0; i < job->n; i++) {
		struct prove_victim *p = &job->victims[i];

		if (p != done && p->verdict.outcome == ACT_PENDING && locked_file_same_inode(&p->held, &done->held))
			locked_file_renew(&p->held, &p->verdict);
	}
	for (size_t i = 0; i < job->group->n; i++) {
		struct file_row *row = &job->group->victims[i].file.row;

		if (inode_same(row->inode, inode))
			row->ctime = after->ctime;
	}
}

/*
 * The same for the keeper.  Its rows follow only where a lease proves that nobody wrote meanwhile.
 */
static void
protocol_settle_keeper(struct index_update *settle, const struct prove_job *job)
{
	const struct act_group *g = job->group;

	if (!job->keeper.renewed || job->keeper.lease != LEASE_HELD || lease_look(job->keeper.fd) != LEASE_HELD)
		return;
	for (size_t i = 0; i < g->n_keepers; i++) {
		if (inode_same(g->keepers[i].row.inode, job->keeper_file->row.inode))
			g->keepers[i].row.ctime = job->keeper.st.ctime;
	}
	index_update_kept(settle, job->keeper_file, &job->keeper.st);
}

/* Act on one proven victim. */
static int
protocol_act(const struct protocol *run, struct prove_job *job, struct prove_victim *p, struct protocol_state *s,
             struct acts *acts)
{
	struct buf to = { 0 };
	int ret;

	switch (run->kind) {
	case ACT_REMOVE:
		return remove_file(&job->keeper, &p->held, &p->verdict);
	case ACT_TRASH:
		ret = trash_file(&job->keeper, &p->held, &to, &p->verdict);
		if (ret == 0 && to.len > 0)
			acts_add_to(acts, s->number, buf_str(&to));
		buf_release(&to);
		return ret;
	case ACT_REFLINK:
		return link_share(&job->keeper, &p->held, &s->freed, &p->verdict);
	default:
		return link_file(run->kind, &job->keeper, &p->held, &p->verdict);
	}
}

/* The same, and note what came of it. */
static void
protocol_on(const struct protocol *run, struct prove_job *job, struct prove_victim *p, struct protocol_state *s,
            struct exclusive_extents *own, struct acts *acts)
{
	if (protocol_act(run, job, p, s, acts) < 0)
		return;
	/* We hold the file open, so its blocks are still there to be counted. */
	if (fs_stat_fd(p->held.fd, &s->after) < 0)
		s->after = (struct fs_stat){ .nlink = 0 };
	if (s->after.nlink == 0)
		s->freed = num_mul(exclusive_extents_of(own, s->after.dev, p->held.fd, s->after.blocks), 512);
	s->keeper = job->keeper.st;
	p->verdict.outcome = ACT_DONE;
	protocol_renew_links(job, p, &s->after);
}

/* Do the acts of a batch, until a signal comes. */
static void
protocol_do(struct protocol_next *next, struct protocol_batch *b, struct exclusive_extents *own, struct acts *acts)
{
	const struct protocol *run = next->run;

	for (size_t j = 0; j < b->jobs.n; j++) {
		struct prove_job *job = &b->jobs.v[j];

		for (size_t i = 0; i < job->n; i++) {
			struct prove_victim *p = &job->victims[i];
			struct protocol_state *s = &b->states[p - b->victims];

			next->files++;
			if (s->number == 0)
				continue;
			if (p->verdict.outcome == ACT_PENDING && stop_signal() == 0)
				protocol_on(run, job, p, s, own, acts);
			/*
			 * An act that was taken back has changed the ctime: the row follows
			 * where a lease proves that nobody wrote meanwhile.  Otherwise the file
			 * counts as changed, and the next scan reads it.
			 */
			if (p->verdict.outcome != ACT_DONE) {
				acts_add_not(acts, s->number);
				s->touched = p->held.fd >= 0 && p->held.lease == LEASE_HELD &&
				             fs_stat_at(p->held.dir, p->held.name, &s->after) == 0 &&
				             locked_file_is(&p->held, &s->after) && lease_look(p->held.fd) == LEASE_HELD;
			}
			run->tick(run->arg, next->files, atomic_load(&next->compared));
		}
	}
}

/*
 * Read a file once more that differed from another with its hash.  Returns whether it may not have
 * its content any more, and says so where that is certain.
 */
static bool
protocol_doubt(struct content_reader *reader, const struct act_file *f, struct verdict *v)
{
	struct content_result res;
	struct fs_stat st;

	content_read(reader, AT_FDCWD, f->path, CONTENT_FULL, &st, &res);
	if (res.error != 0 || !res.has_hash || !file_same(&f->row, &st, f->trust_mtime))
		return true;
	if (memcmp(res.hash, f->row.hash, HASH_SIZE) == 0)
		return false;
	verdict_add(v, "; '%s' does not have the content any more that it was indexed with", f->path);
	return true;
}

/* Find out which files of a batch that differ from their keepers are to blame, or the keepers. */
static void
protocol_doubts(struct protocol_batch *b, const struct protocol *run)
{
	struct content_reader reader = { .block = NULL };

	for (size_t j = 0; j < b->jobs.n; j++) {
		const struct prove_job *job = &b->jobs.v[j];

		for (size_t i = 0; i < job->n; i++) {
			struct prove_victim *p = &job->victims[i];
			struct protocol_state *s = &b->states[p - b->victims];
			const bool stopped = stop_signal() != 0;

			if (!p->differs)
				continue;
			if (reader.block == NULL)
				content_reader_init(&reader, run->ix->secret, (struct fs_time){ 0, 0 });
			s->doubtful = stopped || protocol_doubt(&reader, p->file, &p->verdict);
			s->keeper_doubtful = stopped || protocol_doubt(&reader, job->keeper_file, &p->verdict);
		}
	}
	content_reader_release(&reader);
}

/*
 * The stat for the other names of a victim's inode; NULL where a later victim of the job is one of
 * them and updates them all: writing n names n times would take n * n rows.
 */
static const struct fs_stat *
protocol_after(const struct prove_job *job, const struct prove_victim *p, const struct protocol_state *s)
{
	for (size_t i = (size_t)(p - job->victims) + 1; i < job->n; i++) {
		if (job->victims[i].verdict.outcome == ACT_DONE && inode_same(job->victims[i].file->row.inode, p->file->row.inode))
			return NULL;
	}
	return &s->after;
}

/* The rows of an act that was done. */
static int
protocol_settle_done(struct index_update *settle, enum act_kind kind, const struct prove_job *job, const struct prove_victim *p,
                     const struct protocol_state *s, struct err *err)
{
	switch (kind) {
	case ACT_HARD:
		return index_update_linked(settle, p->file, protocol_after(job, p, s), job->keeper_file, &s->keeper, err);
	case ACT_REFLINK:
		return index_update_shared(settle, p->file, &s->after, err);
	default:
		return index_update_removed(settle, p->file, protocol_after(job, p, s), err);
	}
}

/* The rows of a batch. */
static int
protocol_settle_rows(struct index_update *settle, enum act_kind kind, const struct protocol_batch *b, struct err *err)
{
	int ret = 0;

	for (size_t j = 0; ret == 0 && j < b->jobs.n; j++) {
		const struct prove_job *job = &b->jobs.v[j];

		for (size_t i = 0; ret == 0 && i < job->n; i++) {
			const struct prove_victim *p = &job->victims[i];
			const struct protocol_state *s = &b->states[p - b->victims];

			if (p->verdict.outcome == ACT_DONE)
				ret = protocol_settle_done(settle, kind, job, p, s, err);
			else if (s->touched)
				index_update_kept(settle, p->file, &s->after);
			else if (s->doubtful)
				ret = index_update_doubtful(settle, p->file, err);
			if (ret == 0 && s->keeper_doubtful)
				ret = index_update_doubtful(settle, job->keeper_file, err);
		}
		if (ret == 0)
			protocol_settle_keeper(settle, job);
	}
	return ret == 0 ? index_update_write(settle, err) : ret;
}

/*
 * Tell what came of the victims of a batch.  Those that a signal kept from being judged are not
 * told of.
 */
static int
protocol_tell(const struct protocol *run, const struct protocol_batch *b, const struct exclusive_extents *own)
{
	int ret = 0;

	for (size_t j = 0; ret == 0 && j < b->jobs.n; j++) {
		const struct prove_job *job = &b->jobs.v[j];

		for (size_t i = 0; ret == 0 && i < job->n; i++) {
			const struct prove_victim *p = &job->victims[i];
			const struct protocol_told told = {
				.kind = run->kind, .victim = p->file, .keeper = job->keeper_file != NULL ? job->keeper_file->path : NULL,
				.outcome = p->verdict.outcome, .why = buf_str(&p->verdict.why), .freed = b->states[p - b->victims].freed,
				.at_most = own->layers,
			};

			if (told.outcome != ACT_PENDING)
				ret = run->told(run->arg, &told);
		}
	}
	return ret;
}

/* Act on a batch that is proven. */
static int
protocol_batch(struct protocol_next *next, struct protocol_batch *b, struct exclusive_extents *own, struct acts *acts, struct err *err)
{
	const struct protocol *run = next->run;
	int ret = protocol_write_lines(b, run, acts, err), settled = -1;

	if (ret == 0) {
		protocol_do(next, b, own, acts);
		protocol_doubts(b, run);
	}
	/* Without all lines on the disk none of these acts is done. */
	for (size_t i = 0; ret < 0 && i < b->n; i++) {
		if (b->states[i].number != 0)
			acts_add_not(acts, b->states[i].number);
	}
	/*
	 * Acts are told even if the index can't be written: the next scan brings it up to date.
	 */
	if (ret == 0) {
		struct index_update settle = { .ix = run->ix };

		settled = db_begin(run->ix->db, err);
		if (settled == 0)
			settled = db_end(run->ix->db, protocol_settle_rows(&settle, run->kind, b, err), err);
		index_update_release(&settle);
		ret = protocol_tell(run, b, own);
	}
	return ret != 0 ? ret : settled < 0 ? -1 : stop_check(err);
}

int
protocol_run(const struct protocol *run, struct act_group *groups, size_t n, struct err *err)
{
	struct acts acts = { .fd = -1 };
	struct exclusive_extents own = { .n = 0 };
	const size_t limit = protocol_most_files();
	struct protocol_feed feed = { .groups = groups, .n = n, .most = limit < PROTOCOL_FIRST_FILES ? limit : PROTOCOL_FIRST_FILES,
	                              .limit = limit };
	struct protocol_batch batches[PROTOCOL_BATCHES] = { 0 };
	struct protocol_next next = { .run = run, .feed = &feed, .batch = &batches[0] };
	/* The caller acts on what the thread opens. */
	const struct tasks_kind kind = { .arg = &next, .work = protocol_make, .shares = true };
	int ret = stop_check(err);

	assert(run->told != NULL && run->tick != NULL && !run->ix->db->in_transaction);
	for (size_t i = 0; i < PROTOCOL_BATCHES; i++) {
		batches[i].victims = mem_zalloc(limit, sizeof(*batches[i].victims));
		batches[i].states = mem_zalloc(limit, sizeof(*batches[i].states));
	}
	next.tasks = tasks_new(&kind, 1);
	protocol_end_next(&next, ret == 0);
	while (ret == 0 && next.batch->jobs.n > 0) {
		struct protocol_batch *b = next.batch;

		next.batch = &batches[b == &batches[0]];
		/* Unless the next batch goes on with a group of the last one. */
		if (feed.victim == 0 && (feed.group < n || next.batch->jobs.n > 0))
			tasks_give(next.tasks, &next.piece);
		ret = protocol_batch(&next, b, &own, &acts, err);
		protocol_end_next(&next, ret == 0);
	}
	if (acts.path != NULL)
		ret = acts_end(&acts, ret, err);
	for (size_t i = 0; i < PROTOCOL_BATCHES; i++) {
		prove_release(batches[i].jobs.v, batches[i].jobs.n);
		vec_release(&batches[i].jobs);
		free(batches[i].victims);
		free(batches[i].states);
	}
	exclusive_extents_release(&own);
	tasks_free(next.tasks);
	return ret;
}
