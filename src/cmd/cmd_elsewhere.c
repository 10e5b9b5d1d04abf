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

/* Lines below a file. */
struct cmd_elsewhere_lines {
	struct buf b;
	int64_t n;
};

/* claims_match_fn */
static void
cmd_elsewhere_add(void *arg, const struct claims_match *m)
{
	struct cmd_elsewhere_lines *l = arg;
	const int64_t age = num_sub((int64_t)time(NULL), m->when);
	char x[NUM_SHOW_MAX];

	if (l->n++ >= ELSEWHERE_SHOWN)
		return;
	buf_addf(&l->b, "%*sin %s: ", ELSEWHERE_INDENT, "", m->source);
	if (m->digest != DIGEST_KINDS)
		buf_addf(&l->b, "as %s says", digest_name(m->digest));
	else
		buf_adds(&l->b, "by size and name alone");
	buf_addf(&l->b, " (%s, %s ago): ", m->kind, num_show_duration(num_mul(age > 0 ? age : 0, 1000000000), x));
	name_show(&l->b, m->name, m->name_len);
	buf_addc(&l->b, '\n');
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

int
cmd_elsewhere_file(struct cmd_elsewhere *e, const struct cmd_call *c, const struct file_answer *a, struct err *err)
{
	struct cmd_elsewhere_lines l = { .n = 0 };
	struct claims_matched matched;
	char x[NUM_SHOW_MAX];
	int ret;

	if (a->state == STATE_GONE || a->state == STATE_EMPTY || a->size <= 0)
		return 0;
	ret = cmd_elsewhere_match(c, a, cmd_elsewhere_add, &l, &matched, err);
	if (ret == 0) {
		e->no_digest += matched.no_digest;
		if (l.n == 0)
			buf_addf(&l.b, "%*snowhere else%s\n", ELSEWHERE_INDENT, "",
			         matched.no_digest ? " by size and name" : ", as size, name and digest say");
		else if (l.n > ELSEWHERE_SHOWN)
			buf_addf(&l.b, "%*s%s more\n", ELSEWHERE_INDENT, "", num_show_count(l.n - ELSEWHERE_SHOWN, x));
		fwrite(l.b.data, 1, l.b.len, c->out);
	}
	buf_release(&l.b);
	return ret;
}

void
cmd_elsewhere_end(const struct cmd_elsewhere *e, const struct cmd_call *c)
{
	char x[NUM_SHOW_MAX];

	if (e->no_digest > 0)
		cmd_notice(c, "%s no digest to compare with claims: '%s digest' computes it, with --sizes-of NAME only where a size fits",
		           num_show_things(e->no_digest, "file has", "files have", x), prog_name());
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
	s->by_digest += m->digest != DIGEST_KINDS;
	s->by_size += m->digest == DIGEST_KINDS;
}

int
cmd_elsewhere_sum(struct cmd_elsewhere *e, const struct cmd_call *c, const char *files, struct err *err)
{
	struct claims_matched matched;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	for (e->at = 1; e->at <= e->noted.n; e->at++) {
		if (cmd_elsewhere_match(c, &e->noted.v[e->at - 1], cmd_elsewhere_count, e, &matched, err) < 0)
			return -1;
		e->no_digest += matched.no_digest;
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
	vec_release(&e->sources);
	arena_release(&e->memory);
}
