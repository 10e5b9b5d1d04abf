/* SPDX-License-Identifier: MIT */
/* out_text - plain lines for people. */
#include "base/base.h"

#include "index/fleeting.h"
#include "query/answer.h"
#include "ui/numbers.h"
#include "ui/out_format.h"
#include "ui/out_put.h"
#include "ui/width.h"

/* Columns of text: states end at the first, the kinds of members begin at the second. */
enum { VOLUME_INDENT = 9, STATE_WIDTH = 10, MEMBER_INDENT = 12, KIND_WIDTH = 4, CHOICE_WIDTH = 5 };

/* OUT_BRIEF: columns of a line if the terminal's width is unknown; the least columns of a path. */
enum { BRIEF_LINE = 80, BRIEF_PATH = 24 };

/* "1023.9 KiB"; as bytes, 999 TB; "99,999"; "2026-11-21 01:28". */
enum { SIZE_COLUMNS = 10, BYTES_COLUMNS = 15, COPIES_COLUMNS = 6, TIME_COLUMNS = 16 };

/* With numbers: the columns before a file, its members, a set, its members; two blanks follow. */
enum { FILE_NUMBER = 5, MEMBER_NUMBER = FILE_NUMBER + MEMBER_INDENT, SET_NUMBER = 4, SET_MEMBER_NUMBER = 5 };

/* The mark of a member below a file; its mark in a set, where copies have none; its note. */
static const struct { const char *mark, *in_set, *note, *color; } member_looks[MEMBER_COUNT] = {
	[MEMBER_COPY] = { "copy", "", "", NULL },
	[MEMBER_LINK] = { "link", "", "", NULL },
	[MEMBER_GONE] = { "---", "---", " (gone)", OUT_PUT_BAD },
	[MEMBER_CHANGED] = { "---", "---", " (changed)", OUT_PUT_BAD },
	[MEMBER_EXCLUDED] = { "skip", "skip", " (excluded)", OUT_PUT_DIM },
	[MEMBER_TRASH] = { "skip", "skip", " (in a trash)", OUT_PUT_DIM },
	[MEMBER_BACKUP] = { "bak", "bak", " (in a backup)", OUT_PUT_DIM },
	[MEMBER_FLEETING] = { "skip", "skip", " (", OUT_PUT_DIM },
	[MEMBER_OFFLINE] = { "???", "???", " (offline)", OUT_PUT_DIM },
	[MEMBER_UNREADABLE] = { "???", "???", " (unreadable: ", OUT_PUT_BAD },
	[MEMBER_VIEW] = { "???", "???", " (may be the same file as a copy)", OUT_PUT_DIM },
};

/* Append a word of ours, right-aligned, in a colour or none. */
static void
add_word(struct out *o, const char *word, size_t width, const char *color)
{
	size_t len = strlen(word);

	if (len < width)
		out_put_blanks(o, width - len);
	out_put_word(o, word, color);
}

/* Append the number of the record, right-aligned. */
static void
add_number(struct out *o, int width)
{
	if (o->style.numbers)
		buf_addf(&o->text, "%*" PRId64 "  ", width, o->n + 1);
}

/*
 * Append the number that a path has in the listing it was taken from, right-aligned; blanks where
 * it has none.
 */
static void
add_known_number(struct out *o, const char *path, int width)
{
	const bool known = numbers_find(o->style.of, o->style.item, path, &o->member);
	char text[48] = "";

	if (known && o->member > 0)
		snprintf(text, sizeof(text), "%zu.%zu", o->style.item, o->member);
	else if (known)
		snprintf(text, sizeof(text), "%zu", o->style.item);
	buf_addf(&o->text, "%*s  ", width, text);
}

/*
 * Append the number of member i (from 0) of the record, right-aligned.  Returns whether numbers
 * are shown.
 */
static bool
add_member_number(struct out *o, size_t i, int width)
{
	char text[48];

	if (o->style.numbers) {
		snprintf(text, sizeof(text), "%" PRId64 ".%zu", o->n + 1, i + 1);
		buf_addf(&o->text, "%*s  ", width, text);
	}
	return o->style.numbers;
}

/* Append a reason in parentheses. */
static void
add_why(struct out *o, const char *why)
{
	buf_adds(&o->text, " (");
	if (o->style.escape)
		name_show_message(&o->text, why, strlen(why));
	else
		buf_adds(&o->text, why);
	buf_addc(&o->text, ')');
}

