/* SPDX-License-Identifier: MIT */
#include "base/base.h"

void
path_append(struct buf *b, const char *name, size_t len)
{
	if (b->len && b->data[b->len - 1] != '/')
		buf_addc(b, '/');
	buf_add(b, name, len);
}

void
path_normalize(struct buf *b, const char *path)
{
	const size_t start = b->len;
	const char *name;
	size_t len;

	assert(path[0] == '/');
	buf_addc(b, '/');
	while (path_next(&path, &name, &len)) {
		if (len == 1 && name[0] == '.')
			continue;
		if (len == 2 && name[0] == '.' && name[1] == '.') {
			size_t end = b->len;

			/* The root's slash stays. */
			while (end > start + 1 && b->data[end - 1] != '/')
				end--;
			buf_cut(b, end > start + 1 ? end - 1 : end);
		} else
			path_append(b, name, len);
	}
}

const char *
path_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (strncmp(path, dir, len) != 0)
		return NULL;
	path += len;
	/* Only the root ends in a slash. */
	if (*path == '\0' || (len && dir[len - 1] == '/'))
		return path;
	return *path == '/' ? path + 1 : NULL;
}

bool
path_is_below(const char *path, const char *dir)
{
	return path_below(path, dir) != NULL;
}

bool
path_hidden_dir(const char *path, const char *dir, const char **name, size_t *len)
{
	const char *rest = path_below(path, dir);

	/* The last component is the file's own name. */
	while (rest != NULL && path_next(&rest, name, len) && *rest != '\0') {
		if (**name == '.')
			return true;
	}
	return false;
}

const char *
path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

size_t
path_parent_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	assert(slash);
	return slash == path ? 1 : (size_t)(slash - path);
}

size_t
path_up_len(const char *path, size_t len)
{
	assert(len == 0 || path[0] == '/');
	if (len <= 1)
		return 0;
	while (path[len - 1] != '/')
		len--;
	return len > 1 ? len - 1 : 1;
}

bool
path_next(const char **rest, const char **name, size_t *len)
{
	const char *p = *rest + strspn(*rest, "/");

	*name = p;
	*len = strcspn(p, "/");
	*rest = p + *len + strspn(p + *len, "/");
	return *len > 0;
}

int
path_order(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b)
		a++, b++;
	if (*a == '/' || *b == '/')
		return *a == *b ? 0 : *a == '\0' ? -1 : *b == '\0' ? 1 : *a == '/' ? -1 : 1;
	return (unsigned char)*a - (unsigned char)*b;
}

size_t
path_common_len(const char *a, const char *b)
{
	size_t n = 0;

	for (size_t i = 0; ; i++) {
		if ((a[i] == '/' || a[i] == '\0') && (b[i] == '/' || b[i] == '\0'))
			n = i;
		if (a[i] != b[i] || a[i] == '\0')
			return n == 0 ? 1 : n;
	}
}

bool
path_is_below_any(const char *path, const char *const *dirs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (path_is_below(path, dirs[i]))
			return true;
	}
	return false;
}

bool
path_is_around_any(const char *path, const char *const *dirs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (path_is_below(dirs[i], path))
			return true;
	}
	return path_is_below_any(path, dirs, n);
}

bool
path_is_trash(const char *name, size_t len, const char *parent, size_t parent_len)
{
	const size_t n = strlen(".Trash");

	if (len >= n && memcmp(name, ".Trash", n) == 0)
		return len == n || name[n] == '-';
	return len == strlen("files") && memcmp(name, "files", len) == 0 && parent_len == strlen("Trash") &&
	       memcmp(parent, "Trash", parent_len) == 0;
}

size_t
path_trash_len(const char *path)
{
	const char *rest = path, *name, *parent = "";
	size_t len, parent_len = 0;

	/* Called for each member of a report; hardly any path has the word. */
	if (strstr(path, "Trash") == NULL)
		return 0;
	for (; path_next(&rest, &name, &len) && name[len] == '/'; parent = name, parent_len = len) {
		if (path_is_trash(name, len, parent, parent_len))
			return (size_t)((*name == '.' ? name + len : parent + parent_len) - path);
	}
	return 0;
}

bool
path_in_trash(const char *path, const char *const *meant, size_t n)
{
	const size_t trash = path_trash_len(path);

	for (size_t i = 0; trash > 0 && i < n; i++) {
		if (path_is_below(path, meant[i]) && strlen(meant[i]) >= trash)
			return false;
	}
	return trash > 0;
}

void
path_relative(struct buf *b, const char *dir, const char *path)
{
	const char *up = dir, *down = path, *name, *other;
	size_t len, other_len, n = 0;

	while (path_next(&dir, &name, &len) && path_next(&path, &other, &other_len) && len == other_len &&
	       memcmp(name, other, len) == 0) {
		up = dir;
		down = path;
	}
	for (; path_next(&up, &name, &len); n++)
		buf_adds(b, n > 0 ? "/.." : "..");
	while (*down == '/')
		down++;
	if (n > 0 && *down != '\0')
		buf_addc(b, '/');
	buf_adds(b, n == 0 && *down == '\0' ? "." : down);
}
