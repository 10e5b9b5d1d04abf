/* SPDX-License-Identifier: MIT */
/*
 * Sources: the base directory specification (.cache), bford.info/cachedir (CACHEDIR.TAG, whose
 * first 43 bytes are a signature), the trash specification, file-hierarchy(7) (/tmp, /var/tmp),
 * and the directories in which snapper, ZFS and timeshift keep snapshots.  A tag is known by its
 * name and size, because queries read no files: a false tag makes one copy too few count.
 */
#include "base/base.h"

#include "index/fleeting.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/stmt.h"
#include "index/name_index.h"
#include "sys/fs.h"
#include "sys/mounted.h"
#include "sys/volume.h"

/* Keys of mounted file systems that lie in memory although their type does not say so. */
struct fleeting_mounts {
	struct buf keys;         /* each with a NUL behind */
};

/* mounted_fn */
static bool
fleeting_note_mount(void *arg, const struct mounted *m)
{
	struct fleeting_mounts *mounts = arg;
	struct buf point = { 0 };
	struct volume_facts facts;
	struct fs_stat st;
	int fd = -1;

	if (volume_mount_in_memory(m)) {
		mounted_name(&point, m->point);
		fd = fs_open_dir(AT_FDCWD, buf_str(&point));
	}
	if (fd >= 0 && fs_stat_fd(fd, &st) == 0 && st.dev == m->dev && volume_describe(fd, st.dev, &facts, &mounts->keys) == 0)
		buf_addc(&mounts->keys, '\0');
	if (fd >= 0)
		close(fd);
	buf_release(&point);
	return false;
}

/* Whether the file system with a key lies in memory. */
static bool
fleeting_in_memory(const struct fleeting_mounts *mounts, const char *key)
{
	if (volume_key_in_memory(key))
		return true;
	for (size_t at = 0; at < mounts->keys.len; at += strlen(mounts->keys.data + at) + 1) {
		if (volume_key_fits(key, mounts->keys.data + at))
			return true;
	}
	return false;
}

/* In front of a key of fleeting_archive_key; the reasons follow as one character, from '0' on. */
#define FLEETING_ARCHIVE "archive:"

void
fleeting_archive_key(struct buf *key, const char *archive, unsigned why)
{
	assert(why < 1U << FLEETING_REASONS);
	buf_addf(key, FLEETING_ARCHIVE "%c:%s", (int)('0' + why), archive);
}

/* Note the volumes of which all files are fleeting. */
static int
fleeting_load_volumes(struct fleeting *f, struct db *db, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_VOLUME_ALL, err);
	struct fleeting_mounts mounts = { 0 };
	int ret;

	mounted_each(fleeting_note_mount, &mounts);
	while ((ret = stmt_step(&st)) == 1) {
		size_t len;
		const char *key = stmt_col_text(&st, 1, &len);
		unsigned why = 0;

		if (strncmp(key, FLEETING_ARCHIVE, strlen(FLEETING_ARCHIVE)) == 0)
			why = (unsigned)(key[strlen(FLEETING_ARCHIVE)] - '0');
		/* As mounted now, or as the last scan noted. */
		else if (fleeting_in_memory(&mounts, key) || volume_key_in_memory(stmt_col_text(&st, 3, &len)))
			why = FLEETING_MEMORY;
		if (why != 0)
			vec_push(&f->volumes, ((struct fleeting_volume){ stmt_col_int(&st, 0), why }));
	}
	stmt_done(&st);
	buf_release(&mounts.keys);
	return ret;
}

/* The file that says that a directory is a cache, and its sizes (bford.info/cachedir). */
#define FLEETING_TAG "CACHEDIR.TAG"
#define FLEETING_TAG_LEAST 43
#define FLEETING_TAG_MOST 1024

/* name_index_fn: note a directory that has, or had, a file of that name. */
static int
fleeting_note_tag(void *arg, const char *name, size_t len, int64_t dir, bool is_dir)
{
	struct fleeting *f = arg;

	(void)name;
	(void)len;
	if (!is_dir)
		vec_push(&f->tagged, dir);
	return 0;
}

/* Whether a directory has a tag now.  Returns 1, 0 or -1. */
static int
fleeting_has_tag(struct db *db, int64_t dir, struct err *err)
{
	struct stmt st = stmt_get(db, SQL_FILE_SIZE_AT, err);
	int ret;

	stmt_int(&st, ":dir", dir);
	stmt_text(&st, ":name", FLEETING_TAG, strlen(FLEETING_TAG));
	ret = stmt_step(&st);
	if (ret == 1)
		ret = stmt_col_int(&st, 0) >= FLEETING_TAG_LEAST && stmt_col_int(&st, 0) <= FLEETING_TAG_MOST;
	stmt_done(&st);
	return ret;
}

