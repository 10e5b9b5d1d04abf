/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/trash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "act/locked_file.h"
#include "act/remove.h"
#include "act/verdict.h"
#include "sys/fs.h"

/*
 * Names tried while a file in the trash has the same one; and bytes of a name, with room for
 * ".trashinfo" and a number.
 */
#define TRASH_MOST_NAMES 10000
#define TRASH_NAME_MAX 230

/* A trash that is open. */
struct trash {
	int files, info;      /* its two directories */
	struct buf top;       /* paths in it are relative to this directory; "": absolute */
	struct buf path;      /* of it, without links; or "" */
	bool made, made_files, made_info;   /* it, or one of the two, was not there before */
};

/*
 * Make a directory if it is missing, which *made tells, and open it: it must be ours.  Returns a
 * descriptor, or -1 with errno.
 */
static int
trash_open_dir(int at, const char *name, bool *made)
{
	struct fs_stat st;
	int fd;

	*made = mkdirat(at, name, 0700) == 0;
	if (!*made && errno != EEXIST)
		return -1;
	fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && (fs_stat_fd(fd, &st) < 0 || st.uid != geteuid())) {
		close(fd);
		errno = EPERM;
		return -1;
	}
	return fd;
}

/* Open files and info in the trash dir, which is closed.  Returns 0, or -1 with errno. */
static int
trash_open_both(struct trash *t, int dir)
{
	int saved;

	if (dir < 0)
		return -1;
	t->files = trash_open_dir(dir, "files", &t->made_files);
	t->info = t->files >= 0 ? trash_open_dir(dir, "info", &t->made_info) : -1;
	saved = errno;
	close(dir);
	errno = saved;
	return t->info >= 0 ? 0 : -1;
}

/*
 * The trash in the user's home, if it is, or would be, on the device.  Returns 1, 0, or -1 with
 * errno.
 */
static int
trash_open_home(struct trash *t, uint64_t dev)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	struct buf path = { 0 };
	struct fs_stat st;
	int dir, ret = 0;

	if (data != NULL && data[0] == '/')
		buf_adds(&path, data);
	else if (home != NULL && home[0] == '/')
		buf_addf(&path, "%s/.local/share", home);
	if (path.len > 0) {
		buf_adds(&path, "/Trash");
		if (fs_make_parents(buf_str(&path)) < 0 || (mkdir(buf_str(&path), 0700) < 0 && errno != EEXIST))
			dir = -1;
		else
			dir = open(buf_str(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir >= 0 && fs_stat_fd(dir, &st) == 0 && st.dev == dev) {
			char *real = realpath(buf_str(&path), NULL);

			ret = trash_open_both(t, dir) == 0 ? 1 : -1;
			buf_adds(&t->path, real != NULL ? real : "");
			free(real);
		} else if (dir >= 0)
			close(dir);
	}
	buf_release(&path);
	return ret;
}

/*
 * The top of the volume that a file lies on: the last directory on the way up with its device.
 * Returns a descriptor, or -1.
 */
static int
trash_open_top(const struct locked_file *victim, struct buf *top)
{
	size_t len = path_parent_len(victim->path);
	struct fs_stat st;

	for (;;) {
		const size_t up = path_up_len(victim->path, len);
		char *above = mem_dup(victim->path, up);
		const bool same = up > 0 && up < len && fs_stat_path(above, &st) == 0 && st.dev == victim->st.dev;

		free(above);
		if (!same)
			break;
		len = up;
	}
	buf_add(top, victim->path, len);
	return fs_open_dir_below(buf_str(top), 1);
}

