/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_elsewhere.h"

#include <time.h>

#include "cmd/cmd.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"

/* Claims of a file that are shown, and the blanks before them: those of its copies. */
enum { ELSEWHERE_SHOWN = 5, ELSEWHERE_INDENT = 12 };

void
cmd_elsewhere_lacks(struct cmd_elsewhere *e, const struct claims_matched *m)
{
	if (m->by_digest > 0)
		return;
	e->no_digest += m->no_digest && !m->no_hash;
	e->no_hash += m->no_hash;
}

/* claims_match_fn: collect it. */
static void
cmd_elsewhere_add(void *arg, const struct claims_match *m)
{
	struct cmd_elsewhere *e = arg;

	vec_push(&e->claims, ((struct file_claim){
		.source = arena_str(&e->of_file, m->source), .kind = arena_str(&e->of_file, m->kind), .made = m->when,
		.digest = m->digest != DIGEST_NONE ? digest_name(m->digest) : NULL, .name = arena_dup(&e->of_file, m->name, m->name_len) }));
}

/* Append a line for people. */
static void
cmd_elsewhere_add_line(struct buf *b, const struct file_claim *claim)
{
	char x[NUM_SHOW_MAX];

	buf_addf(b, "%*sin %s: ", ELSEWHERE_INDENT, "", claim->source);
	if (claim->digest != NULL)
		buf_addf(b, "as %s says", claim->digest);
	else
		buf_adds(b, "by size and name alone");
	buf_addf(b, " (%s, %s ago): ", claim->kind, num_show_since(claim->made, (int64_t)time(NULL), x));
	name_show(b, claim->name, strlen(claim->name));
	buf_addc(b, '\n');
}

int
cmd_elsewhere_check(const struct cmd_call *c, struct err *err)
{
	if (!c->ix->claims)
		return err_set(err, ERR_USAGE, "--elsewhere: nothing was imported yet (%s import FILE --as NAME)", prog_name());
	return 0;
}

int
cmd_elsewhere_about(const struct cmd_call *c, const struct file_answer *a, struct file_row *row, struct claims_about *about, struct err *err)
{
	const int ret = dirs_find_file(c->ix->db, a->path, row, err);
	/* What was written since the scan has another digest than its row. */
	const bool same = ret == 1 && a->state != STATE_CHANGED && row->size == a->size && row->inode.number == a->inode &&
	                  row->mtime.sec == a->mtime.sec && row->mtime.nsec == a->mtime.nsec;

	*about = (struct claims_about){ .row = same ? row : NULL, .name = path_base(a->path), .size = a->size };
	return ret < 0 ? -1 : 0;
}

/* Find the claims about a file that is not empty.  Returns 0 or -1. */
static int
cmd_elsewhere_match(const struct cmd_call *c, const struct file_answer *a, claims_match_fn *fn, void *arg, struct claims_matched *matched,
                    struct err *err)
{
	struct claims_about about;
	struct file_row row;

	return cmd_elsewhere_about(c, a, &row, &about, err) < 0 ? -1 : claims_match(c->ix, &about, fn, arg, matched, err);
}

/* Print for people what was collected of a file. */
static void
cmd_elsewhere_print(const struct cmd_elsewhere *e, const struct cmd_call *c, bool no_digest)
{
	struct buf b = { 0 };
	char x[NUM_SHOW_MAX];

	for (size_t i = 0; i < e->claims.n && i < ELSEWHERE_SHOWN; i++)
		cmd_elsewhere_add_line(&b, &e->claims.v[i]);
	if (e->claims.n == 0)
		buf_addf(&b, "%*snowhere else%s\n", ELSEWHERE_INDENT, "", no_digest ? " by size and name" : ", as size, name and digest say");
	else if (e->claims.n > ELSEWHERE_SHOWN)
		buf_addf(&b, "%*s%s more\n", ELSEWHERE_INDENT, "", num_show_count((int64_t)e->claims.n - ELSEWHERE_SHOWN, x));
	fwrite(b.data, 1, b.len, c->out);
	buf_release(&b);
}