/*
 * Note the directories with a tag, by the order of all names.  Without that, in a first scan, a
 * directory is asked when somebody wants to know: to find all takes a look at every file.
 */
static int
fleeting_load_tags(struct fleeting *f, struct db *db, struct err *err)
{
	const struct name_index_query q = { .name = FLEETING_TAG, .part = "" };
	size_t n = 0;
	int ret;

	f->one_by_one = !name_index_is_there(db);
	if (f->one_by_one)
		return 0;
	ret = name_index_each(db, &q, fleeting_note_tag, f, err);
	for (size_t i = 0; ret == 0 && i < f->tagged.n; i++) {
		const int has = fleeting_has_tag(db, f->tagged.v[i], err);

		if (has == 1)
			f->tagged.v[n++] = f->tagged.v[i];
		ret = has < 0 ? -1 : 0;
	}
	f->tagged.n = n;
	return ret;
}

int
fleeting_load(struct fleeting *f, struct db *db, struct err *err)
{
	struct stmt st;
	int ret;

	f->db = db;
	if (fleeting_load_volumes(f, db, err) < 0 || fleeting_load_tags(f, db, err) < 0)
		return -1;
	if (f->tagged.n > 1)
		qsort(f->tagged.v, f->tagged.n, sizeof(*f->tagged.v), order_cmp_int64);
	st = stmt_get(db, SQL_SHARED_DIRS, err);
	while ((ret = stmt_step(&st)) == 1) {
		if (stmt_col_int(&st, 1) != (int64_t)geteuid())
			vec_push(&f->shared, stmt_col_int(&st, 0));
	}
	if (f->shared.n > 1)
		qsort(f->shared.v, f->shared.n, sizeof(*f->shared.v), order_cmp_int64);
	return ret;
}

void
fleeting_release(struct fleeting *f)
{
	vec_release(&f->volumes);
	vec_release(&f->tagged);
	vec_release(&f->shared);
}

const char *
fleeting_temporary(size_t i)
{
	const char *tmp = i == 2 ? getenv("TMPDIR") : NULL;

	return i == 0 ? "/tmp" : i == 1 ? "/var/tmp" : tmp != NULL && tmp[0] == '/' && tmp[1] != '\0' ? tmp : NULL;
}

/* Whether name, of len bytes, equals is. */
static bool
fleeting_is(const char *name, size_t len, const char *is)
{
	return strlen(is) == len && memcmp(name, is, len) == 0;
}

unsigned
fleeting_of_name(const char *name, size_t len, const char *parent, size_t parent_len)
{
	/* Called for each directory: hardly any name begins like these. */
	if (len == 0 || strchr(".sf", *name) == NULL)
		return 0;
	if (path_is_trash(name, len, parent, parent_len))
		return FLEETING_TRASH;
	if (fleeting_is(name, len, ".cache"))
		return FLEETING_CACHE;
	if (fleeting_is(name, len, ".snapshots") || (fleeting_is(name, len, "snapshot") && fleeting_is(parent, parent_len, ".zfs")) ||
	    (fleeting_is(name, len, "snapshots") && (fleeting_is(parent, parent_len, "timeshift") || fleeting_is(parent, parent_len, "timeshift-btrfs"))))
		return FLEETING_SNAPSHOT;
	return 0;
}

unsigned
fleeting_of_path(const char *path)
{
	const char *rest = path, *name, *tmp, *parent = "";
	size_t len, parent_len = 0;
	unsigned why = 0;

	for (; path_next(&rest, &name, &len); parent = name, parent_len = len)
		why |= fleeting_of_name(name, len, parent, parent_len);
	for (size_t i = 0; (tmp = fleeting_temporary(i)) != NULL; i++)
		why |= path_is_below(path, tmp) ? FLEETING_TEMPORARY : 0;
	return why;
}

int
fleeting_of_row(const struct fleeting *f, int64_t dir, int64_t volume, struct err *err)
{
	const int tag = f->one_by_one ? fleeting_has_tag(f->db, dir, err) :
	                f->tagged.n > 0 && bsearch(&dir, f->tagged.v, f->tagged.n, sizeof(*f->tagged.v), order_cmp_int64) != NULL;
	unsigned why = tag == 1 ? FLEETING_CACHE : 0;

	if (tag < 0)
		return -1;

	for (size_t i = 0; i < f->volumes.n; i++)
		why |= f->volumes.v[i].volume == volume ? f->volumes.v[i].why : 0;
	if (f->shared.n > 0 && bsearch(&dir, f->shared.v, f->shared.n, sizeof(*f->shared.v), order_cmp_int64) != NULL)
		why |= FLEETING_SHARED;
	return (int)why;
}

bool
fleeting_mode_is_shared(unsigned mode)
{
	return (mode & S_ISVTX) != 0 && (mode & (S_IWGRP | S_IWOTH)) != 0;
}

