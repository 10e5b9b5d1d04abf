/* SPDX-License-Identifier: MIT */
/*
 * Hides libarchive.  All of this runs in a process that may read the archive and write records, no
 * more: a bug in a decoder can make it lie about this archive, or die, and nothing else.
 *
 * Formats are those whose members are files: not mtree, which would read files elsewhere.  Programs
 * that libarchive would start for a compression that it lacks can't be started.
 *
 * Damage is told from WARN on: bytes whose checksum is wrong are no content to rely on.
 */
#include "base/base.h"

#include "archive/unpack.h"

#include "archive/packed.h"

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "archive/links.h"
#include "archive/record.h"
#include "sys/library.h"

/* Bytes of a read. */
#define UNPACK_BLOCK (256 * 1024)
/* Records are written when they are that long. */
#define UNPACK_WRITE 16384
/* More members than this are too many. */
#define UNPACK_MEMBERS 2000000
/* Expanding beyond this many bytes, and this many times the archive's, is too much. */
#define UNPACK_BYTES (INT64_C(256) << 20)
#define UNPACK_RATIO 500
/* A sign of life each time that many bytes came out. */
#define UNPACK_ALIVE (INT64_C(32) << 20)
/* Entries that can't be read in a row, after which the archive is given up. */
#define UNPACK_FAILURES 1000
/* An archive in an archive that is read by its directory lies in memory, up to this size. */
#define UNPACK_SPOOL ((size_t)256 << 20)
/* Bytes of its beginning that show what it is. */
#define UNPACK_PEEK 36864

/* What is called of the library, which is loaded when the first archive is opened. */
#define UNPACK_FUNCTIONS(X) \
	X(archive_entry_filetype) \
	X(archive_entry_hardlink) \
	X(archive_entry_is_data_encrypted) \
	X(archive_entry_mtime) \
	X(archive_entry_mtime_is_set) \
	X(archive_entry_nlink) \
	X(archive_entry_pathname) \
	X(archive_entry_pathname_utf8) \
	X(archive_entry_size) \
	X(archive_entry_size_is_set) \
	X(archive_entry_symlink) \
	X(archive_errno) \
	X(archive_error_string) \
	X(archive_filter_code) \
	X(archive_filter_name) \
	X(archive_format) \
	X(archive_format_name) \
	X(archive_read_data_block) \
	X(archive_read_free) \
	X(archive_read_has_encrypted_entries) \
	X(archive_read_new) \
	X(archive_read_next_header) \
	X(archive_read_open1) \
	X(archive_read_set_callback_data) \
	X(archive_read_set_format_option) \
	X(archive_read_set_read_callback) \
	X(archive_read_set_seek_callback) \
	X(archive_read_set_skip_callback) \
	X(archive_read_support_filter_bzip2) \
	X(archive_read_support_filter_compress) \
	X(archive_read_support_filter_gzip) \
	X(archive_read_support_filter_lzip) \
	X(archive_read_support_filter_lzma) \
	X(archive_read_support_filter_xz) \
	X(archive_read_support_filter_zstd) \
	X(archive_read_support_format_7zip) \
	X(archive_read_support_format_ar) \
	X(archive_read_support_format_cab) \
	X(archive_read_support_format_cpio) \
	X(archive_read_support_format_iso9660) \
	X(archive_read_support_format_tar) \
	X(archive_read_support_format_zip) \
	X(archive_set_error) \
	X(archive_version_string)

#define UNPACK_POINTER(function) __typeof__(function) *function;
static struct unpack_functions {
	UNPACK_FUNCTIONS(UNPACK_POINTER)
} la;

#define UNPACK_FUNCTION(function) ARCHIVE_FUNCTION(la.function, function),
static const struct library_function unpack_functions[] = { UNPACK_FUNCTIONS(UNPACK_FUNCTION) };

static pthread_once_t unpack_once = PTHREAD_ONCE_INIT;
/* Why it could not be loaded. */
static struct err unpack_error;

static void
unpack_begin(void)
{
	(void)library_load(ARCHIVE_FILE, unpack_functions, sizeof(unpack_functions) / sizeof(unpack_functions[0]), &unpack_error);
}

struct unpack;

