/* SPDX-License-Identifier: MIT */
/*
 * A call of a command goes through cmd_run: the options of the command, of listings and of all are
 * parsed into structs of this call (struct cmd_call points to them), --help is answered, the index
 * is opened and the operands are resolved as the command's flags say, the command runs, and what
 * was opened is closed.  In a shell the index of the session is lent to commands that only read.
 * cmd_call, around it, flushes what the command printed and turns a failure into a message and an
 * exit status.  Nothing is kept from one call to the next.
 */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_wholes.h"
#include "index/dirs.h"
#include "index/index.h"
#include "index/offline_dirs.h"
#include "index/timeless.h"
#include "query/indexes.h"
#include "query/list.h"
#include "sys/fs.h"
#include "sys/resolve.h"
#include "ui/ls_colors.h"
#include "cmd/cmd_paths.h"

static int
cmd_open_index(struct cmd_call *c, struct err *err)
{
	const enum cmd_flags f = c->cmd->flags;
	int how = 0;

	if ((f & (CMD_READS | CMD_WRITES)) == 0)
		return 0;
	if (c->env->ix != NULL && (f & (CMD_WRITES | CMD_VIEWS)) == 0 && c->globals->db == c->env->globals.db) {
		c->ix = c->env->ix;
		return cmd_declare(c->globals, c->ix, err);
	}
	if ((f & CMD_WRITES) != 0)
		how |= INDEX_WRITE | INDEX_EXISTING;
	if ((f & CMD_VIEWS) != 0)
		how |= INDEX_VIEWS;
	return cmd_open(c->globals, how, &c->ix, err);
}

/* Whose offline directories are noted. */
struct cmd_offline {
	struct cmd_call *c;
	bool other;               /* another index than that of the call */
	struct err *err;
};

/*
 * offline_dirs_fn: note the path, once; that of another index unless this one has something else
 * there.
 */
static int
cmd_add_offline(void *arg, const char *path)
{
	const struct cmd_offline *of = arg;
	struct cmd_paths *offline = &of->c->offline;
	const int known = of->other ? list_knows(of->c->ix, path, of->err) : 0;

	if (known == 0 && !path_is_below_any(path, offline->v, offline->n))
		vec_push(offline, mem_str(path));
	return known < 0 ? -1 : 0;
}

/* With --online: find the offline directories of all indexes, and tell them. */
static int
cmd_find_offline(struct cmd_call *c, const struct indexes *others, struct err *err)
{
	const char *words = NULL;
	char text[NUM_SHOW_MAX];
	int64_t dir;
	int found;

	if (!c->listing->online || c->ix == NULL)
		return 0;
	for (size_t i = 0; i <= others->others.n; i++) {
		struct index *ix = i > 0 ? others->others.v[i - 1]->ix : c->ix;

		if (offline_dirs_each(ix, cmd_add_offline, &(struct cmd_offline){ c, i > 0, err }, err) < 0)
			return -1;
	}
	/* Of volumes none is left out because a root is gone. */
	if (c->offline.n == 0 || (c->cmd->flags & CMD_OF_VOLUMES) != 0)
		return 0;
	found = dirs_find(c->ix->db, c->offline.v[0], &dir, err);
	if (found < 0 || (found == 1 && drawer_words_of_dir(&c->ix->drawer, c->ix->db, dir, &words, err) < 0))
		return -1;
	cmd_notice(c, "offline, and left out: %s%s%s%s%s%s", c->offline.v[0], words != NULL ? " (" : "", words != NULL ? words : "",
	           words != NULL ? ")" : "", c->offline.n > 1 ? " and " : "",
	           c->offline.n > 1 ? num_show_things((int64_t)c->offline.n - 1, "other", "others", text) : "");
	return 0;
}

/* Whether the file at path is that of an index which is open already. */
static bool
cmd_is_open(const struct indexes *s, const char *path)
{
	struct fs_stat st, other;

	if (fs_stat_path(path, &st) < 0)
		return false;
	for (size_t i = 0; i <= s->others.n; i++) {
		const struct index *ix = i == 0 ? s->ix : s->others.v[i - 1]->ix;

		if (fs_stat_path(ix->path, &other) == 0 && st.dev == other.dev && st.inode == other.inode)
			return true;
	}
	return false;
}

