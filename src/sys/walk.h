/* SPDX-License-Identifier: MIT */
/* walk - visit the directories of several trees with several threads. */
#ifndef SYS_WALK_H
#define SYS_WALK_H

struct walk;
struct stall;
struct stall_post;

/** A directory waiting for its visit. */
struct walk_dir {
	struct walk_dir *next;  /* private */
	size_t start;           /* which of the start points it lies below */
	void *data;             /* the caller's, who also defines its owner */
	size_t name;            /* offset of its own name in path */
	char path[];            /* relative to its start point; "" for that itself */
};

/** What a visit may use; one per thread. */
struct walk_worker {
	struct walk *walk;
	void *data;               /* the caller's, per thread */
	int n;                    /* number of the thread, from 0 */
	struct stall_post *post;  /* where it notes what it visits */
	int start_fd;             /* in a visit: the start point, where it can be opened; else -1 */
	/* private */
	size_t n_visits;
	struct walk_dir *pushed;
	size_t start;             /* which of the start points start_fd has open */
};

/**
 * Visit one directory: called in a worker's thread with the open directory,
 * or with fd -1 and errno set when it could not be opened.  d and fd are
 * borrowed for the call.
 */
typedef void walk_visit_fn(struct walk_worker *w, const struct walk_dir *d, int fd);

/** Called for each worker at its end: in its thread, or in another for one that has none. */
typedef void walk_end_fn(struct walk_worker *w);

/**
 * Start up to n_threads threads, as many as find work, that visit the start points (absolute
 * paths, borrowed until walk_finish) and all directories that visits push, and up to n_reserve more
 * when these wait for a disk (where the system tells).  datas[i], one for each of all these,
 * becomes worker i's data.  A visit that sees a signal should return quickly; further directories
 * are then dropped without a visit, their data with drop.
 *
 * Each thread has a descriptor table of its own where the system can do that: threads that share
 * one contend for it at every open and close.  So no descriptor may pass between them.  watch,
 * which may be NULL, sees them at work: a visit says with stall_step that it gets on.  Two
 * descriptors per thread are open at a time.
 *
 * Returns an owned walk, to be ended with walk_finish.  NULL when no thread could be started; end
 * has been called for each worker then.
 */
struct walk *walk_start(const char *const *starts, void *const *start_datas, size_t n_starts, int n_threads, int n_reserve,
                        void *const *datas, struct stall *watch, walk_visit_fn *visit, walk_end_fn *end,
                        void (*drop)(void *));

/** From a visit: visit the directory name of the directory d too, with data. */
void walk_push(struct walk_worker *w, const struct walk_dir *d, const char *name, void *data);

/** Let the walk end early: directories that wait are dropped. */
void walk_stop(struct walk *walk);

/** Wait for all threads and free the walk. */
void walk_finish(struct walk *walk);

#endif