/* An archive that is read: that of the process, or one in it. */
struct unpack_level {
	struct unpack *u;
	struct archive *a;
	enum record_type type;   /* of the records of its members */
	int64_t members, others; /* of all archives on this level */
	int64_t bytes;           /* expanded so far on this level */
	int failures;
	char name[24];
	struct links links;      /* of the archive in hand: of formats that have some */
	/* The content of the member in hand. */
	struct content_sum *sum;
	int64_t told, at;        /* its size as announced, or -1; up to where it was met */
	int64_t hole;            /* zeros that come next */
	const uint8_t *block;    /* ... and then these bytes */
	size_t len;
	bool last, ended;        /* no block comes; nor does a piece */
	bool fatal;              /* nothing can be read behind it */
	enum packed_why why;     /* once it has ended */
};

struct unpack {
	const struct unpack_ask *ask;
	struct unpack_level outer, inner;
	int in, out;
	int64_t bytes;           /* expanded so far on both levels */
	int64_t alive;           /* of these, when the last record was written */
	/* The member that is read as an archive. */
	const char *within;      /* its name, until RECORD_WITHIN was written */
	int64_t within_most;     /* more bytes than that on both levels are too many */
	int64_t within_members;  /* ... or more members */
	struct buf spool;        /* its beginning, or all of it */
	size_t at;               /* where that is read */
	struct buf written;      /* records that wait for more */
	uint8_t block[UNPACK_BLOCK];
};

bool
unpack_can(void)
{
	pthread_once(&unpack_once, unpack_begin);
	return unpack_error.code == ERR_NONE;
}

int
unpack_fail(struct err *err)
{
	return err_set(err, ERR_USAGE, "libarchive, which reads archives, cannot be loaded: install it (Debian: libarchive13): %s", unpack_error.text);
}

const char *
unpack_library(void)
{
	/* "libarchive 3.6.2" */
	static const char name[] = "libarchive ";
	const char *version;

	if (!unpack_can())
		return "none";
	version = la.archive_version_string();
	return strncmp(version, name, sizeof(name) - 1) == 0 ? version + sizeof(name) - 1 : version;
}

/* Write all of it.  Nobody reads any more: end. */
static void
unpack_write(int fd, const void *data, size_t len)
{
	const char *from = data;

	while (len > 0) {
		const ssize_t n = write(fd, from, len);

		if (n <= 0)
			_exit(0);
		from += n;
		len -= (size_t)n;
	}
}

static void
unpack_put(struct unpack *u, enum record_type type, enum packed_why why, struct record *r, const char *name)
{
	const size_t len = name == NULL ? 0 : strlen(name);

	r->magic = RECORD_MAGIC;
	r->type = (uint8_t)type;
	r->why = (uint8_t)why;
	r->name_len = (uint32_t)(len > RECORD_NAME_MOST ? RECORD_NAME_MOST : len);
	/* A name that was cut could be that of another one. */
	if (len > RECORD_NAME_MOST && why == PACKED_GOOD)
		r->why = PACKED_UNSUPPORTED;
	if (r->why != PACKED_GOOD)
		r->has_hash = 0;
	buf_add(&u->written, r, sizeof(*r));
	buf_add(&u->written, name, r->name_len);
	u->alive = u->bytes;
	if (type != RECORD_ALIVE && type != RECORD_END && u->written.len < UNPACK_WRITE)
		return;
	unpack_write(u->out, u->written.data, u->written.len);
	buf_cut(&u->written, 0);
}

/* Write a member.  What is in one follows its name. */
static void
unpack_put_member(struct unpack_level *l, enum packed_why why, struct record *r, const char *name)
{
	struct unpack *u = l->u;

	if (l == &u->inner && u->within != NULL) {
		unpack_put(u, RECORD_WITHIN, PACKED_GOOD, &(struct record){ .size = 0 }, u->within);
		u->within = NULL;
	}
	unpack_put(u, l->type, why, r, name);
}

/* The bytes that may come out. */
static int64_t
unpack_most(const struct unpack *u)
{
	const int64_t most = num_mul(u->ask->packed, UNPACK_RATIO);

	return most > UNPACK_BYTES ? most : UNPACK_BYTES;
}

/*
 * Count bytes that came out of an archive.  Whether they are too many: what is in a member has what
 * unpack_within() says, and the archive itself is judged as if there was nothing but itself.
 */
