/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "sys/attrs.h"

#include <sys/stat.h>
#include <sys/types.h>
#ifdef HAVE_LINUX_FS_H
#include <linux/fs.h>
#include <sys/ioctl.h>
#endif
#ifdef HAVE_SYS_XATTR_H
#include <sys/xattr.h>
#endif
#include <unistd.h>

/* Most bytes of a list or a value on Linux (xattr(7)), and a NUL. */
#define ATTRS_MOST (64 * 1024 + 1)
#define ATTRS_MODE 07777
#if defined(HAVE_SYS_XATTR_H) && defined(__linux__)
#define ATTRS_BY_PATH
#endif
/* The name of chattr(1)'s flags in texts: names of extended attributes have a dot. */
#define ATTRS_FLAGS "chattr"
/* What the names of ACLs begin with. */
#define ATTRS_ACL "system.posix_acl_"
#ifdef FS_IOC_GETFLAGS
#define ATTRS_FLAGS_KEPT (FS_NODUMP_FL | FS_NOATIME_FL | FS_SYNC_FL)
#endif

/* The names of a file's attributes in their order. */
struct attrs {
	char *list;              /* owned; NULL where the file has none */
	VEC(const char *) names; /* in list */
};

#ifdef HAVE_SYS_XATTR_H
static int
attrs_cmp(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns 0, or -1 with errno. */
static int
attrs_list(struct attrs *a, int fd)
{
	char few[256];
	ssize_t len = flistxattr(fd, few, sizeof(few));

	*a = (struct attrs){ .list = NULL };
	if (len < 0 && errno == EOPNOTSUPP)
		return 0;
	if (len == 0 || (len < 0 && errno != ERANGE))
		return (int)len;
	a->list = mem_alloc(ATTRS_MOST);
	len = flistxattr(fd, a->list, ATTRS_MOST);
	for (ssize_t at = 0; at < len; at += (ssize_t)strlen(a->list + at) + 1)
		vec_push(&a->names, a->list + at);
	if (a->names.n > 1)
		qsort(a->names.v, a->names.n, sizeof(*a->names.v), attrs_cmp);
	return len < 0 ? -1 : 0;
}

/* Read a value into a buffer, replacing its content.  Returns 0, or -1 with errno. */
static int
attrs_get(int fd, const char *name, struct buf *value)
{
	char *room = mem_alloc(ATTRS_MOST);
	const ssize_t len = fgetxattr(fd, name, room, ATTRS_MOST);

	buf_cut(value, 0);
	if (len > 0)
		buf_add(value, room, (size_t)len);
	free(room);
	return len < 0 ? -1 : 0;
}
#else
static int
attrs_list(struct attrs *a, int fd)
{
	(void)fd;
	*a = (struct attrs){ .list = NULL };
	return 0;
}

static int
attrs_get(int fd, const char *name, struct buf *value)
{
	(void)fd, (void)name, (void)value;
	errno = ENOTSUP;
	return -1;
}
#endif

static void
attrs_release(struct attrs *a)
{
	free(a->list);
	vec_release(&a->names);
}

/* Compare extended attributes.  Returns as attrs_same. */
static int
attrs_same_extended(int a, int b, struct buf *why)
{
	struct attrs x, y = { .list = NULL };
	struct buf value = { 0 }, other = { 0 };
	int ret = attrs_list(&x, a) < 0 || attrs_list(&y, b) < 0 ? -1 : 1;

	for (size_t i = 0; ret == 1 && (i < x.names.n || i < y.names.n); i++) {
		const bool both = i < x.names.n && i < y.names.n && strcmp(x.names.v[i], y.names.v[i]) == 0;

		if (both && (attrs_get(a, x.names.v[i], &value) < 0 || attrs_get(b, x.names.v[i], &other) < 0))
			ret = -1;
		else if (!both || value.len != other.len || (value.len > 0 && memcmp(value.data, other.data, value.len) != 0)) {
			buf_adds(why, "attribute ");
			buf_adds(why, i < x.names.n ? x.names.v[i] : y.names.v[i]);
			ret = 0;
		}
	}
	buf_release(&value);
	buf_release(&other);
	attrs_release(&x);
	attrs_release(&y);
	return ret;
}

bool
attrs_has_more(const char *path, const char *than)
{
	bool more = false;
#ifdef ATTRS_BY_PATH
	char list[4096], value[4096], other[4096];
	const ssize_t len = llistxattr(path, list, sizeof(list));

	for (ssize_t at = 0; at < len && !more; at += (ssize_t)strlen(list + at) + 1) {
		const char *name = list + at;
		ssize_t n;

		if (strncmp(name, "user.", 5) != 0)
			continue;
		n = lgetxattr(path, name, value, sizeof(value));
		more = n >= 0 && (lgetxattr(than, name, other, sizeof(other)) != n || memcmp(value, other, (size_t)n) != 0);
	}
#else
	(void)path, (void)than;
#endif
	return more;
}

int
attrs_same(int a, int b, struct buf *why)
{
	struct stat x, y;

	if (fstat(a, &x) < 0 || fstat(b, &y) < 0)
		return -1;
	if (x.st_uid != y.st_uid)
		buf_addf(why, "owner %lu and %lu", (unsigned long)x.st_uid, (unsigned long)y.st_uid);
	else if (x.st_gid != y.st_gid)
		buf_addf(why, "group %lu and %lu", (unsigned long)x.st_gid, (unsigned long)y.st_gid);
	else if ((x.st_mode & ATTRS_MODE) != (y.st_mode & ATTRS_MODE))
		buf_addf(why, "mode %04o and %04o", (unsigned)x.st_mode & ATTRS_MODE, (unsigned)y.st_mode & ATTRS_MODE);
	else
		return attrs_same_extended(a, b, why);
	return 0;
}

/* Get a file's flags that users set, except those that forbid changes. */
static unsigned
attrs_flags(int fd)
{
#ifdef FS_IOC_GETFLAGS
	long flags = 0;

	return ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 ? (unsigned)flags & ATTRS_FLAGS_KEPT : 0;
#else
	(void)fd;
	return 0;
#endif
}

/* Set the flags in text; ignore a failure. */
static void
attrs_set_flags(int fd, const char *text)
{
#ifdef FS_IOC_GETFLAGS
	int64_t kept;
	long flags = 0;

	if (num_parse_int(text, 0, UINT32_MAX, &kept) < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0)
		return;
	flags |= (long)kept & ATTRS_FLAGS_KEPT;
	(void)ioctl(fd, FS_IOC_SETFLAGS, &flags);
#else
	(void)fd, (void)text;
#endif
}

int
attrs_show(int fd, struct buf *text)
{
	const unsigned flags = attrs_flags(fd);
	struct attrs a;
	struct buf value = { 0 };
	const size_t begin = text->len;
	int ret = attrs_list(&a, fd);

	for (size_t i = 0; ret == 0 && i < a.names.n; i++) {
		ret = attrs_get(fd, a.names.v[i], &value);
		if (i > 0)
			buf_addc(text, ',');
		buf_add_hex(text, a.names.v[i], strlen(a.names.v[i]));
		buf_addc(text, '=');
		buf_add_hex(text, value.data, value.len);
	}
	if (ret < 0)
		buf_cut(text, begin);
	else if (flags != 0) {
		buf_cut(&value, 0);
		buf_addf(&value, "%u", flags);
		if (a.names.n > 0)
			buf_addc(text, ',');
		buf_add_hex(text, ATTRS_FLAGS, strlen(ATTRS_FLAGS));
		buf_addc(text, '=');
		buf_add_hex(text, value.data, value.len);
	} else if (a.names.n == 0)
		buf_addc(text, '-');
	buf_release(&value);
	attrs_release(&a);
	return ret;
}

static int
attrs_set_one(int fd, struct buf *name, struct buf *value)
{
	if (strcmp(buf_str(name), ATTRS_FLAGS) == 0) {
		attrs_set_flags(fd, buf_str(value));
		return 0;
	}
#ifdef HAVE_SYS_XATTR_H
	return fsetxattr(fd, buf_str(name), value->len > 0 ? value->data : "", value->len, 0);
#else
	(void)fd, (void)name, (void)value;
	errno = ENOTSUP;
	return -1;
#endif
}

/* Whether an attribute is an ACL, or a user's. */
static bool
attrs_is_kept(const char *name)
{
	return strncmp(name, ATTRS_ACL, sizeof(ATTRS_ACL) - 1) == 0 || strncmp(name, "user.", 5) == 0;
}

/*
 * Set the extended attributes in text; with lacks go on after a failure, and append the names of
 * those that matter.  Returns 0, or -1 with errno.
 */
static int
attrs_set_extended(int fd, const char *text, struct buf *lacks)
{
	struct buf name = { 0 }, value = { 0 };
	int ret = 0;

	while (ret == 0 && *text != '\0') {
		const size_t name_len = strcspn(text, "=,"), value_at = name_len + (text[name_len] == '='),
		             value_len = strcspn(text + value_at, ",");

		buf_cut(&name, 0);
		buf_cut(&value, 0);
		if (name_len == 0 || buf_add_unhex(&name, text, name_len) < 0 || buf_add_unhex(&value, text + value_at, value_len) < 0) {
			errno = EINVAL;
			ret = -1;
		} else
			ret = attrs_set_one(fd, &name, &value);
		if (ret < 0 && lacks != NULL) {
			if (attrs_is_kept(buf_str(&name)))
				buf_addf(lacks, "%s%s", lacks->len > 0 ? ", " : "", buf_str(&name));
			ret = 0;
		}
		text += value_at + value_len;
		text += *text == ',';
	}
	buf_release(&name);
	buf_release(&value);
	return ret;
}

/* Whether text, as of attrs_show, has an attribute of this name. */
static bool
attrs_has(const char *text, const char *name)
{
	struct buf hex = { 0 };
	bool has = false;

	buf_add_hex(&hex, name, strlen(name));
	buf_addc(&hex, '=');
	for (const char *at = text; at != NULL && !has; at = strchr(at, ','), at = at != NULL ? at + 1 : NULL)
		has = strncmp(at, buf_str(&hex), hex.len) == 0;
	buf_release(&hex);
	return has;
}

/*
 * Remove attributes that are not in text: a new file inherits the default ACL of its directory,
 * which would open it to others.  Returns 0, or -1 with errno.
 */
static int
attrs_drop_others(int fd, const char *text)
{
	struct attrs a;
	int ret = attrs_list(&a, fd);

#ifdef HAVE_SYS_XATTR_H
	for (size_t i = 0; ret == 0 && i < a.names.n; i++) {
		const char *name = a.names.v[i];

		if (attrs_is_kept(name) && !attrs_has(text, name))
			ret = fremovexattr(fd, name);
	}
#else
	(void)text, (void)attrs_has;
#endif
	attrs_release(&a);
	return ret;
}

int
attrs_set(int fd, uint32_t uid, uint32_t gid, mode_t mode, const char *text)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -1;
	/* First, because fchown clears mode bits and capabilities. */
	if ((st.st_uid != uid || st.st_gid != gid) && fchown(fd, uid, gid) < 0)
		return -1;
	if (attrs_drop_others(fd, text) < 0 || fchmod(fd, mode & ATTRS_MODE) < 0)
		return -1;
	return strcmp(text, "-") == 0 ? 0 : attrs_set_extended(fd, text, NULL);
}