/* Whether a file is another user's, in a directory that users share. */
static bool
fleeting_is_shared(const char *path, const char *dir)
{
	struct fs_stat st, up;

	return fs_stat_path(path, &st) == 0 && st.uid != geteuid() && fs_stat_path(dir, &up) == 0 && fleeting_mode_is_shared(up.mode);
}

/* Whether a directory above a file has a tag. */
static bool
fleeting_is_tagged(const char *path)
{
	struct buf tag = { 0 };
	bool is = false;

	for (size_t len = path_parent_len(path); !is && len > 0; len = path_up_len(path, len)) {
		buf_cut(&tag, 0);
		buf_add(&tag, path, len);
		path_append(&tag, "CACHEDIR.TAG", strlen("CACHEDIR.TAG"));
		is = access(buf_str(&tag), F_OK) == 0;
	}
	buf_release(&tag);
	return is;
}

/* Whether the file system of a directory lies in memory. */
static bool
fleeting_dir_in_memory(const char *dir)
{
	struct fleeting_mounts mounts = { 0 };
	struct volume_facts facts;
	struct buf key = { 0 };
	struct fs_stat st;
	const int fd = fs_open_dir(AT_FDCWD, dir);
	bool is = false;

	if (fd >= 0 && fs_stat_fd(fd, &st) == 0 && volume_describe(fd, st.dev, &facts, &key) == 0) {
		mounted_each(fleeting_note_mount, &mounts);
		is = fleeting_in_memory(&mounts, buf_str(&key));
	}
	if (fd >= 0)
		close(fd);
	buf_release(&mounts.keys);
	buf_release(&key);
	return is;
}

unsigned
fleeting_of_outside(const char *path)
{
	char *dir = mem_dup(path, path_parent_len(path));
	const unsigned why = fleeting_of_path(dir) | (fleeting_is_tagged(path) ? FLEETING_CACHE : 0) |
	                     (fleeting_dir_in_memory(dir) ? FLEETING_MEMORY : 0) | (fleeting_is_shared(path, dir) ? FLEETING_SHARED : 0);

	free(dir);
	return why;
}

bool
fleeting_any_keeps(uint64_t copies, unsigned file)
{
	bool any = (copies & 1) != 0;

	for (unsigned r = 1; !any && copies >> r != 0 && r < 1U << FLEETING_REASONS; r++)
		any = (copies >> r & 1) != 0 && fleeting_keeps(r, file);
	return any;
}

uint64_t
fleeting_staying(uint64_t present)
{
	uint64_t lasting = 0, staying = 0;

	/* Nearly always: a copy without reasons lasts longest. */
	if ((present & 1) != 0)
		return 1;
	for (unsigned r = 0; r < 1U << FLEETING_REASONS; r++)
		lasting |= (r & FLEETING_TRASH) == 0 ? present & UINT64_C(1) << r : 0;
	for (unsigned r = 0; r < 1U << FLEETING_REASONS; r++)
		staying |= (lasting >> r & 1) != 0 && !fleeting_outlasted(lasting, r) ? UINT64_C(1) << r : 0;
	return staying;
}

int
fleeting_count(unsigned why)
{
	int n = 0;

	for (; why != 0; why &= why - 1)
		n++;
	return n;
}

const char *
fleeting_only(unsigned why, int64_t n)
{
	if (n == 0)
		return NULL;
	return (why & FLEETING_TRASH) != 0  ? n == 1 ? "its only other copy is in a trash" : "its other copies are in a trash" :
	       (why & FLEETING_MEMORY) != 0 ? n == 1 ? "its only other copy is in memory" : "its other copies are in memory" :
	       (why & FLEETING_CACHE) != 0  ? n == 1 ? "its only other copy is in a cache" : "its other copies are in a cache" :
	       (why & FLEETING_TEMPORARY) != 0 ? n == 1 ? "its only other copy is in a temporary directory" : "its other copies are in temporary directories" :
	       (why & FLEETING_SHARED) != 0 ? n == 1 ? "its only other copy is in a directory shared with other users" : "its other copies are in directories shared with other users" :
	                                      n == 1 ? "its only other copy is in a rotating snapshot" : "its other copies are in rotating snapshots";
}

const char *
fleeting_where(unsigned why)
{
	return (why & FLEETING_TRASH) != 0  ? "in a trash" :
	       (why & FLEETING_MEMORY) != 0 ? "in memory" :
	       (why & FLEETING_CACHE) != 0  ? "in a cache" :
	       (why & FLEETING_TEMPORARY) != 0 ? "in a temporary directory" :
	       (why & FLEETING_SHARED) != 0 ? "in a directory shared with other users" :
	                                      "in a rotating snapshot";
}
