/* SPDX-License-Identifier: MIT */
/*
 * Two threads do all that may take long.  One asks the index and writes marks: the sums of all
 * directories are loaded with the first one that is asked for, marks wait for another writer.  The
 * other one looks at disks, which may sleep: no mark waits for those.  Each has the index open for
 * itself.
 *
 *	struct work         what is done, the oldest first, under the lock
 *	struct work_thread  what is asked of a thread, the oldest first, under the lock, and its own
 *
 * The threads block all signals: they are the main thread's, which waits for keys.  A signal that
 * asks to stop ends what they do by stop_check, as everywhere.
 */
#include "base/base.h"

#include "browse/work.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "browse/copies.h"
#include "browse/level.h"
#include "browse/look.h"
#include "cmd/cmd.h"
#include "db/db.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "query/keep.h"
#include "query/list.h"
#include "query/mark_apply.h"
#include "query/usage.h"
#include "sys/stop.h"

/* One for the index, one for disks. */
enum { WORK_INDEX, WORK_DISKS, WORK_THREADS };

/* Seconds between two looks at the index while nothing is asked. */
enum { WORK_WATCH_S = 1 };

struct work_thread {
	struct work *w;
	pthread_t thread;
	/* Under the lock. */
	pthread_cond_t asked;
	struct work_job *jobs, *at;    /* waiting; under way */
	/* The thread's own. */
	struct index *ix;              /* NULL: not open */
	struct index_state state;      /* of it, when what follows was loaded */
	struct usage *usage;           /* NULL: not loaded yet */
	uint32_t dir;                  /* of these sums, that was loaded last; or DIRTREE_NONE */
	struct buf path;               /* ... its path */
	struct copies *copies;         /* NULL: not loaded yet */
};

struct work {
	const struct cmd_globals *globals;
	pthread_mutex_t lock;
	struct work_job *done;
	bool over;
	int fds[2];                    /* a byte for each thing done */
	struct work_thread threads[WORK_THREADS];
};

static struct work_job *
work_job_new(enum work_kind kind, const char *path, enum mark_decision decision)
{
	struct work_job *job = mem_zalloc(1, sizeof(*job));

	*job = (struct work_job){ .kind = kind, .path = path != NULL ? mem_str(path) : NULL, .decision = decision };
	return job;
}

void
work_job_free(struct work_job *job)
{
	if (job == NULL)
		return;
	level_free(job->level);
	look_free(job->look);
	if (job->marks != NULL)
		level_marks_release(job->marks);
	free(job->marks);
	copies_answer_free(job->places);
	free(job->path);
	free(job->text);
	free(job);
}

/* Forget what is known of the index, and close it. */
static void
work_forget(struct work_thread *t)
{
	copies_free(t->copies);
	t->copies = NULL;
	usage_free(t->usage);
	t->usage = NULL;
	t->dir = DIRTREE_NONE;
	index_close(t->ix);
	t->ix = NULL;
}

/*
 * Begin to read the index as it is now, and forget the sums if somebody else has written to it, or
 * put another one in its place: directories may have other numbers.
 */
static int
work_begin(struct work_thread *t, struct err *err)
{
	if (t->ix != NULL) {
		if (db_begin_read(t->ix->db, err) < 0)
			return -1;
		if (!index_has_changed(t->ix, &t->state))
			return 0;
		work_forget(t);
	}
	return cmd_open(t->w->globals, 0, &t->ix, err) < 0 ? -1 : index_note_state(t->ix, &t->state, err);
}

/* End the read, or the log of a scan would grow while a person thinks. */
static void
work_rest(struct work_thread *t)
{
	struct err ignored = { 0 };

	if (t->ix == NULL)
		return;
	db_rest(t->ix->db);
	if (t->ix->db->in_transaction)
		db_end(t->ix->db, 0, &ignored);
}

/* Load the sums if they are not, or were not asked for all that counts at a directory. */
static int
work_sums(struct work_thread *t, const char *path, uint32_t *dir, struct err *err)
{
	struct buf asked = { 0 };
	int ret = 0;

	buf_adds(&asked, path);
	/* Twice, where the index has only a directory above path. */
	for (int i = 0; ret == 0 && i < 2; i++) {
		if (t->usage != NULL) {
			*dir = dirtree_nearest(usage_dirs(t->usage), path);
			if (usage_asked(t->usage, *dir))
				break;
			buf_cut(&asked, 0);
			dirtree_path(usage_dirs(t->usage), *dir, &asked);
			usage_free(t->usage);
			t->usage = NULL;
		}
		ret = usage_load(&t->usage, t->ix, &(struct usage_query){ .asked = buf_str(&asked), .files = true }, err);
	}
	if (ret == 0)
		*dir = dirtree_nearest(usage_dirs(t->usage), path);
	buf_release(&asked);
	return ret;
}

