/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_exit_status.h"

#include "index/file.h"
#include "index/fleeting.h"
#include "index/index.h"
#include "index/journal.h"
#include "index/roots.h"
#include "index/timeless.h"
#include "query/indexes.h"
#include "sys/stop.h"

void
cmd_gap(void *verdict, const char *path, enum gap gap, bool dir, const char *why)
{
	const struct cmd_call *c = ((const struct cmd_verdict *)verdict)->call;
	const bool shut = gap == GAP_UNREADABLE && dir;

	if (gap == GAP_OFFLINE && c->listing->online)
		return;
	if (shut || (c->globals->verbose > 0 && gap_matters(gap)))
		cmd_notice(c, "%s %s%s (%s)", shut ? "unreadable" : "not judged:", path, dir && strcmp(path, "/") != 0 ? "/" : "", why);
}

void
cmd_count_gap(void *verdict, const char *path, enum gap gap, bool dir, const char *why)
{
	struct cmd_verdict *v = verdict;

	if (gap == GAP_OFFLINE && v->call->listing->online)
		return;
	gaps_count(&v->gaps, gap, dir);
	cmd_gap(v, path, gap, dir, why);
}

/* Who is told of gaps beside an offline disk. */
struct cmd_beside {
	list_gap_fn *fn;
	void *arg;
};

/* list_gap_fn: all but what is offline. */
static void
cmd_gap_beside(void *arg, const char *path, enum gap gap, bool dir, const char *why)
{
	const struct cmd_beside *b = arg;

	if (gap != GAP_OFFLINE)
		b->fn(b->arg, path, gap, dir, why);
}

int
cmd_gaps_of_offline(const struct cmd_call *c, const char *const *paths, size_t n, list_gap_fn *fn, void *arg, struct err *err)
{
	struct cmd_beside beside = { fn, arg };
	struct gaps all = { .files = { 0 } };
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < c->offline.n; i++) {
		struct index *ix = c->ix;

		if (n > 0 && !path_is_below_any(c->offline.v[i], paths, n))
			continue;
		/* It may be another index that has it. */
		ret = list_knows(ix, c->offline.v[i], err);
		for (size_t k = 0; ret == 0 && c->with != NULL && k < c->with->others.n; k++) {
			ix = c->with->others.v[k]->ix;
			ret = list_knows(ix, c->offline.v[i], err);
		}
		if (ret == 1)
			ret = list_count_gaps(ix, &c->offline.v[i], 1, cmd_gap_beside, &beside, &all, err);
	}
	return ret < 0 ? -1 : 0;
}

/* Count what was not judged, and tell how much; offline files do not count with --online. */
static void
cmd_tell_gaps(const struct cmd_call *c, struct cmd_verdict *v)
{
	struct buf b = { 0 };
	bool matter;

	if (c->listing->online)
		v->gaps.files[GAP_OFFLINE] = v->gaps.dirs[GAP_OFFLINE] = 0;
	matter = gaps_matter(&v->gaps) > 0;
	gaps_show(&b, &v->gaps);
	if (b.len > 0)
		cmd_notice(c, "%s%s", buf_str(&b), matter && c->globals->verbose == 0 ? "; -v names them" : "");
	buf_release(&b);
	if (!matter)
		v->told.files[GAP_UNPROVEN] += v->unproven;
	v->lacks = (matter && !v->certain) || gaps_matter(&v->told) > 0;
	gaps_join(&v->end.gaps, &v->gaps);
	gaps_join(&v->end.gaps, &v->told);
}

int
cmd_compared_text(const struct index *ix, struct buf *b, struct err *err)
{
	char text[NUM_SHOW_MAX];
	int64_t unit = 1;
	int any;

	if (ix->pending != INDEX_UNREAD || ix->compared == INT64_MAX)
		return 0;
	any = file_any_from(ix->db, ix->compared, err);
	if (any <= 0)
		return any;
	/* Halves of a unit have one decimal.  Rounded up, it claims nothing more. */
	while (ix->compared / unit >= 1024)
		unit *= 1024;
	unit = unit > 1 ? unit / 2 : unit;
	buf_addf(b, "files of %s and more", num_show_size(num_mul((ix->compared - 1) / unit + 1, unit), NUM_IEC, text));
	return 1;
}

