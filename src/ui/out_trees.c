/* SPDX-License-Identifier: MIT */
/*
 * out_trees - directories as a whole, for people: a line with size and path, and below it what is
 * said of it in sentences.
 */
#include "base/base.h"

#include "index/gaps.h"
#include "trees/tree_answer.h"
#include "ui/out_format.h"
#include "ui/out_put.h"
#include "ui/width.h"

/* The most directories named that depend on one. */
enum { LEANING = 3 };

/* Columns of the number and of the size; two blanks follow each. */
enum { NUMBER_COLUMNS = 5, SIZE_COLUMNS = 10, BYTES_COLUMNS = 15 };

static int
size_columns(const struct out *o)
{
	return o->style.units == NUM_BYTES ? BYTES_COLUMNS : SIZE_COLUMNS;
}

/* OUT_BRIEF: the least columns of a terminal on which a directory has one line. */
enum { BRIEF_COLUMNS = 64 };

/* Stands for a blank of a path until its line is broken; a path on a terminal has none of these. */
#define PATH_BLANK '\001'

static size_t
indent(const struct out *o)
{
	return (o->style.numbers ? NUMBER_COLUMNS + 2 : 0) + (size_t)size_columns(o) + 2;
}

/* Begin a line below the path. */
static void
begin_line(struct out *o)
{
	out_put_blanks(o, indent(o));
}

/* Put one character for another in the text from there on, where lines are broken. */
static void
swap_blanks(struct out *o, size_t from, char old, char new)
{
	for (size_t i = from; o->style.escape && o->style.width > 0 && i < o->text.len; i++) {
		if (o->text.data[i] == old)
			o->text.data[i] = new;
	}
}

/* End it: on a terminal it is broken between words, and a path stays whole. */
static void
end_line(struct out *o)
{
	size_t from = o->text.len;

	while (from > 0 && o->text.data[from - 1] != '\n')
		from--;
	out_put_folded(o, from + indent(o), (int)indent(o));
	swap_blanks(o, from, PATH_BLANK, ' ');
	buf_addc(&o->text, '\n');
}

static void
add_path(struct out *o, const char *path)
{
	const size_t from = o->text.len;

	out_put_name(o, path, true);
	swap_blanks(o, from, ' ', PATH_BLANK);
}

/*
 * Append "A (12), B (3) and C (1)", the first max; without numbers if there is one that has all.
 * more: something follows.
 */
static void
add_places(struct out *o, const struct tree_place *v, size_t n, size_t max, bool more, int64_t all)
{
	char text[NUM_SHOW_MAX];

	for (size_t i = 0; i < n && i < max; i++) {
		if (i > 0)
			buf_adds(&o->text, i + 1 == n && !more ? " and " : ", ");
		if (v[i].direct)
			buf_adds(&o->text, "directly in ");
		add_path(o, v[i].path);
		if (n > 1 || v[i].files != all)
			buf_addf(&o->text, " (%s)", num_show_count(v[i].files, text));
	}
	if (n > max)
		buf_adds(&o->text, ", and others");
}

/* Append how many of the files, or members, the line is about: "2 of its 3 files". */
static void
add_part(struct out *o, const struct tree_answer *t, int64_t n)
{
	const char *thing = t->state == TREE_ARCHIVE ? "member" : "file";
	const int64_t all = t->files;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	if (all == 1)
		buf_addf(&o->text, "its only %s", thing);
	else if (n == all && all == 2)
		buf_addf(&o->text, "both %ss", thing);
	else if (n == all)
		buf_addf(&o->text, "all %s %ss", num_show_count(all, x), thing);
	else
		buf_addf(&o->text, "%s of its %s %ss", num_show_count(n, x), num_show_count(all, y), thing);
}