void
attrs_set_most(int fd, uint32_t uid, uint32_t gid, mode_t mode, const char *text, struct buf *lacks)
{
	struct stat st;

	if (fchown(fd, uid, gid) < 0)
		(void)!fchown(fd, (uid_t)-1, gid);
	if (fstat(fd, &st) < 0 || st.st_uid != uid)
		mode &= (mode_t)~S_ISUID;
	if (fstat(fd, &st) < 0 || st.st_gid != gid)
		mode &= (mode_t)~S_ISGID;
	(void)attrs_drop_others(fd, text);
	(void)fchmod(fd, mode & ATTRS_MODE);
	if (strcmp(text, "-") != 0)
		(void)attrs_set_extended(fd, text, lacks);
	if (lacks->len > 0 && strstr(buf_str(lacks), ATTRS_ACL) != NULL)
		(void)fchmod(fd, mode & ATTRS_MODE & (mode_t)~S_IRWXG);
}

bool
attrs_may_give(uint32_t uid, uint32_t gid)
{
	const int n = geteuid() == 0 ? 0 : getgroups(0, NULL);
	gid_t *groups;
	bool may;

	if (geteuid() == 0)
		return true;
	if (uid != (uint32_t)geteuid())
		return false;
	may = gid == (uint32_t)getegid();
	groups = mem_alloc((size_t)(n > 0 ? n : 1) * sizeof(*groups));
	for (int i = 0; !may && n > 0 && i < getgroups(n, groups); i++)
		may = gid == (uint32_t)groups[i];
	free(groups);
	return may;
}
