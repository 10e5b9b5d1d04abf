/* SPDX-License-Identifier: MIT */
/* verdict - what came of an act on one file, and why. */
#ifndef ACT_VERDICT_H
#define ACT_VERDICT_H

/** The outcome. */
enum act_outcome {
	ACT_PENDING,   /* nothing yet */
	ACT_DONE,
	ACT_STAYS,     /* a rule keeps the file: unique, the last copy, left alone ... */
	ACT_UNSURE     /* it could not be judged, or the act failed: changed, in use ... */
};

/** Zero it; verdict_release() returns it to that state. */
struct verdict {
	enum act_outcome outcome;
	struct buf why;      /* of ACT_STAYS and ACT_UNSURE: a reason for people */
};

/**
 * Decide, with a formatted reason; the first reason stands: later calls do nothing.  Returns -1.
 */
int verdict_set(struct verdict *v, enum act_outcome outcome, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/** The same with ACT_UNSURE, appending ": " and the meaning of an errno.  Returns -1. */
int verdict_errno(struct verdict *v, int error, const char *what);
/**
 * Decide that the file cannot be judged because of its copy, the keeper at path, whose own verdict
 * is released.  Returns -1.
 */
int verdict_copy(struct verdict *v, const char *path, struct verdict *keeper);
/** Append to the reason of a verdict that has been reached: what failed while going back. */
void verdict_add(struct verdict *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** Free the reason. */
void verdict_release(struct verdict *v);

#endif