static int
work_do_level(struct work_thread *t, struct work_job *job, struct err *err)
{
	uint32_t dir = DIRTREE_NONE;

	if (work_sums(t, job->path, &dir, err) < 0) {
		job->fatal = true;
		return -1;
	}
	if (level_load(&job->level, t->ix, t->usage, dir, err) < 0)
		return -1;
	t->dir = dir;
	buf_cut(&t->path, 0);
	buf_adds(&t->path, job->level->path);
	return 0;
}

/* Marks that are written, and what is to be said of them. */
struct work_marks {
	const struct work_thread *t;
	struct level_marks *level;     /* what becomes of its directory */
	struct buf why;                /* of the first file that was refused */
	int64_t n_changed;
};

/* Note what the mark of a path became. */
static void
work_note(struct work_marks *m, const char *path, enum mark_decision decision)
{
	const size_t len = path_parent_len(path);

	if (len == m->t->path.len && memcmp(path, buf_str(&m->t->path), len) == 0)
		level_marks_add(m->level, path_base(path), decision);
}

/* mark_apply_fn */
static int
work_refused(void *arg, const char *path, const char *why)
{
	struct work_marks *m = arg;

	(void)path;
	if (m->why.len == 0)
		buf_adds(&m->why, why);
	return 0;
}

/* mark_apply_marked_fn */
static int
work_marked(void *arg, const struct mark_apply_marked *m)
{
	work_note(arg, m->path, m->decision);
	return 0;
}

static int
work_apply(struct index *ix, const struct work_job *job, struct work_marks *m, struct buf *text, struct err *err)
{
	const struct keep keep = { .copies = 0 };
	const char *const path = job->path;
	const struct mark_apply_query q = { .paths = &path, .n_paths = 1, .decision = job->decision, .keep = &keep,
	                                    .refused = work_refused, .marked = work_marked, .arg = m };
	struct mark_apply_totals totals;
	char x[NUM_SHOW_MAX];

	if (mark_apply(ix, &q, &totals, err) < 0)
		return -1;
	buf_addf(text, "marked %s: %s", mark_name(job->decision), num_show_things(totals.n_marked, "file", "files", x));
	if (totals.n_already > 0)
		buf_addf(text, ", %s already", num_show_count(totals.n_already, x));
	if (totals.n_refused > 0)
		buf_addf(text, "; refused: %s (%s)", num_show_count(totals.n_refused, x), buf_str(&m->why));
	if (gaps_matter(&totals.gaps) > 0) {
		buf_adds(text, "; ");
		gaps_show(text, &totals.gaps);
	}
	return 0;
}

/* mark_change_fn */
static int
work_changed(void *arg, const char *path, enum mark_decision from, enum mark_decision to)
{
	struct work_marks *m = arg;

	(void)from;
	m->n_changed++;
	work_note(m, path, to);
	return 0;
}

/* Clear marks, or take them back, in one transaction. */
static int
work_change(struct index *ix, const struct work_job *job, struct work_marks *m, struct buf *text, struct err *err)
{
	int64_t batch;
	char x[NUM_SHOW_MAX];
	int ret = db_begin(ix->db, err);

	if (ret < 0)
		return -1;
	if (job->kind == WORK_UNDO) {
		ret = mark_step(ix, true, work_changed, m, err);
		buf_addf(text, m->n_changed > 0 ? "taken back: %s as before" : "there is nothing to undo",
		         num_show_things(m->n_changed, "file", "files", x));
	} else {
		ret = mark_begin(ix, &batch, err);
		if (ret == 0)
			ret = mark_clear(ix, batch, job->path, &m->n_changed, err);
		work_note(m, job->path, MARK_NONE);
		buf_addf(text, m->n_changed > 0 ? "marks cleared: %s" : "not marked", num_show_things(m->n_changed, "file", "files", x));
	}
	return db_end(ix->db, ret < 0 ? -1 : 0, err);
}

