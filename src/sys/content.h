/* SPDX-License-Identifier: MIT */
/* content - read a file and hash it: the hash is of one state of the file, or there is no hash. */
#ifndef SYS_CONTENT_H
#define SYS_CONTENT_H

#include "sys/fs.h"
#include "sys/racy_window.h"

struct digest;
struct stall_post;

/** Bytes of a full hash. */
#define HASH_SIZE 16

/** A hash as a key of base/table: the first of its bytes, which are as good as random. */
static inline uint64_t
content_key(const uint8_t hash[HASH_SIZE])
{
	uint64_t key;

	memcpy(&key, hash, sizeof(key));
	return key;
}

/** Bytes of an index's secret; xxHash asks for at least 136. */
#define CONTENT_SECRET_SIZE 192
/** Files up to this size have no head: they are read whole. */
#define CONTENT_WHOLE 4096

/** result.error when the file changed while it was read, twice. */
#define CONTENT_CHANGING (-1)
/** result.error when the path no longer names a regular file. */
#define CONTENT_NO_FILE (-2)
/** result.error when the bytes are not in memory and CONTENT_NOWAIT was asked for. */
#define CONTENT_COLD (-3)
/** result.error when a signal or the deadline asked us to stop. */
#define CONTENT_STOPPED (-4)

/** result.error of a twin that could not be read beside the other file, or changed meanwhile. */
#define CONTENT_ALONE (-5)

/** What to read. */
enum content_want {
	CONTENT_HEAD = 1,    /* of a file above CONTENT_WHOLE: the head (and tail) */
	CONTENT_FULL = 2,    /* everything; of a big file the head's hash as well */
	CONTENT_NOWAIT = 4,  /* only if it is in memory */
	CONTENT_MAYBE = 8    /* with CONTENT_HEAD: everything, if go_on returns true */
};

/** Larger files are not to be read so: the work of other threads would wait behind one. */
#define CONTENT_MAYBE_SIZE (128 * 1024)

/**
 * Hash states after long leading holes, shared by readers with one secret: computed once for sparse
 * files of one size.
 */
struct content_zeros;

/** Make one; owned.  content_zeros_free it after its readers; that accepts NULL. */
struct content_zeros *content_zeros_new(void);
void content_zeros_free(struct content_zeros *z);

/** Larger files are read in pieces: content_last() does not have them. */
#define CONTENT_LARGE (256 * 1024)

/** The result of a read. */
struct content_result {
	int error;     /* 0, an errno, or a CONTENT_* code */
	bool has_head, has_hash;
	bool racy;     /* as racy_window_has says, unless racy_window_settles it */
	int64_t head;  /* 64 bits of a hash of the head (and tail) */
	uint8_t hash[HASH_SIZE];
};

/**
 * A file that is read beside another one of its size, above CONTENT_LARGE, each once.  As long as
 * the bytes are the same they are compared, not hashed.
 */
struct content_twin {
	int fd;                        /* open until the other one is read */
	struct fs_stat st;             /* of fd, taken before */
	struct content_result content; /* as of content_read_open */
	bool equal;                    /* it has the bytes that were hashed of the other one */
	void *state;                   /* private: the streaming hash once it differs; or NULL */
};

/** Reads files for one thread. */
struct content_reader {
	const uint8_t *secret;        /* CONTENT_SECRET_SIZE bytes, must outlive the reader */
	struct fs_time racy_window;
	bool settles;                 /* racy_window_settles() is asked of racy files */
	struct racy_settle settle;    /* private */
	bool nowait;                  /* private: this file is read only as far as memory has it */
	bool waits;                   /* private: files of this device cannot be read so */
	uint64_t waits_dev;
	uint8_t *block;               /* owned: two pieces of CONTENT_LARGE */
	void *state;                  /* owned: the streaming hash */
	/** For CONTENT_MAYBE: whether to read the file with this head whole. */
	bool (*go_on)(void *arg, int64_t size, int64_t head);
	void *arg;
	struct content_zeros *zeros;  /* shared with other readers; or NULL */
	/**
	 * Gets all bytes of every file that is hashed as a whole: after a result with has_hash
	 * digest_end() is the caller's to call.  Borrowed, or NULL.
	 */
	struct digest *digests;
	struct stall_post *post;      /* notes every step of reading a large file; or NULL */
	int64_t bytes;                /* read so far, for statistics: holes are not read */
	_Atomic int64_t *meter;       /* gets those of large files as they come; or NULL */
	int64_t metered;              /* bytes added to meter */
	int64_t deadline_ns;          /* CLOCK_MONOTONIC: give up then, as if stopped; 0: never */
	/**
	 * To be read beside the next file; borrowed.  Without digests.  Each ends with a result:
	 * CONTENT_ALONE where it must be read by itself.
	 */
	struct content_twin *twins;
	size_t n_twins;
};

/** Hash bytes in memory as files with this content are hashed. */
void content_hash(const uint8_t *secret, const void *data, size_t len, uint8_t hash[HASH_SIZE]);

/** The hash of bytes that come in pieces, as content_hash().  It belongs to one thread. */
struct content_sum;

/** Make one with a secret, which is borrowed; content_sum_end() frees it. */
struct content_sum *content_sum_new(const uint8_t *secret);
void content_sum_add(struct content_sum *s, const void *data, size_t len);
void content_sum_end(struct content_sum *s, uint8_t hash[HASH_SIZE]);

/** Set up a reader. */
void content_reader_init(struct content_reader *r, const uint8_t *secret, struct fs_time racy_window);
/** Free what it owns. */
void content_reader_release(struct content_reader *r);

/**
 * Open a regular file for reading and take its stat.  Returns a descriptor, or
 * -1 with *error: an errno, or CONTENT_NO_FILE.
 */
int content_open(int at, const char *path, struct fs_stat *st, int *error);

/**
 * Read the open regular file fd.  st is a stat of fd, taken before the first read, so that its
 * times beside the hash show any later change, except a racy one.
 *
 * A file that changes while it is read is tried once more with a new st, then given up
 * (CONTENT_CHANGING).  Checked are large files, and files that shrink or go on beyond the size of
 * st: some file systems have more than stat says.  Short reads before the end and EIO never yield a
 * hash.  Holes are hashed as zeros without being read.  Files are not mapped, because a mapped file
 * that shrinks raises SIGBUS.
 */
void content_read_open(struct content_reader *r, int fd, enum content_want want, struct fs_stat *st,
                       struct content_result *res);

/**
 * Have the kernel prefetch the first read of content_read_open with want, up to 256 KiB, without
 * waiting.
 */
void content_ahead(int fd, enum content_want want, int64_t size);

/**
 * Drop the cached pages of an open file, so that the next read comes from the disk, which may have
 * lost data.  Unwritten pages stay in memory.
 */
void content_from_disk(int fd);

/** As content_read_open, of the file path below the directory at; fills in st. */
void content_read(struct content_reader *r, int at, const char *path, enum content_want want,
                  struct fs_stat *st, struct content_result *res);

/** The bytes of the file that was hashed last, or NULL where it was too large for the block. */
const uint8_t *content_last(const struct content_reader *r, int64_t size);

/** The plain XXH3-128 of an open file (xxhsum -H2).  Returns 0, or -1 with errno, ETIMEDOUT. */
int content_plain_hash(struct content_reader *r, int fd, uint8_t hash[HASH_SIZE]);

#endif