/* Open the indexes of --with.  One that is this index, or named twice, is asked once. */
static int
cmd_open_others(struct indexes *s, const struct cmd_call *c, const struct opt_list *with, struct err *err)
{
	int ret = with->n > 0 ? indexes_open(s, c->ix, err) : 0;

	for (size_t i = 0; ret == 0 && i < with->n; i++) {
		struct index *ix = NULL;
		struct buf path = { 0 };

		ret = resolve_path_of_file(&path, with->v[i], err);
		if (ret == 0 && !cmd_is_open(s, buf_str(&path))) {
			ret = index_open(&ix, buf_str(&path), (enum index_flags)0, NULL, err);
			if (ret == 0)
				ret = indexes_add(s, ix, with->v[i], err);
		}
		buf_release(&path);
		if (ret < 0)
			err_prefix(err, "--with");
	}
	return ret;
}

enum settings_use
cmd_config_use(const struct cmd_env *env, int argc, char *const *argv)
{
	const enum settings_use use = env->config != NULL ? settings_use(argc, argv) : SETTINGS_NONE;

	return use == SETTINGS_ALL && env->globals.settings_protect ? SETTINGS_PROTECT : use;
}

/* Behind an unknown option: what makes -r needless, or where all options are shown. */
static void
cmd_hint_options(const struct cmd *cmd, struct err *err)
{
	struct buf b = { 0 };
	bool recursive = false;

	if (strncmp(err->text, "unknown option '", strlen("unknown option '")) != 0 || strchr(err->text, '?') != NULL)
		return;
	for (const char *const *word = (const char *const[]){ "'-r'", "'-R'", "'--recursive'", NULL }; *word != NULL; word++)
		recursive |= strstr(err->text, *word) != NULL;
	buf_adds(&b, err->text);
	if (recursive)
		buf_addf(&b, ": %s takes directories with all that is below them", cmd->name);
	else
		buf_addf(&b, ": see '%s help %s'", prog_name(), cmd->name);
	err_set(err, err->code, "%s", buf_str(&b));
	buf_release(&b);
}

/* Rules that were typed replace the n of the config file, which would decide first. */
static void
cmd_yield_rules(struct cmd_choice *choice, size_t n)
{
	if (choice->keep.n == n)
		return;
	memmove(choice->keep.v, choice->keep.v + n, (choice->keep.n - n) * sizeof(*choice->keep.v));
	choice->keep.n -= n;
}

