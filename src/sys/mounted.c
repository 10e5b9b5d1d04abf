/* SPDX-License-Identifier: MIT */
/*
 * Lines of /proc/self/mountinfo: id parent major:minor root point options... - type source ...;
 * see proc(5).
 */
#include "base/base.h"

#include "sys/mounted.h"

#ifdef HAVE_SYS_SYSMACROS_H
#include <sys/sysmacros.h>
#endif

#include "sys/fs.h"

#ifdef LINUX_PATHS
/* Prefixes of types that a server or a daemon serves. */
static const char *const mounted_remote[] = { "nfs", "cifs", "smb", "fuse.", "9p", "ceph", "afs", "autofs", "virtiofs" };

/* Cut the next word off a line.  Returns it, or NULL at the end. */
static char *
mounted_word(char **line)
{
	char *word = *line + strspn(*line, " \n"), *end = word + strcspn(word, " \n");

	*line = *end != '\0' ? end + 1 : end;
	*end = '\0';
	return end > word ? word : NULL;
}

/* Parse a line, cutting it into words.  Returns whether it describes a mount. */
static bool
mounted_read(char *line, struct mounted *m)
{
	char *dash = strstr(line, " - ");
	int64_t major_nr, minor_nr;
	char *dev, *colon, *upper;

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
	upper = m->type != NULL && strcmp(m->type, "overlay") == 0 ? mounted_word(&dash) : NULL;
	if (upper != NULL)
		upper = strstr(upper, "upperdir=");
	if (upper != NULL) {
		upper += strlen("upperdir=");
		upper[strcspn(upper, ",")] = '\0';
	}
	m->upper = upper;
	if (dev == NULL || m->point == NULL || m->type == NULL)
		return false;
	/* Not by sscanf, which takes a third of the time of all. */
	colon = strchr(dev, ':');
	if (colon == NULL)
		return false;
	*colon = '\0';
	if (num_parse_int(dev, 0, UINT_MAX, &major_nr) < 0 || num_parse_int(colon + 1, 0, UINT_MAX, &minor_nr) < 0)
		return false;
	if (m->source == NULL)
		m->source = "";
	m->dev = makedev((unsigned)major_nr, (unsigned)minor_nr);
	m->remote = strcmp(m->type, "fuse") == 0;
	for (size_t i = 0; !m->remote && i < sizeof(mounted_remote) / sizeof(mounted_remote[0]); i++)
		m->remote = strncmp(m->type, mounted_remote[i], strlen(mounted_remote[i])) == 0;
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

/* Two paths of one directory. */
struct mounted_twice {
	const char *a, *b;
};

/* mounted_fn: whether a mount below a has none at the same place below b. */
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

/* A directory of a file system, and where it is mounted. */
struct mounted_dir {
	uint64_t dev;
	char *root, *point;      /* owned */
};

struct mounted_dirs {
	VEC(struct mounted_dir) all;
};

static char *
mounted_text(const char *escaped)
{
	struct buf b = { 0 };

	mounted_name(&b, escaped);
	return buf_take(&b);
}

/* mounted_fn */
static bool
mounted_collect(void *arg, const struct mounted *m)
{
	struct mounted_dirs *dirs = arg;

	vec_push(&dirs->all, ((struct mounted_dir){ m->dev, mounted_text(m->root), mounted_text(m->point) }));
	return false;
}

/* Deliver other paths of a directory of a file system that is visible at or below dir. */
static void
mounted_tell(const struct mounted_dirs *dirs, const char *dir, uint64_t dev, const char *root, mounted_path_fn *fn, void *arg)
{
	struct buf path = { 0 };

	for (size_t i = 0; i < dirs->all.n; i++) {
		const struct mounted_dir *m = &dirs->all.v[i];
		const char *below = m->dev == dev ? path_below(root, m->root) : NULL;

		if (m->dev != dev || (below == NULL && !path_is_below(m->root, root)))
			continue;
		buf_cut(&path, 0);
		buf_adds(&path, m->point);
		if (below != NULL && *below != '\0')
			path_append(&path, below, strlen(below));
		if (!path_is_below(buf_str(&path), dir))
			fn(arg, buf_str(&path));
	}
	buf_release(&path);
}

void
mounted_also(const char *dir, mounted_path_fn *fn, void *arg)
{
	struct mounted_dirs dirs = { .all = { 0 } };
	const struct mounted_dir *own = NULL;
	struct buf root = { 0 };

	mounted_each(mounted_collect, &dirs);
	for (size_t i = 0; i < dirs.all.n; i++) {
		const struct mounted_dir *m = &dirs.all.v[i];

		/* Of two mounts at one place the later one hides the other. */
		if (path_is_below(dir, m->point) && (own == NULL || strlen(m->point) >= strlen(own->point)))
			own = m;
		else if (path_is_below(m->point, dir))
			mounted_tell(&dirs, dir, m->dev, m->root, fn, arg);
	}
	if (own != NULL) {
		const char *below = path_below(dir, own->point);

		buf_adds(&root, own->root);
		if (*below != '\0')
			path_append(&root, below, strlen(below));
		mounted_tell(&dirs, dir, own->dev, buf_str(&root), fn, arg);
	}
	for (size_t i = 0; i < dirs.all.n; i++) {
		free(dirs.all.v[i].root);
		free(dirs.all.v[i].point);
	}
	vec_release(&dirs.all);
	buf_release(&root);
}
