/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "export/buckets.h"

#include <stdlib.h>
#include <unistd.h>

#include "sys/fs.h"

/* What each file holds back: 2 MiB in all. */
enum { BUCKETS_BUFFER = 8192 };
/* Descriptors that the index and the rest of the program have open at that time. */
enum { BUCKETS_OTHERS = 64 };

void
buckets_open(struct buckets *b, const char *dir)
{
	b->dir = dir;
	/* Where it can't be, and is needed, opening one fails. */
	(void)fs_make_room(BUCKETS + BUCKETS_OTHERS);
}

void
buckets_release(struct buckets *b)
{
	for (int i = 0; i < BUCKETS; i++) {
		if (b->files[i] != NULL)
			fclose(b->files[i]);
		b->files[i] = NULL;
	}
}

static int
buckets_failed(const struct buckets *b, struct err *err)
{
	return err_sys(err, "cannot write to a file in '%s'", b->dir);
}

/* Make the file of a bucket, without a name. */
static FILE *
buckets_file(const struct buckets *b)
{
	struct buf path = { 0 };
	FILE *f = NULL;
	int fd;

	buf_addf(&path, "%s/bucket-XXXXXX", b->dir);
	fd = mkstemp(path.data);
	if (fd >= 0) {
		unlink(path.data);
		f = fdopen(fd, "w+b");
		if (f == NULL)
			close(fd);
		else
			setvbuf(f, NULL, _IOFBF, BUCKETS_BUFFER);
	}
	buf_release(&path);
	return f;
}

int
buckets_add(struct buckets *b, int bucket, const void *record, size_t len, struct err *err)
{
	FILE **f = &b->files[bucket];

	assert(bucket >= 0 && bucket < BUCKETS);
	if (*f == NULL && (*f = buckets_file(b)) == NULL)
		return buckets_failed(b, err);
	return fwrite(record, 1, len, *f) == len ? 0 : buckets_failed(b, err);
}

int
buckets_read(struct buckets *b, int bucket, struct buf *records, struct err *err)
{
	FILE *f = b->files[bucket];
	off_t size;

	buf_cut(records, 0);
	if (f == NULL)
		return 0;
	if (fflush(f) != 0 || (size = ftello(f)) < 0 || fseeko(f, 0, SEEK_SET) < 0)
		return buckets_failed(b, err);
	buf_reserve(records, (size_t)size);
	if (fread(records->data, 1, (size_t)size, f) != (size_t)size)
		return err_sys(err, "cannot read a file in '%s'", b->dir);
	records->len = (size_t)size;
	records->data[records->len] = '\0';
	fclose(f);
	b->files[bucket] = NULL;
	return 0;
}
