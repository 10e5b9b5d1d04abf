/* SPDX-License-Identifier: MIT */
/*
 * twindex rm - remove files of which a verified copy stays; twindex link - make links of them;
 * twindex rmsh - the same as a shell script, to read and edit first.
 *
 * What they have in common is cmd_act; here are their options.
 */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_act.h"
#include "cmd/cmd_records.h"

/* Options of all acts: those that say which files are meant, and how they are asked about. */
#define CMD_RM_WHICH_OPTS \
	OPT_FLAG_('r', "recursive", struct cmd_act_args, recursive, "PATH may be a directory: the files below it that have a copy"), \
	OPT_FLAG_(0, "marked", struct cmd_act_args, marked, "of the files at and below PATH, or of all, those marked drop"), \
	OPT_FLAG_(0, "include-hidden", struct cmd_act_args, hidden, "also in hidden directories and those of other users"),

#define CMD_RM_ASK_OPTS \
	OPT_FLAG_('n', "dry-run", struct cmd_act_args, dry_run, "only say what would be done"), \
	OPT_FLAG_('y', "yes", struct cmd_act_args, yes, "do not ask"), \
	OPT_FLAG_('i', "interactive", struct cmd_act_args, interactive, "ask for each file: y, n, a (all that follow), q (no more)"),

static const struct opt cmd_rm_opts[] = {
	CMD_RM_WHICH_OPTS
	CMD_RM_ASK_OPTS
	OPT_FLAG_(0, "prune-empty", struct cmd_act_args, prune, "remove the directories that are empty then"),
	OPT_FLAG_(0, "trust-cache", struct cmd_act_args, trust_cache, "compare with what memory has of copies, not with their disk"),
	OPT_FLAG_(0, "trash", struct cmd_act_args, trash, "move files into the trash of their volume"),
	OPT_STRING_(0, "plan", struct cmd_act_args, plan, "FILE", "act on just what -n --json planned (- is standard input): what has changed since stays"),
	OPT_END
};

static const struct opt cmd_rm_link_opts[] = {
	OPT_FLAG_(0, "hard", struct cmd_act_args, hard, "the file becomes another name of its copy"),
	OPT_FLAG_(0, "soft", struct cmd_act_args, soft, "the file becomes a symbolic link to its copy, a relative one"),
	OPT_FLAG_(0, "reflink", struct cmd_act_args, reflink, "the file shares its copy's blocks on the disk (btrfs, xfs), and stays one of its own"),
	OPT_FLAG_(0, "any-attributes", struct cmd_act_args, any_attributes, "also where owner, group, mode or extended attributes differ"),
	OPT_FLAG_(0, "trust-cache", struct cmd_act_args, trust_cache, "compare with what memory has of copies, not with their disk"),
	CMD_RM_WHICH_OPTS
	CMD_RM_ASK_OPTS
	OPT_STRING_(0, "plan", struct cmd_act_args, plan, "FILE", "act on just what -n --json planned (- is standard input): what has changed since stays"),
	OPT_END
};

static const struct opt cmd_rm_rmsh_opts[] = {
	CMD_RM_WHICH_OPTS
	OPT_FLAG_(0, "hardlink", struct cmd_act_args, hard, "files become other names of their copies, as by link --hard"),
	OPT_FLAG_(0, "link", struct cmd_act_args, soft, "files become symbolic links to their copies, as by link --soft"),
	OPT_FLAG_(0, "reflink", struct cmd_act_args, reflink, "files share their copies' blocks, as by link --reflink"),
	OPT_FLAG_(0, "trash", struct cmd_act_args, trash, "files go into the trash of their volume, as by rm --trash"),
	OPT_FLAG_(0, "any-attributes", struct cmd_act_args, any_attributes, "links also where owner, group, mode or extended attributes differ"),
	OPT_FLAG_(0, "portable", struct cmd_act_args, portable, "the script needs no twindex, but cmp, ln, mv and rm"),
	OPT_END
};

static int
cmd_rm_remove(const struct cmd_call *c, struct err *err)
{
	const struct cmd_act_args *a = c->args;

	return cmd_act_run(c, a->trash ? ACT_TRASH : ACT_REMOVE, false, err);
}

