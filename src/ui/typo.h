/* SPDX-License-Identifier: MIT */
/* typo - which word was meant: "did you mean ls?" */
#ifndef UI_TYPO_H
#define UI_TYPO_H

/** One edit more than a typo has: the first *best of typo_is_nearer(). */
#define TYPO_NONE 3

/**
 * Whether candidate is nearer to word, of len bytes, than *best edits, which it then updates.  A
 * candidate of which the word has less than half is no typo of it, however short both are.
 */
bool typo_is_nearer(const char *word, size_t len, const char *candidate, size_t *best);

/**
 * The entry of words (n of them, stride bytes apart, each beginning with a const char * that may
 * be NULL) nearest to word by edit distance, or NULL when none is within 2 edits.
 */
const char *typo_nearest(const char *word, const void *words, size_t n, size_t stride);

#endif
