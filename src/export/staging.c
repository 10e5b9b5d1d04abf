/* SPDX-License-Identifier: MIT */
/*
 * The name under which a directory is filled is ".NAME.tmp-PID": so the next call knows what a dead
 * one has left.  It changes names with what it replaces.  Where the file system can't do that, the
 * old one stands aside as ".NAME.old-PID" for a moment, and a call that finds it there with nothing
 * in its place gives it its name back.
 */
#include "base/base.h"

#include "export/staging.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/fs.h"
#include "sys/rename.h"
#include "sys/sync.h"

/* Seconds after which what was left of another generation goes. */
enum { STAGING_OLD = 24 * 3600 };

/* Called for an entry of an open directory.  Returns 0, or -1 with errno. */
typedef int staging_fn(int at, const char *name);

/* Call fn for the entries of a directory but for "." and "..".  Returns 0, or -1 with errno. */
static int
staging_each(int at, const char *name, staging_fn *fn)
{
	const int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	int ret = 0, error;

	if (d == NULL) {
		error = errno;
		if (fd >= 0)
			close(fd);
		errno = error;
		return -1;
	}
	while (ret == 0 && (errno = 0, e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			ret = fn(dirfd(d), e->d_name);
	}
	error = ret < 0 || errno != 0 ? errno : 0;
	closedir(d);
	errno = error;
	return error != 0 ? -1 : 0;
}

/* Remove a file, or a directory with all that is in it. */
static int
staging_remove(int at, const char *name)
{
	struct fs_stat st;

	if (fs_stat_at(at, name, &st) < 0)
		return errno == ENOENT ? 0 : -1;
	if (!S_ISDIR(st.mode))
		return unlinkat(at, name, 0);
	if (staging_each(at, name, staging_remove) < 0)
		return -1;
	return unlinkat(at, name, AT_REMOVEDIR);
}

/* Write a file, or a directory with all that is in it, to the disk. */
static int
staging_sync(int at, const char *name)
{
	struct fs_stat st;
	int fd, error;

	if (fs_stat_at(at, name, &st) < 0 || (S_ISDIR(st.mode) && staging_each(at, name, staging_sync) < 0))
		return -1;
	fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	error = sync_file(fd);
	close(fd);
	errno = error;
	return error != 0 ? -1 : 0;
}

/*
 * The length of the name in ".NAME.tmp-PID" or ".NAME.old-PID" where NAME is that of this host and
 * any generation, and PID a process of this machine that has died; else 0.
 */
static size_t
staging_is_left(const struct staging *s, const char *entry)
{
	const size_t host = (size_t)(strrchr(s->name, '-') + 1 - s->name);
	const char *name = entry + 1, *end;
	int64_t pid;

	if (entry[0] != '.' || strncmp(name, s->name, host) != 0)
		return 0;
	end = name + host + strspn(name + host, "0123456789");
	if ((strncmp(end, ".tmp-", 5) != 0 && strncmp(end, ".old-", 5) != 0) || num_parse_int(end + 5, 1, INT32_MAX, &pid) < 0 ||
	    kill((pid_t)pid, 0) == 0 || errno != ESRCH)
		return 0;
	return (size_t)(end - name);
}

/* Give what stood aside its name back if nothing has it, or remove it. */
static void
staging_tidy_entry(const struct staging *s, int at, const char *entry, size_t len)
{
	const bool same = len == strlen(s->name) && strncmp(entry + 1, s->name, len) == 0;
	char *name = mem_dup(entry + 1, len);
	struct fs_stat st;

	/* Another machine of this name may fill another generation: it does not take that long. */
	if (fs_stat_at(at, entry, &st) == 0 && (same || st.mtime.sec <= fs_time_now().sec - STAGING_OLD) &&
	    (strncmp(entry + 1 + len, ".old-", 5) != 0 || rename_keep(at, entry, at, name) < 0))
		(void)staging_remove(at, entry);
	free(name);
}

/* Remove what dead processes have left of this host.  What can't be removed is in nobody's way. */
static void
staging_tidy(const struct staging *s)
{
	DIR *d = opendir(s->out);
	const struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		const size_t len = staging_is_left(s, e->d_name);

		if (len > 0)
			staging_tidy_entry(s, dirfd(d), e->d_name, len);
	}
	if (d != NULL)
		closedir(d);
}

