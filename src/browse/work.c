/* SPDX-License-Identifier: MIT */
/*
 * One thread does all that may take long: the sums of all directories are loaded with the first
 * one that is asked for, files are looked at where disks may sleep, marks wait for another writer.
 *
 *	struct work       both queues, under one lock; everything else is the thread's
 *	struct work_job   what is asked for, the oldest first
 *	struct work_done  what was done, the oldest first
 *
 * The thread blocks all signals: they are the main thread's, which waits for keys.  A signal that
 * asks to stop ends what the thread does by stop_check, as everywhere.
 */
#include <config.h>

#include "browse/work.h"

#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/path.h"
#include "browse/level.h"
#include "browse/look.h"
#include "cmd/cmd.h"
#include "db/db.h"
#include "index/index.h"
#include "query/dirtree.h"
#include "query/keep.h"
#include "query/mark_apply.h"
#include "query/usage.h"

struct work_job {
	struct work_job *next;
	enum work_kind kind;
	char *path;                    /* owned; or NULL */
	enum mark_decision decision;
};

struct work {
	pthread_t thread;
	pthread_mutex_t lock;          /* of the fields up to the next comment */
	pthread_cond_t asked;
	struct work_job *jobs, *at;    /* waiting; under way */
	struct work_done *done;
	bool over;
	int fds[2];                    /* a byte for each thing done */
	/* The thread's own */
	const struct cmd_globals *globals;
	struct index *ix;              /* NULL: not open */
	int64_t version;               /* of its data, when usage was loaded */
	struct usage *usage;           /* NULL: not loaded yet */
	uint32_t dir;                  /* of these sums, that was loaded last; or DIRTREE_NONE */
	struct buf path;               /* ... its path */
};

static void
work_job_free(struct work_job *job)
{
	if (job != NULL)
		free(job->path);
	free(job);
}

void
work_done_free(struct work_done *d)
{
	if (d == NULL)
		return;
	level_free(d->level);
	look_free(d->look);
	if (d->marks != NULL)
		level_marks_release(d->marks);
	free(d->marks);
	free(d->text);
	free(d);
}

/* Forget what is known of the index, and close it. */
static void
work_forget(struct work *w)
{
	usage_free(w->usage);
	w->usage = NULL;
	w->dir = DIRTREE_NONE;
	index_close(w->ix);
	w->ix = NULL;
}

/*
 * Begin to read the index as it is now, and forget the sums if somebody else has written to it:
 * directories may have other numbers.
 */
static int
work_begin(struct work *w, struct err *err)
{
	int64_t version;

	if (w->ix != NULL) {
		if (db_begin_read(w->ix->db, err) < 0 || db_pragma_get(w->ix->db, "data_version", &version, err) < 0)
			return -1;
		if (version == w->version)
			return 0;
		work_forget(w);
	}
	return cmd_open(w->globals, 0, &w->ix, err) < 0 ? -1 : db_pragma_get(w->ix->db, "data_version", &w->version, err);
}

/* End to read it: a scan may go on, and its log does not grow, while a person thinks. */
static void
work_rest(struct work *w)
{
	struct err ignored = { 0 };

	if (w->ix == NULL)
		return;
	db_rest(w->ix->db);
	if (w->ix->db->in_transaction)
		db_end(w->ix->db, 0, &ignored);
}

/* Load the sums if they are not, or were not asked for all that counts at a directory. */
static int
work_sums(struct work *w, const char *path, uint32_t *dir, struct err *err)
{
	struct buf asked = { 0 };
	int ret = 0;

	buf_adds(&asked, path);
	/* Twice, where the index has only a directory above path. */
	for (int i = 0; ret == 0 && i < 2; i++) {
		if (w->usage != NULL) {
			*dir = dirtree_nearest(usage_dirs(w->usage), path);
			if (usage_asked(w->usage, *dir))
				break;
			buf_cut(&asked, 0);
			dirtree_path(usage_dirs(w->usage), *dir, &asked);
			usage_free(w->usage);
			w->usage = NULL;
		}
		ret = usage_load_without(&w->usage, w->ix, NULL, 0, buf_str(&asked), err);
	}
	if (ret == 0)
		*dir = dirtree_nearest(usage_dirs(w->usage), path);
	buf_release(&asked);
	return ret;
}

