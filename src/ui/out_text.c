/* SPDX-License-Identifier: MIT */
/*
 * out_text - the formats of plain lines: text for people, fdupes and null for pipes.
 *
 * fdupes: one path per line, an empty line after each set, as fdupes and
 * jdupes print by default; one name per inode, so that whoever keeps the
 * first line of a set and removes the others frees what the report said.
 * null: the same with NUL in place of newline, as jdupes -0.
 */
#include <config.h>

#include <string.h>

#include "base/name.h"
#include "index/answer.h"
#include "ui/out_format.h"

/* Columns of text: states end at the first, the kinds of members begin at the second. */
enum { STATE_WIDTH = 10, MEMBER_INDENT = 12, KIND_WIDTH = 4 };

/* Colours are SGR parameters; they only ever mark our own words, never names. */
#define BAD "31"
#define DIM "2"
#define STRONG "1"
#define NOTICE "33"

static const char *const state_colors[STATE_COUNT] = {
	[STATE_DUP] = NOTICE,
	[STATE_UNIQUE] = STRONG,
	[STATE_SKIPPED] = DIM,
	[STATE_UNREADABLE] = BAD,
	[STATE_CHANGED] = BAD,
	[STATE_GONE] = BAD,
	[STATE_UNKNOWN] = DIM,
};

/* How a member looks: its mark with a file, its mark in a set (where copies have none), and what follows its path. */
static const struct { const char *mark, *in_set, *note, *color; } member_looks[MEMBER_COUNT] = {
	[MEMBER_COPY] = { "copy", "", "", NULL },
	[MEMBER_LINK] = { "link", "", "", NULL },
	[MEMBER_GONE] = { "---", "---", " (gone)", BAD },
	[MEMBER_CHANGED] = { "---", "---", " (changed)", BAD },
	[MEMBER_EXCLUDED] = { "xxx", "xxx", "", DIM },
	[MEMBER_OFFLINE] = { "???", "???", " (offline)", DIM },
};

static void
add_blanks(struct buf *b, size_t n)
{
	static const char blanks[] = "            ";

	buf_add(b, blanks, n < sizeof(blanks) - 1 ? n : sizeof(blanks) - 1);
}

/* Append a word of ours, right-aligned, in a colour or none. */
static void
add_word(struct out *o, const char *word, size_t width, const char *color)
{
	size_t len = strlen(word);

	if (len < width)
		add_blanks(&o->text, width - len);
	if (o->style.color && color != NULL) {
		buf_adds(&o->text, "\033[");
		buf_adds(&o->text, color);
		buf_addc(&o->text, 'm');
		buf_add(&o->text, word, len);
		buf_adds(&o->text, "\033[0m");
	} else {
		buf_add(&o->text, word, len);
	}
}

static void
add_path(struct out *o, const char *path)
{
	path = out_cut(o, path);
	if (o->style.escape)
		name_show(&o->text, path, strlen(path));
	else
		buf_adds(&o->text, path);
}

static void
text_file(struct out *o, const struct file_answer *f)
{
	const struct member *m;
	size_t i;

	if (o->style.kind == OUT_STATES) {
		add_word(o, state_name(f->state), STATE_WIDTH, state_colors[f->state]);
		buf_adds(&o->text, "  ");
	}
	add_path(o, f->path);
	if (o->style.kind == OUT_STATES && f->why != NULL) {
		buf_adds(&o->text, " (");
		if (o->style.escape)
			name_show_message(&o->text, f->why, strlen(f->why));
		else
			buf_adds(&o->text, f->why);
		buf_addc(&o->text, ')');
	}
	buf_addc(&o->text, '\n');

	for (i = 0; i < f->n_members; i++) {
		m = &f->members[i];
		add_blanks(&o->text, MEMBER_INDENT);
		add_word(o, member_looks[m->kind].mark, KIND_WIDTH, member_looks[m->kind].color);
		buf_adds(&o->text, "  ");
		add_path(o, m->path);
		buf_adds(&o->text, member_looks[m->kind].note);
		buf_addc(&o->text, '\n');
		out_flow(o);
	}
}

static void
add_size(struct out *o, int64_t size)
{
	char text[NUM_SHOW_MAX];

	buf_adds(&o->text, num_show_size(size, o->style.units, text));
}

