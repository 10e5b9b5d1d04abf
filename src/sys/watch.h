/* SPDX-License-Identifier: MIT */
/*
 * watch - which file keeps a thread waiting.  A network or a program in user
 * space may not answer for hours, and a thread that waits for it can't be
 * interrupted, nor tell.  So every thread has a post, where it notes on what it
 * works and every step; another thread looks at the posts now and then.
 */
#ifndef SYS_WATCH_H
#define SYS_WATCH_H

struct watch;
struct watch_post;

/**
 * A watch that tells of posts without a step for limit_ns.  Owned; watch_free, after its threads.
 */
struct watch *watch_new(int64_t limit_ns);
void watch_free(struct watch *w);

/** A post for the calling thread, owned by the watch; NULL when w is NULL. */
struct watch_post *watch_join(struct watch *w);

/**
 * The thread works on dir, an absolute path, or path below it ("": dir).  The post may be NULL,
 * as below.
 */
void watch_begin(struct watch_post *p, const char *dir, const char *path);
/** It works on an entry of that; the name, or NULL for none, must last until the next call. */
void watch_entry(struct watch_post *p, const char *name);
/** It has got an answer, and goes on with the same. */
void watch_step(struct watch_post *p);
/** It works on nothing. */
void watch_end(struct watch_post *p);

/** Call fn once with the path of each post without a step for limit_ns.  Always in one thread. */
void watch_look(struct watch *w, void (*fn)(void *arg, const char *path), void *arg);

#endif
