/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "cmd/cmd_archives.h"

#include <sys/stat.h>

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "query/archive_index.h"
#include "query/indexes.h"
#include "query/list.h"
#include "sys/fs.h"

/* What an archive has besides the members that are asked about. */
#define CMD_ARCHIVES_NOT "symbolic links, permissions and what is no file were not"

void
cmd_archives_release(struct cmd_archives *a)
{
	inside_release(&a->dir);
	for (size_t i = 0; i < a->in.n; i++)
		inside_release(&a->in.v[i]);
	vec_release(&a->in);
}

int
cmd_archives_named(const struct cmd_call *c, const struct opt_list *in, struct err *err)
{
	struct cmd_paths paths = { 0 };
	struct fs_stat st;
	int ret = in->n > 0;

	for (size_t i = 0; ret == 1 && i < in->n; i++)
		ret = in->v[i][0] != '\0' && in->v[i][strlen(in->v[i]) - 1] != ':';
	if (ret == 1 && cmd_paths_add(c, in->v, in->n, &paths, err) < 0)
		ret = -1;
	for (size_t i = 0; ret == 1 && i < paths.n; i++)
		ret = fs_stat_path(paths.v[i], &st) == 0 && S_ISREG(st.mode);
	for (size_t i = 0; ret == 1 && i < paths.n; i++)
		vec_push(&c->target->in, mem_str(paths.v[i]));
	cmd_paths_release(&paths);
	return ret;
}

/* list_fn */
static int
cmd_archives_ignore(void *arg, const struct file_answer *a)
{
	(void)arg;
	(void)a;
	return 0;
}

int
cmd_archives_find(struct cmd_archives *a, const struct cmd_call *c, const char *dir, const char *const *in, size_t n_in, struct err *err)
{
	struct inside found;
	struct list_totals totals = { .n = { 0 } };
	const struct list_query q = {
		.copies = { .exclude = c->target->exclude.v, .n_exclude = c->target->exclude.n, .in = in, .n_in = n_in, .with = c->with,
		            .links_are_unique = c->listing->links_unique },
	};
	int ret = inside_find(c->ix, dir, &a->dir, err);

	for (size_t i = 0; ret >= 0 && i < n_in; i++) {
		ret = inside_find(c->ix, in[i], &found, err);
		if (ret == 1)
			vec_push(&a->in, found);
	}
	if (ret < 0)
		return -1;
	if (a->in.n > 0 && a->dir.path != NULL) {
		cmd_notice(c, "both are archives: asked about is the file '%s' itself, not what it holds", c->operands[0]);
		cmd_archives_release(a);
	}
	if (a->in.n > 0 && a->in.n < n_in)
		return err_set(err, ERR_USAGE, "option '--in': members of archives count, or files: a question about both is not answered");
	if (a->in.n == 0 && c->target->in.n > 0 && a->dir.path == NULL)
		return err_set(err, ERR_USAGE, "option '--in': no archive that is there as scan --archives has opened it: scan it again, or name a directory as B");
	if (a->in.n > 0 || a->dir.path == NULL)
		return 0;
	/* A file that has a copy, or a link, answers for itself. */
	if (list_each(c->ix, &dir, 1, &q, cmd_archives_ignore, NULL, &totals, err) < 0)
		return -1;
	if (totals.n[STATE_DUP] + totals.n[STATE_LINKED] > 0)
		inside_release(&a->dir);
	return 0;
}

int
cmd_archives_judge(const struct cmd_archives *a, const struct cmd_call *c, struct file_answer *f, struct err *err)
{
	enum inside_has has = INSIDE_LACKS;
	const char *why = NULL, *unsure = NULL;

	for (size_t i = 0; i < a->in.n && has != INSIDE_HAS; i++) {
		if (inside_has(c->ix, &a->in.v[i], f->size, f->hash, &has, &why, err) < 0)
			return -1;
		if (has == INSIDE_UNSURE)
			unsure = why;
	}
	f->state = has == INSIDE_HAS ? STATE_DUP : unsure != NULL ? STATE_UNKNOWN : STATE_UNIQUE;
	f->why = f->state == STATE_UNKNOWN ? unsure : NULL;
	f->offline = false;
	f->members = NULL;
	f->n_members = 0;
	if (f->state == STATE_UNKNOWN)
		cmd_count_gap(c->verdict, f->path, GAP_UNPROVEN, false, unsure);
	return 0;
}

void
cmd_archives_tell(const struct cmd_archives *a, const struct cmd_call *c)
{
	char x[NUM_SHOW_MAX];

	if (c->globals->quiet)
		return;
	if (a->dir.path != NULL)
		cmd_message(c, "'%s' is an archive without a copy of its own there: its %s looked for; " CMD_ARCHIVES_NOT,
		            c->operands[0], a->dir.a.members == 1 ? "only member was" : num_show_things(a->dir.a.members, "member was", "members were", x));
	else if (a->in.n > 0)
		cmd_message(c, "looked for among the members of %s as they were when %s opened: no act relies on these",
		            a->in.n == 1 ? "an archive" : "archives", a->in.n == 1 ? "it was" : "they were");
}

int
cmd_archives_add(const struct cmd_call *c, const struct inside *in, bool within, struct indexes *all, const char **path, struct err *err)
{
	struct buf top = { 0 };
	struct index *ix;

	if (all->ix == NULL && indexes_open(all, c->ix, err) < 0)
		return -1;
	if (archive_index_open(&ix, c->ix, in, within, within ? cmd_count_gap : NULL, c->verdict, err) < 0 || indexes_add(all, ix, in->path, err) < 0)
		return -1;
	if (in->a.why != PACKED_GOOD)
		cmd_count_gap(c->verdict, in->path, GAP_UNPROVEN, true, packed_why_text(in->a.why));
	archive_index_path(in, &top);
	free((void *)(uintptr_t)*path);
	*path = buf_take(&top);
	return 0;
}

void
cmd_archives_tell_opened(const struct cmd_call *c, size_t n)
{
	if (n > 0 && !c->globals->quiet)
		cmd_message(c, n == 1 ? "the members of an archive were compared as they were when it was opened; " CMD_ARCHIVES_NOT
		                      : "the members of %zu archives were compared as they were when these were opened; " CMD_ARCHIVES_NOT, n);
}