/* The trash at the top of the volume.  Returns 0, or -1 with errno. */
static int
trash_open_volume(struct trash *t, const struct locked_file *victim)
{
	const int top = trash_open_top(victim, &t->top);
	struct fs_stat st;
	char name[32];
	int dir, shared, ret = -1, saved;

	if (top < 0)
		return -1;
	/* The shared one, made by the administrator: a real directory, and sticky. */
	shared = fs_stat_at(top, ".Trash", &st) == 0 && S_ISDIR(st.mode) && (st.mode & S_ISVTX) != 0 ?
	         openat(top, ".Trash", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (shared >= 0) {
		snprintf(name, sizeof(name), ".Trash/%lu", (unsigned long)geteuid());
		ret = trash_open_both(t, trash_open_dir(shared, path_base(name), &t->made));
		close(shared);
	}
	if (ret < 0) {
		snprintf(name, sizeof(name), ".Trash-%lu", (unsigned long)geteuid());
		dir = trash_open_dir(top, name, &t->made);
		ret = trash_open_both(t, dir);
	}
	saved = errno;
	buf_add(&t->path, t->top.data, t->top.len);
	path_append(&t->path, name, strlen(name));
	close(top);
	errno = saved;
	return ret;
}

/* Make the text of a .trashinfo file: where the file was, and when it was deleted. */
static void
trash_describe(const struct trash *t, const char *path, struct buf *b)
{
	const char *rest = t->top.len > 0 ? path_below(path, buf_str(&t->top)) : path;
	const time_t now = time(NULL);
	char date[32] = "";
	struct tm tm;

	if (localtime_r(&now, &tm) != NULL)
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	buf_adds(b, "[Trash Info]\nPath=");
	for (const unsigned char *c = (const unsigned char *)rest; *c != '\0'; c++) {
		if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || strchr("/-_.~", *c) != NULL)
			buf_addc(b, (char)*c);
		else
			buf_addf(b, "%%%02X", *c);
	}
	buf_addf(b, "\nDeletionDate=%s\n", date);
}

/*
 * Reserve a name in the trash by writing its .trashinfo.  Returns 0 with name and info, or -1 with
 * errno.
 */
static int
trash_take_name(const struct trash *t, const struct locked_file *victim, struct buf *name, struct buf *info)
{
	const size_t len = strlen(victim->name);
	struct buf text = { 0 };
	struct fs_stat st;
	int fd = -1, ret = -1;

	errno = EEXIST;
	for (int i = 1; fd < 0 && errno == EEXIST && i < TRASH_MOST_NAMES; i++) {
		buf_cut(name, 0);
		buf_cut(info, 0);
		buf_add(name, victim->name, len < TRASH_NAME_MAX ? len : TRASH_NAME_MAX);
		if (i > 1)
			buf_addf(name, ".%d", i);
		buf_addf(info, "%s.trashinfo", buf_str(name));
		if (fs_stat_at(t->files, buf_str(name), &st) == 0)
			errno = EEXIST;
		else
			fd = openat(t->info, buf_str(info), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	}
	if (fd < 0)
		return -1;
	trash_describe(t, victim->path, &text);
	ret = fs_write_all(fd, text.data, text.len);
	if (close(fd) < 0)
		ret = -1;
	if (ret < 0)
		unlinkat(t->info, buf_str(info), 0);
	buf_release(&text);
	return ret;
}

/* Remove the directories of a trash that were made for an act that failed. */
static void
trash_unmake(const struct trash *t)
{
	static const char *const names[] = { "files", "info" };
	const bool made[] = { t->made_files, t->made_info };
	const int dir = t->path.len > 0 ? open(buf_str(&t->path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;

	for (size_t i = 0; dir >= 0 && i < 2; i++) {
		if (made[i])
			unlinkat(dir, names[i], AT_REMOVEDIR);
	}
	if (dir >= 0)
		close(dir);
	if (t->made && t->path.len > 0)
		rmdir(buf_str(&t->path));
}

int
trash_file(struct locked_file *keeper, struct locked_file *victim, struct buf *to, struct verdict *v)
{
	struct trash t = { .files = -1, .info = -1 };
	struct buf name = { 0 }, info = { 0 };
	struct fs_stat st;
	const int home = trash_open_home(&t, victim->st.dev);
	int ret = -1;

	if (home < 0 || (home == 0 && trash_open_volume(&t, victim) < 0))
		verdict_errno(v, errno, "the trash of its volume cannot be opened");
	else if (trash_take_name(&t, victim, &name, &info) < 0)
		verdict_errno(v, errno, "the trash of its volume cannot be written");
	else {
		ret = remove_move(keeper, victim, t.files, buf_str(&name), v);
		/*
		 * Keep the record where the file is in the trash: it could not be renamed back.
		 */
		if (ret < 0 && fs_stat_at(t.files, buf_str(&name), &st) < 0 && errno == ENOENT)
			unlinkat(t.info, buf_str(&info), 0);
	}
	if (ret < 0)
		trash_unmake(&t);
	if (ret == 0 && t.path.len > 0)
		buf_addf(to, "%s/files/%s", buf_str(&t.path), buf_str(&name));
	if (t.files >= 0)
		close(t.files);
	if (t.info >= 0)
		close(t.info);
	buf_release(&t.top);
	buf_release(&t.path);
	buf_release(&name);
	buf_release(&info);
	return ret;
}
