/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/resolve.h"

#include <unistd.h>

/* realpath of the first len bytes of path, or NULL: too long, or it does not exist. */
static char *
resolve_prefix(const char *path, size_t len)
{
	char *prefix, *real;

	if (len >= PATH_MAX)
		return NULL;
	prefix = mem_dup(path, len);
	real = realpath(prefix, NULL);
	free(prefix);
	return real;
}

int
resolve_path(struct buf *b, const char *typed, const char *base, struct err *err)
{
	struct buf full = { 0 }, joined = { 0 };
	char *cwd = NULL, *real = NULL;
	size_t len;
	int ret = -1;

	if (*typed == '\0')
		return err_set(err, ERR_USAGE, "an empty path names nothing");
	if (*typed != '/') {
		if (base == NULL) {
			/* glibc allocates, at any length. */
			base = cwd = getcwd(NULL, 0);
			if (cwd == NULL) {
				err_sys(err, "the current directory has no name");
				goto out;
			}
		}
		buf_adds(&full, base);
		buf_addc(&full, '/');
	}
	buf_adds(&full, typed);
	/*
	 * The longest beginning that exists, links followed as the kernel does; the rest as
	 * written.
	 */
	for (len = full.len; len > 0; len--) {
		if (len < full.len && full.data[len] != '/')
			continue;
		real = resolve_prefix(full.data, len);
		if (real != NULL)
			break;
	}
	if (real != NULL) {
		buf_adds(&joined, real);
		buf_addc(&joined, '/');
	}
	buf_adds(&joined, full.data + len);
	path_normalize(b, buf_str(&joined));
	ret = 0;
out:
	free(cwd);
	free(real);
	buf_release(&full);
	buf_release(&joined);
	return ret;
}

int
resolve_path_of_file(struct buf *b, const char *typed, struct err *err)
{
	const char *slash = strrchr(typed, '/'), *name = slash != NULL ? slash + 1 : typed;
	char *dir;
	int ret;

	/* This names a directory, which the caller will refuse. */
	if (*name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return resolve_path(b, typed, NULL, err);
	dir = slash == NULL ? mem_str(".") : mem_dup(typed, slash == typed ? 1 : (size_t)(slash - typed));
	ret = resolve_path(b, dir, NULL, err);
	if (ret == 0)
		path_append(b, name, strlen(name));
	free(dir);
	return ret;
}

bool
resolve_home(struct buf *b, const char *typed)
{
	const char *home = getenv("HOME");

	if (home == NULL || typed[0] != '~' || (typed[1] != '\0' && typed[1] != '/'))
		return false;
	buf_adds(b, home);
	buf_adds(b, typed + 1);
	return true;
}

bool
resolve_own_file(struct buf *b, const char *variable, const char *fallback, const char *name)
{
	const char *dir = getenv(variable), *home = getenv("HOME");

	if (dir != NULL && *dir == '/')
		buf_adds(b, dir);
	else if (home != NULL && *home == '/')
		buf_addf(b, "%s/%s", home, fallback);
	else
		return false;
	buf_addf(b, "/twindex/%s", name);
	return true;
}

#ifdef LINUX_PATHS
bool
resolve_own_program(struct buf *b)
{
	char path[PATH_MAX];
	const ssize_t len = readlink("/proc/self/exe", path, sizeof(path));

	/* A program replaced while it runs has no path. */
	if (len <= 0 || len == (ssize_t)sizeof(path))
		return false;
	path[len] = '\0';
	if (access(path, X_OK) != 0)
		return false;
	buf_add(b, path, (size_t)len);
	return true;
}
#else
bool
resolve_own_program(struct buf *b)
{
	(void)b;
	return false;
}
#endif