int
cmd_unfinished_text(const struct index *ix, const char *program, struct buf *b, struct err *err)
{
	const bool unmet = ix->pending == INDEX_UNMET;
	struct journal_entry e = { .state = "" };
	struct roots roots = { 0 };
	bool finished, none, never = false;
	struct buf compared = { 0 };
	int any;

	if (ix->pending == INDEX_WHOLE)
		return 0;
	if (roots_load(&roots, ix->db, err) < 0)
		return -1;
	none = roots.n == 0;
	for (size_t i = 0; i < roots.n; i++)
		never |= roots.v[i].scan == 0;
	roots_release(&roots);
	if (journal_recent(ix, 0, &e, err) < 0)
		return -1;
	any = cmd_compared_text(ix, &compared, err);
	if (any < 0)
		return -1;
	finished = strcmp(e.state, "finished") == 0;
	if (strcmp(e.state, "running") == 0) {
		buf_addf(b, "a scan is running and has not %s yet", unmet ? "met every file" : "read all that it must");
		program = NULL;
	} else if (none)
		buf_adds(b, "nothing was scanned yet");
	else if (unmet)
		buf_adds(b, finished && never ? "a root was never scanned to its end" : "a scan was cut off before it had met every file");
	else
		buf_adds(b, finished ? "files that may be copies could not be read yet" : "a scan was cut off before it had read all that it must");
	if (any == 1)
		buf_addf(b, ": so far only %s are compared", buf_str(&compared));
	if (program != NULL)
		buf_addf(b, none ? "; '%s scan DIR' begins" : finished ? "; '%s scan' looks again" : "; '%s scan' goes on", program);
	buf_release(&compared);
	return 1;
}

/* Tell what scans have left undone, of this index or else of others.  Returns 0 or -1. */
static int
cmd_tell_scans(const struct cmd_call *c, struct cmd_verdict *v, struct err *err)
{
	const enum index_pending pending = c->ix->pending;
	struct buf text = { 0 };
	int ret = 0;

	if (pending == INDEX_UNMET || (pending == INDEX_UNREAD && !v->all_read)) {
		ret = cmd_unfinished_text(c->ix, prog_name(), &text, err);
		if (ret == 1)
			cmd_notice(c, "incomplete: %s", buf_str(&text));
		v->end.unfinished = ret == 1;
	}
	for (size_t i = 0; ret == 0 && c->with != NULL && i < c->with->others.n; i++) {
		const struct indexes_other *o = c->with->others.v[i];

		/* Its unread files are read for the answer. */
		if (o->ix->pending != INDEX_UNMET)
			continue;
		buf_cut(&text, 0);
		ret = cmd_unfinished_text(o->ix, NULL, &text, err) < 0 ? -1 : 0;
		if (ret == 0)
			cmd_notice(c, "%s: %s", o->name, buf_str(&text));
		v->end.unfinished = true;
	}
	buf_release(&text);
	return ret < 0 ? -1 : 0;
}

int
cmd_lacks(const struct cmd_call *c, struct err *err)
{
	struct cmd_verdict *v = c->verdict;
	char n[NUM_SHOW_MAX];

	if (v->asked)
		return v->lacks;
	v->asked = true;
	if (v->trash > 0)
		cmd_notice(c, "%s in a trash, which will be emptied: not counted as copies", num_show_things(v->trash, "file", "files", n));
	if (v->fleeting > 0)
		cmd_notice(c, "%s other copies only %s: not counted", num_show_things(v->fleeting, "file has", "files have", n),
		           fleeting_where(v->fleeting_why));
	cmd_tell_gaps(c, v);
	if ((c->cmd->flags & CMD_ASKS) != 0 && !v->settled && cmd_tell_scans(c, v, err) < 0)
		return -1;
	v->lacks |= (c->cmd->flags & CMD_ASKS) != 0 && v->end.unfinished;
	return v->lacks;
}

