/* SPDX-License-Identifier: MIT */
/*
 * watch - which file keeps a thread waiting.  A network or FUSE file system may not answer for
 * hours, and a thread that waits for it can't be interrupted or report.  So every thread has a
 * post, where it notes its file and every step; another thread checks the posts now and then.
 */
#ifndef SYS_WATCH_H
#define SYS_WATCH_H

struct watch;
struct watch_post;

/** Make a watch for posts without a step for limit_ns.  Owned; watch_free() after its threads. */
struct watch *watch_new(int64_t limit_ns);
void watch_free(struct watch *w);

/** A post for the calling thread, owned by the watch; NULL when w is NULL. */
struct watch_post *watch_join(struct watch *w);

/**
 * The thread works on dir, an absolute path, or path below it ("": dir).  The post may be NULL,
 * as below.
 */
void watch_begin(struct watch_post *p, const char *dir, const char *path);
/** The thread works on an entry there; name, or NULL for none, must last until the next call. */
void watch_entry(struct watch_post *p, const char *name);
/** The thread got an answer, and continues with the same entry. */
void watch_step(struct watch_post *p);
/** The thread is idle. */
void watch_end(struct watch_post *p);

/** Call fn once with the path of each post without a step for limit_ns.  Always in one thread. */
void watch_look(struct watch *w, void (*fn)(void *arg, const char *path), void *arg);

#endif
