/* SPDX-License-Identifier: MIT */
/* twindex ls, dups, uniques, file - files with their states: four questions, one loop. */
#include "base/base.h"

#include "cmd/cmd.h"
#include "cmd/cmd_elsewhere.h"
#include "cmd/cmd_exit_status.h"
#include "cmd/cmd_paths.h"
#include "cmd/cmd_payload.h"
#include "cmd/cmd_records.h"
#include "cmd/cmd_sums.h"
#include "cmd/cmd_with.h"
#include "index/index.h"
#include "query/answer_sort.h"
#include "query/dirtree.h"
#include "query/inside.h"
#include "query/list.h"
#include "query/usage.h"

/* Members of archives that are named below a file, and how far these lines are indented. */
enum { LIST_PLACES = 8, LIST_PLACES_INDENT = 11 };

struct cmd_list_args {
	int64_t depth;            /* -1: not given */
	int sort;                 /* enum answer_sort_order */
	bool reverse, details, columns, elsewhere;
	struct opt_list paths, files, in, names;
	const char *files0_from;
	const char *files_from;
};

/* What ls, dups and uniques have in common. */
#define LIST_OPTS \
	OPT_LIST_(0, "name", struct cmd_list_args, names, "GLOB", "only files whose name matches (repeatable)"), \
	OPT_INT_(0, "depth", struct cmd_list_args, depth, "N", "only N levels of directories (1: not into subdirectories)"), \
	OPT_FLAG_('l', "long", struct cmd_list_args, details, "state, size, number of other copies, what they waste, and last change"), \
	OPT_CHOICE_('s', "sort", struct cmd_list_args, sort, "KEY", "name (default), size, redundant or time", answer_sort_order_names), \
	OPT_FLAG_('r', "reverse", struct cmd_list_args, reverse, "the other way round"), \
	OPT_LIST_('p', "path", struct cmd_list_args, paths, "PATH", "the same as the operand PATH")

static const struct opt ls_opts[] = {
	OPT_FLAG_('C', "columns", struct cmd_list_args, columns, "the names of one directory in columns, each with a letter for its state"),
	LIST_OPTS,
	OPT_END
};

#define LIST_IN OPT_LIST_(0, "in", struct cmd_list_args, in, "DIR", "only copies at and below DIR count (repeatable)")

static const struct opt dups_opts[] = {
	LIST_OPTS,
	LIST_IN,
	OPT_END
};

static const struct opt uniques_opts[] = {
	LIST_OPTS,
	LIST_IN,
	OPT_FLAG_(0, "elsewhere", struct cmd_list_args, elsewhere, "also how many of them others say to have (import); no answer changes by it"),
	OPT_END
};

static const struct opt file_opts[] = {
	OPT_FLAG_('l', "long", struct cmd_list_args, details, "state, size, number of other copies, what they waste, and last change"),
	OPT_LIST_('f', "file", struct cmd_list_args, files, "PATH", "the same as the operand PATH"),
	OPT_FLAG_(0, "elsewhere", struct cmd_list_args, elsewhere, "also who else says to have each file (import); no answer changes by it"),
	OPT_STRING_(0, "files-from", struct cmd_list_args, files_from, "FILE", "paths from FILE (- is standard input), one a line"),
	OPT_STRING_(0, "files0-from", struct cmd_list_args, files0_from, "FILE", "paths from FILE (- is standard input), each ended by a NUL byte"),
	OPT_END
};

static const struct cmd_list_args cmd_list_defaults = { .depth = -1 };

/* A listing on its way. */
struct cmd_list {
	const struct cmd_call *c;
	struct out *out;
	bool all;                 /* every state, or only: */
	enum file_state only;
	struct answer_sort *sorted;   /* they are collected first; or NULL */
	struct cmd_sums sums;         /* of subdirectories, as shown in long lines; or empty */
	bool redundant;               /* ... with what could go of them */
	bool payloads;                /* files with other tags are told as well */
	struct cmd_elsewhere elsewhere;
	bool members;                 /* also the members of paths that are archives */
	bool places;                  /* also in which archives a content is */
	struct inside_like like;
	struct err *err;              /* of what is printed */
};