/* Warn about files whose signatures cannot prove that they are as read.  Returns how many. */
static int64_t
cmd_tell_timeless(const struct cmd_call *c)
{
	char *first = NULL, files[NUM_SHOW_MAX];
	int64_t n = timeless_doubts(c->ix, &first);

	for (size_t i = 0; c->with != NULL && i < c->with->others.n; i++) {
		char *other = NULL;

		n += timeless_doubts(c->with->others.v[i]->ix, &other);
		if (first == NULL)
			first = other;
		else
			free(other);
	}
	c->verdict->end.gaps.files[GAP_TIMELESS] += n;
	if (n > 0)
		cmd_notice(c, "%s on a volume that keeps no change times (%s'%s'): a rewrite that restores size and time would not be noticed; "
		           "'%s scan --rehash' reads all files there again and is believed for an hour",
		           num_show_things(n, "file is", "files are", files), n == 1 ? "" : "such as ", first, prog_name());
	free(first);
	return n;
}

int
cmd_exit_status(const struct cmd_call *c, int answer, struct err *err)
{
	struct cmd_verdict *v = c->verdict;
	const int lacks = answer < 0 ? -1 : cmd_lacks(c, err);
	bool doubtful = v->undone;

	if (lacks < 0)
		return -1;
	if (v->ended)
		return v->status;
	if ((c->cmd->flags & CMD_PROVES) != 0 && cmd_tell_timeless(c) > 0)
		doubtful = true;
	v->ended = true;
	v->status = v->missing ? CMD_USAGE : lacks || (doubtful && answer != CMD_NO) ? CMD_PARTLY : answer;
	return v->status;
}

/* The exit status for a failure. */
static int
cmd_error_status(const struct err *err)
{
	switch (err->code) {
	case ERR_USAGE:
	case ERR_NO_PATH:
		return CMD_USAGE;
	case ERR_BUSY:
		return CMD_BUSY;
	case ERR_NO_INDEX:
	case ERR_BAD_INDEX:
	case ERR_TOO_NEW:
		return CMD_NO_INDEX;
	case ERR_INTERRUPTED:
		return CMD_SIGNAL + (stop_signal() != 0 ? stop_signal() : 2);
	case ERR_OUTPUT:
		/* EPIPE: the reader closed the pipe early.  No error: print nothing. */
		return err->sys == EPIPE ? CMD_SIGNAL + 13 : CMD_FATAL;
	default:
		return CMD_FATAL;
	}
}

int
cmd_fail(FILE *msg, const char *place, const struct err *err)
{
	struct err stopped = { 0 };

	/* A signal interrupted the write: report the signal. */
	if (err->code == ERR_OUTPUT && stop_check(&stopped) < 0)
		err = &stopped;
	if (err->code != ERR_OUTPUT || err->sys != EPIPE)
		cmd_say(msg, place, err->text);
	return cmd_error_status(err);
}

enum out_format
cmd_asked_format(enum out_format usual, int argc, char *const *argv)
{
	static const char option[] = "--format";

	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *value = "";

		if (strcmp(argv[i], "--json") == 0)
			return OUT_JSON;
		if (strncmp(argv[i], option, sizeof(option) - 1) == 0)
			value = argv[i][sizeof(option) - 1] == '=' ? argv[i] + sizeof(option) : i + 1 < argc ? argv[i + 1] : "";
		if (strcmp(value, "json") == 0 || strcmp(value, "ndjson") == 0)
			usual = *value == 'n' ? OUT_NDJSON : OUT_JSON;
	}
	return usual;
}

void
cmd_end_answer(FILE *out, struct cmd_verdict *v, int status)
{
	v->end.exit = status;
	/* A list that was broken off gets no end, so that no part is taken for the whole. */
	if (v->open || (v->format == OUT_NDJSON && v->end.error != NULL) || (!v->begun && (v->format == OUT_JSON || v->format == OUT_NDJSON)))
		out_verdict(out, v->format, v->open, &v->end);
}

int
cmd_fail_answer(FILE *out, FILE *msg, const char *place, struct cmd_verdict *v, const struct err *err)
{
	const int status = cmd_fail(msg, place, err);

	if (err->code == ERR_OUTPUT)
		return status;
	v->end.error = err->text;
	cmd_end_answer(out, v, status);
	fflush(out);
	return status;
}

int
cmd_refuse(const struct cmd_env *env, int argc, char *const *argv, const struct err *err)
{
	struct cmd_verdict v = { .format = cmd_asked_format(OUT_TEXT, argc, argv) };

	return cmd_fail_answer(env->out, env->msg, env->place, &v, err);
}
