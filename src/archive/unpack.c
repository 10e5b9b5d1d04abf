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

/* What is called of the library, which is loaded when the first archive is opened. */
#define UNPACK_FUNCTIONS(X) \
	X(archive_entry_filetype) \
	X(archive_entry_hardlink) \
	X(archive_entry_is_data_encrypted) \
	X(archive_entry_mtime) \
	X(archive_entry_mtime_is_set) \
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

struct unpack {
	const struct unpack_ask *ask;
	struct archive *a;
	struct content_sum *sum;
	int in, out;
	int64_t members, others;
	int64_t bytes;           /* expanded so far */
	int64_t alive;           /* of these, when the last record was written */
	int failures;
	char name[24];
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
	if (type == RECORD_MEMBER && u->written.len < UNPACK_WRITE)
		return;
	unpack_write(u->out, u->written.data, u->written.len);
	buf_cut(&u->written, 0);
}

/* Count bytes that came out of the archive.  Whether they are too many. */
static bool
unpack_count(struct unpack *u, int64_t n)
{
	const int64_t most = num_mul(u->ask->packed, UNPACK_RATIO);

	u->bytes = num_add(u->bytes, n);
	if (u->bytes - u->alive >= UNPACK_ALIVE)
		unpack_put(u, RECORD_ALIVE, PACKED_GOOD, &(struct record){ .size = 0 }, NULL);
	return u->bytes > (most > UNPACK_BYTES ? most : UNPACK_BYTES);
}

/* Hash the zeros of a hole.  Whether they are too many. */
static bool
unpack_zeros(struct unpack *u, int64_t n)
{
	static const uint8_t zeros[65536];

	while (n > 0) {
		const size_t piece = n < (int64_t)sizeof(zeros) ? (size_t)n : sizeof(zeros);

		if (unpack_count(u, (int64_t)piece))
			return true;
		content_sum_add(u->sum, zeros, piece);
		n -= (int64_t)piece;
	}
	return false;
}