static int
staging_is_there(const struct staging *s, struct err *err)
{
	return err_set(err, ERR_USAGE, "'%s' is there already: --replace puts the new one in its place", s->place);
}

int
staging_open(struct staging *s, const char *out, const char *name, bool replace, struct err *err)
{
	struct buf path = { 0 };
	struct fs_stat st;

	if (mkdir(out, 0777) < 0 && errno != EEXIST)
		return err_sys(err, "cannot make the directory '%s'", out);
	buf_adds(&path, out);
	s->out = buf_take(&path);
	buf_adds(&path, name);
	s->name = buf_take(&path);
	buf_addf(&path, "%s/%s", out, name);
	s->place = buf_take(&path);
	staging_tidy(s);
	s->replace = replace;
	if (!replace && fs_stat_path(s->place, &st) == 0)
		return staging_is_there(s, err);
	buf_addf(&path, "%s/.%s.tmp-%lld", out, name, (long long)getpid());
	if (mkdir(buf_str(&path), 0777) < 0) {
		err_sys(err, "cannot make the directory '%s'", buf_str(&path));
		buf_release(&path);
		return -1;
	}
	s->dir = buf_take(&path);
	return 0;
}

int
staging_mkdir(const struct staging *s, const char *path, struct err *err)
{
	struct buf dir = { 0 };
	const char *name;
	size_t len;
	int ret = 0;

	buf_adds(&dir, s->dir);
	while (ret == 0 && path_next(&path, &name, &len)) {
		buf_addc(&dir, '/');
		buf_add(&dir, name, len);
		if (mkdir(buf_str(&dir), 0777) < 0 && errno != EEXIST)
			ret = err_sys(err, "cannot make the directory '%s'", buf_str(&dir));
	}
	buf_release(&dir);
	return ret;
}

/*
 * Put the directory in its place: change names with what stands there, or else move that aside.
 * Then old, which was empty, is the name of what was replaced, or empty.  Returns 0 or -1.
 */
static int
staging_place(const struct staging *s, int at, struct buf *old, struct err *err)
{
	const char *dir = path_base(s->dir);

	if (!s->replace) {
		if (rename_keep(at, dir, at, s->name) == 0)
			return 0;
		return errno == EEXIST ? staging_is_there(s, err) : err_sys(err, "cannot rename '%s' to '%s'", s->dir, s->place);
	}
	buf_adds(old, dir);
	if (rename_exchange(at, dir, s->name) == 0)
		return 0;
	buf_cut(old, 0);
	if (errno == EINVAL) {
		buf_addf(old, ".%s.old-%lld", s->name, (long long)getpid());
		if (renameat(at, s->name, at, buf_str(old)) < 0)
			buf_cut(old, 0);
	}
	if (old->len == 0 && errno != ENOENT)
		return err_sys(err, "cannot replace '%s'", s->place);
	if (rename_keep(at, dir, at, s->name) == 0)
		return 0;
	err_sys(err, "cannot rename '%s' to '%s'", s->dir, s->place);
	if (old->len > 0)
		(void)rename_keep(at, buf_str(old), at, s->name);
	return -1;
}

int
staging_publish(struct staging *s, struct err *err)
{
	const int at = fs_open_dir(AT_FDCWD, s->out);
	struct buf old = { 0 };
	int ret = 0;

	if (at < 0)
		return err_sys(err, "cannot open '%s'", s->out);
	/* All files at once; then each is asked, which costs little where nothing is left to do. */
	(void)sync_volume(at);
	if (staging_sync(at, path_base(s->dir)) < 0)
		ret = err_sys(err, "cannot write '%s' to the disk", s->dir);
	if (ret == 0)
		ret = staging_place(s, at, &old, err);
	if (ret == 0) {
		free(s->dir);
		s->dir = NULL;
		(void)sync_file(at);
		if (old.len > 0)
			(void)staging_remove(at, buf_str(&old));
	}
	buf_release(&old);
	close(at);
	return ret;
}

void
staging_close(struct staging *s)
{
	if (s->dir != NULL)
		(void)staging_remove(AT_FDCWD, s->dir);
	free(s->dir);
	free(s->out);
	free(s->name);
	free(s->place);
	*s = (struct staging){ .dir = NULL };
}