static int
work_do_level(struct work *w, const char *path, struct work_done *done, struct err *err)
{
	uint32_t dir = DIRTREE_NONE;

	if (work_sums(w, path, &dir, err) < 0) {
		done->fatal = true;
		return -1;
	}
	if (level_load(&done->level, w->ix, w->usage, dir, err) < 0)
		return -1;
	w->dir = dir;
	buf_cut(&w->path, 0);
	buf_adds(&w->path, done->level->path);
	return 0;
}

/* Marks that are written, and what is to be said of them. */
struct work_marks {
	const struct work *w;
	struct level_marks *level;     /* what becomes of its directory */
	struct buf why;                /* of the first file that was refused */
	int64_t n_changed;
};

/* Note what the mark of a path became. */
static void
work_note(struct work_marks *m, const char *path, enum mark_decision decision)
{
	const size_t len = path_parent_len(path);

	if (len == m->w->path.len && memcmp(path, buf_str(&m->w->path), len) == 0)
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
	struct mark_apply_totals t;
	char x[NUM_SHOW_MAX];

	if (mark_apply(ix, &q, &t, err) < 0)
		return -1;
	buf_addf(text, "marked %s: %s", mark_name(job->decision), num_show_things(t.n_marked, "file", "files", x));
	if (t.n_already > 0)
		buf_addf(text, ", %s already", num_show_count(t.n_already, x));
	if (t.n_refused > 0)
		buf_addf(text, "; refused: %s (%s)", num_show_count(t.n_refused, x), buf_str(&m->why));
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
		ret = mark_undo(ix, work_changed, m, err);
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
work_do_mark(struct work *w, const struct work_job *job, struct work_done *done, struct buf *text, struct err *err)
{
	struct level_marks *marks = mem_zalloc(1, sizeof(*marks));
	struct work_marks m = { .w = w, .level = marks };
	struct index *ix = NULL;
	int ret;

	work_rest(w);
	ret = cmd_open(w->globals, INDEX_WRITE | INDEX_EXISTING, &ix, err);
	if (ret == 0)
		ret = job->kind == WORK_MARK && job->decision != MARK_NONE ? work_apply(ix, job, &m, text, err) :
		      work_change(ix, job, &m, text, err);
	index_close(ix);
	/* What was written here is no news. */
	w->ix->marks = true;
	if (ret == 0)
		ret = db_begin_read(w->ix->db, err) < 0 ? -1 : db_pragma_get(w->ix->db, "data_version", &w->version, err);
	if (ret == 0 && w->usage != NULL)
		ret = usage_marks(w->usage, w->ix, err);
	if (ret == 0 && w->dir != DIRTREE_NONE) {
		level_marks_sum(marks, w->usage, w->dir);
		done->marks = marks;
	} else {
		level_marks_release(marks);
		free(marks);
	}
	buf_release(&m.why);
	return ret;
}

/* Do what is asked.  Returns an owned answer. */
static struct work_done *
work_do(struct work *w, const struct work_job *job)
{
	struct work_done *done = mem_zalloc(1, sizeof(*done));
	struct err err = { 0 };
	struct buf text = { 0 };
	int ret;

	done->kind = job->kind;
	ret = work_begin(w, &err);
	if (ret == 0)
		ret = job->kind == WORK_LEVEL ? work_do_level(w, job->path, done, &err) :
		      job->kind == WORK_LOOK ? look_load(&done->look, w->ix, job->path, &err) : work_do_mark(w, job, done, &text, &err);
	work_rest(w);
	if (ret < 0) {
		buf_cut(&text, 0);
		buf_adds(&text, err.text);
	}
	if (text.len > 0)
		done->text = buf_take(&text);
	buf_release(&text);
	return done;
}

static void *
work_run(void *arg)
{
	struct work *w = arg;

	pthread_mutex_lock(&w->lock);
	while (!w->over) {
		struct work_done *done, **end = &w->done;

		w->at = w->jobs;
		if (w->at == NULL) {
			pthread_cond_wait(&w->asked, &w->lock);
			continue;
		}
		w->jobs = w->at->next;
		pthread_mutex_unlock(&w->lock);
		done = work_do(w, w->at);
		pthread_mutex_lock(&w->lock);
		work_job_free(w->at);
		w->at = NULL;
		while (*end != NULL)
			end = &(*end)->next;
		*end = done;
		/* The pipe is never full: each byte is a thing that a person asked for. */
		while (write(w->fds[1], "", 1) < 0)
			;
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

int
work_open(struct work **result, const struct cmd_call *c, struct err *err)
{
	struct work *w = mem_zalloc(1, sizeof(*w));
	sigset_t all, before;
	int ret;

	w->globals = c->globals;
	w->dir = DIRTREE_NONE;
	if (pipe(w->fds) < 0) {
		free(w);
		return err_sys(err, "make a pipe");
	}
	(void)fcntl(w->fds[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(w->fds[1], F_SETFD, FD_CLOEXEC);
	(void)fcntl(w->fds[0], F_SETFL, O_NONBLOCK);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->asked, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	ret = pthread_create(&w->thread, NULL, work_run, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	*result = w;
	if (ret == 0)
		return 0;
	w->over = true;
	close(w->fds[0]);
	close(w->fds[1]);
	pthread_cond_destroy(&w->asked);
	pthread_mutex_destroy(&w->lock);
	free(w);
	*result = NULL;
	return err_set(err, ERR_SYS, "cannot start a thread: %s", strerror(ret));
}

void
work_close(struct work *w)
{
	struct work_done *done;

	if (w == NULL)
		return;
	pthread_mutex_lock(&w->lock);
	w->over = true;
	pthread_cond_signal(&w->asked);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	while ((done = work_take(w)) != NULL)
		work_done_free(done);
	while (w->jobs != NULL) {
		struct work_job *job = w->jobs;

		w->jobs = job->next;
		work_job_free(job);
	}
	close(w->fds[0]);
	close(w->fds[1]);
	pthread_cond_destroy(&w->asked);
	pthread_mutex_destroy(&w->lock);
	work_forget(w);
	buf_release(&w->path);
	free(w);
}

/* Add a job; newest: drop those of its kind that wait. */
static void
work_add(struct work *w, enum work_kind kind, const char *path, enum mark_decision decision, bool newest)
{
	struct work_job *job = mem_zalloc(1, sizeof(*job)), **end = &w->jobs;

	*job = (struct work_job){ .kind = kind, .path = path != NULL ? mem_str(path) : NULL, .decision = decision };
	pthread_mutex_lock(&w->lock);
	while (*end != NULL) {
		struct work_job *old = *end;

		if (newest && old->kind == kind) {
			*end = old->next;
			work_job_free(old);
		} else
			end = &old->next;
	}
	*end = job;
	pthread_cond_signal(&w->asked);
	pthread_mutex_unlock(&w->lock);
}

void
work_level(struct work *w, const char *path)
{
	work_add(w, WORK_LEVEL, path, MARK_NONE, true);
}

void
work_look(struct work *w, const char *path)
{
	work_add(w, WORK_LOOK, path, MARK_NONE, true);
}

void
work_mark(struct work *w, const char *path, enum mark_decision decision)
{
	work_add(w, WORK_MARK, path, decision, false);
}

void
work_undo(struct work *w)
{
	work_add(w, WORK_UNDO, NULL, MARK_NONE, false);
}

int
work_fd(const struct work *w)
{
	return w->fds[0];
}

struct work_done *
work_take(struct work *w)
{
	struct work_done *done;
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
	bool busy;

	pthread_mutex_lock(&w->lock);
	busy = w->jobs != NULL || w->at != NULL;
	pthread_mutex_unlock(&w->lock);
	return busy;
}
