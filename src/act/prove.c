/* SPDX-License-Identifier: MIT */
/*
 * The threads share the descriptors of the process: the main thread acts on what they open.  Each
 * job belongs to the thread that has its piece; struct prove and the jobs' groups are only read.
 * There are no locks but that of sys/tasks.
 */
#include "base/base.h"

#include "act/prove.h"

#include <fcntl.h>
#include <stdatomic.h>

#include "act/compare_bytes.h"
#include "act/locked_dir.h"
#include "sys/stop.h"
#include "sys/sync.h"
#include "sys/tasks.h"

/* Threads: SSDs have several channels, disks sort several requests. */
#define PROVE_THREADS 4
/* Groups from which on keepers are synced by whole volumes, not one by one. */
#define PROVE_MANY 32

/* Jobs that a thread takes at a time where there are many: neighbours share directories. */
#define PROVE_RUN 8

struct prove {
	size_t n;                     /* jobs */
	_Atomic int64_t *compared;    /* bytes */
};

/* Jobs that a thread takes at a time. */
struct prove_piece {
	struct tasks_piece piece;     /* first, so that it is the piece */
	struct prove_job *jobs;
	size_t n;
};

/* What a thread has of its own. */
struct prove_state {
	struct locked_file_dirs dirs;
	uint8_t *memory;              /* COMPARE_MEMORY */
};

/* Open a file and check that it is as the index says. */
static int
prove_open(struct locked_file *h, const struct act_file *f, struct locked_file_dirs *dirs, struct verdict *v)
{
	if (locked_file_open(h, f->path, dirs, v) < 0)
		return -1;
	if (file_same(&f->row, &h->st, f->trust_mtime))
		return 0;
	locked_file_close(h);
	return verdict_set(v, ACT_UNSURE, "it has changed since it was indexed");
}

/*
 * Open the first keeper that is as the index says.  Returns 0, or -1 with why, the reasons of all.
 */
static int
prove_open_keeper(struct prove_job *job, struct locked_file_dirs *dirs, struct buf *why)
{
	for (size_t i = 0; i < job->group->n_keepers; i++) {
		struct verdict v = { .outcome = ACT_PENDING };
		const struct act_file *f = &job->group->keepers[i];

		if (prove_open(&job->keeper, f, dirs, &v) == 0) {
			job->keeper_file = f;
			return 0;
		}
		buf_addf(why, "%s'%s': %s", i > 0 ? "; " : "", f->path, buf_str(&v.why));
		verdict_release(&v);
	}
	return -1;
}

/* Give all victims without a verdict the same one. */
static void
prove_none(struct prove_job *job, const char *path, const char *why)
{
	for (size_t i = 0; i < job->n; i++)
		verdict_set(&job->victims[i].verdict, ACT_UNSURE, "no copy holds: '%s': %s", path, why);
}

static bool
prove_open_victims(struct prove_job *job, struct locked_file_dirs *dirs)
{
	bool any = false;

	for (size_t i = 0; i < job->n; i++) {
		struct prove_victim *p = &job->victims[i];

		if (prove_open(&p->held, p->file, dirs, &p->verdict) < 0)
			continue;
		if (locked_file_same_inode(&p->held, &job->keeper))
			verdict_set(&p->verdict, ACT_STAYS, "it is another name of '%s': nothing would be freed", job->keeper.path);
		else if (p->held.st.size != job->keeper.st.size)
			verdict_set(&p->verdict, ACT_UNSURE, "it has another length than '%s'", job->keeper.path);
		any |= p->verdict.outcome == ACT_PENDING;
	}
	return any;
}

/* Whether a victim relies on the keeper while this part of it is not on the disk yet. */
static bool
prove_waits(const struct prove_job *job, enum prove_unwritten unwritten)
{
	bool any = false;

	for (size_t i = 0; job->done && job->unwritten == unwritten && i < job->n; i++)
		any |= job->victims[i].verdict.outcome == ACT_PENDING;
	return any;
}