/* Name to people the members of archives that have the content of a file, below its line. */
static void
cmd_list_print_places(const struct cmd_call *c, const struct file_answer *a)
{
	struct buf b = { 0 };
	char x[NUM_SHOW_MAX];

	for (size_t i = 0; i < a->n_places && i < LIST_PLACES; i++) {
		buf_addf(&b, "%*salso in ", LIST_PLACES_INDENT, "");
		cmd_add_path(c, &b, a->places[i].path);
		buf_addc(&b, '\n');
	}
	if (a->n_places > LIST_PLACES)
		buf_addf(&b, "%*sand in %s\n", LIST_PLACES_INDENT, "",
		         num_show_things((int64_t)(a->n_places - LIST_PLACES), "other place in archives", "other places in archives", x));
	fwrite(buf_str(&b), 1, b.len, c->out);
	buf_release(&b);
}

/* Print a file, and who else says to have it. */
static int
cmd_list_print_file(struct cmd_list *l, const struct file_answer *a)
{
	if (!((const struct cmd_list_args *)l->c->args)->elsewhere)
		return out_file(l->out, a);
	if (l->all)
		return cmd_elsewhere_file(&l->elsewhere, l->c, l->out, a, l->err);
	cmd_elsewhere_note(&l->elsewhere, a);
	return out_file(l->out, a);
}

/* answer_sort_fn: print a file. */
static int
cmd_list_print(void *arg, const struct file_answer *a)
{
	struct cmd_list *l = arg;
	struct cmd_payload_found found = { .n = 0 };
	struct file_answer with;
	int ret;

	if (!l->places && !l->payloads)
		return cmd_list_print_file(l, a);
	with = *a;
	ret = l->places ? inside_like(&l->like, &with, l->err) : 0;
	if (ret == 0 && l->payloads)
		ret = cmd_payload_find(l->c, a, &found, l->err);
	with.other_tags = found.v;
	with.n_other_tags = found.n;
	if (ret == 0)
		ret = cmd_list_print_file(l, &with);
	if (ret == 0 && l->c->listing->format == OUT_TEXT) {
		cmd_payload_lines(l->c, &found);
		if (with.n_places > 0)
			cmd_list_print_places(l->c, &with);
	}
	cmd_payload_found_release(&found);
	return ret;
}

/* list_fn: print or keep a file if its state was asked for. */
static int
cmd_list_take(void *arg, const struct file_answer *a)
{
	struct cmd_list *l = arg;

	if (!l->all && a->state != l->only)
		return 0;
	if (l->sorted == NULL)
		return cmd_list_print(l, a);
	answer_sort_add(l->sorted, a);
	return 0;
}

/* list_dir_fn: print a subdirectory, with its sums if they are loaded. */
static int
cmd_list_take_dir(void *arg, const struct subdir_answer *d)
{
	const struct cmd_list *l = arg;
	const struct usage *u = l->sums.u;
	const uint32_t dir = u != NULL && d->state == DIR_INDEXED ? dirtree_find(usage_dirs(u), d->path) : DIRTREE_NONE;
	struct subdir_answer known = *d;

	if (dir != DIRTREE_NONE && !dirtree_excluded(usage_dirs(u), dir)) {
		const struct usage_sum sum = usage_below(u, dir);

		known.bytes = sum.bytes;
		known.redundant = l->redundant ? sum.redundant : -1;
	}
	return out_dir(l->out, &known);
}

/* list_missing_fn: tell of a path that does not exist; the others are answered. */
static void
cmd_list_missing(void *arg, const char *path)
{
	struct cmd_list *l = arg;

	l->c->verdict->missing = true;
	cmd_message(l->c, cmd_paths_is_member(path) ? "'%s' is a member of an archive: ask about the archive" : "'%s' does not exist", path);
}

/* Add the paths that options name; the current directory if none was asked for. */
static int
cmd_list_paths(const struct cmd_call *c, bool needs_path, struct cmd_paths *paths, struct err *err)
{
	const struct cmd_list_args *a = c->args;

	if (cmd_paths_add(c, a->files.v, a->files.n, paths, err) < 0 ||
	    (a->files_from != NULL && cmd_paths_read(c, a->files_from, '\n', paths, err) < 0) ||
	    (a->files0_from != NULL && cmd_paths_read(c, a->files0_from, '\0', paths, err) < 0))
		return -1;
	if (paths->n == 0 && needs_path)
		return err_set(err, ERR_USAGE, "%s needs a path", c->cmd->name);
	return paths->n > 0 ? 0 : cmd_paths_add(c, &(const char *){ "." }, 1, paths, err);
}