/* Append what a member's kind says behind its path. */
static void
add_note(struct out *o, const struct member *m)
{
	char time[NUM_SHOW_MAX];

	if (m->disk != NULL) {
		buf_adds(&o->text, " (offline: ");
		out_put_shown(o, &o->text, m->disk);
		buf_addc(&o->text, ')');
	} else
		buf_adds(&o->text, member_looks[m->kind].note);
	if (m->kind == MEMBER_UNREADABLE)
		buf_addf(&o->text, "%s)", strerror(m->error));
	else if (m->fleeting != 0)
		buf_addf(&o->text, "%s%s)", m->kind == MEMBER_FLEETING ? "" : " (", fleeting_where(m->fleeting));
	if (m->backup && m->kind != MEMBER_BACKUP)
		buf_adds(&o->text, member_looks[MEMBER_BACKUP].note);
	if (m->index == NULL)
		return;
	buf_adds(&o->text, " (index ");
	out_put_shown(o, &o->text, m->index);
	if (m->kind == MEMBER_OFFLINE && m->seen > 0)
		buf_addf(&o->text, ", seen %s", num_show_local(m->seen, time));
	buf_addc(&o->text, ')');
}

static void
add_size_column(struct out *o, int64_t size, bool known)
{
	const int width = o->style.units == NUM_BYTES ? BYTES_COLUMNS : SIZE_COLUMNS;
	char text[NUM_SHOW_MAX];

	buf_addf(&o->text, "%*s  ", width, known ? num_show_size(size, o->style.units, text) : "-");
}

/* From this width on a terminal has room for these columns of OUT_LONG, and for a path. */
enum { LONG_TIME = 60, LONG_REDUNDANT = 90 };

static bool
long_has(const struct out *o, int width)
{
	return !o->style.escape || o->style.width == 0 || o->style.width >= width;
}

/*
 * Append the columns of OUT_LONG between the state and the path, with the blanks behind them; what
 * is not known is negative or NULL.  Their widths are fixed, so that a line can be printed as soon
 * as its answer is there; what is wider moves the rest of its line to the right.
 */
static void
add_long(struct out *o, int64_t size, int64_t n_copies, int64_t redundant, const int64_t *mtime)
{
	char text[NUM_SHOW_MAX];

	add_size_column(o, size, size >= 0);
	buf_addf(&o->text, "%*s  ", COPIES_COLUMNS, n_copies > 0 ? num_show_count(n_copies, text) : "-");
	if (long_has(o, LONG_REDUNDANT))
		add_size_column(o, redundant, redundant >= 0);
	if (long_has(o, LONG_TIME))
		buf_addf(&o->text, "%*s  ", TIME_COLUMNS, mtime != NULL ? num_show_local(*mtime, text) : "-");
}

/* Append what the columns of OUT_LONG are, for people alone: a program reads records. */
static void
add_long_head(struct out *o)
{
	const int size = o->style.units == NUM_BYTES ? BYTES_COLUMNS : SIZE_COLUMNS;

	if (o->style.numbers || o->style.of != NULL)
		out_put_blanks(o, FILE_NUMBER + 2);
	if (o->style.color)
		buf_adds(&o->text, "\033[" OUT_PUT_DIM "m");
	buf_addf(&o->text, "%*s  %*s  %*s  ", STATE_WIDTH, "state", size, "size", COPIES_COLUMNS, "copies");
	if (long_has(o, LONG_REDUNDANT))
		buf_addf(&o->text, "%*s  ", size, "redundant");
	if (long_has(o, LONG_TIME))
		buf_addf(&o->text, "%-*s  ", TIME_COLUMNS, "modified");
	buf_adds(&o->text, "path");
	buf_adds(&o->text, o->style.color ? "\033[0m\n" : "\n");
}

