/* SPDX-License-Identifier: MIT */
#include "base/base.h"

#include "mcp/tools.h"

#include "cmd/cmd_records.h"
#include "ui/quote.h"

/* Options of listings that change what is found; the others only change how it looks. */
#define TOOLS_LISTING "exclude-path online"

/* What can be planned: remove, or one of the kinds of act/plan_file. */
static const char *const tools_acts[] = { "remove", "trash", "hard", "soft", "reflink", NULL };

static const struct tools_tool tools[] = {
	{ .name = "contained",
	  .about = "Is every file of one directory also in another one, at any path? Lists the files of paths[0] whose content is not in paths[1]. "
	           "Verdict 'contained': all are there; 'missing': those listed are not; else not everything could be judged.",
	  .of = { .cmd = &cmd_contained, .options = TOOLS_LISTING, .paths_help = "the directory asked about, and the one to look in; absolute", .least = 2, .most = 2 } },
	{ .name = "redundant",
	  .about = "Which directories could go as a whole, because the content of each of their files lies elsewhere, too? "
	           "All that are said to be redundant can go together. With paths: those directories and what is below them.",
	  .of = { .cmd = &cmd_redundant, .options = "top min-size in copies per-volume protect include-hidden inside " TOOLS_LISTING,
	          .paths_help = "directories; absolute; without: all" } },
	{ .name = "at_risk",
	  .about = "What exists only once, and has no backup? Directories of which no file has a copy, and counts of such files in others.",
	  .of = { .cmd = &cmd_at_risk, .options = "top min-size newer one-volume in files " TOOLS_LISTING, .paths_help = "directories; absolute; without: all" } },
	{ .name = "uniques",
	  .about = "Which files have no other copy? With exclude_path [DIR] and paths [DIR]: what would be lost with DIR.",
	  .of = { .cmd = &cmd_uniques, .options = "name depth in sort reverse " TOOLS_LISTING, .paths_help = "files or directories; absolute", .least = 1 } },
	{ .name = "dups",
	  .about = "Which files have another copy? All copies are listed: one of each content must stay, which a plan sees to.",
	  .of = { .cmd = &cmd_dups, .options = "name depth in sort reverse " TOOLS_LISTING, .paths_help = "files or directories; absolute", .least = 1 } },
	{ .name = "file",
	  .about = "Have these files another copy, and where? Also of files that are not in the index, by their content.",
	  .of = { .cmd = &cmd_file, .options = TOOLS_LISTING, .paths_help = "files; absolute", .least = 1 } },
	{ .name = "ls",
	  .about = "The files at and below a path, each with its state: dup, unique, linked, empty, skipped, unreadable, changed, gone, unknown.",
	  .of = { .cmd = &cmd_ls, .options = "name depth sort reverse " TOOLS_LISTING, .paths_help = "files or directories; absolute", .least = 1 } },
	{ .name = "report",
	  .about = "The sets of duplicates, those that waste most first. Each copy is looked at.",
	  .of = { .cmd = &cmd_report, .options = "top sort min-size min-waste name across undecided " TOOLS_LISTING, .paths_help = "only sets that have a copy there; absolute; without: all" } },
	{ .name = "compare",
	  .about = "What have two directories in common? Counts of what is the same, moved, different, or only in one; options list the files.",
	  .of = { .cmd = &cmd_compare, .options = "only-left only-right moved different same " TOOLS_LISTING, .paths_help = "two directories; absolute", .least = 2, .most = 2 } },
	{ .name = "similar",
	  .about = "Pairs of directories that share content, most shared bytes first.",
	  .of = { .cmd = &cmd_similar, .options = "min-share min-size names top " TOOLS_LISTING, .paths_help = "directories; absolute; without: all" } },
	{ .name = "diff",
	  .about = "What changed between scans: new, changed, moved, gone; and whose old content is nowhere any more.",
	  .of = { .cmd = &cmd_diff, .options = "new changed moved gone lost touched below each " TOOLS_LISTING,
	          .word = "since", .word_help = "number of a scan that info tells, or an age such as 7d; without: what the last scan found" } },
	{ .name = "du",
	  .about = "How many bytes lie below each subdirectory, and how many of them could be freed there while a copy stays.",
	  .of = { .cmd = &cmd_du, .options = "sort top " TOOLS_LISTING, .paths_help = "a directory; absolute", .least = 1, .most = 1 } },
	{ .name = "where",
	  .about = "Find files and directories of the index by name, as of the last scan.",
	  .of = { .cmd = &cmd_where, .options = "ignore-case type top " TOOLS_LISTING, .word = "name", .word_needed = 1,
	          .word_help = "a whole name, or a pattern with *, ? or [a-z]; with a slash: the end of a path", .paths_help = "only there and below; absolute; without: everywhere" } },
	{ .name = "volumes",
	  .about = "The disks of the index: room, whether they are here, and what each alone holds.",
	  .of = { .cmd = &cmd_volumes, .options = "online" } },
	{ .name = "marks",
	  .about = "What people have marked drop or keep, and what dropping it would free.",
	  .of = { .cmd = &cmd_marks, .options = "drop keep " TOOLS_LISTING, .paths_help = "files or directories; absolute; without: all" } },
	{ .name = "info",
	  .about = "What the index holds: its roots, counts and last scans. Ask this first: what is not below a root was not looked at.",
	  .of = { .cmd = &cmd_info, .options = "" } },
	{ .name = "log",
	  .about = "What rm, link and safe --rescue did to files, which copy stayed, and what was undone.",
	  .of = { .cmd = &cmd_log, .options = "", .paths_help = "only acts there; absolute; without: all" } },
	{ .name = "plan", .kind = TOOLS_PLAN,
	  .about = "Plan what is to be removed, or replaced by links, of which a copy stays. Does nothing. Lists each file with the copies that stay, "
	           "or why it stays, and a digest; show it to a person. Files are removed only where a copy outside of the given paths stays, or one of them does.",
	  .of = { .cmd = &cmd_link, .options = "recursive marked include-hidden inside any-attributes keep protect only in copies per-volume",
	          .word = "act", .word_needed = 1, .words = tools_acts, .word_help = "what is to be done to a file", .paths_help = "files, or with recursive directories; absolute" } },
	{ .name = "apply", .kind = TOOLS_APPLY,
	  .about = "Carry out a plan that this server has made, by its digest, after a person has agreed to it. Acts on nothing else: each file is compared "
	           "with its copy byte by byte first, and what has changed since stays. 'twindex undo' takes it back.",
	  .of = { .cmd = &cmd_info, .options = "", .word = "digest", .word_needed = 1, .word_help = "the digest of a plan" } },
};

const struct tools_tool *
tools_find(const char *name)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (strcmp(tools[i].name, name) == 0)
			return &tools[i];
	}
	return NULL;
}

void
tools_list(struct buf *b, bool apply)
{
	buf_addc(b, '[');
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		const struct tools_tool *t = &tools[i];
		const bool acts = t->kind == TOOLS_APPLY;

		if (acts && !apply)
			continue;
		buf_addf(b, "%s{\"name\":\"%s\",\"description\":", i > 0 ? "," : "", t->name);
		quote_json(b, t->about, strlen(t->about));
		buf_adds(b, ",\"inputSchema\":");
		arguments_schema(b, &t->of);
		buf_addf(b, ",\"annotations\":{\"readOnlyHint\":%s,\"destructiveHint\":%s,\"idempotentHint\":%s,\"openWorldHint\":false}}",
		         acts ? "false" : "true", acts ? "true" : "false", acts ? "false" : "true");
	}
	buf_addc(b, ']');
}