/* Why the library failed; its words are the only place that says it. */
static enum packed_why
unpack_why(const struct unpack *u)
{
	const char *text = la.archive_error_string(u->a);

	if (la.archive_errno(u->a) == ENOMEM)
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

/* Sum up the content of an entry.  Returns PACKED_GOOD with *size, or why there is no hash. */
static enum packed_why
unpack_sum(struct unpack *u, int64_t told, int64_t *size, bool *fatal)
{
	int64_t at = 0, offset;
	const void *data;
	size_t len;
	int ret;

	while ((ret = la.archive_read_data_block(u->a, &data, &len, &offset)) == ARCHIVE_OK) {
		if (offset < at)
			return PACKED_DAMAGED;
		if (unpack_zeros(u, offset - at) || unpack_count(u, (int64_t)len))
			return PACKED_BOMB;
		content_sum_add(u->sum, data, len);
		at = offset + (int64_t)len;
	}
	*fatal = ret == ARCHIVE_FATAL;
	if (ret != ARCHIVE_EOF)
		return unpack_why(u);
	/* The last block of a sparse file may be a hole. */
	if (told > at && unpack_zeros(u, told - at))
		return PACKED_BOMB;
	*size = told > at ? told : at;
	return PACKED_GOOD;
}

/* Hash the content of an entry.  Returns as unpack_sum. */
static enum packed_why
unpack_data(struct unpack *u, struct record *r, bool *fatal)
{
	enum packed_why why;

	u->sum = content_sum_new(u->ask->secret);
	why = unpack_sum(u, r->size, &r->size, fatal);
	content_sum_end(u->sum, r->hash);
	return why;
}

/* Whether the format knows the size of a member, and can step over its content. */
static bool
unpack_skips(const struct unpack *u)
{
	switch (la.archive_format(u->a) & ARCHIVE_FORMAT_BASE_MASK) {
	case ARCHIVE_FORMAT_ZIP:
	case ARCHIVE_FORMAT_7ZIP:
	case ARCHIVE_FORMAT_ISO9660:
	case ARCHIVE_FORMAT_CAB:
		return true;
	default:
		return false;
	}
}

static bool
unpack_wants(const struct unpack *u, int64_t size)
{
	size_t at;

	if (u->ask->all || size < 0 || !unpack_skips(u))
		return true;
	ORDER_FIRST(at, u->ask->n_sizes, u->ask->sizes[at] < size);
	return at < u->ask->n_sizes && u->ask->sizes[at] == size;
}

/*
 * The name of an entry: its bytes, or what they mean in UTF-8 where they have another charset.  One
 * that is not in the charset that it claims to have is not given: its number takes its place.
 */
static const char *
unpack_name(struct unpack *u, struct archive_entry *e)
{
	const char *name = la.archive_entry_pathname(e);

	if (name == NULL)
		name = la.archive_entry_pathname_utf8(e);
	if (name != NULL && name[0] != '\0')
		return name;
	snprintf(u->name, sizeof(u->name), "?%lld", (long long)u->members);
	return u->name;
}

/* The size of a member is what came out of it, where that was read: a header may lie. */
static enum packed_why
unpack_member_data(struct unpack *u, struct archive_entry *e, struct record *r, bool *fatal)
{
	const int64_t told = r->size;
	enum packed_why why;

	if (la.archive_entry_is_data_encrypted(e))
		return PACKED_ENCRYPTED;
	if (la.archive_entry_hardlink(e) != NULL && told <= 0)
		return PACKED_LINK;
	if (told == 0)
		return PACKED_GOOD;
	if (!unpack_wants(u, told))
		return PACKED_NOT_READ;
	why = unpack_data(u, r, fatal);
	if (why != PACKED_GOOD)
		return why;
	if (told >= 0 && r->size != told)
		return PACKED_DAMAGED;
	r->has_hash = r->size > 0;
	return PACKED_GOOD;
}

/* Write an entry that is a file; count another one.  Returns why reading ends here, or GOOD. */
static enum packed_why
unpack_entry(struct unpack *u, struct archive_entry *e)
{
	struct record r = { .size = la.archive_entry_size_is_set(e) ? la.archive_entry_size(e) : -1,
	                    .mtime = la.archive_entry_mtime_is_set(e) ? (int64_t)la.archive_entry_mtime(e) : INT64_MIN };
	enum packed_why why;
	bool fatal = false;

	if (la.archive_entry_filetype(e) != AE_IFREG && (la.archive_entry_filetype(e) != 0 || la.archive_entry_symlink(e) != NULL) &&
	    la.archive_entry_hardlink(e) == NULL) {
		u->others++;
		return PACKED_GOOD;
	}
	if (r.size < -1)
		r.size = -1;
	if (++u->members > UNPACK_MEMBERS)
		return PACKED_MANY;
	why = unpack_member_data(u, e, &r, &fatal);
	unpack_put(u, RECORD_MEMBER, why, &r, unpack_name(u, e));
	return why == PACKED_BOMB || fatal ? why : PACKED_GOOD;
}

/* Go through all entries.  Returns why the rest was not read, or PACKED_GOOD. */
static enum packed_why
unpack_all(struct unpack *u)
{
	struct archive_entry *e;
	enum packed_why why;

	for (;;) {
		const int ret = la.archive_read_next_header(u->a, &e);

		if (ret == ARCHIVE_EOF)
			return PACKED_GOOD;
		if (ret == ARCHIVE_FATAL)
			return la.archive_read_has_encrypted_entries(u->a) == 1 ? PACKED_ENCRYPTED : unpack_why(u);
		if (ret == ARCHIVE_RETRY || ret == ARCHIVE_FAILED) {
			if (++u->failures > UNPACK_FAILURES)
				return PACKED_DAMAGED;
			/* It is not known what it is. */
			u->members++;
			if (ret == ARCHIVE_FAILED)
				unpack_put(u, RECORD_MEMBER, PACKED_DAMAGED, &(struct record){ .size = -1, .mtime = INT64_MIN }, unpack_name(u, e));
			continue;
		}
		why = unpack_entry(u, e);
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

/* Open the archive.  Returns an ARCHIVE_ code. */
static int
unpack_open(struct unpack *u)
{
	int (*const formats[])(struct archive *) = {
		la.archive_read_support_format_zip, la.archive_read_support_format_tar, la.archive_read_support_format_7zip,
		la.archive_read_support_format_cpio, la.archive_read_support_format_ar, la.archive_read_support_format_iso9660,
		la.archive_read_support_format_cab, la.archive_read_support_filter_gzip, la.archive_read_support_filter_bzip2,
		la.archive_read_support_filter_xz, la.archive_read_support_filter_lzma, la.archive_read_support_filter_lzip,
		la.archive_read_support_filter_zstd, la.archive_read_support_filter_compress
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		formats[i](u->a);
	/* What was appended belongs to it: nobody may think that all of it was seen. */
	la.archive_read_set_format_option(u->a, "tar", "read_concatenated_archives", "1");
	la.archive_read_set_callback_data(u->a, u);
	la.archive_read_set_read_callback(u->a, unpack_read);
	la.archive_read_set_seek_callback(u->a, unpack_seek);
	la.archive_read_set_skip_callback(u->a, unpack_skip);
	return la.archive_read_open1(u->a);
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
	u->a = la.archive_read_new();
	if (u->a == NULL)
		mem_out();
	why = unpack_open(u) < ARCHIVE_WARN ? unpack_why(u) : unpack_all(u);
	end.size = u->others;
	buf_adds(&format, la.archive_format_name(u->a) == NULL ? "" : la.archive_format_name(u->a));
	if (la.archive_filter_code(u->a, 0) != ARCHIVE_FILTER_NONE)
		buf_addf(&format, ", %s", la.archive_filter_name(u->a, 0));
	unpack_put(u, RECORD_END, why, &end, buf_str(&format));
	la.archive_read_free(u->a);
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