/* Note the outcome of syncing a keeper. */
static void
prove_written(struct prove_job *job, int error, enum prove_unwritten unwritten)
{
	struct verdict keeper = { .outcome = ACT_PENDING };

	if (error != 0) {
		verdict_errno(&keeper, error, "cannot be written to the disk");
		prove_none(job, job->keeper.path, buf_str(&keeper.why));
		verdict_release(&keeper);
	}
	job->unwritten = unwritten;
}

/*
 * Sync the volumes of the keepers that prove_job left: that writes their bytes and names.  Where
 * it fails, the fault may be another file's: then sync each keeper by itself.
 */
static void
prove_sync_volumes(struct prove_job *jobs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct locked_file *first = &jobs[i].keeper;
		bool all;
		int error;

		if (!prove_waits(&jobs[i], PROVE_BYTES))
			continue;
		all = sync_volume(first->fd) == 0;
		error = sync_file(first->fd);
		all &= error == 0;
		prove_written(&jobs[i], error, all ? PROVE_NOTHING : PROVE_NAME);
		for (size_t j = i + 1; j < n; j++) {
			struct prove_job *job = &jobs[j];

			if (!prove_waits(job, PROVE_BYTES) || job->keeper.st.dev != first->st.dev)
				continue;
			if (all)
				prove_written(job, sync_file_failed(job->keeper.fd), PROVE_NOTHING);
			else
				prove_written(job, sync_file(job->keeper.fd), PROVE_NAME);
		}
	}
}

/*
 * Sync the directories of the keepers.  Neighbours in one directory share a call: a second one
 * would not report a failure again.  All of them had their names before the first call.
 */
static void
prove_sync_dirs(struct prove_job *jobs, size_t n)
{
	struct fs_stat st, last = { .nlink = 0 };
	int error = 0;

	for (size_t i = 0; i < n; i++) {
		struct prove_job *job = &jobs[i];

		if (!prove_waits(job, PROVE_NAME))
			continue;
		if (fs_stat_fd(job->keeper.dir, &st) < 0) {
			error = errno;
			last.nlink = 0;
		} else if (last.nlink == 0 || st.inode != last.inode || st.dev != last.dev) {
			error = sync_file(job->keeper.dir);
			last = st;
		}
		prove_written(job, error, PROVE_NOTHING);
	}
}

/*
 * Check that a file is as it was before it was compared.  On a local file system a lease proves
 * that until the act, which looks at it; elsewhere others may write without opening the file.
 */
static void
prove_check(const struct locked_file *h, struct verdict *v)
{
	if (v->outcome == ACT_PENDING && (h->lease != LEASE_HELD || !locked_file_tells_files(h)))
		locked_file_check(h, v);
}

/* Compare the open victims with the keeper, and check that none of them changed meanwhile. */
static void
prove_compare(struct prove_job *job, uint8_t *memory, _Atomic int64_t *compared)
{
	struct compare_bytes_with *with = mem_zalloc(job->n, sizeof(*with));
	struct verdict keeper = { .outcome = ACT_PENDING };

	if (!job->trust_cache)
		content_from_disk(job->keeper.fd);
	for (size_t i = 0; i < job->n; i++)
		with[i] = (struct compare_bytes_with){ &job->victims[i].held, &job->victims[i].verdict, -1 };
	job->done = compare_bytes_files(&job->keeper, &keeper, with, job->n, memory, compared) == 0 || keeper.outcome != ACT_PENDING;
	prove_check(&job->keeper, &keeper);
	if (keeper.outcome != ACT_PENDING)
		prove_none(job, job->keeper.path, buf_str(&keeper.why));
	for (size_t i = 0; i < job->n; i++) {
		job->victims[i].differs = with[i].differs >= 0;
		prove_check(&job->victims[i].held, &job->victims[i].verdict);
	}
	verdict_release(&keeper);
	free(with);
}