/* Append where the contents lie as well: "all 12 files are also in A (11) and B (1)". */
static void
add_where(struct out *o, const struct tree_answer *t)
{
	const int64_t seen = t->files - t->unseen;
	char text[NUM_SHOW_MAX];
	bool more = t->n_places > 0;

	begin_line(o);
	add_part(o, t, seen);
	buf_adds(&o->text, seen == 1 ? " is" : " are");
	if (t->n_places > 0)
		buf_adds(&o->text, t->places[0].direct ? " also " : " also in ");
	add_places(o, t->places, t->n_places, t->n_places, t->elsewhere + t->outside > 0, seen);
	if (t->elsewhere > 0) {
		buf_addf(&o->text, "%s elsewhere", more ? t->outside > 0 ? "," : " and" : " also");
		if (more)
			buf_addf(&o->text, " (%s)", num_show_count(t->elsewhere, text));
		more = true;
	}
	if (t->outside > 0) {
		buf_addf(&o->text, "%s", more ? ", and linked from outside of the index" : " linked from outside of the index");
		if (more)
			buf_addf(&o->text, " (%s)", num_show_count(t->outside, text));
	}
	end_line(o);
}

/* Append how many files could not be judged. */
static void
add_unseen(struct out *o, const struct tree_answer *t)
{
	begin_line(o);
	buf_adds(&o->text, "not all copies of ");
	add_part(o, t, t->unseen);
	buf_adds(&o->text, " could be judged");
	end_line(o);
}

static void
add_state(struct out *o, const struct tree_answer *t)
{
	begin_line(o);
	if (t->state == TREE_UNPROVEN) {
		out_put_word(o, "not proven", OUT_PUT_NOTICE);
		buf_adds(&o->text, ": not all could be judged");
	} else if (t->state == TREE_LIVE) {
		out_put_word(o, "stays", OUT_PUT_NOTICE);
		buf_adds(&o->text, ": ");
		add_part(o, t, t->missing);
		buf_addf(&o->text, " %s copies only in backups or the like ('redundant DIR' lets it go)", t->missing == 1 ? "has" : "have");
	} else {
		out_put_word(o, "stays", OUT_PUT_NOTICE);
		buf_adds(&o->text, ": others that can go rely on it: ");
		add_places(o, t->leaning, t->n_leaning, LEANING, false, t->files);
	}
	end_line(o);
}

/* Append how many files are at risk, before the path. */
static void
add_risk(struct out *o, const struct tree_answer *t)
{
	const bool member = t->state == TREE_IN_ARCHIVE;
	char text[NUM_SHOW_MAX];

	if (t->state != TREE_AT_RISK && t->files < t->of)
		buf_addf(&o->text, "%s of ", num_show_count(t->files, text));
	buf_addf(&o->text, "%s %sin ", num_show_things(t->of, member ? "member" : "file", member ? "members" : "files", text),
	         t->state == TREE_FILES_AT_RISK ? "directly " : "");
}

/* Append how many files have no copy elsewhere. */
static void
add_missing(struct out *o, const struct tree_answer *t)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	begin_line(o);
	buf_addf(&o->text, "all but %s of its %s files are elsewhere%s", num_show_count(t->missing, x), num_show_count(t->files, y),
	         t->alternative ? ", while those above stay" : "");
	end_line(o);
}

/* Append a path, cut in the middle to that many columns. */
static void
add_cut(struct out *o, const char *path, int columns)
{
	struct buf shown = { 0 };

	out_put_path(o, &shown, path);
	out_put_name_begin(o, path, true);
	width_cut_middle(&o->text, buf_str(&shown), columns);
	out_put_name_end(o, path, true);
	buf_release(&shown);
}

/* The columns of a path as it is shown. */
static int
path_columns(const struct out *o, const char *path)
{
	struct buf shown = { 0 };
	int columns;

	out_put_path(o, &shown, path);
	columns = width_of(buf_str(&shown));
	buf_release(&shown);
	return columns;
}

/*
 * Put one line in place of the text from there on, which begins with the size: the directory and
 * the place that has most of it, cut in the middle where both are too long.
 */
static void
shorten(struct out *o, const struct tree_answer *t, size_t from)
{
	static const char others[] = " and others";
	const char *in = t->places[0].direct ? ": also directly in " : ": also in ";
	const bool more = t->n_places > 1 || t->elsewhere + t->outside > 0;
	const int room = o->style.width - (int)indent(o) - (int)strlen(in) - (more ? (int)sizeof(others) - 1 : 0);
	const int path = path_columns(o, t->path), place = path_columns(o, t->places[0].path), half = room / 2;

	buf_cut(&o->text, from);
	add_cut(o, t->path, path + place <= room || path <= half ? path : place <= half ? room - place : half);
	buf_adds(&o->text, in);
	add_cut(o, t->places[0].path, path + place <= room || place <= half ? place : path <= half ? room - path : room - half);
	buf_addf(&o->text, "%s\n", more ? others : "");
}

