/* SPDX-License-Identifier: MIT */
/*
 * Formats are those whose members are files: not mtree, which would read files elsewhere.  Programs
 * that libarchive would start for a compression that it lacks can't be started: sys/jail.
 */
#include "base/base.h"

#include "archive/source.h"

#ifdef HAVE_LIBARCHIVE
#include <unistd.h>

/* A member that is read by its directory lies in memory, up to this size. */
#define SOURCE_SPOOL ((size_t)256 << 20)
/* Bytes of its beginning that show what it is. */
#define SOURCE_PEEK 36864

/* archive_read_callback */
static la_ssize_t
source_read(struct archive *a, void *arg, const void **data)
{
	struct source_file *f = arg;
	ssize_t n;

	do
		n = read(f->fd, f->block, sizeof(f->block));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		la.archive_set_error(a, errno, "cannot read");
	*data = f->block;
	return n;
}

/* archive_seek_callback */
static la_int64_t
source_seek(struct archive *a, void *arg, la_int64_t offset, int whence)
{
	struct source_file *f = arg;
	const off_t at = lseek(f->fd, (off_t)offset, whence);

	(void)a;
	return at < 0 ? ARCHIVE_FATAL : (la_int64_t)at;
}

/* archive_skip_callback */
static la_int64_t
source_skip(struct archive *a, void *arg, la_int64_t n)
{
	struct source_file *f = arg;
	const off_t before = lseek(f->fd, 0, SEEK_CUR);

	(void)a;
	/* Stepping over the end would not be noticed. */
	if (before < 0 || n < 0 || n > f->size - before || lseek(f->fd, (off_t)n, SEEK_CUR) < 0)
		return 0;
	return n;
}

/* Let any format be known.  Without seek the bytes come in order.  Returns an ARCHIVE_ code. */
static int
source_open(struct archive *a, void *arg, archive_read_callback *read_it, archive_seek_callback *seek, archive_skip_callback *skip)
{
	int (*const formats[])(struct archive *) = {
		la.archive_read_support_format_zip, la.archive_read_support_format_tar, la.archive_read_support_format_7zip,
		la.archive_read_support_format_cpio, la.archive_read_support_format_ar, la.archive_read_support_format_iso9660,
		la.archive_read_support_format_cab, la.archive_read_support_filter_gzip, la.archive_read_support_filter_bzip2,
		la.archive_read_support_filter_xz, la.archive_read_support_filter_lzma, la.archive_read_support_filter_lzip,
		la.archive_read_support_filter_zstd, la.archive_read_support_filter_compress
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		formats[i](a);
	/* What was appended belongs to it: nobody may think that all of it was seen. */
	la.archive_read_set_format_option(a, "tar", "read_concatenated_archives", "1");
	la.archive_read_set_callback_data(a, arg);
	la.archive_read_set_read_callback(a, read_it);
	if (seek != NULL) {
		la.archive_read_set_seek_callback(a, seek);
		la.archive_read_set_skip_callback(a, skip);
	}
	return la.archive_read_open1(a);
}

int
source_open_file(struct archive *a, struct source_file *f)
{
	return source_open(a, f, source_read, source_seek, source_skip);
}

/* archive_read_callback: what was taken into memory, then what comes. */
static la_ssize_t
source_read_member(struct archive *a, void *arg, const void **data)
{
	struct source_member *m = arg;
	size_t len = m->spool.len - m->at;
	enum packed_why why;

	if (len > 0) {
		*data = m->spool.data + m->at;
		m->at = m->spool.len;
		return (la_ssize_t)len;
	}
	if (m->piece(m->arg, data, &len, &why))
		return (la_ssize_t)len;
	if (why == PACKED_GOOD)
		return 0;
	la.archive_set_error(a, EIO, "cannot read");
	return -1;
}

/* archive_seek_callback: all of the member is in memory. */
static la_int64_t
source_seek_member(struct archive *a, void *arg, la_int64_t offset, int whence)
{
	struct source_member *m = arg;
	const int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (int64_t)m->at : (int64_t)m->spool.len;
	const int64_t at = num_add(from, offset);

	(void)a;
	if (at < 0 || at > (int64_t)m->spool.len)
		return ARCHIVE_FATAL;
	m->at = (size_t)at;
	return at;
}

/* archive_skip_callback: of the same. */
static la_int64_t
source_skip_member(struct archive *a, void *arg, la_int64_t n)
{
	struct source_member *m = arg;

	(void)a;
	/* Stepping over the end would not be noticed. */
	if (n < 0 || n > (int64_t)(m->spool.len - m->at))
		return 0;
	m->at += (size_t)n;
	return n;
}

/*
 * Take a member into memory, at least that many bytes of it.  Returns PACKED_GOOD, also where it
 * is shorter; or why it is not there.
 */
static enum packed_why
source_spool(struct source_member *m, size_t least)
{
	enum packed_why why;
	const void *piece;
	size_t len;

	while (m->spool.len < least) {
		if (!m->piece(m->arg, &piece, &len, &why))
			return why;
		if (len > SOURCE_SPOOL - m->spool.len)
			return PACKED_MEMORY;
		buf_add(&m->spool, piece, len);
	}
	return PACKED_GOOD;
}

/*
 * Whether the beginning of an archive says that it is read in order: compressed as a whole, or tar,
 * cpio, ar or cab.  zip, 7z and iso have directories, and what they name may lie anywhere.
 */
static bool
source_is_stream(const char *data, size_t len)
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

int
source_open_member(struct archive *a, struct source_member *m, enum packed_why *why)
{
	bool stream;

	*why = source_spool(m, SOURCE_PEEK);
	stream = *why == PACKED_GOOD && source_is_stream(m->spool.data, m->spool.len);
	if (*why == PACKED_GOOD && !stream)
		*why = source_spool(m, SIZE_MAX);
	return *why != PACKED_GOOD ? ARCHIVE_FATAL : source_open(a, m, source_read_member, stream ? NULL : source_seek_member, source_skip_member);
}

void
source_member_release(struct source_member *m)
{
	buf_release(&m->spool);
	m->at = 0;
}

#endif
