/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/acts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/locked_file.h"
#include "index/index.h"
#include "index/own_files.h"
#include "sys/attrs.h"
#include "sys/fs.h"
#include "sys/sync.h"

#define ACTS_HEADER ACTS_FIRST_LINE "\n"
#define ACTS_HEADER_LEN (sizeof(ACTS_HEADER) - 1)

const char *
acts_word(enum act_kind kind)
{
	static const char *const words[] = {
		[ACT_REMOVE] = "remove", [ACT_TRASH] = "trash", [ACT_HARD] = "hardlink", [ACT_SOFT] = "softlink", [ACT_REFLINK] = "reflink",
		[ACT_RESCUE] = "rescue",
	};

	assert(kind < ACT_KINDS);
	return words[kind];
}

static void
acts_add_name(struct acts *a, const char *name)
{
	buf_addc(&a->lines, '\t');
	name_show(&a->lines, name, strlen(name));
}

/*
 * Check that the open file is a journal of ours.  End its last line, which may be torn.
 */
static int
acts_check(struct acts *a, struct err *err)
{
	char header[ACTS_HEADER_LEN], last;
	struct fs_stat st;
	ssize_t got;

	if (fs_stat_fd(a->fd, &st) < 0)
		return err_sys(err, "journal of acts '%s'", a->path);
	if (!S_ISREG(st.mode))
		return err_set(err, ERR_BAD_INDEX, "journal of acts '%s' is not a regular file", a->path);
	if (st.size == 0) {
		buf_adds(&a->lines, ACTS_HEADER);
		return 0;
	}
	got = pread(a->fd, header, ACTS_HEADER_LEN, 0);
	/* The first line is torn: the power failed, or the disk was full. */
	if (got == st.size && got < (ssize_t)ACTS_HEADER_LEN && memcmp(header, ACTS_HEADER, (size_t)got) == 0 && ftruncate(a->fd, 0) == 0) {
		buf_adds(&a->lines, ACTS_HEADER);
		return 0;
	}
	if (got != (ssize_t)ACTS_HEADER_LEN || memcmp(header, ACTS_HEADER, ACTS_HEADER_LEN) != 0)
		return err_set(err, ERR_BAD_INDEX, "'%s' is not a journal of acts", a->path);
	if (pread(a->fd, &last, 1, (off_t)st.size - 1) == 1 && last != '\n')
		buf_addc(&a->lines, '\n');
	return 0;
}

int
acts_begin(struct acts *a, const struct index *ix, const char *command, struct err *err)
{
	struct buf path = { 0 };

	*a = (struct acts){ .run = fs_time_key(fs_time_now()) };
	buf_addf(&path, "%s" OWN_FILES_ACTS, ix->path);
	a->path = buf_take(&path);
	a->fd = open(a->path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (a->fd < 0)
		err_sys(err, "open the journal of acts '%s'", a->path);
	if (a->fd < 0 || acts_check(a, err) < 0) {
		acts_end(a, -1, err);
		return -1;
	}
	buf_addf(&a->lines, "run\t%" PRId64 "\t%s\n", a->run, command);
	return 0;
}

/* Add permissions, owner and attributes of an open file or directory. */
static void
acts_add_owner(struct acts *a, int fd, const struct fs_stat *st)
{
	buf_addf(&a->lines, "\t%o\t", (unsigned)st->mode & 07777);
	buf_add_uint(&a->lines, st->uid);
	buf_addc(&a->lines, '\t');
	buf_add_uint(&a->lines, st->gid);
	buf_addc(&a->lines, '\t');
	/* Attributes that can't be read are lost: no reason to fail. */
	if (attrs_show(fd, &a->lines) < 0)
		buf_addc(&a->lines, '-');
}

/* Add the line of an act, of which held is the victim or its original. */
static int64_t
acts_add_line(struct acts *a, enum act_kind kind, const struct locked_file *held, const uint8_t hash[HASH_SIZE],
              const char *victim, const char *keeper)
{
	const int64_t numbers[] = { a->run, ++a->number, held->st.size, held->st.mtime.sec };

	buf_adds(&a->lines, acts_word(kind));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		buf_addc(&a->lines, '\t');
		buf_add_int(&a->lines, numbers[i]);
	}
	buf_addf(&a->lines, ".%09" PRId32, held->st.mtime.nsec);
	acts_add_owner(a, held->fd, &held->st);
	buf_addc(&a->lines, '\t');
	buf_add_hex(&a->lines, hash, HASH_SIZE);
	acts_add_name(a, victim);
	acts_add_name(a, keeper);
	buf_addc(&a->lines, '\n');
	return a->number;
}

