/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "ui/typo.h"

/* The longest word that is compared. */
enum { TYPO_WORD_MAX = 40 };

/*
 * Edits between two words: insert, delete, replace, or swap two neighbours.
 * Only the last three rows of the matrix are needed.
 */
static size_t
typo_edits(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t rows[3][TYPO_WORD_MAX + 1];
	size_t *old = rows[0], *last = rows[1], *row = rows[2], *spare;
	size_t i, j, n;

	if (a_len > TYPO_WORD_MAX || b_len > TYPO_WORD_MAX)
		return SIZE_MAX;
	memset(rows, 0, sizeof(rows));
	for (j = 0; j <= b_len; j++)
		last[j] = j;
	for (i = 1; i <= a_len; i++) {
		row[0] = i;
		for (j = 1; j <= b_len; j++) {
			n = last[j - 1] + (a[i - 1] != b[j - 1]);
			if (last[j] + 1 < n)
				n = last[j] + 1;
			if (row[j - 1] + 1 < n)
				n = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    old[j - 2] + 1 < n)
				n = old[j - 2] + 1;
			row[j] = n;
		}
		spare = old;
		old = last;
		last = row;
		row = spare;
	}
	return last[b_len];
}

bool
typo_is_nearer(const char *word, size_t len, const char *candidate, size_t *best)
{
	size_t candidate_len = strlen(candidate);
	size_t n = typo_edits(word, len, candidate, candidate_len);

	if (n >= *best || n * 2 > (len > candidate_len ? len : candidate_len))
		return false;
	*best = n;
	return true;
}

const char *
typo_nearest(const char *word, const void *words, size_t n, size_t stride)
{
	const char *nearest = NULL, *candidate;
	size_t best = TYPO_NONE, i;

	for (i = 0; i < n; i++) {
		candidate = *(const char *const *)(const void *)((const char *)words + i * stride);
		if (candidate != NULL && typo_is_nearer(word, strlen(word), candidate, &best))
			nearest = candidate;
	}
	return nearest;
}