static void
text_file(struct out *o, const void *record)
{
	const struct file_answer *f = record;
	const bool states = o->style.kind == OUT_STATES || o->style.layout == OUT_LONG;
	const struct member *m;
	size_t i;

	if (o->style.layout == OUT_LONG && o->style.escape && o->n == 0)
		add_long_head(o);
	if (o->style.of != NULL)
		add_known_number(o, f->path, FILE_NUMBER);
	else
		add_number(o, FILE_NUMBER);
	if (states) {
		add_word(o, state_name(f->state), STATE_WIDTH, out_put_state_colors[f->state]);
		buf_adds(&o->text, "  ");
	}
	if (o->style.layout == OUT_LONG)
		add_long(o, f->size, f->n_copies, f->n_copies > 0 ? file_redundant(f) : -1, f->size >= 0 ? &f->mtime.sec : NULL);
	out_put_name(o, f->path, false);
	/* In a pipe a bare path stays bare, for the program that reads it. */
	if (states || o->style.escape)
		out_put_mark(o, f->mark);
	if (states && f->why != NULL)
		add_why(o, f->why);
	if (f->told_with != NULL) {
		buf_adds(&o->text, " (copies: see ");
		out_put_path(o, &o->text, f->told_with);
		buf_addc(&o->text, ')');
	}
	buf_addc(&o->text, '\n');

	for (i = 0; i < f->n_members; i++) {
		m = &f->members[i];
		if (!add_member_number(o, i, MEMBER_NUMBER))
			out_put_blanks(o, MEMBER_INDENT);
		add_word(o, member_looks[m->kind].mark, KIND_WIDTH, member_looks[m->kind].color);
		buf_adds(&o->text, "  ");
		out_put_name(o, m->path, false);
		out_put_mark(o, m->mark);
		add_note(o, m);
		buf_addc(&o->text, '\n');
		out_put_flow(o);
	}
}

/* A directory that is not gone into, with a slash behind it. */
static void
text_dir(struct out *o, const void *record)
{
	const struct subdir_answer *d = record;
	const enum file_state look = out_put_dir_looks[d->state];
	const bool indexed = d->state == DIR_INDEXED;

	if (o->style.layout == OUT_LONG && o->style.escape && o->n == 0)
		add_long_head(o);
	add_number(o, FILE_NUMBER);
	add_word(o, indexed ? "dir" : state_name(look), STATE_WIDTH, indexed ? NULL : out_put_state_colors[look]);
	buf_adds(&o->text, "  ");
	if (o->style.layout == OUT_LONG)
		add_long(o, d->bytes, 0, d->redundant, NULL);
	out_put_name(o, d->path, true);
	buf_addc(&o->text, '/');
	if (d->why != NULL)
		add_why(o, d->why);
	buf_addc(&o->text, '\n');
}

/*
 * Append bytes that can be saved, what they are, and those on disk when they
 * tell something else.  Files take up whole blocks, so more on disk than in the file says
 * nothing; less means holes, compression, or data kept within the inode, and
 * then removing copies frees less than their sizes promise.  A difference
 * that the rounded numbers do not show is not worth a reader's time.
 */
static void
add_saving(struct out *o, int64_t bytes, const char *what, int64_t on_disk)
{
	char text[NUM_SHOW_MAX], text_disk[NUM_SHOW_MAX];

	num_show_size(bytes, o->style.units, text);
	buf_adds(&o->text, text);
	buf_adds(&o->text, what);
	if (on_disk < 0 || on_disk >= bytes)
		return;
	num_show_size(on_disk, o->style.units, text_disk);
	if (strcmp(text, text_disk) != 0)
		buf_addf(&o->text, " (%s on disk)", text_disk);
}

/* Append whether a member would stay or go, and two blanks. */
static void
add_choice(struct out *o, enum member_choice choice)
{
	const char *word = member_choice_name(choice);

	if (word != NULL)
		out_put_word(o, word, choice == MEMBER_GOES ? OUT_PUT_BAD : NULL);
	out_put_blanks(o, CHOICE_WIDTH + 2 - (word != NULL ? strlen(word) : 0));
}

/* Append a line in place of n members. */
static void
add_folded(struct out *o, size_t n)
{
	char count[NUM_SHOW_MAX];

	buf_addf(&o->text, "  ... and %s more: ", num_show_count((int64_t)n, count));
	if (o->style.numbers)
		buf_addf(&o->text, "'show %" PRId64 "' lists all\n", o->n + 1);
	else
		buf_adds(&o->text, "-v lists all\n");
}

static const char *
redundant_word(const struct out *o)
{
	return o->style.joined ? " redundant in this index" : " redundant";
}

