/* SPDX-License-Identifier: MIT */
/*
 * A session keeps the index open for reading between commands, but in no transaction:
 * session_refresh begins one, and opens the index anew if it is another one by then or others have
 * written to it; session_rest ends it.  With the index go the sums that du, waste and
 * tree keep.  Before a command that writes, which opens the index itself, the session rests,
 * and after it takes over the new state without a word.
 */
#include "base/base.h"

#include "shell/session.h"

#include <fcntl.h>
#include <unistd.h>

#include "db/db.h"
#include "index/presence.h"
#include "index/dirs.h"
#include "index/index.h"
#include "index/mark.h"
#include "query/usage.h"
#include "sys/fs.h"
#include "ui/numbers.h"

void
session_open(struct session *s, const struct cmd_env *env, const char *base)
{
	memset(s, 0, sizeof(*s));
	s->env = *env;
	s->env.ix = NULL;
	s->env.usage = &s->usage;
	s->results = numbers_new();
	s->pager = true;
	buf_adds(&s->base, base);
	s->env.base = s->base.data;
}

/* Close the index, and drop what was computed from it. */
static void
session_close_index(struct session *s)
{
	usage_free(s->usage);
	s->usage = NULL;
	s->drops_known = false;
	index_close(s->env.ix);
	s->env.ix = NULL;
}

void
session_close(struct session *s)
{
	session_close_index(s);
	alias_release(&s->aliases);
	numbers_free(s->results);
	buf_release(&s->base);
	buf_release(&s->previous);
}

bool
session_failed(int status)
{
	return status != CMD_OK && status != CMD_NO && status != CMD_PARTLY && status != CMD_CLAIMED;
}

int
session_enter(const struct session *s, struct err *err)
{
	int fd = fs_open_dir_below(s->base.data, 1);
	struct fs_stat st;
	int same = 1, ret = 0;
	int64_t dir;

	/* A directory that can be listed cannot always be entered. */
	if (fd < 0 || fs_stat_at(fd, ".", &st) < 0)
		ret = err_set(err, ERR_NO_PATH, "'%s' cannot be entered, nothing was run: %s", s->base.data, strerror(errno));
	else if (s->env.ix != NULL) {
		ret = dirs_find(s->env.ix->db, s->base.data, &dir, err);
		same = ret == 1 ? presence_volume(s->env.ix->db, dir, fd, err) : 1;
		ret = ret < 0 || same < 0 ? -1 : 0;
	}
	if (same == 0)
		ret = err_set(err, ERR_NO_PATH, "'%s' is offline, nothing was run: what is there now is on another file system", s->base.data);
	if (ret < 0 && fd >= 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int
session_number(const struct session *s, size_t item, size_t member, const char **path, struct err *err)
{
	const size_t n = numbers_count(s->results), members = numbers_members(s->results, item);

	if (n == 0)
		return err_set(err, ERR_USAGE, "there is no listing yet that shows numbers");
	if (item < 1 || item > n)
		return err_set(err, ERR_USAGE, "the last listing has the numbers 1 to %zu", n);
	if (member == 0 && numbers_are_sets(s->results))
		return err_set(err, ERR_USAGE, "%zu is a set: say which of its files is meant, such as %zu.1", item, item);
	if (member > members && members == 0)
		return err_set(err, ERR_USAGE, "%zu is one file: the listing has no %zu.%zu", item, item, member);
	if (member > members)
		return err_set(err, ERR_USAGE, "%zu has the numbers %zu.1 to %zu.%zu", item, item, item, members);
	*path = numbers_path(s->results, item, member);
	return 0;
}

int
session_range(const struct session *s, const struct numbers_range *r, struct session_paths *paths, struct err *err)
{
	const size_t n = numbers_count(s->results), end = r->last_item == SIZE_MAX && n >= r->item ? n : r->last_item;
	const bool sets = numbers_are_sets(s->results) && (end > r->item || r->last_item == SIZE_MAX || numbers_are_dirs(s->results));
	const char *path;

	/* What does not exist is told before anything is done. */
	if (end > n || r->item > n)
		return session_number(s, end > n ? end : r->item, 0, &path, err);
	for (size_t i = r->item; i <= end; i++) {
		const size_t members = numbers_members(s->results, i);
		size_t first = r->member, last = r->last_member == SIZE_MAX && members >= first ? members : r->last_member;

		if (first == 0 && sets) {
			first = 1;
			last = members;
		}
		for (size_t j = first; j <= last; j++) {
			if (session_number(s, i, j, &path, err) < 0)
				return -1;
			vec_push(paths, path);
		}
	}
	return 0;
}

void
session_drops(struct session *s, int64_t *n, int64_t *bytes)
{
	struct err ignored = { 0 };

	if (!s->drops_known) {
		s->n_drops = s->drop_bytes = 0;
		if (s->env.ix != NULL)
			mark_count_drops(s->env.ix, &s->n_drops, &s->drop_bytes, &ignored);
		s->drops_known = true;
	}
	*n = s->n_drops;
	*bytes = s->drop_bytes;
}

/* Open the index anew, for reading, if it exists; commands tell why they lack it. */
static void
session_reopen(struct session *s)
{
	struct err ignored = { 0 };

	session_close_index(s);
	if (cmd_open(&s->env.globals, 0, &s->env.ix, &ignored) < 0)
		s->env.ix = NULL;
	/* What fails here has changed by the next command. */
	else if (index_note_state(s->env.ix, &s->state, &ignored) < 0)
		s->state = (struct index_state){ .version = 0 };
}

void
session_refresh(struct session *s)
{
	const bool had = s->env.ix != NULL;
	struct err ignored = { 0 };

	if (had && !index_has_changed(s->env.ix, &s->state) && db_begin_read(s->env.ix->db, &ignored) == 0)
		return;
	session_reopen(s);
	if (had && s->line != NULL && !s->env.globals.quiet)
		fprintf(s->env.msg, "twindex: the index has changed since the last command\n");
}

void
session_rest(struct session *s)
{
	struct err ignored = { 0 };

	if (s->env.ix == NULL)
		return;
	db_rest(s->env.ix->db);
	if (s->env.ix->db->in_transaction)
		db_end(s->env.ix->db, 0, &ignored);
	assert(!s->env.ix->db->in_transaction);
}

int
session_execute(struct session *s, bool notes, int argc, char **argv)
{
	struct cmd_env env = s->env;
	const struct cmd *cmd = cmd_find(s->env.commands, argv[0]);
	const bool writes = cmd != NULL && (cmd->flags & CMD_READS) == 0;
	int status;

	if (writes)
		session_rest(s);
	if (!notes)
		env.results = NULL;
	env.numbers = notes && s->line != NULL && env.tty;
	status = cmd_execute(&env, argc, argv);
	if (notes && cmd != NULL && (cmd->flags & CMD_LISTS) != 0)
		s->shown = 0;
	/* The session's own writes are no changes by others. */
	if (writes && (s->env.ix == NULL || index_has_changed(s->env.ix, &s->state))) {
		session_reopen(s);
		session_rest(s);
	}
	return status;
}
