/* SPDX-License-Identifier: MIT */
/*
 * stall - which file keeps a thread waiting.  A network or FUSE file system may not answer for
 * hours, and a thread that waits for it can't be interrupted or report.  So every thread has a
 * post, where it notes its file and every step; another thread checks the posts now and then.
 */
#ifndef SYS_STALL_H
#define SYS_STALL_H

struct stall;
struct stall_post;

/** Make a watch for posts without a step for limit_ns.  Owned; stall_free() after its threads. */
struct stall *stall_new(int64_t limit_ns);
void stall_free(struct stall *w);

/** A post for the calling thread, owned by the watch; NULL when w is NULL. */
struct stall_post *stall_join(struct stall *w);

/**
 * The thread works on dir, an absolute path, or path below it ("": dir).  The post may be NULL,
 * as below.
 */
void stall_begin(struct stall_post *p, const char *dir, const char *path);
/** The thread works on an entry there; name, or NULL for none, must last until the next call. */
void stall_entry(struct stall_post *p, const char *name);
/** The thread got an answer, and continues with the same entry. */
void stall_step(struct stall_post *p);
/** The thread is idle. */
void stall_end(struct stall_post *p);

/** Call fn once with the path of each post without a step for limit_ns.  Always in one thread. */
void stall_look(struct stall *w, void (*fn)(void *arg, const char *path), void *arg);

#endif