/* Append a set as one line, which shows of a path that is too long only the end. */
static void
add_brief(struct out *o, const struct set_answer *s)
{
	const int width = o->style.width > 0 ? o->style.width : BRIEF_LINE;
	const int used = (o->style.numbers ? SET_NUMBER + 2 : 0) + SIZE_COLUMNS + 2 + COPIES_COLUMNS + 9;
	const bool bar = used + OUT_PUT_BAR + 2 + BRIEF_PATH <= width;
	struct buf path = { 0 };
	char count[NUM_SHOW_MAX];

	if (o->n == 0)
		o->most = s->redundant;
	add_number(o, SET_NUMBER);
	add_size_column(o, s->redundant, true);
	if (bar)
		out_put_bar(o, s->redundant, o->most, OUT_PUT_BAR);
	buf_addf(&o->text, "%*s copies  ", COPIES_COLUMNS, num_show_count(s->n_copies, count));
	out_put_raw(o, &path, s->members[0].path);
	width_cut(&o->text, buf_str(&path), width - used - (bar ? OUT_PUT_BAR + 2 : 0));
	buf_release(&path);
	buf_addc(&o->text, '\n');
}

static void
text_set(struct out *o, const void *record)
{
	const struct set_answer *s = record;
	char count[NUM_SHOW_MAX], size[NUM_SHOW_MAX];
	size_t headline;

	if (o->style.layout == OUT_BRIEF) {
		add_brief(o, s);
		return;
	}
	add_number(o, SET_NUMBER);
	if (o->style.color)
		buf_adds(&o->text, "\033[" OUT_PUT_STRONG "m");
	headline = o->text.len;
	buf_addf(&o->text, "%s copies of %s each, ", num_show_count(s->n_copies, count), num_show_size(s->size, o->style.units, size));
	add_saving(o, s->redundant, redundant_word(o), s->redundant_disk);
	out_put_folded(o, headline, o->style.numbers ? SET_NUMBER + 2 : 0);
	if (o->style.color)
		buf_adds(&o->text, "\033[0m");
	buf_addc(&o->text, '\n');
	for (size_t i = 0; i < s->n_members; i++) {
		const struct member *m = &s->members[i];

		/* A line that replaces one member would save nothing. */
		if (o->style.fold > 0 && i == o->style.fold && s->n_members > i + 1) {
			add_folded(o, s->n_members - i);
			break;
		}
		if (!add_member_number(o, i, SET_MEMBER_NUMBER))
			buf_adds(&o->text, "  ");
		if (o->style.choices)
			add_choice(o, m->choice);
		else if (o->style.stays)
			buf_adds(&o->text, m->choice == MEMBER_STAYS ? "> " : "  ");
		if (*member_looks[m->kind].in_set != '\0') {
			add_word(o, member_looks[m->kind].in_set, 0, member_looks[m->kind].color);
			buf_addc(&o->text, ' ');
		}
		out_put_name(o, m->path, false);
		out_put_mark(o, m->mark);
		if (m->kind == MEMBER_LINK)
			buf_adds(&o->text, " (link)");
		add_note(o, m);
		buf_addc(&o->text, '\n');
		out_put_flow(o);
	}
	buf_addc(&o->text, '\n');
}

static void
text_totals(struct out *o, const void *record)
{
	const struct set_totals *t = record;
	const size_t from = o->text.len;
	char sets[NUM_SHOW_MAX], files[NUM_SHOW_MAX];

	if (t->n_sets == 0 && t->n_left_out > 0)
		buf_addf(&o->text, "No set passes these options; without them: %s of duplicates%s.\n",
		         num_show_things(t->n_left_out, "set", "sets", sets), t->unfinished ? " so far" : "");
	else if (t->n_sets == 0)
		buf_adds(&o->text, t->unfinished ? "No duplicates so far.\n" : t->n_unproven + t->n_unreadable > 0 ? "No duplicates are known.\n" : "No duplicates.\n");
	else {
		buf_addf(&o->text, "%s, %s, ", num_show_things(t->n_sets, "set", "sets", sets),
		         num_show_things(t->n_files, "file", "files", files));
		add_saving(o, t->redundant, redundant_word(o), t->redundant_disk);
		buf_addc(&o->text, '\n');
	}
	set_totals_show_lacking(&o->text, t);
	out_put_folded(o, from, 0);
}

/* A directory is told from a file by the slash behind it; there is one behind "/" already. */
static void
text_found(struct out *o, const void *record)
{
	const struct found_answer *f = record;
	add_number(o, FILE_NUMBER);
	out_put_name(o, f->path, f->is_dir);
	buf_adds(&o->text, f->is_dir && strcmp(f->path, "/") != 0 ? "/\n" : "\n");
}

