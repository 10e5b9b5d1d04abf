/* SPDX-License-Identifier: MIT */
/*
 * twindex __complete - what may follow on a command line, for the completions of other shells
 * (completions/).  It prints no errors: the command that is typed will.
 */
#include "base/base.h"

#include "index/index.h"
#include "sys/resolve.h"
#include "cmd/cmd.h"
#include "cmd/cmd_records.h"
#include "shell/complete.h"

struct cmd_complete_args {
	bool null;
	const char *breaks;
};

static const struct opt cmd_complete_opts[] = {
	OPT_FLAG_('0', "null", struct cmd_complete_args, null, "a NUL byte stands behind each candidate, and another one behind what it is"),
	OPT_STRING_(0, "line", struct cmd_complete_args, breaks, "BREAKS",
	            "WORD is a line of sh up to the cursor; a candidate begins behind the last of BREAKS in its last word"),
	OPT_END
};

/* A completion on its way. */
struct cmd_complete {
	const struct cmd_call *c;
	const struct cmd_complete_args *a;
	struct index *ix;          /* once it was asked for */
};

/* Open the index for complete_ctx.open. */
static struct index *
cmd_complete_open(void *arg, const char *db)
{
	struct cmd_complete *k = arg;
	struct cmd_globals globals = *k->c->globals;
	struct err ignored = { 0 };

	if (db != NULL)
		globals.db = db;
	if (k->ix == NULL && cmd_open(&globals, 0, &k->ix, &ignored) < 0)
		k->ix = NULL;
	return k->ix;
}

/* complete_fn: print a candidate, and behind a tab what it is. */
static void
cmd_complete_print(void *arg, const char *word, size_t len, const char *about)
{
	const struct cmd_complete *k = arg;

	fwrite(word, 1, len, k->c->out);
	if (k->a->null || about != NULL)
		fputc(k->a->null ? '\0' : '\t', k->c->out);
	fputs(about != NULL ? about : "", k->c->out);
	fputc(k->a->null ? '\0' : '\n', k->c->out);
}

static int
cmd_complete_run(const struct cmd_call *c, struct err *err)
{
	struct cmd_complete k = { .c = c, .a = c->args };
	struct complete_ctx ctx = { .commands = c->env->commands, .open = cmd_complete_open, .arg = &k,
	                            .config = c->env->config, .outside = true };
	struct err ignored = { 0 };
	struct buf base = { 0 };

	(void)err;
	if (resolve_path(&base, ".", c->base, &ignored) == 0)
		ctx.base = base.data;
	if (k.a->breaks == NULL)
		complete_words(&ctx, c->operands, (size_t)c->n_operands, cmd_complete_print, &k);
	else if (c->n_operands > 0)
		complete_sh_line(&ctx, c->operands[0], k.a->breaks, cmd_complete_print, &k);
	index_close(k.ix);
	buf_release(&base);
	return CMD_OK;
}

const struct cmd cmd_complete = {
	.name = "__complete",
	.operands = "[WORD...]",
	.summary = "tell what may follow on a command line",
	.help = "WORDs are those of a command line up to the cursor, without the program's name.",
	.opts = cmd_complete_opts,
	.args_size = sizeof(struct cmd_complete_args),
	.run = cmd_complete_run,
};