/* Join two lines of the text from there on, if the terminal shows them as one.  Returns whether. */
static bool
join_lines(struct out *o, size_t from)
{
	const char *first = memchr(o->text.data + from, '\n', o->text.len - from);
	const size_t head = (size_t)(first - o->text.data), said = head + 1 + indent(o);
	struct buf joined = { 0 };
	bool fits;

	if (memchr(first + 1, '\n', o->text.len - head - 1) != o->text.data + o->text.len - 1)
		return false;
	buf_add(&joined, o->text.data + from, head - from);
	buf_adds(&joined, ": ");
	buf_add(&joined, o->text.data + said, o->text.len - said);
	fits = width_rows(joined.data, joined.len, o->style.width) == 1;
	if (fits) {
		buf_cut(&o->text, from);
		buf_add(&o->text, joined.data, joined.len);
	}
	buf_release(&joined);
	return fits;
}

void
out_trees_text(struct out *o, const void *record)
{
	const struct tree_answer *t = record;
	const size_t from = o->text.len;
	char text[NUM_SHOW_MAX];
	size_t start, from_path;

	if (t->told)
		return;
	if (o->style.numbers)
		buf_addf(&o->text, "%*" PRId64 "  ", NUMBER_COLUMNS, o->n + 1);
	buf_addf(&o->text, "%*s  ", size_columns(o), num_show_size(t->bytes, o->style.units, text));
	if (t->of > 0)
		add_risk(o, t);
	from_path = o->text.len;
	out_put_name(o, t->path, t->state != TREE_IN_ARCHIVE && t->state != TREE_ARCHIVE);
	buf_addc(&o->text, '\n');
	if (t->of > 0)
		return;
	if (t->state == TREE_ALL_BUT) {
		add_missing(o, t);
		if (o->style.layout == OUT_BRIEF && o->style.width > 0)
			(void)join_lines(o, from);
		return;
	}
	if (t->state != TREE_REDUNDANT && t->state != TREE_ARCHIVE)
		add_state(o, t);
	if (t->files > t->unseen)
		add_where(o, t);
	if (t->unseen > 0)
		add_unseen(o, t);
	if (t->pair != NULL) {
		begin_line(o);
		buf_adds(&o->text, "either it or ");
		add_path(o, t->pair);
		buf_adds(&o->text, " can go, not both");
		end_line(o);
	}
	/* What was not judged is not freed for another reason. */
	if (t->frees < t->bytes && t->unseen == 0) {
		begin_line(o);
		buf_addf(&o->text, "frees %s: the rest has links outside of it", num_show_size(t->frees, o->style.units, text));
		end_line(o);
	}
	if (t->mounts > 0) {
		begin_line(o);
		if (t->mounted)
			buf_adds(&o->text, "is a mount point: only what is in it can go\n");
		else
			buf_addf(&o->text, "%s in it %s\n", num_show_things(t->mounts, "mount point", "mount points", text),
			         t->mounts == 1 ? "stays" : "stay");
	}
	start = o->text.len;
	begin_line(o);
	/* Briefly, links alone are told at the end. */
	if (out_put_gaps(&t->gaps) + (o->style.layout == OUT_BRIEF ? 0 : out_put_links(&t->gaps)) > 0) {
		gaps_show(&o->text, &t->gaps);
		end_line(o);
	} else
		buf_cut(&o->text, start);
	if (o->style.layout == OUT_BRIEF && o->style.width > 0 && !join_lines(o, from) && t->state == TREE_REDUNDANT && t->n_places > 0 &&
	    t->mounts == 0 && o->style.width >= BRIEF_COLUMNS)
		shorten(o, t, from_path);
	out_put_flow(o);
}

/* Each line of a policy, and whether it holds. */
static void
add_policy(struct out *o, const struct tree_totals *t)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	for (size_t i = 0; i < t->n_policy; i++) {
		const struct policy_line *l = &t->policy[i];

		out_put_shown(o, &o->text, t->policy_file);
		buf_addf(&o->text, ":%lld: ", (long long)l->number);
		out_put_name(o, l->tree, true);
		buf_addf(&o->text, ": %s = %lld: ", policy_rules[l->rule], (long long)l->least);
		if (l->files > 0)
			buf_addf(&o->text, "%s, %s\n", num_show_things(l->files, "file breaks it", "files break it", x),
			         num_show_size(l->bytes, o->style.units, y));
		else
			buf_addf(&o->text, "%s\n", !l->judged ? "not judged" : gaps_matter(&t->gaps) > 0 ? "no file is known to break it" : "holds");
	}
}

