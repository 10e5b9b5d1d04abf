/* SPDX-License-Identifier: MIT */
/* crew - threads that work on what the calling thread hands them while it goes on finding more. */
#ifndef SYS_CREW_H
#define SYS_CREW_H

#include <stdbool.h>

/** The begin of every piece of work; its owner is the caller, who leaves it alone between give and take. */
struct crew_piece {
	struct crew_piece *next;
};

/** Do a piece, in any thread. */
typedef void crew_fn(struct crew_piece *piece);

struct crew;

/** How many threads keep all processors busy when some of them wait for the disk. */
int crew_threads(void);
/** Up to n_threads threads, of which each starts when there is a piece for it.  Never NULL. */
struct crew *crew_new(crew_fn *work, int n_threads);
/** Hand a piece over. */
void crew_give(struct crew *c, struct crew_piece *piece);
/**
 * Take a piece that is done back, in any order.  NULL when none is; with wait,
 * only when none is left: until then the calling thread works as well.
 */
struct crew_piece *crew_take(struct crew *c, bool wait);
/** End the threads and free c, which may be NULL.  Pieces that were not taken are the caller's again, done or not. */
void crew_free(struct crew *c);

#endif