/*
 * The layout of a listing.  Columns have no room for members, several paths and depths: these
 * come in lines, --columns or not, so that 'ls' of the shell can be an alias of 'ls --columns'.
 */
static enum out_layout
cmd_list_layout(const struct cmd_call *c, size_t n_paths, bool members)
{
	const struct cmd_list_args *a = c->args;

	if (a->details)
		return OUT_LONG;
	return a->columns && n_paths == 1 && !members && a->depth <= 1 && a->depth != 0 ? OUT_COLUMNS : OUT_LINES;
}

/*
 * Whether subdirectories that are not gone into have lines: for people, who otherwise see less
 * than a directory holds.  Programs get files, and --name asks for these.
 */
static bool
cmd_list_has_dirs(const struct cmd_call *c, const struct cmd_list *l, const struct out_style *style)
{
	const struct cmd_list_args *a = c->args;

	return l->all && style->format == OUT_TEXT &&
	       (style->layout == OUT_COLUMNS || (c->tty && a->names.n == 0 && (a->depth > 0 || (a->columns && a->depth < 0))));
}

/* Look up all paths and print what was found, in order. */
static int
cmd_list_each(const struct cmd_call *c, struct cmd_list *l, const struct list_query *q, struct list_totals *totals, struct err *err)
{
	const struct cmd_list_args *a = c->args;
	const enum out_format format = cmd_style(c, OUT_STATES).format;
	/* What takes each line for a file must get no members. */
	const bool members = l->members && !a->columns && (format == OUT_TEXT || format == OUT_JSON || format == OUT_NDJSON);
	int ret;

	if (a->sort != ANSWER_SORT_NAME || a->reverse)
		l->sorted = answer_sort_new();
	ret = list_each(c->ix, c->target->paths.v, c->target->paths.n, q, cmd_list_take, l, totals, err);
	if (ret == 0 && l->sorted != NULL)
		ret = answer_sort_each(l->sorted, (enum answer_sort_order)a->sort, a->reverse, cmd_list_print, l);
	answer_sort_free(l->sorted);
	for (size_t i = 0; ret == 0 && members && i < c->target->paths.n; i++) {
		struct inside in;

		ret = inside_find(c->ix, c->target->paths.v[i], &in, err);
		if (ret == 1)
			ret = inside_each(c->ix, &in, &q->copies, true, q->gap, q->gap_arg, cmd_list_print, l, &totals->gaps, err);
		inside_release(&in);
	}
	return ret;
}

/* How the files that have a copy only at and below the paths are counted. */
enum { INSIDE_NONE, INSIDE_COUNTED, INSIDE_ALL };

/*
 * Whether to count the files that have a copy only at and below the paths, which would be lost with
 * these and are no unique files.  Returns how, or -1.
 */
static int
cmd_list_asks_inside(const struct cmd_call *c, const struct cmd_list *l, struct err *err)
{
	const struct cmd_target *t = c->target;
	bool excluded = true;
	int ret;

	for (size_t i = 0; i < t->paths.n; i++)
		excluded = excluded && path_is_below_any(t->paths.v[i], t->exclude.v, t->exclude.n);
	if (c->globals->quiet || l->all || l->only != STATE_UNIQUE || t->in.n > 0 || excluded)
		return INSIDE_NONE;
	ret = c->with != NULL ? 0 : cmd_paths_are_whole(c->ix, t->paths.v, t->paths.n, err);
	return ret < 0 ? -1 : ret ? INSIDE_ALL : INSIDE_COUNTED;
}

