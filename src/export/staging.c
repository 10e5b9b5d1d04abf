/* SPDX-License-Identifier: MIT */
/*
 * A directory NAME is filled as ".NAME.tmp-PID/NAME": so the next call knows what a dead one has
 * left.  Its files lie deeper than those of a whole export, so that a pattern with any name in the
 * place of NAME does not find them: DuckDB's take names with a dot, too.
 *
 * It changes names with what it replaces.  Where the file system can't do that, the old one stands
 * aside as ".NAME.old-PID/NAME" for a moment, and a call that finds it there with nothing in its
 * place gives it its name back.
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

/* Remove what was left of a name of len bytes. */
static void
staging_tidy_entry(const struct staging *s, int at, const char *entry, size_t len)
{
	const bool same = len == strlen(s->name) && strncmp(entry + 1, s->name, len) == 0;
	char *name = mem_dup(entry + 1, len);
	struct buf old = { 0 };
	struct fs_stat st;

	buf_addf(&old, "%s/%s", entry, name);
	/*
	 * Another machine of this name may fill another generation: it does not take that long.
	 * What stood aside gets its name back, if nothing has it.
	 */
	if (fs_stat_at(at, entry, &st) == 0 && (same || st.mtime.sec <= fs_time_now().sec - STAGING_OLD) &&
	    (strncmp(entry + 1 + len, ".old-", 5) != 0 || rename_keep(at, buf_str(&old), at, name) == 0 || errno == EEXIST || errno == ENOENT))
		(void)staging_remove(at, entry);
	buf_release(&old);
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
	s->around = buf_take(&path);
	buf_addf(&path, "%s/%s", s->around, name);
	s->dir = buf_take(&path);
	return mkdir(s->dir, 0777) < 0 ? err_sys(err, "cannot make the directory '%s'", s->dir) : 0;
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

/* Move what stands in the place into another directory, old.  Returns 0, or -1 with errno. */
static int
staging_move_aside(const struct staging *s, int at, struct buf *old)
{
	buf_addf(old, ".%s.old-%lld", s->name, (long long)getpid());
	if (mkdirat(at, buf_str(old), 0777) < 0) {
		buf_cut(old, 0);
		return -1;
	}
	buf_addf(old, "/%s", s->name);
	return renameat(at, s->name, at, buf_str(old));
}

/* Put new in the place of what stands there; both are names in at.  Returns 0 or -1. */
static int
staging_replace(const struct staging *s, int at, const char *new, struct err *err)
{
	struct buf old = { 0 };
	int ret = rename_exchange(at, new, s->name);

	if (ret == 0)
		return 0;
	/* Nothing stands there, or names can't be exchanged. */
	if (errno == ENOENT || (errno == EINVAL && (staging_move_aside(s, at, &old) == 0 || errno == ENOENT)))
		ret = rename_keep(at, new, at, s->name);
	if (ret < 0)
		err_sys(err, "cannot replace '%s'", s->place);
	if (old.len > 0) {
		if (ret < 0)
			(void)rename_keep(at, buf_str(&old), at, s->name);
		else
			(void)staging_remove(at, buf_str(&old));
		buf_cut(&old, path_parent_len(buf_str(&old)));
		/* Not if it could not be given back. */
		(void)unlinkat(at, buf_str(&old), AT_REMOVEDIR);
	}
	buf_release(&old);
	return ret;
}

/* Put the directory in its place.  Returns 0 or -1. */
static int
staging_place(const struct staging *s, int at, struct err *err)
{
	struct buf new = { 0 };
	int ret;

	buf_addf(&new, "%s/%s", path_base(s->around), s->name);
	if (s->replace)
		ret = staging_replace(s, at, buf_str(&new), err);
	else {
		ret = rename_keep(at, buf_str(&new), at, s->name);
		if (ret < 0)
			ret = errno == EEXIST ? staging_is_there(s, err) : err_sys(err, "cannot rename '%s' to '%s'", s->dir, s->place);
	}
	buf_release(&new);
	return ret;
}

int
staging_publish(struct staging *s, struct err *err)
{
	const int at = fs_open_dir(AT_FDCWD, s->out);
	int ret = 0;

	if (at < 0)
		return err_sys(err, "cannot open '%s'", s->out);
	/* All files at once; then each is asked, which costs little where nothing is left to do. */
	(void)sync_volume(at);
	if (staging_sync(at, path_base(s->around)) < 0)
		ret = err_sys(err, "cannot write '%s' to the disk", s->dir);
	if (ret == 0)
		ret = staging_place(s, at, err);
	if (ret == 0)
		(void)sync_file(at);
	close(at);
	return ret;
}

void
staging_close(struct staging *s)
{
	/* What was replaced is there now, or nothing. */
	if (s->around != NULL)
		(void)staging_remove(AT_FDCWD, s->around);
	free(s->dir);
	free(s->around);
	free(s->out);
	free(s->name);
	free(s->place);
	*s = (struct staging){ .dir = NULL };
}