const struct cmd cmd_rm = {
	.name = "rm",
	.operands = "PATH...",
	.summary = "remove files of which a copy stays, compared byte by byte first",
	.help = "A file goes only if the index has a copy of it elsewhere than at and below PATH that is\n"
	        "there now with the same bytes; where all copies are below PATH, one stays: the one that\n"
	        "--keep chooses, without it one that is not hidden, and of these the last in the order of\n"
	        "paths.  What stays is listed: unique files, the last copies, what is marked keep.\n"
	        "Below PATH, hidden directories (.git and the like among them) and those of other users are\n"
	        "left alone, and always what is mounted read-only.  Every removal is in the journal beside\n"
	        "the index.  On a terminal it asks first; elsewhere it wants --yes, -i or -n.\n"
	        "Exit status 1: something stays; 3: something could not be judged or removed.",
	.opts = cmd_rm_opts,
	.args_size = sizeof(struct cmd_act_args),
	.flags = CMD_TALKS | CMD_CHOOSES | CMD_LETS_GO | CMD_TELLS | CMD_PATHS,
	.no = "some_stay",
	.run = cmd_rm_remove,
};

/* The kind of link that is asked for, or none: ACT_REMOVE. */
static enum act_kind
cmd_rm_link_kind(const struct cmd_act_args *a)
{
	return a->hard ? ACT_HARD : a->soft ? ACT_SOFT : a->reflink ? ACT_REFLINK : ACT_REMOVE;
}

static int
cmd_rm_link(const struct cmd_call *c, struct err *err)
{
	const struct cmd_act_args *a = c->args;

	if (a->hard + a->soft + a->reflink != (a->plan == NULL))
		return err_set(err, ERR_USAGE, a->plan != NULL ? "the plan says which links are to be made" : "link needs one of --hard, --soft and --reflink");
	return cmd_act_run(c, cmd_rm_link_kind(a), false, err);
}

const struct cmd cmd_link = {
	.name = "link",
	.operands = "PATH...",
	.summary = "make links of files of which a copy stays, compared first",
	.help = "What may be removed by rm becomes a link to the copy that stays, of the one kind that is\n"
	        "asked for.  Its name leads to its content at every moment.  A hard or soft link shows the\n"
	        "copy's owner, mode and times: a file with other owner, mode or attributes stays.  What is on\n"
	        "another volume than the copy stays, but for --soft.  A soft link leads nowhere once its copy\n"
	        "is gone.  What it says to be freed has gone from the disk.\n"
	        "Exit status 1: something stays; 3: something could not be judged or linked.",
	.opts = cmd_rm_link_opts,
	.args_size = sizeof(struct cmd_act_args),
	.flags = CMD_TALKS | CMD_CHOOSES | CMD_LETS_GO | CMD_TELLS | CMD_PATHS,
	.no = "some_stay",
	.run = cmd_rm_link,
};

static int
cmd_rm_rmsh(const struct cmd_call *c, struct err *err)
{
	const struct cmd_act_args *a = c->args;

	if (a->hard + a->soft + a->reflink + a->trash > 1)
		return err_set(err, ERR_USAGE, "rmsh takes one of --trash, --hardlink, --link and --reflink");
	if (a->any_attributes && !a->hard && !a->soft)
		return err_set(err, ERR_USAGE, "--any-attributes is for --hardlink and --link");
	if (a->trash && a->portable)
		return err_set(err, ERR_USAGE, "--portable knows no trash");
	if (a->reflink && a->portable)
		return err_set(err, ERR_USAGE, "--portable can't make reflinks: no command compares files while it makes them share blocks");
	return cmd_act_run(c, a->trash ? ACT_TRASH : cmd_rm_link_kind(a), true, err);
}

const struct cmd cmd_rmsh = {
	.name = "rmsh",
	.operands = "PATH...",
	.summary = "print what rm or link would do as a shell script, to edit first",
	.help = "Nothing is done.  The script has a line for each file that would go, or become a link, with\n"
	        "the copy that stays; when it runs, each line calls twindex, which looks at both then, and\n"
	        "compares them.  One that was cut short does nothing.  PATH and what stays are as for rm.",
	.opts = cmd_rm_rmsh_opts,
	.args_size = sizeof(struct cmd_act_args),
	.flags = CMD_TALKS | CMD_CHOOSES | CMD_LETS_GO | CMD_PATHS,
	.run = cmd_rm_rmsh,
};