/* Explain an empty list of unique files: silence would be read as "safe". */
static void
cmd_list_tell_none(const struct cmd_call *c, const struct list_totals *t, int64_t inside)
{
	const struct cmd_list_args *a = c->args;
	const struct cmd_paths *in = &c->target->in;
	const int64_t n = t->n[STATE_DUP] + t->n[STATE_LINKED];
	char text[NUM_SHOW_MAX], all[NUM_SHOW_MAX + 8];
	struct buf b = { 0 };

	snprintf(all, sizeof(all), "all %s", num_show_things(n, "file", "files", text));
	buf_adds(&b, gaps_matter(&c->verdict->gaps) > 0 ? "no file that could be judged: " : "nothing: ");
	if (n == 0)
		buf_addf(&b, "no file%s has content", a->names.n > 0 ? " of this name" : "");
	else
		buf_addf(&b, "%s %s a copy%s%s", n == 1 ? "the file" : n == 2 ? "both files" : all, n == 1 ? "has" : "have",
		         t->n[STATE_LINKED] > 0 ? " or another link" : "", inside > 0 || in->n > 0 ? "" : " elsewhere");
	if (n > 0 && in->n > 0)
		buf_addf(&b, " in '%s'%s", in->v[0], in->n > 1 ? ", or in others that --in names" : "");
	if (inside > 0)
		buf_addf(&b, ", %s of them only inside %s", inside == n ? "all" : num_show_count(inside, text),
		         c->target->paths.n == 1 ? "this directory" : "these paths");
	if (t->n[STATE_EMPTY] > 0)
		buf_addf(&b, "; %s empty", num_show_things(t->n[STATE_EMPTY], "file is", "files are", text));
	if (a->depth == 1)
		buf_adds(&b, "; subdirectories were left out");
	else if (a->depth > 1)
		buf_addf(&b, "; what lies deeper than %s levels was left out", num_show_count(a->depth, text));
	cmd_message(c, "%s", buf_str(&b));
	buf_release(&b);
}

/* Say what the listing does not: silence would look like an answer about all files. */
static void
cmd_list_tell(const struct cmd_call *c, const struct cmd_list *l, const struct list_totals *t)
{
	const int64_t inside = t->lonely;
	char text[NUM_SHOW_MAX];
	int64_t n = 0;

	for (int i = 0; i < STATE_COUNT; i++)
		n += t->n[i];
	if (n == 0 && ((const struct cmd_list_args *)c->args)->names.n > 0)
		cmd_message(c, "no file there has a name that matches --name");
	else if (l->all || l->only != STATE_UNIQUE)
		return;
	/* Files whose only copies lie in the same paths would be lost as well. */
	else if (t->n[STATE_UNIQUE] == 0 && (inside > 0 || (c->tty && cmd_style(c, OUT_PATHS).format == OUT_TEXT)))
		cmd_list_tell_none(c, t, inside);
	else if (inside > 0)
		cmd_message(c, "%s a copy or link only inside %s: 'uniques -x DIR DIR' lists all that would be lost with DIR",
		            num_show_things(inside, "other file has", "other files have", text), c->target->paths.n == 1 ? "this directory" : "these paths");
}