static void
text_mark(struct out *o, const void *record)
{
	const struct mark_answer *m = record;
	char size[NUM_SHOW_MAX];

	add_number(o, FILE_NUMBER);
	add_word(o, mark_name(m->decision), STATE_WIDTH, m->state == MARK_EFFECTIVE ? out_put_mark_colors[m->decision] : OUT_PUT_DIM);
	add_word(o, num_show_size(m->size, o->style.units, size), STATE_WIDTH + 2, NULL);
	buf_adds(&o->text, "  ");
	out_put_name(o, m->path, false);
	if (m->state != MARK_EFFECTIVE) {
		buf_adds(&o->text, " (");
		add_word(o, mark_state_name(m->state), 0, OUT_PUT_BAD);
		if (m->why != NULL)
			buf_addf(&o->text, ": %s", m->why);
		buf_addc(&o->text, ')');
	}
	buf_addc(&o->text, '\n');
}

/* Append a count unless it is 0. */
static void
add_count(struct out *o, int64_t n, const char *what)
{
	char text[NUM_SHOW_MAX];

	if (n > 0)
		buf_addf(&o->text, ", %s %s", num_show_count(n, text), what);
}

static void
text_mark_totals(struct out *o, const void *record)
{
	const struct mark_totals *t = record;
	char text[NUM_SHOW_MAX];

	if (t->n_drop + t->n_keep + t->n_stale + t->n_offline + t->n_last == 0) {
		buf_adds(&o->text, "No marks.\n");
		return;
	}
	buf_addf(&o->text, "%s to drop, ", num_show_count(t->n_drop, text));
	/* As rm says it. */
	buf_addf(&o->text, "%s%s to be freed on disk", t->at_most ? "at most " : "", num_show_size(t->frees_disk, o->style.units, text));
	add_count(o, t->n_keep, "to keep");
	add_count(o, t->n_stale, "stale");
	add_count(o, t->n_offline, "offline");
	add_count(o, t->n_last, "last");
	buf_addc(&o->text, '\n');
}

/* A volume in two to four lines: what it is and where, what people say of it, what it holds. */
static void
text_volume(struct out *o, const void *record)
{
	const struct volume_answer *v = record;
	const size_t indent = VOLUME_INDENT + (o->style.numbers ? FILE_NUMBER + 2 : 0);
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	add_number(o, FILE_NUMBER);
	out_put_word(o, v->online ? "online" : "offline", v->online ? NULL : OUT_PUT_NOTICE);
	out_put_blanks(o, VOLUME_INDENT - strlen(v->online ? "online" : "offline"));
	if (v->name != NULL) {
		out_put_shown(o, &o->text, v->name);
		buf_adds(&o->text, ", ");
	}
	if (v->label != NULL) {
		out_put_shown(o, &o->text, v->label);
		buf_adds(&o->text, ", ");
	}
	buf_adds(&o->text, v->type);
	if (v->timeless)
		buf_adds(&o->text, ", no change times");
	if (v->capacity >= 0 && !v->lost)
		buf_addf(&o->text, ", %s with %s free", num_show_size(v->capacity, o->style.units, x),
		         num_show_size(v->available, o->style.units, y));
	if (v->memory)
		buf_adds(&o->text, v->lost ? ", in memory, gone" : ", in memory");
	if (v->point != NULL) {
		buf_adds(&o->text, v->online ? ", at " : ", was at ");
		out_put_name(o, v->point, true);
	} else if (v->path != NULL) {
		buf_adds(&o->text, v->online ? ", at " : ", was at ");
		out_put_name(o, v->path, true);
	}
	if (!v->online && v->seen >= 0)
		buf_addf(&o->text, ", seen %s", num_show_local(v->seen, x));
	buf_addc(&o->text, '\n');
	if (v->place != NULL || v->note != NULL) {
		out_put_blanks(o, indent);
		if (v->place != NULL)
			out_put_shown(o, &o->text, v->place);
		buf_adds(&o->text, v->place != NULL && v->note != NULL ? "; " : "");
		if (v->note != NULL)
			out_put_shown(o, &o->text, v->note);
		buf_addc(&o->text, '\n');
	}
	if (v->elsewhere) {
		out_put_blanks(o, indent);
		buf_adds(&o->text, "the index has it at ");
		out_put_name(o, v->path, true);
		buf_adds(&o->text, ": a scan of where it is now moves it\n");
	}
	out_put_blanks(o, indent);
	buf_addf(&o->text, "%s, %s; only here: ", num_show_things(v->files, "file", "files", x),
	         num_show_size(v->bytes, o->style.units, y));
	buf_addf(&o->text, "%s, %s\n", num_show_things(v->only_files, "file", "files", x),
	         num_show_size(v->only_bytes, o->style.units, y));
}