/* Write marks, by an index that is open only meanwhile: others may write while a person thinks. */
static int
work_do_mark(struct work_thread *t, struct work_job *job, struct buf *text, struct err *err)
{
	struct level_marks *marks = mem_zalloc(1, sizeof(*marks));
	struct work_marks m = { .t = t, .level = marks };
	struct index *ix = NULL;
	bool changed = false;
	int ret;

	work_rest(t);
	ret = cmd_open(t->w->globals, INDEX_WRITE | INDEX_EXISTING, &ix, err);
	/* Nobody else writes from here on, until it is closed. */
	if (ret == 0)
		changed = index_has_changed(t->ix, &t->state);
	if (ret == 0)
		ret = job->kind == WORK_MARK && job->decision != MARK_NONE ? work_apply(ix, job, &m, text, err) :
		      work_change(ix, job, &m, text, err);
	index_close(ix);
	/* Our own write is no reason to load the sums again; an earlier one by others is. */
	if (changed)
		work_forget(t);
	else
		t->ix->marks = true;
	if (ret == 0 && !changed)
		ret = db_begin_read(t->ix->db, err) < 0 ? -1 : index_note_state(t->ix, &t->state, err);
	if (ret == 0 && t->usage != NULL)
		ret = usage_marks(t->usage, t->ix, err);
	if (ret == 0 && t->dir != DIRTREE_NONE) {
		level_marks_sum(marks, t->usage, t->dir);
		job->marks = marks;
		free(job->path);
		job->path = mem_str(buf_str(&t->path));
	} else {
		level_marks_release(marks);
		free(marks);
	}
	buf_release(&m.why);
	return ret;
}

/* Say what could not be judged at and below a directory. */
static int
work_do_gaps(struct work_thread *t, const char *path, struct buf *text, struct err *err)
{
	struct gaps gaps = { .files = { 0 } };

	if (list_count_gaps(t->ix, &path, 1, NULL, NULL, &gaps, err) < 0)
		return -1;
	if (gaps_matter(&gaps) > 0)
		gaps_show(text, &gaps);
	return 0;
}

/* Do what is asked. */
static void
work_do(struct work_thread *t, struct work_job *job)
{
	struct err err = { 0 };
	struct buf text = { 0 };
	int ret = work_begin(t, &err);

	if (ret == 0) {
		switch (job->kind) {
		case WORK_LEVEL:
			ret = work_do_level(t, job, &err);
			break;
		case WORK_MARK:
		case WORK_UNDO:
			ret = work_do_mark(t, job, &text, &err);
			break;
		case WORK_LOOK:
			ret = look_load(&job->look, t->ix, job->path, &err);
			break;
		case WORK_PLACES:
			if (t->copies == NULL)
				ret = copies_load(&t->copies, t->ix, &err);
			if (ret == 0)
				job->places = copies_find(t->copies, job->path);
			break;
		case WORK_GAPS:
			ret = work_do_gaps(t, job->path, &text, &err);
			break;
		case WORK_WATCH:
			job->changed = t->usage == NULL;
			break;
		}
	}
	work_rest(t);
	if (ret < 0) {
		job->code = err.code;
		buf_cut(&text, 0);
		buf_adds(&text, err.text);
	}
	if (text.len > 0)
		job->text = buf_take(&text);
	buf_release(&text);
}

/* Wait until something is asked; with sums of the index, watch it meanwhile.  Under the lock. */
static void
work_wait(struct work_thread *t)
{
	struct work *w = t->w;
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WORK_WATCH_S;
	if (t->usage == NULL)
		pthread_cond_wait(&t->asked, &w->lock);
	else if (pthread_cond_timedwait(&t->asked, &w->lock, &until) == ETIMEDOUT && t->jobs == NULL)
		t->jobs = work_job_new(WORK_WATCH, NULL, MARK_NONE);
}

