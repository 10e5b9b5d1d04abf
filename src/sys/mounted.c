/* SPDX-License-Identifier: MIT */
/*
 * Lines of /proc/self/mountinfo: id parent major:minor root point options... - type source ...;
 * see proc(5).
 */
#include <config.h>

#include "sys/mounted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_SYS_SYSMACROS_H
#include <sys/sysmacros.h>
#endif

#include "base/buf.h"
#include "base/path.h"
#include "sys/fs.h"

#ifdef LINUX_PATHS
/* Beginnings of types behind which a server or a daemon stands. */
static const char *const mounted_remote[] = { "nfs", "cifs", "smb", "fuse.", "9p", "ceph", "afs", "autofs", "virtiofs" };

static bool
mounted_is_remote(const char *type)
{
	for (size_t i = 0; i < sizeof(mounted_remote) / sizeof(mounted_remote[0]); i++) {
		if (strncmp(type, mounted_remote[i], strlen(mounted_remote[i])) == 0)
			return true;
	}
	return strcmp(type, "fuse") == 0;
}

/* Cut the next word off a line.  Returns it, or NULL at the end. */
static char *
mounted_word(char **line)
{
	char *word = *line + strspn(*line, " \n"), *end = word + strcspn(word, " \n");

	*line = *end != '\0' ? end + 1 : end;
	*end = '\0';
	return end > word ? word : NULL;
}

/* Cut the value of upperdir out of a mount's options.  Returns it, or NULL. */
static char *
mounted_upper(char *options)
{
	char *upper = options != NULL ? strstr(options, "upperdir=") : NULL;

	if (upper == NULL)
		return NULL;
	upper += strlen("upperdir=");
	upper[strcspn(upper, ",")] = '\0';
	return upper;
}

/* Read a line, which is cut into words.  Returns whether it is one of a mount. */
static bool
mounted_read(char *line, struct mounted *m)
{
	char *dash = strstr(line, " - ");
	unsigned major_nr, minor_nr;
	const char *dev;

	if (dash == NULL)
		return false;
	*dash = '\0';
	dash += strlen(" - ");
	(void)mounted_word(&line);
	(void)mounted_word(&line);
	dev = mounted_word(&line);
	m->root = mounted_word(&line);
	m->point = mounted_word(&line);
	m->type = mounted_word(&dash);
	m->source = mounted_word(&dash);
	m->upper = m->type != NULL && strcmp(m->type, "overlay") == 0 ? mounted_upper(mounted_word(&dash)) : NULL;
	if (dev == NULL || m->point == NULL || m->type == NULL || sscanf(dev, "%u:%u", &major_nr, &minor_nr) != 2)
		return false;
	if (m->source == NULL)
		m->source = "";
	m->dev = makedev(major_nr, minor_nr);
	m->remote = mounted_is_remote(m->type);
	return true;
}

bool
mounted_each(mounted_fn *fn, void *arg)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t cap = 0;
	bool stop = false;

	while (f != NULL && !stop && getline(&line, &cap, f) > 0) {
		struct mounted m;

		stop = mounted_read(line, &m) && fn(arg, &m);
	}
	free(line);
	if (f != NULL)
		fclose(f);
	return stop;
}
#else
bool
mounted_each(mounted_fn *fn, void *arg)
{
	(void)fn, (void)arg;
	return false;
}
#endif

void
mounted_name(struct buf *b, const char *escaped)
{
	for (const char *p = escaped; *p != '\0'; p++) {
		if (p[0] == '\\' && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' && p[2] <= '7' && p[3] >= '0' && p[3] <= '7') {
			buf_addc(b, (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0')));
			p += 3;
		} else
			buf_addc(b, *p);
	}
}

/* The paths of one directory. */
struct mounted_twice {
	const char *a, *b;
};

/* mounted_fn: whether a mount below a is not at the same place below b. */
static bool
mounted_is_only_at(void *arg, const struct mounted *m)
{
	const struct mounted_twice *w = arg;
	struct buf point = { 0 }, other = { 0 };
	struct fs_stat sa, sb;
	const char *below;
	bool only = false;

	mounted_name(&point, m->point);
	below = path_below(buf_str(&point), w->a);
	if (below != NULL && *below != '\0') {
		buf_adds(&other, w->b);
		path_append(&other, below, strlen(below));
		only = fs_stat_path(buf_str(&other), &sb) == 0 &&
		       (fs_stat_path(buf_str(&point), &sa) < 0 || sa.dev != sb.dev || sa.inode != sb.inode);
	}
	buf_release(&point);
	buf_release(&other);
	return only;
}

bool
mounted_differs(const char *a, const char *b)
{
	struct mounted_twice there = { a, b }, back = { b, a };

	return mounted_each(mounted_is_only_at, &there) || mounted_each(mounted_is_only_at, &back);
}