/* A moved file has two paths; of others that both sides have, the left one stands for both. */
static void
text_pair(struct out *o, const void *record)
{
	const struct pair_answer *p = record;
	static const char letters[PAIR_CLASSES] = {
		[PAIR_DIFFERENT] = '!', [PAIR_MOVED] = '~', [PAIR_LEFT] = '<', [PAIR_RIGHT] = '>', [PAIR_SAME] = '=', [PAIR_UNSURE] = '?',
	};

	add_number(o, FILE_NUMBER);
	if (!o->style.numbers)
		out_put_blanks(o, o->style.indent);
	if (o->style.classes)
		buf_addf(&o->text, "%c ", letters[p->class]);
	out_put_name(o, p->left != NULL ? p->left : p->right, false);
	if (p->class == PAIR_MOVED) {
		buf_adds(&o->text, " -> ");
		out_put_name(o, p->right, false);
	}
	buf_addc(&o->text, '\n');
}

/* Append the path of a change, of a directory with a slash. */
static void
add_change_path(struct out *o, const struct change_answer *a, const char *path)
{
	out_put_name(o, path, a->dir);
	if (a->dir && strcmp(path, "/") != 0)
		buf_addc(&o->text, '/');
}

static void
text_change(struct out *o, const void *record)
{
	const struct change_answer *a = record;
	char x[NUM_SHOW_MAX], y[NUM_SHOW_MAX];

	add_number(o, FILE_NUMBER);
	if (o->style.classes)
		buf_addf(&o->text, "%7s  ", change_class_name(a->class));
	add_change_path(o, a, a->class == CHANGE_MOVED || a->after == NULL ? a->before : a->after);
	if (a->class == CHANGE_MOVED) {
		buf_adds(&o->text, " -> ");
		add_change_path(o, a, a->after);
	}
	if (a->dir)
		buf_addf(&o->text, "  (%s, %s)", num_show_things(a->files, "file", "files", x),
		         num_show_size(a->size_after >= 0 ? a->size_after : a->size_before, o->style.units, y));
	else if (a->class == CHANGE_LOST && (a->maybe || a->after != NULL))
		buf_addf(&o->text, "  (%s%s)", a->after != NULL ? "its old content" : "", a->maybe ? a->after != NULL ? ", may be" : "may be" : "");
	else if (a->class == CHANGE_TOUCHED && a->maybe)
		buf_adds(&o->text, "  (content not compared)");
	else if (a->class == CHANGE_CHANGED && o->style.classes && a->size_after != a->size_before)
		buf_addf(&o->text, "  (%s%s)", a->size_after > a->size_before ? "+" : "-",
		         num_show_size(a->size_after > a->size_before ? num_sub(a->size_after, a->size_before) : num_sub(a->size_before, a->size_after), o->style.units, x));
	buf_addc(&o->text, '\n');
}

static void
text_record(struct out *o, const void *record)
{
	static out_print_fn *const print[OUT_KINDS] = {
		[OUT_STATES] = text_file, [OUT_PATHS] = text_file, [OUT_SETS] = text_set, [OUT_DIRS] = out_bars, [OUT_FOUND] = text_found,
		[OUT_MARKS] = text_mark, [OUT_VOLUMES] = text_volume, [OUT_PAIRS] = text_pair, [OUT_TREES] = out_trees_text,
		[OUT_RISKS] = out_trees_text, [OUT_CHANGES] = text_change, [OUT_SIMILAR] = out_similar_text,
	};

	print[o->style.kind](o, record);
}

static void
text_sums(struct out *o, const void *totals)
{
	static out_print_fn *const print[OUT_KINDS] = {
		[OUT_SETS] = text_totals, [OUT_MARKS] = text_mark_totals, [OUT_TREES] = out_trees_text_totals,
		[OUT_RISKS] = out_trees_text_totals,
	};

	if (print[o->style.kind] != NULL)
		print[o->style.kind](o, totals);
}

const struct out_format_ops out_text_ops = {
	.record = text_record,
	.totals = text_sums,
	.dir = text_dir,
};
