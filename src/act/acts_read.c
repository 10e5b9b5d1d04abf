/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "act/acts_read.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/acts.h"
#include "index/index.h"
#include "index/own_files.h"
#include "sys/fs.h"

/*
 * Fields of the line of an act: its verb, run, number, size, mtime, mode, uid, gid, attributes,
 * hash, victim, keeper.
 */
#define ACTS_READ_FIELDS 12

/*
 * Cut a line at its tabs.  Returns the number of fields, at most one more than there is room for.
 */
static size_t
acts_read_split(char *line, char *fields[ACTS_READ_FIELDS])
{
	size_t n = 0;

	for (char *tab = line - 1; tab != NULL && n <= ACTS_READ_FIELDS; n++) {
		char *field = tab + 1;

		tab = strchr(field, '\t');
		if (tab != NULL)
			*tab = '\0';
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

/* Read SECONDS.NANOSECONDS. */
static bool
acts_read_time(char *text, struct fs_time *t)
{
	char *point = strchr(text, '.');
	int64_t nsec;

	if (point == NULL || strlen(point + 1) != 9 || num_parse_int(point + 1, 0, 999999999, &nsec) < 0)
		return false;
	*point = '\0';
	t->nsec = (int32_t)nsec;
	return num_parse_int(text, INT64_MIN, INT64_MAX, &t->sec) == 0;
}

/* Read permissions, owner and group, three fields. */
static bool
acts_read_owner(char *const *fields, mode_t *mode_is, uint32_t *uid_is, uint32_t *gid_is)
{
	int64_t uid, gid;
	unsigned mode = 0;

	for (const char *digit = fields[0]; *digit != '\0'; digit++) {
		if (*digit < '0' || *digit > '7' || mode > 0777)
			return false;
		mode = mode * 8 + (unsigned)(*digit - '0');
	}
	if (num_parse_int(fields[1], 0, UINT32_MAX, &uid) < 0 ||
	    num_parse_int(fields[2], 0, UINT32_MAX, &gid) < 0)
		return false;
	*mode_is = (mode_t)mode;
	*uid_is = (uint32_t)uid;
	*gid_is = (uint32_t)gid;
	return true;
}

/* Note an act.  Returns whether the line is whole. */
static bool
acts_read_act(struct acts_read *r, enum act_kind kind, char *const fields[ACTS_READ_FIELDS], size_t n)
{
	struct acts_line l = { .kind = kind };
	struct buf hash = { 0 };

	if (n != ACTS_READ_FIELDS || num_parse_int(fields[1], 0, INT64_MAX, &l.run) < 0 ||
	    num_parse_int(fields[2], 1, INT64_MAX, &l.number) < 0 || num_parse_int(fields[3], 0, INT64_MAX, &l.size) < 0 ||
	    !acts_read_time(fields[4], &l.mtime) || !acts_read_owner(fields + 5, &l.mode, &l.uid, &l.gid))
		return false;
	l.attrs = arena_str(&r->memory, fields[8]);
	if (buf_add_unhex(&hash, fields[9], strlen(fields[9])) == 0 && hash.len == HASH_SIZE)
		memcpy(l.hash, hash.data, HASH_SIZE);
	buf_release(&hash);
	l.victim = acts_read_path(r, fields[10]);
	l.keeper = acts_read_path(r, fields[11]);
	if (l.victim == NULL || l.keeper == NULL)
		return false;
	table_add(&r->by_number, table_hash((uint64_t)l.run, (uint64_t)l.number), r->lines.n);
	vec_push(&r->lines, l);
	return true;
}

/* The last act with a number of a run, or NULL. */
static struct acts_line *
acts_read_find(struct acts_read *r, int64_t run, int64_t number)
{
	struct acts_line *found = NULL;

	TABLE_EACH(i, &r->by_number, table_hash((uint64_t)run, (uint64_t)number)) {
		if (r->lines.v[i].run == run && r->lines.v[i].number == number)
			found = &r->lines.v[i];
	}
	return found;
}

/* Note that a run has ended: its acts and undoings stand. */
static void
acts_read_end(struct acts_read *r, int64_t run)
{
	for (size_t i = r->lines.n; i > 0 && r->lines.v[i - 1].run == run; i--)
		r->lines.v[i - 1].ended = true;
	for (size_t i = 0; i < r->undos.n && r->undos.v[i].run == run; i++) {
		struct acts_line *l = r->undos.v[i].failed ? NULL : acts_read_find(r, r->undos.v[i].of_run, r->undos.v[i].of_number);

		if (l != NULL)
			l->undone = true;
	}
	r->undos.n = 0;
}

/* Note that an act of another run is taken back, if this run comes to its end. */
static bool
acts_read_undo(struct acts_read *r, int64_t run, int64_t number, char *const fields[ACTS_READ_FIELDS])
{
	struct acts_read_undo u = { .run = run };

	if (num_parse_int(fields[3], 0, INT64_MAX, &u.of_run) < 0 || num_parse_int(fields[4], 1, INT64_MAX, &u.of_number) < 0)
		return false;
	if (r->undos.n > 0 && r->undos.v[0].run != run)
		r->undos.n = 0;
	if (number != (int64_t)r->undos.n + 1)
		return false;
	vec_push(&r->undos, u);
	return true;
}

/* Note that an act did not happen. */
static void
acts_read_failed(struct acts_read *r, int64_t run, int64_t number)
{
	struct acts_line *l;

	/* The undoings of a run are numbered from 1, without a gap. */
	if (r->undos.n > 0 && r->undos.v[0].run == run && number <= (int64_t)r->undos.n)
		r->undos.v[number - 1].failed = true;
	else if ((l = acts_read_find(r, run, number)) != NULL)
		l->failed = true;
}

/* Note that the file of an act was another name of that of an earlier act. */
static bool
acts_read_same(struct acts_read *r, int64_t run, int64_t number, const char *text)
{
	struct acts_line *l = acts_read_find(r, run, number), *of;
	int64_t of_number;

	if (num_parse_int(text, 1, INT64_MAX, &of_number) < 0)
		return false;
	of = acts_read_find(r, run, of_number);
	if (l != NULL && of != NULL) {
		of->file = of->file != 0 ? of->file : of_number;
		l->file = of->file;
	}
	return true;
}

/* Note a directory that may have been removed. */
static bool
acts_read_add_dir(struct acts_read *r, char *const fields[ACTS_READ_FIELDS])
{
	struct acts_dir d = { .run = r->lines.n > 0 ? r->lines.v[r->lines.n - 1].run : -1, .path = acts_read_path(r, fields[7]) };

	if (d.path == NULL || !acts_read_owner(fields + 3, &d.mode, &d.uid, &d.gid))
		return false;
	d.attrs = arena_str(&r->memory, fields[6]);
	table_add(&r->by_path, table_hash_text(d.path), r->dirs.n);
	vec_push(&r->dirs, d);
	return true;
}

const struct acts_dir *
acts_read_dir(const struct acts_read *r, const char *path, size_t len)
{
	char *dir = mem_dup(path, len);
	const struct acts_dir *found = NULL;

	TABLE_EACH(i, &r->by_path, table_hash_text(dir)) {
		if (strcmp(r->dirs.v[i].path, dir) == 0)
			found = &r->dirs.v[i];
	}
	free(dir);
	return found;
}

/* Read a line of another kind than an act.  Returns whether it is whole. */
static bool
acts_read_other(struct acts_read *r, char *const fields[ACTS_READ_FIELDS], size_t n)
{
	const char *word = fields[0];
	int64_t run, number = 0;

	if (strcmp(word, "run") == 0)
		return n == 3;
	if (n < 2 || num_parse_int(fields[1], 0, INT64_MAX, &run) < 0)
		return false;
	if (strcmp(word, "end") == 0 && n == 2) {
		acts_read_end(r, run);
		return true;
	}
	if (n < 3 || num_parse_int(fields[2], 1, INT64_MAX, &number) < 0)
		return false;
	if (strcmp(word, "not") == 0 && n == 3) {
		acts_read_failed(r, run, number);
		return true;
	}
	if (strcmp(word, "dir") == 0 && n == 8)
		return acts_read_add_dir(r, fields);
	if (strcmp(word, "to") == 0 && n == 4) {
		const char *path = acts_read_path(r, fields[3]);
		struct acts_line *l = acts_read_find(r, run, number);

		if (l != NULL)
			l->to = path;
		return path != NULL;
	}
	if (strcmp(word, "made") == 0 && n == 4) {
		const char *path = acts_read_path(r, fields[3]);

		if (path != NULL)
			vec_push(&r->made, ((struct acts_made){ run, path }));
		return path != NULL;
	}
	if (strcmp(word, "same") == 0 && n == 4)
		return acts_read_same(r, run, number, fields[3]);
	return strcmp(word, "undo") == 0 && n == 5 && acts_read_undo(r, run, number, fields);
}

/* Read a line.  Returns whether it is whole. */
static bool
acts_read_line(struct acts_read *r, char *line)
{
	char *fields[ACTS_READ_FIELDS] = { NULL };
	const size_t n = acts_read_split(line, fields);

	for (int kind = 0; kind < ACT_KINDS; kind++) {
		if (strcmp(fields[0], acts_word((enum act_kind)kind)) == 0)
			return acts_read_act(r, (enum act_kind)kind, fields, n);
	}
	return acts_read_other(r, fields, n);
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
		/* A last line without its end is torn. */
		if (line[len - 1] != '\n') {
			r->n_torn++;
			break;
		}
		line[len - 1] = '\0';
		if (first && strcmp(line, ACTS_FIRST_LINE) != 0)
			ret = err_set(err, ERR_BAD_INDEX, "'%s' is not a journal of acts", path);
		else if (!first)
			r->n_torn += !acts_read_line(r, line);
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

int
acts_read_check_paths(const struct acts_read *r, const char *const *paths, size_t n, struct err *err)
{
	struct fs_stat st;

	for (size_t i = 0; i < n; i++) {
		bool found = fs_stat_path(paths[i], &st) == 0 || !fs_is_absent(errno);

		for (size_t j = 0; !found && j < r->lines.n; j++)
			found = path_is_below(r->lines.v[j].victim, paths[i]) || path_is_below(r->lines.v[j].keeper, paths[i]);
		if (!found)
			return err_set(err, ERR_NO_PATH, "'%s' does not exist, and the journal has no act there", paths[i]);
	}
	return 0;
}

bool
acts_read_is_link(const struct acts_line *l, int dir, const char *name, const struct fs_stat *st)
{
	struct buf target = { 0 };
	struct fs_stat keeper;
	char *above, *there;
	bool is;

	if (l->kind == ACT_HARD)
		return S_ISREG(st->mode) && fs_stat_path(l->keeper, &keeper) == 0 && keeper.inode == st->inode && keeper.dev == st->dev;
	if (l->kind != ACT_SOFT || !S_ISLNK(st->mode))
		return false;
	above = mem_dup(l->victim, path_parent_len(l->victim));
	path_relative(&target, above, l->keeper);
	/* Ask for one byte more than the target has: a longer one differs. */
	there = mem_zalloc(target.len + 1, 1);
	is = readlinkat(dir, name, there, target.len + 1) == (ssize_t)target.len && memcmp(there, target.data, target.len) == 0;
	free(above);
	free(there);
	buf_release(&target);
	return is;
}

void
acts_read_release(struct acts_read *r)
{
	vec_release(&r->lines);
	vec_release(&r->undos);
	vec_release(&r->dirs);
	vec_release(&r->made);
	table_release(&r->by_path);
	table_release(&r->by_number);
	arena_release(&r->memory);
}