static void *
work_run(void *arg)
{
	struct work_thread *t = arg;
	struct work *w = t->w;

	pthread_mutex_lock(&w->lock);
	while (!w->over) {
		struct work_job **end = &w->done;

		t->at = t->jobs;
		if (t->at == NULL) {
			work_wait(t);
			continue;
		}
		t->jobs = t->at->next;
		t->at->next = NULL;
		pthread_mutex_unlock(&w->lock);
		work_do(t, t->at);
		pthread_mutex_lock(&w->lock);
		while (*end != NULL)
			end = &(*end)->next;
		*end = t->at;
		t->at = NULL;
		/* The pipe is never full: each byte was asked for, or comes seldom. */
		while (write(w->fds[1], "", 1) < 0)
			;
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* End the first n threads.  Marks are written before; looks at disks may take long, and end. */
static void
work_join(struct work *w, int n)
{
	const bool asked = stop_signal() != 0;

	pthread_mutex_lock(&w->lock);
	w->over = true;
	for (int i = 0; i < n; i++)
		pthread_cond_signal(&w->threads[i].asked);
	pthread_mutex_unlock(&w->lock);
	for (int i = 0; i < n; i++) {
		if (i == WORK_DISKS)
			stop_ask();
		pthread_join(w->threads[i].thread, NULL);
	}
	if (!asked && stop_signal() == SIGINT)
		stop_clear();
}

/* Start the threads, without signals.  Returns 0 or an errno: none is there then. */
static int
work_start(struct work *w)
{
	sigset_t all, before;
	int n = 0, ret = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	while (n < WORK_THREADS && ret == 0) {
		ret = pthread_create(&w->threads[n].thread, NULL, work_run, &w->threads[n]);
		n += ret == 0;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret != 0)
		work_join(w, n);
	return ret;
}

static void
work_free_jobs(struct work_job *jobs)
{
	while (jobs != NULL) {
		struct work_job *job = jobs;

		jobs = job->next;
		work_job_free(job);
	}
}

/* Free all but the threads, which have ended. */
static void
work_free(struct work *w)
{
	work_free_jobs(w->done);
	for (struct work_thread *t = w->threads; t < w->threads + WORK_THREADS; t++) {
		work_free_jobs(t->jobs);
		pthread_cond_destroy(&t->asked);
		work_forget(t);
		buf_release(&t->path);
	}
	close(w->fds[0]);
	close(w->fds[1]);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

int
work_open(struct work **result, const struct cmd_call *c, struct err *err)
{
	struct work *w = mem_zalloc(1, sizeof(*w));
	int ret;

	w->globals = c->globals;
	if (pipe(w->fds) < 0) {
		free(w);
		return err_sys(err, "make a pipe");
	}
	(void)fcntl(w->fds[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(w->fds[1], F_SETFD, FD_CLOEXEC);
	(void)fcntl(w->fds[0], F_SETFL, O_NONBLOCK);
	pthread_mutex_init(&w->lock, NULL);
	for (int i = 0; i < WORK_THREADS; i++) {
		w->threads[i] = (struct work_thread){ .w = w, .dir = DIRTREE_NONE };
		pthread_cond_init(&w->threads[i].asked, NULL);
	}
	ret = work_start(w);
	if (ret != 0) {
		work_free(w);
		return err_set(err, ERR_SYS, "cannot start a thread: %s", strerror(ret));
	}
	*result = w;
	return 0;
}

void
work_close(struct work *w)
{
	if (w == NULL)
		return;
	work_join(w, WORK_THREADS);
	work_free(w);
}

void
work_ask(struct work *w, enum work_kind kind, const char *path, enum mark_decision decision)
{
	struct work_thread *t = &w->threads[kind == WORK_LEVEL || work_marks(kind) ? WORK_INDEX : WORK_DISKS];
	struct work_job *job = work_job_new(kind, path, decision), **end = &t->jobs;

	pthread_mutex_lock(&w->lock);
	while (*end != NULL) {
		struct work_job *old = *end;

		if (old->kind == kind && !work_marks(kind)) {
			*end = old->next;
			work_job_free(old);
		} else
			end = &old->next;
	}
	*end = job;
	pthread_cond_signal(&t->asked);
	pthread_mutex_unlock(&w->lock);
}

int
work_fd(const struct work *w)
{
	return w->fds[0];
}

struct work_job *
work_take(struct work *w)
{
	struct work_job *done;
	char byte;

	pthread_mutex_lock(&w->lock);
	done = w->done;
	if (done != NULL) {
		const ssize_t n = read(w->fds[0], &byte, 1);

		(void)n;
		w->done = done->next;
		done->next = NULL;
	}
	pthread_mutex_unlock(&w->lock);
	return done;
}

bool
work_is_busy(struct work *w)
{
	bool busy = false;

	pthread_mutex_lock(&w->lock);
	for (int i = 0; i < WORK_THREADS; i++)
		busy = busy || w->threads[i].jobs != NULL || w->threads[i].at != NULL;
	pthread_mutex_unlock(&w->lock);
	return busy;
}

bool
work_is_marking(struct work *w)
{
	const struct work_thread *t = &w->threads[WORK_INDEX];
	bool marking;

	pthread_mutex_lock(&w->lock);
	marking = t->at != NULL && work_marks(t->at->kind);
	for (const struct work_job *job = t->jobs; job != NULL && !marking; job = job->next)
		marking = work_marks(job->kind);
	pthread_mutex_unlock(&w->lock);
	return marking;
}
