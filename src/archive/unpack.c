/* SPDX-License-Identifier: MIT */
/*
 * All of this runs in a process that may read the archive and write records, no more: a bug in a
 * decoder can make it lie about this archive, or die, and nothing else.
 *
 * Damage is told from WARN on: bytes whose checksum is wrong are no content to rely on.
 */
#include "base/base.h"

#include "archive/unpack.h"

#include "archive/packed.h"

#ifdef HAVE_LIBARCHIVE
#include <locale.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "archive/libarchive_functions.h"
#include "archive/links.h"
#include "archive/record.h"
#include "archive/source.h"

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
	int out;
	int64_t bytes;           /* expanded so far on both levels */
	int64_t alive;           /* of these, when the last record was written */
	/* The member that is read as an archive. */
	const char *within;      /* its name, until RECORD_WITHIN was written */
	int64_t within_most;     /* more bytes than that on both levels are too many */
	int64_t within_members;  /* ... or more members */
	struct buf written;      /* records that wait for more */
	struct source_file file;
};

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

/* source_piece_fn: sum up the next piece of the content in hand. */
static bool
unpack_piece(void *arg, const void **piece, size_t *len, enum packed_why *why)
{
	static const uint8_t zeros[65536];
	struct unpack_level *l = arg;
	struct unpack *u = l->u;

	while (!l->ended && l->hole == 0 && l->len == 0)
		unpack_fetch(l);
	*why = l->why;
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
	l->bytes = num_add(l->bytes, (int64_t)*len);
	u->bytes = num_add(u->bytes, (int64_t)*len);
	if (u->bytes - u->alive >= UNPACK_ALIVE)
		unpack_put(u, RECORD_ALIVE, PACKED_GOOD, &(struct record){ .size = 0 }, NULL);
	/*
	 * The limit of what is in a member is what unpack_within() says; the archive itself is
	 * judged as if there was nothing but itself.
	 */
	if (l == &u->outer ? l->bytes > unpack_most(u) : u->bytes > u->within_most) {
		unpack_stop(l, *why = PACKED_BOMB);
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
	enum packed_why why;
	const void *piece;
	size_t len;

	l->told = r->size;
	l->at = l->hole = 0;
	l->len = 0;
	l->last = l->ended = l->fatal = false;
	l->sum = content_sum_new(l->u->ask->secret);
	if (within != NULL)
		*within = unpack_within(l->u);
	while (unpack_piece(l, &piece, &len, &why))
		;
	content_sum_end(l->sum, r->hash);
	if (why == PACKED_GOOD)
		r->size = l->at;
	return why;
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

/*
 * The size of a member is what came out of it, where that was read: a header may lie.  within is
 * NULL, or gets what came of the archive that it is.
 */
static enum packed_why
unpack_member_data(struct unpack_level *l, struct archive_entry *e, struct record *r, enum packed_why *within)
{
	const bool opens = within != NULL && l->u->ask->nested_not == PACKED_GOOD;
	const int64_t told = r->size;
	const char *to = la.archive_entry_hardlink(e);
	enum packed_why why;

	if (la.archive_entry_is_data_encrypted(e))
		return PACKED_ENCRYPTED;
	if (to != NULL && told <= 0) {
		const struct links_content *content = links_find(&l->links, to);

		if (content == NULL)
			return PACKED_LINK;
		r->size = content->size;
		r->has_hash = r->size > 0;
		memcpy(r->hash, content->hash, HASH_SIZE);
		return PACKED_GOOD;
	}
	if (la.archive_entry_filetype(e) == AE_IFDIR)
		return PACKED_DIR;
	/* In newc, the usual format of cpio, only the last name of an inode has its bytes. */
	if (told == 0 && la.archive_entry_nlink(e) > 1 &&
	    (la.archive_format(l->a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_CPIO)
		return PACKED_LINK;
	if (told == 0)
		return PACKED_GOOD;
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

/* Write a member, and before it what is in it. */
static enum packed_why
unpack_member(struct unpack_level *l, struct archive_entry *e, struct record *r)
{
	const char *name = unpack_name(l, e);
	const bool nested = l == &l->u->outer && l->u->ask->nested && r->size != 0 && strlen(name) <= RECORD_NAME_MOST &&
	                    packed_is_name(path_base(name), strlen(path_base(name)));
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

/* Write an entry that is a file; count another one.  Returns why reading ends here, or GOOD. */
static enum packed_why
unpack_entry(struct unpack_level *l, struct archive_entry *e)
{
	struct record r = { .size = la.archive_entry_size_is_set(e) ? la.archive_entry_size(e) : -1,
	                    .mtime = la.archive_entry_mtime_is_set(e) ? (int64_t)la.archive_entry_mtime(e) : INT64_MIN };
	const __typeof__(la.archive_entry_filetype(e)) type = la.archive_entry_filetype(e);
	const bool is_file = type == AE_IFREG || la.archive_entry_hardlink(e) != NULL || (type == 0 && la.archive_entry_symlink(e) == NULL);
	/* A zip's directory may have content. */
	const bool is_zip_dir = type == AE_IFDIR && r.size > 0 && (la.archive_format(l->a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
	const struct unpack *u = l->u;
	enum packed_why why;

	if (!is_file && !is_zip_dir) {
		l->others++;
		return PACKED_GOOD;
	}
	if (r.size < -1)
		r.size = -1;
	l->members++;
	/* The rule of unpack_piece(), for members. */
	if (l == &u->outer ? l->members > UNPACK_MEMBERS : u->outer.members + l->members > u->within_members)
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
	struct source_member source = { .piece = unpack_piece, .arg = &u->outer };
	struct unpack_level *l = &u->inner;
	enum packed_why why;
	int ret;

	l->failures = 0;
	l->a = la.archive_read_new();
	if (l->a == NULL)
		return PACKED_MEMORY;
	ret = source_open_member(l->a, &source, &why);
	/* One that expands too much leaves something to the next ones. */
	u->within_most = unpack_half(u->bytes, unpack_most(u));
	u->within_members = unpack_half(u->outer.members + l->members, UNPACK_MEMBERS);
	if (why == PACKED_GOOD)
		why = ret < ARCHIVE_WARN ? unpack_why(l) : unpack_all(l);
	la.archive_read_free(l->a);
	links_release(&l->links);
	source_member_release(&source);
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
	u->file.fd = in;
	u->file.size = ask->packed;
	u->out = out;
	u->outer = (struct unpack_level){ .u = u, .type = RECORD_MEMBER, .links.secret = ask->secret, .a = la.archive_read_new() };
	u->inner = (struct unpack_level){ .u = u, .type = RECORD_INNER, .links.secret = ask->secret };
	if (u->outer.a == NULL)
		mem_out();
	why = source_open_file(u->outer.a, &u->file) < ARCHIVE_WARN ? unpack_why(&u->outer) : unpack_all(&u->outer);
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
