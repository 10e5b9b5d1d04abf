/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "act/acts_read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/acts.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/name.h"
#include "base/num.h"
#include "index/index.h"
#include "index/own_files.h"
#include "sys/fs.h"

/*
 * Fields of the line of an act: its verb, run, number, size, mtime, mode, uid, gid, hash, victim,
 * keeper.
 */
#define ACTS_READ_FIELDS 11

/*
 * Cut a line at its tabs.  Returns the number of fields, at most one more than there is room for.
 */
static size_t
acts_read_split(char *line, char *fields[ACTS_READ_FIELDS])
{
	size_t n = 0;

	for (char *rest = line; rest != NULL && n <= ACTS_READ_FIELDS; n++) {
		char *field = strsep(&rest, "\t");

		if (n < ACTS_READ_FIELDS)
			fields[n] = field;
	}
	return n;
}

/* Undo the escapes of a path.  Returns it, or NULL when it is invalid. */
static const char *
acts_read_path(struct acts_read *r, const char *text)
{
	struct buf b = { 0 };
	const char *path = NULL;

	if (name_unshow(&b, text, strlen(text)) == 0 && b.len > 0 && b.data[0] == '/' && strlen(b.data) == b.len)
		path = arena_dup(&r->memory, b.data, b.len);
	buf_release(&b);
	return path;
}

/* Note an act.  Returns whether the line is whole. */
static bool
acts_read_act(struct acts_read *r, char *const fields[ACTS_READ_FIELDS], size_t n)
{
	struct acts_line l = { .kind = strcmp(fields[0], "trash") == 0 ? ACT_TRASH : ACT_REMOVE };

	if (n != ACTS_READ_FIELDS || num_parse_int(fields[1], 0, INT64_MAX, &l.run) < 0 ||
	    num_parse_int(fields[2], 1, INT64_MAX, &l.number) < 0 || num_parse_int(fields[3], 0, INT64_MAX, &l.size) < 0 ||
	    num_parse_int(fields[4], INT64_MIN, INT64_MAX, &l.mtime_ns) < 0)
		return false;
	l.hash = arena_dup(&r->memory, fields[8], strlen(fields[8]));
	l.victim = acts_read_path(r, fields[9]);
	l.keeper = acts_read_path(r, fields[10]);
	if (l.victim == NULL || l.keeper == NULL)
		return false;
	vec_push(&r->lines, l);
	return true;
}

/* Note what a line says of the acts of its run: they come just before it. */
static bool
acts_read_amend(struct acts_read *r, char *const fields[ACTS_READ_FIELDS], size_t n)
{
	const bool end = strcmp(fields[0], "end") == 0;
	int64_t run, number = 0;

	if (n != (end ? 2 : 3) || num_parse_int(fields[1], 0, INT64_MAX, &run) < 0 ||
	    (!end && num_parse_int(fields[2], 1, INT64_MAX, &number) < 0))
		return false;
	for (size_t i = r->lines.n; i > 0; i--) {
		struct acts_line *l = &r->lines.v[i - 1];

		if (l->run == run && end)
			l->ended = true;
		else if (l->run == run && l->number == number) {
			l->undone = true;
			break;
		} else if (l->run != run && end)
			break;
	}
	return true;
}

static void
acts_read_line(struct acts_read *r, char *line)
{
	char *fields[ACTS_READ_FIELDS] = { NULL };
	const size_t n = acts_read_split(line, fields);
	bool whole = true;

	if (strcmp(fields[0], "remove") == 0 || strcmp(fields[0], "trash") == 0)
		whole = acts_read_act(r, fields, n);
	else if (strcmp(fields[0], "not") == 0 || strcmp(fields[0], "end") == 0)
		whole = acts_read_amend(r, fields, n);
	else
		whole = strcmp(fields[0], "run") == 0;
	r->n_torn += !whole;
}

/* Read all lines of an open journal. */
static int
acts_read_stream(struct acts_read *r, FILE *f, const char *path, struct err *err)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	bool first = true;
	int ret = 0;

	while (ret == 0 && (len = getline(&line, &cap, f)) > 0) {
		/* Without its end the last one is torn. */
		if (line[len - 1] != '\n') {
			r->n_torn++;
			break;
		}
		line[len - 1] = '\0';
		if (first && strcmp(line, ACTS_FIRST_LINE) != 0)
			ret = err_set(err, ERR_BAD_INDEX, "'%s' is not a journal of acts", path);
		else if (!first)
			acts_read_line(r, line);
		first = false;
	}
	if (ret == 0 && ferror(f))
		ret = err_sys(err, "read the journal of acts '%s'", path);
	free(line);
	return ret;
}

int
acts_read(struct acts_read *r, const struct index *ix, struct err *err)
{
	struct buf path = { 0 };
	struct fs_stat st;
	FILE *f = NULL;
	int fd, ret = 0;

	buf_addf(&path, "%s" OWN_FILES_ACTS, ix->path);
	fd = fs_open_file(AT_FDCWD, buf_str(&path));
	if (fd < 0 && errno != ENOENT)
		ret = err_sys(err, "open the journal of acts '%s'", buf_str(&path));
	else if (fd >= 0 && (fs_stat_fd(fd, &st) < 0 || !S_ISREG(st.mode)))
		ret = err_set(err, ERR_BAD_INDEX, "journal of acts '%s' is not a regular file", buf_str(&path));
	else if (fd >= 0 && (f = fdopen(fd, "r")) == NULL)
		ret = err_sys(err, "open the journal of acts '%s'", buf_str(&path));
	if (f != NULL) {
		ret = acts_read_stream(r, f, buf_str(&path), err);
		fclose(f);
	} else if (fd >= 0)
		close(fd);
	buf_release(&path);
	return ret;
}

void
acts_read_release(struct acts_read *r)
{
	vec_release(&r->lines);
	arena_release(&r->memory);
}
