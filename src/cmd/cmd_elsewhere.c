/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_elsewhere.h"

#include <time.h>

#include "cmd/cmd.h"
#include "index/claims_match.h"
#include "index/dirs.h"
#include "index/file.h"
#include "index/index.h"
#include "query/answer.h"

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
	if (m->digest != CLAIM_KINDS)
		buf_addf(&l->b, "as %s says", claim_kind_name(m->digest));
	else
		buf_adds(&l->b, "by size and name alone");
	buf_addf(&l->b, " (%s, %s ago): ", m->kind, num_show_duration(num_mul(age > 0 ? age : 0, 1000000000), x));
	name_show(&l->b, m->name, m->name_len);
	buf_addc(&l->b, '\n');
}

int
cmd_elsewhere_check(const struct cmd_call *c, struct err *err)
{
	if (cmd_style(c, OUT_STATES).format != OUT_TEXT)
		return err_set(err, ERR_USAGE, "--elsewhere adds lines for people: other formats than text have no place for them");
	if (!c->ix->claims)
		return err_set(err, ERR_USAGE, "--elsewhere: nothing was imported yet (%s import FILE --as NAME)", prog_name());
	return 0;
}

int
cmd_elsewhere_file(struct cmd_elsewhere *e, const struct cmd_call *c, const struct file_answer *a, struct err *err)
{
	struct cmd_elsewhere_lines l = { .n = 0 };
	struct claims_matched matched;
	struct file_row row;
	char x[NUM_SHOW_MAX];
	bool same = false;
	int ret;

	if (a->state == STATE_GONE || a->state == STATE_EMPTY || a->size <= 0)
		return 0;
	ret = dirs_find_file(c->ix->db, a->path, &row, err);
	/* What was written since the scan has another digest than its row. */
	if (ret == 1)
		same = a->state != STATE_CHANGED && row.size == a->size && row.inode.number == a->inode &&
		       row.mtime.sec == a->mtime.sec && row.mtime.nsec == a->mtime.nsec;
	if (ret >= 0)
		ret = claims_match(c->ix, same ? &row : NULL, path_base(a->path), a->size, cmd_elsewhere_add, &l, &matched, err);
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
