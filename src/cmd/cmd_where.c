/* SPDX-License-Identifier: MIT */
/* twindex where - files and directories of the index by their names. */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_records.h"
#include "query/answer.h"
#include "query/find.h"
#include "ui/quote.h"

enum cmd_where_type { WHERE_ANY, WHERE_FILE, WHERE_DIR };
static const char *const cmd_where_types[] = { "any", "file", "dir", NULL };

struct cmd_where_args {
	bool ignore_case, all;
	int type;             /* enum cmd_where_type */
	int64_t top;
};

static const struct opt cmd_where_opts[] = {
	OPT_FLAG_('a', "all", struct cmd_where_args, all, "the whole index, also in the shell, where no DIR means its directory"),
	OPT_FLAG_('i', "ignore-case", struct cmd_where_args, ignore_case, "upper and lower case are the same"),
	OPT_CHOICE_(0, "type", struct cmd_where_args, type, "TYPE", "only file (f) or dir (d); default: any", cmd_where_types),
	OPT_INT_('t', "top", struct cmd_where_args, top, "N", "only the first N"),
	OPT_END
};

/* A listing on its way. */
struct cmd_where {
	struct out *out;
	int64_t n, top;
};

/* find_fn: print one.  Returns 1 when there are enough. */
static int
cmd_where_print(void *arg, const struct found_answer *f)
{
	struct cmd_where *w = arg;

	if (out_found(w->out, f) < 0)
		return -1;
	return ++w->n == w->top ? 1 : 0;
}

/* find_fn: count one. */
static int
cmd_where_count(void *arg, const struct found_answer *f)
{
	(void)f;
	++*(int64_t *)arg;
	return 0;
}

/* Append the pattern of what contains a name: '*NAME*', a directory's with its slash behind. */
static void
cmd_where_containing(struct buf *b, const char *name)
{
	size_t len = strlen(name);

	while (len > 0 && name[len - 1] == '/')
		len--;
	buf_addc(b, '*');
	for (size_t i = 0; i < len; i++) {
		/* In a pattern it quotes. */
		if (name[i] == '\\')
			buf_addc(b, '\\');
		buf_addc(b, name[i]);
	}
	buf_addc(b, '*');
	if (name[len] != '\0')
		buf_addc(b, '/');
}

/* Append the command that finds what a pattern is for, as it is to be typed. */
static void
cmd_where_add_command(const struct cmd_call *c, struct buf *b, const char *pattern, bool ignore_case)
{
	const struct cmd_where_args *a = c->args;

	/* In the shell a command is a line. */
	if (c->env->ix == NULL)
		buf_addf(b, "%s ", prog_name());
	buf_addf(b, "where %s%s", a->all ? "-a " : "", ignore_case ? "-i " : "");
	if (a->type != WHERE_ANY)
		buf_addf(b, "--type %s ", cmd_where_types[a->type]);
	quote_sh(b, pattern);
	for (int i = 1; i < c->n_operands; i++) {
		buf_addc(b, ' ');
		quote_sh(b, c->operands[i]);
	}
}

/*
 * Append to a message that nothing has the name of q how many names contain it, and what finds
 * these; where none does, the same for upper and lower case as equal.  Returns 0 or -1.
 */
static int
cmd_where_hint(const struct cmd_call *c, const struct find_query *q, struct buf *b, struct err *err)
{
	struct find_query all = *q;
	struct buf pattern = { 0 };
	char text[NUM_SHOW_MAX];
	int64_t n = 0;
	int ret;

	/* A whole path contains nothing more; what hides a name cannot be typed. */
	if (glob_is_pattern(q->name) || q->name[0] == '/' || name_is_hostile(q->name, strlen(q->name)))
		return 0;
	cmd_where_containing(&pattern, q->name);
	all.name = buf_str(&pattern);
	ret = find_each(c->ix, &all, cmd_where_count, &n, err);
	if (ret == 0 && n == 0 && !q->ignore_case) {
		all.ignore_case = true;
		ret = find_each(c->ix, &all, cmd_where_count, &n, err);
	}
	if (ret == 0 && n > 0) {
		buf_addf(b, "; %s it%s: ", num_show_things(n, "name contains", "names contain", text),
		         all.ignore_case && !q->ignore_case ? " in other case" : "");
		cmd_where_add_command(c, b, all.name, all.ignore_case);
	}
	buf_release(&pattern);
	return ret;
}

static int
cmd_where_run(const struct cmd_call *c, struct err *err)
{
	const struct cmd_where_args *a = c->args;
	const struct out_style style = cmd_style(c, OUT_FOUND);
	const struct cmd_target *t = c->target;
	struct cmd_where w = { .top = a->top };
	const struct find_query q = {
		.name = c->operands[0], .ignore_case = a->ignore_case,
		.no_files = a->type == WHERE_DIR, .no_dirs = a->type == WHERE_FILE,
		.dirs = t->paths.v, .n_dirs = t->paths.n, .exclude = t->exclude.v, .n_exclude = t->exclude.n,
	};
	int ret;

	c->verdict->all_read = true;
	w.out = out_open(c->out, &style);
	ret = find_each(c->ix, &q, cmd_where_print, &w, err);
	ret = out_close(w.out, ret, err);
	if (ret < 0 || w.n > 0)
		return ret < 0 ? -1 : CMD_OK;
	if (!c->globals->quiet) {
		struct buf hint = { 0 };

		ret = cmd_where_hint(c, &q, &hint, err);
		if (ret == 0)
			cmd_message(c, "nothing in the index is named '%s'%s%s", c->operands[0], t->paths.n > 0 ? " there" : "", buf_str(&hint));
		buf_release(&hint);
	}
	cmd_paths_hint_all(c);
	return ret < 0 ? -1 : CMD_NO;
}

const struct cmd cmd_where = {
	.name = "where",
	.operands = "NAME [DIR...]",
	.summary = "find files and directories of the index by name",
	.help = "NAME is the whole name, or a pattern with *, ? or [a-z] in it.  With a slash in it, it is\n"
	        "compared with the end of the path.  With DIR, only what is there or below (without, in\n"
	        "the shell, below its directory).  As of the last scan.  Exit status 1: nothing has that\n"
	        "name; it says how many names contain it.",
	.opts = cmd_where_opts,
	.args_size = sizeof(struct cmd_where_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_PATHS | CMD_NAMED | CMD_HERE | CMD_DIRS | CMD_KNOWN,
	.run = cmd_where_run,
};
