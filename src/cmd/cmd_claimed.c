/* SPDX-License-Identifier: MIT */
/*
 * contained DIR --in NAME: - what is of each file of DIR said by listings that were imported.
 *
 * An equal digest says that the file is there.  Size and name alone do not, nor does a claim of
 * that size which could not be compared rule it out: both leave the file not judged.  Only a file
 * that no claim can be about is missing.
 */
#include "base/base.h"

#include "cmd/cmd_claimed.h"

#include <time.h>

#include "cmd/cmd.h"
#include "cmd/cmd_elsewhere.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "index/file.h"
#include "index/index.h"
#include "query/list.h"

/* A source that is asked. */
struct cmd_claimed_source {
	const char *name;    /* NULL until it is found */
	char *typed;         /* its name, without the ':' */
	const char *kind;
	int64_t when;        /* seconds since 1970 */
	unsigned sizeless;
	bool met;            /* by the file in hand */
	int64_t files;       /* that it has by digest */
	unsigned kinds;      /* of the digests that said so */
};

/* A question under way. */
struct cmd_claimed {
	const struct cmd_call *c;
	struct out *out;
	VEC(struct cmd_claimed_source) sources;
	struct cmd_claimed_source *now;   /* is asked */
	struct arena memory;
	int64_t files, by_digest, by_name, not_compared, missing;
	struct cmd_elsewhere lacks;
	bool by_size;                     /* the file in hand is there by size and name */
	struct err *err;                  /* of the list */
};

/* claims_match_fn */
static void
cmd_claimed_match(void *arg, const struct claims_match *m)
{
	struct cmd_claimed *w = arg;

	if (m->digest == DIGEST_NONE) {
		w->by_size = true;
		return;
	}
	w->now->met = true;
	w->now->kinds |= DIGEST_BIT(m->digest);
}

/* Ask all sources about a file.  Returns 1 if one has it by digest, 0, or -1. */
static int
cmd_claimed_ask(struct cmd_claimed *w, const struct file_answer *a, bool *not_compared)
{
	struct claims_about about;
	struct file_row row;
	struct claims_matched all = { .no_digest = false };

	if (cmd_elsewhere_about(w->c, a, &row, &about, w->err) < 0)
		return -1;
	w->by_size = *not_compared = false;
	for (size_t i = 0; i < w->sources.n; i++) {
		struct claims_matched matched;

		w->now = &w->sources.v[i];
		w->now->met = false;
		about.source = w->now->name;
		about.sizeless = w->now->sizeless;
		if (claims_match(w->c->ix, &about, cmd_claimed_match, w, &matched, w->err) < 0)
			return -1;
		w->now->files += w->now->met;
		all.by_digest += matched.by_digest;
		all.no_digest |= matched.no_digest;
		all.no_hash |= matched.no_hash;
		*not_compared |= matched.not_compared;
	}
	if (w->by_size || *not_compared)
		cmd_elsewhere_lacks(&w->lacks, &all);
	return all.by_digest > 0;
}

/* list_fn */
static int
cmd_claimed_file(void *arg, const struct file_answer *a)
{
	struct cmd_claimed *w = arg;
	bool not_compared;
	int has;

	/* What is not there, or without content, is counted by the list. */
	if (a->state == STATE_GONE || a->state == STATE_EMPTY || a->state == STATE_SKIPPED || a->state == STATE_UNREADABLE || a->size <= 0)
		return 0;
	has = cmd_claimed_ask(w, a, &not_compared);
	if (has < 0)
		return -1;
	w->files++;
	if (has)
		w->by_digest++;
	else if (w->by_size)
		w->by_name++;
	else if (not_compared)
		w->not_compared++;
	else {
		w->missing++;
		return out_file(w->out, a);
	}
	return 0;
}

/* claims_source_fn: take in what is known of a source that is asked. */
static int
cmd_claimed_source(void *arg, const struct claim_source *s, struct err *err)
{
	struct cmd_claimed *w = arg;

	(void)err;
	for (size_t i = 0; i < w->sources.n; i++) {
		struct cmd_claimed_source *our = &w->sources.v[i];

		if (strcmp(our->typed, s->name) != 0)
			continue;
		our->name = our->typed;
		our->kind = arena_str(&w->memory, s->kind);
		our->when = s->made >= 0 ? s->made : s->imported;
	}
	return 0;
}

