/* SPDX-License-Identifier: MIT */
/*
 * The least that a program does which looks at every file: getdents64 and fstatat, nothing else.
 *
 *	floor DIR [THREADS]     prints how many files, and their bytes; goes on into other file systems,
 *	                        follows no links.  As many threads as twindex has: three for two
 *	                        processors
 *
 * Directories that wait are a stack of paths behind one mutex.  A thread that finds directories
 * pushes all of them at once.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Bytes of entries that one call delivers. */
#define ENTRIES 65536
#define THREADS_MOST 64

struct dir {
	struct dir *next;
	size_t len;
	char path[];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* Under the mutex: what waits, the threads that work, the sums. */
static struct dir *waiting;
static int n_working;
static uint64_t n_files, n_bytes;

/* An entry as getdents64 has it: getdents64(2). */
struct entry {
	uint64_t inode, offset;
	uint16_t len;
	uint8_t type;
	char name[];
};

static struct dir *
new_dir(const struct dir *in, const char *name)
{
	const size_t name_len = strlen(name), up = in != NULL ? in->len + 1 : 0;
	struct dir *d = malloc(sizeof(*d) + up + name_len + 1);

	if (d == NULL) {
		fputs("floor: out of memory\n", stderr);
		exit(1);
	}
	if (in != NULL) {
		memcpy(d->path, in->path, in->len);
		d->path[in->len] = '/';
	}
	memcpy(d->path + up, name, name_len + 1);
	d->len = up + name_len;
	d->next = NULL;
	return d;
}

/* Look at an entry: count a file, put a directory before *found. */
static void
look(int fd, const struct dir *in, const struct entry *e, struct dir **found, uint64_t sums[2])
{
	struct stat st;

	if (strcmp(e->name, ".") == 0 || strcmp(e->name, "..") == 0 || fstatat(fd, e->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	if (S_ISDIR(st.st_mode)) {
		struct dir *d = new_dir(in, e->name);

		d->next = *found;
		*found = d;
	} else if (S_ISREG(st.st_mode)) {
		sums[0]++;
		sums[1] += (uint64_t)st.st_size;
	}
}

/* Read a directory.  Returns the directories in it. */
static struct dir *
visit(const struct dir *d, char *entries, uint64_t sums[2])
{
	const int fd = open(d->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dir *found = NULL;
	long n;

	if (fd < 0)
		return NULL;
	while ((n = syscall(SYS_getdents64, fd, entries, ENTRIES)) > 0) {
		for (long at = 0; at < n; at += ((struct entry *)(void *)(entries + at))->len)
			look(fd, d, (struct entry *)(void *)(entries + at), &found, sums);
	}
	close(fd);
	return found;
}

static void *
work(void *unused)
{
	char *entries = malloc(ENTRIES);
	uint64_t sums[2] = { 0, 0 };

	pthread_mutex_lock(&mutex);
	while (entries != NULL) {
		struct dir *d = waiting, *found;

		if (d == NULL) {
			if (n_working == 0)
				break;
			pthread_cond_wait(&changed, &mutex);
			continue;
		}
		waiting = d->next;
		n_working++;
		pthread_mutex_unlock(&mutex);
		found = visit(d, entries, sums);
		free(d);
		pthread_mutex_lock(&mutex);
		n_working--;
		while (found != NULL) {
			struct dir *next = found->next;

			found->next = waiting;
			waiting = found;
			found = next;
		}
		pthread_cond_broadcast(&changed);
	}
	n_files += sums[0];
	n_bytes += sums[1];
	pthread_mutex_unlock(&mutex);
	free(entries);
	return unused;
}

int
main(int argc, char **argv)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	long n = argc > 2 ? atol(argv[2]) : (processors * 3 + 1) / 2;
	pthread_t threads[THREADS_MOST];

	if (argc < 2) {
		fputs("usage: floor DIR [THREADS]\n", stderr);
		return 2;
	}
	n = n < 1 ? 1 : n > THREADS_MOST ? THREADS_MOST : n;
	waiting = new_dir(NULL, argv[1]);
	for (long i = 0; i < n; i++) {
		if (pthread_create(&threads[i], NULL, work, NULL) != 0) {
			fputs("floor: no thread could be started\n", stderr);
			return 1;
		}
	}
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("%llu files, %llu bytes\n", (unsigned long long)n_files, (unsigned long long)n_bytes);
	return 0;
}