static bool
unpack_count(struct unpack_level *l, int64_t n)
{
	struct unpack *u = l->u;

	l->bytes = num_add(l->bytes, n);
	u->bytes = num_add(u->bytes, n);
	if (u->bytes - u->alive >= UNPACK_ALIVE)
		unpack_put(u, RECORD_ALIVE, PACKED_GOOD, &(struct record){ .size = 0 }, NULL);
	return l == &u->outer ? l->bytes > unpack_most(u) : u->bytes > u->within_most;
}

/* Count a member.  Whether there are too many, by the same rule. */
static bool
unpack_count_member(struct unpack_level *l)
{
	const struct unpack *u = l->u;

	l->members++;
	return l == &u->outer ? l->members > UNPACK_MEMBERS : u->outer.members + l->members > u->within_members;
}

/* Why the library failed; its words are the only place that says it. */
static enum packed_why
unpack_why(const struct unpack_level *l)
{
	const char *text = la.archive_error_string(l->a);

	if (la.archive_errno(l->a) == ENOMEM)
		return PACKED_MEMORY;
	if (text == NULL)
		return PACKED_DAMAGED;
	if (strstr(text, "ncrypt") != NULL || strstr(text, "assphrase") != NULL)
		return PACKED_ENCRYPTED;
	if (strstr(text, "Unrecognized archive format") != NULL)
		return PACKED_NONE;
	if (strstr(text, "nsupported") != NULL || strstr(text, "not supported") != NULL || strstr(text, "child process") != NULL)
		return PACKED_UNSUPPORTED;
	return PACKED_DAMAGED;
}

/* The content in hand ends here. */
static void
unpack_stop(struct unpack_level *l, enum packed_why why)
{
	l->ended = true;
	l->why = why;
}

/* Fetch the next block of the content in hand, or find its end. */
static void
unpack_fetch(struct unpack_level *l)
{
	const void *data;
	int64_t offset;
	size_t len;
	int ret;

	if (l->last) {
		unpack_stop(l, PACKED_GOOD);
		return;
	}
	ret = la.archive_read_data_block(l->a, &data, &len, &offset);
	l->fatal = ret == ARCHIVE_FATAL;
	if (ret == ARCHIVE_OK && offset >= l->at) {
		l->hole = offset - l->at;
		l->block = data;
		l->len = len;
		l->at = offset + (int64_t)len;
	} else if (ret == ARCHIVE_OK)
		unpack_stop(l, PACKED_DAMAGED);
	else if (ret != ARCHIVE_EOF)
		unpack_stop(l, unpack_why(l));
	else {
		/* The last block of a sparse file may be a hole. */
		l->last = true;
		if (l->told > l->at) {
			l->hole = l->told - l->at;
			l->at = l->told;
		}
	}
}

/* Sum up the next piece of the content in hand.  Returns false when it has ended. */
static bool
unpack_piece(struct unpack_level *l, const void **piece, size_t *len)
{
	static const uint8_t zeros[65536];

	while (!l->ended && l->hole == 0 && l->len == 0)
		unpack_fetch(l);
	if (l->ended)
		return false;
	if (l->hole > 0) {
		*piece = zeros;
		*len = l->hole < (int64_t)sizeof(zeros) ? (size_t)l->hole : sizeof(zeros);
		l->hole -= (int64_t)*len;
	} else {
		*piece = l->block;
		*len = l->len;
		l->len = 0;
	}
	if (unpack_count(l, (int64_t)*len)) {
		unpack_stop(l, PACKED_BOMB);
		return false;
	}
	content_sum_add(l->sum, *piece, *len);
	return true;
}

static enum packed_why unpack_within(struct unpack *u);

/*
 * Hash the content of an entry, and read it as an archive unless within is NULL, which gets what
 * came of that.  Returns PACKED_GOOD with the size, or why there is no hash.
 */
static enum packed_why
unpack_data(struct unpack_level *l, struct record *r, enum packed_why *within)
{
	const void *piece;
	size_t len;

	l->told = r->size;
	l->at = l->hole = 0;
	l->len = 0;
	l->last = l->ended = l->fatal = false;
	l->sum = content_sum_new(l->u->ask->secret);
	if (within != NULL)
		*within = unpack_within(l->u);
	while (unpack_piece(l, &piece, &len))
		;
	content_sum_end(l->sum, r->hash);
	if (l->why == PACKED_GOOD)
		r->size = l->at;
	return l->why;
}