static int
cmd_list_run(const struct cmd_call *c, struct cmd_list *l, enum out_kind kind, bool look_up, struct list_totals *totals, struct err *err)
{
	const struct cmd_list_args *a = c->args;
	const bool members = look_up || c->globals->verbose > 0;
	struct out_style style = cmd_style(c, kind);
	struct cmd_target *t = c->target;
	const char **fewer = NULL;
	bool dirs;
	int ret = -1, inside;

	memset(totals, 0, sizeof(*totals));
	if (cmd_list_paths(c, look_up, &t->paths, err) < 0 || cmd_paths_check_names(&a->names, err) < 0)
		return -1;
	style.layout = cmd_list_layout(c, t->paths.n, members);
	style.claims = l->all && a->elsewhere;
	style.payloads = l->payloads;
	dirs = cmd_list_has_dirs(c, l, &style);
	if (style.layout == OUT_COLUMNS && style.format == OUT_TEXT)
		style.cut = t->paths.v[0];
	/* Copies in other indexes do not count in the lines of directories. */
	l->redundant = t->paths.n == 1 && c->with == NULL;
	if (dirs && style.layout == OUT_LONG && cmd_sums_open(&l->sums, c, t->paths.v[0], l->redundant, false, err) < 0)
		goto out;
	inside = cmd_list_asks_inside(c, l, err);
	if (inside < 0)
		goto out;
	fewer = mem_alloc((t->paths.n + t->exclude.n + 1) * sizeof(char *));
	for (size_t i = 0; i < t->paths.n + t->exclude.n; i++)
		fewer[i] = i < t->paths.n ? t->paths.v[i] : t->exclude.v[i - t->paths.n];
	{
		const struct state_query without = {
			.exclude = fewer, .n_exclude = t->paths.n + t->exclude.n, .with = c->with, .links_are_copies = c->listing->links_copies,
			.links_are_unique = c->listing->links_unique,
		};
		const struct list_query q = {
			.fewer = inside == INSIDE_COUNTED ? &without : NULL,
			.copies = {
				.exclude = t->exclude.v, .n_exclude = t->exclude.n, .members = members,
				.fold = l->all ? ~0U : 1U << l->only,
				.in = t->in.v, .n_in = t->in.n,
				.with = c->with,
				.count = (c->listing->format != OUT_TEXT && c->listing->format != OUT_NULL) ||
				         a->details || a->sort == ANSWER_SORT_REDUNDANT,
				.links_are_copies = c->listing->links_copies, .links_are_unique = c->listing->links_unique,
			},
			.names = a->names.v, .n_names = a->names.n,
			.depth = a->depth >= 0 ? a->depth : a->columns ? 1 : 0, .dir = dirs ? cmd_list_take_dir : NULL,
			.outside = l->all, .look_up = look_up, .online = c->listing->online,
			.only_copies = !l->all && l->only == STATE_DUP,
			/* dups and uniques do not list what they can't judge. */
			.gap = l->all ? NULL : cmd_count_gap, .gap_arg = c->verdict, .missing = cmd_list_missing,
		};

		l->c = c;
		l->err = err;
		l->out = out_open(c->out, &style);
		ret = cmd_list_each(c, l, &q, totals, err);
		if (inside == INSIDE_ALL)
			totals->lonely = totals->n[STATE_DUP] + totals->n[STATE_LINKED];
		/* A file without a copy in --in may have one in the gaps there. */
		for (size_t i = 0; ret == 0 && i < t->in.n && totals->n[STATE_UNIQUE] + totals->n[STATE_UNKNOWN] > 0; i++)
			ret = cmd_with_gaps(c, t->in.v[i], cmd_gap, c->verdict, &c->verdict->gaps, err);
		ret = out_close(l->out, ret, err);
		c->verdict->all_read = totals->unread == 0;
		if (ret == 0 && !c->verdict->missing && !c->globals->quiet)
			cmd_list_tell(c, l, totals);
	}
out:
	free(fewer);
	cmd_sums_close(&l->sums);
	return ret;
}

static int
ls_run(const struct cmd_call *c, struct err *err)
{
	struct cmd_list l = { .all = true, .members = c->ix->archives };
	struct list_totals totals;
	const int ret = cmd_list_run(c, &l, OUT_STATES, false, &totals, err);

	/* Each of them has its line; no summary is needed. */
	c->verdict->told.files[GAP_UNREADABLE] = totals.n[STATE_UNREADABLE] + totals.unseen;
	return ret;
}

static int
dups_run(const struct cmd_call *c, struct err *err)
{
	struct list_totals totals;

	return cmd_list_run(c, &(struct cmd_list){ .only = STATE_DUP }, OUT_PATHS, false, &totals, err);
}

static int
uniques_run(const struct cmd_call *c, struct err *err)
{
	const bool elsewhere = ((const struct cmd_list_args *)c->args)->elsewhere;
	struct cmd_list l = { .only = STATE_UNIQUE };
	struct list_totals totals;
	int ret;

	if (elsewhere && cmd_elsewhere_check(c, err) < 0)
		return -1;
	ret = cmd_list_run(c, &l, OUT_PATHS, false, &totals, err);
	if (ret == 0 && elsewhere)
		ret = cmd_elsewhere_sum(&l.elsewhere, c, "these files", err);
	cmd_elsewhere_release(&l.elsewhere);
	c->verdict->fleeting = totals.fleeting;
	c->verdict->fleeting_why = totals.fleeting_why;
	return ret;
}

