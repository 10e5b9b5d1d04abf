/* SPDX-License-Identifier: MIT */
/* Hides how the entries of a directory are read: getdents64 with room for many, or readdir. */
#include "base/base.h"

#include "sys/fs.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/stop.h"

/* Room for one getdents64 call: a directory of some hundred entries in one go. */
#define FS_DENTS_SIZE 32768
/* Bytes of a name in a sort key. */
#define FS_KEY sizeof(uint64_t)

#ifdef DT_REG
#define FS_D_TYPE(dirent) ((dirent)->d_type)
#else
#define FS_D_TYPE(dirent) 0
#endif

static enum fs_type
fs_type_of(unsigned char d_type)
{
	switch (d_type) {
#ifdef DT_REG
	case DT_REG:
		return FS_FILE;
	case DT_DIR:
		return FS_DIR;
	case DT_LNK:
		return FS_LINK;
	default:
		return d_type == DT_UNKNOWN ? FS_UNKNOWN : FS_SPECIAL;
#else
	default:
		return FS_UNKNOWN;
#endif
	}
}

void
fs_list_put(struct fs_list *l, const char *name, uint64_t inode, enum fs_type type)
{
	size_t len = strlen(name);

	if (name[0] == '.' && (len == 1 || (len == 2 && name[1] == '.')))
		return;
	if (l->n == l->cap) {
		l->cap = l->cap != 0 ? l->cap * 2 : 64;
		l->v = mem_resize(l->v, l->cap, sizeof(*l->v));
		l->spare = mem_resize(l->spare, l->cap, sizeof(*l->spare));
		l->order = mem_resize(l->order, l->cap, sizeof(*l->order));
	}
	if (l->names_len + len + 1 > l->names_cap) {
		l->names_cap = l->names_cap * 2 + len + 4096;
		l->names = mem_resize(l->names, l->names_cap, 1);
	}
	memcpy(l->names + l->names_len, name, len + 1);
	l->v[l->n++] = (struct fs_entry){ inode, (uint32_t)l->names_len, (uint32_t)len, type };
	l->names_len += len + 1;
}

static void
fs_list_add(struct fs_list *l, const char *name, uint64_t inode, unsigned char d_type)
{
	fs_list_put(l, name, inode, fs_type_of(d_type));
}

/* Whether a stop signal has come; sets errno. */
static bool
fs_list_stopped(void)
{
	if (stop_signal() == 0)
		return false;
	errno = EINTR;
	return true;
}

#ifdef HAVE_GETDENTS64
static int
fs_list_read_names(struct fs_list *l, int fd)
{
	_Alignas(struct dirent64) char dents[FS_DENTS_SIZE];
	ssize_t got;

	while ((got = fs_list_stopped() ? -1 : getdents64(fd, (void *)dents, sizeof(dents))) > 0) {
		for (ssize_t at = 0; at < got;) {
			const struct dirent64 *d = (const void *)(dents + at);

			fs_list_add(l, d->d_name, d->d_ino, d->d_type);
			at += d->d_reclen;
		}
	}
	return got < 0 ? -1 : 0;
}
#else
static int
fs_list_read_names(struct fs_list *l, int fd)
{
	const struct dirent *d;
	int copy = dup(fd), saved;
	DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;

	if (dir == NULL) {
		if (copy >= 0)
			close(copy);
		return -1;
	}
	while (errno = 0, (d = fs_list_stopped() ? NULL : readdir(dir)) != NULL)
		fs_list_add(l, d->d_name, d->d_ino, FS_D_TYPE(d));
	saved = errno;
	closedir(dir);
	errno = saved;
	return saved != 0 ? -1 : 0;
}
#endif

/* Get an entry's type by stat, where the directory does not have it. */
static enum fs_type
fs_list_type(int fd, const char *name, uint64_t *inode)
{
	struct fs_stat st;

	if (fs_stat_at(fd, name, &st) < 0)
		return FS_UNKNOWN;
	*inode = st.inode;
	return S_ISREG(st.mode) ? FS_FILE : S_ISDIR(st.mode) ? FS_DIR : S_ISLNK(st.mode) ? FS_LINK : FS_SPECIAL;
}

void
fs_list_clear(struct fs_list *l)
{
	l->n = l->names_len = 0;
}

void
fs_list_look(struct fs_list *l, int fd, const char *name)
{
	uint64_t inode = 0;
	const enum fs_type type = fs_list_type(fd, name, &inode);

	if (type != FS_UNKNOWN || !fs_is_absent(errno))
		fs_list_put(l, name, inode, type);
}

int
fs_list_read(struct fs_list *l, int fd)
{
	fs_list_clear(l);
	if (fs_list_read_names(l, fd) < 0)
		return -1;
	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i].type != FS_UNKNOWN)
			continue;
		/* On a slow disk each stat may take long. */
		if (fs_list_stopped()) {
			l->n = i;
			return -1;
		}
		l->v[i].type = fs_list_type(fd, fs_list_name(l, &l->v[i]), &(uint64_t){ 0 });
	}
	return 0;
}

/*
 * The eight bytes of a name from at on as a number that sorts like them; zeros stand for those
 * behind its end.
 */
static uint64_t
fs_entry_key(const struct fs_list *l, const struct fs_entry *e, size_t at)
{
	const char *name = fs_list_name(l, e);
	unsigned char bytes[FS_KEY] = { 0 };
	uint64_t key = 0;

	/* A copy of constant size takes no call. */
	if (e->len >= at + FS_KEY)
		memcpy(bytes, name + at, FS_KEY);
	else if (e->len > at)
		memcpy(bytes, name + at, e->len - at);
	for (size_t i = 0; i < FS_KEY; i++)
		key = key << 8 | bytes[i];
	return key;
}

/* Sort positions of entries whose names agree in the bytes before at: eight bytes at a time. */
static void
fs_list_order(const struct fs_list *l, struct order *v, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i++)
		v[i].key = fs_entry_key(l, &l->v[v[i].pos], at);
	order_sort(v, n);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && v[end].key == v[i].key; end++)
			;
		/* Names with a zero there have ended: they are equal. */
		if (end - i > 1 && (v[i].key & 0xff) != 0)
			fs_list_order(l, v + i, end - i, at + FS_KEY);
	}
}

void
fs_list_sort(struct fs_list *l)
{
	struct fs_entry *sorted = l->spare;

	for (size_t i = 0; i < l->n; i++)
		l->order[i].pos = i;
	fs_list_order(l, l->order, l->n, 0);
	for (size_t i = 0; i < l->n; i++)
		sorted[i] = l->v[l->order[i].pos];
	l->spare = l->v;
	l->v = sorted;
}

void
fs_list_release(struct fs_list *l)
{
	free(l->v);
	free(l->spare);
	free(l->order);
	free(l->names);
	memset(l, 0, sizeof(*l));
}
