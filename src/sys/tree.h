/* SPDX-License-Identifier: MIT */
/* tree - visit the directories of several trees with several threads. */
#ifndef SYS_TREE_H
#define SYS_TREE_H

#include <stddef.h>

struct tree;
struct watch;
struct watch_post;

/** A directory waiting for its visit. */
struct tree_dir {
	struct tree_dir *next;  /* private */
	size_t top;             /* which of the tops it lies below */
	void *data;             /* the caller's; who pushes it says who frees it */
	size_t name;            /* offset of its own name in path */
	char path[];            /* relative to its top; "" for the top itself */
};

/** What a visit may use; one per thread. */
struct tree_worker {
	struct tree *tree;
	void *data;             /* the caller's, per thread */
	int n;                  /* number of the thread, from 0 */
	struct watch_post *post;   /* where it notes what it visits */
	/* private */
	size_t n_visits;
	struct tree_dir *pushed;
	size_t top;             /* which of the tops top_fd has open */
	int top_fd;
};

/**
 * Visit one directory: called in a worker's thread with the open directory,
 * or with fd -1 and errno set when it could not be opened.  d and fd are
 * borrowed for the call.
 */
typedef void tree_visit_fn(struct tree_worker *w, const struct tree_dir *d, int fd);

/** Called at the end of each thread, in it. */
typedef void tree_end_fn(struct tree_worker *w);

/**
 * Start n_threads threads that visit the tops (absolute paths, borrowed until
 * tree_finish) and all that their visits push, and n_reserve more that join
 * when those have to wait for a disk (where the system tells).  datas[i], one
 * for each of all these, becomes worker i's data.  A visit that sees a signal should return quickly; further
 * directories are then dropped without a visit, their data with drop.
 *
 * Each thread has a descriptor table of its own where the system can do
 * that: threads that share one contend for it at every open and close.  So
 * no descriptor may pass between them.  watch, which may be NULL, sees them at
 * work: a visit says with watch_step that it gets on.  Two descriptors per thread are open at a time.
 *
 * Returns an owned walk, to be ended with tree_finish; end has been called for
 * threads that could not be started.  NULL when none could.
 */
struct tree *tree_start(const char *const *tops, void *const *top_datas, size_t n_tops, int n_threads, int n_reserve,
                        void *const *datas, struct watch *watch, tree_visit_fn *visit, tree_end_fn *end,
                        void (*drop)(void *));

/** From a visit: visit the directory name of the directory d too, with data. */
void tree_push(struct tree_worker *w, const struct tree_dir *d, const char *name, void *data);

/** Let the walk end early: directories that wait are dropped. */
void tree_stop(struct tree *t);

/** Wait for all threads and free the walk. */
void tree_finish(struct tree *t);

#endif
