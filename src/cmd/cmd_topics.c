/* SPDX-License-Identifier: MIT */
/*
 * The texts of help's topics.  Each fits a terminal of 24 lines with its prompt.  A test runs every
 * line that begins with two blanks and twindex, and the config file of the topic config.
 */
#include "base/base.h"

#include "cmd/cmd_topics.h"

const struct cmd_topic cmd_topics[] = {
	{ "examples", "what to type for everyday jobs",
	  "-n only shows what would be done; leave out the n to do it.  rm and link then\n"
	  "sum up, ask, and compare byte by byte; undo takes back what they did.\n"
	  "\n"
	  "  twindex scan ~ --backup /media/disk    # look at both; the disk is a backup\n"
	  "  twindex safe ~/old-laptop              # can it be deleted? what is missing?\n"
	  "  twindex safe ~/old-laptop --rescue ~/rescued -n # copy that; then: scan\n"
	  "  twindex rm -rn --include-hidden --prune-empty ~/old-laptop # the rest\n"
	  "  twindex redundant ~                    # directories that can go as a whole\n"
	  "  twindex rm -rn ~/Downloads             # clean up there, and nowhere else\n"
	  "  twindex rm -rn --in ~/Pictures ~/Downloads # only what Pictures has\n"
	  "  twindex decide ~/Downloads             # choose which copies stay\n"
	  "  twindex file ~/film.mkv                # is there another copy, and where?\n"
	  "  twindex uniques ~/Downloads            # which files have no other copy?\n"
	  "  twindex at-risk --one-volume ~         # what is on one disk alone?\n"
	  "  twindex compare ~/Photos ~/Pictures    # merge two trees: what differs?\n"
	  "  twindex safe ~/Photos ~/Pictures --rescue ~/Pictures -n # add it; scan\n"
	  "  twindex rm -rn --prune-empty --in ~/Pictures ~/Photos # then remove it there\n"
	  "  twindex link --hard -rn --in ~/src ~/src # keep both names, but not the space\n"
	  "  twindex undo -n                        # take the last rm or link back\n"
	  "  twindex scan -q; twindex diff --online # each night: what changed or is lost?\n" },
	{ "keep", "which copy stays: the rules of --keep",
	  "--keep RULES says which copy of a file stays, in rm, link, rmsh, mark drop,\n"
	  "decide and report.  The first rule decides; of copies that are equal by it,\n"
	  "the second one does, and so on.\n"
	  "\n"
	  "  newest, oldest               the latest or the earliest last change\n"
	  "  first-path                   the first path in the order of bytes\n"
	  "  shortest-path, longest-path  the fewest or the most bytes in the path\n"
	  "  shallowest, deepest          the fewest or the most directories above it\n"
	  "  most-links                   the most hard links\n"
	  "  root-order                   the root that was scanned first\n"
	  "  in:DIR, not-in:DIR           at and below DIR, or elsewhere; ~/ is home\n"
	  "  name:GLOB, regex:RE          the name, or a part of the path, matches\n"
	  "\n"
	  "  twindex report --keep 'in:~/Pictures,oldest' ~\n"
	  "  twindex rm -rn --keep newest ~/Downloads\n"
	  "  twindex rm -rn --keep 'not-in:~/Downloads,shortest-path' ~\n"
	  "\n"
	  "One copy always stays, whatever the rules are.  --protect DIR: nothing at and\n"
	  "below DIR goes.  --only DIR: nothing else goes.  --in DIR: a file goes only if\n"
	  "DIR has a copy of it.  --copies N: at least N copies stay.  Files in a declared\n"
	  "backup (scan --backup) stay, and copies there count only with\n"
	  "--backups-count, or where --in names the backup.\n" },
	{ "path", "how paths, names and patterns are taken",
	  "PATH and DIR may be relative, hold .. or lead through symbolic links; answers\n"
	  "show the absolute path without links.  Your shell replaces ~ and patterns at\n"
	  "the beginning of a word; twindex itself replaces ~/ in its config file, in its\n"
	  "own shell, and behind in: and not-in: of --keep.\n"
	  "\n"
	  "  twindex ls ~/Pictures ./-n\n"
	  "  twindex ls -- -n\n"
	  "  twindex rm -rn ~/Downloads --keep 'in:~/Pictures'\n"
	  "\n"
	  "where takes a NAME, and --name a GLOB: the whole name of a file, or a pattern.\n"
	  "Quote it, or your shell replaces it.  * stands for any bytes, ? for any one,\n"
	  "[a-z] for one of these; \\ makes the next byte an ordinary one.  where compares\n"
	  "a NAME with a slash in it with the end of the path; ** is any directories.\n"
	  "\n"
	  "  twindex where '*.jpg'\n"
	  "  twindex where -i 'pictures/**/img_*'\n"
	  "  twindex report --name '*.mkv'\n"
	  "\n"
	  "In the shell of twindex 3 or 3.2 is a file of the last listing, and ./3 the\n"
	  "file of that name.  -x DIR: as if DIR did not exist.\n" },
	{ "size", "units of sizes and times",
	  "A SIZE is a number of bytes, or has a unit.  Upper and lower case are equal.\n"
	  "'twindex du' shows the sizes of directories.\n"
	  "\n"
	  "  k M G T P, or KiB MiB GiB TiB PiB   powers of 1024: 1k is 1024 bytes\n"
	  "  kB MB GB TB PB                      powers of 1000: 1kB is 1000 bytes\n"
	  "  B, or none                          bytes\n"
	  "\n"
	  "Before a unit a fraction is allowed: 1.5G.  Answers show KiB, MiB, GiB; with\n"
	  "--si kB, MB, GB, and with --bytes bytes.  JSON and CSV always have bytes.\n"
	  "\n"
	  "  twindex report --min-size 1.5M\n"
	  "  twindex tree --min-size 100MB --si ~\n"
	  "\n"
	  "A TIME is a number of seconds, or has a unit: ms, s, m, h, d.  Where an age is\n"
	  "meant, a date can stand for it: 2026-11-21, or '2026-11-21 18:30'.\n"
	  "\n"
	  "  twindex scan --max-time 10m\n"
	  "  twindex at-risk --newer 30d\n" },
	{ "status", "exit statuses",
	  "Exit statuses of all commands; 'twindex info' shows what the index holds.\n"
	  "\n"
	  "  0      yes, or done: a copy is there, nothing would be lost, all has gone\n"
	  "  1      no: something is unique, would be lost, stays, or was not found\n"
	  "  2      unknown option or command, or a path that does not exist\n"
	  "  3      not sure: something could not be judged or done; -v names it\n"
	  "  4      another process writes to the index; --wait waits for its end\n"
	  "  5      there is no index yet, or it is damaged, or of a newer version\n"
	  "  6      no space, no memory, no permission, or output was not written\n"
	  "  7      others say yes: contained --in NAME:, by a listing (import)\n"
	  "  128+n  ended by signal n\n"
	  "\n"
	  "Where several fit, 2 for a path counts first, then 3, then 1.  'twindex help\n"
	  "COMMAND' says what 1 and 3 mean there.  -q leaves messages out, and the status\n"
	  "as it is.  With --json the status and its reasons are in the document, too.\n"
	  "\n"
	  "  twindex safe ~/old-laptop && echo 'nothing would be lost'\n"
	  "  twindex file -q ~/film.mkv || echo 'keep it'\n" },
	{ "config", "options that are always wanted, and aliases",
	  "~/.config/twindex/config, or the file that $TWINDEX_CONFIG names:\n"
	  "\n"
	  "  # no file there goes, and rm relies on no copy in a backup\n"
	  "  [global]\n"
	  "  protect = ~/archive\n"
	  "  backup = ~/backup\n"
	  "  [scan]\n"
	  "  exclude = *.o\n"
	  "  [alias]\n"
	  "  big = report --min-size 100M\n"
	  "\n"
	  "Below the name of a command in brackets, a line is one of its long options,\n"
	  "without dashes; below [global] of all commands, [listing] of all listings, and\n"
	  "[choices] of all commands that choose copies.  Options without an argument are\n"
	  "yes or no.  The command line is read after the file: it adds to options that\n"
	  "may be repeated, and replaces others.  Options that must be thought of each\n"
	  "time, such as --yes, are refused.\n"
	  "\n"
	  "  twindex big\n"
	  "  twindex info\n"
	  "\n"
	  "info shows what is set; --no-config ignores the file.\n" },
	{ NULL, NULL, NULL }
};

const struct cmd_topic *
cmd_topic_find(const char *name)
{
	for (const struct cmd_topic *t = cmd_topics; t->name != NULL; t++) {
		if (strcmp(t->name, name) == 0)
			return t;
	}
	return NULL;
}

void
cmd_topics_list(struct buf *b)
{
	for (const struct cmd_topic *t = cmd_topics; t->name != NULL; t++)
		buf_addf(b, "  %-10s %s\n", t->name, t->summary);
}

void
cmd_topics_hint(struct err *err)
{
	struct buf b = { 0 };

	buf_adds(&b, err->text);
	for (const struct cmd_topic *t = cmd_topics; t->name != NULL; t++)
		buf_addf(&b, "%s%s", t == cmd_topics ? "; topics are " : t[1].name == NULL ? " and " : ", ", t->name);
	err_set(err, err->code, "%s", buf_str(&b));
	buf_release(&b);
}