/* The totals of what is at risk. */
static void
add_risks(struct out *o, const struct tree_totals *t)
{
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	if (t->policy != NULL) {
		add_policy(o, t);
		return;
	}
	if (t->in_archives) {
		if (t->asked == 0)
			buf_adds(&o->text, "No archive was looked into: they are known by their names.\n");
		else if (t->files == 0)
			buf_addf(&o->text, "No member of an archive is %sin archives alone.\n", gaps_matter(&t->gaps) > 0 ? "known to be " : "");
		else
			buf_addf(&o->text, "%s, %s in archives alone.\n", num_show_things(t->files, "member", "members", x), num_show_size(t->bytes, o->style.units, y));
		return;
	}
	if (t->files == 0)
		buf_addf(&o->text, "No file is %s%s.\n", gaps_matter(&t->gaps) > 0 ? "known to be " : "", t->in_backups ? "missing in the backups" : "at risk");
	else
		buf_addf(&o->text, "%s, %s %s.\n", num_show_things(t->files, "file", "files", x), num_show_size(t->bytes, o->style.units, y),
		         t->in_backups ? "in no backup" : "at risk");
	if (t->offline > 0)
		buf_addf(&o->text, "%s other copies only offline.\n", num_show_things(t->offline, "file has", "files have", x));
	if (t->inside > 0)
		buf_addf(&o->text, "%s other copies only in this directory: 'uniques -x DIR DIR' lists all that would be lost with it.\n",
		         num_show_things(t->inside, "file has", "files have", x));
}

/* The totals of what can go. */
static void
add_redundant(struct out *o, const struct tree_totals *t)
{
	char text[NUM_SHOW_MAX], files[NUM_SHOW_MAX], bytes[NUM_SHOW_MAX];

	if (t->in_archives && t->dirs == 0)
		buf_addf(&o->text, "No archive %s.\n", t->unproven > 0 ? "is known to hold only what files have" : "holds only what files have");
	else if (t->in_archives)
		buf_addf(&o->text, "%s could go: %s as %s, %s to be freed.\n", num_show_things(t->dirs, "archive", "archives", text),
		         num_show_things(t->files, "member is there", "members are there", files), t->files == 1 ? "a file" : "files",
		         num_show_size(t->frees, o->style.units, bytes));
	else if (t->dirs == 0)
		buf_adds(&o->text, t->unfinished ? "No directory is known that can go as a whole.\n" : "No directory can go as a whole.\n");
	else
		buf_addf(&o->text, "%s can go%s: %s, %s to be freed.\n", num_show_things(t->dirs, "directory", "directories", text),
		         t->dirs > 1 ? " together" : "", num_show_things(t->files, "file", "files", files),
		         num_show_size(t->frees, o->style.units, bytes));
	if (t->leaned_on > 0)
		buf_addf(&o->text, "%s could go instead of some of these%s.\n", num_show_things(t->leaned_on, "other one", "others", text),
		         t->hidden ? ": -v shows which" : "");
	if (t->live > 0)
		buf_addf(&o->text, "%s could go, but only for copies in backups or the like%s.\n",
		         t->dirs > 0 ? num_show_things(t->live, "other", "others", text) :
		                       num_show_things(t->live, "directory", "directories", text), t->hidden ? ": -v shows which" : "");
	if (t->all_but > 0)
		buf_addf(&o->text, "%s could %sgo but for a few files ('safe DIR' tells which):\n",
		         t->dirs > 0 ? num_show_things(t->all_but, "more directory", "more directories", text) :
		                       num_show_things(t->all_but, "directory", "directories", text), t->all_but > 1 ? "each " : "");
}

void
out_trees_text_totals(struct out *o, const void *record)
{
	const struct tree_totals *t = record;
	const size_t from = o->text.len;

	if (o->style.kind == OUT_RISKS)
		add_risks(o, t);
	else
		add_redundant(o, t);
	out_put_folded(o, from, 0);
}