/*
 * Append the redundant bytes, and those on disk when they tell something
 * else.  Files take up whole blocks, so more on disk than in the file says
 * nothing; less means holes, compression, or data kept within the inode, and
 * then removing copies frees less than their sizes promise.  A difference
 * that the rounded numbers do not show is not worth a reader's time.
 */
static void
add_redundant(struct out *o, int64_t redundant, int64_t on_disk)
{
	char text[NUM_SHOW_MAX], text_disk[NUM_SHOW_MAX];

	num_show_size(redundant, o->style.units, text);
	buf_adds(&o->text, text);
	buf_adds(&o->text, " redundant");
	if (on_disk < 0 || on_disk >= redundant)
		return;
	num_show_size(on_disk, o->style.units, text_disk);
	if (strcmp(text, text_disk) != 0)
		buf_addf(&o->text, " (%s on disk)", text_disk);
}

static void
text_set(struct out *o, const struct set_answer *s)
{
	const struct member *m;
	char count[NUM_SHOW_MAX];
	size_t i;

	if (o->style.color)
		buf_adds(&o->text, "\033[" STRONG "m");
	buf_addf(&o->text, "%s copies of ", num_show_count(s->n_copies, count));
	add_size(o, s->size);
	buf_adds(&o->text, " each, ");
	add_redundant(o, s->redundant, s->redundant_disk);
	if (o->style.color)
		buf_adds(&o->text, "\033[0m");
	buf_addc(&o->text, '\n');

	for (i = 0; i < s->n_members; i++) {
		m = &s->members[i];
		buf_adds(&o->text, "  ");
		if (*member_looks[m->kind].in_set != '\0') {
			add_word(o, member_looks[m->kind].in_set, 0, member_looks[m->kind].color);
			buf_addc(&o->text, ' ');
		}
		add_path(o, m->path);
		buf_adds(&o->text, m->kind == MEMBER_LINK ? " (link)" : member_looks[m->kind].note);
		buf_addc(&o->text, '\n');
		out_flow(o);
	}
	buf_addc(&o->text, '\n');
}

static void
text_totals(struct out *o, const struct set_totals *t)
{
	char sets[NUM_SHOW_MAX], files[NUM_SHOW_MAX];

	if (t->n_sets == 0) {
		buf_adds(&o->text, "No duplicates.\n");
	} else {
		buf_addf(&o->text, "%s, %s, ", num_show_things(t->n_sets, "set", "sets", sets),
		         num_show_things(t->n_files, "file", "files", files));
		add_redundant(o, t->redundant, t->redundant_disk);
		buf_addc(&o->text, '\n');
	}
	if (t->n_stale > 0)
		buf_addf(&o->text, "%s gone or changed since the last scan: run twindex scan\n",
		         num_show_things(t->n_stale, "member", "members", files));
	if (t->n_offline > 0)
		buf_addf(&o->text, "%s offline: not counted\n",
		         num_show_things(t->n_offline, "member", "members", files));
}

const struct out_format_ops out_text_ops = {
	.file = text_file,
	.set = text_set,
	.totals = text_totals,
};

/* Append one raw path with its end; none is written into a set by itself. */
static void
add_line(struct out *o, const char *path)
{
	path = out_cut(o, path);
	buf_add(&o->text, path, strlen(path) + 1);
	if (o->style.format != OUT_NULL)
		o->text.data[o->text.len - 1] = '\n';
}

static void
end_group(struct out *o)
{
	buf_addc(&o->text, o->style.format == OUT_NULL ? '\0' : '\n');
	o->open_group = false;
}

static void
add_copies(struct out *o, const struct member *m, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (m[i].kind != MEMBER_COPY)
			continue;
		add_line(o, m[i].path);
		out_flow(o);
	}
}

static void
fdupes_file(struct out *o, const struct file_answer *f)
{
	/* Single paths that came before must not look like copies of this one. */
	if (f->n_members > 0 && o->open_group)
		end_group(o);
	add_line(o, f->path);
	if (f->n_members > 0) {
		add_copies(o, f->members, f->n_members);
		end_group(o);
	} else {
		o->open_group = true;
	}
}

static void
fdupes_set(struct out *o, const struct set_answer *s)
{
	add_copies(o, s->members, s->n_members);
	end_group(o);
}

const struct out_format_ops out_fdupes_ops = {
	.file = fdupes_file,
	.set = fdupes_set,
};