/* Find the sources of --in.  Returns 0 or -1. */
static int
cmd_claimed_sources(struct cmd_claimed *w, const struct opt_list *in, struct err *err)
{
	for (size_t i = 0; i < in->n; i++) {
		const size_t len = strlen(in->v[i]);
		struct cmd_claimed_source s = { .when = 0 };

		if (len < 2 || in->v[i][len - 1] != ':' || strchr(in->v[i], '/') != NULL)
			return err_set(err, ERR_USAGE, "option '--in': '%s' is no name of claims with ':' behind it, such as cloud: (%s import --list); a directory is the second operand",
			               in->v[i], prog_name());
		s.typed = arena_dup(&w->memory, in->v[i], len - 1);
		for (size_t j = 0; j < w->sources.n; j++) {
			if (strcmp(w->sources.v[j].typed, s.typed) == 0)
				return err_set(err, ERR_USAGE, "option '--in': '%s' stands there twice", in->v[i]);
		}
		vec_push(&w->sources, s);
	}
	if (claims_sources(w->c->ix, cmd_claimed_source, w, err) < 0)
		return -1;
	for (size_t i = 0; i < w->sources.n; i++) {
		struct cmd_claimed_source *s = &w->sources.v[i];

		if (s->name == NULL)
			return err_set(err, ERR_USAGE, "option '--in': nothing was imported as '%s' (%s import FILE --as %s)", s->typed, prog_name(), s->typed);
		if (claims_sizeless(w->c->ix, s->name, &s->sizeless, err) < 0)
			return -1;
	}
	return 0;
}

/* Append "1,204 are in cloud: as lsjson said 3 days ago (sha256)" for each source. */
static void
cmd_claimed_add_sources(const struct cmd_claimed *w, struct buf *b)
{
	char x[NUM_SHOW_MAX];

	for (size_t i = 0; i < w->sources.n; i++) {
		const struct cmd_claimed_source *s = &w->sources.v[i];
		const char *between = " (";

		buf_addf(b, "%s%s in %s:", i > 0 ? ", " : "", num_show_things(s->files, "is", "are", x), s->name);
		buf_addf(b, " as %s said %s ago", s->kind, num_show_since(s->when, (int64_t)time(NULL), x));
		for (int k = 0; k < DIGEST_NONE; k++) {
			if ((s->kinds & DIGEST_BIT(k)) != 0) {
				buf_addf(b, "%s%s", between, digest_name((enum digest_kind)k));
				between = ", ";
			}
		}
		if (s->kinds != 0)
			buf_addc(b, ')');
	}
}

/* Tell the sums, and how more could be known. */
static void
cmd_claimed_tell(const struct cmd_claimed *w)
{
	const struct cmd_call *c = w->c;
	struct buf b = { 0 };
	char x[NUM_SHOW_MAX];

	buf_addf(&b, "of %s, ", num_show_things(w->files, "file", "files", x));
	cmd_claimed_add_sources(w, &b);
	buf_addf(&b, "; %s by size and name alone", num_show_count(w->by_name, x));
	if (w->not_compared > 0)
		buf_addf(&b, ", %s may be there under another name", num_show_count(w->not_compared, x));
	buf_addf(&b, ", %s nowhere there: claims (import), by which nothing goes", num_show_count(w->missing, x));
	cmd_message(c, "%s", buf_str(&b));
	buf_release(&b);
	cmd_elsewhere_end(&w->lacks, c);
}

/* Ask of all files of the operand.  Returns an answer, or -1. */
static int
cmd_claimed_run(struct cmd_claimed *w, struct err *err)
{
	const struct cmd_call *c = w->c;
	struct cmd_verdict *v = c->verdict;
	/* Copies of this machine do not matter. */
	static const char *const all = "/";
	const struct list_query q = { .copies = { .exclude = &all, .n_exclude = 1 }, .gap = cmd_count_gap, .gap_arg = v };
	const struct cmd_paths *paths = &c->target->paths;
	const struct out_style style = cmd_style(c, OUT_PATHS);
	struct list_totals totals = { .n = { 0 } };
	int ret;

	if (cmd_paths_known(c, paths, err) < 0)
		return -1;
	w->out = out_open(c->out, &style);
	ret = list_each(c->ix, paths->v, paths->n, &q, cmd_claimed_file, w, &totals, err);
	if (out_close(w->out, ret, err) < 0)
		return -1;
	/* The digests that a file has do not depend on what else was read. */
	v->all_read = true;
	/* What was not compared cannot disprove that another file is missing. */
	v->certain = w->missing > 0;
	(v->certain ? &v->end.gaps : &v->told)->files[GAP_UNPROVEN] += w->by_name + w->not_compared;
	cmd_claimed_tell(w);
	return w->missing > 0 ? CMD_NO : w->files > 0 ? CMD_CLAIMED : CMD_OK;
}

int
cmd_claimed(const struct cmd_call *c, const struct opt_list *in, struct err *err)
{
	struct cmd_claimed w = { .c = c, .err = err };
	int ret;

	if (c->n_operands != 1)
		return err_set(err, ERR_USAGE, "contained needs one directory beside --in NAME:, or two without it");
	if (c->with != NULL)
		return err_set(err, ERR_USAGE, "--in NAME: is about the claims of this index; --with is not for it");
	ret = cmd_claimed_sources(&w, in, err);
	if (ret == 0)
		ret = cmd_claimed_run(&w, err);
	vec_release(&w.sources);
	arena_release(&w.memory);
	return ret;
}