/* Parse, open, run.  Returns an exit status or -1. */
static int
cmd_run(const struct cmd_env *env, const struct cmd *cmd, int argc, char **argv, struct cmd_verdict *verdict, struct err *err)
{
	struct cmd_globals globals = env->globals;
	struct cmd_listing listing = env->listing;
	struct cmd_choice choice = { .copies = 0 };
	struct cmd_wholes wholes = { .inside = false };
	struct cmd_with with = { .indexes = { .n = 0 } };
	struct indexes indexes = { .ix = NULL };
	void *args = mem_zalloc(1, cmd->args_size + 1);
	struct cmd_call c = { .cmd = cmd, .args = args, .globals = &globals, .listing = &listing, .choice = &choice, .wholes = &wholes, .operands = argv,
	                      .env = env, .out = env->out, .msg = env->msg, .base = env->base, .tty = env->tty, .verdict = verdict };
	const struct opt_target shared[] = { { cmd_global_opts, &globals, NULL }, { cmd_listing_opts, &listing, NULL },
	                                     { cmd_choice_opts, &choice, NULL }, { cmd_wholes_opts, &wholes, NULL },
	                                     { cmd_with_opts, &with, NULL }, { cmd_json_opts, &listing, NULL } };
	const enum settings_use use = cmd_config_use(env, argc, argv);
	struct opt_target targets[CMD_TABLES];
	uint64_t given[CMD_TABLES] = { 0 };
	struct ls_colors *names = NULL;
	struct cmd_target target = { .paths = { 0 } };
	size_t n_rules;
	int ret = -1;

	/* --si and --bytes of this call replace the units of the session. */
	listing.si = listing.bytes = false;
	if (cmd->defaults != NULL)
		memcpy(args, cmd->defaults, cmd->args_size);
	cmd_tables(cmd, targets);
	for (size_t i = 0; targets[i].opts != NULL; i++) {
		targets[i].values = args;
		for (size_t j = 0; j < sizeof(shared) / sizeof(*shared); j++) {
			if (targets[i].opts == shared[j].opts)
				targets[i] = shared[j];
		}
	}
	if (use == SETTINGS_NONE)
		globals.backups = NULL;
	if (use != SETTINGS_NONE && settings_apply(env->config, use, cmd->name, targets, err) < 0)
		goto out;
	n_rules = choice.keep.n;
	for (size_t i = 0; targets[i].opts != NULL; i++)
		targets[i].given = &given[i];
	if (opt_parse(targets, argc, argv, false, &c.n_operands, err) < 0) {
		cmd_hint_options(cmd, err);
		goto out;
	}
	settings_yield(targets);
	if (env->ix == NULL)
		prog_set_index(globals.db != env->config_db ? globals.db : NULL);
	c.given = given[0];
	cmd_yield_rules(&choice, n_rules);
	for (size_t i = 0; targets[i].opts != NULL; i++)
		choice.typed |= targets[i].opts == cmd_choice_opts && given[i] != 0;
	if (globals.help) {
		struct buf help = { 0 };

		cmd_usage(&help, cmd);
		fputs(buf_str(&help), c.out);
		buf_release(&help);
		verdict->format = OUT_TEXT;
		ret = CMD_OK;
		goto out;
	}
	if ((cmd->flags & CMD_LETS_GO) != 0 && use != SETTINGS_NONE && env->config->ignored != NULL) {
		err_set(err, ERR_USAGE, "%s refuses to act while '%s' is ignored, which may protect files (--no-config acts without it)",
		        cmd->name, env->config->path);
		goto out;
	}
	if (cmd_wholes_check(&wholes, err) < 0)
		goto out;
	if ((cmd->flags & CMD_NO_PATHS) != 0 && c.n_operands > 0) {
		err_set(err, ERR_USAGE, "%s takes no operand: '%s'", cmd->name, argv[0]);
		goto out;
	}
	if (!listing.si && !listing.bytes) {
		listing.si = env->listing.si;
		listing.bytes = env->listing.bytes;
	}
	if (listing.links_unique && listing.links_copies) {
		err_set(err, ERR_USAGE, "--hardlink-is-unique and --hardlink-is-copy exclude each other");
		goto out;
	}
	if (listing.json)
		listing.format = OUT_JSON;
	if (listing.null)
		listing.format = OUT_NULL;
	verdict->call = &c;
	verdict->format = (cmd->flags & CMD_LISTS) != 0 || listing.json ? (enum out_format)listing.format : OUT_TEXT;
	if (c.tty && !listing.absolute && listing.format == OUT_TEXT)
		near_find(&c.near, c.base);
	if (c.tty && cmd_style(&c, OUT_PATHS).color)
		names = ls_colors_new(getenv("LS_COLORS"));
	c.names = names;
	if (cmd_open_index(&c, err) < 0 || cmd_open_others(&indexes, &c, &with.indexes, err) < 0 || cmd_find_offline(&c, &indexes, err) < 0)
		goto out;
	if (indexes.others.n > 0)
		c.with = &indexes;
	c.target = &target;
	if (cmd_paths_open(&c, err) < 0)
		goto out;
	ret = cmd_exit_status(&c, cmd->run(&c, err), err);
	if (c.ix != NULL)
		timeless_forget(c.ix);
	if (ret >= 0)
		cmd_end_answer(c.out, verdict, ret);
	assert(ret >= 0 || (ret == -1 && err->code != ERR_NONE));
out:
	cmd_paths_release(&target.paths);
	cmd_paths_release(&target.exclude);
	cmd_paths_release(&target.in);
	indexes_close(&indexes);
	if (c.ix != env->ix)
		index_close(c.ix);
	cmd_paths_release(&c.offline);
	near_release(&c.near);
	ls_colors_free(names);
	for (size_t i = 0; targets[i].opts != NULL; i++)
		opt_release(targets[i].opts, targets[i].values);
	free(args);
	return ret;
}

int
cmd_call(const struct cmd_env *env, const struct cmd *cmd, int argc, char **argv)
{
	const bool json = (cmd->flags & (CMD_LISTS | CMD_TELLS)) != 0;
	const enum out_format usual = (cmd->flags & CMD_LISTS) != 0 ? (enum out_format)env->listing.format : OUT_TEXT;
	struct cmd_verdict verdict = { .format = json ? cmd_asked_format(usual, argc, argv) : OUT_TEXT,
	                               .end = { .yes = cmd->yes, .no = cmd->no } };
	struct err err = { 0 };
	int ret = cmd_run(env, cmd, argc, argv, &verdict, &err);

	/* Output of the command that went around the printers. */
	if ((fflush(env->out) != 0 || ferror(env->out) != 0) && ret >= 0) {
		err.code = ERR_NONE;
		err_sys(&err, "write results");
		err.code = ERR_OUTPUT;
		ret = -1;
	}
	return ret >= 0 ? ret : cmd_fail_answer(env->out, env->msg, env->place, &verdict, &err);
}

int
cmd_execute(const struct cmd_env *env, int argc, char **argv)
{
	const struct cmd *cmd = cmd_find(env->commands, argv[0]);
	struct err err = { 0 };

	if (cmd == NULL) {
		cmd_unknown(env->commands, argv[0], NULL, 0, &err);
		return cmd_refuse(env, argc, argv, &err);
	}
	return cmd_call(env, cmd, argc - 1, argv + 1);
}
