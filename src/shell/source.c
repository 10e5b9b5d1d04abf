/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "shell/source.h"

#include <fcntl.h>
#include <unistd.h>

#include "shell/session.h"
#include "sys/fs.h"
#include "sys/stop.h"

/* Files whose lines run files. */
#define SOURCE_DEPTH 16

/* A stream whose lines are run, on the stack of the function that runs them. */
struct source {
	const struct source *outer;  /* a line of it runs this one; or NULL */
	uint64_t dev, inode;
};

/* Fail if the stream's lines are being run already, or files are nested too deeply. */
static int
source_check(const struct session *s, const struct source *source, const char *name, struct err *err)
{
	int depth = 0;

	for (const struct source *o = s->source; o != NULL; o = o->outer) {
		if (o->dev == source->dev && o->inode == source->inode)
			return err_set(err, ERR_USAGE, "'%s' is being run already: it would run itself without end", name);
		if (++depth == SOURCE_DEPTH)
			return err_set(err, ERR_USAGE, "'%s' is not run: files run each other at most %d deep", name, SOURCE_DEPTH);
	}
	return 0;
}

int
source_stream(struct session *s, FILE *f, const char *name, struct err *err)
{
	struct source source = { .outer = s->source };
	const char *const place = s->env.place;
	struct buf here = { 0 };
	struct fs_stat st;
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	int first = CMD_OK;

	if (fs_stat_fd(fileno(f), &st) < 0)
		return err_sys(err, "read '%s'", name);
	source.dev = st.dev;
	source.inode = st.inode;
	if (source_check(s, &source, name, err) < 0)
		return -1;
	s->source = &source;
	for (long number = 1; !s->leave && (len = getdelim(&line, &cap, '\n', f)) > 0; number++) {
		int status;

		buf_cut(&here, 0);
		buf_addf(&here, "%s:%ld", name, number);
		s->env.place = here.data;
		status = s->run(s, line, (size_t)len);
		if (!session_failed(status))
			continue;
		if (first == CMD_OK)
			first = status;
		if (!s->keep_going || stop_signal() != 0)
			break;
	}
	free(line);
	buf_release(&here);
	s->env.place = place;
	s->source = source.outer;
	if (first == CMD_OK && ferror(f) && stop_signal() == 0)
		return err_sys(err, "read '%s'", name);
	if (stop_signal() != 0)
		return CMD_SIGNAL + stop_signal();
	return first != CMD_OK ? first : s->status;
}

int
source_file(struct session *s, int dir, const char *path, struct err *err)
{
	const int fd = openat(dir >= 0 ? dir : AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	int status;

	if (fd < 0)
		return errno == ENOENT ? err_set(err, ERR_NO_PATH, "'%s' does not exist", path) : err_sys(err, "open '%s'", path);
	if (f == NULL) {
		err_sys(err, "open '%s'", path);
		close(fd);
		return -1;
	}
	status = source_stream(s, f, path, err);
	fclose(f);
	return status;
}