/* Whether the format knows the size of a member, and can step over its content. */
static bool
unpack_skips(const struct unpack_level *l)
{
	switch (la.archive_format(l->a) & ARCHIVE_FORMAT_BASE_MASK) {
	case ARCHIVE_FORMAT_ZIP:
	case ARCHIVE_FORMAT_7ZIP:
	case ARCHIVE_FORMAT_ISO9660:
	case ARCHIVE_FORMAT_CAB:
		return true;
	default:
		return false;
	}
}

/*
 * Whether an entry without bytes is a name of an inode that may have some: in newc, the usual
 * format of cpio, only its last name has them.
 */
static bool
unpack_is_early_name(const struct unpack_level *l, struct archive_entry *e)
{
	return (la.archive_format(l->a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_CPIO && la.archive_entry_nlink(e) > 1;
}

static bool
unpack_wants(const struct unpack_level *l, int64_t size)
{
	const struct unpack_ask *ask = l->u->ask;
	size_t at;

	if (ask->all || size < 0 || !unpack_skips(l))
		return true;
	ORDER_FIRST(at, ask->n_sizes, ask->sizes[at] < size);
	return at < ask->n_sizes && ask->sizes[at] == size;
}

/*
 * The name of an entry: its bytes, or what they mean in UTF-8 where they have another charset.  One
 * that is not in the charset that it claims to have is not given: its number takes its place.
 */
static const char *
unpack_name(struct unpack_level *l, struct archive_entry *e)
{
	const char *name = la.archive_entry_pathname(e);

	if (name == NULL)
		name = la.archive_entry_pathname_utf8(e);
	if (name != NULL && name[0] != '\0')
		return name;
	snprintf(l->name, sizeof(l->name), "?%lld", (long long)l->members);
	return l->name;
}

/* Give a hard link the content of the member that it leads to. */
static enum packed_why
unpack_link(const struct unpack_level *l, const char *to, struct record *r)
{
	const struct links_content *content = links_find(&l->links, to);

	if (content == NULL)
		return PACKED_LINK;
	r->size = content->size;
	r->has_hash = r->size > 0;
	memcpy(r->hash, content->hash, HASH_SIZE);
	return PACKED_GOOD;
}

/*
 * The size of a member is what came out of it, where that was read: a header may lie.  within is
 * NULL, or gets what came of the archive that it is.
 */
static enum packed_why
unpack_member_data(struct unpack_level *l, struct archive_entry *e, struct record *r, enum packed_why *within)
{
	const bool opens = within != NULL && l->u->ask->nested_not == PACKED_GOOD;
	const int64_t told = r->size;
	enum packed_why why;

	if (la.archive_entry_is_data_encrypted(e))
		return PACKED_ENCRYPTED;
	if (la.archive_entry_hardlink(e) != NULL && told <= 0)
		return unpack_link(l, la.archive_entry_hardlink(e), r);
	if (la.archive_entry_filetype(e) == AE_IFDIR)
		return PACKED_DIR;
	if (told == 0)
		return unpack_is_early_name(l, e) ? PACKED_LINK : PACKED_GOOD;
	if (!opens && !unpack_wants(l, told))
		return PACKED_NOT_READ;
	why = unpack_data(l, r, opens ? within : NULL);
	if (why != PACKED_GOOD)
		return why;
	if (told >= 0 && r->size != told)
		return PACKED_DAMAGED;
	r->has_hash = r->size > 0;
	return PACKED_GOOD;
}

/* Whether a member is an archive that is to be opened. */
static bool
unpack_is_nested(const struct unpack_level *l, const char *name, int64_t size)
{
	return l == &l->u->outer && l->u->ask->nested && size != 0 && strlen(name) <= RECORD_NAME_MOST &&
	       packed_is_name(path_base(name), strlen(path_base(name)));
}

/* Write a member, and before it what is in it. */
static enum packed_why
unpack_member(struct unpack_level *l, struct archive_entry *e, struct record *r)
{
	const char *name = unpack_name(l, e);
	const bool nested = unpack_is_nested(l, name, r->size);
	enum packed_why within = (enum packed_why)l->u->ask->nested_not, why;

	if (l == &l->u->outer)
		l->u->within = name;
	why = unpack_member_data(l, e, r, nested ? &within : NULL);
	if (nested && why != PACKED_LINK) {
		/* What comes out damaged is damaged as an archive, too. */
		if (why != PACKED_GOOD && why != PACKED_NOT_READ && (within == PACKED_GOOD || within == PACKED_NONE))
			within = why;
		if (within != PACKED_GOOD && within != PACKED_NONE)
			unpack_put_member(&l->u->inner, within, &(struct record){ .size = -1, .mtime = INT64_MIN }, NULL);
	}
	unpack_put_member(l, why, r, name);
	if (why == PACKED_GOOD && !unpack_skips(l)) {
		struct links_content content = { .size = r->size };

		memcpy(content.hash, r->hash, HASH_SIZE);
		links_add(&l->links, name, &content);
	}
	return why;
}

/* Whether an entry is a directory, link or device.  A zip's directory may have content. */
static bool
unpack_is_other(const struct unpack_level *l, struct archive_entry *e, int64_t size)
{
	const __typeof__(la.archive_entry_filetype(e)) type = la.archive_entry_filetype(e);

	if (type == AE_IFREG || la.archive_entry_hardlink(e) != NULL || (type == 0 && la.archive_entry_symlink(e) == NULL))
		return false;
	return type != AE_IFDIR || size <= 0 || (la.archive_format(l->a) & ARCHIVE_FORMAT_BASE_MASK) != ARCHIVE_FORMAT_ZIP;
}

/* Write an entry that is a file; count another one.  Returns why reading ends here, or GOOD. */
static enum packed_why
unpack_entry(struct unpack_level *l, struct archive_entry *e)
{
	struct record r = { .size = la.archive_entry_size_is_set(e) ? la.archive_entry_size(e) : -1,
	                    .mtime = la.archive_entry_mtime_is_set(e) ? (int64_t)la.archive_entry_mtime(e) : INT64_MIN };
	enum packed_why why;

	if (unpack_is_other(l, e, r.size)) {
		l->others++;
		return PACKED_GOOD;
	}
	if (r.size < -1)
		r.size = -1;
	if (unpack_count_member(l))
		return PACKED_MANY;
	l->fatal = false;
	why = unpack_member(l, e, &r);
	return why == PACKED_BOMB || l->fatal ? why : PACKED_GOOD;
}

/* Go through all entries.  Returns why the rest was not read, or PACKED_GOOD. */
static enum packed_why
unpack_all(struct unpack_level *l)
{
	struct archive_entry *e;
	enum packed_why why;

	for (;;) {
		const int ret = la.archive_read_next_header(l->a, &e);

		if (ret == ARCHIVE_EOF)
			return PACKED_GOOD;
		if (ret == ARCHIVE_FATAL)
			return la.archive_read_has_encrypted_entries(l->a) == 1 ? PACKED_ENCRYPTED : unpack_why(l);
		if (ret == ARCHIVE_RETRY || ret == ARCHIVE_FAILED) {
			if (++l->failures > UNPACK_FAILURES)
				return PACKED_DAMAGED;
			/* It is not known what it is. */
			l->members++;
			if (ret == ARCHIVE_FAILED)
				unpack_put_member(l, PACKED_DAMAGED, &(struct record){ .size = -1, .mtime = INT64_MIN }, unpack_name(l, e));
			continue;
		}
		why = unpack_entry(l, e);
		if (why != PACKED_GOOD)
			return why;
	}
}

/* archive_read_callback */
static la_ssize_t
unpack_read(struct archive *a, void *arg, const void **data)
{
	struct unpack *u = arg;
	ssize_t n;

	do
		n = read(u->in, u->block, sizeof(u->block));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		la.archive_set_error(a, errno, "cannot read");
	*data = u->block;
	return n;
}

/* archive_seek_callback */
static la_int64_t
unpack_seek(struct archive *a, void *arg, la_int64_t offset, int whence)
{
	struct unpack *u = arg;
	const off_t at = lseek(u->in, (off_t)offset, whence);

	(void)a;
	return at < 0 ? ARCHIVE_FATAL : (la_int64_t)at;
}

/* archive_skip_callback */
static la_int64_t
unpack_skip(struct archive *a, void *arg, la_int64_t n)
{
	struct unpack *u = arg;
	const off_t before = lseek(u->in, 0, SEEK_CUR);

	(void)a;
	/* Stepping over the end would not be noticed. */
	if (before < 0 || n < 0 || n > u->ask->packed - before || lseek(u->in, (off_t)n, SEEK_CUR) < 0)
		return 0;
	return n;
}

/* Open an archive.  Without seek its bytes come in order.  Returns an ARCHIVE_ code. */
static int
unpack_open(struct unpack_level *l, archive_read_callback *read_it, archive_seek_callback *seek, archive_skip_callback *skip)
{
	int (*const formats[])(struct archive *) = {
		la.archive_read_support_format_zip, la.archive_read_support_format_tar, la.archive_read_support_format_7zip,
		la.archive_read_support_format_cpio, la.archive_read_support_format_ar, la.archive_read_support_format_iso9660,
		la.archive_read_support_format_cab, la.archive_read_support_filter_gzip, la.archive_read_support_filter_bzip2,
		la.archive_read_support_filter_xz, la.archive_read_support_filter_lzma, la.archive_read_support_filter_lzip,
		la.archive_read_support_filter_zstd, la.archive_read_support_filter_compress
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		formats[i](l->a);
	/* What was appended belongs to it: nobody may think that all of it was seen. */
	la.archive_read_set_format_option(l->a, "tar", "read_concatenated_archives", "1");
	la.archive_read_set_callback_data(l->a, l->u);
	la.archive_read_set_read_callback(l->a, read_it);
	if (seek != NULL) {
		la.archive_read_set_seek_callback(l->a, seek);
		la.archive_read_set_skip_callback(l->a, skip);
	}
	return la.archive_read_open1(l->a);
}

/* archive_read_callback: of a member, what was spooled, then what comes. */
static la_ssize_t
unpack_read_member(struct archive *a, void *arg, const void **data)
{
	struct unpack *u = arg;
	size_t len = u->spool.len - u->at;

	if (len > 0) {
		*data = u->spool.data + u->at;
		u->at = u->spool.len;
		return (la_ssize_t)len;
	}
	if (unpack_piece(&u->outer, data, &len))
		return (la_ssize_t)len;
	if (u->outer.why == PACKED_GOOD)
		return 0;
	la.archive_set_error(a, EIO, "cannot read");
	return -1;
}

/* archive_seek_callback: all of the member was spooled. */
static la_int64_t
unpack_seek_member(struct archive *a, void *arg, la_int64_t offset, int whence)
{
	struct unpack *u = arg;
	const int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (int64_t)u->at : (int64_t)u->spool.len;
	const int64_t at = num_add(from, offset);

	(void)a;
	if (at < 0 || at > (int64_t)u->spool.len)
		return ARCHIVE_FATAL;
	u->at = (size_t)at;
	return at;
}

/* archive_skip_callback: of the same. */
static la_int64_t
unpack_skip_member(struct archive *a, void *arg, la_int64_t n)
{
	struct unpack *u = arg;

	(void)a;
	/* Stepping over the end would not be noticed. */
	if (n < 0 || n > (int64_t)(u->spool.len - u->at))
		return 0;
	u->at += (size_t)n;
	return n;
}

/*
 * Take the member in hand into memory, at least that many bytes of it.  Returns PACKED_GOOD, also
 * where it is shorter; or why it is not there.
 */
static enum packed_why
unpack_spool(struct unpack *u, size_t least)
{
	const void *piece;
	size_t len;

	while (u->spool.len < least && unpack_piece(&u->outer, &piece, &len)) {
		if (len > UNPACK_SPOOL - u->spool.len)
			return PACKED_MEMORY;
		buf_add(&u->spool, piece, len);
	}
	return !u->outer.ended ? PACKED_GOOD : u->outer.why;
}

/*
 * Whether the beginning of an archive says that it is read in order: compressed as a whole, or tar,
 * cpio, ar or cab.  zip, 7z and iso have directories, and what they name may lie anywhere.
 */
static bool
unpack_is_stream(const char *data, size_t len)
{
	static const struct { uint8_t len; char bytes[9]; } begins[] = {
		{ 2, "\x1f\x8b" }, { 3, "BZh" }, { 6, "\xfd\x37zXZ" }, { 4, "\x28\xb5\x2f\xfd" }, { 4, "LZIP" }, { 3, "\x5d" },
		{ 2, "\x1f\x9d" }, { 8, "!<arch>\n" }, { 4, "MSCF" }, { 5, "07070" }, { 2, "\xc7\x71" }, { 2, "\x71\xc7" },
	};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		if (len >= begins[i].len && memcmp(data, begins[i].bytes, begins[i].len) == 0)
			return true;
	}
	return len >= 262 && memcmp(data + 257, "ustar", 5) == 0;
}

/* What a number may grow to: by half of what is left up to most. */
static int64_t
unpack_half(int64_t now, int64_t most)
{
	return now + (most > now ? (most - now) / 2 : 0);
}

/* Read the member in hand as an archive.  Returns PACKED_GOOD, or why it is not known whole. */
static enum packed_why
unpack_within(struct unpack *u)
{
	struct unpack_level *l = &u->inner;
	enum packed_why why;
	bool stream;

	u->at = 0;
	why = unpack_spool(u, UNPACK_PEEK);
	stream = why == PACKED_GOOD && unpack_is_stream(u->spool.data, u->spool.len);
	if (why == PACKED_GOOD && !stream)
		why = unpack_spool(u, SIZE_MAX);
	/* One that expands too much leaves something to the next ones. */
	u->within_most = unpack_half(u->bytes, unpack_most(u));
	u->within_members = unpack_half(u->outer.members + l->members, UNPACK_MEMBERS);
	l->a = why == PACKED_GOOD ? la.archive_read_new() : NULL;
	l->failures = 0;
	if (l->a != NULL) {
		why = unpack_open(l, unpack_read_member, stream ? NULL : unpack_seek_member, unpack_skip_member) < ARCHIVE_WARN ?
			unpack_why(l) : unpack_all(l);
		la.archive_read_free(l->a);
		links_release(&l->links);
	} else if (why == PACKED_GOOD)
		why = PACKED_MEMORY;
	buf_release(&u->spool);
	/* The bytes end early: that has the reason of the member. */
	return u->outer.ended && u->outer.why != PACKED_GOOD ? u->outer.why : why;
}

void
unpack_ready(void)
{
	/* Names in UTF-16 become UTF-8, whatever the terminal shows. */
	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
		setlocale(LC_CTYPE, "C");
	/* Times of zip are local ones.  Without TZ the zone's file would be opened for each. */
	setenv("TZ", ":/etc/localtime", 0);
	tzset();
}

void
unpack_run(const struct unpack_ask *ask, int in, int out)
{
	struct unpack *u = mem_zalloc(1, sizeof(*u));
	struct buf format = { 0 };
	struct record end = { .mtime = INT64_MIN };
	enum packed_why why;

	u->ask = ask;
	u->in = in;
	u->out = out;
	u->outer = (struct unpack_level){ .u = u, .type = RECORD_MEMBER, .links.secret = ask->secret, .a = la.archive_read_new() };
	u->inner = (struct unpack_level){ .u = u, .type = RECORD_INNER, .links.secret = ask->secret };
	if (u->outer.a == NULL)
		mem_out();
	why = unpack_open(&u->outer, unpack_read, unpack_seek, unpack_skip) < ARCHIVE_WARN ? unpack_why(&u->outer) : unpack_all(&u->outer);
	end.size = u->outer.others;
	buf_adds(&format, la.archive_format_name(u->outer.a) == NULL ? "" : la.archive_format_name(u->outer.a));
	if (la.archive_filter_code(u->outer.a, 0) != ARCHIVE_FILTER_NONE)
		buf_addf(&format, ", %s", la.archive_filter_name(u->outer.a, 0));
	unpack_put(u, RECORD_END, why, &end, buf_str(&format));
	la.archive_read_free(u->outer.a);
	links_release(&u->outer.links);
	buf_release(&u->written);
	buf_release(&format);
	free(u);
}

#else

bool
unpack_can(void)
{
	return false;
}

int
unpack_fail(struct err *err)
{
	return err_set(err, ERR_USAGE, "this twindex was built without libarchive, which reads archives: install it (Debian: libarchive-dev) and "
	               "build again");
}

const char *
unpack_library(void)
{
	return "none";
}

void
unpack_ready(void)
{
}

void
unpack_run(const struct unpack_ask *ask, int in, int out)
{
	(void)ask;
	(void)in;
	(void)out;
}

#endif