int64_t
acts_add(struct acts *a, enum act_kind kind, const struct locked_file *victim, const uint8_t hash[HASH_SIZE],
         const char *keeper)
{
	assert(kind != ACT_RESCUE);
	return acts_add_line(a, kind, victim, hash, victim->path, keeper);
}

int64_t
acts_add_copy(struct acts *a, const struct locked_file *original, const uint8_t hash[HASH_SIZE], const char *copy)
{
	return acts_add_line(a, ACT_RESCUE, original, hash, copy, original->path);
}

void
acts_add_same(struct acts *a, int64_t number, int64_t of_number)
{
	buf_addf(&a->lines, "same\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", a->run, number, of_number);
}

int64_t
acts_add_undo(struct acts *a, int64_t of_run, int64_t of_number)
{
	buf_addf(&a->lines, "undo\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", a->run, ++a->number, of_run, of_number);
	return a->number;
}

void
acts_add_to(struct acts *a, int64_t number, const char *path)
{
	buf_addf(&a->lines, "to\t%" PRId64 "\t%" PRId64, a->run, number);
	acts_add_name(a, path);
	buf_addc(&a->lines, '\n');
}

void
acts_add_dir(struct acts *a, int fd, const struct fs_stat *st, const char *path)
{
	buf_addf(&a->lines, "dir\t%" PRId64 "\t%" PRId64, a->run, ++a->number);
	acts_add_owner(a, fd, st);
	acts_add_name(a, path);
	buf_addc(&a->lines, '\n');
}

void
acts_add_made(struct acts *a, const char *path)
{
	buf_addf(&a->lines, "made\t%" PRId64 "\t%" PRId64, a->run, ++a->number);
	acts_add_name(a, path);
	buf_addc(&a->lines, '\n');
}

void
acts_add_not(struct acts *a, int64_t number)
{
	buf_addf(&a->lines, "not\t%" PRId64 "\t%" PRId64 "\n", a->run, number);
}

/*
 * Write the lines that were added.  A part that a full disk took is cut off again: more lines may
 * follow.
 */
static int
acts_write(struct acts *a)
{
	struct fs_stat st;
	int saved;

	if (a->lines.len == 0)
		return 0;
	if (fs_stat_fd(a->fd, &st) < 0)
		return -1;
	if (fs_write_all(a->fd, a->lines.data, a->lines.len) == 0) {
		buf_cut(&a->lines, 0);
		return 0;
	}
	saved = errno;
	buf_cut(&a->lines, 0);
	if (ftruncate(a->fd, (off_t)st.size) == 0 && st.size == 0)
		buf_adds(&a->lines, ACTS_HEADER);
	errno = saved;
	return -1;
}

int
acts_sync(struct acts *a, struct err *err)
{
	return acts_write(a) == 0 && (errno = sync_data(a->fd)) == 0 ? 0 : err_sys(err, "write the journal of acts '%s'", a->path);
}

int
acts_end(struct acts *a, int ret, struct err *err)
{
	struct err last = { 0 };

	/* A run without an act leaves no line. */
	if (a->fd >= 0 && a->number > 0) {
		buf_addf(&a->lines, "end\t%" PRId64 "\n", a->run);
		if (acts_sync(a, &last) < 0 && ret >= 0) {
			*err = last;
			ret = -1;
		}
	}
	if (a->fd >= 0)
		close(a->fd);
	a->fd = -1;
	free(a->path);
	a->path = NULL;
	buf_release(&a->lines);
	return ret;
}