static int
file_run(const struct cmd_call *c, struct err *err)
{
	const bool elsewhere = ((const struct cmd_list_args *)c->args)->elsewhere;
	struct cmd_list l = { .all = true, .payloads = c->ix->payloads, .places = c->ix->archives, .like = { .ix = c->ix } };
	struct list_totals totals;
	int64_t others = 0;
	int ret;

	if (elsewhere && c->listing->format != OUT_TEXT && c->listing->format != OUT_JSON && c->listing->format != OUT_NDJSON)
		return err_set(err, ERR_USAGE, "--elsewhere: only text, json and ndjson have a place for it");
	if (elsewhere && cmd_elsewhere_check(c, err) < 0)
		return -1;
	ret = cmd_list_run(c, &l, OUT_STATES, true, &totals, err);
	inside_like_release(&l.like);
	if (ret == 0 && elsewhere)
		cmd_elsewhere_end(&l.elsewhere, c);
	cmd_elsewhere_release(&l.elsewhere);
	if (ret < 0)
		return -1;
	for (int i = 0; i < STATE_COUNT; i++)
		others += i != STATE_DUP && i != STATE_UNREADABLE ? totals.n[i] : 0;
	/* What has no copy has none, whatever else could not be judged. */
	if (others > 0)
		return CMD_NO;
	if (gaps_matter(&totals.gaps) > 0)
		c->verdict->told = totals.gaps;
	/* Files that no scan has met cannot invalidate the copies found. */
	else
		c->verdict->settled = !c->verdict->missing;
	return CMD_OK;
}

const struct cmd cmd_ls = {
	.name = "ls",
	.yes = "listed", .no = "listed",
	.operands = "[PATH...]",
	.summary = "list every file with its state",
	.help = "States: dup, unique, linked, empty, skipped, unreadable, changed, gone, unknown.  Without\n"
	        "PATH, the current directory.  -v lists the copies of each file.  Exit status 3: a file, or\n"
	        "one that its state depends on, is unreadable.  --columns marks names with d, u, l, e, s, !\n"
	        "(unreadable), ~ (changed), x (gone), ?.",
	.opts = ls_opts,
	.args_size = sizeof(struct cmd_list_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_JOINS | CMD_PATHS,
	.defaults = &cmd_list_defaults,
	.run = ls_run,
};

const struct cmd cmd_dups = {
	.name = "dups",
	.yes = "listed", .no = "listed",
	.operands = "[PATH...]",
	.summary = "list the files that have another copy",
	.help = "Without PATH, the current directory.  -v lists the copies of each file.  Files that could\n"
	        "not be judged are counted on stderr, and make the exit status 3.  ALL copies in PATH are\n"
	        "listed: never hand the list to a program that removes them.  'rm -r PATH' removes\n"
	        "duplicates and leaves one copy of each; so does 'rm --marked' with files that 'mark drop\n"
	        "PATH' has marked.",
	.opts = dups_opts,
	.args_size = sizeof(struct cmd_list_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_JOINS | CMD_PATHS,
	.defaults = &cmd_list_defaults,
	.run = dups_run,
};

const struct cmd cmd_uniques = {
	.name = "uniques",
	.yes = "listed", .no = "listed",
	.operands = "[PATH...]",
	.summary = "list the files that have no copy",
	.help = "It answers which single files exist only once; 'safe DIR' answers whether a whole directory\n"
	        "can be deleted.  With --exclude-path DIR copies below DIR do not count: 'uniques -x DIR DIR'\n"
	        "lists what would be lost with DIR; 'uniques --in DIR PATH' lists the files of PATH that are\n"
	        "not in DIR.  Files that could not be judged (left out by scans, unreadable, new) are counted\n"
	        "on stderr, named with -v, and make the exit status 3.",
	.opts = uniques_opts,
	.args_size = sizeof(struct cmd_list_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_JOINS | CMD_PROVES | CMD_PATHS,
	.defaults = &cmd_list_defaults,
	.run = uniques_run,
};

const struct cmd cmd_file = {
	.name = "file",
	.yes = "has_copy", .no = "no_copy",
	.operands = "PATH...",
	.summary = "tell whether files have another copy, and where",
	.help = "A file that is not in the index is looked up by its size and content.  Exit status 0: every\n"
	        "file has another copy; 1: one has none; 3: one is unreadable, or an unfinished scan leaves\n"
	        "it open.",
	.opts = file_opts,
	.args_size = sizeof(struct cmd_list_args),
	.flags = CMD_READS | CMD_ASKS | CMD_LISTS | CMD_JOINS | CMD_NUMBERS | CMD_DISK | CMD_PROVES | CMD_PATHS,
	.defaults = &cmd_list_defaults,
	.run = file_run,
};
