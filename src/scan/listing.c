/* SPDX-License-Identifier: MIT */
/*
 * Hides how listings travel: each thread collects a batch of its own, which takes the queue's lock
 * once for some hundred files, and waits when the writer lags behind.  A listing belongs to
 * its thread until listing_give, to the writer from listing_take on.  One lock, held over nothing
 * but the queue's pointers and counts.
 */
#include "base/base.h"

#include "scan/listing.h"

#include <pthread.h>
#include <xxhash.h>

#include "sys/tick.h"

/* Files in the queue before threads wait for the writer. */
#define LISTING_QUEUE_FILES 16384
/* Files in a batch when it is sent. */
#define LISTING_BATCH_FILES 512

/* Numbers of a file in its directory's digest. */
#define LISTING_NUMBERS 10

struct listing_queue {
	pthread_mutex_t lock;
	pthread_cond_t filled, drained;
	struct listing *first, **last;
	size_t n_files;
	int n_running;         /* threads that may still give */
	int n_waiting;         /* threads that wait for room */
};

struct listing_queue *
listing_queue_new(int n_threads)
{
	struct listing_queue *q = mem_zalloc(1, sizeof(*q));

	pthread_mutex_init(&q->lock, NULL);
	tick_cond_init(&q->filled);
	pthread_cond_init(&q->drained, NULL);
	q->last = &q->first;
	q->n_running = n_threads;
	return q;
}

void
listing_queue_free(struct listing_queue *q)
{
	struct listing *l;

	if (q == NULL)
		return;
	while ((l = q->first) != NULL) {
		q->first = l->next;
		listing_free(l);
	}
	pthread_cond_destroy(&q->filled);
	pthread_cond_destroy(&q->drained);
	pthread_mutex_destroy(&q->lock);
	free(q);
}

void
listing_flush(struct listing_queue *q, struct listing_batch *batch)
{
	if (batch->first == NULL)
		return;
	pthread_mutex_lock(&q->lock);
	while (q->n_files > LISTING_QUEUE_FILES) {
		q->n_waiting++;
		pthread_cond_wait(&q->drained, &q->lock);
		q->n_waiting--;
	}
	if (q->first == NULL)
		pthread_cond_signal(&q->filled);
	*q->last = batch->first;
	q->last = batch->last;
	q->n_files += batch->n_files;
	pthread_mutex_unlock(&q->lock);
	memset(batch, 0, sizeof(*batch));
}

/* The weight of a listing in the queue: an empty one is work, too. */
static size_t
listing_weight(const struct listing *l)
{
	return l->n_files + 1;
}

void
listing_give(struct listing_queue *q, struct listing_batch *batch, struct listing *l)
{
	if (batch->first == NULL)
		batch->last = &batch->first;
	*batch->last = l;
	batch->last = &l->next;
	batch->n_files += listing_weight(l);
	if (batch->n_files >= LISTING_BATCH_FILES)
		listing_flush(q, batch);
}

void
listing_end(struct listing_queue *q)
{
	pthread_mutex_lock(&q->lock);
	assert(q->n_running > 0);
	q->n_running--;
	pthread_cond_signal(&q->filled);
	pthread_mutex_unlock(&q->lock);
}

struct listing *
listing_take(struct listing_queue *q, bool *done)
{
	struct listing *l;
	const struct timespec next = tick_next();

	pthread_mutex_lock(&q->lock);
	while (q->first == NULL && q->n_running > 0 && tick_wait(&q->filled, &q->lock, &next))
		;
	l = q->first;
	if (l != NULL) {
		q->first = l->next;
		if (q->first == NULL)
			q->last = &q->first;
		q->n_files -= listing_weight(l);
		/* Not for every listing: the threads would have to wait again at once. */
		if (q->n_waiting > 0 && q->n_files <= LISTING_QUEUE_FILES / 2)
			pthread_cond_broadcast(&q->drained);
	}
	*done = l == NULL && q->n_running == 0;
	pthread_mutex_unlock(&q->lock);
	return l;
}

void
listing_drain(struct listing_queue *q)
{
	bool done = false;

	while (!done)
		listing_free(listing_take(q, &done));
}

void
listing_free(struct listing *l)
{
	if (l == NULL)
		return;
	free(l->name);
	free(l->path);
	free(l->files);
	free(l->names);
	free(l);
}

void
listing_settle(struct listing *l, struct dirmap *map)
{
	if (!l->unclaimed)
		return;
	l->unclaimed = false;
	if (dirmap_claim(dirmap_by_id(map, l->dir)))
		return;
	l->dir = dirmap_new_id(map);
	l->is_new = l->place_changed = true;
	l->offline = l->covered = false;
}

void
listing_digest(const struct listing *l, const uint8_t *secret, uint8_t digest[DIGEST_SIZE])
{
	XXH128_canonical_t canonical;
	size_t len = 0;
	char *bytes, *end;

	for (size_t i = 0; i < l->n_files; i++)
		len += LISTING_NUMBERS * sizeof(int64_t) + l->files[i].name_len;
	bytes = end = mem_alloc(len);
	for (size_t i = 0; i < l->n_files; i++) {
		const struct listing_file *f = &l->files[i];
		/*
		 * All that a row takes from stat, in fixed width: no two files give the same
		 * bytes.
		 */
		const int64_t numbers[LISTING_NUMBERS] = {
			(int64_t)f->name_len, f->volume, (int64_t)f->st.inode, f->st.size, f->st.blocks,
			(int64_t)f->st.nlink, f->st.mtime.sec, f->st.mtime.nsec,
			l->trust_mtime ? 0 : f->st.ctime.sec, l->trust_mtime ? 0 : f->st.ctime.nsec,
		};

		memcpy(end, numbers, sizeof(numbers));
		memcpy(end + sizeof(numbers), l->names + f->name, f->name_len);
		end += sizeof(numbers) + f->name_len;
	}
	XXH128_canonicalFromHash(&canonical, XXH3_128bits_withSecret(bytes, len, secret, CONTENT_SECRET_SIZE));
	memcpy(digest, canonical.digest, DIGEST_SIZE);
	free(bytes);
}