static void
prove_job(const struct prove *p, struct prove_job *job, struct locked_file_dirs *dirs, uint8_t *memory)
{
	struct buf why = { 0 };

	job->done = true;
	if (prove_open_keeper(job, dirs, &why) < 0) {
		for (size_t i = 0; i < job->n; i++)
			verdict_set(&job->victims[i].verdict, ACT_UNSURE, "no copy holds: %s", buf_str(&why));
	} else if (prove_open_victims(job, dirs))
		prove_compare(job, memory, p->compared);
	buf_release(&why);
	/* With many groups prove_sync_volumes does it. */
	if (prove_waits(job, PROVE_BYTES) && (p->n < PROVE_MANY || !locked_file_tells_files(&job->keeper)))
		prove_written(job, sync_file(job->keeper.fd), PROVE_NAME);
	/* Do not keep writers from files that stay. */
	for (size_t i = 0; i < job->n; i++) {
		if (job->victims[i].verdict.outcome != ACT_PENDING)
			locked_file_close(&job->victims[i].held);
	}
}

/* tasks_kind.begin, .work and .end */
static void *
prove_begin(void *arg)
{
	struct prove_state *state = mem_zalloc(1, sizeof(*state));

	(void)arg;
	state->memory = mem_alloc(COMPARE_MEMORY);
	return state;
}

static void
prove_work(void *arg, void *state, struct tasks_piece *piece)
{
	const struct prove_piece *p = (const struct prove_piece *)(void *)piece;
	struct prove_state *own = state;

	for (size_t i = 0; i < p->n && stop_signal() == 0; i++)
		prove_job(arg, &p->jobs[i], &own->dirs, own->memory);
}

static void
prove_end(void *arg, void *state)
{
	struct prove_state *own = state;

	(void)arg;
	locked_file_dirs_release(&own->dirs);
	free(own->memory);
	free(own);
}

/* tasks_kind.work */
static void
prove_work_release(void *arg, void *state, struct tasks_piece *piece)
{
	const struct prove_piece *p = (const struct prove_piece *)(void *)piece;

	(void)arg, (void)state;
	for (struct prove_job *job = p->jobs; job < p->jobs + p->n; job++) {
		for (size_t i = 0; i < job->n; i++) {
			locked_file_close(&job->victims[i].held);
			verdict_release(&job->victims[i].verdict);
		}
		locked_file_close(&job->keeper);
	}
}

/* Let threads, this one among them, take the jobs in turn. */
static void
prove_in_threads(struct prove_job *jobs, size_t n, const struct tasks_kind *kind)
{
	/* Short enough that no thread ends up alone with a long run. */
	const size_t fair = n / (4 * PROVE_THREADS), run = fair < 1 ? 1 : fair < PROVE_RUN ? fair : PROVE_RUN;
	struct prove_piece *pieces = mem_zalloc(n / run + 1, sizeof(*pieces)), *p = pieces;
	struct tasks *t = tasks_new(kind, n < PROVE_THREADS ? n > 0 ? (int)n - 1 : 0 : PROVE_THREADS - 1);

	for (size_t i = 0; i < n; i += run, p++) {
		p->jobs = &jobs[i];
		p->n = n - i < run ? n - i : run;
		tasks_give(t, &p->piece);
	}
	while (tasks_take(t, TASKS_HELP) != NULL)
		;
	tasks_free(t);
	free(pieces);
}

void
prove_run(struct prove_job *jobs, size_t n, _Atomic int64_t *compared)
{
	struct prove p = { n, compared };
	const struct tasks_kind kind = { .arg = &p, .begin = prove_begin, .work = prove_work, .end = prove_end, .shares = true };

	prove_in_threads(jobs, n, &kind);
	prove_sync_volumes(jobs, n);
	prove_sync_dirs(jobs, n);
}

void
prove_release(struct prove_job *jobs, size_t n)
{
	const struct tasks_kind kind = { .work = prove_work_release, .shares = true };

	prove_in_threads(jobs, n, &kind);
}