int
cmd_elsewhere_file(struct cmd_elsewhere *e, const struct cmd_call *c, struct out *out, const struct file_answer *a, struct err *err)
{
	const bool asked = a->state != STATE_GONE && a->state != STATE_EMPTY && a->size > 0;
	struct claims_matched matched = { .no_digest = false };
	struct file_answer with = *a;

	e->claims.n = 0;
	arena_clear(&e->of_file);
	if (asked && cmd_elsewhere_match(c, a, cmd_elsewhere_add, e, &matched, err) < 0)
		return -1;
	cmd_elsewhere_lacks(e, &matched);
	with.claims = e->claims.v;
	with.n_claims = e->claims.n;
	if (out_file(out, &with) < 0)
		return -1;
	if (asked && c->listing->format == OUT_TEXT)
		cmd_elsewhere_print(e, c, matched.no_digest);
	return 0;
}

void
cmd_elsewhere_end(const struct cmd_elsewhere *e, const struct cmd_call *c)
{
	char x[NUM_SHOW_MAX];

	if (e->no_digest > 0)
		cmd_notice(c, "%s no digest to compare with claims: '%s digest' computes it, with --sizes-of NAME only where a size fits",
		           num_show_things(e->no_digest, "file has", "files have", x), prog_name());
	if (e->no_hash > 0)
		cmd_notice(c, "%s not read whole, and can't be compared with the hashes of another index: '%s scan --hash-all' reads all",
		           num_show_things(e->no_hash, "file was", "files were", x), prog_name());
}

void
cmd_elsewhere_note(struct cmd_elsewhere *e, const struct file_answer *a)
{
	struct file_answer *noted;

	if (a->size <= 0)
		return;
	noted = vec_add(&e->noted);
	*noted = (struct file_answer){ .path = arena_str(&e->memory, a->path), .state = a->state, .size = a->size, .inode = a->inode, .mtime = a->mtime };
}

/* claims_match_fn: count a file once for each source. */
static void
cmd_elsewhere_count(void *arg, const struct claims_match *m)
{
	struct cmd_elsewhere *e = arg;
	struct cmd_elsewhere_source *s;
	size_t i = 0;

	while (i < e->sources.n && strcmp(e->sources.v[i].name, m->source) != 0)
		i++;
	if (i == e->sources.n)
		vec_push(&e->sources, ((struct cmd_elsewhere_source){ .name = arena_str(&e->memory, m->source) }));
	s = &e->sources.v[i];
	if (s->last == e->at)
		return;
	s->last = e->at;
	s->by_digest += m->digest != DIGEST_NONE;
	s->by_size += m->digest == DIGEST_NONE;
}

int
cmd_elsewhere_sum(struct cmd_elsewhere *e, const struct cmd_call *c, const char *files, struct err *err)
{
	struct claims_matched matched;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	for (e->at = 1; e->at <= e->noted.n; e->at++) {
		if (cmd_elsewhere_match(c, &e->noted.v[e->at - 1], cmd_elsewhere_count, e, &matched, err) < 0)
			return -1;
		cmd_elsewhere_lacks(e, &matched);
		e->nowhere += matched.by_digest + matched.by_size == 0;
	}
	for (size_t i = 0; i < e->sources.n; i++) {
		const struct cmd_elsewhere_source *s = &e->sources.v[i];

		cmd_message(c, "of %s, %s in %s by digest, %s by size and name alone: a claim (import), which no answer counts",
		            files, num_show_things(s->by_digest, "is", "are", x), s->name, num_show_count(s->by_size, y));
	}
	if (e->noted.n > 0)
		cmd_message(c, "of %s, %s in no place that was imported", files, num_show_things(e->nowhere, "is", "are", x));
	cmd_elsewhere_end(e, c);
	return 0;
}

void
cmd_elsewhere_release(struct cmd_elsewhere *e)
{
	vec_release(&e->noted);
	vec_release(&e->claims);
	arena_release(&e->of_file);
	vec_release(&e->sources);
	arena_release(&e->memory);
}
